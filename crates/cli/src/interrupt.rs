//! Ctrl-C: the first one asks to stop, the second one stops.

use crate::terminal::Terminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Programs that start others often send a signal twice, to the process and to its group; that is one wish.
const ECHO: Duration = Duration::from_millis(500);

/// What shells report for a program that was ended by Ctrl-C.
const KILLED: i32 = 130;

/// A flag that is set when somebody wants the program to end (Ctrl-C, or the signal to terminate).
///
/// `promise` says what happens then.
pub(crate) fn flag(promise: &'static str, terminal: &Terminal) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let (shared, quiet) = (Arc::clone(&flag), terminal.quiet);
    let mut first: Option<Instant> = None;
    let installed = ctrlc::set_handler(move || match first {
        Some(first) if first.elapsed() < ECHO => {}
        Some(_) => std::process::exit(KILLED),
        None => {
            first = Some(Instant::now());
            shared.store(true, Ordering::Relaxed);
            if !quiet {
                crate::terminal::stderr(&format!("\n{promise}; press Ctrl-C again to stop at once"));
            }
        }
    });
    if installed.is_err() {
        terminal.note("note: Ctrl-C cannot be caught here and ends the program at once");
    }
    flag
}
