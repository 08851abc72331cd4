//! Which words to annotate next.

use super::material::Material;
use super::model::Tagger;
use chain::Workers;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tag::crf::{Decoders, Further, Posteriors};
use tag::{Certainty, Choice};
use tree::PutInOrder;
use tree::Text;

/// A word that is worth a place in the dictionary.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The word.
    pub word: Text,
    /// Its tokens in the text.
    pub count: usize,
    /// How many of its tokens are expected to be tagged wrongly: Σ 1 − p(best tag).
    pub wrong: f64,
    /// The tags it got, the most frequent first.
    pub tags: Vec<Text>,
}

/// What the text says of a word: its tokens, how many are expected to be wrong, and the tags they got.
type Seen = (usize, f64, BTreeMap<u32, usize>);

/// The words outside the dictionary of whose tokens most are expected to be wrong.
pub(super) fn wishes(
    (tagger, certainty): (&Tagger, &Certainty),
    further: Further<'_>,
    material: &Material,
    n: usize,
    workers: &Workers,
) -> Vec<Wish> {
    let tagged = material.tagged.iter().map(|sentence| &sentence.words);
    let sentences: Vec<&Vec<Text>> = tagged.chain(&material.raw).collect();
    let found = most_probable((tagger, certainty), further, &sentences, workers);
    let mut types: BTreeMap<&Text, Seen> = BTreeMap::new();
    for (word, (tag, sure)) in sentences.iter().copied().flatten().zip(found.into_iter().flatten()) {
        if material.dictionary.get(word).is_none() {
            let (count, wrong, tags) = types.entry(word).or_default();
            *count += 1;
            *wrong += 1.0 - sure;
            *tags.entry(tag).or_default() += 1;
        }
    }
    let mut all: Vec<(&Text, Seen)> = types.into_iter().collect();
    all.order_by(|a, b| b.1.1.total_cmp(&a.1.1).then(a.0.cmp(b.0)));
    all.truncate(n);
    let wish = |(word, (count, wrong, tags)): (&Text, Seen)| {
        let mut tags: Vec<(u32, usize)> = tags.into_iter().collect();
        tags.order_by_key(|&(_, n)| std::cmp::Reverse(n));
        let tags = tags.into_iter().map(|(tag, _)| tagger.tags().name(tag).clone()).collect();
        Wish { word: word.clone(), count, wrong, tags }
    };
    all.into_iter().map(wish).collect()
}

/// The most probable tag of each word and its probability.
fn most_probable(
    (tagger, certainty): (&Tagger, &Certainty),
    further: Further<'_>,
    sentences: &[&Vec<Text>],
    workers: &Workers,
) -> Vec<Vec<(u32, f64)>> {
    let n_tags = tagger.tags().len();
    let best = |mut row: Vec<f64>| {
        certainty.correct(&Choice::Any, &mut row);
        Posteriors::of_rows(n_tags, &row).best(0)
    };
    match tagger {
        Tagger::Crf(crf) => Decoders::new(crf, further, workers).map(sentences, workers, |decoder, words| {
            let posteriors = decoder.posteriors(words, &[]);
            (0..posteriors.n_words()).map(|word| best(posteriors.of(word).to_vec())).collect()
        }),
        Tagger::Hmm(hmm) => workers.map(sentences, |_, words| {
            let rows = hmm.posteriors(words, &[], further).into_iter();
            rows.map(|row| best(dense(&row, n_tags))).collect()
        }),
    }
}

/// A probability for every tag.
pub(super) fn dense(row: &[(u32, f64)], n_tags: usize) -> Vec<f64> {
    let mut all = vec![0.0; n_tags];
    row.iter().for_each(|&(tag, p)| all[tag as usize] = p);
    all
}

impl Wish {
    pub(super) fn json(&self) -> Value {
        json!({
            "word": self.word.as_str(),
            "count": self.count,
            "expected_errors": (self.wrong * 1e4).round() / 1e4,
            "tags": self.tags.iter().map(Text::as_str).collect::<Vec<_>>(),
        })
    }
}
