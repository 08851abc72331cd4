//! `treelet stats`: figures as a table or as JSON.

use crate::terminal::Terminal;
use serde_json::{Map, Value};
use treelet::PutInOrder;
use treelet::options::Stats;
use treelet::{Counted, Outcome, cell, table};

pub(crate) fn run(options: &Stats, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let counted = treelet::stats(options, terminal)?;
    match options.answer.json {
        true => terminal.print_json(&counted)?,
        false => terminal.print_tables(&text(&counted))?,
    }
    Ok(Outcome::Fine)
}

fn text(counted: &Counted) -> String {
    let mut columns: Vec<(&str, &Map<String, Value>)> =
        counted.files.iter().map(|file| (file.file.as_str(), &file.figures)).collect();
    if columns.len() > 1 {
        columns.push(("total", &counted.total));
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

fn most_frequent(counts: &Map<String, Value>) -> String {
    let mut items: Vec<(&String, u64)> =
        counts.iter().map(|(name, n)| (name, n.as_u64().unwrap_or(0))).collect();
    items.order_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
    let shown: Vec<String> = items
        .iter()
        .take(20)
        .map(|(name, n)| format!("{} {n}", if name.is_empty() { "(empty)" } else { name }))
        .collect();
    let more = items.len().saturating_sub(20);
    if more > 0 { format!("{}, and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
