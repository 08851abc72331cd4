//! `treelet segment`: words into morphs.

mod gold;
mod input;
pub mod models;
mod rows;
mod run;
mod score;
mod train;

use crate::options::segment::{Segment, ViterbiChoices};
use crate::outcome::{Outcome, Usage};
use crate::watch::Watch;
use segment::{NoSplit, Viterbi};

pub fn run(what: &Segment, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    match what {
        Segment::Train(options) => train::run(options, watch),
        Segment::Run(options) => run::run(options, watch),
        Segment::Score(options) => score::run(options, watch),
    }
}

fn viterbi(choices: &ViterbiChoices) -> anyhow::Result<Viterbi> {
    if !(choices.smoothing >= 0.0 && choices.smoothing.is_finite()) {
        return Err(Usage(format!("--smoothing {}: give 0 or more", choices.smoothing)).into());
    }
    Ok(Viterbi { add_count: choices.smoothing, max_letters: choices.max_letters as usize })
}

fn no_split(pattern: Option<&str>) -> anyhow::Result<NoSplit> {
    match pattern {
        None => Ok(NoSplit::default()),
        Some(pattern) => NoSplit::parse(pattern).map_err(|error| Usage(error.to_string()).into()),
    }
}
