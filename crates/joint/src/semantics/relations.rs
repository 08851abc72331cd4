//! Relations between names that are given: a Boolean for each pair and a variable for what it is called.
//!
//! Names are single words here. Two ties to syntax: D-CONNECT says that both names depend on one word (so for every word that
//! may be it), C-CONNECT that the words from the one to the other are a bracket.

use bp::{Evidence, Variable};
use features::Key;

use super::census::Holds;
use super::collapse::Collapsed;
use super::connect::{Tied, connect};
use super::laying::Laying;
use super::model::SemanticModel;
use super::options::{Sight, Syntax};
use super::syntax::{KnownHeads, SyntaxSide, knows_arc, knows_span};
use super::views::{Views, code, joined};
use crate::Sentence;

/// Templates of relations begin here.
const PAIRS: u32 = 300;
/// Those of ties to syntax.
const TIES: u32 = 360;

/// The variables of relations.
#[derive(Debug)]
pub(super) struct RelationVariables {
    /// The numbers of the two names, the one that is written first before the other.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) there: Vec<Variable>,
    /// The relation of each pair, 0 for none.
    pub(super) kinds: Vec<Variable>,
}

/// A relation as its label has it: with an arrow to where it leads in the order of words.
pub(super) fn arrow(kind: &str, is_forward: bool) -> String {
    format!("{}{kind}", if is_forward { '>' } else { '<' })
}

/// What is known of a pair of names: nothing, or which relation it has, if any, and if the model knows that.
pub(super) fn knows_pair(
    model: &SemanticModel,
    sentence: &Sentence,
    pair: (usize, usize),
) -> Option<Option<Option<u32>>> {
    let said = &sentence.semantics;
    if said.open_pairs.contains(&pair) {
        return None;
    }
    let label = |relation: &tree::semantics::Relation| {
        model.kinds.get(&arrow(&relation.kind, relation.first == pair.0)).checked_sub(1)
    };
    Some(said.relation(pair.0, pair.1).map(label))
}

impl SemanticModel {
    /// Lays variables for all pairs over a sentence whose names are words.
    pub(super) fn lay_relations(
        &self,
        sentence: &Sentence,
        collapsed: &Collapsed,
        side: &SyntaxSide,
        laying: &mut Laying<'_>,
    ) -> RelationVariables {
        let views = Views::new(sentence);
        let n_kinds = self.kinds.len();
        let seeing = Seeing { sentence, collapsed, views: &views, tokens: Views::new(&collapsed.sentence) };
        let mut variables = RelationVariables { pairs: Vec::new(), there: Vec::new(), kinds: Vec::new() };
        let (mut keys, mut ties) = (Vec::new(), Vec::new());
        for second in 0..collapsed.words.len() {
            for first in 0..second {
                let pair = (collapsed.entities[first], collapsed.entities[second]);
                let words = (collapsed.words[first], collapsed.words[second]);
                let known = knows_pair(self, sentence, pair);
                let is_there = known.map(|relation| relation.is_some());
                let there = laying.graph.boolean();
                let kind = laying.graph.variable((n_kinds + 1).max(2));
                let of_pair = laying.graph.unary(there, &[0.0]);
                let of_kind = laying.graph.unary(kind, &vec![0.0; (n_kinds + 1).max(2)]);
                laying.graph.epu(there.is(1), kind);
                self.pair_keys(&seeing, pair, words, side, &mut keys);
                let blocks = [(of_pair, 0), (of_kind.tail(1), 1)];
                laying.score_parts(&blocks, 1 + n_kinds, &[&keys], Holds::from(is_there), self.keep());
                let tied = Tied { literal: there.is(1), known: is_there };
                match self.options.syntax {
                    Syntax::Brackets => {
                        self.tie_pair_keys(&seeing, pair, words, None, &mut ties);
                        let span = (words.0, words.1 + 1);
                        let gate = side.span(span.0, span.1);
                        connect(
                            laying,
                            tied,
                            &[(gate, knows_span(&collapsed.sentence, span.0, span.1))],
                            &ties,
                        );
                    }
                    Syntax::Arcs => self.tie_to_heads(&seeing, pair, words, (tied, side), laying, &mut ties),
                }
                variables.pairs.push(pair);
                variables.there.push(there);
                variables.kinds.push(kind);
            }
        }
        variables
    }

    /// Ties a pair to every word on which both may depend.
    fn tie_to_heads(
        &self,
        seeing: &Seeing<'_>,
        pair: (usize, usize),
        words: (usize, usize),
        (tied, side): (Tied, &SyntaxSide),
        laying: &mut Laying<'_>,
        ties: &mut Vec<u64>,
    ) {
        let tokens = &seeing.collapsed.sentence;
        for head in (0..tokens.len()).filter(|&head| head != words.0 && head != words.1) {
            let arc = |word: usize| (side.arc(head + 1, word + 1), knows_arc(tokens, head + 1, word + 1));
            let gates = [arc(words.0), arc(words.1)];
            if gates.iter().all(|(gate, _)| *gate != super::syntax::Gate::Never) {
                self.tie_pair_keys(seeing, pair, words, Some(head), ties);
                connect(laying, tied, &gates, ties);
            }
        }
    }

    /// What tells how two names are related (§5.4.3).
    fn pair_keys(
        &self,
        seeing: &Seeing<'_>,
        (a, b): (usize, usize),
        words: (usize, usize),
        side: &SyntaxSide,
        keys: &mut Vec<u64>,
    ) {
        keys.clear();
        let (views, said) = (seeing.views, &seeing.sentence.semantics.entities);
        let (one, two) = (said[a].span, said[b].span);
        let text = |span: tree::Span| joined((span.start()..span.end()).map(|at| views.word(at).form));
        let classes = |span: tree::Span| joined((span.start()..span.end()).map(|at| views.word(at).class));
        let capitals = |span: tree::Span| joined((span.start()..span.end()).map(|at| views.word(at).capital));
        let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(PAIRS + template, parts));
        push(0, &[]);
        push(1, &[text(one)]);
        push(2, &[text(two)]);
        for at in one.start()..one.end() {
            push(3, &[views.word(at).form]);
            for other in two.start()..two.end() {
                push(4, &[views.word(at).form, views.word(other).form]);
            }
        }
        (two.start()..two.end()).for_each(|at| push(5, &[views.word(at).form]));
        let distance = (words.1 - words.0) as u32;
        push(6, &[distance]);
        push(7, &[text(one), text(two)]);
        push(8, &[capitals(one), 0]);
        push(8, &[capitals(two), 1]);
        if views.has_classes {
            push(9, &[classes(one)]);
            push(10, &[classes(two)]);
            push(11, &[classes(one), classes(two)]);
        }
        let types = [code(7, &said[a].kind), code(7, &said[b].kind)];
        if self.options.types {
            push(12, &[types[0]]);
            push(13, &[types[1]]);
            push(14, &types);
        }
        if self.options.sight == Sight::Rich {
            self.rich_pair_keys(seeing, (one, two), words, types, side, keys);
        }
    }

    /// Words between and around, and the path in a tree that is given.
    fn rich_pair_keys(
        &self,
        seeing: &Seeing<'_>,
        (one, two): (tree::Span, tree::Span),
        words: (usize, usize),
        types: [u32; 2],
        side: &SyntaxSide,
        keys: &mut Vec<u64>,
    ) {
        let (views, tokens) = (seeing.views, &seeing.tokens);
        let types = if self.options.types { types } else { [0, 0] };
        let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(PAIRS + 20 + template, parts));
        let distance = (words.1 - words.0) as u32;
        push(0, &[distance.min(12), types[0], types[1]]);
        for at in one.end()..two.start() {
            let word = views.word(at);
            push(1, &[word.lower]);
            push(2, &[word.lower, types[0], types[1]]);
            push(3, &[word.lemma]);
            if word.class != 0 {
                push(4, &[word.class, word.lower]);
            }
        }
        let between = |column: fn(&super::views::WordView) -> u32| {
            joined((one.end()..two.start()).map(|at| column(views.word(at))))
        };
        if two.start() > one.end() && two.start() - one.end() <= 6 {
            push(5, &[between(|word| word.lower)]);
            push(6, &[between(|word| word.class), types[0], types[1]]);
        }
        if two.start() > one.end() {
            push(7, &[views.word(one.end()).lower]);
            push(8, &[views.word(two.start() - 1).lower]);
            push(9, &[views.word(one.end()).lower, types[0], types[1]]);
            push(10, &[views.word(two.start() - 1).lower, types[0], types[1]]);
            for at in one.end()..two.start().saturating_sub(1) {
                push(11, &[views.word(at).lower, views.word(at + 1).lower]);
            }
        }
        for (place, at) in [
            (0, one.start() as isize - 1),
            (1, one.start() as isize - 2),
            (2, two.end() as isize),
            (3, two.end() as isize + 1),
        ] {
            push(12, &[place, views.at(at).lower]);
            push(13, &[place, views.at(at).lower, types[0], types[1]]);
        }
        for (place, span) in [(0, one), (1, two)] {
            let last = views.word(span.end() - 1);
            push(14, &[place, last.lower]);
            push(15, &[place, last.shape]);
            last.endings.iter().for_each(|&ending| push(16, &[place, ending]));
            push(17, &[place, last.lower, types[1 - place as usize]]);
        }
        push(18, &[views.word(one.end() - 1).lower, views.word(two.end() - 1).lower]);
        // Names that stand between the two, and how many.
        let n_between =
            seeing.collapsed.words.iter().filter(|&&word| words.0 < word && word < words.1).count();
        push(19, &[n_between.min(4) as u32, types[0], types[1]]);
        if let SyntaxSide::Heads(known) = side {
            path_keys(known, tokens, words, types, keys);
        }
    }

    /// What says that a relation and syntax go together (Table 5.2).
    fn tie_pair_keys(
        &self,
        seeing: &Seeing<'_>,
        (a, b): (usize, usize),
        words: (usize, usize),
        head: Option<usize>,
        keys: &mut Vec<u64>,
    ) {
        keys.clear();
        let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(TIES + template, parts));
        push(0, &[]);
        if self.options.plain_tie {
            return;
        }
        let (views, said) = (seeing.views, &seeing.sentence.semantics.entities);
        let (one, two) = (said[a].span, said[b].span);
        let text = |span: tree::Span| joined((span.start()..span.end()).map(|at| views.word(at).form));
        push(1, &[(words.1 - words.0) as u32]);
        push(2, &[text(one), text(two)]);
        for at in one.start()..one.end() {
            (two.start()..two.end())
                .for_each(|other| push(3, &[views.word(at).form, views.word(other).form]));
        }
        let types = [code(7, &said[a].kind), code(7, &said[b].kind)];
        if self.options.types {
            push(4, &[types[0]]);
            push(5, &[types[1]]);
            push(6, &types);
        }
        if let Some(head) = head {
            let word = seeing.tokens.word(head);
            push(7, &[word.lower]);
            push(8, &[word.class]);
            if self.options.types {
                push(9, &[types[0], types[1], word.lower]);
                push(10, &[types[0], types[1], word.class]);
            }
        }
    }
}

/// What is looked at.
struct Seeing<'a> {
    sentence: &'a Sentence,
    collapsed: &'a Collapsed,
    views: &'a Views,
    tokens: Views,
}

/// The way from the one name to the other, in a tree that is given.
fn path_keys(
    known: &KnownHeads,
    tokens: &Views,
    (a, b): (usize, usize),
    types: [u32; 2],
    keys: &mut Vec<u64>,
) {
    let Some(path) = known.path(a, b) else { return };
    let view = |word: usize| tokens.at(word as isize - 1);
    let [ups, downs] = path.lengths();
    let top = view(path.up[path.up.len() - 1]);
    let mut push = |template: u32, parts: &[u32]| keys.push(Key::of(PAIRS + 45 + template, parts));
    push(0, &[ups, downs]);
    push(1, &[ups, downs, types[0], types[1]]);
    push(2, &[top.lower, types[0], types[1]]);
    push(3, &[top.class, ups.min(4), downs.min(4)]);
    let inner = path.up[1..].iter().chain(path.down[..path.down.len().saturating_sub(1)].iter());
    for &word in inner {
        push(4, &[view(word).lower]);
        push(5, &[view(word).lower, types[0], types[1]]);
    }
    let relations = path.relations(known);
    push(6, &[relations]);
    push(7, &[relations, types[0], types[1]]);
    push(8, &[relations, top.lower]);
    if path.up.len() + path.down.len() <= 7 {
        push(9, &[path.code(|word| view(word).class)]);
        push(
            10,
            &[
                path.code(|word| if word == a + 1 || word == b + 1 { 0 } else { view(word).lower }),
                types[0],
                types[1],
            ],
        );
    }
}

impl RelationVariables {
    /// Writes what is known of relations.
    pub(super) fn know(&self, model: &SemanticModel, sentence: &Sentence, evidence: &mut Evidence) {
        for ((&pair, there), kind) in self.pairs.iter().zip(&self.there).zip(&self.kinds) {
            let Some(relation) = knows_pair(model, sentence, pair) else { continue };
            evidence.set(there.is(usize::from(relation.is_some())));
            match relation {
                None => evidence.set(kind.is(0)),
                Some(Some(label)) => evidence.set(kind.is(label as usize + 1)),
                Some(None) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
