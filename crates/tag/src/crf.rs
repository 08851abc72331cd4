//! A tagger that is a conditional random field over the tags of a sentence, of first order.
//!
//! ```text
//! p(tags | words) ∝ exp Σ_i ( Σ_{f seen at i} w_f[tag_i]  +  w[tag_{i−1}, tag_i] )
//! ```
//!
//! What is seen at a word: its form, affixes, shape and whatever the caller says about it, the forms and affixes of its
//! neighbours, forms two words away, and pairs of neighbouring forms. It learns from whatever is known about tags: the tag, a
//! set of tags, or nothing.
//!
//! ```
//! use chain::Workers;
//! use tag::crf::{Crf, CrfOptions, Material, NOTHING_FURTHER};
//! use tag::{Choice, TagSet, Tagged};
//!
//! let mut tags = TagSet::default();
//! let (noun, verb) = (tags.insert("NOUN"), tags.insert("VERB"));
//! let sentence = |words: [&str; 2]| Tagged {
//!     words: words.map(Into::into).to_vec(),
//!     choices: vec![Choice::Known(noun), Choice::Known(verb)],
//!     weight: 1.0,
//! };
//! let sentences = [sentence(["dogs", "barked"]), sentence(["cats", "walked"])];
//! let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
//! let crf = Crf::train(material, NOTHING_FURTHER, &CrfOptions::default(), &Workers::serial())?;
//! let mut decoder = crf.decoder(NOTHING_FURTHER);
//! assert_eq!(decoder.viterbi(&["birds", "jumped"], &[]), [noun, verb]);
//! let posteriors = decoder.posteriors(&["birds", "jumped"], &[]);
//! assert!(posteriors.best(1).1 > 0.5);
//! # Ok::<(), tag::crf::CrfError>(())
//! ```

mod data;
mod decode;
mod decoders;
mod features;
mod file;
mod index;
mod lattice;
mod learn;
mod options;
mod viterbi;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use chain::{Observer, Start, Workers};
use serde::{Deserialize, Serialize};

pub use decode::{Decoder, Posteriors};
pub use decoders::Decoders;
pub use features::{Further, NOTHING_FURTHER};
pub use learn::{Epoch, Material, Training, read_checkpoint};
pub use options::CrfOptions;

use crate::{Choice, TagSet, Tagged};
use ::features::Index;
use file::StoredCrf;
use tree::Text;

/// A tagger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredCrf", try_from = "StoredCrf")]
pub struct Crf {
    tags: TagSet,
    index: Index,
    /// A row for each tag, as the one before, then a row for each feature.
    weights: Vec<f32>,
}

/// Why there is no tagger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CrfError {
    /// The tag set is empty.
    #[error("there are no tags to learn; give tagged words or a dictionary")]
    NoTags,
    /// No sentence says anything about tags.
    #[error(
        "no word of any sentence has a tag or a choice of tags, or there is only one tag; give tagged sentences, or a dictionary of their words"
    )]
    NothingKnown,
    /// A checkpoint of another run.
    #[error("{0}")]
    Run(String),
    /// A checkpoint could not be written.
    #[error("{0}")]
    NotSaved(String),
}

impl Crf {
    /// Trains a tagger. The same sentences, options and seed give the same bits, whatever the number of threads.
    pub fn train(
        material: Material<'_>,
        further: Further<'_>,
        options: &CrfOptions,
        workers: &Workers,
    ) -> Result<Crf, CrfError> {
        Crf::train_watched(material, further, options, workers, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`Crf::train`]; `watch` sees every epoch that is over, and may end the training.
    pub fn train_watched(
        material: Material<'_>,
        further: Further<'_>,
        options: &CrfOptions,
        workers: &Workers,
        watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Crf, CrfError> {
        learn::learn(material, further, options, (Start::Fresh, &mut ()), workers, watch)
    }

    /// The same from the start or from a checkpoint, with observers as for samplers, which may save it.
    pub fn train_saved(
        material: Material<'_>,
        further: Further<'_>,
        options: &CrfOptions,
        (start, observer): (Start<Training>, &mut dyn Observer<Training>),
        workers: &Workers,
        watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Crf, CrfError> {
        learn::learn(material, further, options, (start, observer), workers, watch)
    }

    /// A tagger that knows a single tag, of which there is nothing to learn.
    pub fn of_one_tag(tag: &str) -> Crf {
        Crf::new([Text::from(tag)].into_iter().collect(), Index::default(), vec![0.0])
    }

    fn new(tags: TagSet, index: Index, weights: Vec<f32>) -> Crf {
        Crf { tags, index, weights }
    }

    /// The tags it knows.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// How many features have weights.
    pub fn n_features(&self) -> usize {
        self.index.keys().len()
    }

    /// How much a tag speaks for each tag after it, whatever the words: ln of a factor.
    pub fn followers(&self, tag: u32) -> &[f32] {
        let k = self.tags.len();
        &self.transitions()[tag as usize * k..][..k]
    }

    /// The tagger at work; `further` is what it was trained with.
    pub fn decoder<'m>(&'m self, further: Further<'m>) -> Decoder<'m> {
        Decoder::new(self, further)
    }

    /// The share of known tags that are the most probable ones; nothing but the words is looked at.
    pub fn accuracy(&self, sentences: &[Tagged], further: Further<'_>, workers: &Workers) -> f64 {
        let counts = Decoders::new(self, further, workers).map(sentences, workers, |decoder, sentence| {
            let posteriors = decoder.posteriors(&sentence.words, &[]);
            let known = sentence.choices.iter().enumerate().filter_map(|(word, choice)| match choice {
                Choice::Known(tag) => Some(posteriors.best(word).0 == *tag),
                _ => None,
            });
            known.fold([0usize; 2], |[n, right], is_right| [n + 1, right + usize::from(is_right)])
        });
        let [n, right] = counts.iter().fold([0, 0], |[n, right], [m, more]| [n + m, right + more]);
        right as f64 / n.max(1) as f64
    }

    /// The weights of pairs of tags, a row for each tag that comes first.
    fn transitions(&self) -> &[f32] {
        let k = self.tags.len();
        &self.weights[..k * k]
    }

    /// Adds the weights of a feature, if it has any.
    #[inline]
    fn add(&self, key: u64, scores: &mut [f32]) {
        if let Some(row) = self.index.get(key, 1) {
            let k = scores.len();
            let weights = &self.weights[(k + row as usize) * k..][..k];
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
        }
    }
}
