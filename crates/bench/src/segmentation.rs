//! Boundaries between morphs in all languages with gold ones, and the speed of training beside Morfessor.

mod data;
pub(crate) mod speed;

use clap::Args;
use data::{Dataset, GoldWord};
use score::segments::{BoundaryReport, boundaries};
use segment::{Annotation, Counted, Segmenter, Viterbi, chunks};

/// What is measured.
#[derive(Debug, Args)]
pub(crate) struct Segmentation {
    /// Only languages whose names contain this
    #[arg(long, default_value = "")]
    only: String,
}

/// Weights of the corpus among which the training part of gold chooses.
const WEIGHTS: [f64; 6] = [0.1, 0.2, 0.4, 0.7, 1.0, 2.0];

pub(crate) fn run(options: &Segmentation) -> anyhow::Result<()> {
    println!("F1 of boundaries (micro, %) on test words; precision and recall of the last three");
    println!(
        "{:<12} {:>6} {:>6} {:>5}  {:>5} {:>5} {:>5} {:>5}  {:>17}  {:>17} {:>4}  {:>17}",
        "language",
        "list",
        "test",
        "plain",
        "1",
        "2",
        "3",
        "4",
        "Morfessor",
        "weight chosen",
        "w",
        "annotated"
    );
    let mut sums = Vec::new();
    for dataset in data::all()?.iter().filter(|dataset| dataset.name.contains(&options.only)) {
        sums.push(row(dataset)?);
    }
    let n = sums.len().max(1) as f64;
    let mean = |column: usize| sums.iter().map(|row: &[f64; 7]| row[column]).sum::<f64>() / n;
    let means: Vec<String> = (0..7).map(|column| format!("{:.1}", mean(column))).collect();
    println!(
        "mean F1: chunks {}; Morfessor, weight chosen, annotated: {}",
        means[..4].join(" "),
        means[4..].join(" ")
    );
    Ok(())
}

/// One language; gives the F1 of each system.
fn row(dataset: &Dataset) -> anyhow::Result<[f64; 7]> {
    let mut f1 = [0.0; 7];
    for n in 1..=4 {
        f1[n - 1] = 100.0 * judge(&dataset.test, |word| boundaries(&chunks(word, n))).micro.f1();
    }
    let (plain, _) = learnt(dataset, 1.0, &[])?;
    let (weight, _) = WEIGHTS
        .iter()
        .map(|&weight| Ok((weight, learnt(dataset, weight, &[])?.1)))
        .collect::<anyhow::Result<Vec<_>>>()?
        .into_iter()
        .fold((1.0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
    let (chosen, _) = learnt(dataset, weight, &[])?;
    let annotations: Vec<Annotation> = dataset.train.iter().filter_map(GoldWord::annotation).collect();
    let (annotated, _) = learnt(dataset, 1.0, &annotations)?;
    for (at, report) in [&plain, &chosen, &annotated].into_iter().enumerate() {
        f1[4 + at] = 100.0 * report.micro.f1();
    }
    println!(
        "{:<12} {:>6} {:>6} {:>5.2}  {:>5.1} {:>5.1} {:>5.1} {:>5.1}  {}  {} {weight:>4}  {}",
        dataset.name,
        dataset.list.len(),
        dataset.test.len(),
        dataset.concatenative(),
        f1[0],
        f1[1],
        f1[2],
        f1[3],
        figures(&plain),
        figures(&chosen),
        figures(&annotated)
    );
    Ok(f1)
}

fn figures(report: &BoundaryReport) -> String {
    let micro = &report.micro;
    let [precision, recall, f1] = [micro.precision(), micro.recall(), micro.f1()].map(|share| 100.0 * share);
    format!("{f1:>5.1} {precision:>5.1} {recall:>5.1}")
}

/// Test words as a model cuts them, and the F1 of the model on the training part of gold.
fn learnt(
    dataset: &Dataset,
    corpus_weight: f64,
    annotations: &[Annotation],
) -> anyhow::Result<(BoundaryReport, f64)> {
    let words: Vec<Counted<'_>> = dataset.list.iter().map(|word| (1, word.as_str())).collect();
    let settings = segment::Options { corpus_weight, ..segment::Options::default() };
    let model = segment::train(&words, annotations, &settings, &mut |_| true)?.model;
    let segmenter = Segmenter::new(&model)?;
    let cut = |word: &str| boundaries(&segmenter.segment(word, &Viterbi::default()).morphs);
    Ok((judge(&dataset.test, cut), judge(&dataset.train, cut).micro.f1()))
}

fn judge(gold: &[GoldWord], cut: impl Fn(&str) -> Vec<usize>) -> BoundaryReport {
    let mut report = BoundaryReport::default();
    for word in gold {
        report.add_nearest(word.boundaries.iter().cloned(), &cut(&word.word));
    }
    report
}
