//! Draws per second of the Pólya-Gamma distribution, beside the Python package `polyagamma`.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use chain::{Rng, Stream};
use clap::Args;
use num::dist::{PolyaGamma, normal, polya_gamma, polya_gamma_slice};

use crate::cpu;

/// How much is drawn.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Draws of every case and repetition
    #[arg(long, default_value_t = 10_000_000)]
    draws: usize,
    /// Repetitions, in turn with the package; the fastest of each counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
}

/// A case, and what the package came to where it was measured (2.0.2, one thread, draws per CPU second).
struct TimedCase {
    b: f64,
    /// `None` for a million different numbers from N(0, 2²).
    z: Option<f64>,
    known: f64,
}

const CASES: [TimedCase; 17] = [
    case(1.0, 0.0, 2.0e7),
    case(1.0, 1.0, 1.7e7),
    case(1.0, 5.0, 1.3e7),
    case(1.0, 20.0, 1.4e7),
    TimedCase { b: 1.0, z: None, known: 6.9e6 },
    case(2.0, 1.0, 7.9e6),
    case(5.0, 1.0, 2.2e6),
    case(10.0, 1.0, 2.2e6),
    TimedCase { b: 10.0, z: None, known: f64::NAN },
    case(50.0, 1.0, 2.5e6),
    TimedCase { b: 50.0, z: None, known: f64::NAN },
    case(100.0, 1.0, 5.5e7),
    case(1000.0, 1.0, 5.5e7),
    case(0.5, 1.0, 6.5e6),
    case(1.5, 1.0, 3.9e6),
    case(3.7, 1.0, 1.7e6),
    TimedCase { b: 3.7, z: None, known: f64::NAN },
];

const fn case(b: f64, z: f64, known: f64) -> TimedCase {
    TimedCase { b, z: Some(z), known }
}

/// As the package does it, draws are written to memory in blocks.
const BLOCK: usize = 1_000_000;

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let draws = options.draws.next_multiple_of(BLOCK);
    let mut package = Package::start()?;
    let source = if package.is_some() { "polyagamma" } else { "known" };
    if package.is_none() {
        println!(
            "`python3` finds no package polyagamma (pip install polyagamma==2.0.2): \
             its figures are those measured elsewhere, and ratios to them mean little."
        );
    }
    println!("draws per CPU second, one thread, {draws} draws, best of {}", options.repeat);
    println!(
        "{:<16} {:>12} {:>12} {source:>12} {:>8} {:>8}",
        "PG(b, z)", "prepared", "one by one", "ratio", "ratio"
    );
    let mut bench = Bench::new();
    for case in &CASES {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..options.repeat.max(1) {
            let [prepared, one_by_one] = bench.seconds(case, draws);
            let theirs = match &mut package {
                Some(package) => package.seconds(case, draws)?,
                None => draws as f64 / case.known,
            };
            best = [best[0].min(prepared), best[1].min(one_by_one), best[2].min(theirs)];
        }
        let [prepared, one_by_one, theirs] = best.map(|seconds| draws as f64 / seconds);
        let z = case.z.map_or("N(0, 2²)".to_owned(), |z| z.to_string());
        println!(
            "{:<16} {prepared:>12.2e} {one_by_one:>12.2e} {theirs:>12.2e} {:>8.2} {:>8.2}",
            format!("({}, {z})", case.b),
            prepared / theirs,
            one_by_one / theirs
        );
    }
    Ok(())
}

struct Bench {
    rng: Rng,
    vector: Vec<f64>,
    out: Vec<f64>,
}

impl Bench {
    fn new() -> Bench {
        let mut rng = Stream::new(1).purpose("polya-gamma").rng();
        let vector = (0..BLOCK).map(|_| 2.0 * normal(&mut rng)).collect();
        Bench { rng, vector, out: vec![0.0; BLOCK] }
    }

    /// CPU seconds with parameters prepared once and with parameters given for each draw, which is the same for a vector.
    fn seconds(&mut self, case: &TimedCase, draws: usize) -> [f64; 2] {
        let Bench { rng, vector, out } = self;
        let Some(z) = case.z else {
            let seconds = blocks(draws, || polya_gamma_slice(rng, case.b, vector, black_box(out)));
            return [seconds; 2];
        };
        let prepared = blocks(draws, || {
            let law = PolyaGamma::new(black_box(case.b), black_box(z));
            out.iter_mut().for_each(|out| *out = law.draw(rng));
            black_box(&mut *out);
        });
        let one_by_one = blocks(draws, || {
            out.iter_mut().for_each(|out| *out = polya_gamma(rng, black_box(case.b), black_box(z)));
            black_box(&mut *out);
        });
        [prepared, one_by_one]
    }
}

fn blocks(draws: usize, mut block: impl FnMut()) -> f64 {
    cpu::seconds(|| (0..draws / BLOCK).for_each(|_| block())).1
}

/// The Python package in a process of its own.
struct Package {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _script: tempfile::TempDir,
}

const SCRIPT: &str = include_str!("../python/polya_gamma.py");

impl Package {
    /// `None` if there is no Python or no such package.
    fn start() -> anyhow::Result<Option<Package>> {
        let folder = tempfile::tempdir()?;
        let script = folder.path().join("polya_gamma.py");
        std::fs::write(&script, SCRIPT)?;
        let mut command = Command::new("python3");
        command.arg(&script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return Ok(None) };
        let input = child.stdin.take().context("standard input of python3")?;
        let output = BufReader::new(child.stdout.take().context("standard output of python3")?);
        let mut package = Package { child, input, output, _script: folder };
        Ok((package.line()?.trim() == "ready").then_some(package))
    }

    fn seconds(&mut self, case: &TimedCase, draws: usize) -> anyhow::Result<f64> {
        let z = case.z.map_or("vector".to_owned(), |z| z.to_string());
        writeln!(self.input, "{} {z} {draws}", case.b)?;
        let line = self.line()?;
        line.trim().parse().with_context(|| format!("polyagamma said {line:?}"))
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
