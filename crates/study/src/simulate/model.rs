//! The annotators: which rates apply to which words.

use crate::Error;
use crate::error::{in_range, share};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tree::Text;

/// How an annotator leaves things out. All rates are probabilities of removal, except for `beta`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OmissionModel {
    /// Every word loses its head at the same rate (Algorithm 2).
    Random {
        /// Share of heads removed.
        rate: f64,
    },
    /// Only noun phrases are annotated (Algorithm 3): words that no noun dominates lose their heads, and nouns
    /// may be cleared and de-linked. The algorithm calls the two rates i and l, the text α and β.
    NounSeeking {
        /// How often a noun phrase is left without inner structure.
        alpha: f64,
        /// How often a noun is linked to its head.
        beta: f64,
        /// Tags of nouns.
        nouns: Vec<Text>,
    },
    /// Any phrase may be cleared, at a rate for the tag of its head (Algorithm 4).
    ConstituentSeeking {
        /// How often a phrase is left without inner structure, by tag.
        alpha: Rates,
        /// How often a word that is not inside a cleared phrase is linked to its head.
        beta: f64,
    },
    /// Deeper words lose their heads more often (Algorithm 5): the rate at depth d, where words under the root
    /// have depth 1, is `first + (d − 1) · step`, and 0 or 1 where that is beyond them.
    LevelPruning {
        /// Rate at depth 1.
        first: f64,
        /// What each level adds; 0.1 in the thesis.
        step: f64,
    },
    /// A rate for each depth; the last one holds for all depths below.
    PerDepth {
        /// Rates from depth 1.
        rates: Vec<f64>,
    },
    /// A rate for each tag.
    PerTag {
        /// Rates by the tag of the dependent.
        rates: Rates,
    },
}

/// A rate for each tag.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Rates of the tags that have their own.
    pub by_tag: BTreeMap<Text, f64>,
    /// The rate of all others.
    pub other: f64,
}

impl Rates {
    /// The rate of a tag.
    pub fn of(&self, tag: &str) -> f64 {
        self.by_tag.get(tag).copied().unwrap_or(self.other)
    }

    fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        let by_tag = self.by_tag.iter().map(|(tag, &rate)| (tag.clone(), change(rate))).collect();
        Self { by_tag, other: change(self.other) }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.by_tag.values().copied().chain([self.other])
    }
}

impl FromIterator<(Text, f64)> for Rates {
    /// Rates of some tags, and 0 for all others.
    fn from_iter<I: IntoIterator<Item = (Text, f64)>>(rates: I) -> Self {
        Self { by_tag: rates.into_iter().collect(), other: 0.0 }
    }
}

/// What the rates of a word depend on.
pub(super) struct Situation<'a> {
    pub(super) tag: &'a str,
    pub(super) depth: usize,
    pub(super) in_noun_phrase: bool,
}

impl OmissionModel {
    /// A noun-seeker for the tags of Universal Dependencies.
    pub fn noun_seeking(alpha: f64, beta: f64) -> Self {
        Self::NounSeeking { alpha, beta, nouns: ["NOUN", "PROPN", "PRON"].map(Text::new_static).to_vec() }
    }

    /// Level pruning as in the thesis: each level adds a tenth.
    pub fn level_pruning(first: f64) -> Self {
        Self::LevelPruning { first, step: 0.1 }
    }

    /// Whether all rates are probabilities; the levels of level pruning may be any finite numbers.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Random { rate } => share("the rate", *rate).map(drop),
            Self::NounSeeking { alpha, beta, .. } => {
                share("alpha", *alpha).and(share("beta", *beta)).map(drop)
            }
            Self::ConstituentSeeking { alpha, beta } => {
                alpha.values().try_for_each(|rate| share("alpha", rate).map(drop))?;
                share("beta", *beta).map(drop)
            }
            Self::LevelPruning { first, step } => [("the first rate", *first), ("the step", *step)]
                .into_iter()
                .try_for_each(|(what, value)| in_range(what, value, "a number", value.is_finite()).map(drop)),
            Self::PerDepth { rates } if rates.is_empty() => Err(Error::Nothing { what: "rates by depth" }),
            Self::PerDepth { rates } => rates.iter().try_for_each(|&rate| share("the rate", rate).map(drop)),
            Self::PerTag { rates } => rates.values().try_for_each(|rate| share("the rate", rate).map(drop)),
        }
    }

    pub(super) fn is_noun(&self, tag: &str) -> bool {
        matches!(self, Self::NounSeeking { nouns, .. } if nouns.iter().any(|noun| noun == tag))
    }

    /// How likely a word loses its head, unless it is inside a cleared phrase, where it always does.
    pub(super) fn unlink_rate(&self, place: &Situation) -> f64 {
        match self {
            Self::Random { rate } => *rate,
            Self::NounSeeking { .. } if !place.in_noun_phrase => 1.0,
            Self::NounSeeking { .. } if !self.is_noun(place.tag) => 0.0,
            Self::NounSeeking { beta, .. } | Self::ConstituentSeeking { beta, .. } => 1.0 - beta,
            Self::LevelPruning { first, step } => first + step * (place.depth as f64 - 1.0),
            Self::PerDepth { rates } => rates.get(place.depth - 1).or(rates.last()).copied().unwrap_or(0.0),
            Self::PerTag { rates } => rates.of(place.tag),
        }
    }

    /// How likely a word is cleared.
    pub(super) fn clear_rate(&self, place: &Situation) -> f64 {
        match self {
            Self::NounSeeking { alpha, .. } if self.is_noun(place.tag) => *alpha,
            Self::ConstituentSeeking { alpha, .. } => alpha.of(place.tag),
            _ => 0.0,
        }
    }

    /// The same annotator, more or less thorough: at `x` = −1 nothing is removed that can be kept, at 0 the
    /// model is itself, at 1 all is removed, and every rate r goes the straight way in between,
    ///
    /// r(x) = r + x · (1 − r) for x ≥ 0, and r · (1 + x) for x ≤ 0,
    ///
    /// so that the tags keep their order. Level pruning keeps its step and moves the first rate.
    pub(super) fn turned(&self, x: f64, max_depth: usize) -> Self {
        let turn = |rate: f64| towards(rate, 0.0, 1.0, x);
        let turn_kept = |kept: f64| 1.0 - turn(1.0 - kept);
        match self {
            Self::Random { rate } => Self::Random { rate: turn(*rate) },
            Self::NounSeeking { alpha, beta, nouns } => {
                Self::NounSeeking { alpha: turn(*alpha), beta: turn_kept(*beta), nouns: nouns.clone() }
            }
            Self::ConstituentSeeking { alpha, beta } => {
                Self::ConstituentSeeking { alpha: alpha.map(turn), beta: turn_kept(*beta) }
            }
            Self::LevelPruning { first, step } => {
                let below = -step * (max_depth.max(1) - 1) as f64;
                let (least, most) = (below.min(0.0).min(*first), (1.0 + below).max(1.0).max(*first));
                Self::LevelPruning { first: towards(*first, least, most, x), step: *step }
            }
            Self::PerDepth { rates } => {
                Self::PerDepth { rates: rates.iter().map(|&rate| turn(rate)).collect() }
            }
            Self::PerTag { rates } => Self::PerTag { rates: rates.map(turn) },
        }
    }
}

/// The number `value` for x = 0, `least` for x = −1, `most` for x = 1, and linear between them.
fn towards(value: f64, least: f64, most: f64, x: f64) -> f64 {
    match x {
        1.0 => most,
        -1.0 => least,
        _ if x >= 0.0 => value + x * (most - value),
        _ => value + x * (value - least),
    }
}
