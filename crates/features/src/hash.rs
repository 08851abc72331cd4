//! Keys of features: what is seen, as one number. They are the same on every machine and in every release, since they are
//! stored in model files. Text becomes a key by [`Hash`], numbers by [`Key`], two keys become one by [`pair`].

/// FNV-1a over 64 bits with a finaliser, fed by the byte.
#[derive(Debug, Clone, Copy)]
pub struct Hash(u64);

impl Hash {
    /// A hash of things of one kind; equal contents of different kinds get different hashes.
    pub fn new(kind: u8) -> Hash {
        Hash(0xCBF2_9CE4_8422_2325).byte(kind)
    }

    /// Adds a byte.
    pub fn byte(self, byte: u8) -> Hash {
        Hash((self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
    }

    /// Adds a character.
    pub fn char(self, c: char) -> Hash {
        u32::from(c).to_le_bytes().into_iter().fold(self, Hash::byte)
    }

    /// Adds a number.
    pub fn u64(self, word: u64) -> Hash {
        word.to_le_bytes().into_iter().fold(self, Hash::byte)
    }

    /// Adds characters.
    pub fn chars(self, chars: impl IntoIterator<Item = char>) -> Hash {
        chars.into_iter().fold(self, Hash::char)
    }

    /// The high bits of FNV depend on all bytes, the low ones less so; this spreads them.
    pub fn finish(self) -> u64 {
        let z = (self.0 ^ (self.0 >> 32)).wrapping_mul(GOLDEN);
        z ^ (z >> 29)
    }
}

/// The key of a template and the numbers that fill it, which may come one after the other:
///
/// ```text
/// key() = spread(template),   key(…, part) = spread(key(…) ⊕ part)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// The key of a template that nothing fills yet.
    #[inline]
    pub fn new(template: u32) -> Key {
        Key(spread(u64::from(template)))
    }

    /// The key of a template and all that fills it.
    #[inline]
    pub fn of(template: u32, parts: &[u32]) -> u64 {
        parts.iter().fold(Key::new(template), |key, &part| key.with(part)).value()
    }

    /// The key with one more number.
    #[inline]
    pub fn with(self, part: u32) -> Key {
        Key(spread(self.0 ^ u64::from(part)))
    }

    /// The key as it is stored.
    #[inline]
    pub fn value(self) -> u64 {
        self.0
    }

    /// A key from one that was stored, to go on with.
    #[inline]
    pub fn from_value(value: u64) -> Key {
        Key(value)
    }
}

/// The key of two hashes that are seen together; two rounds of a multiplication suffice, since both are spread already.
#[inline]
pub fn pair(kind: u8, a: u64, b: u64) -> u64 {
    let mixed = (a ^ u64::from(kind)).wrapping_mul(GOLDEN).rotate_left(29) ^ b;
    mixed.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31)
}

/// A bijection of 64-bit numbers that looks random (the finaliser of SplitMix64, Steele et al. 2014).
#[inline]
pub const fn spread(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// 2^64 divided by the golden ratio.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_models_that_are_there() {
        assert_eq!(Hash::new(3).chars("häuser".chars()).finish(), 0x47FB_C98F_841E_94D7);
        assert_eq!(pair(104, 1, 2), 0x5F51_8230_6AA0_0CA9);
        // The first number of SplitMix64 from the seed 0, and from 1234567 (Vigna's test of the reference code).
        assert_eq!(spread(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(spread(1_234_567), 6_457_827_717_110_365_317);
    }

    #[test]
    fn keys_tell_templates_parts_and_their_order_apart() {
        let parts: [&[u32]; 8] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 0], &[1, 1], &[u32::MAX]];
        let keys = (0..50).flat_map(|template| parts.map(|parts| Key::of(template, parts)));
        let distinct: std::collections::BTreeSet<u64> = keys.collect();
        assert_eq!(distinct.len(), 50 * parts.len());
        assert_eq!(Key::of(7, &[1, 2]), Key::from_value(Key::of(7, &[1])).with(2).value());
    }
}
