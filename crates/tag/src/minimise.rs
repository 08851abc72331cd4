//! Few pairs of neighbouring tags that explain a text: model minimisation, after Garrette & Baldridge (2012).
//!
//! Every token has possible tags with weights. In a first stage pairs are chosen until every token has a tag that stands in
//! a chosen pair with a possible tag of a neighbour, each time the pair that newly covers the largest weight. In a second
//! stage pairs are added until there is a way through each sentence that takes chosen pairs only, each time the pair that
//! mends the largest weight of gaps. The edge of a sentence is a token with one tag.

use crate::hmm::Lattice;

/// Chosen pairs of tags.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// One more than the number of tags, for the edge of sentences.
    base: usize,
    chosen: Vec<bool>,
    order: Vec<(u32, u32)>,
    n_covering: usize,
}

impl Pairs {
    fn new(n_tags: usize) -> Pairs {
        let base = n_tags + 1;
        Pairs { base, chosen: vec![false; base * base], order: Vec::new(), n_covering: 0 }
    }

    fn insert(&mut self, index: usize) {
        self.chosen[index] = true;
        self.order.push(((index / self.base) as u32, (index % self.base) as u32));
    }

    /// Whether a tag may follow another; the edge of a sentence is the tag after all others.
    pub fn contains(&self, before: u32, tag: u32) -> bool {
        self.chosen[before as usize * self.base + tag as usize]
    }

    /// The pairs in the order in which they were chosen.
    pub fn in_order(&self) -> &[(u32, u32)] {
        &self.order
    }

    /// How many of them the first stage chose.
    pub fn n_covering(&self) -> usize {
        self.n_covering
    }

    /// 1 for each transition of first order that was chosen, `other` for each that was not.
    pub fn weights(&self, other: f64) -> Vec<f64> {
        self.chosen.iter().map(|&chosen| if chosen { 1.0 } else { other }).collect()
    }
}

/// Chooses pairs for sentences, whose positions must all have a tag. Of equally good pairs the one with the smaller tags wins.
///
/// Time O(pairs · edges of the lattices that are not yet covered or joined).
pub fn minimise(sentences: &[Lattice], n_tags: usize) -> Pairs {
    let mut pairs = Pairs::new(n_tags);
    cover(sentences, &mut pairs);
    pairs.n_covering = pairs.order.len();
    join(sentences, &mut pairs);
    pairs
}

/// The tags of a position, which is the edge of the sentence before its first word and after its last.
fn column(sentence: &Lattice, position: isize, edge: u32) -> impl Iterator<Item = (u32, f64)> + Clone + '_ {
    let inside = (0..sentence.len() as isize).contains(&position);
    let (tags, weights) = match inside {
        true => (sentence.tags(position as usize), sentence.weights(position as usize)),
        false => (&[][..], &[][..]),
    };
    let outside = (!inside).then_some((edge, 1.0));
    tags.iter().copied().zip(weights.iter().copied()).chain(outside)
}

/// A pair covers the tokens on its two sides with the tags that it gives them; what it gains is the weight of these tags of
/// tokens that were not covered.
fn cover(sentences: &[Lattice], pairs: &mut Pairs) {
    let mut open: Vec<Vec<usize>> = sentences.iter().map(|sentence| (0..sentence.len()).collect()).collect();
    loop {
        let mut gains = vec![0.0; pairs.chosen.len()];
        for (sentence, open) in sentences.iter().zip(&open) {
            for &position in open {
                covering(sentence, position, pairs.base, |pair, weight| gains[pair] += weight);
            }
        }
        let Some(best) = largest(&gains) else { return };
        pairs.insert(best);
        for (sentence, open) in sentences.iter().zip(&mut open) {
            open.retain(|&position| {
                let mut is_covered = false;
                covering(sentence, position, pairs.base, |pair, _| is_covered |= pair == best);
                !is_covered
            });
        }
    }
}

/// Shows each pair that covers a token, once, with the weight of the tag that it gives the token: as the later tag if it can.
fn covering(sentence: &Lattice, position: usize, base: usize, mut show: impl FnMut(usize, f64)) {
    let edge = (base - 1) as u32;
    let at = position as isize;
    for (tag, weight) in column(sentence, at, edge) {
        for (before, _) in column(sentence, at - 1, edge) {
            show(before as usize * base + tag as usize, weight);
        }
        for (after, _) in column(sentence, at + 1, edge) {
            // A pair of two tags that the token has may cover it from both sides; the first time counted.
            let twice = column(sentence, at - 1, edge).any(|(before, _)| before == tag)
                && column(sentence, at, edge).any(|(other, _)| other == after);
            if !twice {
                show(tag as usize * base + after as usize, weight);
            }
        }
    }
}

/// Adds pairs where the way through a sentence breaks off.
fn join(sentences: &[Lattice], pairs: &mut Pairs) {
    let mut broken: Vec<&Lattice> = sentences.iter().collect();
    loop {
        let mut gains = vec![0.0; pairs.chosen.len()];
        broken.retain(|sentence| gaps(sentence, pairs, |pair, weight| gains[pair] += weight) > 0);
        let Some(best) = largest(&gains) else { return };
        pairs.insert(best);
    }
}

/// Walks through a sentence on chosen pairs. Where no tag can be reached, every pair from a reached tag to a tag of the next
/// position would mend the gap: it is shown with the product of the tags' weights. Returns the number of gaps.
fn gaps(sentence: &Lattice, pairs: &Pairs, mut show: impl FnMut(usize, f64)) -> usize {
    let edge = (pairs.base - 1) as u32;
    let mut reached = vec![(edge, 1.0)];
    let mut n_gaps = 0;
    for at in 0..=sentence.len() as isize {
        let here = column(sentence, at, edge);
        let is_reached = |tag: u32| reached.iter().any(|&(before, _)| pairs.contains(before, tag));
        let mut next: Vec<(u32, f64)> = here.clone().filter(|&(tag, _)| is_reached(tag)).collect();
        if next.is_empty() {
            n_gaps += 1;
            for &(before, weight) in &reached {
                for (tag, more) in here.clone() {
                    show(before as usize * pairs.base + tag as usize, weight * more);
                }
            }
            next.extend(here);
        }
        reached = next;
    }
    n_gaps
}

/// The first of the largest numbers above 0.
fn largest(gains: &[f64]) -> Option<usize> {
    let mut best = None;
    for (at, &gain) in gains.iter().enumerate() {
        if gain > best.map_or(0.0, |best: usize| gains[best]) {
            best = Some(at);
        }
    }
    best
}
