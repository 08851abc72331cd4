//! Brackets by EVALB's rules.

use super::{BySentence, Loaded, Scored};
use crate::options;
use crate::watch::Watch;
use ::score::brackets::{
    BracketReport, BracketRow, Deletion, Layout, Options, Parameters, Scorer, Summary, WholeSentence,
};
use anyhow::{Context, bail};
use formats::brackets::Bracketed;
use serde_json::{Map, Value, json};
use tree::{Text, Tree};

/// How brackets compare.
#[derive(Debug, Clone, PartialEq)]
pub struct BracketScores {
    /// What EVALB would find.
    pub report: BracketReport,
}

impl BracketScores {
    /// The table as EVALB prints it, or as the release did that made the example distributed with it.
    pub fn table(&self, old: bool) -> String {
        self.report.table_as(if old { Layout::Old } else { Layout::Recent })
    }
}

pub(super) fn score(
    gold: &Loaded,
    system: &Loaded,
    options: &options::Score,
    watch: &dyn Watch,
) -> anyhow::Result<Scored> {
    let settings = settings(options, watch)?;
    let mut scorer = Scorer::new(settings);
    for (gold, parse) in pairs(gold, system)? {
        scorer.add(gold, parse);
    }
    let report = scorer.finish();
    Ok(Scored {
        name: system.path.clone(),
        headline: vec![
            ("recall", Some(report.all.recall())),
            ("precision", Some(report.all.precision())),
            ("F1", Some(report.all.f1())),
            ("strict F1", Some(report.all.strict_f1())),
            ("exact", Some(report.all.complete_match())),
            ("tagging", Some(report.all.tag_accuracy())),
            ("compared", Some(100.0 * report.all.valid() as f64 / report.all.sentences.max(1) as f64)),
        ],
        figures: json(&report, options),
        by_sentence: BySentence {
            figure: "strict F1",
            counts: report.rows.iter().map(BracketRow::strict).collect(),
        },
        semantics: None,
        report: super::Report::Brackets(BracketScores { report }.into()),
    })
}

fn settings(options: &options::Score, watch: &dyn Watch) -> anyhow::Result<Options> {
    let mut parameters = Parameters::collins();
    if let Some(path) = &options.prm {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let problems;
        (parameters, problems) = Parameters::parse(&text);
        for problem in problems {
            watch.note(&format!("note: {}: {problem}", path.display()));
        }
    }
    if options.unlabelled {
        parameters.labeled = false;
    }
    Ok(Options {
        parameters,
        deletion: if options.gold_punct { Deletion::GoldTags } else { Deletion::OwnTags },
        whole_sentence: if options.no_root { WholeSentence::LeftOut } else { WholeSentence::Counted },
    })
}

type Trees = Vec<Tree<Text>>;

/// The trees of each line: a parser's line may hold several pieces, or nothing.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Trees>,
    last_line: u32,
}

impl Lines {
    /// Adds what was read at `line` of the file.
    pub(super) fn add(&mut self, bracketed: Bracketed, line: u32) {
        let same_line = std::mem::replace(&mut self.last_line, line) == line;
        match (bracketed.tree, self.lines.last_mut()) {
            (Some(tree), Some(pieces)) if same_line => pieces.push(tree),
            // Programs write a failed parse as a tree without words, such as (()).
            (Some(tree), _) if tree.n_words() == 0 => self.lines.push(Vec::new()),
            (Some(tree), _) => self.lines.push(vec![tree]),
            (None, _) if bracketed.comments.is_empty() => self.lines.push(Vec::new()),
            (None, _) => {}
        }
    }

    /// Whether there is no tree.
    pub(super) fn is_empty(&self) -> bool {
        self.trees().next().is_none()
    }

    fn all(&self) -> impl Iterator<Item = &Trees> {
        self.lines.iter()
    }

    fn trees(&self) -> impl Iterator<Item = &Trees> {
        self.lines.iter().filter(|line| !line.is_empty())
    }
}

/// Pairs gold trees with parses. An empty line is a sentence without a parse where that makes the numbers
/// agree, and mere space between trees otherwise.
fn pairs<'a>(gold: &'a Loaded, system: &'a Loaded) -> anyhow::Result<Vec<(&'a Trees, &'a Trees)>> {
    let (n_gold, n_system) = (gold.lines.trees().count(), system.lines.trees().count());
    let (all_gold, all_system) = (gold.lines.all().count(), system.lines.all().count());
    if n_gold == n_system {
        Ok(gold.lines.trees().zip(system.lines.trees()).collect())
    } else if n_gold == all_system {
        Ok(gold.lines.trees().zip(system.lines.all()).collect())
    } else if all_gold == all_system {
        Ok(gold.lines.all().zip(system.lines.all()).collect())
    } else {
        bail!(
            "{n_system} trees, but {} has {n_gold}; write one line per gold tree, an empty line where there is no parse",
            gold.name
        )
    }
}

fn summary(summary: &Summary) -> Value {
    json!({
        "sentences": summary.sentences,
        "errors": summary.errors,
        "skipped": summary.skipped,
        "valid": summary.valid(),
        "recall": summary.recall(),
        "precision": summary.precision(),
        "f1": summary.f1(),
        "exact": summary.complete_match(),
        "crossing": summary.average_crossing(),
        "no_crossing": summary.no_crossing_share(),
        "two_or_less_crossing": summary.two_or_less_crossing_share(),
        "tagging": summary.tag_accuracy(),
        "strict_f1": summary.strict_f1(),
        "matched_brackets": summary.brackets.matched,
        "gold_brackets": summary.brackets.gold,
        "test_brackets": summary.brackets.system,
    })
}

fn json(report: &BracketReport, options: &options::Score) -> Map<String, Value> {
    let row = |row: &BracketRow| {
        json!({
            "id": row.id,
            "length": row.length,
            "status": row.status.code(),
            "reason": row.status.to_string(),
            "recall": row.recall(),
            "precision": row.precision(),
            "matched": row.brackets.matched,
            "gold": row.brackets.gold,
            "test": row.brackets.system,
            "crossing": row.crossing,
            "words": row.words,
            "correct_tags": row.correct_tags,
            "tagging": row.tag_accuracy(),
        })
    };
    let mut cutoff = summary(&report.short);
    cutoff["length"] = report.cutoff_length.into();
    let mut top = Map::new();
    top.insert("all".into(), summary(&report.all));
    top.insert("cutoff".into(), cutoff);
    top.insert("per_sentence".into(), report.rows.iter().map(row).collect());
    if options.per_label {
        let label = |(label, counts): (&Text, &::score::brackets::LabelCounts)| {
            let figures = json!({
                "gold": counts.gold, "test": counts.test,
                "recall": counts.recall(), "precision": counts.precision(), "f1": counts.f1(),
            });
            (label.to_string(), figures)
        };
        top.insert("per_label".into(), Value::Object(report.labels.iter().map(label).collect()));
    }
    top
}
