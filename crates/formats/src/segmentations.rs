//! Words with their morphs, one a line, in the layouts that Morfessor and people use:
//!
//! * `count morph + morph`: the text model of Morfessor (`morfessor-train -S`);
//! * `word morph morph, morph morph`: annotations, with commas between alternatives;
//! * `word TAB morph morph, morph morph`: the same with a tab, and further columns that are not looked at;
//! * `morph morph`: what a segmenter prints.
//!
//! ```
//! let found = formats::segmentations::read("3 un + happi + ness\nhappier happi er, happier\n".as_bytes())?;
//! assert_eq!(found.words[0].analyses, [["un", "happi", "ness"]]);
//! assert_eq!(found.words[1].analyses.len(), 2);
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::lines::{Lines, column, width};
use crate::word_list::{read_count, usable};
use std::io::{self, BufRead, Write};
use tree::Place;

/// A word and the ways to cut it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmented {
    /// How often it counts; 1 if the file does not say.
    pub count: u64,
    /// The word.
    pub word: String,
    /// One or more analyses, each of which makes up the word.
    pub analyses: Vec<Vec<String>>,
    /// The line.
    pub line: u32,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segmentations {
    /// Words in the order of the file.
    pub words: Vec<Segmented>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads a file. Lines that cannot be understood, or whose morphs do not make up their word, are reported and left out.
pub fn read(source: impl BufRead) -> io::Result<Segmentations> {
    let mut found = Segmentations::default();
    let mut lines = Lines::new(source);
    let mut problems = Vec::new();
    while let Some((number, line)) = lines.next_line(&mut problems)? {
        match segmented(number, line) {
            Ok(word) => found.words.extend(word),
            Err(problem) => found.problems.push(*problem),
        }
        found.problems.append(&mut problems);
    }
    found.problems.append(&mut problems);
    Ok(found)
}

/// Writes a line of Morfessor's text model.
pub fn write_line(out: &mut impl Write, count: u64, morphs: &[&str]) -> io::Result<()> {
    writeln!(out, "{count} {}", morphs.join(" + "))
}

fn segmented(number: u32, line: &str) -> Result<Option<Segmented>, Box<Problem>> {
    // Words that begin with # are told from comments by the tab behind them.
    if line.trim().is_empty() || (line.starts_with('#') && !line.contains('\t')) {
        return Ok(None);
    }
    let (count, word, analyses) = match line.split_once('\t') {
        Some((word, rest)) => (1, Some(word.trim()), alternatives(rest.split('\t').next().unwrap_or(rest))),
        None => of_fields(number, line)?,
    };
    let word = word.map_or_else(|| analyses[0].concat(), str::to_owned);
    for field in line.split('\t') {
        if word.is_empty() || !usable(number, line, field)? {
            return Ok(None);
        }
    }
    if let Some(wrong) = analyses.iter().find(|morphs| morphs.concat() != word) {
        return Err(Box::new(Problem::error(
            "morphs-of-another-word",
            Place::new(number, 1, width(line)),
            format!("`{}` does not make up `{word}`; the line is left out", wrong.join(" ")),
            "cut the word as it is written, with spaces between its morphs",
        )));
    }
    Ok(Some(Segmented { count, word, analyses, line: number }))
}

type Fields<'a> = (u64, Option<&'a str>, Vec<Vec<String>>);

/// A line without tabs.
fn of_fields(number: u32, line: &str) -> Result<Fields<'_>, Box<Problem>> {
    let line_without_space = line.trim();
    let Some((first, rest)) = line_without_space.split_once(' ') else {
        return Ok((1, None, vec![vec![line_without_space.to_owned()]]));
    };
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
    if rest.contains(" + ") || (is_number && !rest.contains(' ')) {
        let count = read_count(number, line, first)?;
        if count == 0 {
            let place = Place::new(number, column(line, 0), width(first));
            let help = "give it a count of 1 or more";
            return Err(Box::new(Problem::error("zero-count", place, "a count of 0 means nothing", help)));
        }
        let morphs = rest.split(" + ").map(|morph| morph.trim().to_owned()).collect();
        return Ok((count, None, vec![morphs]));
    }
    let analyses = alternatives(rest);
    if analyses[0].concat() == first {
        return Ok((1, Some(first), analyses));
    }
    Ok((1, None, vec![line_without_space.split_whitespace().map(str::to_owned).collect()]))
}

/// Analyses of a word: a comma at the end of a morph ends one of them, a comma of its own is a morph.
fn alternatives(text: &str) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut is_over = false;
    for field in text.split_whitespace() {
        if is_over {
            found.push(Vec::new());
        }
        let morph = field.strip_suffix(',').filter(|morph| !morph.is_empty());
        is_over = morph.is_some();
        if let Some(analysis) = found.last_mut() {
            analysis.push(morph.unwrap_or(field).to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, count: u64, word: &str, analyses: &[&str]) {
        let found = read(line.as_bytes()).unwrap();
        assert_eq!(
            found.problems.iter().filter(|problem| problem.is_error()).count(),
            0,
            "{:?}",
            found.problems
        );
        let analyses: Vec<Vec<String>> =
            analyses.iter().map(|morphs| morphs.split(' ').map(str::to_owned).collect()).collect();
        assert_eq!(found.words, [Segmented { count, word: word.to_owned(), analyses, line: 1 }]);
    }

    #[test]
    fn layouts_are_told_apart() {
        check("3 un + happi + ness\n", 3, "unhappiness", &["un happi ness"]);
        check("7 walk\n", 7, "walk", &["walk"]);
        check("2 a + + + b\n", 2, "a+b", &["a + b"]);
        check("happier happi er, happier\n", 1, "happier", &["happi er", "happier"]);
        check("#tag\t# tag\t12\n", 1, "#tag", &["# tag"]);
        check("un happi ness\n", 1, "unhappiness", &["un happi ness"]);
        check("walk\n", 1, "walk", &["walk"]);
        check("1990 19 90\n", 1, "1990", &["19 90"]);
        check("a,b a , b\n", 1, "a,b", &["a , b"]);
    }

    #[test]
    fn morphs_of_another_word_are_reported() {
        let found = read("subsidised\tsubside y ise ed\n0 a + b\n".as_bytes()).unwrap();
        assert!(found.words.is_empty());
        let rules: Vec<_> = found.problems.iter().map(|problem| problem.rule).collect();
        assert_eq!(rules, ["morphs-of-another-word", "zero-count"]);
    }

    #[test]
    fn text_models_survive_a_round_trip() {
        let mut text = Vec::new();
        for (count, morphs) in [(3, vec!["un", "happi", "ness"]), (1, vec!["a", "+", "b"]), (9, vec!["12"])] {
            write_line(&mut text, count, &morphs).unwrap();
        }
        let found = read(&text[..]).unwrap();
        let mut again = Vec::new();
        for word in &found.words {
            let morphs: Vec<&str> = word.analyses[0].iter().map(String::as_str).collect();
            write_line(&mut again, word.count, &morphs).unwrap();
        }
        assert_eq!(again, text);
        assert!(found.problems.is_empty());
    }
}
