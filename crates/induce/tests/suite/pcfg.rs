//! Context-free grammars against lists of all trees, and the sampler against the model.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use chain::{Rng, Schedule, Start, Stream, Sweep, Threads, Workers, sample};

use crate::enumerated::{
    KINDS, Kind, any_string, any_weights, check, check_frequencies, close, ln_weight, shares,
};
use forest::{Scaled, derive};
use grammar::cnf::{Chart, Emission, Node, Tree, best_brackets};
use induce::brackets::{self, Bracketing};
use induce::pcfg::gibbs::{Alpha, DrawnTrees, Sampler};
use induce::pcfg::{BracketDecode, PcfgMemory, PcfgSentence};
use induce::{Family, Pcfg, random};
use tree::Span;

/// Every tree over `start..end`, as nodes in preorder.
fn subtrees(pcfg: &Pcfg, words: &[u32], start: usize, end: usize) -> Vec<Vec<Node>> {
    let node = |label: usize| Node { label: label as u32, start: start as u32, end: end as u32 };
    if end - start == 1 {
        return pcfg.shape().preterminals_of(words[start]).map(|label| vec![node(label)]).collect();
    }
    let mut found = Vec::new();
    for split in start + 1..end {
        let (lefts, rights) = (subtrees(pcfg, words, start, split), subtrees(pcfg, words, split, end));
        for label in 0..pcfg.shape().n_nonterminals() {
            for left in &lefts {
                found.extend(rights.iter().map(|right| [&[node(label)], &left[..], &right[..]].concat()));
            }
        }
    }
    found
}

fn trees(pcfg: &Pcfg, sentence: &PcfgSentence) -> Vec<Tree> {
    let found = subtrees(pcfg, &sentence.words, 0, sentence.words.len());
    found.into_iter().map(|nodes| Tree { nodes }).collect()
}

/// The events of a tree, by the book: children are looked up by their words.
fn by_the_book(pcfg: &Pcfg, sentence: &PcfgSentence, tree: &Tree) -> Vec<usize> {
    let shape = pcfg.shape();
    let mut events = vec![shape.root(tree.nodes[0].label as usize)];
    for node in &tree.nodes {
        if node.end - node.start == 1 {
            events.extend(shape.emit(node.label as usize, sentence.words[node.start as usize]));
            continue;
        }
        let inner = |other: &&Node| node.end - node.start > other.end - other.start;
        let left = tree.nodes.iter().filter(inner).filter(|other| other.start == node.start);
        let left = left.max_by_key(|other| other.end).unwrap();
        let right = tree.nodes.iter().find(|other| (other.start, other.end) == (left.end, node.end)).unwrap();
        events.push(shape.rule(node.label as usize, left.label as usize, right.label as usize));
    }
    events
}

fn any_emission(rng: &mut Rng) -> Emission {
    match rng.bernoulli(0.5) {
        true => Emission::Free { preterminals: 1 + rng.below(2), words: 3 },
        false => Emission::Tags(3),
    }
}

fn cases() -> impl Iterator<Item = (Rng, Pcfg, PcfgSentence, Vec<f64>, Kind)> {
    (0..120).map(|case| {
        let mut rng = Stream::new(17).item(case).rng();
        let emission = any_emission(&mut rng);
        let n = 1 + rng.below(5);
        let most = if n == 5 && matches!(emission, Emission::Free { .. }) { 2 } else { 3 };
        let pcfg = Pcfg::new(1 + rng.below(most), emission);
        let sentence = PcfgSentence { words: any_string(&mut rng, 3, n) };
        let kind = KINDS[case % 4];
        let weights = any_weights(&mut rng, pcfg.rows(), kind);
        (rng, pcfg, sentence, weights, kind)
    })
}

#[test]
fn sums_counts_and_best_trees_are_those_of_all_trees() {
    for (_, pcfg, sentence, weights, _) in cases() {
        let trees = trees(&pcfg, &sentence);
        let events: Vec<Vec<usize>> = trees.iter().map(|tree| by_the_book(&pcfg, &sentence, tree)).collect();
        check(&pcfg, &sentence, &weights, &events);
    }
}

#[test]
fn events_of_a_tree_are_those_of_its_nodes() {
    for (_, pcfg, sentence, _, _) in cases().take(30) {
        for tree in trees(&pcfg, &sentence) {
            let mut events = Vec::new();
            tree.events(pcfg.shape(), &sentence.words, |event| events.push(event));
            assert_eq!(events, by_the_book(&pcfg, &sentence, &tree));
        }
    }
}

#[test]
fn spans_brackets_and_draws_are_those_of_all_trees() {
    let (mut n_wide, mut n_dropped, mut n_impossible) = (0, 0, 0);
    for (mut rng, pcfg, sentence, weights, kind) in cases() {
        let (trees, n) = (trees(&pcfg, &sentence), sentence.words.len());
        let logs: Vec<f64> =
            trees.iter().map(|tree| ln_weight(&weights, &by_the_book(&pcfg, &sentence, tree))).collect();
        let (total, shares) = shares(&logs);
        let laid = pcfg.laid(&sentence, &weights);
        let mut chart = Chart::default();
        chart.fill(&laid);
        n_wide += usize::from(!chart.is_narrow());
        let tiny = weights.iter().any(|&weight| weight > 0.0 && weight < 1e-100);
        n_dropped += usize::from(chart.is_narrow() && tiny && kind == Kind::Sparse);
        assert!(chart.is_narrow() || matches!(kind, Kind::Sparse | Kind::Extreme));
        let mut expected = vec![0.0; (n + 1) * (n + 1)];
        for (tree, share) in trees.iter().zip(&shares) {
            tree.nodes
                .iter()
                .for_each(|node| expected[node.start as usize * (n + 1) + node.end as usize] += share);
        }
        let spans = chart.spans(&laid);
        assert!(spans.iter().zip(&expected).all(|(a, b)| close(*a, *b)), "{spans:?} {expected:?}");
        let mut memory = PcfgMemory::default();
        let brackets = pcfg.parse(&sentence, &weights, BracketDecode::Mbr, &mut memory);
        let mut drawn = Tree::default();
        if !total.is_finite() {
            n_impossible += 1;
            assert!(brackets.is_none() && !chart.sample(&laid, || rng.uniform(), &mut drawn));
            continue;
        }
        let gain = |brackets: &[Span]| -> f64 {
            brackets.iter().map(|span| expected[span.start() * (n + 1) + span.end()]).sum()
        };
        let most = trees.iter().map(|tree| gain(&tree.brackets())).fold(0.0, f64::max);
        assert!(close(gain(&brackets.unwrap()), most));
        let best = pcfg.parse(&sentence, &weights, BracketDecode::Viterbi, &mut memory).unwrap();
        assert_eq!(best.len(), n.saturating_sub(1));
        check_frequencies(&shares, 2000, || {
            assert!(chart.sample(&laid, || rng.uniform(), &mut drawn));
            trees.iter().position(|tree| *tree == drawn).unwrap()
        });
    }
    assert!(n_wide > 10 && n_dropped > 10 && n_impossible > 0, "{n_wide} {n_dropped} {n_impossible}");
}

#[test]
fn the_chart_agrees_with_the_engine_on_forty_words() {
    let rng = &mut Stream::new(5).rng();
    for emission in [Emission::Tags(12), Emission::Free { preterminals: 3, words: 40 }] {
        let pcfg = Pcfg::new(4, emission);
        let n_words = if emission == Emission::Tags(12) { 12 } else { 40 };
        let weights = random::draw(pcfg.rows(), |_| 0.5, rng);
        let sentence = PcfgSentence { words: any_string(rng, n_words, 40) };
        let laid = pcfg.laid(&sentence, &weights);
        let engine = Scaled::wide(&laid);
        let (mut counts, mut expected) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
        let found = pcfg.expect(&sentence, &weights, &mut PcfgMemory::default(), &mut counts);
        assert!(close(found, engine.ln_total()), "{found}");
        engine.outside().add_counts(&mut expected);
        assert!(counts.iter().zip(&expected).all(|(a, b)| close(*a, *b)));
        let (tree, value) = pcfg.viterbi(&sentence, &weights).unwrap();
        assert!(close(value, derive::best(&laid).unwrap().1));
        assert!(close(value, ln_weight(&weights, &by_the_book(&pcfg, &sentence, &tree))));
    }
}

#[test]
fn empty_sentences_have_no_tree() {
    let pcfg = Pcfg::new(2, Emission::Tags(2));
    let (weights, sentence) = (pcfg.rows().even(), PcfgSentence::default());
    let (mut memory, mut counts) = (PcfgMemory::default(), vec![0.0; weights.len()]);
    assert_eq!(pcfg.expect(&sentence, &weights, &mut memory, &mut counts), f64::NEG_INFINITY);
    assert_eq!(pcfg.best(&sentence, &weights, &mut memory, &mut counts), f64::NEG_INFINITY);
    assert!(pcfg.parse(&sentence, &weights, BracketDecode::Mbr, &mut memory).is_none());
    assert!(counts.iter().all(|&count| count == 0.0));
}

#[test]
fn brackets_without_a_reason_branch_to_the_right() {
    let spans =
        |pairs: [(usize, usize); 3]| pairs.map(|(start, end)| Span::new(start, end).unwrap()).to_vec();
    assert_eq!(best_brackets(4, |_, _| 0.0), spans([(0, 4), (1, 4), (2, 4)]));
    assert_eq!(best_brackets(4, |start, _| -(start as f64)), spans([(0, 4), (0, 3), (0, 2)]));
    assert!(best_brackets(1, |_, _| 1.0).is_empty() && best_brackets(0, |_, _| 1.0).is_empty());
}

/// A corpus of random strings.
fn corpus(n_words: usize) -> Vec<PcfgSentence> {
    let rng = &mut Stream::new(8).rng();
    let mut sentence = |at: usize| PcfgSentence { words: any_string(rng, n_words, 1 + at % 5) };
    (0..12).map(&mut sentence).collect()
}

#[test]
fn trees_are_drawn_as_the_parameters_say() {
    let (pcfg, words) = (Pcfg::new(2, Emission::Tags(3)), vec![0, 1, 2, 1]);
    // One sentence many times: every one is drawn with its own numbers.
    let sentences = vec![PcfgSentence { words }; 4000];
    let sampler = Sampler { pcfg: &pcfg, sentences: &sentences, alpha: Alpha::default(), fingerprint: 0 };
    let parameters = random::draw(pcfg.rows(), |_| 0.8, &mut Stream::new(2).rng());
    let trees = trees(&pcfg, &sentences[0]);
    let logs: Vec<f64> =
        trees.iter().map(|tree| ln_weight(&parameters, &by_the_book(&pcfg, &sentences[0], tree))).collect();
    let (total, shares) = shares(&logs);
    let mut state = DrawnTrees { trees: vec![Tree::default(); sentences.len()], ln_likelihood: 0.0 };
    let workers = Workers::serial();
    sampler.draw_trees(&parameters, &mut state, &Sweep::new(1, 0, 1, &workers));
    assert!(close(state.ln_likelihood, total * sentences.len() as f64));
    let mut drawn = state.trees.iter();
    check_frequencies(&shares, sentences.len(), || {
        let drawn = drawn.next().unwrap();
        trees.iter().position(|tree| tree == drawn).unwrap()
    });
}

#[test]
fn parameters_are_drawn_as_the_trees_say() {
    let pcfg = Pcfg::new(2, Emission::Free { preterminals: 2, words: 3 });
    let sentences = corpus(3);
    let alpha = Alpha { root: 0.7, rules: 0.2, emissions: 1.5 };
    let sampler = Sampler { pcfg: &pcfg, sentences: &sentences, alpha, fingerprint: 0 };
    let workers = Workers::serial();
    let state = chain::Kernel::start(&sampler, &Sweep::new(1, 0, 0, &workers)).unwrap();
    let counts = sampler.count(&state);
    let (n_draws, mean) = (4000, sampler.mean(&counts));
    let mut sums = vec![0.0; mean.len()];
    for draw in 1..=n_draws {
        let drawn = sampler.draw_parameters(&counts, &Sweep::new(1, 0, draw, &workers));
        sums.iter_mut().zip(drawn).for_each(|(sum, x)| *sum += x / n_draws as f64);
    }
    for (row, range) in pcfg.rows().ranges().enumerate() {
        // The mean of Dirichlet(a) is a / Σ a, and the variance mean (1 − mean) / (Σ a + 1).
        let of_row = if row == 0 {
            0.7
        } else if row <= 2 {
            0.2
        } else {
            1.5
        };
        let total: f64 = counts[range.clone()].iter().map(|count| count + of_row).sum();
        for event in range {
            let p = (counts[event] + of_row) / total;
            assert!(close(p, mean[event]));
            let error = (p * (1.0 - p) / (total + 1.0) / n_draws as f64).sqrt() + 1e-6;
            assert!((sums[event] - p).abs() < 5.0 * error, "{event}: {} {p}", sums[event]);
        }
    }
}

#[test]
fn a_run_has_the_same_bits_at_any_number_of_threads_and_when_resumed() {
    let pcfg = Pcfg::new(3, Emission::Tags(4));
    let sentences = corpus(4);
    let sampler = Sampler { pcfg: &pcfg, sentences: &sentences, alpha: Alpha::default(), fingerprint: 9 };
    let schedule = |samples| Schedule { burn_in: 3, samples, thin: 1, seed: 6, chains: 2 };
    let run = |samples, start: Start<DrawnTrees>, threads: usize| {
        let workers = Workers::new(Threads::from_count(threads)).unwrap();
        let mut tally = sampler.tally();
        let outcome = sample::run(&sampler, &schedule(samples), start, &mut tally, &workers).unwrap();
        (outcome.checkpoint, tally.mean())
    };
    let (straight, mean) = run(9, Start::Fresh, 1);
    let (part, _) = run(4, Start::Fresh, 3);
    let (resumed, again) = run(9, Start::From(part), 2);
    assert_eq!((&straight.states, &mean), (&resumed.states, &again));
    let grammar = sampler.mean(&mean);
    assert!(pcfg.rows().ranges().all(|range| close(grammar[range].iter().sum(), 1.0)));
}

#[test]
fn branching_trees_have_their_brackets_right_as_often_as_another_program_counts() {
    let Some(path) = testkit::shared("data/constituency/english_wsj/norm/train.mrg") else { return };
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = formats::brackets::BracketReader::new(file);
    let punctuation = ["``", "''", ".", ",", ":", "-LRB-", "-RRB-"];
    let (mut n_sentences, mut gold, mut found, mut right, mut left) = (0, 0, 0, 0, 0);
    while let Some(read) = reader.read_tree().unwrap() {
        let Some(tree) = read.value.tree else { continue };
        let Bracketing { tags, brackets } = brackets::of_tree(&tree, |tag| !punctuation.contains(&tag));
        if !(1..=10).contains(&tags.len()) {
            continue;
        }
        n_sentences += 1;
        gold += brackets.len();
        found += brackets::right_branching(tags.len()).len();
        right += brackets::shared(&brackets, &brackets::right_branching(tags.len()));
        left += brackets::shared(&brackets, &brackets::left_branching(tags.len()));
    }
    assert_eq!([n_sentences, gold, found, right, left], [480, 1732, 2339, 1127, 273]);
}
