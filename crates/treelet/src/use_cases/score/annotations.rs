//! Partial annotations: how much they commit to, how far two of them agree, and how right they are.
//!
//! Items are paired by their ids where both files have them, and by their order otherwise; annotators skip
//! sentences, so an id that only one file has is counted and not compared.

use super::{BySentence, Loaded, Report, Scored};
use ::score::Counts;
use ::score::agreement::{
    HeadAgreement, com_prec, committed_arcs, definite_heads, gfl_agree, gfl_agree_strict, soft_com_prec,
};
use ::score::commitment::{self, Nodes};
use anyhow::bail;
use formats::everything::Item;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tree::{PartialTree, PutTogether, Sentence};

/// How partial annotations compare.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotationScores {
    /// Means over sentences, and agreement over words, in percent.
    pub figures: Vec<(&'static str, Option<f64>)>,
    /// Sentences that were compared.
    pub n_sentences: usize,
    /// Sentences that only one file has.
    pub n_unpaired: usize,
    /// Words with a head in both.
    pub n_agreed_tokens: usize,
    /// Counts of trees that are upper bounds.
    pub n_bounds: usize,
    /// Arcs of both.
    pub arcs: Counts,
}

/// An annotated sentence.
struct ScoredSentence {
    id: Option<String>,
    said: PartialTree,
    /// The heads of a whole tree, where the file has one.
    gold: Option<Vec<Option<usize>>>,
}

pub(super) fn score(gold: &Loaded, system: &Loaded) -> anyhow::Result<Scored> {
    let (one, other) = (annotated(gold), annotated(system));
    let (pairs, n_unpaired) = pairs(&one, &other)?;
    let mut sums = Sums { n_unpaired, ..Sums::default() };
    for (number, (gold, system)) in (1..).zip(pairs) {
        if gold.said.n_words != system.said.n_words {
            bail!(
                "sentence {number} ({}) has {} words, but {} in gold; tokenise alike",
                system.id.as_deref().unwrap_or("no id"),
                system.said.n_words,
                gold.said.n_words
            );
        }
        sums.add(gold, system);
    }
    let figures = sums.figures();
    let json = sums.json(&figures);
    let report = AnnotationScores {
        n_sentences: sums.n_sentences,
        n_unpaired: sums.n_unpaired,
        n_agreed_tokens: sums.agree.n_tokens,
        n_bounds: sums.n_bounds,
        arcs: sums.arcs(),
        figures,
    };
    Ok(Scored {
        name: system.path.clone(),
        headline: report
            .figures
            .iter()
            .filter(|(name, _)| name.starts_with("gfl") || name.contains("arcs"))
            .copied()
            .collect(),
        figures: json,
        semantics: None,
        report: Report::Annotations(report.into()),
        by_sentence: BySentence { figure: "F1 of committed arcs", counts: sums.arcs },
    })
}

fn annotated(loaded: &Loaded) -> Vec<ScoredSentence> {
    let of_block = |item: &Item| match item {
        Item::Annotation(block) if !block.tokens.is_empty() => {
            Some(ScoredSentence { id: block.id.clone(), said: block.said.clone(), gold: None })
        }
        _ => None,
    };
    let of_sentence = |sentence: &Sentence| ScoredSentence {
        id: sentence.id().map(str::to_string),
        said: PartialTree::from_sentence(sentence),
        gold: Some(sentence.partial_heads().iter().map(|head| head.map(|head| head as usize)).collect()),
    };
    let blocks = loaded.items.iter().filter_map(of_block);
    blocks.chain(loaded.sentences.iter().map(of_sentence)).collect()
}

type Pairs<'a> = Vec<(&'a ScoredSentence, &'a ScoredSentence)>;

/// Sentences to compare, and how many are in one file only.
fn pairs<'a>(one: &'a [ScoredSentence], other: &'a [ScoredSentence]) -> anyhow::Result<(Pairs<'a>, usize)> {
    let by_id: BTreeMap<&str, &ScoredSentence> =
        one.iter().filter_map(|item| Some((item.id.as_deref()?, item))).into_map();
    if by_id.len() == one.len() && other.iter().all(|item| item.id.is_some()) {
        let partner = |item: &'a ScoredSentence| Some((*by_id.get(item.id.as_deref()?)?, item));
        let pairs: Pairs<'_> = other.iter().filter_map(partner).collect();
        if pairs.is_empty() && !other.is_empty() {
            bail!(
                "no sentence has an id that gold has too; give the same ids, or leave them out in both files"
            );
        }
        let n_unpaired = one.len().abs_diff(pairs.len()) + other.len().abs_diff(pairs.len());
        return Ok((pairs, n_unpaired));
    }
    if one.len() != other.len() {
        bail!(
            "{} sentences, but {} in gold; give both files ids, or the same sentences",
            other.len(),
            one.len()
        );
    }
    Ok((one.iter().zip(other).collect(), 0))
}

/// What is added up over sentences.
#[derive(Default)]
struct Sums {
    n_sentences: usize,
    n_unpaired: usize,
    n_bounds: usize,
    commitment: [f64; 2],
    com_prec: [f64; 2],
    soft_com_prec: [f64; 2],
    agree: HeadAgreement,
    strict: HeadAgreement,
    arcs: Vec<Counts>,
}

impl Sums {
    fn add(&mut self, gold: &ScoredSentence, system: &ScoredSentence) {
        self.n_sentences += 1;
        for (side, (own, other)) in [(gold, system), (system, gold)].into_iter().enumerate() {
            let measures = commitment::measure(&own.said, &Nodes::Mentioned);
            let (prec, soft) = (com_prec(&own.said, &other.said), soft_com_prec(&own.said, &other.said));
            self.commitment[side] += measures.commitment().unwrap_or(0.0);
            self.com_prec[side] += prec.value;
            self.soft_com_prec[side] += soft.value;
            self.n_bounds += usize::from(!(measures.promiscuity.exact && prec.exact && soft.exact));
        }
        let heads = [definite_heads(&gold.said), definite_heads(&system.said)];
        self.agree.add(gfl_agree(&heads));
        self.strict.add(gfl_agree_strict(&heads));
        let gold_heads = gold.gold.as_ref().unwrap_or(&heads[0]);
        self.arcs.push(committed_arcs(&heads[1], gold_heads));
    }

    fn arcs(&self) -> Counts {
        let mut sum = Counts::default();
        self.arcs.iter().for_each(|counts| sum += *counts);
        sum
    }

    /// Means over sentences, agreement over tokens, in percent.
    fn figures(&self) -> Vec<(&'static str, Option<f64>)> {
        let mean = |sum: f64| (self.n_sentences > 0).then(|| 100.0 * sum / self.n_sentences as f64);
        let agreement = |agreement: HeadAgreement| agreement.value().map(|value| 100.0 * value);
        let arcs = self.arcs();
        vec![
            ("com of gold", mean(self.commitment[0])),
            ("com of test", mean(self.commitment[1])),
            ("comPrec of gold", mean(self.com_prec[0])),
            ("comPrec of test", mean(self.com_prec[1])),
            ("softComPrec of gold", mean(self.soft_com_prec[0])),
            ("softComPrec of test", mean(self.soft_com_prec[1])),
            ("gflAgree", agreement(self.agree)),
            ("gflAgreeStrict", agreement(self.strict)),
            ("precision of arcs", Some(100.0 * arcs.precision())),
            ("recall of arcs", Some(100.0 * arcs.recall())),
        ]
    }

    fn json(&self, figures: &[(&'static str, Option<f64>)]) -> Map<String, Value> {
        let mut json = Map::from_iter([
            ("sentences".to_string(), json!(self.n_sentences)),
            ("unpaired".to_string(), json!(self.n_unpaired)),
            ("upper_bounds".to_string(), json!(self.n_bounds)),
            ("agreed_tokens".to_string(), json!(self.agree.n_tokens)),
        ]);
        json.extend(figures.iter().map(|(name, value)| (name.replace(" of ", "_"), json!(value))));
        let arcs = self.arcs();
        json.insert("arcs".into(), json!({"correct": arcs.matched, "gold": arcs.gold, "test": arcs.system}));
        json
    }
}
