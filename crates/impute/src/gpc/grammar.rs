//! Completing with a grammar that was learned otherwise, as by `treelet induce dmv`.

use std::collections::BTreeMap;

use arcs::Roots;
use arcs::dmv::DmvShape;
use tree::{Heads, Side, Text};

use super::prepare::Prepared;
use super::{DmvPrior, Drawer, GpcModel, GpcOptions, Vocabulary};
use crate::{ArcPosteriors, Completed, Fragment};

impl GpcModel {
    /// A completer with these parameters. They are numbered by a [`DmvShape`] over the tags in the order given, and one more
    /// for all others.
    pub fn of_grammar(tags: &[Text], valence: bool, parameters: &[f64]) -> GpcModel {
        let vocabulary = Vocabulary::of_tags(tags);
        let options = GpcOptions { valence, roots: Roots::One, ..GpcOptions::default() };
        let prior = DmvPrior::new(&vocabulary, &options);
        let theirs = DmvShape::new(tags.len() + 1, 0, valence);
        let parameters = renumbered(tags, &vocabulary, [&prior.shape, &theirs], parameters);
        GpcModel::new(vocabulary, prior, options, Vec::new(), BTreeMap::new()).with_parameters(parameters)
    }

    /// The same as [`complete`](GpcModel::complete), but that some words, such as punctuation marks, are put aside. No head of
    /// theirs may be ruled out. They hang from the word that hangs from the root, as probably as that word does so. If the
    /// others have no tree without them, they take part.
    pub fn complete_without(&self, fragment: &Fragment, aside: &[usize]) -> Completed {
        let drawer = &mut Drawer::default();
        let prepared = Prepared::without(fragment, &self.vocabulary, self.options.roots, aside, drawer);
        if aside.is_empty() || !prepared.is_usable() || !fragment.possible.is_exact() {
            return self.complete(fragment);
        }
        let Completed { heads, mut posteriors, .. } = self.completed(&prepared, drawer);
        let tops: Vec<(usize, f64)> =
            prepared.kept.iter().map(|&word| (word, posteriors.of(0, word))).collect();
        for &word in aside {
            hang(word, &tops, &mut posteriors);
        }
        Completed { heads: hung(&heads, &prepared.kept, aside), posteriors, samples: vec![], given_up: false }
    }
}

/// The parameters in the order of the vocabulary.
fn renumbered(
    tags: &[Text],
    vocabulary: &Vocabulary,
    [shape, theirs]: [&DmvShape; 2],
    parameters: &[f64],
) -> Vec<f64> {
    let mut ours = vec![0.0; shape.len()];
    // What damaged files do not have never happens.
    let of = |event: usize| parameters.get(event).copied().unwrap_or(0.0);
    let numbers: Vec<u32> =
        tags.iter().map(|tag| vocabulary.tag(tag)).chain([vocabulary.n_tags() as u32 - 1]).collect();
    for stops in [false, true] {
        ours[shape.root_stop(stops)] = of(theirs.root_stop(stops));
    }
    for (their_head, &head) in (0..).zip(&numbers) {
        ours[shape.root(head)] = of(theirs.root(their_head));
        for side in [Side::Left, Side::Right] {
            for has in [false, true] {
                for stops in [false, true] {
                    ours[shape.stop(head, side, has, stops)] = of(theirs.stop(their_head, side, has, stops));
                }
                for (their_tag, &tag) in (0..).zip(&numbers) {
                    ours[shape.choice(head, side, has, tag)] =
                        of(theirs.choice(their_head, side, has, their_tag));
                }
            }
        }
    }
    ours
}

/// A word depends on each of the others as probably as that one hangs from the root. Where there may be several roots, it is as
/// if one of them were picked.
fn hang(word: usize, tops: &[(usize, f64)], posteriors: &mut ArcPosteriors) {
    let total: f64 = tops.iter().map(|(_, p)| p).sum();
    let row = posteriors.row_mut(word);
    row.fill(0.0);
    for &(top, p) in tops {
        row[top] = p / total;
    }
}

/// The tree with the words that were put aside.
fn hung(heads: &Heads, kept: &[usize], aside: &[usize]) -> Heads {
    let top = kept.iter().copied().find(|&word| heads.head(word) == 0).unwrap_or(0);
    let head = |word: usize| if aside.contains(&word) { top } else { heads.head(word) } as u32;
    Heads::new((1..=heads.len()).map(head).collect()).unwrap_or_else(|_| heads.clone())
}
