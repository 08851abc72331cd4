//! Tags of short sentences, and trees to judge by.

use arcs::dmv::DmvSentence;
use induce::dmv::model::Tags;

use crate::dependencies::{self, Gold};

/// The treebanks of Universal Dependencies: those with dev and test files that have the most training sentences of at most
/// ten words.
const UNIVERSAL: [&str; 8] = [
    "Telugu-MTG",
    "English-EWT",
    "Naija-NSC",
    "Uyghur-UDT",
    "Scottish_Gaelic-ARCOSG@2024-10",
    "French-Sequoia",
    "Turkish-IMST",
    "Wolof-WTB",
];

/// What is learned from, and what is judged by.
pub(super) struct Treebank {
    pub(super) name: String,
    pub(super) tags: Tags,
    pub(super) train: Vec<DmvSentence>,
    pub(super) held_out: Vec<DmvSentence>,
    /// The sentences that were learned from, with their trees.
    pub(super) seen: Vec<Gold>,
    /// Other sentences of any length.
    pub(super) test: Vec<Gold>,
}

impl Treebank {
    fn new(name: &str, train: Vec<Gold>, held_out: &[Gold], test: Vec<Gold>) -> Treebank {
        let tags = Tags::new(train.iter().flat_map(|gold| &gold.tags).map(|tag| tag.as_str()));
        let number = |all: &[Gold]| -> Vec<DmvSentence> {
            all.iter().map(|gold| tags.number(gold.tags.iter().map(|tag| tag.as_str()))).collect()
        };
        let (items, held_out) = (number(&train), number(held_out));
        Treebank { name: name.into(), train: items, held_out, seen: train, test, tags }
    }
}

/// Short sentences only.
fn short(all: Vec<Gold>) -> Vec<Gold> {
    all.into_iter().filter(|gold| gold.len() <= 10).collect()
}

/// The treebanks that were asked for, or all.
pub(super) fn treebanks(asked: &[String]) -> anyhow::Result<Vec<Treebank>> {
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|asked| name.starts_with(asked.as_str()));
    let mut all = Vec::new();
    if wanted("WSJ") {
        // There is no third file: every tenth short sentence is held out.
        let folder = "data/dependency/wsj_dep";
        let train = short(dependencies::read(&format!("{folder}/train.conll"))?);
        let is_held_out = |at: &usize| at % 10 == 9;
        let part = |held_out: bool| -> Vec<Gold> {
            let numbered = train.iter().enumerate().filter(|(at, _)| is_held_out(at) == held_out);
            numbered.map(|(_, gold)| gold.clone()).collect()
        };
        let test = dependencies::read(&format!("{folder}/dev.conll"))?;
        all.push(Treebank::new("WSJ", part(false), &part(true), test));
    }
    for name in UNIVERSAL.into_iter().filter(|name| wanted(name)) {
        let file = |part: &str| dependencies::read(&format!("data/dependency/ud/{name}/{part}.conllu"));
        all.push(Treebank::new(name, short(file("train")?), &short(file("dev")?), file("test")?));
    }
    Ok(all)
}
