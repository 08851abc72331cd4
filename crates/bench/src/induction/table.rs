//! Attachment accuracy of all estimators.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use chain::Workers;
use induce::dmv::Memory;
use induce::dmv::harmonic;
use induce::dmv::model::{Decode, DmvModel};
use induce::{Dmv, Families, InduceOptions, Induced, Method, Task};

use super::Induction;
use super::data::{self, Treebank};
use crate::cpu;
use crate::dependencies::Gold;

/// The longest sentences of each column.
const LIMITS: [usize; 3] = [10, 20, usize::MAX];

/// Right arcs in percent, for each limit: directed, undirected, NED.
type Figures = [[f64; 3]; 3];

/// A row of the table.
struct Row {
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

fn rows(treebank: &Treebank, arguments: &Induction, workers: &Workers) -> anyhow::Result<Vec<Row>> {
    let family = Dmv::new(treebank.tags.len(), false);
    let mut families = Families::built_in().number(treebank.tags.names());
    families.push(treebank.tags.names().len());
    let of = |method| InduceOptions { method, max_passes: arguments.passes, ..InduceOptions::default() };
    let with_families =
        InduceOptions { covariance: Some(family.family_covariance(&families, 0.5)), ..of(Method::Ln) };
    let near = harmonic(&family, &treebank.train);
    let learn = |options: &InduceOptions, start: &[f64]| learn(treebank, &family, options, start, workers);
    let mut rows = vec![attach_right(treebank)];
    for (name, method) in [
        ("EM", Method::Em),
        ("EM-MAP", Method::EmMap),
        ("VB-Dirichlet", Method::Vb),
        ("VB-EM-Dirichlet", Method::VbEm),
    ] {
        rows.push(row(name, treebank, &family, learn(&of(method), &near)?));
    }
    rows.push(row("LN, identity", treebank, &family, learn(&of(Method::Ln), &near)?));
    rows.push(row("LN, families", treebank, &family, learn(&with_families, &near)?));
    let by_vb = learn(&of(Method::Vb), &near)?.0.grammar;
    rows.push(row("LN, identity, from VB", treebank, &family, learn(&of(Method::Ln), &by_vb)?));
    rows.push(row("LN, families, from VB", treebank, &family, learn(&with_families, &by_vb)?));
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

fn row(name: &'static str, treebank: &Treebank, family: &Dmv, (induced, seconds): (Induced, f64)) -> Row {
    let held_out = induced.held_out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let alpha = induced.alpha.map_or(String::new(), |alpha| format!(", alpha {alpha}"));
    let note = format!(
        "pass {}, held out {:.3}{alpha}, {seconds:.1} CPU s",
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
            let parsed = model.parse(family, &grammar, &sentence, decode, &mut Memory::default());
            // What cannot be parsed hangs from the root and counts.
            parsed.map_or_else(|| vec![0; gold.len()], |(heads, _)| heads.as_slice().to_vec())
        })
    };
    let (viterbi, mbr) = (figures(&treebank.test, Decode::Viterbi), figures(&treebank.test, Decode::Mbr));
    Row { name, viterbi, mbr, seen: figures(&treebank.seen, Decode::Mbr), note }
}

/// Every word hangs from the next one, the last from the root.
fn attach_right(treebank: &Treebank) -> Row {
    let next =
        |gold: &Gold| (1..=gold.len()).map(|at| if at == gold.len() { 0 } else { at as u32 + 1 }).collect();
    let figures = |all: &[Gold]| judge(all, next);
    let other = figures(&treebank.test);
    Row {
        name: "Attach-Right",
        viterbi: other,
        mbr: other,
        seen: figures(&treebank.seen),
        note: String::new(),
    }
}

fn judge(all: &[Gold], parse: impl Fn(&Gold) -> Vec<u32>) -> Figures {
    let mut right = [[0usize; 3]; 3];
    let mut words = [0usize; 3];
    for gold in all {
        let heads = parse(gold);
        for (at, _) in LIMITS.iter().enumerate().filter(|(_, limit)| gold.len() <= **limit) {
            words[at] += gold.len();
            for word in 1..=gold.len() {
                let found = heads[word - 1] as usize;
                let (head, above) =
                    (gold.heads.head(word), |word: usize| if word == 0 { 0 } else { gold.heads.head(word) });
                let directed = found == head;
                let undirected = directed || (found != 0 && gold.heads.head(found) == word);
                let neutral = undirected || (head != 0 && found == above(head));
                for (sum, is_right) in right[at].iter_mut().zip([directed, undirected, neutral]) {
                    *sum += usize::from(is_right);
                }
            }
        }
    }
    let percent = |right: usize, words: usize| 100.0 * right as f64 / words.max(1) as f64;
    [0, 1, 2].map(|at| right[at].map(|right| percent(right, words[at])))
}

fn show(row: &Row) {
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
