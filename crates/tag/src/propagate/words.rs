//! The graph of a corpus: types, tokens, and what they have in common.
//!
//! A token is tied to its type, to the word before it and to the word after it; a type to its prefixes and suffixes, its
//! shape, its form in lower case, and whatever else is known of it. Seeds are the types of a tag dictionary and tokens
//! whose tag is known. After Garrette & Baldridge (2013).

use chain::Workers;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::Text;

use super::adsorption::odds;
use super::{Adsorption, Edge, Graph, Seed, adsorb};
use crate::crf::Further;
use crate::{Choice, Corpus, Dictionary};

/// How much ties of each kind count; those of weight 0 are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeWeights {
    /// Between a token and its type.
    pub token: f32,
    /// Between a token and the word before it, or after it.
    pub context: f32,
    /// Between a type and a prefix or suffix.
    pub affix: f32,
    /// Between a type and its shape.
    pub shape: f32,
    /// Between a type and its form in lower case.
    pub lower: f32,
    /// Between a type and a further feature.
    pub further: f32,
}

impl Default for EdgeWeights {
    fn default() -> EdgeWeights {
        EdgeWeights { token: 1.0, context: 1.0, affix: 1.0, shape: 1.0, lower: 1.0, further: 1.0 }
    }
}

/// What the graph is made of, and how labels spread over it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphOptions {
    /// The ties.
    pub weights: EdgeWeights,
    /// The longest prefix and suffix, in characters.
    pub longest_affix: usize,
    /// How labels spread.
    pub adsorption: Adsorption,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        GraphOptions { weights: EdgeWeights::default(), longest_affix: 5, adsorption: Adsorption::default() }
    }
}

/// What a feature is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum FeatureKind {
    Prefix,
    Suffix,
    Shape,
    Lower,
    Further,
    Before,
    After,
}

type Feature = (FeatureKind, Text);

/// Labels of types, of tokens, and of words that were not in the text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredFeatures", into = "StoredFeatures")]
pub struct Propagated {
    n_tags: usize,
    n_types: usize,
    n_tokens: usize,
    rows: Vec<f32>,
    features: FxHashMap<Feature, u32>,
    /// How much each feature says, by its number.
    pulls: Vec<f32>,
    options: GraphOptions,
}

/// What is said of new words: a file has nothing of the types and tokens of the text.
#[derive(Serialize, Deserialize)]
struct StoredFeatures {
    n_tags: usize,
    /// In the order of their numbers.
    features: Vec<Feature>,
    rows: Vec<f32>,
    pulls: Vec<f32>,
    options: GraphOptions,
}

impl From<Propagated> for StoredFeatures {
    fn from(all: Propagated) -> StoredFeatures {
        let mut features: Vec<(Feature, u32)> = all.features.into_iter().collect();
        features.sort_unstable_by_key(|(_, number)| *number);
        let rows = all.rows[(all.n_types + all.n_tokens) * (all.n_tags + 1)..].to_vec();
        let features = features.into_iter().map(|(feature, _)| feature).collect();
        StoredFeatures { n_tags: all.n_tags, features, rows, pulls: all.pulls, options: all.options }
    }
}

impl TryFrom<StoredFeatures> for Propagated {
    type Error = &'static str;

    fn try_from(stored: StoredFeatures) -> Result<Propagated, Self::Error> {
        let StoredFeatures { n_tags, features, rows, pulls, options } = stored;
        let n = features.len();
        if pulls.len() != n
            || n_tags.checked_add(1).and_then(|width| width.checked_mul(n)) != Some(rows.len())
        {
            return Err("the labels of a tagger are damaged");
        }
        let features = features.into_iter().zip(0..).collect();
        Ok(Propagated { n_tags, n_types: 0, n_tokens: 0, rows, features, pulls, options })
    }
}

/// Spreads the tags of a dictionary, and the known tags of tokens, over all words of a corpus.
///
/// `further` gives features of a word besides those of its form, for instance the analyses of a transducer.
pub fn propagate(
    corpus: &Corpus,
    dictionary: &Dictionary,
    further: Further<'_>,
    options: &GraphOptions,
    workers: &Workers,
) -> Propagated {
    let mut builder =
        GraphBuilder { n_words: corpus.n_types() + corpus.n_tokens(), ..GraphBuilder::default() };
    builder.types(corpus, further, options);
    builder.tokens(corpus, options);
    let graph = Graph::new(builder.n_words + builder.features.len(), &builder.edges);
    let n_tags = dictionary.tags().len();
    let rows = adsorb(&graph, &seeds(corpus, dictionary), n_tags, &options.adsorption, workers);
    let pull = |node: usize| odds(graph.entropy(node), false, options.adsorption.beta)[1] as f32;
    Propagated {
        n_tags,
        n_types: corpus.n_types(),
        n_tokens: corpus.n_tokens(),
        rows,
        pulls: (builder.n_words..graph.n_nodes()).map(pull).collect(),
        features: builder.features,
        options: options.clone(),
    }
}

/// Every word of the dictionary gives each of its tags the same weight, or as many tokens as had it.
fn seeds(corpus: &Corpus, dictionary: &Dictionary) -> Vec<Seed> {
    let of_types = dictionary.iter().filter_map(|(word, tags)| {
        let labels = tags.iter().map(|&(tag, count)| (tag, count as f32)).collect();
        corpus.number(word).map(|node| Seed { node, labels })
    });
    let of_tokens = (0..corpus.n_tokens()).filter_map(|place| match corpus.choice(place) {
        Choice::Known(tag) => {
            Some(Seed { node: (corpus.n_types() + place) as u32, labels: vec![(*tag, 1.0)] })
        }
        _ => None,
    });
    of_types.chain(of_tokens).collect()
}

#[derive(Default)]
struct GraphBuilder {
    /// Types and tokens, whose nodes come before those of features.
    n_words: usize,
    features: FxHashMap<Feature, u32>,
    edges: Vec<Edge>,
}

impl GraphBuilder {
    fn feature(&mut self, feature: Feature) -> u32 {
        let next = self.features.len() as u32;
        *self.features.entry(feature).or_insert(next)
    }

    fn tie(&mut self, node: usize, feature: u32, weight: f32) {
        if weight > 0.0 {
            self.edges.push(Edge { nodes: [node as u32, self.n_words as u32 + feature], weight });
        }
    }

    fn types(&mut self, corpus: &Corpus, further: Further<'_>, options: &GraphOptions) {
        for (node, form) in corpus.forms().enumerate() {
            features_of(form, further, options, |feature, weight| {
                let feature = self.feature(feature);
                self.tie(node, feature, weight);
            });
        }
    }

    fn tokens(&mut self, corpus: &Corpus, options: &GraphOptions) {
        let EdgeWeights { token, context, .. } = options.weights;
        let (befores, afters) =
            (self.neighbours(corpus, FeatureKind::Before), self.neighbours(corpus, FeatureKind::After));
        for sentence in (0..corpus.n_sentences()).map(|number| corpus.sentence(number)) {
            for place in sentence.clone() {
                let node = corpus.n_types() + place;
                let word = |place: usize| corpus.words()[place] as usize + 1;
                let before = if place == sentence.start { 0 } else { word(place - 1) };
                let after = if place + 1 == sentence.end { 0 } else { word(place + 1) };
                self.edges.push(Edge { nodes: [node as u32, corpus.words()[place]], weight: token });
                self.tie(node, befores[before], context);
                self.tie(node, afters[after], context);
            }
        }
    }

    /// The features of having the edge of the sentence, or each word, on one side.
    fn neighbours(&mut self, corpus: &Corpus, kind: FeatureKind) -> Vec<u32> {
        let edge = self.feature((kind, Text::default()));
        std::iter::once(edge).chain(corpus.forms().map(|form| self.feature((kind, form.clone())))).collect()
    }
}

/// Shows the features of a type with their weights.
fn features_of(
    form: &str,
    further: Further<'_>,
    options: &GraphOptions,
    mut visit: impl FnMut(Feature, f32),
) {
    let weights = &options.weights;
    let lower: String = form.chars().flat_map(char::to_lowercase).collect();
    let ends: Vec<usize> = lower.char_indices().map(|(at, _)| at).chain([lower.len()]).collect();
    let n = ends.len() - 1;
    for length in 1..=options.longest_affix.min(n) {
        visit((FeatureKind::Prefix, Text::from(&lower[..ends[length]])), weights.affix);
        visit((FeatureKind::Suffix, Text::from(&lower[ends[n - length]..])), weights.affix);
    }
    let shape: String = features::shape_of(form).into_iter().collect();
    visit((FeatureKind::Shape, Text::from(shape)), weights.shape);
    visit((FeatureKind::Lower, Text::from(lower)), weights.lower);
    further(form, &mut |feature| visit((FeatureKind::Further, Text::from(feature)), weights.further));
}

impl Propagated {
    /// How probable each tag is for a word of the corpus, by its type; `None` if no label came there.
    pub fn of_type(&self, word: u32) -> Option<Vec<f64>> {
        self.row(word as usize)
    }

    /// The number of tags.
    pub fn n_tags(&self) -> usize {
        self.n_tags
    }

    /// How probable each tag is for the token at a place of the corpus.
    pub fn of_token(&self, place: usize) -> Option<Vec<f64>> {
        self.row(self.n_types + place)
    }

    /// How probable each tag is for any word, by its features only.
    pub fn of_form(&self, form: &str, further: Further<'_>) -> Option<Vec<f64>> {
        let mut sum = vec![0.0; self.n_tags];
        features_of(form, further, &self.options, |feature, weight| {
            let Some(&number) = self.features.get(&feature) else { return };
            let node = self.n_types + self.n_tokens + number as usize;
            let weight = f64::from(weight * self.pulls[number as usize]);
            let row = &self.rows[node * (self.n_tags + 1)..][..self.n_tags];
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * f64::from(*value));
        });
        normalised(sum)
    }

    fn row(&self, node: usize) -> Option<Vec<f64>> {
        let row = &self.rows[node * (self.n_tags + 1)..][..self.n_tags];
        normalised(row.iter().map(|&value| f64::from(value)).collect())
    }
}

/// Shares that sum to 1; `None` if all are 0.
fn normalised(mut row: Vec<f64>) -> Option<Vec<f64>> {
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= total);
    (total > 0.0).then_some(row)
}
