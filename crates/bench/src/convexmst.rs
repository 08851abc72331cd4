//! ConvexMST beside the papers' program, on the same sentences and the same arcs.

use anyhow::Context;
use chain::Workers;
use impute::Fragment;
use impute::convex::{self, ConvexOptions, FeatureOptions};
use tree::{Arc, Node, PartialTree, Place, Reading, Sentence};

use crate::{corpus, cpu};

/// Share of arcs, test UAS and CPU seconds of the original at 15 iterations.
const ORIGINAL: [(&str, f64, f64); 4] =
    [("0", 28.0, 29.0), ("25", 54.1, 29.0), ("50", 56.9, 29.0), ("100", 62.1, 29.0)];

/// Trains with 0, 25, 50 and 100 % of the arcs and prints accuracy and time.
pub(crate) fn run() -> anyhow::Result<()> {
    let train = sentences("peer-data/convexmst.train.conll")?;
    let test = sentences("peer-data/convexmst.test.conll")?;
    println!("{} training and {} test sentences of up to 10 words, one thread", train.len(), test.len());
    println!(
        "{:>6} {:>10} {:>10} {:>12} {:>12} {:>10}",
        "arcs %", "UAS", "original", "CPU s", "original", "times"
    );
    for (share, original, original_seconds) in ORIGINAL {
        let said = annotation(share, &train)?;
        let (uas, seconds) = measure(&train, &said, &test)?;
        let times = original_seconds / seconds;
        println!(
            "{share:>6} {uas:>10.1} {original:>10.1} {seconds:>12.3} {original_seconds:>12.1} {times:>10.0}"
        );
    }
    Ok(())
}

/// Test UAS, and the fewest CPU seconds of five runs of training and parsing.
fn measure(train: &[Sentence], said: &[PartialTree], test: &[Sentence]) -> anyhow::Result<(f64, f64)> {
    let workers = Workers::serial();
    let reading = Reading::default();
    // Like the original: tags only, and no temperature is fitted.
    let options = ConvexOptions {
        lambda: 1e-3,
        max_iterations: 15,
        features: FeatureOptions::tags(),
        temperature: Some(0.1),
        ..ConvexOptions::default()
    };
    let run = || -> anyhow::Result<f64> {
        let fragments: Result<Vec<Fragment>, _> =
            train.iter().zip(said).map(|(sentence, said)| Fragment::new(sentence, said, &reading)).collect();
        let model = convex::train(&fragments?, &options, &workers).model;
        let (mut right, mut all) = (0, 0);
        for sentence in test {
            let parsed = model.complete(&Fragment::free(sentence)).heads;
            for (word, token) in (1..).zip(sentence.words()) {
                all += 1;
                right += usize::from(token.head.index() == Some(parsed.head(word) as u32));
            }
        }
        Ok(100.0 * f64::from(right as u32) / f64::from(all as u32))
    };
    let uas = run()?;
    Ok((uas, cpu::best_of(5, run)))
}

fn sentences(path: &str) -> anyhow::Result<Vec<Sentence>> {
    let text = std::fs::read_to_string(corpus::reference(path)?)?;
    let read: std::io::Result<Vec<_>> = formats::conllx::ConllxReader::new(text.as_bytes()).collect();
    Ok(read?.into_iter().map(|read| read.value).collect())
}

/// The arcs that are given: none, all, or those of a file with a line per sentence, its length and `head->dependent`.
fn annotation(share: &str, train: &[Sentence]) -> anyhow::Result<Vec<PartialTree>> {
    match share {
        "0" => Ok(train.iter().map(|sentence| PartialTree::new(sentence.n_words())).collect()),
        "100" => Ok(train.iter().map(PartialTree::from_sentence).collect()),
        _ => {
            let path = corpus::reference(&format!("peer-data/p{share}.txt"))?;
            std::fs::read_to_string(path)?.lines().map(partial_tree).collect()
        }
    }
}

fn partial_tree(line: &str) -> anyhow::Result<PartialTree> {
    let mut words = line.split_whitespace();
    let mut said = PartialTree::new(words.next().context("a line without a length")?.parse()?);
    for arc in words {
        let (head, dependent) = arc.split_once("->").with_context(|| format!("`{arc}` is no arc"))?;
        let dependent = Node::Word(dependent.parse()?);
        match head.parse()? {
            0 => said.roots.push((dependent, Place::default())),
            head => said.arcs.push(Arc { head: Node::Word(head), dependent, place: Place::default() }),
        }
    }
    Ok(said)
}
