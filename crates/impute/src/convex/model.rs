//! What training leaves, and the file it is kept in.

use std::collections::BTreeMap;
use std::path::Path;

use chain::Workers;
use chain::container::{self, Header};
use serde::{Deserialize, Serialize};
use tree::Possible;

use super::corpus::{RuleWeights, prior};
use super::features::FeatureTable;
use super::space::{Space, TreeScratch};
use super::{ConvexOptions, Scalings};
use crate::calibrate::correct;
use crate::{Completed, Fragment};

/// The kind of model files.
pub const KIND: &str = "model/convexmst";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 3;

/// Weights of features, and how to use them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConvexModel {
    pub(super) table: FeatureTable,
    pub(super) weights: Vec<f64>,
    /// The settings it was trained with; those that concern trees and rules are used in completing as well.
    pub options: ConvexOptions,
    /// How scores become probabilities.
    pub scalings: Scalings,
    /// Command, checksums and whatever else is worth knowing.
    pub notes: BTreeMap<String, String>,
}

impl ConvexModel {
    /// Whether its probabilities were fitted on annotation that was held out; there may have been too little of it.
    pub fn is_calibrated(&self) -> bool {
        self.scalings.are_fitted()
    }

    /// The best tree that the annotation admits, and the probability of each arc.
    ///
    /// For weights that are fixed, the objective is lowest for the tree with the highest Xw + n (μu + ξv). That holds
    /// for sentences of the training too: their y, which mixes several trees, is not asked, so that a sentence is
    /// completed alike whether it was trained on or not.
    pub fn complete(&self, fragment: &Fragment) -> Completed {
        self.complete_with(fragment, &self.rules(), &mut TreeScratch::default())
    }

    /// The same for many sentences.
    pub fn complete_all(&self, fragments: &[Fragment], workers: &Workers) -> Vec<Completed> {
        let rules = self.rules();
        workers.map_with(fragments, TreeScratch::default, |scratch, _, fragment| {
            self.complete_with(fragment, &rules, scratch)
        })
    }

    /// The best tree of a sentence, whatever was said of it.
    pub fn parse(&self, fragment: &Fragment) -> Completed {
        self.complete(&Fragment { possible: Possible::everything(fragment.len()), ..fragment.clone() })
    }

    /// Names and weights of all features.
    pub fn weights(&self) -> impl Iterator<Item = (String, f64)> {
        self.weights.iter().enumerate().map(|(feature, &weight)| (self.table.name(feature), weight))
    }

    /// Writes the model in one step: the file is there as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model; damaged files and other versions are refused with advice.
    pub fn read(path: &Path) -> Result<ConvexModel, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model)| model)
    }

    pub(super) fn rules(&self) -> RuleWeights {
        RuleWeights::new(&self.table, &self.options.rules)
    }

    fn complete_with(
        &self,
        fragment: &Fragment,
        rules: &RuleWeights,
        scratch: &mut TreeScratch,
    ) -> Completed {
        let space = Space::new(fragment, &self.options, scratch);
        let scaling = self.scalings.of(fragment);
        self.fill_scores(fragment, rules, scaling.temperature, scratch);
        let mut posteriors = space.posteriors(scratch);
        correct(&mut posteriors, &scaling.confidence);
        // The best tree is the same at any temperature.
        let (heads, given_up) = space.best(scratch);
        Completed { heads, posteriors, samples: Vec::new(), given_up }
    }

    /// Xw + n (μu + ξv), divided by a temperature.
    pub(super) fn fill_scores(
        &self,
        fragment: &Fragment,
        rules: &RuleWeights,
        temperature: f64,
        scratch: &mut TreeScratch,
    ) {
        let n_words = fragment.len();
        let sentence = self.table.number(fragment);
        let prior = prior(&sentence, fragment, rules, &self.options);
        scratch.scores.reset(n_words);
        for word in (1..=n_words).filter(|&word| !fragment.possible.left_out(word)) {
            for head in (0..=n_words).filter(|&head| head != word) {
                let mut score = prior[(word - 1) * (n_words + 1) + head];
                self.table.each(&sentence, head, word, |key| {
                    if let Some(feature) = self.table.find(key) {
                        score += self.weights[feature as usize];
                    }
                });
                scratch.scores.set(head, word, score / temperature);
            }
        }
    }
}
