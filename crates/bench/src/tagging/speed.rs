//! How long labels take to spread over a million tokens.

use std::time::Instant;

use chain::Workers;
use tag::Corpus;
use tag::crf::NOTHING_FURTHER;
use tag::propagate::{GraphOptions, propagate};
use tree::Text;

use super::data;

const N_TOKENS: usize = 1_000_000;
const N_TYPES: usize = 2000;

pub(super) fn run(workers: &Workers) -> anyhow::Result<()> {
    let (train, text) = text()?;
    let dictionary = data::simulated_dictionary(&train, N_TYPES);
    let corpus = Corpus::new(&[], &text, dictionary.tags().len())?;
    let begun = Instant::now();
    let labels = propagate(&corpus, &dictionary, NOTHING_FURTHER, &GraphOptions::default(), workers);
    let seconds = begun.elapsed().as_secs_f64();
    let n_reached = (0..corpus.n_types() as u32).filter(|&word| labels.of_type(word).is_some()).count();
    println!(
        "{} tokens of {} types, {} tags: {seconds:.1} s on {} threads; labels reach {n_reached} types",
        corpus.n_tokens(),
        corpus.n_types(),
        dictionary.tags().len(),
        workers.n_threads(),
    );
    Ok(())
}

/// The text of all languages of MasakhaPOS and of Malagasy, again and again until it is long enough; words of a repetition
/// end in its number if they are rare, so that the vocabulary grows as it would.
fn text() -> anyhow::Result<(Vec<data::Gold>, Vec<Vec<Text>>)> {
    let train = data::columns("data/pos/masakhapos/kin/train.txt")?;
    let mut sources = data::words(&train);
    for language in ["swa", "wol", "yor", "zul", "hau", "ibo", "xho", "twi", "sna"] {
        sources.extend(data::words(&data::columns(&format!("data/pos/masakhapos/{language}/train.txt"))?));
    }
    sources.extend(data::raw("data/pos/malagasy_garrette2013/raw.txt")?);
    let (mut text, mut n) = (Vec::new(), 0);
    for turn in 0.. {
        for sentence in &sources {
            let vary = |(at, word): (usize, &Text)| match (turn, at % 10) {
                (1.., 0) => Text::from(format!("{word}{turn}")),
                _ => word.clone(),
            };
            n += sentence.len();
            text.push(sentence.iter().enumerate().map(vary).collect());
            if n >= N_TOKENS {
                return Ok((train, text));
            }
        }
    }
    Ok((train, text))
}
