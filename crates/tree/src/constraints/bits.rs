//! Sets of words as bits.

/// As many sets as there are rows, each of numbers from 0 to a bound that all share: words, with the root as 0.
#[derive(Clone, Debug)]
pub(super) struct BitRows {
    n_blocks: usize,
    blocks: Vec<u64>,
}

impl BitRows {
    /// Empty sets of numbers from 0 to `max`.
    pub(super) fn empty(n_rows: usize, max: usize) -> Self {
        let n_blocks = max / 64 + 1;
        Self { n_blocks, blocks: vec![0; n_rows * n_blocks] }
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.blocks[row * self.n_blocks..][..self.n_blocks]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.blocks[row * self.n_blocks..][..self.n_blocks]
    }

    /// Puts all of the set `from` into the set `into`.
    pub(super) fn unite(&mut self, into: usize, from: usize) {
        let (into, from) = (into * self.n_blocks, from * self.n_blocks);
        for block in 0..self.n_blocks {
            self.blocks[into + block] |= self.blocks[from + block];
        }
    }
}

/// One set of numbers from 0 to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    blocks: Box<[u64]>,
}

impl Bits {
    /// An empty set of numbers from 0 to `max`.
    pub(super) fn empty(max: usize) -> Self {
        Self { blocks: vec![0; max / 64 + 1].into() }
    }

    /// The set of `numbers`, which are at most `max`.
    pub(super) fn of(max: usize, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::empty(max);
        numbers.into_iter().for_each(|number| _ = set.insert(number));
        set
    }

    /// Adds a number; whether that is news.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        insert(&mut self.blocks, number)
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.blocks[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn holds(&self, number: usize) -> bool {
        holds(&self.blocks, number)
    }

    pub(super) fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// The numbers in rising order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        ones(&self.blocks)
    }

    /// The only number, if there is exactly one.
    pub(super) fn only(&self) -> Option<usize> {
        only(&self.blocks)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.iter().all(|&block| block == 0)
    }
}

/// Adds `number` to a row; whether that is news.
pub(super) fn insert(row: &mut [u64], number: usize) -> bool {
    let (block, bit) = (&mut row[number / 64], 1 << (number % 64));
    let is_new = *block & bit == 0;
    *block |= bit;
    is_new
}

/// Whether `number` is in a row; false beyond its bound.
pub(super) fn holds(row: &[u64], number: usize) -> bool {
    row.get(number / 64).is_some_and(|block| block >> (number % 64) & 1 == 1)
}

/// The numbers in a row, rising.
pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(index, &block)| ones_of(block).map(move |bit| 64 * index + bit))
}

/// The numbers of the bits that are set in `block`, rising.
pub(super) fn ones_of(mut block: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (block != 0).then(|| block.trailing_zeros() as usize)?;
        block &= block - 1;
        Some(bit)
    })
}

/// The only number in a row, if there is exactly one.
pub(super) fn only(row: &[u64]) -> Option<usize> {
    let mut numbers = ones(row);
    numbers.next().filter(|_| numbers.next().is_none())
}

/// Whether two rows share a number.
pub(super) fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// Whether the first row has a number that the second has not.
pub(super) fn exceeds(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & !other != 0)
}
