//! What a model says of a sentence.

use arcs::Marginals;
use bp::structured::{Cover, Segments, Structured};
use bp::{Messages, Outcome};
use tree::semantics::{Argument, Entity, Relation};
use tree::{Heads, Semantics, Span, Text};

use super::model::{SemanticModel, TaskGraph, TaskVariables};
use super::relations::arrow;
use super::roles::{Kept, knows_argument};
use super::syntax::SyntaxSide;
use crate::links::best_tree;
use crate::{Error, Sentence};
use tree::PutInOrder;

/// What a model says of a sentence: what it was given, and what it found beside that.
#[derive(Debug, Clone)]
pub struct Found {
    /// Names, relations and roles.
    pub semantics: Semantics,
    /// How probable each entity is, with its type; 1 for what was given.
    pub entities: Vec<f64>,
    /// How probable each relation is.
    pub relations: Vec<f64>,
    /// How probable each predicate's sense is, if it has one.
    pub senses: Vec<Option<f64>>,
    /// How probable each argument of each predicate is, with its role.
    pub arguments: Vec<Vec<f64>>,
    /// What else there may be, the most probable first.
    pub others: Vec<Possibility>,
    /// How probable each arc is, and the tree with the most expected ones, if arcs were found.
    pub arcs: Option<(Marginals, Option<Heads>)>,
    /// All spans of two words and more, if brackets were found; beside relations a name counts as one word.
    pub brackets: Option<Vec<SpanBelief>>,
    /// How it was found.
    pub outcome: Outcome,
}

/// A span that may be a bracket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpanBelief {
    /// Its first word and the word after its last one.
    pub span: (u32, u32),
    /// How probable it is that it is a bracket.
    pub probability: f64,
    /// Whether the tree with the most expected brackets has it.
    pub is_best: bool,
}

/// Something that may be there and was not written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Possibility {
    /// Its words: of a name, of the two names of a relation, of the predicate and the argument.
    pub words: Vec<Span>,
    /// Its type, the relation, the role.
    pub kind: Text,
    /// How probable it is.
    pub probability: f64,
}

/// What is less probable than this is not worth to be mentioned.
const WORTH: f64 = 0.05;

/// The probabilities of everything that may be there, of which any threshold makes an answer.
#[derive(Debug, Clone)]
pub struct SemanticPosterior {
    given: Semantics,
    candidates: Candidates,
    arcs: Option<(Marginals, Option<Heads>)>,
    brackets: Option<Vec<SpanBelief>>,
    outcome: Outcome,
}

#[derive(Debug, Clone)]
enum Candidates {
    Entities { n_words: usize, spans: Vec<(u32, u32)>, choices: Vec<Candidate> },
    Relations { pairs: Vec<(usize, usize)>, choices: Vec<Candidate> },
    Roles(Vec<PredicateChoices>),
}

/// What a predicate may be and have.
#[derive(Debug, Clone)]
struct PredicateChoices {
    number: usize,
    sense: Option<(Text, f64)>,
    words: Vec<usize>,
    choices: Vec<Candidate>,
}

/// A candidate.
#[derive(Debug, Clone)]
struct Candidate {
    /// What it is called if it is there, and how probable it is that it is there and called so.
    kind: Text,
    probability: f64,
    /// Whether that was given: it is there, or it is not.
    known: Option<bool>,
}

impl SemanticModel {
    /// What a sentence has. What its semantics say is kept, what they leave open is found ([`SemanticModel::opened`]).
    pub fn find(&self, sentence: &Sentence, messages: &mut Messages) -> Result<Found, Error> {
        Ok(self.posterior(sentence, messages)?.decide(self.threshold))
    }

    /// The sentence with everything open that the model finds: entities, relations between those that are given, or senses
    /// and arguments of the predicates that are given; and trees, if it finds these.
    pub fn opened(&self, sentence: &Sentence) -> Sentence {
        let mut open = sentence.clone();
        if self.options.mode == crate::Mode::Joint {
            open.heads.clear();
            open.brackets = None;
        }
        let said = &mut open.semantics;
        match self.options.task {
            super::SemanticTask::Entities => {
                said.entities.clear();
                said.relations.clear();
                said.open_pairs.clear();
                said.open_words = (0..sentence.len()).collect();
            }
            super::SemanticTask::Relations => {
                said.relations.clear();
                let n = said.entities.len();
                said.open_pairs =
                    (0..n).flat_map(|a| (0..n).filter(move |&b| b != a).map(move |b| (a, b))).collect();
            }
            super::SemanticTask::Roles => {
                for predicate in &mut said.predicates {
                    predicate.sense = None;
                    predicate.arguments.clear();
                    predicate.open = (0..sentence.len()).collect();
                }
            }
        }
        open
    }

    /// How probable everything is.
    pub fn posterior(
        &self,
        sentence: &Sentence,
        messages: &mut Messages,
    ) -> Result<SemanticPosterior, Error> {
        let kept = match &self.first {
            Some(_) => Some(self.kept(sentence, false, messages)?.0),
            None => None,
        };
        let laid = self.lay(sentence, &self.weights, kept.as_ref(), false)?;
        let outcome = laid.run(self, sentence, messages)?;
        let below = laid.collapsed.as_ref().map_or(sentence, |collapsed| &collapsed.sentence);
        let (mut arcs, mut brackets) = (None, None);
        match &laid.side {
            SyntaxSide::Arcs(links) => {
                let marginals = links.marginals(&laid.graph, messages);
                let best = best_tree(&marginals, below, self.shape());
                arcs = Some((marginals, best));
            }
            SyntaxSide::Brackets(spans) => {
                let mut found = spans.read(&laid.graph, messages);
                if let Some(collapsed) = &laid.collapsed {
                    found.iter_mut().for_each(|belief| belief.span = collapsed.whole(belief.span));
                }
                brackets = Some(found);
            }
            _ => {}
        }
        let candidates = self.candidates(&laid, sentence, messages);
        Ok(SemanticPosterior { given: sentence.semantics.clone(), candidates, arcs, brackets, outcome })
    }

    fn candidates(&self, laid: &TaskGraph, sentence: &Sentence, messages: &Messages) -> Candidates {
        let n_kinds = self.kinds.len();
        let mut beliefs = Vec::new();
        match &laid.variables {
            TaskVariables::Entities(found) => {
                let known = super::entities::KnownNames::new(self, sentence);
                let choices = found.spans.iter().zip(&found.types).map(|(&span, &kind)| {
                    messages.beliefs(&laid.graph, kind, &mut beliefs);
                    // O, where there is such a type, is not a name.
                    self.choice(beliefs.get(1..=n_kinds).unwrap_or(&[]), known.of(span).as_name())
                });
                let choices = choices.collect();
                Candidates::Entities { n_words: sentence.len(), spans: found.spans.clone(), choices }
            }
            TaskVariables::Relations(found) => {
                let choices = found.pairs.iter().zip(&found.kinds).map(|(&pair, &kind)| {
                    messages.beliefs(&laid.graph, kind, &mut beliefs);
                    let known =
                        super::relations::knows_pair(self, sentence, pair).map(|relation| relation.is_some());
                    self.choice(beliefs.get(1..=n_kinds).unwrap_or(&[]), known)
                });
                Candidates::Relations { choices: choices.collect(), pairs: found.pairs.clone() }
            }
            TaskVariables::Roles(found) => {
                let of_predicate = |found: &super::roles::PredicateVariables| {
                    let sense = best_sense(found, laid, messages);
                    let choices = found.words.iter().zip(&found.roles).map(|(&word, role)| {
                        let beliefs = role.beliefs(&laid.graph, messages, n_kinds);
                        let known =
                            knows_argument(self, sentence, found.number, word).map(|role| role.is_some());
                        self.choice(&beliefs, known)
                    });
                    PredicateChoices {
                        number: found.number,
                        sense,
                        words: found.words.clone(),
                        choices: choices.collect(),
                    }
                };
                Candidates::Roles(found.predicates.iter().map(of_predicate).collect())
            }
        }
    }

    fn choice(&self, beliefs: &[f64], known: Option<bool>) -> Candidate {
        let best = (0..beliefs.len()).fold(0, |best, at| if beliefs[at] > beliefs[best] { at } else { best });
        let kind = self.kinds.name(best as u32 + 1).cloned().unwrap_or_default();
        Candidate { kind, probability: beliefs.get(best).copied().unwrap_or(0.0), known }
    }

    /// What is possible without valency, with what is known, and how many of the arguments that are known would not be.
    pub(super) fn kept(
        &self,
        sentence: &Sentence,
        is_training: bool,
        messages: &mut Messages,
    ) -> Result<(Kept, usize), Error> {
        let weights = self.first.as_ref().unwrap_or(&self.weights);
        let laid = self.lay(sentence, weights, None, is_training)?;
        let mut evidence = bp::Evidence::none(&laid.graph);
        if !is_training {
            laid.know_task(self, sentence, &mut evidence);
        }
        let run = messages.run(&laid.graph, &evidence, &self.options.propagation);
        run.map_err(|error| crate::error::impossible_in(sentence, error))?;
        let TaskVariables::Roles(found) = &laid.variables else { return Ok((Vec::new(), 0)) };
        let (mut all, mut n_lost) = (Vec::new(), 0);
        for predicate in &found.predicates {
            let mut kept = Vec::new();
            for ((&word, there), role) in predicate.words.iter().zip(&predicate.there).zip(&predicate.roles) {
                let known = knows_argument(self, sentence, predicate.number, word).flatten();
                let is_probable = messages.probability(&laid.graph, there.is(1)) >= self.options.prune;
                n_lost += usize::from(known.is_some() && !is_probable);
                if !is_probable && known.is_none() {
                    continue;
                }
                let beliefs = role.beliefs(&laid.graph, messages, self.kinds.len());
                let best = (0..beliefs.len())
                    .fold(0, |best, at| if beliefs[at] > beliefs[best] { at } else { best });
                let is_known = |at: usize| known.flatten() == Some(at as u32);
                let possible = (0..beliefs.len())
                    .filter(|&at| beliefs[at] >= self.options.prune || at == best || is_known(at))
                    .map(|at| at as u32);
                kept.push((word, possible.collect()));
            }
            all.push(kept);
        }
        Ok((all, n_lost))
    }
}

fn best_sense(
    found: &super::roles::PredicateVariables,
    laid: &TaskGraph,
    messages: &Messages,
) -> Option<(Text, f64)> {
    let Some(variable) = found.sense else { return Some((found.senses.first()?.clone(), 1.0)) };
    let mut beliefs = Vec::new();
    messages.beliefs(&laid.graph, variable, &mut beliefs);
    let best = (0..beliefs.len()).fold(0, |best, at| if beliefs[at] > beliefs[best] { at } else { best });
    Some((found.senses.get(best)?.clone(), beliefs[best]))
}

impl SemanticPosterior {
    /// What is at least so probable with its name, and what was given.
    pub fn decide(&self, threshold: f64) -> Found {
        let mut found = Found {
            semantics: self.given.clone(),
            entities: vec![1.0; self.given.entities.len()],
            relations: vec![1.0; self.given.relations.len()],
            senses: self
                .given
                .predicates
                .iter()
                .map(|predicate| predicate.sense.as_ref().map(|_| 1.0))
                .collect(),
            arguments: self
                .given
                .predicates
                .iter()
                .map(|predicate| vec![1.0; predicate.arguments.len()])
                .collect(),
            others: Vec::new(),
            arcs: self.arcs.clone(),
            brackets: self.brackets.clone(),
            outcome: self.outcome,
        };
        match &self.candidates {
            Candidates::Entities { n_words, spans, choices } => {
                decide_entities(*n_words, spans, choices, threshold, &mut found);
            }
            Candidates::Relations { pairs, choices } => {
                decide_relations(pairs, choices, threshold, &mut found)
            }
            Candidates::Roles(predicates) => {
                predicates.iter().for_each(|predicate| decide_roles(predicate, threshold, &mut found));
            }
        }
        found.others.order_by(|a, b| b.probability.total_cmp(&a.probability));
        found
    }
}

/// Names that do not overlap and are as probable as can be: the sum of what each is above the threshold is largest.
fn decide_entities(
    n_words: usize,
    spans: &[(u32, u32)],
    choices: &[Candidate],
    threshold: f64,
    found: &mut Found,
) {
    let is_open = |choice: &Candidate| choice.known.is_none();
    let value = |choice: &Candidate| match is_open(choice) && choice.probability >= threshold {
        true => choice.probability - threshold + 1e-9,
        false => f64::NEG_INFINITY,
    };
    let values: Vec<f64> = choices.iter().map(value).collect();
    let chosen = Segments::new(n_words, spans.to_vec(), Cover::Optional).best(&values);
    for (place, choice) in choices.iter().enumerate().filter(|(_, choice)| is_open(choice)) {
        let (start, end) = spans[place];
        let Some(span) = Span::new(start as usize, end as usize) else { continue };
        if chosen.get(place) == Some(&true) {
            found.semantics.entities.push(Entity { span, kind: choice.kind.clone() });
            found.entities.push(choice.probability);
        } else if choice.probability >= WORTH {
            let (kind, probability) = (choice.kind.clone(), choice.probability);
            found.others.push(Possibility { words: vec![span], kind, probability });
        }
    }
    found.semantics.open_words.clear();
}

fn decide_relations(pairs: &[(usize, usize)], choices: &[Candidate], threshold: f64, found: &mut Found) {
    for (&(a, b), choice) in pairs.iter().zip(choices).filter(|(_, choice)| choice.known.is_none()) {
        let name = choice.kind.strip_prefix(['<', '>']).unwrap_or(&choice.kind);
        let is_forward = choice.kind == arrow(name, true);
        let (first, second) = if is_forward { (a, b) } else { (b, a) };
        if choice.probability >= threshold {
            found.semantics.relations.push(Relation { first, second, kind: name.into() });
            found.relations.push(choice.probability);
        } else if choice.probability >= WORTH {
            let words = [first, second].map(|entity| found.semantics.entities[entity].span).to_vec();
            let probability = choice.probability;
            found.others.push(Possibility { words, kind: name.into(), probability });
        }
    }
    found.semantics.open_pairs.clear();
}

fn decide_roles(choices: &PredicateChoices, threshold: f64, found: &mut Found) {
    let PredicateChoices { number, sense, words, choices } = choices;
    let predicate = &mut found.semantics.predicates[*number];
    if predicate.sense.is_none()
        && let Some((sense, probability)) = sense
    {
        predicate.sense = Some(sense.clone());
        found.senses[*number] = Some(*probability);
    }
    for (&word, choice) in words.iter().zip(choices).filter(|(_, choice)| choice.known.is_none()) {
        let (role, probability) = (choice.kind.clone(), choice.probability);
        if choice.probability >= threshold {
            predicate.arguments.push(Argument { word, role });
            found.arguments[*number].push(probability);
        } else if probability >= WORTH {
            let words = [predicate.word, word].into_iter().filter_map(|word| Span::new(word, word + 1));
            found.others.push(Possibility { words: words.collect(), kind: role, probability });
        }
    }
    predicate.open.clear();
}
