//! What a checkpoint holds.

use num::confidence::Confidence;
use serde::{Deserialize, Serialize};

use super::course::Course;
use super::progress::LearnError;
use super::table::Table;

/// The kind of checkpoints.
pub const CHECKPOINT: &str = "checkpoint/dependency";
const VERSION: u32 = 3;

/// What training has reached.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct TrainingState {
    /// Data and settings, in one number.
    pub(super) fingerprint: u64,
    pub(super) rehearsed: Option<Rehearsed>,
    /// Tables of the stages that are finished, with the number of epochs each took.
    pub(super) finished: Vec<(Table, u32)>,
    /// The stage that is not finished.
    pub(super) running: Option<Course>,
    /// The best accuracy so far in this stage, after which epoch it was reached, and the weights.
    pub(super) best: Option<(f64, u32, Table)>,
}

/// What the rehearsal found.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Rehearsed {
    pub(super) arcs: u32,
    pub(super) second: u32,
    pub(super) temperature: f64,
    /// What corrects probabilities of relations.
    pub(super) relations: Option<Confidence>,
}

impl TrainingState {
    /// A checkpoint in the middle of a stage.
    pub(super) fn encode(&self, course: &Course) -> Vec<u8> {
        let state = TrainingState { running: Some(course.clone()), ..self.clone() };
        let header = chain::container::Header {
            kind: CHECKPOINT.to_owned(),
            version: VERSION,
            notes: std::collections::BTreeMap::new(),
        };
        // Everything in it can be written, so that there is nothing to go wrong; an empty checkpoint would be refused.
        chain::container::encode(&header, &state).unwrap_or_default()
    }

    /// Reads a checkpoint of a training with this fingerprint.
    pub(super) fn decode(checkpoint: &[u8], fingerprint: u64) -> Result<TrainingState, LearnError> {
        let (_, state): (_, TrainingState) = chain::container::decode(checkpoint, CHECKPOINT, VERSION)
            .map_err(|_| LearnError::Checkpoint("its bytes are damaged or of another version"))?;
        if state.fingerprint != fingerprint {
            return Err(LearnError::Checkpoint(
                "it was made with other data or settings; begin anew without it",
            ));
        }
        Ok(state)
    }
}
