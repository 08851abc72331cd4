//! Names as numbers: an interner that freezes.
//!
//! While a corpus is read, a [`SymbolsBuilder`] gives every new name the next number. `freeze` is a move:
//! after it no name can be added, and a name that was never seen is `None`, not a new number.
//!
//! ```
//! use tree::symbols::{Label, SymbolsBuilder};
//!
//! let mut labels = SymbolsBuilder::<Label>::new();
//! let noun = labels.intern("NN");
//! assert_eq!(labels.intern("NN"), noun);
//! let labels = labels.freeze();
//! assert_eq!((labels.get("NN"), labels.get("VB"), labels.name(noun)), (Some(noun), None, "NN"));
//! ```

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::marker::PhantomData;

/// A number that stands for a name of one table and cannot be mixed up with another table's.
pub trait Id: Copy + Eq {
    /// The id with this number.
    fn from_index(index: usize) -> Self;
    /// The number of this id.
    fn index(self) -> usize;
}

/// Declares a typed id: `typed_id!(/// A tag. Tag);`.
#[macro_export]
macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::symbols::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than four thousand million symbols"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

typed_id!(
    /// A constituent label or part-of-speech tag.
    Label
);
typed_id!(
    /// A word form.
    Word
);
typed_id!(
    /// A dependency relation.
    Relation
);

/// A table that still grows.
#[derive(Clone, Debug)]
pub struct SymbolsBuilder<I> {
    names: IndexSet<Box<str>, FxBuildHasher>,
    id: PhantomData<I>,
}

impl<I: Id> SymbolsBuilder<I> {
    /// An empty table.
    pub fn new() -> Self {
        Self { names: IndexSet::default(), id: PhantomData }
    }

    /// The id of `name`, a new one if it was not seen before.
    pub fn intern(&mut self, name: &str) -> I {
        match self.names.get_index_of(name) {
            Some(index) => I::from_index(index),
            None => I::from_index(self.names.insert_full(name.into()).0),
        }
    }

    /// Ends the growth.
    pub fn freeze(self) -> Symbols<I> {
        Symbols { names: self.names, id: PhantomData }
    }
}

impl<I: Id> Default for SymbolsBuilder<I> {
    fn default() -> Self {
        Self::new()
    }
}

/// A table that no longer grows.
#[derive(Clone, Debug)]
pub struct Symbols<I> {
    names: IndexSet<Box<str>, FxBuildHasher>,
    id: PhantomData<I>,
}

impl<I: Id> Symbols<I> {
    /// The id of `name`, if it was interned before the table froze.
    pub fn get(&self, name: &str) -> Option<I> {
        self.names.get_index_of(name).map(I::from_index)
    }

    /// The name of `id`.
    ///
    /// # Panics
    /// If `id` comes from a larger table.
    pub fn name(&self, id: I) -> &str {
        &self.names[id.index()]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All names in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (I, &str)> {
        self.names.iter().enumerate().map(|(index, name)| (I::from_index(index), name.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frozen_table_knows_its_names_and_no_others() {
        let mut builder = SymbolsBuilder::<Label>::new();
        let np = builder.intern("NP");
        let vp = builder.intern("VP");
        assert_eq!(builder.intern("NP"), np);
        let symbols = builder.freeze();
        assert_eq!(symbols.get("VP"), Some(vp));
        assert_eq!(symbols.get("PP"), None);
        assert_eq!(symbols.name(np), "NP");
        assert_eq!(symbols.iter().map(|(id, _)| id.index()).collect::<Vec<_>>(), [0, 1]);
    }
}
