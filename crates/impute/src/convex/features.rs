//! What is seen of an arc.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::{Symbols, Text};

use crate::Fragment;

/// Which features arcs have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureOptions {
    /// The tags beside the head and the dependent.
    pub neighbours: bool,
    /// The tags of the words between them.
    pub between: bool,
    /// Forms that occur at least so often; 0 for none.
    pub words: usize,
    /// The last so many letters of the forms; 0 for none.
    pub suffixes: usize,
}

impl FeatureOptions {
    /// Nothing but tags, as in the papers.
    pub fn tags() -> FeatureOptions {
        FeatureOptions { words: 0, suffixes: 0, ..FeatureOptions::default() }
    }
}

impl Default for FeatureOptions {
    fn default() -> Self {
        FeatureOptions { neighbours: true, between: true, words: 1, suffixes: 3 }
    }
}

/// The templates: a name, and what is filled in. H and D are the tags of head and dependent, −1 and +1 those
/// beside them, B one between them, h and d forms or suffixes; all go with the direction, and those that end in @ with
/// the distance too.
const TEMPLATES: [&str; 20] = [
    "@",
    "H@",
    "D@",
    "HD@",
    "HD",
    "H-1 H D",
    "H H+1 D",
    "H D-1 D",
    "H D D+1",
    "H-1 H D-1 D",
    "H-1 H D D+1",
    "H H+1 D-1 D",
    "H H+1 D D+1",
    "H B D",
    "h D",
    "H d",
    "h d",
    "suffix h D",
    "suffix H d",
    "suffix h d",
];

/// The root's tag, and the tag beyond the ends of the sentence.
const ROOT: u32 = 0;
const EDGE: u32 = 1;
/// The number of the first tag of the data.
const FIRST: u32 = 2;
/// Bits of a tag, of a word, and of direction and distance.
const TAG_BITS: u32 = 12;
const WORD_BITS: u32 = 24;

/// Names of tags, forms and suffixes, and the features that training saw.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FeatureTable {
    options: FeatureOptions,
    tags: Symbols,
    words: Symbols,
    suffixes: Symbols,
    /// The features, each packed into a number, in the order of their weights.
    keys: Vec<u64>,
    #[serde(skip)]
    lookup: OnceLock<FxHashMap<u64, u32>>,
}

/// A sentence in numbers; position 0 is the root. What training did not see has no number.
#[derive(Debug, Clone)]
pub(super) struct Numbered {
    pub(super) tags: Vec<Option<u32>>,
    words: Vec<Option<u32>>,
    suffixes: Vec<Option<u32>>,
    /// For every position the tags after it, each where it first occurs, in the order of these places.
    following: Vec<Vec<(usize, Option<u32>)>>,
}

impl FeatureTable {
    /// Names everything that sentences have, and no feature yet.
    pub(super) fn new(fragments: &[Fragment], options: &FeatureOptions) -> FeatureTable {
        let tags = distinct(fragments.iter().flat_map(|fragment| fragment.tags.iter().cloned()), 1);
        let forms = || fragments.iter().flat_map(|fragment| fragment.forms.iter());
        let words = match options.words {
            0 => Symbols::default(),
            count => distinct(forms().map(|form| lower(form)), count),
        };
        let suffixes = match options.suffixes {
            0 => Symbols::default(),
            length => distinct(forms().map(|form| suffix(form, length)), 2),
        };
        FeatureTable {
            options: options.clone(),
            tags,
            words,
            suffixes,
            keys: Vec::new(),
            lookup: OnceLock::new(),
        }
    }

    /// The number of features.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The tags of training, in the order of their numbers, which begin at 2.
    pub(super) fn tags(&self) -> impl Iterator<Item = &Text> {
        self.tags.names()
    }

    /// A feature by name: its template and what is filled in.
    pub(super) fn name(&self, feature: usize) -> String {
        Key(self.keys.get(feature).copied().unwrap_or(0)).name(self)
    }

    /// The numbers of a sentence's tags and forms.
    pub(super) fn number(&self, fragment: &Fragment) -> Numbered {
        let root = [Some(ROOT)];
        let tags = fragment.tags.iter().map(|tag| Some(self.tags.number(tag)? + FIRST));
        let words = fragment.forms.iter().map(|form| self.words.number(&lower(form)));
        let length = self.options.suffixes;
        let suffixes = fragment.forms.iter().map(|form| self.suffixes.number(&suffix(form, length)));
        let tags: Vec<Option<u32>> = root.into_iter().chain(tags).collect();
        Numbered {
            following: if self.options.between { following(&tags) } else { Vec::new() },
            tags,
            words: [None].into_iter().chain(words).collect(),
            suffixes: [None].into_iter().chain(suffixes).collect(),
        }
    }

    /// The numbers of features; those that are new get one. Ends with [`learned`](Self::learned).
    pub(super) fn learn(&mut self, keys: &[u64], learned: &mut FxHashMap<u64, u32>) -> Vec<u32> {
        let number = |&key: &u64| {
            *learned.entry(key).or_insert_with(|| {
                self.keys.push(key);
                (self.keys.len() - 1) as u32
            })
        };
        keys.iter().map(number).collect()
    }

    /// The number of a feature, if training saw it.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.lookup().get(&key).copied()
    }

    /// Shows the features of the arc from `head` (0 for the root) to `dependent`.
    pub(super) fn each(
        &self,
        sentence: &Numbered,
        head: usize,
        dependent: usize,
        mut visit: impl FnMut(u64),
    ) {
        let arc = Arc { sentence, head, dependent };
        arc.tags(&self.options, &mut visit);
        if self.options.words > 0 {
            arc.forms(14, &sentence.words, &mut visit);
        }
        if self.options.suffixes > 0 {
            arc.forms(17, &sentence.suffixes, &mut visit);
        }
    }

    fn lookup(&self) -> &FxHashMap<u64, u32> {
        self.lookup.get_or_init(|| self.keys.iter().copied().zip(0..).collect())
    }

    /// After features were learned, what is looked up is made anew.
    pub(super) fn learned(&mut self) {
        self.lookup = OnceLock::new();
    }
}

struct Arc<'a> {
    sentence: &'a Numbered,
    head: usize,
    dependent: usize,
}

impl Arc<'_> {
    /// The tag at a distance from a position; the root has no neighbours of its own.
    fn beside(&self, position: usize, by: isize) -> Option<u32> {
        if position == 0 {
            return Some(ROOT);
        }
        match position.checked_add_signed(by) {
            None | Some(0) => Some(EDGE),
            Some(at) => self.sentence.tags.get(at).copied().unwrap_or(Some(EDGE)),
        }
    }

    /// Direction and distance: 1, 2, 3, 4, 5 to 9, more.
    fn place(&self) -> (u64, u64) {
        let direction = u64::from(self.head < self.dependent);
        let distance = match self.head.abs_diff(self.dependent) {
            distance @ 0..=4 => distance as u64,
            5..=9 => 5,
            _ => 6,
        };
        (direction, direction | distance << 1)
    }

    fn tags(&self, options: &FeatureOptions, visit: &mut impl FnMut(u64)) {
        let (direction, place) = self.place();
        let mut show = |template: u64, place: u64, tags: &[Option<u32>]| {
            if let Some(key) = pack(template, place, tags) {
                visit(key);
            }
        };
        let (h, d) = (self.beside(self.head, 0), self.beside(self.dependent, 0));
        show(0, place, &[]);
        show(1, place, &[h]);
        show(2, place, &[d]);
        show(3, place, &[h, d]);
        show(4, direction, &[h, d]);
        if options.neighbours {
            let (before_h, after_h) = (self.beside(self.head, -1), self.beside(self.head, 1));
            let (before_d, after_d) = (self.beside(self.dependent, -1), self.beside(self.dependent, 1));
            show(5, direction, &[before_h, h, d]);
            show(6, direction, &[h, after_h, d]);
            show(7, direction, &[h, before_d, d]);
            show(8, direction, &[h, d, after_d]);
            show(9, direction, &[before_h, h, before_d, d]);
            show(10, direction, &[before_h, h, d, after_d]);
            show(11, direction, &[h, after_h, before_d, d]);
            show(12, direction, &[h, after_h, d, after_d]);
        }
        if options.between {
            let (left, right) = (self.head.min(self.dependent), self.head.max(self.dependent));
            // A set: a tag counts once however often it stands there.
            let following = self.sentence.following[left].iter();
            for &(_, tag) in following.take_while(|&&(first, _)| first < right) {
                show(13, direction, &[h, tag, d]);
            }
        }
    }

    fn forms(&self, template: u64, forms: &[Option<u32>], visit: &mut impl FnMut(u64)) {
        let (direction, _) = self.place();
        let (h, d) = (self.beside(self.head, 0), self.beside(self.dependent, 0));
        let head = forms[self.head];
        let dependent = forms[self.dependent];
        let keys = [
            head.zip(d).map(|(form, tag)| pack_form(template, direction, form, tag)),
            dependent.zip(h).map(|(form, tag)| pack_form(template + 1, direction, form, tag)),
            head.zip(dependent).map(|(head, dependent)| pack_form(template + 2, direction, head, dependent)),
        ];
        keys.into_iter().flatten().for_each(visit);
    }
}

/// For every position the tags after it, each where it first occurs, in the order of these places.
fn following(tags: &[Option<u32>]) -> Vec<Vec<(usize, Option<u32>)>> {
    let mut following = vec![Vec::new(); tags.len()];
    for at in (1..tags.len()).rev() {
        let others = following[at].iter().filter(|&&(_, tag)| tag != tags[at]);
        following[at - 1] = std::iter::once((at, tags[at])).chain(others.copied()).collect();
    }
    following
}

/// Template, direction and distance, and up to four tags; `None` if a tag is unknown.
fn pack(template: u64, place: u64, tags: &[Option<u32>]) -> Option<u64> {
    let mut key = template << 8 | place;
    for tag in tags {
        key = key << TAG_BITS | u64::from((*tag)? & ((1 << TAG_BITS) - 1));
    }
    Some(key << (TAG_BITS * (4 - tags.len() as u32)))
}

fn pack_form(template: u64, direction: u64, form: u32, other: u32) -> u64 {
    (template << 8 | direction) << (2 * WORD_BITS) | u64::from(form) << WORD_BITS | u64::from(other)
}

/// A packed feature.
struct Key(u64);

impl Key {
    fn name(&self, table: &FeatureTable) -> String {
        let template = (self.0 >> 56) as usize;
        let place = self.0 >> 48 & 0xff;
        let name = TEMPLATES.get(template).copied().unwrap_or("?");
        let direction = if place & 1 == 1 { "right" } else { "left" };
        let distance = if name.ends_with('@') { format!(" {}", place >> 1) } else { String::new() };
        let tag = |number: u32| match number {
            ROOT => "ROOT",
            EDGE => "EDGE",
            number => table.tags.get(number - FIRST).map_or("?", Text::as_str),
        };
        let field = |at: u32| (self.0 >> (TAG_BITS * (3 - at))) as u32 & ((1 << TAG_BITS) - 1);
        let low = self.0 as u32 & ((1 << WORD_BITS) - 1);
        let high = (self.0 >> WORD_BITS) as u32 & ((1 << WORD_BITS) - 1);
        let form = |number: u32| {
            let forms = if template < 17 { &table.words } else { &table.suffixes };
            forms.get(number).map_or("?", Text::as_str)
        };
        let filled = match template {
            0..14 => {
                let n_tags = [0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3][template];
                (0..n_tags).map(|at| tag(field(at))).collect::<Vec<_>>().join(" ")
            }
            14 | 15 | 17 | 18 => format!("{} {}", form(high), tag(low)),
            _ => format!("{} {}", form(high), form(low)),
        };
        format!("{name}: {filled} {direction}{distance}")
    }
}

/// What occurs at least `count` times, in the order of first occurrence.
fn distinct(texts: impl Iterator<Item = Text>, count: usize) -> Symbols {
    let mut counts = indexmap::IndexMap::<Text, usize>::new();
    for text in texts {
        *counts.entry(text).or_insert(0) += 1;
    }
    counts.into_iter().filter(|&(_, n)| n >= count).map(|(text, _)| text).collect()
}

fn lower(form: &str) -> Text {
    form.to_lowercase().into()
}

/// The last letters of a form, in lower case.
fn suffix(form: &str, length: usize) -> Text {
    let form = form.to_lowercase();
    let start = form.char_indices().rev().take(length).last().map_or(0, |(at, _)| at);
    form[start..].into()
}
