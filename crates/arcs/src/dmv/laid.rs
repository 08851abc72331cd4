//! Weights and a mask over a sentence, as a forest.

use std::ops::ControlFlow;

use forest::{Bundle, Derivation, Forest, Item, Splits, Stretch, Tails, Visit, mbr};
use tree::{Constraints, Side};

use super::DmvWeights;

/// What may be built: absent edges are what constraints become.
#[derive(Debug, Clone, Copy)]
pub enum Mask<'a> {
    /// Everything.
    Free,
    /// What the constraints allow, over those words of the sentence (from 1) that are part of the tree.
    Case(&'a Constraints, &'a [usize]),
}

impl Mask<'_> {
    /// Whether an arc between kept words, 0 for the root, is allowed.
    #[inline]
    pub fn arc(&self, head: usize, dependent: usize) -> bool {
        match self {
            Mask::Free => true,
            Mask::Case(case, kept) => case.allows_arc(place(kept, head), place(kept, dependent)),
        }
    }

    /// Whether the half of `head` may reach to `end`.
    #[inline]
    pub fn half(&self, head: usize, side: Side, end: usize) -> bool {
        match self {
            Mask::Free => true,
            Mask::Case(case, kept) => {
                head == end || case.allows_half(place(kept, head), side, place(kept, end))
            }
        }
    }
}

fn place(kept: &[usize], word: usize) -> usize {
    if word == 0 { 0 } else { kept[word - 1] }
}

/// Weights under a mask: a forest in Eisner's (1996) manner.
///
/// Half words are the positions: word w has its left half at 2w and its right half at 2w + 1, the root only a
/// right half. Items are, with i < j:
///
/// ```text
/// open(i → j)  = Σ_k half(i, k) · sealed(j, k + 1)     from the right half of i to the left half of j
/// open(i ← j)  = Σ_k sealed(i, k) · half(j, k + 1)
/// half(i, e)   = Σ_d open(i → d) · sealed(d, e)        i and dependents to the right, up to e
/// half(h, i)   = Σ_d sealed(d, i) · open(d ← h)        h and dependents to the left, down to i
/// sealed(…)    = half(…) · stop
/// ```
///
/// A half that reaches no further than its head has no dependent yet; so valence costs no items.
#[derive(Debug, Clone, Copy)]
pub struct Laid<'a> {
    /// What arcs and ends weigh.
    pub weights: &'a DmvWeights,
    /// What may be built.
    pub mask: Mask<'a>,
}

/// The kinds of items of a cell, in the order in which they are built.
const OPEN_RIGHT: u32 = 0;
const OPEN_LEFT: u32 = 1;
const HALF: u32 = 2;
const SEALED: u32 = 3;

impl Laid<'_> {
    /// The rule of bundles that make the arc to the head's nearest dependent on that side.
    pub const NEAR: u32 = 0;
    /// The rule of bundles that make the arc to one farther out.
    pub const FAR: u32 = 1;

    fn width(&self) -> u32 {
        self.weights.n_words() as u32 + 1
    }

    /// The item of a kind in the row that begins with a half of word `first`, up to word `last`.
    fn item(&self, kind: u32, left_half: bool, first: u32, last: u32) -> Item {
        let row = 2 * (self.width() - 1 - first) + u32::from(left_half);
        Item((row * self.width() + last) * 4 + kind)
    }

    /// Kind, whether the row begins with a left half, first and last word.
    fn locate(&self, item: Item) -> (u32, bool, u32, u32) {
        let (kind, cell) = (item.0 % 4, item.0 / 4);
        let (row, last) = (cell / self.width(), cell % self.width());
        (kind, row % 2 == 1, self.width() - 1 - row / 2, last)
    }

    /// The difference of one row's items to those of the word before.
    fn row_step(&self) -> i32 {
        8 * self.width() as i32
    }

    /// The arc that an item is, as head and dependent.
    pub fn arc_of(&self, item: Item) -> Option<(usize, usize)> {
        let (kind, _, first, last) = self.locate(item);
        match kind {
            OPEN_RIGHT => Some((first as usize, last as usize)),
            OPEN_LEFT => Some((last as usize, first as usize)),
            _ => None,
        }
    }

    /// The end of a side that an item is: the head, the side, and whether it has a dependent there.
    pub fn stop_of(&self, item: Item) -> Option<(usize, Side, bool)> {
        let (kind, left_half, first, last) = self.locate(item);
        let (head, side) = if left_half { (last, Side::Left) } else { (first, Side::Right) };
        (kind == SEALED).then_some((head as usize, side, first != last))
    }

    /// The heads of a derivation, the head of the first word first.
    pub fn heads(&self, derivation: &Derivation, heads: &mut Vec<u32>) {
        heads.clear();
        heads.resize(self.weights.n_words(), 0);
        for (head, dependent) in derivation.steps.iter().filter_map(|step| self.arc_of(step.item)) {
            heads[dependent - 1] = head as u32;
        }
    }

    /// The tree of the greatest sum of gains over its arcs, and that sum; `None` if there is no tree.
    ///
    /// Edges of weight 0 are not used; other weights do not matter.
    pub fn best_arcs(&self, gain: impl Fn(usize, usize) -> f64) -> Option<(Vec<u32>, f64)> {
        let (derivation, total) = mbr::best_by(self, |item, bundle, scores| {
            let score = self.arc_of(item).map_or(0.0, |(head, dependent)| gain(head, dependent));
            scores.clear();
            scores.resize(bundle.tails.len() as usize, score);
        })?;
        let mut heads = Vec::new();
        self.heads(&derivation, &mut heads);
        Some((heads, total))
    }

    /// open(i → j): the nearest split has the head without dependents.
    fn open_right(&self, i: u32, j: u32, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
        let (head, dependent) = (i as usize, j as usize);
        let splits = |k: u32, len: u32| Splits {
            left: self.item(HALF, false, i, k),
            left_step: 4,
            right: self.item(SEALED, true, k + 1, j),
            right_step: -self.row_step(),
            len,
        };
        show(Self::NEAR, self.weights.arc(head, dependent, false), splits(i, 1), visit)?;
        if j > i + 1 {
            show(Self::FAR, self.weights.arc(head, dependent, true), splits(i + 1, j - i - 1), visit)?;
        }
        ControlFlow::Continue(())
    }

    /// open(i ← j): the farthest split has the head without dependents.
    fn open_left(&self, i: u32, j: u32, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
        let (head, dependent) = (j as usize, i as usize);
        let splits = |k: u32, len: u32| Splits {
            left: self.item(SEALED, false, i, k),
            left_step: 4,
            right: self.item(HALF, true, k + 1, j),
            right_step: -self.row_step(),
            len,
        };
        show(Self::NEAR, self.weights.arc(head, dependent, false), splits(j - 1, 1), visit)?;
        if j > i + 1 {
            show(Self::FAR, self.weights.arc(head, dependent, true), splits(i, j - i - 1), visit)?;
        }
        ControlFlow::Continue(())
    }
}

fn show(rule: u32, weight: f64, splits: Splits, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
    if weight > 0.0 {
        visit(Bundle { rule, weight, tails: Tails::Two(splits) })
    } else {
        ControlFlow::Continue(())
    }
}

impl Forest for Laid<'_> {
    type Weight = f64;

    fn n_items(&self) -> usize {
        8 * self.width() as usize * self.width() as usize
    }

    fn goal(&self) -> Item {
        self.item(SEALED, false, 0, self.width() - 1)
    }

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (kind, left_half, first, last) = self.locate(head);
        let side = if left_half { Side::Left } else { Side::Right };
        let (word, end) =
            if left_half { (last as usize, first as usize) } else { (first as usize, last as usize) };
        match kind {
            OPEN_RIGHT | OPEN_LEFT if left_half || first >= last => ControlFlow::Continue(()),
            OPEN_RIGHT if self.mask.arc(word, end) => self.open_right(first, last, &mut visit),
            OPEN_LEFT if first > 0 && self.mask.arc(end, word) => self.open_left(first, last, &mut visit),
            SEALED => {
                let weight = self.weights.stop(word, side, word != end);
                let tail = self.item(HALF, left_half, first, last);
                if weight > 0.0 && first <= last && !(left_half && first == 0) {
                    return visit(Bundle { rule: 0, weight, tails: Tails::One(tail) });
                }
                ControlFlow::Continue(())
            }
            HALF if first == last => visit(Bundle { rule: 0, weight: 1.0, tails: Tails::Leaf }),
            HALF if first < last && !(left_half && first == 0) && self.mask.half(word, side, end) => {
                let splits = if left_half {
                    Splits {
                        left: self.item(SEALED, true, first, first),
                        left_step: 4,
                        right: self.item(OPEN_LEFT, false, first, last),
                        right_step: -self.row_step(),
                        len: last - first,
                    }
                } else {
                    Splits {
                        left: self.item(OPEN_RIGHT, false, first, first + 1),
                        left_step: 4,
                        right: self.item(SEALED, false, first + 1, last),
                        right_step: -self.row_step(),
                        len: last - first,
                    }
                };
                visit(Bundle { rule: 0, weight: 1.0, tails: Tails::Two(splits) })
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        let laid = *self;
        let rows = (0..self.width()).rev().flat_map(|first| [(first, false), (first, true)]);
        let rows = rows.filter(|&(first, left_half)| first > 0 || !left_half);
        rows.flat_map(move |(first, left_half)| {
            (first..laid.width()).flat_map(move |last| {
                let kinds = if left_half || first == last { HALF..4 } else { OPEN_RIGHT..4 };
                kinds.map(move |kind| laid.item(kind, left_half, first, last))
            })
        })
    }

    fn stretch(&self, item: Item) -> Stretch {
        let (kind, left_half, first, last) = self.locate(item);
        let beyond = u32::from(!left_half && matches!(kind, HALF | SEALED));
        Stretch { start: 2 * first + u32::from(!left_half), end: 2 * last + 1 + beyond }
    }
}
