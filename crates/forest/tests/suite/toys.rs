//! Forests of the four models, over small random weights.

use std::cell::Cell;
use std::ops::ControlFlow;

use forest::substates::Refined;
use forest::{Bundle, Forest, Item, Spans, Stretch, Tails, Visit};
use testkit::enumerate::{Edge, Hypergraph};
use testkit::toys::{Pcfg, RefinedPcfg, SplitMix64};

/// Anything, with its bundles counted.
pub(crate) struct Counted<F> {
    pub(crate) forest: F,
    pub(crate) n_bundles: Cell<usize>,
    pub(crate) n_edges: Cell<usize>,
}

impl<F: Forest> Counted<F> {
    pub(crate) fn new(forest: F) -> Counted<F> {
        Counted { forest, n_bundles: Cell::new(0), n_edges: Cell::new(0) }
    }
}

impl<F: Forest> Forest for Counted<F> {
    type Weight = F::Weight;
    fn n_items(&self) -> usize {
        self.forest.n_items()
    }
    fn goal(&self) -> Item {
        self.forest.goal()
    }
    fn bundles_into(&self, head: Item, mut visit: impl Visit<F::Weight>) -> ControlFlow<()> {
        self.forest.bundles_into(head, |bundle| {
            self.n_bundles.set(self.n_bundles.get() + 1);
            self.n_edges.set(self.n_edges.get() + bundle.tails.len() as usize);
            visit(bundle)
        })
    }
    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.forest.items()
    }
    fn stretch(&self, item: Item) -> Stretch {
        self.forest.stretch(item)
    }
}

/// A PCFG over a sentence; `allowed` says which spans may be built.
pub(crate) struct PcfgForest<'g> {
    pub(crate) grammar: &'g Pcfg,
    pub(crate) words: Vec<usize>,
    pub(crate) spans: Spans,
    pub(crate) allowed: Vec<bool>,
    pub(crate) present: Vec<Item>,
}

impl<'g> PcfgForest<'g> {
    pub(crate) fn new(grammar: &'g Pcfg, words: &[usize]) -> PcfgForest<'g> {
        PcfgForest::masked(grammar, words, |_, _| true)
    }

    pub(crate) fn masked(
        grammar: &'g Pcfg,
        words: &[usize],
        allowed: impl Fn(u32, u32) -> bool,
    ) -> PcfgForest<'g> {
        let n = words.len() as u32;
        let spans = Spans::new(n, grammar.n_symbols as u32).expect("small enough to number");
        let allowed: Vec<bool> =
            (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| i < j && allowed(i, j)).collect();
        let present = spans
            .items()
            .filter(|&item| {
                let (_, start, end) = spans.locate(item);
                allowed[(start * (n + 1) + end) as usize]
            })
            .collect();
        PcfgForest { grammar, words: words.to_vec(), spans, allowed, present }
    }

    fn allows(&self, start: u32, end: u32) -> bool {
        self.allowed[start as usize * (self.words.len() + 1) + end as usize]
    }
}

impl Forest for PcfgForest<'_> {
    type Weight = f64;
    fn n_items(&self) -> usize {
        self.spans.n_items()
    }
    fn goal(&self) -> Item {
        self.spans.item(0, 0, self.spans.n_words())
    }
    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.present.iter().copied()
    }
    fn stretch(&self, item: Item) -> Stretch {
        self.spans.stretch(item)
    }
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (symbol, start, end) = self.spans.locate(head);
        if end - start == 1 {
            let word = self.words[start as usize];
            let weight = self.grammar.lexical[symbol as usize][word];
            let rule = self.grammar.lexical_rule(symbol as usize, word);
            return visit(Bundle { rule, weight, tails: Tails::Leaf });
        }
        let runs = forest::spans::runs(start + 1..end, |k| self.allows(start, k) && self.allows(k, end));
        for (rule, &(a, b, c, weight)) in self.grammar.binary.iter().enumerate() {
            for &run in runs.iter().filter(|_| a == symbol as usize) {
                let splits = self.spans.splits_at((b as u32, c as u32), (start, end), run, 1);
                visit(Bundle { rule: rule as u32, weight, tails: Tails::Two(splits) })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The CKY-tree factor: one symbol, odds per span.
pub(crate) struct CkyTree {
    pub(crate) spans: Spans,
    pub(crate) odds: Vec<Vec<f64>>,
}

impl CkyTree {
    pub(crate) fn new(n: u32, odds: impl FnMut(usize, usize) -> f64) -> CkyTree {
        let mut odds = odds;
        let odds = (0..=n as usize).map(|i| (0..=n as usize).map(|j| odds(i, j)).collect()).collect();
        CkyTree { spans: Spans::new(n, 1).expect("small enough to number"), odds }
    }
}

impl Forest for CkyTree {
    type Weight = f64;
    forest::items_of_spans!(spans);
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (_, start, end) = self.spans.locate(head);
        if end - start == 1 {
            return visit(Bundle { rule: 0, weight: 1.0, tails: Tails::Leaf });
        }
        let weight = self.odds[start as usize][end as usize];
        let tails = Tails::Two(self.spans.splits(0, 0, start, end));
        visit(Bundle { rule: 1 + head.0, weight, tails })
    }
}

/// Split-head dependency trees over half words: word i has positions 2i (left) and 2i + 1 (right).
///
/// An arc from a head weighs more or less according to whether it is the head's first on that side, so
/// each arc comes in two bundles.
pub(crate) struct SplitHead {
    pub(crate) spans: Spans,
    pub(crate) n: usize,
    /// `arc[head][dependent]`, `root[word]`.
    pub(crate) arc: Vec<Vec<f64>>,
    pub(crate) root: Vec<f64>,
    /// `first[head]` and `more[head]`, for a first and a further dependent.
    pub(crate) first: Vec<f64>,
    pub(crate) more: Vec<f64>,
}

impl SplitHead {
    pub(crate) fn random(n: usize, random: &mut SplitMix64) -> SplitHead {
        let mut vector = || -> Vec<f64> { (0..n).map(|_| random.uniform() + 0.05).collect() };
        let arc = (0..n).map(|_| vector()).collect();
        let (root, first, more) = (vector(), vector(), vector());
        SplitHead {
            spans: Spans::new(2 * n as u32, 2).expect("small enough to number"),
            n,
            arc,
            root,
            first,
            more,
        }
    }

    /// The weight of a dependency tree, from its heads.
    pub(crate) fn weight(&self, heads: &[Option<usize>]) -> f64 {
        let mut weight = 1.0;
        for (word, head) in heads.iter().enumerate() {
            let Some(head) = *head else {
                weight *= self.root[word];
                continue;
            };
            let between = word.min(head) + 1..word.max(head);
            let is_first = !between.into_iter().any(|other| heads[other] == Some(head));
            weight *= self.arc[head][word] * if is_first { self.first[head] } else { self.more[head] };
        }
        weight
    }

    /// The bundles of an arc between the words of `start` and `end`, whose first dependents join at `near`.
    fn arc_bundles(&self, head: usize, word: usize, start: u32, end: u32) -> [Bundle<f64>; 2] {
        let rule = (head * self.n + word) as u32;
        let (near, rest) =
            if head < word { (start + 1, (start + 3, end)) } else { (end - 1, (start + 1, end - 2)) };
        let near = self.spans.splits_at((0, 0), (start, end), (near, near + 1), 2);
        let rest = self.spans.splits_at((0, 0), (start, end), rest, 2);
        let arc = self.arc[head][word];
        [
            Bundle { rule, weight: arc * self.first[head], tails: Tails::Two(near) },
            Bundle { rule, weight: arc * self.more[head], tails: Tails::Two(rest) },
        ]
    }
}

impl Forest for SplitHead {
    type Weight = f64;
    forest::items_of_spans!(spans);
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let no_rule = (self.n * self.n + self.n) as u32;
        let (kind, start, end) = self.spans.locate(head);
        let two = |splits| Bundle { rule: no_rule, weight: 1.0, tails: Tails::Two(splits) };
        let (left, right) = (start as usize / 2, end as usize / 2);
        match (start % 2, end % 2, kind) {
            _ if end - start == 1 && kind == 0 => {
                visit(Bundle { rule: no_rule, weight: 1.0, tails: Tails::Leaf })
            }
            // A head's right half with all its right dependents.
            (1, 0, 0) => visit(two(self.spans.splits_at((0, 0), (start, end), (start + 2, end), 2))),
            // Its left half with all its left dependents.
            (0, 1, 0) => visit(two(self.spans.splits_at((0, 1), (start, end), (start + 1, end), 2))),
            // An arc, to the right or to the left.
            (1, 1, 0) => self.arc_bundles(left, right, start, end).into_iter().try_for_each(visit),
            (1, 1, 1) => self.arc_bundles(right, left, start, end).into_iter().try_for_each(visit),
            (0, 0, 0) if head == self.goal() => (0..self.n).try_for_each(|word| {
                let at = 2 * word as u32 + 1;
                let tails = Tails::Two(self.spans.splits_at((0, 0), (start, end), (at, at + 1), 1));
                visit(Bundle { rule: (self.n * self.n + word) as u32, weight: self.root[word], tails })
            }),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A PCFG with substates over a sentence.
pub(crate) struct RefinedForest<'g> {
    pub(crate) grammar: &'g RefinedPcfg,
    pub(crate) words: Vec<usize>,
    pub(crate) spans: Spans,
}

impl<'g> RefinedForest<'g> {
    pub(crate) fn new(grammar: &'g RefinedPcfg, words: &[usize]) -> RefinedForest<'g> {
        let n_symbols = grammar.n_substates.len() as u32;
        RefinedForest {
            grammar,
            words: words.to_vec(),
            spans: Spans::new(words.len() as u32, n_symbols).expect("small enough to number"),
        }
    }

    pub(crate) fn lexical_rule(&self, symbol: usize, word: usize) -> u32 {
        (self.grammar.binary.len() + symbol * self.grammar.lexical[0].len() + word) as u32
    }

    /// A buffer of zeros for every rule.
    pub(crate) fn no_counts(&self) -> Vec<Vec<f64>> {
        let binary = self.grammar.tensors.iter();
        binary.chain(self.grammar.lexical.iter().flatten()).map(|tensor| vec![0.0; tensor.len()]).collect()
    }
}

impl<'g> Forest for RefinedForest<'g> {
    type Weight = &'g [f64];
    forest::items_of_spans!(spans);
    fn bundles_into(&self, head: Item, mut visit: impl Visit<&'g [f64]>) -> ControlFlow<()> {
        let (symbol, start, end) = self.spans.locate(head);
        if end - start == 1 {
            let word = self.words[start as usize];
            let weight = self.grammar.lexical[symbol as usize][word].as_slice();
            let rule = self.lexical_rule(symbol as usize, word);
            return visit(Bundle { rule, weight, tails: Tails::Leaf });
        }
        for (rule, &(a, b, c)) in self.grammar.binary.iter().enumerate() {
            if a == symbol as usize {
                let tails = Tails::Two(self.spans.splits(b as u32, c as u32, start, end));
                visit(Bundle { rule: rule as u32, weight: self.grammar.tensors[rule].as_slice(), tails })?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'g> Refined<'g> for RefinedForest<'g> {
    fn n_substates(&self, item: Item) -> usize {
        self.grammar.n_substates[self.spans.locate(item).0 as usize]
    }
    fn root(&self) -> &[f64] {
        &self.grammar.root
    }
}

/// A forest over spans whose last symbol may also be its first: unary bundles among binary ones.
pub(crate) struct WithUnary<F: Forest> {
    pub(crate) forest: F,
    pub(crate) spans: Spans,
    pub(crate) weight: F::Weight,
    /// Whether the forest says that its items are numbered by [`Spans`].
    pub(crate) spanned: bool,
}

impl<F: Forest> Forest for WithUnary<F> {
    type Weight = F::Weight;
    fn n_items(&self) -> usize {
        self.forest.n_items()
    }
    fn goal(&self) -> Item {
        self.forest.goal()
    }
    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.forest.items()
    }
    fn stretch(&self, item: Item) -> Stretch {
        self.forest.stretch(item)
    }
    fn spans(&self) -> Option<Spans> {
        self.spanned.then_some(self.spans)
    }
    fn bundles_into(&self, head: Item, mut visit: impl Visit<F::Weight>) -> ControlFlow<()> {
        let (symbol, start, end) = self.spans.locate(head);
        let has_unary = symbol + 1 == self.spans.n_symbols() && symbol > 0;
        // In the midst of binary bundles, so that the order in which they are summed shows in the bits.
        let due = if end - start == 1 { 1 } else { 2 };
        let mut n_shown = 0;
        let unary =
            Bundle { rule: u32::MAX, weight: self.weight, tails: Tails::One(self.spans.item(0, start, end)) };
        self.forest.bundles_into(head, |bundle| {
            visit(bundle)?;
            n_shown += 1;
            if has_unary && n_shown == due { visit(unary) } else { ControlFlow::Continue(()) }
        })
    }
}

impl<'g, F: Refined<'g>> Refined<'g> for WithUnary<F> {
    fn n_substates(&self, item: Item) -> usize {
        self.forest.n_substates(item)
    }
    fn root(&self) -> &[f64] {
        self.forest.root()
    }
}

/// A forest written out in full: unary bundles, several leaves per item, no stretches.
pub(crate) struct Written {
    pub(crate) bundles: Vec<Vec<Bundle<f64>>>,
}

impl Written {
    /// Random bundles over `n_items` items; the last is the goal.
    pub(crate) fn random(n_items: u32, random: &mut SplitMix64) -> Written {
        let mut bundles = Vec::new();
        for item in 0..n_items {
            let mut into = Vec::new();
            for rule in 0..2 {
                let weight = if random.uniform() < 0.1 { 0.0 } else { random.uniform() * 2.0 };
                let mut lower = || Item(random.below(item as usize) as u32);
                let tails = match (item, rule) {
                    (0, _) => Tails::Leaf,
                    (1 | 2, 1) => Tails::Leaf,
                    (_, 1) => Tails::One(lower()),
                    _ => Tails::Two(forest::Splits {
                        left: Item(0),
                        left_step: 1,
                        right: Item(item - 1),
                        right_step: -1,
                        len: item.min(2),
                    }),
                };
                into.push(Bundle { rule: item * 2 + rule, weight, tails });
            }
            bundles.push(into);
        }
        Written { bundles }
    }
}

impl Forest for Written {
    type Weight = f64;
    fn n_items(&self) -> usize {
        self.bundles.len()
    }
    fn goal(&self) -> Item {
        Item(self.bundles.len() as u32 - 1)
    }
    fn bundles_into(&self, head: Item, visit: impl Visit<f64>) -> ControlFlow<()> {
        self.bundles[head.index()].iter().copied().try_for_each(visit)
    }
}

/// The forest as a hypergraph, for the oracle.
pub(crate) fn written_out(forest: &impl Forest<Weight = f64>) -> Hypergraph {
    let mut edges = vec![Vec::new(); forest.n_items()];
    for item in forest.items() {
        let _ = forest.bundles_into(item, |bundle| {
            for split in 0..bundle.tails.len() {
                let tails = match bundle.tails.edge(split) {
                    forest::Edge::Leaf => vec![],
                    forest::Edge::One(tail) => vec![tail.index()],
                    forest::Edge::Two(left, right) => vec![left.index(), right.index()],
                };
                edges[item.index()].push(Edge { rule: bundle.rule, weight: bundle.weight, tails });
            }
            ControlFlow::Continue(())
        });
    }
    Hypergraph { edges, goal: forest.goal().index() }
}

/// A derivation in the oracle's form.
pub(crate) fn steps_of(derivation: &forest::Derivation) -> Vec<(usize, u32, Vec<usize>)> {
    let step = |step: &forest::Step| {
        let tails = match step.edge {
            forest::Edge::Leaf => vec![],
            forest::Edge::One(tail) => vec![tail.index()],
            forest::Edge::Two(left, right) => vec![left.index(), right.index()],
        };
        (step.item.index(), step.rule, tails)
    };
    derivation.steps.iter().map(step).collect()
}

/// `body` for forests of every model and many seeds: a macro, since forests are not of one type.
macro_rules! for_each_forest {
    ($forest:ident => $body:block) => {
        for seed in 0..12u64 {
            let mut random = testkit::toys::SplitMix64(seed);
            let n = 1 + (seed % 6) as usize;
            let grammar = testkit::toys::Pcfg::random(3, 6, 4, &mut random);
            let words: Vec<usize> = (0..n).map(|_| random.below(4)).collect();
            let $forest = &$crate::toys::PcfgForest::new(&grammar, &words);
            $body
            let whole = n as u32;
            let masked = |i: u32, j: u32| j - i == 1 || j - i == whole || (i + j + seed as u32) % 3 > 0;
            let $forest = &$crate::toys::PcfgForest::masked(&grammar, &words, masked);
            $body
            let $forest = &$crate::toys::CkyTree::new(n as u32, |_, _| random.uniform() * 3.0);
            $body
            let $forest = &$crate::toys::SplitHead::random(n.min(5), &mut random);
            $body
            let $forest = &$crate::toys::Written::random(2 + n as u32, &mut random);
            $body
        }
    };
}
pub(crate) use for_each_forest;

pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    let same = found == expected || (found - expected).abs() <= 1e-9 * expected.abs().max(1e-3);
    assert!(same, "{what}: found {found}, expected {expected}");
}
