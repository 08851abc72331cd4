//! The end of the tour: a fragment becomes a tree.

use crate::use_cases::view::title;
use crate::watch::Watch;
use anyhow::Context;
use chain::Workers;
use draw::{Caption, TextStyle};
use formats::gfl;
use impute::convex::{self, ConvexOptions};
use impute::{Completed, Fragment};
use tree::{Head, PartialTree, Reading, Sentence, Text};

/// Somebody was sure of three things and left the rest.
const FRAGMENT: &str = "\
---
% ID village-09
% TEXT
The young farmer sells sweet mangoes at the market .
% POS TEXT
The/DET young/ADJ farmer/NOUN sells/VERB sweet/ADJ mangoes/NOUN at/ADP the/DET market/NOUN ./PUNCT
% ANNO
(The young farmer*) > sells**
mangoes > sells
";

/// Learns from the trees of the village and the fragment, and draws what comes of the fragment.
pub(super) fn run(
    trees: &[Sentence],
    workers: &Workers,
    style: &TextStyle,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let block = gfl::GflReader::new(FRAGMENT.as_bytes()).next().context("the demo has a fragment")??.value;
    let mut sentence = block.sentence();
    sentence
        .words_mut()
        .for_each(|word| word.upos = std::mem::replace(&mut word.xpos, Text::new_static("_")));
    let reading = Reading::default();
    let mut fragments = Vec::new();
    for tree in trees {
        fragments.push(Fragment::new(tree, &PartialTree::from_sentence(tree), &reading)?);
    }
    let fragment = Fragment::new(&sentence, &block.said, &reading)?;
    fragments.push(fragment.clone());
    let model = convex::train(&fragments, &ConvexOptions::default(), workers).model;
    let completed = model.complete(&fragment);
    let anno = block.section("ANNO").map(gfl::Section::text).unwrap_or_default();
    watch.print(&format!("Somebody was sure of this much:\n\n{}\n", indented(&anno)))?;
    let words: Vec<&str> = sentence.words().map(|word| word.form.as_str()).collect();
    let caption = Caption { id: String::new(), text: words.join(" ") };
    watch.print(&format!(
        "The rest comes from rules that hold in most languages and from {} trees; each arc with its probability:\n\n{}\n\n{}",
        trees.len(),
        title(trees.len() + 1, &caption),
        draw::dependency(&labelled(&sentence, &completed)).text(style)
    ))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// The tree with probabilities for relations.
fn labelled(sentence: &Sentence, completed: &Completed) -> Sentence {
    let mut sentence = sentence.clone();
    for (word, token) in (1..).zip(sentence.words_mut()) {
        let head = completed.heads.head(word);
        token.head = Head::Of(u32::try_from(head).unwrap_or(0));
        token.deprel = format!("{:.2}", completed.posteriors.of(head, word).min(1.0)).into();
    }
    sentence
}
