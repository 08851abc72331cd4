//! `treelet stats`: count sentences, words, labels, and how trees look.

use crate::args;
use crate::outcome::Outcome;
use crate::progress::{Progress, Watched};
use crate::source::Source;
use crate::statistics::Statistics;
use crate::table;
use crate::terminal::Terminal;
use anyhow::Context;
use formats::everything::{self, Item};
use serde_json::{Map, Value};

pub(crate) fn run(options: &args::Stats, terminal: &Terminal) -> anyhow::Result<Outcome> {
    crate::source::only_one_stdin(&options.files)?;
    let mut total = Statistics::default();
    let mut files = Vec::new();
    let mut n_problems = 0;
    for path in &options.files {
        let source = Source::or_text(path, &options.input, terminal)?;
        let mut statistics = Statistics::default();
        let progress = Progress::new(terminal, source.size(), &source.name());
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let reading = reading.with_context(|| source.cannot_read())?;
            n_problems += reading.problems.iter().filter(|problem| problem.is_error()).count();
            if reading.line != 0 {
                for statistics in [&mut statistics, &mut total] {
                    match (&reading.value, source.format.is_text()) {
                        (Item::Sentence(sentence), true) => statistics.add_text(sentence),
                        (item, _) => statistics.add(item),
                    }
                }
            }
        }
        files.push((source.name(), source.format.name(), statistics));
    }
    if n_problems > 0 {
        terminal.note(&format!("note: {n_problems} errors in the input; `treelet check` lists them"));
    }
    match options.json {
        true => terminal.print(&json(&total, &files))?,
        false => terminal.print_tables(&text(&total, &files))?,
    }
    Ok(Outcome::Fine)
}

type File = (String, &'static str, Statistics);

fn json(total: &Statistics, files: &[File]) -> String {
    let mut top = total.figures();
    let object = |(name, format, statistics): &File| {
        let mut object = Map::new();
        object.insert("file".into(), name.as_str().into());
        object.insert("format".into(), (*format).into());
        object.extend(statistics.figures());
        Value::Object(object)
    };
    top.insert("files".into(), files.iter().map(object).collect());
    format!("{:#}\n", Value::Object(top))
}

fn text(total: &Statistics, files: &[File]) -> String {
    let mut columns: Vec<(&str, Map<String, Value>)> =
        files.iter().map(|(name, _, statistics)| (name.as_str(), statistics.figures())).collect();
    if files.len() > 1 {
        columns.push(("total", total.figures()));
    }
    let mut keys: Vec<&String> = Vec::new();
    for key in columns.iter().flat_map(|(_, figures)| figures.keys()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let headings: Vec<&str> = [""].into_iter().chain(columns.iter().map(|(name, _)| *name)).collect();
    let plain = keys
        .iter()
        .filter(|key| columns.iter().all(|(_, figures)| !figures.get(**key).is_some_and(Value::is_object)));
    let rows: Vec<Vec<String>> = plain
        .map(|key| {
            let cells = columns.iter().map(|(_, figures)| figures.get(*key).map_or(String::new(), cell));
            [key.replace('_', " ")].into_iter().chain(cells).collect()
        })
        .collect();
    let mut text = table::render(&headings, &rows);
    for key in keys {
        let counts = columns.last().and_then(|(_, figures)| figures.get(key)?.as_object());
        if let Some(counts) = counts.filter(|counts| !counts.is_empty()) {
            text.push_str(&format!("\n{}: {}\n", key.replace('_', " "), most_frequent(counts)));
        }
    }
    text
}

/// A figure as people read it.
pub(crate) fn cell(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() => format!("{number:.3}"),
        _ if value.is_null() => "–".into(),
        _ => value.to_string(),
    }
}

fn most_frequent(counts: &Map<String, Value>) -> String {
    let mut items: Vec<(&String, u64)> =
        counts.iter().map(|(name, n)| (name, n.as_u64().unwrap_or(0))).collect();
    items.sort_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
    let shown: Vec<String> = items
        .iter()
        .take(20)
        .map(|(name, n)| format!("{} {n}", if name.is_empty() { "(empty)" } else { name }))
        .collect();
    let more = items.len().saturating_sub(20);
    if more > 0 { format!("{}, and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
