//! Speed and memory of the constituency parser.

use std::process::Command;

use anyhow::Context;
use chain::{Kernel, Start, Stream, Sweep, Threads, Workers};
use clap::{Args, Subcommand};
use draw::plot::{Axis, Chart, Mark, Part, Section, page};
use grammar::anchor::Brackets;
use parse::constituency::gibbs::{self, GibbsOptions};
use parse::constituency::{Model, ParseOptions, Parser, TrainOptions, Training};
use tree::{Text, Tree};

use crate::{corpus, cpu};

/// What is timed.
#[derive(Debug, Subcommand)]
pub(crate) enum Speed {
    /// A training sweep over all English trees
    Sweep {
        /// Annotations of every label
        #[arg(short, long, default_value_t = 16)]
        k: u32,
        /// Threads
        #[arg(long, default_value_t = 2)]
        threads: usize,
    },
    /// A sweep of the parsing sampler in the papers' own setting, beside their program
    Paper,
    /// Time and memory of one sentence of 10 to 120 words, nothing pruned
    Growth {
        /// Where the page with the curves goes
        #[arg(long)]
        html: Option<std::path::PathBuf>,
    },
    /// One point of `growth`, in a process of its own
    #[command(hide = true)]
    One(One),
}

/// A sentence length and a number of annotations.
#[derive(Debug, Args)]
pub(crate) struct One {
    #[arg(long)]
    words: usize,
    #[arg(short)]
    k: u32,
}

pub(crate) fn run(task: &Speed) -> anyhow::Result<()> {
    match task {
        Speed::Sweep { k, threads } => sweep(*k, *threads),
        Speed::Paper => paper(),
        Speed::Growth { html } => growth(html.as_deref()),
        Speed::One(one) => single(one),
    }
}

/// K annotations for every label, at once.
fn flat(k: u32) -> TrainOptions {
    TrainOptions {
        annotations: k,
        occurrences_per_annotation: 0.0,
        stage_sweeps: 0,
        chains: 1,
        ..TrainOptions::default()
    }
}

fn sweep(k: u32, threads: usize) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(threads))?;
    let trees = corpus::trees("data/constituency/english_wsj/norm/train.mrg")?;
    let n_words: usize = trees.iter().map(Tree::n_words).sum();
    println!("{} trees, {n_words} words, {threads} threads", trees.len());
    let plain = flat(k);
    let adaptive = TrainOptions { annotations: k, stage_sweeps: 0, chains: 1, ..TrainOptions::default() };
    for (name, options) in
        [(format!("K = {k} for every label"), plain), (format!("K ≤ {k} by frequency"), adaptive)]
    {
        let (training, _) = Training::new(&trees, &[], &[], options, &workers)?;
        let given: Vec<_> =
            training.bank().trees.iter().cloned().map(parse::constituency::sampler::Given::Tree).collect();
        let sampler = training.sampler(&given);
        let mut state = sampler.start(&Sweep::new(1, 0, 0, &workers))?;
        let mut best = (f64::INFINITY, f64::INFINITY);
        for number in 1..=5 {
            let begun = std::time::Instant::now();
            let (result, seconds) =
                cpu::seconds(|| sampler.sweep(&mut state, &Sweep::new(1, 0, number, &workers)));
            result?;
            best = (best.0.min(begun.elapsed().as_secs_f64()), best.1.min(seconds));
        }
        println!("{name}: a sweep takes {:.3} s on the wall, {:.3} s of CPU (best of 5)", best.0, best.1);
    }
    Ok(())
}

/// CPU seconds of a sweep of the papers' program over 40 sentences of up to 15 words.
const ORIGINAL: [(u32, f64); 3] = [(1, 2.0), (2, 12.0), (4, 145.0)];

fn paper() -> anyhow::Result<()> {
    let workers = Workers::serial();
    let short = |path: &str, n: usize| -> anyhow::Result<Vec<Tree<Text>>> {
        Ok(corpus::trees(path)?.into_iter().filter(|tree| tree.n_words() <= 15).take(n).collect())
    };
    let train = short("data/constituency/english_wsj/norm/train.mrg", 200)?;
    let test = short("data/constituency/english_wsj/norm/dev.mrg", 40)?;
    let sentences: Vec<Brackets> =
        test.iter().map(|tree| Brackets::words(tree.words().cloned().collect())).collect();
    println!("{} training trees, {} sentences of up to 15 words, one thread", train.len(), test.len());
    for (k, original) in ORIGINAL {
        let (training, _) = Training::new(&train, &[], &[], flat(k), &workers)?;
        let trained = training.run(Start::Fresh, &mut (), &workers)?;
        let parser = Parser::new(training.model(trained.chains, Default::default()), &workers);
        for (name, options) in
            [("nothing pruned", ParseOptions::default().exact()), ("pruned", ParseOptions::default())]
        {
            let run = |samples: u32| {
                let sampling = GibbsOptions { burn_in: 0, samples, chains: 1, ..GibbsOptions::default() };
                let parse = ParseOptions { decode: parse::constituency::Decode::Mode, ..options.clone() };
                cpu::seconds(|| gibbs::parse(&parser, &sentences, &sampling, &parse, &mut (), &workers))
            };
            // Forests are built once; the difference of a long and a short run is what sweeps cost.
            let ((few, short), (many, long)) = (run(2), run(102));
            few?;
            many?;
            let sweep = (long - short) / 100.0;
            println!(
                "K = {k}, {name}: {:.2} ms of CPU per sweep; the papers' program takes about {original} s: {:.0} times as fast",
                sweep * 1e3,
                original / sweep
            );
        }
    }
    Ok(())
}

fn growth(html: Option<&std::path::Path>) -> anyhow::Result<()> {
    let lengths = [10, 20, 40, 60, 80, 100, 120];
    let program = std::env::current_exe()?;
    let mut times = Vec::new();
    let mut memories = Vec::new();
    println!("{:>4} {:>6} {:>12} {:>12} {:>14}", "K", "words", "CPU s", "peak MiB", "of that, parse");
    for k in [1, 8, 16] {
        let mut time = Vec::new();
        let mut memory = Vec::new();
        for words in lengths {
            let output = Command::new(&program)
                .args(["speed", "one", "--words", &words.to_string(), "-k", &k.to_string()])
                .output()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut numbers = text.split_whitespace().map(str::parse::<f64>);
            let mut next = || -> anyhow::Result<f64> {
                let number = numbers.next();
                Ok(number.with_context(|| format!("{text}{}", String::from_utf8_lossy(&output.stderr)))??)
            };
            let (seconds, peak, extra) = (next()?, next()?, next()?);
            println!("{k:>4} {words:>6} {seconds:>12.3} {peak:>12.1} {extra:>14.1}");
            time.push((words as f64, seconds));
            memory.push((words as f64, extra));
        }
        println!(
            "K = {k}: from 40 to 120 words time grows like n^{:.2}, memory like n^{:.2}",
            exponent(&time[2..]),
            exponent(&memory[2..])
        );
        times.push(Mark::Line { name: format!("K = {k}"), points: time, band: None });
        memories.push(Mark::Line { name: format!("K = {k}"), points: memory, band: None });
    }
    if let Some(path) = html {
        let chart = |title: &str, y: &str, marks: Vec<Mark>| Chart {
            title: title.to_owned(),
            x: Axis::log("words"),
            y: Axis::log(y),
            marks,
            ..Chart::default()
        };
        let section = Section {
            heading: "One sentence, nothing pruned".to_owned(),
            text: "Inside, outside and edge posteriors of one chain over the grammar of 500 English trees."
                .to_owned(),
            parts: vec![
                Part::from(chart("Time", "CPU seconds", times)),
                Part::from(chart("Memory", "MiB for the sentence", memories)),
            ],
        };
        std::fs::write(path, page("Growth with sentence length", &[section]))?;
    }
    Ok(())
}

/// The slope of a straight line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.max(1e-9).ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    covariance / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

/// Prints CPU seconds and peak MiB of parsing one sentence.
fn single(one: &One) -> anyhow::Result<()> {
    let workers = Workers::serial();
    let mut trees = corpus::trees("data/constituency/english_wsj/norm/train.mrg")?;
    let words: Vec<Text> =
        trees[500..].iter().flat_map(|tree| tree.words().cloned()).take(one.words).collect();
    trees.truncate(500);
    // Growth does not depend on how good the grammar is, so few sweeps will do.
    let options = TrainOptions { burn_in: 1, samples: 2, ..flat(one.k) };
    let (training, _) = Training::new(&trees, &[], &[], options, &workers)?;
    let trained = training.run(Start::Fresh, &mut (), &workers)?;
    let model: Model = training.model(trained.chains, Default::default());
    let parser = Parser::new(model, &workers);
    let sentence = [Brackets::words(words)];
    let options = ParseOptions::default().exact();
    // What training took does not matter here: the peak is counted from now on.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = status_mib("VmRSS:").unwrap_or(f64::NAN);
    let (_, seconds) = cpu::seconds(|| parser.parse_all(&sentence, &options, Stream::new(1), &workers));
    let peak = status_mib("VmHWM:").unwrap_or(f64::NAN);
    println!("{seconds} {peak} {}", peak - before);
    Ok(())
}

/// A line of the process's status, on Linux: VmRSS is the memory it has, VmHWM the most it ever had.
fn status_mib(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}
