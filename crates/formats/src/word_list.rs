//! Lists of words with counts, one a line: `count word`, or just `word`, as Morfessor reads them.
//!
//! Empty lines and lines that begin with `#` are skipped. A word that cannot be used is reported and left out.
//!
//! ```
//! let list = formats::word_list::read("# seen in March\n12 kitabu\nvitabu\n".as_bytes())?;
//! assert_eq!((list.words[0].count, list.words[0].word.as_str()), (12, "kitabu"));
//! assert_eq!((list.words[1].count, list.words[1].word.as_str()), (1, "vitabu"));
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::lines::{Lines, column, width};
use std::io::{self, BufRead};
use tree::Place;

/// A word and how often it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// How often.
    pub count: u64,
    /// The word.
    pub word: String,
}

/// A whole list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList {
    /// Words in the order of the file, possibly more than once.
    pub words: Vec<Entry>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Larger counts cannot be added up exactly.
pub const MOST: u64 = 1 << 50;

/// Longer words are no words.
pub const LONGEST: usize = 1000;

/// Reads a list.
pub fn read(source: impl BufRead) -> io::Result<WordList> {
    read_with(source, |number, line, found| {
        if !line.starts_with('#') {
            found.take(entry(number, line));
        }
    })
}

/// Reads the words of running text, each with the count 1: what stands between spaces.
pub fn read_text(source: impl BufRead) -> io::Result<WordList> {
    read_with(source, |number, line, found| {
        for word in line.split_whitespace() {
            let is_usable = usable(number, line, word);
            found.take(is_usable.map(|is| is.then(|| Entry { count: 1, word: word.to_owned() })));
        }
    })
}

type Understood = Result<Option<Entry>, Box<Problem>>;

impl WordList {
    fn take(&mut self, entry: Understood) {
        match entry {
            Ok(entry) => self.words.extend(entry),
            Err(problem) => self.problems.push(*problem),
        }
    }
}

fn read_with(
    source: impl BufRead,
    mut understand: impl FnMut(u32, &str, &mut WordList),
) -> io::Result<WordList> {
    let mut found = WordList::default();
    let mut lines = Lines::new(source);
    let mut problems = Vec::new();
    while let Some((number, line)) = lines.next_line(&mut problems)? {
        understand(number, line, &mut found);
        found.problems.append(&mut problems);
    }
    found.problems.append(&mut problems);
    Ok(found)
}

fn entry(number: u32, line: &str) -> Understood {
    let mut fields = line.split_whitespace();
    let (first, second) = (fields.next(), fields.next());
    let (count, word) = match (first, second, fields.next()) {
        (None, ..) => return Ok(None),
        (Some(word), None, _) => (1, word),
        (Some(count), Some(word), None) => (read_count(number, line, count)?, word),
        (Some(_), Some(second), Some(third)) => {
            let at = offset(line, if first.is_some_and(is_whole) { third } else { second });
            return Err(Box::new(Problem::error(
                "word-with-spaces",
                Place::new(number, column(line, at), 1),
                "more than a count and a word stand in this line; it is left out",
                "write one word a line, or read running text (--from text)",
            )));
        }
    };
    if count == 0 {
        return Err(Box::new(Problem::warning(
            "zero-count",
            Place::new(number, 1, 1),
            format!("`{word}` was never seen, if its count is right; it is left out"),
            "give it a count of 1 or more",
        )));
    }
    Ok(usable(number, line, word)?.then(|| Entry { count, word: word.to_owned() }))
}

fn is_whole(text: &str) -> bool {
    text.parse::<u64>().is_ok()
}

/// The count at the beginning of a line.
pub(crate) fn read_count(number: u32, line: &str, count: &str) -> Result<u64, Box<Problem>> {
    let place = Place::new(number, column(line, offset(line, count)), width(count));
    let problem =
        |rule, message: String, help: &str| Err(Box::new(Problem::error(rule, place, message, help)));
    match count.parse::<i128>() {
        Ok(value) if value < 0 => problem(
            "negative-count",
            format!("no word is seen {value} times; the line is left out"),
            "write how often the word was seen",
        ),
        Ok(value) if value > i128::from(MOST) => problem(
            "huge-count",
            format!("{value} is too large for a count; the line is left out"),
            "write how often the word was seen, at most 2^50 times",
        ),
        Ok(value) => Ok(value as u64),
        Err(_) => problem(
            "unreadable-count",
            format!("`{count}` is no count; the line is left out"),
            "write how often the word was seen, then a space, then the word; or one word a line",
        ),
    }
}

/// Whether a word has nothing in it that is no part of words. What is not UTF-8 has been reported already.
pub(crate) fn usable(number: u32, line: &str, word: &str) -> Result<bool, Box<Problem>> {
    if let Some((at, character)) = word.char_indices().find(|(_, character)| character.is_control()) {
        let code = u32::from(character);
        return Err(Box::new(Problem::error(
            "control-in-word",
            Place::new(number, column(line, offset(line, word) + at), 1),
            format!("the control character U+{code:04X} stands inside a word, which is left out"),
            "take it out",
        )));
    }
    if word.len() > LONGEST && word.chars().count() > LONGEST {
        return Err(Box::new(Problem::error(
            "long-word",
            Place::new(number, column(line, offset(line, word)), width(word)),
            format!("a word of more than {LONGEST} characters is left out"),
            "put spaces or line ends between words",
        )));
    }
    Ok(!word.contains('\u{FFFD}'))
}

/// Where a part of a line begins.
fn offset(line: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(list: &WordList) -> Vec<(&str, u32, u32)> {
        list.problems.iter().map(|problem| (problem.rule, problem.place.line, problem.place.column)).collect()
    }

    #[test]
    fn bad_lines_are_named_and_left_out() {
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(rules(&read(long.as_bytes()).unwrap())[0].0, "long-word");
        let text = "3 abc\nx7 def\n-4 ghi\n99999999999999999999 jkl\n0 mno\n5 pq rs\na\u{7}b\n\n2 tuv\n";
        let list = read(text.as_bytes()).unwrap();
        let words: Vec<_> = list.words.iter().map(|entry| (entry.count, entry.word.as_str())).collect();
        assert_eq!(words, [(3, "abc"), (2, "tuv")]);
        let expected = [
            ("unreadable-count", 2, 1),
            ("negative-count", 3, 1),
            ("huge-count", 4, 1),
            ("zero-count", 5, 1),
            ("word-with-spaces", 6, 6),
            ("control-in-word", 7, 2),
        ];
        let found: Vec<_> = rules(&list).into_iter().filter(|found| found.0 != "control-character").collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_that_are_not_utf_8_are_left_out() {
        let list = read(&b"3 abc\n4 d\xFFf\n"[..]).unwrap();
        assert_eq!(list.words.len(), 1);
        assert_eq!(rules(&list), [("invalid-utf8", 2, 4)]);
    }

    #[test]
    fn running_text_is_cut_at_spaces() {
        let list = read_text("one  two\nthree 3\n".as_bytes()).unwrap();
        let words: Vec<_> = list.words.iter().map(|entry| entry.word.as_str()).collect();
        assert_eq!(words, ["one", "two", "three", "3"]);
    }
}
