//! The diagnosis as a page.

use super::curves::Curves;
use super::figures::CurveTable;
use super::judge::{GOOD_ESS, GOOD_RHAT, Judged, Verdict};
use super::scores::Scores;
use super::trace::Series;
use super::usage::ChainUsage;
use super::{Diagnosis, ModelFigures, charts};
use crate::table::plural;
use draw::plot::{Chart, Part, Section, Table, page};

/// More chains than this do not have their rules and annotations drawn.
const MOST_CHAINS: usize = 8;

/// So many labels are in the table of annotations.
const MOST_LABELS: usize = 30;

/// One HTML file that needs nothing else.
pub(super) fn html(diagnosis: &Diagnosis) -> String {
    let mut sections = vec![verdicts(diagnosis)];
    let varying = diagnosis.columns.iter().filter(|judged| varies(judged));
    sections.extend(varying.map(|judged| column(judged, &diagnosis.chains)));
    if let Some(model) = &diagnosis.model {
        sections.extend([rules(model), annotations(model)]);
    }
    sections.extend(diagnosis.scores.as_ref().map(scores));
    sections.extend(curves(&diagnosis.curves));
    sections.extend(diagnosis.model.as_ref().map(notes));
    page(&format!("Diagnosis of {}", diagnosis.files.join(", ")), &sections)
}

/// Charts of a number that never changes show nothing.
fn varies(judged: &Judged) -> bool {
    !matches!(judged.verdict, Verdict::Constant(_))
}

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn verdicts(diagnosis: &Diagnosis) -> Section {
    let header = [owned(["column"]), owned(Judged::HEADINGS), owned(["verdict"])].concat();
    let row = |judged: &Judged| {
        [vec![charts::words(&judged.column)], judged.figures(), vec![judged.verdict.to_string()]].concat()
    };
    let rows = diagnosis.columns.iter().map(row).collect();
    let table = Table { caption: "All chains together".into(), header, rows };
    let mut text = if diagnosis.chains.is_empty() {
        "The trace has no sweeps.".to_owned()
    } else {
        format!(
            "R-hat compares the chains with each other and the first half of each with the second; above \
             {GOOD_RHAT} they do not agree. ESS is the number of independent draws that the kept sweeps are \
             worth; below {GOOD_ESS:.0} for each chain the other figures are unreliable. MCSE is the error of \
             the mean that is due to sampling."
        )
    };
    if let Some(advice) = diagnosis.advice() {
        text.push_str(&format!(" {}", advice.join(" ")));
    }
    Section { heading: "Verdict".into(), text, parts: vec![table.into(), chains(diagnosis).into()] }
}

fn chains(diagnosis: &Diagnosis) -> Table {
    let row = |chain: &Series| {
        vec![
            chain.name.clone(),
            diagnosis.files.get(chain.run).cloned().unwrap_or_default(),
            chain.n_sweeps().to_string(),
            chain.burn_in().map_or_else(|| "–".to_owned(), |end| end.to_string()),
            chain.n_kept().to_string(),
        ]
    };
    Table {
        caption: "Chains".into(),
        header: owned(["chain", "trace", "sweeps", "burn-in", "kept"]),
        rows: diagnosis.chains.iter().map(row).collect(),
    }
}

fn column(judged: &Judged, chains: &[Series]) -> Section {
    let chains: Vec<Series> =
        chains.iter().filter(|chain| chain.columns().any(|name| name == judged.column)).cloned().collect();
    let has_burn_in = chains.iter().any(|chain| chain.n_kept() < chain.n_sweeps());
    let trace = charts::trace(&judged.column, &chains);
    let mut parts = if has_burn_in {
        vec![trace.into(), charts::kept_trace(&judged.column, &chains).into()]
    } else {
        vec![charts::wide(trace)]
    };
    let mut text = format!("Verdict: {}.", judged.verdict);
    if judged.chains.iter().any(|chain| chain.autocorrelation.is_some()) {
        text.push_str(" Independent draws have 95 % of their autocorrelations within the band ±1.96/√n.");
        parts.push(charts::autocorrelation(judged).into());
    }
    parts.push(charts::values(judged).into());
    Section { heading: format!("Trace of {}", charts::words(&judged.column)), text, parts }
}

/// The chains that are drawn, and a remark if there are more.
fn drawn(model: &ModelFigures) -> (&[ChainUsage], String) {
    let n_chains = model.chains.len();
    let n_drawn = n_chains.min(MOST_CHAINS);
    let rest = if n_drawn < n_chains {
        format!(" Only the first {n_drawn} chains are drawn.")
    } else {
        String::new()
    };
    (&model.chains[..n_drawn], rest)
}

fn rules(model: &ModelFigures) -> Section {
    let (chains, rest) = drawn(model);
    let n_samples = model.chains.first().map_or(0, |chain| chain.n_samples);
    let text = format!(
        "The annotated rules of {} that each chain chose most often, as means over {} of each chain; words are \
         left out. The numbers in brackets are latent annotations. They are names without a meaning across \
         chains: NP[0] of one chain may be NP[3] of another.{rest}",
        model.name,
        plural(n_samples as usize, "sweep")
    );
    Section { heading: "Chosen rules".into(), text, parts: chains.iter().map(charts::rules).collect() }
}

/// How the model was made, in its own words.
fn notes(model: &ModelFigures) -> Section {
    let notes: Vec<String> = model.notes.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let text = format!("{}\n\n{}", model.name, notes.join(" · "));
    Section { heading: "Model".into(), text, ..Section::default() }
}

fn annotations(model: &ModelFigures) -> Section {
    let (chains, rest) = drawn(model);
    let text = format!(
        "How the uses of the most frequent labels fall to their annotations, the most used first. The effective \
         number of annotations in the table is exp(entropy): as many, used equally often, would be as hard to \
         guess.{rest}"
    );
    let is_split = |usage: &ChainUsage| usage.labels.iter().any(|label| label.counts.len() > 1);
    let drawn = chains.iter().filter(|usage| is_split(usage));
    let mut parts: Vec<Part> = drawn.map(|usage| charts::wide(charts::annotations(usage))).collect();
    parts.push(annotation_table(chains).into());
    Section { heading: "Annotations of labels".into(), text, parts }
}

/// The labels of the first chain are those of all, since all were trained on the same trees.
fn annotation_table(chains: &[ChainUsage]) -> Table {
    let labels = chains.first().map_or(&[][..], |usage| &usage.labels[..usage.labels.len().min(MOST_LABELS)]);
    let effective = |chain: &ChainUsage, label: &str| {
        let found = chain.labels.iter().find(|usage| usage.label == label);
        found.map_or_else(|| "–".to_owned(), |usage| format!("{:.2}", usage.effective()))
    };
    let rows = labels.iter().map(|usage| {
        let start = [usage.label.clone(), format!("{:.0}", usage.total()), usage.counts.len().to_string()];
        start.into_iter().chain(chains.iter().map(|chain| effective(chain, &usage.label))).collect()
    });
    let header = owned(["label", "uses", "annotations"]);
    Table {
        caption: "Effective number of annotations".into(),
        header: header.into_iter().chain(chains.iter().map(|chain| chain.name.clone())).collect(),
        rows: rows.collect(),
    }
}

fn scores(scores: &Scores) -> Section {
    let makeshift = match scores.n_makeshift {
        0 => String::new(),
        n => format!(" The grammar has no tree for {}, which got a makeshift.", plural(n, "sentence")),
    };
    let text = format!(
        "Each chain drew {} for each of {} of {}; F1 is EVALB's, over all of them.{makeshift}\n\n\
         The lines are the trees that each decoder chooses from all chains together. A single draw is one \
         opinion, so decoders should stand well above the draws.",
        plural(scores.n_draws, "tree"),
        plural(scores.n_sentences, "sentence"),
        scores.gold,
    );
    let header = [owned(["trees"]), owned(Scores::HEADINGS)].concat();
    let table = Table { caption: "F1".into(), header, rows: scores.rows() };
    let mut parts: Vec<Part> = vec![charts::draws(scores).into(), charts::draw_boxes(scores).into()];
    let max_rule = scores.decoders.iter().find(|decoder| decoder.name == "max-rule");
    parts.extend(max_rule.map(|decoder| charts::by_sentence(decoder).into()));
    parts.extend([charts::sentence_boxes(scores).into(), table.into()]);
    Section { heading: "F1".into(), text, parts }
}

/// F1 against what can be turned up, as far as it was asked for.
fn curves(curves: &Curves) -> Vec<Section> {
    let Curves { parsing, training, lambdas } = curves;
    let drawn: [(&str, &str, Vec<Chart>); 3] = [
        (
            "F1 by sweeps of parsing",
            "The parsing sampler draws grammar and trees of all sentences in turn. Each sentence has the tree that was \
             drawn most often in so many sweeps of each chain, none of which is thrown away here. The diamonds \
             are means over sentences.",
            vec![charts::parsing_boxes(parsing), charts::parsing_curve(parsing)],
        ),
        (
            "F1 by sweeps of training",
            "Max-rule trees of each model, all of its chains together, by the sweeps that it was trained with, \
             burn-in and stages included.",
            vec![charts::training_curve(training)],
        ),
        (
            "F1 by λ",
            "Max-rule trees of the parsing sampler with λ times the training counts: the larger λ is, the less the \
             sentences change the grammar.",
            vec![charts::lambda_curve(lambdas)],
        ),
    ];
    let tables = curves.tables().into_iter().zip(drawn).filter(|((_, rows), _)| !rows.is_empty());
    let section = |((header, rows), (heading, text, charts)): (CurveTable, (&str, &str, Vec<Chart>))| {
        let header = header.into_iter().map(str::to_owned).collect();
        let table = Table { caption: heading.into(), header, rows };
        let parts = charts.into_iter().map(Part::from).chain([table.into()]).collect();
        Section { heading: heading.into(), text: text.into(), parts }
    };
    tables.map(section).collect()
}
