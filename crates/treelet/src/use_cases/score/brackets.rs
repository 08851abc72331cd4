//! Brackets by EVALB's rules.

use super::{Loaded, Scored};
use crate::options;
use crate::table;
use crate::watch::Watch;
use ::score::brackets::{Deletion, Layout, Options, Parameters, Report, Row, Scorer, Summary, WholeSentence};
use anyhow::{Context, bail};
use formats::brackets::Bracketed;
use serde_json::{Map, Value, json};
use tree::{Text, Tree};

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
        headline: vec![
            ("recall", Some(report.all.recall())),
            ("precision", Some(report.all.precision())),
            ("F1", Some(report.all.f1())),
            ("strict F1", Some(report.all.strict_f1())),
            ("exact", Some(report.all.complete_match())),
            ("tagging", Some(report.all.tag_accuracy())),
            ("compared", Some(100.0 * report.all.valid() as f64 / report.all.sentences.max(1) as f64)),
        ],
        json: json(&report, options),
        text: text(&report, options),
        by_sentence: ("strict F1", report.rows.iter().map(Row::strict).collect()),
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

fn json(report: &Report, options: &options::Score) -> Map<String, Value> {
    let row = |row: &Row| {
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

fn text(report: &Report, options: &options::Score) -> String {
    // EVALB prints a row per sentence; on a screen the summary is what most people want.
    let whole = report.table_as(if options.old_evalb { Layout::Old } else { Layout::Recent });
    let mut text = match whole.split_once("=== Summary ===") {
        Some((_, summary)) if !options.per_sentence => {
            format!("=== Summary ===\n{}", summary.trim_start_matches('\n'))
        }
        _ => whole,
    };
    text.push_str(&format!(
        "\nStrict FMeasure           = {:6.2}   (sentences that were not compared count as missed)\n",
        report.all.strict_f1()
    ));
    let not_compared: Vec<&Row> = report.not_compared().collect();
    if !not_compared.is_empty() {
        text.push_str("\nNot compared:\n");
        for row in not_compared {
            text.push_str(&format!("  sentence {}: {}\n", row.id, row.status));
        }
    }
    if options.per_label {
        text.push_str(&format!("\n{}", labels(report)));
    }
    text
}

fn labels(report: &Report) -> String {
    let mut labels: Vec<_> = report.labels.iter().collect();
    labels.sort_by_key(|(label, counts)| (std::cmp::Reverse(counts.gold), *label));
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .map(|(label, counts)| {
            let figures =
                [counts.recall(), counts.precision(), counts.f1()].map(|figure| format!("{figure:.2}"));
            [label.to_string(), counts.gold.to_string(), counts.test.to_string()]
                .into_iter()
                .chain(figures)
                .collect()
        })
        .collect();
    table::render(&["label", "gold", "test", "recall", "precision", "F1"], &rows)
}
