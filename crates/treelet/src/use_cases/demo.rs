//! `treelet demo`: a tour on an embedded corpus.

mod imputing;
mod learning;

use super::view::{figure, title};
use crate::options::ThreadCount;
use crate::statistics::Statistics;
use crate::watch::Watch;
use ::score::brackets::{Options, Scorer};
use ::score::conll18::evaluate;
use anyhow::Context;
use draw::TextStyle;
use formats::detect::Format;
use formats::everything::{self, Item};
use tree::Sentence;

const TREES: &str = include_str!("../../../../data/demo/village.conllu");
const PARSED: &str = include_str!("../../../../data/demo/village-system.conllu");
const BRACKETS: &str = include_str!("../../../../data/demo/village.mrg");
const PARSED_BRACKETS: &str = include_str!("../../../../data/demo/village-system.mrg");
const FRAGMENTS: &str = include_str!("../../../../data/demo/village.anno");

/// The tour: everything that is shown goes to the standard output.
pub fn demo(style: &TextStyle, watch: &dyn Watch) -> anyhow::Result<()> {
    let step = |number: usize, text: &str| watch.print(&format!("\n── {number}. {text}\n\n"));
    watch.print("Treelet on an embedded corpus: a village in eight sentences.\n")?;

    step(1, "Read and check. `treelet check FILE` does this for your files.")?;
    let corpora = [
        (Format::Conllu, "village.conllu", TREES),
        (Format::Brackets, "village.mrg", BRACKETS),
        (Format::Gfl, "village.anno", FRAGMENTS),
    ];
    for (format, name, text) in corpora {
        let checked = everything::copy(format, text.as_bytes(), &mut std::io::sink())?;
        let problems = checked.problems.len();
        watch.print(&format!(
            "{name}: {} sentences ({}), {problems} problems\n",
            checked.n_items,
            format.name()
        ))?;
    }
    let broken = TREES.replacen("\t4\tobj\t", "\t40\tobj\t", 1);
    let checked = everything::copy(Format::Conllu, broken.as_bytes(), &mut std::io::sink())?;
    let problem = checked.problems.first().context("the broken copy has a problem")?;
    watch.print(&format!("a copy with a broken head: {problem}\n"))?;

    step(2, "Count. `treelet stats FILE`")?;
    let mut statistics = Statistics::default();
    items(Format::Conllu, TREES)?.iter().for_each(|item| statistics.add(item));
    for key in ["sentences", "tokens", "types", "projective_share", "mean_arc_length", "dependency_depth"] {
        let figure = crate::use_cases::stats::cell(&statistics.figures()[key]);
        watch.print(&format!("{}: {figure}\n", key.replace('_', " ")))?;
    }

    step(3, "Draw. `treelet view FILE`, and `-o trees.html` for a page")?;
    draw_one(Format::Conllu, TREES, 6, style, watch)?;
    draw_one(Format::Gfl, FRAGMENTS, 2, style, watch)?;
    draw_one(Format::Brackets, BRACKETS, 4, style, watch)?;

    step(4, "Score. `treelet score GOLD TEST`")?;
    watch.print(&evaluate(&sentences(TREES)?, &sentences(PARSED)?)?.scores_table())?;
    let mut scorer = Scorer::new(Options::default());
    for (gold, parse) in
        items(Format::Brackets, BRACKETS)?.iter().zip(&items(Format::Brackets, PARSED_BRACKETS)?)
    {
        if let (Item::Tree(gold), Item::Tree(parse)) = (gold, parse) {
            scorer.add(gold.tree.as_slice(), parse.tree.as_slice());
        }
    }
    let all = scorer.finish().all;
    watch.print(&format!(
        "\nBrackets (EVALB): recall {:.2}, precision {:.2}, F1 {:.2}, exact {:.2}\n",
        all.recall(),
        all.precision(),
        all.f1(),
        all.complete_match()
    ))?;

    step(5, "Train. `treelet train constituency TREES -o MODEL`")?;
    let workers = crate::models::workers(ThreadCount::ALL)?;
    let parser = learning::train(&workers, watch)?;

    step(6, "Parse. `treelet parse MODEL SENTENCES`, and `--posteriors` for all probabilities")?;
    learning::parse(&parser, &workers, style, watch)?;

    step(7, "Fragments to trees. `treelet impute ANNOTATIONS -o TREES`")?;
    imputing::run(&sentences(TREES)?, &workers, style, watch)?;
    watch.print("\nNext: `treelet --help`.\n")?;
    Ok(())
}

fn items(format: Format, text: &'static str) -> anyhow::Result<Vec<Item>> {
    let readings = everything::items(format, text.as_bytes());
    Ok(readings.map(|reading| reading.map(|reading| reading.value)).collect::<Result<_, _>>()?)
}

fn sentences(text: &'static str) -> anyhow::Result<Vec<Sentence>> {
    let sentence = |item| match item {
        Item::Sentence(sentence) => Some(sentence),
        _ => None,
    };
    Ok(items(Format::Conllu, text)?.into_iter().filter_map(sentence).collect())
}

fn draw_one(
    format: Format,
    text: &'static str,
    number: usize,
    style: &TextStyle,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let items = items(format, text)?;
    let mut figures = items.iter().filter_map(|item| figure(format, item));
    let (caption, figure) = figures.nth(number - 1).context("the demo corpus is shorter than its tour")?;
    watch.print(&format!("{}\n\n{}\n", title(number, &caption), figure.text(style)))
}
