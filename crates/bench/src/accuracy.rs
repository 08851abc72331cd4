//! Learning curves of the constituency parser, beside the Berkeley parser.

use std::path::PathBuf;

use anyhow::Context;
use chain::{Start, Stream, Threads, Workers};
use clap::Args;
use constituency::estimate::Smoothing;
use constituency::{Decode, ParseOptions, Parser, TrainOptions, Training};
use draw::plot::{Axis, Chart, Mark, Part, Section, Table, page};
use grammar::anchor::Brackets;
use score::brackets::{Deletion, Options, Scorer, Summary};
use tree::{Text, Tree};

use crate::{berkeley, corpus, cpu};

/// What is trained and how often.
#[derive(Debug, Args)]
pub(crate) struct Constituency {
    /// Treebanks, separated by commas; `peers` for those with figures of the Berkeley parser, `all` for every one
    #[arg(long, default_value = "peers", value_delimiter = ',')]
    data: Vec<String>,
    /// Numbers of training trees, the first ones of the file
    #[arg(long, default_value = "100,200,500,all", value_delimiter = ',')]
    sizes: Vec<String>,
    /// Runs with different seeds
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Greatest numbers of annotations; the parser's own default if not given
    #[arg(short, long, value_delimiter = ',')]
    k: Vec<u32>,
    /// Chains; the parser's own default if not given
    #[arg(long)]
    chains: Option<u32>,
    /// Which tree is chosen: max-rule, mbr, viterbi or mode
    #[arg(long, default_value = "max-rule")]
    decode: String,
    /// Prune items below this coarse posterior; 0 for none
    #[arg(long)]
    threshold: Option<f64>,
    /// Prune items below this posterior of the first chain; 0 for none
    #[arg(long)]
    second_threshold: Option<f64>,
    /// x annotations for a label that occurs this times x² times
    #[arg(long)]
    per_annotation: Option<f64>,
    /// The plain treebank grammar as well: no annotations, no smoothing, all siblings remembered, Viterbi
    #[arg(long)]
    unsmoothed: bool,
    /// Threads; CPU seconds are summed over them
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The longest sentence parsed, as in the peers' runs
    #[arg(long, default_value_t = 60)]
    max_words: usize,
    /// The most sentences parsed, as in the peers' runs
    #[arg(long, default_value_t = 250)]
    sentences: usize,
    /// Where the page with tables and curves goes
    #[arg(long)]
    html: Option<PathBuf>,
}

/// One line of the table: a system at a size, over several seeds.
struct Line {
    treebank: String,
    system: String,
    n_trees: usize,
    f1: Vec<f64>,
    tags: Vec<f64>,
    train_seconds: f64,
    parse_seconds: f64,
    n_sentences: usize,
    n_fallbacks: usize,
}

/// A system under test.
struct System {
    name: String,
    train: TrainOptions,
    parse: ParseOptions,
}

/// Trains and parses everything that was asked for.
pub(crate) fn constituency(arguments: &Constituency) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let mut lines = Vec::new();
    println!("{}", header());
    for treebank in treebanks(&arguments.data)? {
        let (train, dev) = corpus::constituency(&treebank)?;
        let dev: Vec<Tree<Text>> = dev
            .into_iter()
            .filter(|tree| tree.n_words() <= arguments.max_words)
            .take(arguments.sentences)
            .collect();
        for size in &arguments.sizes {
            let n_trees = if size == "all" { train.len() } else { size.parse().context("--sizes")? };
            let n_trees = n_trees.min(train.len());
            for system in systems(arguments)? {
                let line = measure(&treebank, &system, &train[..n_trees], &dev, arguments.seeds, &workers)?;
                println!("{}", line.show());
                lines.push(line);
            }
        }
    }
    summarise(&lines);
    if let Some(path) = &arguments.html {
        std::fs::write(path, html(&lines)).with_context(|| format!("{}", path.display()))?;
    }
    Ok(())
}

fn treebanks(wanted: &[String]) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for name in wanted {
        match name.as_str() {
            "peers" => names.extend(berkeley::treebanks().into_iter().map(str::to_owned)),
            "all" => names.extend(corpus::constituency_treebanks()?),
            name => names.push(name.to_owned()),
        }
    }
    Ok(names)
}

fn systems(arguments: &Constituency) -> anyhow::Result<Vec<System>> {
    let decode = match arguments.decode.as_str() {
        "max-rule" => Decode::MaxRule,
        "mbr" => Decode::Mbr,
        "viterbi" => Decode::Viterbi,
        "mode" => Decode::Mode,
        other => anyhow::bail!("--decode {other}: use max-rule, mbr, viterbi or mode"),
    };
    let samples = if decode == Decode::Mode { 100 } else { 0 };
    let mut parse = ParseOptions { decode, samples, ..ParseOptions::default() };
    parse.threshold = arguments.threshold.unwrap_or(parse.threshold);
    parse.second_threshold = arguments.second_threshold.unwrap_or(parse.second_threshold);
    let mut systems = Vec::new();
    if arguments.unsmoothed {
        systems.push(unsmoothed());
    }
    let mut default = TrainOptions::default();
    default.occurrences_per_annotation =
        arguments.per_annotation.unwrap_or(default.occurrences_per_annotation);
    let annotations = if arguments.k.is_empty() { vec![default.annotations] } else { arguments.k.clone() };
    for k in annotations {
        let chains = arguments.chains.unwrap_or(default.chains);
        let train = TrainOptions { annotations: k, chains, ..default.clone() };
        systems.push(System { name: format!("K={k}, {chains} chains"), train, parse: parse.clone() });
    }
    Ok(systems)
}

/// The treebank grammar as it is counted.
fn unsmoothed() -> System {
    let tiny = 1e-9;
    let smoothing = Smoothing { rules: tiny, words: tiny, annotations: tiny, shared: tiny };
    let mut train = TrainOptions { annotations: 1, chains: 1, smoothing, ..TrainOptions::default() };
    train.bank.codec.binarisation.horizontal = None;
    train.bank.lexicon.belief = 0.0;
    let parse = ParseOptions { decode: Decode::Viterbi, ..ParseOptions::default() };
    System { name: "unsmoothed PCFG".to_owned(), train, parse }
}

fn measure(
    treebank: &str,
    system: &System,
    train: &[Tree<Text>],
    dev: &[Tree<Text>],
    seeds: u64,
    workers: &Workers,
) -> anyhow::Result<Line> {
    let mut line = Line {
        treebank: treebank.to_owned(),
        system: system.name.clone(),
        n_trees: train.len(),
        f1: Vec::new(),
        tags: Vec::new(),
        train_seconds: 0.0,
        parse_seconds: 0.0,
        n_sentences: dev.len(),
        n_fallbacks: 0,
    };
    let sentences: Vec<Brackets> =
        dev.iter().map(|tree| Brackets::words(tree.words().cloned().collect())).collect();
    for seed in 1..=seeds.max(1) {
        let options = TrainOptions { seed, ..system.train.clone() };
        let (model, seconds) = cpu::seconds(|| -> anyhow::Result<_> {
            let (training, _) = Training::new(train, &[], &[], options, workers)?;
            let trained = training.run(Start::Fresh, &mut (), workers)?;
            Ok(training.model(trained.chains, Default::default()))
        });
        line.train_seconds += seconds;
        let model = model?;
        // Loading is part of parsing, as it is for the peers.
        let (parses, seconds) = cpu::seconds(|| {
            let parser = Parser::new(model, workers);
            parser.parse_all(&sentences, &system.parse, Stream::new(seed), workers)
        });
        line.parse_seconds += seconds;
        let mut scorer = Scorer::new(Options { deletion: Deletion::GoldTags, ..Options::default() });
        for (gold, parsed) in dev.iter().zip(&parses) {
            line.n_fallbacks += usize::from(parsed.fallback.is_some());
            scorer.add(std::slice::from_ref(gold), std::slice::from_ref(&parsed.trees[0].0));
        }
        let summary: Summary = scorer.finish().all;
        line.f1.push(summary.f1());
        line.tags.push(summary.tag_accuracy());
    }
    Ok(line)
}

/// The columns as a terminal and as a page call them.
const COLUMNS: [(&str, &str); 12] = [
    ("treebank", "treebank"),
    ("trees", "trees"),
    ("system", "system"),
    ("F1", "F1"),
    ("sd", "sd"),
    ("tags", "tags"),
    ("Berkeley", "Berkeley"),
    ("diff", "difference"),
    ("train s", "train CPU s"),
    ("parse s", "parse CPU s"),
    ("sent/s", "sentences per CPU s"),
    ("x Berk.", "times Berkeley"),
];

fn header() -> String {
    aligned(&COLUMNS.map(|(short, _)| short.to_owned()))
}

fn aligned(c: &[String]) -> String {
    format!(
        "{:<20} {:>5} {:<18} {:>6} {:>5} {:>6} {:>9} {:>6} {:>9} {:>9} {:>8} {:>7}",
        c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11]
    )
}

impl Line {
    fn cells(&self) -> Vec<String> {
        let (f1, sd) = mean_sd(&self.f1);
        let n_runs = self.f1.len() as f64;
        let peer = berkeley::row(&self.treebank, self.n_trees);
        let seconds = self.parse_seconds / n_runs;
        let speed = self.n_sentences as f64 / seconds;
        let peer_figure = |figure: &dyn Fn(berkeley::Berkeley) -> String| peer.map_or("–".to_owned(), figure);
        vec![
            self.treebank.clone(),
            self.n_trees.to_string(),
            self.system.clone(),
            format!("{f1:.1}"),
            if self.f1.len() > 1 { format!("{sd:.2}") } else { "–".to_owned() },
            format!("{:.1}", mean_sd(&self.tags).0),
            peer_figure(&|peer| format!("{:.1}", peer.f1)),
            peer_figure(&|peer| format!("{:+.1}", f1 - peer.f1)),
            format!("{:.1}", self.train_seconds / n_runs),
            format!("{seconds:.2}"),
            format!("{speed:.1}"),
            peer_figure(&|peer| format!("{:.1}", speed / peer.sentences_per_second)),
        ]
    }

    fn show(&self) -> String {
        let fallbacks = if self.n_fallbacks > 0 {
            format!("  ({} makeshift trees)", self.n_fallbacks)
        } else {
            String::new()
        };
        aligned(&self.cells()) + &fallbacks
    }
}

/// The mean difference to the peer over all rows that have one, system by system.
fn summarise(lines: &[Line]) {
    let mut systems: Vec<&str> = lines.iter().map(|line| line.system.as_str()).collect();
    systems.sort_unstable();
    systems.dedup();
    for system in systems {
        let differences: Vec<f64> = lines
            .iter()
            .filter(|line| line.system == system)
            .filter_map(|line| Some(mean_sd(&line.f1).0 - berkeley::row(&line.treebank, line.n_trees)?.f1))
            .collect();
        if !differences.is_empty() {
            let least = differences.iter().copied().fold(f64::INFINITY, f64::min);
            println!(
                "{system}: {:+.2} F1 against Berkeley, mean of {} rows; least {least:+.1}",
                mean_sd(&differences).0,
                differences.len()
            );
        }
    }
}

/// The mean and the standard deviation with n − 1.
pub(crate) fn mean_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 })
}

/// A section per treebank: the curve and the table.
fn html(lines: &[Line]) -> String {
    let mut treebanks: Vec<&str> = lines.iter().map(|line| line.treebank.as_str()).collect();
    treebanks.dedup();
    let sections: Vec<Section> = treebanks
        .into_iter()
        .map(|treebank| {
            let mine: Vec<&Line> = lines.iter().filter(|line| line.treebank == treebank).collect();
            let table = Table {
                caption: format!("{treebank}, dev file, EVALB with gold punctuation"),
                header: COLUMNS.map(|(_, long)| long.to_owned()).to_vec(),
                rows: mine.iter().map(|line| line.cells()).collect(),
            };
            Section {
                heading: treebank.to_owned(),
                text: String::new(),
                parts: vec![Part::from(curve(treebank, &mine)), Part::from(table)],
            }
        })
        .collect();
    page("Learning curves of constituency parsing", &sections)
}

fn curve(treebank: &str, lines: &[&Line]) -> Chart {
    let mut systems: Vec<&str> = lines.iter().map(|line| line.system.as_str()).collect();
    systems.sort_unstable();
    systems.dedup();
    let mut marks = Vec::new();
    for system in systems {
        let mine: Vec<&&Line> = lines.iter().filter(|line| line.system == system).collect();
        let points = mine.iter().map(|line| (line.n_trees as f64, mean_sd(&line.f1).0)).collect();
        let band = mine.iter().map(|line| {
            let (mean, sd) = mean_sd(&line.f1);
            (mean - sd, mean + sd)
        });
        marks.push(Mark::Line { name: system.to_owned(), points, band: Some(band.collect()) });
    }
    let mut sizes: Vec<usize> = lines.iter().map(|line| line.n_trees).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let peer: Vec<(f64, f64)> =
        sizes.iter().filter_map(|&n| Some((n as f64, berkeley::row(treebank, n)?.f1))).collect();
    if !peer.is_empty() {
        marks.push(Mark::Line { name: "Berkeley, best cycle".to_owned(), points: peer, band: None });
    }
    Chart {
        title: treebank.to_owned(),
        x: Axis::log("training trees"),
        y: Axis::new("F1 on dev"),
        marks,
        ..Chart::default()
    }
}
