//! How far annotators agree.

use super::people::{Given, People};
use super::percent;
use crate::table;
use ::score::agreement::{HeadAgreement, com_prec, gfl_agree, gfl_agree_strict, soft_com_prec};
use serde_json::{Value, json};

/// All pairs of annotators with sentences in common, and all annotators together.
pub(super) struct Agreement {
    pub(super) pairs: Vec<Pair>,
    all: HeadAgreement,
    all_strict: HeadAgreement,
}

/// Sums over the sentences that two annotators have in common.
pub(super) struct Pair {
    names: [String; 2],
    n_sentences: usize,
    com_prec: [f64; 2],
    soft_com_prec: [f64; 2],
    agree: HeadAgreement,
    strict: HeadAgreement,
    n_bounds: usize,
}

const HEADINGS: [&str; 10] = [
    "pair",
    "sentences",
    "comPrec 1|2",
    "comPrec 2|1",
    "softComPrec 1|2",
    "softComPrec 2|1",
    "gflAgree",
    "gflAgreeStrict",
    "tokens",
    "bounds",
];

impl Agreement {
    pub(super) fn new(people: &People<'_>) -> Self {
        let heads = people.heads();
        let n = people.names.len();
        let all_pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        let pairs = all_pairs.filter_map(|(one, other)| Pair::new(people, &heads, one, other)).collect();
        let (mut all, mut all_strict) = (HeadAgreement::default(), HeadAgreement::default());
        for heads in heads.iter().filter(|heads| heads.len() > 1) {
            let lists: Vec<Vec<Option<usize>>> = heads.iter().map(|(_, heads)| heads.clone()).collect();
            all.add(gfl_agree(&lists));
            all_strict.add(gfl_agree_strict(&lists));
        }
        Self { pairs, all, all_strict }
    }

    /// Means over pairs, each sentence of a pair counted once.
    fn overall(&self) -> Overall {
        let n: usize = self.pairs.iter().map(|pair| pair.n_sentences).sum();
        let mean = |of: fn(&Pair) -> f64| self.pairs.iter().map(of).sum::<f64>() / (2 * n).max(1) as f64;
        Overall {
            n_sentences: n,
            com_prec: mean(|pair| pair.com_prec.iter().sum()),
            soft_com_prec: mean(|pair| pair.soft_com_prec.iter().sum()),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut rows: Vec<Vec<String>> = self.pairs.iter().map(Pair::row).collect();
        let overall = self.overall();
        let mean = |value: f64| format!("{:.1}", 100.0 * value);
        rows.push(vec![
            "all".into(),
            overall.n_sentences.to_string(),
            mean(overall.com_prec),
            String::new(),
            mean(overall.soft_com_prec),
            String::new(),
            percent(self.all.value()),
            percent(self.all_strict.value()),
            self.all.n_tokens.to_string(),
            self.pairs.iter().map(|pair| pair.n_bounds).sum::<usize>().to_string(),
        ]);
        let mut text = table::render(&HEADINGS, &rows);
        text.push_str("tokens: with a head from at least two; bounds: figures whose numbers of trees are upper bounds\n");
        text
    }

    pub(super) fn json(&self) -> Value {
        let overall = self.overall();
        json!({
            "pairs": self.pairs.iter().map(Pair::json).collect::<Vec<_>>(),
            "overall": {
                "sentence_pairs": overall.n_sentences,
                "comPrec": overall.com_prec,
                "softComPrec": overall.soft_com_prec,
                "gflAgree": self.all.value(),
                "gflAgreeStrict": self.all_strict.value(),
                "tokens": self.all.n_tokens,
            },
        })
    }
}

struct Overall {
    n_sentences: usize,
    com_prec: f64,
    soft_com_prec: f64,
}

impl Pair {
    /// `None` if they have no sentence in common.
    fn new(people: &People<'_>, heads: &[Given], one: usize, other: usize) -> Option<Self> {
        let mut pair = Self {
            names: [one, other].map(|who| people.names[who].clone()),
            n_sentences: 0,
            com_prec: [0.0; 2],
            soft_com_prec: [0.0; 2],
            agree: HeadAgreement::default(),
            strict: HeadAgreement::default(),
            n_bounds: 0,
        };
        for (annotations, heads) in people.annotations.iter().zip(heads) {
            let at = |who: usize| annotations.iter().position(|(other, _)| *other == who);
            let (Some(first), Some(second)) = (at(one), at(other)) else { continue };
            pair.n_sentences += 1;
            let said = [&annotations[first].1.said, &annotations[second].1.said];
            for (side, (own, other)) in [(said[0], said[1]), (said[1], said[0])].into_iter().enumerate() {
                let (prec, soft) = (com_prec(own, other), soft_com_prec(own, other));
                pair.com_prec[side] += prec.value;
                pair.soft_com_prec[side] += soft.value;
                pair.n_bounds += usize::from(!prec.exact) + usize::from(!soft.exact);
            }
            let lists = [heads[first].1.clone(), heads[second].1.clone()];
            pair.agree.add(gfl_agree(&lists));
            pair.strict.add(gfl_agree_strict(&lists));
        }
        (pair.n_sentences > 0).then_some(pair)
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.n_sentences as f64
    }

    fn row(&self) -> Vec<String> {
        let mean = |sum: f64| format!("{:.1}", 100.0 * self.mean(sum));
        let mut row = vec![self.names.join(" – "), self.n_sentences.to_string()];
        row.extend(self.com_prec.into_iter().chain(self.soft_com_prec).map(mean));
        row.extend([percent(self.agree.value()), percent(self.strict.value())]);
        row.extend([self.agree.n_tokens.to_string(), self.n_bounds.to_string()]);
        row
    }

    fn json(&self) -> Value {
        json!({
            "annotators": self.names,
            "sentences": self.n_sentences,
            "comPrec": self.com_prec.map(|sum| self.mean(sum)),
            "softComPrec": self.soft_com_prec.map(|sum| self.mean(sum)),
            "gflAgree": self.agree.value(),
            "gflAgreeStrict": self.strict.value(),
            "tokens": self.agree.n_tokens,
            "upper_bounds": self.n_bounds,
        })
    }
}
