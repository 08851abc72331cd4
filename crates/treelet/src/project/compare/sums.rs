//! Measures of agreement, summed over sentences.

use super::figures::Compared;
use super::scope::Scope;
use crate::committed::Commitments;
use crate::project::voices::{Voices, called};
use crate::use_cases::agree::pairs::HeadSums;
use score::nominal::Kappa;
use serde::Serialize;

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What scripts know it by.
    pub name: &'static str,
    /// The figure; nothing where there is nothing to compare.
    pub value: Option<f64>,
    /// The sentences, pairs of analyses of a sentence, or words that it is a mean over.
    pub n: u64,
}

/// Two annotators.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairOfAnnotators {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// Sentences that both annotated.
    pub sentences: usize,
    /// comPrec of the one given the other, and the other way round.
    #[serde(rename = "comPrec")]
    pub com_prec: [Option<f64>; 2],
    /// softComPrec of the one given the other, and the other way round.
    #[serde(rename = "softComPrec")]
    pub soft_com_prec: [Option<f64>; 2],
    /// KnownFigures, as of everybody.
    pub measures: Vec<Measure>,
}

/// AgreementSums over sentences.
#[derive(Default)]
pub(super) struct AgreementSums {
    pub(super) n_sentences: usize,
    pub(super) n_words: usize,
    committed: Commitments,
    n_committed: u64,
    /// Of the first of each pair, and of the second.
    com_prec: [f64; 2],
    soft_com_prec: [f64; 2],
    n_sides: [u64; 2],
    heads: HeadSums,
    /// Heads, relations, tags.
    kappas: [Kappa<String>; 3],
}

/// Whether what an annotator said of a sentence counts, both by their places.
pub(super) type IsCounted<'a> = &'a dyn Fn(usize, usize) -> bool;

impl AgreementSums {
    /// Over what these annotators said, or over the part of it that counts.
    pub(super) fn of(
        voices: &Voices,
        compared: &Compared,
        scope: &Scope,
        counts: Option<IsCounted<'_>>,
    ) -> Self {
        let mut sums = Self::default();
        let is_part = counts.is_some();
        for (place, (of, figures)) in voices.sentences.iter().zip(&compared.sentences).enumerate() {
            let is_in = |who: usize| counts.is_none_or(|counts| counts(place, who));
            let mut heads = Vec::new();
            for (voice, of_voice) in of.voices.iter().zip(&figures.of_voices) {
                if scope.members.contains(&voice.who) && is_in(voice.who) {
                    sums.n_sentences += 1;
                    sums.n_words += of.forms.len();
                    sums.n_committed += u64::from(of_voice.committed.is_some());
                    sums.committed.add_measured(of_voice.committed);
                    heads.push(of_voice.heads.clone());
                }
            }
            // Of all that was said, the members of a group are seen at once; of a part, and of one of them, two at a time.
            let at_once = !scope.with_everybody && !is_part;
            if at_once && heads.len() > 1 {
                sums.heads.add(&heads);
            }
            for (&(one, other), pair) in &figures.of_pairs {
                let [who, whose] = [one, other].map(|at| of.voices[at].who);
                let [first, second] = scope.sides(who, whose);
                let sides = [first && is_in(who), second && is_in(whose)];
                if sides == [false; 2] {
                    continue;
                }
                for (side, _) in sides.iter().enumerate().filter(|(_, is_side)| **is_side) {
                    sums.com_prec[side] += pair.com_prec[side];
                    sums.soft_com_prec[side] += pair.soft_com_prec[side];
                    sums.n_sides[side] += 1;
                }
                let [a, b] = [one, other].map(|at| &figures.of_voices[at]);
                if !at_once {
                    sums.heads.add(&[a.heads.clone(), b.heads.clone()]);
                }
                // Who is looked at comes first.
                let (a, b) = if sides == [false, true] { (b, a) } else { (a, b) };
                sums.add_labels(&a.labels, &b.labels);
            }
        }
        sums
    }

    fn add_labels(&mut self, one: &[Vec<Option<String>>; 3], other: &[Vec<Option<String>>; 3]) {
        for (kappa, (one, other)) in self.kappas.iter_mut().zip(one.iter().zip(other)) {
            for (a, b) in one.iter().zip(other) {
                if let (Some(a), Some(b)) = (a, b) {
                    kappa.add(a.clone(), b.clone(), 1);
                }
            }
        }
    }

    /// All figures, in their order.
    pub(super) fn measures(&self) -> Vec<Measure> {
        let n_pairs = self.n_sides.iter().sum::<u64>();
        let mean = |sums: [f64; 2]| (n_pairs > 0).then(|| sums.iter().sum::<f64>() / n_pairs as f64);
        let heads = self.heads.heads();
        let mut measures = vec![
            Measure { name: "com", value: self.committed.mean(|one| one.exact), n: self.n_committed },
            Measure { name: "comPrec", value: mean(self.com_prec), n: n_pairs },
            Measure { name: "softComPrec", value: mean(self.soft_com_prec), n: n_pairs },
            Measure { name: "gflAgree", value: heads.agree, n: heads.tokens as u64 },
        ];
        let names = [("heads", "heads_kappa"), ("relations", "relations_kappa"), ("tags", "tags_kappa")];
        for ((agreed, beyond_chance), kappa) in names.into_iter().zip(&self.kappas) {
            let n = kappa.n_units();
            measures.push(Measure { name: agreed, value: kappa.observed(), n });
            measures.push(Measure { name: beyond_chance, value: kappa.value(), n });
        }
        measures
    }
}

/// All pairs of annotators with sentences in common.
pub(super) fn pairs(voices: &Voices, compared: &Compared) -> Vec<PairOfAnnotators> {
    let n = voices.people.len();
    let all = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let pair = |(one, other): (usize, usize)| {
        let sums = AgreementSums::of(voices, compared, &Scope::pair(one, other), None);
        let [n_sentences, _] = sums.n_sides;
        let mean = |sums: [f64; 2]| sums.map(|sum| (n_sentences > 0).then(|| sum / n_sentences as f64));
        (n_sentences > 0).then(|| PairOfAnnotators {
            one: called(&voices.people[one]),
            other: called(&voices.people[other]),
            sentences: n_sentences as usize,
            com_prec: mean(sums.com_prec),
            soft_com_prec: mean(sums.soft_com_prec),
            // How far each of the two commits herself stands in the rows of the two.
            measures: sums.measures().into_iter().filter(|measure| measure.name != "com").collect(),
        })
    };
    all.filter_map(pair).collect()
}
