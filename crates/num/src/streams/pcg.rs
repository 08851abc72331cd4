//! The generator behind every stream: PCG XSL-RR 128/64 (O'Neill 2014), known as `pcg64`.

/// A permuted congruential generator with 128 bits of state and 2¹²⁷ streams.
#[derive(Clone, Debug)]
pub(super) struct Pcg64 {
    state: u128,
    increment: u128,
}

/// O'Neill's multiplier for 128 bits.
const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

impl Pcg64 {
    /// The published seeding: the stream number becomes an odd increment.
    pub(super) fn new(state: u128, stream: u128) -> Pcg64 {
        let increment = (stream << 1) | 1;
        let mut pcg = Pcg64 { state: increment.wrapping_add(state), increment };
        pcg.advance();
        pcg
    }

    pub(super) fn next(&mut self) -> u64 {
        self.advance();
        let folded = ((self.state >> 64) as u64) ^ (self.state as u64);
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of O'Neill's demonstration program, seeded with (42, 54).
    #[test]
    fn first_numbers_are_those_of_the_reference_implementation() {
        let mut pcg = Pcg64::new(42, 54);
        let drawn: Vec<u64> = (0..6).map(|_| pcg.next()).collect();
        let published = [
            0x86b1da1d72062b68,
            0x1304aa46c9853d39,
            0xa3670e9e0dd50358,
            0xf9090e529a7dae00,
            0xc85b9fd837996f2c,
            0x606121f8e3919196,
        ];
        assert_eq!(drawn, published);
    }
}
