//! Factors with a score for every combination of values.
//!
//! Sums are of plain numbers, relative to the largest of each message and of the scores. Where one comes to nothing it
//! is taken again as a sum of logarithms, much slower, unless it is nothing indeed.

use num::special::log_add_exp;

use crate::HARD;

/// What a table factor sees: scores, their exponentials relative to `top`, and a message of each variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableView<'a> {
    pub(crate) scores: &'a [f64],
    pub(crate) weights: &'a [f64],
    pub(crate) top: f64,
    /// How many values each variable has.
    pub(crate) sizes: &'a [usize],
    /// ln m of each variable's values, one after the other; the largest of each is 0.
    pub(crate) ln_messages: &'a [f64],
    /// exp of them.
    pub(crate) messages: &'a [f64],
}

impl TableView<'_> {
    /// m(x) = Σ Ψ Π of the other messages, as logarithms. Returns ln Σ Ψ Π m with messages that sum to 1.
    pub(crate) fn send(&self, outgoing: &mut [f64]) -> f64 {
        outgoing.fill(0.0);
        let mut total = 0.0;
        self.walk(|entry, places| {
            let weight = self.weights[entry];
            if weight == 0.0 {
                return;
            }
            total += weight * self.product(places, usize::MAX);
            for (own, &place) in places.iter().enumerate() {
                outgoing[place] += weight * self.product(places, own);
            }
        });
        if outgoing.iter().any(|message| !message.is_normal()) {
            return self.send_logarithms(outgoing);
        }
        outgoing.iter_mut().for_each(|message| *message = libm::log(*message) + self.top);
        libm::log(total) + self.top - self.ln_norms()
    }

    fn send_logarithms(&self, outgoing: &mut [f64]) -> f64 {
        outgoing.fill(f64::NEG_INFINITY);
        let mut total = f64::NEG_INFINITY;
        self.walk(|entry, places| {
            let score = self.scores[entry];
            if score == f64::NEG_INFINITY {
                return;
            }
            let all: f64 = places.iter().map(|&place| self.ln_messages[place]).sum();
            total = log_add_exp(total, score + all);
            for &place in places {
                let others = score + all - self.ln_messages[place];
                outgoing[place] = log_add_exp(outgoing[place], others);
            }
        });
        total - self.ln_norms()
    }

    /// Adds the probability of every combination.
    pub(crate) fn add_beliefs(&self, beliefs: &mut [f64]) {
        let mut total = 0.0;
        self.walk(|entry, places| total += self.weights[entry] * self.product(places, usize::MAX));
        if total.is_normal() {
            self.walk(|entry, places| {
                beliefs[entry] += self.weights[entry] * self.product(places, usize::MAX) / total;
            });
            return;
        }
        let ln = |entry: usize, places: &[usize]| {
            self.scores[entry] + places.iter().map(|&place| self.ln_messages[place]).sum::<f64>()
        };
        let mut total = f64::NEG_INFINITY;
        self.walk(|entry, places| total = log_add_exp(total, ln(entry, places)));
        self.walk(|entry, places| beliefs[entry] += libm::exp(ln(entry, places) - total));
    }

    /// Π of the messages at some places, one variable left out.
    #[inline]
    fn product(&self, places: &[usize], but: usize) -> f64 {
        let mut product = 1.0;
        for (variable, &place) in places.iter().enumerate() {
            if variable != but {
                product *= self.messages[place];
            }
        }
        product
    }

    fn ln_norms(&self) -> f64 {
        let mut start = 0;
        let mut sum = 0.0;
        for &size in self.sizes {
            sum += libm::log(self.messages[start..start + size].iter().sum());
            start += size;
        }
        sum
    }

    /// Shows every entry with the places of its values among the messages; the last variable runs fastest.
    pub(crate) fn walk(&self, mut visit: impl FnMut(usize, &[usize])) {
        let starts: Vec<usize> = self
            .sizes
            .iter()
            .scan(0, |next, size| {
                let start = *next;
                *next += size;
                Some(start)
            })
            .collect();
        let mut places = starts.clone();
        for entry in 0..self.scores.len() {
            visit(entry, &places);
            for variable in (0..places.len()).rev() {
                places[variable] += 1;
                if places[variable] < starts[variable] + self.sizes[variable] {
                    break;
                }
                places[variable] = starts[variable];
            }
        }
    }
}

/// A table over two variables that counts only if a literal holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gated<'a> {
    pub(crate) scores: &'a [f64],
    pub(crate) weights: &'a [f64],
    pub(crate) top: f64,
    pub(crate) ln_first: &'a [f64],
    pub(crate) ln_second: &'a [f64],
    pub(crate) first: &'a [f64],
    pub(crate) second: &'a [f64],
    /// ln of the probabilities that the literal does not hold, and that it does.
    pub(crate) ln_gate: [f64; 2],
}

impl Gated<'_> {
    /// With S the sums of the messages, p the probability of the gate and R_a = Σ_b m(b) w_ab,
    ///
    /// ```text
    /// to the first: (1 − p) S₂ + p R_a      to the gate: ln Σ_a m(a) R_a − ln S₁ S₂
    /// ```
    ///
    /// Messages to the first, the second and the gate stand in `outgoing` one after the other.
    pub(crate) fn send(&self, outgoing: &mut [f64]) -> f64 {
        if self.spreads() {
            return self.send_logarithms(outgoing);
        }
        let (to_first, rest) = outgoing.split_at_mut(self.first.len());
        let (to_second, to_gate) = rest.split_at_mut(self.second.len());
        let (sum_first, sum_second): (f64, f64) = (self.first.iter().sum(), self.second.iter().sum());
        let mut joint = 0.0;
        for ((row, to_first), first) in self.rows().zip(to_first.iter_mut()).zip(self.first) {
            let mut through = 0.0;
            for ((weight, message), to_second) in row.iter().zip(self.second).zip(to_second.iter_mut()) {
                through += weight * message;
                *to_second += weight * first;
            }
            *to_first = through;
            joint += through * first;
        }
        self.mix(to_first, sum_second);
        self.mix(to_second, sum_first);
        to_gate[0] = libm::log(joint) + self.top - libm::log(sum_first * sum_second);
        log_add_exp(self.ln_gate[0], self.ln_gate[1] + to_gate[0])
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.weights.chunks_exact(self.second.len())
    }

    /// ln((1 − p) S + p e^top R) of every R.
    fn mix(&self, through: &mut [f64], sum: f64) {
        let (closed, open) = (libm::exp(self.ln_gate[0]) * sum, libm::exp(self.ln_gate[1] + self.top));
        through.iter_mut().for_each(|value| *value = closed + open * *value);
        num::special::ln_slice(through);
    }

    /// Adds the probability of every pair with the literal.
    pub(crate) fn add_beliefs(&self, beliefs: &mut [f64]) {
        if self.spreads() {
            let mut both = vec![0.0; 2 * beliefs.len()];
            self.with_table(|table| table.add_beliefs(&mut both));
            beliefs.iter_mut().zip(both.chunks_exact(2)).for_each(|(belief, pair)| *belief += pair[1]);
            return;
        }
        let mut messages = vec![0.0; self.first.len() + self.second.len() + 1];
        let total = self.send(&mut messages);
        let sums = self.first.iter().sum::<f64>() * self.second.iter().sum::<f64>();
        let share = libm::exp(self.ln_gate[1] + self.top - total) / sums;
        let pairs = self.first.iter().flat_map(|a| self.second.iter().map(move |b| a * b));
        for ((belief, weight), pair) in beliefs.iter_mut().zip(self.weights).zip(pairs) {
            *belief += share * weight * pair;
        }
    }

    /// Whether plain sums can come to nothing although logarithms would not.
    fn spreads(&self) -> bool {
        let is_far = |value: f64| value < -300.0 && value > -HARD / 2.0;
        let wide = |ln: &[f64]| ln.iter().any(|&value| is_far(value));
        let [closed, open] = self.ln_gate;
        wide(self.ln_first)
            || wide(self.ln_second)
            || is_far(closed)
            || is_far(open)
            || self.top.abs() > 300.0
    }

    fn send_logarithms(&self, outgoing: &mut [f64]) -> f64 {
        let n = self.first.len() + self.second.len();
        let mut expanded = vec![0.0; n + 2];
        let total = self.with_table(|table| table.send_logarithms(&mut expanded));
        outgoing[..n].copy_from_slice(&expanded[..n]);
        outgoing[n] = expanded[n + 1].max(-HARD) - expanded[n].max(-HARD);
        total
    }

    /// The same as a table over three variables.
    fn with_table<R>(&self, mut ask: impl FnMut(TableView<'_>) -> R) -> R {
        let scores: Vec<f64> = self.scores.iter().flat_map(|&score| [0.0, score]).collect();
        let top = scores.iter().copied().fold(0.0, f64::max);
        let mut weights: Vec<f64> = scores.iter().map(|score| score - top).collect();
        num::special::exp_slice(&mut weights);
        let ln_messages = [self.ln_first, self.ln_second, &self.ln_gate].concat();
        let mut messages = ln_messages.clone();
        num::special::exp_slice(&mut messages);
        let sizes = [self.first.len(), self.second.len(), 2];
        ask(TableView {
            scores: &scores,
            weights: &weights,
            top,
            sizes: &sizes,
            ln_messages: &ln_messages,
            messages: &messages,
        })
    }
}
