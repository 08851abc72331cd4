//! Hours to a given accuracy: plain annotation in order beside suggestions, beside the queue, beside both.

mod course;
mod table;

use super::person::Habits;
use super::times::Corrections;
use chain::{Threads, Workers};
use course::{TextToAnnotate, WorkingDays};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// An annotator with the times of real ones works through the page's server; from time to time a parser learns from what is
/// exported and parses held-out text.
#[derive(Debug, clap::Args)]
pub(crate) struct Useful {
    /// Folders of Universal Dependencies with training and dev files
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "Wolof-WTB,Uyghur-UDT,Naija-NSC,Scottish_Gaelic-ARCOSG@2024-10"
    )]
    data: Vec<String>,
    /// Conditions
    #[arg(long, value_enum, value_delimiter = ',', default_value = "plain,suggestions,queue,both")]
    conditions: Vec<Condition>,
    /// Sentences of the project, drawn by lot from the training file
    #[arg(long, default_value_t = 300)]
    sentences: usize,
    /// Runs with other sentences and another annotator
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// The first of them
    #[arg(long, default_value_t = 1)]
    from_seed: u64,
    /// Hours of work
    #[arg(long, default_value_t = 3.0)]
    hours: f64,
    /// Minutes between two measurements
    #[arg(long, default_value_t = 20.0)]
    every: f64,
    /// Words of the dev file that parsers are scored on, at most
    #[arg(long, default_value_t = 2000)]
    dev_words: usize,
    /// Accuracies (UAS) to wait for
    #[arg(long, value_delimiter = ',', default_value = "58,60,65,70,75,78,80,82,85")]
    levels: Vec<f64>,
    /// Seconds to read a word, to set a head and to accept a suggestion [default: fitted to timed sentences; two keys]
    #[arg(long, num_args = 3, value_name = "S")]
    seconds: Vec<f64>,
    /// How often a wrong suggestion is taken for right [default: of annotators who corrected the same parses]
    #[arg(long, value_name = "SHARE")]
    overlooks: Option<f64>,
    /// Write what was measured to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show what earlier runs measured
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "save")]
    load: Vec<PathBuf>,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// How she works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Condition {
    /// In order, without suggestions
    Plain,
    /// In order, with suggestions
    Suggestions,
    /// Where an answer helps most, without suggestions
    Queue,
    /// Where an answer helps most, with suggestions
    Both,
}

impl Condition {
    pub(super) const ALL: [Condition; 4] = [Self::Plain, Self::Suggestions, Self::Queue, Self::Both];

    fn suggests(self) -> bool {
        matches!(self, Self::Suggestions | Self::Both)
    }

    fn queues(self) -> bool {
        matches!(self, Self::Queue | Self::Both)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Suggestions => "suggestions",
            Self::Queue => "queue",
            Self::Both => "both",
        }
    }
}

/// Two keys of a typist of average skill (Card, Moran & Newell 1980: 0.28 s for a key): `y`, and on to the next word.
const TWO_KEYS: f64 = 2.0 * 0.28;

pub(crate) fn run(arguments: &Useful) -> anyhow::Result<()> {
    let mut courses: Vec<WorkingDays> = Vec::new();
    for path in &arguments.load {
        courses.extend(serde_json::from_str::<Vec<WorkingDays>>(&std::fs::read_to_string(path)?)?);
    }
    if arguments.load.is_empty() {
        courses = measure(arguments)?;
    }
    table::print(&courses, &arguments.levels);
    Ok(())
}

fn measure(arguments: &Useful) -> anyhow::Result<Vec<WorkingDays>> {
    let habits = habits(arguments)?;
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let mut courses = Vec::new();
    for seed in arguments.from_seed..arguments.from_seed + arguments.seeds {
        for name in &arguments.data {
            let material = TextToAnnotate::read(name, arguments, seed)?;
            for &condition in &arguments.conditions {
                let course = material.course(condition, habits, arguments, &workers)?;
                println!("{}", course.line());
                courses.push(course);
                // What was measured is worth keeping as soon as it is there.
                if let Some(path) = &arguments.save {
                    std::fs::write(path, serde_json::to_string(&courses)?)?;
                }
            }
        }
    }
    Ok(courses)
}

fn habits(arguments: &Useful) -> anyhow::Result<Habits> {
    let known = Corrections::read()?;
    for (rates, who) in known.rates.iter().zip(["one", "the other"]) {
        let [word, head, relation] = rates.seconds;
        println!(
            "{who}: {word:.1} s a word, {head:.1} s a changed head, {relation:.1} s a changed relation; {} sentences, off by {:.0} %",
            rates.n_timed,
            100.0 * rates.spread.unwrap_or(f64::NAN)
        );
    }
    let (overlooked, different) = (known.overlooked, known.different);
    println!(
        "{} of {} wrong heads overlooked; {} of {} set differently",
        overlooked.n, overlooked.of, different.n, different.of
    );
    let (word, head) = known.seconds();
    let (per_word, per_head, per_accepted) = match arguments.seconds[..] {
        [word, head, accepted] => (word, head, accepted),
        _ => (word, head, TWO_KEYS),
    };
    let overlooks = arguments.overlooks.unwrap_or(overlooked.rate());
    let habits =
        Habits { per_word, per_head, per_accepted, overlooks, slips: known.slips(), spread: known.spread() };
    println!("{habits:?}\n");
    Ok(habits)
}
