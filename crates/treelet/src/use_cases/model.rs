//! What a model or a checkpoint is, how it was made, and how large it is.

use crate::any_model::{AnyModel, ModelKind};
use crate::dependency_parser::{DependencyParser, OwnTagger};
use crate::models;
use crate::options::parse::ModelInfo;
use crate::outcome::Usage;
use crate::use_cases::joint::{self, model::JointModel};
use crate::use_cases::tag::{self, model::TaggerModel};
use crate::watch::Watch;
use anyhow::Context;
use chain::container::{self, Header};
use chain::{Checkpoint, Kernel};
use constituency::Model;
use constituency::sampler::Sampler;
use constituency::train::TrainCheckpoint;
use dependency::Order;
use grammar::Level;
use grammar::codec::plain;
use grammar::shape::BARE;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tree::PutInOrder;

/// What a model or a checkpoint is.
#[derive(Debug, Clone, Serialize)]
pub struct ModelDescription {
    /// The name of the file.
    pub file: String,
    /// What sort of file it is, such as `model/factors`.
    pub kind: String,
    /// The version of its layout.
    pub version: u32,
    /// Its size.
    pub bytes: u64,
    /// How it was made.
    pub notes: BTreeMap<String, String>,
    /// What is in it, by name; nothing of a kind that is not known in detail.
    #[serde(flatten)]
    pub figures: Map<String, Value>,
}

/// Says what a model or a checkpoint is, how it was made, and how large it is. There is nothing to watch: the parameter is
/// there because all use cases are called alike.
pub fn describe_model(options: &ModelInfo, _: &dyn Watch) -> anyhow::Result<ModelDescription> {
    let path = &options.file;
    if path == Path::new("-") || path.is_dir() {
        return Err(Usage("give the name of a model file".into()).into());
    }
    let model = AnyModel::open(path)?;
    let figures = figures(&model)?;
    let bytes = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    let (file, Header { kind, version, notes }) = (path.display().to_string(), model.header);
    Ok(ModelDescription { file, kind, version, bytes, notes, figures })
}

/// What the payload says; of a kind that is not known in detail, only that it is whole.
fn figures(AnyModel { path, header, kind }: &AnyModel) -> anyhow::Result<Map<String, Value>> {
    Ok(match kind {
        ModelKind::Constituency => of_model(&models::read(path)?),
        ModelKind::Tagger => of_tagger(&TaggerModel::read(path)?),
        ModelKind::Joint => JointModel::read(path)?.figures(),
        ModelKind::Semantics => joint::semantics::SemanticsFile::read(path)?.figures(),
        ModelKind::Brackets => {
            let model = ::joint::brackets::Model::read(path).map_err(models::file_error)?;
            joint::brackets::figures(&model)
        }
        ModelKind::Dependency => of_parser(&DependencyParser::read(path)?),
        _ if header.kind == format!("checkpoint/{}", Sampler::KIND) => {
            of_checkpoint(&Checkpoint::read::<Sampler<'_>>(path).map_err(models::file_error)?)
        }
        _ => {
            check_whole(path)?;
            Map::new()
        }
    })
}

fn check_whole(path: &Path) -> anyhow::Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = container::open(&bytes).map(|_| ());
    whole.map_err(|problem| models::file_error(chain::Error::File { path: path.to_owned(), problem }))
}

fn of_tagger(model: &TaggerModel) -> Map<String, Value> {
    Map::from_iter([
        (
            "tags".to_string(),
            json!(model.tags().names().map(|tag| tag.as_str()).collect::<Vec<_>>().join(" ")),
        ),
        ("features".to_string(), model.tagger.n_features().into()),
        ("dictionary".to_string(), model.dictionary.len().into()),
        ("analyser".to_string(), model.analyser.is_some().into()),
        ("segmenter".to_string(), model.segmenter.is_some().into()),
        ("probabilities".to_string(), tag::model::described(&model.certainty).into()),
    ])
}

fn of_parser(DependencyParser { model, tagger, .. }: &DependencyParser) -> Map<String, Value> {
    let tagger = tagger.as_ref();
    let [arcs, second, relations] = model.n_weights();
    let options = model.options();
    let object = json!({
        "order": if options.order == Order::Second { 2 } else { 1 },
        "projective": options.shape.projective,
        "relations": model.relations().len(),
        "tags": tagger.map_or(0, |tagger| tagger.tags().len()),
        "calibrated_tags": tagger.is_some_and(OwnTagger::is_calibrated),
        "weights": { "arcs": arcs, "second_order": second, "relations": relations },
        "temperature": (model.temperature() * 1e4).round() / 1e4,
    });
    let mut object = match object {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    let looked_at: Vec<&str> =
        ["feats", "case", "fine"].into_iter().filter(|name| model.looks_at(name)).collect();
    if !looked_at.is_empty() {
        object.insert("looks_at".into(), json!(looked_at));
    }
    for (name, book) in [("clusters", &options.clusters), ("vectors", &options.vectors)] {
        if let Some(book) = book {
            object.insert(name.into(), json!({ "words": book.n_words(), "codes": book.n_codes() }));
        }
    }
    object
}

fn of_model(model: &Model) -> Map<String, Value> {
    let (rules, lexicon) = (model.codec.rules(), &model.lexicon);
    let is_stand_in = |label: &str| label.starts_with('@');
    let n_stand_ins = rules.labels().iter().filter(|label| is_stand_in(label)).count();
    let smoothing = &model.smoothing;
    let object = json!({
        "labels": rules.labels().iter().filter(|label| !is_stand_in(label) && label.as_str() != BARE).count(),
        "stand_ins": n_stand_ins,
        "tags": lexicon.tags().len(),
        "rules": {
            "unary": rules.unary().len(),
            "binary": rules.binary().len(),
            "lexical": lexicon.rule_tags().len(),
        },
        "known_words": lexicon.n_known(),
        "rare_below": lexicon.threshold(),
        "word_classes": lexicon.n_classes(),
        "chains": model.chains.len(),
        "samples_per_chain": model.chains.first().map(|chain| chain.n_samples),
        "smoothing": {
            "rules": smoothing.rules,
            "words": smoothing.words,
            "annotations": smoothing.annotations,
            "shared": smoothing.shared,
        },
        "annotations": annotations(model),
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// How many annotations each label has, most first.
fn annotations(model: &Model) -> Map<String, Value> {
    let Some(chain) = model.chains.first() else { return Map::new() };
    let rules = model.codec.rules();
    let mut by_label: BTreeMap<String, u32> = BTreeMap::new();
    for (info, &size) in rules.categories().iter().zip(chain.sizes.as_slice()) {
        let label = &rules.labels()[info.label as usize];
        if info.level != Level::Root && !label.starts_with('@') && label.as_str() != BARE {
            by_label.insert(plain(label).to_string(), size);
        }
    }
    let mut sorted: Vec<(String, u32)> = by_label.into_iter().collect();
    sorted.order_by_key(|(_, size)| std::cmp::Reverse(*size));
    sorted.into_iter().map(|(label, size)| (label, size.into())).collect()
}

fn of_checkpoint(saved: &TrainCheckpoint) -> Map<String, Value> {
    let likelihoods: Vec<f64> = saved.states.iter().map(|state| state.ln_likelihood).collect();
    let object = json!({
        "sweep": saved.sweep,
        "sweeps": saved.schedule.total(),
        "burn_in": saved.schedule.burn_in,
        "chains": saved.schedule.chains,
        "sentences": saved.states.first().map(|state| state.sentences.len()),
        "log_likelihood": likelihoods,
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
