//! Part-of-speech taggers from dictionaries, tagged sentences and raw text.

pub mod analyse;
pub mod certainty;
mod corpus;
pub mod coverage;
pub mod crf;
mod dictionary;
mod error;
pub mod hmm;
pub mod minimise;
pub mod pipeline;
pub mod propagate;
mod rank;
mod tag_set;
mod tagged;

pub use analyse::{Analyser, Analysis, LookedUp, Surface};
pub use certainty::Certainty;
pub use corpus::Corpus;
pub use dictionary::Dictionary;
pub use error::Error;
pub use rank::Ranking;
pub use tag_set::TagSet;
pub use tagged::{Choice, Tagged};
