//! Named entities and other chunks as `conlleval` compares them: exact spans with the right type.
//!
//! Chunks are read from tags such as `B-PER`. The reading accepts IOB1, IOB2 (BIO), BIOES and mixtures: where
//! a tag cannot continue what stands before it, a new chunk begins. Where the gold standard says nothing (`_`, or a word that is open),
//! nothing is counted: no tag, and none of the system's entities that has such a word.

use crate::counts::{Accuracy, Counts};
use std::collections::{BTreeMap, BTreeSet};
use tree::semantics::{Entity, Semantics};
use tree::{PutInOrder, PutTogether};
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
    /// All entities, whatever their types.
    pub unlabelled: Counts,
    /// By type.
    pub kinds: BTreeMap<Text, Counts>,
    /// Words with the right tag, `O` included.
    pub tags: Accuracy,
    /// Entities of each sentence.
    pub sentences: Vec<Counts>,
    /// The same, whatever their types.
    pub sentences_unlabelled: Vec<Counts>,
}

impl EntityReport {
    /// Adds a sentence of tags. If one side is shorter, its missing tags are `O`.
    pub fn add<T: AsRef<str>>(&mut self, gold: &[T], system: &[T]) {
        let is_open = |index: usize| tag_at(gold, index) == OPEN;
        self.count(&closed(gold), &closed(system), &is_open);
        for index in (0..gold.len().max(system.len())).filter(|&index| !is_open(index)) {
            self.tags.add(tag_at(gold, index) == tag_at(system, index));
        }
    }

    /// Adds a sentence of so many words. Its tags are those of BIO; a word that the system left open is outside.
    pub fn add_semantics(&mut self, gold: &Semantics, system: &Semantics, n_words: usize) {
        let is_open = |word: usize| gold.open_words.contains(&word);
        self.count(&of_entities(&gold.entities), &of_entities(&system.entities), &is_open);
        let (gold_tags, system_tags) = (bio(&gold.entities, n_words), bio(&system.entities, n_words));
        for word in (0..n_words).filter(|&word| !is_open(word)) {
            self.tags.add(gold_tags[word] == system_tags[word]);
        }
    }

    /// Counts chunks, those that stand there twice as two.
    fn count(&mut self, gold: &[Chunk<'_>], system: &[Chunk<'_>], is_open: &dyn Fn(usize) -> bool) {
        let is_known = |chunk: &&Chunk<'_>| !(chunk.span.start()..chunk.span.end()).any(is_open);
        let system: Vec<Chunk<'_>> = system.iter().filter(is_known).copied().collect();
        let of_kind = |chunks: &[Chunk<'_>], kind: &str| -> Vec<Span> {
            chunks.iter().filter(|chunk| chunk.kind == kind).map(|chunk| chunk.span).collect()
        };
        let spans = |chunks: &[Chunk<'_>]| chunks.iter().map(|chunk| chunk.span).collect::<Vec<_>>();
        let kinds: BTreeSet<&str> = gold.iter().chain(&system).map(|chunk| chunk.kind).into_set();
        let mut sentence = Counts::default();
        for kind in kinds {
            let counts = compared(of_kind(gold, kind), of_kind(&system, kind));
            sentence += counts;
            *self.kinds.entry(kind.into()).or_default() += counts;
        }
        let unlabelled = compared(spans(gold), spans(&system));
        self.all += sentence;
        self.unlabelled += unlabelled;
        self.sentences.push(sentence);
        self.sentences_unlabelled.push(unlabelled);
    }
}

/// A tag that says nothing.
const OPEN: &str = "_";

/// Tags in which what is open is outside.
fn closed<T: AsRef<str>>(tags: &[T]) -> Vec<Chunk<'_>> {
    let tags: Vec<&str> =
        tags.iter().map(|tag| if tag.as_ref() == OPEN { "O" } else { tag.as_ref() }).collect();
    chunks_of(&tags)
}

/// Things that both sides have, each as often as the side that has it less often.
pub(crate) fn compared<T: Ord>(mut gold: Vec<T>, mut system: Vec<T>) -> Counts {
    gold.order_by(Ord::cmp);
    system.order_by(Ord::cmp);
    let mut rest = gold.iter().peekable();
    let is_matched = |thing: &&T| {
        while rest.next_if(|other| other < thing).is_some() {}
        rest.next_if(|other| other == thing).is_some()
    };
    let matched = system.iter().filter(is_matched).count();
    Counts { matched, gold: gold.len(), system: system.len() }
}

fn of_entities(entities: &[Entity]) -> Vec<Chunk<'_>> {
    entities.iter().map(|entity| Chunk { span: entity.span, kind: &entity.kind }).collect()
}

/// Whether an entity begins at each word, and its type; `None` outside.
fn bio(entities: &[Entity], n_words: usize) -> Vec<Option<(bool, &Text)>> {
    let mut tags = vec![None; n_words];
    for entity in entities {
        let words = tags.iter_mut().enumerate().take(entity.span.end()).skip(entity.span.start());
        words.for_each(|(word, tag)| *tag = Some((word == entity.span.start(), &entity.kind)));
    }
    tags
}

fn tag_at<T: AsRef<str>>(tags: &[T], index: usize) -> &str {
    tags.get(index).map_or("O", |tag| tag.as_ref())
}

/// The chunks of a sentence from left to right.
pub fn chunks<T: AsRef<str>>(tags: &[T]) -> Vec<Chunk<'_>> {
    let tags: Vec<&str> = tags.iter().map(AsRef::as_ref).collect();
    chunks_of(&tags)
}

fn chunks_of<'a>(tags: &[&'a str]) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut open: Option<usize> = None;
    let mut before = ("O", "");
    let close = |start: Option<usize>, end: usize, kind| {
        start.and_then(|start| Span::new(start, end)).map(|span| Chunk { span, kind })
    };
    for (index, tag) in tags.iter().enumerate() {
        let here = split(tag);
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

    #[test]
    fn what_is_open_in_gold_is_not_counted() {
        let mut report = EntityReport::default();
        report.add(&["B-X", "_", "O", "_", "B-Y"], &["B-X", "I-X", "O", "B-Y", "B-X"]);
        // X over two words has an open word, and so has Y.
        assert_eq!(report.all, Counts { matched: 0, gold: 2, system: 1 });
        assert_eq!(report.unlabelled, Counts { matched: 1, gold: 2, system: 1 });
        assert_eq!(report.tags, Accuracy { correct: 2, total: 3 });
        let entity = |start, end, kind: &str| Entity {
            span: Span::new(start, end).expect("a span"),
            kind: kind.into(),
        };
        let gold = Semantics {
            entities: vec![entity(0, 1, "X"), entity(4, 5, "Y")],
            open_words: [1, 3].into(),
            ..Semantics::default()
        };
        let system = Semantics {
            entities: vec![entity(0, 2, "X"), entity(3, 4, "Y"), entity(4, 5, "X")],
            ..Semantics::default()
        };
        let mut other = EntityReport::default();
        other.add_semantics(&gold, &system, 5);
        assert_eq!(other, report);
    }

    /// The rules of the script, written down once more over strings: what is printed on a line is `chunk type`.
    fn conlleval(gold: &[String], system: &[String]) -> [Counts; 2] {
        let parts = |tag: &str| match tag.split_once('-') {
            Some((mark, kind)) => (mark.chars().next().unwrap_or('O'), kind.to_string()),
            None => (tag.chars().next().unwrap_or('O'), String::new()),
        };
        // End of chunk: between the previous and the current tag.
        let ends = |before: &(char, String), here: &(char, String)| {
            let mut end = false;
            for pair in [
                ('B', 'B'),
                ('B', 'O'),
                ('I', 'B'),
                ('I', 'O'),
                ('E', 'E'),
                ('E', 'I'),
                ('E', 'O'),
                ('B', 'S'),
                ('I', 'S'),
            ] {
                end |= (before.0, here.0) == pair;
            }
            end |= before.0 != 'O' && before.0 != '.' && before.1 != here.1;
            end || before.0 == ']' || before.0 == '[' || before.0 == 'E' || before.0 == 'S'
        };
        let starts = |before: &(char, String), here: &(char, String)| {
            let mut start = false;
            for pair in [('B', 'B'), ('I', 'B'), ('O', 'B'), ('O', 'I'), ('E', 'E'), ('E', 'I'), ('O', 'E')] {
                start |= (before.0, here.0) == pair;
            }
            start |= here.0 != 'O' && here.0 != '.' && before.1 != here.1;
            start
                || here.0 == '['
                || here.0 == ']'
                || here.0 == 'S'
                || before.0 == 'S' && here.0 != 'O'
                || before.0 == 'E' && here.0 == 'B'
        };
        let mut counts = [Counts::default(); 2];
        let (mut last_gold, mut last_system) = (('O', String::new()), ('O', String::new()));
        let mut in_correct = [false; 2];
        for at in 0..=gold.len() {
            let here = |tags: &[String]| tags.get(at).map_or(('O', String::new()), |tag| parts(tag));
            let (g, s) = (here(gold), here(system));
            let (gold_ends, system_ends) = (ends(&last_gold, &g), ends(&last_system, &s));
            for which in 0..2 {
                if in_correct[which] {
                    if gold_ends && system_ends {
                        in_correct[which] = false;
                        counts[which].matched += 1;
                    } else if gold_ends != system_ends || which == 0 && g.1 != s.1 {
                        in_correct[which] = false;
                    }
                }
            }
            let (gold_starts, system_starts) = (starts(&last_gold, &g), starts(&last_system, &s));
            for which in 0..2 {
                if gold_starts && system_starts && (which == 1 || g.1 == s.1) {
                    in_correct[which] = true;
                }
                counts[which].gold += usize::from(gold_starts);
                counts[which].system += usize::from(system_starts);
            }
            (last_gold, last_system) = (g, s);
        }
        counts
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
        fn entities_are_those_that_the_script_counts(pairs in prop::collection::vec((tag(), tag()), 0..14)) {
            let (gold, system): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
            let mut report = EntityReport::default();
            report.add(&gold, &system);
            prop_assert_eq!([report.all, report.unlabelled], conlleval(&gold, &system));
            prop_assert_eq!(report.kinds.values().copied().sum::<Counts>(), report.all);
            // Values give the same as the tags that they come from.
            let said = |tags: &[String]| Semantics {
                entities: chunks(tags).iter().map(|chunk| Entity { span: chunk.span, kind: chunk.kind.into() }).collect(),
                ..Semantics::default()
            };
            let mut other = EntityReport::default();
            other.add_semantics(&said(&gold), &said(&system), gold.len());
            prop_assert_eq!((other.all, other.unlabelled, other.kinds), (report.all, report.unlabelled, report.kinds));
        }

        #[test]
        fn gold_against_itself_is_perfect(tags in prop::collection::vec(tag(), 0..12)) {
            let mut report = EntityReport::default();
            report.add(&tags, &tags);
            prop_assert!(report.all.gold == report.all.matched && report.all.system == report.all.matched);
        }
    }
}
