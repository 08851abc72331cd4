//! The length of a description: of the words as morphs, of the morphs as letters, and of annotated words.
//!
//! With N morph tokens of M types with counts c_m in W words, the words cost (Creutz & Lagus 2007, Virpioja et al. 2013)
//!
//! α · [(N + W) log(N + W) − W log W − Σ_m c_m log c_m] + log (N − 1)! − log (M − 1)! − log (N − M)!
//!
//! where each word ends in a boundary token and the factorials say which counts the M types have. With L letters of A types
//! with counts l_a in those M morphs, and A⁺ = A + 1 for the boundary, the lexicon costs
//!
//! (L + M) log(L + M) − M log M − Σ_a l_a log l_a − log M! + log (L + M − 1)! − log (A⁺ − 1)! − log (L + M − A⁺)!
//!
//! where − log M! forgets the order of morphs. With annotated words whose D boundaries and T morph tokens (of which t_m are
//! m) are coded by the same model, and a penalty for morphs that it lacks, annotations cost
//!
//! β · [(T + D) log(N + W) − D log W − Σ_m t_m log c_m]

use crate::logs::Logs;

/// The length of a description in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Words as sequences of morphs.
    pub corpus: f64,
    /// Morphs as sequences of letters.
    pub lexicon: f64,
    /// Annotated words.
    pub annotations: f64,
}

impl Cost {
    /// The length of the whole.
    pub fn total(&self) -> f64 {
        self.corpus + self.lexicon + self.annotations
    }
}

/// The logarithm of the probability of a morph that annotations have and the lexicon has not.
pub(crate) const PENALTY: f64 = -9999.9;

/// How much each part of the description counts, and how much there is that training does not change.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) corpus: f64,
    pub(crate) annotations: f64,
    pub(crate) annotated_words: u64,
    pub(crate) annotated_morphs: u64,
}

/// The numbers on which the frame of a cost depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Sizes {
    /// Word tokens: W.
    pub(crate) words: u64,
    /// Morph tokens: N.
    pub(crate) tokens: u64,
    /// Morph types: M.
    pub(crate) types: u64,
    /// Letters of morph types: L.
    pub(crate) letters: u64,
    /// Kinds of letters ever seen: A.
    pub(crate) alphabet: u64,
}

/// The sums over types, by which costs fall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    /// Σ_m c_m log c_m.
    pub(crate) morphs: f64,
    /// Σ_a l_a log l_a.
    pub(crate) letters: f64,
    /// Σ_m t_m log c_m, with the penalty where c_m = 0.
    pub(crate) annotated: f64,
}

/// The three costs.
pub(crate) fn cost(logs: &Logs, weights: &Weights, sizes: &Sizes, sums: &Sums) -> Cost {
    let mut cost = Cost::default();
    if sizes.words > 0 {
        cost.corpus =
            corpus_frame(logs, weights, sizes, sizes.tokens, sizes.types) - weights.corpus * sums.morphs;
    }
    if sizes.types > 0 {
        cost.lexicon = lexicon_frame(logs, sizes, sizes.letters, sizes.types) - sums.letters;
    }
    if weights.annotated_words > 0 {
        cost.annotations =
            annotation_frame(logs, weights, sizes, sizes.tokens) - weights.annotations * sums.annotated;
    }
    cost
}

/// What words cost before the sum over morphs is subtracted, if there are so many tokens and types.
#[inline]
pub(crate) fn corpus_frame(logs: &Logs, weights: &Weights, sizes: &Sizes, tokens: u64, types: u64) -> f64 {
    let frequencies = match types {
        0 => 0.0,
        _ => {
            logs.ln_factorial(tokens.saturating_sub(1))
                - logs.ln_factorial(types - 1)
                - logs.ln_factorial(tokens.saturating_sub(types))
        }
    };
    weights.corpus * (logs.n_ln_n(tokens + sizes.words) - logs.n_ln_n(sizes.words)) + frequencies
}

/// What the lexicon costs before the sum over letters is subtracted, if it has so many letters and types.
#[inline]
pub(crate) fn lexicon_frame(logs: &Logs, sizes: &Sizes, letters: u64, types: u64) -> f64 {
    let all = letters + types;
    let frequencies = match sizes.alphabet {
        0 => 0.0,
        alphabet => {
            logs.ln_factorial(all.saturating_sub(1))
                - logs.ln_factorial(alphabet)
                - logs.ln_factorial(all.saturating_sub(alphabet + 1))
        }
    };
    logs.n_ln_n(all) - logs.n_ln_n(types) - logs.ln_factorial(types) + frequencies
}

/// What annotations cost before the sum over their morphs is subtracted, if the corpus has so many tokens.
#[inline]
pub(crate) fn annotation_frame(logs: &Logs, weights: &Weights, sizes: &Sizes, tokens: u64) -> f64 {
    if weights.annotated_words == 0 {
        return 0.0;
    }
    let (words, morphs) = (weights.annotated_words as f64, weights.annotated_morphs as f64);
    weights.annotations * ((morphs + words) * logs.ln(tokens + sizes.words) - words * logs.ln(sizes.words))
}
