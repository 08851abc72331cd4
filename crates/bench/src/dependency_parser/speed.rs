//! Speed of training and parsing, and memory for long sentences.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;
use chain::Workers;
use dependency::{Annotated, DependencyOptions, ParseOptions, Workspace};
use tree::Sentence;

use super::data::{self, SeenColumns};
use super::{measure, peers};
use crate::{cpu, speed};

/// A sentence length and a parser.
#[derive(Debug, clap::Args)]
pub(crate) struct One {
    #[arg(long)]
    words: usize,
    #[arg(long)]
    model: PathBuf,
}

const LENGTHS: [usize; 4] = [50, 125, 250, 500];

/// Trains on `en` with both orders, one thread; parses its test file; then sentences of up to 500 words.
pub(crate) fn run() -> anyhow::Result<()> {
    let treebank = data::treebank("en", SeenColumns::default())?;
    let known: Vec<Annotated> = treebank.train.iter().filter_map(data::annotated).collect();
    let folder = tempfile::tempdir()?;
    println!("{} sentences, {} words, one thread", known.len(), data::n_words(&treebank.train));
    for number in [1, 2] {
        let options = DependencyOptions { order: measure::order(number)?, ..DependencyOptions::default() };
        speed::forget_peak();
        let (model, seconds) = cpu::seconds(|| measure::train(&known, &options, &Workers::serial()));
        let (model, peak) = (model?, speed::peak_mib().unwrap_or(f64::NAN));
        println!(
            "order {number}: training takes {seconds:.1} s of CPU and {peak:.0} MiB; TurboParser basic takes {:.0} s: {:.2} of its time",
            peers::TURBO_SECONDS,
            seconds / peers::TURBO_SECONDS
        );
        let cost = measure::cost(&model, &treebank.test, 9)?;
        println!(
            "order {number}: {:.0} tokens per CPU s, CoNLL-U to CoNLL-U (best of 9), {:.1} times TurboParser basic's fastest and {:.1} times UDPipe's; reading the model ({:.1} MB) takes {:.2} s",
            cost.tokens_per_second,
            cost.tokens_per_second / peers::TURBO_SPEED,
            cost.tokens_per_second / peers::UDPIPE_SPEED,
            cost.megabytes,
            cost.load_seconds
        );
        let path = folder.path().join(format!("{number}.model"));
        measure::write(&model, &path)?;
        for words in LENGTHS {
            println!("order {number}, {words} words: {}", in_process(words, &path)?);
        }
    }
    Ok(())
}

/// A process of its own for each length, so that memory of one does not count for another.
fn in_process(words: usize, model: &std::path::Path) -> anyhow::Result<String> {
    let output = Command::new(std::env::current_exe()?)
        .args(["speed", "dependency-one", "--words", &words.to_string(), "--model"])
        .arg(model)
        .env("MALLOC_MMAP_THRESHOLD_", "65536")
        .output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// Prints CPU seconds and memory of one sentence, made of the words of many.
pub(crate) fn single(one: &One) -> anyhow::Result<()> {
    let model = measure::read(&one.model)?;
    let treebank = data::treebank("en", SeenColumns::default())?;
    let words: Vec<_> =
        treebank.test.iter().flat_map(|sentence| sentence.words().cloned()).take(one.words).collect();
    anyhow::ensure!(words.len() == one.words, "the test file has only {} words", words.len());
    let mut sentence = Sentence::from_forms(words.iter().map(|word| word.form.clone()));
    for (new, old) in sentence.words_mut().zip(&words) {
        new.upos = old.upos.clone();
    }
    speed::forget_peak();
    let before = speed::status_mib("VmRSS:").context("memory is only known on Linux")?;
    let options = ParseOptions::default();
    let (_, seconds) = cpu::seconds(|| model.parse(&sentence, None, &options, &mut Workspace::default()));
    let peak = speed::peak_mib().unwrap_or(f64::NAN);
    println!("{seconds:.3} s of CPU, {:.1} MiB besides the model, {peak:.0} MiB in all", peak - before);
    Ok(())
}
