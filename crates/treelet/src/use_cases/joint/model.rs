//! The file of a joint model.

use super::columns::TagPlace;
use crate::models;
use chain::container::{self, Header};
use joint::dependency::Parser;
use joint::tagging::Tagger;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The kind of the file.
pub(crate) const KIND: &str = "model/joint";
const VERSION: u32 = 2;

/// A model with the columns that it is about.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum JointModel {
    Tagging { tags: TagPlace, given: Option<TagPlace>, tagger: Box<Tagger> },
    Dependency { given: Option<TagPlace>, parser: Box<Parser> },
}

impl JointModel {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        container::read(path, KIND, VERSION).map(|(_, model)| model).map_err(models::file_error)
    }

    pub(crate) fn write(&self, path: &Path, notes: BTreeMap<String, String>) -> Result<(), chain::Error> {
        container::write(path, &Header { kind: KIND.into(), version: VERSION, notes }, self)
    }

    /// What `treelet model info` shows.
    pub(crate) fn figures(&self) -> Map<String, Value> {
        let given = |given: &Option<TagPlace>| json!(given.as_ref().map_or("nothing", TagPlace::name));
        let pairs = match self {
            JointModel::Tagging { tags, given: seen, tagger } => vec![
                ("task", json!("tagging")),
                ("column", json!(tags.name())),
                ("given", given(seen)),
                ("mode", json!(tagger.settings().mode)),
                ("tags", json!(tagger.tags().map(|tag| tag.as_str()).collect::<Vec<_>>().join(" "))),
                ("weights", json!(tagger.n_weights())),
            ],
            JointModel::Dependency { given: seen, parser } => vec![
                ("task", json!("dependency")),
                ("given", given(seen)),
                ("order", json!(parser.settings().order)),
                ("projective", json!(parser.settings().projective)),
                ("weights", json!(parser.n_weights())),
            ],
        };
        pairs.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }
}
