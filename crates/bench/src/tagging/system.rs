//! Systems, and what they come to.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use chain::Workers;
use clap::ValueEnum;
use indexmap::IndexMap;
use tag::Dictionary;
use tag::crf::NOTHING_FURTHER;
use tag::hmm::Smoothing;
use tag::pipeline::{Options, Supervision, train};
use tree::Text;

use super::data::{self, Gold};
use crate::udpipe::{Udpipe, UdpipeTask};

/// What learns from a dictionary, tagged sentences and raw text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum System {
    /// The first tag of the dictionary, and for other words the tag that most words of it have first
    Trivial,
    /// EM for a hidden Markov model, any tag for unknown words, add-0.1 smoothing
    Plain,
    /// The same with one-count smoothing, by which unknown words are of open classes
    OneCount,
    /// The same, and a last tagger that learns from its tags
    OneCountLast,
    /// Propagated labels, minimised pairs and EM, as in the papers
    Labels,
    /// A model of forms and classes of words, EM, and a last tagger: the default without propagated labels
    NoPropagation,
    /// Propagated labels, a model of forms and classes of words, and EM
    Hmm,
    /// The same, and a last tagger: the default
    Default,
}

impl System {
    pub(super) const ALL: [System; 8] = [
        System::Trivial,
        System::Plain,
        System::OneCount,
        System::OneCountLast,
        System::Labels,
        System::NoPropagation,
        System::Hmm,
        System::Default,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            System::Trivial => "trivial",
            System::Plain => "plain",
            System::OneCount => "one-count",
            System::OneCountLast => "one-count+last",
            System::Labels => "labels",
            System::NoPropagation => "no-propagation",
            System::Hmm => "hmm",
            System::Default => "default",
        }
    }

    fn options(self) -> Options {
        let default = Options::default();
        let one_count = Options { emissions: Smoothing::OneCount(1.0), ..Options::plain() };
        match self {
            System::Trivial | System::Plain => Options::plain(),
            System::OneCount => one_count,
            System::OneCountLast => Options { last: default.last, ..one_count },
            System::Labels => Options { forms: None, classes: None, minimise: true, last: None, ..default },
            System::NoPropagation => Options { propagate: None, ..default },
            System::Hmm => Options { last: None, ..default },
            System::Default => default,
        }
    }

    /// The share of words with the right tag, in percent.
    fn accuracy(self, supervision: &Supervision, test: &[Gold], workers: &Workers) -> anyhow::Result<f64> {
        if self == System::Trivial {
            return Ok(trivial(&supervision.dictionary, test));
        }
        let trained = train(supervision, NOTHING_FURTHER, &self.options(), workers)?;
        let n_right = workers.map(test, |_, sentence| {
            let words: Vec<Text> = sentence.iter().map(|(word, _)| word.clone()).collect();
            let tags = trained.tag(&words, NOTHING_FURTHER);
            let name = |tag: u32| trained.learned.dictionary.tags().name(tag);
            tags.iter().zip(sentence).filter(|((tag, _), (_, gold))| name(*tag) == gold).count()
        });
        let n: usize = test.iter().map(Vec::len).sum();
        Ok(100.0 * n_right.into_iter().sum::<usize>() as f64 / n as f64)
    }
}

/// The share of words that have the first tag of the dictionary, or the commonest of these if it does not have them, in percent.
///
/// A word of tagged sentences has what the dictionary of types says first, too; where there is no dictionary, nothing is right.
fn trivial(dictionary: &Dictionary, test: &[Gold]) -> f64 {
    let first = |word: &str| dictionary.get(word).and_then(|tags| tags.first()).map(|(tag, _)| *tag);
    let mut counts = vec![0usize; dictionary.tags().len()];
    dictionary.iter().filter_map(|(word, _)| first(word)).for_each(|tag| counts[tag as usize] += 1);
    let commonest = (0..counts.len()).rev().max_by_key(|&tag| counts[tag]).map(|tag| tag as u32);
    let words: Vec<_> = test.iter().flatten().collect();
    let is_right = |(word, gold): &&&(Text, Text)| {
        first(word).or(commonest).is_some_and(|tag| dictionary.tags().name(tag) == gold)
    };
    100.0 * words.iter().filter(is_right).count() as f64 / words.len().max(1) as f64
}

/// Accuracies by name, some of which were there before.
pub(super) struct Results {
    folder: Option<PathBuf>,
    all: IndexMap<String, f64>,
}

impl Results {
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Results> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Results { folder: folder.map(Path::to_owned), all: IndexMap::new() })
    }

    /// The accuracy of a system, looked up or found out.
    pub(super) fn of(
        &mut self,
        task: &str,
        system: System,
        supervision: &Supervision,
        test: &[Gold],
        workers: &Workers,
    ) -> anyhow::Result<f64> {
        let name = format!("{task}.{}", system.name());
        let path = self.folder.as_ref().map(|folder| folder.join(format!("{name}.txt")));
        let kept = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
        let accuracy = match kept {
            Some(accuracy) => accuracy,
            None => system.accuracy(supervision, test, workers)?,
        };
        if let Some(path) = path {
            std::fs::write(path, format!("{accuracy}\n"))?;
        }
        self.all.insert(name, accuracy);
        Ok(accuracy)
    }

    /// The accuracy of UDPipe's tagger; `None` if the package is not there.
    pub(super) fn of_udpipe(
        &mut self,
        task: &str,
        train: &[Gold],
        test: &[Gold],
    ) -> anyhow::Result<Option<f64>> {
        let folder = self.folder.as_ref().map(|folder| folder.join("udpipe"));
        let udpipe = Udpipe::new(UdpipeTask::Tagger, folder.as_deref())?;
        let outcome = udpipe.outcomes(&[data::job(task, train, test)])?.into_iter().flatten().next();
        let upos = outcome.map(|outcome| data::accuracy(test, &outcome.output)).transpose()?;
        if let Some(upos) = upos {
            self.all.insert(format!("{task}.udpipe"), upos);
        }
        Ok(upos)
    }

    pub(super) fn json(&self) -> String {
        let mut text = String::from("{");
        for (at, (name, accuracy)) in self.all.iter().enumerate() {
            // Writing to a string cannot fail; names have no character that JSON escapes.
            let _ = write!(text, "{}\n  \"{name}\": {accuracy:.4}", if at > 0 { "," } else { "" });
        }
        text + "\n}\n"
    }
}

/// Figures in columns; what is not there is a dash.
pub(super) fn row(name: &str, figures: impl IntoIterator<Item = Option<f64>>) {
    let figures: Vec<String> = figures
        .into_iter()
        .map(|figure| figure.map_or("   – ".into(), |figure| format!("{figure:5.1}")))
        .collect();
    println!("{name:28} {}", figures.join("  "));
}

/// The mean of what is there, if all of it is.
pub(super) fn mean(figures: &[Option<f64>]) -> Option<f64> {
    let all: Option<Vec<f64>> = figures.iter().copied().collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
}
