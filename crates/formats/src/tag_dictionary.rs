//! Tag dictionaries: which tags words may have.
//!
//! A word, a tab, and its tags with spaces between them, one word a line; a line that begins with `# ` is a remark. Or a table:
//! CSV, TSV or columns with spaces between them, with or without names of columns, a row for each word and all its tags or for
//! each pair of word and tag, and a column of numbers that say how often a word has a tag. Words are brought to Unicode's normal
//! form C, and lines of one word are put together. Lines that cannot be understood are reported and left out.
//!
//! ```
//! use formats::tag_dictionary::read;
//! let found = read("fish\tNOUN VERB\nthe\tDET\nfish\tNOUN\n".as_bytes())?;
//! assert_eq!(found.entries[0].word, "fish");
//! assert_eq!(found.entries[0].tags, ["NOUN", "VERB"]);
//! assert_eq!((found.entries.len(), found.problems[0].rule), (2, "repeated-word"));
//! let found = read("word,tag,count\nfish,NOUN,30\nfish,VERB,4\n".as_bytes())?;
//! assert_eq!(found.entries[0].tags, ["NOUN", "VERB"]);
//! assert_eq!(found.entries[0].weights.as_deref(), Some(&[30.0, 4.0][..]));
//! # Ok::<(), std::io::Error>(())
//! ```

mod layout;

use crate::Problem;
use crate::lines::Lines;
use crate::nfc::{mixes_scripts, nfc};
use layout::{DictionaryLayout, Piece, Separator, numbers};
use rustc_hash::FxHashMap;
use std::io::{self, BufRead};
use tree::Place;
use tree::PutInOrder;

/// A word and its tags.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The word, in normal form C.
    pub word: String,
    /// At least one tag, each once, in the order of the file.
    pub tags: Vec<String>,
    /// How often the word has each of them; `None` if the file has no such numbers.
    pub weights: Option<Vec<f64>>,
    /// The line that it stands on first, from 1.
    pub line: u32,
}

/// A whole dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagDictionary {
    /// Each word once, in the order of the file.
    pub entries: Vec<Entry>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads a dictionary.
pub fn read(source: impl BufRead) -> io::Result<TagDictionary> {
    let mut lines = Lines::new(source);
    let mut found = TagDictionary::default();
    let mut rows: Vec<(u32, String)> = Vec::new();
    while let Some((number, line)) = lines.next_line(&mut found.problems)? {
        if !line.trim().is_empty() && !line.starts_with("# ") {
            rows.push((number, line.to_owned()));
        }
    }
    let layout = DictionaryLayout::find(rows.iter().map(|(_, line)| line.as_str()));
    let rows = rows.iter().skip(usize::from(layout.has_header));
    let mut read: Vec<(Entry, Place)> = Vec::new();
    for (number, line) in rows {
        match entry(*number, line, &layout, &mut found.problems) {
            Ok(entry) => read.push(entry),
            Err(problem) => found.problems.push(*problem),
        }
    }
    found.put_together(read);
    found.problems.order_by_key(|problem| problem.place.line);
    Ok(found)
}

impl TagDictionary {
    fn put_together(&mut self, read: Vec<(Entry, Place)>) {
        // Where every line has one tag, a word has as many lines as tags.
        let by_pairs = read.iter().all(|(entry, _)| entry.tags.len() == 1);
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for (entry, place) in read {
            let Some(&at) = places.get(&entry.word) else {
                places.insert(entry.word.clone(), self.entries.len());
                self.entries.push(entry);
                continue;
            };
            let first = &mut self.entries[at];
            let is_new = entry.tags.iter().all(|tag| !first.tags.contains(tag));
            if entry.weights.is_none() && !(by_pairs && is_new) {
                self.problems.push(Problem::warning(
                    "repeated-word",
                    place,
                    format!(
                        "`{}` stands on line {} already; its tags are put together",
                        entry.word, first.line
                    ),
                    "give each word one line",
                ));
            }
            first.take(entry);
        }
    }
}

impl Entry {
    /// Adds the tags of another line; numbers of the same tag add up.
    fn take(&mut self, other: Entry) {
        for (at, tag) in other.tags.into_iter().enumerate() {
            let weight = other.weights.as_ref().map(|weights| weights[at]);
            match (self.tags.iter().position(|known| *known == tag), &mut self.weights) {
                (Some(known), Some(weights)) => weights[known] += weight.unwrap_or(0.0),
                (Some(_), None) => {}
                (None, weights) => {
                    self.tags.push(tag);
                    if let Some(weights) = weights {
                        weights.push(weight.unwrap_or(1.0));
                    }
                }
            }
        }
    }
}

/// A line as an entry, and the place of its word.
fn entry(
    number: u32,
    line: &str,
    layout: &DictionaryLayout,
    problems: &mut Vec<Problem>,
) -> Result<(Entry, Place), Box<Problem>> {
    let pieces = layout.separator.cut(line);
    if pieces.len() < 2 {
        return Err(Box::new(undivided(number, &pieces, layout.separator)));
    }
    let place = |piece: &Piece<'_>| Place::new(number, piece.column, piece.width.max(1));
    let written = pieces.get(layout.word).map_or("", |piece| piece.text.trim());
    let of_word = pieces.get(layout.word).map_or(Place::new(number, 1, 1), place);
    if written.is_empty() {
        return Err(Box::new(missing("no-word", "word", of_word)));
    }
    let tagged = || (0..).zip(&pieces).filter(|(at, _)| layout.has_tags(*at)).map(|(_, piece)| piece);
    let mut tags: Vec<String> = Vec::new();
    for tag in tagged().flat_map(|piece| piece.text.split_whitespace()).filter(|tag| *tag != "_") {
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    if tags.is_empty() {
        let last = pieces.last().map_or(of_word, place);
        return Err(Box::new(missing("no-tags", "tag", tagged().next().map_or(last, place))));
    }
    let weights = layout.weight.map(|column| match pieces.get(column) {
        Some(piece) => weights(&piece.text, tags.len()).unwrap_or_else(|| {
            problems.push(bad_weight(&piece.text, tags.len(), place(piece)));
            vec![1.0; tags.len()]
        }),
        None => {
            problems.push(bad_weight("", tags.len(), Place::line(number)));
            vec![1.0; tags.len()]
        }
    });
    let word = nfc(written);
    look_at_letters(written, &word, of_word, problems);
    Ok((Entry { word: word.into_owned(), tags, weights, line: number }, of_word))
}

/// A number for each tag, or one for all.
fn weights(text: &str, n_tags: usize) -> Option<Vec<f64>> {
    let numbers = numbers(text).filter(|numbers| numbers.iter().all(|&number| number > 0.0))?;
    match numbers[..] {
        [number] => Some(vec![number; n_tags]),
        _ => Some(numbers).filter(|numbers| numbers.len() == n_tags),
    }
}

fn bad_weight(text: &str, n_tags: usize, place: Place) -> Problem {
    Problem::error(
        "bad-weight",
        place,
        format!("`{text}` does not say how often the word has its tags; each counts once"),
        match n_tags {
            1 => "write a number above 0".to_owned(),
            n => format!("write one number above 0, or {n} with spaces between them"),
        },
    )
}

fn undivided(number: u32, pieces: &[Piece<'_>], separator: Separator) -> Problem {
    let place =
        pieces.first().map_or(Place::line(number), |piece| Place::new(number, piece.column, piece.width));
    let (rule, what) = match separator {
        Separator::Byte(b'\t') => ("no-tab", "tab"),
        Separator::Byte(b';') => ("no-tags", "semicolon"),
        Separator::Byte(_) => ("no-tags", "comma"),
        Separator::Space => ("no-tags", "space"),
    };
    let help = match separator {
        Separator::Byte(b'\t') => "write the word, a tab, and its tags with spaces between them".to_owned(),
        _ => format!("write the word, a {what} and its tag, as on the other lines"),
    };
    Problem::error(
        rule,
        place,
        format!("there is no {what}, so that the word cannot be told from its tags; the line is left out"),
        help,
    )
}

fn missing(rule: &'static str, what: &str, place: Place) -> Problem {
    Problem::error(
        rule,
        place,
        format!("there is no {what} in this line; it is left out"),
        "write the word, a tab, and its tags with spaces between them",
    )
}

fn look_at_letters(written: &str, word: &str, place: Place, problems: &mut Vec<Problem>) {
    if *word != *written {
        problems.push(Problem::warning(
            "not-nfc",
            place,
            format!("`{word}` is not in normal form C; it is read as if it were"),
            "save the file in Unicode's normal form C",
        ));
    }
    if mixes_scripts(word) {
        problems.push(Problem::warning(
            "mixed-scripts",
            place,
            format!("`{word}` has letters of several scripts, some of which look alike"),
            "look whether each letter is the one that is meant",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rules(text: &str) -> Vec<(&'static str, u32, u32)> {
        let found = read(text.as_bytes()).unwrap();
        found
            .problems
            .iter()
            .map(|problem| (problem.rule, problem.place.line, problem.place.column))
            .collect()
    }

    #[test]
    fn every_mistake_has_a_rule_and_a_place() {
        for (text, expected) in [
            ("a\tDET\nb\tDET\nfish NOUN\n", vec![("no-tab", 3, 1)]),
            ("a\tDET\nfish\t\n", vec![("no-tags", 2, 6)]),
            ("fish\t_\n", vec![("no-tags", 1, 6)]),
            ("\tNOUN\n", vec![("no-word", 1, 1)]),
            ("cafe\u{301}\tNOUN\n", vec![("not-nfc", 1, 1)]),
            ("\u{43c}ama\tNOUN\n", vec![("mixed-scripts", 1, 1)]),
            ("# a remark\n#\tPUNCT\n", vec![]),
            ("fish\tNOUN VERB\n\nfish\tADJ\n", vec![("repeated-word", 3, 1)]),
            ("fish\tNOUN\n\nfish\tNOUN\n", vec![("repeated-word", 3, 1)]),
            ("fish\tNOUN\n\nfish\tVERB\n", vec![]),
            (
                "word,tag\nfish,NOUN\ngoat,\n,NOUN\nsheep\n",
                vec![("no-tags", 3, 6), ("no-word", 4, 1), ("no-tags", 5, 1)],
            ),
            (
                "word,tag,n\nfish,NOUN,3\ngoat,NOUN,many\nsheep,NOUN\n",
                vec![("bad-weight", 3, 11), ("bad-weight", 4, 0)],
            ),
            ("word tag n\nfish NOUN 3\ngoat NOUN -1\n", vec![("bad-weight", 3, 11)]),
        ] {
            assert_eq!(rules(text), expected, "{text:?}");
        }
    }

    #[test]
    fn line_ends_and_marks_of_other_systems_are_no_part_of_words_and_tags() {
        let found = read("\u{feff}fish\tNOUN  VERB NOUN\r\nthe\tDET\r\n".as_bytes()).unwrap();
        assert_eq!(found.entries[0].word, "fish");
        assert_eq!(found.entries[0].tags, ["NOUN", "VERB"]);
        assert_eq!(found.entries[1].tags, ["DET"]);
    }

    #[test]
    fn a_repeated_word_is_told_with_the_line_it_stands_on_first() {
        let found = read("the\tDET\nfish\tNOUN VERB\nfish\tNOUN\n".as_bytes()).unwrap();
        let said = (found.problems[0].place.line, found.problems[0].message.as_str());
        assert_eq!(said, (3, "`fish` stands on line 2 already; its tags are put together"));
    }

    #[test]
    fn two_ways_to_write_a_word_are_one_word() {
        let found = read("caf\u{e9}\tNOUN\ncafe\u{301}\tADJ\n".as_bytes()).unwrap();
        assert_eq!(found.entries.len(), 1);
        assert_eq!(found.entries[0].tags, ["NOUN", "ADJ"]);
    }

    fn entries(text: &str) -> Vec<(String, Vec<String>, Option<Vec<f64>>)> {
        let found = read(text.as_bytes()).unwrap();
        assert_eq!(found.problems, [], "{text:?}");
        found.entries.into_iter().map(|entry| (entry.word, entry.tags, entry.weights)).collect()
    }

    #[test]
    fn every_way_to_write_a_dictionary_says_the_same() {
        let plain = entries("fish\tNOUN VERB\n,\tPUNCT\n");
        for text in [
            "fish\tNOUN\n,\tPUNCT\nfish\tVERB\n",
            "fish\tNOUN\tVERB\n,\tPUNCT\n",
            "fish NOUN VERB\n, PUNCT\n",
            "fish NOUN\nfish VERB\n, PUNCT\n",
            "word,tag\nfish,NOUN\nfish,VERB\n\",\",PUNCT\n",
            "fish,NOUN VERB\n\",\",PUNCT\n",
            "POS;Word\r\nNOUN VERB;fish\r\nPUNCT;,\r\n",
            "\u{feff}form\ttag1\ttag2\nfish\tNOUN\tVERB\n,\tPUNCT\t\n",
        ] {
            let found = read(text.as_bytes()).unwrap();
            let mut found: Vec<_> =
                found.entries.into_iter().map(|entry| (entry.word, entry.tags, entry.weights)).collect();
            found.order_by(|a, b| b.0.cmp(&a.0));
            assert_eq!(found, plain, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_counts_of_the_tags_beside_them_and_add_up() {
        let weighted = |text: &str| {
            let found = entries(text);
            (found[0].0.clone(), found[0].1.join(" "), found[0].2.clone().unwrap())
        };
        let expected = ("fish".to_owned(), "NOUN VERB".to_owned(), vec![30.0, 4.0]);
        for text in [
            "fish\tNOUN\t30\nfish\tVERB\t4\n",
            "fish NOUN 28\nfish VERB 4\nfish NOUN 2\n",
            "fish,NOUN VERB,30 4\ngoat,NOUN,1\n",
            "Wort;Art;Anzahl\nfish;NOUN;30\nfish;VERB;4,0\n",
        ] {
            assert_eq!(weighted(text), expected, "{text:?}");
        }
        assert_eq!(weighted("fish NOUN VERB 7\ngoat NOUN VERB 1\n").2, [7.0, 7.0]);
    }

    proptest! {
        #[test]
        fn pairs_come_back_from_any_table(
            pairs in prop::collection::vec(("[a-z,;\"]{1,4}", "[A-Z]{1,3}", 1u32..99), 2..20),
            delimiter in prop::sample::select(vec![',', ';']),
        ) {
            let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let line = |(word, tag, n): &(String, String, u32)| {
                format!("{}{delimiter}{tag}{delimiter}{n}\n", quoted(word))
            };
            let text: String = pairs.iter().map(line).collect();
            let found = read(text.as_bytes()).unwrap();
            prop_assert_eq!(&found.problems, &[]);
            for (word, tag, _) in &pairs {
                let same = pairs.iter().filter(|(other, name, _)| other == word && name == tag);
                let total: f64 = same.map(|(_, _, n)| f64::from(*n)).sum();
                let entry = found.entries.iter().find(|entry| entry.word == *word).unwrap();
                let at = entry.tags.iter().position(|name| name == tag).unwrap();
                prop_assert_eq!(entry.weights.as_ref().unwrap()[at], total);
            }
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let found = read(&bytes[..]).unwrap();
            prop_assert!(found.entries.iter().all(|entry| !entry.word.is_empty() && !entry.tags.is_empty()));
        }
    }
}
