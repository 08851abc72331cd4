//! How a dictionary is written: what stands between cells, and what its columns hold.

use crate::lines::width;
use crate::tables::lexer::{Cell, Syntax, lex_row};
use std::borrow::Cow;

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Tabs, semicolons or commas; but for tabs, cells may be quoted.
    Byte(u8),
    /// Any white space.
    Space,
}

/// What columns hold; those that are not named hold nothing of interest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DictionaryLayout {
    pub(super) separator: Separator,
    pub(super) has_header: bool,
    pub(super) word: usize,
    tags: Tags,
    pub(super) weight: Option<usize>,
}

/// Columns with tags.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tags {
    /// These.
    Listed(Vec<usize>),
    /// All that hold neither word nor weight.
    Others,
}

/// A cell and its place in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) text: Cow<'a, str>,
    /// Characters, from 1.
    pub(super) column: u32,
    pub(super) width: u32,
}

/// Lines that are looked at to find out how a dictionary is written.
const SAMPLE: usize = 1000;
/// Names of columns, in small letters and without numbers at the end.
const WORDS: [&str; 8] = ["word", "words", "form", "wordform", "token", "type", "entry", "lexeme"];
const TAGS: [&str; 10] =
    ["tag", "tags", "pos", "upos", "xpos", "part of speech", "part-of-speech", "category", "cat", "label"];
const WEIGHTS: [&str; 8] = ["weight", "weights", "count", "counts", "freq", "frequency", "n", "tokens"];

impl DictionaryLayout {
    /// The layout of a dictionary with these lines, remarks and empty lines left out.
    pub(super) fn find<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> DictionaryLayout {
        let lines = lines.take(SAMPLE);
        let separator = Separator::find(lines.clone());
        let mut rows = lines.map(|line| separator.cut(line));
        let Some(first) = rows.next() else {
            return DictionaryLayout {
                separator,
                has_header: false,
                word: 0,
                tags: Tags::Others,
                weight: None,
            };
        };
        if let Some(layout) = DictionaryLayout::named(separator, &first) {
            return layout;
        }
        let others: Vec<Vec<Piece<'_>>> = rows.collect();
        let is_weighted = |rows: &mut dyn Iterator<Item = &Vec<Piece<'_>>>| has_weights(rows);
        let all = is_weighted(&mut std::iter::once(&first).chain(&others));
        // A first line that lacks the number which all others have is a header in any language.
        let has_header = !all && is_weighted(&mut others.iter());
        let weight = (all || has_header).then(|| first.len() - 1);
        DictionaryLayout { separator, has_header, word: 0, tags: Tags::Others, weight }
    }

    /// The layout that the names of columns tell.
    fn named(separator: Separator, header: &[Piece<'_>]) -> Option<DictionaryLayout> {
        let names: Vec<String> = header.iter().map(|piece| piece.text.trim().to_lowercase()).collect();
        let is_one_of = |at: usize, known: &[&str]| known.contains(&stem(&names[at]));
        let word = (0..names.len()).find(|&at| is_one_of(at, &WORDS))?;
        let tag = (0..names.len()).find(|&at| at != word && is_one_of(at, &TAGS))?;
        let tags = (0..names.len()).filter(|&at| at != word && stem(&names[at]) == stem(&names[tag]));
        let weight = (0..names.len()).find(|&at| at != word && is_one_of(at, &WEIGHTS));
        Some(DictionaryLayout {
            separator,
            has_header: true,
            word,
            tags: Tags::Listed(tags.collect()),
            weight,
        })
    }

    /// Whether a column holds tags.
    pub(super) fn has_tags(&self, column: usize) -> bool {
        match &self.tags {
            Tags::Listed(columns) => columns.contains(&column),
            Tags::Others => column != self.word && Some(column) != self.weight,
        }
    }
}

/// A name without its number: `tag2` is one of several tags.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', ' '])
}

/// Whether the last of at least three columns has numbers only, and a column of tags has other things too: tags may be numbers.
fn has_weights<'r, 'a: 'r>(rows: &mut dyn Iterator<Item = &'r Vec<Piece<'a>>>) -> bool {
    let (mut n_rows, mut is_named) = (0, false);
    for row in rows {
        let [_, tags @ .., weight] = &row[..] else { return false };
        if tags.is_empty() || numbers(&weight.text).is_none() {
            return false;
        }
        n_rows += 1;
        is_named |= tags.iter().any(|tag| numbers(&tag.text).is_none());
    }
    n_rows > 0 && is_named
}

/// The numbers of a cell with spaces between them; the mark of decimals may be a comma.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |text: &str| text.replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers: Vec<f64> = text.split_whitespace().map(number).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}

impl Separator {
    /// Tabs, semicolons, commas, spaces: the first that more than half of the lines have; tabs if none is.
    fn find<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Separator {
        let most = |separator: &Separator| {
            let [n_lines, n_cut] = lines
                .clone()
                .fold([0, 0], |[n, n_cut], line| [n + 1, n_cut + usize::from(separator.cut(line).len() > 1)]);
            2 * n_cut > n_lines
        };
        let bytes = [b'\t', b';', b','].map(Separator::Byte);
        let found = bytes.into_iter().chain([Separator::Space]).find(most);
        found.unwrap_or(Separator::Byte(b'\t'))
    }

    /// The cells of a line.
    pub(super) fn cut<'a>(self, line: &'a str) -> Vec<Piece<'a>> {
        let Separator::Byte(delimiter) = self else {
            let piece = |text: &'a str| {
                let start = text.as_ptr() as usize - line.as_ptr() as usize;
                Piece { text: text.into(), column: width(&line[..start]) + 1, width: width(text) }
            };
            return line.split_whitespace().map(piece).collect();
        };
        let mut cells: Vec<Cell> = Vec::new();
        // In files with tabs a quote is a word like any other.
        let syntax = Syntax { delimiter, has_quotes: delimiter != b'\t' };
        // A line has no line end in it, so that its end is known.
        let _ = lex_row(line.as_bytes(), true, syntax, &mut cells);
        let piece = |cell: &Cell| Piece {
            text: cell.text(line),
            column: width(&line[..cell.range.start]) + 1,
            width: width(&line[cell.range.clone()]),
        };
        cells.iter().map(piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> DictionaryLayout {
        DictionaryLayout::find(text.lines())
    }

    #[test]
    fn separators_are_those_that_most_lines_have() {
        for (text, separator) in [
            ("fish\tNOUN VERB\n,\tPUNCT\n", Separator::Byte(b'\t')),
            ("the\tDET\ngoat NOUN\n.\tPUNCT\n", Separator::Byte(b'\t')),
            ("fish,NOUN\n;,PUNCT\n\",\",PUNCT\n", Separator::Byte(b',')),
            ("fish;NOUN\n\";\";PUNCT\n", Separator::Byte(b';')),
            ("fish NOUN\n, PUNCT\n; PUNCT\n", Separator::Space),
            ("fish\ngoat\n", Separator::Byte(b'\t')),
        ] {
            assert_eq!(layout(text).separator, separator, "{text:?}");
        }
    }

    #[test]
    fn headers_name_columns_in_any_order_and_numbers_tell_a_header_in_any_language() {
        let found = layout("upos,gloss,xpos,form,count\nNOUN,x,nn,fish,3\n");
        assert!(found.has_header);
        assert_eq!((found.word, found.weight), (3, Some(4)));
        assert_eq!((0..5).filter(|&at| found.has_tags(at)).collect::<Vec<_>>(), [0]);
        let found = layout("Word;Tag1;Tag2\nfish;NOUN;VERB\n");
        assert_eq!((0..3).filter(|&at| found.has_tags(at)).collect::<Vec<_>>(), [1, 2]);
        let found = layout("Wort;Wortart;Anzahl\nFisch;NOUN;3,5\n");
        assert_eq!((found.has_header, found.weight), (true, Some(2)));
        // Tags may be numbers, and a last column of them is no weight.
        assert_eq!(layout("fish\t3\t4\ngoat\t3\t5\n").weight, None);
        assert_eq!(layout("fish\tN\t4\ngoat\tN\n").weight, None);
        assert!(!layout("fish\tNOUN\ngoat\tNOUN\n").has_header);
    }

    #[test]
    fn cells_have_their_places_in_characters() {
        let piece = |text: &'static str, column, width| Piece { text: text.into(), column, width };
        assert_eq!(
            Separator::Byte(b',').cut("é,\"a,b\",c"),
            [piece("é", 1, 1), piece("a,b", 3, 5), piece("c", 9, 1)]
        );
        assert_eq!(Separator::Space.cut(" é  NOUN"), [piece("é", 2, 1), piece("NOUN", 5, 4)]);
        assert_eq!(Separator::Byte(b'\t').cut("\"\tPUNCT"), [piece("\"", 1, 1), piece("PUNCT", 3, 5)]);
    }
}
