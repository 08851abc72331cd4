//! Named entities and other chunks as `conlleval` compares them: exact spans with the right type.
//!
//! Chunks are read from tags such as `B-PER`. The reading accepts IOB1, IOB2 (BIO), BIOES and mixtures: where
//! a tag cannot continue what stands before it, a new chunk begins.

use crate::counts::{Accuracy, Counts};
use std::collections::BTreeMap;
use tree::{Span, Text};

/// An entity: its words and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chunk<'a> {
    /// The words, counted from 0.
    pub span: Span,
    /// Its type; empty if the tags have none.
    pub kind: &'a str,
}

/// Sums over sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityReport {
    /// All entities (micro average).
    pub all: Counts,
    /// By type.
    pub kinds: BTreeMap<Text, Counts>,
    /// Words with the right tag, `O` included.
    pub tags: Accuracy,
    /// Entities of each sentence.
    pub sentences: Vec<Counts>,
}

impl EntityReport {
    /// Adds a sentence. If one side is shorter, its missing tags are `O`.
    pub fn add<T: AsRef<str>>(&mut self, gold: &[T], system: &[T]) {
        let (gold_chunks, system_chunks) = (chunks(gold), chunks(system));
        let mut counts = BTreeMap::<&str, Counts>::new();
        for chunk in &gold_chunks {
            counts.entry(chunk.kind).or_default().gold += 1;
        }
        for chunk in &system_chunks {
            let counts = counts.entry(chunk.kind).or_default();
            counts.system += 1;
            counts.matched += usize::from(gold_chunks.binary_search(chunk).is_ok());
        }
        let sentence = counts.values().copied().sum();
        self.all += sentence;
        self.sentences.push(sentence);
        for (kind, counts) in counts {
            *self.kinds.entry(kind.into()).or_default() += counts;
        }
        for index in 0..gold.len().max(system.len()) {
            self.tags.add(tag_at(gold, index) == tag_at(system, index));
        }
    }
}

fn tag_at<T: AsRef<str>>(tags: &[T], index: usize) -> &str {
    tags.get(index).map_or("O", |tag| tag.as_ref())
}

/// The chunks of a sentence from left to right.
pub fn chunks<T: AsRef<str>>(tags: &[T]) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let mut open: Option<usize> = None;
    let mut before = ("O", "");
    let close = |start: Option<usize>, end: usize, kind| {
        start.and_then(|start| Span::new(start, end)).map(|span| Chunk { span, kind })
    };
    for (index, tag) in tags.iter().enumerate() {
        let here = split(tag.as_ref());
        if ends(before, here) {
            chunks.extend(close(open.take(), index, before.1));
        }
        if begins(before, here) {
            open = Some(index);
        }
        before = here;
    }
    chunks.extend(close(open, tags.len(), before.1));
    chunks
}

fn split(tag: &str) -> (&str, &str) {
    tag.split_once('-').unwrap_or((tag, ""))
}

/// Whether a chunk that holds the word before ends before this word.
fn ends(before: (&str, &str), here: (&str, &str)) -> bool {
    match (before.0, here.0) {
        ("O" | ".", _) => false,
        ("E" | "S" | "[" | "]", _) => true,
        ("B" | "I", "B" | "S" | "O") => true,
        _ => before.1 != here.1,
    }
}

/// Whether a chunk begins with this word.
fn begins(before: (&str, &str), here: (&str, &str)) -> bool {
    match (before.0, here.0) {
        (_, "O" | ".") => false,
        (_, "B" | "S" | "[" | "]") => true,
        ("E" | "S" | "O", "E" | "I") => true,
        _ => before.1 != here.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(tags: &str) -> String {
        let tags: Vec<_> = tags.split(' ').collect();
        let show = |chunk: &Chunk<'_>| format!("{}{}", chunk.kind, chunk.span);
        chunks(&tags).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_schemes_are_read_alike() {
        let expected = "PER0..2 LOC2..3 LOC3..4 PER5..6";
        assert_eq!(read("B-PER I-PER B-LOC B-LOC O B-PER"), expected); // IOB2
        assert_eq!(read("I-PER I-PER I-LOC B-LOC O I-PER"), expected); // IOB1
        assert_eq!(read("B-PER E-PER S-LOC S-LOC O S-PER"), expected); // BIOES
    }

    #[test]
    fn tags_that_cannot_continue_begin_a_chunk() {
        assert_eq!(read("O I-PER I-LOC O"), "PER1..2 LOC2..3");
        assert_eq!(read("E-PER E-PER I-PER"), "PER0..1 PER1..2 PER2..3");
        assert_eq!(read("O O"), "");
    }

    #[test]
    fn hand_computed_example_of_two_sentences() {
        let mut report = EntityReport::default();
        report.add(&["B-PER", "I-PER", "O", "B-LOC"], &["B-PER", "I-PER", "O", "B-ORG"]);
        report.add(&["B-LOC", "I-LOC", "O"], &["B-LOC", "O", "O"]);
        assert_eq!(report.all, Counts { matched: 1, gold: 3, system: 3 });
        assert_eq!(report.kinds["PER"], Counts { matched: 1, gold: 1, system: 1 });
        assert_eq!(report.kinds["LOC"], Counts { matched: 0, gold: 2, system: 1 });
        assert_eq!(report.tags, Accuracy { correct: 5, total: 7 });
    }

    fn tag() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y"])
            .prop_map(String::from)
    }

    proptest! {
        #[test]
        fn chunks_are_disjoint_and_cover_exactly_the_words_not_outside(tags in prop::collection::vec(tag(), 0..12)) {
            let chunks = chunks(&tags);
            for (index, tag) in tags.iter().enumerate() {
                let n = chunks.iter().filter(|chunk| chunk.span.holds(index)).count();
                prop_assert_eq!(n, usize::from(tag != "O"));
            }
        }

        #[test]
        fn gold_against_itself_is_perfect(tags in prop::collection::vec(tag(), 0..12)) {
            let mut report = EntityReport::default();
            report.add(&tags, &tags);
            prop_assert!(report.all.gold == report.all.matched && report.all.system == report.all.matched);
        }
    }
}
