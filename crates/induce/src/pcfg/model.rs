//! An induced context-free grammar over tags, the file it is kept in, and parsing with it.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header};
use grammar::cnf::Emission;
use serde::{Deserialize, Serialize};
use tree::Span;

use super::{BracketDecode, Pcfg, PcfgMemory, PcfgSentence};
use crate::dmv::model::Tags;
use crate::family::Family;

/// The kind of model files.
pub const KIND: &str = "model/cnf";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

/// So much of every distribution is even when sentences are parsed.
const EVEN: f64 = 1e-3;

/// A grammar and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PcfgModel {
    /// The tags, which are the preterminals.
    pub tags: Tags,
    /// How many nonterminals there are.
    pub nonterminals: usize,
    /// θ, by event.
    pub grammar: Vec<f64>,
    /// Whether tags are those of the language (XPOS) and not the universal ones.
    pub fine_tags: bool,
    /// Whether punctuation is left out.
    pub punctuation: bool,
    /// How the grammar came about.
    pub notes: BTreeMap<String, String>,
}

/// The family of grammars over these tags.
pub fn family_of(tags: &Tags, nonterminals: usize) -> Pcfg {
    Pcfg::new(nonterminals, Emission::Tags(tags.len()))
}

/// A sentence as such grammars see it.
pub fn number<'a>(tags: &Tags, sentence: impl IntoIterator<Item = &'a str>) -> PcfgSentence {
    PcfgSentence { words: tags.number(sentence).tags }
}

impl PcfgModel {
    /// The family.
    pub fn family(&self) -> Pcfg {
        family_of(&self.tags, self.nonterminals)
    }

    /// The grammar that sentences are parsed with: no event is impossible.
    pub fn smoothed(&self, family: &Pcfg) -> Vec<f64> {
        family.rows().mixed(&self.grammar, EVEN)
    }

    /// The brackets of a sentence, outer before inner, the whole sentence included.
    pub fn parse(
        &self,
        family: &Pcfg,
        weights: &[f64],
        sentence: &PcfgSentence,
        decode: BracketDecode,
        memory: &mut PcfgMemory,
    ) -> Option<Vec<Span>> {
        family.parse(sentence, weights, decode, memory)
    }

    /// Writes the model.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.into(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model.
    pub fn read(path: &Path) -> Result<PcfgModel, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model): (_, PcfgModel)| model)
    }
}
