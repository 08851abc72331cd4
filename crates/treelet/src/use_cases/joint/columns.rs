//! Which columns a model predicts and sees.

use crate::options::joint::Given;
use serde::{Deserialize, Serialize};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

/// Where tags stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Column {
    Upos,
    Xpos,
    /// An attribute of FEATS.
    Attribute(Text),
}

impl Column {
    pub(crate) fn from_name(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "upos" => Column::Upos,
            "xpos" => Column::Xpos,
            _ => Column::Attribute(name.into()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Column::Upos => "UPOS",
            Column::Xpos => "XPOS",
            Column::Attribute(name) => name,
        }
    }

    /// The tag of a word. A word without the attribute has the tag `_` if any word of its sentence has features; in a
    /// sentence without any, nothing is known.
    pub(crate) fn of(&self, token: &Token, has_features: bool) -> Option<Text> {
        let stated = |text: &Text| (*text != UNSPECIFIED).then(|| text.clone());
        match self {
            Column::Upos => stated(&token.upos),
            Column::Xpos => stated(&token.xpos),
            Column::Attribute(name) => {
                let value =
                    token.features().find(|(attribute, _)| attribute == name).map(|(_, value)| value.into());
                value.or_else(|| has_features.then_some(UNSPECIFIED))
            }
        }
    }

    /// Gives a word a tag.
    pub(crate) fn set(&self, token: &mut Token, tag: &Text) {
        match self {
            Column::Upos => token.upos = tag.clone(),
            Column::Xpos => token.xpos = tag.clone(),
            Column::Attribute(name) => {
                let mut features: Vec<String> = token
                    .features()
                    .filter(|(attribute, _)| attribute != name)
                    .map(|(attribute, value)| format!("{attribute}={value}"))
                    .collect();
                if *tag != UNSPECIFIED {
                    features.push(format!("{name}={tag}"));
                    features.sort_by_key(|feature| feature.to_lowercase());
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
pub(crate) fn given(asked: Option<Given>, predicted: Option<&Column>) -> Option<Column> {
    match (asked, predicted) {
        (Some(Given::Upos), _) => Some(Column::Upos),
        (Some(Given::Xpos), _) => Some(Column::Xpos),
        (Some(Given::None), _) | (None, Some(Column::Upos | Column::Xpos)) => None,
        (None, _) => Some(Column::Upos),
    }
}

/// A sentence as models see it.
pub(crate) fn seen(
    sentence: &Sentence,
    tags: Option<&Column>,
    given: Option<&Column>,
    heads: bool,
) -> joint::Sentence {
    let has_features = has_features(sentence);
    let class = |token: &Token, column: &Column| column.of(token, has_features).unwrap_or(UNSPECIFIED);
    joint::Sentence {
        forms: sentence.words().map(|token| token.form.clone()).collect(),
        classes: given
            .map_or_else(Vec::new, |column| sentence.words().map(|token| class(token, column)).collect()),
        tags: tags.map_or_else(Vec::new, |column| {
            sentence.words().map(|token| column.of(token, has_features)).collect()
        }),
        heads: if heads { sentence.partial_heads() } else { Vec::new() },
    }
}
