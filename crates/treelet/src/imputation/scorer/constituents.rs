//! A grammar of `treelet train constituency` as a model that completes sentences: heads are those of its trees by head rules.

use crate::any_model::AnyModel;
use crate::models;
use crate::sentences::{Honoured, of_rows};
use arcs::Roots;
use chain::{Stream, Workers};
use constituency::ensemble::Workspace;
use constituency::{ParseOptions, Parser, generate};
use formats::brackets;
use grammar::anchor::Brackets;
use impute::admitted::Trees;
use impute::{ArcPosteriors, Fragment, drawn};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tree::sentence::UNSPECIFIED;
use tree::transform::{HeadRules, HeadStatistics, to_dependencies};
use tree::{Heads, Possible, PutInOrder, Sentence, Text};

/// So many trees are drawn for each sentence.
const DRAWS: usize = 200;
/// From so many trees of the grammar itself head rules are learned.
const GENERATED: usize = 1_000;
/// The trees of so many sentences are kept, so that they need not be drawn anew for every key.
const KEPT: usize = 1_000;

/// The grammar and the rules by which its constituents have heads.
pub(crate) struct HeadedGrammar {
    parser: Parser,
    rules: HeadRules,
    kept: Mutex<VecDeque<(DrawnFor, Draws)>>,
    /// How it came about.
    pub(super) notes: BTreeMap<String, String>,
}

type Draws = Arc<[Heads]>;

/// What trees are drawn for: words, tags, and constituents from a word to behind another.
#[derive(Clone, PartialEq, Eq)]
struct DrawnFor {
    words: Vec<Text>,
    tags: Vec<Option<Text>>,
    constituents: Vec<(u32, u32)>,
}

impl HeadedGrammar {
    /// Head rules are Collins' where the labels are those of the Penn Treebank. Otherwise they are learned, as from the trees
    /// of a file, from trees that the grammar draws by itself.
    pub(super) fn read(file: &AnyModel) -> anyhow::Result<Self> {
        let parser = models::parser(&file.path, &Workers::serial())?;
        let mut statistics = HeadStatistics::default();
        generate::trees(parser.model(), GENERATED, Stream::new(0))
            .iter()
            .for_each(|tree| statistics.see(tree));
        let rules = if statistics.is_penn() { HeadRules::english() } else { statistics.rules() };
        Ok(Self { parser, rules, kept: Mutex::default(), notes: file.header.notes.clone() })
    }

    /// The tree with the most probable arcs that keeps what was said.
    ///
    /// Arcs are counted in trees that are drawn from the grammar. Where hardly any of them keeps what was said, they are drawn
    /// among those that have the blocks as constituents, if there are any.
    pub(super) fn complete(
        &self,
        sentence: &Sentence,
        fragment: &Fragment,
    ) -> Option<(Heads, ArcPosteriors)> {
        let possible = &fragment.possible;
        let mut seen = self.seen(sentence, fragment);
        let mut draws = self.draws(&seen);
        // As for `treelet parse`, words count for more than tags.
        if draws.is_empty() && seen.tags.iter().any(Option::is_some) {
            seen.tags.fill(None);
            draws = self.draws(&seen);
        }
        if draws.is_empty() {
            return None;
        }
        if !drawn::are_enough(&draws, possible) {
            let with_blocks = self.draws(&DrawnFor { constituents: constituents(possible), ..seen });
            if !with_blocks.is_empty() {
                draws = with_blocks;
            }
        }
        let own = Trees { roots: Roots::One, projective: true };
        super::loosened(own).into_iter().find_map(|trees| drawn::complete(&draws, possible, trees))
    }

    /// Trees of the grammar for these words; none if it has none.
    fn draws(&self, seen: &DrawnFor) -> Draws {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, draws)) = kept().iter().find(|(of, _)| of == seen) {
            return Arc::clone(draws);
        }
        let mut brackets = Brackets::words(seen.words.clone());
        brackets.tags.clone_from(&seen.tags);
        brackets.constituents = seen.constituents.iter().map(|&(start, end)| (start, end, None)).collect();
        let options = ParseOptions { samples: DRAWS, ..ParseOptions::default() };
        let parsed = self.parser.parse(&brackets, &options, Stream::new(0), &mut Workspace::default());
        let draws: Draws =
            parsed.samples.iter().map(|tree| to_dependencies(tree, &self.rules).heads).collect();
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((seen.clone(), Arc::clone(&draws)));
        draws
    }

    /// The words as `treelet parse` reads them, and the first column of tags all of which the grammar knows: that in which tags are
    /// said, then the language's own, then the universal ones.
    fn seen(&self, sentence: &Sentence, fragment: &Fragment) -> DrawnFor {
        let words = of_rows(sentence, Honoured::default()).words;
        let rules = self.parser.inventory().rules();
        let is_known = |tag: &Text| {
            let mut tags = rules.categories().iter().filter(|info| info.has_words);
            tags.any(|info| rules.labels().get(info.label as usize) == Some(tag))
        };
        let column = |tags: &mut dyn Iterator<Item = &Text>| -> Vec<Option<Text>> {
            tags.map(|tag| (*tag != UNSPECIFIED).then(|| brackets::escape(tag))).collect()
        };
        let columns = [
            column(&mut fragment.tags.iter()),
            column(&mut sentence.words().map(|word| &word.xpos)),
            column(&mut sentence.words().map(|word| &word.upos)),
        ];
        let is_of_grammar = |tags: &Vec<Option<Text>>| {
            tags.iter().any(Option::is_some) && tags.iter().flatten().all(is_known)
        };
        let tags = columns.into_iter().find(is_of_grammar).unwrap_or_else(|| vec![None; words.len()]);
        DrawnFor { words, tags, constituents: Vec::new() }
    }
}

/// Blocks that are constituents in every projective tree, wider ones before those in them.
fn constituents(possible: &Possible) -> Vec<(u32, u32)> {
    let spans = possible.whole().brackets().iter().filter_map(|bracket| bracket.span);
    let mut constituents: Vec<_> = spans.map(|span| (span.start() as u32, span.end() as u32)).collect();
    constituents.order_by_key(|&(start, end)| (start, Reverse(end)));
    constituents.dedup();
    constituents
}
