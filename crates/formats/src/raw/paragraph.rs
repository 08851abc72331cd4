//! The part of a paragraph that is in memory, and sentences made from it.

use super::kinds::{CharacterKind, kind};
use super::spot::Before;
use super::table::Script;
use super::tokens::FoundToken;
use crate::lines::width;
use tree::{Place, Sentence, Text, Token};

const NO_SPACE: Text = Text::new_static("SpaceAfter=No");

/// Text that has been read and not yet forgotten, with a place in it up to which it was given out.
#[derive(Debug)]
pub(super) struct Paragraph {
    /// Lines with newlines between them.
    text: String,
    /// What must still be known of that part of the paragraph which was forgotten.
    before: Before,
    /// Whether no sentence of the paragraph was given out.
    is_new: bool,
    /// How many bytes were given out, and line and column of what follows.
    given: usize,
    line: u32,
    column: u32,
}

/// A sentence with what is known from making it.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) sentence: Sentence,
    /// Where it starts.
    pub(super) start: Place,
    /// The first token in a script that would need a dictionary.
    pub(super) unspaced: Option<(Script, Place)>,
}

impl Paragraph {
    pub(super) fn new() -> Self {
        Self { text: String::new(), before: Before::default(), is_new: true, given: 0, line: 0, column: 1 }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn before(&self) -> Before {
        self.before
    }

    /// Adds a line, or the next piece of the last line.
    pub(super) fn push(&mut self, line: &str, number: u32, continues: bool) {
        if !continues && self.text.is_empty() {
            (self.line, self.column) = (number, 1);
            self.before = Before::default();
        } else if !continues {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    /// Makes a sentence of some tokens, which must be the next in the text.
    pub(super) fn take(&mut self, tokens: &[FoundToken]) -> Taken {
        let mut sentence = Sentence::default();
        let mut running = String::new();
        let (mut start, mut unspaced) = (None, None);
        for (id, token) in (1..).zip(tokens) {
            self.advance(token.range.start);
            let form = &self.text[token.range.clone()];
            let place = Place::new(self.line, self.column, width(form));
            start = start.or(Some(place));
            unspaced = unspaced.or_else(|| script(form).map(|script| (script, place)));
            running.push_str(form);
            running.push_str(if token.has_space_after { " " } else { "" });
            sentence.tokens.push(word(id, form, token.has_space_after));
            self.advance(token.range.end);
        }
        if std::mem::take(&mut self.is_new) {
            sentence.comments.push("# newpar".into());
        }
        sentence.comments.push(format!("# text = {}", running.trim_end()).into());
        Taken { sentence, start: start.unwrap_or(Place::line(self.line)), unspaced }
    }

    /// Goes on to a byte of the text.
    fn advance(&mut self, to: usize) {
        for char in self.text[self.given..to].chars() {
            (self.line, self.column) = match char {
                '\n' => (self.line.saturating_add(1), 1),
                _ => (self.line, self.column.saturating_add(1)),
            };
        }
        self.given = to;
    }

    /// Forgets what was given out, but for what rules ask about it at the token that comes next.
    pub(super) fn forget(&mut self, next: Option<&FoundToken>) {
        let last = self.text[..self.given].chars().next_back().or(self.before.last);
        self.before = Before { last, is_quoted: next.is_some_and(|next| next.is_quoted) };
        self.text.drain(..self.given);
        self.given = 0;
    }

    /// Forgets everything; what comes next touches nothing.
    pub(super) fn clear(&mut self) {
        self.advance(self.text.len());
        self.forget(None);
        self.before = Before::default();
    }

    /// Forgets everything; what comes next is another paragraph.
    pub(super) fn end(&mut self) {
        self.clear();
        self.is_new = true;
    }
}

fn word(id: u32, form: &str, has_space_after: bool) -> Token {
    let mut word = Token::word(id, form);
    if !has_space_after {
        word.misc = NO_SPACE;
    }
    word
}

fn script(form: &str) -> Option<Script> {
    match form.chars().next().map(kind) {
        Some(CharacterKind::Unspaced(script)) => Some(script),
        _ => None,
    }
}
