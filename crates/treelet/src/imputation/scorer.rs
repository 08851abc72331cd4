//! Any model that tells how probable heads are: an imputer, or a dependency parser.

use super::fragments::TagChoice;
use super::gathered::Gathered;
use super::imputer::Imputer;
use crate::any_model::{AnyModel, ModelKind};
use crate::dependency_parser::{DependencyParser, OwnTagger};
use crate::options::impute::TagColumn;
use crate::outcome::Usage;
use crate::watch::Watch;
use chain::Workers;
use dependency::{ParseOptions, Workspace};
use impute::ArcPosteriors;
use impute::gpc::CompleteOptions;
use std::sync::atomic::AtomicBool;
use tree::Sentence;

/// A model that completes sentences.
pub(crate) enum Scorer {
    Imputer(Imputer),
    Parser(Box<DependencyParser>),
}

impl Scorer {
    /// Reads a model of either kind.
    pub(crate) fn read(model: &AnyModel) -> anyhow::Result<Self> {
        let path = &model.path;
        match model.kind {
            ModelKind::Dependency => Ok(Self::Parser(Box::new(DependencyParser::read(path)?))),
            ModelKind::Imputer => Ok(Self::Imputer(Imputer::read(model)?)),
            _ => Err(Usage(format!(
                "{} is a {}; give a model of `treelet train dependency` or of `treelet impute --save-model`",
                path.display(),
                model.header.kind
            ))
            .into()),
        }
    }

    /// The column of the tags it was learned from.
    pub(crate) fn tags(&self) -> Option<TagChoice> {
        match self {
            Self::Imputer(imputer) => imputer.tags(),
            Self::Parser(parser) => Some(TagChoice(match parser.model.options().tags {
                dependency::TagColumn::Upos => TagColumn::Upos,
                dependency::TagColumn::Xpos => TagColumn::Xpos,
            })),
        }
    }

    /// How probable the heads of all sentences are, given what was said of them. Fewer if somebody stopped it.
    pub(crate) fn posteriors(
        &self,
        gathered: &Gathered,
        stop: &AtomicBool,
        workers: &Workers,
        watch: &dyn Watch,
    ) -> Vec<ArcPosteriors> {
        match self {
            Self::Imputer(imputer) => {
                let options = CompleteOptions::default();
                let imputed = imputer.complete(&gathered.fragments, &options, stop, workers, watch);
                imputed.into_iter().map(|imputed| imputed.completed.posteriors).collect()
            }
            Self::Parser(parser) => of_parser(parser, gathered, workers),
        }
    }
}

/// Words without a tag get one from the parser's own tagger, as in `treelet parse`.
fn of_parser(parser: &DependencyParser, gathered: &Gathered, workers: &Workers) -> Vec<ArcPosteriors> {
    let options = ParseOptions { posteriors: true, ..ParseOptions::default() };
    let mut tagging = parser.tagger.as_ref().map(OwnTagger::tagging);
    let mut tagged = |sentence: &Sentence| {
        let mut sentence = sentence.clone();
        if let Some(tagging) = &mut tagging {
            tagging.tag(&mut sentence, false);
        }
        sentence
    };
    let sentences = gathered.sentences().map(|one| tagged(&one.sentence)).zip(&gathered.fragments);
    let sentences: Vec<_> = sentences.collect();
    let parsed = workers.map_with(&sentences, Workspace::default, |workspace, _, (sentence, fragment)| {
        let possible = Some(&fragment.possible).filter(|possible| !possible.is_free());
        parser.model.parse(sentence, possible, &options, workspace).posteriors
    });
    parsed.into_iter().flatten().collect()
}
