//! Plain text: one tokenised sentence per line, words separated by spaces.
//!
//! An empty line is a sentence without words, so that lines of input and output can be told from one another.
//! Text in which tokens are still to be found is read by [`raw`](crate::raw); [`looks_untokenised`] tells which
//! of the two it is.

use crate::lines::Lines;
use crate::raw::{Options, RawReader};
use crate::{Problem, Read};
use std::io::{self, BufRead};
use tree::Sentence;

/// Reads sentences line by line.
#[derive(Debug)]
pub struct TextReader<R> {
    lines: Lines<R>,
    is_finished: bool,
}

impl<R: BufRead> TextReader<R> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), is_finished: false }
    }
}

impl<R: BufRead> Iterator for TextReader<R> {
    type Item = io::Result<Read<Sentence>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_finished {
            return None;
        }
        let mut problems: Vec<Problem> = Vec::new();
        match self.lines.next_line(&mut problems) {
            Err(error) => Some(Err(error)),
            Ok(Some((line, text))) => {
                Some(Ok(Read { value: Sentence::from_forms(text.split_whitespace()), line, problems }))
            }
            Ok(None) => {
                self.is_finished = true;
                (!problems.is_empty()).then(|| Ok(Read { value: Sentence::default(), line: 0, problems }))
            }
        }
    }
}

/// Whether punctuation touches words more often than it stands alone, so that tokens are still to be found.
///
/// What is punctuation at the edge of a word and what belongs to it (`Dr.`, `don't`, `3.14`), the rules for running
/// text decide. Text without punctuation looks tokenised.
pub fn looks_untokenised(sample: &str) -> bool {
    let (mut n_glued, mut n_alone) = (0, 0);
    for reading in RawReader::new(sample.as_bytes(), &Options::default()).flatten() {
        let mut touches_before = false;
        for word in reading.value.words() {
            let touches_after = word.misc_items().any(|(key, value)| key == "SpaceAfter" && value == "No");
            if !word.form.contains(char::is_alphanumeric) {
                let is_glued = touches_before || touches_after;
                n_glued += usize::from(is_glued);
                n_alone += usize::from(!is_glued);
            }
            touches_before = touches_after;
        }
    }
    n_glued > n_alone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Format;
    use crate::everything::items;

    #[test]
    fn lines_are_sentences_and_empty_lines_are_empty_ones() {
        let read: Vec<_> =
            TextReader::new("The  goat sleeps .\n\nIt’s old".as_bytes()).map(Result::unwrap).collect();
        let n_words: Vec<(u32, usize)> = read.iter().map(|read| (read.line, read.value.n_words())).collect();
        assert_eq!(n_words, [(1, 4), (2, 0), (3, 2)]);
        assert_eq!(read[2].problems[0].rule, "no-final-newline");
    }

    #[test]
    fn a_line_is_a_sentence_or_not_as_the_format_has_it() {
        let count = |format| {
            let read = items(format, "Yes! No?\nBoth of them. All\n".as_bytes()).map(Result::unwrap);
            read.filter(|reading| !reading.value.is_blank()).count()
        };
        assert_eq!([Format::Text, Format::Raw, Format::Lines].map(count), [2, 4, 2]);
    }

    #[test]
    fn punctuation_at_words_tells_running_text() {
        for running in
            ["The goat sleeps.\n", "Well, \"yes\", he said…\nDr. Ana (60) came.", "我爱你。你呢？\n"]
        {
            assert!(looks_untokenised(running), "{running}");
        }
        let tokenised = [
            "The goat sleeps .\n",
            "Dr. Ana 's goat 's old , he said .",
            "no marks at all\n",
            "",
            "U.S. e.g. 3.14\n",
        ];
        for tokenised in tokenised {
            assert!(!looks_untokenised(tokenised), "{tokenised}");
        }
    }
}
