//! `treelet segment`: what was learnt, cut and scored.

use crate::terminal::Terminal;
use treelet::options::segment::{Segment, SegmentRun, SegmentScore, SegmentTrain};
use treelet::table::{plural, render};
use treelet::{Outcome, SegmentScores};

pub(crate) fn run(what: &Segment, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Segment::Train(options) => train(options, terminal),
        Segment::Run(options) => cut(options, terminal),
        Segment::Score(options) => score(options, terminal),
    }
}

fn train(options: &SegmentTrain, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let trained = treelet::train_segmenter(options, terminal)?;
    if options.report.json {
        terminal.print_json(&trained.result)?;
    }
    Ok(trained.outcome())
}

fn cut(options: &SegmentRun, terminal: &Terminal) -> anyhow::Result<Outcome> {
    Ok(treelet::segment(options, terminal)?.outcome())
}

fn score(options: &SegmentScore, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let scored = treelet::score_segments(options, terminal)?;
    match options.answer.json {
        true => terminal.print_json(&scored.result)?,
        false => terminal.print_tables(&table(&scored.result))?,
    }
    Ok(scored.outcome())
}

fn table(scores: &SegmentScores) -> String {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let row = |name: &str, shares: [f64; 3]| {
        [name.to_owned()].into_iter().chain(shares.map(percent)).collect::<Vec<String>>()
    };
    let rows = [
        row("boundaries", [scores.precision, scores.recall, scores.f1]),
        row("words", [scores.macro_precision, scores.macro_recall, scores.macro_f1]),
    ];
    let (exact, words) = (percent(scores.exact), plural(scores.words, "word"));
    render(&["mean over", "precision", "recall", "F1"], &rows) + &format!("\n{words}, {exact} % exact\n")
}
