//! CPU time of this process, which a busy machine disturbs less than the clock on the wall.

use std::time::Instant;

/// Runs `work` and returns its result and the CPU seconds it took.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (cpu, wall) = (process_seconds(), Instant::now());
    let result = work();
    let elapsed = match (cpu, process_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => wall.elapsed().as_secs_f64(),
    };
    (result, elapsed)
}

/// The fewest CPU seconds of several runs.
pub(crate) fn best_of<T>(repeat: usize, mut work: impl FnMut() -> T) -> f64 {
    (0..repeat.max(1)).map(|_| seconds(&mut work).1).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds on the CPU as the Linux scheduler counts them; `None` elsewhere.
fn process_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}
