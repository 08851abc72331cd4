//! Whether probabilities of arcs mean what they say.

use chain::{Threads, Workers};
use draw::plot::{Axis, Chart, Mark, Part, Section, page};
use impute::calibrate::{Held, Reliability, reliability};
use impute::{ArcPosteriors, Fragment};

use super::methods::{self, ImputationSystem};
use super::{EWT, LOW, UTB, gold_tags, is_wanted, kept};
use crate::dependencies;
use impute::convex::ConvexOptions;

/// Reliability of the probabilities of arcs that were not annotated, and of arcs of held-out text.
#[derive(Debug, clap::Args)]
pub(crate) struct Calibration {
    /// `low` (eight low-resource treebanks), `utb`, `ewt`, `all`, or names
    #[arg(long, default_value = "low", value_delimiter = ',')]
    data: Vec<String>,
    /// Arcs in the corpus
    #[arg(long, default_value_t = 5000)]
    arcs: usize,
    /// The percentage of arcs that are annotated
    #[arg(long, default_value_t = 50)]
    keep: u32,
    /// Systems
    #[arg(long, value_enum, value_delimiter = ',', default_value = "both,gpc-ug")]
    methods: Vec<ImputationSystem>,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Print the bins: probability, share right, number of words
    #[arg(long)]
    bins: bool,
    /// Where the page with reliability diagrams goes
    #[arg(long)]
    pub(crate) html: Option<std::path::PathBuf>,
}

/// What was found of a system on a treebank.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) open: Reliability,
    pub(crate) parsed: Reliability,
}

pub(crate) fn run(arguments: &Calibration) -> anyhow::Result<()> {
    let measured = measure(arguments)?;
    if let Some(path) = &arguments.html {
        let diagram = |one: &Measured| Part::from(diagram(&one.name, &one.open, &one.parsed));
        let section = Section {
            heading: "Probabilities of heads".to_owned(),
            text: "How often the most probable head is right, by its probability. On the diagonal, probabilities mean what \
                   they say."
                .to_owned(),
            parts: measured.iter().map(diagram).collect(),
        };
        std::fs::write(path, page("Reliability", &[section]))?;
    }
    Ok(())
}

/// Learns, completes and parses, and prints how far probabilities are off.
pub(crate) fn measure(arguments: &Calibration) -> anyhow::Result<Vec<Measured>> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let mut measured = Vec::new();
    println!("expected calibration error, ten bins; in brackets accuracy and mean confidence");
    println!("{:<12} {:<17} {:>24} {:>24}", "treebank", "system", "open arcs of the corpus", "held-out text");
    for treebank in
        UTB.iter().chain([&EWT]).chain(&LOW).filter(|treebank| is_wanted(&arguments.data, treebank))
    {
        let train = dependencies::read(treebank.train)?;
        let train = dependencies::first_arcs(&train, arguments.arcs);
        let test = dependencies::read(treebank.test)?;
        let kept = kept(train, f64::from(arguments.keep) / 100.0, 0);
        let fragments: anyhow::Result<Vec<Fragment>> =
            train.iter().zip(&kept).map(|(gold, kept)| gold.fragment(&gold.tags, kept)).collect();
        let fragments = fragments?;
        let frees: Vec<Fragment> = test
            .iter()
            .zip(gold_tags(&test))
            .map(|(gold, tags)| Fragment::free(&gold.sentence(&tags)))
            .collect();
        for &method in &arguments.methods {
            let found =
                methods::run(method, (&fragments, &frees), (0, true), &ConvexOptions::default(), &workers)?;
            let mut open = Vec::new();
            for ((gold, kept), completed) in train.iter().zip(&kept).zip(found.imputed.iter().flatten()) {
                let words = (1..=gold.len()).filter(|&word| !kept[word - 1]);
                open.extend(words.map(|word| held(&completed.posteriors, word, gold.heads.head(word))));
            }
            let mut parsed = Vec::new();
            for (gold, completed) in test.iter().zip(&found.parsed) {
                parsed.extend(
                    (1..=gold.len()).map(|word| held(&completed.posteriors, word, gold.heads.head(word))),
                );
            }
            let (open, parsed) = (reliability(&open, 1.0), reliability(&parsed, 1.0));
            println!("{:<12} {:<17} {:>24} {:>24}", treebank.name, method.name(), show(&open), show(&parsed));
            if arguments.bins {
                for bin in open.bins.iter().filter(|bin| bin.n > 0) {
                    println!("    {:.3} {:.3} {:>6}", bin.confidence, bin.accuracy, bin.n);
                }
            }
            let name = format!("{}, {}", treebank.name, method.name());
            measured.push(Measured { name, open, parsed });
        }
    }
    Ok(measured)
}

fn held(posteriors: &ArcPosteriors, dependent: usize, head: usize) -> Held<'_> {
    Held { posteriors, dependent, head }
}

fn show(reliability: &Reliability) -> String {
    let n: usize = reliability.bins.iter().map(|bin| bin.n).sum();
    let mean = |of: fn(&impute::calibrate::Bin) -> f64| {
        reliability.bins.iter().map(|bin| bin.n as f64 * of(bin)).sum::<f64>() / n as f64
    };
    format!(
        "{:.3} ({:.3}, {:.3})",
        reliability.calibration_error,
        mean(|bin| bin.accuracy),
        mean(|bin| bin.confidence)
    )
}

fn diagram(title: &str, open: &Reliability, parsed: &Reliability) -> Chart {
    let line = |name: &str, reliability: &Reliability| Mark::Line {
        name: name.to_owned(),
        points: reliability
            .bins
            .iter()
            .filter(|bin| bin.n > 0)
            .map(|bin| (bin.confidence, bin.accuracy))
            .collect(),
        band: None,
    };
    let diagonal = Mark::Line { name: "ideal".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)], band: None };
    Chart {
        title: title.to_owned(),
        x: Axis::new("probability"),
        y: Axis::new("share right"),
        marks: vec![line("open arcs", open), line("held-out text", parsed), diagonal],
        ..Chart::default()
    }
}
