//! Names, relations and roles with syntax that is known, found or hidden, in the form of Tables 4.5, 4.6, 5.1, 6.1 and 6.2 of
//! Naradowsky (2015), beside peers.

mod data;
mod run;

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use self::data::SemanticCorpus;
use self::run::{SemanticCourse, SemanticOutcome, scores_of, system};
use crate::peers::{self, Script};

/// Which data, which systems.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Data sets; all of them by default
    #[arg(long, value_delimiter = ',')]
    data: Vec<String>,
    /// Systems; all of them by default, `none` for peers alone
    #[arg(long, value_delimiter = ',')]
    systems: Vec<String>,
    /// Runs with as many seeds
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Learn from the first so many sentences
    #[arg(long)]
    train: Option<usize>,
    /// Test on every second sentence of dev, and let the others say when to stop: for choosing settings
    #[arg(long)]
    held_out: bool,
    /// Further options of `joint train` for all systems, as a JSON object
    #[arg(long, value_name = "JSON")]
    more: Option<String>,
    /// Walk so many times through the sentences without looking at dev, and say what a walk takes
    #[arg(long, value_name = "N")]
    passes: Option<u64>,
    /// A Python that has the packages of `crates/bench/peers/requirements.txt`: run the peers, too
    #[arg(long)]
    python: Option<PathBuf>,
    /// Peers; all of the task by default
    #[arg(long, value_delimiter = ',', requires = "python")]
    peers: Vec<String>,
    /// Where models of other corpora, and what they say of these, are kept from run to run
    #[arg(long, default_value = "target/bench-joint")]
    cache: PathBuf,
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// A task with its systems: names, and what they ask of `joint train`.
struct SemanticTable {
    task: &'static str,
    script: Script,
    peers: &'static [&'static str],
    data: &'static [&'static str],
    systems: Vec<(String, Value)>,
}

fn entities() -> SemanticTable {
    let mut systems = Vec::new();
    for sight in ["chain", "paper", "rich"] {
        for (name, options) in [
            ("only", json!({"mode": "supervised"})),
            ("joint", json!({"mode": "joint"})),
            ("joint-bias", json!({"mode": "joint", "plain_tie": true})),
            ("oracle", json!({"mode": "oracle"})),
            ("hidden", json!({"mode": "hidden"})),
        ] {
            let mut options = options;
            options["sight"] = json!(sight);
            systems.push((format!("{sight}-{name}"), options));
        }
    }
    SemanticTable {
        task: "entities",
        script: Script::Entities,
        peers: &["crfsuite", "spacy"],
        data: &data::ENTITIES,
        systems,
    }
}

fn relations() -> SemanticTable {
    let mut systems = Vec::new();
    for sight in ["paper", "rich"] {
        for (name, mode, syntax, no_types) in [
            ("baseline", "supervised", "brackets", true),
            ("baseline-ent", "supervised", "brackets", false),
            ("oracle-dp", "oracle", "arcs", false),
            ("oracle-cp", "oracle", "brackets", false),
            ("hidden-dp", "hidden", "arcs", false),
            ("hidden-cp", "hidden", "brackets", false),
        ] {
            let options = json!({"mode": mode, "syntax": syntax, "no_types": no_types, "sight": sight});
            systems.push((format!("{sight}-{name}"), options));
        }
    }
    let peers = &["plain", "ent", "path"];
    SemanticTable { task: "relations", script: Script::Relations, peers, data: &data::RELATIONS, systems }
}

fn roles() -> SemanticTable {
    let mut systems = Vec::new();
    for sight in ["paper", "rich"] {
        for (name, mode, valency) in [
            ("baseline", "supervised", "0"),
            ("valency-2", "supervised", "2"),
            ("valency-3", "supervised", "3"),
            ("oracle", "oracle", "0"),
            ("oracle-valency", "oracle", "3"),
            ("hidden", "hidden", "0"),
            ("hidden-valency", "hidden", "3"),
        ] {
            systems
                .push((format!("{sight}-{name}"), json!({"mode": mode, "valency": valency, "sight": sight})));
        }
    }
    SemanticTable {
        task: "roles",
        script: Script::Roles,
        peers: &["plain", "path"],
        data: &data::ROLES,
        systems,
    }
}

/// Runs one of the three.
pub(crate) fn run(task: &str, options: &Options) -> anyhow::Result<()> {
    let table = match task {
        "entities" => entities(),
        "relations" => relations(),
        _ => roles(),
    };
    let more: Value = match &options.more {
        Some(text) => serde_json::from_str(text).context("--more is a JSON object")?,
        None => json!({}),
    };
    std::fs::create_dir_all(&options.cache)?;
    let known: Vec<&str> = table.systems.iter().map(|(name, _)| name.as_str()).chain(["none"]).collect();
    if let Some(wrong) = options.systems.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no such system: {wrong}; there are {}", known.join(", "));
    }
    let course = SemanticCourse { task, threads: options.threads, more, passes: options.passes };
    println!(
        "| data | train | system | precision | recall | F1 | unlabelled F1 | senses | doubled | brackets P R F1 | features | exact | at rest | sweeps | seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut notes = Vec::new();
    for &name in table
        .data
        .iter()
        .filter(|name| options.data.is_empty() || options.data.iter().any(|one| one == *name))
    {
        let mut corpus = data::load(name, &options.cache)?;
        data::first(&mut corpus, options.train);
        if options.held_out {
            let dev = std::mem::take(&mut corpus.dev);
            let (even, odd): (Vec<_>, Vec<_>) = dev.into_iter().enumerate().partition(|(at, _)| at % 2 == 0);
            corpus.dev = even.into_iter().map(|(_, sentence)| sentence).collect();
            corpus.test = odd.into_iter().map(|(_, sentence)| sentence).collect();
        }
        notes.extend(facts(&corpus));
        rows(&table, &corpus, options, &course, &mut notes)?;
    }
    println!();
    notes.iter().for_each(|note| println!("- {note}"));
    Ok(())
}

/// What is worth knowing of a data set.
fn facts(corpus: &SemanticCorpus) -> Vec<String> {
    let whose = |trees: Option<&str>| trees.unwrap_or("none").to_string();
    let [train, dev, test] = [&corpus.train, &corpus.dev, &corpus.test].map(Vec::len);
    let tags = if data::has_tags(&corpus.train) { "" } else { " without tags" };
    let mut facts = vec![format!(
        "{}: {train} + {dev} + {test} sentences{tags}, brackets: {}, arcs: {}",
        corpus.name,
        whose(corpus.brackets),
        whose(corpus.arcs)
    )];
    let shares = data::alignment(corpus);
    facts.extend(shares.into_iter().map(|(what, share)| format!("{}: {what}: {share:.1} %", corpus.name)));
    facts
}

fn rows(
    table: &SemanticTable,
    corpus: &SemanticCorpus,
    options: &Options,
    course: &SemanticCourse<'_>,
    notes: &mut Vec<String>,
) -> anyhow::Result<()> {
    let is_wanted = |name: &str| options.systems.is_empty() || options.systems.iter().any(|one| one == name);
    for (name, asked) in table.systems.iter().filter(|(name, _)| is_wanted(name)) {
        let needs = match (asked["mode"].as_str(), asked["syntax"].as_str(), table.task) {
            (Some("joint" | "oracle"), Some("arcs"), _) | (Some("joint" | "oracle"), _, "roles") => {
                corpus.arcs
            }
            (Some("joint" | "oracle"), ..) => corpus.brackets,
            _ => Some("none"),
        };
        if needs.is_none() {
            continue;
        }
        let mut outcomes = Vec::new();
        for seed in 1..=options.seeds {
            outcomes.push(
                system(corpus, course, asked, seed).with_context(|| format!("{}, {name}", corpus.name))?,
            );
        }
        print(corpus, name, &outcomes, options.passes);
    }
    let Some(python) = &options.python else { return Ok(()) };
    let wanted: Vec<&str> = match options.peers.is_empty() {
        true => table.peers.to_vec(),
        false => options.peers.iter().map(String::as_str).collect(),
    };
    for peer in wanted {
        let mut outcomes = Vec::new();
        // Those that have no chance in them run once.
        let seeds = if peer == "spacy" { options.seeds } else { 1 };
        for seed in 1..=seeds {
            let seed = seed.to_string();
            let files = [&corpus.train[..], &corpus.dev, &corpus.test];
            let answer = peers::answer(python, table.script, &["--peer", peer, "--seed", &seed], files)?;
            notes
                .push(format!("{} {peer}: {}, F1 on dev {:.2}", corpus.name, answer.settings, answer.dev_f1));
            let scored = scores_of(table.task, &corpus.test, answer.found)?;
            outcomes.push(SemanticOutcome { seconds: answer.seconds, ..scored });
        }
        print(corpus, &format!("*{peer}*"), &outcomes, None);
    }
    Ok(())
}

/// A row: means over the seeds, and how far these are apart.
fn print(corpus: &SemanticCorpus, name: &str, outcomes: &[SemanticOutcome], passes: Option<u64>) {
    let mean = |of: &dyn Fn(&SemanticOutcome) -> f64| {
        outcomes.iter().map(of).sum::<f64>() / outcomes.len().max(1) as f64
    };
    let score = |name: &'static str| mean(&|outcome| outcome.scores[name].as_f64().unwrap_or(f64::NAN));
    let f1 = |outcome: &SemanticOutcome| outcome.scores["f1"].as_f64().unwrap_or(f64::NAN);
    let spread = outcomes.iter().map(|one| (f1(one) - mean(&f1)).abs()).fold(0.0, f64::max);
    let dash = |value: f64| if value.is_finite() { format!("{value:.1}") } else { "–".into() };
    let unlabelled = match outcomes[0].scores["unlabelled_f1"].is_number() {
        true => score("unlabelled_f1"),
        false => score("pairs_f1"),
    };
    let brackets =
        outcomes[0].brackets.filter(|_| corpus.brackets.is_some()).map_or("–".to_string(), |_| {
            let of = |at: usize| mean(&|one| one.brackets.map_or(f64::NAN, |brackets| brackets[at]));
            format!("{:.1} {:.1} {:.1}", of(0), of(1), of(2))
        });
    let of_all = |n: f64| match mean(&|one| (one.n_exact + one.n_loopy) as f64) {
        all if all > 0.0 => format!("{:.0} %", 100.0 * n / all),
        _ => "–".into(),
    };
    println!(
        "| {} | {} | {name} | {:.1} | {:.1} | {:.2} ± {spread:.2} | {:.2} | {} | {} | {brackets} | {:.0} | {} | {} | {:.1} | {:.0} |",
        corpus.name,
        corpus.train.len(),
        score("precision"),
        score("recall"),
        mean(&f1),
        unlabelled,
        dash(score("sense_accuracy")),
        dash(mean(&|one| one.doubled.unwrap_or(f64::NAN))),
        mean(&|one| one.n_features as f64),
        of_all(mean(&|one| one.n_exact as f64)),
        of_all(mean(&|one| one.n_resting as f64)),
        mean(&|one| one.sweeps),
        mean(&|one| one.seconds) / passes.unwrap_or(1) as f64,
    );
}
