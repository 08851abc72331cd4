//! Every bracket of a tree is counted once.

use chain::{Stream, Workers};
use constituency::ensemble::Workspace;
use constituency::{ParseOptions, Parser, TrainOptions, Training};
use grammar::Unaries;
use grammar::anchor::Brackets;
use std::collections::BTreeMap;
use testkit::twin::{toy_trees, treebanks};
use tree::{Text, Tree};

use testkit::toys::SplitMix64;

fn options(unaries: Unaries) -> TrainOptions {
    let mut options =
        TrainOptions { annotations: 2, chains: 1, burn_in: 2, samples: 1, ..TrainOptions::default() };
    options.stage_sweeps = 0;
    options.bank.codec.unaries = unaries;
    options
}

/// Constituents that are no tags.
fn phrases(tree: &Tree<Text>) -> BTreeMap<(String, u32, u32), usize> {
    let mut phrases = BTreeMap::new();
    for (at, label, span) in tree.constituents() {
        let nodes = tree.nodes();
        if !(nodes[at].size() == 2 && nodes[at + 1].is_word()) {
            *phrases.entry((label.to_string(), span.start() as u32, span.end() as u32)).or_default() += 1;
        }
    }
    phrases
}

fn check(name: &str, trees: &[Tree<Text>], unaries: Unaries, most_words: usize) {
    let workers = Workers::serial();
    let (training, _) = Training::new(trees, &[], &[], options(unaries), &workers).unwrap();
    let trained = training.run(chain::Start::Fresh, &mut (), &workers).unwrap();
    let parser = Parser::new(training.model(trained.chains, BTreeMap::new()), &workers);
    let mut workspace = Workspace::default();
    for tree in trees.iter().filter(|tree| tree.n_words() <= most_words).take(12) {
        let sentence = Brackets::words(tree.words().cloned().collect());
        let parse_options = ParseOptions::default();
        let Ok(((pruned, leaves), _)) = parser.forest(&sentence, &parse_options, &mut workspace) else {
            panic!("{name}: a training sentence has no tree")
        };
        let refinement = &parser.refinements()[0];
        let mut vectors = grammar::anchor::LeafVectors::default();
        vectors.fill(&leaves, &refinement.tensors);
        let forest =
            grammar::anchor::RefinedForest::new(&pruned, &refinement.tensors, &vectors, &refinement.sizes);
        let mut chart = forest::substates::Chart::new();
        chart.fill(&forest);
        for sample in 0..10 {
            let mut rng = Stream::new(1).tag(sample).rng();
            let steps = forest::substates::sample(&forest, &chart, || rng.uniform()).unwrap();
            let derivation = forest::Derivation { steps: steps.iter().map(|step| step.step).collect() };
            let words = &sentence.words;
            let category = grammar::codec::category_of(pruned.spans());
            let decoded = parser.model().codec.decode(&derivation, words, category);
            let mut counted = BTreeMap::new();
            for step in &derivation.steps {
                let (_, start, end) = pruned.spans().locate(step.item);
                for &label in parser.labels().of(step.rule) {
                    let label = parser.labels().name(label).to_string();
                    *counted.entry((label, start, end)).or_default() += 1;
                }
            }
            let shown = formats::brackets::to_string(&decoded);
            assert_eq!(counted, phrases(&decoded), "{name}, {unaries:?}: {shown}");
        }
    }
}

#[test]
fn brackets_of_rules_are_the_constituents_of_the_tree() {
    for (at, (name, trees)) in treebanks(60).into_iter().enumerate() {
        let unaries = [Unaries::Rules, Unaries::Collapse, Unaries::Rules, Unaries::Drop][at % 4];
        check(&name, &trees, unaries, 12);
    }
    for seed in 0..40 {
        for unaries in [Unaries::Rules, Unaries::Collapse, Unaries::Drop] {
            check("toy", &toy_trees(&mut SplitMix64(seed)), unaries, 4);
        }
    }
}
