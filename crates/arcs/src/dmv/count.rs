//! The events of a tree.

use tree::Side;

use super::{DmvSentence, DmvShape, RootWeights};

/// Lists the events of trees; it holds memory that is used again.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// By word, the root first: whether it has a dependent on the left and on the right.
    has: Vec<[bool; 2]>,
}

impl Counter {
    /// Shows every event of a tree; `heads[d − 1]` is the head of word d, 0 for the root.
    pub fn events(
        &mut self,
        shape: &DmvShape,
        sentence: &DmvSentence,
        heads: &[u32],
        roots: RootWeights,
        mut event: impl FnMut(usize),
    ) {
        self.has.clear();
        self.has.resize(sentence.len() + 1, [false; 2]);
        // Dependents come from the inside out: those on the right from left to right, those on the left reversed.
        for (dependent, &head) in (1..).zip(heads) {
            if (head as usize) < dependent {
                self.arc(shape, sentence, head as usize, dependent, roots, &mut event);
            }
        }
        for (before, &head) in heads.iter().enumerate().rev() {
            if head as usize > before + 1 {
                self.arc(shape, sentence, head as usize, before + 1, roots, &mut event);
            }
        }
        if roots == RootWeights::Many && !sentence.is_empty() {
            event(shape.root_stop(true));
        }
        for (word, &class) in (1..).zip(&sentence.heads) {
            let [left, right] = self.has[word];
            event(shape.stop(class, Side::Left, left, true));
            event(shape.stop(class, Side::Right, right, true));
        }
    }

    fn arc(
        &mut self,
        shape: &DmvShape,
        sentence: &DmvSentence,
        head: usize,
        dependent: usize,
        roots: RootWeights,
        event: &mut impl FnMut(usize),
    ) {
        let side = if dependent < head { Side::Left } else { Side::Right };
        let has = std::mem::replace(&mut self.has[head][usize::from(side == Side::Right)], true);
        let tag = sentence.tags[dependent - 1];
        if head == 0 {
            event(shape.root(tag));
            if has && roots == RootWeights::Many {
                event(shape.root_stop(false));
            }
        } else {
            let class = sentence.heads[head - 1];
            event(shape.stop(class, side, has, false));
            event(shape.choice(class, side, has, tag));
        }
    }

    /// Adds the events of a tree to counts.
    pub fn add(
        &mut self,
        shape: &DmvShape,
        sentence: &DmvSentence,
        heads: &[u32],
        roots: RootWeights,
        counts: &mut [f64],
    ) {
        self.events(shape, sentence, heads, roots, |event| counts[event] += 1.0);
    }

    /// The probability of a tree and its tags: the product of its events' parameters.
    pub fn probability(
        &mut self,
        shape: &DmvShape,
        sentence: &DmvSentence,
        heads: &[u32],
        roots: RootWeights,
        parameters: &[f64],
    ) -> f64 {
        if roots == RootWeights::One && heads.iter().filter(|&&head| head == 0).count() > 1 {
            return 0.0;
        }
        let mut product = 1.0;
        self.events(shape, sentence, heads, roots, |event| product *= parameters[event]);
        product
    }
}
