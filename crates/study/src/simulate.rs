//! Simulated annotators: a gold tree loses heads, as an annotator would leave them out (Mielens 2016, §4.3.1).
//!
//! All models are built of two operations, decided for each word from the root down:
//!
//! * *de-linking*: the word loses its head;
//! * *clearing*: all words below it lose their heads, and a bracket around them and the word stays behind.
//!
//! Each word has two uniform numbers of its own, one for each operation, and an operation happens where the
//! number is below the model's rate. They depend only on the stream and the place of the word: the same seed
//! gives the same bits in any order, and a higher rate removes the same arcs and more.

mod density;
mod fit;
mod model;

pub use density::{AtDensity, at_density};
pub use fit::{Fitted, Observed, Tally, fit};
pub use model::{OmissionModel, Rates};

use crate::Error;
use chain::Stream;
use model::Situation;
use tree::PutInOrder;
use tree::{Group, GroupKind, Heads, Node, PartialTree, Place, Text};

/// A gold tree and the tags of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gold {
    heads: Heads,
    tags: Vec<Text>,
}

impl Gold {
    /// Pairs a tree with tags, which must be as many as words.
    pub fn new(heads: Heads, tags: Vec<Text>) -> Result<Self, Error> {
        match (heads.len(), tags.len()) {
            (n_words, found) if n_words != found => {
                Err(Error::Length { what: "the list of tags", found, n_words })
            }
            _ => Ok(Self { heads, tags }),
        }
    }

    /// The tree.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// The tags in word order.
    pub fn tags(&self) -> &[Text] {
        &self.tags
    }
}

/// What a simulated annotator left of a gold tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degraded {
    /// Heads that were kept, all of them gold: 0 for the root, `None` where it was removed.
    pub heads: Vec<Option<usize>>,
    /// The same heads as arcs and roots, and a bracket for each cleared phrase. The bracket has a head if the
    /// link of its head was kept, and none otherwise; a bracket around all words says nothing and is left out.
    pub said: PartialTree,
}

impl Degraded {
    /// How many heads were kept.
    pub fn n_kept(&self) -> usize {
        self.heads.iter().flatten().count()
    }
}

/// Lets an annotator loose on one tree. The stream is that of the sentence.
///
/// Rates are probabilities; [`OmissionModel::check`] says whether they are. A rate below 0 counts as 0, one above 1
/// as 1. Linear time.
pub fn degrade(gold: &Gold, model: &OmissionModel, stream: Stream) -> Degraded {
    let plan = Plan::new(gold, stream);
    let (kept, cleared) = plan.decide(model);
    let heads: Vec<Option<usize>> =
        (1..=gold.heads.len()).map(|word| kept[word].then(|| gold.heads.head(word))).collect();
    let said = said(gold, &heads, &cleared);
    Degraded { heads, said }
}

/// Lets an annotator loose on a corpus: sentence i draws from `stream.item(i)`.
pub fn degrade_all(corpus: &[Gold], model: &OmissionModel, stream: Stream) -> Vec<Degraded> {
    corpus.iter().enumerate().map(|(index, gold)| degrade(gold, model, stream.item(index))).collect()
}

/// All that decisions about one sentence depend on, except for the rates. Lists are indexed by word, from 1.
struct Plan<'a> {
    gold: &'a Gold,
    /// Words from the root down, each after its head.
    top_down: Vec<usize>,
    depths: Vec<usize>,
    /// Where this is below the clearing rate, the word is cleared.
    clear: Vec<f64>,
    /// Where this is below the de-linking rate, the word loses its head.
    unlink: Vec<f64>,
}

impl<'a> Plan<'a> {
    fn new(gold: &'a Gold, stream: Stream) -> Self {
        let depths = gold.heads.depths();
        let mut top_down: Vec<usize> = (1..=gold.heads.len()).collect();
        top_down.order_by_key(|&word| depths[word]);
        let draws = |purpose| {
            let mut rng = stream.purpose(purpose).rng();
            (0..depths.len()).map(|_| rng.uniform()).collect()
        };
        let (clear, unlink) = (draws("simulate: clear"), draws("simulate: unlink"));
        Self { gold, top_down, depths, clear, unlink }
    }

    /// Which words keep their heads, and which are cleared; index 0 is the root.
    fn decide(&self, model: &OmissionModel) -> (Vec<bool>, Vec<bool>) {
        let mut kept = vec![false; self.depths.len()];
        let mut cleared = kept.clone();
        let mut under_cleared = kept.clone();
        let mut in_noun_phrase = kept.clone();
        for &word in &self.top_down {
            let head = self.gold.heads.head(word);
            let tag = self.gold.tags[word - 1].as_str();
            in_noun_phrase[word] = in_noun_phrase[head] || model.is_noun(tag);
            if cleared[head] || under_cleared[head] {
                under_cleared[word] = true;
                continue;
            }
            let situation = Situation { tag, depth: self.depths[word], in_noun_phrase: in_noun_phrase[word] };
            kept[word] = self.unlink[word] >= model.unlink_rate(&situation);
            cleared[word] = self.clear[word] < model.clear_rate(&situation);
        }
        (kept, cleared)
    }
}

fn said(gold: &Gold, heads: &[Option<usize>], cleared: &[bool]) -> PartialTree {
    let mut said = crate::said(heads);
    let dependents = gold.heads.dependents_by_head();
    for word in (1..=heads.len()).filter(|&word| cleared[word]) {
        let mut members = vec![word];
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            members.extend(dependents.of(member));
            next += 1;
        }
        if members.len() == 1 || members.len() == heads.len() {
            continue;
        }
        members.sort_unstable();
        let members = members.into_iter().map(Node::Word).collect();
        let head = heads[word - 1].map(|_| Node::Word(word));
        let kind = GroupKind::Bracket { members, head };
        said.groups.push(Group { kind, place: Place::default() });
    }
    said
}

#[cfg(test)]
mod tests;
