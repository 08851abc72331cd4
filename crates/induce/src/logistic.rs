//! Logistic-normal grammars (Cohen, Gimpel & Smith 2008): the natural parameters of an item's grammar are drawn from normal
//! distributions that all items share.
//!
//! ```text
//! η_k ~ N(μ_k, Σ_k)    θ_k = softmax(η_k)    q(η_{k,i}) = N(m_{k,i}, s_{k,i})    weights exp(m_{k,i} − ln ζ_k)
//! ```
//!
//! After a pass over all items μ and Σ become the means of what they say; the grammar in the end is softmax(μ).
//!
//! Multinomials may be *pooled*: those of one group, such as the choices of tags of one family, have means that are drawn
//! from N(c, I/κ) around a centre c of their own. Groups of one are not pooled.

mod normals;
mod posterior;

pub use normals::{Moments, Normal, Normals, Pooling, Variational};
