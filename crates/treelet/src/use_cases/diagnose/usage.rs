//! What the chains of a model chose: annotated rules, and annotations of labels.

use constituency::{Model, names};
use grammar::shape::BARE;
use grammar::{Inventory, Level, Sizes, Tensors};
use tree::PutInOrder;

/// More rules than this are not listed.
const MOST_RULES: usize = 100;

/// The choices of one chain, as mean counts per sweep.
#[derive(Clone, Debug)]
pub struct ChainUsage {
    /// The name of the chain.
    pub name: String,
    /// How many sweeps were averaged.
    pub n_samples: u64,
    /// The most frequent annotated rules between categories.
    pub rules: Vec<(String, f64)>,
    /// All labels of trees, the most frequent first.
    pub labels: Vec<LabelUsage>,
}

/// How often each annotation of a label is used.
#[derive(Clone, Debug)]
pub struct LabelUsage {
    /// The label.
    pub label: String,
    /// By annotation.
    pub counts: Vec<f64>,
}

impl LabelUsage {
    /// How often the label occurs.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The share of each annotation, the largest first.
    pub fn shares(&self) -> Vec<f64> {
        let total = self.total();
        let mut shares: Vec<f64> = self.counts.iter().map(|count| count / total).collect();
        shares.order_by(|a, b| b.total_cmp(a));
        shares
    }

    /// exp(−Σ p ln p): as many annotations, used equally often, would be as hard to guess.
    pub fn effective(&self) -> f64 {
        let entropy: f64 = self.shares().iter().filter(|&&share| share > 0.0).map(|p| -p * p.ln()).sum();
        entropy.exp()
    }
}

/// The choices of every chain.
pub(super) fn of_model(model: &Model) -> Vec<ChainUsage> {
    let inventory = model.inventory();
    let usage = |(number, chain): (usize, &constituency::model::ChainCounts)| {
        let counts = chain.unpack(&inventory);
        ChainUsage {
            name: format!("chain {number}"),
            n_samples: chain.n_samples,
            rules: rules(&inventory, &chain.sizes, &counts),
            labels: labels(&inventory, &chain.sizes, &counts),
        }
    };
    model.chains.iter().enumerate().map(usage).collect()
}

fn rules(inventory: &Inventory, sizes: &Sizes, counts: &Tensors) -> Vec<(String, f64)> {
    let mut found: Vec<(f64, u32, usize)> = Vec::new();
    for rule in (0..inventory.first_lexical()).filter(|&rule| !inventory.rules().is_stay(rule)) {
        let values = counts.of(rule).iter().enumerate();
        found.extend(values.filter(|(_, count)| **count > 0.0).map(|(at, &count)| (count, rule, at)));
    }
    found.order_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    found.truncate(MOST_RULES);
    found.into_iter().map(|(count, rule, at)| (name(inventory, sizes, rule, at), count)).collect()
}

/// `NP[0] → DT[1] NN[3]`; a label with one annotation stands alone.
fn name(inventory: &Inventory, sizes: &Sizes, rule: u32, at: usize) -> String {
    let rules = inventory.rules();
    let (n_left, n_right) = inventory.widths(sizes, rule);
    let annotations = [at / (n_left * n_right), at / n_right % n_left, at % n_right];
    names::rule(rules, rule, |category, part| {
        let label = names::category(rules, category);
        if sizes.of(category) > 1 { format!("{label}[{}]", annotations[part]) } else { label }
    })
}

/// A node is counted where it expands, or where it steps down a chain; one that stays what it is expands later.
fn labels(inventory: &Inventory, sizes: &Sizes, counts: &Tensors) -> Vec<LabelUsage> {
    let rules = inventory.rules();
    let mut by_label: Vec<Vec<f64>> = vec![Vec::new(); rules.labels().len()];
    for rule in (0..inventory.len() as u32).filter(|&rule| !rules.is_stay(rule)) {
        let head = inventory.head(rule);
        let info = rules.info(head);
        if info.level == Level::Root {
            continue;
        }
        let uses = &mut by_label[info.label as usize];
        uses.resize(sizes.of(head), 0.0);
        for (x, count) in uses.iter_mut().enumerate() {
            *count += counts.row(rule, x).iter().sum::<f64>();
        }
    }
    let is_of_trees = |label: &str| !label.starts_with('@') && label != BARE;
    let named = rules.labels().iter().zip(by_label).filter(|(label, _)| is_of_trees(label));
    let usage = named.map(|(label, counts)| LabelUsage { label: names::label(label), counts });
    let mut labels: Vec<LabelUsage> = usage.filter(|usage| usage.total() > 0.0).collect();
    labels.order_by(|a, b| b.total().total_cmp(&a.total()).then_with(|| a.label.cmp(&b.label)));
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use chain::{Start, Workers};
    use constituency::{TrainOptions, Training};
    use std::collections::BTreeMap;

    const TREES: &str = "\
(TOP (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN mat)))))))
(TOP (S (NP (DT a) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog)))))
(TOP (S (NP (DT the) (NN mat)) (VP (VP (VBZ sees) (NP (DT a) (NN dog))) (PP (IN on) (NP (DT a) (NN mat))))))
";

    /// A model whose labels have one to three annotations.
    fn model() -> Model {
        let mut reader = formats::brackets::BracketReader::new(TREES.as_bytes());
        let mut trees = Vec::new();
        while let Some(read) = reader.read_tree().expect("memory can be read") {
            trees.extend(read.value.tree);
        }
        let options = TrainOptions {
            annotations: 3,
            occurrences_per_annotation: 1.0,
            stage_sweeps: 0,
            burn_in: 2,
            samples: 9,
            chains: 1,
            ..TrainOptions::default()
        };
        let workers = Workers::serial();
        let (training, _) = Training::new(&trees, &[], &[], options, &workers).expect("there are trees");
        let trained = training.run(Start::Fresh, &mut (), &workers).expect("nothing can fail");
        training.model(trained.chains, BTreeMap::new())
    }

    /// Σ of NP[x] → … is Σ of … → … NP[x] …, for every phrase and annotation.
    #[test]
    fn what_one_rule_makes_another_rule_expands() {
        let usage = of_model(&model()).remove(0);
        assert!(usage.rules.len() < MOST_RULES, "all rules are there");
        let mut balance: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (rule, count) in &usage.rules {
            let (head, parts) = rule.split_once(" → ").expect("a rule has an arrow");
            balance.entry(head).or_default().0 += count;
            for part in parts.split([' ', '→']).filter(|part| !part.is_empty()) {
                balance.entry(part).or_default().1 += count;
            }
        }
        let is_phrase =
            |symbol: &str| ["NP", "VP", "PP", "S"].contains(&symbol.split('[').next().unwrap_or(""));
        let phrases: Vec<_> = balance.into_iter().filter(|(symbol, _)| is_phrase(symbol)).collect();
        assert!(phrases.len() >= 6, "{phrases:?}");
        for (symbol, (expanded, made)) in &phrases {
            assert!((expanded - made).abs() < 1e-9, "{symbol}: {expanded} expanded, {made} made");
        }
    }

    #[test]
    fn the_effective_number_of_annotations_is_their_number_if_all_are_used_alike() {
        let of = |counts: &[f64]| LabelUsage { label: "NP".into(), counts: counts.to_vec() }.effective();
        assert!((of(&[3.0, 3.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!((of(&[5.0, 0.0]) - 1.0).abs() < 1e-12);
    }
}
