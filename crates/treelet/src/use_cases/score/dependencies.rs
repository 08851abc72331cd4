//! Dependencies by the rules of the CoNLL 2018 shared task, and attachment as older work counts it.

use super::{Loaded, Scored};
use crate::options::{self, Punctuation};
use crate::table;
use ::score::attachment::{self, Band, DistanceClass, PunctuationRule, Report};
use ::score::conll18::{Evaluation, Metric, evaluate};
use ::score::{Accuracy, Counts};
use serde_json::{Map, Value, json};
use tree::Text;

/// CoNLL-U against CoNLL-U.
pub(super) fn universal(gold: &Loaded, system: &Loaded, options: &options::Score) -> anyhow::Result<Scored> {
    let (gold, system) = (&gold.sentences, &system.sentences);
    let evaluation = evaluate(gold, system)?;
    // Attachment without alignment is defined only where the words are the same.
    let is_shown =
        !options.json || options.punct != Punctuation::Count || options.per_label || options.per_sentence;
    let report = is_shown.then(|| attachment::compare(gold, system, &settings(options)).ok()).flatten();
    let f1 = |metric: Metric| Some(100.0 * evaluation[metric].f1());
    Ok(Scored {
        headline: [
            Metric::Words,
            Metric::Upos,
            Metric::Uas,
            Metric::Las,
            Metric::Clas,
            Metric::Mlas,
            Metric::Blex,
        ]
        .map(|metric| (metric.name(), f1(metric)))
        .into(),
        json: universal_json(&evaluation, report.as_ref(), options),
        text: universal_text(&evaluation, report.as_ref(), options),
        by_sentence: ("LAS", evaluation.by_sentence(Metric::Las).collect()),
    })
}

/// Older formats, or a mixture: the words must be the same.
pub(super) fn attachment(gold: &Loaded, system: &Loaded, options: &options::Score) -> anyhow::Result<Scored> {
    let report = attachment::compare(&gold.sentences, &system.sentences, &settings(options))?;
    let all = report.all();
    let mut json = Map::new();
    let accuracy = |correct: usize| {
        let share = 100.0 * Accuracy { correct, total: all.words }.value();
        json!({
            "precision": share, "recall": share, "f1": share, "aligned_accuracy": share,
            "correct": correct, "gold": all.words, "system": all.words,
        })
    };
    json.insert("UAS".into(), accuracy(all.directed));
    json.insert("LAS".into(), accuracy(all.labelled));
    json.insert("attachment".into(), report.bands.iter().map(band_json).collect());
    details_json(&report, options, &mut json);
    let counts = |row: &attachment::Row| Counts {
        matched: row.figures.labelled,
        gold: row.figures.words,
        system: row.figures.words,
    };
    Ok(Scored {
        headline: vec![
            ("UAS", Some(100.0 * all.directed_accuracy())),
            ("LAS", Some(100.0 * all.labelled_accuracy())),
            ("exact", Some(100.0 * all.exact_match())),
            ("root", Some(100.0 * all.root_accuracy())),
        ],
        json,
        text: bands_text(&report) + &details_text(&report, options),
        by_sentence: ("LAS", report.rows.iter().map(counts).collect()),
    })
}

fn settings(options: &options::Score) -> attachment::Options {
    let punctuation = match options.punct {
        Punctuation::Count => PunctuationRule::Count,
        Punctuation::Skip => PunctuationRule::SkipUpos,
        Punctuation::Ptb => PunctuationRule::SkipPtb,
    };
    attachment::Options { punctuation, ..attachment::Options::default() }
}

fn universal_json(
    evaluation: &Evaluation,
    report: Option<&Report>,
    options: &options::Score,
) -> Map<String, Value> {
    let mut top = Map::new();
    for metric in Metric::ALL {
        let score = evaluation[metric];
        let figures = json!({
            "precision": 100.0 * score.precision(),
            "recall": 100.0 * score.recall(),
            "f1": 100.0 * score.f1(),
            "aligned_accuracy": score.aligned_accuracy().map(|accuracy| 100.0 * accuracy),
            "correct": score.correct,
            "gold": score.gold,
            "system": score.system,
            "aligned": score.aligned,
        });
        top.insert(metric.name().into(), figures);
    }
    if let Some(report) = report {
        if options.punct != Punctuation::Count {
            top.insert("attachment".into(), report.bands.iter().map(band_json).collect());
        }
        details_json(report, options, &mut top);
    }
    top
}

fn universal_text(evaluation: &Evaluation, report: Option<&Report>, options: &options::Score) -> String {
    let mut text = evaluation.scores_table();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match report {
        Some(report) => text.push_str(&format!("\n{}{}", bands_text(report), details_text(report, options))),
        None if options.per_label || options.per_sentence => {
            text.push_str("\nNo tables per relation or sentence: the words of the two files differ.\n");
        }
        None => {}
    }
    text
}

fn band_name(band: &Band) -> String {
    band.max_length.map_or_else(|| "all".into(), |length| format!("≤ {length} words"))
}

fn bands_text(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report
        .bands
        .iter()
        .map(|band| {
            let figures = band.figures;
            let shares = [
                figures.directed_accuracy(),
                figures.undirected_accuracy(),
                figures.ned(),
                figures.labelled_accuracy(),
                figures.exact_match(),
                figures.root_accuracy(),
            ];
            let counts = [figures.sentences.to_string(), figures.words.to_string()];
            let shares = shares.map(|share| format!("{:.2}", 100.0 * share));
            [band_name(band)].into_iter().chain(counts).chain(shares).collect()
        })
        .collect();
    let headings =
        ["length", "sentences", "words", "directed", "undirected", "NED", "labelled", "exact", "root"];
    table::render(&headings, &rows)
}

fn band_json(band: &Band) -> Value {
    let figures = band.figures;
    json!({
        "max_length": band.max_length,
        "sentences": figures.sentences,
        "words": figures.words,
        "directed": 100.0 * figures.directed_accuracy(),
        "undirected": 100.0 * figures.undirected_accuracy(),
        "ned": 100.0 * figures.ned(),
        "labelled": 100.0 * figures.labelled_accuracy(),
        "exact": 100.0 * figures.exact_match(),
        "root": 100.0 * figures.root_accuracy(),
    })
}

/// Name, number of gold words, and two shares.
type BreakdownRow = (String, usize, f64, f64);

/// The tables per relation, per distance, per part of speech: heading, then name, number and two shares.
fn breakdowns(report: &Report) -> Vec<(&'static str, Vec<BreakdownRow>)> {
    let breakdown = &report.breakdown;
    let mut relations: Vec<(&Text, _)> = breakdown.relations.iter().collect();
    relations.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.attachment.total), *name));
    let relations = relations.into_iter().map(|(name, counts)| {
        (name.to_string(), counts.attachment.total, counts.attachment.value(), counts.labelled.f1())
    });
    let distances = DistanceClass::ALL.into_iter().map(|class| {
        let counts = breakdown.distances[class];
        (class.name().to_string(), counts.gold, counts.recall(), counts.precision())
    });
    let mut pos: Vec<(&Text, _)> = breakdown.pos.iter().collect();
    pos.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.directed.total), *name));
    let pos = pos.into_iter().map(|(name, counts)| {
        (name.to_string(), counts.directed.total, counts.directed.value(), counts.labelled.value())
    });
    vec![
        ("relation, attachment, labelled F1", relations.collect()),
        ("distance, recall, precision", distances.collect()),
        ("part of speech, attachment, labelled", pos.collect()),
    ]
}

fn details_text(report: &Report, options: &options::Score) -> String {
    let mut text = String::new();
    if options.per_label {
        for (heading, rows) in breakdowns(report) {
            let names: Vec<&str> = heading.split(", ").collect();
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .map(|(name, n, one, other)| {
                    vec![name, n.to_string(), format!("{:.2}", 100.0 * one), format!("{:.2}", 100.0 * other)]
                })
                .collect();
            text.push_str(&format!("\n{}", table::render(&[names[0], "gold", names[1], names[2]], &rows)));
        }
    }
    if options.per_sentence {
        let row = |(index, row): (usize, &attachment::Row)| {
            let figures = row.figures;
            [index + 1, row.length, figures.words, figures.directed, figures.labelled]
                .map(|n| n.to_string())
                .to_vec()
        };
        let rows: Vec<_> = report.rows.iter().enumerate().map(row).collect();
        text.push_str(&format!(
            "\n{}",
            table::render(&["sentence", "length", "words", "heads", "labelled"], &rows)
        ));
    }
    text
}

fn details_json(report: &Report, options: &options::Score, top: &mut Map<String, Value>) {
    if options.per_label {
        let keys = ["per_relation", "per_distance", "per_pos"];
        for (key, (heading, rows)) in keys.into_iter().zip(breakdowns(report)) {
            let names: Vec<String> =
                heading.split(", ").map(|name| name.replace(' ', "_").to_lowercase()).collect();
            let row = |(name, n, one, other): (String, usize, f64, f64)| {
                let figures =
                    [("gold", json!(n)), (&names[1], json!(100.0 * one)), (&names[2], json!(100.0 * other))];
                (
                    name,
                    Value::Object(figures.into_iter().map(|(key, value)| (key.to_string(), value)).collect()),
                )
            };
            top.insert(key.into(), Value::Object(rows.into_iter().map(row).collect()));
        }
    }
    if options.per_sentence {
        let row = |(index, row): (usize, &attachment::Row)| {
            let figures = row.figures;
            json!({"id": index + 1, "length": row.length, "words": figures.words, "heads": figures.directed, "labelled": figures.labelled})
        };
        top.insert("per_sentence".into(), report.rows.iter().enumerate().map(row).collect());
    }
}
