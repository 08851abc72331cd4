//! Streaming: lines become paragraphs, paragraphs become sentences.

use super::kinds::is_space;
use super::options::{Lines, Options};
use super::paragraph::{Paragraph, Taken};
use super::rules::TokenRules;
use super::table::Script;
use super::tokens::{FoundToken, tokens};
use super::words::QUOTED;
use crate::lines;
use crate::{Problem, Read};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use tree::{Place, Sentence};

/// The least value of [`Options::longest`] that is respected.
const LEAST: usize = 4096;

/// After the end of a sentence as much text must be known, so that no rule would see more.
const AHEAD: usize = 2 * QUOTED;

/// Reads running text sentence by sentence.
///
/// Each sentence has its forms, `SpaceAfter=No` where no space follows, and the comments `# newpar` (at the
/// beginning of a paragraph) and `# text`. That is the text as it was, except that every run of white space
/// is one space, and that zero-width spaces, which only separate tokens, are left out. Memory is that of a
/// paragraph, and not more than a few times [`Options::longest`].
#[derive(Debug)]
pub struct RawReader<R> {
    lines: lines::Lines<R>,
    rules: TokenRules,
    line_ends: Lines,
    longest: usize,
    paragraph: Paragraph,
    ready: VecDeque<Read<Sentence>>,
    problems: Vec<Problem>,
    /// Whether there was nothing but space on the line up to now.
    is_blank: bool,
    has_warned: bool,
    is_finished: bool,
}

/// Why the text in memory stops where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Paragraph,
    Line,
    /// There is enough of it.
    Limit,
}

impl<R: BufRead> RawReader<R> {
    /// The sentences of `source`.
    pub fn new(source: R, options: &Options) -> Self {
        let longest = options.longest.max(LEAST);
        Self {
            lines: lines::Lines::in_pieces(source, longest / 4),
            rules: TokenRules::new(options),
            line_ends: options.lines,
            longest,
            paragraph: Paragraph::new(),
            ready: VecDeque::new(),
            problems: Vec::new(),
            is_blank: true,
            has_warned: false,
            is_finished: false,
        }
    }

    /// The next sentence, or `None` at the end.
    pub fn read_sentence(&mut self) -> io::Result<Option<Read<Sentence>>> {
        while self.ready.is_empty() && !self.is_finished {
            let stop = self.fill()?;
            self.make_sentences(stop);
        }
        if let Some(reading) = self.ready.pop_front() {
            return Ok(Some(reading));
        }
        let problems = std::mem::take(&mut self.problems);
        let left_over = Read { value: Sentence::default(), line: 0, problems };
        Ok((!left_over.problems.is_empty()).then_some(left_over))
    }

    /// Reads until there is something to work on.
    fn fill(&mut self) -> io::Result<Stop> {
        loop {
            let continues = self.lines.goes_on();
            let Some((number, line)) = self.lines.next_line(&mut self.problems)? else {
                self.is_finished = true;
                return Ok(Stop::Paragraph);
            };
            self.is_blank = (self.is_blank || !continues) && line.chars().all(is_space);
            self.paragraph.push(line, number, continues);
            let is_line = !self.lines.goes_on();
            if is_line && self.is_blank {
                return Ok(Stop::Paragraph);
            }
            if is_line && self.line_ends == Lines::Sentences {
                return Ok(Stop::Line);
            }
            if self.paragraph.text().len() >= self.longest {
                return Ok(Stop::Limit);
            }
        }
    }

    /// Makes sentences of the text in memory, and keeps what may go on.
    fn make_sentences(&mut self, stop: Stop) {
        let mut tokens = tokens(self.paragraph.text(), self.paragraph.before(), &self.rules);
        if self.line_ends == Lines::Sentences {
            tokens.iter_mut().skip(1).for_each(|token| token.starts_sentence = false);
        }
        match stop {
            Stop::Paragraph => {
                self.give(&tokens);
                self.paragraph.end();
            }
            Stop::Line => {
                self.give(&tokens);
                self.paragraph.clear();
            }
            Stop::Limit => self.make_some_sentences(&mut tokens),
        }
    }

    fn make_some_sentences(&mut self, tokens: &mut [FoundToken]) {
        let length = self.paragraph.text().len();
        let n_sure = last_sure_start(tokens, length);
        let kept = tokens.get(n_sure).map_or(0, |token| length - token.range.start);
        if kept <= self.longest / 2 {
            self.give(&tokens[..n_sure]);
            if tokens.is_empty() {
                self.paragraph.clear()
            } else {
                self.paragraph.forget(tokens.get(n_sure))
            }
            return;
        }
        // A line that goes on may go on inside the last token.
        if let Some(last) = tokens.last_mut() {
            last.has_space_after &= !self.lines.goes_on() || last.range.end < length;
        }
        let n_tokens = last_space(tokens).max(n_sure);
        self.give(&tokens[..n_tokens]);
        self.paragraph.forget(tokens.get(n_tokens));
        if let Some(reading) = self.ready.back_mut() {
            reading.problems.push(sentence_cut(reading.line, self.longest / 2));
        }
    }

    /// Makes the sentences of some tokens ready; what was wrong with the lines goes with the first.
    fn give(&mut self, tokens: &[FoundToken]) {
        for tokens in tokens.chunk_by(|_, next| !next.starts_sentence) {
            let Taken { sentence, start, unspaced } = self.paragraph.take(tokens);
            let mut problems = std::mem::take(&mut self.problems);
            if let Some((script, place)) = unspaced.filter(|_| !self.has_warned) {
                self.has_warned = true;
                problems.push(no_dictionary(script, place));
            }
            self.ready.push_back(Read { value: sentence, line: start.line, problems });
        }
    }
}

impl<R: BufRead> Iterator for RawReader<R> {
    type Item = io::Result<Read<Sentence>>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.read_sentence();
        self.is_finished |= found.is_err();
        found.transpose()
    }
}

/// The last token that starts a sentence whatever comes after the text; 0 if there is none.
fn last_sure_start(tokens: &[FoundToken], length: usize) -> usize {
    let is_sure = |token: &FoundToken| token.starts_sentence && token.range.start + AHEAD <= length;
    tokens.iter().rposition(is_sure).unwrap_or(0)
}

/// How many tokens stand before the last space between two; all but one if there is no space, and the only
/// one if there is one.
fn last_space(tokens: &[FoundToken]) -> usize {
    let after_space = (1..tokens.len()).rev().find(|&at| tokens[at - 1].has_space_after);
    after_space.unwrap_or(tokens.len().saturating_sub(1).max(1)).min(tokens.len())
}

fn no_dictionary(script: Script, place: Place) -> Problem {
    let message = match script {
        Script::Han => "Han characters without spaces; each is a token".to_string(),
        _ => format!("text in a script without spaces ({script:?}); each run of letters is a token"),
    };
    let help = "there is no dictionary here; put spaces or zero-width spaces between words";
    Problem::warning("no-dictionary", place, message, help)
}

fn sentence_cut(line: u32, longest: usize) -> Problem {
    let message = format!("no end of the sentence within {longest} bytes; it was cut");
    let help = "put each sentence on a line, or an empty line between paragraphs";
    Problem::warning("sentence-cut", Place::line(line), message, help)
}
