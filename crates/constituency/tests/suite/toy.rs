//! A toy grammar of which trees can be listed.
//!
//! It cannot recurse, so whatever θ and β are, its trees have at most four words. It has labels with an outer level, chains
//! below the root and elsewhere, several root labels, and a tag that is a phrase as well. All words but one are words of
//! their own; the other stands for the whole class of unseen words.

use chain::Workers;
use constituency::bank::{Bank, BankOptions};
use features::RareWords;
use grammar::Level;
use grammar::lexicon::LexiconOptions;
use testkit::twin::trees;

const TREEBANK: &str = "(S (A a) (B b))
(S (A (B a) (B b)) (A a))
(S (A (B b)) (B a))
(S (A b) (A (B a)))
(S (A a) (A (B b) (B b)))
(S (A (B b) (B a)))
(B b)
(S (A a))
";

pub(crate) fn bank() -> Bank {
    let lexicon = LexiconOptions {
        rare: Some(1),
        n_clusters: Some(1),
        rare_words: RareWords::ClusterOnly,
        ..LexiconOptions::default()
    };
    let options = BankOptions { lexicon, ..BankOptions::default() };
    let (bank, problems) = Bank::new(&trees(TREEBANK, 100), &[], &options, &Workers::serial());
    assert!(problems.is_empty());
    let categories = bank.inventory.rules().categories();
    assert!(categories.iter().any(|info| info.level == Level::Outer), "no outer category");
    bank
}
