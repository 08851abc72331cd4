//! Substates on given trees, against every assignment of substates.

use std::collections::BTreeMap;

use forest::substates::fixed::{Below, Node, TreeChart};
use testkit::toys::SplitMix64;

use crate::sampling::fits;
use crate::toys::assert_close;

/// A fixed tree over 5 words: ((w0 w1) (w2 (w3 w4))), with symbols 0, 1, 2 in turn.
fn fixed_tree(random: &mut SplitMix64) -> (Vec<Node>, Vec<Vec<f64>>, Vec<usize>) {
    let sizes = vec![3, 2, 4, 1, 3, 2, 2, 3, 2];
    let below = [
        Below::Two(1, 4),
        Below::Two(2, 3),
        Below::Leaf,
        Below::Leaf,
        Below::Two(5, 6),
        Below::Leaf,
        Below::Two(7, 8),
        Below::Leaf,
        Below::Leaf,
    ];
    let mut tensors = Vec::new();
    let mut tree = Vec::new();
    for (rule, below) in below.into_iter().enumerate() {
        let size = match below {
            Below::Leaf => 1,
            Below::One(child) => sizes[child as usize],
            Below::Two(left, right) => sizes[left as usize] * sizes[right as usize],
        };
        tensors.push((0..sizes[rule] * size).map(|_| random.uniform()).collect());
        tree.push(Node { rule: rule as u32, below });
    }
    (tree, tensors, sizes)
}

/// The weight of every assignment of substates to the nodes of a tree.
fn assignments(
    tree: &[Node],
    tensors: &[Vec<f64>],
    sizes: &[usize],
    root: &[f64],
) -> BTreeMap<Vec<u32>, f64> {
    let mut all = BTreeMap::new();
    for code in 0..sizes.iter().product::<usize>() {
        let mut rest = code;
        let mut digit = |n: usize| {
            let state = rest % n;
            rest /= n;
            state
        };
        let states: Vec<usize> = sizes.iter().map(|&n| digit(n)).collect();
        let mut weight = root[states[0]];
        for (at, node) in tree.iter().enumerate() {
            let index = match node.below {
                Below::Leaf => states[at],
                Below::One(child) => states[at] * sizes[child as usize] + states[child as usize],
                Below::Two(left, right) => {
                    let (left, right) = (left as usize, right as usize);
                    (states[at] * sizes[left] + states[left]) * sizes[right] + states[right]
                }
            };
            weight *= tensors[node.rule as usize][index];
        }
        all.insert(states.iter().map(|&state| state as u32).collect(), weight);
    }
    all
}

#[test]
fn substates_of_a_fixed_tree_follow_their_conditional() {
    const N: usize = 60_000;
    let mut random = SplitMix64(31);
    let (tree, tensors, sizes) = fixed_tree(&mut random);
    let root = [0.9, 0.05, 0.05];
    let all = assignments(&tree, &tensors, &sizes, &root);
    let z: f64 = all.values().sum();
    let mut chart = TreeChart::new();
    chart.fill(&tree, &tensors);
    assert_close(chart.ln_total(&root).exp(), z, "total");
    let mut states = Vec::new();
    let mut hits: Vec<BTreeMap<Vec<u32>, usize>> = vec![BTreeMap::new(); tree.len()];
    for _ in 0..N {
        assert!(chart.sample(&tree, &tensors, &root, || random.uniform(), &mut states));
        for (at, node) in tree.iter().enumerate() {
            *hits[at].entry(family(node, at, &states)).or_default() += 1;
        }
    }
    // The joint of every parent and its children; the root's alone catches a draw from π only.
    for (at, node) in tree.iter().enumerate() {
        let mut expected: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        for (states, weight) in &all {
            *expected.entry(family(node, at, states)).or_default() += weight / z;
        }
        for (states, p) in expected {
            let found = hits[at].get(&states).copied().unwrap_or(0);
            assert!(fits(found, N, p), "node {at} {states:?}: {found} of {N}, probability {p}");
        }
    }
}

fn family(node: &Node, at: usize, states: &[u32]) -> Vec<u32> {
    match node.below {
        Below::Leaf => vec![states[at]],
        Below::One(child) => vec![states[at], states[child as usize]],
        Below::Two(left, right) => vec![states[at], states[left as usize], states[right as usize]],
    }
}

#[test]
fn a_fixed_tree_of_weight_zero_has_no_draw() {
    let tree = [Node { rule: 0, below: Below::One(1) }, Node { rule: 1, below: Below::Leaf }];
    let tensors = vec![vec![0.0, 0.0, 1.0, 2.0], vec![0.0, 0.0]];
    let mut chart = TreeChart::new();
    chart.fill(&tree, &tensors);
    assert_eq!(chart.ln_total(&[0.5, 0.5]), f64::NEG_INFINITY);
    assert!(!chart.sample(&tree, &tensors, &[0.5, 0.5], || 0.5, &mut Vec::new()));
    assert!(!chart.sample(&[], &tensors, &[0.5, 0.5], || 0.5, &mut Vec::new()));
    let possible = vec![vec![0.0, 0.0, 1.0, 2.0], vec![0.25, 0.5]];
    chart.fill(&tree, &possible);
    assert_close(chart.ln_total(&[0.5, 0.5]).exp(), 0.5 * 1.25, "unary total");
    let mut states = Vec::new();
    assert!(chart.sample(&tree, &possible, &[0.5, 0.5], || 0.1, &mut states));
    assert_eq!(states, [1, 0]);
}

#[test]
fn a_very_long_fixed_tree_stays_in_range() {
    let n = 2_000;
    let mut tree = Vec::new();
    for word in 0..n {
        let at = 2 * word;
        tree.push(Node { rule: 0, below: Below::Two(at + 1, at + 2) });
        tree.push(Node { rule: 1, below: Below::Leaf });
    }
    tree.push(Node { rule: 1, below: Below::Leaf });
    let tensors = vec![vec![1e-3; 8], vec![1e-3; 2]];
    let mut chart = TreeChart::new();
    chart.fill(&tree, &tensors);
    // Each rule sums 4 products of 1e-3, each word is 1e-3: 2000 rules and 2001 words.
    let expected = 2000.0 * (4e-3f64).ln() + 2001.0 * (1e-3f64).ln();
    assert_close(chart.ln_total(&[0.5, 0.5]), expected, "ln total");
}
