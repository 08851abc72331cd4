//! Where to begin: near words attach to each other (Klein & Manning 2004).
//!
//! No tree is counted but soft counts. In a sentence of n words each is the root 1/n times, and the other times hangs
//! from another word, in proportion to 1/distance. A side on which e > 0 dependents are expected is assumed to have one at
//! all with probability p, so that its decisions count
//!
//! ```text
//! go(none yet) p    go(has) e − p    stop(none) 1 − p    stop(has) p
//! ```
//!
//! where p is nine tenths of the greatest value that leaves no tag with a negative count; a side that cannot have
//! dependents stops. Every event counts a tenth besides. These constants are those of the program whose figures the
//! tests repeat.

use arcs::dmv::{DmvSentence, DmvShape};
use tree::Side;

use super::Dmv;
use crate::family::Family;

/// What every event counts besides.
const SMOOTHING: f64 = 0.1;
/// How far p goes towards its greatest value.
const FRACTION: f64 = 0.9;

/// Parameters from soft counts over all sentences.
pub fn harmonic(dmv: &Dmv, sentences: &[DmvSentence]) -> Vec<f64> {
    let shape = dmv.shape();
    let mut counts = vec![SMOOTHING; shape.len()];
    let mut sides = vec![Sides::default(); 2 * shape.n_heads()];
    for sentence in sentences {
        add(shape, sentence, &mut counts, &mut sides);
    }
    let open = sides.iter().filter(|side| side.open > 0.0);
    let p = FRACTION * open.map(|side| (side.expected + SMOOTHING) / side.open).fold(1.0, f64::min);
    for (at, side) in sides.iter().enumerate() {
        let (head, direction) = ((at / 2) as u32, if at % 2 == 0 { Side::Left } else { Side::Right });
        let mut add = |has, stops, count: f64| counts[shape.stop(head, direction, has, stops)] += count;
        add(false, false, p * side.open);
        add(true, false, side.expected - p * side.open);
        add(false, true, side.shut + (1.0 - p) * side.open);
        add(true, true, p * side.open);
    }
    let even = dmv.rows().even();
    dmv.rows().normalise(&mut counts, &even);
    counts
}

/// What is known of a side of a tag over all sentences.
#[derive(Debug, Clone, Copy, Default)]
struct Sides {
    /// The dependents that are expected.
    expected: f64,
    /// How often there may be dependents.
    open: f64,
    /// How often there cannot be any, at the edge of a sentence.
    shut: f64,
}

fn add(shape: &DmvShape, sentence: &DmvSentence, counts: &mut [f64], sides: &mut [Sides]) {
    let n = sentence.len();
    let others = (n as f64 - 1.0) / n as f64;
    for (d, &tag) in sentence.tags.iter().enumerate() {
        counts[shape.root(tag)] += 1.0 / n as f64;
        let nearness = |h: usize| if h == d { 0.0 } else { 1.0 / h.abs_diff(d) as f64 };
        let total: f64 = (0..n).map(nearness).sum();
        for (h, &head) in sentence.heads.iter().enumerate().filter(|&(h, _)| h != d) {
            let share = others * nearness(h) / total;
            let side = if d < h { Side::Left } else { Side::Right };
            let [near, far] = [false, true].map(|has| shape.choice(head, side, has, tag));
            counts[near] += share;
            if far != near {
                counts[far] += share;
            }
            sides[2 * head as usize + usize::from(d > h)].expected += share;
        }
    }
    for (h, &head) in sentence.heads.iter().enumerate() {
        for (right, has_others) in [(0, h > 0), (1, h + 1 < n)] {
            let side = &mut sides[2 * head as usize + right];
            *(if has_others { &mut side.open } else { &mut side.shut }) += 1.0;
        }
    }
}
