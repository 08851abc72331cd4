//! Sentences that the grammar could not parse as they are: counted and named, never lost.

use super::parsed::GrammarFigures;
use crate::sentences::Line;
use crate::watch::Watch;
use constituency::Parsed;
use constituency::parser::Fallback;
use grammar::anchor::ConstraintError;

/// Lines that are named before the rest is only counted.
const MOST_NAMED: usize = 20;

/// The lines with makeshift trees, by reason.
#[derive(Debug, Default)]
pub(super) struct Makeshift {
    n_empty: usize,
    retagged: Vec<u32>,
    /// Reason and lines, in the order in which they turn up.
    pieces: Vec<(String, Vec<u32>)>,
}

impl Makeshift {
    /// Takes note of a line of the output.
    pub(super) fn see(&mut self, line: &Line, parsed: Option<&Parsed>) {
        match parsed.map(|parsed| &parsed.fallback) {
            None => self.n_empty += 1,
            Some(None) => {}
            Some(Some(Fallback::Tags)) => self.retagged.push(line.number),
            Some(Some(Fallback::Pieces(reason))) => {
                let reason = explain(reason);
                match self.pieces.iter_mut().find(|(other, _)| *other == reason) {
                    Some((_, lines)) => lines.push(line.number),
                    None => self.pieces.push((reason, vec![line.number])),
                }
            }
        }
    }

    /// How many there are of each sort.
    pub(super) fn figures(&self) -> GrammarFigures {
        GrammarFigures {
            makeshift: self.pieces.iter().map(|(_, lines)| lines.len()).sum(),
            retagged: self.retagged.len(),
            empty: self.n_empty,
            ..GrammarFigures::default()
        }
    }

    /// Says how many of `n_sentences` lines have a makeshift tree, which, and why.
    pub(super) fn report(&self, n_sentences: usize, watch: &dyn Watch) {
        let mut lines: Vec<u32> = self.pieces.iter().flat_map(|(_, lines)| lines.iter().copied()).collect();
        lines.sort_unstable();
        if !lines.is_empty() {
            watch.note(&of(lines.len(), n_sentences, "a makeshift tree", &lines));
        }
        for (reason, lines) in self.pieces.iter().take(MOST_NAMED) {
            watch.note(&format!("  {}: {reason}", named(lines)));
        }
        if !self.retagged.is_empty() {
            let what = "a tree only with tags that their words were not seen with";
            watch.note(&of(self.retagged.len(), n_sentences, what, &self.retagged));
        }
        if self.n_empty > 0 {
            let (lines, are) = if self.n_empty == 1 { ("line", "is") } else { ("lines", "are") };
            watch.note(&format!("{} {lines} of the input {are} empty, and so in the output", self.n_empty));
        }
    }
}

/// Why a sentence has a makeshift tree, and what to do about it.
pub(super) fn explain(reason: &ConstraintError) -> String {
    match reason {
        ConstraintError::TooLong(n) => {
            format!("{n} words are more than --max-words allows; raise it, or split the sentence")
        }
        reason => reason.to_string(),
    }
}

fn of(n: usize, n_sentences: usize, what: &str, lines: &[u32]) -> String {
    let have = if n == 1 { "has" } else { "have" };
    let sentences = if n_sentences == 1 { "sentence" } else { "sentences" };
    format!("{n} of {n_sentences} {sentences} {have} {what}: {}", named(lines))
}

/// "line 4", "lines 4, 9, 77".
fn named(lines: &[u32]) -> String {
    let shown: Vec<String> = lines.iter().take(MOST_NAMED).map(u32::to_string).collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let more = lines.len().saturating_sub(MOST_NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{noun} {}{rest}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_named_in_a_sentence() {
        assert_eq!(of(1, 1, "x", &[4]), "1 of 1 sentence has x: line 4");
        assert_eq!(of(3, 250, "x", &[4, 9, 77]), "3 of 250 sentences have x: lines 4, 9, 77");
        let many: Vec<u32> = (1..=25).collect();
        assert!(named(&many).ends_with("19, 20 and 5 more"));
    }
}
