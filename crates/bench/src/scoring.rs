//! Scoring many sentences.

use crate::corpus;
use crate::cpu::seconds;
use formats::{brackets, conllu};
use score::brackets::{Options, Scorer};
use score::conll18::{Metric, evaluate};
use tree::{Sentence, Text, Tree};

pub(crate) fn run(n_sentences: usize) -> anyhow::Result<()> {
    dependencies(n_sentences)?;
    constituents(n_sentences)
}

/// Damaged output of a whole set of the evaluation fixtures, repeated; texts are the same on both sides.
fn dependencies(n_sentences: usize) -> anyhow::Result<()> {
    let read = |name: &str| -> anyhow::Result<String> {
        Ok(std::fs::read_to_string(corpus::reference(&format!("fixtures/ud-eval/{name}.conllu"))?)?)
    };
    let (gold, system) = (
        repeat_blocks(&read("english.gold")?, n_sentences),
        repeat_blocks(&read("english.system")?, n_sentences),
    );
    let parse = |text: &str| -> std::io::Result<Vec<Sentence>> {
        conllu::ConlluReader::new(text.as_bytes())
            .map(|reading| reading.map(|reading| reading.value))
            .collect()
    };
    let ((gold, system), reading) = seconds(|| (parse(&gold), parse(&system)));
    let (gold, system) = (gold?, system?);
    let (evaluation, scoring) = seconds(|| evaluate(&gold, &system));
    let evaluation = evaluation?;
    let n_words: usize = gold.iter().map(Sentence::n_words).sum();
    println!("CoNLL-2018: {} sentences, {n_words} words", gold.len());
    println!(
        "  reading both files {reading:.2} s, scoring {scoring:.2} s, together {:.2} s of CPU",
        reading + scoring
    );
    println!("  LAS {:.2}", 100.0 * evaluation[Metric::Las].f1());
    Ok(())
}

/// The blocks of a file again and again, until there are `n_sentences`.
fn repeat_blocks(text: &str, n_sentences: usize) -> String {
    let blocks: Vec<&str> = text.split_inclusive("\n\n").collect();
    blocks.iter().cycle().take(n_sentences).copied().collect()
}

fn constituents(n_sentences: usize) -> anyhow::Result<()> {
    let read = |side: &str| -> anyhow::Result<String> {
        let text = std::fs::read_to_string(corpus::reference(&format!("fixtures/evalb/wsj.{side}.mrg"))?)?;
        Ok(text.lines().cycle().take(n_sentences).flat_map(|line| [line, "\n"]).collect())
    };
    let (gold, test) = (read("gold")?, read("test")?);
    let parse = |text: &str| -> std::io::Result<Vec<Option<Tree<Text>>>> {
        brackets::BracketReader::new(text.as_bytes())
            .map(|reading| reading.map(|reading| reading.value.tree))
            .collect()
    };
    let ((gold, test), reading) = seconds(|| (parse(&gold), parse(&test)));
    let (gold, test) = (gold?, test?);
    let (report, scoring) = seconds(|| {
        let mut scorer = Scorer::new(Options::default());
        for (gold, test) in gold.iter().zip(&test) {
            scorer.add(gold.as_slice(), test.as_slice());
        }
        scorer.finish()
    });
    let n_words: usize = gold.iter().flatten().map(Tree::n_words).sum();
    println!("EVALB: {} sentences, {n_words} words", gold.len());
    println!(
        "  reading both files {reading:.2} s, scoring {scoring:.2} s, together {:.2} s of CPU",
        reading + scoring
    );
    println!("  F1 {:.2}, strict {:.2}", report.all.f1(), report.all.strict_f1());
    Ok(())
}
