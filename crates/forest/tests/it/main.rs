//! The engine against lists of all derivations.

mod decoding;
mod fixed;
mod forests;
mod kbest;
mod laws;
mod long;
mod masks;
mod matrix;
mod numbering;
mod sampling;
mod substates;
mod toys;
