//! `treelet model show`: an induced grammar, or a tagger, in words.

use crate::models;
use crate::options::parse::ModelInfo;
use crate::outcome::{Outcome, Usage};
use crate::use_cases::tag;
use crate::watch::Watch;
use chain::container;
use induce::dmv::model::{Correlation, DmvModel, KIND, Portrait};
use serde_json::{Value, json};
use std::fmt::Write;
use tree::Side;

/// Correlations that are shown.
const STRONGEST: usize = 12;

pub fn run(options: &ModelInfo, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let header = container::info(&options.file).map_err(models::file_error)?;
    if header.kind == tag::model::KIND {
        return tag::show::run(options, watch);
    }
    if header.kind != KIND {
        return Err(Usage(format!(
            "{} is a {}; `model show` prints grammars of `treelet induce dmv` and taggers, `model info` says what other files are",
            options.file.display(),
            header.kind
        ))
        .into());
    }
    let model = DmvModel::read(&options.file).map_err(models::file_error)?;
    let (portraits, correlations) = (model.portraits(), model.correlations(STRONGEST));
    watch.print(&match options.json {
        true => format!("{:#}\n", objects(&model, &portraits, &correlations)),
        false => text(&portraits, &correlations),
    })?;
    Ok(Outcome::Fine)
}

fn text(portraits: &[Portrait], correlations: &[Correlation]) -> String {
    let takes = |portrait: &Portrait, side: usize| {
        let likely = portrait.takes[side].iter().filter(|(_, p)| *p >= 0.05);
        likely.map(|(tag, p)| format!("{tag} {:.0}%", 100.0 * p)).collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<[String; 2]> = portraits.iter().map(|row| [takes(row, 0), takes(row, 1)]).collect();
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let width = widest(&mut portraits.iter().map(|row| row.tag.chars().count())).max(4);
    let left = widest(&mut rows.iter().map(|row| row[0].chars().count())).max(17);
    let mut text = format!(
        "{:width$}  {:>5}  {:>6}  {:>6}  {:left$}  takes on the right\n",
        "head", "root", "left", "right", "takes on the left"
    );
    for (portrait, [on_left, on_right]) in portraits.iter().zip(&rows) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:width$}  {:5.1}  {:6.2}  {:6.2}  {on_left:left$}  {on_right}",
            portrait.tag,
            100.0 * portrait.root,
            portrait.dependents[0],
            portrait.dependents[1],
        );
    }
    text.push_str("\nroot: % of sentences; left, right: dependents that are expected on that side\n");
    if !correlations.is_empty() {
        text.push_str("\nStrongest correlations of what heads take:\n");
    }
    for Correlation { head, tags, value } in correlations {
        let _ = writeln!(text, "{value:+.2}  {} and {}, {}", tags.0, tags.1, named(head.as_ref()));
    }
    text
}

fn named(head: Option<&(impl AsRef<str>, Side)>) -> String {
    match head {
        None => "by the root".into(),
        Some((tag, side)) => format!("by {} on the {}", tag.as_ref(), side_name(*side)),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn objects(model: &DmvModel, portraits: &[Portrait], correlations: &[Correlation]) -> Value {
    let takes = |takes: &[(tree::Text, f64)]| -> Value {
        takes.iter().map(|(tag, p)| json!({ "tag": tag.as_str(), "probability": p })).collect()
    };
    let heads = portraits.iter().map(|portrait| {
        json!({
            "tag": portrait.tag.as_str(),
            "root": portrait.root,
            "dependents": { "left": portrait.dependents[0], "right": portrait.dependents[1] },
            "any": { "left": portrait.any[0], "right": portrait.any[1] },
            "takes": { "left": takes(&portrait.takes[0]), "right": takes(&portrait.takes[1]) },
        })
    });
    let correlations = correlations.iter().map(|correlation| {
        json!({
            "head": correlation.head.as_ref().map(|(tag, _)| tag.as_str()),
            "side": correlation.head.as_ref().map(|(_, side)| side_name(*side)),
            "tags": [correlation.tags.0.as_str(), correlation.tags.1.as_str()],
            "value": correlation.value,
        })
    });
    json!({
        "heads": heads.collect::<Vec<_>>(),
        "correlations": correlations.collect::<Vec<_>>(),
        "notes": model.notes,
    })
}
