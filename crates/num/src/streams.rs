//! Random streams that are addressed, not advanced.
//!
//! A [`Stream`] is the hash of an address such as (seed 7, chain 0, sweep 12, item 345). Asking it for an
//! [`Rng`] always gives the same generator, so the order in which threads reach the items does not matter
//! and nothing about randomness needs to be saved in a checkpoint.

mod pcg;
mod rng;

pub use rng::Rng;

/// An address in the space of random numbers; cheap to copy and to narrow further.
///
/// The levels are kept apart: `chain(1).sweep(2)` and `chain(2).sweep(1)` share nothing, and neither do
/// `item(3)` and `tag(3)`. The address is a 256-bit hash, so two addresses of one run collide with
/// a probability that can be forgotten. Narrowing costs some ten nanoseconds.
///
/// ```
/// use num::Stream;
/// let sweep = Stream::new(7).chain(0).sweep(12);
/// let first = sweep.item(345).rng().uniform();
/// assert_eq!(first, sweep.item(345).rng().uniform());
/// assert_ne!(first, sweep.item(345).purpose("beta").rng().uniform());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    lanes: [u64; 4],
}

impl Stream {
    /// The root of all streams of a run.
    pub fn new(seed: u64) -> Stream {
        Stream { lanes: LANES }.absorb(AddressPart::Seed, seed)
    }

    /// The streams of one chain.
    pub fn chain(self, chain: u32) -> Stream {
        self.absorb(AddressPart::Chain, u64::from(chain))
    }

    /// The streams of one sweep; sweep 0 draws the starting state.
    pub fn sweep(self, sweep: u64) -> Stream {
        self.absorb(AddressPart::Sweep, sweep)
    }

    /// The stream of one item of a sweep, such as a sentence.
    pub fn item(self, item: usize) -> Stream {
        self.absorb(AddressPart::Item, item as u64)
    }

    /// A stream for one named use, for instance `"beta"`, that is independent of all other uses.
    pub fn purpose(self, name: &str) -> Stream {
        let words = name.as_bytes().chunks(8).map(little_endian);
        words.fold(self.absorb(AddressPart::Purpose, name.len() as u64), |s, word| {
            s.absorb(AddressPart::Name, word)
        })
    }

    /// Like [`Stream::purpose`], with a number for a name.
    pub fn tag(self, tag: u64) -> Stream {
        self.absorb(AddressPart::Tag, tag)
    }

    /// The generator at this address.
    pub fn rng(self) -> Rng {
        let [a, b, c, d] = self.lanes;
        Rng::from_state(wide(a, b), wide(c, d))
    }

    /// lane ← mix(mix(lane + level · φ) ⊕ word), each lane from its own starting point.
    ///
    /// Both steps are bijections of 64 bits, so one lane already separates all words of a level; four
    /// lanes make the 256 bits of a Pcg64's state and stream number.
    fn absorb(self, level: AddressPart, word: u64) -> Stream {
        let step = (level as u64).wrapping_mul(GOLDEN);
        Stream { lanes: self.lanes.map(|lane| mix(mix(lane.wrapping_add(step)) ^ word)) }
    }
}

/// The kind of a part of an address. The numbers are part of the algorithm.
#[derive(Clone, Copy)]
enum AddressPart {
    Seed = 1,
    Chain = 2,
    Sweep = 3,
    Item = 4,
    Purpose = 5,
    Name = 6,
    Tag = 7,
}

/// Starting points of the lanes: the first 256 bits of the fraction of π.
const LANES: [u64; 4] = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89];

/// 2⁶⁴ divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64 (Stafford's thirteenth variant): a bijection with full avalanche.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn wide(high: u64, low: u64) -> u128 {
    (u128::from(high) << 64) | u128::from(low)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

#[cfg(test)]
mod tests;
