//! Names: a Boolean for each span that may be one, a variable for its type, and SEMI-CRF over all of them.
//!
//! ```text
//! score = Σ_{names (i, k) of type λ} [ θ · f(i, k) + θ_λ · f(i, k) ]  (+ what O is worth for each word, if it is a name)
//! ```

use bp::structured::Segments;
use bp::{Evidence, Literal, Variable};
use features::Key;
use rustc_hash::FxHashMap;

use super::census::{Holds, Keep};
use super::connect::{Tied, connect};
use super::laying::Laying;
use super::model::SemanticModel;
use super::options::Sight;
use super::syntax::{SyntaxSide, knows_span};
use super::views::{Views, WordView, joined};
use crate::Sentence;
use tree::PutInOrder;

/// Templates of names begin here.
const NAMES: u32 = 200;
/// Those of ties to brackets.
const TIES: u32 = 260;

/// The variables of names.
#[derive(Debug)]
pub(super) struct EntityVariables {
    pub(super) spans: Vec<(u32, u32)>,
    pub(super) there: Vec<Variable>,
    /// The type of each span, 0 for none, O last if there is one.
    pub(super) types: Vec<Variable>,
}

/// What is known of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Nothing.
    Open,
    /// That it is no name.
    None,
    /// That it is one, and which type it has if that is a type that the model knows.
    Of(Option<u32>),
    /// That it is a word outside of all names, where these are names called O.
    Outside,
}

/// What is known of the spans of a sentence.
pub(super) struct KnownNames {
    names: FxHashMap<(u32, u32), Option<u32>>,
    /// How many words before each position are known.
    n_known: Vec<u32>,
    /// How many words before each position are in names.
    n_named: Vec<u32>,
    covers_all: bool,
}

impl KnownNames {
    pub(super) fn new(model: &SemanticModel, sentence: &Sentence) -> KnownNames {
        let n = sentence.len();
        let said = &sentence.semantics;
        let mut is_named = vec![false; n];
        let mut names = FxHashMap::default();
        for entity in kept_entities(sentence) {
            let entity = &said.entities[entity];
            let span = entity.span;
            is_named[span.start()..span.end()].fill(true);
            let kind = model.kinds.get(&entity.kind).checked_sub(1);
            names.insert((span.start() as u32, span.end() as u32), kind);
        }
        let running = |is: &dyn Fn(usize) -> bool| -> Vec<u32> {
            let mut sums = vec![0; n + 1];
            (0..n).for_each(|word| sums[word + 1] = sums[word] + u32::from(is(word)));
            sums
        };
        KnownNames {
            names,
            n_known: running(&|word| is_named[word] || !said.open_words.contains(&word)),
            n_named: running(&|word| is_named[word]),
            covers_all: model.options.covers_all(),
        }
    }

    pub(super) fn of(&self, (start, end): (u32, u32)) -> Name {
        let among = |sums: &[u32]| sums[end as usize] - sums[start as usize];
        match self.names.get(&(start, end)) {
            Some(&kind) => Name::Of(kind),
            None if among(&self.n_known) == 0 => Name::Open,
            // A word that is known, and in no name.
            None if self.covers_all && end == start + 1 && among(&self.n_named) == 0 => Name::Outside,
            None => Name::None,
        }
    }
}

/// The entities that can be found: within the sentence and, of those that share words, the outermost and first.
pub(super) fn kept_entities(sentence: &Sentence) -> Vec<usize> {
    let entities = &sentence.semantics.entities;
    let mut order: Vec<usize> =
        (0..entities.len()).filter(|&number| entities[number].span.end() <= sentence.len()).collect();
    order.order_by_key(|&number| {
        (std::cmp::Reverse(entities[number].span.len()), entities[number].span.start(), number)
    });
    let mut taken = vec![false; sentence.len()];
    let mut kept = Vec::new();
    for number in order {
        let words = &mut taken[entities[number].span.start()..entities[number].span.end()];
        if words.iter().all(|is| !is) {
            words.fill(true);
            kept.push(number);
        }
    }
    kept.order_by_key(|&number| entities[number].span.start());
    kept
}

impl SemanticModel {
    /// How many weights a feature of a span has: one for the span, one for each type, one for O.
    fn n_name_weights(&self) -> usize {
        1 + self.kinds.len() + usize::from(self.options.covers_all())
    }

    /// Lays variables for all spans over a sentence.
    pub(super) fn lay_entities(
        &self,
        sentence: &Sentence,
        is_training: bool,
        side: &SyntaxSide,
        laying: &mut Laying<'_>,
    ) -> EntityVariables {
        let n = sentence.len();
        let views = Views::new(sentence);
        let known = KnownNames::new(self, sentence);
        let lists = self.gazetteer.matches(sentence, is_training);
        let keys = NameKeys::new(&views, self.options.sight);
        let spans = Segments::all_spans(n, self.options.widest.max(1) as usize);
        let mut variables = EntityVariables { spans, there: Vec::new(), types: Vec::new() };
        let (mut own, mut ties) = (Vec::new(), Vec::new());
        for &span in &variables.spans {
            let (start, end) = (span.0 as usize, span.1 as usize);
            let has_outside = self.options.covers_all() && end == start + 1;
            let there = laying.graph.boolean();
            let n_values = 1 + self.kinds.len() + usize::from(has_outside);
            let kind = laying.graph.variable(n_values.max(2));
            let of_span = laying.graph.unary(there, &[0.0]);
            let of_kind = laying.graph.unary(kind, &vec![0.0; n_values.max(2)]);
            laying.graph.epu(there.is(1), kind);
            keys.of_span(&views, start, end, &mut own);
            own.extend(lists.get(&span).into_iter().flatten().map(|&list| Key::of(NAMES + 40, &[list])));
            let name = known.of(span);
            laying.score_parts(
                &[(of_span, 0), (of_kind.tail(1), 1)],
                self.n_name_weights(),
                &[&keys.starts[start], &keys.ends[end], &own],
                name.holds(),
                self.keep(),
            );
            variables.there.push(there);
            variables.types.push(kind);
            if end - start > 1 {
                self.tie_keys(&views, start, end, &mut ties);
                let tied = Tied { literal: there.is(1), known: name.is_there() };
                connect(laying, tied, &[(side.span(start, end), knows_span(sentence, start, end))], &ties);
            }
        }
        let literals: Vec<Literal> = variables.there.iter().map(|there| there.is(1)).collect();
        if !literals.is_empty() {
            laying.graph.structured(Segments::new(n, variables.spans.clone(), self.options.cover), &literals);
        }
        variables
    }

    pub(super) fn keep(&self) -> Keep {
        if self.options.only_positive { Keep::Positive } else { Keep::Frequent }
    }

    /// What says that a name and a bracket go together (Table 4.3).
    fn tie_keys(&self, views: &Views, start: usize, end: usize, keys: &mut Vec<u64>) {
        keys.clear();
        keys.push(Key::of(TIES, &[]));
        if self.options.plain_tie {
            return;
        }
        let words = || (start..end).map(|at| views.word(at));
        keys.push(Key::of(TIES + 1, &[(end - start) as u32]));
        keys.push(Key::of(TIES + 2, &[joined(words().map(|word| word.form))]));
        if views.has_classes {
            let (first, last) = (views.word(start).class, views.word(end - 1).class);
            keys.push(Key::of(TIES + 3, &[joined(words().map(|word| word.class))]));
            keys.push(Key::of(TIES + 4, &[first]));
            keys.push(Key::of(TIES + 5, &[last]));
            keys.push(Key::of(TIES + 6, &[first, last]));
        } else {
            let (first, last) = (views.word(start).shape, views.word(end - 1).shape);
            keys.push(Key::of(TIES + 6, &[first, last]));
        }
    }
}

impl Name {
    fn holds(self) -> Holds {
        match self {
            Name::Open => Holds::Open,
            Name::None => Holds::No,
            Name::Of(_) | Name::Outside => Holds::Yes,
        }
    }

    fn is_there(self) -> Option<bool> {
        match self {
            Name::Open => None,
            Name::None => Some(false),
            Name::Of(_) | Name::Outside => Some(true),
        }
    }

    /// Whether it is a name, if that is known.
    pub(super) fn as_name(self) -> Option<bool> {
        match self {
            Name::Open => None,
            Name::None | Name::Outside => Some(false),
            Name::Of(_) => Some(true),
        }
    }
}

impl EntityVariables {
    /// Writes what is known of names.
    pub(super) fn know(&self, model: &SemanticModel, sentence: &Sentence, evidence: &mut Evidence) {
        let known = KnownNames::new(model, sentence);
        for ((&span, there), kind) in self.spans.iter().zip(&self.there).zip(&self.types) {
            let (is_there, value) = match known.of(span) {
                Name::Open => continue,
                Name::None => (false, Some(0)),
                Name::Of(kind) => (true, kind.map(|kind| kind as usize + 1)),
                Name::Outside => (true, Some(model.kinds.len() + 1)),
            };
            evidence.set(there.is(usize::from(is_there)));
            if let Some(value) = value {
                evidence.set(kind.is(value));
            }
        }
    }
}

/// What is seen where names begin, where they end, and inside.
struct NameKeys {
    starts: Vec<Vec<u64>>,
    ends: Vec<Vec<u64>>,
    inside: Vec<Vec<u64>>,
    sight: Sight,
}

impl NameKeys {
    fn new(views: &Views, sight: Sight) -> NameKeys {
        let n = views.len();
        let mut keys = NameKeys {
            starts: vec![Vec::new(); n + 1],
            ends: vec![Vec::new(); n + 1],
            inside: Vec::new(),
            sight,
        };
        for at in 0..n {
            let first = at as isize;
            let (starts, ends) = (&mut keys.starts[at], &mut keys.ends[at + 1]);
            word_keys(0, views.at(first - 1), starts);
            word_keys(1, views.at(first), starts);
            word_keys(2, views.at(first), ends);
            word_keys(3, views.at(first + 1), ends);
            // Pairs within a window of three words around either end.
            pair_keys(4, views.at(first - 1), views.at(first), starts);
            pair_keys(5, views.at(first), views.at(first + 1), starts);
            pair_keys(6, views.at(first - 1), views.at(first), ends);
            pair_keys(7, views.at(first), views.at(first + 1), ends);
            if sight == Sight::Rich {
                word_keys(8, views.at(first - 2), starts);
                word_keys(9, views.at(first + 2), ends);
                let word = views.at(first);
                let mut inside = vec![Key::of(NAMES + 30, &[word.lower]), Key::of(NAMES + 31, &[word.shape])];
                inside.extend(word.endings.iter().map(|&ending| Key::of(NAMES + 32, &[ending])));
                inside.extend(word.beginnings.iter().map(|&beginning| Key::of(NAMES + 33, &[beginning])));
                keys.inside.push(inside);
            }
        }
        keys
    }

    /// What is seen of a span as a whole.
    fn of_span(&self, views: &Views, start: usize, end: usize, keys: &mut Vec<u64>) {
        keys.clear();
        if self.sight == Sight::Chain {
            return;
        }
        let words = || (start..end).map(|at| views.word(at));
        let width = (end - start) as u32;
        keys.push(Key::of(NAMES + 10, &[]));
        keys.push(Key::of(NAMES + 11, &[joined(words().map(|word| word.form))]));
        keys.push(Key::of(NAMES + 12, &[joined(words().map(|word| word.capital))]));
        keys.push(Key::of(NAMES + 13, &[width]));
        if views.has_classes {
            keys.push(Key::of(NAMES + 14, &[joined(words().map(|word| word.class))]));
            keys.push(Key::of(NAMES + 15, &[joined(words().flat_map(|word| [word.form, word.class]))]));
            keys.push(Key::of(NAMES + 16, &[views.word(start).class, views.word(end - 1).class]));
        }
        if self.sight == Sight::Rich {
            let around = [views.at(start as isize - 1), views.at(end as isize)];
            keys.push(Key::of(NAMES + 17, &[joined(words().map(|word| word.shape))]));
            keys.push(Key::of(NAMES + 18, &[joined(words().map(|word| word.lower))]));
            keys.push(Key::of(NAMES + 19, &[around[0].lower, around[1].lower]));
            keys.push(Key::of(
                NAMES + 20,
                &[around[0].shape, views.word(start).shape, views.word(end - 1).shape, around[1].shape],
            ));
            keys.push(Key::of(
                NAMES + 21,
                &[views.word(start).shape, views.word(end - 1).shape, width.min(5)],
            ));
            self.inside[start..end].iter().for_each(|inside| keys.extend(inside));
        }
    }
}

/// What is seen of a word at a place (Table 4.2).
fn word_keys(place: u32, word: &WordView, keys: &mut Vec<u64>) {
    let mut push = |template: u32, part: u32| keys.push(Key::of(NAMES + template, &[place, part]));
    push(0, word.form);
    push(1, word.lower);
    push(2, word.capital);
    push(3, word.shape);
    if word.class != 0 {
        push(4, word.class);
        push(5, joined([word.form, word.class].into_iter()));
    }
    word.beginnings.iter().for_each(|&beginning| push(6, beginning));
    word.endings.iter().for_each(|&ending| push(7, ending));
    word.patterns.iter().for_each(|&pattern| push(8, pattern));
}

/// Two neighbours.
fn pair_keys(place: u32, one: &WordView, other: &WordView, keys: &mut Vec<u64>) {
    keys.push(Key::of(NAMES + 9, &[place, 0, one.form, other.form]));
    keys.push(Key::of(NAMES + 9, &[place, 2, one.shape, other.shape]));
    if one.class != 0 && other.class != 0 {
        keys.push(Key::of(NAMES + 9, &[place, 1, one.class, other.class]));
    }
}

#[cfg(test)]
mod tests;
