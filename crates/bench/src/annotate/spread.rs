//! Figures of many.

use chain::diagnose::quantile;

/// `p50 1.2  p95 3.4  p99 5.6  most 7.8 ms` of milliseconds.
pub(super) fn percentiles(milliseconds: &[f64]) -> String {
    let at = |share: f64| quantile(milliseconds, share);
    format!("p50 {:6.1}  p95 {:6.1}  p99 {:6.1}  most {:6.1} ms", at(0.5), at(0.95), at(0.99), at(1.0))
}
