//! A run that can be taken up again.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::container::{self, Header};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::observe::Memory;
use crate::schedule::Schedule;

/// Everything needed to go on: states, sweep number, and what the observers gathered.
///
/// No generator is in it, because streams are addressed by the sweep number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint<S> {
    /// The kernel's checksum of data and settings.
    pub fingerprint: u64,
    /// The schedule of the run.
    pub schedule: Schedule,
    /// The last sweep made.
    pub sweep: u64,
    /// The state of each chain.
    pub states: Vec<S>,
    /// What the observers gathered.
    pub memory: Memory,
}

/// Where a run begins.
#[derive(Clone, Debug)]
pub enum Start<S> {
    /// With states drawn by the kernel.
    Fresh,
    /// Where another run ended.
    From(Checkpoint<S>),
}

impl<S> Checkpoint<S> {
    /// Reads a checkpoint of the kernel `K`; a file of another kernel or version is refused.
    pub fn read<K: Kernel<State = S>>(path: &Path) -> Result<Checkpoint<S>, Error>
    where
        S: DeserializeOwned,
    {
        container::read(path, &kind(K::KIND), K::VERSION).map(|(_, checkpoint)| checkpoint)
    }

    /// Writes a checkpoint of the kernel `K`, in one step.
    pub fn write<K: Kernel<State = S>>(&self, path: &Path) -> Result<(), Error>
    where
        S: Serialize,
    {
        container::write(path, &self.header(K::KIND, K::VERSION), self)
    }

    /// The bytes of a checkpoint file for a kernel of this kind and version.
    pub fn encode(&self, kernel: &str, version: u32) -> Result<Vec<u8>, Error>
    where
        S: Serialize,
    {
        container::encode(&self.header(kernel, version), self)
    }

    fn header(&self, kernel: &str, version: u32) -> Header {
        let notes = [
            ("sweep", self.sweep.to_string()),
            ("total", self.schedule.total().to_string()),
            ("chains", self.schedule.chains.to_string()),
            ("seed", self.schedule.seed.to_string()),
            ("made-by", concat!("treelet ", env!("CARGO_PKG_VERSION")).to_owned()),
        ];
        let notes = notes.map(|(name, value)| (name.to_owned(), value)).into();
        Header { kind: kind(kernel), version, notes }
    }

    /// Refuses to continue another run than the one that was saved.
    pub(crate) fn check_run(&self, schedule: &Schedule, fingerprint: u64) -> Result<(), Error> {
        let saved = &self.schedule;
        let same = |what, found: u64, wanted: u64| match found == wanted {
            true => Ok(()),
            false => Err(Error::OtherRun { what, found, wanted }),
        };
        same("data or settings of checksum", self.fingerprint, fingerprint)?;
        same("seed", saved.seed, schedule.seed)?;
        same("number of chains", saved.chains.into(), schedule.chains.into())?;
        same("number of states", self.states.len() as u64, schedule.chains.into())?;
        same("burn-in", saved.burn_in.into(), schedule.burn_in.into())?;
        same("thinning", saved.thin.into(), schedule.thin.into())?;
        same("sweeps beyond the schedule:", self.sweep, self.sweep.min(schedule.total()))
    }
}

fn kind(kernel: &str) -> String {
    format!("checkpoint/{kernel}")
}
