//! Laws and hand-made cases of attachment scores.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use proptest::prelude::*;
use score::attachment::{DistanceClass, Error, Figures, Options, PunctuationRule, compare};
use tree::{Head, Sentence};

/// A sentence of words `a`, `b`, … given as `head:relation:tag`.
fn sentence(words: &str) -> Sentence {
    let columns: Vec<Vec<&str>> = words.split(' ').map(|word| word.split(':').collect()).collect();
    let mut sentence = Sentence::from_forms((0..columns.len()).map(|index| format!("w{index}")));
    for (word, columns) in sentence.words_mut().zip(columns) {
        word.head = Head::read(columns[0]);
        word.deprel = columns.get(1).copied().unwrap_or("_").into();
        word.upos = columns.get(2).copied().unwrap_or("X").into();
    }
    sentence
}

fn figures(gold: &str, system: &str, punctuation: PunctuationRule) -> Figures {
    let options = Options { punctuation, ..Options::default() };
    compare(&[sentence(gold)], &[sentence(system)], &options).unwrap().all()
}

/// Gold 1 ← 2 ← 3 with root 3. The system flips the lower edge: 1 now hangs from 3, its gold grandparent, and
/// 2 from 1, its gold child. All is forgiven by NED, one arc by undirected accuracy.
#[test]
fn flipped_edge_is_forgiven_by_ned_as_in_the_paper() {
    let figures = figures("2 3 0", "3 1 0", PunctuationRule::Count);
    assert_eq!((figures.words, figures.directed, figures.undirected, figures.neutral), (3, 1, 2, 3));
    assert_eq!((figures.root_correct, figures.exact), (1, 0));
}

#[test]
fn root_may_be_a_grandparent() {
    // Word 1 hangs from word 2, which hangs from the root; the system hangs word 1 from the root.
    let figures = figures("2 0", "0 1", PunctuationRule::Count);
    assert_eq!((figures.directed, figures.undirected, figures.neutral), (0, 1, 2));
    assert_eq!((figures.rooted, figures.root_correct), (1, 0));
}

#[test]
fn punctuation_is_counted_or_skipped_as_asked() {
    let (gold, system) = ("2:a:N 0:root:V 2:punct:PUNCT", "2:a:N 0:root:V 1:punct:PUNCT");
    assert_eq!(figures(gold, system, PunctuationRule::Count).directed_accuracy(), 2.0 / 3.0);
    assert_eq!(figures(gold, system, PunctuationRule::SkipUpos).directed_accuracy(), 1.0);
    let (gold, system) = ("2:a:, 0:root:V 2:p:.", "0:a:, 0:root:V 1:p:.");
    assert_eq!(figures(gold, system, PunctuationRule::SkipPtb).words, 1);
    assert_eq!(figures(gold, system, PunctuationRule::SkipPtb).root_correct, 1);
}

#[test]
fn bands_count_length_without_punctuation() {
    let long = |n: usize| {
        sentence(
            &(0..n).map(|i| format!("{i}:x:N")).chain([format!("{n}:p:PUNCT")]).collect::<Vec<_>>().join(" "),
        )
    };
    let corpus = [long(10), long(11), long(21)];
    let options = Options { punctuation: PunctuationRule::SkipUpos, ..Options::default() };
    let report = compare(&corpus, &corpus, &options).unwrap();
    let bands: Vec<_> = report.bands.iter().map(|band| (band.max_length, band.figures.words)).collect();
    assert_eq!(bands, [(Some(10), 10), (Some(20), 21), (None, 42)]);
    let counting = compare(&corpus, &corpus, &Options::default()).unwrap();
    assert_eq!(counting.bands[0].figures.sentences, 0);
}

#[test]
fn words_without_gold_head_are_not_scored_and_open_system_heads_are_wrong() {
    let figures = figures("_ 0 2", "2 0 _", PunctuationRule::Count);
    assert_eq!((figures.words, figures.directed, figures.neutral), (2, 1, 1));
    // The root has no grandparent, and nothing is not the grandparent.
    assert_eq!(self::figures("0", "_", PunctuationRule::Count).neutral, 0);
}

#[test]
fn tables_count_relations_distances_and_parts_of_speech() {
    let (gold, system) = ("2:det:D 3:nsubj:N 0:root:V 3:obj:N", "2:det:D 3:obj:N 0:root:V 1:obj:N");
    let report = compare(&[sentence(gold)], &[sentence(system)], &Options::default()).unwrap();
    let obj = report.breakdown.relations["obj"];
    assert_eq!((obj.attachment.correct, obj.attachment.total), (0, 1));
    assert_eq!((obj.labelled.matched, obj.labelled.gold, obj.labelled.system), (0, 1, 2));
    let nsubj = report.breakdown.relations["nsubj"];
    assert_eq!((nsubj.attachment.correct, nsubj.labelled.matched, nsubj.labelled.system), (1, 0, 0));
    let of = |class| {
        let counts = report.breakdown.distances[class];
        (counts.matched, counts.gold, counts.system)
    };
    assert_eq!(of(DistanceClass::One), (2, 3, 2));
    assert_eq!((of(DistanceClass::Root), of(DistanceClass::ThreeToSix)), ((1, 1, 1), (0, 0, 1)));
    let nouns = report.breakdown.pos["N"];
    assert_eq!((nouns.directed.correct, nouns.directed.total, nouns.labelled.correct), (1, 2, 0));
}

#[test]
fn subtypes_count_only_if_asked() {
    let (gold, system) = ([sentence("0:root 1:nmod:poss")], [sentence("0:root 1:nmod")]);
    let mut gold = gold;
    gold[0].tokens[1].deprel = "nmod:poss".into();
    let labelled = |subtypes| {
        compare(&gold, &system, &Options { subtypes, ..Options::default() }).unwrap().all().labelled
    };
    assert_eq!((labelled(false), labelled(true)), (2, 1));
}

#[test]
fn different_words_are_refused_with_the_place() {
    let (two, three) = (sentence("0 1"), sentence("0 1 1"));
    let refused =
        |gold: &[Sentence], system: &[Sentence]| compare(gold, system, &Options::default()).unwrap_err();
    let pair = std::slice::from_ref;
    assert_eq!(refused(pair(&two), pair(&three)), Error::Words { sentence: 1, gold: 2, system: 3 });
    assert_eq!(refused(pair(&two), &[]), Error::Sentences { gold: 1, system: 0 });
    let mut other = two.clone();
    other.tokens[1].form = "x".into();
    let forms = Error::Forms { sentence: 1, word: 2, gold: "w1".into(), system: "x".into() };
    assert_eq!(refused(pair(&two), pair(&other)), forms);
}

/// Heads of a random tree: each word hangs from an earlier one in a random order, the first from the root.
fn heads(n: usize) -> impl Strategy<Value = Vec<usize>> {
    let order = Just((1..=n).collect::<Vec<_>>()).prop_shuffle();
    (order, prop::collection::vec(any::<prop::sample::Index>(), n)).prop_map(|(order, choices)| {
        let mut heads = vec![0; order.len()];
        for at in 1..order.len() {
            heads[order[at] - 1] = order[choices[at].index(at)];
        }
        heads
    })
}

fn two_trees() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    (1usize..8).prop_flat_map(|n| (heads(n), heads(n)))
}

fn from_heads(heads: &[usize]) -> Sentence {
    sentence(&heads.iter().map(usize::to_string).collect::<Vec<_>>().join(" "))
}

proptest! {
    #[test]
    fn undirected_arcs_are_shared_edges_and_ned_forgives_more((gold, system) in two_trees()) {
        let figures = compare(&[from_heads(&gold)], &[from_heads(&system)], &Options::default()).unwrap().all();
        let edge = |(index, &head): (usize, &usize)| (head.min(index + 1), head.max(index + 1));
        let gold_edges: Vec<_> = gold.iter().enumerate().map(edge).collect();
        let shared = system.iter().enumerate().map(edge).filter(|edge| gold_edges.contains(edge)).count();
        prop_assert_eq!(figures.undirected, shared);
        prop_assert!(figures.directed <= figures.undirected && figures.undirected <= figures.neutral);
    }

    #[test]
    fn gold_against_itself_is_perfect((gold, _) in two_trees()) {
        let gold = [from_heads(&gold)];
        let figures = compare(&gold, &gold, &Options::default()).unwrap().all();
        let ratios = [figures.directed_accuracy(), figures.undirected_accuracy(), figures.ned(), figures.labelled_accuracy()];
        prop_assert_eq!(ratios, [1.0; 4]);
        prop_assert_eq!((figures.exact_match(), figures.root_accuracy()), (1.0, 1.0));
    }
}
