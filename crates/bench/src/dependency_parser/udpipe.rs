//! UDPipe 1 through its Python package, with the outcomes kept in a folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use super::data::{self, Treebank};
use super::measure::Score;

const SCRIPT: &str = include_str!("../../python/udpipe.py");

/// What UDPipe came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) score: Score,
    pub(super) train_seconds: f64,
    pub(super) tokens_per_second: f64,
    pub(super) megabytes: f64,
    /// Peak memory of training and parsing.
    pub(super) peak_mib: f64,
}

/// Where outcomes are kept.
#[derive(Debug)]
pub(super) struct Udpipe {
    folder: PathBuf,
    /// Goes away with this if no folder was named.
    _temporary: Option<tempfile::TempDir>,
    script: PathBuf,
}

impl Udpipe {
    /// Keeps outcomes in a folder, or in none that lasts.
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Udpipe> {
        let temporary = if folder.is_none() { Some(tempfile::tempdir()?) } else { None };
        let folder = match (folder, &temporary) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(temporary)) => temporary.path().to_owned(),
            (None, None) => anyhow::bail!("no folder for UDPipe's files"),
        };
        std::fs::create_dir_all(&folder)?;
        let script = folder.join("udpipe.py");
        std::fs::write(&script, SCRIPT)?;
        Ok(Udpipe { folder, _temporary: temporary, script })
    }

    /// Trains on each treebank of which there is no outcome yet, two at a time. An outcome is `None` if the package is not there.
    pub(super) fn outcomes(&self, treebanks: &[Treebank]) -> anyhow::Result<Vec<Option<Outcome>>> {
        let missing: Vec<&Treebank> = treebanks.iter().filter(|treebank| !self.is_done(treebank)).collect();
        if !missing.is_empty() && !self.is_installed() {
            println!(
                "UDPipe is not there for {} of {} trainings: `python3` finds no package ufal.udpipe \
                 (pip install ufal.udpipe==1.4.0.1). Treelet's figures stand alone in these rows.",
                missing.len(),
                treebanks.len()
            );
        } else {
            for pair in missing.chunks(2) {
                self.train(pair)?;
            }
        }
        treebanks.iter().map(|treebank| self.outcome(treebank)).collect()
    }

    fn is_installed(&self) -> bool {
        let version = Command::new("python3").arg(&self.script).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    }

    fn file(&self, treebank: &Treebank, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", treebank.name))
    }

    /// Whether there is an outcome for just these sentences.
    fn is_done(&self, treebank: &Treebank) -> bool {
        let holds = |ending, sentences: &[tree::Sentence]| {
            let kept = std::fs::read_to_string(self.file(treebank, ending));
            kept.is_ok_and(|kept| kept == data::text(sentences))
        };
        self.file(treebank, "times").exists()
            && holds("train.conllu", &treebank.train)
            && holds("test.conllu", &treebank.test)
    }

    fn train(&self, treebanks: &[&Treebank]) -> anyhow::Result<()> {
        let running: anyhow::Result<Vec<Child>> =
            treebanks.iter().map(|treebank| self.start(treebank)).collect();
        for (treebank, child) in treebanks.iter().zip(running?) {
            let output = child.wait_with_output()?;
            let said = String::from_utf8_lossy(&output.stderr);
            anyhow::ensure!(output.status.success(), "UDPipe on {}: {said}", treebank.name);
            std::fs::rename(self.file(treebank, "out.part"), self.file(treebank, "out.conllu"))?;
            // The last file that is written says that all others are there.
            std::fs::write(self.file(treebank, "times"), &output.stdout)?;
        }
        Ok(())
    }

    fn start(&self, treebank: &Treebank) -> anyhow::Result<Child> {
        let (train, test) = (self.file(treebank, "train.conllu"), self.file(treebank, "test.conllu"));
        let _ = std::fs::remove_file(self.file(treebank, "times"));
        std::fs::write(&train, data::text(&treebank.train))?;
        std::fs::write(&test, data::text(&treebank.test))?;
        let mut command = Command::new("python3");
        command.arg(&self.script).args([&train, &test, &self.file(treebank, "out.part")]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("python3")
    }

    fn outcome(&self, treebank: &Treebank) -> anyhow::Result<Option<Outcome>> {
        if !self.is_done(treebank) {
            return Ok(None);
        }
        let times = std::fs::read_to_string(self.file(treebank, "times"))?;
        let mut numbers = times.split_whitespace().map(str::parse::<f64>);
        let mut next = || numbers.next().context("UDPipe printed too few figures");
        let (train_seconds, parse_seconds) = (next()??, next()??);
        let (megabytes, peak_mib) = (next()?? / 1e6, next()?? / 1024.0);
        let found = data::sentences(&std::fs::read_to_string(self.file(treebank, "out.conllu"))?)?;
        let score = Score::of(&treebank.test, &found)?;
        let tokens_per_second = data::n_words(&treebank.test) as f64 / parse_seconds;
        Ok(Some(Outcome { score, train_seconds, tokens_per_second, megabytes, peak_mib }))
    }
}
