//! FlatBuffers, as far as Arrow's descriptions need them.
//!
//! A table begins with the way back to its list of fields, which has for each field where it stands in the table, or 0 if it
//! is not there. Other tables, texts and lists are pointed at by their distance. Every step is checked, so that broken bytes
//! end in `None` and never outside of the description.

/// A table within a description.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatTable<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Follows the distance that stands at a byte.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(number(bytes, at)?) as usize)
}

impl<'a> FlatTable<'a> {
    /// The outermost table of a description.
    pub(super) fn root(bytes: &'a [u8]) -> Option<Self> {
        Some(Self { bytes, at: follow(bytes, 0)? })
    }

    /// Where a field stands.
    fn field(self, field: usize) -> Option<usize> {
        self.place(field).flatten()
    }

    /// Where a field stands, if it is there; `None` if that cannot be told.
    fn place(self, field: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(number(self.bytes, self.at)?);
        let fields = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let n_bytes = u16::from_le_bytes(number(self.bytes, fields)?) as usize;
        let place = 4 + 2 * field;
        if place + 2 > n_bytes {
            return Some(None);
        }
        let offset = u16::from_le_bytes(number(self.bytes, fields.checked_add(place)?)?) as usize;
        Some((offset > 0).then_some(self.at + offset))
    }

    pub(super) fn byte(self, field: usize) -> Option<u8> {
        self.field(field).and_then(|at| number(self.bytes, at)).map(u8::from_le_bytes)
    }

    pub(super) fn short(self, field: usize) -> Option<i16> {
        self.field(field).and_then(|at| number(self.bytes, at)).map(i16::from_le_bytes)
    }

    pub(super) fn int(self, field: usize) -> Option<i32> {
        self.field(field).and_then(|at| number(self.bytes, at)).map(i32::from_le_bytes)
    }

    pub(super) fn long(self, field: usize) -> Option<i64> {
        self.field(field).and_then(|at| number(self.bytes, at)).map(i64::from_le_bytes)
    }

    pub(super) fn table(self, field: usize) -> Option<Self> {
        let at = self.field(field)?;
        Some(Self { bytes: self.bytes, at: follow(self.bytes, at)? })
    }

    /// The bytes of a list whose elements take `size` bytes each; empty if the field is not there.
    fn list(self, field: usize, size: usize) -> Option<(usize, &'a [u8])> {
        let Some(at) = self.place(field)? else { return Some((0, &[])) };
        let at = follow(self.bytes, at)?;
        let length = u32::from_le_bytes(number(self.bytes, at)?) as usize;
        let bytes = self.bytes.get(at + 4..)?.get(..length.checked_mul(size)?)?;
        Some((at + 4, bytes))
    }

    pub(super) fn text(self, field: usize) -> Option<&'a str> {
        std::str::from_utf8(self.list(field, 1)?.1).ok()
    }

    pub(super) fn tables(self, field: usize) -> Option<Vec<Self>> {
        let (start, distances) = self.list(field, 4)?;
        (0..distances.len() / 4)
            .map(|place| Some(Self { bytes: self.bytes, at: follow(self.bytes, start + 4 * place)? }))
            .collect()
    }

    /// A list of whole numbers.
    pub(super) fn longs(self, field: usize) -> Option<Vec<i64>> {
        let (numbers, _) = self.list(field, 8)?.1.as_chunks::<8>();
        Some(numbers.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
    }

    /// A list of pairs of whole numbers.
    pub(super) fn pairs(self, field: usize) -> Option<Vec<[i64; 2]>> {
        let (pairs, _) = self.list(field, 16)?.1.as_chunks::<16>();
        let pair = |bytes: &[u8; 16]| {
            let (numbers, _) = bytes.as_chunks::<8>();
            [i64::from_le_bytes(numbers[0]), i64::from_le_bytes(numbers[1])]
        };
        Some(pairs.iter().map(pair).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table at byte 12 whose list of fields is at byte 4: a short 7, nothing, and the text "ab".
    const BYTES: [u8; 32] = [
        14, 0, 0, 0, 10, 0, 12, 0, 4, 0, 0, 0, 8, 0, 10, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'a',
        b'b',
    ];

    #[test]
    fn fields_are_found_and_absent_ones_are_none() {
        let table = FlatTable::root(&BYTES).expect("it has a table");
        assert_eq!((table.short(0), table.short(1), table.text(2)), (Some(7), None, Some("ab")));
        assert_eq!((table.short(9), table.longs(1)), (None, Some(Vec::new())));
    }

    #[test]
    fn no_byte_leads_outside() {
        for end in 0..BYTES.len() {
            let table = FlatTable::root(&BYTES[..end]);
            assert_eq!(table.and_then(|table| table.text(2)), None, "{end}");
        }
        for at in 0..BYTES.len() {
            for hostile in [1, 0x7f, 0x80, 0xff] {
                let mut broken = BYTES;
                broken[at] = hostile;
                let Some(table) = FlatTable::root(&broken) else { continue };
                for field in 0..4 {
                    let _ = (table.text(field), table.tables(field), table.pairs(field), table.long(field));
                }
            }
        }
    }
}
