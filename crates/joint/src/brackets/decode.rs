//! From beliefs to a tree.

use bp::structured::{Brackets, Structured};
use tree::PutInOrder;

use super::binary::Bracket;
use super::exact::{Exact, SpanValues};
use super::spans::Spans;

/// Which brackets are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decode {
    /// Those that are expected to be right most often: the largest sum of probabilities.
    #[default]
    Sum,
    /// Those with the largest product of probabilities.
    Product,
}

/// A bracket that was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chosen {
    /// Its span, and the number of its label if there are labels.
    pub(super) bracket: Bracket<Option<u32>>,
    /// How probable the span is.
    pub(super) p: f64,
}

/// The brackets of the best tree, each before those in it.
pub(super) fn decode(shape: SpanValues<'_>, spans: Spans, beliefs: &Exact, decode: Decode) -> Vec<Chosen> {
    let all = spans.all();
    let n_open = spans.n_open();
    let factor = Brackets::new(spans.n_words, all[..n_open.min(all.len())].to_vec());
    let ln = |p: &f64| if *p > 0.0 { libm::log(*p) } else { f64::NEG_INFINITY };
    let p = &beliefs.p[..n_open];
    let mut present = match decode {
        Decode::Sum => factor.best(p),
        Decode::Product => factor.best(&p.iter().map(ln).collect::<Vec<f64>>()),
    };
    if present.is_empty() {
        present = factor.best(p);
    }
    let is_present = |place: usize| place >= n_open || present.get(place).copied().unwrap_or(false);
    let chosen = all.iter().enumerate().filter(|(place, _)| is_present(*place));
    let mut chosen: Vec<Chosen> = chosen
        .map(|(place, &(start, end))| {
            let block = shape.block(place, (end - start) as usize);
            let label = shape.labels.map(|_| best(&beliefs.shares[block.start + 1..block.end]));
            Chosen { bracket: Bracket { start, end, label }, p: beliefs.p[place] }
        })
        .collect();
    chosen.order_by_key(|chosen| (chosen.bracket.start, std::cmp::Reverse(chosen.bracket.end)));
    chosen
}

/// The first of the largest.
fn best(shares: &[f64]) -> u32 {
    let mut best = 0;
    for (label, share) in shares.iter().enumerate() {
        if *share > shares[best] {
            best = label;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over four words 0–2 and 2–4 have the larger sum, 1 to 0.9, and 1–3 and 1–4 the larger product, 0.2 to 0.09.
    #[test]
    fn sums_and_products_choose_different_brackets() {
        let mut beliefs = Exact::default();
        beliefs.p.extend([0.9, 0.0, 0.45, 0.45, 0.1, 1.0]);
        let chosen = |how: Decode| -> Vec<(u32, u32)> {
            let chosen = decode(SpanValues { labels: None }, Spans { n_words: 4 }, &beliefs, how);
            chosen.iter().map(|chosen| (chosen.bracket.start, chosen.bracket.end)).collect()
        };
        assert_eq!(chosen(Decode::Sum), [(0, 4), (0, 2), (2, 4)]);
        assert_eq!(chosen(Decode::Product), [(0, 4), (1, 4), (1, 3)]);
    }
}
