//! The diagnosis for programs.

use super::curves::Point;
use super::judge::{Judged, OneChain};
use super::scores::Scores;
use super::trace::Series;
use super::usage::ChainUsage;
use super::{Diagnosis, ModelFigures};
use chain::diagnose::Summary;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

impl Serialize for Diagnosis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object(self).serialize(serializer)
    }
}

/// Everything. What is undefined, or not a number, is `null`.
fn object(diagnosis: &Diagnosis) -> Value {
    let chain = |chain: &Series| {
        json!({
            "name": chain.name,
            "file": diagnosis.files.get(chain.run),
            "chain": chain.number,
            "sweeps": chain.n_sweeps(),
            "burn_in": chain.burn_in(),
            "kept": chain.n_kept(),
        })
    };
    json!({
        "traces": diagnosis.files,
        "chains": diagnosis.chains.iter().map(chain).collect::<Vec<Value>>(),
        "columns": diagnosis.columns.iter().map(column).collect::<Vec<Value>>(),
        "model": diagnosis.model.as_ref().map(model),
        "scores": diagnosis.scores.as_ref().map(scores),
        "parsing_sweeps": curve(&diagnosis.curves.parsing, |at| ("sweeps", (at as u64).into())),
        "training_sweeps": curve(&diagnosis.curves.training, |at| ("sweeps", (at as u64).into())),
        "lambdas": curve(&diagnosis.curves.lambdas, |at| ("lambda", at.into())),
    })
}

fn column(judged: &Judged) -> Value {
    let chain = |chain: &OneChain| {
        let mut object = Map::new();
        object.insert("name".into(), chain.name.as_str().into());
        put_summary(chain.summary.as_ref(), &mut object);
        object.insert("autocorrelation".into(), json!(chain.autocorrelation));
        Value::Object(object)
    };
    let mut object = Map::new();
    object.insert("name".into(), judged.column.as_str().into());
    object.insert("status".into(), judged.verdict.status().into());
    object.insert("verdict".into(), judged.verdict.to_string().into());
    put_summary(judged.summary.as_ref(), &mut object);
    object.insert("split_rhat".into(), json!(judged.split_rhat));
    object.insert("rhat_within".into(), json!(judged.rhat_within));
    object.insert("chains".into(), judged.chains.iter().map(chain).collect());
    Value::Object(object)
}

fn put_summary(summary: Option<&Summary>, object: &mut Map<String, Value>) {
    let figures = [
        ("mean", summary.map(|summary| summary.mean)),
        ("sd", summary.map(|summary| summary.sd)),
        ("mcse", summary.and_then(|summary| summary.mcse)),
        ("q5", summary.map(|summary| summary.quantiles[0])),
        ("median", summary.map(|summary| summary.quantiles[1])),
        ("q95", summary.map(|summary| summary.quantiles[2])),
        ("rhat", summary.and_then(|summary| summary.rhat)),
        ("ess_bulk", summary.and_then(|summary| summary.ess_bulk)),
        ("ess_tail", summary.and_then(|summary| summary.ess_tail)),
    ];
    object.extend(figures.map(|(name, value)| (name.to_owned(), json!(value))));
}

fn model(model: &ModelFigures) -> Value {
    let chain = |usage: &ChainUsage| {
        let rules: Vec<Value> =
            usage.rules.iter().map(|(rule, count)| json!({"rule": rule, "count": count})).collect();
        let labels: Vec<Value> = usage
            .labels
            .iter()
            .map(
                |usage| json!({"label": usage.label, "counts": usage.counts, "effective": usage.effective()}),
            )
            .collect();
        json!({"name": usage.name, "samples": usage.n_samples, "rules": rules, "labels": labels})
    };
    json!({
        "file": model.name,
        "notes": model.notes,
        "chains": model.chains.iter().map(chain).collect::<Vec<Value>>(),
    })
}

fn scores(scores: &Scores) -> Value {
    let chains = scores.chains.iter();
    let chains: Vec<Value> = chains
        .map(|chain| json!({"name": chain.name, "draws": chain.draws, "max_rule": chain.max_rule}))
        .collect();
    let decoder = |decoder: &super::scores::DecoderScores| {
        (decoder.name.to_owned(), json!({"f1": decoder.scores.f1, "by_sentence": decoder.scores.by_sentence}))
    };
    json!({
        "gold": scores.gold,
        "sentences": scores.n_sentences,
        "makeshift": scores.n_makeshift,
        "draws": scores.n_draws,
        "chains": chains,
        "decoders": scores.decoders.iter().map(decoder).collect::<Map<String, Value>>(),
    })
}

fn curve(points: &[Point], place: impl Fn(f64) -> (&'static str, Value)) -> Vec<Value> {
    let point = |point: &Point| {
        let (name, at) = place(point.at);
        json!({
            "model": point.file,
            name: at,
            "f1": point.scores.f1,
            "by_sentence": point.scores.by_sentence,
            "makeshift": point.scores.n_makeshift,
        })
    };
    points.iter().map(point).collect()
}
