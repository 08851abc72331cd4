//! A watch for work within work, whose notes and progress are nobody's concern.

use super::progress::Unseen;
use super::{Bar, FileProblems, Message, Troubled, Watch, Work};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Passes on all but notes and progress.
pub(crate) struct Silenced<'a>(pub(crate) &'a dyn Watch);

impl Watch for Silenced<'_> {
    fn tell(&self, message: Message<'_>) {
        if !matches!(message, Message::Note(_)) {
            self.0.tell(message);
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.write(bytes)
    }

    fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()> {
        self.0.problems(found)
    }

    fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()> {
        self.0.troubles(found)
    }

    fn begin(&self, _: &Work<'_>) -> Box<dyn Bar> {
        Box::new(Unseen)
    }

    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
        self.0.stop_flag(promise)
    }

    fn is_given(&self, option: &str) -> bool {
        self.0.is_given(option)
    }
}
