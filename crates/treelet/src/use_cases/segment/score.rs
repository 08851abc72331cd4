//! Boundaries between morphs, compared with gold ones.

use super::gold::{self, Analyses};
use crate::options::segment::SegmentScore;
use crate::outcome::Done;
use crate::source::only_one_stdin;
use crate::table::plural;
use crate::watch::Watch;
use ::score::segments::{BoundaryReport, boundaries};
use serde::Serialize;

/// How right the boundaries between morphs are, in shares of 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentScores {
    /// Words of gold.
    pub words: usize,
    /// Words that the system does not have; they count as if left whole.
    pub missing: usize,
    /// How many boundaries there are.
    pub boundaries: Boundaries,
    /// The share of the boundaries found that are in gold.
    pub precision: f64,
    /// The share of gold boundaries that were found.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
    /// Mean precision of the words.
    pub macro_precision: f64,
    /// Mean recall of the words.
    pub macro_recall: f64,
    /// Harmonic mean of the two means.
    pub macro_f1: f64,
    /// The share of words with all boundaries right.
    pub exact: f64,
}

/// Numbers of boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Boundaries {
    /// In gold.
    pub gold: usize,
    /// In the system's output.
    pub system: usize,
    /// In both.
    pub matched: usize,
}

/// Compares boundaries between morphs with gold ones.
pub fn score_segments(options: &SegmentScore, watch: &dyn Watch) -> anyhow::Result<Done<SegmentScores>> {
    only_one_stdin([&options.standard.gold, &options.system])?;
    let (gold, bad_gold) = gold::read(&options.standard.gold, options.encoding, &options.messages, watch)?;
    let (system, bad_system) = gold::read(&options.system, options.encoding, &options.messages, watch)?;
    let (report, n_missing) = compare(&gold, &system);
    if n_missing > 0 {
        let words = plural(n_missing, "word");
        let name = options.system.display();
        watch.note(&format!("note: {words} of gold not in {name}; counted as if left whole"));
    }
    Ok(Done { result: SegmentScores::new(&report, n_missing), has_problems: bad_gold || bad_system })
}

/// Compares each word of gold with the first analysis of the system; of several gold ones the nearest counts.
fn compare(gold: &Analyses, system: &Analyses) -> (BoundaryReport, usize) {
    let mut report = BoundaryReport::default();
    let mut n_missing = 0;
    for (word, alternatives) in gold {
        let found = system.get(word).and_then(|analyses| analyses.first());
        n_missing += usize::from(found.is_none());
        let found = found.map_or_else(Vec::new, |morphs| boundaries(morphs));
        report.add_nearest(alternatives.iter().map(|morphs| boundaries(morphs)), &found);
    }
    (report, n_missing)
}

impl SegmentScores {
    fn new(report: &BoundaryReport, missing: usize) -> Self {
        let micro = report.micro;
        Self {
            words: report.words.len(),
            missing,
            boundaries: Boundaries { gold: micro.gold, system: micro.system, matched: micro.matched },
            precision: micro.precision(),
            recall: micro.recall(),
            f1: micro.f1(),
            macro_precision: report.macro_precision(),
            macro_recall: report.macro_recall(),
            macro_f1: report.macro_f1(),
            exact: report.exact_match(),
        }
    }
}
