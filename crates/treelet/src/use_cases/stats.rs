//! Count sentences, words, labels, and how trees look.

use crate::options;
use crate::source::Source;
use crate::statistics::Statistics;
use crate::watch::{Progress, Watch, Watched};
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::semantics;
use serde::Serialize;
use serde_json::{Map, Value};

/// What was counted: figures by name.
#[derive(Debug, Clone, Serialize)]
pub struct Counted {
    /// Of all files together.
    #[serde(flatten)]
    pub total: Map<String, Value>,
    /// Of each file.
    pub files: Vec<CountedFile>,
}

/// What was counted in a file.
#[derive(Debug, Clone, Serialize)]
pub struct CountedFile {
    /// The name of the file.
    pub file: String,
    /// The name of its format.
    pub format: &'static str,
    /// The figures.
    #[serde(flatten)]
    pub figures: Map<String, Value>,
}

/// Counts what is in files.
pub fn stats(options: &options::Stats, watch: &dyn Watch) -> anyhow::Result<Counted> {
    crate::source::only_one_stdin(&options.files)?;
    let mut total = Statistics::default();
    let mut files = Vec::new();
    let mut n_problems = 0;
    for path in &options.files {
        let source = Source::or_text(path, &options.input, watch)?;
        let mut statistics = Statistics::default();
        let progress = Progress::new(watch, source.size(), &source.name());
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let reading = reading.with_context(|| source.cannot_read())?;
            n_problems += reading.problems.iter().filter(|problem| problem.is_error()).count();
            if reading.line != 0 {
                let (_, said, _) = semantics::read(source.format, &reading.value, reading.line);
                for statistics in [&mut statistics, &mut total] {
                    // Where there are no columns for heads and tags, there is nothing to say of them.
                    let is_text = source.format.is_text() || source.format == Format::Conll04;
                    match (&reading.value, is_text) {
                        (Item::Sentence(sentence), true) => statistics.add_text(sentence),
                        (item, _) => statistics.add(item),
                    }
                    statistics.add_semantics(&said);
                }
            }
        }
        let (file, format) = (source.name(), source.format.name());
        files.push(CountedFile { file, format, figures: statistics.figures() });
    }
    if n_problems > 0 {
        watch.note(&format!("note: {n_problems} errors in the input; `treelet check` lists them"));
    }
    Ok(Counted { total: total.figures(), files })
}

/// A figure as people read it.
pub fn cell(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() => format!("{number:.3}"),
        _ if value.is_null() => "–".into(),
        _ => value.to_string(),
    }
}
