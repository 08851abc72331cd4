//! How far annotators agree.

use super::people::{Given, People};
use ::score::agreement::{HeadAgreement, com_prec, gfl_agree, gfl_agree_strict, soft_com_prec};
use serde::Serialize;
use tree::PartialTree;

/// All pairs of annotators with sentences in common, and all annotators together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// All together.
    pub overall: Overall,
}

/// Two annotators: means over the sentences that they have in common, as shares of 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// Their names.
    pub annotators: [String; 2],
    /// Sentences in common.
    pub sentences: usize,
    /// comPrec of the first given the second, and the other way round.
    #[serde(rename = "comPrec")]
    pub com_prec: [f64; 2],
    /// softComPrec of the first given the second, and the other way round.
    #[serde(rename = "softComPrec")]
    pub soft_com_prec: [f64; 2],
    /// How far they agree on heads.
    #[serde(flatten)]
    pub heads: Heads,
    /// Figures whose numbers of trees are upper bounds.
    pub upper_bounds: usize,
}

/// All annotators together. Commitments are means over pairs, each sentence of a pair counted once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// Sentences, counted once for each pair.
    pub sentence_pairs: usize,
    /// Mean comPrec.
    #[serde(rename = "comPrec")]
    pub com_prec: f64,
    /// Mean softComPrec.
    #[serde(rename = "softComPrec")]
    pub soft_com_prec: f64,
    /// How far they agree on heads.
    #[serde(flatten)]
    pub heads: Heads,
}

/// Agreement on heads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Heads {
    /// The mean share of those who gave the commonest head; `None` if no word has two heads.
    #[serde(rename = "gflAgree")]
    pub agree: Option<f64>,
    /// The same in its stricter form.
    #[serde(rename = "gflAgreeStrict")]
    pub strict: Option<f64>,
    /// Words with a head from at least two.
    pub tokens: usize,
}

/// Sums from which [`Heads`] are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadSums {
    agree: HeadAgreement,
    strict: HeadAgreement,
}

impl HeadSums {
    pub(crate) fn add(&mut self, lists: &[Vec<Option<usize>>]) {
        self.agree.add(gfl_agree(lists));
        self.strict.add(gfl_agree_strict(lists));
    }

    pub(crate) fn heads(&self) -> Heads {
        Heads { agree: self.agree.value(), strict: self.strict.value(), tokens: self.agree.n_tokens }
    }
}

impl Agreement {
    pub(super) fn new(people: &People<'_>) -> Self {
        let heads = people.heads();
        let n = people.names.len();
        let all_pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        let sums: Vec<PairSums> =
            all_pairs.filter_map(|(one, other)| PairSums::new(people, &heads, one, other)).collect();
        let mut all = HeadSums::default();
        for heads in heads.iter().filter(|heads| heads.len() > 1) {
            let lists: Vec<Vec<Option<usize>>> = heads.iter().map(|(_, heads)| heads.clone()).collect();
            all.add(&lists);
        }
        let n: usize = sums.iter().map(|pair| pair.n_sentences).sum();
        let mean = |of: fn(&PairSums) -> f64| sums.iter().map(of).sum::<f64>() / (2 * n).max(1) as f64;
        let overall = Overall {
            sentence_pairs: n,
            com_prec: mean(|pair| pair.com_prec.iter().sum()),
            soft_com_prec: mean(|pair| pair.soft_com_prec.iter().sum()),
            heads: all.heads(),
        };
        Self { pairs: sums.into_iter().map(PairSums::pair).collect(), overall }
    }
}

/// How far each of two annotations of a sentence is borne out by the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SentencePair {
    /// comPrec of the first given the second, and the other way round.
    pub(crate) com_prec: [f64; 2],
    /// The same for softComPrec.
    pub(crate) soft_com_prec: [f64; 2],
    /// Figures whose numbers of trees are upper bounds.
    pub(crate) n_bounds: usize,
}

impl SentencePair {
    pub(crate) fn new(one: &PartialTree, other: &PartialTree) -> Self {
        let mut pair = Self::default();
        for (side, (own, other)) in [(one, other), (other, one)].into_iter().enumerate() {
            let (prec, soft) = (com_prec(own, other), soft_com_prec(own, other));
            pair.com_prec[side] = prec.value;
            pair.soft_com_prec[side] = soft.value;
            pair.n_bounds += usize::from(!prec.exact) + usize::from(!soft.exact);
        }
        pair
    }
}

/// Sums over the sentences that two annotators have in common.
struct PairSums {
    names: [String; 2],
    n_sentences: usize,
    com_prec: [f64; 2],
    soft_com_prec: [f64; 2],
    heads: HeadSums,
    n_bounds: usize,
}

impl PairSums {
    /// `None` if they have no sentence in common.
    fn new(people: &People<'_>, heads: &[Given], one: usize, other: usize) -> Option<Self> {
        let mut pair = Self {
            names: [one, other].map(|who| people.names[who].clone()),
            n_sentences: 0,
            com_prec: [0.0; 2],
            soft_com_prec: [0.0; 2],
            heads: HeadSums::default(),
            n_bounds: 0,
        };
        for (annotations, heads) in people.annotations.iter().zip(heads) {
            let at = |who: usize| annotations.iter().position(|(other, _)| *other == who);
            let (Some(first), Some(second)) = (at(one), at(other)) else { continue };
            pair.n_sentences += 1;
            let here = SentencePair::new(&annotations[first].1.said, &annotations[second].1.said);
            let add = |sums: &mut [f64; 2], here: [f64; 2]| {
                sums.iter_mut().zip(here).for_each(|(sum, here)| *sum += here);
            };
            add(&mut pair.com_prec, here.com_prec);
            add(&mut pair.soft_com_prec, here.soft_com_prec);
            pair.n_bounds += here.n_bounds;
            pair.heads.add(&[heads[first].1.clone(), heads[second].1.clone()]);
        }
        (pair.n_sentences > 0).then_some(pair)
    }

    fn pair(self) -> Pair {
        let mean = |sum: f64| sum / self.n_sentences as f64;
        Pair {
            annotators: self.names,
            sentences: self.n_sentences,
            com_prec: self.com_prec.map(mean),
            soft_com_prec: self.soft_com_prec.map(mean),
            heads: self.heads.heads(),
            upper_bounds: self.n_bounds,
        }
    }
}
