//! The engine against lists of all derivations.

mod decoding;
mod fixed;
mod forests;
mod kbest;
mod lattice;
mod laws;
mod long;
mod machine;
mod masks;
mod matrix;
mod numbering;
mod reach;
mod sampling;
mod scale;
mod substates;
mod toys;
