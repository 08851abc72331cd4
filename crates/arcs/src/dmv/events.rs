//! How often each event is expected over all trees of a sentence.

use forest::Scaled;
use tree::Side;

use super::{DmvChart, DmvSentence, DmvShape, Laid, RootWeights};

impl DmvChart {
    /// Adds `share` times the expected number of each event. `laid` must be what the chart was filled with.
    ///
    /// Arcs say it all: a head that takes its nearest dependent on a side has one there, and stops in that state once,
    /// so that with near(h, side) = Σ_d P(h takes d first on that side)
    ///
    /// ```text
    /// go(none yet) = near    go(has) = Σ_d P(h takes d later)    stop(has) = near    stop(none) = 1 − near
    /// ```
    pub fn add_events(
        &mut self,
        laid: &Laid<'_>,
        shape: &DmvShape,
        sentence: &DmvSentence,
        roots: RootWeights,
        share: f64,
        counts: &mut [f64],
    ) {
        if self.ln_total() == f64::NEG_INFINITY || sentence.is_empty() {
            return;
        }
        for &class in &sentence.heads {
            for side in [Side::Left, Side::Right] {
                counts[shape.stop(class, side, false, true)] += share;
            }
        }
        if roots == RootWeights::Many {
            counts[shape.root_stop(true)] += share;
        }
        self.each_arc(laid, |head, dependent, [near, far]| {
            let (near, far, tag) = (share * near, share * far, sentence.tags[dependent - 1]);
            if head == 0 {
                counts[shape.root(tag)] += near + far;
                if roots == RootWeights::Many {
                    counts[shape.root_stop(false)] += far;
                }
                return;
            }
            let (class, side) =
                (sentence.heads[head - 1], if dependent < head { Side::Left } else { Side::Right });
            counts[shape.choice(class, side, false, tag)] += near;
            counts[shape.choice(class, side, true, tag)] += far;
            counts[shape.stop(class, side, false, false)] += near;
            counts[shape.stop(class, side, true, false)] += far;
            counts[shape.stop(class, side, true, true)] += near;
            counts[shape.stop(class, side, false, true)] -= near;
        });
        // What is left of 1 − near where a head surely has a dependent may be a rounding error below 0.
        for &class in &sentence.heads {
            for side in [Side::Left, Side::Right] {
                let left = &mut counts[shape.stop(class, side, false, true)];
                *left = left.max(0.0);
            }
        }
    }

    /// Shows every arc with its probability as the nearest dependent of its head on that side, and as a farther one.
    pub fn each_arc(&mut self, laid: &Laid<'_>, mut visit: impl FnMut(usize, usize, [f64; 2])) {
        if self.ln_total() == f64::NEG_INFINITY {
            return;
        }
        if self.is_narrow() {
            self.each_narrow_arc(laid, visit);
            return;
        }
        let inside = Scaled::wide(laid);
        inside.outside().bundles(|item, bundle, posterior| {
            if let Some((head, dependent)) = laid.arc_of(item) {
                let far = bundle.rule == Laid::FAR;
                visit(head, dependent, if far { [0.0, posterior] } else { [posterior, 0.0] });
            }
        });
    }
}
