//! Parameters laid over a sentence.

use tree::Side;

use super::{DmvSentence, DmvShape};

/// What each arc and each end of a side weighs in one sentence; word 0 is the root.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DmvWeights {
    n_words: usize,
    /// By head, dependent, and whether the head has a dependent on that side already.
    arcs: Vec<[f64; 2]>,
    /// By side and head, and whether the head has a dependent on that side.
    stops: [Vec<[f64; 2]>; 2],
}

/// How the root takes dependents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RootWeights {
    /// Exactly one.
    One,
    /// One or more, with its own chance to stop.
    Many,
    /// One or more, which costs nothing: for annotations with several roots in a model with one.
    Free,
}

impl DmvWeights {
    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The weight of an arc; `has` says whether the head has a dependent on that side already.
    #[inline]
    pub fn arc(&self, head: usize, dependent: usize, has: bool) -> f64 {
        self.arcs[head * (self.n_words + 1) + dependent][usize::from(has)]
    }

    /// The weight of having no more dependents on a side.
    #[inline]
    pub fn stop(&self, head: usize, side: Side, has: bool) -> f64 {
        let side = usize::from(side == Side::Right);
        self.stops[side][head][usize::from(has)]
    }

    /// Everything weighs 1, but for further dependents of a root that has one.
    pub fn even(n_words: usize, roots: RootWeights) -> DmvWeights {
        let mut weights = DmvWeights::default();
        weights.resize(n_words);
        weights.arcs.fill([1.0; 2]);
        weights.stops.iter_mut().for_each(|stops| stops.fill([1.0; 2]));
        if roots == RootWeights::One {
            weights.arcs[..=n_words].fill([1.0, 0.0]);
        }
        weights
    }

    /// Lays parameters over a sentence; what was laid before is forgotten.
    pub fn fill(&mut self, shape: &DmvShape, parameters: &[f64], sentence: &DmvSentence, roots: RootWeights) {
        self.resize(sentence.len());
        let width = self.n_words + 1;
        let (go, stop) = match roots {
            RootWeights::One => (0.0, 1.0),
            RootWeights::Free => (1.0, 1.0),
            RootWeights::Many => (parameters[shape.root_stop(false)], parameters[shape.root_stop(true)]),
        };
        self.stops[1][0] = [1.0, stop];
        for (dependent, &tag) in (1..).zip(&sentence.tags) {
            let root = parameters[shape.root(tag)];
            self.arcs[dependent] = [root, root * go];
        }
        for (head, &class) in (1..).zip(&sentence.heads) {
            for side in [Side::Left, Side::Right] {
                let at = |has, stops| parameters[shape.stop(class, side, has, stops)];
                self.stops[usize::from(side == Side::Right)][head] = [at(false, true), at(true, true)];
                let go = [at(false, false), at(true, false)];
                let dependents = if side == Side::Left { 1..head } else { head + 1..width };
                let (near, far) = (shape.choice(class, side, false, 0), shape.choice(class, side, true, 0));
                for dependent in dependents {
                    let tag = sentence.tags[dependent - 1] as usize;
                    let choice = [parameters[near + tag], parameters[far + tag]];
                    self.arcs[head * width + dependent] = [go[0] * choice[0], go[1] * choice[1]];
                }
            }
        }
    }

    fn resize(&mut self, n_words: usize) {
        self.n_words = n_words;
        let width = n_words + 1;
        self.arcs.resize(width * width, [0.0; 2]);
        self.stops.iter_mut().for_each(|stops| stops.resize(width, [1.0; 2]));
    }
}
