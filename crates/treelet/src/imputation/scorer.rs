//! Any model that tells how probable heads are: an imputer, a dependency parser, a grammar of either kind, or arcs on a factor graph.

mod constituents;
mod grammar;
mod joint;

use self::constituents::HeadedGrammar;
use self::grammar::InducedGrammar;
use self::joint::JointArcs;
use super::fragments::TagChoice;
use super::gathered::Gathered;
use super::imputer::Imputer;
use crate::any_model::{AnyModel, ModelKind};
use crate::dependency_parser::{DependencyParser, OwnTagger, SentenceTagger};
use crate::options::impute::TagColumn;
use crate::outcome::Usage;
use crate::watch::Watch;
use arcs::Roots;
use chain::Workers;
use dependency::{ParseOptions, Workspace};
use impute::admitted::Trees;
use impute::gpc::CompleteOptions;
use impute::{ArcPosteriors, Completed, Fragment};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tree::{Heads, Sentence, Text};

/// A model that completes sentences.
pub(crate) enum Scorer {
    Imputer(Imputer),
    Parser(Box<DependencyParser>),
    Grammar(Box<InducedGrammar>),
    Constituents(Box<HeadedGrammar>),
    Joint(Box<JointArcs>),
}

/// What a model thinks of one sentence.
pub(crate) struct Believed {
    /// The tree, which keeps all that was said.
    pub(crate) heads: Heads,
    pub(crate) posteriors: ArcPosteriors,
    /// The relations of this tree and how probable they are, if the model knows any.
    pub(crate) relations: Option<Vec<(Text, f64)>>,
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

    /// Reads a model of any kind that knows heads.
    pub(crate) fn read_any(model: &AnyModel) -> anyhow::Result<Self> {
        match model.kind {
            ModelKind::Dependency | ModelKind::Imputer => Self::read(model),
            ModelKind::Dmv => Ok(Self::Grammar(Box::new(InducedGrammar::read(&model.path)?))),
            ModelKind::Constituency => Ok(Self::Constituents(Box::new(HeadedGrammar::read(model)?))),
            ModelKind::Joint => Ok(Self::Joint(Box::new(JointArcs::read(model)?))),
            _ => Err(refusal(model, &format!("is a {}, which knows no heads", model.header.kind))),
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
            Self::Grammar(grammar) => Some(grammar.tags),
            Self::Constituents(_) => None,
            Self::Joint(joint) => joint.tags(),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Imputer(imputer) => imputer.name(),
            Self::Parser(_) => "dependency parser",
            Self::Grammar(_) => "DMV",
            Self::Constituents(_) => "constituency parser",
            Self::Joint(joint) => joint.name(),
        }
    }

    /// What is worth knowing about it.
    pub(crate) fn notes(&self) -> &BTreeMap<String, String> {
        match self {
            Self::Imputer(imputer) => imputer.notes(),
            Self::Parser(parser) => &parser.notes,
            Self::Grammar(grammar) => &grammar.notes,
            Self::Constituents(grammar) => &grammar.notes,
            Self::Joint(joint) => &joint.notes,
        }
    }

    /// Whether the probabilities of heads were held against heads that somebody had said.
    pub(crate) fn is_calibrated(&self) -> bool {
        match self {
            Self::Imputer(imputer) => imputer.is_calibrated(),
            Self::Parser(parser) => parser.model.is_calibrated(),
            // These are never held against anything.
            Self::Grammar(_) | Self::Constituents(_) | Self::Joint(_) => false,
        }
    }

    /// Whether the probabilities of relations were; `None` if it knows no relations.
    pub(crate) fn has_calibrated_relations(&self) -> Option<bool> {
        match self {
            Self::Imputer(_) | Self::Grammar(_) | Self::Constituents(_) | Self::Joint(_) => None,
            Self::Parser(parser) if parser.model.relations().is_empty() => None,
            Self::Parser(parser) => Some(parser.model.has_calibrated_relations()),
        }
    }

    /// The best tree that keeps what was said, with probabilities; `None` if none is found, or if the sentence is so long
    /// that there are no probabilities.
    pub(crate) fn believe(&self, sentence: &Sentence, fragment: &Fragment) -> Option<Believed> {
        let believed = match self {
            Self::Imputer(imputer) => {
                let Completed { heads, posteriors, .. } = imputer.complete_one(fragment);
                Believed { heads, posteriors, relations: None }
            }
            Self::Grammar(grammar) => {
                let Completed { heads, posteriors, .. } = grammar.complete(fragment);
                Believed { heads, posteriors, relations: None }
            }
            Self::Constituents(grammar) => {
                let (heads, posteriors) = grammar.complete(sentence, fragment)?;
                Believed { heads, posteriors, relations: None }
            }
            Self::Joint(joint) => {
                let (heads, posteriors) = joint.complete(sentence, fragment)?;
                Believed { heads, posteriors, relations: None }
            }
            Self::Parser(parser) => {
                let mut tagging = parser.tagger.as_ref().map(OwnTagger::tagging);
                let (sentence, options) = (tagged(parser, &mut tagging, sentence), posteriors_too());
                let possible = Some(&fragment.possible).filter(|possible| !possible.is_free());
                let parsed = parser.model.parse(&sentence, possible, &options, &mut Workspace::default());
                let relations = self.has_calibrated_relations().map(|_| parsed.relations);
                Believed { heads: parsed.heads, posteriors: parsed.posteriors?, relations }
            }
        };
        fragment.possible.admits(&believed.heads).then_some(believed)
    }

    fn one_by_one(&self, gathered: &Gathered, workers: &Workers) -> Vec<ArcPosteriors> {
        let sentences: Vec<_> = gathered.sentences().zip(&gathered.fragments).collect();
        workers.map(&sentences, |_, (annotated, fragment)| {
            let free = || Fragment {
                possible: tree::Possible::everything(fragment.len()),
                ..Fragment::clone(fragment)
            };
            let believed = self.believe(&annotated.sentence, fragment);
            let believed = believed.or_else(|| self.believe(&annotated.sentence, &free()));
            believed.map_or_else(|| ArcPosteriors::zero(fragment.len()), |believed| believed.posteriors)
        })
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
            Self::Grammar(_) | Self::Constituents(_) | Self::Joint(_) => self.one_by_one(gathered, workers),
        }
    }
}

/// Why a model cannot suggest heads, and which can.
pub(super) fn refusal(model: &AnyModel, why: &str) -> anyhow::Error {
    let path = model.path.display();
    Usage(format!(
        "{path} {why}; give a model of `treelet train dependency`, `treelet impute --save-model`, `treelet induce dmv`, \
         `treelet train constituency`, `treelet joint train --task dependency`, or of `treelet joint train --task tagging` with `--mode joint` or `hidden`"
    ))
    .into()
}

/// The trees of a model, and those of any shape where what was said demands that arcs cross or that several words hang from the root.
fn loosened(own: Trees) -> Vec<Trees> {
    let loose = [own.roots, Roots::Many].map(|roots| Trees { roots, projective: false });
    let mut shapes: Vec<Trees> = [own].into_iter().chain(loose).collect();
    shapes.dedup();
    shapes
}

fn posteriors_too() -> ParseOptions {
    ParseOptions { posteriors: true, ..ParseOptions::default() }
}

/// Words without a tag get one from the parser's own tagger, as in `treelet parse`; if none has one, those of the other column
/// are taken where they are known.
fn tagged(
    parser: &DependencyParser,
    tagging: &mut Option<SentenceTagger<'_>>,
    sentence: &Sentence,
) -> Sentence {
    let mut sentence = sentence.clone();
    if let Some((tagger, tagging)) = parser.tagger.as_ref().zip(tagging.as_mut()) {
        tagger.borrow(&mut sentence);
        tagging.tag(&mut sentence, false);
    }
    sentence
}

fn of_parser(parser: &DependencyParser, gathered: &Gathered, workers: &Workers) -> Vec<ArcPosteriors> {
    let (options, mut tagging) = (posteriors_too(), parser.tagger.as_ref().map(OwnTagger::tagging));
    let sentences = gathered.sentences().map(|one| tagged(parser, &mut tagging, &one.sentence));
    let sentences: Vec<_> = sentences.zip(&gathered.fragments).collect();
    let parsed = workers.map_with(&sentences, Workspace::default, |workspace, _, (sentence, fragment)| {
        let possible = Some(&fragment.possible).filter(|possible| !possible.is_free());
        parser.model.parse(sentence, possible, &options, workspace).posteriors
    });
    parsed.into_iter().flatten().collect()
}
