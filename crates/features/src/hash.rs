//! A hash that is the same on every machine and in every release, since it is stored in model files.

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
        let z = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z ^ (z >> 29)
    }
}
