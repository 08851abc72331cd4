//! A sentence with the tags that each word may have, and what they weigh.

use forest::lattice::States;

/// Possible tags by position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lattice {
    states: States,
    slots: Vec<u32>,
}

/// The slot of a tag that no count belongs to.
pub(super) const NO_SLOT: u32 = u32::MAX;

impl Lattice {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.slots.clear();
    }

    /// Adds a position: tags, their weights, and where their counts belong.
    pub fn push(&mut self, tags: impl IntoIterator<Item = (u32, f64, Option<u32>)>) {
        let slots = &mut self.slots;
        self.states.push(tags.into_iter().map(|(tag, weight, slot)| {
            slots.push(slot.unwrap_or(NO_SLOT));
            (tag, weight)
        }));
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The tags of a position.
    pub fn tags(&self, position: usize) -> &[u32] {
        self.states.of(position)
    }

    /// The weights of a position's tags.
    pub fn weights(&self, position: usize) -> &[f64] {
        self.states.weights(position)
    }

    /// Tags and weights of all positions.
    pub(super) fn states(&self) -> &States {
        &self.states
    }

    /// Where the counts of all tags of all positions belong.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Where the tags of a position stand among those of all.
    pub(crate) fn range(&self, position: usize) -> std::ops::Range<usize> {
        self.states.range(position)
    }
}
