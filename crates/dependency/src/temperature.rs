//! How sure the scores are.

use chain::Workers;
use num::golden_section::golden_section;

use super::scorer::Scorer;
use super::second_order::SecondOrderScratch;
use super::tried::Tried;

/// What the temperature is if there is nothing to fit it on: weights that were learned from few sentences are too sure.
pub(super) const DEFAULT: f64 = 1.5;
/// It is fitted on no fewer heads.
const FEWEST: usize = 20;

/// The temperature under which known heads are most probable, one by one; `None` if there are too few of them.
pub(super) fn fit(scorer: &Scorer<'_>, dev: &[Tried], workers: &Workers) -> Option<f64> {
    let n_known: usize = dev.iter().map(|tried| tried.heads.iter().flatten().count()).sum();
    if n_known < FEWEST {
        return None;
    }
    let likelihood = |ln_t: f64| {
        let scorer = Scorer { temperature: libm::exp(ln_t), ..*scorer };
        let sums = workers.map_with(dev, SecondOrderScratch::default, |scratch, _, tried| {
            let belief = scorer.believe(&tried.words, None, scratch);
            let width = tried.words.n_words() + 1;
            let probability = |word: usize, head: usize| match &belief {
                Some(belief) if head < width => belief.arcs[(word - 1) * width + head],
                _ => 0.0,
            };
            let known = tried.heads.iter().enumerate().filter_map(|(at, head)| Some((at + 1, (*head)?)));
            // An arc that was pruned counts as very improbable at any temperature.
            known.map(|(word, head)| libm::log(probability(word, head).max(1e-4))).sum::<f64>()
        });
        Some(sums.into_iter().sum::<f64>())
    };
    golden_section(likelihood, libm::log(0.3), libm::log(30.0), 0.05).map(libm::exp)
}
