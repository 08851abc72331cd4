//! Attachment accuracy of all estimators.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use chain::Workers;
use induce::dmv::DmvMemory;
use induce::dmv::harmonic;
use induce::dmv::model::{DmvModel, TreeDecode};
use induce::{Dmv, Families, InduceOptions, Induced, Method, Task};
use score::attachment;
use tree::{Head, Sentence};

use super::Induction;
use super::data::{self, Treebank};
use crate::cpu;
use crate::dependencies::Gold;

/// Right arcs in percent, for each limit: directed, undirected, NED.
type Figures = [[f64; 3]; 3];

/// A row of the table.
struct FigureRow {
    name: &'static str,
    /// Viterbi and MBR on other sentences, and MBR on those that were learned from.
    viterbi: Figures,
    mbr: Figures,
    seen: Figures,
    note: String,
}

pub(super) fn run(arguments: &Induction, workers: &Workers) -> anyhow::Result<()> {
    let mut gains: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for treebank in data::treebanks(&arguments.treebanks)? {
        println!(
            "\n{}: {} sentences, {} held out, {} tags; {} other sentences",
            treebank.name,
            treebank.train.len(),
            treebank.held_out.len(),
            treebank.tags.names().len(),
            treebank.test.len()
        );
        println!(
            "{:22} {:>20} {:>20} {:>20}   undirected, NED <= 10",
            "", "Viterbi <=10 <=20 all", "MBR <=10 <=20 all", "learned from (MBR)"
        );
        let rows = rows(&treebank, arguments, workers)?;
        rows.iter().for_each(show);
        if treebank.name != "WSJ" {
            let em = rows.iter().find(|row| row.name == "EM").map_or(0.0, |row| row.mbr[0][0]);
            for row in &rows {
                gains.entry(row.name).or_default().push(row.mbr[0][0] - em);
            }
        }
    }
    if gains.values().any(|gains| gains.len() > 1) {
        println!("\nMean over the treebanks of Universal Dependencies, MBR <= 10, above EM:");
        for (name, gains) in &gains {
            println!("{name:22} {:+.1}", gains.iter().sum::<f64>() / gains.len() as f64);
        }
    }
    Ok(())
}

fn rows(treebank: &Treebank, arguments: &Induction, workers: &Workers) -> anyhow::Result<Vec<FigureRow>> {
    let family = Dmv::new(treebank.tags.len(), false);
    let mut families = Families::built_in().number(treebank.tags.names());
    families.push(treebank.tags.names().len());
    let of = |method| InduceOptions { method, max_passes: arguments.passes, ..InduceOptions::default() };
    let with_families =
        InduceOptions { covariance: Some(family.family_covariance(&families, 0.5)), ..of(Method::Ln) };
    let near = harmonic(&family, &treebank.train);
    let learn = |options: &InduceOptions, start: &[f64]| learn(treebank, &family, options, start, workers);
    let mut rows = vec![attach_right(treebank)?];
    for (name, method) in [
        ("EM", Method::Em),
        ("EM-MAP", Method::EmMap),
        ("VB-Dirichlet", Method::Vb),
        ("VB-EM-Dirichlet", Method::VbEm),
    ] {
        rows.push(row(name, treebank, &family, learn(&of(method), &near)?)?);
    }
    rows.push(row("LN-identity", treebank, &family, learn(&of(Method::Ln), &near)?)?);
    rows.push(row("LN-families", treebank, &family, learn(&with_families, &near)?)?);
    // As in the paper.
    let own = |options: InduceOptions| InduceOptions { share: Some(1), ..options };
    rows.push(row("VB-EM, own", treebank, &family, learn(&own(of(Method::VbEm)), &near)?)?);
    rows.push(row("LN-identity, own", treebank, &family, learn(&own(of(Method::Ln)), &near)?)?);
    rows.push(row("LN-families, own", treebank, &family, learn(&own(with_families), &near)?)?);
    Ok(rows)
}

fn learn(
    treebank: &Treebank,
    family: &Dmv,
    options: &InduceOptions,
    start: &[f64],
    workers: &Workers,
) -> anyhow::Result<(Induced, f64)> {
    let task = Task {
        family,
        items: &treebank.train,
        held_out: &treebank.held_out,
        starts: vec![start.to_vec()],
        fingerprint: 0,
    };
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let (induced, seconds) = cpu::seconds(|| induce::induce(&task, options, None, &mut go_on, workers));
    Ok((induced?, seconds))
}

fn row(
    name: &'static str,
    treebank: &Treebank,
    family: &Dmv,
    (induced, seconds): (Induced, f64),
) -> anyhow::Result<FigureRow> {
    let held_out = induced.held_out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let alpha = induced.setting.alpha.map(|alpha| format!(", alpha {alpha}"));
    let share = induced.setting.share.map(|share| format!(", share {share}"));
    let setting = alpha.or(share).unwrap_or_default();
    let note = format!(
        "pass {}, held out {:.3}{setting}, {seconds:.1} CPU s",
        induced.best_pass,
        held_out / treebank.held_out.len().max(1) as f64
    );
    let model = DmvModel {
        tags: treebank.tags.clone(),
        valence: false,
        grammar: induced.grammar,
        fine_tags: false,
        punctuation: true,
        covariance: None,
        notes: BTreeMap::new(),
    };
    let grammar = model.smoothed();
    let figures = |all: &[Gold], decode| {
        judge(all, |gold| {
            let sentence = model.tags.number(gold.tags.iter().map(|tag| tag.as_str()));
            let parsed = model.parse(family, &grammar, &sentence, decode, &mut DmvMemory::default());
            // What cannot be parsed hangs from the root and counts.
            parsed.map_or_else(|| vec![0; gold.len()], |(heads, _)| heads.as_slice().to_vec())
        })
    };
    let (viterbi, mbr) =
        (figures(&treebank.test, TreeDecode::Viterbi)?, figures(&treebank.test, TreeDecode::Mbr)?);
    Ok(FigureRow { name, viterbi, mbr, seen: figures(&treebank.seen, TreeDecode::Mbr)?, note })
}

/// Every word hangs from the next one, the last from the root.
fn attach_right(treebank: &Treebank) -> anyhow::Result<FigureRow> {
    let next =
        |gold: &Gold| (1..=gold.len()).map(|at| if at == gold.len() { 0 } else { at as u32 + 1 }).collect();
    let figures = |all: &[Gold]| judge(all, next);
    let other = figures(&treebank.test)?;
    let seen = figures(&treebank.seen)?;
    Ok(FigureRow { name: "Attach-Right", viterbi: other, mbr: other, seen, note: String::new() })
}

/// Compares with gold as `treelet score` does, in bands of at most 10 words, at most 20 and all.
fn judge(all: &[Gold], parse: impl Fn(&Gold) -> Vec<u32>) -> anyhow::Result<Figures> {
    let with_heads = |gold: &Gold, heads: &[u32]| {
        let mut sentence = gold.sentence(&gold.tags);
        for (token, &head) in sentence.words_mut().zip(heads) {
            token.head = Head::Of(head);
        }
        sentence
    };
    let gold: Vec<Sentence> = all.iter().map(|gold| with_heads(gold, gold.heads.as_slice())).collect();
    let system: Vec<Sentence> = all.iter().map(|gold| with_heads(gold, &parse(gold))).collect();
    let report = attachment::compare(&gold, &system, &attachment::Options::default())?;
    let mut figures = Figures::default();
    for (cells, band) in figures.iter_mut().zip(&report.bands) {
        let right = &band.figures;
        *cells =
            [right.directed_accuracy(), right.undirected_accuracy(), right.ned()].map(|share| 100.0 * share);
    }
    Ok(figures)
}

fn show(row: &FigureRow) {
    let cells = |figures: &Figures| figures.map(|figures| format!("{:6.1}", figures[0])).join(" ");
    println!(
        "{:22} {} {} {:13.1}   {:.1} {:.1}   {}",
        row.name,
        cells(&row.viterbi),
        cells(&row.mbr),
        row.seen[0][0],
        row.mbr[0][1],
        row.mbr[0][2],
        row.note
    );
}
