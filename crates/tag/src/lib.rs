//! Part-of-speech taggers from dictionaries, tagged sentences and raw text.

mod tag_set;
mod tagged;

pub use tag_set::TagSet;
pub use tagged::{Choice, Tagged};
