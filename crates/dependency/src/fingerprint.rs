//! What a training depends on, in one number.

use chain::Workers;
use chain::container::{Header, crc64, encode, open};
use tree::Possible;
use tree::Sentence;

use super::example::Annotated;
use super::model::DependencyModel;
use super::options::DependencyOptions;
use super::table::Table;

/// A checksum of everything that weights are learned from.
pub(super) fn fingerprint(
    data: &[Annotated],
    dev: &[Sentence],
    start: Option<&DependencyModel>,
    options: &DependencyOptions,
    workers: &Workers,
) -> u64 {
    let mut sums = vec![of_options(options), data.len() as u64];
    sums.extend(workers.map(data, |_, item| of_item(item)));
    sums.extend(workers.map(dev, |_, sentence| crc64(&text_of(sentence, true))));
    if let Some(start) = start {
        let tables = [Some(&start.arcs), start.second.as_ref(), Some(&start.labels.table)];
        sums.extend(tables.into_iter().flatten().map(of_table));
        sums.extend(start.labels.names.iter().map(|name| crc64(name.as_bytes())));
    }
    crc64(&sums.iter().flat_map(|sum| sum.to_le_bytes()).collect::<Vec<u8>>())
}

fn of_options(options: &DependencyOptions) -> u64 {
    // Settings can always be written; if they could not, the data would still be compared. The checksum at the end of
    // the bytes must not be taken along: the checksum of anything with its checksum behind it is always the same.
    let bytes = encode(&Header::default(), options).unwrap_or_default();
    open(&bytes).map_or(0, |(_, payload)| crc64(payload))
}

fn of_item(item: &Annotated) -> u64 {
    let mut bytes = text_of(&item.sentence, false);
    bytes.extend(item.weight.to_le_bytes());
    push_possible(&item.possible, &mut bytes);
    crc64(&bytes)
}

/// All columns that features or relations are made of.
fn text_of(sentence: &Sentence, with_heads: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for token in sentence.words() {
        for column in [&token.form, &token.upos, &token.xpos, &token.feats, &token.deprel] {
            bytes.extend(column.as_bytes());
            bytes.push(b'\t');
        }
        if with_heads {
            bytes.extend(token.head.index().unwrap_or(u32::MAX).to_le_bytes());
        }
    }
    bytes
}

/// Arcs that are allowed, and brackets, whose words arcs alone do not tell.
fn push_possible(possible: &Possible, bytes: &mut Vec<u8>) {
    let n_words = possible.n_words();
    for word in 1..=n_words {
        bytes.push(u8::from(possible.left_out(word)));
        bytes.extend((0..=n_words).map(|head| u8::from(possible.allows_arc(head, word))));
    }
    for bracket in possible.whole().brackets() {
        let numbers = bracket.words.iter().copied().chain([0, bracket.head.unwrap_or(0)]);
        bytes.extend(numbers.flat_map(|number| (number as u32).to_le_bytes()));
    }
}

fn of_table(table: &Table) -> u64 {
    crc64(&table.values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}
