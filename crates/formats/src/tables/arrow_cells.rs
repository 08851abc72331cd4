//! Columns of Arrow as ids of texts.

use super::Options;
use super::texts::Interner;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor};
use arrow_schema::DataType;
use std::fmt::{Display, LowerExp, Write};

/// Whether cells of this type have an obvious text.
pub(super) fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Boolean | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            true
        }
        DataType::Dictionary(_, values) => {
            !matches!(**values, DataType::Dictionary(..)) && is_readable(values)
        }
        other => other.is_integer() || other.is_floating(),
    }
}

/// What cells become: their texts are interned, or they are missing.
pub(super) struct Cells<'a> {
    pub(super) interner: &'a mut Interner,
    pub(super) options: &'a Options,
    /// Room for the text of a number.
    pub(super) written: String,
}

impl Cells<'_> {
    /// Ids of the cells of an array. Logical values are `0` and `1`, numbers have the shortest text that is read as the
    /// same number, and what is no number is missing. What cannot be read is missing, too.
    pub(super) fn ids(&mut self, array: &dyn Array) -> Vec<u32> {
        match array.data_type() {
            DataType::Boolean => {
                self.texts(array.as_boolean(), |cells, value| cells.id(if value { "1" } else { "0" }))
            }
            DataType::Utf8 => self.texts(array.as_string::<i32>(), Self::id),
            DataType::LargeUtf8 => self.texts(array.as_string::<i64>(), Self::id),
            DataType::Utf8View => self.texts(array.as_string_view(), Self::id),
            DataType::Int8 => self.integers::<Int8Type>(array),
            DataType::Int16 => self.integers::<Int16Type>(array),
            DataType::Int32 => self.integers::<Int32Type>(array),
            DataType::Int64 => self.integers::<Int64Type>(array),
            DataType::UInt8 => self.integers::<UInt8Type>(array),
            DataType::UInt16 => self.integers::<UInt16Type>(array),
            DataType::UInt32 => self.integers::<UInt32Type>(array),
            DataType::UInt64 => self.integers::<UInt64Type>(array),
            DataType::Float16 => {
                self.texts(array.as_primitive::<Float16Type>(), |cells, value| cells.number(value.to_f32()))
            }
            DataType::Float32 => self.texts(array.as_primitive::<Float32Type>(), Self::number),
            DataType::Float64 => self.texts(array.as_primitive::<Float64Type>(), Self::number),
            DataType::Dictionary(..) => self.dictionary(array),
            _ => vec![0; array.len()],
        }
    }

    fn texts<A: ArrayAccessor>(&mut self, array: A, id: impl Fn(&mut Self, A::Item) -> u32) -> Vec<u32> {
        let cell = |row| if array.is_null(row) { 0 } else { id(self, array.value(row)) };
        (0..array.len()).map(cell).collect()
    }

    fn integers<T: ArrowPrimitiveType<Native: Display>>(&mut self, array: &dyn Array) -> Vec<u32> {
        self.texts(array.as_primitive::<T>(), |cells, value| cells.written(format_args!("{value}")))
    }

    /// Each value of a dictionary is looked at once.
    fn dictionary(&mut self, array: &dyn Array) -> Vec<u32> {
        let Some(dictionary) = array.as_any_dictionary_opt().filter(|found| !found.values().is_empty())
        else {
            return vec![0; array.len()];
        };
        let values = self.ids(dictionary.values());
        let is_null = |row| dictionary.keys().is_null(row);
        let keys = dictionary.normalized_keys();
        keys.into_iter().enumerate().map(|(row, key)| if is_null(row) { 0 } else { values[key] }).collect()
    }

    fn id(&mut self, text: &str) -> u32 {
        if self.options.is_missing(text) { 0 } else { self.interner.intern(text) }
    }

    fn number<F: Copy + Into<f64> + Display + LowerExp>(&mut self, value: F) -> u32 {
        let size = value.into().abs();
        if size.is_nan() {
            0
        } else if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
            self.written(format_args!("{value:e}"))
        } else {
            self.written(format_args!("{value}"))
        }
    }

    fn written(&mut self, number: std::fmt::Arguments) -> u32 {
        self.written.clear();
        // Writing into a string does not fail.
        let _ = self.written.write_fmt(number);
        self.interner.intern(&self.written)
    }
}
