//! Models are learned anew in the background, never in the way.

use crate::serve::Shared;
use crate::stream::Told;
use serde_json::json;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use treelet::Watch;
use treelet::watch::{Bar, FileProblems, Message, Troubled, Unwatched, Work};

/// So many sentences are handed in before a new model is learned.
const EVERY: usize = 3;
/// Progress is told so often.
const PAUSE: Duration = Duration::from_millis(200);

/// Learns a new model unless one is being learned, and says whether it began.
pub(crate) fn train(shared: &Shared) -> bool {
    if shared.training.swap(true, Ordering::SeqCst) {
        return false;
    }
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || {
        let watch = Teller { shared: shared.clone() };
        let learned = shared.desk.train(now(), &watch);
        shared.training.store(false, Ordering::SeqCst);
        let data = match &learned {
            Ok(Some(learned)) => Some(json!(learned)),
            Ok(None) => None,
            Err(fault) => Some(json!({"error": fault.to_string()})),
        };
        if let Some(data) = data {
            let _ = shared.told.send(Told { name: "trained", data, to: None });
        }
        // Somebody may have chosen another model meanwhile.
        if learned.is_ok() {
            train_if_wanted(&shared);
        }
    });
    true
}

/// Learns if another model was chosen than the one that suggests.
pub(crate) fn train_if_wanted(shared: &Shared) {
    if shared.desk.wants_training().unwrap_or(false) {
        train(shared);
    }
}

/// Another sentence was handed in.
pub(crate) fn handed_in(shared: &Shared) {
    if (shared.handed_in.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(EVERY) {
        train(shared);
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// Tells windows how far learning is.
struct Teller {
    shared: Shared,
}

impl Watch for Teller {
    fn tell(&self, _: Message<'_>) {}

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        Unwatched.write(bytes)
    }

    fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()> {
        Unwatched.problems(found)
    }

    fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()> {
        Unwatched.troubles(found)
    }

    fn begin(&self, work: &Work<'_>) -> Box<dyn Bar> {
        let last = Mutex::new(Instant::now());
        Box::new(ToldBar {
            shared: self.shared.clone(),
            what: work.what.to_string(),
            total: work.total,
            last,
        })
    }

    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
        Unwatched.stop_flag(promise)
    }

    fn is_given(&self, _: &str) -> bool {
        false
    }
}

struct ToldBar {
    shared: Shared,
    what: String,
    total: Option<u64>,
    last: Mutex<Instant>,
}

impl Bar for ToldBar {
    fn reach(&self, position: u64, _: &dyn Fn() -> String) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.elapsed() < PAUSE {
            return;
        }
        *last = Instant::now();
        let data = json!({"what": self.what, "done": position, "total": self.total});
        let _ = self.shared.told.send(Told { name: "progress", data, to: None });
    }

    fn step(&self) {}
}
