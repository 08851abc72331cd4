//! Ctrl-C: the first one asks to stop, the second one stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Programs that start others often send a signal twice, to the process and to its group; that is one wish.
const ECHO: Duration = Duration::from_millis(500);

/// What shells report for a program that was ended by Ctrl-C.
const KILLED: i32 = 130;

/// A flag that is set when somebody wants the program to end (Ctrl-C, or the signal to terminate), for all work that asks.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    flag: OnceLock<Arc<AtomicBool>>,
    promise: Arc<Mutex<&'static str>>,
}

impl Interrupt {
    /// The flag; `promise` says what happens from now on when it is set. A note if it never will be.
    pub(crate) fn flag(
        &self,
        promise: &'static str,
        quiet: bool,
        note: impl FnOnce(&str),
    ) -> Arc<AtomicBool> {
        if let Ok(mut current) = self.promise.lock() {
            *current = promise;
        }
        let mut can_be_caught = true;
        let flag = self.flag.get_or_init(|| {
            let flag = Arc::default();
            can_be_caught = catch(Arc::clone(&flag), Arc::clone(&self.promise), quiet);
            flag
        });
        if !can_be_caught {
            note("note: Ctrl-C cannot be caught here and ends the program at once");
        }
        Arc::clone(flag)
    }
}

fn catch(flag: Arc<AtomicBool>, promise: Arc<Mutex<&'static str>>, quiet: bool) -> bool {
    let mut first: Option<Instant> = None;
    let installed = ctrlc::set_handler(move || match first {
        Some(first) if first.elapsed() < ECHO => {}
        Some(_) => std::process::exit(KILLED),
        None => {
            first = Some(Instant::now());
            flag.store(true, Ordering::Relaxed);
            if !quiet {
                let promise = promise.lock().map_or("stopping", |promise| *promise);
                crate::terminal::stderr(&format!("\n{promise}; press Ctrl-C again to stop at once"));
            }
        }
    });
    installed.is_ok()
}
