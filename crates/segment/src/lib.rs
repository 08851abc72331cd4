//! Morphological segmentation: words into morphs, learnt from a list of words alone or with a few annotated ones.
//!
//! [`train`] is Morfessor Baseline (Creutz & Lagus 2002, 2007; semi-supervised: Kohonen, Virpioja & Lagus 2010; as in
//! Morfessor 2.0: Virpioja, Smit, Grönroos & Kurimo 2013): the morphs with which words and lexicon have the shortest
//! description. [`Segmenter`] cuts any word with what was learnt; [`chunks`] is the baseline that knows nothing.

mod annotations;
mod chunks;
mod cost;
mod error;
pub mod file;
mod letters;
mod logs;
mod model;
mod options;
mod pairs;
mod recursive;
mod saved;
mod segmenter;
mod skips;
mod state;
mod substrings;
mod train;
mod viterbi;

pub use annotations::Annotation;
pub use chunks::chunks;
pub use cost::Cost;
pub use error::Error;
pub use model::{Analysed, Model};
pub use options::{Dampening, Method, Options, Order, Viterbi};
pub use pairs::NoSplit;
pub use saved::Saved;
pub use segmenter::{Segmentation, Segmenter};
pub use train::{Counted, Progress, Trained, Watch, train, train_online, train_saved};
