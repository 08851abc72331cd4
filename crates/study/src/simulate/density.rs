//! Annotators of a wanted density.

use super::{Gold, OmissionModel, Plan};
use crate::Error;
use crate::error::share;
use chain::Stream;

/// A model that keeps about the wanted share of the arcs of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct AtDensity {
    /// The model with the rates that were found.
    pub model: OmissionModel,
    /// Heads it keeps with the same stream.
    pub n_kept: usize,
    /// Heads of the corpus, roots included.
    pub n_arcs: usize,
}

impl AtDensity {
    /// The share of heads kept.
    pub fn share(&self) -> f64 {
        self.n_kept as f64 / self.n_arcs as f64
    }
}

/// Makes an annotator more or less thorough until `wanted`, a share of the heads of the corpus, is kept.
///
/// All rates of the model move together towards 0 or 1 and keep their order; level pruning keeps its step
/// and moves the first rate. With the random numbers held fixed, the number of heads kept falls as rates
/// rise, and bisection runs until the rates are neighbouring numbers. Of the two sides the nearer one is
/// taken: no other rates on the way come closer. Noun-seekers cannot keep more than noun phrases, and
/// clearing takes whole phrases at once; [`AtDensity::share`] tells what was reached.
/// Call [`degrade_all`](super::degrade_all) with the same stream to get those very annotations.
pub fn at_density(
    corpus: &[Gold],
    model: &OmissionModel,
    wanted: f64,
    stream: Stream,
) -> Result<AtDensity, Error> {
    model.check()?;
    share("the wanted density", wanted)?;
    let n_arcs: usize = corpus.iter().map(|gold| gold.heads.len()).sum();
    if n_arcs == 0 {
        return Err(Error::Nothing { what: "words in the corpus" });
    }
    let plans: Vec<Plan> =
        corpus.iter().enumerate().map(|(index, gold)| Plan::new(gold, stream.item(index))).collect();
    let max_depth = plans.iter().flat_map(|plan| plan.depths.iter().copied()).max().unwrap_or(1);
    let at = |x: f64| {
        let model = model.turned(x, max_depth);
        let n_kept = plans.iter().map(|plan| n_kept(plan, &model)).sum();
        AtDensity { model, n_kept, n_arcs }
    };
    Ok(bisect(at, wanted * n_arcs as f64))
}

fn n_kept(plan: &Plan, model: &OmissionModel) -> usize {
    plan.decide(model).0.into_iter().filter(|&kept| kept).count()
}

/// The nearest to `wanted` on the way from x = −1, where most is kept, to x = 1.
fn bisect(at: impl Fn(f64) -> AtDensity, wanted: f64) -> AtDensity {
    let (mut low, mut high) = (-1.0, 1.0);
    let (mut more, mut fewer) = (at(low), at(high));
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || more.n_kept as f64 <= wanted || fewer.n_kept as f64 >= wanted {
            break;
        }
        let between = at(middle);
        if between.n_kept as f64 >= wanted {
            (low, more) = (middle, between);
        } else {
            (high, fewer) = (middle, between);
        }
    }
    let distance = |found: &AtDensity| (found.n_kept as f64 - wanted).abs();
    if distance(&more) <= distance(&fewer) { more } else { fewer }
}
