//! `treelet model info`: what a model or a checkpoint is, how it was made, and how large it is.

use crate::models;
use crate::options::parse::ModelInfo;
use crate::outcome::{Outcome, Usage};
use crate::table;
use crate::use_cases::joint::{self, model::JointModel};
use crate::use_cases::tag::{self, model::TaggerModel};
use crate::watch::Watch;
use anyhow::Context;
use chain::container::{self, Header};
use chain::{Checkpoint, Kernel};
use constituency::Model;
use constituency::model::KIND;
use constituency::sampler::Sampler;
use constituency::train::TrainCheckpoint;
use dependency::{self, DependencyModel, Order};
use grammar::Level;
use grammar::codec::plain;
use grammar::shape::BARE;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub fn info(options: &ModelInfo, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let path = &options.file;
    if path == Path::new("-") || path.is_dir() {
        return Err(Usage("give the name of a model file".into()).into());
    }
    let header = container::info(path).map_err(models::file_error)?;
    let figures = figures(path, &header)?;
    let size = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    let output = if options.json {
        let mut object = Map::new();
        object.insert("file".into(), path.display().to_string().into());
        object.insert("kind".into(), header.kind.as_str().into());
        object.insert("version".into(), header.version.into());
        object.insert("bytes".into(), size.into());
        object.insert("notes".into(), json!(header.notes));
        object.extend(figures);
        format!("{:#}\n", Value::Object(object))
    } else {
        text(path, &header, size, &figures)
    };
    watch.print(&output)?;
    Ok(Outcome::Fine)
}

/// What the payload says; of an unknown kind, only that it is whole.
fn figures(path: &Path, header: &Header) -> anyhow::Result<Map<String, Value>> {
    if header.kind == KIND {
        return Ok(of_model(&models::read(path)?));
    }
    if header.kind == tag::model::KIND {
        return Ok(of_tagger(&TaggerModel::read(path)?));
    }
    if header.kind == ::joint::brackets::KIND {
        return Ok(joint::brackets::figures(
            &::joint::brackets::Model::read(path).map_err(models::file_error)?,
        ));
    }
    if header.kind == joint::model::KIND {
        return Ok(JointModel::read(path)?.figures());
    }
    if header.kind == dependency::KIND {
        return Ok(of_parser(&DependencyModel::read(path).map_err(models::file_error)?));
    }
    if header.kind == format!("checkpoint/{}", Sampler::KIND) {
        let saved: TrainCheckpoint = Checkpoint::read::<Sampler<'_>>(path).map_err(models::file_error)?;
        return Ok(of_checkpoint(&saved));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = container::open(&bytes).map(|_| ());
    whole.map_err(|problem| models::file_error(chain::Error::File { path: path.to_owned(), problem }))?;
    Ok(Map::new())
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

fn of_parser(model: &DependencyModel) -> Map<String, Value> {
    let [arcs, second, relations] = model.n_weights();
    let options = model.options();
    let object = json!({
        "order": if options.order == Order::Second { 2 } else { 1 },
        "projective": options.shape.projective,
        "relations": model.relations().len(),
        "tags": model.tagger.as_ref().map_or(0, |tagger| tagger.tags().len()),
        "calibrated_tags": model.tagger.as_ref().is_some_and(|tagger| tagger.is_calibrated()),
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
    sorted.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
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

fn text(path: &Path, header: &Header, size: u64, figures: &Map<String, Value>) -> String {
    let mut rows = vec![
        vec!["kind".to_string(), format!("{}, version {}", header.kind, header.version)],
        vec!["size".to_string(), format!("{size} bytes")],
    ];
    rows.extend(header.notes.iter().map(|(name, value)| vec![name.clone(), value.clone()]));
    // What the notes say already is not said twice.
    let fresh = figures.iter().filter(|(name, _)| !matches!(name.as_str(), "annotations" | "chains"));
    rows.extend(fresh.map(|(name, value)| vec![name.replace('_', " "), cell(value)]));
    if let Some(Value::Object(annotations)) = figures.get("annotations") {
        rows.push(vec!["annotations by label".to_string(), cell(&Value::Object(annotations.clone()))]);
    }
    format!("{}\n{}", path.display(), table::pairs(&rows))
}

/// A figure as people read it: an object becomes a list.
fn cell(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let items: Vec<String> = object.iter().map(|(name, value)| format!("{name} {value}")).collect();
            items.join(", ")
        }
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Number(number) if number.is_f64() => format!("{:.3}", number.as_f64().unwrap_or(f64::NAN)),
        value => value.to_string(),
    }
}
