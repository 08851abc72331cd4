//! What the parser has not seen in training, and how much of it there is.

use crate::dependency_parser::{DependencyParser, OwnTagger};
use crate::table::plural;
use crate::watch::Watch;
use dependency::TagColumn;
use std::collections::BTreeMap;
use tree::PutInOrder;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// So many tags are named.
const MOST_NAMED: usize = 8;

/// Counts of words that are unlike those of the training.
pub(super) struct Strange<'m> {
    parser: &'m DependencyParser,
    column: TagColumn,
    n_words: usize,
    n_without_feats: usize,
    /// Words without the tags that the parser does not go by.
    n_without_other: usize,
    tags: BTreeMap<Text, usize>,
}

impl<'m> Strange<'m> {
    pub(super) fn new(parser: &'m DependencyParser) -> Self {
        let column = parser.model.options().tags;
        Self { parser, column, n_words: 0, n_without_feats: 0, n_without_other: 0, tags: BTreeMap::new() }
    }

    pub(super) fn see(&mut self, sentence: &Sentence) {
        let known = self.parser.tagger.as_ref().map(OwnTagger::tags);
        for token in sentence.words() {
            self.n_words += 1;
            self.n_without_feats += usize::from(token.feats == UNSPECIFIED);
            self.n_without_other += usize::from(*self.column.other().of(token) == UNSPECIFIED);
            let tag = self.column.of(token);
            let is_known = known.is_none_or(|known| known.number(tag).is_some());
            if *tag != UNSPECIFIED && !is_known {
                *self.tags.entry(tag.clone()).or_default() += 1;
            }
        }
    }

    pub(super) fn warn(&self, watch: &dyn Watch) {
        let n_strange: usize = self.tags.values().sum();
        if n_strange > 0 {
            let mut tags: Vec<(&Text, &usize)> = self.tags.iter().collect();
            tags.order_by_key(|&(_, count)| std::cmp::Reverse(*count));
            let named: Vec<String> =
                tags.iter().take(MOST_NAMED).map(|(tag, count)| format!("{tag} ({count})")).collect();
            let more = if tags.len() > MOST_NAMED { ", …" } else { "" };
            watch.remark(&format!(
                "warning: {n_strange} of {} have tags that the parser was not trained with: {}{more}; give words the \
                 tags of its training, or train on yours",
                plural(self.n_words, "word"),
                named.join(", "),
            ));
        }
        let other = match self.column {
            TagColumn::Upos => "tags in XPOS",
            TagColumn::Xpos => "tags in UPOS",
        };
        let model = &self.parser.model;
        let feats = model.looks_at("feats") || model.looks_at("case");
        for (is_looked_at, n_without, what) in [
            (feats, self.n_without_feats, "morphological features (FEATS)"),
            (model.looks_at("fine"), self.n_without_other, other),
        ] {
            if is_looked_at && self.n_words > 0 && n_without == self.n_words {
                watch.remark(&format!(
                    "warning: the parser was trained with {what}, but none of {} has any; expect worse trees",
                    plural(self.n_words, "word")
                ));
            }
        }
    }
}
