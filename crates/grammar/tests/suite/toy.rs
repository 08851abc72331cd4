//! A grammar with its words, learnt from a few trees.

use chain::Workers;
use grammar::codec::Coded;
use grammar::lexicon::TaggedForm;
use grammar::{Codec, CodecOptions, Inventory, Lexicon, LexiconOptions, Reading, Rules};
use testkit::cfg::{Listed, Used};
use testkit::twin::derivation;
use tree::{Text, Tree};

/// A grammar with its words.
#[derive(Debug)]
pub(crate) struct Toy {
    pub(crate) codec: Codec,
    pub(crate) lexicon: Lexicon,
    pub(crate) inventory: Inventory,
}

/// The grammar of some trees, in which all words are words of their own.
pub(crate) fn learn(trees: &[Tree<Text>], options: &CodecOptions) -> (Toy, Vec<Coded>) {
    let (codec, coded) = Codec::learn(trees, options);
    let coded: Vec<Coded> = coded.into_iter().map(Result::unwrap).collect();
    let words: Vec<Vec<&Text>> = trees.iter().map(|tree| tree.words().collect()).collect();
    let tokens: Vec<Vec<TaggedForm<'_>>> = coded
        .iter()
        .zip(&words)
        .map(|(coded, words)| {
            coded.tags.iter().zip(words).map(|((_, tag), form)| TaggedForm { form, tag: *tag }).collect()
        })
        .collect();
    let lexicon_options = LexiconOptions { rare: Some(2), ..LexiconOptions::default() };
    let lexicon = Lexicon::learn(codec.rules(), &tokens, &[], &lexicon_options, &Workers::serial());
    let inventory = Inventory::new(codec.rules().clone(), lexicon.rule_tags());
    (Toy { codec, lexicon, inventory }, coded)
}

impl Toy {
    pub(crate) fn rules(&self) -> &Rules {
        self.codec.rules()
    }

    pub(crate) fn read(&self, words: &[Text]) -> Vec<Reading> {
        words.iter().enumerate().map(|(at, word)| self.lexicon.read(word, at == 0)).collect()
    }

    /// The tree that the rules in preorder stand for.
    pub(crate) fn decode(&self, words: &[Text], steps: &[Used]) -> Tree<Text> {
        let spans = grammar::anchor::spans(self.rules(), words.len()).unwrap();
        let derivation = derivation(self.rules(), spans, steps);
        self.codec.decode(&derivation, words, grammar::codec::category_of(spans))
    }
}

/// Σ of the weights.
pub(crate) fn total<'a>(trees: impl IntoIterator<Item = &'a Listed>) -> f64 {
    trees.into_iter().map(|tree| tree.weight).sum()
}

/// Whether two logarithms are the same but for rounding; both may be −∞.
pub(crate) fn same_ln(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-9
}
