//! CPU time of this process, which a busy machine disturbs less than the clock on the wall.

use std::time::Instant;

/// Runs `work` and returns its result and the CPU seconds it took.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    timed(process_seconds, work)
}

fn timed<T>(clock: fn() -> Option<f64>, work: impl FnOnce() -> T) -> (T, f64) {
    let (cpu, wall) = (clock(), Instant::now());
    let result = work();
    let elapsed = match (cpu, clock()) {
        (Some(before), Some(after)) => after - before,
        _ => wall.elapsed().as_secs_f64(),
    };
    (result, elapsed)
}

/// The fewest CPU seconds of several runs.
pub(crate) fn best_of<T>(repeat: usize, mut work: impl FnMut() -> T) -> f64 {
    (0..repeat.max(1)).map(|_| seconds(&mut work).1).fold(f64::INFINITY, f64::min)
}

/// Runs `work` and returns its result and the CPU seconds it took, threads that it started and ended included; by a clock of
/// 10 ms.
pub(crate) fn whole<T>(work: impl FnOnce() -> T) -> (T, f64) {
    timed(all_seconds, work)
}

/// Seconds on the CPU of this process since it began; `None` elsewhere than on Linux.
fn all_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may have blanks: user and system time are the 12th and 13th fields, in hundredths.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// Nanoseconds on the CPU of all threads that live, as the Linux scheduler counts them; `None` elsewhere.
///
/// Threads that ended in between are not counted, so pools must outlive what is measured.
fn process_seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}
