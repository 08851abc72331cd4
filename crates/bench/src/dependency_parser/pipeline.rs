//! Parsers for new text from partial annotations: trained on them as they are, or on trees that were completed before.

use chain::Workers;
use dependency::{Annotated, DependencyOptions, ParseOptions, Workspace};
use impute::Fragment;
use tree::{Heads, Sentence};

use super::measure;

/// Trees for the fragments, as far as they are annotated in agreement with it, and for new sentences.
pub(crate) struct ImputedTrees {
    pub(crate) imputed: Vec<Heads>,
    pub(crate) parsed: Vec<Heads>,
}

/// Trains on fragments, completes them and parses new sentences.
pub(crate) fn run(
    train: &[Fragment],
    test: &[Fragment],
    options: &DependencyOptions,
    workers: &Workers,
) -> anyhow::Result<ImputedTrees> {
    let known: Vec<Annotated> = train.iter().map(annotated).collect();
    let model = measure::train(&known, options, workers)?;
    let options = ParseOptions::default();
    let imputed = workers.map_with(&known, Workspace::default, |workspace, _, known| {
        model.parse(&known.sentence, Some(&known.possible), &options, workspace).heads
    });
    let sentences: Vec<Sentence> = test.iter().map(sentence).collect();
    let parsed = model.parse_all(&sentences, &options, workers);
    Ok(ImputedTrees { imputed, parsed: parsed.into_iter().map(|parsed| parsed.heads).collect() })
}

fn annotated(fragment: &Fragment) -> Annotated {
    Annotated { sentence: sentence(fragment), possible: fragment.possible.clone(), weight: 1.0 }
}

fn sentence(fragment: &Fragment) -> Sentence {
    let mut sentence = Sentence::from_forms(fragment.forms.iter().cloned());
    for (token, tag) in sentence.words_mut().zip(&fragment.tags) {
        token.upos = tag.clone();
    }
    sentence
}
