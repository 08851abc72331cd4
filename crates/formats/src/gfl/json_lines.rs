//! JSON lines `{"sent": "…", "anno": "…"}`: one sentence per line, as the web annotation tool stores them.

use super::{Block, JsonLine, Section, rows};
use crate::{Problem, records};
use serde_json::{Map, Value};
use std::io::BufRead;
use tree::Place;

/// Reads JSON lines as blocks, each with the problems found in it.
pub type JsonLinesReader<R> = records::RecordReader<R>;

/// The records of `source`.
///
/// `sent`, `anno`, `pos`, `conllu` and `id` become the sections TEXT, ANNO, POS TEXT, CONLLU and ID; any other plain value
/// becomes a section with its name in capitals (`% NUMBER 440`), so that converting loses no remark.
pub fn read<R: BufRead>(source: R) -> JsonLinesReader<R> {
    records::RecordReader::new(source, |text, line, problems| {
        let mut block = read_json_line(text, line, problems);
        block.json = Some(JsonLine::Gfl(text.to_owned()));
        block
    })
}

fn read_json_line(text: &str, line: u32, problems: &mut Vec<Problem>) -> Block {
    let mut block = Block { separator: Some("---\n".to_owned()), ..Block::default() };
    let record: Map<String, Value> = match serde_json::from_str(text) {
        Ok(record) => record,
        Err(error) => {
            let column = u32::try_from(error.column()).unwrap_or(u32::MAX);
            let place = Place::new(line, column, 1);
            let help = "each line is one object {\"sent\": \"…\", \"anno\": \"…\"}";
            problems.push(Problem::error("json-syntax", place, format!("no JSON object: {error}"), help));
            return block;
        }
    };
    for field in ["sent", "anno"] {
        if !record.get(field).is_some_and(Value::is_string) {
            let help = "each record has the text \"sent\" and the text \"anno\"";
            let message = format!("the record has no text \"{field}\"");
            problems.push(Problem::error("json-missing-field", Place::line(line), message, help));
        }
    }
    block.sections = sections(&record);
    // Inside a string of JSON there is no line of the file to point at; the message says which line it is.
    problems.extend(block.interpret().into_iter().map(|problem| relocate(problem, line)));
    block
}

fn sections(record: &Map<String, Value>) -> Vec<Section> {
    let text = |field: &str| record.get(field).and_then(Value::as_str);
    let mut sections = Vec::new();
    for (field, value) in [("id", record.get("id"))].into_iter().chain(others(record)) {
        if let Some(plain) = value.and_then(plain_value) {
            sections.push(Section::new(&format!("{} {plain}", field.to_uppercase()), ""));
        }
    }
    if let Some(tags) = text("pos").filter(|tags| !tags.trim().is_empty()) {
        sections.push(Section::new("POS TEXT", &format!("{}\n\n", tags.trim())));
    }
    sections.push(Section::new("TEXT", &format!("{}\n\n", text("sent").unwrap_or_default().trim())));
    sections.push(Section::new("ANNO", text("anno").unwrap_or_default()));
    if let Some(rows) = text("conllu").filter(|rows| !rows.trim().is_empty()) {
        sections.push(Section::new(rows::NAME, &format!("{}\n\n", rows.trim_end())));
    }
    sections
}

fn others(record: &Map<String, Value>) -> impl Iterator<Item = (&str, Option<&Value>)> {
    let known = ["id", "sent", "anno", "pos", "conllu"];
    let others = record.iter().filter(move |(field, _)| !known.contains(&field.as_str()));
    others.map(|(field, value)| (field.as_str(), Some(value)))
}

/// A value that fits on one line.
fn plain_value(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    (!text.is_empty() && !text.contains(['\n', '\r'])).then_some(text)
}

fn relocate(mut problem: Problem, line: u32) -> Problem {
    let within = problem.place;
    if within.column > 0 {
        let at = format!(" (line {}, column {} of the annotation)", within.line, within.column);
        problem.message.push_str(&at);
    }
    problem.place = Place::line(line);
    problem
}

/// A block as one JSON line without its end.
///
/// A block that was read from such a line and not changed gives the line back as it was.
pub fn write_json_line(block: &Block) -> String {
    if let Some(JsonLine::Gfl(line)) = &block.json {
        return line.clone();
    }
    let mut record = Map::new();
    let mut put = |field: &str, text: Option<String>| {
        if let Some(text) = text {
            record.insert(field.to_owned(), Value::String(text));
        }
    };
    for section in &block.sections {
        if let Some((name, value)) = section.name().split_once(char::is_whitespace)
            && section.name() != "POS TEXT"
            && section.text().trim().is_empty()
        {
            put(&name.to_lowercase(), Some(value.trim().to_owned()));
        }
    }
    put("id", block.id.clone());
    put("sent", Some(block.tokens.join(" ")));
    put("pos", block.field("POS TEXT"));
    put("anno", Some(block.annotation().trim().to_owned()));
    put("conllu", block.section(rows::NAME).map(|section| section.text().trim_end().to_owned()));
    Value::Object(record).to_string()
}
