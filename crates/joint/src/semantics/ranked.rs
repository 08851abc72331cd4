//! The most probable analyses of a sentence, each as a whole.

use bp::{Assignment, Evidence, Messages, Outcome};
use tree::semantics::{Argument, Entity, Relation};
use tree::{Semantics, Span};

use super::entities::KnownNames;
use super::model::{SemanticModel, TaskGraph, TaskVariables};
use super::relations::{arrow, knows_pair};
use super::roles::{RoleChoice, knows_argument};
use super::syntax::SyntaxSide;
use crate::{Error, Mode, Sentence};
use tree::PutInOrder;

/// One of the most probable analyses.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSemantics {
    /// Names, relations or roles, with what was given.
    pub semantics: Semantics,
    /// How probable it is as a whole. With syntax that is found it counts with the trees that were met, so that it may be more
    /// probable than that.
    pub probability: f64,
}

/// With syntax that is found, so many assignments are looked at for each analysis: most differ in trees alone.
const TREES: usize = 4;

impl SemanticModel {
    /// The n most probable analyses, best first; fewer if fewer are met. In a graph without cycles and without syntax that is found
    /// they are exact; with hidden trees the analysis of the best assignments need not be the best analysis.
    pub fn n_best(
        &self,
        sentence: &Sentence,
        n: usize,
        messages: &mut Messages,
    ) -> Result<(Vec<RankedSemantics>, Outcome), Error> {
        let kept = match &self.first {
            Some(_) => Some(self.kept(sentence, false, messages)?.0),
            None => None,
        };
        let laid = self.lay(sentence, &self.weights, kept.as_ref(), false)?;
        laid.run(self, sentence, messages)?;
        let ln_z = messages.log_z(&laid.graph);
        let mut evidence = Evidence::none(&laid.graph);
        laid.know_task(self, sentence, &mut evidence);
        if self.options.mode == Mode::Joint {
            laid.know_syntax(sentence, &mut evidence);
        }
        let finds_trees = matches!(laid.side, SyntaxSide::Arcs(_) | SyntaxSide::Brackets(_));
        let most = if finds_trees { TREES * n } else { n };
        let (assignments, outcome) = messages
            .n_best(&laid.graph, &evidence, most, &self.options.propagation)
            .map_err(|error| crate::error::impossible_in(sentence, error))?;
        let mut ranked: Vec<RankedSemantics> = Vec::new();
        for assignment in &assignments {
            let semantics = self.semantics_of(&laid, sentence, assignment);
            let probability = (assignment.log_score - ln_z).exp();
            match ranked.iter_mut().find(|one| one.semantics == semantics) {
                Some(one) => one.probability += probability,
                None => ranked.push(RankedSemantics { semantics, probability }),
            }
        }
        ranked.order_by(|a, b| b.probability.total_cmp(&a.probability));
        ranked.truncate(n);
        ranked.iter_mut().for_each(|one| one.probability = one.probability.clamp(0.0, 1.0));
        Ok((ranked, outcome))
    }

    /// What an assignment says, where nothing was given.
    fn semantics_of(&self, laid: &TaskGraph, sentence: &Sentence, assignment: &Assignment) -> Semantics {
        let mut said = sentence.semantics.clone();
        let label = |value: usize| self.kinds.name(value as u32).cloned();
        match &laid.variables {
            TaskVariables::Entities(found) => {
                let known = KnownNames::new(self, sentence);
                for (&span, &kind) in found.spans.iter().zip(&found.types) {
                    let name = Span::new(span.0 as usize, span.1 as usize).zip(label(assignment.value(kind)));
                    if let (None, Some((span, kind))) = (known.of(span).as_name(), name) {
                        said.entities.push(Entity { span, kind });
                    }
                }
                said.open_words.clear();
            }
            TaskVariables::Relations(found) => {
                for (&(a, b), &kind) in found.pairs.iter().zip(&found.kinds) {
                    if let (None, Some(kind)) =
                        (knows_pair(self, sentence, (a, b)), label(assignment.value(kind)))
                    {
                        let name = kind.strip_prefix(['<', '>']).unwrap_or(&kind);
                        let (first, second) = if kind == arrow(name, true) { (a, b) } else { (b, a) };
                        said.relations.push(Relation { first, second, kind: name.into() });
                    }
                }
                said.open_pairs.clear();
            }
            TaskVariables::Roles(found) => {
                for found in &found.predicates {
                    let predicate = &mut said.predicates[found.number];
                    if predicate.sense.is_none() {
                        let place = found.sense.map_or(0, |sense| assignment.value(sense));
                        predicate.sense = found.senses.get(place).cloned();
                    }
                    for (&word, role) in found.words.iter().zip(&found.roles) {
                        let value = match role {
                            RoleChoice::Value(variable) => assignment.value(*variable),
                            RoleChoice::Each(each) => {
                                let is_there = |(_, variable): &&(u32, _)| assignment.value(*variable) == 1;
                                each.iter().find(is_there).map_or(0, |(role, _)| *role as usize + 1)
                            }
                        };
                        let is_open = knows_argument(self, sentence, found.number, word).is_none();
                        if let (true, Some(role)) = (is_open, label(value)) {
                            predicate.arguments.push(Argument { word, role });
                        }
                    }
                    predicate.arguments.order_by_key(|argument| argument.word);
                    predicate.open.clear();
                }
            }
        }
        said
    }
}
