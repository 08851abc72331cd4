//! From mean counts to the grammar that parses.
//!
//! ```text
//! θ_A[x](r)      = (c m_A(r) + n_r[x]) / (C + n_A[x]),   C = Σ_r c m_A(r)
//! φ_r(y, z)      = (b₀ u_B(y) u_C(z) + n_r[·, y, z]) / (b₀ + n_r)       what the rule does whatever x is
//! β_A[x],r(y, z) = (b φ_r(y, z) + n_r[x, y, z]) / (b + n_r[x])
//! ```
//!
//! u_A(x) is the share of each annotation among all uses of A. So sparse counts back off twice: from one
//! annotation of the head to all of them, and from the rule to its parts.

use grammar::{Inventory, Sizes, Tensors};
use serde::{Deserialize, Serialize};

/// How much is believed at each level of back-off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Smoothing {
    /// c for rules between categories.
    pub rules: f64,
    /// c for words.
    pub words: f64,
    /// b: from one annotation of the head to all.
    pub annotations: f64,
    /// b₀: from the rule to its parts.
    pub shared: f64,
}

impl Default for Smoothing {
    fn default() -> Self {
        Smoothing { rules: 5.0, words: 5.0, annotations: 1.0, shared: 1.0 }
    }
}

/// θ · β of mean counts; `means` is m.
pub fn estimate(
    inventory: &Inventory,
    means: &[f64],
    sizes: &Sizes,
    counts: &Tensors,
    smoothing: &Smoothing,
) -> Tensors {
    let shape = |rule: u32| {
        let c = if inventory.is_lexical(rule) { smoothing.words } else { smoothing.rules };
        c * means[rule as usize]
    };
    let usage = usage(inventory, sizes, counts);
    let mut result = inventory.zero(sizes);
    let mut phi = Vec::new();
    for head in inventory.heads() {
        let rules = inventory.rules_of(head);
        let belief: f64 = rules.iter().map(|&rule| shape(rule)).sum();
        let n_head: Vec<f64> = (0..sizes.of(head)).map(|x| total(rules, counts, x)).collect();
        for &rule in rules {
            let stay = inventory.rules().is_stay(rule);
            shared(inventory, counts, rule, &usage, smoothing.shared, &mut phi);
            for (x, n_head) in n_head.iter().enumerate() {
                let n: f64 = counts.row(rule, x).iter().sum();
                let theta = (shape(rule) + n) / (belief + n_head);
                let row = result.row_mut(rule, x);
                if stay {
                    row[x] = theta;
                } else if row.len() == 1 {
                    row[0] = theta;
                } else {
                    let factor = theta / (smoothing.annotations + n);
                    let pairs = row.iter_mut().zip(&phi).zip(counts.row(rule, x));
                    pairs.for_each(|((out, phi), n)| *out = (smoothing.annotations * phi + n) * factor);
                }
            }
        }
    }
    result
}

fn total(rules: &[u32], counts: &Tensors, x: usize) -> f64 {
    rules.iter().map(|&rule| counts.row(rule, x).iter().sum::<f64>()).sum()
}

/// u_A(x), with an epsilon for annotations that are never used.
fn usage(inventory: &Inventory, sizes: &Sizes, counts: &Tensors) -> Vec<Vec<f64>> {
    let of_head = |head| {
        let uses: Vec<f64> =
            (0..sizes.of(head)).map(|x| total(inventory.rules_of(head), counts, x) + EPSILON).collect();
        let all: f64 = uses.iter().sum();
        uses.iter().map(|n| n / all).collect()
    };
    inventory.heads().map(of_head).collect()
}

const EPSILON: f64 = 0.01;

/// Leaves φ_r in `phi`.
fn shared(
    inventory: &Inventory,
    counts: &Tensors,
    rule: u32,
    usage: &[Vec<f64>],
    b: f64,
    phi: &mut Vec<f64>,
) {
    phi.clear();
    if inventory.is_lexical(rule) {
        return;
    }
    let (_, left, right) = inventory.rules().parts(rule);
    let right = right.map_or(&[1.0][..], |right| &usage[right.index()]);
    phi.extend(usage[left.index()].iter().flat_map(|y| right.iter().map(move |z| b * y * z)));
    let all = counts.of(rule);
    for row in all.chunks_exact(phi.len()) {
        phi.iter_mut().zip(row).for_each(|(phi, n)| *phi += n);
    }
    let n: f64 = all.iter().sum();
    phi.iter_mut().for_each(|phi| *phi /= b + n);
}
