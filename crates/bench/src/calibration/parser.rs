//! Heads and relations that dependency parsers find in test files.

use chain::Workers;
use dependency::{DependencyOptions, ParseOptions};
use num::confidence::{Guess, bins};
use tree::Head;

use super::Curve;
use crate::dependency_parser::{self, Treebank};

const TREEBANKS: [&str; 4] = ["Wolof-WTB", "Erzya-JR", "Uyghur-UDT", "Naija-NSC"];

pub(super) fn curves(n_sentences: usize, workers: &Workers) -> anyhow::Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for name in TREEBANKS {
        let treebank = dependency_parser::treebank(name)?.thinned(n_sentences);
        curves.extend(of_treebank(&treebank, workers)?);
    }
    Ok(curves)
}

fn of_treebank(treebank: &Treebank, workers: &Workers) -> anyhow::Result<[Curve; 2]> {
    let model = dependency_parser::trained(&treebank.train, &DependencyOptions::default(), workers)?;
    let blank: Vec<_> = treebank.test.iter().map(dependency_parser::without_tree).collect();
    let options = ParseOptions { posteriors: true, ..ParseOptions::default() };
    let parsed = model.parse_all(&blank, &options, workers);
    let (mut arcs, mut relations) = (Vec::new(), Vec::new());
    for (gold, parsed) in treebank.test.iter().zip(&parsed) {
        let Some(posteriors) = &parsed.posteriors else { continue };
        for (word, token) in (1..).zip(gold.words()) {
            let head = parsed.heads.head(word);
            let is_right = token.head == Head::Of(head as u32);
            arcs.push(Guess { confidence: posteriors.of(head, word).min(1.0), is_right });
            // A relation is that of an arc; where the arc is wrong, there is none that is right.
            if is_right {
                let (relation, confidence) = &parsed.relations[word - 1];
                relations.push(Guess { confidence: *confidence, is_right: *relation == token.deprel });
            }
        }
    }
    Ok([
        Curve::new("parsed arcs", &treebank.name, bins(&arcs)),
        Curve::new("relations", &treebank.name, bins(&relations)),
    ])
}
