//! Every text of a table once, in one piece of memory.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Texts numbered from 1, end to end in one string; 0 stands for no text.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    letters: String,
    /// Text `id` ends at `ends[id]` and begins where the one before it ends.
    ends: Vec<usize>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { letters: String::new(), ends: vec![0] }
    }
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub(super) fn get(&self, id: u32) -> Option<&str> {
        let before = (id as usize).checked_sub(1)?;
        self.letters.get(*self.ends.get(before)?..*self.ends.get(id as usize)?)
    }

    fn push(&mut self, text: &str) -> u32 {
        self.letters.push_str(text);
        self.ends.push(self.letters.len());
        u32::try_from(self.len()).expect("a table holds less than 2³² different texts")
    }
}

/// Texts that still grow, with a table to find them by.
#[derive(Debug)]
pub(super) struct Interner {
    texts: Texts,
    /// Ids of texts, each at the first free slot from its hash on; 0 is free. A power of two.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { texts: Texts::default(), slots: vec![0; 64] }
    }
}

impl Interner {
    /// The id of `text`, a new one if it was not seen before.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let slot = self.slot(text);
        if self.slots[slot] > 0 {
            return self.slots[slot];
        }
        let id = self.texts.push(text);
        self.slots[slot] = id;
        // At most two thirds are taken, so that a free slot is near.
        if self.texts.len() * 3 > self.slots.len() * 2 {
            self.grow();
        }
        id
    }

    pub(super) fn freeze(mut self) -> Texts {
        self.texts.letters.shrink_to_fit();
        self.texts.ends.shrink_to_fit();
        self.texts
    }

    /// Where `text` is, or would be.
    fn slot(&self, text: &str) -> usize {
        let mut slot = hash(text) & (self.slots.len() - 1);
        while self.slots[slot] > 0 && self.texts.get(self.slots[slot]) != Some(text) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        let ids = std::mem::take(&mut self.slots);
        self.slots = vec![0; ids.len() * 2];
        for id in ids.into_iter().filter(|&id| id > 0) {
            let slot = self.texts.get(id).map(|text| self.slot(text));
            slot.into_iter().for_each(|slot| self.slots[slot] = id);
        }
    }
}

/// Few bits of the product reach the low end, from which the slot is taken, so the high half is folded in.
fn hash(text: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_id_however_many_there_are() {
        let mut interner = Interner::default();
        let texts: Vec<String> = (0..5000).map(|i| format!("{}", i * i)).collect();
        let ids: Vec<u32> = texts.iter().map(|text| interner.intern(text)).collect();
        assert_eq!(ids, (1..=5000).collect::<Vec<u32>>());
        assert!(texts.iter().zip(&ids).all(|(text, id)| interner.intern(text) == *id));
        assert_eq!(interner.intern(""), 5001);
        assert_eq!(interner.intern(""), 5001);
        let frozen = interner.freeze();
        assert!(texts.iter().zip(&ids).all(|(text, id)| frozen.get(*id) == Some(text)));
        assert_eq!((frozen.get(0), frozen.get(5001), frozen.get(5002)), (None, Some(""), None));
    }
}
