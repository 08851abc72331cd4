//! A model of names, relations or roles.

use arcs::Roots;
use bp::learn::Features;
use bp::{Evidence, Graph, Messages};
use chain::descent::Weights;
use features::Index;
use num::packed::Packed;
use serde::{Deserialize, Serialize};
use tree::Text;

use super::collapse::Collapsed;
use super::entities::EntityVariables;
use super::gazetteer::Gazetteer;
use super::laying::{Laying, ScoredGraph};
use super::options::{Options, SemanticTask, Syntax};
use super::relations::RelationVariables;
use super::roles::{Kept, RoleVariables};
use super::senses::Senses;
use super::syntax::{SyntaxSide, SyntaxView};
use super::{Mode, Options as ModelOptions};
use crate::arcs::Seen;
use crate::brackets::span_keys::{Vocabulary, Word};
use crate::codes::Codes;
use crate::links::TreeShape;
use crate::{Error, Sentence};

/// A model of names, relations or roles.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredSemanticModel", into = "StoredSemanticModel")]
pub struct SemanticModel {
    pub(super) options: ModelOptions,
    /// What is less probable is not written down.
    pub(super) threshold: f64,
    pub(super) roots: Roots,
    pub(super) projective: bool,
    /// Types of names, relations with their directions, or roles.
    pub(super) kinds: Codes,
    pub(super) seen: Seen,
    pub(super) vocabulary: Vocabulary,
    pub(super) senses: Senses,
    pub(super) gazetteer: Gazetteer,
    pub(super) index: Index,
    /// Weights without valency, if there is valency, with which candidates are chosen.
    pub(super) first: Option<Weights>,
    pub(super) weights: Weights,
}

/// A sentence as a graph.
#[derive(Debug)]
pub(super) struct TaskGraph {
    pub(super) graph: Graph,
    pub(super) features: Features,
    pub(super) side: SyntaxSide,
    pub(super) variables: TaskVariables,
    /// The sentence of which syntax speaks, if that is another one.
    pub(super) collapsed: Option<Collapsed>,
}

/// The variables of a task.
#[derive(Debug)]
pub(super) enum TaskVariables {
    Entities(EntityVariables),
    Relations(RelationVariables),
    Roles(RoleVariables),
}

impl SemanticModel {
    /// What it was trained with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What is less probable than this is not written down.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Sets it.
    pub fn set_threshold(&mut self, threshold: f64) {
        self.threshold = threshold;
    }

    /// How many features have weights of their own, and how many weights there are.
    pub fn size(&self) -> (usize, usize) {
        (self.index.n_features(), self.index.n_weights())
    }

    /// The types of names, the relations or the roles that it knows. Relations have an arrow before them: `>` if they lead from
    /// the first name to the second.
    pub fn kinds(&self) -> impl Iterator<Item = &Text> {
        self.kinds.names()
    }

    /// Whether the sentence has what the model was promised: trees that are known.
    pub(super) fn check(&self, sentence: &Sentence) -> Result<(), Error> {
        if self.options.mode.has_syntax() {
            crate::error::check_length(sentence)?;
        }
        if self.options.mode != Mode::Oracle
            || sentence.is_empty()
            || SyntaxSide::known(self.options.syntax, sentence).is_some()
        {
            return Ok(());
        }
        let word = match self.options.syntax {
            Syntax::Arcs => (1..=sentence.len()).find(|&word| sentence.head(word).is_none()).unwrap_or(1),
            Syntax::Brackets => 0,
        };
        Err(if word == 0 { Error::NoBrackets } else { Error::NoTree { word } })
    }

    /// Lays the model over a sentence and scores it.
    pub(super) fn lay(
        &self,
        sentence: &Sentence,
        weights: &Weights,
        kept: Option<&Kept>,
        is_training: bool,
    ) -> Result<TaskGraph, Error> {
        let mut laying = Laying::looking(&self.index);
        let (side, variables, collapsed) = self.lay_all(sentence, kept, is_training, &mut laying)?;
        let ScoredGraph { graph, features } = laying.finish(weights)?;
        Ok(TaskGraph { graph, features, side, variables, collapsed })
    }

    pub(super) fn lay_all(
        &self,
        sentence: &Sentence,
        kept: Option<&Kept>,
        is_training: bool,
        laying: &mut Laying<'_>,
    ) -> Result<(SyntaxSide, TaskVariables, Option<Collapsed>), Error> {
        self.check(sentence)?;
        let collapsed = (self.options.task == SemanticTask::Relations).then(|| Collapsed::new(sentence));
        let below = collapsed.as_ref().map_or(sentence, |collapsed| &collapsed.sentence);
        let side = self.lay_syntax(below, laying);
        let variables = match (&collapsed, self.options.task) {
            (Some(collapsed), _) => {
                TaskVariables::Relations(self.lay_relations(sentence, collapsed, &side, laying))
            }
            (None, SemanticTask::Roles) => {
                TaskVariables::Roles(self.lay_roles(sentence, &side, kept, laying))
            }
            (None, _) => TaskVariables::Entities(self.lay_entities(sentence, is_training, &side, laying)),
        };
        Ok((side, variables, collapsed))
    }

    fn lay_syntax(&self, sentence: &Sentence, laying: &mut Laying<'_>) -> SyntaxSide {
        match self.options.mode {
            Mode::Supervised => SyntaxSide::None,
            Mode::Oracle => SyntaxSide::known(self.options.syntax, sentence).unwrap_or(SyntaxSide::None),
            mode => SyntaxSide::open(&self.view(sentence), sentence, (mode, self.shape()), laying),
        }
    }

    fn view(&self, sentence: &Sentence) -> SyntaxView {
        match self.options.syntax {
            Syntax::Arcs => SyntaxView::Arcs(self.seen.code(sentence)),
            Syntax::Brackets => SyntaxView::Brackets(self.vocabulary.read(&tagged_words(sentence))),
        }
    }

    pub(super) fn shape(&self) -> TreeShape {
        TreeShape { roots: self.roots, projective: self.projective }
    }
}

/// The words of a sentence as brackets see them.
pub(super) fn tagged_words(sentence: &Sentence) -> Vec<Word> {
    let tag = |word: usize| sentence.classes.get(word).cloned();
    sentence
        .forms
        .iter()
        .enumerate()
        .map(|(word, form)| Word { form: form.clone(), tag: tag(word) })
        .collect()
}

impl TaskGraph {
    /// Writes what is known of the task.
    pub(super) fn know_task(&self, model: &SemanticModel, sentence: &Sentence, evidence: &mut Evidence) {
        match &self.variables {
            TaskVariables::Entities(entities) => entities.know(model, sentence, evidence),
            TaskVariables::Relations(relations) => relations.know(model, sentence, evidence),
            TaskVariables::Roles(roles) => roles.know(model, sentence, evidence),
        }
    }

    /// Writes what is known of syntax.
    pub(super) fn know_syntax(&self, sentence: &Sentence, evidence: &mut Evidence) {
        let below = self.collapsed.as_ref().map_or(sentence, |collapsed| &collapsed.sentence);
        self.side.know(below, evidence);
    }

    /// Runs inference with what is known.
    pub(super) fn run(
        &self,
        model: &SemanticModel,
        sentence: &Sentence,
        messages: &mut Messages,
    ) -> Result<bp::Outcome, Error> {
        let mut evidence = Evidence::none(&self.graph);
        self.know_task(model, sentence, &mut evidence);
        // What a tree says of words is not what hidden syntax is about.
        if model.options.mode == Mode::Joint {
            self.know_syntax(sentence, &mut evidence);
        }
        let run = messages.run(&self.graph, &evidence, &model.options.propagation);
        run.map_err(|error| crate::error::impossible_in(sentence, error))
    }
}

/// A model as a file has it.
#[derive(Serialize, Deserialize)]
struct StoredSemanticModel {
    options: ModelOptions,
    threshold: f64,
    roots: Roots,
    projective: bool,
    kinds: Codes,
    seen: Seen,
    vocabulary: Vocabulary,
    senses: Senses,
    gazetteer: Gazetteer,
    index: Index,
    first: Option<(Packed, u64)>,
    weights: Packed,
}

impl From<SemanticModel> for StoredSemanticModel {
    fn from(model: SemanticModel) -> StoredSemanticModel {
        let pack = |weights: &Weights| Packed::new(&weights.values());
        StoredSemanticModel {
            options: model.options,
            threshold: model.threshold,
            roots: model.roots,
            projective: model.projective,
            kinds: model.kinds,
            seen: model.seen,
            vocabulary: model.vocabulary,
            senses: model.senses,
            gazetteer: model.gazetteer,
            index: model.index,
            first: model.first.as_ref().map(|first| (pack(first), first.len() as u64)),
            weights: pack(&model.weights),
        }
    }
}

impl TryFrom<StoredSemanticModel> for SemanticModel {
    type Error = &'static str;

    fn try_from(stored: StoredSemanticModel) -> Result<SemanticModel, Self::Error> {
        let unpack = |weights: Packed, n: usize| {
            let values = weights.unpack(n).filter(|values| values.iter().all(|value| value.is_finite()));
            values
                .map(Weights::from_values)
                .ok_or("the weights of a model of names, relations or roles are damaged")
        };
        let first = match stored.first {
            Some((first, n)) => Some(unpack(first, usize::try_from(n).map_err(|_| "a model is damaged")?)?),
            None => None,
        };
        let weights = unpack(stored.weights, stored.index.n_weights())?;
        let mut index = stored.index;
        index.restore();
        if stored.kinds.len() == 0 || !stored.threshold.is_finite() {
            return Err("a model of names, relations or roles is damaged");
        }
        Ok(SemanticModel {
            options: stored.options,
            threshold: stored.threshold,
            roots: stored.roots,
            projective: stored.projective,
            kinds: stored.kinds,
            seen: stored.seen,
            vocabulary: stored.vocabulary,
            senses: stored.senses,
            gazetteer: stored.gazetteer,
            index,
            first,
            weights,
        })
    }
}
