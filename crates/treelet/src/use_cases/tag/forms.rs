//! Words in one way of writing.

use crate::table::plural;
use crate::watch::Watch;
use formats::nfc::nfc;
use std::borrow::Cow;
use tree::{Sentence, Text};

/// Brings words to Unicode's normal form C and counts those that were not in it.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    n_changed: usize,
    example: Option<Text>,
}

impl Forms {
    /// The words of a sentence.
    pub(crate) fn of(&mut self, sentence: &Sentence) -> Vec<Text> {
        sentence.words().map(|token| self.word(&token.form)).collect()
    }

    fn word(&mut self, form: &Text) -> Text {
        match nfc(form) {
            Cow::Borrowed(_) => form.clone(),
            Cow::Owned(normal) => {
                self.n_changed += 1;
                self.example.get_or_insert_with(|| Text::from(&normal));
                Text::from(normal)
            }
        }
    }

    /// Says how many words were changed.
    pub(super) fn note(&self, watch: &dyn Watch) {
        if let Some(example) = &self.example {
            watch.note(&format!(
                "note: {}, such as `{example}`, not in Unicode's normal form C, read as if they were",
                plural(self.n_changed, "word")
            ));
        }
    }
}
