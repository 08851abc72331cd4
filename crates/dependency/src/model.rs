//! The parser that training leaves.

use arcs::Roots;
use chain::Workers;
use num::confidence::{Confidence, Guess};
use serde::{Deserialize, Serialize};
use tree::Possible;
use tree::sentence::UNSPECIFIED;
use tree::{Heads, Sentence, Text};

use super::attributes::{ATTRIBUTES, Attributes};
use super::labels::{LabelFeatures, Labels};
use super::options::DependencyOptions;
use super::scorer::{Decode, Scorer, cases_of, finer_cases};
use super::second_order::SecondOrderScratch;
use super::shape::TreeShape;
use super::table::Table;
use super::temperature;
use super::templates::Templates;
use arcs::Marginals as ArcPosteriors;

/// A dependency parser.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "StoredModel", from = "StoredModel")]
pub struct DependencyModel {
    pub(super) options: DependencyOptions,
    pub(super) templates: Templates,
    pub(super) arcs: Table,
    pub(super) second: Option<Table>,
    pub(super) labels: Labels,
    pub(super) temperature: f64,
    /// What corrects probabilities of relations; none if nobody found out how often they are right.
    pub(super) relation_confidence: Option<Confidence>,
}

/// A parser as a file has it.
#[derive(Serialize, Deserialize)]
struct StoredModel {
    options: DependencyOptions,
    /// Attributes whose templates are not used.
    absent: Vec<String>,
    arcs: Table,
    second: Option<Table>,
    labels: Labels,
    temperature: f64,
    /// How sure relations may be.
    relation_confidence: Option<Confidence>,
}

/// How sentences are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseOptions {
    /// Which tree is taken.
    pub decode: Decode,
    /// How many trees are listed.
    pub n_best: usize,
    /// Whether probabilities of arcs are wanted.
    pub posteriors: bool,
    /// Whether relations that the sentence has stay as they are.
    pub keep_relations: bool,
    /// Longer sentences are parsed in pieces: time grows with the cube of the length, and memory with its square.
    pub max_words: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            decode: Decode::default(),
            n_best: 1,
            posteriors: false,
            keep_relations: false,
            max_words: 400,
        }
    }
}

/// A sentence that is to be parsed, as one of these trees if there are any.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) sentence: &'a Sentence,
    pub(super) possible: Option<&'a Possible>,
    pub(super) options: &'a ParseOptions,
}

/// A sentence with its tree.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The tree.
    pub heads: Heads,
    /// The relation of each word to its head, `_` if the parser knows no relations, and how probable it is in this tree.
    pub relations: Vec<(Text, f64)>,
    /// The probability of every arc, if asked for.
    pub posteriors: Option<ArcPosteriors>,
    /// The most probable trees, if more than one was asked for.
    pub n_best: Vec<Ranked>,
    /// False if the tree is not as it was demanded, since no tree is: then it was parsed as if nothing had been demanded.
    pub honoured: bool,
    /// Whether the sentence was so long that it was parsed in pieces; such a tree is makeshift and has no probabilities.
    pub in_pieces: bool,
}

/// Puts the relations that were said in the place of those that were found.
fn keep(relations: &mut [(Text, f64)], sentence: &Sentence) {
    for (found, token) in relations.iter_mut().zip(sentence.words()) {
        if token.deprel != UNSPECIFIED {
            *found = (token.deprel.clone(), 1.0);
        }
    }
}

/// One of the most probable trees.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The tree.
    pub heads: Heads,
    /// The relations of this tree, as those of [`Parsed`].
    pub relations: Vec<(Text, f64)>,
    /// How probable the tree is.
    pub probability: f64,
}

/// Memory of one thread, used again from sentence to sentence.
#[derive(Debug, Default)]
pub struct Workspace(SecondOrderScratch);

impl DependencyModel {
    /// A parser that knows nothing.
    pub(super) fn blank(options: DependencyOptions, templates: Templates) -> DependencyModel {
        DependencyModel {
            arcs: Table::zero(1, 1),
            second: None,
            labels: Labels { names: Vec::new(), table: Table::zero(1, 1) },
            temperature: 1.0,
            relation_confidence: None,
            options,
            templates,
        }
    }

    /// The mean of several parsers of the same data and settings: scores are sums of weights, so that the mean of the weights
    /// scores as the parsers do on average.
    pub(super) fn mean(models: Vec<DependencyModel>) -> Option<DependencyModel> {
        let n = models.len() as f32;
        let mut models = models.into_iter();
        let mut sum = models.next()?;
        for model in models {
            sum.arcs.add(&model.arcs);
            sum.labels.table.add(&model.labels.table);
            if let (Some(sum), Some(second)) = (&mut sum.second, &model.second) {
                sum.add(second);
            }
        }
        for table in [&mut sum.arcs, &mut sum.labels.table].into_iter().chain(&mut sum.second) {
            table.values.iter_mut().for_each(|weight| *weight /= n);
        }
        Some(sum)
    }

    /// The settings it was trained with.
    pub fn options(&self) -> &DependencyOptions {
        &self.options
    }

    /// The relations it knows.
    pub fn relations(&self) -> &[Text] {
        &self.labels.names
    }

    /// T of p(tree) ∝ exp(score / T).
    pub fn temperature(&self) -> f64 {
        self.temperature
    }

    /// The number of weights that are not zero: of arcs, of the second order, of relations.
    pub fn n_weights(&self) -> [usize; 3] {
        let count = |table: &Table| table.values.iter().filter(|&&weight| weight != 0.0).count();
        [count(&self.arcs), self.second.as_ref().map_or(0, count), count(&self.labels.table)]
    }

    /// Whether it looks at an attribute of words, such as `feats`, `fine` or `cluster`.
    pub fn looks_at(&self, attribute: &str) -> bool {
        let found = ATTRIBUTES.iter().find(|(name, _)| *name == attribute);
        found.is_some_and(|&(_, attribute)| self.templates.mentions(attribute))
    }

    /// Parses a sentence. Of `possible`, if it is given, only those trees are built that it admits.
    pub fn parse(
        &self,
        sentence: &Sentence,
        possible: Option<&Possible>,
        options: &ParseOptions,
        workspace: &mut Workspace,
    ) -> Parsed {
        let asked = Asked { sentence, possible, options };
        let mut parsed = match sentence.n_words() > options.max_words {
            true => self.parse_in_pieces(asked, workspace),
            false => self.parse_whole(asked, workspace),
        };
        if options.keep_relations {
            let n_best = parsed.n_best.iter_mut().map(|ranked| &mut ranked.relations);
            for relations in n_best.chain([&mut parsed.relations]) {
                keep(relations, sentence);
            }
        }
        Parsed { honoured: possible.is_none_or(|possible| possible.admits(&parsed.heads)), ..parsed }
    }

    /// Parses a sentence that is not too long.
    pub(super) fn parse_whole(&self, asked: Asked<'_>, workspace: &mut Workspace) -> Parsed {
        let Asked { sentence, possible, options } = asked;
        let words = Attributes::new(sentence, &self.options);
        let fitting = possible.filter(|possible| possible.n_words() == words.n_words());
        let scratch = &mut workspace.0;
        let scorer = self.scorer();
        let parsed = self.parse_within(&scorer, &words, fitting, options, scratch);
        // What is demanded may cross or have several roots; then trees of single arcs are built that may do so too.
        let loose =
            [self.options.shape.roots, Roots::Many].map(|roots| TreeShape { projective: false, roots });
        let parsed = parsed.or_else(|| {
            let fitting = Some(fitting?);
            let mut scorers = loose.into_iter().map(|shape| Scorer { second: None, shape, ..scorer });
            scorers.find_map(|scorer| self.parse_within(&scorer, &words, fitting, options, scratch))
        });
        parsed.unwrap_or_else(|| {
            let parsed = self.parse_cases(&scorer, &words, None, options, scratch);
            parsed.unwrap_or_else(|| self.flat(&words, options))
        })
    }

    /// Parses many sentences.
    pub fn parse_all(
        &self,
        sentences: &[Sentence],
        options: &ParseOptions,
        workers: &Workers,
    ) -> Vec<Parsed> {
        workers.map_with(sentences, Workspace::default, |workspace, _, sentence| {
            self.parse(sentence, None, options, workspace)
        })
    }

    /// Parses a sentence as it was demanded; `None` if no tree is found.
    fn parse_within(
        &self,
        scorer: &Scorer<'_>,
        words: &Attributes,
        possible: Option<&Possible>,
        options: &ParseOptions,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Parsed> {
        let Some((possible, mut cases)) = possible.zip(cases_of(possible)) else {
            return self.parse_cases(scorer, words, None, options, scratch);
        };
        let mut parsed = self.parse_cases(scorer, words, Some(&cases), options, scratch)?;
        while !possible.admits(&parsed.heads) {
            cases = finer_cases(&cases, &parsed.heads)?;
            parsed = self.parse_cases(scorer, words, Some(&cases), options, scratch)?;
        }
        parsed.n_best.retain(|ranked| possible.admits(&ranked.heads));
        Some(parsed)
    }

    fn parse_cases(
        &self,
        scorer: &Scorer<'_>,
        words: &Attributes,
        cases: Option<&[tree::Constraints]>,
        options: &ParseOptions,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Parsed> {
        // The tree is chosen with the scores as they are where honest probabilities are less extreme: a temperature
        // above 1 makes all trees more alike, and worse ones are chosen. One below 1 is that of a parser that has learned
        // from little and is surer than its scores say; then the tree goes by the probabilities that are printed.
        let deciding = Scorer { temperature: self.temperature.min(1.0), ..*scorer };
        let belief = deciding.believe(words, cases, scratch)?;
        let heads = deciding.decode(&belief, cases, options.decode, scratch)?;
        let (mut posteriors, mut n_best) = (None, Vec::new());
        if options.posteriors || options.n_best > 1 {
            let honest = Scorer { temperature: self.temperature, ..*scorer };
            let belief = honest.believe(words, cases, scratch)?;
            if options.n_best > 1 {
                let best = honest.k_best(&belief, cases, options.n_best, scratch).into_iter();
                let ranked = best.map(|(heads, probability)| {
                    let relations = self.relations_of(words, &heads);
                    Ranked { heads, relations, probability }
                });
                n_best = ranked.collect();
            }
            posteriors = Some(belief.into_posteriors(words.n_words())).filter(|_| options.posteriors);
        }
        let relations = self.relations_of(words, &heads);
        Some(Parsed { heads, relations, posteriors, n_best, honoured: true, in_pieces: false })
    }

    /// The relations of a tree.
    pub(super) fn relations_of(&self, words: &Attributes, heads: &Heads) -> Vec<(Text, f64)> {
        if self.labels.names.is_empty() {
            return vec![(Text::from("_"), 1.0); words.n_words()];
        }
        let features = LabelFeatures::new(&self.templates, words, heads);
        // A parser that has seen only roots calls every other relation `dep`.
        let unknown = || ("dep".into(), 1.0);
        let corrected = |p: f64| self.relation_confidence.as_ref().map_or(p, |confidence| confidence.of(p));
        let relation = |word| self.labels.best(&features, word).map(|(name, p)| (name.clone(), corrected(p)));
        (1..=words.n_words()).map(|word| relation(word).unwrap_or_else(unknown)).collect()
    }

    /// How probable the relations of trees are before anything corrects them, and whether they are right.
    pub(super) fn relation_guesses(&self, sentences: &[Sentence], workers: &Workers) -> Vec<Guess> {
        let guesses = workers.map(sentences, |_, sentence| {
            let Ok(Some(heads)) = sentence.heads() else { return Vec::new() };
            let words = Attributes::new(sentence, &self.options);
            let features = LabelFeatures::new(&self.templates, &words, &heads);
            let guess = |(word, token): (usize, &tree::Token)| {
                let (name, confidence) = self.labels.best(&features, word)?;
                let is_known = token.deprel != UNSPECIFIED;
                is_known.then(|| Guess { confidence, is_right: *name == token.deprel })
            };
            (1..).zip(sentence.words()).filter_map(guess).collect()
        });
        guesses.into_iter().flatten().collect()
    }

    /// Whether probabilities of arcs were held against sentences that were not learned from.
    pub fn is_calibrated(&self) -> bool {
        self.temperature != temperature::DEFAULT
    }

    /// Whether probabilities of relations are corrected.
    pub fn has_calibrated_relations(&self) -> bool {
        self.relation_confidence.is_some() || self.labels.names.is_empty()
    }

    /// All words hang from the root, which is always a tree.
    fn flat(&self, words: &Attributes, options: &ParseOptions) -> Parsed {
        let n_words = words.n_words();
        let heads = Heads::new(vec![0; n_words]).expect("words that hang from the root form no cycle");
        let mut posteriors = ArcPosteriors::zero(n_words);
        (1..=n_words).for_each(|word| posteriors.row_mut(word)[0] = 1.0);
        let relations = self.relations_of(words, &heads);
        let posteriors = options.posteriors.then_some(posteriors);
        Parsed { heads, relations, posteriors, n_best: Vec::new(), honoured: true, in_pieces: false }
    }

    pub(super) fn scorer(&self) -> Scorer<'_> {
        Scorer {
            templates: &self.templates,
            arcs: &self.arcs,
            second: self.second.as_ref(),
            shape: self.options.shape,
            pruning: self.options.pruning,
            temperature: 1.0,
        }
    }

    /// Makes the model small enough, once it is learned.
    pub(super) fn condense(&mut self) {
        let most = self.options.most_weights;
        match &mut self.second {
            None => self.arcs.condense(most / 2),
            Some(second) => {
                self.arcs.condense(most / 5);
                second.condense(most / 2);
            }
        }
        self.labels.table.condense(most * 3 / 10);
    }
}

impl From<DependencyModel> for StoredModel {
    fn from(model: DependencyModel) -> StoredModel {
        let absent = ATTRIBUTES.iter().filter(|(_, attribute)| !model.templates.mentions(*attribute));
        StoredModel {
            absent: absent.map(|(name, _)| (*name).to_owned()).collect(),
            options: model.options,
            arcs: model.arcs,
            second: model.second,
            labels: model.labels,
            temperature: model.temperature,
            relation_confidence: model.relation_confidence,
        }
    }
}

impl From<StoredModel> for DependencyModel {
    fn from(stored: StoredModel) -> DependencyModel {
        // Templates were read before they were written; if not, there are none, and every arc scores alike.
        let mut templates = Templates::read(&stored.options.templates).unwrap_or_default();
        templates.retain(|attribute| {
            let name = ATTRIBUTES.iter().find(|(_, known)| *known == attribute).map_or("", |(name, _)| name);
            !stored.absent.iter().any(|absent| absent == name)
        });
        DependencyModel {
            options: stored.options,
            templates,
            arcs: stored.arcs,
            second: stored.second,
            labels: stored.labels,
            temperature: stored.temperature,
            relation_confidence: stored.relation_confidence,
        }
    }
}
