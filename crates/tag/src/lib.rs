//! Part-of-speech taggers from dictionaries, tagged sentences and raw text.

pub mod analyse;
mod tag_set;
mod tagged;

pub use analyse::{Analyser, Analysis, LookedUp, Surface};
pub use tag_set::TagSet;
pub use tagged::{Choice, Tagged};
