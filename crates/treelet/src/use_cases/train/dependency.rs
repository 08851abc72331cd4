//! `treelet train dependency`: learn a parser from whole and partial trees.

mod absent;
mod books;
mod corpus;
mod curve;
mod tags;
#[cfg(test)]
mod tests;

use crate::dependency_parser::{DependencyParser, OwnTagger};
use crate::imputation::fragments::roots;
use crate::models;
use crate::options::dependency::{ColumnName, Dependency};
use crate::options::impute::Trust;
use crate::outcome::{Done, Figures, Usage};
use crate::run::Run;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use arcs::rules::RuleTable;
use chain::Workers;
use chain::container::write_atomically;
use corpus::Corpora;
pub use curve::Point;
use dependency::{
    Annotated, Columns, DependencyModel, DependencyOptions, Epoch, FEWEST_TO_HOLD_OUT, LearnError, Learner,
    Order, Stage, TagColumn, Used,
};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tags::Teacher;
use tree::Sentence;
use tree::provenance::{self, Column};

/// What came of training a parser.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum TrainedDependency {
    /// A parser was written.
    Model(Figures),
    /// Several were, on more and more sentences; the last one stays.
    Curve(Vec<Point>),
}

/// Learns a parser from whole and partial trees, and writes it.
pub fn train_dependency(options: &Dependency, watch: &dyn Watch) -> anyhow::Result<Done<TrainedDependency>> {
    let more = options.dev.iter().chain(&options.reading.words).chain(&options.model.start);
    let more = more.chain(options.words.files());
    let inputs: Vec<&PathBuf> = options.files.iter().chain(more).collect();
    let run = Run::new(&options.new_model.output, &options.course.run.saving, &inputs, None, watch)?;
    // A curve is not saved.
    let saved = if options.course.curve.is_empty() { run.saved_bytes()? } else { None };
    let workers = models::workers(options.course.run.threads)?;
    let start = options.model.start.as_deref().map(read_start).transpose()?;
    let mut corpora = Corpora::read(options, watch)?;
    corpora.check_dev(options, watch)?;
    absent::note(options, &corpora, watch);
    if options.dev.is_some() {
        watch.without_effect(&["--hold-out"], "epochs and temperature are chosen on --dev");
    } else if corpora.data.len() < FEWEST_TO_HOLD_OUT {
        let why = format!("nothing is held out of fewer than {FEWEST_TO_HOLD_OUT} sentences");
        watch.without_effect(&["--hold-out"], &why);
    }
    let mut settings = settings(options, &corpora, start.as_ref())?;
    books::read(options, &mut corpora, &mut settings, watch)?;
    let mut notes = corpora.notes.clone();
    // The parser learns from tags as it will meet them, its tagger from those of people.
    let gold: Vec<Sentence> = corpora.data.iter().map(|item| item.sentence.clone()).collect();
    let teacher = Teacher { settings: &settings, workers: &workers, run: &run };
    if let Some(folds) = options.model.jackknife {
        let same = teacher.jackknife(&mut corpora.data, folds as usize)?;
        watch.note(&format!("tags found by {folds} taggers: {:.1} % are those of the file", 100.0 * same));
        notes.insert("jackknife".into(), format!("{folds} parts, {:.1} % of the tags right", 100.0 * same));
    }
    let task = DependencyTask { options, settings: &settings, start: start.as_ref(), gold: &gold, teacher };
    if !options.course.curve.is_empty() {
        return curve::run(&task, &corpora, notes);
    }
    let (mut parser, used) = match task.learn(&corpora.data, &corpora.dev, saved.as_deref(), true) {
        Ok(learned) => learned,
        Err(error) => {
            corpora.report(options, watch)?;
            return Err(error);
        }
    };
    let has_problems = corpora.report(options, watch)?;
    describe_use(used, watch);
    parser.notes = notes;
    parser.notes.insert("seed".into(), settings.seed.to_string());
    parser.notes.insert("sentences".into(), used.sentences.to_string());
    run.written(parser.write(&options.new_model.output))?;
    watch.note(&format!(
        "{}: {}, {}, temperature {:.2}, {:.1} s; next: treelet parse {} SENTENCES",
        options.new_model.output.display(),
        plural(used.sentences, "sentence"),
        plural(parser.model.relations().len(), "relation"),
        parser.model.temperature(),
        run.seconds(),
        options.new_model.output.display()
    ));
    let result = TrainedDependency::Model(summary(&parser, used, run.seconds()).into());
    Ok(Done { result, has_problems })
}

/// The tagger that a parser of some sentences takes along.
pub(in crate::use_cases) fn own_tagger(
    sentences: &[Sentence],
    settings: &DependencyOptions,
    workers: &Workers,
    run: &Run<'_>,
) -> anyhow::Result<Option<OwnTagger>> {
    Teacher { settings, workers, run }.own_tagger(sentences)
}

/// A training, and who wants it.
struct DependencyTask<'a> {
    options: &'a Dependency,
    settings: &'a DependencyOptions,
    start: Option<&'a DependencyModel>,
    /// The sentences of the files, whose tags nobody has replaced.
    gold: &'a [Sentence],
    teacher: Teacher<'a>,
}

impl DependencyTask<'_> {
    /// Learns; the run is saved on the way if it shall be.
    fn learn(
        &self,
        data: &[Annotated],
        dev: &[Sentence],
        saved: Option<&[u8]>,
        saves: bool,
    ) -> anyhow::Result<(DependencyParser, Used)> {
        let Teacher { workers, run, .. } = self.teacher;
        let mut learner = Learner::new(data, dev, self.start, self.settings, workers).map_err(learn_error)?;
        if let Some(saved) = saved {
            learner.resume(saved).map_err(learn_error)?;
        }
        let used = learner.used();
        let sentences: Vec<Sentence> =
            self.gold[..data.len()].iter().map(|sentence| self.with_tags_of_people(sentence)).collect();
        // First of all: when the parser is done, nothing is left that could be stopped and would have to be saved.
        let tagger = self.teacher.own_tagger(&sentences)?;
        let mut epochs = run.epochs(learner.n_epochs() as u64);
        let model = learner.run(workers, &mut |epoch, save| {
            epochs.after(
                epoch.overall.0 as u64,
                || shown(epoch),
                |path| {
                    let written = if saves { write_atomically(path, &save()) } else { Ok(()) };
                    written.with_context(|| format!("cannot write {}", path.display()))
                },
            )
        });
        epochs.finish()?;
        let model = model.map_err(learn_error)?;
        let model = model.context("nobody stopped the learner, so that there is a model")?;
        Ok((DependencyParser { model, tagger, notes: BTreeMap::new() }, used))
    }

    /// The tags that a tagger learns from: those of people, unless machines are trusted.
    fn with_tags_of_people(&self, sentence: &Sentence) -> Sentence {
        let mut sentence = sentence.clone();
        if self.options.reading.trusted.trust == Trust::People {
            provenance::take_back(&mut sentence, &[Column::Upos, Column::Xpos]);
        }
        sentence
    }
}

fn shown(epoch: &Epoch) -> String {
    let what = match epoch.stage {
        Stage::Arcs => "arcs",
        Stage::Second => "siblings and grandparents",
        Stage::Relations => "relations",
    };
    let rehearsal = if epoch.rehearsal { "rehearsal, " } else { "" };
    let accuracy = epoch.accuracy.map_or(String::new(), |accuracy| format!(", UAS {:.1}", 100.0 * accuracy));
    format!("{rehearsal}{what}: loss {:.3}{accuracy}", epoch.loss)
}

fn read_start(path: &Path) -> anyhow::Result<DependencyModel> {
    Ok(DependencyParser::read(path)?.model)
}

fn settings(
    options: &Dependency,
    corpora: &Corpora,
    start: Option<&DependencyModel>,
) -> anyhow::Result<DependencyOptions> {
    let (model, descent) = (&options.model, &options.descent);
    let mut settings = start.map_or_else(DependencyOptions::default, |start| start.options().clone());
    settings.delexicalised = model.delexicalised;
    settings.shape.projective = !model.non_projective;
    settings.shape.roots = roots(model.roots);
    settings.order = match model.order {
        Some(2) if model.non_projective => {
            return Err(Usage("parsers of order 2 build projective trees only; use --order 1".into()).into());
        }
        Some(1) => Order::First,
        None if model.non_projective => Order::First,
        _ => Order::Second,
    };
    settings.tags = corpora.tags;
    if !options.words.columns.is_empty() {
        settings.columns = columns(&options.words.columns, corpora.tags);
    }
    settings.ensemble = model.ensemble as usize;
    settings.held_out = descent.hold_out;
    settings.seed = descent.chance.seed;
    settings.rule_pull = model.rule_pull;
    if let Some(path) = &model.rules {
        let text = read_text(path)?;
        settings.rules =
            RuleTable::read(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
    }
    if let Some(path) = &model.templates {
        settings.templates = read_text(path)?;
    }
    for stage in [&mut settings.first, &mut settings.second, &mut settings.pruner] {
        stage.batch = descent.batch.map_or(stage.batch, |batch| batch as usize);
        stage.rate = descent.rate.unwrap_or(stage.rate);
        stage.l2 = descent.l2.unwrap_or(stage.l2);
        stage.l1 = descent.l1.unwrap_or(stage.l1);
    }
    for stage in [&mut settings.first, &mut settings.second] {
        stage.epochs = descent.epochs.map_or(stage.epochs, |epochs| epochs as usize);
    }
    Ok(settings)
}

/// The columns to look at; the tags that the parser goes by are looked at in any case.
fn columns(asked: &[ColumnName], tags: TagColumn) -> Columns {
    let other = match tags {
        TagColumn::Upos => ColumnName::Xpos,
        TagColumn::Xpos => ColumnName::Upos,
    };
    Columns { feats: asked.contains(&ColumnName::Feats), other_tags: asked.contains(&other) }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn learn_error(error: LearnError) -> anyhow::Error {
    Usage(error.to_string()).into()
}

fn describe_use(used: Used, watch: &dyn Watch) {
    if used.relaxed > 0 {
        watch.note(&format!(
            "note: {} had arcs that such trees cannot have (crossing, or several roots); these arcs were left open",
            plural(used.relaxed, "sentence")
        ));
    }
    if used.unused > 0 {
        watch.note(&format!(
            "note: {} said nothing of a tree (one word, or no head) and took no part",
            plural(used.unused, "sentence")
        ));
    }
}

fn summary(parser: &DependencyParser, used: Used, seconds: f64) -> serde_json::Value {
    let DependencyParser { model, notes, .. } = parser;
    json!({
        "sentences": used.sentences,
        "relaxed": used.relaxed,
        "unused": used.unused,
        "relations": model.relations().iter().map(|name| name.as_str()).collect::<Vec<_>>(),
        "order": if model.options().order == Order::Second { 2 } else { 1 },
        "projective": model.options().shape.projective,
        "temperature": model.temperature(),
        "weights": model.n_weights(),
        "seconds": seconds,
        "notes": notes,
    })
}
