//! The spans of a sentence, numbered.

/// The spans of two words and more: by start, then by end, and the whole sentence last. All but that one are open to
/// question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spans {
    pub(super) n_words: usize,
}

impl Spans {
    /// How many there are, the whole sentence counted.
    pub(super) fn len(self) -> usize {
        self.n_words * self.n_words.saturating_sub(1) / 2
    }

    /// How many are open to question.
    pub(super) fn n_open(self) -> usize {
        self.len().saturating_sub(1)
    }

    /// The number of a span.
    pub(super) fn place(self, start: usize, end: usize) -> usize {
        let n = self.n_words;
        if (start, end) == (0, n) {
            return self.n_open();
        }
        // Σ_{r < start} (n − r − 1) spans begin before, of which one is the whole sentence.
        let before = start * (2 * n - start - 1) / 2;
        before - usize::from(start > 0) + end - start - 2
    }

    /// All spans in their order.
    pub(super) fn all(self) -> Vec<(u32, u32)> {
        let mut all = bp::structured::Brackets::all_spans(self.n_words);
        if self.n_words > 1 {
            let whole = all.remove(self.n_words - 2);
            all.push(whole);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_has_its_place() {
        for n_words in 0..8 {
            let spans = Spans { n_words };
            let all = spans.all();
            assert_eq!(all.len(), spans.len());
            for (place, &(start, end)) in all.iter().enumerate() {
                assert_eq!(spans.place(start as usize, end as usize), place, "{n_words}: {start} {end}");
            }
            assert!(n_words < 2 || all.last() == Some(&(0, n_words as u32)));
        }
    }
}
