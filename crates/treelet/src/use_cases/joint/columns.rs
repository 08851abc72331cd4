//! Which columns a model predicts and sees.

use crate::options::joint::GivenTags;
use serde::{Deserialize, Serialize};
use tree::PutInOrder;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

/// Where tags stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TagPlace {
    Upos,
    Xpos,
    /// An attribute of FEATS.
    Attribute(Text),
}

impl TagPlace {
    pub(crate) fn from_name(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "upos" => TagPlace::Upos,
            "xpos" => TagPlace::Xpos,
            _ => TagPlace::Attribute(name.into()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            TagPlace::Upos => "UPOS",
            TagPlace::Xpos => "XPOS",
            TagPlace::Attribute(name) => name,
        }
    }

    /// The tag of a word. A word without the attribute has the tag `_` if any word of its sentence has features; in a
    /// sentence without any, nothing is known.
    pub(crate) fn of(&self, token: &Token, has_features: bool) -> Option<Text> {
        let stated = |text: &Text| (*text != UNSPECIFIED).then(|| text.clone());
        match self {
            TagPlace::Upos => stated(&token.upos),
            TagPlace::Xpos => stated(&token.xpos),
            TagPlace::Attribute(name) => {
                let value =
                    token.features().find(|(attribute, _)| attribute == name).map(|(_, value)| value.into());
                value.or_else(|| has_features.then_some(UNSPECIFIED))
            }
        }
    }

    /// Gives a word a tag.
    pub(crate) fn set(&self, token: &mut Token, tag: &Text) {
        match self {
            TagPlace::Upos => token.upos = tag.clone(),
            TagPlace::Xpos => token.xpos = tag.clone(),
            TagPlace::Attribute(name) => {
                let mut features: Vec<String> = token
                    .features()
                    .filter(|(attribute, _)| attribute != name)
                    .map(|(attribute, value)| format!("{attribute}={value}"))
                    .collect();
                if *tag != UNSPECIFIED {
                    features.push(format!("{name}={tag}"));
                    features.order_by_key(|feature| feature.to_lowercase());
                }
                token.feats = if features.is_empty() { UNSPECIFIED } else { features.join("|").into() };
            }
        }
    }
}

/// Whether any word has features.
pub(crate) fn has_features(sentence: &Sentence) -> bool {
    sentence.words().any(|token| token.feats != UNSPECIFIED)
}

/// What is always seen of words.
pub(crate) fn given(asked: Option<GivenTags>, predicted: Option<&TagPlace>) -> Option<TagPlace> {
    match (asked, predicted) {
        (Some(GivenTags::Upos), _) => Some(TagPlace::Upos),
        (Some(GivenTags::Xpos), _) => Some(TagPlace::Xpos),
        (Some(GivenTags::None), _) | (None, Some(TagPlace::Upos | TagPlace::Xpos)) => None,
        (None, _) => Some(TagPlace::Upos),
    }
}

/// A sentence as models see it.
pub(crate) fn seen(
    sentence: &Sentence,
    tags: Option<&TagPlace>,
    given: Option<&TagPlace>,
    heads: bool,
) -> joint::Sentence {
    let has_features = has_features(sentence);
    let class = |token: &Token, column: &TagPlace| column.of(token, has_features).unwrap_or(UNSPECIFIED);
    joint::Sentence {
        forms: sentence.words().map(|token| token.form.clone()).collect(),
        classes: given
            .map_or_else(Vec::new, |column| sentence.words().map(|token| class(token, column)).collect()),
        tags: tags.map_or_else(Vec::new, |column| {
            sentence.words().map(|token| column.of(token, has_features)).collect()
        }),
        heads: if heads { sentence.partial_heads() } else { Vec::new() },
        ..joint::Sentence::default()
    }
}
