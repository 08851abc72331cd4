//! The shape every model shares: items, and bundles of edges into them.

use std::ops::ControlFlow;

use crate::Spans;

/// A node of a forest: something that can be derived, such as "NP over words 2 to 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(pub u32);

impl Item {
    /// The item's place in a chart.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A packed forest that is walked, never stored.
///
/// Items are numbered bottom-up: every tail of a bundle has a smaller number than its head. The engine
/// relies on it; a forest that breaks it gets wrong sums, though never undefined behaviour.
pub trait Forest {
    /// What a rule weighs: an `f64` for scalar models, a tensor for [`crate::substates`].
    type Weight: Copy;

    /// How many numbers are in use, absent items included; charts have this length.
    fn n_items(&self) -> usize;

    /// The item that stands for the whole.
    fn goal(&self) -> Item;

    /// Shows every bundle into `head`, until `visit` breaks.
    fn bundles_into(&self, head: Item, visit: impl Visit<Self::Weight>) -> ControlFlow<()>;

    /// The items that can occur, bottom-up.
    ///
    /// Sparse forests override it: an item left out costs nothing in any walk.
    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        (0..self.n_items() as u32).map(Item)
    }

    /// The leaves below an item.
    ///
    /// [`crate::scaled`] gives each leaf position its own power of two. For that, the stretches of two tails
    /// must meet and together make the head's, a single tail must share its head's, and `items` must run by
    /// falling start. A forest that cannot promise it keeps this default and is scaled per item, slower.
    fn stretch(&self, item: Item) -> Stretch {
        let _ = item;
        Stretch { start: 0, end: 0 }
    }

    /// The numbering of the items, where it is that of a chart over spans.
    ///
    /// It saves [`crate::scaled`] the splits at which a side is zero. `stretch` must agree with it.
    fn spans(&self) -> Option<Spans> {
        None
    }
}

/// A half-open range of leaf positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The first position.
    pub start: u32,
    /// The position after the last.
    pub end: u32,
}

/// All edges of one rule into one item: one weight, all splits.
///
/// A rule may come in several bundles, as when its weight depends on the split or a mask tears the splits
/// apart, as long as no edge comes twice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bundle<W> {
    /// The caller's name for the rule; the engine only hands it back.
    pub rule: u32,
    /// The factor each edge contributes.
    pub weight: W,
    /// What the edges lead down to.
    pub tails: Tails,
}

/// What stands below the head of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tails {
    /// Nothing: the derivation ends here.
    Leaf,
    /// One item.
    One(Item),
    /// Two items, for each of several splits.
    Two(Splits),
}

/// Pairs of items as two arithmetic progressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Splits {
    /// The left item of the first split.
    pub left: Item,
    /// What is added to `left` from one split to the next.
    pub left_step: i32,
    /// The right item of the first split.
    pub right: Item,
    /// What is added to `right` from one split to the next.
    pub right_step: i32,
    /// The number of splits.
    pub len: u32,
}

impl Splits {
    /// The two items of split number `split`.
    #[inline]
    pub fn pair(&self, split: u32) -> (Item, Item) {
        let left = self.left.0.wrapping_add_signed(self.left_step.wrapping_mul(split as i32));
        let right = self.right.0.wrapping_add_signed(self.right_step.wrapping_mul(split as i32));
        (Item(left), Item(right))
    }

    /// The pairs in order.
    #[inline]
    pub fn pairs(self) -> impl Iterator<Item = (Item, Item)> {
        (0..self.len).map(move |split| self.pair(split))
    }
}

/// The tails of one edge: a bundle with its split chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// A leaf.
    Leaf,
    /// A unary step.
    One(Item),
    /// A binary step.
    Two(Item, Item),
}

impl Tails {
    /// How many edges there are.
    #[inline]
    pub fn len(&self) -> u32 {
        match self {
            Tails::Leaf | Tails::One(_) => 1,
            Tails::Two(splits) => splits.len,
        }
    }

    /// Whether there is no edge at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Edge number `split`.
    #[inline]
    pub fn edge(&self, split: u32) -> Edge {
        match self {
            Tails::Leaf => Edge::Leaf,
            Tails::One(tail) => Edge::One(*tail),
            Tails::Two(splits) => {
                let (left, right) = splits.pair(split);
                Edge::Two(left, right)
            }
        }
    }
}

/// One who is shown bundles, until it breaks.
pub trait Visit<W>: FnMut(Bundle<W>) -> ControlFlow<()> {}

impl<W, V: FnMut(Bundle<W>) -> ControlFlow<()>> Visit<W> for V {}

/// The items of a [`Forest`] that are all those of its [`Spans`], the first symbol over the whole for the goal.
///
/// It stands in the `impl` and takes the field with the spans: `forest::items_of_spans!(spans);`.
#[macro_export]
macro_rules! items_of_spans {
    ($($field:tt).+) => {
        fn n_items(&self) -> usize {
            self.$($field).+.n_items()
        }

        fn goal(&self) -> $crate::Item {
            self.$($field).+.item(0, 0, self.$($field).+.n_words())
        }

        fn items(&self) -> impl DoubleEndedIterator<Item = $crate::Item> {
            self.$($field).+.items()
        }

        fn stretch(&self, item: $crate::Item) -> $crate::Stretch {
            self.$($field).+.stretch(item)
        }
    };
}

/// Shows every bundle into `head`, for callers that never stop early.
#[inline]
pub(crate) fn each_bundle<F: Forest>(forest: &F, head: Item, mut visit: impl FnMut(Bundle<F::Weight>)) {
    let _ = forest.bundles_into(
        head,
        #[inline(always)]
        |bundle| {
            visit(bundle);
            ControlFlow::Continue(())
        },
    );
}
