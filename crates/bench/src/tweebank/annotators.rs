//! What each annotator did, and how much annotations say.

use chain::Workers;
use score::Counts;
use score::agreement::committed_arcs;
use score::commitment::{Measures, Nodes, measure};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::LN_10;
use study::statistics::{self, Construction, Record};
use tree::{BracketReading, Constraints, PartialTree, Reading};

use super::data::{Annotation, Misread, TweebankData, Tweet};
use super::page::{PageTable, histogram, mean, number, percent, quantile};

/// What was measured of every annotation, in the order of [`TweebankData::annotations`].
pub(super) struct Measured {
    /// Over the words that the annotation names.
    named: Vec<Measures>,
    /// Over all words of the tweet.
    all: Vec<Measures>,
}

impl Measured {
    pub(super) fn new(data: &TweebankData, workers: &Workers) -> Measured {
        let said: Vec<&PartialTree> = data.annotations().map(|(_, annotation)| &annotation.said).collect();
        let of = |nodes: Nodes| workers.map(&said, |_, said| measure(said, &nodes));
        Measured { named: of(Nodes::Mentioned), all: of(Nodes::All) }
    }
}

/// Annotations that could not be read, contradict themselves, or are beyond the limits.
pub(super) fn troubles(data: &TweebankData, measured: &Measured) -> String {
    let annotations: Vec<(&Tweet, &Annotation)> = data.annotations().collect();
    let mut text = format!(
        "The file has {} annotations of {} tweets by {} annotators (called A, B, C, … by how many \
         they annotated; *no name* stands for a name that is missing). {} tweets \
         have a tree, {} of them more than one; {} trees belong to none of these tweets. {} annotations without a tag for \
         each word were left out{}.\n\n",
        annotations.len(),
        data.tweets.len(),
        data.annotators.len(),
        data.tweets.iter().filter(|tweet| tweet.gold().is_some()).count(),
        data.tweets.iter().filter(|tweet| tweet.trees.len() > 1).count(),
        data.n_other_trees,
        data.untagged.len(),
        lines(&data.untagged),
    );
    let blocks: BTreeSet<u32> = data.errors.iter().map(|misread| misread.block).collect();
    text += &format!(
        "{} errors were found in reading {} annotations, which are used as far as they can be understood: {}.\n\n",
        data.errors.len(),
        blocks.len(),
        by_rule(&data.errors),
    );
    text += &contradictions(&annotations);
    let hopeless = |measures: &[Measures]| -> Vec<u32> {
        let zero =
            annotations.iter().zip(measures).filter(|(_, measures)| measures.promiscuity.trees.is_zero());
        zero.map(|((_, annotation), _)| annotation.line).collect()
    };
    let beyond =
        |measures: &[Measures]| measures.iter().filter(|measures| !measures.promiscuity.exact).count();
    let zero = hopeless(&measured.named);
    text += &format!(
        "No tree at all is left by {} annotations{}; they have no commitment. Promiscuity could not be counted exactly \
         within the limits for {} annotations over the words they name, and for {} over all words; upper bounds stand \
         for them.\n\n",
        zero.len(),
        lines(&zero),
        beyond(&measured.named),
        beyond(&measured.all),
    );
    text
}

/// How often each rule is broken, the most frequent first.
fn by_rule(errors: &[Misread]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    errors.iter().for_each(|misread| *counts.entry(misread.rule).or_default() += 1);
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let list: Vec<String> = counts.iter().map(|(rule, count)| format!("{count} `{rule}`")).collect();
    list.join(", ")
}

fn contradictions(annotations: &[(&Tweet, &Annotation)]) -> String {
    let mut text = String::new();
    for (name, brackets) in READINGS {
        let reading = Reading { brackets, ..Reading::default() };
        let conflict = |(_, annotation): &(&Tweet, &Annotation)| {
            Constraints::from_partial(&annotation.said, &reading).is_err().then_some(annotation.line)
        };
        let found: Vec<u32> = annotations.iter().filter_map(conflict).collect();
        text += &format!(
            "{} annotations contradict themselves if brackets are read as {name}{}.\n\n",
            found.len(),
            lines(&found)
        );
    }
    text
}

/// The two readings of brackets.
pub(super) const READINGS: [(&str, BracketReading); 2] =
    [("subtree", BracketReading::Subtree), ("connected", BracketReading::Connected)];

fn lines(lines: &[u32]) -> String {
    match lines {
        [] => String::new(),
        _ => {
            let list: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!(" (blocks at lines {})", list.join(", "))
        }
    }
}

/// The table of annotators.
pub(super) fn table(data: &TweebankData, measured: &Measured) -> String {
    let options = statistics::Options {
        block: 0,
        constructions: vec![Construction::new("determiner–noun", &["D"], &["N", "^", "S", "Z", "M"])],
    };
    let called = data.called();
    let record = |(tweet, annotation): (&Tweet, &Annotation)| Record {
        annotator: called[annotation.annotator].as_str().into(),
        said: annotation.said.clone(),
        tags: tweet.tags.clone(),
        gold: tweet.gold().cloned().unwrap_or_default(),
        seconds: None,
    };
    let records: Vec<Record> = data.annotations().map(record).collect();
    let mut reports: Vec<(String, statistics::AnnotationReport)> =
        statistics::by_annotator(&records, &options)
            .into_iter()
            .map(|(name, report)| (name.to_string(), report))
            .collect();
    reports.sort_by_key(|(_, report)| std::cmp::Reverse(report.densities.n_sentences));
    let everybody = statistics::report(&records.iter().collect::<Vec<_>>(), &options);
    reports.push(("**all**".to_owned(), everybody));
    let mut table = PageTable::new(&[
        "annotator",
        "tweets",
        "com",
        "quartiles",
        "log₁₀ prom",
        "arcs",
        "brackets",
        "roots",
        "multiw.",
        "coord.",
        "given",
        "prec.",
        "recall",
        "D–N by noun",
    ]);
    for (name, report) in &reports {
        let mine = |at: &usize| name == "**all**" || records[*at].annotator == *name;
        let mine: Vec<&Measures> = (0..records.len()).filter(mine).map(|at| &measured.named[at]).collect();
        table.row(row(name, report, &mine));
    }
    table.to_string()
}

fn row(name: &str, report: &statistics::AnnotationReport, measures: &[&Measures]) -> Vec<String> {
    let com: Vec<f64> = measures.iter().filter_map(|measures| measures.commitment()).collect();
    let densities = &report.densities;
    let against: Counts = report.against_gold;
    let (_, heads) = &report.constructions[0];
    let density = |count: usize| number(densities.per_token(count), 2);
    vec![
        name.to_owned(),
        densities.n_sentences.to_string(),
        number(mean(&com), 2),
        [0.25, 0.5, 0.75].map(|share| number(quantile(&com, share), 2)).join(" "),
        number(quantile(&log_promiscuities(measures.iter().copied()), 0.5), 1),
        density(densities.n_arcs),
        density(densities.n_brackets),
        density(densities.n_roots),
        density(densities.n_multiwords),
        density(densities.n_coordinations),
        against.system.to_string(),
        percent(against.matched, against.system),
        percent(against.matched, against.gold),
        format!("{} of {}", heads.by_content, heads.by_content + heads.by_function),
    ]
}

fn log_promiscuities<'a>(measures: impl Iterator<Item = &'a Measures>) -> Vec<f64> {
    let trees = measures.map(|measures| &measures.promiscuity.trees);
    trees.filter(|trees| !trees.is_zero()).map(|trees| trees.ln() / LN_10).collect()
}

/// Histograms of commitment and promiscuity.
pub(super) fn distributions(measured: &Measured) -> String {
    let mut text = String::new();
    for (name, measures) in
        [("the words that an annotation names", &measured.named), ("all words of the tweet", &measured.all)]
    {
        let com: Vec<f64> = measures.iter().filter_map(Measures::commitment).collect();
        let logs = log_promiscuities(measures.iter());
        text += &format!("Commitment over {name} ({}):\n\n", summary(&com));
        text += &histogram(&com, 0.0, 0.1, 10, 1);
        text += &format!(
            "log₁₀ of the promiscuity over {name} ({}; {} annotations leave just one tree):\n\n",
            summary(&logs),
            logs.iter().filter(|&&log| log == 0.0).count()
        );
        text += &histogram(&logs, 0.0, 2.0, 13, 0);
    }
    text
}

fn summary(values: &[f64]) -> String {
    let quartiles = [0.25, 0.5, 0.75].map(|share| number(quantile(values, share), 2)).join(", ");
    format!("{} annotations, mean {}, quartiles {quartiles}", values.len(), number(mean(values), 2))
}

/// Precision and recall of everything that was said, by how certain heads are found.
pub(super) fn said_against_gold(data: &TweebankData) -> Counts {
    let counts = data
        .annotations()
        .filter_map(|(tweet, annotation)| Some(committed_arcs(&annotation.heads, tweet.gold()?)));
    counts.sum()
}
