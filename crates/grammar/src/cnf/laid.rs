//! A grammar over a sentence, as a forest.

use std::ops::ControlFlow;

use forest::{Bundle, Derivation, Forest, Item, Spans, Stretch, Tails, Visit};

use super::{CnfShape, Node, Tree};

/// Weights over a sentence. They need not sum to 1.
///
/// The rule of a bundle is the number of its event; a tag over its word is none, and has a number beyond all events.
#[derive(Debug, Clone, Copy)]
pub struct Laid<'a> {
    /// How events are numbered.
    pub shape: &'a CnfShape,
    /// What events weigh.
    pub weights: &'a [f64],
    /// The sentence: words, or tags.
    pub words: &'a [u32],
}

impl Laid<'_> {
    /// Whether the items of the sentence can be numbered: thousands of words are too many.
    pub fn fits(&self) -> bool {
        self.numbering().is_some()
    }

    /// Cells have nonterminals or preterminals, and the root after them.
    fn numbering(&self) -> Option<Spans> {
        Spans::new(u32::try_from(self.words.len()).ok()?.max(1), self.root_symbol() + 1)
    }

    fn spans(&self) -> Spans {
        self.numbering().expect("a sentence that fits")
    }

    fn root_symbol(&self) -> u32 {
        self.shape.n_nonterminals().max(self.shape.n_preterminals()) as u32
    }

    /// The weight of a word under a label.
    #[inline]
    pub(super) fn emission(&self, label: usize, word: u32) -> f64 {
        self.shape.emit(label, word).map_or(1.0, |event| self.weights[event])
    }

    /// The label that a symbol of an item stands for.
    fn label(&self, symbol: u32, start: u32, end: u32) -> usize {
        let first = if end - start > 1 { 0 } else { self.shape.n_nonterminals() };
        first + symbol as usize
    }

    fn symbol(&self, label: usize) -> u32 {
        label.checked_sub(self.shape.n_nonterminals()).unwrap_or(label) as u32
    }

    /// The labels that may stand over `start..end`.
    fn labels(&self, start: u32, end: u32) -> std::ops::Range<usize> {
        match end - start {
            1 => self.shape.preterminals_of(self.words[start as usize]),
            _ => 0..self.shape.n_nonterminals(),
        }
    }

    /// The label and words of an item; `None` for the root.
    pub fn node(&self, item: Item) -> Option<Node> {
        let (symbol, start, end) = self.spans().locate(item);
        let label = (symbol != self.root_symbol()).then(|| self.label(symbol, start, end) as u32)?;
        Some(Node { label, start, end })
    }

    /// The tree of a derivation.
    pub fn tree(&self, derivation: &Derivation) -> Tree {
        Tree { nodes: derivation.steps.iter().filter_map(|step| self.node(step.item)).collect() }
    }

    /// Rules over splits at `first..last`, all of which have the same labels on both sides.
    fn rules(
        &self,
        Node { label, start, end }: Node,
        (first, last): (u32, u32),
        visit: &mut impl Visit<f64>,
    ) -> ControlFlow<()> {
        if first >= last {
            return ControlFlow::Continue(());
        }
        let spans = self.spans();
        for left in self.labels(start, first) {
            for right in self.labels(first, end) {
                let event = self.shape.rule(label as usize, left, right);
                let symbols = (self.symbol(left), self.symbol(right));
                let splits = spans.splits_at(symbols, (start, end), (first, last), 1);
                show(event, self.weights[event], Tails::Two(splits), visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn show(event: usize, weight: f64, tails: Tails, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
    let rule = u32::try_from(event).unwrap_or(u32::MAX);
    if weight > 0.0 { visit(Bundle { rule, weight, tails }) } else { ControlFlow::Continue(()) }
}

impl Forest for Laid<'_> {
    type Weight = f64;

    fn n_items(&self) -> usize {
        Laid::spans(self).n_items()
    }

    fn goal(&self) -> Item {
        Laid::spans(self).item(self.root_symbol(), 0, self.words.len().max(1) as u32)
    }

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let n = self.words.len() as u32;
        let (_, start, end) = Laid::spans(self).locate(head);
        match self.node(head) {
            _ if n == 0 => ControlFlow::Continue(()),
            None if (start, end) != (0, n) => ControlFlow::Continue(()),
            None => {
                for label in self.labels(0, n) {
                    let event = self.shape.root(label);
                    let tail = Laid::spans(self).item(self.symbol(label), 0, n);
                    show(event, self.weights[event], Tails::One(tail), &mut visit)?;
                }
                ControlFlow::Continue(())
            }
            Some(node) if !self.labels(start, end).contains(&(node.label as usize)) => {
                ControlFlow::Continue(())
            }
            Some(node) if end - start == 1 => {
                let (label, word) = (node.label as usize, self.words[start as usize]);
                let event = self.shape.emit(label, word).unwrap_or(usize::MAX);
                show(event, self.emission(label, word), Tails::Leaf, &mut visit)
            }
            Some(node) => {
                // A side of one word has other labels than one of more.
                self.rules(node, (start + 1, start + 2), &mut visit)?;
                self.rules(node, (start + 2, end - 1), &mut visit)?;
                self.rules(node, (end - 1, if end - start > 2 { end } else { end - 1 }), &mut visit)
            }
        }
    }

    fn stretch(&self, item: Item) -> Stretch {
        Laid::spans(self).stretch(item)
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        Laid::spans(self).items()
    }
}
