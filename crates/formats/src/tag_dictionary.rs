//! Tag dictionaries: which tags words may have.
//!
//! A word, a tab, and its tags with spaces between them, one word a line; a line that begins with `# ` is a remark. Words are
//! brought to Unicode's normal form C, and lines of one word are put together; both is reported. Lines that cannot be understood
//! are reported and left out.
//!
//! ```
//! use formats::tag_dictionary::read;
//! let found = read("fish\tNOUN VERB\nthe\tDET\nfish\tNOUN\n".as_bytes())?;
//! assert_eq!(found.entries[0].word, "fish");
//! assert_eq!(found.entries[0].tags, ["NOUN", "VERB"]);
//! assert_eq!((found.entries.len(), found.problems[0].rule), (2, "repeated-word"));
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::lines::{Lines, width};
use crate::nfc::{mixes_scripts, nfc};
use rustc_hash::FxHashMap;
use std::io::{self, BufRead};
use tree::Place;

/// A word and its tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The word, in normal form C.
    pub word: String,
    /// At least one tag, each once, in the order of the file.
    pub tags: Vec<String>,
    /// The line that it stands on first, from 1.
    pub line: u32,
}

/// A whole dictionary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut problems = Vec::new();
    while let Some((number, line)) = lines.next_line(&mut problems)? {
        found.problems.append(&mut problems);
        if line.trim().is_empty() || line.starts_with("# ") {
            continue;
        }
        match entry(number, line, &mut found.problems) {
            Ok(entry) => found.add(entry, line, &mut places),
            Err(problem) => found.problems.push(*problem),
        }
    }
    found.problems.append(&mut problems);
    Ok(found)
}

impl TagDictionary {
    fn add(&mut self, entry: Entry, line: &str, places: &mut FxHashMap<String, usize>) {
        let Some(&at) = places.get(&entry.word) else {
            places.insert(entry.word.clone(), self.entries.len());
            self.entries.push(entry);
            return;
        };
        let first = &mut self.entries[at];
        self.problems.push(Problem::warning(
            "repeated-word",
            Place::new(entry.line, 1, width(line.split('\t').next().unwrap_or_default())),
            format!("`{}` stands on line {} already; its tags are put together", entry.word, first.line),
            "give each word one line",
        ));
        for tag in entry.tags {
            if !first.tags.contains(&tag) {
                first.tags.push(tag);
            }
        }
    }
}

fn entry(number: u32, line: &str, problems: &mut Vec<Problem>) -> Result<Entry, Box<Problem>> {
    let Some((written, rest)) = line.split_once('\t') else {
        return Err(Box::new(Problem::error(
            "no-tab",
            Place::new(number, 1, width(line)),
            "there is no tab, so that the word cannot be told from its tags; the line is left out",
            "write the word, a tab, and its tags with spaces between them",
        )));
    };
    let written = written.trim();
    let after =
        Place::new(number, width(line.split('\t').next().unwrap_or_default()) + 2, width(rest).max(1));
    let mut tags: Vec<String> = Vec::new();
    for tag in rest.split_whitespace().filter(|tag| *tag != "_") {
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    if written.is_empty() || tags.is_empty() {
        let (rule, what) = if written.is_empty() { ("no-word", "word") } else { ("no-tags", "tag") };
        return Err(Box::new(Problem::error(
            rule,
            if written.is_empty() { Place::new(number, 1, 1) } else { after },
            format!("there is no {what} in this line; it is left out"),
            "write the word, a tab, and its tags with spaces between them",
        )));
    }
    let word = nfc(written);
    let place = Place::new(number, 1, width(written));
    if *word != *written {
        problems.push(Problem::warning(
            "not-nfc",
            place,
            format!("`{word}` is not in normal form C; it is read as if it were"),
            "save the file in Unicode's normal form C",
        ));
    }
    if mixes_scripts(&word) {
        problems.push(Problem::warning(
            "mixed-scripts",
            place,
            format!("`{word}` has letters of several scripts, some of which look alike"),
            "look whether each letter is the one that is meant",
        ));
    }
    Ok(Entry { word: word.into_owned(), tags, line: number })
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
            ("fish NOUN\n", vec![("no-tab", 1, 1)]),
            ("a\tDET\nfish\t\n", vec![("no-tags", 2, 6)]),
            ("fish\t_\n", vec![("no-tags", 1, 6)]),
            ("\tNOUN\n", vec![("no-word", 1, 1)]),
            ("cafe\u{301}\tNOUN\n", vec![("not-nfc", 1, 1)]),
            ("\u{43c}ama\tNOUN\n", vec![("mixed-scripts", 1, 1)]),
            ("# a remark\n#\tPUNCT\n", vec![]),
            ("fish\tNOUN\n\nfish\tVERB\n", vec![("repeated-word", 3, 1)]),
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
    fn two_ways_to_write_a_word_are_one_word() {
        let found = read("caf\u{e9}\tNOUN\ncafe\u{301}\tADJ\n".as_bytes()).unwrap();
        assert_eq!(found.entries.len(), 1);
        assert_eq!(found.entries[0].tags, ["NOUN", "ADJ"]);
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let found = read(&bytes[..]).unwrap();
            prop_assert!(found.entries.iter().all(|entry| !entry.word.is_empty() && !entry.tags.is_empty()));
        }
    }
}
