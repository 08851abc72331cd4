//! What features see of each word, as numbers.

use features::{Codebook, Hash};
use tree::{Sentence, Text, Token};

use super::sources::Sources;

/// Something that is seen of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    /// The form as written.
    Form,
    /// The form in lower case, digits alike.
    Lower,
    /// The tag that models go by.
    Tag,
    /// The language's own tag.
    Fine,
    /// All morphological features together.
    Feats,
    /// The case feature alone, which says more of a noun's head than all the others.
    Case,
    Prefix2,
    Prefix3,
    Suffix1,
    Suffix2,
    Suffix3,
    Suffix4,
    /// Kinds of characters, in runs.
    Shape,
    /// The word's cluster, and the first bits of it.
    Cluster,
    Cluster4,
    Cluster6,
    /// The bits of the word's vector, and the first of them.
    Vector,
    Vector4,
    Vector6,
    /// The first, the last and the longest of the morphs that MISC gives as `MSeg`, in lower case.
    FirstMorph,
    LastMorph,
    Stem,
}

/// All attributes with the names that template files have for them.
pub(super) const ATTRIBUTES: [(&str, Attribute); 22] = [
    ("form", Attribute::Form),
    ("lower", Attribute::Lower),
    ("tag", Attribute::Tag),
    ("fine", Attribute::Fine),
    ("feats", Attribute::Feats),
    ("case", Attribute::Case),
    ("prefix2", Attribute::Prefix2),
    ("prefix3", Attribute::Prefix3),
    ("suffix1", Attribute::Suffix1),
    ("suffix2", Attribute::Suffix2),
    ("suffix3", Attribute::Suffix3),
    ("suffix4", Attribute::Suffix4),
    ("shape", Attribute::Shape),
    ("cluster", Attribute::Cluster),
    ("cluster4", Attribute::Cluster4),
    ("cluster6", Attribute::Cluster6),
    ("vector", Attribute::Vector),
    ("vector4", Attribute::Vector4),
    ("vector6", Attribute::Vector6),
    ("first-morph", Attribute::FirstMorph),
    ("last-morph", Attribute::LastMorph),
    ("stem", Attribute::Stem),
];

const COUNT: usize = ATTRIBUTES.len();

/// The attributes of all words of a sentence, and of places where there is none.
///
/// Position 0 is the root, 1 to n are the words; then come what stands before the root, what stands after the last
/// word, and nobody, who takes the place of a sibling that does not exist.
#[derive(Debug, Clone)]
pub(super) struct Attributes {
    n_words: usize,
    values: Vec<[u64; COUNT]>,
}

/// Which tags models go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagColumn {
    /// The universal ones.
    #[default]
    Upos,
    /// The language's own.
    Xpos,
}

impl TagColumn {
    /// The tag of a word.
    pub fn of(self, token: &Token) -> &Text {
        match self {
            TagColumn::Upos => &token.upos,
            TagColumn::Xpos => &token.xpos,
        }
    }

    /// The other column.
    pub fn other(self) -> TagColumn {
        match self {
            TagColumn::Upos => TagColumn::Xpos,
            TagColumn::Xpos => TagColumn::Upos,
        }
    }

    /// The tag, to be changed.
    pub fn of_mut(self, token: &mut Token) -> &mut Text {
        match self {
            TagColumn::Upos => &mut token.upos,
            TagColumn::Xpos => &mut token.xpos,
        }
    }
}

impl Attributes {
    pub(super) fn new<'s>(sentence: &Sentence, sources: impl Into<Sources<'s>>) -> Attributes {
        let sources = sources.into();
        let n_words = sentence.n_words();
        let mut values = Vec::with_capacity(n_words + 4);
        values.push([place(0); COUNT]);
        values.extend(sentence.words().map(|token| of_word(token, &sources)));
        values.extend((1..=3).map(|number| [place(number); COUNT]));
        Attributes { n_words, values }
    }

    pub(super) fn n_words(&self) -> usize {
        self.n_words
    }

    /// The number of positions.
    pub(super) fn width(&self) -> usize {
        self.n_words + 4
    }

    /// The position of nobody.
    pub(super) fn nobody(&self) -> usize {
        self.n_words + 3
    }

    /// An attribute of the word so many places to the right of a position. Nobody has no neighbours.
    pub(super) fn at(&self, position: usize, offset: isize, attribute: Attribute) -> u64 {
        let at = match position {
            _ if offset == 0 || position > self.n_words => position,
            _ => match position.checked_add_signed(offset) {
                None => self.n_words + 1,
                Some(at) if at > self.n_words => self.n_words + 2,
                Some(at) => at,
            },
        };
        self.values[at][attribute as usize]
    }
}

/// What all attributes of a place without a word are.
fn place(number: u8) -> u64 {
    Hash::new(0).byte(number).finish()
}

fn of_word(token: &Token, sources: &Sources<'_>) -> [u64; COUNT] {
    let text = |kind: Attribute, chars: &mut dyn Iterator<Item = char>| {
        Hash::new(1 + kind as u8).chars(chars).finish()
    };
    let lower: Vec<char> = features::plain(&token.form).chars().collect();
    let (tag, fine) = (sources.tags.of(token), sources.tags.other().of(token));
    let case = token.features().find(|(name, _)| *name == "Case").map_or("", |(_, value)| value);
    let (cluster, vector) = (code(sources.clusters, token), code(sources.vectors, token));
    let morphs = token.morphs();
    let morph = |morph: Option<&String>| features::plain(morph.map_or("", String::as_str));
    let mut values = [0; COUNT];
    for (_, kind) in ATTRIBUTES {
        values[kind as usize] = match kind {
            Attribute::Form => text(kind, &mut token.form.chars()),
            Attribute::Lower => text(kind, &mut lower.iter().copied()),
            Attribute::Tag => text(kind, &mut tag.chars()),
            Attribute::Fine => text(kind, &mut fine.chars()),
            Attribute::Feats => text(kind, &mut token.feats.chars()),
            Attribute::Case => text(kind, &mut case.chars()),
            Attribute::Prefix2 => text(kind, &mut lower.iter().copied().take(2)),
            Attribute::Prefix3 => text(kind, &mut lower.iter().copied().take(3)),
            Attribute::Suffix1 => text(kind, &mut lower.iter().rev().copied().take(1)),
            Attribute::Suffix2 => text(kind, &mut lower.iter().rev().copied().take(2)),
            Attribute::Suffix3 => text(kind, &mut lower.iter().rev().copied().take(3)),
            Attribute::Suffix4 => text(kind, &mut lower.iter().rev().copied().take(4)),
            Attribute::Shape => text(kind, &mut features::shape_of(&token.form).into_iter()),
            Attribute::Cluster => text(kind, &mut cluster.chars()),
            Attribute::Cluster4 => text(kind, &mut first_bits(cluster, 4).chars()),
            Attribute::Cluster6 => text(kind, &mut first_bits(cluster, 6).chars()),
            Attribute::Vector => text(kind, &mut vector.chars()),
            Attribute::Vector4 => text(kind, &mut first_bits(vector, 4).chars()),
            Attribute::Vector6 => text(kind, &mut first_bits(vector, 6).chars()),
            Attribute::FirstMorph => text(kind, &mut morph(morphs.first()).chars()),
            Attribute::LastMorph => text(kind, &mut morph(morphs.last()).chars()),
            Attribute::Stem => text(kind, &mut morph(longest(&morphs)).chars()),
        };
    }
    values
}

/// The longest morph, of several the first.
fn longest(morphs: &[String]) -> Option<&String> {
    morphs.iter().rev().max_by_key(|morph| morph.chars().count())
}

/// The code of a word; a word that has none has the empty one, which is nobody else's.
fn code<'s>(book: Option<&'s Codebook>, token: &Token) -> &'s str {
    book.and_then(|book| book.code(&token.form)).unwrap_or("")
}

/// The beginning of a string of bits; a name that is none has no parts.
fn first_bits(code: &str, n_bits: usize) -> &str {
    let is_bits = code.bytes().all(|byte| byte == b'0' || byte == b'1');
    if is_bits { code.get(..n_bits).unwrap_or(code) } else { code }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::TokenId;

    fn values(form: &str, misc: &str) -> [u64; COUNT] {
        let token = Token { misc: misc.into(), ..Token::new(TokenId::Word(1), form) };
        of_word(&token, &TagColumn::Upos.into())
    }

    #[test]
    fn morphs_are_seen_where_misc_has_them() {
        let of = |misc: &str, attribute: Attribute| values("Unhappiness", misc)[attribute as usize];
        let with_morphs = "SpaceAfter=No|MSeg=Un-happi-ness";
        let without = |attribute| of("_", attribute);
        assert_eq!(of(with_morphs, Attribute::FirstMorph), of("MSeg=un-x", Attribute::FirstMorph));
        assert_eq!(of(with_morphs, Attribute::LastMorph), of("MSeg=x-ness", Attribute::LastMorph));
        assert_eq!(of(with_morphs, Attribute::Stem), of("MSeg=x-happi-more-y", Attribute::Stem));
        for attribute in [Attribute::FirstMorph, Attribute::LastMorph, Attribute::Stem] {
            assert_ne!(of(with_morphs, attribute), without(attribute));
        }
        assert_eq!(of(with_morphs, Attribute::Suffix3), without(Attribute::Suffix3));
    }
}
