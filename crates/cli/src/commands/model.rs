//! `treelet model`: what is in model files, as text or as JSON.

mod grammar;
mod tagger;

use crate::terminal::Terminal;
use serde_json::Value;
use treelet::options::parse::ModelCommand;
use treelet::{ModelDescription, Outcome, ShownModel, table};

pub(crate) fn run(what: &ModelCommand, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        ModelCommand::Info(options) => {
            let description = treelet::describe_model(options, terminal)?;
            match options.answer.json {
                true => terminal.print_json(&description)?,
                false => terminal.print(&text(&description))?,
            }
        }
        ModelCommand::Show(options) => match treelet::show_model(options, terminal)? {
            shown if options.answer.json => terminal.print_json(&shown)?,
            ShownModel::Grammar(grammar) => terminal.print(&grammar::text(&grammar))?,
            ShownModel::Tagger(tagger) => terminal.print(&tagger::text(&tagger))?,
        },
    }
    Ok(Outcome::Fine)
}

fn text(description: &ModelDescription) -> String {
    let ModelDescription { file, kind, version, bytes, notes, figures } = description;
    let mut rows = vec![
        vec!["kind".to_string(), format!("{kind}, version {version}")],
        vec!["size".to_string(), format!("{bytes} bytes")],
    ];
    rows.extend(notes.iter().map(|(name, value)| vec![name.clone(), value.clone()]));
    // What the notes say already is not said twice.
    let fresh = figures.iter().filter(|(name, _)| !matches!(name.as_str(), "annotations" | "chains"));
    rows.extend(fresh.map(|(name, value)| vec![name.replace('_', " "), cell(value)]));
    if let Some(annotations @ Value::Object(_)) = figures.get("annotations") {
        rows.push(vec!["annotations by label".to_string(), cell(annotations)]);
    }
    format!("{file}\n{}", table::pairs(&rows))
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
