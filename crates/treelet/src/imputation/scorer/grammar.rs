//! A grammar of `treelet induce dmv` as a model that completes sentences.

use super::TagChoice;
use crate::models;
use crate::options::impute::TagColumn;
use impute::{Completed, Fragment, GpcModel};
use induce::dmv::model::{DmvModel, is_punctuation};
use std::collections::BTreeMap;
use std::path::Path;
use tree::Text;

/// The grammar, laid over sentences as that of GPC is.
pub(crate) struct InducedGrammar {
    model: GpcModel,
    /// The column of its tags.
    pub(super) tags: TagChoice,
    /// Whether it does not see punctuation.
    punctuation: bool,
    /// How it came about.
    pub(super) notes: BTreeMap<String, String>,
}

impl InducedGrammar {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let read = DmvModel::read(path).map_err(models::file_error)?;
        let names: Vec<Text> = read.tags.names().iter().map(|name| Text::from(name.as_str())).collect();
        let model = GpcModel::of_grammar(&names, read.valence, &read.smoothed());
        let tags = TagChoice(if read.fine_tags { TagColumn::Xpos } else { TagColumn::Upos });
        Ok(Self { model, tags, punctuation: read.punctuation, notes: read.notes })
    }

    /// The tree with the most probable arcs, as `treelet parse` finds it where nothing was said. A punctuation mark of which
    /// something was said is a word with an unknown tag.
    pub(super) fn complete(&self, fragment: &Fragment) -> Completed {
        let mut marks = Vec::new();
        if self.punctuation {
            marks.extend((1..=fragment.len()).filter(|&word| is_punctuation(&fragment.tags[word - 1])));
            marks.retain(|&word| is_untouched(fragment, word));
        }
        // Marks alone are words.
        if marks.len() == fragment.len() {
            marks.clear();
        }
        self.model.complete_without(fragment, &marks)
    }
}

/// Whether a word may have any head, and is in no block.
fn is_untouched(fragment: &Fragment, word: usize) -> bool {
    let whole = fragment.possible.whole();
    let is_in_block = whole.brackets().iter().any(|bracket| bracket.words.contains(&word));
    let mut heads = (0..=fragment.len()).filter(|&head| head != word);
    !is_in_block && heads.all(|head| whole.allows_arc(head, word))
}
