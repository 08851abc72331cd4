//! The second half of the tour: train on sentences of the village, parse others.

use crate::models;
use crate::use_cases::parse::confidence;
use crate::use_cases::view::title;
use crate::watch::Watch;
use ::score::brackets::{Options, Scorer};
use anyhow::Context;
use chain::{Start, Stream, Workers};
use constituency::{ParseOptions, Parsed, Parser, TrainOptions, Training};
use draw::{Caption, TextStyle};
use formats::brackets;
use grammar::anchor::Brackets;
use tree::{Span, Text, Tree};

const TRAIN: &str = include_str!("../../../../../data/demo/village-train.mrg");
const TEST: &str = include_str!("../../../../../data/demo/village-test.mrg");

/// Trains with the default settings and returns the parser.
pub(super) fn train(workers: &Workers, watch: &dyn Watch) -> anyhow::Result<Parser> {
    let trees = trees(TRAIN)?;
    let (training, _) = Training::new(&trees, &[], &[], TrainOptions::default(), workers)?;
    let trained = training.run(Start::Fresh, &mut (), workers).map_err(models::run_error)?;
    let states = &trained.outcome.checkpoint.states;
    let mean = states.iter().map(|state| state.ln_likelihood).sum::<f64>() / states.len().max(1) as f64;
    let schedule = training.schedule();
    watch.print(&format!(
        "{} trees, {} rules; {} chains of {} sweeps; log likelihood {mean:.1}\n",
        trees.len(),
        training.bank().inventory.len(),
        schedule.chains,
        schedule.total(),
    ))?;
    Ok(Parser::new(training.model(trained.chains, Default::default()), workers))
}

/// Parses sentences that training has not seen, scores them and draws the least certain one.
pub(super) fn parse(
    parser: &Parser,
    workers: &Workers,
    style: &TextStyle,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let gold = trees(TEST)?;
    let sentences: Vec<Brackets> =
        gold.iter().map(|tree| Brackets::words(tree.words().cloned().collect())).collect();
    let parsed = parser.parse_all(&sentences, &ParseOptions::default(), Stream::new(0), workers);
    let mut scorer = Scorer::new(Options::default());
    for (gold, parsed) in gold.iter().zip(&parsed) {
        let best: Vec<Tree<Text>> = parsed.trees.iter().take(1).map(|(tree, _)| tree.clone()).collect();
        scorer.add(std::slice::from_ref(gold), &best);
    }
    let all = scorer.finish().all;
    watch.print(&format!(
        "{} held-out sentences: F1 {:.2}, exact {:.2}, tags {:.2}\n\n",
        gold.len(),
        all.f1(),
        all.complete_match(),
        all.tag_accuracy()
    ))?;
    let least = (0..parsed.len()).min_by(|&a, &b| confidence(&parsed[a]).total_cmp(&confidence(&parsed[b])));
    let least = least.context("the demo corpus has held-out sentences")?;
    watch.print(&format!(
        "The least certain of them, with the probability of each constituent ({:.0}% on average):\n\n{}",
        100.0 * confidence(&parsed[least]),
        picture(least + 1, &parsed[least], style)
    ))
}

/// The best tree with a probability behind each label.
fn picture(number: usize, parsed: &Parsed, style: &TextStyle) -> String {
    let Some((tree, _)) = parsed.trees.first() else { return String::new() };
    let mut shown = tree.clone();
    for (index, label, span) in tree.constituents() {
        if tree.nodes()[index].size() > 2 {
            *shown.label_mut(index) = format!("{label} {:.2}", expected(parsed, label, span)).into();
        }
    }
    let words: Vec<&str> = tree.words().map(Text::as_str).collect();
    let caption = Caption { id: String::new(), text: words.join(" ") };
    format!("{}\n\n{}", title(number, &caption), draw::constituency(&shown).text(style))
}

fn expected(parsed: &Parsed, label: &str, span: Span) -> f64 {
    let place = (span.start() as u32, span.end() as u32);
    let mut found = parsed.constituents.iter().filter(|c| c.label == label && (c.start, c.end) == place);
    found.next().map_or(0.0, |constituent| constituent.expected.min(1.0))
}

fn trees(text: &'static str) -> anyhow::Result<Vec<Tree<Text>>> {
    let mut trees = Vec::new();
    for reading in brackets::BracketReader::new(text.as_bytes()) {
        trees.extend(reading?.value.tree);
    }
    Ok(trees)
}
