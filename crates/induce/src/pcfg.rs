//! Context-free grammars in Chomsky normal form as a family of multinomials: constituents from text.

pub mod gibbs;
pub mod model;

use grammar::cnf::{Chart, CnfShape, Emission, Laid, Tree};
use serde::{Deserialize, Serialize};
use tree::Span;

use crate::family::{Family, Rows};

/// The grammar over so many nonterminals.
#[derive(Debug, Clone, PartialEq)]
pub struct Pcfg {
    shape: CnfShape,
    rows: Rows,
}

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PcfgSentence {
    /// The words, or tags where these are all that is seen, as numbers.
    pub words: Vec<u32>,
}

/// Charts.
#[derive(Debug, Default)]
pub struct PcfgMemory {
    pub(crate) chart: Chart,
}

/// Which brackets a sentence gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BracketDecode {
    /// Those of the best tree.
    Viterbi,
    /// Those of which most are expected to be right.
    #[default]
    Mbr,
}

impl Pcfg {
    /// So many nonterminals over preterminals that emit words or are tags.
    pub fn new(n_nonterminals: usize, emission: Emission) -> Pcfg {
        let shape = CnfShape::new(n_nonterminals, emission);
        Pcfg { rows: Rows::new(shape.rows()), shape }
    }

    /// How events are numbered.
    pub fn shape(&self) -> &CnfShape {
        &self.shape
    }

    /// The grammar over a sentence.
    pub fn laid<'a>(&'a self, item: &'a PcfgSentence, weights: &'a [f64]) -> Laid<'a> {
        Laid { shape: &self.shape, weights, words: &item.words }
    }

    /// The best tree; `None` where every one has weight 0.
    pub fn viterbi(&self, item: &PcfgSentence, weights: &[f64]) -> Option<(Tree, f64)> {
        Chart::best(&self.laid(item, weights))
    }

    /// The brackets of a sentence over two words or more, the whole sentence included, outer before inner; `None` where
    /// every tree has weight 0.
    pub fn parse(
        &self,
        item: &PcfgSentence,
        weights: &[f64],
        decode: BracketDecode,
        memory: &mut PcfgMemory,
    ) -> Option<Vec<Span>> {
        let laid = self.laid(item, weights);
        match decode {
            BracketDecode::Viterbi => Chart::best(&laid).map(|(tree, _)| tree.brackets()),
            BracketDecode::Mbr => {
                memory.chart.fill(&laid);
                memory.chart.mbr(&laid)
            }
        }
    }
}

impl Family for Pcfg {
    type Item = PcfgSentence;
    type Memory = PcfgMemory;

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn rows_of(&self, item: &PcfgSentence) -> Vec<usize> {
        let nonterminals = self.shape.n_nonterminals();
        let first = match item.words.len() {
            0 => return Vec::new(),
            1 => 1 + nonterminals,
            _ => 1,
        };
        std::iter::once(0).chain(first..self.rows.len()).collect()
    }

    fn expect(
        &self,
        item: &PcfgSentence,
        weights: &[f64],
        memory: &mut PcfgMemory,
        counts: &mut [f64],
    ) -> f64 {
        let laid = self.laid(item, weights);
        let ln_total = memory.chart.fill(&laid);
        memory.chart.add_events(&laid, 1.0, counts);
        ln_total
    }

    fn best(&self, item: &PcfgSentence, weights: &[f64], _: &mut PcfgMemory, counts: &mut [f64]) -> f64 {
        let Some((tree, value)) = self.viterbi(item, weights) else { return f64::NEG_INFINITY };
        tree.events(&self.shape, &item.words, |event| counts[event] += 1.0);
        value
    }
}
