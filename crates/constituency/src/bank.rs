//! A treebank in numbers: what training looks at again and again.

use chain::Workers;
use forest::substates::fixed::Node;
use grammar::codec::{CodecError, Coded};
use grammar::lexicon::TaggedForm;
use grammar::{Codec, CodecOptions, Inventory, Level, Lexicon, LexiconOptions};
use tree::{Text, Tree};

/// How trees and words are prepared.
#[derive(Debug, Clone, Default)]
pub struct BankOptions {
    /// Trees.
    pub codec: CodecOptions,
    /// Words.
    pub lexicon: LexiconOptions,
}

/// Trees as nodes with rules, and the counts of the coarse grammar.
#[derive(Debug, Clone)]
pub struct Bank {
    /// Labels and rules.
    pub codec: Codec,
    /// Words.
    pub lexicon: Lexicon,
    /// All rules.
    pub inventory: Inventory,
    /// The trees in preorder, lexical rules included.
    pub trees: Vec<Vec<Node>>,
    /// How often each rule occurs, lexical rules included.
    pub counts: Vec<f64>,
}

impl Bank {
    /// Learns rules and lexicon; trees that cannot be used are listed with their places. `raw` is text whose
    /// words help to put words into clusters.
    pub fn new(
        trees: &[Tree<Text>],
        raw: &[Vec<Text>],
        options: &BankOptions,
        workers: &Workers,
    ) -> (Bank, Vec<(usize, CodecError)>) {
        let (codec, coded) = Codec::learn(trees, &options.codec);
        let mut problems = Vec::new();
        let mut usable: Vec<(Coded, Vec<&Text>)> = Vec::new();
        for (at, coded) in coded.into_iter().enumerate() {
            match coded {
                Ok(coded) => usable.push((coded, trees[at].words().collect())),
                Err(problem) => problems.push((at, problem)),
            }
        }
        let lexicon = Lexicon::learn(codec.rules(), &tokens(&usable), raw, &options.lexicon, workers);
        let inventory = Inventory::new(codec.rules().clone(), lexicon.rule_tags());
        let counts = vec![0.0; inventory.len()];
        let mut bank = Bank { codec, lexicon, inventory, trees: Vec::new(), counts };
        for (coded, words) in &usable {
            bank.push(coded, words);
        }
        (bank, problems)
    }

    /// How often each label is expanded.
    pub fn label_counts(&self) -> Vec<f64> {
        let rules = self.inventory.rules();
        let mut counts = vec![0.0; rules.labels().len()];
        for (rule, n) in (0..).zip(&self.counts) {
            let info = rules.info(self.inventory.head(rule));
            if info.level == Level::Inner {
                counts[info.label as usize] += n;
            }
        }
        counts
    }

    /// The distribution m_A of the coarse grammar over the rules of each head.
    ///
    /// A label may be a tag here and a phrase there; the lexicon divides the share of its words. A node that
    /// could stay what it is and never did gets a tenth of a count, so that it can.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.inventory.len()];
        for head in self.inventory.heads() {
            let rules = self.inventory.rules_of(head);
            let (lexical, structural): (Vec<u32>, Vec<u32>) =
                rules.iter().partition(|&&rule| self.inventory.is_lexical(rule));
            let seen = |rule: u32| f64::max(self.counts[rule as usize], LEAST_COUNT);
            let structure: f64 = structural.iter().map(|&rule| seen(rule)).sum();
            let words: f64 = lexical.iter().map(|&rule| self.counts[rule as usize]).sum();
            for &rule in &structural {
                means[rule as usize] = seen(rule) / (structure + words);
            }
            for &rule in &lexical {
                let share = self.lexicon.coarse()[(rule - self.inventory.first_lexical()) as usize];
                means[rule as usize] = share * words / (structure + words);
            }
        }
        means
    }

    fn push(&mut self, coded: &Coded, words: &[&Text]) {
        let mut nodes = coded.nodes.clone();
        for (at, ((node, tag), form)) in coded.tags.iter().zip(words).enumerate() {
            // Every token of the treebank was counted by the lexicon, so its rule is there.
            if let Some(rule) = self.lexicon.rule(form, at == 0, *tag) {
                nodes[*node as usize].rule = rule;
            }
        }
        nodes.iter().for_each(|node| self.counts[node.rule as usize] += 1.0);
        self.trees.push(nodes);
    }
}

const LEAST_COUNT: f64 = 0.1;

fn tokens<'a>(usable: &'a [(Coded, Vec<&'a Text>)]) -> Vec<Vec<TaggedForm<'a>>> {
    let sentence = |(coded, words): &'a (Coded, Vec<&'a Text>)| {
        coded.tags.iter().zip(words).map(|((_, tag), form)| TaggedForm { form, tag: *tag }).collect()
    };
    usable.iter().map(sentence).collect()
}
