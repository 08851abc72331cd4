//! Variables, factors, scores.

use crate::error::Error;
use crate::evidence::Evidence;
use crate::factor::{Factor, FactorKind};
use crate::structured::Structured;

/// A discrete variable of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub(crate) u32);

impl Variable {
    /// The variable having a value.
    pub fn is(self, value: usize) -> Literal {
        Literal { variable: self, value: value as u32 }
    }

    /// The number of the variable: variables are numbered as they come.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable and one of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub(crate) variable: Variable,
    pub(crate) value: u32,
}

impl Literal {
    /// The variable.
    pub fn variable(self) -> Variable {
        self.variable
    }

    /// The value.
    pub fn value(self) -> usize {
        self.value as usize
    }
}

/// A factor of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactorId(pub(crate) u32);

impl FactorId {
    /// The number of the factor: factors are numbered as they come.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A block of scores; several factors may share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scores {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Scores {
    /// Where the block lies among all scores of the graph.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// The scores of the block from a place on, as a block of its own.
    pub fn tail(self, at: usize) -> Scores {
        let at = (at as u32).min(self.len);
        Scores { start: self.start + at, len: self.len - at }
    }

    /// One score of the block as a block of its own.
    pub fn part(self, at: usize) -> Scores {
        Scores { start: self.start + (at as u32).min(self.len.saturating_sub(1)), len: 1 }
    }
}

/// The end of a factor at a variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FactorEdge {
    pub(crate) variable: u32,
    /// The value of the literal; [`WHOLE`] if the factor sees all values.
    pub(crate) value: u32,
    /// Where the message to the variable is kept.
    pub(crate) at: u32,
}

/// Marks an edge that carries a number for every value.
pub(crate) const WHOLE: u32 = u32::MAX;

/// A factor graph. Variables and factors are added one by one; [`Graph::finish`] looks it over.
#[derive(Debug, Default)]
pub struct Graph {
    /// How many values each variable has; 1 for a Boolean, whose log-odds are one number.
    pub(crate) widths: Vec<u32>,
    /// Where the sums of the messages to each variable are kept.
    pub(crate) at: Vec<u32>,
    pub(crate) factors: Vec<Factor>,
    pub(crate) edges: Vec<FactorEdge>,
    pub(crate) structured: Vec<Box<dyn Structured>>,
    pub(crate) scores: Vec<f64>,
    /// exp(score − largest of its block) of scores in tables, which are summed as plain numbers.
    pub(crate) weights: Vec<f64>,
    /// The largest score of a block, at the block's start.
    pub(crate) tops: Vec<f64>,
    pub(crate) n_totals: u32,
    pub(crate) n_messages: u32,
    /// Edges by variable.
    pub(crate) ends: Vec<u32>,
    pub(crate) ends_at: Vec<u32>,
    pub(crate) owners: Vec<u32>,
    pub(crate) fault: Option<Error>,
}

impl Graph {
    /// A graph without variables.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// A variable that is true (1) or false (0).
    pub fn boolean(&mut self) -> Variable {
        self.variable_of_width(1)
    }

    /// A variable with values from 0. With fewer than two there is nothing to choose, which is a fault of the graph.
    pub fn variable(&mut self, n_values: usize) -> Variable {
        if n_values < 2 {
            let variable = self.widths.len();
            self.fault.get_or_insert(Error::TooFewValues { variable, n_values });
        }
        self.variable_of_width(n_values.max(2) as u32)
    }

    fn variable_of_width(&mut self, width: u32) -> Variable {
        self.widths.push(width);
        self.at.push(self.n_totals);
        self.n_totals += width;
        Variable(self.widths.len() as u32 - 1)
    }

    /// How many values a variable has.
    pub fn n_values(&self, variable: Variable) -> usize {
        self.widths.get(variable.index()).map_or(0, |&width| width.max(2) as usize)
    }

    /// The number of variables.
    pub fn n_variables(&self) -> usize {
        self.widths.len()
    }

    /// The number of factors.
    pub fn n_factors(&self) -> usize {
        self.factors.len()
    }

    /// The number of scores of all blocks.
    pub fn n_scores(&self) -> usize {
        self.scores.len()
    }

    /// The scores of all blocks.
    pub fn all_scores(&self) -> &[f64] {
        &self.scores
    }

    /// A block of scores for several factors.
    pub fn scores(&mut self, scores: &[f64]) -> Scores {
        let start = self.scores.len() as u32;
        self.scores.extend_from_slice(scores);
        Scores { start, len: scores.len() as u32 }
    }

    /// Scores of the values of one variable: that of true for a Boolean, of every value for others.
    pub fn unary(&mut self, variable: Variable, scores: &[f64]) -> Scores {
        let scores = self.scores(scores);
        self.unary_of(variable, scores);
        scores
    }

    /// [`Graph::unary`] with scores that are there already.
    pub fn unary_of(&mut self, variable: Variable, scores: Scores) -> FactorId {
        self.factor(FactorKind::Unary, scores, [(variable, WHOLE)])
    }

    /// exp(score) if all literals hold, 1 otherwise: a soft coupling that draws them together if the score is above 0
    /// and apart if it is below.
    pub fn nand(&mut self, literals: &[Literal], score: f64) -> Scores {
        let scores = self.scores(&[score]);
        self.nand_of(literals, scores);
        scores
    }

    /// [`Graph::nand`] with a score that is there already.
    pub fn nand_of(&mut self, literals: &[Literal], scores: Scores) -> FactorId {
        self.logic(FactorKind::Nand, scores, literals)
    }

    /// exp(score) if the first literal holds and none of the others does, 1 otherwise.
    pub fn implies(&mut self, antecedent: Literal, consequents: &[Literal], score: f64) -> Scores {
        let scores = self.scores(&[score]);
        let literals: Vec<Literal> = std::iter::once(antecedent).chain(consequents.iter().copied()).collect();
        self.logic(FactorKind::Implies, scores, &literals);
        scores
    }

    /// Exactly one of the literals holds.
    pub fn exactly_one(&mut self, literals: &[Literal]) -> FactorId {
        self.logic(FactorKind::ExactlyOne, NO_SCORES, literals)
    }

    /// At most one of the literals holds.
    pub fn at_most_one(&mut self, literals: &[Literal]) -> FactorId {
        self.logic(FactorKind::AtMostOne, NO_SCORES, literals)
    }

    /// If the indicator holds, exactly one of the literals does; otherwise none.
    pub fn is_at_most_one(&mut self, indicator: Literal, literals: &[Literal]) -> FactorId {
        let literals: Vec<Literal> = std::iter::once(indicator).chain(literals.iter().copied()).collect();
        self.logic(FactorKind::IsAtMostOne, NO_SCORES, &literals)
    }

    /// The literal holds if and only if the variable does not have its value 0, its null. (E pluribus unum: exactly one
    /// of the literal and the null.)
    pub fn epu(&mut self, literal: Literal, variable: Variable) -> FactorId {
        self.logic(FactorKind::ExactlyOne, NO_SCORES, &[literal, variable.is(0)])
    }

    /// A score for every combination of values, the last variable's running fastest; −∞ for what cannot be.
    pub fn table(&mut self, variables: &[Variable], scores: &[f64]) -> Scores {
        let scores = self.scores(scores);
        self.table_of(variables, scores);
        scores
    }

    /// [`Graph::table`] with scores that are there already.
    pub fn table_of(&mut self, variables: &[Variable], scores: Scores) -> FactorId {
        self.factor(FactorKind::Table, scores, variables.iter().map(|&variable| (variable, WHOLE)))
    }

    /// A score for every pair of values, the second's running fastest, that counts if the literal holds; otherwise 0. The two
    /// variables are not Booleans.
    pub fn gated(&mut self, first: Variable, second: Variable, gate: Literal, scores: Scores) -> FactorId {
        for variable in [first, second] {
            if self.widths.get(variable.index()) == Some(&1) {
                self.fault.get_or_insert(Error::TooFewValues { variable: variable.index(), n_values: 1 });
            }
        }
        let value = self.edge_value(gate);
        self.factor(FactorKind::Gated, scores, [(first, WHOLE), (second, WHOLE), (gate.variable, value)])
    }

    /// Counts one more of something up to a bound: `after` is `before` + 1 if the literal holds, `before` otherwise, and
    /// never above its last value. Without `before` the count begins with 0.
    pub fn count(&mut self, before: Option<Variable>, literal: Variable, after: Variable) -> FactorId {
        let most = self.n_values(after) - 1;
        let befores = before.map_or(1, |before| self.n_values(before));
        let mut scores = Vec::with_capacity(befores * 2 * (most + 1));
        for before in 0..befores {
            for one in 0..2 {
                let right = (before + one).min(most);
                scores.extend((0..=most).map(|after| if after == right { 0.0 } else { f64::NEG_INFINITY }));
            }
        }
        let scores = self.scores(&scores);
        let variables: Vec<Variable> = before.into_iter().chain([literal, after]).collect();
        self.table_of(&variables, scores)
    }

    /// A combinatorial factor over literals, in the order in which it knows them.
    pub fn structured(&mut self, factor: impl Structured + 'static, literals: &[Literal]) -> FactorId {
        if factor.n_literals() != literals.len() {
            let factor = format!("{factor:?}").chars().take(40).collect();
            self.fault.get_or_insert(Error::WrongScope { factor, n_literals: literals.len() });
        }
        self.structured.push(Box::new(factor));
        self.logic(FactorKind::Structured(self.structured.len() as u32 - 1), NO_SCORES, literals)
    }

    fn logic(&mut self, kind: FactorKind, scores: Scores, literals: &[Literal]) -> FactorId {
        let ends: Vec<(Variable, u32)> =
            literals.iter().map(|&literal| (literal.variable, self.edge_value(literal))).collect();
        self.factor(kind, scores, ends)
    }

    /// The value that an edge stores; false of a Boolean is not a literal of its own, so it is refused.
    fn edge_value(&mut self, literal: Literal) -> u32 {
        let n_values = self.n_values(literal.variable) as u32;
        let is_false = self.widths.get(literal.variable.index()) == Some(&1) && literal.value == 0;
        if literal.value >= n_values || is_false {
            let variable = literal.variable.index();
            self.fault.get_or_insert(Error::NoSuchValue { variable, value: literal.value as usize });
        }
        literal.value
    }

    fn factor(
        &mut self,
        kind: FactorKind,
        scores: Scores,
        ends: impl IntoIterator<Item = (Variable, u32)>,
    ) -> FactorId {
        let id = self.factors.len() as u32;
        let first = self.edges.len() as u32;
        for (variable, value) in ends {
            let Some(&width) = self.widths.get(variable.index()) else {
                self.fault.get_or_insert(Error::NoSuchVariable { variable: variable.index() });
                continue;
            };
            let width = if value == WHOLE { width } else { 1 };
            self.edges.push(FactorEdge { variable: variable.0, value, at: self.n_messages });
            self.owners.push(id);
            self.n_messages += width;
        }
        self.factors.push(Factor { kind, scores, first, end: self.edges.len() as u32 });
        FactorId(id)
    }

    /// Whether evidence leaves a factor nothing to say: its potential is 1 whatever the free variables are.
    pub(crate) fn is_idle(&self, factor: &Factor, evidence: &Evidence) -> bool {
        let edges = self.edges_of(factor);
        let fails =
            |edge: &FactorEdge| evidence.at(edge.variable as usize).is_some_and(|value| value != edge.value);
        let holds = |edge: &FactorEdge| evidence.at(edge.variable as usize) == Some(edge.value);
        match factor.kind {
            FactorKind::Nand => edges.iter().any(fails),
            FactorKind::Implies => fails(&edges[0]) || edges[1..].iter().any(holds),
            FactorKind::Gated => fails(&edges[2]),
            _ => false,
        }
    }

    pub(crate) fn edges_of(&self, factor: &Factor) -> &[FactorEdge] {
        &self.edges[factor.first as usize..factor.end as usize]
    }

    pub(crate) fn ends_of(&self, variable: usize) -> &[u32] {
        &self.ends[self.ends_at[variable] as usize..self.ends_at[variable + 1] as usize]
    }

    /// What a factor is, for messages to people.
    pub fn describe(&self, factor: FactorId) -> String {
        let Some(found) = self.factors.get(factor.index()) else { return format!("factor {}", factor.0) };
        let edges = self.edges_of(found);
        let shown: Vec<String> = edges.iter().take(6).map(|edge| edge.variable.to_string()).collect();
        let rest = if edges.len() > 6 { ", …" } else { "" };
        let name = match found.kind {
            FactorKind::Structured(number) => self.structured[number as usize].name(),
            kind => kind.name(),
        };
        format!("factor {} ({name} over variables {}{rest})", factor.0, shown.join(", "))
    }
}

const NO_SCORES: Scores = Scores { start: 0, len: 0 };
