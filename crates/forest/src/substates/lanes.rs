//! Four numbers at a time, on whatever the machine has for it.
//!
//! The loops of [`super::kernel`] are written once, over [`Lanes`]. They run with the vector instructions
//! that the processor is found to have, or without any; each lane does the same multiplications and additions
//! in the same order, none of them fused, so the results are the same to the last bit.

#[cfg(target_arch = "x86_64")]
use pulp::{f64x4, x86::V3};

/// What can be done with four numbers.
pub(super) trait Lanes: Copy {
    /// The four numbers.
    type Four: Copy;

    fn load(self, from: &[f64; 4]) -> Self::Four;

    fn store(self, four: Self::Four) -> [f64; 4];

    /// The same at the end of a loop, where the lanes are to be added up.
    fn apart(self, four: Self::Four) -> [f64; 4];

    fn splat(self, value: f64) -> Self::Four;

    fn add(self, one: Self::Four, other: Self::Four) -> Self::Four;

    fn mul(self, one: Self::Four, other: Self::Four) -> Self::Four;

    /// The one where it is greater, else the other.
    fn greater(self, one: Self::Four, other: Self::Four) -> Self::Four;
}

/// No instructions but those that the program is compiled for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

impl Lanes for Portable {
    type Four = [f64; 4];

    #[inline(always)]
    fn load(self, from: &[f64; 4]) -> [f64; 4] {
        *from
    }

    #[inline(always)]
    fn store(self, four: [f64; 4]) -> [f64; 4] {
        four
    }

    /// Not inlined: seeing the sums of several rows, the compiler would pair rows instead of lanes and
    /// shuffle every load of the loop before.
    #[inline(never)]
    fn apart(self, four: [f64; 4]) -> [f64; 4] {
        four
    }

    #[inline(always)]
    fn splat(self, value: f64) -> [f64; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn add(self, one: [f64; 4], other: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|lane| one[lane] + other[lane])
    }

    #[inline(always)]
    fn mul(self, one: [f64; 4], other: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|lane| one[lane] * other[lane])
    }

    #[inline(always)]
    fn greater(self, one: [f64; 4], other: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|lane| if one[lane] > other[lane] { one[lane] } else { other[lane] })
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes for V3 {
    type Four = f64x4;

    #[inline(always)]
    fn load(self, &[a, b, c, d]: &[f64; 4]) -> f64x4 {
        f64x4(a, b, c, d)
    }

    #[inline(always)]
    fn store(self, f64x4(a, b, c, d): f64x4) -> [f64; 4] {
        [a, b, c, d]
    }

    #[inline(always)]
    fn apart(self, four: f64x4) -> [f64; 4] {
        self.store(four)
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4 {
        self.splat_f64x4(value)
    }

    #[inline(always)]
    fn add(self, one: f64x4, other: f64x4) -> f64x4 {
        self.add_f64x4(one, other)
    }

    #[inline(always)]
    fn mul(self, one: f64x4, other: f64x4) -> f64x4 {
        self.mul_f64x4(one, other)
    }

    #[inline(always)]
    fn greater(self, one: f64x4, other: f64x4) -> f64x4 {
        self.max_f64x4(one, other)
    }
}

/// Something to be done with some kind of lanes.
///
/// Implementations and all they call are marked `inline(always)`: only what ends up inside
/// [`Machine::run`] is compiled for the machine's instructions.
pub(super) trait Task {
    type Output;

    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// The instructions to use.
#[derive(Debug, Clone, Copy)]
pub(super) enum Machine {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(V3),
}

impl Default for Machine {
    /// The best there is here.
    fn default() -> Machine {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = V3::try_new() {
            return Machine::Avx2(avx2);
        }
        Machine::Portable
    }
}

impl Machine {
    #[inline(always)]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Machine::Portable => task.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(avx2) => avx2.vectorize(
                #[inline(always)]
                || task.run(avx2),
            ),
        }
    }
}
