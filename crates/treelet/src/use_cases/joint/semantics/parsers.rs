//! A parser that goes before a model of names, relations or roles: it gives trees to sentences that have none, and lies in the
//! model's file, so that whoever uses the model needs nothing else.

use super::{SemanticSentence, brackets};
use crate::any_model::{AnyModel, ModelKind};
use crate::dependency_parser::{DependencyParser, OwnTagger};
use crate::models;
use crate::outcome::Usage;
use crate::run::Run;
use crate::use_cases::train::dependency::own_tagger;
use ::joint::semantics::Syntax;
use chain::container::{self, Header};
use chain::{Start, Stream, Workers};
use constituency::{Parser, TrainOptions, Training};
use dependency::{Annotated, DependencyModel, DependencyOptions, Learner, TagColumn, Workspace};
use formats::brackets::{BracketReader, to_string};
use grammar::anchor::Brackets;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use tree::sentence::UNSPECIFIED;
use tree::{Head, PartialTree, Possible, Reading, Sentence, Text, Tree};

/// A parser in the file of a model.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TreeParser {
    /// How it signs what it says.
    signature: String,
    kind: ParserKind,
}

#[derive(Debug, Serialize, Deserialize)]
enum ParserKind {
    Arcs { model: Box<DependencyModel>, tagger: Option<Box<OwnTagger>> },
    Brackets(Box<constituency::Model>),
}

/// A parser at work.
pub(super) enum ParserAtWork<'a> {
    Arcs { model: &'a DependencyModel, tagger: Option<&'a OwnTagger> },
    Brackets(Box<Parser>),
}

/// What is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Sentences that have no whole tree.
    Treeless,
    /// All of them; trees that they have are not looked at.
    All,
}

impl TreeParser {
    /// A parser of a file, which has to be one of the syntax that the model looks at.
    pub(super) fn read(path: &Path, syntax: Syntax) -> anyhow::Result<TreeParser> {
        let kind = AnyModel::open(path)?.kind;
        let (name, kind) = match (kind, syntax) {
            (ModelKind::Dependency, Syntax::Arcs) => {
                let DependencyParser { model, tagger, .. } = DependencyParser::read(path)?;
                ("dependency", ParserKind::Arcs { model: model.into(), tagger: tagger.map(Box::new) })
            }
            (ModelKind::Constituency, Syntax::Brackets) => {
                ("constituency", ParserKind::Brackets(models::read(path)?.into()))
            }
            (_, syntax) => {
                let (wanted, other) = match syntax {
                    Syntax::Arcs => ("train dependency", "brackets"),
                    Syntax::Brackets => ("train constituency", "arcs"),
                };
                let text = format!(
                    "--parser {}: a parser of `treelet {wanted}` is wanted here; --syntax {other} takes others",
                    path.display()
                );
                return Err(Usage(text).into());
            }
        };
        Ok(TreeParser { signature: models::signature(name, path)?, kind })
    }

    /// Learns parsers from the trees of sentences, and gives each sentence the tree of one that has not seen it. What comes back
    /// has seen them all.
    pub(super) fn jackknife(
        sentences: &mut [SemanticSentence],
        syntax: Syntax,
        n_parts: usize,
        workers: &Workers,
        run: &Run<'_>,
    ) -> anyhow::Result<TreeParser> {
        let has_tree = |sentence: &SemanticSentence| match syntax {
            Syntax::Arcs => sentence.words.partial_heads().iter().all(Option::is_some),
            Syntax::Brackets => tree_of(&sentence.words).is_some(),
        };
        let with_trees: Vec<usize> = (0..sentences.len()).filter(|&at| has_tree(&sentences[at])).collect();
        if with_trees.len() < 2 * n_parts {
            let text = format!(
                "--jackknife {n_parts} learns parsers from trees, and only {} of the sentences have one; give --parser",
                with_trees.len()
            );
            return Err(Usage(text).into());
        }
        let gold: Vec<Sentence> = sentences.iter().map(|sentence| sentence.words.clone()).collect();
        let learn = |is_used: &dyn Fn(usize) -> bool| -> anyhow::Result<ParserKind> {
            let used: Vec<&Sentence> = (0..)
                .zip(&with_trees)
                .filter(|(place, _)| is_used(*place))
                .map(|(_, &at)| &gold[at])
                .collect();
            match syntax {
                Syntax::Arcs => learn_arcs(&used, workers, run),
                Syntax::Brackets => learn_brackets(&used, workers, run),
            }
        };
        for part in 0..n_parts {
            let kind = learn(&|place| place % n_parts != part)?;
            let parser = at_work(&kind, workers);
            let places: Vec<usize> = with_trees.iter().copied().skip(part).step_by(n_parts).collect();
            let found = parser.parse(places.iter().map(|&at| &gold[at]), workers);
            for (at, found) in places.into_iter().zip(found) {
                sentences[at].take_tree(found);
            }
        }
        let kind = learn(&|_| true)?;
        let parser = TreeParser { signature: format!("jackknife@{:08x}", checksum(&kind)?), kind };
        // Those that had none, as any other text.
        parser.at_work(workers).fill(sentences, Which::Treeless, syntax, workers);
        Ok(parser)
    }

    pub(super) fn at_work(&self, workers: &Workers) -> ParserAtWork<'_> {
        at_work(&self.kind, workers)
    }

    /// How it signs what it says.
    pub(super) fn signature(&self) -> &str {
        &self.signature
    }
}

fn at_work<'a>(kind: &'a ParserKind, workers: &Workers) -> ParserAtWork<'a> {
    match kind {
        ParserKind::Arcs { model, tagger } => ParserAtWork::Arcs { model, tagger: tagger.as_deref() },
        ParserKind::Brackets(model) => ParserAtWork::Brackets(Parser::new((**model).clone(), workers).into()),
    }
}

fn checksum(kind: &ParserKind) -> anyhow::Result<u64> {
    let header = Header { kind: String::new(), version: 0, notes: BTreeMap::new() };
    Ok(container::crc64(&container::encode(&header, kind)?) >> 32)
}

fn learn_arcs(sentences: &[&Sentence], workers: &Workers, run: &Run<'_>) -> anyhow::Result<ParserKind> {
    let has = |of: fn(&tree::Token) -> &Text| {
        sentences.iter().any(|sentence| sentence.words().any(|word| *of(word) != UNSPECIFIED))
    };
    let tags = if has(|word| &word.upos) { TagColumn::Upos } else { TagColumn::Xpos };
    let settings = DependencyOptions { tags, ..DependencyOptions::default() };
    let gold: Vec<Sentence> = sentences.iter().map(|&sentence| sentence.clone()).collect();
    let tagger = own_tagger(&gold, &settings, workers, run)?;
    let data: Vec<Annotated> = gold
        .into_iter()
        .filter_map(|sentence| {
            let possible = Possible::new(&PartialTree::from_sentence(&sentence), &Reading::default()).ok()?;
            Some(Annotated { sentence, possible, weight: 1.0 })
        })
        .collect();
    let stop = run.watch.stop_flag("stopping");
    let learner =
        Learner::new(&data, &[], None, &settings, workers).map_err(|error| Usage(error.to_string()))?;
    let model = learner.run(workers, &mut |_, _| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    match model.map_err(|error| Usage(error.to_string()))? {
        Some(model) if !stop.load(Ordering::Relaxed) => {
            Ok(ParserKind::Arcs { model: model.into(), tagger: tagger.map(Box::new) })
        }
        _ => Err(run.stopped_before_saving()),
    }
}

fn learn_brackets(sentences: &[&Sentence], workers: &Workers, run: &Run<'_>) -> anyhow::Result<ParserKind> {
    let trees: Vec<Tree<Text>> = sentences.iter().filter_map(|sentence| tree_of(sentence)).collect();
    let (training, _) = Training::new(&trees, &[], &[], TrainOptions::default(), workers)
        .map_err(|error| Usage(error.to_string()))?;
    let stop = run.watch.stop_flag("stopping");
    let trained = training.run(Start::Fresh, &mut (), workers)?;
    if stop.load(Ordering::Relaxed) {
        return Err(run.stopped_before_saving());
    }
    Ok(ParserKind::Brackets(training.model(trained.chains, Default::default()).into()))
}

/// The tree in a comment, if it has the words of the sentence.
fn tree_of(sentence: &Sentence) -> Option<Tree<Text>> {
    let text = sentence.meta("tree")?;
    let read = BracketReader::new(text.as_bytes()).next()?.ok()?;
    read.value.tree.filter(|tree| tree.n_words() == sentence.n_words())
}

/// The tree that a sentence gets.
pub(super) enum FoundTree {
    /// Head and relation of each word.
    Arcs {
        tags: Option<(TagColumn, Vec<Text>)>,
        heads: Vec<u32>,
        relations: Vec<Text>,
    },
    Brackets(Tree<Text>),
}

impl ParserAtWork<'_> {
    /// Gives trees to sentences, and says how many got one.
    pub(super) fn fill(
        &self,
        sentences: &mut [SemanticSentence],
        which: Which,
        syntax: Syntax,
        workers: &Workers,
    ) -> usize {
        let is_wanted = |sentence: &SemanticSentence| match (which, syntax) {
            _ if sentence.words.n_words() == 0 => false,
            (Which::All, _) => true,
            (Which::Treeless, Syntax::Arcs) => sentence.words.partial_heads().iter().any(Option::is_none),
            (Which::Treeless, Syntax::Brackets) => {
                brackets(&sentence.words).is_none_or(|known| !known.is_whole)
            }
        };
        let places: Vec<usize> = (0..sentences.len()).filter(|&at| is_wanted(&sentences[at])).collect();
        let found = self.parse(places.iter().map(|&at| &sentences[at].words), workers);
        for (&at, found) in places.iter().zip(found) {
            sentences[at].take_tree(found);
        }
        places.len()
    }

    fn parse<'s>(&self, sentences: impl Iterator<Item = &'s Sentence>, workers: &Workers) -> Vec<FoundTree> {
        match self {
            ParserAtWork::Arcs { model, tagger } => {
                let sentences: Vec<&Sentence> = sentences.collect();
                workers.map_with(&sentences, Workspace::default, |workspace, _, sentence| {
                    parse_arcs(model, *tagger, sentence, workspace)
                })
            }
            ParserAtWork::Brackets(parser) => {
                let words = |sentence: &Sentence| {
                    Brackets::words(sentence.words().map(|word| word.form.clone()).collect())
                };
                let sentences: Vec<Brackets> = sentences.map(words).collect();
                let options = constituency::ParseOptions::default();
                let parsed = parser.parse_all(&sentences, &options, Stream::new(0), workers);
                parsed
                    .into_iter()
                    .map(|mut parsed| FoundTree::Brackets(parsed.trees.swap_remove(0).0))
                    .collect()
            }
        }
    }
}

fn parse_arcs(
    model: &DependencyModel,
    tagger: Option<&OwnTagger>,
    sentence: &Sentence,
    workspace: &mut Workspace,
) -> FoundTree {
    let mut words = sentence.clone();
    for token in words.words_mut() {
        (token.head, token.deprel) = (Head::Open, UNSPECIFIED);
    }
    let mut tags = None;
    if let Some(tagger) = tagger {
        tagger.borrow(&mut words);
        let is_untagged = words.words().all(|word| *tagger.column.of(word) == UNSPECIFIED);
        tagger.tagging().tag(&mut words, false);
        tags = is_untagged
            .then(|| (tagger.column, words.words().map(|word| tagger.column.of(word).clone()).collect()));
    }
    let parsed = model.parse(&words, None, &dependency::ParseOptions::default(), workspace);
    let heads = (1..=words.n_words()).map(|word| parsed.heads.head(word) as u32).collect();
    FoundTree::Arcs { tags, heads, relations: parsed.relations.into_iter().map(|(name, _)| name).collect() }
}

impl SemanticSentence {
    /// Puts a tree in the place of what the sentence had.
    fn take_tree(&mut self, found: FoundTree) {
        match found {
            FoundTree::Arcs { tags, heads, relations } => {
                let rows = self.words.words_mut().zip(heads).zip(relations);
                rows.for_each(|((word, head), relation)| {
                    (word.head, word.deprel) = (Head::Of(head), relation);
                });
                if let Some((column, tags)) = tags {
                    self.words.words_mut().zip(tags).for_each(|(word, tag)| *column.of_mut(word) = tag);
                }
            }
            FoundTree::Brackets(tree) => {
                let is_untagged = |word: &tree::Token| word.upos == UNSPECIFIED && word.xpos == UNSPECIFIED;
                if self.words.words().all(is_untagged) {
                    let tags: Vec<Text> = tree
                        .tagged_words()
                        .into_iter()
                        .map(|(tag, _)| tag.cloned().unwrap_or(UNSPECIFIED))
                        .collect();
                    self.words.words_mut().zip(tags).for_each(|(word, tag)| word.xpos = tag);
                }
                self.words.comments.retain(|comment| !is_tree(comment));
                self.words.comments.push(format!("# tree = {}", to_string(&tree)).into());
            }
        }
    }
}

/// Whether a comment holds a tree.
pub(super) fn is_tree(comment: &Text) -> bool {
    comment
        .strip_prefix('#')
        .and_then(|rest| rest.trim_start().strip_prefix("tree"))
        .is_some_and(|rest| rest.trim_start().starts_with('='))
}
