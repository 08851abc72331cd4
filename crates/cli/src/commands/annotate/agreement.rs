//! `treelet annotate agreement`: tables of people and groups, of pairs, of half hours of work, and of constructions.

use crate::terminal::Terminal;
use treelet::options::annotate::ProjectAgreement;
use treelet::project::{
    Comparison, ConstructionCounts, Grouping, Measure, MeasuredRow, PairOfAnnotators, Whom,
};
use treelet::project::{HalfHour, WorkCourse};
use treelet::{Outcome, table};

/// Measures with their headings; how many sentences or words a figure is over stands beside it.
const MEASURES: [(&str, &str); 10] = [
    ("com", "com"),
    ("comPrec", "comPrec"),
    ("softComPrec", "softComPrec"),
    ("gflAgree", "gflAgree"),
    ("heads", "heads"),
    ("heads_kappa", "κ"),
    ("relations", "relations"),
    ("relations_kappa", "κ"),
    ("tags", "tags"),
    ("tags_kappa", "κ"),
];

pub(crate) fn run(options: &ProjectAgreement, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let done = treelet::project_agreement(options, terminal)?;
    match options.answer.json {
        true => terminal.print_json(&done.result)?,
        false => terminal.print_tables(&text(&done.result))?,
    }
    Ok(done.outcome())
}

fn text(compared: &Comparison) -> String {
    if compared.rows.is_empty() {
        return "Nobody has annotated anything yet.\n".to_string();
    }
    let mut text = String::from("Agreement (% and, in brackets, what it is over)\n");
    text.push_str(&measures(&compared.rows));
    text.push_str(
        "com: over sentences; comPrec, softComPrec: over pairs of analyses of a sentence; all others: over words of which two say \
         something\n",
    );
    if !compared.pairs.is_empty() {
        text.push_str("\nPairs\n");
        text.push_str(&pairs(&compared.pairs));
    }
    if compared.over_time.iter().any(|course| !course.half_hours.is_empty()) {
        text.push_str("\nHalf hours of work\n");
        text.push_str(&half_hours(&compared.over_time));
        text.push_str("\nSpeed from one half hour of a session to the next\n");
        text.push_str(&tiring(&compared.over_time));
    }
    if !compared.constructions.is_empty() {
        text.push_str("\nConstructions\n");
        text.push_str(&constructions(&compared.constructions));
    }
    text
}

fn called(whom: &Whom) -> String {
    match whom.kind {
        Grouping::All | Grouping::Annotator => whom.name.clone(),
        Grouping::Level => format!("level: {}", whom.name),
        Grouping::Experience => format!("experience: {}", whom.name),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1}", 100.0 * share))
}

fn cell(measures: &[Measure], name: &str) -> String {
    match measures.iter().find(|measure| measure.name == name) {
        Some(Measure { value: Some(value), n, .. }) if name.ends_with("kappa") => format!("{value:.3} ({n})"),
        Some(Measure { value, n, .. }) if value.is_some() => format!("{} ({n})", percent(*value)),
        _ => "–".to_string(),
    }
}

fn measures(rows: &[MeasuredRow]) -> String {
    let headings: Vec<&str> =
        ["", "sentences", "words", "hours"].into_iter().chain(MEASURES.map(|(_, heading)| heading)).collect();
    let row = |row: &MeasuredRow| {
        let first = [
            called(&row.of),
            row.sentences.to_string(),
            row.words.to_string(),
            format!("{:.1}", row.seconds / 3600.0),
        ];
        first.into_iter().chain(MEASURES.map(|(name, _)| cell(&row.measures, name))).collect()
    };
    table::render(&headings, &rows.iter().map(row).collect::<Vec<Vec<String>>>())
}

fn pairs(pairs: &[PairOfAnnotators]) -> String {
    let mut headings =
        vec!["pair", "sentences", "comPrec 1|2", "comPrec 2|1", "softComPrec 1|2", "softComPrec 2|1"];
    headings.extend(MEASURES[3..].iter().map(|(_, heading)| heading));
    let row = |pair: &PairOfAnnotators| {
        let mut row = vec![format!("{} – {}", pair.one, pair.other), pair.sentences.to_string()];
        row.extend(pair.com_prec.into_iter().chain(pair.soft_com_prec).map(percent));
        row.extend(MEASURES[3..].iter().map(|(name, _)| cell(&pair.measures, name)));
        row
    };
    table::render(&headings, &pairs.iter().map(row).collect::<Vec<_>>())
}

fn half_hours(courses: &[WorkCourse]) -> String {
    let headings = [
        "",
        "half hour",
        "minutes",
        "sentences",
        "words",
        "words/hour",
        "sentences/hour",
        "heads/word",
        "blocks/word",
        "com",
        "gflAgree",
    ];
    let ratio = |ratio: Option<f64>| ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"));
    let row = |course: &WorkCourse, one: &HalfHour| {
        vec![
            called(&course.of),
            one.n.to_string(),
            format!("{:.0}", one.seconds / 60.0),
            one.sentences.to_string(),
            one.words.to_string(),
            format!("{:.0}", one.words_per_hour),
            format!("{:.1}", one.sentences_per_hour),
            ratio(one.heads_per_word),
            ratio(one.blocks_per_word),
            cell(&one.measures, "com"),
            cell(&one.measures, "gflAgree"),
        ]
    };
    let rows = courses.iter().flat_map(|course| course.half_hours.iter().map(move |one| row(course, one)));
    table::render(&headings, &rows.collect::<Vec<_>>())
}

fn tiring(courses: &[WorkCourse]) -> String {
    let sign = |share: f64| format!("{:+.1} %", 100.0 * share);
    let row = |course: &WorkCourse| {
        let (change, interval) = match (course.change, course.change_interval) {
            (Some(change), Some([low, high])) => (sign(change), format!("{} to {}", sign(low), sign(high))),
            _ => ("too little yet".to_string(), "–".to_string()),
        };
        vec![called(&course.of), course.later_half_hours.to_string(), change, interval]
    };
    let headings = ["", "later half hours", "change", "95 % interval"];
    table::render(&headings, &courses.iter().map(row).collect::<Vec<_>>())
}

fn constructions(all: &[ConstructionCounts]) -> String {
    let headings =
        ["construction", "of", "as written", "turned round", "% as written", "% agreed", "pairs compared"];
    let row = |one: &ConstructionCounts| {
        vec![
            one.construction.clone(),
            called(&one.of),
            one.as_written.to_string(),
            one.turned_round.to_string(),
            percent(one.share),
            percent(one.agreed),
            one.compared.to_string(),
        ]
    };
    table::render(&headings, &all.iter().map(row).collect::<Vec<_>>())
}
