//! An induced grammar, or a tagger, in figures that people can read.

use crate::any_model::{AnyModel, ModelKind};
use crate::models;
use crate::options::parse::ModelInfo;
use crate::outcome::Usage;
use crate::use_cases::tag::show::ShownTagger;
use crate::watch::Watch;
use induce::dmv::model::{Correlation, DmvModel, Portrait};
use serde::Serialize;
use std::collections::BTreeMap;
use tree::{Side, Text};

/// Correlations that are shown.
const STRONGEST: usize = 12;

/// A model that can be read.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ShownModel {
    /// A grammar of dependencies.
    Grammar(ShownGrammar),
    /// A tagger.
    Tagger(ShownTagger),
}

/// Which tags head which.
#[derive(Debug, Clone, Serialize)]
pub struct ShownGrammar {
    /// What each tag does as a head.
    pub heads: Vec<ShownHead>,
    /// The strongest correlations of what heads take.
    pub correlations: Vec<ShownCorrelation>,
    /// How the grammar was made.
    pub notes: BTreeMap<String, String>,
}

/// What a tag does as a head.
#[derive(Debug, Clone, Serialize)]
pub struct ShownHead {
    /// The tag.
    pub tag: String,
    /// The probability of being the root.
    pub root: f64,
    /// The expected number of dependents.
    pub dependents: Sides<f64>,
    /// The probability of having any dependent.
    pub any: Sides<f64>,
    /// The tags it takes most, the most probable first.
    pub takes: Sides<Vec<ShownDependent>>,
}

/// The two sides of a head.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Sides<T> {
    /// On the left.
    pub left: T,
    /// On the right.
    pub right: T,
}

/// A tag that a head takes.
#[derive(Debug, Clone, Serialize)]
pub struct ShownDependent {
    /// The tag.
    pub tag: String,
    /// How probable it is.
    pub probability: f64,
}

/// Two tags that a head takes, or does not take, together.
#[derive(Debug, Clone, Serialize)]
pub struct ShownCorrelation {
    /// The head; `None` for the root.
    pub head: Option<String>,
    /// Its side, `left` or `right`; `None` for the root.
    pub side: Option<&'static str>,
    /// The two tags.
    pub tags: [String; 2],
    /// From −1 to 1.
    pub value: f64,
}

/// Shows a grammar of `treelet induce dmv`, or a tagger. There is nothing to watch: the parameter is there because all use
/// cases are called alike.
pub fn show_model(options: &ModelInfo, _: &dyn Watch) -> anyhow::Result<ShownModel> {
    let model = AnyModel::open(&options.file)?;
    match model.kind {
        ModelKind::Tagger => return ShownTagger::read(&model.path).map(ShownModel::Tagger),
        ModelKind::Dmv => {}
        _ => {
            return Err(Usage(format!(
                "{} is a {}; `model show` prints grammars of `treelet induce dmv` and taggers, `model info` says what other files are",
                model.path.display(),
                model.header.kind
            ))
            .into());
        }
    }
    let model = DmvModel::read(&model.path).map_err(models::file_error)?;
    Ok(ShownModel::Grammar(ShownGrammar {
        heads: model.portraits().into_iter().map(ShownHead::from).collect(),
        correlations: model.correlations(STRONGEST).into_iter().map(ShownCorrelation::from).collect(),
        notes: model.notes,
    }))
}

impl<T> From<[T; 2]> for Sides<T> {
    fn from([left, right]: [T; 2]) -> Self {
        Self { left, right }
    }
}

impl From<Portrait> for ShownHead {
    fn from(portrait: Portrait) -> Self {
        let Portrait { tag, root, dependents, any, takes } = portrait;
        let taken = |takes: Vec<(Text, f64)>| {
            let taken = takes.into_iter();
            taken.map(|(tag, probability)| ShownDependent { tag: tag.to_string(), probability }).collect()
        };
        Self {
            tag: tag.to_string(),
            root,
            dependents: dependents.into(),
            any: any.into(),
            takes: takes.map(taken).into(),
        }
    }
}

impl From<Correlation> for ShownCorrelation {
    fn from(Correlation { head, tags, value }: Correlation) -> Self {
        let (head, side) = head.unzip();
        Self {
            head: head.map(|tag| tag.to_string()),
            side: side.map(side_name),
            tags: [tags.0.to_string(), tags.1.to_string()],
            value,
        }
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}
