//! Taggers with known, found and hidden trees, in the form of Table 2.1 of Naradowsky (2015).

use std::ops::ControlFlow;

use anyhow::Context;
use bp::Messages;
use chain::workers::Workers;
use joint::tagging::{self, Sight, Tagger};
use joint::{Mode, Sentence};
use tree::sentence::UNSPECIFIED;
use tree::{Text, Token};

use crate::corpus::reference;
use crate::cpu;

/// Taggers with known, found and hidden trees
#[derive(Debug, clap::Args)]
pub(crate) struct Tagging {
    /// Treebanks: `sorbian`, `finnish`, `german` (case), `english` (parts of speech)
    #[arg(long, default_value = "sorbian,finnish,german,english", value_delimiter = ',')]
    data: Vec<String>,
    /// Systems
    #[arg(long, default_value = "unigram,bigram,joint,oracle,hidden", value_delimiter = ',')]
    systems: Vec<String>,
    /// Walks through the sentences
    #[arg(long, default_value_t = 10)]
    epochs: usize,
    /// Sentences with more words are left out, in training and in testing
    #[arg(long, default_value_t = 40)]
    longest: usize,
    /// At most so many sentences are learned from
    #[arg(long, default_value_t = 1000)]
    train: usize,
    /// Learn from four fifths of the training sentences and tag the rest: for choosing settings
    #[arg(long)]
    held_out: bool,
    /// See only forms (and parts of speech, where case is predicted), as in the thesis
    #[arg(long)]
    forms_only: bool,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// A treebank: name, the file to learn from, the file to tag, and the attribute; one file for both is cut as its README says.
const TREEBANKS: [(&str, &str, &str, Option<&str>); 4] = [
    ("sorbian", "Upper_Sorbian-UFAL/test", "Upper_Sorbian-UFAL/test", Some("Case")),
    ("finnish", "Finnish-TDT/dev", "Finnish-TDT/test", Some("Case")),
    ("german", "German-GSD/dev", "German-GSD/test", Some("Case")),
    ("english", "English-EWT/train", "English-EWT/test", None),
];

pub(crate) fn run(arguments: &Tagging) -> anyhow::Result<()> {
    let workers = Workers::new(chain::Threads::from_count(arguments.threads))?;
    println!(
        "{:<9} {:>5} {:>5} {:<8} {:>6} {:>10} {:>6} {:>8} {:>8} {:>7}",
        "treebank", "train", "test", "system", "all", "with case", "UAS", "resting", "sweeps", "train s"
    );
    for (name, train, test, attribute) in TREEBANKS {
        if arguments.data.iter().any(|wanted| wanted == name) {
            let (train, test) = split(arguments, train, test, attribute)?;
            for system in &arguments.systems {
                row(arguments, name, system, (&train, &test), &workers)?;
            }
        }
    }
    Ok(())
}

fn split(
    arguments: &Tagging,
    train: &str,
    test: &str,
    attribute: Option<&str>,
) -> anyhow::Result<(Vec<Sentence>, Vec<Sentence>)> {
    let read = |file: &str| -> anyhow::Result<Vec<Sentence>> {
        let text = std::fs::read_to_string(reference(&format!("data/dependency/ud/{file}.conllu"))?)?;
        let sentences = formats::conllu::ConlluReader::new(text.as_bytes());
        let mut found = Vec::new();
        for read in sentences {
            found.push(seen(&read.context("a treebank cannot be read")?.value, attribute));
        }
        Ok(found)
    };
    let every = |sentences: &[Sentence], keep: &dyn Fn(usize) -> bool| -> Vec<Sentence> {
        sentences
            .iter()
            .enumerate()
            .filter(|(at, _)| keep(*at))
            .map(|(_, sentence)| sentence.clone())
            .collect()
    };
    let all = read(train)?;
    let (mut learned, mut tagged) = match train == test {
        true => (every(&all, &|at| at % 10 < 7), every(&all, &|at| at % 10 > 7)),
        false => (all, read(test)?),
    };
    let is_short = |sentence: &Sentence| (1..=arguments.longest).contains(&sentence.len());
    learned.retain(is_short);
    learned.truncate(arguments.train);
    if arguments.held_out {
        (learned, tagged) = (every(&learned, &|at| at % 5 < 4), every(&learned, &|at| at % 5 == 4));
    }
    tagged.retain(is_short);
    Ok((learned, tagged))
}

fn seen(sentence: &tree::Sentence, attribute: Option<&str>) -> Sentence {
    let tag = |token: &Token| -> Text {
        match attribute {
            None => token.upos.clone(),
            Some(name) => {
                token.features().find(|(one, _)| *one == name).map_or(UNSPECIFIED, |(_, value)| value.into())
            }
        }
    };
    Sentence {
        forms: sentence.words().map(|token| token.form.clone()).collect(),
        classes: match attribute {
            None => Vec::new(),
            Some(_) => sentence.words().map(|token| token.upos.clone()).collect(),
        },
        tags: sentence.words().map(|token| Some(tag(token))).collect(),
        heads: sentence.partial_heads(),
        ..Sentence::default()
    }
}

fn row(
    arguments: &Tagging,
    name: &str,
    system: &str,
    (train, test): (&[Sentence], &[Sentence]),
    workers: &Workers,
) -> anyhow::Result<()> {
    let mode = match system {
        "unigram" | "bigram" => Mode::Supervised,
        "joint" => Mode::Joint,
        "oracle" => Mode::Oracle,
        "hidden" => Mode::Hidden,
        _ => anyhow::bail!("no such system: {system}"),
    };
    let sight = if arguments.forms_only { Sight::Words } else { Sight::Rich };
    let mut settings =
        tagging::Options { mode, chain: system != "unigram", sight, ..tagging::Options::default() };
    settings.learning.epochs = arguments.epochs;
    let (tagger, spent) =
        cpu::seconds(|| Tagger::train(train, &settings, 1, None, workers, |_| ControlFlow::Continue(())));
    let tagger = tagger?;
    let answers = workers.map_with(test, Messages::default, |messages, _, sentence| {
        let heads = if mode == Mode::Oracle { sentence.heads.clone() } else { Vec::new() };
        tagger.tag(&Sentence { tags: Vec::new(), heads, ..sentence.clone() }, messages)
    });
    let (mut all, mut marked, mut arcs) = ((0, 0), (0, 0), 0);
    let (mut resting, mut sweeps) = (0, 0);
    for (sentence, answer) in test.iter().zip(answers) {
        let answer = answer?;
        for (tag, gold) in answer.tags.iter().zip(sentence.tags.iter().flatten()) {
            let right = usize::from(tag == gold);
            all = (all.0 + right, all.1 + 1);
            if *gold != UNSPECIFIED {
                marked = (marked.0 + right, marked.1 + 1);
            }
        }
        if let Some(heads) = &answer.heads {
            let is_right = |word: &usize| Some(heads.head(*word) as u32) == sentence.heads[*word - 1];
            arcs += (1..=sentence.len()).filter(is_right).count();
        }
        resting += usize::from(answer.outcome.has_converged);
        sweeps += answer.outcome.sweeps;
    }
    let percent = |(right, of): (usize, usize)| 100.0 * right as f64 / of.max(1) as f64;
    println!(
        "{name:<9} {:>5} {:>5} {system:<8} {:>6.2} {:>10.2} {:>6} {:>8} {:>8.1} {spent:>7.1}",
        train.len(),
        test.len(),
        percent(all),
        percent(marked),
        if mode.has_syntax() { format!("{:.1}", percent((arcs, all.1))) } else { "–".into() },
        format!("{resting}/{}", test.len()),
        sweeps as f64 / test.len().max(1) as f64,
    );
    Ok(())
}
