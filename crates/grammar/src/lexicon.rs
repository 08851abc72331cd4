//! Words: which tags can have them, and how probable each word is under each tag.
//!
//! A word that occurs often enough in training is an *emission* of its own. All others, the unseen ones
//! included, are emitted in two steps: the tag emits a class of words, and the class the word,
//!
//! ```text
//! P(w | T[x]) = P(class(w) | T[x]) · P(w | class(w), T),    P(w | c, T) ∝ q(T | w) / q(T | c)
//! ```
//!
//! where q(T | w) is the log-linear model of [`features::TagModel`] and q(T | c) its mean over the rare words of
//! the class. What is left of P(w | c, T) does not depend on the tag and cancels. The second step does not
//! depend on the annotation x, so training needs to know only the class. The papers' way is the case without
//! the second step ([`features::RareWords::ClusterOnly`]).

mod classes;
mod learn;

pub use learn::{LexiconOptions, TaggedForm};

use features::TagModel;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use tree::Text;

use crate::rules::Category;
use classes::Classes;

/// The lexicon of a grammar.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Lexicon {
    /// Categories that have words, sorted.
    tags: Vec<Category>,
    /// The share of each tag among rare words.
    rare_tags: Vec<f64>,
    /// Words of their own, and how often they occur.
    known: IndexMap<Text, u32, FxBuildHasher>,
    classes: Classes,
    /// q; `None` if the class is all that counts.
    model: Option<TagModel>,
    /// q(T | c), by class and tag.
    class_tags: Vec<Vec<f64>>,
    /// Tag and emission of each lexical rule, sorted by emission.
    pairs: Vec<(u32, u32)>,
    /// Where the rules of each emission begin.
    starts: Vec<u32>,
    /// The prior mean of each lexical rule among those of its tag.
    coarse: Vec<f64>,
    /// The number of the first lexical rule.
    first_rule: u32,
    /// Words that occur less often than this are emitted through their class.
    threshold: u32,
}

/// What a word can be: lexical rules, each with its tag and the factor P(w | class, T).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Whether the word has an emission of its own.
    pub known: bool,
    /// Lexical rule, its tag, and the factor; never empty.
    pub tags: Vec<(u32, Category, f64)>,
}

impl Lexicon {
    /// The categories that have words.
    pub fn tags(&self) -> &[Category] {
        &self.tags
    }

    /// The tag of each lexical rule, in the order of rules.
    pub fn rule_tags(&self) -> Vec<Category> {
        self.pairs.iter().map(|&(tag, _)| self.tags[tag as usize]).collect()
    }

    /// The prior mean of each lexical rule among those of its tag.
    pub fn coarse(&self) -> &[f64] {
        &self.coarse
    }

    /// How many words have an emission of their own.
    pub fn n_known(&self) -> usize {
        self.known.len()
    }

    /// How many classes of rare words there are.
    pub fn n_classes(&self) -> usize {
        self.class_tags.len()
    }

    /// Words that occur less often than this in training are emitted through their class.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// The lexical rule of a training token.
    pub fn rule(&self, form: &str, first: bool, tag: Category) -> Option<u32> {
        let tag = self.tags.binary_search(&tag).ok()? as u32;
        let emission = self.emission(form, first);
        let range = self.range(emission);
        let at = self.pairs[range.clone()].binary_search(&(tag, emission as u32)).ok()?;
        Some(self.first_rule + (range.start + at) as u32)
    }

    /// The word that a lexical rule emits; `None` if it emits a class of words.
    pub fn word(&self, rule: u32) -> Option<&Text> {
        let &(_, emission) = self.pairs.get(rule.checked_sub(self.first_rule)? as usize)?;
        self.known.get_index(emission as usize).map(|(word, _)| word)
    }

    /// The lexical rules that a word of a new sentence can come from.
    ///
    /// Tags that q holds for next to impossible are left out, but never all.
    pub fn read(&self, form: &str, first: bool) -> Reading {
        self.read_above(form, first, LEAST_POSTERIOR)
    }

    /// The same with every tag that the word's class has, for sentences that have no tree otherwise.
    ///
    /// A word of its own is read through its class as well.
    pub fn read_widely(&self, form: &str, first: bool) -> Reading {
        let mut reading = self.read_above(form, first, 0.0);
        if reading.known {
            reading.tags.extend(self.read_class(form, first, 0.0).tags);
        }
        reading
    }

    /// The reading of a word whose tag is given: one of `tags`, whether or not it was seen with the word.
    ///
    /// A tag that neither the word nor its class has is given the tag's commonest emission: what the word is like
    /// then says nothing, which is right where the tag is certain.
    pub fn read_as(&self, form: &str, first: bool, tags: &[Category]) -> Reading {
        let class = self.known.len() + self.classes.class(form, first);
        let in_class = |tag: Category| self.range(class).find(|&at| self.tag_at(at) == tag);
        let commonest = |tag: Category| {
            let mine = (0..self.pairs.len()).filter(|&at| self.tag_at(at) == tag);
            mine.max_by(|&a, &b| self.coarse[a].total_cmp(&self.coarse[b]))
        };
        let rule = |tag: Category| {
            let other = || in_class(tag).or_else(|| commonest(tag)).map(|at| self.rule_at(at));
            self.rule(form, first, tag).or_else(other)
        };
        let tags = tags.iter().filter_map(|&tag| Some((rule(tag)?, tag, 1.0)));
        Reading { known: false, tags: tags.collect() }
    }

    fn read_above(&self, form: &str, first: bool, least: f64) -> Reading {
        let emission = self.emission(form, first);
        if emission >= self.known.len() {
            return self.read_class(form, first, least);
        }
        let rules = self.range(emission).map(|at| (self.rule_at(at), self.tag_at(at), 1.0));
        Reading { known: true, tags: rules.collect() }
    }

    fn read_class(&self, form: &str, first: bool, least: f64) -> Reading {
        let class = self.classes.class(form, first);
        let means = &self.class_tags[class];
        let mut posterior = Vec::new();
        match &self.model {
            Some(model) => self.classes.posterior(model, form, first, &mut posterior),
            None => posterior.clone_from(means),
        }
        let all: Vec<(usize, f64)> = self
            .range(self.known.len() + class)
            .map(|at| (at, posterior[self.pairs[at].0 as usize]))
            .collect();
        let best = all.iter().map(|(_, q)| *q).fold(0.0, f64::max);
        let kept = all.into_iter().filter(|(_, q)| *q > least || *q == best);
        let factor = |at: usize, q: f64| q / means[self.pairs[at].0 as usize].max(f64::MIN_POSITIVE);
        let tags = kept.map(|(at, q)| (self.rule_at(at), self.tag_at(at), factor(at, q)));
        Reading { known: false, tags: tags.collect() }
    }

    fn rule_at(&self, pair: usize) -> u32 {
        self.first_rule + pair as u32
    }

    fn tag_at(&self, pair: usize) -> Category {
        self.tags[self.pairs[pair].0 as usize]
    }

    fn range(&self, emission: usize) -> std::ops::Range<usize> {
        self.starts[emission] as usize..self.starts[emission + 1] as usize
    }

    /// The number of a word's emission: its own, that of its lower-case form at the start of a sentence, or its
    /// class.
    fn emission(&self, form: &str, first: bool) -> usize {
        let own = || self.known.get_index_of(form);
        let lower = || first.then(|| self.known.get_index_of(form.to_lowercase().as_str())).flatten();
        own().or_else(lower).unwrap_or_else(|| self.known.len() + self.classes.class(form, first))
    }
}

/// A tag of a smaller posterior under q is not tried.
const LEAST_POSTERIOR: f64 = 1e-4;
