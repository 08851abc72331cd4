//! From words to features, by sums of random numbers.
//!
//! A feature is a template and the values of its slots. Every value in every slot of every template has a 64-bit random
//! number; the key of a feature is their sum, and its high bits say where its weight is. So the words of each role
//! can be summed up once a sentence, and a feature of a pair of words costs one addition.

use features::{GOLDEN, spread};

use super::attributes::Attributes;
use super::templates::Template;

/// The sums of each word in each role, for templates of one kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Codes {
    n_templates: usize,
    /// Templates that have a copy with the distance; they come first.
    n_distance: usize,
    /// By role, then position, then template.
    sums: Vec<u64>,
    width: usize,
}

impl Codes {
    pub(super) fn new(templates: &[Template], n_roles: usize, words: &Attributes) -> Codes {
        let (n_templates, width) = (templates.len(), words.width());
        let n_distance = templates.iter().filter(|template| template.distance).count();
        let mut sums = vec![0u64; n_roles * width * n_templates];
        for (at, template) in templates.iter().enumerate() {
            for (number, slot) in template.slots.iter().enumerate() {
                let salt = template.salt.wrapping_add(number as u64);
                for position in 0..width {
                    let value = words.at(position, slot.offset, slot.attribute);
                    let sum = &mut sums[(slot.role * width + position) * n_templates + at];
                    *sum = sum.wrapping_add(spread(value ^ spread(salt)));
                }
            }
        }
        Codes { n_templates, n_distance, sums, width }
    }

    /// The sums of a position in a role.
    #[inline]
    pub(super) fn row(&self, role: usize, position: usize) -> &[u64] {
        &self.sums[(role * self.width + position) * self.n_templates..][..self.n_templates]
    }

    /// Shows the keys of all features of a pair; `shape` tells directions apart, `length` also lengths.
    #[inline]
    pub(super) fn each_pair(&self, [a, b]: [usize; 2], shape: u64, length: u64, mut visit: impl FnMut(u64)) {
        let (a, b) = (self.row(0, a), self.row(1, b));
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            let key = a.wrapping_add(*b);
            visit(key.wrapping_add(shape));
            if at < self.n_distance {
                visit(key.wrapping_add(length));
            }
        }
    }

    /// The same for more words, one for each role.
    #[inline]
    pub(super) fn each(&self, positions: &[usize], shape: u64, length: u64, mut visit: impl FnMut(u64)) {
        for at in 0..self.n_templates {
            let rows = positions.iter().enumerate();
            let key =
                rows.fold(0u64, |key, (role, &position)| key.wrapping_add(self.row(role, position)[at]));
            visit(key.wrapping_add(shape));
            if at < self.n_distance {
                visit(key.wrapping_add(length));
            }
        }
    }
}

/// What is added to keys for the direction of an arc, and for direction and length.
#[inline]
pub(super) fn direction(head: usize, dependent: usize) -> (u64, u64) {
    let right = usize::from(head < dependent);
    let length = length_class(head.abs_diff(dependent));
    (SHAPES[right], SHAPES[2 + 2 * length + right])
}

/// The same for two arcs that share a word, or are one below the other.
#[inline]
pub(super) fn directions(first: (usize, usize), second: (usize, usize)) -> u64 {
    let right = |(head, dependent): (usize, usize)| usize::from(head < dependent);
    SHAPES[N_SHAPES - 4 + 2 * right(first) + right(second)]
}

const N_CLASSES: usize = 9;
const N_SHAPES: usize = 2 + 2 * N_CLASSES + 4;

/// 1, 2, 3, 4, 5–6, 7–9, 10–14, 15–29, 30 and more.
fn length_class(length: usize) -> usize {
    match length {
        0..=4 => length.saturating_sub(1),
        5..=6 => 4,
        7..=9 => 5,
        10..=14 => 6,
        15..=29 => 7,
        _ => 8,
    }
}

static SHAPES: [u64; N_SHAPES] = shapes();

const fn shapes() -> [u64; N_SHAPES] {
    let mut shapes = [0; N_SHAPES];
    let mut at = 0;
    while at < N_SHAPES {
        shapes[at] = spread((at as u64 + 0x5EEC).wrapping_mul(GOLDEN));
        at += 1;
    }
    shapes
}
