//! Factors of logic over literals, all messages as log-odds.
//!
//! Two sums are behind all of them. The soft ones have another potential than 1 in one configuration only; IMPLIES is a
//! NAND whose consequents are negated. The hard ones are EXACTLY1: ISATMOST1 is exactly one of the labels and of "the
//! indicator does not hold", ATMOST1 has one literal more, of odds 1, that nobody looks at.

use num::special::log_add_exp;

use crate::{HARD, sigmoid, softplus};

/// Soft NAND with potential e^ψ if all hold. With p the incoming probabilities and P_i = Π_{j≠i} p_j,
///
/// ```text
/// λ_i = ln(1 − P_i + e^ψ P_i)
/// ```
///
/// Returns ln of the sum with messages as probabilities.
pub(crate) fn nand(psi: f64, incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    if psi.abs() < 30.0 && incoming.iter().all(|odds| odds.abs() < 30.0) {
        return plain_nand(psi, incoming, outgoing);
    }
    for (i, message) in outgoing.iter_mut().enumerate() {
        let (ln_all, ln_rest) = ln_conjunction(but(incoming, i));
        *message = log_add_exp(ln_rest, psi + ln_all);
    }
    let (ln_all, ln_rest) = ln_conjunction(incoming.iter().copied());
    log_add_exp(ln_rest, psi + ln_all)
}

fn plain_nand(psi: f64, incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    let phi = libm::exp(psi);
    for (i, message) in outgoing.iter_mut().enumerate() {
        let (all, rest) = conjunction(but(incoming, i));
        *message = libm::log(rest + phi * all);
    }
    let (all, rest) = conjunction(incoming.iter().copied());
    libm::log(rest + phi * all)
}

/// All but one.
fn but(odds: &[f64], one: usize) -> impl Iterator<Item = f64> + Clone {
    odds.iter().enumerate().filter(move |&(at, _)| at != one).map(|(_, odds)| *odds)
}

/// The probability that all hold, and that not all do: 1 − Π p_j = Σ_j (1 − p_j) Π_{l<j} p_l, where nothing cancels.
fn conjunction(odds: impl Iterator<Item = f64>) -> (f64, f64) {
    odds.fold((1.0, 0.0), |(all, rest), odds| (all * sigmoid(odds), rest + all * sigmoid(-odds)))
}

fn ln_conjunction(odds: impl Iterator<Item = f64>) -> (f64, f64) {
    odds.fold((0.0, -HARD), |(all, rest), odds| {
        (all - softplus(-odds), log_add_exp(rest, all - softplus(odds)))
    })
}

/// The logarithm of the probability that all hold.
pub(crate) fn ln_all(incoming: &[f64]) -> f64 {
    incoming.iter().map(|&odds| -softplus(-odds)).sum()
}

/// Soft IMPLIES: potential e^ψ if the first literal holds and no other.
pub(crate) fn implies(psi: f64, incoming: &mut [f64], outgoing: &mut [f64]) -> f64 {
    incoming.iter_mut().skip(1).for_each(|odds| *odds = -*odds);
    let total = nand(psi, incoming, outgoing);
    outgoing.iter_mut().skip(1).for_each(|odds| *odds = -*odds);
    total
}

/// EXACTLY1, with r the incoming odds and `extra` the odds of a literal that nobody looks at:
///
/// ```text
/// λ_i = −ln Σ_{j≠i} r_j
/// ```
///
/// The sum without the largest is taken by itself; every other one contains the largest, so that taking r_i away from
/// the whole sum, relative to the largest, leaves at least 1 and cancels nothing.
pub(crate) fn exactly_one(extra: f64, incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    let largest = largest(extra, incoming);
    let top = largest.map_or(extra, |at| incoming[at]);
    let sum: f64 = libm::exp(extra - top) + incoming.iter().map(|odds| libm::exp(odds - top)).sum::<f64>();
    for (i, message) in outgoing.iter_mut().enumerate() {
        *message = if largest == Some(i) {
            -ln_sum(but(incoming, i).chain([extra]))
        } else {
            -(top + libm::log((sum - libm::exp(incoming[i] - top)).max(1.0)))
        };
    }
    // ln p of the largest instead of its odds and ln(1 − p): sums with what must be keep their digits.
    let beside: f64 = incoming
        .iter()
        .enumerate()
        .filter(|&(i, _)| Some(i) != largest)
        .map(|(_, &odds)| softplus(odds))
        .sum();
    libm::log(sum) - beside + largest.map_or(top, |_| -softplus(-top))
}

/// The place of the largest odds, `None` if those of the literal that nobody looks at are.
fn largest(extra: f64, incoming: &[f64]) -> Option<usize> {
    let mut best = (extra, None);
    for (at, &odds) in incoming.iter().enumerate() {
        if odds > best.0 {
            best = (odds, Some(at));
        }
    }
    best.1
}

fn ln_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let top = terms.clone().fold(-HARD, f64::max);
    top + libm::log(terms.map(|term| libm::exp(term - top)).sum::<f64>().max(1.0))
}

/// ISATMOST1: the first literal is the indicator.
pub(crate) fn is_at_most_one(incoming: &mut [f64], outgoing: &mut [f64]) -> f64 {
    incoming[0] = -incoming[0];
    let total = exactly_one(-HARD, incoming, outgoing);
    outgoing[0] = -outgoing[0];
    total
}
