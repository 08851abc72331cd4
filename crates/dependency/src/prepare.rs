//! From annotated sentences to examples.

use chain::Workers;
use tree::{Symbols, Text};

use super::attributes::{Attribute, Attributes};
use super::example::{Annotated, Example};
use super::model::DependencyModel;
use super::options::DependencyOptions;
use super::progress::Used;

/// What there is to learn from.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) examples: Vec<Example>,
    /// The number of each example among the annotated sentences.
    pub(super) numbers: Vec<usize>,
    pub(super) used: Used,
}

impl Prepared {
    pub(super) fn new(data: &[Annotated], options: &DependencyOptions, workers: &Workers) -> Prepared {
        let made = workers.map(data, |_, item| {
            let words = Attributes::new(&item.sentence, options);
            Example::new(words, &item.possible, options.shape, pull(item, options), item.weight)
        });
        let mut prepared = Prepared { examples: Vec::new(), numbers: Vec::new(), used: Used::default() };
        for (number, made) in made.into_iter().enumerate() {
            let Some((example, relaxed)) = made else {
                prepared.used.unused += 1;
                continue;
            };
            prepared.used.relaxed += usize::from(relaxed);
            prepared.examples.push(example);
            prepared.numbers.push(number);
        }
        prepared.used.sentences = prepared.examples.len();
        prepared
    }
}

/// The relations of a model to start from, and then those of the data.
pub(super) fn relations(data: &[Annotated], start: Option<&DependencyModel>) -> Symbols {
    let known = |item: &'_ Annotated| -> Vec<Text> {
        let words = item.sentence.words().map(|token| token.deprel.clone());
        words.filter(|name| is_relation(name)).collect()
    };
    let names = start.into_iter().flat_map(|start| start.labels.names.iter().cloned());
    names.chain(data.iter().flat_map(known)).collect()
}

fn is_relation(name: &str) -> bool {
    !name.is_empty() && name != "_"
}

/// Attributes that are not asked for, or that no word has, which would only repeat what others say.
pub(super) fn is_wanted(attribute: Attribute, data: &[Annotated], options: &DependencyOptions) -> bool {
    if options.delexicalised {
        return attribute.is_tag();
    }
    let DependencyOptions { columns, clusters, vectors, tags, .. } = options;
    let mut words = data.iter().flat_map(|item| item.sentence.words());
    match attribute {
        Attribute::Fine => columns.other_tags && words.any(|token| is_relation(tags.other().of(token))),
        Attribute::Feats => columns.feats && words.any(|token| is_relation(&token.feats)),
        Attribute::Case => {
            columns.feats && words.any(|token| token.features().any(|(name, _)| name == "Case"))
        }
        Attribute::Cluster | Attribute::Cluster4 | Attribute::Cluster6 => clusters.is_some(),
        Attribute::Vector | Attribute::Vector4 | Attribute::Vector6 => vectors.is_some(),
        Attribute::FirstMorph | Attribute::LastMorph | Attribute::Stem => {
            words.any(|token| !token.morphs().is_empty())
        }
        _ => true,
    }
}

/// ρ times what the rules say of each arc.
fn pull(item: &Annotated, options: &DependencyOptions) -> Vec<f32> {
    if options.rule_pull == 0.0 {
        return Vec::new();
    }
    let tag = |token: &tree::Token| options.tags.of(token).clone();
    let tags: Vec<Text> = std::iter::once(Text::from("ROOT")).chain(item.sentence.words().map(tag)).collect();
    let weight =
        |head: &Text, dependent: &Text| (options.rule_pull * options.rules.weight(head, dependent)) as f32;
    tags[1..].iter().flat_map(|dependent| tags.iter().map(|head| weight(head, dependent))).collect()
}
