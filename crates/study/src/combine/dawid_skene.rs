//! Annotators with biases: the model of Dawid & Skene (1979) on delexicalised arcs (Mielens 2016, §6.5.1).
//!
//! # The model
//!
//! An *item* i is a word to which at least one annotator gave a head; t is its tag. What a head means across
//! sentences is its *category*: the root, or the tag of the head and the side on which it stands. C(t) is the
//! set of categories that any annotator used for words with tag t. A sentence *offers* some of them to item i,
//! each with m(i, k) heads. With z the true head, y the head that annotator j gives, k and k' their categories,
//!
//! ```text
//! p(z = h)           = π(t, k) / Σ_{c offered} π(t, c) · 1 / m(i, k)
//! p(y = h' | z = h)  = a(j, t) · [h' = h] + (1 − a(j, t)) · e(j, t, k') / Σ_{c offered} e(j, t, c) · 1 / m(i, k')
//! ```
//!
//! π are prevalences of categories. The annotator knows the head with probability a and otherwise gives one by
//! a bias e. In terms of Dawid & Skene the confusion between categories is
//!
//! ```text
//! θ(j, t, k, k') = a(j, t) · [k' = k] + (1 − a(j, t)) · e(j, t, k'),
//! ```
//!
//! a matrix whose rows share their errors. Free rows for each tag have a hundred times as many parameters as the
//! annotations can bear: categories that are never true then turn into wastebaskets, with rows fitted to chance
//! agreements, and the result is worse than a majority vote. With shared errors a category can only become
//! prevalent by being said. The bias that matters is there: an annotator who lets nouns depend on determiners
//! has e(j, NOUN, (DET, left)) near 1, so that such labels say nothing and all others of theirs say much.
//!
//! The truth may be a head that nobody gave, so that a lonely annotator is not right by definition.
//!
//! # Estimation
//!
//! E: p(z = h | y) ∝ p(z = h) · Π_j p(y_j | z = h), over the heads that were given and, together for each
//! category, those that were not. M: a is the share of labels given knowingly, and π and e are moved by one
//! step of Hunter's (2004) for choices among what is offered. Pseudo-counts are Dirichlet priors with the
//! parameters pseudo-count + 1, and the mode of the posterior is sought; with all of them 0 it is maximum
//! likelihood. The objective, log likelihood + Σ pseudo-count · log parameter, never falls.
//!
//! An annotator who gave fewer than [`Options::min_items`] heads to words of tag t has no a and e for it, but
//! one a for all such tags, and guesses among all heads alike. That is settled by counting labels beforehand, so
//! it does not disturb the ascent.
//!
//! It starts from shares of votes. If half of the annotators follow another convention, the data cannot say
//! which is right: [`Options::standard`] can, as pseudo-counts of prevalences from a treebank.

mod em;
mod items;

use super::{Combined, Vote, check_heads, resolve};
use crate::Error;
use crate::error::in_range;
use chain::fit::{FitStart, Fitted};
use chain::{Observer, Start};
pub use em::Estimates;
use em::{Estimation, Parameters};
use indexmap::IndexMap;
use items::Data;
use tree::Text;

/// A sentence and its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// Tags in word order.
    pub tags: Vec<Text>,
    /// Annotators (from 0) and the heads they gave.
    pub annotations: Vec<(usize, Vec<Option<usize>>)>,
}

/// What a head means across sentences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The root.
    Root,
    /// A head with this tag to the left of its dependent.
    Left(Text),
    /// A head with this tag to the right of its dependent.
    Right(Text),
}

impl Category {
    /// The category of a head of a word (from 1; 0 is the root) in a sentence with these tags; `None` if
    /// there is no such head.
    pub fn of(tags: &[Text], word: usize, head: usize) -> Option<Self> {
        match head {
            0 => Some(Self::Root),
            _ => {
                let tag = tags.get(head - 1)?.clone();
                Some(if head < word { Self::Left(tag) } else { Self::Right(tag) })
            }
        }
    }
}

/// Priors and patience.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Pseudo-count of heads that an annotator gave knowingly, for each a.
    pub right: f64,
    /// Pseudo-count of heads that an annotator guessed, for each a.
    pub wrong: f64,
    /// Pseudo-count of every category of a bias e.
    pub errors: f64,
    /// Pseudo-count of every prevalence.
    pub prevalence: f64,
    /// More pseudo-counts of prevalences: tag of the dependent, category, count. Those for categories that no
    /// annotator used have no effect.
    pub standard: Vec<(Text, Category, f64)>,
    /// Heads an annotator must have given to words of a tag to have an a and e for it.
    pub min_items: usize,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Ends when an iteration gains less than this share of the objective.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            right: 4.0,
            wrong: 1.0,
            errors: 0.1,
            prevalence: 0.1,
            standard: Vec::new(),
            min_items: 30,
            max_iterations: 500,
            tolerance: 1e-8,
        }
    }
}

impl Options {
    /// Maximum likelihood: no prior at all, and all annotators have an a and e for every tag.
    pub fn maximum_likelihood() -> Self {
        Self { right: 0.0, wrong: 0.0, errors: 0.0, prevalence: 0.0, min_items: 0, ..Self::default() }
    }
}

/// What is believed about the head of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The sentence, from 0.
    pub sentence: usize,
    /// The word, from 1.
    pub word: usize,
    /// Heads that were given, with probabilities, the most probable first.
    pub heads: Vec<(usize, f64)>,
    /// The probability that it is none of them.
    pub elsewhere: f64,
}

/// What is believed about an annotator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Annotator {
    /// Heads the annotator gave.
    pub n_labels: usize,
    /// How many of them are right, in expectation.
    pub expected_right: f64,
}

impl Annotator {
    /// The share of heads that are right, in expectation; `None` if there are none.
    pub fn accuracy(&self) -> Option<f64> {
        (self.n_labels > 0).then(|| self.expected_right / self.n_labels as f64)
    }
}

/// The estimated model.
#[derive(Clone, Debug)]
pub struct DawidSkene {
    /// The annotators.
    pub annotators: Vec<Annotator>,
    /// One for each item, by sentence and word.
    pub posteriors: Vec<Posterior>,
    /// The objective before each iteration and after the last.
    pub objective: Vec<f64>,
    /// Whether the gain fell below the tolerance.
    pub converged: bool,
    data: Data,
    parameters: Parameters,
}

/// Estimates who is right from annotations by `n_annotators` annotators.
///
/// Without any annotation the model is empty. Time per iteration is labels · categories of a tag.
pub fn dawid_skene(
    sentences: &[Annotated],
    n_annotators: usize,
    options: &Options,
) -> Result<DawidSkene, Error> {
    dawid_skene_observed(sentences, n_annotators, options, Start::Fresh, &mut ())
}

/// Like [`dawid_skene`], from the start or from a checkpoint, with observers as for samplers.
pub fn dawid_skene_observed(
    sentences: &[Annotated],
    n_annotators: usize,
    options: &Options,
    start: FitStart<Estimates>,
    observer: &mut dyn Observer<Fitted<Estimates>>,
) -> Result<DawidSkene, Error> {
    check(sentences, n_annotators, options)?;
    let data = Data::new(sentences, n_annotators, options);
    let estimation = Estimation::new(&data, options);
    let found = estimation.fit(start, observer);
    let (found, converged) = found.map_err(|error| Error::Run { reason: error.to_string() })?;
    let beliefs = estimation.beliefs(&found.params.valued);
    Ok(DawidSkene {
        annotators: em::annotators(&data, &beliefs),
        posteriors: em::posteriors(&data, &beliefs),
        objective: found.history,
        converged,
        parameters: found.params.valued,
        data,
    })
}

fn check(sentences: &[Annotated], n_annotators: usize, options: &Options) -> Result<(), Error> {
    let numbers = [options.right, options.wrong, options.errors, options.prevalence, options.tolerance];
    for count in numbers.into_iter().chain(options.standard.iter().map(|&(_, _, count)| count)) {
        in_range("a pseudo-count or tolerance", count, "0 or more", count >= 0.0 && count.is_finite())?;
    }
    for sentence in sentences {
        for (annotator, heads) in &sentence.annotations {
            if *annotator >= n_annotators {
                return Err(Error::Annotator { annotator: *annotator, annotators: n_annotators });
            }
            check_heads(*annotator, heads, sentence.tags.len())?;
        }
    }
    Ok(())
}

impl DawidSkene {
    /// π: the categories of heads of words with a tag, with prevalences; empty for a tag without items.
    pub fn prevalences(&self, tag: &str) -> Vec<(&Category, f64)> {
        let Some((index, _, block)) = self.data.blocks.get_full(tag) else { return Vec::new() };
        block.categories.iter().zip(self.parameters.prevalences[index].iter().copied()).collect()
    }

    /// θ: how likely an annotator gives a word with this tag a head of category `said` if `truth` is right and
    /// all categories are offered; `None` for categories that nobody used with the tag.
    pub fn confusion(&self, annotator: usize, tag: &str, truth: &Category, said: &Category) -> Option<f64> {
        let block = self.data.blocks.get(tag)?;
        block.categories.get_index_of(truth)?;
        let known = if truth == said { self.knows(annotator, tag)? } else { 0.0 };
        Some(known + (1.0 - self.knows(annotator, tag)?) * self.bias(annotator, tag, said)?)
    }

    /// a: how likely an annotator knows the head of a word with this tag; `None` for a tag without items.
    pub fn knows(&self, annotator: usize, tag: &str) -> Option<f64> {
        let block = self.data.blocks.get_index_of(tag)?;
        (annotator < self.data.n_annotators).then(|| self.parameters.knows(block, annotator).yes)
    }

    /// e: how likely an annotator who does not know the head of a word with this tag gives it one of this
    /// category, if all are offered; even for an annotator who gave too few. `None` for categories that nobody
    /// used with the tag.
    pub fn bias(&self, annotator: usize, tag: &str, said: &Category) -> Option<f64> {
        let (index, _, block) = self.data.blocks.get_full(tag)?;
        let category = block.categories.get_index_of(said)?;
        let skill = self.parameters.skills[index].get(annotator)?;
        Some(skill.as_ref().map_or(1.0 / block.categories.len() as f64, |skill| skill.errors[category]))
    }

    /// The most probable heads of every sentence that form no cycle, in the order of probability; as with the
    /// other ways to combine, conflicts and heads kept out are listed. `sentences` are those of the estimation.
    pub fn combined(&self, sentences: &[Annotated]) -> Vec<Combined> {
        let mut ballots: Vec<Vec<Vec<Vote>>> =
            sentences.iter().map(|sentence| vec![Vec::new(); sentence.tags.len()]).collect();
        for posterior in &self.posteriors {
            let Some(sentence) = sentences.get(posterior.sentence) else { continue };
            let Some(ballot) = ballots[posterior.sentence].get_mut(posterior.word - 1) else { continue };
            let said = |head: usize| {
                let given = sentence.annotations.iter();
                given.filter(move |(_, heads)| heads.get(posterior.word - 1) == Some(&Some(head)))
            };
            ballot.extend(posterior.heads.iter().map(|&(head, weight)| Vote {
                head,
                weight,
                annotators: said(head).map(|&(annotator, _)| annotator).collect(),
            }));
        }
        ballots.into_iter().map(resolve).collect()
    }
}

/// Pseudo-counts for [`Options::standard`]: how often each category heads each tag in gold trees, times
/// `strength`.
pub fn standard<'a>(
    trees: impl IntoIterator<Item = (&'a [Text], &'a [Option<usize>])>,
    strength: f64,
) -> Vec<(Text, Category, f64)> {
    let mut counts: IndexMap<(Text, Category), f64> = IndexMap::new();
    for (tags, heads) in trees {
        for (index, (tag, head)) in tags.iter().zip(heads).enumerate() {
            if let Some(category) = head.and_then(|head| Category::of(tags, index + 1, head)) {
                *counts.entry((tag.clone(), category)).or_default() += strength;
            }
        }
    }
    counts.into_iter().map(|((tag, category), count)| (tag, category, count)).collect()
}

#[cfg(test)]
mod tests;
