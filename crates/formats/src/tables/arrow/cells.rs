//! Cells of Arrow columns and their texts.

use super::super::Options;
use super::super::texts::Interner;
use super::Wrong;
use super::batch::contradicts;
use super::buffer::bit;
use super::schema::Values;
use std::borrow::Cow;
use std::fmt::{Display, LowerExp, Write};

/// The cells of a column as they lie in buffers.
pub(super) struct LaidCells<'a> {
    pub(super) n_cells: usize,
    pub(super) values: Values,
    /// A bit for each cell, set where it is not missing; `None` if none is.
    pub(super) present: Option<Cow<'a, [u8]>>,
    /// Numbers, ends of texts, or views.
    pub(super) first: Cow<'a, [u8]>,
    /// Where the letters of texts lie.
    pub(super) texts: Vec<Cow<'a, [u8]>>,
}

impl LaidCells<'_> {
    pub(super) fn all_missing(n_cells: usize) -> Self {
        Self { n_cells, values: Values::Missing, present: None, first: Cow::default(), texts: Vec::new() }
    }

    /// Refuses buffers that are too short for the cells.
    fn check(&self) -> Result<(), Wrong> {
        let is_shorter = |bytes: &[u8], n_bits: usize| bytes.len() < n_bits.div_ceil(8);
        let n_bits = match self.values {
            Values::Missing => 0,
            Values::Logical => self.n_cells,
            Values::Whole { n_bytes, .. } | Values::Float(n_bytes) => {
                self.n_cells.saturating_mul(8 * n_bytes)
            }
            // No text needs no end.
            Values::Text(_) if self.n_cells == 0 => 0,
            Values::Text(n_bytes) => self.n_cells.saturating_add(1).saturating_mul(8 * n_bytes),
            Values::View => self.n_cells.saturating_mul(128),
        };
        let is_short = self.present.as_ref().is_some_and(|present| is_shorter(present, self.n_cells));
        if is_short || is_shorter(&self.first, n_bits) { Err(contradicts()) } else { Ok(()) }
    }

    fn is_missing(&self, cell: usize) -> bool {
        self.values == Values::Missing || self.present.as_ref().is_some_and(|present| !bit(present, cell))
    }

    /// The number at a cell, in so many bytes of which the first is the least.
    fn number(&self, cell: usize, n_bytes: usize, is_signed: bool) -> i128 {
        let bytes = &self.first[cell * n_bytes..][..n_bytes];
        let is_negative = is_signed && bytes[n_bytes - 1] >= 0x80;
        let mut whole = if is_negative { [0xff; 16] } else { [0; 16] };
        whole[..n_bytes].copy_from_slice(bytes);
        i128::from_le_bytes(whole)
    }

    fn place(&self, cell: usize, n_bytes: usize) -> Result<usize, Wrong> {
        usize::try_from(self.number(cell, n_bytes, true)).map_err(|_| contradicts())
    }

    /// The letters of a text.
    fn text(&self, cell: usize) -> Result<&str, Wrong> {
        let bytes = match self.values {
            Values::Text(n_bytes) => {
                let (start, end) = (self.place(cell, n_bytes)?, self.place(cell + 1, n_bytes)?);
                self.texts.first().and_then(|texts| texts.get(start..end))
            }
            _ => self.viewed(cell),
        };
        let bytes = bytes.ok_or_else(contradicts)?;
        std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8".into())
    }

    /// A view has a length and either the text itself, up to twelve bytes, or its first four, a buffer and a place there.
    fn viewed(&self, cell: usize) -> Option<&[u8]> {
        let view = &self.first[16 * cell..][..16];
        let number = |at: usize| view[at..].first_chunk().map(|bytes| i32::from_le_bytes(*bytes));
        let part = |at: usize| number(at).and_then(|number| usize::try_from(number).ok());
        let length = part(0)?;
        if length <= 12 {
            return view.get(4..4 + length);
        }
        self.texts.get(part(8)?)?.get(part(12)?..)?.get(..length)
    }

    /// Cells that are places in a dictionary, as the cells of the dictionary.
    pub(super) fn looked_up(&self, values: &[u32]) -> Result<Vec<u32>, Wrong> {
        self.check()?;
        let Values::Whole { n_bytes, is_signed } = self.values else { return Err(contradicts()) };
        let cell = |cell| {
            if self.is_missing(cell) {
                return Ok(0);
            }
            let place = usize::try_from(self.number(cell, n_bytes, is_signed)).ok();
            place
                .and_then(|place| values.get(place))
                .copied()
                .ok_or_else(|| "a cell stands for a value that its dictionary does not have".into())
        };
        (0..self.n_cells).map(cell).collect()
    }
}

/// What cells become: their texts are interned, or they are missing.
pub(super) struct Cells<'a> {
    pub(super) interner: &'a mut Interner,
    pub(super) options: &'a Options,
}

impl Cells<'_> {
    /// Ids of cells. Logical values are `0` and `1`, numbers have the shortest text that is read as the same number, and what
    /// is no number is missing.
    pub(super) fn ids(&mut self, laid: &LaidCells<'_>) -> Result<Vec<u32>, Wrong> {
        laid.check()?;
        // Room for the text of a number.
        let mut room = String::new();
        let id = |cell| if laid.is_missing(cell) { Ok(0) } else { self.id(laid, cell, &mut room) };
        (0..laid.n_cells).map(id).collect()
    }

    fn id(&mut self, laid: &LaidCells<'_>, cell: usize, room: &mut String) -> Result<u32, Wrong> {
        Ok(match laid.values {
            Values::Missing => 0,
            Values::Logical => self.text(if bit(&laid.first, cell) { "1" } else { "0" }),
            Values::Whole { n_bytes, is_signed } => {
                self.written(format_args!("{}", laid.number(cell, n_bytes, is_signed)), room)
            }
            Values::Float(8) => self.number(f64::from_bits(laid.number(cell, 8, false) as u64), room),
            Values::Float(4) => self.number(f32::from_bits(laid.number(cell, 4, false) as u32), room),
            Values::Float(_) => self.number(single(laid.number(cell, 2, false) as u16), room),
            Values::Text(_) | Values::View => self.text(laid.text(cell)?),
        })
    }

    fn text(&mut self, text: &str) -> u32 {
        if self.options.is_missing(text) { 0 } else { self.interner.intern(text) }
    }

    fn number<F: Copy + Into<f64> + Display + LowerExp>(&mut self, value: F, room: &mut String) -> u32 {
        let size = value.into().abs();
        if size.is_nan() {
            0
        } else if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
            self.written(format_args!("{value:e}"), room)
        } else {
            self.written(format_args!("{value}"), room)
        }
    }

    fn written(&mut self, number: std::fmt::Arguments, room: &mut String) -> u32 {
        room.clear();
        // Writing into a string does not fail.
        let _ = room.write_fmt(number);
        self.interner.intern(room)
    }
}

/// A float of two bytes: a sign, five bits e and ten bits m for ±2^(e − 15) · (1 + m/1024), or ±2^−14 · m/1024 if e = 0.
fn single(half: u16) -> f32 {
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff) / 1024.0);
    let size = match exponent {
        0 => fraction * 2f32.powi(-14),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction) * 2f32.powi(exponent - 15),
    };
    if half >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::single;

    #[test]
    fn floats_of_two_bytes_are_worth_what_the_standard_says() {
        let worth = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7c00, f32::INFINITY),
        ];
        for (bits, value) in worth {
            assert_eq!(single(bits), value, "{bits:04x}");
        }
        assert!(single(0x7e00).is_nan());
    }
}
