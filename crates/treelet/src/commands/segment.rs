//! `treelet segment`: words into morphs.

mod gold;
mod input;
pub(crate) mod models;
mod rows;
mod run;
mod score;
mod train;

use crate::args::segment::{Segment, ViterbiChoices};
use crate::outcome::{Outcome, Usage};
use crate::terminal::Terminal;
use segment::{NoSplit, Viterbi};

pub(crate) fn run(what: &Segment, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Segment::Train(options) => train::run(options, terminal),
        Segment::Run(options) => run::run(options, terminal),
        Segment::Score(options) => score::run(options, terminal),
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
