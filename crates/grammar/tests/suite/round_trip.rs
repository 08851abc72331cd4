//! Trees to numbers and back.

use forest::substates::fixed::Below;
use grammar::anchor::{Anything, Brackets, CoarseForest, Leaves, spans};
use grammar::codec::Coded;
use grammar::{Category, Codec, CodecOptions, Rules, Unaries};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use testkit::cfg::Used;
use testkit::toys::{SplitMix64, random_brackets};
use testkit::twin::{honours, treebanks};
use tree::transform::head_rules::HeadRules;
use tree::transform::unary::{Chains, Keep, drop};
use tree::transform::{Binarisation, Scheme};
use tree::{Text, Tree};

use crate::toy::{Toy, learn};

fn binarisations() -> Vec<Binarisation> {
    let schemes =
        [Scheme::RightmostHead, Scheme::Left, Scheme::Right, Scheme::HeadOutward(HeadRules::default())];
    let plain =
        schemes.iter().map(|scheme| Binarisation { scheme: scheme.clone(), ..Binarisation::default() });
    let two = NonZeroUsize::MIN.saturating_add(1);
    let rich =
        Binarisation { horizontal: Some(2), vertical: two, annotate_tags: true, ..Binarisation::default() };
    plain.chain([rich]).collect()
}

fn all_options() -> Vec<CodecOptions> {
    let unaries = [Unaries::Rules, Unaries::Collapse, Unaries::Drop];
    let with =
        |unaries| binarisations().into_iter().map(move |binarisation| CodecOptions { unaries, binarisation });
    unaries.into_iter().flat_map(with).collect()
}

/// What should come back.
fn expected(tree: &Tree<Text>, unaries: Unaries) -> Tree<Text> {
    match unaries {
        Unaries::Drop => drop(tree, Chains { preterminals: true, top: false }, Keep::default()),
        _ => tree.clone(),
    }
}

/// The nodes with their spans; leaves get the lexical rule that `lexical` gives word and tag.
fn placed(rules: &Rules, coded: &Coded, lexical: impl Fn(usize, Category) -> u32) -> Vec<Used> {
    let nodes = &coded.nodes;
    let mut ends = vec![0u32; nodes.len()];
    let mut steps = Vec::new();
    let mut next_word = 0;
    let mut open = vec![(0usize, false)];
    // Preorder; a node is closed when all below it are done.
    while let Some((at, done)) = open.pop() {
        if done {
            ends[at] = next_word;
            continue;
        }
        let node = nodes[at];
        assert_eq!(steps.len(), at, "nodes do not stand in preorder");
        let word = next_word as usize;
        open.push((at, true));
        let (rule, symbol) = match node.below {
            Below::Leaf => {
                let (place, tag) = coded.tags[word];
                assert_eq!(place as usize, at);
                next_word += 1;
                (lexical(word, tag), tag)
            }
            Below::One(child) => {
                open.push((child as usize, false));
                (node.rule, rules.parts(node.rule).0)
            }
            Below::Two(left, right) => {
                open.extend([(right as usize, false), (left as usize, false)]);
                (node.rule, rules.parts(node.rule).0)
            }
        };
        steps.push(Used { rule, symbol: symbol.index(), start: word as u32, split: 0, end: 0 });
    }
    for (at, node) in nodes.iter().enumerate() {
        steps[at].end = ends[at];
        steps[at].split = if let Below::Two(left, _) = node.below { ends[left as usize] } else { ends[at] };
    }
    steps
}

fn assert_round_trip(trees: &[Tree<Text>], options: &CodecOptions) {
    let (codec, coded) = Codec::learn(trees, options);
    let rules = codec.rules();
    for (tree, coded) in trees.iter().zip(&coded) {
        let coded = coded.as_ref().unwrap();
        let steps = placed(rules, coded, |_, _| rules.n_rules() as u32);
        let words: Vec<Text> = tree.words().cloned().collect();
        let spans = spans(rules, words.len()).unwrap();
        let derivation = testkit::twin::derivation(rules, spans, &steps);
        let back = codec.decode(&derivation, &words, grammar::codec::category_of(spans));
        assert_eq!(back, expected(tree, options.unaries), "{options:?}");
        assert_eq!(codec.encode(tree, options).as_ref(), Ok(coded), "{options:?}");
        for step in &derivation.steps {
            let below: &[forest::Item] = match step.edge {
                forest::Edge::Leaf => &[],
                forest::Edge::One(tail) => &[tail],
                forest::Edge::Two(left, right) => &[left, right],
            };
            // What a rule leads to is expanded somewhere.
            assert!(below.iter().all(|item| derivation.steps.iter().any(|step| step.item == *item)));
        }
    }
}

/// The lexical rules of the words of a tree of the treebank.
fn gold(toy: &Toy, coded: &Coded, tree: &Tree<Text>) -> Vec<Used> {
    let words: Vec<&Text> = tree.words().collect();
    placed(toy.rules(), coded, |word, tag| toy.lexicon.rule(words[word], word == 0, tag).unwrap())
}

#[test]
fn every_tree_of_every_treebank_comes_back_from_its_numbers() {
    for (name, trees) in treebanks(300) {
        assert!(trees.len() >= 50, "{name}");
        for unaries in [Unaries::Rules, Unaries::Collapse, Unaries::Drop] {
            assert_round_trip(&trees, &CodecOptions { unaries, ..CodecOptions::default() });
        }
        for options in all_options() {
            assert_round_trip(&trees[..40.min(trees.len())], &options);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn random_trees_come_back_from_their_numbers(seed in any::<u64>(), n_trees in 1usize..6) {
        let mut random = SplitMix64(seed);
        let sizes: Vec<usize> = (0..n_trees).map(|_| 1 + random.below(7)).collect();
        let trees: Vec<Tree<Text>> =
            sizes.iter().map(|&n| testkit::twin::tree(&random_brackets(n, &mut random))).collect();
        for options in all_options() {
            assert_round_trip(&trees, &options);
        }
    }
}

#[test]
fn labels_full_of_special_characters_come_back() {
    let tree = |labels: [&str; 3]| {
        let word = |form: &str| Tree::word(Text::new(form));
        let tag = Tree::constituent(Text::new(labels[2]), [word("x")]);
        let chain = Tree::constituent(Text::new(labels[1]), [tag.clone()]);
        Tree::constituent(Text::new(labels[0]), [chain.clone(), tag, word("y"), chain])
    };
    let trees = [
        tree(["@X", "A+B", "C|D"]),
        tree(["X^Y", "\\", "+"]),
        tree(["@", "@X|C", "A\\+B"]),
        tree(["_", "?", ""]),
    ];
    for options in all_options() {
        assert_round_trip(&trees, &options);
    }
}

#[test]
fn constituents_without_words_are_refused_and_take_no_part() {
    let good = testkit::twin::tree("(S (A a) (B b))");
    let empty = Tree::constituent(Text::new("S"), [good.clone(), Tree::constituent(Text::new("NP"), [])]);
    let (codec, coded) = grammar::Codec::learn(&[good, empty], &CodecOptions::default());
    assert!(coded[0].is_ok());
    assert_eq!(coded[1], Err(grammar::CodecError::Empty));
    assert!(codec.rules().labels().iter().any(|label| label == "S"));
    assert_eq!(codec.rules().binary().len(), 1);
}

/// Given everything that the gold tree says, only trees with all of it are left, the gold one among them.
#[test]
fn under_all_that_the_gold_tree_says_gold_is_found_again() {
    for (name, trees) in treebanks(100) {
        for unaries in [Unaries::Rules, Unaries::Collapse] {
            let (toy, coded) = learn(&trees, &CodecOptions { unaries, ..CodecOptions::default() });
            let weights = vec![1.0; toy.inventory.len()];
            let mut random = SplitMix64(7);
            for (gold, coded) in trees.iter().zip(&coded).filter(|(tree, _)| tree.n_words() <= 20).take(25) {
                let brackets = Brackets::tree(gold);
                let required = brackets.require(toy.rules()).unwrap();
                let readings = toy.read(&brackets.words);
                let leaves = Leaves::new(&readings, &required);
                let spans = spans(toy.rules(), readings.len()).unwrap();
                let forest = CoarseForest::new(toy.rules(), &weights, &leaves, &required, spans);
                let steps = self::gold(&toy, coded, gold);
                let derivation = testkit::twin::derivation(toy.rules(), spans, &steps);
                assert!(contains(&forest, &derivation), "{name}: the gold tree is not possible\n{gold:?}");
                let inside = forest::Scaled::inside(&forest);
                let (best, _) = forest::derive::best(&forest).unwrap();
                for _ in 0..5 {
                    let drawn = inside.sample(|| random.uniform()).unwrap();
                    assert_honours(&toy, &brackets, &drawn, spans, &name);
                }
                assert_honours(&toy, &brackets, &best, spans, &name);
            }
        }
    }
}

fn assert_honours(
    toy: &Toy,
    brackets: &Brackets,
    derivation: &forest::Derivation,
    spans: forest::Spans,
    name: &str,
) {
    let tree = toy.codec.decode(derivation, &brackets.words, grammar::codec::category_of(spans));
    assert!(honours(&tree, brackets), "{name}: {}\n{brackets:?}", formats::brackets::to_string(&tree));
}

/// Whether every step of a derivation is an edge of the forest.
fn contains(forest: &impl forest::Forest, derivation: &forest::Derivation) -> bool {
    derivation.steps.iter().all(|step| {
        let mut found = false;
        let _ = forest.bundles_into(step.item, |bundle| {
            found |= bundle.rule == step.rule
                && (0..bundle.tails.len()).any(|split| bundle.tails.edge(split) == step.edge);
            std::ops::ControlFlow::Continue(())
        });
        found
    })
}

#[test]
fn a_sentence_without_constraints_leaves_gold_possible() {
    for (name, trees) in treebanks(100) {
        let (toy, coded) = learn(&trees, &CodecOptions::default());
        let weights = vec![1.0; toy.inventory.len()];
        for (gold, coded) in trees.iter().zip(&coded).filter(|(tree, _)| tree.n_words() <= 25).take(20) {
            let words: Vec<Text> = gold.words().cloned().collect();
            // Tags of rare words that q thinks impossible are left out by `read`; `read_widely` has them all.
            let readings: Vec<_> =
                words.iter().enumerate().map(|(at, word)| toy.lexicon.read_widely(word, at == 0)).collect();
            let leaves = Leaves::new(&readings, &Anything);
            let spans = spans(toy.rules(), words.len()).unwrap();
            let forest = CoarseForest::new(toy.rules(), &weights, &leaves, &Anything, spans);
            let steps = self::gold(&toy, coded, gold);
            assert!(contains(&forest, &testkit::twin::derivation(toy.rules(), spans, &steps)), "{name}");
        }
    }
}
