//! Weights as bytes: where they stand and what they are, without the zeros.

use serde::{Deserialize, Serialize};

/// Numbers of which most are zero.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Packed {
    /// How many there are, zeros included.
    len: u64,
    /// The number of zeros before each other number, seven bits a byte, the last byte of each below 128.
    #[serde(with = "at_once")]
    gaps: Vec<u8>,
    /// The numbers, little-endian, two bytes each if that is enough for all of them.
    #[serde(with = "at_once")]
    values: Vec<u8>,
    short: bool,
}

impl Packed {
    /// Packs numbers.
    pub fn new(values: &[f32]) -> Packed {
        let short = values.iter().all(|value| value.to_bits() & 0xFFFF == 0);
        let mut packed = Packed { len: values.len() as u64, short, ..Packed::default() };
        let mut gap = 0u64;
        for value in values {
            if value.to_bits() == 0 {
                gap += 1;
                continue;
            }
            while gap >= 128 {
                packed.gaps.push((gap & 127) as u8 | 128);
                gap >>= 7;
            }
            packed.gaps.push(gap as u8);
            gap = 0;
            let bytes = value.to_bits().to_le_bytes();
            packed.values.extend_from_slice(&bytes[if short { 2 } else { 0 }..]);
        }
        packed
    }

    /// The numbers; `None` if these bytes were never packed, or are not so many.
    pub fn unpack(&self, len: usize) -> Option<Vec<f32>> {
        if self.len != len as u64 {
            return None;
        }
        let mut values = vec![0.0; len];
        let mut at = 0usize;
        let mut numbers = self.values.chunks_exact(if self.short { 2 } else { 4 });
        let (mut gap, mut shift) = (0usize, 0u32);
        for byte in &self.gaps {
            gap |= usize::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte & 128 != 0 {
                continue;
            }
            at = at.checked_add(gap)?;
            let number = numbers.next()?;
            let bits = match *number {
                [c, d] => u32::from_le_bytes([0, 0, c, d]),
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                _ => return None,
            };
            *values.get_mut(at)? = f32::from_bits(bits);
            at += 1;
            (gap, shift) = (0, 0);
        }
        numbers.next().is_none().then_some(values)
    }
}

/// Lists of weights that are packed where they are stored: `#[serde(with = "packed::list")]`.
pub mod list {
    use super::Packed;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Packs a list.
    pub fn serialize<S: Serializer>(values: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
        Packed::new(values).serialize(serializer)
    }

    /// Unpacks a list, whatever its length.
    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
        let packed = Packed::deserialize(deserializer)?;
        let len = usize::try_from(packed.len).ok().filter(|&len| len <= u32::MAX as usize);
        let values = len.and_then(|len| packed.unpack(len));
        values.ok_or_else(|| D::Error::custom("a list of weights is damaged"))
    }
}

/// The nearest number whose last 16 bits are zero; what is not finite becomes 0.
pub fn shorten(value: f32) -> f32 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) & 0xFFFF_0000;
    if value.is_finite() { f32::from_bits(rounded) } else { 0.0 }
}

/// Bytes as one piece and not one by one; in files of models both are the same, but a piece is read at a stroke.
mod at_once {
    use serde::de::{self, SeqAccess, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }

    struct Bytes;

    impl<'de> Visitor<'de> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("bytes")
        }

        fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }

        /// Formats that know no bytes, such as JSON, have a list of numbers.
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u8>, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = list.next_element()? {
                bytes.push(byte);
            }
            Ok(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_packed_comes_back_to_the_bit(
            numbers in prop::collection::vec((0usize..400, -10.0f32..10.0), 0..60),
            short in any::<bool>(),
        ) {
            let mut values = Vec::new();
            for (gap, value) in numbers {
                values.resize(values.len() + gap, 0.0f32);
                values.push(if short { f32::from_bits(value.to_bits() & 0xFFFF_0000) } else { value });
            }
            let packed = Packed::new(&values);
            prop_assert_eq!(packed.short, short || values.iter().all(|v| v.to_bits() & 0xFFFF == 0));
            let back = packed.unpack(values.len()).unwrap();
            prop_assert!(back.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits()));
            prop_assert!(packed.unpack(values.len() + 1).is_none());
        }

        #[test]
        fn any_bytes_are_refused_or_read(
            len in 0u64..200,
            gaps in prop::collection::vec(any::<u8>(), 0..30),
            values in prop::collection::vec(any::<u8>(), 0..60),
            short in any::<bool>(),
        ) {
            let packed = Packed { len, gaps, values, short };
            if let Some(values) = packed.unpack(len as usize) {
                prop_assert_eq!(values.len() as u64, len);
            }
        }
    }
}
