//! The syntax beside a task: arcs or brackets that are known, or variables.

use bp::structured::{Brackets, Structured};
use bp::{Evidence, Graph, Literal, Messages, Variable};
use rustc_hash::FxHashSet;

use super::census::{Holds, Keep};
use super::found::SpanBelief;
use super::laying::Laying;
use super::views::{code, joined};
use super::{Mode, Syntax};
use crate::Sentence;
use crate::arcs::Coded;
use crate::brackets::span_keys::{self, NumberedSentence};
use crate::links::{Links, TreeShape};

/// A piece of syntax that would carry a piece of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// It is not there.
    Never,
    /// It is there.
    Always,
    /// It is there if a variable says so.
    If(Variable),
}

/// The syntax of a sentence.
#[derive(Debug)]
pub(super) enum SyntaxSide {
    /// The task is alone.
    None,
    /// The head of each word is known for good.
    Heads(KnownHeads),
    /// The brackets are known for good.
    Spans(FxHashSet<(u32, u32)>),
    Arcs(Links),
    Brackets(Bracketing),
}

/// A tree that is known for good.
#[derive(Debug)]
pub(super) struct KnownHeads {
    /// The head of each word, from 1.
    pub(super) heads: Vec<usize>,
    /// What each word is to its head, as a number; 0 if nobody says.
    pub(super) relations: Vec<u32>,
    /// What relations tell apart.
    kinds: Vec<Option<ChildMark>>,
}

/// A dependent that tells how its head is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildMark {
    /// An adposition, a conjunction.
    Case,
    /// An auxiliary.
    Auxiliary,
    /// Something that only a passive has.
    Passive,
    /// Punctuation.
    Punctuation,
}

impl ChildMark {
    /// What a relation of Universal Dependencies says.
    fn of(relation: &str) -> Option<ChildMark> {
        match relation.split(':').next().unwrap_or_default() {
            _ if relation.contains("pass") => Some(ChildMark::Passive),
            "case" | "mark" => Some(ChildMark::Case),
            "aux" | "cop" => Some(ChildMark::Auxiliary),
            "punct" => Some(ChildMark::Punctuation),
            _ => None,
        }
    }
}

/// The way from one word up to what it shares with another, and down to that.
pub(super) struct Path {
    /// The words on the way up, the first one and the one that is shared included, from 1; 0 for the root.
    pub(super) up: Vec<usize>,
    /// The words on the way down, the last one included, the one that is shared left out, from the top.
    pub(super) down: Vec<usize>,
}

impl KnownHeads {
    /// The way from one word to another, both from 0.
    pub(super) fn path(&self, from: usize, to: usize) -> Option<Path> {
        let (mut up, mut down) = (self.way_up(from), self.way_up(to));
        let meets = up.iter().position(|word| down.contains(word))?;
        up.truncate(meets + 1);
        let shared = down.iter().position(|word| *word == up[meets])?;
        down.truncate(shared);
        down.reverse();
        Some(Path { up, down })
    }

    fn way_up(&self, from: usize) -> Vec<usize> {
        let mut way = vec![from + 1];
        while let Some(&word) = way.last()
            && word != 0
            && way.len() <= self.heads.len() + 1
        {
            way.push(self.heads[word - 1]);
        }
        way
    }

    /// The dependents of a word, from 0.
    pub(super) fn below(&self, word: usize) -> impl Iterator<Item = usize> {
        self.heads.iter().enumerate().filter(move |(_, head)| **head == word + 1).map(|(child, _)| child)
    }

    /// What a word tells of its head, from 0.
    pub(super) fn mark(&self, word: usize) -> Option<ChildMark> {
        self.kinds.get(word).copied().flatten()
    }

    /// What a word is to its head, from 1.
    pub(super) fn relation(&self, word: usize) -> u32 {
        word.checked_sub(1).and_then(|word| self.relations.get(word)).copied().unwrap_or(0)
    }
}

impl Path {
    /// How far up, and how far down.
    pub(super) fn lengths(&self) -> [u32; 2] {
        [self.up.len().min(10) as u32 - 1, self.down.len().min(9) as u32]
    }

    /// What it passes, as a number: `of` every word of it, with a mark where it turns.
    pub(super) fn code(&self, of: impl Fn(usize) -> u32) -> u32 {
        joined(self.up.iter().map(|&word| of(word)).chain([7]).chain(self.down.iter().map(|&word| of(word))))
    }

    /// The relations that it passes, with a mark where it turns.
    pub(super) fn relations(&self, known: &KnownHeads) -> u32 {
        let up = self.up[..self.up.len() - 1].iter().map(|&word| known.relation(word));
        joined(up.chain([7]).chain(self.down.iter().map(|&word| known.relation(word))))
    }
}

/// A variable for each span of two words and more but the whole sentence.
#[derive(Debug)]
pub(super) struct Bracketing {
    n_words: usize,
    spans: Vec<(u32, u32)>,
    variables: Vec<Variable>,
}

/// What is seen of the words by syntax.
#[derive(Debug, Clone)]
pub(super) enum SyntaxView {
    Arcs(Coded),
    Brackets(NumberedSentence),
}

impl SyntaxSide {
    /// What is known for good in mode *oracle*; `None` if something of it is not known.
    pub(super) fn known(syntax: Syntax, sentence: &Sentence) -> Option<SyntaxSide> {
        match syntax {
            Syntax::Arcs => {
                let heads = (1..=sentence.len()).map(|word| sentence.head(word)).collect::<Option<_>>()?;
                let relations = sentence.relations.iter().map(|relation| code(10, relation)).collect();
                let kinds = sentence.relations.iter().map(|relation| ChildMark::of(relation)).collect();
                Some(SyntaxSide::Heads(KnownHeads { heads, relations, kinds }))
            }
            Syntax::Brackets => {
                let known = sentence.brackets.as_ref().filter(|known| known.is_whole)?;
                Some(SyntaxSide::Spans(known.spans.iter().copied().collect()))
            }
        }
    }

    /// Variables for all syntax there can be.
    pub(super) fn open(
        view: &SyntaxView,
        sentence: &Sentence,
        (mode, shape): (Mode, TreeShape),
        laying: &mut Laying<'_>,
    ) -> SyntaxSide {
        // Where trees are known in training, features of what nobody drew would only say what the tree says.
        let keep = if mode == Mode::Hidden { Keep::Frequent } else { Keep::Positive };
        match view {
            SyntaxView::Arcs(coded) => {
                SyntaxSide::Arcs(lay_arcs(coded, sentence, (mode, shape, keep), laying))
            }
            SyntaxView::Brackets(numbers) => {
                SyntaxSide::Brackets(Bracketing::lay(numbers, sentence, (mode, keep), laying))
            }
        }
    }

    /// The arc from a head to a word, both from 1.
    pub(super) fn arc(&self, head: usize, word: usize) -> Gate {
        match self {
            SyntaxSide::Heads(known) if known.heads[word - 1] == head => Gate::Always,
            SyntaxSide::Arcs(links) => links.variable(head, word).map_or(Gate::Never, Gate::If),
            _ => Gate::Never,
        }
    }

    /// The span from a word to the one before another, from 0.
    pub(super) fn span(&self, start: usize, end: usize) -> Gate {
        let is_there = |there: bool| if there { Gate::Always } else { Gate::Never };
        match self {
            SyntaxSide::Spans(spans) => is_there(spans.contains(&(start as u32, end as u32))),
            SyntaxSide::Brackets(spans) => spans.gate(start, end),
            _ => Gate::Never,
        }
    }

    /// Writes what the sentence knows of syntax.
    pub(super) fn know(&self, sentence: &Sentence, evidence: &mut Evidence) {
        match self {
            SyntaxSide::Arcs(links) => links.know(sentence, evidence),
            SyntaxSide::Brackets(spans) => spans.know(sentence, evidence),
            _ => {}
        }
    }
}

/// Whether a piece of syntax is known to be there.
pub(super) fn knows_arc(sentence: &Sentence, head: usize, word: usize) -> Option<bool> {
    sentence.head(word).map(|known| known == head)
}

/// Whether a span is known to be a bracket.
pub(super) fn knows_span(sentence: &Sentence, start: usize, end: usize) -> Option<bool> {
    let known = sentence.brackets.as_ref()?;
    let span = (start as u32, end as u32);
    let crosses = |&(a, b): &(u32, u32)| {
        (a < span.0 && span.0 < b && b < span.1) || (span.0 < a && a < span.1 && span.1 < b)
    };
    match known.spans.contains(&span) {
        true => Some(true),
        false => (known.is_whole || known.spans.iter().any(crosses)).then_some(false),
    }
}

fn lay_arcs(
    coded: &Coded,
    sentence: &Sentence,
    (mode, shape, keep): (Mode, TreeShape, Keep),
    laying: &mut Laying<'_>,
) -> Links {
    let links = Links::new(coded.len(), &mut laying.graph);
    let mut keys = Vec::new();
    for (&(head, word), &link) in links.arcs.iter().zip(&links.variables) {
        coded.arc_keys(head as usize, word as usize, &mut keys);
        let scores = laying.graph.unary(link, &[0.0]);
        let known = knows_arc(sentence, head as usize, word as usize).filter(|_| mode != Mode::Hidden);
        laying.score(scores, &[&keys], Holds::from(known), keep);
    }
    if !links.arcs.is_empty() {
        links.form_trees(shape, &mut laying.graph);
    }
    links
}

impl Bracketing {
    fn lay(
        numbers: &NumberedSentence,
        sentence: &Sentence,
        (mode, keep): (Mode, Keep),
        laying: &mut Laying<'_>,
    ) -> Bracketing {
        let n_words = numbers.n_words();
        let is_open = |span: &(u32, u32)| *span != (0, n_words as u32);
        let spans: Vec<(u32, u32)> = Brackets::all_spans(n_words).into_iter().filter(is_open).collect();
        let variables: Vec<Variable> = spans.iter().map(|_| laying.graph.boolean()).collect();
        let keys = SpanKeys::new(numbers);
        let mut own = Vec::new();
        for (&(start, end), &variable) in spans.iter().zip(&variables) {
            let (start, end) = (start as usize, end as usize);
            own.clear();
            span_keys::of_whole_span(numbers, (start, end), &mut |key| own.push(key));
            let scores = laying.graph.unary(variable, &[0.0]);
            let known = knows_span(sentence, start, end).filter(|_| mode != Mode::Hidden);
            laying.score(scores, &[&keys.starts[start], &keys.ends[end], &own], Holds::from(known), keep);
        }
        let literals: Vec<Literal> = variables.iter().map(|variable| variable.is(1)).collect();
        if !literals.is_empty() {
            laying.graph.structured(Brackets::new(n_words, spans.clone()), &literals);
        }
        Bracketing { n_words, spans, variables }
    }

    fn gate(&self, start: usize, end: usize) -> Gate {
        match (end - start, (start, end) == (0, self.n_words)) {
            (0 | 1, _) => Gate::Never,
            (_, true) => Gate::Always,
            _ => self
                .spans
                .binary_search(&(start as u32, end as u32))
                .map_or(Gate::Never, |place| Gate::If(self.variables[place])),
        }
    }

    fn know(&self, sentence: &Sentence, evidence: &mut Evidence) {
        for (&(start, end), variable) in self.spans.iter().zip(&self.variables) {
            if let Some(known) = knows_span(sentence, start as usize, end as usize) {
                evidence.set(variable.is(usize::from(known)));
            }
        }
    }

    /// How probable each span is, and the tree with the most expected brackets.
    pub(super) fn read(&self, graph: &Graph, messages: &Messages) -> Vec<SpanBelief> {
        let marginals: Vec<f64> =
            self.variables.iter().map(|variable| messages.probability(graph, variable.is(1))).collect();
        let best = Brackets::new(self.n_words, self.spans.clone()).best(&marginals);
        let is_best = |place: usize| best.get(place).copied().unwrap_or(false);
        let open = self.spans.iter().zip(&marginals).enumerate();
        let mut all: Vec<SpanBelief> = open
            .map(|(place, (&span, &probability))| SpanBelief { span, probability, is_best: is_best(place) })
            .collect();
        if self.n_words > 1 {
            all.push(SpanBelief { span: (0, self.n_words as u32), probability: 1.0, is_best: true });
        }
        all
    }
}

/// What is seen where spans begin and where they end.
struct SpanKeys {
    starts: Vec<Vec<u64>>,
    ends: Vec<Vec<u64>>,
}

impl SpanKeys {
    fn new(numbers: &NumberedSentence) -> SpanKeys {
        let n = numbers.n_words();
        let (mut starts, mut ends) = (vec![Vec::new(); n + 1], vec![Vec::new(); n + 1]);
        for at in 0..n {
            span_keys::of_start(numbers, at, &mut |key| starts[at].push(key));
            span_keys::of_end(numbers, at + 1, &mut |key| ends[at + 1].push(key));
        }
        SpanKeys { starts, ends }
    }
}
