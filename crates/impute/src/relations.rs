//! Relations of arcs, where somebody has said some: a small model for trees whose heads an imputer has found.
//!
//! A relation goes by the tag of the dependent, that of the head, the side on which the head stands, and the form of the
//! dependent, in this order. The distribution of each such context is smoothed towards that of the context before it,
//!
//! ```text
//! p_k(r) = (n_k(r) + α p_{k−1}(r)) / (n_k + α),   p_0(r) = n(r) / n
//! ```
//!
//! Where `root` was said of words, it is the relation of those that hang from the root and of no others. How sure the best
//! relation may be is found out by asking of each sentence what the others say.

use num::confidence::{Confidence, Guess, most_probable};
use rustc_hash::FxHashMap;
use tree::sentence::is_root_relation;
use tree::{Symbols, Text};

use crate::Fragment;

/// Nothing is learned from fewer arcs.
const FEWEST: usize = 20;
/// Fewer arcs do not tell how often relations are right.
const FEWEST_TO_CALIBRATE: usize = 50;
/// α, how many arcs the coarser context counts for.
const SMOOTHING: f64 = 1.0;
/// The number of contexts of an arc.
const LEVELS: usize = 5;
/// The number of a tag or form that was not learned from, and that of the tag of the root.
const UNKNOWN: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// An arc whose relation is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledArc {
    /// The word, from 1.
    pub dependent: usize,
    /// Its head, 0 for the root.
    pub head: usize,
    /// The relation.
    pub relation: Text,
}

/// p(relation | arc), from counts.
#[derive(Debug, Clone)]
pub struct RelationModel {
    /// Relations by number, in the order in which they were met.
    names: Symbols,
    /// Tags and forms by number.
    seen: Symbols,
    counts: ContextCounts,
    n_arcs: usize,
    /// What corrects probabilities; none if there were too few arcs to find out.
    confidence: Option<Confidence>,
}

impl RelationModel {
    /// Learns from sentences and the arcs of theirs whose relation is known; `None` if these are too few.
    ///
    /// ```
    /// use impute::Fragment;
    /// use impute::relations::{LabelledArc, RelationModel};
    /// use tree::Sentence;
    ///
    /// let mut sentence = Sentence::from_forms(["the", "dog", "barks"]);
    /// sentence.words_mut().zip(["DET", "NOUN", "VERB"]).for_each(|(word, tag)| word.upos = tag.into());
    /// let fragment = Fragment::free(&sentence);
    /// let arc = |dependent, head, relation: &str| LabelledArc { dependent, head, relation: relation.into() };
    /// let arcs = vec![arc(1, 2, "det"), arc(2, 3, "nsubj"), arc(3, 0, "root")];
    /// let data = vec![(&fragment, arcs); 7];
    /// let model = RelationModel::learn(&data).expect("21 arcs are enough");
    /// assert_eq!(model.best(&fragment, 2, 3).map(|(name, p)| (name.as_str(), p > 0.8)), Some(("nsubj", true)));
    /// ```
    pub fn learn(data: &[(&Fragment, Vec<LabelledArc>)]) -> Option<RelationModel> {
        let n_arcs = data.iter().map(|(_, arcs)| arcs.len()).sum();
        if n_arcs < FEWEST {
            return None;
        }
        let (names, seen) = (Symbols::default(), Symbols::default());
        let mut model =
            RelationModel { names, seen, counts: ContextCounts::default(), n_arcs, confidence: None };
        for (fragment, arcs) in data {
            for tag in &fragment.tags {
                model.seen.insert(tag);
            }
            for form in &fragment.forms {
                model.seen.insert(&form.to_lowercase());
            }
            for arc in arcs {
                model.names.insert(&arc.relation);
            }
            model.counts.add_all(&model.contexts_of(fragment, arcs));
        }
        if n_arcs >= FEWEST_TO_CALIBRATE {
            model.confidence = Some(Confidence::fit(&model.guesses(data)));
        }
        Some(model)
    }

    /// The most probable relation of an arc, and how probable it is; `None` if it can have none of those that are known.
    pub fn best(&self, fragment: &Fragment, dependent: usize, head: usize) -> Option<(&Text, f64)> {
        let row = self.row(&self.contexts(fragment, dependent, head), None)?;
        let best = most_probable(&row);
        let p = self.confidence.as_ref().map_or(row[best], |confidence| confidence.of(row[best]));
        Some((self.names.get(best as u32)?, p.min(1.0)))
    }

    /// The number of arcs that it was learned from.
    pub fn n_arcs(&self) -> usize {
        self.n_arcs
    }

    /// Whether it was found out how often its relations are right.
    pub fn is_calibrated(&self) -> bool {
        self.confidence.is_some()
    }

    /// What the other sentences say of each arc, before anything is corrected, and whether that is right.
    fn guesses(&self, data: &[(&Fragment, Vec<LabelledArc>)]) -> Vec<Guess> {
        let mut guesses = Vec::new();
        for (fragment, arcs) in data {
            let known = self.contexts_of(fragment, arcs);
            let mut own = ContextCounts::default();
            own.add_all(&known);
            for (contexts, relation) in &known {
                let row = self.row(contexts, Some(&own)).unwrap_or_default();
                guesses.push(Guess::of_row(&row, *relation));
            }
        }
        guesses
    }

    /// The probabilities of all relations, without some arcs that were counted; `None` if no relation is possible.
    fn row(&self, contexts: &Contexts, without: Option<&ContextCounts>) -> Option<Vec<f64>> {
        let mut row = vec![0.0; self.names.len()];
        for (level, context) in contexts.iter().enumerate() {
            let left = |relation: usize| {
                self.counts.of(context, relation) - without.map_or(0.0, |own| own.of(context, relation))
            };
            let total: f64 = (0..row.len()).map(left).sum();
            let prior = if level == 0 { 0.0 } else { SMOOTHING };
            if total > 0.0 {
                let smoothed = |(at, p): (usize, &mut f64)| *p = (left(at) + prior * *p) / (total + prior);
                row.iter_mut().enumerate().for_each(smoothed);
            }
        }
        self.keep_possible(&mut row, contexts[LEVELS - 1][2] == ROOT);
        let total: f64 = row.iter().sum();
        row.iter_mut().for_each(|p| *p /= total);
        (total > 0.0).then_some(row)
    }

    /// Where `root` is known, it is the relation of words that hang from the root, and of no others.
    fn keep_possible(&self, row: &mut [f64], hangs_from_root: bool) {
        let is_root: Vec<bool> = self.names.names().map(|name| is_root_relation(name)).collect();
        let knows_roots = row.iter().zip(&is_root).any(|(&p, &is_root)| is_root && p > 0.0);
        if knows_roots {
            let others = row.iter_mut().zip(&is_root).filter(|&(_, &is_root)| is_root != hangs_from_root);
            others.for_each(|(p, _)| *p = 0.0);
        }
    }

    fn contexts_of(&self, fragment: &Fragment, arcs: &[LabelledArc]) -> Vec<(Contexts, usize)> {
        let known = |arc: &LabelledArc| {
            let relation = self.names.number(&arc.relation)?;
            Some((self.contexts(fragment, arc.dependent, arc.head), relation as usize))
        };
        arcs.iter().filter_map(known).collect()
    }

    fn contexts(&self, fragment: &Fragment, dependent: usize, head: usize) -> Contexts {
        let number = |name: &str| self.seen.number(name).unwrap_or(UNKNOWN);
        let tag = |word: usize| fragment.tags.get(word.wrapping_sub(1)).map_or(UNKNOWN, |tag| number(tag));
        let form = fragment.forms.get(dependent.wrapping_sub(1));
        let form = form.map_or(UNKNOWN, |form| number(&form.to_lowercase()));
        let own = tag(dependent);
        let of_head = if head == 0 { ROOT } else { tag(head) };
        let side = u32::from(head < dependent);
        [
            [0; 5],
            [1, own, 0, 0, 0],
            [2, own, of_head, 0, 0],
            [3, own, of_head, side, 0],
            [4, own, of_head, side, form],
        ]
    }
}

/// What is looked at of an arc: the level, the dependent's tag, the head's tag, the side of the head, the dependent's form.
type Context = [u32; 5];
/// All contexts of an arc, the coarsest first.
type Contexts = [Context; LEVELS];

/// How often each relation was met in each context.
#[derive(Debug, Clone, Default)]
struct ContextCounts(FxHashMap<Context, Vec<f64>>);

impl ContextCounts {
    fn add_all(&mut self, arcs: &[(Contexts, usize)]) {
        for (contexts, relation) in arcs {
            for context in contexts {
                let row = self.0.entry(*context).or_default();
                row.resize(row.len().max(relation + 1), 0.0);
                row[*relation] += 1.0;
            }
        }
    }

    fn of(&self, context: &Context, relation: usize) -> f64 {
        self.0.get(context).and_then(|row| row.get(relation)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests;
