//! What an annotator does with a sentence.
//!
//! An [`Event`] is what happened: she opened the sentence, changed something, took it back, went on to the next. Events are only ever
//! added. What stands there after them is folded from them by a [`History`]: an [`Analysis`], which is everything that was said of the
//! sentence, and how far the work has come. Nothing here stores, draws or serves anything.
//!
//! ```
//! use annotation::{Change, Event, History, Happening, WordOrBlock};
//!
//! let mut history = History::new(["the", "dog", "sleeps"].map(Into::into).to_vec());
//! let change: Change = serde_json::from_str(r#"{"head": {"of": 1, "to": 2}}"#)?;
//! let edit = Happening::Edit { via: annotation::Via::Key, changes: vec![change] };
//! history.push(&Event { n: 1, at: 0, kind: edit }).unwrap();
//! assert_eq!(history.analysis().head(WordOrBlock::Word(1)), Some(WordOrBlock::Word(2).into()));
//!
//! history.push(&Event { n: 2, at: 900, kind: Happening::Undo }).unwrap();
//! assert_eq!(history.analysis().head(WordOrBlock::Word(1)), None);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod analysis;
mod block;
mod by_hand;
mod change;
mod event;
mod fragment;
mod history;
mod refusal;
mod unit;

pub use analysis::{Analysis, Comment, On, Typed};
pub use block::{BlockKind, WordBlock};
pub use by_hand::{ByHand, Decided};
pub use change::{Attach, Change, Shape, Suggested};
pub use event::{Event, Happening, Via};
pub use history::{History, Work, WorkStretch};
pub use refusal::Refusal;
pub use unit::{Attached, WordOrBlock, WrittenHead};
