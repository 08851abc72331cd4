//! Speed and memory, above all of the constituency parser.

use std::process::Command;

use anyhow::Context;
use chain::{Kernel, Start, Stream, Sweep, Threads, Workers};
use clap::{Args, Subcommand};
use constituency::gibbs::{self, GibbsOptions};
use constituency::{Model, ParseOptions, Parser, TrainOptions, Training};
use draw::plot::{Axis, Chart, Mark, Part, Section, page};
use grammar::anchor::Brackets;
use tree::{Text, Tree};

use crate::{corpus, cpu, dependency_parser};

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
    /// Charts laid out by hand beside the engine, on the same random sentences
    Engine(crate::engine::Options),
    /// ConvexMST with 0 to 100 % of the arcs, beside the papers' program
    Convexmst,
    /// Sweeps of the Gibbs completer, and completing a long sentence again after an arc was added
    Imputation,
    /// Iterations of EM for the dependency model with valence, beside JDageem
    Induction,
    /// Parsers that are factor graphs, and the combinatorial factors behind them
    Joint(crate::joint::speed::Options),
    /// The dependency parser: training, parsing, memory for long sentences, beside TurboParser and UDPipe
    Dependency,
    /// The tagger, on one core
    Tagging {
        /// Repetitions; the fastest counts
        #[arg(long, default_value_t = 9)]
        repeat: usize,
    },
    /// Draws of the Pólya-Gamma distribution, beside the Python package polyagamma
    PolyaGamma(crate::polya_gamma::Options),
    /// Sweeps of the factor model over 534 x 8,472 cells with the sparse prior
    Factors {
        /// Threads
        #[arg(long, default_value_t = 2)]
        threads: usize,
        /// Sweeps
        #[arg(long, default_value_t = 15)]
        sweeps: u64,
    },
    /// Training of morphs on 42,540 types, beside the Python package morfessor
    Segmentation(crate::segmentation::speed::Options),
    /// One sentence of `dependency`, in a process of its own
    #[command(hide = true)]
    DependencyOne(dependency_parser::speed::One),
    /// One point of `growth`, in a process of its own
    #[command(hide = true)]
    One(One),
}

/// A sentence length and a grammar.
#[derive(Debug, Args)]
pub(crate) struct One {
    #[arg(long)]
    words: usize,
    #[arg(long)]
    model: std::path::PathBuf,
}

pub(crate) fn run(task: &Speed) -> anyhow::Result<()> {
    match task {
        Speed::Sweep { k, threads } => sweep(*k, *threads),
        Speed::Paper => paper(),
        Speed::Growth { html } => growth(html.as_deref()),
        Speed::Engine(options) => {
            crate::engine::run(options);
            Ok(())
        }
        Speed::Convexmst => crate::convexmst::run(),
        Speed::Imputation => crate::imputation_speed::run(),
        Speed::Induction => crate::induction::speed(),
        Speed::Joint(options) => crate::joint::speed::run(options),
        Speed::Dependency => dependency_parser::speed::run(),
        Speed::Factors { threads, sweeps } => crate::factors::speed(*threads, *sweeps),
        Speed::Segmentation(options) => crate::segmentation::speed::run(options),
        Speed::Tagging { repeat } => crate::tagger::speed(*repeat),
        Speed::PolyaGamma(options) => crate::polya_gamma::run(options),
        Speed::DependencyOne(one) => dependency_parser::speed::single(one),
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
            training.bank().trees.iter().cloned().map(constituency::sampler::Given::Tree).collect();
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

/// Their grammar, preset `paper`, and the one that parses best; both with K annotations for every label.
fn grammars(k: u32) -> [(&'static str, TrainOptions); 2] {
    let papers = TrainOptions { annotations: k, burn_in: 20, samples: 20, ..TrainOptions::paper() };
    [("the papers' grammar", papers), ("our grammar", flat(k))]
}

fn paper() -> anyhow::Result<()> {
    let workers = Workers::serial();
    let short = |path: &str| -> anyhow::Result<Vec<Tree<Text>>> {
        Ok(corpus::trees(path)?.into_iter().filter(|tree| tree.n_words() <= 15).collect())
    };
    let mut train = short("data/constituency/english_wsj/norm/train.mrg")?;
    // The dev file has fewer than 40 such sentences; training trees that are not trained on make up the number.
    let spare = train.split_off(200);
    let dev = short("data/constituency/english_wsj/norm/dev.mrg")?;
    let sentences: Vec<Brackets> = dev
        .iter()
        .chain(&spare)
        .take(40)
        .map(|tree| Brackets::words(tree.words().cloned().collect()))
        .collect();
    println!(
        "{} training trees, {} sentences of up to 15 words ({} of the dev file), one thread",
        train.len(),
        sentences.len(),
        dev.len().min(40)
    );
    for (k, original) in ORIGINAL {
        for (grammar, options) in grammars(k) {
            let (training, _) = Training::new(&train, &[], &[], options, &workers)?;
            let trained = training.run(Start::Fresh, &mut (), &workers)?;
            let parser = Parser::new(training.model(trained.chains, Default::default()), &workers);
            for (name, options) in
                [("nothing pruned", ParseOptions::default().exact()), ("pruned", ParseOptions::default())]
            {
                let run = |samples: u32| {
                    let sampling = GibbsOptions { burn_in: 0, samples, chains: 1, ..GibbsOptions::default() };
                    let parse = ParseOptions { decode: constituency::Decode::Mode, ..options.clone() };
                    cpu::seconds(|| gibbs::parse(&parser, &sentences, &sampling, &parse, &mut (), &workers))
                };
                // Forests are built once; the difference of a long and a short run is what sweeps cost.
                let ((few, short), (many, long)) = (run(2), run(102));
                few?;
                many?;
                let sweep = (long - short) / 100.0;
                println!(
                    "K = {k}, {grammar}, {name}: {:.2} ms of CPU per sweep; the papers' program takes about {original} s: {:.0} times as fast",
                    sweep * 1e3,
                    original / sweep
                );
            }
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
    let folder = tempfile::tempdir()?;
    for k in [1, 8, 16] {
        let model = folder.path().join(format!("{k}.model"));
        train_for_growth(k)?.write(&model)?;
        let mut time = Vec::new();
        let mut memory = Vec::new();
        for words in lengths {
            let output = Command::new(&program)
                .args(["speed", "one", "--words", &words.to_string(), "--model"])
                .arg(&model)
                // Large blocks go back to the system when they are freed, so that what reading the model took
                // is not there to be used again unseen.
                .env("MALLOC_MMAP_THRESHOLD_", "65536")
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

const GROWTH_TREES: &str = "data/constituency/english_wsj/norm/train.mrg";

/// Growth does not depend on how good the grammar is, so few sweeps will do.
fn train_for_growth(k: u32) -> anyhow::Result<Model> {
    let workers = Workers::serial();
    let mut trees = corpus::trees(GROWTH_TREES)?;
    trees.truncate(500);
    let options = TrainOptions { burn_in: 1, samples: 2, ..flat(k) };
    let (training, _) = Training::new(&trees, &[], &[], options, &workers)?;
    let trained = training.run(Start::Fresh, &mut (), &workers)?;
    Ok(training.model(trained.chains, Default::default()))
}

/// Prints CPU seconds and peak MiB of parsing one sentence.
fn single(one: &One) -> anyhow::Result<()> {
    let workers = Workers::serial();
    let parser = Parser::new(Model::read(&one.model)?, &workers);
    let trees = corpus::trees(GROWTH_TREES)?;
    let words: Vec<Text> =
        trees[500..].iter().flat_map(|tree| tree.words().cloned()).take(one.words).collect();
    let sentence = [Brackets::words(words)];
    let options = ParseOptions::default().exact();
    // What reading took does not matter here.
    forget_peak();
    let before = status_mib("VmRSS:").unwrap_or(f64::NAN);
    let (_, seconds) = cpu::seconds(|| parser.parse_all(&sentence, &options, Stream::new(1), &workers));
    let peak = peak_mib().unwrap_or(f64::NAN);
    println!("{seconds} {peak} {}", peak - before);
    Ok(())
}

/// Counts the peak of memory from now on, on Linux.
pub(crate) fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory the process has had since then.
pub(crate) fn peak_mib() -> Option<f64> {
    status_mib("VmHWM:")
}

/// A line of the process's status, on Linux: VmRSS is the memory it has, VmHWM the most it ever had.
pub(crate) fn status_mib(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}
