//! From classes to a binary tree of classes.

use super::exchange::{ClassCounts, Logs};

/// The bits of each class: at every merger, from the last one down, 0 for the class that was seen first and 1 for the other.
///
/// A class that is alone has one bit, so that no code is empty.
pub(super) fn codes(counts: &ClassCounts) -> Vec<String> {
    let mut codes = vec![String::new(); counts.n_classes];
    let mut members: Vec<Vec<usize>> = (0..counts.n_classes).map(|class| vec![class]).collect();
    let mut merging = Merging::new(counts);
    while let Some((kept, gone)) = merging.cheapest() {
        merging.merge(kept, gone);
        for (class, bit) in [(kept, '0'), (gone, '1')] {
            // Later mergers come nearer to the root; codes are turned round at the end.
            members[class].iter().for_each(|&member| codes[member].push(bit));
        }
        let moved = std::mem::take(&mut members[gone]);
        members[kept].extend(moved);
    }
    if let [only] = &mut codes[..] {
        only.push('0');
    }
    codes.into_iter().map(|code| code.chars().rev().collect()).collect()
}

/// Classes that are merged step by step, and what each merger would cost.
#[derive(Debug)]
pub(super) struct Merging {
    n_classes: usize,
    width: usize,
    pairs: Vec<u64>,
    totals: Vec<u64>,
    is_there: Vec<bool>,
    /// Loss of F for each pair of classes with the smaller number first.
    losses: Vec<f64>,
    logs: Logs,
}

impl Merging {
    pub(super) fn new(counts: &ClassCounts) -> Merging {
        let (n, width) = (counts.n_classes, counts.width);
        let pairs = (0..width * width).map(|at| counts.pair(at / width, at % width)).collect();
        let mut merging = Merging {
            n_classes: n,
            width,
            pairs,
            totals: counts.totals.clone(),
            is_there: vec![true; width],
            losses: vec![f64::INFINITY; n * n],
            logs: Logs::new(),
        };
        for a in 0..n {
            (a + 1..n).for_each(|b| merging.losses[a * n + b] = merging.loss(a, b));
        }
        merging
    }

    /// The two classes whose merger costs least, the smaller number first; of equals the first. `None` if one is left.
    pub(super) fn cheapest(&self) -> Option<(usize, usize)> {
        let mut best: Option<(f64, (usize, usize))> = None;
        for a in self.classes() {
            for b in self.classes().filter(|&b| b > a) {
                let loss = self.losses[a * self.n_classes + b];
                if best.is_none_or(|(least, _)| loss < least) {
                    best = Some((loss, (a, b)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// What the merger of two classes costs, as it is remembered.
    #[cfg(test)]
    pub(super) fn remembered(&self, a: usize, b: usize) -> f64 {
        self.losses[a * self.n_classes + b]
    }

    /// Classes of words that are still there.
    pub(super) fn classes(&self) -> impl Iterator<Item = usize> + use<'_> {
        (0..self.n_classes).filter(|&class| self.is_there[class])
    }

    /// Puts a class into another.
    ///
    /// The loss of a pair is a sum over third classes, so that for pairs of others only the terms of these two change.
    pub(super) fn merge(&mut self, kept: usize, gone: usize) {
        let others: Vec<usize> = self.classes().filter(|&class| class != kept && class != gone).collect();
        self.change_losses(&others, &[kept, gone], 1.0);
        self.is_there[gone] = false;
        for e in 0..self.width {
            self.pairs[kept * self.width + e] += std::mem::take(&mut self.pairs[gone * self.width + e]);
        }
        for e in 0..self.width {
            self.pairs[e * self.width + kept] += std::mem::take(&mut self.pairs[e * self.width + gone]);
        }
        self.totals[kept] += std::mem::take(&mut self.totals[gone]);
        self.change_losses(&others, &[kept], -1.0);
        for other in others {
            let (a, b) = (kept.min(other), kept.max(other));
            self.losses[a * self.n_classes + b] = self.loss(a, b);
        }
    }

    /// Adds the terms of third classes, with a sign, to the losses of all pairs of others.
    fn change_losses(&mut self, others: &[usize], third: &[usize], sign: f64) {
        for (at, &a) in others.iter().enumerate() {
            for &b in &others[at + 1..] {
                let change: f64 = third.iter().map(|&e| self.term(a, b, e)).sum();
                self.losses[a * self.n_classes + b] += sign * change;
            }
        }
    }

    /// What F gains from seeing a and b as one beside e: −f(N(a,e)) − f(N(b,e)) + f(N(a,e) + N(b,e)), and the same for (e, ·).
    fn term(&self, a: usize, b: usize, e: usize) -> f64 {
        let joined = |x: u64, y: u64| self.logs.f(x + y) - self.logs.f(x) - self.logs.f(y);
        let pair = |left: usize, right: usize| self.pairs[left * self.width + right];
        joined(pair(a, e), pair(b, e)) + joined(pair(e, a), pair(e, b))
    }

    /// What F loses if two classes are merged.
    fn loss(&self, a: usize, b: usize) -> f64 {
        let f = |n: u64| self.logs.f(n);
        let pair = |left: usize, right: usize| self.pairs[left * self.width + right];
        let within = [pair(a, a), pair(a, b), pair(b, a), pair(b, b)];
        let inside = f(within.iter().sum()) - within.into_iter().map(f).sum::<f64>();
        let third = (0..self.width).filter(|&e| e != a && e != b && self.is_there[e]);
        let beside: f64 = third.map(|e| self.term(a, b, e)).sum();
        let totals = f(self.totals[a] + self.totals[b]) - f(self.totals[a]) - f(self.totals[b]);
        2.0 * totals - beside - inside
    }
}
