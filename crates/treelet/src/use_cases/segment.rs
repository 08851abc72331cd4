//! Words into morphs.

mod gold;
mod input;
pub mod models;
mod rows;
mod run;
mod score;
mod train;

pub use run::{CutWords, segment};
pub use score::{Boundaries, SegmentScores, score_segments};
pub use train::{TrainedSegmenter, train_segmenter};

use crate::options::segment::ViterbiChoices;
use crate::outcome::Usage;
use ::segment::{NoSplit, Viterbi};

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
