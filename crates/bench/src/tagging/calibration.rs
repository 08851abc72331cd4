//! Whether probabilities of tags mean what they say.
//!
//! Taggers learn from a dictionary of the training file and its text, or from its tagged sentences, and
//! tag the test file. Words are sorted into ten bins by how probable their tag is; the points of a reliability diagram are how
//! probable it is there on average and how often it is right.

use chain::Workers;
use num::confidence::{Bin, Guess, bins, calibration_error};
use tag::certainty::{of_dictionary, of_sentences};
use tag::crf::{Crf, CrfOptions, Material, NOTHING_FURTHER};
use tag::pipeline::{Options, Supervision, train};
use tag::{Certainty, Choice};
use tree::Text;

use super::Tagging;
use super::data::{self, Gold};
use super::hours::LANGUAGES;
use crate::treebank::{Part, Treebank};

/// A tagger on a test file: the points as the tagger has them, and as they are corrected.
pub(crate) struct TaggerReliability {
    pub(crate) name: String,
    pub(crate) before: Vec<Bin>,
    pub(crate) after: Vec<Bin>,
}

/// Treebanks for taggers that learn from sentences.
const TREEBANKS: [&str; 6] =
    ["Erzya-JR", "Uyghur-UDT", "Naija-NSC", "Tamil-TTB", "Belarusian-HSE@2019-11", "English-EWT"];

/// Everything that is drawn: dictionaries of so many types (0 for all) of each language, tagged sentences.
pub(crate) fn reliabilities(
    arguments: &Tagging,
    workers: &Workers,
) -> anyhow::Result<Vec<TaggerReliability>> {
    let mut all = Vec::new();
    for &n_types in &arguments.types {
        for language in LANGUAGES.into_iter().filter(|language| arguments.wants(language)) {
            all.push(of_types(language, n_types, arguments.judged(), workers)?);
        }
    }
    // Not all of them have a dev file.
    let part = if arguments.dev { Part::HeldOut } else { Part::Test };
    for name in TREEBANKS.into_iter().filter(|name| arguments.wants(name)) {
        let treebank = Treebank::read(name, part, |sentence| sentence)?;
        all.push(of_treebank(&treebank, workers)?);
    }
    Ok(all)
}

/// Prints how far off probabilities are, and with `--bins` the points.
pub(super) fn run(arguments: &Tagging, workers: &Workers) -> anyhow::Result<()> {
    println!("{:40} words  right   said  error   said, corrected  error", "");
    for TaggerReliability { name, before, after } in reliabilities(arguments, workers)? {
        let n: usize = after.iter().map(|bin| bin.n).sum();
        let mean = |bins: &[Bin], of: fn(&Bin) -> f64| {
            bins.iter().map(|bin| bin.n as f64 * of(bin)).sum::<f64>() / n.max(1) as f64
        };
        println!(
            "{name:40} {n:5}  {:.3}  {:.3}  {:.3}  {:15.3}  {:.3}",
            mean(&after, |bin| bin.accuracy),
            mean(&before, |bin| bin.confidence),
            calibration_error(&before),
            mean(&after, |bin| bin.confidence),
            calibration_error(&after),
        );
        for (what, bins) in
            [("as it is", &before), ("corrected", &after)].into_iter().filter(|_| arguments.bins)
        {
            for bin in bins.iter().filter(|bin| bin.n > 0) {
                println!("    {what:10} {:.3} {:.3} {}", bin.confidence, bin.accuracy, bin.n);
            }
        }
    }
    Ok(())
}

/// A tagger from the types of a training file of MasakhaPOS and its text.
fn of_types(
    language: &str,
    n_types: usize,
    judged: &str,
    workers: &Workers,
) -> anyhow::Result<TaggerReliability> {
    let file = |part: &str| data::columns(&format!("data/pos/masakhapos/{language}/{part}.txt"));
    let (text, test): (Vec<Gold>, Vec<Gold>) = (file("train")?, file(judged)?);
    // A whole dictionary has every tag that a word ever had.
    let dictionary = match n_types {
        0 => data::whole_dictionary(&text),
        _ => data::simulated_dictionary(&text, n_types),
    };
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw: data::words(&text) };
    let options = Options::default();
    let trained = train(&supervision, NOTHING_FURTHER, &options, workers)?;
    let auto = trained.learned.auto_tagged(0.0, NOTHING_FURTHER, workers);
    let certainty = of_dictionary(&supervision, &auto, NOTHING_FURTHER, &options, workers);
    let tags = supervision.dictionary.tags();
    let guesses = workers.map(&test, |_, sentence| {
        let words: Vec<Text> = sentence.iter().map(|(word, _)| word.clone()).collect();
        let rows = trained.posteriors(&words, NOTHING_FURTHER);
        let guess = |(row, (word, gold)): (Vec<(u32, f64)>, &(Text, Text))| {
            let mut dense = vec![0.0; tags.len()];
            row.iter().for_each(|&(tag, p)| dense[tag as usize] = p);
            both(&certainty, &trained.choice(word), &dense, tags.number(gold))
        };
        rows.into_iter().zip(sentence).map(guess).collect::<Vec<_>>()
    });
    let kind = if n_types == 0 { "all types".to_owned() } else { format!("{n_types} types") };
    Ok(TaggerReliability::new(format!("{language}, {kind}"), guesses))
}

/// A tagger from the sentences of a treebank.
fn of_treebank(treebank: &Treebank, workers: &Workers) -> anyhow::Result<TaggerReliability> {
    let (tags, sentences) = treebank.train_tags();
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    let options = CrfOptions::default();
    let crf = Crf::train(material, NOTHING_FURTHER, &options, workers)?;
    let certainty = of_sentences(&crf, material, NOTHING_FURTHER, &options, workers);
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    let test = treebank.test_tags();
    let guesses = test.iter().map(|sentence| {
        let posteriors = decoder.posteriors(&sentence.words, &[]);
        let known = sentence.choices.iter().enumerate().filter_map(|(word, choice)| match choice {
            Choice::Known(tag) => Some(both(&certainty, &Choice::Any, posteriors.of(word), Some(*tag))),
            _ => None,
        });
        known.collect::<Vec<_>>()
    });
    Ok(TaggerReliability::new(format!("{}, sentences", treebank.name), guesses.collect()))
}

/// The most probable tag as the tagger has it, and as it is corrected.
fn both(certainty: &Certainty, choice: &Choice, row: &[f64], gold: Option<u32>) -> [Guess; 2] {
    let right = gold.map_or(usize::MAX, |gold| gold as usize);
    let mut corrected = row.to_vec();
    certainty.correct(choice, &mut corrected);
    [Guess::of_row(row, right), Guess::of_row(&corrected, right)]
}

impl TaggerReliability {
    fn new(name: String, guesses: Vec<Vec<[Guess; 2]>>) -> TaggerReliability {
        let guesses: Vec<[Guess; 2]> = guesses.into_iter().flatten().collect();
        let of = |at: usize| bins(&guesses.iter().map(|guess| guess[at]).collect::<Vec<_>>());
        TaggerReliability { name, before: of(0), after: of(1) }
    }
}
