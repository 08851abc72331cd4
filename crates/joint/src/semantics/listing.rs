//! Everything that a sentence may have, one by one, with scores by definition, for tests.

use bp::{Evidence, Messages};
use chain::descent::{Learning, Weights};
use chain::{Rng, Workers};
use std::ops::ControlFlow;
use tree::semantics::Entity;
use tree::{Span, Text};

use super::Mode;
use super::collapse::Collapsed;
use super::gazetteer::Gazetteer;
use super::model::{SemanticModel, tagged_words};
use super::options::{Options, SemanticTask, Syntax};
use super::roles::Kept;
use super::training::SemanticTraining;
use crate::Sentence;
use crate::brackets::span_keys;
use crate::listing;
pub(super) use crate::listing::bracketings;
use crate::sentence::KnownSpans;
use crate::training::{Examples, GradientScratch};

/// All that is known of a sentence, and its score.
pub(super) struct Listed {
    pub(super) sentence: Sentence,
    pub(super) score: f64,
}

/// Words of three kinds with classes of two.
pub(super) fn words(n: usize, rng: &mut Rng) -> Sentence {
    let forms: Vec<Text> = (0..n).map(|_| ["Ada", "b", "c"][rng.below(3)].into()).collect();
    let classes = (0..n).map(|_| ["N", "V"][rng.below(2)].into()).collect();
    Sentence { lemmas: forms.clone(), forms, classes, ..Sentence::default() }
}

/// A model whose features are those of all that may be in the sentences, with weights by chance.
pub(super) fn model(sentences: &[Sentence], options: Options, rng: &mut Rng) -> SemanticModel {
    let learning = Learning { epochs: 0, ..options.learning };
    let options = Options { learning, least: 1, prune: 0.0, ..options };
    let go_on = |_: &super::SemanticProgress<'_>| ControlFlow::Continue(());
    let trained = SemanticModel::train(
        sentences,
        &options,
        Gazetteer::default(),
        0,
        None,
        &Workers::serial(),
        None,
        go_on,
    );
    let mut model = trained.expect("a model").0;
    model.weights = random(model.index.n_weights(), rng);
    model
}

pub(super) fn random(n: usize, rng: &mut Rng) -> Weights {
    Weights::from_values(listing::random_weights(n, rng))
}

impl SemanticModel {
    /// Σ of the weights of features at a place of their rows.
    pub(super) fn sum(&self, keys: &[u64], n_weights: usize, place: usize) -> f64 {
        keys.iter()
            .filter_map(|&key| self.index.get(key, n_weights))
            .map(|row| self.weights.get(row as usize + place))
            .sum()
    }
}

/// The sentence that syntax speaks of.
pub(super) fn below(sentence: &Sentence, options: &Options) -> Sentence {
    match options.task {
        SemanticTask::Relations => Collapsed::new(sentence).sentence,
        _ => sentence.clone(),
    }
}

/// All syntax that the sentence below may have, with scores: that of the sentence alone where it is known for good, nothing
/// where there is none.
pub(super) fn syntaxes(model: &SemanticModel, below: &Sentence) -> Vec<Listed> {
    match (model.options.mode, model.options.syntax) {
        (Mode::Supervised | Mode::Oracle, _) => vec![Listed { sentence: below.clone(), score: 0.0 }],
        (_, Syntax::Arcs) => {
            let coded = model.seen.code(below);
            let mut keys = Vec::new();
            let listed = listing::trees(below.len(), model.shape()).into_iter().map(|tree| {
                let mut score = 0.0;
                for word in 1..=below.len() {
                    coded.arc_keys(tree.head(word), word, &mut keys);
                    score += model.sum(&keys, 1, 0);
                }
                let heads = (1..=below.len()).map(|word| Some(tree.head(word) as u32)).collect();
                Listed { sentence: Sentence { heads, ..below.clone() }, score }
            });
            listed.collect()
        }
        (_, Syntax::Brackets) => {
            let numbers = model.vocabulary.read(&tagged_words(below));
            let n = below.len() as u32;
            let listed = bracketings(0, n).into_iter().map(|spans| {
                let mut score = 0.0;
                for &(start, end) in spans.iter().filter(|span| **span != (0, n)) {
                    let (start, end) = (start as usize, end as usize);
                    let mut keys = Vec::new();
                    span_keys::of_start(&numbers, start, &mut |key| keys.push(key));
                    span_keys::of_end(&numbers, end, &mut |key| keys.push(key));
                    span_keys::of_whole_span(&numbers, (start, end), &mut |key| keys.push(key));
                    score += model.sum(&keys, 1, 0);
                }
                let brackets = Some(KnownSpans { spans, is_whole: true });
                Listed { sentence: Sentence { brackets, ..below.clone() }, score }
            });
            listed.collect()
        }
    }
}

/// All sets of names that do not overlap, with types.
pub(super) fn name_sets(n_words: usize, widest: usize, kinds: &[Text]) -> Vec<Vec<Entity>> {
    let mut all = vec![(0, Vec::new())];
    let mut done = Vec::new();
    while let Some((at, names)) = all.pop() {
        if at == n_words {
            done.push(names);
            continue;
        }
        all.push((at + 1, names.clone()));
        for end in at + 1..=n_words.min(at + widest) {
            for kind in kinds {
                let span = Span::new(at, end).expect("a span");
                let name = Entity { span, kind: kind.clone() };
                all.push((end, [names.clone(), vec![name]].concat()));
            }
        }
    }
    done
}

/// ln Z with all that a sentence knows, by the model's graph, and whether that was exact.
pub(super) fn ln_z(
    model: &SemanticModel,
    sentence: &Sentence,
    syntax: Option<&Sentence>,
    kept: Option<&Kept>,
    task: bool,
) -> (f64, bool) {
    let laid = model.lay(sentence, &model.weights, kept, false).expect("a graph");
    let mut evidence = Evidence::none(&laid.graph);
    if task {
        laid.know_task(model, sentence, &mut evidence);
    }
    if let Some(syntax) = syntax {
        laid.side.know(syntax, &mut evidence);
    }
    let mut messages = Messages::default();
    let outcome = messages.run(&laid.graph, &evidence, &model.options.propagation).expect("beliefs");
    (messages.log_z(&laid.graph), outcome.is_exact)
}

/// Asserts that the model's gradient of a sentence is that of a function of its weights, which are single floats: every
/// `step`-th is tried.
pub(super) fn assert_gradient(
    mut model: SemanticModel,
    sentence: &Sentence,
    step: usize,
    ln: impl Fn(&SemanticModel) -> f64,
) {
    let training = SemanticTraining { model: &model, sentences: &[sentence], kept: None };
    let gradient = training.gradient(0, &model.weights, &mut GradientScratch::default()).expect("a gradient");
    let mut found = vec![0.0; model.index.n_weights()];
    gradient.entries.iter().for_each(|&(at, derivative)| found[at as usize] += f64::from(derivative));
    let weights = model.weights.values();
    const STEP: f32 = 1.0 / 64.0;
    for at in (0..weights.len()).step_by(step) {
        let mut at_distance = |by: f32| {
            let mut moved = weights.clone();
            moved[at] += by;
            model.weights = Weights::from_values(moved);
            ln(&model)
        };
        let derivative = (at_distance(-STEP) - at_distance(STEP)) / (2.0 * f64::from(STEP));
        let close = (derivative - found[at]).abs() < 3e-4;
        assert!(close, "{:?} weight {at}: {} instead of {derivative}", model.options, found[at]);
    }
}
