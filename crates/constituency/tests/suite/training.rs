//! Training runs: the same bits, resumed or not, and constraints honoured in every sweep.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use chain::observe::Each;
use chain::{Start, Stop, Stream, Threads, Workers};
use constituency::concentrate::HyperPrior;
use constituency::sampler::AnnotatedTrees;
use constituency::train::{TrainError, Trained, Unusable};
use constituency::{JumpStart, Model, ParseOptions, Parser, TrainOptions, Training, derivation};
use grammar::anchor::{Brackets, ConstraintError};
use testkit::twin::{honours, tree, trees};
use tree::{Text, Tree};

const TREEBANK: &str = "(TOP (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (DT the) (NN cat)))))
(TOP (S (NP (NN cat)) (VP (VB saw) (NP (DT a) (JJ big) (NN dog)))))
(TOP (NP (DT the) (JJ big) (NN cat)))
(TOP (S (NP (DT a) (NN dog)) (VP (VB slept))))
(TOP (S (NP (NP (DT the) (NN dog)) (PP (IN with) (NP (DT a) (NN cat)))) (VP (VB slept))))
(TOP (S (VP (VB saw) (NP (NN cat)) (PP (IN with) (NP (NN dog))))))
";

fn treebank() -> Vec<Tree<Text>> {
    trees(TREEBANK, 99)
}

fn options() -> TrainOptions {
    TrainOptions {
        annotations: 4,
        occurrences_per_annotation: 1.0,
        stage_sweeps: 2,
        burn_in: 2,
        samples: 3,
        chains: 2,
        seed: 7,
        ..TrainOptions::default()
    }
}

fn ready(options: TrainOptions) -> Training {
    let (training, unusable) = Training::new(&treebank(), &[], &[], options, &Workers::serial()).unwrap();
    assert!(unusable.is_empty());
    training
}

fn run(training: &Training, start: Start<AnnotatedTrees>) -> Trained {
    training.run(start, &mut (), &Workers::serial()).unwrap()
}

fn variants() -> Vec<TrainOptions> {
    let jump_start = Some(JumpStart { fraction: 0.5, sweeps: 3 });
    vec![
        options(),
        TrainOptions { stage_sweeps: 0, ..options() },
        TrainOptions { hyper: Some(HyperPrior::default()), ..options() },
        TrainOptions { jump_start, stage_sweeps: 0, ..options() },
        TrainOptions { jump_start, ..options() },
    ]
}

#[test]
fn the_same_seed_gives_the_same_bits_at_any_number_of_threads() {
    for options in variants() {
        let training = ready(options);
        let once = run(&training, Start::Fresh);
        for n in [1, 2, 4] {
            let workers = Workers::new(Threads::from_count(n)).unwrap();
            let again = training.run(Start::Fresh, &mut (), &workers).unwrap();
            assert_eq!(again.chains, once.chains);
            assert_eq!(again.outcome.checkpoint.states, once.outcome.checkpoint.states);
        }
        assert_ne!(once.chains[0], once.chains[1], "two chains are one");
    }
    let other = run(&ready(TrainOptions { seed: 8, ..options() }), Start::Fresh);
    assert_ne!(other.chains, run(&ready(options()), Start::Fresh).chains);
}

#[test]
fn a_run_resumed_after_any_sweep_is_the_straight_run() {
    for options in variants() {
        let training = ready(options.clone());
        let straight = run(&training, Start::Fresh);
        for last in 1..training.schedule().total() {
            let mut stop = Each(|at: &chain::Progress, _: &AnnotatedTrees| {
                let stop = Stop::Because("enough".into());
                Ok(if at.sweep == last { ControlFlow::Break(stop) } else { ControlFlow::Continue(()) })
            });
            let first = training.run(Start::Fresh, &mut stop, &Workers::serial()).unwrap();
            assert_eq!(first.outcome.checkpoint.sweep, last);
            let resumed = run(&training, Start::From(first.outcome.checkpoint));
            assert_eq!(resumed.chains, straight.chains, "{options:?} after sweep {last}");
            assert_eq!(resumed.outcome.checkpoint.states, straight.outcome.checkpoint.states);
        }
    }
}

fn sentences(texts: &[&str]) -> Vec<Brackets> {
    let words = |text: &&str| text.split_whitespace().map(Text::new).collect();
    texts.iter().map(|text| Brackets::words(words(text))).collect()
}

fn parse(model: Model, sentences: &[Brackets]) -> Vec<constituency::Parsed> {
    let parser = Parser::new(model, &Workers::serial());
    parser.parse_all(sentences, &ParseOptions::default(), Stream::new(0), &Workers::serial())
}

#[test]
fn every_way_to_start_leaves_a_model_that_parses() {
    for options in variants() {
        let training = ready(options);
        let model = training.model(run(&training, Start::Fresh).chains, BTreeMap::new());
        let inventory = model.inventory();
        for chain in &model.chains {
            // The mean counts of all annotations are the counts of the treebank.
            let counts = chain.unpack(&inventory);
            for rule in 0..inventory.len() as u32 {
                let sum: f64 = counts.of(rule).iter().sum();
                assert!((sum - training.bank().counts[rule as usize]).abs() < 1e-9);
            }
        }
        let parsed = parse(model, &sentences(&["the dog saw the cat", "a big cat slept"]));
        let shown: Vec<String> =
            parsed.iter().map(|parsed| formats::brackets::to_string(&parsed.trees[0].0)).collect();
        assert_eq!(shown[0], "(TOP (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (DT the) (NN cat)))))");
        assert_eq!(shown[1], "(TOP (S (NP (DT a) (JJ big) (NN cat)) (VP (VB slept))))");
    }
}

#[test]
fn partial_trees_keep_their_brackets_in_every_sweep() {
    let partial: Vec<Brackets> = [
        "(_ (_ the dog) saw (NP a cat))",
        "(TOP (S (NP the dog with the cat) slept))",
        "(_ (DT the) (_ big) dog)",
        "(_ the big dog saw a cat)",
        "(TOP (S (_ (NP the dog) (_ with (_ a cat))) (VP (_ slept))))",
    ]
    .iter()
    .map(|text| Brackets::tree(&tree(text)))
    .collect();
    let impossible = Brackets::tree(&tree("(TOP (S (VP the dog) (NP saw the cat)))"));
    let unknown = Brackets::tree(&tree("(TOP (QP the dog))"));
    let mut all = partial.clone();
    all.extend([impossible, unknown, Brackets::words(Vec::new())]);
    for threshold in [0.0, 1e-5] {
        let options = TrainOptions { threshold, ..options() };
        let (training, unusable) =
            Training::new(&treebank(), &all, &[], options, &Workers::serial()).unwrap();
        let label = |label: &str| Text::new(label);
        assert_eq!(
            unusable,
            [
                Unusable::Partial(5, ConstraintError::NoTree),
                Unusable::Partial(6, ConstraintError::UnknownLabel { label: label("QP"), start: 0, end: 2 }),
                Unusable::Partial(7, ConstraintError::Empty),
            ]
        );
        let bank = training.bank();
        let mut n_seen = 0;
        let mut look = Each(|_: &chain::Progress, state: &AnnotatedTrees| {
            assert_eq!(state.sentences.len(), bank.trees.len() + partial.len());
            for (brackets, uses) in partial.iter().zip(&state.sentences[bank.trees.len()..]) {
                let rules: Vec<u32> = uses.iter().map(|used| used.rule).collect();
                let spans = grammar::anchor::spans(bank.inventory.rules(), brackets.words.len()).unwrap();
                let derivation = derivation::placed(&bank.inventory, spans, &rules);
                let category = grammar::codec::category_of(spans);
                let tree = bank.codec.decode(&derivation, &brackets.words, category);
                assert!(honours(&tree, brackets), "{}", formats::brackets::to_string(&tree));
                n_seen += 1;
            }
            for (nodes, uses) in bank.trees.iter().zip(&state.sentences) {
                assert!(nodes.iter().map(|node| node.rule).eq(uses.iter().map(|used| used.rule)));
            }
            Ok(ControlFlow::Continue(()))
        });
        training.run(Start::Fresh, &mut look, &Workers::serial()).unwrap();
        assert_eq!(n_seen, partial.len() * training.schedule().total() as usize * 2);
    }
}

fn train(text: &str) -> Model {
    let (training, _) = Training::new(&trees(text, 99), &[], &[], options(), &Workers::serial()).unwrap();
    training.model(run(&training, Start::Fresh).chains, BTreeMap::new())
}

#[test]
fn tiny_treebanks_are_enough() {
    let first = |text: &str, sentence: &str| {
        let parsed = parse(train(text), &sentences(&[sentence])).remove(0);
        assert!(parsed.trees[0].0.words().eq(sentence.split_whitespace().collect::<Vec<_>>()));
        formats::brackets::to_string(&parsed.trees[0].0)
    };
    assert_eq!(first("(S (A a) (B b))", "a b"), "(S (A a) (B b))");
    assert_eq!(first("(S a)", "a"), "(S a)");
    assert_eq!(first("(S a)", "b"), "(S b)");
    assert_eq!(first("(S (S a) (S b))", "a b"), "(S (S a) (S b))");
    assert_eq!(first("(S (A a) (B b))\n(NP (A a) (A a))\n(B b)", "a a"), "(NP (A a) (A a))");
    assert_eq!(first("(S (A a) (B b))\n(NP (A a) (A a))\n(B b)", "b"), "(B b)");
    // The grammar has no tree for these; the words come out all the same.
    first("(S (A a) (B b))", "a b a");
    first("(S (A a) (B b))", "zz");
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let error = |options: TrainOptions| {
        Training::new(&treebank(), &[], &[], options, &Workers::serial()).err().unwrap()
    };
    assert!(matches!(error(TrainOptions { annotations: 0, ..options() }), TrainError::Setting { .. }));
    assert!(matches!(error(TrainOptions { annotations: 65, ..options() }), TrainError::Setting { .. }));
    let mut bad = options();
    bad.concentrations.words = f64::NAN;
    assert!(matches!(error(bad), TrainError::Setting { .. }));
    for fraction in [0.0, 1.5, f64::NAN] {
        let jump_start = Some(JumpStart { fraction, sweeps: 1 });
        assert!(matches!(error(TrainOptions { jump_start, ..options() }), TrainError::Setting { .. }));
    }
    let none = Training::new(&[], &[], &[], options(), &Workers::serial()).err();
    assert_eq!(none, Some(TrainError::NoTrees));
    let empty = Tree::constituent(Text::new("S"), []);
    let none = Training::new(&[empty], &[], &[], options(), &Workers::serial()).err();
    assert_eq!(none, Some(TrainError::NoTrees));
}

#[test]
fn a_checkpoint_of_other_settings_is_refused() {
    let training = ready(options());
    let checkpoint = run(&training, Start::Fresh).outcome.checkpoint;
    for other in [
        TrainOptions { annotations: 2, ..options() },
        TrainOptions { burn_in: 3, ..options() },
        TrainOptions { hyper: Some(HyperPrior::default()), ..options() },
    ] {
        assert!(ready(other).run(Start::From(checkpoint.clone()), &mut (), &Workers::serial()).is_err());
    }
    let longer = ready(TrainOptions { samples: 5, ..options() });
    let resumed = run(&longer, Start::From(checkpoint));
    assert_eq!(resumed.chains, run(&longer, Start::Fresh).chains);
}
