//! Sentences and tokens that hold all of CoNLL-U.

use crate::{Heads, HeadsError, Text};
use std::fmt;
use std::str::FromStr;

/// A sentence: comments, then token lines in the order of the file.
///
/// Nothing of the file is thrown away. A line that is no token (wrong number of columns, unreadable id,
/// a comment in the middle) stands verbatim in `stray`.
///
/// ```
/// use tree::{Head, Sentence};
///
/// let mut sentence = Sentence::from_forms(["dogs", "bark"]);
/// sentence.tokens[0].head = Head::Of(2);
/// assert_eq!(sentence.partial_heads(), [Some(2), None]);
/// assert_eq!(sentence.heads(), Ok(None)); // Not a whole tree yet.
/// sentence.tokens[1].head = Head::Of(0);
/// assert_eq!(sentence.heads().unwrap().unwrap().as_slice(), [2, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Comment lines as written, `#` included.
    pub comments: Vec<Text>,
    /// Words, multiword ranges and empty nodes in file order.
    pub tokens: Vec<Token>,
    /// Lines that could not be read as tokens.
    pub stray: Vec<Stray>,
}

/// A line kept verbatim because it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// How many tokens stand before it.
    pub after: usize,
    /// The line without its end.
    pub line: Text,
}

/// One line of a sentence. A column that holds `_` is the text `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Which kind of line, and its number.
    pub id: TokenId,
    /// Word form.
    pub form: Text,
    /// Lemma.
    pub lemma: Text,
    /// Universal part of speech.
    pub upos: Text,
    /// Language-specific part of speech.
    pub xpos: Text,
    /// Features, as written.
    pub feats: Text,
    /// Head of the basic tree.
    pub head: Head,
    /// Relation to the head.
    pub deprel: Text,
    /// Enhanced dependencies, as written.
    pub deps: Text,
    /// Everything else, as written.
    pub misc: Text,
    /// Columns after the tenth, where a file has them.
    pub extra: Vec<Text>,
}

/// What the first column says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenId {
    /// `n`: a syntactic word.
    Word(u32),
    /// `n-m`: a multiword token over the words n to m.
    Range(u32, u32),
    /// `n.k`: an empty node, the k-th after word n.
    Empty(u32, u32),
}

/// What the head column says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// `_`: not annotated.
    Open,
    /// A word, from 1, or 0 for the root.
    Of(u32),
    /// Something else, kept as written.
    Unreadable(Text),
}

impl Head {
    /// The number, if there is one.
    pub fn index(&self) -> Option<u32> {
        match self {
            Self::Of(head) => Some(*head),
            _ => None,
        }
    }

    /// Reads a head column. Only the canonical spelling of a number is a number, so that writing gives
    /// back what was read.
    pub fn read(column: &str) -> Self {
        match column {
            "_" => Self::Open,
            _ => canonical_number(column).map_or_else(|| Self::Unreadable(column.into()), Self::Of),
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("_"),
            Self::Of(head) => head.fmt(f),
            Self::Unreadable(text) => f.write_str(text),
        }
    }
}

fn canonical_number(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    let canonical = matches!(bytes, [b'0'] | [b'1'..=b'9', ..]) && bytes.len() <= 9;
    if !canonical {
        return None;
    }
    bytes
        .iter()
        .try_fold(0u32, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word}"),
            Self::Range(first, last) => write!(f, "{first}-{last}"),
            Self::Empty(before, rank) => write!(f, "{before}.{rank}"),
        }
    }
}

impl FromStr for TokenId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |part: &str| canonical_number(part).ok_or(());
        // Nearly all ids are plain numbers.
        if let Some(word) = canonical_number(text) {
            return if word > 0 { Ok(Self::Word(word)) } else { Err(()) };
        }
        if let Some((first, last)) = text.split_once('-') {
            let (first, last) = (number(first)?, number(last)?);
            return if 0 < first && first <= last { Ok(Self::Range(first, last)) } else { Err(()) };
        }
        if let Some((before, rank)) = text.split_once('.') {
            let (before, rank) = (number(before)?, number(rank)?);
            return if rank > 0 { Ok(Self::Empty(before, rank)) } else { Err(()) };
        }
        Err(())
    }
}

/// Whether a relation is that of a word without a head: `root`, or a kind of it, `root:x`.
pub fn is_root_relation(relation: &str) -> bool {
    relation.split(':').next().is_some_and(|name| name.eq_ignore_ascii_case("root"))
}

/// The text `_`: a column that is not specified.
pub const UNSPECIFIED: Text = Text::new_static("_");

impl Token {
    /// A word of which only number and form are known.
    pub fn word(id: u32, form: impl Into<Text>) -> Self {
        Self::new(TokenId::Word(id), form)
    }

    /// A line of which only id and form are known.
    pub fn new(id: TokenId, form: impl Into<Text>) -> Self {
        Self {
            id,
            form: form.into(),
            lemma: UNSPECIFIED,
            upos: UNSPECIFIED,
            xpos: UNSPECIFIED,
            feats: UNSPECIFIED,
            head: Head::Open,
            deprel: UNSPECIFIED,
            deps: UNSPECIFIED,
            misc: UNSPECIFIED,
            extra: Vec::new(),
        }
    }

    /// Whether this line is a syntactic word (no range, no empty node).
    pub fn is_word(&self) -> bool {
        matches!(self.id, TokenId::Word(_))
    }

    /// Features as name and value; an item without `=` has an empty value.
    pub fn features(&self) -> impl Iterator<Item = (&str, &str)> {
        items(&self.feats)
    }

    /// MISC as name and value; an item without `=` has an empty value.
    pub fn misc_items(&self) -> impl Iterator<Item = (&str, &str)> {
        items(&self.misc)
    }

    /// The morphs that `MSeg` in MISC gives; none if there is no such item.
    pub fn morphs(&self) -> Vec<String> {
        let value = self.misc_items().find(|(name, _)| *name == crate::mseg::NAME);
        value.map_or_else(Vec::new, |(_, value)| crate::mseg::split(value))
    }

    /// Whether MISC says `SpaceAfter=No`.
    pub fn no_space_after(&self) -> bool {
        self.misc_items().any(|item| item == ("SpaceAfter", "No"))
    }

    /// Enhanced dependencies as head and relation. The head is a word, 0, or an empty node. Items that
    /// cannot be read are left out here; the reader reports them.
    pub fn enhanced(&self) -> impl Iterator<Item = (EnhancedHead, &str)> {
        let column = self.deps.as_str();
        let items = (column != "_").then(|| column.split('|')).into_iter().flatten();
        items.filter_map(EnhancedHead::read)
    }
}

/// The head of an enhanced dependency: word (or 0 for the root) and, for an empty node, its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnhancedHead {
    /// Word, from 1, or 0.
    pub word: u32,
    /// Rank of the empty node after that word; 0 for the word itself.
    pub rank: u32,
}

impl EnhancedHead {
    /// Reads one item `head:relation` of the DEPS column.
    pub fn read(item: &str) -> Option<(Self, &str)> {
        let (head, relation) = item.split_once(':')?;
        let (word, rank) = match head.split_once('.') {
            Some((word, rank)) => (canonical_number(word)?, canonical_number(rank)?),
            None => (canonical_number(head)?, 0),
        };
        Some((Self { word, rank }, relation))
    }
}

fn items(column: &str) -> impl Iterator<Item = (&str, &str)> {
    let items = (column != "_").then(|| column.split('|')).into_iter().flatten();
    items.map(|item| item.split_once('=').unwrap_or((item, "")))
}

impl Sentence {
    /// A sentence of plain forms.
    pub fn from_forms<T: Into<Text>>(forms: impl IntoIterator<Item = T>) -> Self {
        let tokens = (1..).zip(forms).map(|(id, form)| Token::word(id, form)).collect();
        Self { tokens, ..Self::default() }
    }

    /// Syntactic words in order, without ranges and empty nodes.
    pub fn words(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| token.is_word())
    }

    /// Syntactic words to be changed.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut Token> {
        self.tokens.iter_mut().filter(|token| token.is_word())
    }

    /// Number of syntactic words.
    pub fn n_words(&self) -> usize {
        self.words().count()
    }

    /// The value of the comment `# key = value`.
    pub fn meta(&self, key: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| {
            let rest = comment.strip_prefix('#')?.trim_start().strip_prefix(key)?;
            Some(rest.trim_start().strip_prefix('=')?.trim())
        })
    }

    /// The `sent_id` comment.
    pub fn id(&self) -> Option<&str> {
        self.meta("sent_id")
    }

    /// Head of each word, `None` where it is open or unreadable.
    pub fn partial_heads(&self) -> Vec<Option<u32>> {
        self.words().map(|word| word.head.index()).collect()
    }

    /// The basic tree; `Ok(None)` if some word has no head.
    pub fn heads(&self) -> Result<Option<Heads>, HeadsError> {
        let heads: Option<Vec<u32>> = self.words().map(|word| word.head.index()).collect();
        heads.map(Heads::new).transpose()
    }

    /// The running text as tokens and `SpaceAfter=No` tell it.
    pub fn detokenised(&self) -> String {
        let mut text = String::new();
        let mut covered_up_to = 0;
        for token in &self.tokens {
            match token.id {
                TokenId::Range(_, last) => covered_up_to = last,
                TokenId::Word(word) if word > covered_up_to => {}
                _ => continue,
            }
            text.push_str(&token.form);
            if !token.no_space_after() {
                text.push(' ');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_written_alike_or_refused() {
        for text in ["1", "12", "1-2", "0.1", "7.10"] {
            assert_eq!(text.parse::<TokenId>().unwrap().to_string(), text);
        }
        for text in ["0", "01", "-1", "2-1", "0-1", "1.0", "1.", "", "o1", "4-5.1", "9999999999"] {
            assert_eq!(text.parse::<TokenId>(), Err(()), "{text}");
        }
    }

    #[test]
    fn odd_heads_are_kept_as_written() {
        for text in ["_", "0", "17", "-1", "03", "+2", "x"] {
            assert_eq!(Head::read(text).to_string(), text);
        }
        assert_eq!(Head::read("-1").index(), None);
    }

    #[test]
    fn running_text_uses_the_multiword_form() {
        let mut sentence = Sentence::from_forms(["vamos", "nos", "a", "el", "mar"]);
        sentence.tokens.insert(0, Token::new(TokenId::Range(1, 2), "vámonos"));
        sentence.tokens.insert(3, Token::new(TokenId::Range(3, 4), "al"));
        assert_eq!(sentence.detokenised(), "vámonos al mar");
    }

    #[test]
    fn enhanced_heads_may_be_empty_nodes() {
        let mut token = Token::word(3, "x");
        token.deps = "0:root|2.1:conj:and".into();
        let heads: Vec<_> =
            token.enhanced().map(|(head, relation)| (head.word, head.rank, relation)).collect();
        assert_eq!(heads, [(0, 0, "root"), (2, 1, "conj:and")]);
    }
}
