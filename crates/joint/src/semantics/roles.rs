//! Senses of predicates that are given, and who plays which role: a Boolean for each word around a predicate, a variable for
//! its role and one for the sense.
//!
//! *Valency* counts for each role how many words play it, up to a bound, by a chain of variables from word to word,
//!
//! ```text
//! V(j, r) = min(V(j − 1, r) + [word j plays r], bound)
//! ```
//!
//! the last of which meets the sense: so doubled roles cost something, and senses have frames. Only candidates take part that
//! a model without valency thinks possible.

use bp::{Evidence, Literal, Scores, Variable};
use features::Key;
use tree::Text;

use super::census::Holds;
use super::connect::{Tied, connect};
use super::laying::Laying;
use super::model::SemanticModel;
use super::options::Sight;
use super::syntax::{ChildMark, KnownHeads, SyntaxSide, knows_arc};
use super::views::{Views, code, joined};
use crate::Sentence;

/// Templates of arguments begin here.
const ARGUMENTS: u32 = 400;
/// Those of senses.
const SENSES: u32 = 520;
/// Those of counts of roles.
const COUNTS: u32 = 540;
/// Those of ties to arcs.
const TIES: u32 = 560;

/// The variables of roles.
#[derive(Debug)]
pub(super) struct RoleVariables {
    pub(super) predicates: Vec<PredicateVariables>,
}

/// The variables of a predicate.
#[derive(Debug)]
pub(super) struct PredicateVariables {
    /// Its number in the sentence.
    pub(super) number: usize,
    /// The senses that it may have.
    pub(super) senses: Vec<Text>,
    /// Which of these it has, if there are several.
    pub(super) sense: Option<Variable>,
    /// The words that may be arguments.
    pub(super) words: Vec<usize>,
    pub(super) there: Vec<Variable>,
    pub(super) roles: Vec<RoleChoice>,
}

/// Which role a word plays.
#[derive(Debug)]
pub(super) enum RoleChoice {
    /// A value for each role, 0 for none.
    Value(Variable),
    /// A Boolean for each role that is possible.
    Each(Vec<(u32, Variable)>),
}

/// Words that may be arguments of a predicate, each with its roles: what a first pass has left over.
pub(super) type Kept = Vec<Vec<(usize, Vec<u32>)>>;

/// The predicates that can be looked at: of words that are there, each once.
pub(super) fn kept_predicates(sentence: &Sentence) -> impl Iterator<Item = usize> {
    let said = &sentence.semantics.predicates;
    let is_first = |number: usize| said[..number].iter().all(|other| other.word != said[number].word);
    (0..said.len()).filter(move |&number| said[number].word < sentence.len() && is_first(number))
}

/// What is known of a word as an argument: nothing, or which role it plays, if any, and if the model knows that.
pub(super) fn knows_argument(
    model: &SemanticModel,
    sentence: &Sentence,
    predicate: usize,
    word: usize,
) -> Option<Option<Option<u32>>> {
    let said = &sentence.semantics.predicates[predicate];
    let found = said.arguments.iter().find(|argument| argument.word == word);
    match found {
        Some(argument) => Some(Some(model.kinds.get(&argument.role).checked_sub(1))),
        None => (!said.open.contains(&word)).then_some(None),
    }
}

impl SemanticModel {
    /// Lays variables for all predicates over a sentence.
    pub(super) fn lay_roles(
        &self,
        sentence: &Sentence,
        side: &SyntaxSide,
        kept: Option<&Kept>,
        laying: &mut Laying<'_>,
    ) -> RoleVariables {
        let views = Views::new(sentence);
        let mut predicates = Vec::new();
        for (at, number) in kept_predicates(sentence).enumerate() {
            let word = sentence.semantics.predicates[number].word;
            let all: Vec<(usize, Vec<u32>)>;
            let candidates = match kept {
                Some(kept) => &kept[at],
                None => {
                    let window = self.options.window as usize;
                    let words = word.saturating_sub(window)..sentence.len().min(word + window + 1);
                    all = words.map(|word| (word, Vec::new())).collect();
                    &all
                }
            };
            let mut found = self.lay_sense(sentence, &views, number, laying);
            for (argument, roles) in candidates {
                let roles = kept.map(|_| roles.as_slice());
                self.lay_argument(sentence, &views, (number, *argument), side, roles, laying, &mut found);
            }
            if kept.is_some() {
                self.lay_counts(sentence, &views, &found, laying);
            }
            predicates.push(found);
        }
        RoleVariables { predicates }
    }

    fn lay_sense(
        &self,
        sentence: &Sentence,
        views: &Views,
        number: usize,
        laying: &mut Laying<'_>,
    ) -> PredicateVariables {
        let said = &sentence.semantics.predicates[number];
        let senses = self.senses.of(sentence, said.word);
        let sense = (senses.len() > 1).then(|| laying.graph.variable(senses.len()));
        if let Some(variable) = sense {
            let scores = laying.graph.unary(variable, &vec![0.0; senses.len()]);
            let mut keys = Vec::new();
            for (value, sense) in senses.iter().enumerate() {
                sense_keys(views, said.word, code(8, sense), &mut keys);
                let known = said.sense.as_ref().map(|known| known == sense);
                laying.score(scores.part(value), &[&keys], Holds::from(known), self.keep());
            }
        }
        PredicateVariables { number, senses, sense, words: Vec::new(), there: Vec::new(), roles: Vec::new() }
    }

    #[allow(clippy::too_many_arguments, reason = "where an argument stands takes as many")]
    fn lay_argument(
        &self,
        sentence: &Sentence,
        views: &Views,
        (number, word): (usize, usize),
        side: &SyntaxSide,
        possible: Option<&[u32]>,
        laying: &mut Laying<'_>,
        found: &mut PredicateVariables,
    ) {
        let n_roles = self.kinds.len();
        let predicate = sentence.semantics.predicates[number].word;
        let known = knows_argument(self, sentence, number, word);
        let is_there = known.map(|role| role.is_some());
        let there = laying.graph.boolean();
        let of_word = laying.graph.unary(there, &[0.0]);
        let (choice, of_roles) = match possible {
            None => {
                let role = laying.graph.variable((n_roles + 1).max(2));
                let scores = laying.graph.unary(role, &vec![0.0; (n_roles + 1).max(2)]);
                laying.graph.epu(there.is(1), role);
                (RoleChoice::Value(role), scores.tail(1))
            }
            Some(roles) => self.lay_each_role(there, roles, laying),
        };
        let mut keys = Vec::new();
        self.argument_keys(views, predicate, word, side, &mut keys);
        laying.score_parts(
            &[(of_word, 0), (of_roles, 1)],
            1 + n_roles,
            &[&keys],
            Holds::from(is_there),
            self.keep(),
        );
        if predicate != word {
            tie_keys(views, predicate, word, self.options.plain_tie, &mut keys);
            let tied = Tied { literal: there.is(1), known: is_there };
            let gate = (side.arc(predicate + 1, word + 1), knows_arc(sentence, predicate + 1, word + 1));
            connect(laying, tied, &[gate], &keys);
        }
        found.words.push(word);
        found.there.push(there);
        found.roles.push(choice);
    }

    /// A Boolean for each role that is possible, of which one holds if the word is an argument.
    fn lay_each_role(&self, there: Variable, roles: &[u32], laying: &mut Laying<'_>) -> (RoleChoice, Scores) {
        let scores = laying.graph.scores(&vec![0.0; self.kinds.len()]);
        let each: Vec<(u32, Variable)> = roles.iter().map(|&role| (role, laying.graph.boolean())).collect();
        for &(role, variable) in &each {
            laying.graph.unary_of(variable, scores.part(role as usize));
        }
        let literals: Vec<Literal> = each.iter().map(|(_, variable)| variable.is(1)).collect();
        laying.graph.is_at_most_one(there.is(1), &literals);
        (RoleChoice::Each(each), scores)
    }

    /// Counts each role from word to word, and lets the last count meet the sense.
    fn lay_counts(
        &self,
        sentence: &Sentence,
        views: &Views,
        found: &PredicateVariables,
        laying: &mut Laying<'_>,
    ) {
        let n_bins = self.options.valency.n_bins();
        for role in 0..self.kinds.len() as u32 {
            let mut count: Option<Variable> = None;
            for choice in &found.roles {
                if let Some(plays) = choice.boolean(role) {
                    let after = laying.graph.variable(n_bins);
                    laying.graph.count(count, plays, after);
                    count = Some(after);
                }
            }
            self.lay_frame(sentence, views, (found, role), count, laying);
        }
    }

    /// Scores of how many words play a role, for each sense. A role that no word may play is played by none.
    fn lay_frame(
        &self,
        sentence: &Sentence,
        views: &Views,
        (found, role): (&PredicateVariables, u32),
        count: Option<Variable>,
        laying: &mut Laying<'_>,
    ) {
        let n_bins = if count.is_some() { self.options.valency.n_bins() } else { 1 };
        let n_senses = found.senses.len().max(1);
        let variables: Vec<Variable> = found.sense.into_iter().chain(count).collect();
        if variables.is_empty() {
            return;
        }
        let scores = laying.graph.scores(&vec![0.0; n_senses * n_bins]);
        match variables[..] {
            [one] => laying.graph.unary_of(one, scores),
            _ => laying.graph.table_of(&variables, scores),
        };
        let known = self.known_count(sentence, found.number, role);
        let said = &sentence.semantics.predicates[found.number];
        let mut keys = Vec::new();
        for value in 0..n_senses {
            let sense = found.senses.get(value).map_or(0, |sense| code(8, sense));
            let is_sense = said.sense.as_ref().map(|known| found.senses.get(value) == Some(known));
            for bin in 0..n_bins {
                let is_bin = known.map(|known| known == bin);
                let holds = match (is_sense, is_bin) {
                    (Some(false), _) | (_, Some(false)) => Holds::No,
                    (Some(true), Some(true)) => Holds::Yes,
                    _ => Holds::Open,
                };
                frame_keys(views, said.word, sense, role, bin as u32, &mut keys);
                laying.score(scores.part(value * n_bins + bin), &[&keys], holds, self.keep());
            }
        }
    }

    /// How many words are known to play a role, up to the bound; `None` if that is not known.
    fn known_count(&self, sentence: &Sentence, number: usize, role: u32) -> Option<usize> {
        let said = &sentence.semantics.predicates[number];
        let plays = |argument: &&tree::semantics::Argument| self.kinds.get(&argument.role) == role + 1;
        let n = said.arguments.iter().filter(plays).count();
        said.open.is_empty().then_some(n.min(self.options.valency.n_bins().max(1) - 1))
    }

    /// What tells whether a word is an argument, and in which role (§6.5.4).
    fn argument_keys(
        &self,
        views: &Views,
        predicate: usize,
        word: usize,
        side: &SyntaxSide,
        keys: &mut Vec<u64>,
    ) {
        keys.clear();
        let (p, a) = (views.word(predicate), views.word(word));
        let direction = direction(predicate, word);
        let distance = predicate.abs_diff(word) as u32;
        let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(ARGUMENTS + template, parts));
        push(0, &[]);
        push(1, &[p.form, a.form]);
        push(2, &[p.class, a.class]);
        push(3, &[p.form, a.class]);
        push(4, &[p.class, a.form]);
        push(5, &[p.class, p.form, a.class, a.form]);
        push(6, &[p.class, a.class, distance]);
        push(7, &[p.class, a.class, direction]);
        push(8, &[p.class, direction, distance]);
        push(9, &[a.class, direction, distance]);
        if self.options.sight == Sight::Rich {
            self.rich_argument_keys(views, predicate, word, side, keys);
        }
    }

    fn rich_argument_keys(
        &self,
        views: &Views,
        predicate: usize,
        word: usize,
        side: &SyntaxSide,
        keys: &mut Vec<u64>,
    ) {
        let (p, a) = (views.word(predicate), views.word(word));
        let direction = direction(predicate, word);
        let distance = (predicate.abs_diff(word) as u32).min(8);
        let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(ARGUMENTS + 10 + template, parts));
        push(0, &[a.form, direction]);
        push(1, &[a.lemma, direction]);
        push(2, &[p.lemma, direction, a.class]);
        push(3, &[p.lemma, a.lemma]);
        push(4, &[a.class, direction]);
        push(5, &[p.class, a.class, direction, distance]);
        // What stands around a word tells in place of a tree, and beside one it only disturbs.
        if let SyntaxSide::Heads(known) = side {
            path_keys(known, views, predicate, word, keys);
            return;
        }
        let at = word as isize;
        let around = [views.at(at - 1), views.at(at + 1)];
        push(6, &[a.class, around[0].class, direction]);
        push(7, &[a.class, around[1].class, direction]);
        push(8, &[around[0].lower, a.class, direction]);
        push(9, &[around[1].lower, a.class, direction]);
        push(10, &[around[0].class, a.class, around[1].class, direction]);
        a.endings.iter().for_each(|&ending| push(11, &[ending, direction]));
        a.endings.iter().for_each(|&ending| push(12, &[ending, p.class, direction]));
        p.endings.iter().for_each(|&ending| push(13, &[ending, a.class, direction]));
        let (low, high) = (predicate.min(word), predicate.max(word));
        let between = || (low + 1..high).map(|at| views.word(at));
        if high - low <= 6 {
            push(14, &[p.class, a.class, direction, joined(between().map(|word| word.class))]);
        }
        let n_same = |class: u32| between().filter(|word| word.class == class).count().min(3) as u32;
        push(15, &[p.class, a.class, direction, n_same(p.class), n_same(a.class)]);
        for word in between().take(12) {
            push(16, &[word.class, p.class, a.class, direction]);
        }
    }
}

fn direction(predicate: usize, word: usize) -> u32 {
    match word.cmp(&predicate) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}

/// The way from an argument to its predicate, in a tree that is given.
fn path_keys(known: &KnownHeads, views: &Views, predicate: usize, word: usize, keys: &mut Vec<u64>) {
    let Some(path) = known.path(word, predicate) else { return };
    let [ups, downs] = path.lengths();
    let direction = direction(predicate, word);
    let (p, a) = (views.word(predicate), views.word(word));
    let relation = known.relation(word + 1);
    let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(ARGUMENTS + 40 + template, parts));
    push(0, &[ups, downs]);
    push(1, &[ups, downs, direction, p.class, a.class]);
    push(2, &[ups, downs, p.lemma]);
    push(3, &[ups, downs, a.lemma]);
    let relations = path.relations(known);
    push(4, &[relations]);
    push(5, &[relations, p.lemma]);
    push(6, &[relations, p.class, a.class, direction]);
    push(7, &[relations, a.lemma]);
    push(8, &[relation, p.class]);
    push(9, &[relation, direction, p.lemma]);
    if path.up.len() + path.down.len() <= 7 {
        let classes = path.code(|word| views.at(word as isize - 1).class);
        push(10, &[classes, direction]);
        push(11, &[classes, p.lemma]);
    }
    push(16, &[relations, p.lemma, a.lemma]);
    push(17, &[relations, p.form]);
    a.endings.iter().for_each(|&ending| push(18, &[ending, relations]));
    p.endings.iter().for_each(|&ending| push(19, &[ending, relations]));
    let below = |head: usize| known.below(head);
    let marks = |of: ChildMark| below(predicate).filter(move |&child| known.mark(child) == Some(of));
    push(20, &[relations, u32::from(marks(ChildMark::Passive).next().is_some())]);
    push(21, &[relations, joined(marks(ChildMark::Auxiliary).map(|child| views.word(child).lower))]);
    let frame = below(predicate).filter(|&child| known.mark(child) != Some(ChildMark::Punctuation));
    push(22, &[relations, joined(frame.map(|child| known.relation(child + 1)))]);
    // Words that mark a dependent's case or clause stand below it; other dependents say what is left for this one.
    let of_argument = below(word).filter(|&child| known.mark(child) == Some(ChildMark::Case));
    let case = joined(of_argument.flat_map(|child| [known.relation(child + 1), views.word(child).lemma]));
    push(23, &[relations, case]);
    push(24, &[relations, case, p.lemma]);
    push(25, &[case, a.class]);
    push(26, &[known.relation(predicate + 1), relations]);
    for child in below(word) {
        push(12, &[views.word(child).lower, relations]);
        push(13, &[views.word(child).lower, p.lemma]);
        push(14, &[known.relation(child + 1), relations]);
    }
    for child in below(predicate).filter(|&child| child != word) {
        push(15, &[known.relation(child + 1), relations]);
    }
}

/// What tells a sense (§6.5.4).
fn sense_keys(views: &Views, word: usize, sense: u32, keys: &mut Vec<u64>) {
    keys.clear();
    let p = views.word(word);
    let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(SENSES + template, parts));
    push(0, &[sense]);
    push(1, &[sense, p.form]);
    push(2, &[sense, p.lemma]);
    push(3, &[sense, p.class]);
    for offset in (-5..=5isize).filter(|&offset| offset != 0) {
        let other = views.at(word as isize + offset);
        push(4, &[sense, other.lower]);
        if offset.abs() <= 3 {
            push(5, &[sense, other.lower, offset as u32]);
            push(6, &[sense, other.class, offset as u32]);
        }
    }
}

/// What tells how many words play a role, in a sense and in any (§6.5.4).
fn frame_keys(views: &Views, word: usize, sense: u32, role: u32, bin: u32, keys: &mut Vec<u64>) {
    keys.clear();
    let p = views.word(word);
    for (place, extra) in [0, p.form, p.lemma, p.class].into_iter().enumerate() {
        keys.push(Key::of(COUNTS, &[place as u32, role, bin, sense, extra]));
        keys.push(Key::of(COUNTS + 1, &[place as u32, role, bin, extra]));
    }
}

/// What says that an argument and an arc go together (§6.5.4).
fn tie_keys(views: &Views, predicate: usize, word: usize, is_plain: bool, keys: &mut Vec<u64>) {
    keys.clear();
    let (p, a) = (views.word(predicate), views.word(word));
    let direction = direction(predicate, word);
    let distance = predicate.abs_diff(word) as u32;
    let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(TIES + template, parts));
    push(0, &[]);
    if is_plain {
        return;
    }
    push(1, &[p.form, a.form]);
    push(2, &[p.class, a.class]);
    push(3, &[p.form, a.class]);
    push(4, &[p.class, a.form]);
    push(5, &[p.class, p.form, a.class, a.form]);
    push(6, &[direction]);
    push(7, &[distance]);
    push(8, &[direction, distance]);
    push(9, &[p.form, a.form, direction, distance]);
    push(10, &[p.class, a.class, direction, distance]);
    push(11, &[p.class, a.class, distance]);
    push(12, &[p.class, direction, distance]);
    push(13, &[a.class, direction, distance]);
    push(14, &[p.class, a.class, direction]);
}

impl RoleChoice {
    /// The Boolean of a role, if there are Booleans and it has one.
    fn boolean(&self, role: u32) -> Option<Variable> {
        match self {
            RoleChoice::Value(_) => None,
            RoleChoice::Each(each) => {
                each.iter().find(|(other, _)| *other == role).map(|(_, variable)| *variable)
            }
        }
    }

    /// How probable each of so many roles is.
    pub(super) fn beliefs(&self, graph: &bp::Graph, messages: &bp::Messages, n_roles: usize) -> Vec<f64> {
        match self {
            RoleChoice::Value(role) => {
                let mut beliefs = Vec::new();
                messages.beliefs(graph, *role, &mut beliefs);
                beliefs.get(1..=n_roles).map_or_else(Vec::new, <[f64]>::to_vec)
            }
            RoleChoice::Each(each) => {
                let mut beliefs = vec![0.0; n_roles];
                each.iter().for_each(|&(role, variable)| {
                    beliefs[role as usize] = messages.probability(graph, variable.is(1));
                });
                beliefs
            }
        }
    }

    /// Writes that a word plays a role, or none.
    fn know(&self, role: Option<Option<u32>>, evidence: &mut Evidence) {
        match (self, role) {
            (RoleChoice::Value(variable), None) => evidence.set(variable.is(0)),
            (RoleChoice::Value(variable), Some(Some(role))) => evidence.set(variable.is(role as usize + 1)),
            (RoleChoice::Each(each), None) => {
                each.iter().for_each(|(_, variable)| evidence.set(variable.is(0)))
            }
            (RoleChoice::Each(each), Some(Some(role))) => {
                each.iter()
                    .for_each(|&(other, variable)| evidence.set(variable.is(usize::from(other == role))));
            }
            // A role that the model does not know.
            (_, Some(None)) => {}
        }
    }
}

impl RoleVariables {
    /// Writes what is known of senses and roles.
    pub(super) fn know(&self, model: &SemanticModel, sentence: &Sentence, evidence: &mut Evidence) {
        for found in &self.predicates {
            let said = &sentence.semantics.predicates[found.number];
            let sense =
                said.sense.as_ref().and_then(|known| found.senses.iter().position(|sense| sense == known));
            if let (Some(variable), Some(value)) = (found.sense, sense) {
                evidence.set(variable.is(value));
            }
            for ((&word, there), choice) in found.words.iter().zip(&found.there).zip(&found.roles) {
                if let Some(role) = knows_argument(model, sentence, found.number, word) {
                    evidence.set(there.is(usize::from(role.is_some())));
                    choice.know(role, evidence);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
