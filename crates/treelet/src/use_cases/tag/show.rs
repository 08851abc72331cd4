//! A tagger in figures that people can read.

use super::model::TaggerModel;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::Path;
use tag::Choice;
use tree::PutInOrder;

/// What a tagger has learnt.
#[derive(Debug, Clone, Serialize)]
pub struct ShownTagger {
    /// Its tags.
    pub tags: Vec<ShownTag>,
    /// How many features it has.
    pub features: usize,
    /// How many words are in its dictionary.
    pub dictionary: usize,
    /// How it was made.
    pub notes: BTreeMap<String, String>,
}

/// A tag, how many words of the dictionary have it, and what its pairs with other tags weigh.
#[derive(Debug, Clone, Serialize)]
pub struct ShownTag {
    /// The tag.
    pub tag: String,
    /// Words of the dictionary that have it.
    pub words: usize,
    /// Tags that may follow it and what they weigh, the heaviest first; an object in JSON.
    #[serde(serialize_with = "as_object")]
    pub followers: Vec<(String, f32)>,
}

impl ShownTagger {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let model = TaggerModel::read(path)?;
        Ok(Self {
            tags: (0..model.tags().len() as u32).map(|tag| ShownTag::new(&model, tag)).collect(),
            features: model.tagger.n_features(),
            dictionary: model.dictionary.len(),
            notes: model.notes,
        })
    }
}

impl ShownTag {
    fn new(model: &TaggerModel, tag: u32) -> Self {
        let has = |choice: &&Choice| matches!(choice, Choice::Among(tags) if tags.contains(&tag));
        let names = model.tags().names().map(ToString::to_string);
        let mut followers: Vec<(String, f32)> = names.zip(model.tagger.followers(tag)).collect();
        followers.order_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Self {
            tag: model.tags().name(tag).to_string(),
            words: model.dictionary.values().filter(has).count(),
            followers,
        }
    }
}

fn as_object<S: Serializer>(followers: &[(String, f32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(followers.iter().map(|(tag, weight)| (tag, weight)))
}
