//! UDPipe 1 through its Python package, with the outcomes kept in a folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

const SCRIPT: &str = include_str!("../python/udpipe.py");

/// What UDPipe is trained to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UdpipeTask {
    /// Tagging, with all its own settings.
    Tagger,
    /// Parsing with gold tags.
    Parser,
}

/// Texts in CoNLL-U to learn from and to work on.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The name of its files.
    pub(crate) name: String,
    pub(crate) train: String,
    pub(crate) test: String,
}

/// What UDPipe came to.
#[derive(Debug, Clone)]
pub(crate) struct UdpipeRun {
    /// The test text with what was found.
    pub(crate) output: String,
    pub(crate) train_seconds: f64,
    pub(crate) work_seconds: f64,
    pub(crate) megabytes: f64,
    /// Peak memory of training and working.
    pub(crate) peak_mib: f64,
}

/// Where outcomes are kept.
#[derive(Debug)]
pub(crate) struct Udpipe {
    task: UdpipeTask,
    folder: PathBuf,
    /// Goes away with this if no folder was named.
    _temporary: Option<tempfile::TempDir>,
    script: PathBuf,
}

impl Udpipe {
    /// Keeps outcomes in a folder, or in none that lasts.
    pub(crate) fn new(task: UdpipeTask, folder: Option<&Path>) -> anyhow::Result<Udpipe> {
        let temporary = if folder.is_none() { Some(tempfile::tempdir()?) } else { None };
        let folder = match (folder, &temporary) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(temporary)) => temporary.path().to_owned(),
            (None, None) => anyhow::bail!("no folder for UDPipe's files"),
        };
        std::fs::create_dir_all(&folder)?;
        let script = folder.join("udpipe.py");
        std::fs::write(&script, SCRIPT)?;
        Ok(Udpipe { task, folder, _temporary: temporary, script })
    }

    /// Trains for each job of which there is no outcome yet, two at a time. An outcome is `None` if the package is not there.
    pub(crate) fn outcomes(&self, jobs: &[Job]) -> anyhow::Result<Vec<Option<UdpipeRun>>> {
        let missing: Vec<&Job> = jobs.iter().filter(|job| !self.is_done(job)).collect();
        if !missing.is_empty() && !self.is_installed() {
            println!(
                "UDPipe is not there for {} of {} trainings: `python3` finds no package ufal.udpipe \
                 (pip install ufal.udpipe==1.4.0.1). Treelet's figures stand alone in these rows.",
                missing.len(),
                jobs.len()
            );
        } else {
            for pair in missing.chunks(2) {
                self.train(pair)?;
            }
        }
        jobs.iter().map(|job| self.outcome(job)).collect()
    }

    fn is_installed(&self) -> bool {
        let version = Command::new("python3").arg(&self.script).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    }

    fn file(&self, job: &Job, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", job.name))
    }

    /// Whether there is an outcome for just these texts.
    fn is_done(&self, job: &Job) -> bool {
        let holds = |ending, text: &str| {
            std::fs::read_to_string(self.file(job, ending)).is_ok_and(|kept| kept == text)
        };
        self.file(job, "times").exists()
            && holds("train.conllu", &job.train)
            && holds("test.conllu", &job.test)
    }

    fn train(&self, jobs: &[&Job]) -> anyhow::Result<()> {
        let running: anyhow::Result<Vec<Child>> = jobs.iter().map(|job| self.start(job)).collect();
        for (job, child) in jobs.iter().zip(running?) {
            let output = child.wait_with_output()?;
            let said = String::from_utf8_lossy(&output.stderr);
            anyhow::ensure!(output.status.success(), "UDPipe on {}: {said}", job.name);
            std::fs::rename(self.file(job, "out.part"), self.file(job, "out.conllu"))?;
            // The last file that is written says that all others are there.
            std::fs::write(self.file(job, "times"), &output.stdout)?;
        }
        Ok(())
    }

    fn start(&self, job: &Job) -> anyhow::Result<Child> {
        let (train, test) = (self.file(job, "train.conllu"), self.file(job, "test.conllu"));
        let _ = std::fs::remove_file(self.file(job, "times"));
        std::fs::write(&train, &job.train)?;
        std::fs::write(&test, &job.test)?;
        let task = match self.task {
            UdpipeTask::Tagger => "tagger",
            UdpipeTask::Parser => "parser",
        };
        let mut command = Command::new("python3");
        command.arg(&self.script).arg(task).args([&train, &test, &self.file(job, "out.part")]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("python3")
    }

    fn outcome(&self, job: &Job) -> anyhow::Result<Option<UdpipeRun>> {
        if !self.is_done(job) {
            return Ok(None);
        }
        let times = std::fs::read_to_string(self.file(job, "times"))?;
        let mut numbers = times.split_whitespace().map(str::parse::<f64>);
        let mut next = || numbers.next().context("UDPipe printed too few figures");
        let (train_seconds, work_seconds) = (next()??, next()??);
        let (megabytes, peak_mib) = (next()?? / 1e6, next()?? / 1024.0);
        let output = std::fs::read_to_string(self.file(job, "out.conllu"))?;
        Ok(Some(UdpipeRun { output, train_seconds, work_seconds, megabytes, peak_mib }))
    }
}
