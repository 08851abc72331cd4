//! What a tagger sees of a word and of the words around it, as hashes.

use features::{Group, Hash, features, pair, shape_of};

/// Further features of words, given by the caller: classes of words, analyses, entries of a dictionary. It shows each of them,
/// as a string, to the visitor. The same must be given when a tagger is trained and when it is used.
pub type Further<'f> = &'f (dyn Fn(&str, &mut dyn FnMut(&str)) + Sync);

/// No further features.
pub const NOTHING_FURTHER: Further<'static> = &|_, _| {};

/// Places from which a word is seen: two and one word before it, itself, one and two words after it.
pub(super) const N_PLACES: usize = 5;
/// The place of the word itself.
pub(super) const HERE: usize = 2;

/// What is seen of a word, whatever the place.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// By the word itself.
    own: Vec<u64>,
    /// By its neighbours.
    near: Vec<u64>,
    /// By words two places away.
    far: Vec<u64>,
    /// The form in lower case.
    pub(super) lower: u64,
    /// How it begins, which means something else in the first word of a sentence.
    pub(super) beginning: u64,
}

/// The kinds of features that stand for themselves; the numbers are part of the hashes.
#[derive(Clone, Copy)]
enum FeatureKind {
    Boundary = 100,
    LongPrefix = 101,
    Further = 102,
    Beginning = 103,
    BeforeThis = 104,
    ThisAfter = 105,
    Around = 106,
    Lower = 107,
}

/// Characters of the longest prefix; shorter ones are among the features of a form.
const LONGEST_PREFIX: usize = 5;

impl Seen {
    /// What is seen of a word.
    pub(super) fn new(word: &str, further: Further<'_>) -> Seen {
        let mut seen = Seen::default();
        features(word, false, |group, key| {
            seen.own.push(key);
            if group != Group::Shape {
                seen.near.push(key);
            }
            if group == Group::Identity {
                seen.far.push(key);
            }
        });
        let lower = || word.chars().flat_map(char::to_lowercase);
        if lower().nth(LONGEST_PREFIX).is_some() {
            seen.own.push(hash(FeatureKind::LongPrefix).chars(lower().take(LONGEST_PREFIX)).finish());
        }
        further(word, &mut |feature| {
            let key = hash(FeatureKind::Further).chars(feature.chars()).finish();
            seen.own.push(key);
            seen.near.push(key);
        });
        let shape = shape_of(word);
        seen.near.push(hash(FeatureKind::Beginning).chars(shape.iter().copied()).finish());
        seen.lower = hash(FeatureKind::Lower).chars(lower()).finish();
        seen.beginning = hash(FeatureKind::Beginning).chars(shape.first().copied()).finish();
        seen
    }

    /// What is seen before the first word and after the last one.
    pub(super) fn boundary() -> Seen {
        let key = hash(FeatureKind::Boundary).finish();
        Seen { near: vec![key], far: vec![key], lower: key, ..Seen::default() }
    }

    /// The features of the word that stands at this place, for the word in the middle.
    pub(super) fn at(&self, place: usize) -> impl Iterator<Item = u64> + '_ {
        let keys = match place {
            HERE => &self.own,
            1 | 3 => &self.near,
            _ => &self.far,
        };
        keys.iter().map(move |key| key.rotate_left(11 * place as u32) ^ place as u64)
    }
}

/// What is seen of a word and its neighbours together. `beginning` is there for the first word only.
pub(super) fn pairs(before: u64, this: u64, after: u64, beginning: Option<u64>) -> impl Iterator<Item = u64> {
    let pair = |kind: FeatureKind, a: u64, b: u64| pair(kind as u8, a, b);
    [
        pair(FeatureKind::BeforeThis, before, this),
        pair(FeatureKind::ThisAfter, this, after),
        pair(FeatureKind::Around, before, after),
    ]
    .into_iter()
    .chain(beginning)
}

fn hash(kind: FeatureKind) -> Hash {
    Hash::new(kind as u8)
}
