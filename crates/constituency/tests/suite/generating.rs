//! Trees that a grammar draws by itself have its rules as often as they are probable.

use chain::{Start, Stream, Workers};
use constituency::generate;
use constituency::{TrainOptions, Training};
use std::collections::BTreeMap;
use testkit::twin::trees;
use tree::transform::HeadStatistics;
use tree::{Text, Tree};

const TREEBANK: &str = "(S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat))) (. .))
(S (NP (N cats)) (VP (V sleep)) (. .))
(S (NP (D the) (N cat)) (VP (V saw) (NP (NP (N dogs)) (PP (P with) (NP (N hats))))) (. .))
(S (NP (D the) (N cat)) (VP (V saw) (NP (N dogs)) (PP (P with) (NP (N hats)))) (. .))
(S (NP (N dogs)) (VP (V sleep)) (. .))
";

fn model(treebank: &[Tree<Text>]) -> constituency::Model {
    let options =
        TrainOptions { annotations: 1, burn_in: 2, samples: 2, chains: 1, ..TrainOptions::default() };
    let workers = Workers::serial();
    let (training, unusable) = Training::new(treebank, &[], &[], options, &workers).unwrap();
    assert!(unusable.is_empty());
    let trained = training.run(Start::Fresh, &mut (), &workers).unwrap();
    training.model(trained.chains, BTreeMap::default())
}

/// How often each expansion of a label stands in trees, in shares of the label's.
fn expansions(trees: &[Tree<Text>]) -> BTreeMap<(String, String), f64> {
    let (mut rules, mut labels) = (BTreeMap::new(), BTreeMap::new());
    for tree in trees {
        let nodes = tree.nodes();
        for at in (0..nodes.len()).filter(|&at| !nodes[at].is_word()) {
            let (mut below, mut child) = (String::new(), at + 1);
            while child < at + nodes[at].size() {
                below += if nodes[child].is_word() { "word" } else { nodes[child].label.as_str() };
                below.push(' ');
                child += nodes[child].size();
            }
            *rules.entry((nodes[at].label.to_string(), below)).or_insert(0.0) += 1.0;
            *labels.entry(nodes[at].label.to_string()).or_insert(0.0) += 1.0;
        }
    }
    rules.iter_mut().for_each(|((label, _), n)| *n /= labels[label]);
    rules
}

#[test]
fn they_have_the_rules_of_the_treebank_as_often() {
    let treebank = trees(TREEBANK, 100);
    let model = model(&treebank);
    let generated = generate::trees(&model, 20_000, Stream::new(3));
    assert_eq!(generated.len(), 20_000);
    let (expected, found) = (expansions(&treebank), expansions(&generated));
    for (rule, share) in &expected {
        let other = found.get(rule).copied().unwrap_or(0.0);
        // Intermediate nodes forget a little of what came before them.
        assert!((share - other).abs() < 0.08, "{rule:?}: {share} and {other}");
    }
    // Heads are found as from the treebank itself.
    let rules = |trees: &[Tree<Text>]| {
        let mut statistics = HeadStatistics::default();
        trees.iter().for_each(|tree| statistics.see(tree));
        statistics.rules()
    };
    let (own, of_treebank) = (rules(&generated), rules(&treebank));
    for (parent, below) in
        [("S", "NP VP ."), ("VP", "V NP PP"), ("NP", "D N"), ("NP", "NP PP"), ("PP", "P NP")]
    {
        let below: Vec<&str> = below.split(' ').collect();
        assert_eq!(own.head(parent, &below), of_treebank.head(parent, &below), "{parent}");
    }
}

#[test]
fn probabilities_of_whole_trees_are_products_of_rules() {
    let treebank = trees(TREEBANK, 100);
    let model = model(&treebank);
    let n = 40_000;
    let mut seen: BTreeMap<String, f64> = BTreeMap::new();
    for tree in generate::trees(&model, n, Stream::new(5)) {
        *seen.entry(formats::brackets::to_string(&tree)).or_default() += 1.0 / n as f64;
    }
    let inventory = model.inventory();
    let options = grammar::codec::CodecOptions::default();
    let mut n_compared = 0;
    // "word" stands for all classes of rare words.
    for (text, share) in seen.iter().filter(|(text, share)| **share > 0.002 && !text.contains("word")) {
        let tree = trees(text, 1).remove(0);
        let coded = model.codec.encode(&tree, &options).unwrap();
        let mut p = 1.0;
        let mut tags = coded.tags.iter().peekable();
        let mut words = tree.words().enumerate();
        for (place, node) in coded.nodes.iter().enumerate() {
            let rule = match tags.next_if(|&&(at, _)| at as usize == place) {
                Some(&(_, tag)) => {
                    let (at, word) = words.next().unwrap();
                    model.lexicon.rule(word, at == 0, tag).unwrap()
                }
                None => node.rule,
            };
            assert!((rule as usize) < inventory.len());
            p *= model.means[rule as usize];
        }
        let error = 5.0 * (p * (1.0 - p) / n as f64).sqrt();
        assert!((p - share).abs() < error, "{text}: {p} and {share}");
        n_compared += 1;
    }
    assert!(n_compared > 5, "{n_compared}");
    assert_eq!(generate::trees(&model, 5, Stream::new(5)), generate::trees(&model, 9, Stream::new(5))[..5]);
}
