//! Charts of the diagnosis.

use super::curves::Point;
use super::figures::moments;
use super::judge::{Judged, OneChain};
use super::scores::{DecoderScores, Scores};
use super::trace::Series;
use super::usage::{ChainUsage, LabelUsage};
use crate::table::plural;
use draw::plot::{Axis, Bin, Chart, Histogram, Mark, Part, Scale, Way, box_summary, histogram};

/// More chains than this are not told apart in one chart of stems or steps.
const FEW_CHAINS: usize = 4;

/// So many rules have a bar.
const MOST_RULES: usize = 20;

/// So many labels have their annotations shown.
const MOST_LABELS: usize = 12;

/// A chart over the whole width of the page.
pub(super) fn wide(chart: Chart) -> Part {
    Part::Chart { chart, width: 940, height: 320 }
}

/// A column as people read it; the name of a rule is its own.
pub(super) fn words(column: &str) -> String {
    if column.starts_with("P(") { column.to_owned() } else { column.replace('_', " ") }
}

fn chart(title: impl Into<String>, x: Axis, y: Axis, marks: Vec<Mark>) -> Chart {
    Chart { title: title.into(), x, y, marks, ..Chart::default() }
}

fn lines<'a>(lines: impl Iterator<Item = (&'a str, Vec<(f64, f64)>)>) -> Vec<Mark> {
    lines.map(|(name, points)| Mark::Line { name: name.to_owned(), points, band: None }).collect()
}

/// The value of a column after each sweep, the end of the burn-in marked.
pub(super) fn trace(column: &str, chains: &[Series]) -> Chart {
    let mut marks = lines(chains.iter().map(|chain| (chain.name.as_str(), chain.points(column))));
    let mut ends: Vec<u64> = chains.iter().filter_map(Series::burn_in).filter(|&end| end > 0).collect();
    ends.sort_unstable();
    ends.dedup();
    // The line stands between the last sweep that is thrown away and the next.
    let rule =
        |end: u64| Mark::Rule { name: "end of burn-in".to_owned(), way: Way::Vertical, at: end as f64 + 0.5 };
    marks.extend(ends.into_iter().map(rule));
    chart("Every sweep", Axis::new("sweep"), Axis::new(words(column)), marks)
}

/// The same without the burn-in, whose climb would hide what comes after.
pub(super) fn kept_trace(column: &str, chains: &[Series]) -> Chart {
    let marks = lines(chains.iter().map(|chain| (chain.name.as_str(), chain.kept_points(column))));
    chart("Kept sweeps", Axis::new("sweep"), Axis::new(words(column)), marks)
}

/// The autocorrelation of each chain; stems of several chains stand side by side.
pub(super) fn autocorrelation(judged: &Judged) -> Chart {
    let known: Vec<(&OneChain, &Vec<f64>)> =
        judged.chains.iter().filter_map(|chain| Some((chain, chain.autocorrelation.as_ref()?))).collect();
    let n = known.len();
    let mark = |(at, (chain, at_lag)): (usize, &(&OneChain, &Vec<f64>))| {
        let mut mark = Mark::autocorrelation(chain.name.as_str(), at_lag, chain.values.len());
        if let Mark::Stems { name, points, band } = &mut mark {
            if n > FEW_CHAINS {
                return Mark::Line { name: name.clone(), points: points.clone(), band: None };
            }
            let aside = 0.7 * ((at as f64 + 0.5) / n as f64 - 0.5);
            points.iter_mut().for_each(|(lag, _)| *lag += aside);
            // One band is enough: the chains are about equally long.
            *band = band.filter(|_| at == 0);
        }
        mark
    };
    let marks = known.iter().enumerate().map(mark).collect();
    chart("Autocorrelation", Axis::new("lag (kept sweeps)"), Axis::new("correlation"), marks)
}

/// The kept values of a column.
pub(super) fn values(judged: &Judged) -> Chart {
    let named: Vec<(&str, &[f64])> =
        judged.chains.iter().map(|chain| (chain.name.as_str(), chain.values.as_slice())).collect();
    let (y, marks) = histograms(&named, "kept sweeps");
    chart("Values of kept sweeps", Axis::new(words(&judged.column)), y, marks)
}

/// Bars of one sample, outlines of a few, bars of all together of many.
fn histograms(samples: &[(&str, &[f64])], counted: &str) -> (Axis, Vec<Mark>) {
    if let 2..=FEW_CHAINS = samples.len() {
        let steps = samples.iter().map(|(name, values)| Mark::Steps {
            name: (*name).to_owned(),
            bins: histogram(values, None).density(),
        });
        return (Axis::new("density"), steps.collect());
    }
    let all: Vec<f64> = samples.iter().flat_map(|(_, values)| values.iter().copied()).collect();
    let name = if samples.len() > 1 { "all chains" } else { samples.first().map_or("", |(name, _)| name) };
    (Axis::new(counted), vec![Mark::Bars { name: name.to_owned(), bins: histogram(&all, None) }])
}

/// The rules that a chain chose most often.
pub(super) fn rules(usage: &ChainUsage) -> Part {
    let shown = &usage.rules[..usage.rules.len().min(MOST_RULES)];
    let counts: Vec<f64> = shown.iter().map(|(_, count)| *count).collect();
    let x = Axis::categories("", shown.iter().map(|(rule, _)| rule.as_str()));
    let bars = Mark::Bars { name: String::new(), bins: Histogram::of_categories(&counts) };
    let rules = chart(usage.name.as_str(), x, Axis::new("times per sweep"), vec![bars]);
    Part::Chart { chart: rules, width: 940, height: 400 }
}

/// For each of the most frequent labels a bar per annotation, the most used first.
pub(super) fn annotations(usage: &ChainUsage) -> Chart {
    let split = usage.labels.iter().filter(|usage| usage.counts.len() > 1).take(MOST_LABELS);
    let shown: Vec<&LabelUsage> = split.collect();
    let bins = shown.iter().enumerate().flat_map(|(at, usage)| {
        let shares = usage.shares();
        let width = 0.8 / shares.len() as f64;
        let start = at as f64 + 0.6;
        shares.into_iter().enumerate().map(move |(x, share)| Bin {
            from: start + width * x as f64,
            to: start + width * (x + 1) as f64,
            height: 100.0 * share,
        })
    });
    let bars = Mark::Bars { name: String::new(), bins: Histogram { bins: bins.collect(), n_left_out: 0 } };
    let x = Axis::categories("", shown.iter().map(|usage| usage.label.as_str()));
    chart(usage.name.as_str(), x, Axis::new("% of the label's uses"), vec![bars])
}

fn decoder_rules(decoders: &[DecoderScores], way: Way) -> impl Iterator<Item = Mark> {
    decoders.iter().map(move |decoder| Mark::Rule {
        name: decoder.name.to_owned(),
        way,
        at: decoder.scores.f1,
    })
}

/// F1 of the file, one value for each draw, and that of the decoders.
pub(super) fn draws(scores: &Scores) -> Chart {
    let named: Vec<(&str, &[f64])> =
        scores.chains.iter().map(|chain| (chain.name.as_str(), chain.draws.as_slice())).collect();
    let (y, mut marks) = histograms(&named, "draws");
    marks.extend(decoder_rules(&scores.decoders, Way::Vertical));
    chart("F1 of drawn trees", Axis::new("F1 over all sentences (%)"), y, marks)
}

/// The same as boxes.
pub(super) fn draw_boxes(scores: &Scores) -> Chart {
    let boxes = scores.chains.iter().zip(1u32..).map(|(chain, at)| Mark::Boxes {
        name: String::new(),
        boxes: vec![(f64::from(at), box_summary(&chain.draws))],
    });
    let mut marks: Vec<Mark> = boxes.collect();
    marks.extend(decoder_rules(&scores.decoders, Way::Horizontal));
    let x = Axis::categories("", scores.chains.iter().map(|chain| chain.name.as_str()));
    chart("F1 of drawn trees by chain", x, Axis::new("F1 over all sentences (%)"), marks)
}

/// F1 of each sentence, with the mean over sentences.
pub(super) fn by_sentence(decoder: &DecoderScores) -> Chart {
    let bars =
        Mark::Bars { name: "sentences".to_owned(), bins: histogram(&decoder.scores.by_sentence, Some(20)) };
    let mean = Mark::Rule {
        name: "mean over sentences".to_owned(),
        way: Way::Vertical,
        at: moments(&decoder.scores.by_sentence).0,
    };
    let x = Axis::new("F1 of the sentence (%)").between(0.0, 100.0);
    let title = format!("F1 by sentence, {}", decoder.name);
    chart(title, x, Axis::new("sentences"), vec![bars, mean])
}

/// F1 of each sentence as boxes, a decoder beside the other.
pub(super) fn sentence_boxes(scores: &Scores) -> Chart {
    let boxes = scores.decoders.iter().zip(1u32..);
    let boxes =
        boxes.map(|(decoder, at)| (f64::from(at), box_summary(&decoder.scores.by_sentence))).collect();
    let x = Axis::categories("", scores.decoders.iter().map(|decoder| decoder.name));
    let y = Axis::new("F1 of the sentence (%)");
    chart("F1 by sentence", x, y, vec![Mark::Boxes { name: String::new(), boxes }])
}

/// F1 of each sentence after so many sweeps of the parsing sampler.
pub(super) fn parsing_boxes(points: &[Point]) -> Chart {
    let boxes = points.iter().zip(1u32..);
    let boxes = boxes.map(|(point, at)| (f64::from(at), box_summary(&point.scores.by_sentence))).collect();
    let names: Vec<String> = points.iter().map(|point| plural(point.at as usize, "sweep")).collect();
    let x = Axis::categories("", names.iter().map(String::as_str));
    let y = Axis::new("F1 of the sentence (%)");
    chart("F1 by sentence", x, y, vec![Mark::Boxes { name: String::new(), boxes }])
}

/// F1 over all sentences after so many sweeps of the parsing sampler.
pub(super) fn parsing_curve(points: &[Point]) -> Chart {
    chart("F1 over all sentences", Axis::new("sweeps of parsing"), f1_axis(), curve(points))
}

/// F1 by sweeps of training; models with as many sweeps, such as those of several seeds, are averaged.
pub(super) fn training_curve(points: &[Point]) -> Chart {
    chart("F1 over all sentences", Axis::new("sweeps of training"), f1_axis(), curve(points))
}

/// F1 by λ.
pub(super) fn lambda_curve(points: &[Point]) -> Chart {
    let x = Axis { scale: Scale::Log, ..Axis::new("λ") };
    chart("F1 over all sentences", x, f1_axis(), curve(points))
}

fn f1_axis() -> Axis {
    Axis::new("F1 over all sentences (%)")
}

/// A line through the means, and a dot for each where there are several.
fn curve(points: &[Point]) -> Vec<Mark> {
    let means: Vec<(f64, f64)> = points
        .chunk_by(|a, b| a.at == b.at)
        .map(|same| (same[0].at, same.iter().map(|point| point.scores.f1).sum::<f64>() / same.len() as f64))
        .collect();
    if means.len() == points.len() {
        return vec![Mark::Line { name: String::new(), points: means, band: None }];
    }
    let all = points.iter().map(|point| (point.at, point.scores.f1)).collect();
    vec![
        Mark::Line { name: "mean".to_owned(), points: means, band: None },
        Mark::Points { name: "models".to_owned(), points: all },
    ]
}
