//! How fast EM is.

use arcs::dmv::DmvSentence;
use chain::{FitOptions, Start, Threads, Workers, fit};
use induce::Dmv;
use induce::dmv::harmonic;
use induce::dmv::model::Tags;
use induce::shared::{Course, Estimate, Shared};

use crate::corpus::reference;
use crate::{cpu, dependencies};

/// CPU seconds of an iteration of the reference program, JDageem, on the same sentences.
const REFERENCE: f64 = 25.0;

pub(crate) fn run() -> anyhow::Result<()> {
    let text = std::fs::read_to_string(reference("peer-data/dmv.sents")?)?;
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|line: &Vec<&str>| !line.is_empty())
        .collect();
    let tags = Tags::new(lines.iter().flatten().copied());
    let sentences: Vec<DmvSentence> = lines.iter().map(|line| tags.number(line.iter().copied())).collect();
    let seconds = iteration(&sentences, tags.len(), 1)?.0;
    println!(
        "{} sentences of the reference program: {:.2} ms of CPU an iteration, {:.0}x ({REFERENCE} s)",
        sentences.len(),
        1e3 * seconds,
        REFERENCE / seconds
    );
    ten_thousand()?;
    long_sentences()
}

/// Sentences of exactly ten tags, cut from the training text of English, repeated until there are 10,000.
fn ten_thousand() -> anyhow::Result<()> {
    let gold = dependencies::read("data/dependency/ud/English-EWT/train.conllu")?;
    let tags = Tags::new(gold.iter().flat_map(|gold| &gold.tags).map(|tag| tag.as_str()));
    let stream: Vec<&str> = gold.iter().flat_map(|gold| &gold.tags).map(|tag| tag.as_str()).collect();
    let cut: Vec<DmvSentence> = stream.chunks_exact(10).map(|ten| tags.number(ten.iter().copied())).collect();
    let sentences: Vec<DmvSentence> = cut.iter().cycle().take(10_000).cloned().collect();
    let (cpu, wall) = iteration(&sentences, tags.len(), 2)?;
    println!(
        "10,000 sentences of ten words: {cpu:.3} s of CPU, {wall:.3} s on 2 threads an iteration (0.3 s wanted)"
    );
    Ok(())
}

fn long_sentences() -> anyhow::Result<()> {
    let gold = dependencies::read("data/dependency/ud/English-EWT/train.conllu")?;
    let tags = Tags::new(gold.iter().flat_map(|gold| &gold.tags).map(|tag| tag.as_str()));
    let stream: Vec<&str> = gold.iter().flat_map(|gold| &gold.tags).map(|tag| tag.as_str()).collect();
    let cut: Vec<DmvSentence> =
        stream.chunks_exact(40).take(200).map(|words| tags.number(words.iter().copied())).collect();
    let (cpu, _) = iteration(&cut, tags.len(), 1)?;
    println!("{} sentences of forty words: {cpu:.3} s of CPU an iteration", cut.len());
    Ok(())
}

/// CPU seconds and seconds of an iteration, the fastest of some.
fn iteration(sentences: &[DmvSentence], n_tags: usize, threads: usize) -> anyhow::Result<(f64, f64)> {
    let dmv = Dmv::new(n_tags, false);
    let start = harmonic(&dmv, sentences);
    let em = Shared::new(&dmv, sentences, start, Estimate::Point { alpha: 1.0 }, Course::default(), 0);
    let workers = Workers::new(Threads::from_count(threads))?;
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        let once = FitOptions { max_iterations: 1, tolerance: 0.0, block: 64, ..FitOptions::default() };
        let clock = std::time::Instant::now();
        let (done, cpu) = cpu::seconds(|| fit::fit(&em, &once, Start::Fresh, &mut (), &workers));
        done?;
        best = (f64::min(best.0, cpu), f64::min(best.1, clock.elapsed().as_secs_f64()));
    }
    Ok(best)
}
