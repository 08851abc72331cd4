//! Trees and probabilities as they are written.

use super::makeshift::explain;
use crate::options::parse::{Parse, Sample};
use crate::sentences::Line;
use crate::table::plural;
use crate::target::{Target, cannot_write};
use crate::tree_marks;
use crate::watch::Watch;
use anyhow::Context;
use constituency::Parsed;
use constituency::parser::{Constituent, Fallback};
use formats::brackets::to_string;
use formats::output::AtomicFile;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use tree::{Text, Tree};

/// Constituents that are expected less often than this are not listed.
const LEAST_LISTED: f64 = 0.001;

/// What is written for each sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OutputLayout {
    json: bool,
    /// More than one tree: with rank and probability.
    ranked: bool,
    /// Constituents into the objects.
    posteriors: bool,
    /// Constituents into a file of their own.
    pub(super) posteriors_file: bool,
    /// Sampled trees instead of the best: how many.
    draws: usize,
}

impl OutputLayout {
    pub(super) fn of_parse(options: &Parse) -> Self {
        let json = options.what.is_json();
        Self {
            json,
            ranked: options.n_best > 1,
            posteriors: options.posteriors && json,
            posteriors_file: options.posteriors && !json,
            draws: 0,
        }
    }

    pub(crate) fn of_sample(options: &Sample) -> Self {
        Self { json: options.what.is_json(), draws: options.draws as usize, ..Self::default() }
    }
}

/// The file of the trees and, if asked for, that of the posteriors.
pub(crate) struct Output {
    path: PathBuf,
    trees: Target,
    posteriors: Option<(PathBuf, AtomicFile)>,
    layout: OutputLayout,
    /// How the parser signs its trees, if it does.
    machine: Option<String>,
    n_written: usize,
    n_words: usize,
    n_drawn: usize,
}

/// What was written.
pub(super) struct Written {
    /// Lines of input that it stands for.
    pub(super) n_sentences: usize,
    pub(super) n_words: usize,
    pub(super) n_drawn: usize,
    /// The file of the posteriors, if there is one.
    pub(super) posteriors: Option<PathBuf>,
}

impl Output {
    pub(crate) fn create(path: &Path, layout: OutputLayout, machine: Option<String>) -> anyhow::Result<Self> {
        let trees = Target::create(path)?;
        let mut posteriors = None;
        if layout.posteriors_file {
            let path = posteriors_path(path);
            let mut file = AtomicFile::create(&path).with_context(|| cannot_write(&path))?;
            writeln!(file, "sentence\tstart\tend\tlabel\texpected_count\tin_tree")?;
            posteriors = Some((path, file));
        }
        let path = path.to_path_buf();
        Ok(Self { path, trees, posteriors, layout, machine, n_written: 0, n_words: 0, n_drawn: 0 })
    }

    /// Writes what was found for a line of the input; nothing is found for an empty one.
    pub(crate) fn write(&mut self, line: &Line, parsed: Option<&Parsed>) -> anyhow::Result<()> {
        self.n_written += 1;
        self.n_words += line.sentence.as_ref().map_or(0, |sentence| sentence.words.len());
        if let Some(parsed) = parsed.filter(|_| self.layout.draws > 0) {
            self.n_drawn += draws(parsed, self.layout.draws).len();
        }
        let number = self.n_written;
        let text = match (self.layout.json, parsed) {
            (true, parsed) => format!("{}\n", object(number, line, parsed, self.layout)),
            (false, None) if self.layout.ranked || self.layout.draws > 0 => String::new(),
            (false, None) => "\n".to_string(),
            (false, Some(parsed)) => self.signed(line, parsed) + &trees(number, parsed, self.layout),
        };
        self.trees.write_all(text.as_bytes()).with_context(|| cannot_write(&self.path))?;
        if let (Some((path, file)), Some(parsed)) = (&mut self.posteriors, parsed) {
            file.write_all(posteriors(number, line, parsed).as_bytes())
                .with_context(|| cannot_write(path))?;
        }
        Ok(())
    }

    /// The comment that says who built the tree; lists of trees are no treebank and have none.
    fn signed(&self, line: &Line, parsed: &Parsed) -> String {
        let is_list = self.layout.ranked || self.layout.draws > 0;
        match (&self.machine, parsed.trees.first()) {
            (Some(machine), Some((tree, _))) if !is_list => {
                tree_marks::comment(&to_string(tree), machine, line.sentence.as_ref()) + "\n"
            }
            _ => String::new(),
        }
    }

    /// Puts the files in place and tells what is in them.
    pub(super) fn finish(self, watch: &dyn Watch) -> anyhow::Result<Written> {
        let is_file = self.trees.is_file();
        self.trees.finish(watch)?;
        if is_file {
            watch.note(&format!("{}: {}", self.path.display(), plural(self.n_written, "sentence")));
        }
        let mut posteriors = None;
        if let Some((path, file)) = self.posteriors {
            file.finish().with_context(|| cannot_write(&path))?;
            watch.note(&format!("{}: expected counts of constituents", path.display()));
            posteriors = Some(path);
        }
        Ok(Written { n_sentences: self.n_written, n_words: self.n_words, n_drawn: self.n_drawn, posteriors })
    }
}

fn posteriors_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".posteriors.tsv");
    PathBuf::from(name)
}

fn trees(number: usize, parsed: &Parsed, layout: OutputLayout) -> String {
    if layout.draws > 0 {
        let draws = draws(parsed, layout.draws);
        return (1..)
            .zip(draws)
            .map(|(draw, tree)| format!("{number}\t{draw}\t{}\n", to_string(tree)))
            .collect();
    }
    if !layout.ranked {
        return parsed.trees.first().map(|(tree, _)| to_string(tree) + "\n").unwrap_or_default();
    }
    let ranked = (1..).zip(&parsed.trees);
    ranked
        .map(|(rank, (tree, probability))| {
            format!("{number}\t{rank}\t{probability:.6}\t{}\n", to_string(tree))
        })
        .collect()
}

/// As many trees as were asked for; a sentence without posterior has its makeshift tree each time.
fn draws(parsed: &Parsed, n: usize) -> Vec<&Tree<Text>> {
    if parsed.samples.is_empty() {
        return parsed.trees.iter().take(1).cycle().take(n).map(|(tree, _)| tree).collect();
    }
    parsed.samples.iter().collect()
}

fn posteriors(number: usize, line: &Line, parsed: &Parsed) -> String {
    let probability = parsed.trees.first().map_or(0.0, |(_, probability)| *probability);
    let mut text = format!(
        "# sentence {number}\tline {}\tconfidence {:.4}\tprobability {probability:.6}\tlog_probability {:.4}{}\n",
        line.number,
        confidence(parsed),
        parsed.ln_probability,
        if parsed.fallback.is_some() { "\tmakeshift" } else { "" }
    );
    let best = best_brackets(parsed);
    for constituent in listed(parsed) {
        let Constituent { label, start, end, expected } = constituent;
        let in_tree = u8::from(best.contains(&key(constituent)));
        text.push_str(&format!("{number}\t{}\t{end}\t{label}\t{expected:.4}\t{in_tree}\n", start + 1));
    }
    text
}

fn listed(parsed: &Parsed) -> impl Iterator<Item = &Constituent> {
    parsed.constituents.iter().filter(|constituent| constituent.expected >= LEAST_LISTED)
}

type Key<'a> = (&'a str, u32, u32);

fn key(constituent: &Constituent) -> Key<'_> {
    (&constituent.label, constituent.start, constituent.end)
}

/// The constituents of the best tree, tags left out.
fn best_brackets(parsed: &Parsed) -> Vec<Key<'_>> {
    let Some((tree, _)) = parsed.trees.first() else { return Vec::new() };
    let is_tag = |at: usize| tree.nodes()[at].size() == 2;
    let brackets = tree.constituents().into_iter().filter(|&(at, _, _)| !is_tag(at));
    brackets.map(|(_, label, span)| (label.as_str(), span.start() as u32, span.end() as u32)).collect()
}

/// The share of the best tree's constituents that are expected to be right: the mean of their expected counts, none of which
/// counts for more than 1.
pub(crate) fn confidence(parsed: &Parsed) -> f64 {
    if matches!(parsed.fallback, Some(Fallback::Pieces(_))) {
        return 0.0;
    }
    let brackets = best_brackets(parsed);
    if brackets.is_empty() {
        return parsed.trees.first().map_or(0.0, |(_, probability)| *probability);
    }
    let expected = |bracket: &Key<'_>| {
        let found = parsed.constituents.iter().find(|constituent| key(constituent) == *bracket);
        found.map_or(0.0, |constituent| constituent.expected.min(1.0))
    };
    brackets.iter().map(expected).sum::<f64>() / brackets.len() as f64
}

fn object(number: usize, line: &Line, parsed: Option<&Parsed>, layout: OutputLayout) -> Value {
    let mut object = Map::new();
    object.insert("sentence".into(), number.into());
    object.insert("line".into(), line.number.into());
    let Some(parsed) = parsed else {
        object.insert("tree".into(), Value::Null);
        return Value::Object(object);
    };
    let tree = |(tree, probability): &(Tree<Text>, f64)| json!({"tree": to_string(tree), "probability": probability});
    let fallback = match &parsed.fallback {
        None => Value::Null,
        Some(Fallback::Tags) => "tags that the words were not seen with".into(),
        Some(Fallback::Pieces(reason)) => explain(reason).into(),
    };
    if layout.draws > 0 {
        let draws: Vec<String> = draws(parsed, layout.draws).into_iter().map(to_string).collect();
        object.insert("samples".into(), draws.into());
    } else if let Some(best) = parsed.trees.first() {
        object.insert("tree".into(), to_string(&best.0).into());
        object.insert("probability".into(), best.1.into());
        object.insert("confidence".into(), confidence(parsed).into());
    }
    // JSON has no infinity; what cannot be said is null.
    object.insert("log_probability".into(), parsed.ln_probability.into());
    object.insert("fallback".into(), fallback);
    if layout.ranked {
        object.insert("n_best".into(), parsed.trees.iter().map(tree).collect());
    }
    if layout.posteriors {
        let constituent = |c: &Constituent| json!({"start": c.start + 1, "end": c.end, "label": c.label.as_str(), "expected_count": c.expected});
        object.insert("constituents".into(), listed(parsed).map(constituent).collect());
    }
    Value::Object(object)
}
