//! A model as a file.

use crate::model::Model;
use chain::container::{self, Header, Problem};
use std::collections::BTreeMap;
use std::path::Path;

/// The kind of model files.
pub const KIND: &str = "model/segmentation";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

impl Model {
    /// Writes a model in one step, with notes on how it came about.
    pub fn write(&self, path: &Path, notes: &BTreeMap<String, String>) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: notes.clone() };
        container::write(path, &header, self)
    }

    /// Whether words are cut where they can be and numbers are in their ranges; a model from elsewhere may be damaged.
    pub fn is_sound(&self) -> bool {
        let weight = self.corpus_weight;
        self.words.iter().all(|word| word.is_sound()) && weight > 0.0 && weight.is_finite()
    }

    /// Reads the bytes of a model file.
    pub fn decode(bytes: &[u8]) -> Result<(Model, BTreeMap<String, String>), Problem> {
        let (header, model): (Header, Model) = container::decode(bytes, KIND, VERSION)?;
        if !model.is_sound() {
            let reason = "a word is cut where it cannot be, or a number is out of its range".to_owned();
            return Err(Problem::Unreadable { kind: KIND.to_owned(), reason });
        }
        Ok((model, header.notes))
    }
}
