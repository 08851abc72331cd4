//! A sentence whose relations are learned from.

use tree::Symbols;

use super::example::{Annotated, Example};
use super::labels::LabelFeatures;
use super::scorer::{Decode, Scorer, cases_of};
use super::second_order::SecondOrderScratch;
use super::tried::known_heads;

/// A sentence with some known relations, and a tree that has the known arcs.
pub(super) struct Labelled {
    pub(super) features: LabelFeatures,
    pub(super) known: Vec<(usize, usize)>,
    pub(super) weight: f64,
}

impl Labelled {
    pub(super) fn new(
        item: &Annotated,
        example: &Example,
        names: &Symbols,
        scorer: &Scorer<'_>,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Labelled> {
        let heads = known_heads(&item.possible);
        let whole: Option<Vec<u32>> = heads.iter().map(|head| head.map(|head| head as u32)).collect();
        let tree = match whole.and_then(|heads| tree::Heads::new(heads).ok()) {
            Some(tree) => tree,
            None => {
                let cases = cases_of(Some(&item.possible));
                let belief = scorer.believe(&example.words, cases.as_deref(), scratch)?;
                scorer.decode(&belief, cases.as_deref(), Decode::Mbr, scratch)?
            }
        };
        let labelled = item.sentence.words().enumerate().filter_map(|(at, token)| {
            let label = names.number(&token.deprel)? as usize;
            (heads[at]? == tree.head(at + 1)).then_some((at + 1, label))
        });
        let known: Vec<(usize, usize)> = labelled.collect();
        let features = LabelFeatures::new(scorer.templates, &example.words, &tree);
        (!known.is_empty()).then_some(Labelled { features, known, weight: item.weight })
    }
}
