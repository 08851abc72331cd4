//! Whether forecasts of `treelet plan` come true: what was said at n sentences beside what 2n and 4n sentences brought.

mod case;
pub(crate) mod table;

use chain::{Threads, Workers};
use std::path::PathBuf;
use study::forecast::{Course, Prior};

pub(crate) use case::ForecastCase;

/// Forecasts accuracy with twice and four times the annotation, and then measures it.
#[derive(Debug, clap::Args)]
pub(crate) struct Forecasts {
    /// Folders of Universal Dependencies [default: eight low-resource treebanks, or eight others with --dev]
    #[arg(long, value_delimiter = ',')]
    data: Vec<String>,
    /// Sentences that are annotated when the forecast is made
    #[arg(long, value_delimiter = ',', default_value = "25,50,100")]
    sentences: Vec<usize>,
    /// Runs with other sentences
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// The share of heads that annotators leave in a sentence, in percent
    #[arg(long, default_value_t = 50)]
    keep: u32,
    /// Words of the text that parsers are scored on, at most
    #[arg(long, default_value_t = 3000)]
    test_words: usize,
    /// Other treebanks, with dev files in place of test files: for choosing settings
    #[arg(long)]
    dev: bool,
    /// Annotate sentences of the training file and score on the test file, which may be of another kind; otherwise the
    /// sentences of both are mixed, and those that are not annotated are scored
    #[arg(long)]
    apart: bool,
    /// Write what was measured to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Forecast from what an earlier run measured, without any training
    #[arg(long, value_name = "FILE", conflicts_with = "save")]
    load: Option<PathBuf>,
    /// Another prior: usual decay, spread of its logarithm, share missing in the limit, its spread, training noise,
    /// spread between texts
    #[arg(long, num_args = 6, value_name = "X")]
    prior: Vec<f64>,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Those that figures are reported on.
pub(crate) const TEST: [&str; 8] = [
    "Wolof-WTB",
    "North_Sami-Giella",
    "Erzya-JR",
    "Kyrgyz-KTMU",
    "Manx-Cadhan",
    "Nheengatu-CompLin",
    "Naija-NSC",
    "Uyghur-UDT",
];

/// Those that settings are chosen on.
pub(crate) const DEV: [&str; 8] = [
    "Hungarian-Szeged",
    "Turkish-IMST",
    "Vietnamese-VTB",
    "Tamil-TTB",
    "Greek-GDT",
    "Welsh-CCG",
    "Armenian-ArmTDP@2019-04",
    "Afrikaans-AfriBooms",
];

impl Forecasts {
    fn treebanks(&self) -> Vec<String> {
        match (self.data.is_empty(), self.dev) {
            (false, _) => self.data.clone(),
            (true, true) => DEV.map(str::to_owned).to_vec(),
            (true, false) => TEST.map(str::to_owned).to_vec(),
        }
    }

    pub(crate) fn prior(&self) -> Prior {
        match self.prior[..] {
            [decay, decay_spread, limit_missing, limit_spread, training_noise, text_spread] => {
                Prior { decay, decay_spread, limit_missing, limit_spread, training_noise, text_spread }
            }
            _ => Prior::default(),
        }
    }
}

pub(crate) fn run(arguments: &Forecasts) -> anyhow::Result<()> {
    let cases = match &arguments.load {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        None => measure(arguments)?,
    };
    table::print(&cases, arguments.prior())
}

pub(crate) fn measure(arguments: &Forecasts) -> anyhow::Result<Vec<ForecastCase>> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let mut cases = Vec::new();
    for name in arguments.treebanks() {
        let test = if arguments.dev { "dev" } else { "test" };
        let treebank = case::ForecastMaterial::read(&name, test, arguments.apart, arguments.test_words)?;
        for seed in 1..=arguments.seeds {
            for &n in &arguments.sentences {
                let case = treebank.case(n, seed, arguments.keep, &Course::default(), &workers)?;
                println!("{}", case.line());
                cases.push(case);
                // What was measured is worth keeping as soon as it is there.
                if let Some(path) = &arguments.save {
                    std::fs::write(path, serde_json::to_string(&cases)?)?;
                }
            }
        }
    }
    Ok(cases)
}
