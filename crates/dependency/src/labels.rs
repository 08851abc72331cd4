//! Relations of arcs, once the tree is known.

use serde::{Deserialize, Serialize};
use tree::sentence::is_root_relation;
use tree::{Heads, Text};

use super::attributes::Attributes;
use super::codes::{Codes, direction};
use super::course::Gradient;
use super::table::Table;
use super::templates::{TemplateKind, Templates};

/// p(relation | arc, tree), log-linear.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Labels {
    pub(super) names: Vec<Text>,
    pub(super) table: Table,
}

/// What is seen of the arcs of a tree.
#[derive(Debug, Clone)]
pub(super) struct LabelFeatures {
    codes: Codes,
    /// For each word: head, itself, the head's head, the next sibling nearer to the head, its leftmost and its
    /// rightmost dependent.
    places: Vec<[usize; 6]>,
}

impl LabelFeatures {
    pub(super) fn new(templates: &Templates, words: &Attributes, heads: &Heads) -> LabelFeatures {
        let codes = Codes::new(&templates.label, TemplateKind::Label.roles().len(), words);
        let (n_words, nobody) = (words.n_words(), words.nobody());
        let dependents = heads.dependents_by_head();
        let mut places = vec![[nobody; 6]; n_words + 1];
        for (word, places) in places.iter_mut().enumerate().skip(1) {
            let head = heads.head(word);
            let grandparent = if head == 0 { nobody } else { heads.head(head) };
            let of = dependents.of(head);
            let at = of.iter().position(|&other| other == word).unwrap_or(0);
            let nearer =
                if head < word { at.checked_sub(1).map(|at| of[at]) } else { of.get(at + 1).copied() };
            let sibling = nearer.filter(|&other| (other < head) == (word < head)).unwrap_or(nobody);
            let own = dependents.of(word);
            let (first, last) = (own.first().copied(), own.last().copied());
            *places = [head, word, grandparent, sibling, first.unwrap_or(nobody), last.unwrap_or(nobody)];
        }
        LabelFeatures { codes, places }
    }

    #[inline]
    pub(super) fn each(&self, word: usize, visit: impl FnMut(u64)) {
        let (shape, length) = direction(self.places[word][0], word);
        self.codes.each(&self.places[word], shape, length, visit);
    }
}

impl Labels {
    /// The table for more relations, the ones that are known first; zero if it is of another size.
    pub(super) fn widened(&self, bits: u32, n_labels: usize) -> Table {
        let mut table = Table::zero(bits, n_labels);
        if self.table.bits() == bits && !self.names.is_empty() {
            let rows =
                table.values.chunks_exact_mut(n_labels).zip(self.table.values.chunks_exact(self.names.len()));
            rows.for_each(|(row, known)| row[..known.len()].copy_from_slice(known));
        }
        table
    }

    /// The best of the relations that the arc into a word may have, and its probability among them; `None` if there
    /// are none.
    ///
    /// Where `root` is a relation, it is that of words without a head and of no others.
    pub(super) fn best(&self, features: &LabelFeatures, word: usize) -> Option<(&Text, f64)> {
        let mut scores = vec![0.0; self.names.len()];
        fill_scores(&self.table, features, word, &mut scores);
        let knows_roots = self.names.iter().any(|name| is_root_relation(name));
        let hangs_from_root = features.places[word][0] == 0;
        let may_be = |at: &usize| !knows_roots || is_root_relation(&self.names[*at]) == hangs_from_root;
        let possible: Vec<usize> = (0..scores.len()).filter(may_be).collect();
        let best =
            possible.iter().copied().reduce(|best, at| if scores[at] > scores[best] { at } else { best })?;
        let total: f64 = possible.iter().map(|&at| libm::exp(f64::from(scores[at] - scores[best]))).sum();
        Some((&self.names[best], 1.0 / total))
    }
}

/// ln p up to a constant, for all relations of the arc into a word.
fn fill_scores(table: &Table, features: &LabelFeatures, word: usize, scores: &mut [f32]) {
    scores.fill(0.0);
    features.each(word, |key| scores.iter_mut().zip(table.row(key)).for_each(|(sum, w)| *sum += w));
}

/// Gradients below this are left out.
const SMALLEST: f64 = 1e-3;

/// − ln p of the known relations of a sentence, as (word, relation), and its gradient.
pub(super) fn gradient(
    table: &Table,
    features: &LabelFeatures,
    known: &[(usize, usize)],
    n_labels: usize,
    weight: f64,
) -> Gradient {
    let each = |word: usize, visit: &mut dyn FnMut(u64)| features.each(word, visit);
    classify(table, each, known, n_labels, weight)
}

/// − ln p of the known classes of some words, p being log-linear in the features that `each` shows, and its gradient.
pub(super) fn classify(
    table: &Table,
    each: impl Fn(usize, &mut dyn FnMut(u64)),
    known: &[(usize, usize)],
    n_classes: usize,
    weight: f64,
) -> Gradient {
    let mut gradient = Gradient::default();
    let mut scores = vec![0.0f32; n_classes];
    for &(word, class) in known {
        scores.fill(0.0);
        each(word, &mut |key| scores.iter_mut().zip(table.row(key)).for_each(|(sum, w)| *sum += w));
        let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exps: Vec<f64> = scores.iter().map(|score| libm::exp(f64::from(score - largest))).collect();
        let total: f64 = exps.iter().sum();
        gradient.loss -= weight * libm::log(exps[class] / total);
        let gradients =
            exps.iter().enumerate().map(|(at, exp)| (at, exp / total - f64::from(u8::from(at == class))));
        let gradients: Vec<(usize, f32)> = gradients
            .filter(|(_, derivative)| derivative.abs() > SMALLEST)
            .map(|(at, derivative)| (at, (weight * derivative) as f32))
            .collect();
        each(word, &mut |key| {
            let row = table.slot(key);
            gradients.iter().for_each(|&(at, derivative)| gradient.push(row + at, derivative));
        });
    }
    gradient
}
