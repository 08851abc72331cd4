//! Trees that a grammar draws by itself, over words that nobody gave.

use chain::{Rng, Stream};
use grammar::Inventory;
use grammar::anchor::spans;
use grammar::codec::category_of;
use tree::{Text, Tree};

use super::derivation;
use super::model::Model;

/// A tree of more rules is drawn anew, since a grammar may never come to an end.
const MOST_RULES: usize = 1_000;
/// So many are drawn at most for each tree that is wanted.
const MOST_TRIES: u64 = 100;
/// What stands for a word that is emitted through its class.
const SOME_WORD: Text = Text::new_static("word");

/// Trees of the coarse grammar: each node is expanded by one of its category's rules in proportion to their probabilities,
///
/// ```text
/// P(tree) = ∏_{rules r of the tree} m(r)
/// ```
///
/// but for trees of more than a thousand rules, which never come out. Fewer than `n` if hardly any tree is smaller.
pub fn trees(model: &Model, n: usize, stream: Stream) -> Vec<Tree<Text>> {
    let drawing = Drawing::new(model);
    (0..n).filter_map(|at| drawing.tree(stream.item(at))).collect()
}

struct Drawing<'a> {
    model: &'a Model,
    inventory: Inventory,
    /// Sums of the probabilities of each category's rules, from the first on.
    sums: Vec<Vec<f64>>,
}

impl<'a> Drawing<'a> {
    fn new(model: &'a Model) -> Self {
        let inventory = model.inventory();
        let sums_of = |rules: &[u32]| {
            let mut sum = 0.0;
            let next = |&rule: &u32| {
                sum += model.means[rule as usize];
                sum
            };
            rules.iter().map(next).collect()
        };
        let sums = inventory.heads().map(|head| sums_of(inventory.rules_of(head))).collect();
        Drawing { model, inventory, sums }
    }

    fn tree(&self, stream: Stream) -> Option<Tree<Text>> {
        let mut tries = (0..MOST_TRIES).map(|at| self.rules(&mut stream.tag(at).rng()));
        let rules = tries.find_map(|rules| rules)?;
        let lexical = rules.iter().filter(|&&rule| self.inventory.is_lexical(rule));
        let words: Vec<Text> =
            lexical.map(|&rule| self.model.lexicon.word(rule).cloned().unwrap_or(SOME_WORD)).collect();
        let spans = spans(self.inventory.rules(), words.len())?;
        let derivation = derivation::placed(&self.inventory, spans, &rules);
        Some(self.model.codec.decode(&derivation, &words, category_of(spans)))
    }

    /// Rules in preorder; `None` if there are too many, or if a category has none.
    fn rules(&self, rng: &mut Rng) -> Option<Vec<u32>> {
        let mut rules = Vec::new();
        let mut open = vec![self.inventory.rules().root()];
        while let Some(head) = open.pop() {
            let sums = &self.sums[head.index()];
            let below = rng.uniform() * sums.last()?;
            let at = sums.partition_point(|&sum| sum <= below).min(sums.len() - 1);
            let rule = self.inventory.rules_of(head)[at];
            rules.push(rule);
            if rules.len() > MOST_RULES {
                return None;
            }
            if !self.inventory.is_lexical(rule) {
                let (_, left, right) = self.inventory.rules().parts(rule);
                open.extend(right.into_iter().chain([left]));
            }
        }
        Some(rules)
    }
}
