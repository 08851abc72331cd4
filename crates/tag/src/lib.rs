//! Part-of-speech taggers from dictionaries, tagged sentences and raw text.

pub mod analyse;
mod corpus;
pub mod coverage;
pub mod crf;
mod dictionary;
mod error;
pub mod hmm;
pub mod minimise;
pub mod pipeline;
pub mod propagate;
mod tag_set;
mod tagged;

pub use analyse::{Analyser, Analysis, LookedUp, Surface};
pub use corpus::Corpus;
pub use dictionary::Dictionary;
pub use error::Error;
pub use tag_set::TagSet;
pub use tagged::{Choice, Tagged};
