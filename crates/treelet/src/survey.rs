//! What is found out by looking at all trees of a file before they are changed.

use crate::source::Source;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use tree::transform::{Conventions, HeadRules, HeadStatistics, Normalisation, normalise};
use tree::{Text, Tree};

/// How the trees of a file are normalised, by the way in which it writes what nobody said.
pub(crate) fn normalisation(source: &Source, watch: &dyn Watch) -> anyhow::Result<Normalisation> {
    let mut conventions = Conventions::default();
    each_tree(source, |tree| conventions.see(&tree))?;
    if conventions.has_lemmas() {
        watch.note(&format!(
            "note: words of {} have their lemmas behind them (word-lemma); --normalise takes the lemmas out",
            source.name()
        ));
    }
    Ok(conventions.normalisation())
}

/// Head rules that nobody gave.
pub(crate) struct FoundRules {
    pub(crate) rules: HeadRules,
    /// As a file has them, if they were learned.
    pub(crate) text: Option<String>,
}

/// Rules for the labels of a file: Collins' where they are the Penn Treebank's, otherwise, or if that is asked for,
/// rules that are learned from the labels. A note says which.
pub(crate) fn head_rules(
    source: &Source,
    normalisation: Option<&Normalisation>,
    must_learn: bool,
    watch: &dyn Watch,
) -> anyhow::Result<FoundRules> {
    let mut statistics = HeadStatistics::default();
    let mut n_trees = 0;
    each_tree(source, |tree| {
        n_trees += 1;
        match normalisation {
            Some(normalisation) => {
                normalise(&tree, normalisation).iter().for_each(|tree| statistics.see(tree))
            }
            None => statistics.see(&tree),
        }
    })?;
    let name = source.name();
    if statistics.is_penn() && !must_learn {
        watch.note(&format!(
            "note: {name} has the labels of the Penn Treebank, so heads are found by --head-rules english"
        ));
        return Ok(FoundRules { rules: HeadRules::english(), text: None });
    }
    if n_trees > 0 && !must_learn {
        watch.note(&format!(
            "note: heads are found by rules learned from the labels of {} in {name}; look at them with \
             --save-head-rules FILE, and see docs/head-rules.md",
            plural(n_trees, "tree")
        ));
    }
    Ok(FoundRules { rules: statistics.rules(), text: Some(statistics.rules_text()) })
}

fn each_tree(source: &Source, mut see: impl FnMut(Tree<Text>)) -> anyhow::Result<()> {
    for reading in everything::items(Format::Brackets, source.open()?) {
        if let Item::Tree(bracketed) = reading.with_context(|| source.cannot_read())?.value {
            bracketed.tree.into_iter().for_each(&mut see);
        }
    }
    Ok(())
}
