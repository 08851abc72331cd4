//! A sentence to learn from.

use arcs::{ArcScores, Roots};
use tree::Possible;
use tree::{Constraints, Node, PartialTree, Reading, Sentence};

use super::attributes::Attributes;
use super::shape::{Engines, TreeShape, cross};

/// What is known of the tree of a sentence.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// The head of every word; 0 for words that are left out too.
    Tree(Vec<usize>),
    /// Cases that exclude one another.
    Cases(Vec<Constraints>),
}

/// A sentence, and what is known of its tree.
#[derive(Debug, Clone)]
pub(super) struct Example {
    pub(super) words: Attributes,
    pub(super) target: Target,
    /// By position; the root is not left out.
    pub(super) left_out: Vec<bool>,
    /// How much it counts.
    pub(super) weight: f64,
    /// How much universal rules pull at each arc, by dependent from 1 and then by head; empty if they do not.
    pub(super) pull: Vec<f32>,
}

impl Example {
    /// An example of trees of this shape. Arcs that such trees cannot have are no longer known in it, which is why
    /// crossing arcs do no harm to a parser that knows no crossing; the second value says whether there were any.
    /// `None` if nothing is left to be learned.
    pub(super) fn new(
        words: Attributes,
        possible: &Possible,
        shape: TreeShape,
        pull: Vec<f32>,
        weight: f64,
    ) -> Option<(Example, bool)> {
        let n_words = words.n_words();
        if n_words < 2 || !weight.is_finite() || possible.is_free() && pull.is_empty() {
            return None;
        }
        let left_out: Vec<bool> = (0..=n_words).map(|word| word > 0 && possible.left_out(word)).collect();
        let mut example = Example { words, target: target(possible, &left_out), left_out, weight, pull };
        if example.is_possible(shape) {
            return Some((example, false));
        }
        let relaxed = relax(possible, shape)?;
        example.target = target(&relaxed, &example.left_out);
        (!relaxed.is_free() && example.is_possible(shape)).then_some((example, true))
    }

    /// Whether some tree of a shape is as it was said.
    fn is_possible(&self, shape: TreeShape) -> bool {
        match &self.target {
            Target::Tree(heads) => shape.admits(heads, &self.left_out),
            Target::Cases(cases) => cases.iter().any(|case| {
                let mut scores = ArcScores::zero(self.words.n_words());
                scores.restrict(case);
                shape.best(&mut Engines::default(), &scores).is_some()
            }),
        }
    }
}

fn target(possible: &Possible, left_out: &[bool]) -> Target {
    let head = |word: usize| if left_out[word] { Some(0) } else { possible.whole().required_head(word) };
    match (1..left_out.len()).map(head).collect() {
        Some(heads) => Target::Tree(heads),
        None => Target::Cases(possible.arc_cases().0),
    }
}

/// Only the known heads, without those that cross most others, and one root if there may be only one.
fn relax(possible: &Possible, shape: TreeShape) -> Option<Possible> {
    let n_words = possible.n_words();
    let known = (1..=n_words).filter(|&word| !possible.left_out(word));
    let mut arcs: Vec<(usize, usize)> =
        known.filter_map(|word| Some((possible.whole().required_head(word)?, word))).collect();
    if shape.roots == Roots::One {
        let first = arcs.iter().position(|&(head, _)| head == 0);
        let mut at = 0;
        arcs.retain(|&(head, _)| {
            at += 1;
            head != 0 || Some(at - 1) == first
        });
    }
    loop {
        let crossings = |a: &(usize, usize)| arcs.iter().filter(|&&b| cross(*a, b)).count();
        let worst = arcs.iter().enumerate().map(|(at, arc)| (crossings(arc), at)).max();
        match worst {
            Some((crossings, at)) if shape.projective && crossings > 0 => arcs.remove(at),
            _ => break,
        };
    }
    let mut said = PartialTree::new(n_words);
    for (head, dependent) in arcs {
        let dependent = Node::Word(dependent);
        let place = tree::Place::default();
        match head {
            0 => said.roots.push((dependent, place)),
            head => said.arcs.push(tree::Arc { head: Node::Word(head), dependent, place }),
        }
    }
    Possible::new(&said, &Reading::default()).ok()
}

/// A sentence and what is known of its tree.
#[derive(Debug, Clone)]
pub struct Annotated {
    /// The words; relations are taken from here, heads are not.
    pub sentence: Sentence,
    /// The trees that are possible.
    pub possible: Possible,
    /// How much the sentence counts.
    pub weight: f64,
}
