//! A model of `treelet joint train` that has arcs as one that completes sentences.

use super::{TagChoice, refusal};
use crate::any_model::AnyModel;
use crate::options::impute::TagColumn;
use crate::use_cases::joint::columns::{TagPlace, seen};
use crate::use_cases::joint::model::JointModel;
use ::joint::{Mode, TreeShape, Within};
use bp::Messages;
use impute::admitted::{self, Trees};
use impute::{ArcPosteriors, Fragment};
use std::collections::BTreeMap;
use tree::sentence::UNSPECIFIED;
use tree::{Constraints, Heads, Sentence};

/// The model and how it came about.
pub(crate) struct JointArcs {
    model: JointModel,
    pub(super) notes: BTreeMap<String, String>,
}

impl JointArcs {
    pub(super) fn read(file: &AnyModel) -> anyhow::Result<Self> {
        let model = JointModel::read(&file.path)?;
        if let JointModel::Tagging { tagger, .. } = &model {
            match tagger.settings().mode {
                Mode::Joint | Mode::Hidden => {}
                Mode::Supervised => return Err(refusal(file, "tags words without syntax")),
                Mode::Oracle => return Err(refusal(file, "tags words where the trees are known")),
            }
        }
        Ok(Self { model, notes: file.header.notes.clone() })
    }

    /// What it is called.
    pub(super) fn name(&self) -> &'static str {
        match &self.model {
            JointModel::Dependency { .. } => "joint parser",
            JointModel::Tagging { tagger, .. } if tagger.settings().mode == Mode::Hidden => {
                "joint tagger with hidden trees"
            }
            JointModel::Tagging { .. } => "joint tagger",
        }
    }

    /// The column of tags that it sees, or else of those that it finds.
    fn place(&self) -> Option<&TagPlace> {
        match &self.model {
            JointModel::Dependency { given, .. } => given.as_ref(),
            JointModel::Tagging { tags, given, .. } => given.as_ref().or(Some(tags)),
        }
    }

    pub(super) fn tags(&self) -> Option<TagChoice> {
        match self.place()? {
            TagPlace::Upos => Some(TagChoice(TagColumn::Upos)),
            TagPlace::Xpos => Some(TagChoice(TagColumn::Xpos)),
            TagPlace::Attribute(_) => None,
        }
    }

    /// The tree with the most probable arcs that keeps what was said. Where that demands it, arcs cross, and several words
    /// hang from the root.
    pub(super) fn complete(
        &self,
        sentence: &Sentence,
        fragment: &Fragment,
    ) -> Option<(Heads, ArcPosteriors)> {
        let words = self.seen(sentence, fragment);
        let (cases, _) = fragment.possible.arc_cases();
        super::loosened(trees(self.shape())).into_iter().find_map(|trees| {
            let posteriors = self.arcs(&words, &cases, trees)?;
            let heads = admitted::best(&fragment.possible, &cases, &posteriors, trees)?;
            Some((heads, posteriors))
        })
    }

    fn shape(&self) -> TreeShape {
        match &self.model {
            JointModel::Dependency { parser, .. } => parser.shape(),
            JointModel::Tagging { tagger, .. } => tagger.shape(),
        }
    }

    /// The words as `treelet parse` shows them to the model, with tags of the other column where its own has none.
    fn seen(&self, sentence: &Sentence, fragment: &Fragment) -> ::joint::Sentence {
        let mut sentence = sentence.clone();
        if let Some(column) = self.tags() {
            for (token, tag) in sentence.words_mut().zip(&fragment.tags) {
                let own = column.of_mut(token);
                if *own == UNSPECIFIED {
                    *own = tag.clone();
                }
            }
        }
        match &self.model {
            JointModel::Dependency { given, .. } => seen(&sentence, None, given.as_ref(), false),
            JointModel::Tagging { tags, given, .. } => {
                let mut words = seen(&sentence, Some(tags), given.as_ref(), false);
                words.tags.iter_mut().for_each(|tag| *tag = tag.take().filter(|tag| *tag != UNSPECIFIED));
                words
            }
        }
    }

    /// How probable arcs are; `None` if no such tree is left.
    ///
    /// In the first order that is a sum over all trees of all cases. Otherwise it is found by loopy propagation over the arcs
    /// that any case leaves, so that blocks whose head is open count in probabilities only by the arcs that they rule out.
    fn arcs(&self, words: &::joint::Sentence, cases: &[Constraints], trees: Trees) -> Option<ArcPosteriors> {
        let allowed = |head: usize, word: usize| cases.iter().any(|case| case.allows_arc(head, word));
        let shape = TreeShape { roots: trees.roots, projective: trees.projective };
        let (within, messages) = (Within { shape, allowed: &allowed }, &mut Messages::default());
        let mut arcs = match &self.model {
            JointModel::Dependency { parser, .. } if parser.settings().order == 1 => {
                return admitted::posteriors(&parser.scores(words).ok()?, cases, trees);
            }
            JointModel::Dependency { parser, .. } => parser.arcs_within(words, &within, messages).ok()?.0,
            JointModel::Tagging { tagger, .. } => tagger.arcs_within(words, &within, messages).ok()?.0,
        };
        // Beliefs of single arcs, where propagation is loopy, need not be those of one head for each word.
        for word in 1..=words.len() {
            let total: f64 = arcs.row(word).iter().sum();
            arcs.row_mut(word).iter_mut().for_each(|p| *p /= total);
        }
        Some(arcs)
    }
}

fn trees(TreeShape { roots, projective }: TreeShape) -> Trees {
    Trees { roots, projective }
}
