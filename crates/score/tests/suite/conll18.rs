//! Laws, hand-made cases and errors of the CoNLL 2018 scores.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use crate::common::conllu;
use proptest::prelude::*;
use score::conll18::{Error, Evaluation, Metric, Side, evaluate};
use score::random::SplitMix64;
use tree::{Head, Sentence, Token, TokenId};

/// Lines of `id form lemma upos feats head deprel`; sentences are separated by `/`.
fn corpus(text: &str) -> Vec<Sentence> {
    let line = |line: &str| {
        let [id, form, lemma, upos, feats, head, deprel] = line.split_whitespace().collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        [id, &form.replace('~', "\u{a0}"), lemma, upos, "_", feats, head, deprel, "_", "_"].join("\t")
    };
    let sentence = |text: &str| text.trim().split(';').map(line).collect::<Vec<_>>().join("\n");
    conllu(&text.split('/').map(sentence).collect::<Vec<_>>().join("\n\n"))
}

fn scores(gold: &str, system: &str) -> Evaluation {
    evaluate(&corpus(gold), &corpus(system)).unwrap()
}

fn counts(evaluation: &Evaluation, metric: Metric) -> [usize; 4] {
    let score = evaluation[metric];
    [score.correct, score.gold, score.system, score.aligned.unwrap_or(0)]
}

fn refused(gold: &str, system: &str) -> Error {
    evaluate(&corpus(gold), &corpus(system)).unwrap_err()
}

#[test]
fn spaces_inside_forms_do_not_matter() {
    let evaluation = scores("1 10~000 _ X _ 0 root", "1 10000 _ X _ 0 root");
    assert_eq!(counts(&evaluation, Metric::Tokens), [1, 1, 1, 0]);
    assert_eq!(counts(&evaluation, Metric::Words), [1, 1, 1, 0]);
}

#[test]
fn words_inside_multiword_tokens_are_aligned_by_form() {
    let gold = "1-3 vámonos _ _ _ _ _;1 vamos _ V _ 0 root;2 nos _ P _ 1 obj;3 ya _ A _ 1 advmod";
    let system = "1-2 vámonos _ _ _ _ _;1 Vamos _ V _ 0 root;2 ya _ A _ 1 advmod";
    let evaluation = scores(gold, system);
    assert_eq!(counts(&evaluation, Metric::Tokens), [1, 1, 1, 0]);
    assert_eq!(counts(&evaluation, Metric::Words), [2, 3, 2, 0]);
    assert_eq!(counts(&evaluation, Metric::Las), [2, 3, 2, 2]);
}

#[test]
fn head_that_is_not_aligned_is_neither_right_nor_the_root() {
    let gold = "1 ab _ V _ 2 obj;2 c _ N _ 0 root";
    let system = "1 a _ V _ 0 root;2 b _ V _ 1 dep;3 c _ N _ 2 root";
    assert_eq!(counts(&scores(gold, system), Metric::Uas), [0, 2, 3, 1]);
}

/// Both `a` and `b` could be aligned, but not both: the program drops gold words first, so `b` is.
#[test]
fn where_several_alignments_are_longest_the_later_gold_word_is_aligned() {
    let gold = "1-2 ab _ _ _ _ _;1 a _ V _ 0 root;2 b _ N _ 1 dep";
    let system = "1-2 ab _ _ _ _ _;1 b _ N _ 0 root;2 a _ X _ 1 dep";
    let evaluation = scores(gold, system);
    assert_eq!(counts(&evaluation, Metric::Upos), [1, 2, 2, 1]);
    assert_eq!(counts(&evaluation, Metric::Uas), [0, 2, 2, 1]);
}

/// The other side's token `ab` sticks into the multiword token `bc` from the left, and stays outside.
#[test]
fn token_that_sticks_into_a_multiword_token_is_not_aligned_with_its_words() {
    let with_multiword = "1 a _ X _ 0 root;2-3 bc _ _ _ _ _;2 ab _ X _ 1 dep;3 c _ X _ 1 dep";
    let without = "1 ab _ X _ 0 root;2 c _ X _ 1 dep";
    assert_eq!(counts(&scores(with_multiword, without), Metric::Words), [1, 3, 2, 0]);
    assert_eq!(counts(&scores(without, with_multiword), Metric::Words), [1, 2, 3, 0]);
    let gold = "1 a _ X _ 0 root;2 bc _ X _ 1 dep;3 d _ X _ 1 dep";
    let system =
        "1-2 ab _ _ _ _ _;1 x _ X _ 0 root;2 y _ X _ 1 dep;3-4 cd _ _ _ _ _;3 bc _ X _ 1 dep;4 d _ X _ 1 dep";
    assert_eq!(counts(&scores(gold, system), Metric::Words), [1, 3, 4, 0]);
}

#[test]
fn overlapping_multiword_tokens_make_one_region() {
    let gold = "1-2 ab _ _ _ _ _;1 x _ X _ 0 root;2 y _ X _ 1 dep;3 c _ X _ 1 dep";
    let system = "1 a _ X _ 0 root;2-3 bc _ _ _ _ _;2 y _ X _ 1 dep;3 c _ X _ 1 dep";
    assert_eq!(counts(&scores(gold, system), Metric::Words), [2, 3, 3, 0]);
}

#[test]
fn subtypes_and_language_specific_features_are_ignored_and_gold_lemma_may_be_open() {
    let gold = "1 a x V Tense=Past|Number=Sing|Odd=Yes 0 root;2 b _ N _ 1 nmod:poss";
    let system = "1 a y V Number=Sing|Tense=Past 0 root;2 b z N Odd=No 1 nmod";
    let evaluation = scores(gold, system);
    assert_eq!(counts(&evaluation, Metric::Las), [2, 2, 2, 2]);
    assert_eq!(counts(&evaluation, Metric::Ufeats), [2, 2, 2, 2]);
    assert_eq!(counts(&evaluation, Metric::Lemmas), [1, 2, 2, 2]);
    assert_eq!(counts(&evaluation, Metric::Blex), [1, 2, 2, 2]);
}

#[test]
fn mlas_wants_the_function_words_right_and_clas_does_not_see_them() {
    let gold = "1 the _ DET _ 2 det;2 dog _ NOUN _ 3 nsubj;3 barks _ VERB _ 0 root";
    let system = "1 the _ PRON _ 2 det;2 dog _ NOUN _ 3 nsubj;3 barks _ VERB _ 0 root";
    let evaluation = scores(gold, system);
    assert_eq!(counts(&evaluation, Metric::Clas), [2, 2, 2, 2]);
    assert_eq!(counts(&evaluation, Metric::Mlas), [1, 2, 2, 2]);
}

#[test]
fn sentences_may_be_split_otherwise_and_each_count_belongs_to_a_gold_sentence() {
    let gold = "1 a _ X _ 0 root;2 b _ X _ 1 dep / 1 c _ X _ 0 root";
    let system = "1 a _ X _ 0 root / 1 b _ X _ 0 root;2 c _ X _ 1 dep";
    let evaluation = scores(gold, system);
    assert_eq!(counts(&evaluation, Metric::Sentences), [0, 2, 2, 0]);
    assert_eq!(counts(&evaluation, Metric::Uas), [1, 3, 3, 3]);
    let by_sentence: Vec<_> =
        evaluation.by_sentence(Metric::Uas).map(|c| (c.matched, c.gold, c.system)).collect();
    assert_eq!(by_sentence, [(1, 2, 2), (0, 1, 1)]);
}

#[test]
fn differing_texts_are_refused_with_the_place() {
    let error = refused("1 ab _ X _ 0 root / 1 cdé _ X _ 0 root", "1 ab _ X _ 0 root / 1 cdf _ X _ 0 root");
    let expected = Error::TextsDiffer {
        gold_sentence: 2,
        system_sentence: 2,
        gold_next: "é".into(),
        system_next: "f".into(),
    };
    assert_eq!(error, expected);
    let shorter = refused("1 ab _ X _ 0 root", "1 a _ X _ 0 root");
    assert!(matches!(shorter, Error::TextsDiffer { gold_sentence: 1, system_sentence: 1, .. }), "{shorter}");
}

#[test]
fn broken_trees_are_refused_with_side_sentence_and_word() {
    let good = "1 a _ X _ 0 root;2 b _ X _ 1 dep;3 c _ X _ 1 dep";
    let (side, sentence) = (Side::System, 1);
    let refused = |system: &str| refused(good, system);
    let cycle = refused("1 a _ X _ 0 root;2 b _ X _ 3 dep;3 c _ X _ 2 dep");
    assert_eq!(cycle, Error::Cycle { side, sentence, words: vec![2, 3] });
    assert_eq!(
        cycle.to_string(),
        "system sentence 1: words 2, 3 form a cycle; one of them needs another head"
    );
    let roots = refused("1 a _ X _ 0 root;2 b _ X _ 0 root;3 c _ X _ 1 dep");
    assert_eq!(roots, Error::Roots { side, sentence, words: vec![1, 2] });
    let none = refused("1 a _ X _ 2 dep;2 b _ X _ 1 dep;3 c _ X _ 1 dep");
    assert_eq!(none.to_string(), "system sentence 1: no word has head 0; exactly one word must have head 0");
    let beyond = refused("1 a _ X _ 0 root;2 b _ X _ 4 dep;3 c _ X _ 1 dep");
    assert_eq!(beyond, Error::HeadOutOfRange { side, sentence, word: 2, head: 4, n_words: 3 });
    let open = refused("1 a _ X _ 0 root;2 b _ X _ _ dep;3 c _ X _ 1 dep");
    assert_eq!(open, Error::NoHead { side, sentence, word: 2, head: "_".into() });
    let number = refused("1 a _ X _ 0 root;3 b _ X _ 1 dep;3 c _ X _ 1 dep");
    assert_eq!(number, Error::WordNumber { side, sentence, expected: 2, found: 3 });
    for broken in [
        "1-3 ab _ _ _ _ _;1 a _ X _ 0 root;2 b _ X _ 1 dep",
        "2-3 bc _ _ _ _ _;1 a _ X _ 0 root;2 b _ X _ 1 dep;3 c _ X _ 1 dep",
    ] {
        assert!(matches!(refused(broken), Error::BrokenRange { .. }));
    }
    assert_eq!(refused("1 ~ _ X _ 0 root"), Error::EmptyForm { side, sentence, token: "1".into() });
    let empty = evaluate(&[Sentence::default()], &[]).unwrap_err();
    assert_eq!(empty, Error::NoWords { side: Side::Gold, sentence: 1 });
}

#[test]
fn nothing_against_nothing_is_nothing() {
    let evaluation = evaluate(&[], &[]).unwrap();
    assert_eq!(evaluation[Metric::Las].f1(), 0.0);
}

const RELATIONS: [&str; 6] = ["nsubj", "det", "case", "punct", "obl:arg", "conj"];
const FEATURES: [&str; 4] = ["_", "Case=Nom", "Case=Nom|Odd=Yes", "Number=Sing|Tense=Past"];

/// A sentence over `forms` with random columns and a random tree.
fn random_sentence(random: &mut SplitMix64, forms: &[String]) -> Sentence {
    let mut sentence = Sentence::from_forms(forms.iter().map(String::as_str));
    let root = random.below(forms.len());
    for (index, word) in sentence.words_mut().enumerate() {
        // Heads are nearer to the root than their words, so that there is no cycle.
        let head = match index.cmp(&root) {
            std::cmp::Ordering::Less => index + 2 + random.below(root - index),
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => index - random.below(index - root),
        };
        word.head = Head::Of(head as u32);
        word.deprel = if head == 0 { "root" } else { RELATIONS[random.below(6)] }.into();
        word.upos = ["NOUN", "VERB"][random.below(2)].into();
        word.xpos = ["x", "y"][random.below(2)].into();
        word.lemma = ["_", "l", "m"][random.below(3)].into();
        word.feats = FEATURES[random.below(4)].into();
    }
    sentence
}

fn random_forms(random: &mut SplitMix64) -> Vec<String> {
    (0..1 + random.below(6)).map(|_| "abcd"[..1 + random.below(4)].to_owned()).collect()
}

fn random_pair(random: &mut SplitMix64) -> (Sentence, Sentence) {
    let forms = random_forms(random);
    (random_sentence(random, &forms), random_sentence(random, &forms))
}

fn universal(word: &Token) -> Vec<(&str, &str)> {
    word.features().filter(|(name, _)| *name != "Odd").collect()
}

fn base(word: &Token) -> &str {
    word.deprel.split(':').next().unwrap()
}

fn function_words(sentence: &Sentence, head: &Token) -> Vec<String> {
    let TokenId::Word(number) = head.id else { unreachable!() };
    let functional =
        sentence.words().filter(|w| w.head == Head::Of(number) && ["det", "case"].contains(&base(w)));
    functional.map(|w| format!("{} {} {} {:?}", w.id, base(w), w.upos, universal(w))).collect()
}

/// What each metric means for one word, without any alignment.
fn is_right(metric: Metric, (gold, g): (&Sentence, &Token), (system, s): (&Sentence, &Token)) -> bool {
    let lemma = g.lemma == "_" || g.lemma == s.lemma;
    let las = g.head == s.head && base(g) == base(s);
    match metric {
        Metric::Upos => g.upos == s.upos,
        Metric::Xpos => g.xpos == s.xpos,
        Metric::Ufeats => universal(g) == universal(s),
        Metric::AllTags => g.upos == s.upos && g.xpos == s.xpos && universal(g) == universal(s),
        Metric::Lemmas => lemma,
        Metric::Uas => g.head == s.head,
        Metric::Las | Metric::Clas => las,
        Metric::Mlas => {
            las && g.upos == s.upos
                && universal(g) == universal(s)
                && function_words(gold, g) == function_words(system, s)
        }
        Metric::Blex => las && lemma,
        _ => true,
    }
}

proptest! {
    #[test]
    fn with_the_same_tokens_scores_are_plain_comparisons_of_words(seed in any::<u64>()) {
        let mut random = SplitMix64::new(seed);
        let pairs: Vec<_> = (0..4).map(|_| random_pair(&mut random)).collect();
        let (gold, system): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
        let evaluation = evaluate(&gold, &system).unwrap();
        for metric in &Metric::ALL[2..] {
            let content = |word: &Token| !["det", "case", "punct"].contains(&base(word));
            let counts = |word: &Token| *metric < Metric::Clas || content(word);
            let (mut correct, mut n_gold, mut n_system) = (0, 0, 0);
            for (gold, system) in &pairs {
                for (g, s) in gold.words().zip(system.words()) {
                    n_gold += usize::from(counts(g));
                    n_system += usize::from(counts(s));
                    correct += usize::from(counts(g) && is_right(*metric, (gold, g), (system, s)));
                }
            }
            let score = evaluation[*metric];
            prop_assert_eq!((score.correct, score.gold, score.system), (correct, n_gold, n_system), "{}", metric.name());
            let sum: score::Counts = evaluation.by_sentence(*metric).sum();
            prop_assert_eq!(sum, score.counts());
        }
    }

    #[test]
    fn gold_against_itself_is_a_hundred_everywhere(seed in any::<u64>()) {
        let mut random = SplitMix64::new(seed);
        let gold: Vec<_> = (0..4).map(|_| random_pair(&mut random).0).collect();
        let evaluation = evaluate(&gold, &gold).unwrap();
        for metric in Metric::ALL {
            prop_assert_eq!(evaluation[metric].f1(), 1.0, "{}", metric.name());
        }
    }

    #[test]
    fn order_of_sentences_does_not_matter(seed in any::<u64>(), turn in 0usize..5) {
        let mut random = SplitMix64::new(seed);
        let mut pairs: Vec<_> = (0..5).map(|_| random_pair(&mut random)).collect();
        let before = evaluate_pairs(&pairs);
        pairs.rotate_left(turn);
        let after = evaluate_pairs(&pairs);
        prop_assert!(Metric::ALL.iter().all(|&metric| before[metric] == after[metric]));
    }

    /// One text, each side cut into tokens and multiword tokens as chance will have it.
    #[test]
    fn aligned_words_are_a_common_subsequence_as_long_as_possible_where_all_is_multiword(seed in any::<u64>()) {
        let mut random = SplitMix64::new(seed);
        let mut side = || {
            let forms = random_forms(&mut random);
            let mut sentence = random_sentence(&mut random, &forms);
            sentence.tokens.insert(0, Token::new(TokenId::Range(1, forms.len() as u32), "text"));
            (sentence, forms)
        };
        let ((gold, gold_forms), (system, system_forms)) = (side(), side());
        let evaluation = evaluate(&[gold], &[system]).unwrap();
        prop_assert_eq!(evaluation[Metric::Words].correct, longest(&gold_forms, &system_forms));
    }

    #[test]
    fn any_cut_of_the_same_text_is_scored_and_counts_are_possible(seed in any::<u64>()) {
        let mut random = SplitMix64::new(seed);
        let sides: Vec<_> = (0..2).map(|_| random_cut(&mut random, "aabbaabb")).collect();
        let evaluation = evaluate(&sides[..1], &sides[1..]).unwrap();
        for metric in Metric::ALL {
            let score = evaluation[metric];
            prop_assert!(score.correct <= score.gold.min(score.system), "{}", metric.name());
            prop_assert!(score.aligned.is_none_or(|aligned| score.correct <= aligned));
        }
        prop_assert_eq!(evaluation[Metric::Sentences].correct, 1);
    }
}

fn evaluate_pairs(pairs: &[(Sentence, Sentence)]) -> Evaluation {
    let (gold, system): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
    evaluate(&gold, &system).unwrap()
}

/// The longest common subsequence by trying all subsequences of the first.
fn longest(first: &[String], second: &[String]) -> usize {
    let fits = |choice: &u32| {
        let mut rest = second.iter();
        let chosen = (0..first.len()).filter(|index| choice >> index & 1 == 1);
        chosen.into_iter().all(|index| rest.any(|form| *form == first[index]))
    };
    (0..1u32 << first.len()).filter(fits).map(|choice| choice.count_ones() as usize).max().unwrap()
}

/// Tokens of one to three characters, some of them of two or three words.
fn random_cut(random: &mut SplitMix64, text: &str) -> Sentence {
    let (mut tokens, mut forms, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        let form = &text[at..text.len().min(at + 1 + random.below(3))];
        at += form.len();
        let n_words = 1 + random.below(3);
        let first = forms.len() as u32 + 1;
        if n_words > 1 {
            tokens.push((first, Token::new(TokenId::Range(first, first + n_words as u32 - 1), form)));
            forms.extend((0..n_words).map(|_| ["a", "b", "aa"][random.below(3)].to_owned()));
        } else {
            forms.push(form.to_owned());
        }
    }
    let mut sentence = random_sentence(random, &forms);
    for (shift, (first, token)) in tokens.into_iter().enumerate() {
        sentence.tokens.insert(first as usize - 1 + shift, token);
    }
    sentence
}
