//! How fast brackets are parsed, and what combinatorial factors cost.

use std::process::Command;

use ::joint::brackets::{Annotated, Decode, Prepared, TrainOptions, Word, train, words_of};
use arcs::Roots;
use bp::Structured;
use bp::structured::{Brackets, Trees};
use chain::{Stream, Workers};

use draw::plot::{Axis, Chart, Mark, Part, Section, page};

use crate::speed::{forget_peak, peak_mib, status_mib};
use crate::{corpus, cpu};

/// What the parser is trained on, and how often things are timed.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Training trees
    #[arg(long, default_value_t = 1000)]
    train: usize,
    /// Repetitions; the fastest counts
    #[arg(long, default_value_t = 7)]
    repeat: usize,
    /// A page with the growth of the costs as a picture
    #[arg(long, value_name = "FILE.html")]
    html: Option<std::path::PathBuf>,
    /// Only CKY-TREE, time and memory for long sentences
    #[arg(long)]
    long: bool,
    /// Milliseconds and peak MiB of CKY-TREE over so many words, which --long asks a process of its own for
    #[arg(long, value_name = "WORDS", hide = true)]
    one: Option<usize>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if let Some(n_words) = options.one {
        let (milliseconds, mib) = brackets_of(n_words);
        println!("{milliseconds} {mib}");
        return Ok(());
    }
    if options.long {
        return long_sentences();
    }
    let mut marks = factors(options.repeat);
    marks.push(parser(options)?);
    if let Some(path) = &options.html {
        let chart = Chart { x: Axis::log("words"), y: Axis::log("ms of CPU"), marks, ..Chart::default() };
        let section = Section {
            heading: "Growth with the number of words".to_owned(),
            text: "Marginals of the three factors over trees, and a parse with labels, features looked up."
                .to_owned(),
            parts: vec![Part::from(chart)],
        };
        std::fs::write(path, page("What trees cost in factor graphs", &[section]))?;
    }
    Ok(())
}

/// Each length in a process of its own, so that what one took is not there to be used again by the next.
fn long_sentences() -> anyhow::Result<()> {
    println!("{:>5} {:>10} {:>10}   marginals of CKY-TREE", "words", "ms", "peak MiB");
    let program = std::env::current_exe()?;
    for n_words in [40, 100, 200, 300] {
        let output = Command::new(&program)
            .args(["speed", "joint", "--one", &n_words.to_string()])
            .env("MALLOC_MMAP_THRESHOLD_", "65536")
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse::<f64>).collect();
        let [milliseconds, mib] = numbers?[..] else {
            anyhow::bail!("{text}{}", String::from_utf8_lossy(&output.stderr))
        };
        println!("{n_words:>5} {milliseconds:>10.3} {mib:>10.2}");
    }
    Ok(())
}

/// CPU milliseconds of marginals over all spans, and what they take beside the factor, in MiB.
fn brackets_of(n_words: usize) -> (f64, f64) {
    let factor = Brackets::new(n_words, Brackets::all_spans(n_words));
    let (odds, mut p) = (some_odds(&factor), vec![0.0; factor.n_literals()]);
    let mut complements = p.clone();
    forget_peak();
    let before = status_mib("VmRSS:").unwrap_or(f64::NAN);
    factor.marginals(&odds, &mut p, &mut complements);
    let mib = peak_mib().unwrap_or(f64::NAN) - before;
    (milliseconds(&factor, 3), mib)
}

fn some_odds(factor: &dyn Structured) -> Vec<f64> {
    let rng = &mut Stream::new(1).rng();
    (0..factor.n_literals()).map(|_| 6.0 * rng.uniform() - 3.0).collect()
}

/// Marginals of the factors over all spans and all arcs.
fn factors(repeat: usize) -> Vec<Mark> {
    let mut lines: [Vec<(f64, f64)>; 3] = Default::default();
    println!("{:>5} {:>10} {:>10} {:>10}   ms for marginals", "words", "CKY-TREE", "DEP-TREE", "PROJ-TREE");
    for n in [10, 20, 40, 80] {
        let spans = Brackets::new(n, Brackets::all_spans(n));
        let arcs = || Trees::all_arcs(n);
        let times = [
            milliseconds(&spans, repeat),
            milliseconds(&Trees::spanning(n, arcs(), Roots::One), repeat),
            milliseconds(&Trees::projective(n, arcs(), Roots::One), repeat),
        ];
        println!("{n:>5} {:>10.3} {:>10.3} {:>10.3}", times[0], times[1], times[2]);
        lines.iter_mut().zip(times).for_each(|(line, time)| line.push((n as f64, time)));
    }
    let named = ["CKY-TREE", "DEP-TREE", "PROJ-TREE"].into_iter().zip(lines);
    named.map(|(name, points)| Mark::Line { name: name.to_owned(), points, band: None }).collect()
}

fn milliseconds(factor: &dyn Structured, repeat: usize) -> f64 {
    let odds = some_odds(factor);
    let (mut p, mut complements) = (vec![0.0; odds.len()], vec![0.0; odds.len()]);
    // So many that they take some tenths of a second: the scheduler counts in steps of milliseconds.
    let rounds = 2_000_000 / factor.n_literals().max(1) as u32;
    let seconds = cpu::best_of(repeat, || {
        (0..rounds).for_each(|_| _ = factor.marginals(&odds, &mut p, &mut complements));
    });
    1e3 * seconds / f64::from(rounds)
}

/// A parser with labels of English, over sentences of some lengths made from the dev file.
fn parser(options: &Options) -> anyhow::Result<Mark> {
    let mut points = Vec::new();
    let trees = corpus::trees("data/constituency/english_wsj/norm/train.mrg")?;
    let examples: Vec<Annotated> = trees
        .into_iter()
        .filter(|tree| tree.n_words() <= 40)
        .take(options.train)
        .map(Annotated::from)
        .collect();
    let settings = TrainOptions::default();
    let settings =
        TrainOptions { learning: chain::descent::Learning { epochs: 3, ..settings.learning }, ..settings };
    let model = train(&examples, settings, &Workers::serial())?;
    let dev = corpus::trees("data/constituency/english_wsj/norm/dev.mrg")?;
    let words: Vec<Word> = dev.iter().flat_map(words_of).collect();
    println!(
        "LBM of {} trees, {} labels, {} features",
        examples.len(),
        model.n_labels(),
        model.n_features()[0]
    );
    println!(
        "{:>5} {:>12} {:>12} {:>12}   sentences per second and core",
        "words", "all", "prepared", "features"
    );
    for n in [10, 20, 40, 80] {
        let n_sentences = 400_000 / (n * n);
        let sentences: Vec<Vec<Word>> =
            words.chunks_exact(n).cycle().take(n_sentences).map(<[Word]>::to_vec).collect();
        let rate = |seconds: f64| sentences.len() as f64 / seconds;
        let prepare = || sentences.iter().map(|words| model.prepare(words)).collect::<Vec<Prepared>>();
        let prepared = prepare();
        let parse =
            || prepared.iter().map(|sentence| model.parse_prepared(sentence, Decode::Sum).tree.n_words());
        let features = cpu::best_of(options.repeat, prepare);
        let parsing = cpu::best_of(options.repeat, || parse().sum::<usize>());
        println!(
            "{n:>5} {:>12.0} {:>12.0} {:>12.0}",
            rate(features + parsing),
            rate(parsing),
            rate(features)
        );
        points.push((n as f64, 1e3 / rate(features + parsing)));
    }
    Ok(Mark::Line { name: "parse with labels".to_owned(), points, band: None })
}
