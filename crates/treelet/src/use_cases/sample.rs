//! `treelet sample`: draw trees of sentences from the posterior.

use super::impute::parsing;
use super::parse::{OutputLayout, ParsedFile, Parsing};
use crate::any_model::{AnyModel, ModelKind};
use crate::options::parse::Sample;
use crate::outcome::Done;
use crate::watch::Watch;
use constituency::ParseOptions;

/// Draws trees of sentences from the posterior and writes them.
pub fn sample(options: &Sample, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let model = AnyModel::open(&options.what.model)?;
    if model.kind == ModelKind::Imputer {
        return parsing::sample(options, &model, watch);
    }
    watch.without_effect(&["--retag"], "the model is one of brackets, and tags are part of its trees");
    watch.without_effect(&["--no-marks"], "drawn trees are not marked");
    let settings = ParseOptions { samples: options.draws as usize, ..ParseOptions::default() };
    Parsing::new(&options.what, settings, watch)?.parse(OutputLayout::of_sample(options))
}
