//! Values and cells of one kind: what is of another kind is refused, not guessed.

use crate::cells::Counts;
use crate::{Cells, Value};

/// A value, or values, of another kind than the parameters they met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign;

/// Values of one kind, taken out of values of any kind.
pub(crate) trait Typed<Any>: Sized {
    /// The same, if it is of this kind.
    fn typed(any: Any) -> Result<Self, Foreign>;
}

/// A level, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(pub(crate) usize);

impl Typed<Value> for f64 {
    fn typed(value: Value) -> Result<f64, Foreign> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Level(_) | Value::Count(_) => Err(Foreign),
        }
    }
}

impl Typed<Value> for Level {
    fn typed(value: Value) -> Result<Level, Foreign> {
        match value {
            Value::Level(level) => Ok(Level(level)),
            Value::Number(_) | Value::Count(_) => Err(Foreign),
        }
    }
}

impl Typed<Value> for u32 {
    fn typed(value: Value) -> Result<u32, Foreign> {
        match value {
            Value::Count(count) => Ok(count),
            Value::Number(_) | Value::Level(_) => Err(Foreign),
        }
    }
}

impl<'c> Typed<&'c Cells> for &'c [f64] {
    fn typed(cells: &'c Cells) -> Result<&'c [f64], Foreign> {
        match cells {
            Cells::Numbers(numbers) => Ok(numbers),
            Cells::Levels(_) | Cells::Counts(_) => Err(Foreign),
        }
    }
}

impl<'c> Typed<&'c Cells> for &'c [u16] {
    fn typed(cells: &'c Cells) -> Result<&'c [u16], Foreign> {
        match cells {
            Cells::Levels(levels) => Ok(levels),
            Cells::Numbers(_) | Cells::Counts(_) => Err(Foreign),
        }
    }
}

impl<'c> Typed<&'c Cells> for &'c Counts {
    fn typed(cells: &'c Cells) -> Result<&'c Counts, Foreign> {
        match cells {
            Cells::Counts(counts) => Ok(counts),
            Cells::Numbers(_) | Cells::Levels(_) => Err(Foreign),
        }
    }
}
