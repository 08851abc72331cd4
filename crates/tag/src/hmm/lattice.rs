//! A sentence with the tags that each word may have, and what they weigh.

/// Possible tags by position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lattice {
    ends: Vec<usize>,
    tags: Vec<u32>,
    weights: Vec<f64>,
    slots: Vec<u32>,
}

/// The slot of a tag that no count belongs to.
pub(super) const NO_SLOT: u32 = u32::MAX;

impl Lattice {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.tags.clear();
        self.weights.clear();
        self.slots.clear();
    }

    /// Adds a position: tags, their weights, and where their counts belong.
    pub fn push(&mut self, tags: impl IntoIterator<Item = (u32, f64, Option<u32>)>) {
        for (tag, weight, slot) in tags {
            self.tags.push(tag);
            self.weights.push(weight);
            self.slots.push(slot.unwrap_or(NO_SLOT));
        }
        self.ends.push(self.tags.len());
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tags of a position.
    pub fn tags(&self, position: usize) -> &[u32] {
        &self.tags[self.range(position)]
    }

    /// The weights of a position's tags.
    pub fn weights(&self, position: usize) -> &[f64] {
        &self.weights[self.range(position)]
    }

    /// Where the counts of all tags of all positions belong.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Where the tags of a position stand among those of all.
    pub(crate) fn range(&self, position: usize) -> std::ops::Range<usize> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        start..self.ends[position]
    }
}
