//! Which brackets match and which cross.

use super::Parameters;
use super::side::{Bracket, TreeSide};
use tree::PutInOrder;

/// For each bracket of either side, whether it has a partner.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    pub(super) gold: Vec<bool>,
    pub(super) test: Vec<bool>,
}

impl Matching {
    /// Gives each gold bracket, in preorder, the first bracket of the parse that is still free and fits.
    ///
    /// Greedy choice is best as long as equality of labels is transitive. Where `EQ_LABEL` makes it not,
    /// this order is what EVALB does.
    pub(super) fn new(gold: &TreeSide<'_>, test: &TreeSide<'_>, parameters: &Parameters) -> Self {
        let mut matching =
            Self { gold: vec![false; gold.brackets.len()], test: vec![false; test.brackets.len()] };
        let candidates = by_span(&test.brackets);
        for (g, bracket) in gold.brackets.iter().enumerate().filter(|(_, bracket)| bracket.counts) {
            let from = candidates.partition_point(|&t| span(&test.brackets[t]) < span(bracket));
            let same_span =
                candidates[from..].iter().take_while(|&&t| span(&test.brackets[t]) == span(bracket));
            let fits = |t: usize| {
                let label = test.brackets[t].label;
                !matching.test[t] && (!parameters.labeled || parameters.same_label(bracket.label, label))
            };
            if let Some(t) = same_span.copied().find(|&t| fits(t)) {
                (matching.gold[g], matching.test[t]) = (true, true);
            }
        }
        matching
    }

    pub(super) fn n_matched(&self) -> usize {
        self.gold.iter().filter(|&&matched| matched).count()
    }
}

/// Brackets that count, sorted by span; those over one span stay in preorder.
fn by_span(brackets: &[Bracket<'_>]) -> Vec<usize> {
    let mut indices: Vec<_> = (0..brackets.len()).filter(|&index| brackets[index].counts).collect();
    indices.order_by_key(|&index| span(&brackets[index]));
    indices
}

fn span(bracket: &Bracket<'_>) -> (usize, usize) {
    (bracket.start, bracket.end)
}

/// How many brackets of the parse cross at least one gold bracket.
pub(super) fn crossing(gold: &TreeSide<'_>, test: &TreeSide<'_>) -> usize {
    let counting = |side: &TreeSide<'_>| -> Vec<(usize, usize)> {
        side.brackets.iter().filter(|bracket| bracket.counts).map(span).collect()
    };
    let mut gold = counting(gold);
    gold.dedup();
    counting(test).into_iter().filter(|&t| gold.iter().any(|&g| crosses(g, t))).count()
}

fn crosses(a: (usize, usize), b: (usize, usize)) -> bool {
    (a.0 < b.0 && b.0 < a.1 && a.1 < b.1) || (b.0 < a.0 && a.0 < b.1 && b.1 < a.1)
}
