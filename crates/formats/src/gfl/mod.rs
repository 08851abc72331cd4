//! GFL, the notation of partial dependency annotation (Schneider et al. 2013).
//!
//! Three layers: files are blocks of sections ([`GflReader`], [`Block`]), the ANNO section of a block is a
//! text in the annotation language ([`parse_annotation`]), and that text says a
//! [`PartialTree`](tree::PartialTree). Writing goes the other way ([`write_annotation`], [`Block`]'s
//! `Display`); a block that was not changed is written as it was read.
//!
//! ```
//! let tokens: Vec<tree::Text> = "the cat sleeps .".split(' ').map(Into::into).collect();
//! let (said, problems) = formats::gfl::parse_annotation([(1, "the > cat > sleeps**")], &tokens);
//! assert!(problems.is_empty());
//! assert_eq!(said.arcs.len(), 2);
//! assert_eq!(formats::gfl::write_annotation(&said, &tokens), "the > cat\ncat > sleeps\nsleeps**\n");
//! ```

pub mod block;
mod check;
pub mod comments;
mod expression;
pub mod json_lines;
mod lexer;
mod names;
mod parser;
pub mod reader;
mod rows;
mod tokens;
mod writer;

pub use block::{Block, JsonLine, Section};
pub(crate) use check::check;
pub use parser::{MAX_DEPTH, parse_annotation};
pub use reader::GflReader;
pub use tokens::{NameError, Tokens, bare_forms};
pub use writer::{spelled_size, write_annotation};
