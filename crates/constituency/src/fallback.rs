//! A makeshift tree for a sentence that the grammar cannot parse.

use grammar::Category;
use grammar::anchor::{Brackets, ConstraintError};
use grammar::codec::plain;
use grammar::shape::BARE;
use tree::{Text, Tree, TreeBuilder};

use super::model::Model;
use super::parser::{Fallback, Parsed};

/// The brackets that were given, over words with their likeliest tags, under the commonest top label.
pub(super) fn parsed(model: &Model, sentence: &Brackets, problem: ConstraintError) -> Parsed {
    Parsed {
        trees: vec![(flat(model, sentence), 0.0)],
        constituents: Vec::new(),
        samples: Vec::new(),
        ln_probability: f64::NEG_INFINITY,
        fallback: Some(Fallback::Pieces(problem)),
    }
}

fn flat(model: &Model, sentence: &Brackets) -> Tree<Text> {
    let top = top_labels(model);
    let n_words = sentence.words.len() as u32;
    let mut builder = TreeBuilder::new();
    // A tree always has a topmost constituent: the given one, or the grammar's.
    let given_top = sentence.constituents.iter().any(|&(start, end, _)| start == 0 && end == n_words);
    let own_top: &[Text] = if given_top { &[] } else { &top };
    own_top.iter().for_each(|label| builder.open(label.clone()));
    for (at, word) in (0u32..).zip(&sentence.words) {
        for (_, _, label) in sentence.constituents.iter().filter(|bracket| bracket.0 == at) {
            builder.open(label.clone().or_else(|| top.last().cloned()).unwrap_or_default());
        }
        let given = sentence.tags.get(at as usize).cloned().flatten();
        let tag = given.or_else(|| likeliest_tag(model, word, at == 0));
        if let Some(tag) = &tag {
            builder.open(tag.clone());
        }
        builder.word(word.clone());
        if tag.is_some() {
            builder.close();
        }
        for _ in sentence.constituents.iter().filter(|bracket| bracket.1 == at + 1) {
            builder.close();
        }
    }
    own_top.iter().for_each(|_| {
        builder.close();
    });
    builder.finish().unwrap_or_else(|| Tree::word(Text::default()))
}

/// The labels of the root's commonest rule.
fn top_labels(model: &Model) -> Vec<Text> {
    let rules = model.codec.rules();
    let best = rules.unary_of(rules.root()).max_by(|a, b| {
        let mean = |rule: u32| model.means[rule as usize];
        mean(a.0).total_cmp(&mean(b.0))
    });
    let Some((_, rule)) = best else { return Vec::new() };
    let chain = rule.chain.iter().flatten().map(|&label| rules.labels()[label as usize].clone());
    let tail = Text::new(rules.label(rule.tail));
    let is_phrase = rules.binary_of(rule.tail).next().is_some();
    let phrase = is_phrase.then(|| tail.clone());
    let labels: Vec<Text> =
        chain.chain(phrase).filter(|label| label != BARE).map(|label| plain(&label)).collect();
    // A grammar of single words has no phrase, but several words must stand under something.
    if labels.is_empty() { vec![if tail == BARE { Text::new("X") } else { plain(&tail) }] } else { labels }
}

fn likeliest_tag(model: &Model, word: &str, first: bool) -> Option<Text> {
    let reading = model.lexicon.read(word, first);
    let score = |(rule, _, factor): &(u32, Category, f64)| model.means[*rule as usize] * factor;
    let best = reading.tags.iter().max_by(|a, b| score(a).total_cmp(&score(b)))?;
    let label = model.codec.rules().label(best.1);
    (label != BARE).then(|| plain(label))
}
