//! Dependencies by the rules of the CoNLL 2018 shared task, and attachment as older work counts it.

use super::{BySentence, Loaded, Scored};
use crate::options::{self, Punctuation};
use ::score::attachment::{self, AttachmentReport, Band, DistanceClass, PunctuationRule};
use ::score::conll18::{Evaluation, Metric, evaluate};
use ::score::{Accuracy, Counts};
use serde_json::{Map, Value, json};
use tree::PutInOrder;
use tree::Text;

/// How dependencies compare.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencyScores {
    /// By the rules of the CoNLL 2018 shared task, of CoNLL-U.
    pub evaluation: Option<Evaluation>,
    /// Attachment without alignment, where it was asked for and the words are the same.
    pub attachment: Option<AttachmentReport>,
}

/// Words by some property, and how right they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakdown {
    /// The property and the names of the two shares.
    pub names: [&'static str; 3],
    /// A row for each value of the property.
    pub rows: Vec<BreakdownRow>,
}

/// A value, the number of gold words that have it, and two shares of 1.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakdownRow {
    /// The value.
    pub name: String,
    /// Gold words.
    pub gold: usize,
    /// The shares.
    pub shares: [f64; 2],
}

/// CoNLL-U against CoNLL-U.
pub(super) fn universal(gold: &Loaded, system: &Loaded, options: &options::Score) -> anyhow::Result<Scored> {
    let evaluation = evaluate(&gold.sentences, &system.sentences)?;
    // Attachment without alignment is defined only where the words are the same.
    let is_shown = !options.answer.json
        || options.punct != Punctuation::Count
        || options.per_label
        || options.per_sentence;
    let compare = || attachment::compare(&gold.sentences, &system.sentences, &settings(options)).ok();
    let report = is_shown.then(compare).flatten();
    let f1 = |metric: Metric| Some(100.0 * evaluation[metric].f1());
    Ok(Scored {
        name: system.path.clone(),
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
        figures: universal_json(&evaluation, report.as_ref(), options),
        by_sentence: BySentence { figure: "LAS", counts: evaluation.by_sentence(Metric::Las).collect() },
        semantics: None,
        report: super::Report::Dependencies(
            DependencyScores { evaluation: Some(evaluation), attachment: report }.into(),
        ),
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
    let counts = |row: &attachment::AttachmentRow| Counts {
        matched: row.figures.labelled,
        gold: row.figures.words,
        system: row.figures.words,
    };
    Ok(Scored {
        name: system.path.clone(),
        headline: vec![
            ("UAS", Some(100.0 * all.directed_accuracy())),
            ("LAS", Some(100.0 * all.labelled_accuracy())),
            ("exact", Some(100.0 * all.exact_match())),
            ("root", Some(100.0 * all.root_accuracy())),
        ],
        figures: json,
        by_sentence: BySentence { figure: "LAS", counts: report.rows.iter().map(counts).collect() },
        semantics: None,
        report: super::Report::Dependencies(
            DependencyScores { evaluation: None, attachment: Some(report) }.into(),
        ),
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
    report: Option<&AttachmentReport>,
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

impl DependencyScores {
    /// Attachment per relation, per distance and per part of speech.
    pub fn breakdowns(&self) -> Vec<Breakdown> {
        self.attachment.as_ref().map(breakdowns).unwrap_or_default()
    }
}

fn breakdowns(report: &AttachmentReport) -> Vec<Breakdown> {
    let breakdown = &report.breakdown;
    let mut relations: Vec<(&Text, _)> = breakdown.relations.iter().collect();
    relations.order_by_key(|(name, counts)| (std::cmp::Reverse(counts.attachment.total), *name));
    let relations = relations.into_iter().map(|(name, counts)| BreakdownRow {
        name: name.to_string(),
        gold: counts.attachment.total,
        shares: [counts.attachment.value(), counts.labelled.f1()],
    });
    let distances = DistanceClass::ALL.into_iter().map(|class| {
        let counts = breakdown.distances[class];
        let shares = [counts.recall(), counts.precision()];
        BreakdownRow { name: class.name().to_string(), gold: counts.gold, shares }
    });
    let mut pos: Vec<(&Text, _)> = breakdown.pos.iter().collect();
    pos.order_by_key(|(name, counts)| (std::cmp::Reverse(counts.directed.total), *name));
    let pos = pos.into_iter().map(|(name, counts)| BreakdownRow {
        name: name.to_string(),
        gold: counts.directed.total,
        shares: [counts.directed.value(), counts.labelled.value()],
    });
    vec![
        Breakdown { names: ["relation", "attachment", "labelled F1"], rows: relations.collect() },
        Breakdown { names: ["distance", "recall", "precision"], rows: distances.collect() },
        Breakdown { names: ["part of speech", "attachment", "labelled"], rows: pos.collect() },
    ]
}

fn details_json(report: &AttachmentReport, options: &options::Score, top: &mut Map<String, Value>) {
    if options.per_label {
        let keys = ["per_relation", "per_distance", "per_pos"];
        for (key, Breakdown { names: [_, one, other], rows }) in keys.into_iter().zip(breakdowns(report)) {
            let [one, other] = [one, other].map(|name| name.replace(' ', "_").to_lowercase());
            let row = |row: BreakdownRow| {
                let [share, other_share] = row.shares.map(|share| json!(100.0 * share));
                let figures = [("gold", json!(row.gold)), (&one, share), (&other, other_share)];
                let figures = figures.into_iter().map(|(key, value)| (key.to_string(), value));
                (row.name, Value::Object(figures.collect()))
            };
            top.insert(key.into(), Value::Object(rows.into_iter().map(row).collect()));
        }
    }
    if options.per_sentence {
        let row = |(index, row): (usize, &attachment::AttachmentRow)| {
            let figures = row.figures;
            json!({"id": index + 1, "length": row.length, "words": figures.words, "heads": figures.directed, "labelled": figures.labelled})
        };
        top.insert("per_sentence".into(), report.rows.iter().enumerate().map(row).collect());
    }
}
