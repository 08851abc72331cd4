//! Whether the first system differs from the others by more than chance.

use super::Scored;
use crate::options;
use crate::outcome::Usage;
use ::score::Counts;
use ::score::significance::{Options, paired_bootstrap, randomisation};
use serde::Serialize;

/// Two tests of one pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// The figure that is compared.
    pub figure: &'static str,
    /// The first system.
    pub first: String,
    /// The other one.
    pub second: String,
    /// By how much the first is better, in points.
    pub difference: f64,
    /// The chance of such a difference between equals, by the paired bootstrap; two-sided.
    pub p_bootstrap: f64,
    /// The same by randomisation.
    pub p_randomisation: f64,
    /// Resamplings.
    pub samples: usize,
    /// The seed of the randomness.
    pub seed: u64,
}

pub(super) fn compare(systems: &[Scored], options: &options::Score) -> anyhow::Result<Vec<Test>> {
    let [first, others @ ..] = systems else { return Ok(Vec::new()) };
    if others.is_empty() {
        return Err(Usage("--significance compares systems; name two or more".into()).into());
    }
    let settings = Options { resamples: options.samples as usize, seed: options.seed };
    let counts = &first.by_sentence.counts;
    let f1 = |counts: Counts| 100.0 * counts.f1();
    let test = |other: &Scored| -> anyhow::Result<Test> {
        let bootstrap = paired_bootstrap(counts, &other.by_sentence.counts, f1, settings)?;
        let randomisation = randomisation(counts, &other.by_sentence.counts, f1, settings)?;
        Ok(Test {
            figure: first.by_sentence.figure,
            first: first.name.clone(),
            second: other.name.clone(),
            difference: bootstrap.difference(),
            p_bootstrap: bootstrap.p,
            p_randomisation: randomisation.p,
            samples: bootstrap.options.resamples,
            seed: bootstrap.options.seed,
        })
    };
    others.iter().map(test).collect()
}
