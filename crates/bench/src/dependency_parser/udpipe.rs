//! UDPipe's parser.

use std::path::Path;

use super::data::{self, Treebank};
use super::measure::AttachmentScore;
use crate::udpipe::{self, Job, UdpipeTask};

/// What UDPipe came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct UdpipeScore {
    pub(super) score: AttachmentScore,
    pub(super) train_seconds: f64,
    pub(super) tokens_per_second: f64,
    pub(super) megabytes: f64,
    /// Peak memory of training and parsing.
    pub(super) peak_mib: f64,
}

/// UDPipe's parser, with its outcomes.
#[derive(Debug)]
pub(super) struct Udpipe(udpipe::Udpipe);

impl Udpipe {
    /// Keeps outcomes in a folder, or in none that lasts.
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Udpipe> {
        Ok(Udpipe(udpipe::Udpipe::new(UdpipeTask::Parser, folder)?))
    }

    /// Trains on each treebank of which there is no outcome yet. An outcome is `None` if the package is not there.
    pub(super) fn outcomes(&self, treebanks: &[Treebank]) -> anyhow::Result<Vec<Option<UdpipeScore>>> {
        let job = |treebank: &Treebank| Job {
            name: treebank.name.clone(),
            train: data::text(&treebank.train),
            test: data::text(&treebank.test),
        };
        let jobs: Vec<Job> = treebanks.iter().map(job).collect();
        let outcomes = self.0.outcomes(&jobs)?;
        let scored = |(treebank, outcome): (&Treebank, Option<udpipe::UdpipeRun>)| {
            outcome.map(|outcome| UdpipeScore::new(treebank, &outcome)).transpose()
        };
        treebanks.iter().zip(outcomes).map(scored).collect()
    }
}

impl UdpipeScore {
    fn new(treebank: &Treebank, ran: &udpipe::UdpipeRun) -> anyhow::Result<UdpipeScore> {
        Ok(UdpipeScore {
            score: AttachmentScore::of(&treebank.test, &data::sentences(&ran.output)?)?,
            train_seconds: ran.train_seconds,
            tokens_per_second: data::n_words(&treebank.test) as f64 / ran.work_seconds,
            megabytes: ran.megabytes,
            peak_mib: ran.peak_mib,
        })
    }
}
