//! Running text of any language becomes sentences of tokens, by rules and without a model.
//!
//! Words are what stands between spaces, without punctuation at the edges; the rules are in docs/raw-text.md,
//! their data in one table. Nothing is lost: every character that is no space is in exactly one token.
//!
//! ```
//! use formats::raw::{Options, RawReader};
//! let text = "Dr. Ngũgĩ said: \"It's 3.14!\" Nobody\nanswered…\n";
//! let read = RawReader::new(text.as_bytes(), &Options::default()).collect::<Result<Vec<_>, _>>()?;
//! let forms = |at: usize| read[at].value.words().map(|word| word.form.as_str()).collect::<Vec<_>>();
//! assert_eq!(forms(0), ["Dr.", "Ngũgĩ", "said", ":", "\"", "It's", "3.14", "!", "\""]);
//! assert_eq!(forms(1), ["Nobody", "answered", "…"]);
//! assert_eq!(read[1].value.meta("text"), Some("Nobody answered…"));
//! assert_eq!(read[1].value.detokenised(), "Nobody answered…");
//! # Ok::<(), std::io::Error>(())
//! ```

mod addresses;
mod ends;
mod kinds;
mod marks;
mod options;
mod paragraph;
mod pictures;
mod reader;
mod rules;
mod spot;
mod table;
mod tokens;
mod words;

pub use options::{Lines, Options};
pub use reader::RawReader;

use std::ops::Range;
use std::sync::LazyLock;

/// The tokens of a text that is one sentence, as ranges of bytes; clitics are tokens of their own.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    static RULES: LazyLock<rules::TokenRules> =
        LazyLock::new(|| rules::TokenRules::new(&Options { split_clitics: true, ..Options::default() }));
    let found = tokens::tokens(text, spot::Before::default(), &RULES);
    found.into_iter().map(|token| token.range).collect()
}
