//! Small random sentences, what was said of them, and all their trees.

use arcs::Roots;
use arcs::second_order::{Grandparent, Sibling, Side};
use chain::Rng;
use tree::Possible;
use tree::{Arc, Group, GroupKind, Heads, Node, PartialTree, Place, Reading, Sentence};

use crate::attributes::{Attributes, TagColumn};
use crate::parts::PartFeatures;
use crate::shape::TreeShape;
use crate::table::Table;
use crate::templates::Templates;

pub(super) const TEMPLATES: &str = "
arc: m.tag
arc: h.tag m.tag +distance
arc: h.form m.form
arc: h-1.tag m+1.tag
arc: h.tag b.tag m.tag
sibling: h.tag s.tag m.tag
sibling: s.form m.form
grandparent: g.tag h.tag m.tag
grandparent: g.form m+1.tag
label: h.tag m.tag +distance
label: m.form
label: g.tag s.tag m.tag
label: l.tag r.form
";

pub(super) const SHAPES: [TreeShape; 4] = [
    TreeShape { projective: true, roots: Roots::One },
    TreeShape { projective: true, roots: Roots::Many },
    TreeShape { projective: false, roots: Roots::One },
    TreeShape { projective: false, roots: Roots::Many },
];

pub(super) fn templates() -> Templates {
    Templates::read(TEMPLATES).unwrap()
}

pub(super) fn sentence(rng: &mut Rng, n_words: usize) -> Sentence {
    let mut sentence = Sentence::from_forms((0..n_words).map(|_| ["a", "b", "c", "d"][rng.below(4)]));
    for token in sentence.words_mut() {
        token.upos = ["N", "V", "D"][rng.below(3)].into();
    }
    sentence
}

pub(super) fn attributes(rng: &mut Rng, n_words: usize) -> Attributes {
    Attributes::new(&sentence(rng, n_words), TagColumn::Upos)
}

/// Weights of at most ten binary digits, whose sums are exact.
pub(super) fn table(rng: &mut Rng, bits: u32, width: usize, size: f64) -> Table {
    let mut table = Table::zero(bits, width);
    for weight in &mut table.values {
        *weight = ((rng.uniform() * 2.0 - 1.0) * size * 512.0).round() as f32 / 512.0;
    }
    table
}

/// A random tree over the words that are kept.
pub(super) fn tree(rng: &mut Rng, kept: &[usize], n_words: usize, shape: TreeShape) -> Vec<usize> {
    let mut heads = vec![0; n_words];
    if shape.projective {
        let several = shape.roots == Roots::Many && rng.uniform() < 0.3;
        hang(rng, kept, 0, several, &mut heads);
    } else {
        let mut order = kept.to_vec();
        rng.shuffle(&mut order);
        for (rank, &word) in order.iter().enumerate().skip(1) {
            heads[word - 1] = order[rng.below(rank)];
        }
    }
    heads
}

/// Hangs the words from a head, in one stretch or in several.
fn hang(rng: &mut Rng, words: &[usize], head: usize, several: bool, heads: &mut [usize]) {
    if words.is_empty() {
        return;
    }
    let n_first = if several { 1 + rng.below(words.len()) } else { words.len() };
    let (stretch, rest) = words.split_at(n_first);
    let top = rng.below(stretch.len());
    heads[stretch[top] - 1] = head;
    hang(rng, &stretch[..top], stretch[top], true, heads);
    hang(rng, &stretch[top + 1..], stretch[top], true, heads);
    hang(rng, rest, head, several, heads);
}

/// Some of what is true of a random tree: arcs, roots, brackets, arcs that are not there, words that are left out.
pub(super) fn said(rng: &mut Rng, n_words: usize, shape: TreeShape, share: f64) -> Possible {
    let omits = rng.uniform() < 0.3;
    let kept: Vec<usize> = (1..=n_words).filter(|_| !omits || rng.uniform() < 0.8).collect();
    let heads = tree(rng, &kept, n_words, shape);
    let tree = Heads::new(heads.iter().map(|&head| head as u32).collect()).unwrap();
    let mut said = PartialTree::new(n_words);
    let place = Place::default();
    said.mentioned = kept.clone();
    for &word in &kept {
        let (dependent, head) = (Node::Word(word), heads[word - 1]);
        if rng.uniform() < share {
            match head {
                0 => said.roots.push((dependent, place)),
                head => said.arcs.push(Arc { head: Node::Word(head), dependent, place }),
            }
        }
        let other = 1 + rng.below(n_words);
        if rng.uniform() < share && other != head && other != word && kept.contains(&other) {
            said.forbidden.push(Arc { head: Node::Word(other), dependent, place });
        }
        let members: Vec<usize> = kept.iter().copied().filter(|&other| tree.dominates(word, other)).collect();
        if members.len() > 1 && rng.uniform() < share {
            let members = members.into_iter().map(Node::Word).collect();
            let head = (rng.uniform() < 0.5).then_some(dependent);
            said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place });
        }
    }
    let reading = Reading { omit_unmentioned: omits, ..Reading::default() };
    let possible = Possible::new(&said, &reading).unwrap();
    assert!(possible.admits(&tree), "{said:?} {tree:?}");
    possible
}

/// A piece of a tree that has a score of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    Arc(usize, usize),
    Sibling(Sibling),
    Grandparent(Grandparent),
}

/// The list of all trees over some words.
pub(super) fn trees(n_words: usize, left_out: &[bool], shape: TreeShape) -> Vec<Vec<usize>> {
    let kept: Vec<usize> = (1..=n_words).filter(|&word| !left_out[word]).collect();
    let mut lists = vec![vec![0; n_words]];
    for &word in &kept {
        let heads = || [0].into_iter().chain(kept.iter().copied()).filter(|&head| head != word);
        let with = |list: &Vec<usize>, head: usize| {
            let mut list = list.clone();
            list[word - 1] = head;
            list
        };
        lists = lists.iter().flat_map(|list| heads().map(|head| with(list, head))).collect();
    }
    lists.retain(|heads| {
        let n_roots = kept.iter().filter(|&&word| heads[word - 1] == 0).count();
        (shape.roots == Roots::Many || n_roots <= 1)
            && kept.iter().all(|&word| reaches_root(heads, word))
            && (!shape.projective || kept.iter().all(|&word| covers_its_own(heads, &kept, word)))
    });
    lists
}

fn reaches_root(heads: &[usize], word: usize) -> bool {
    let mut at = word;
    for _ in 0..heads.len() {
        at = heads[at - 1];
        if at == 0 {
            return true;
        }
    }
    false
}

/// Every word under an arc descends from its head.
fn covers_its_own(heads: &[usize], kept: &[usize], word: usize) -> bool {
    let head = heads[word - 1];
    let descends = |mut at: usize| {
        while at != head && at != 0 {
            at = heads[at - 1];
        }
        at == head
    };
    kept.iter().all(|&under| under <= word.min(head) || under >= word.max(head) || descends(under))
}

/// The pieces of a tree, with siblings and grandparents in the second order.
pub(super) fn pieces(heads: &[usize], left_out: &[bool], second: bool) -> Vec<Piece> {
    let kept: Vec<usize> = (1..=heads.len()).filter(|&word| !left_out[word]).collect();
    let mut pieces: Vec<Piece> = kept.iter().map(|&word| Piece::Arc(heads[word - 1], word)).collect();
    if !second {
        return pieces;
    }
    for &dependent in kept.iter().filter(|&&word| heads[word - 1] > 0) {
        let head = heads[dependent - 1];
        pieces.push(Piece::Grandparent(Grandparent { grandparent: heads[head - 1], head, dependent }));
    }
    for head in [0].into_iter().chain(kept.iter().copied()) {
        let of = |&word: &usize| heads[word - 1] == head;
        let left: Vec<usize> = kept.iter().rev().copied().filter(|&word| word < head).filter(of).collect();
        let right: Vec<usize> = kept.iter().copied().filter(|&word| word > head).filter(of).collect();
        for (side, outwards) in [(Side::Left, left), (Side::Right, right)] {
            if head == 0 && side == Side::Left {
                continue;
            }
            let ends = || [None].into_iter();
            let line: Vec<Option<usize>> =
                ends().chain(outwards.into_iter().map(Some)).chain(ends()).collect();
            for pair in line.windows(2) {
                pieces.push(Piece::Sibling(Sibling { head, side, inner: pair[0], outer: pair[1] }));
            }
        }
    }
    pieces
}

/// Shows the keys of the features of a piece.
pub(super) fn each_key(features: &PartFeatures, piece: Piece, visit: impl FnMut(u64)) {
    match piece {
        Piece::Arc(head, dependent) => features.arcs.each(head, dependent, visit),
        Piece::Sibling(part) => features.each_sibling(part, visit),
        Piece::Grandparent(part) => features.each_grandparent(part, visit),
    }
}

/// Σ weight of the features of the pieces.
pub(super) fn score(features: &PartFeatures, table: &Table, pieces: &[Piece]) -> f64 {
    let mut sum = 0.0;
    for &piece in pieces {
        each_key(features, piece, |key| sum += f64::from(table.weight(key)));
    }
    sum
}

pub(super) fn as_heads(heads: &[usize]) -> Heads {
    Heads::new(heads.iter().map(|&head| head as u32).collect()).unwrap()
}

pub(super) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}
