//! What happened.

use crate::Change;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something an annotator did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its number in the window it was done in; with the window's own name it is known for ever.
    pub n: u64,
    /// When, in milliseconds since 1970, by her clock.
    pub at: i64,
    /// What it was.
    #[serde(flatten)]
    pub kind: Happening,
}

/// What an [`Event`] is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Happening {
    /// The sentence came on the screen.
    Open,
    /// It left the screen.
    Close,
    /// She rests.
    Pause,
    /// She goes on.
    Resume,
    /// Nothing was done for some time before this.
    Idle {
        /// How long.
        seconds: f64,
    },
    /// She is at one of the four stages of the procedure of Mielens (2016, 5.3.1).
    Stage {
        /// 1 main words, 2 constituents, 3 main dependencies, 4 details.
        stage: u8,
    },
    /// Changes that are one step for undo.
    Edit {
        /// By what means.
        via: Via,
        /// What changes, in this order.
        changes: Vec<Change>,
    },
    /// The last step is taken back.
    Undo,
    /// The last step that was taken back is done again.
    Redo,
    /// What the machine had suggested when she decided: words, and how probable their heads were.
    Shown {
        /// Probabilities by words.
        p: BTreeMap<String, f64>,
    },
    /// A suggestion was turned down.
    Refused {
        /// The word.
        word: u32,
        /// The head it was not to have.
        head: u32,
    },
    /// Done with the sentence.
    Submit,
    /// Not done, and not to be.
    Skip,
    /// Taken up again.
    Reopen,
}

/// By what means something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// The mouse.
    Mouse,
    /// A finger.
    Touch,
    /// The keyboard.
    Key,
    /// GFL as text.
    Text,
    /// A suggestion was accepted.
    Suggestion,
    /// A question was answered.
    Question,
    /// A question was answered in a table, outside of the program.
    Table,
    /// A step of a replay was taken over.
    Replay,
    /// It stood in a file that was imported, or is what nobody disputes.
    Import,
    /// Most of those who annotated it said so.
    Majority,
    /// The model of Dawid & Skene, of who is right about what, says that they said so.
    #[serde(rename = "dawid-skene")]
    DawidSkene,
}

impl Via {
    /// Whether it was decided by somebody there and then, and not read from what was said before.
    pub fn is_by_hand(self) -> bool {
        !matches!(self, Self::Import | Self::Majority | Self::DawidSkene)
    }
}

impl Happening {
    /// Whether it changes what stands there, so that another window must hear of it.
    pub fn is_change(&self) -> bool {
        matches!(
            self,
            Self::Edit { .. }
                | Self::Undo
                | Self::Redo
                | Self::Stage { .. }
                | Self::Submit
                | Self::Skip
                | Self::Reopen
        )
    }
}
