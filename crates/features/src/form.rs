//! Features of a word's form, as hashes.
//!
//! They are made for any script. Letters with case count as upper (`X`) or lower (`x`) case, other letters
//! go by a coarse class of their script, digits of all scripts are alike, and combining marks belong to the
//! letter before them.

use crate::hash::Hash;

/// What a feature is about; the caller takes the groups it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The word itself: its form as written and in lower case. An unseen word has no use for these.
    Identity,
    /// Proper prefixes and suffixes of the form in lower case, digits replaced by 0.
    Affix,
    /// Everything else: case, kinds of characters, length, and one feature that every word has.
    Shape,
}

/// Longest prefix, in characters.
const LONGEST_PREFIX: usize = 4;
/// Longest suffix, in characters.
const LONGEST_SUFFIX: usize = 5;
/// Runs of a shape that are kept; what follows is cut off.
const LONGEST_SHAPE: usize = 8;

/// Shows all features of `form` to `visit`, each with its group; `first` says that the word begins its
/// sentence, where a capital letter means little.
///
/// The features are hashes of 64 bits that never change between machines or runs. Any string is a form, the
/// empty one too. Costs about a microsecond.
pub fn features(form: &str, first: bool, mut visit: impl FnMut(Group, u64)) {
    let lower: Vec<char> = form.chars().flat_map(char::to_lowercase).collect();
    identity(form, &lower, |feature| visit(Group::Identity, feature));
    affixes(&lower, |feature| visit(Group::Affix, feature));
    shape(form, first, |feature| visit(Group::Shape, feature));
}

/// The kinds of features. The numbers are part of the hashes, so they are never given to another kind.
#[derive(Clone, Copy)]
enum FormFeature {
    Form = 1,
    Lower = 2,
    Prefix = 3,
    Suffix = 4,
    Shape = 5,
    Contains = 6,
    Case = 7,
    Length = 8,
    Always = 9,
    NoLetter = 10,
}

fn hash(kind: FormFeature) -> Hash {
    Hash::new(kind as u8)
}

/// A form in lower case has only one identity, so that equal things are not counted twice.
fn identity(form: &str, lower: &[char], mut visit: impl FnMut(u64)) {
    visit(hash(FormFeature::Lower).chars(lower.iter().copied()).finish());
    if !form.chars().eq(lower.iter().copied()) {
        visit(hash(FormFeature::Form).chars(form.chars()).finish());
    }
}

/// Only proper affixes: a whole word is an identity, and belongs to the other group.
fn affixes(lower: &[char], mut visit: impl FnMut(u64)) {
    let longest = lower.len().saturating_sub(1);
    let mut prefix = hash(FormFeature::Prefix);
    for &c in lower.iter().take(longest.min(LONGEST_PREFIX)) {
        prefix = prefix.char(zero_for_digit(c));
        visit(prefix.finish());
    }
    let mut suffix = hash(FormFeature::Suffix);
    for &c in lower.iter().rev().take(longest.min(LONGEST_SUFFIX)) {
        suffix = suffix.char(zero_for_digit(c));
        visit(suffix.finish());
    }
}

fn zero_for_digit(c: char) -> char {
    if c.is_numeric() { '0' } else { c }
}

fn shape(form: &str, first: bool, mut visit: impl FnMut(u64)) {
    visit(hash(FormFeature::Always).finish());
    visit(hash(FormFeature::Shape).chars(runs(form)).finish());
    visit(hash(FormFeature::Case).byte(case(form)).byte(u8::from(first)).finish());
    visit(hash(FormFeature::Length).byte(length_bucket(form.chars().count())).finish());
    for (class, found) in CONTAINED.iter().zip(contained(form)) {
        if found {
            visit(hash(FormFeature::Contains).char(*class).finish());
        }
    }
    if !form.chars().any(char::is_alphanumeric) {
        visit(hash(FormFeature::NoLetter).finish());
    }
}

/// Characters whose presence is a feature; `0` stands for any digit, the rest for themselves and their kin.
const CONTAINED: [char; 5] = ['0', '-', '\'', '_', '.'];

fn contained(form: &str) -> [bool; 5] {
    let mut found = [false; 5];
    for c in form.chars() {
        match c {
            '-' | '\u{2010}'..='\u{2015}' => found[1] = true,
            '\'' | '\u{2019}' | '\u{2BC}' => found[2] = true,
            '_' => found[3] = true,
            '.' => found[4] = true,
            c if c.is_numeric() => found[0] = true,
            _ => {}
        }
    }
    found
}

/// The classes of the characters, runs of one class taken together: `Xx-x` for "Anglo-saxon". What follows after eight
/// runs is cut off.
pub fn shape_of(form: &str) -> Vec<char> {
    runs(form)
}

fn runs(form: &str) -> Vec<char> {
    let mut runs: Vec<char> = Vec::new();
    for c in form.chars() {
        let after_letter = runs.last().is_some_and(|class| class.is_alphabetic());
        let class = class(c);
        if runs.last() == Some(&class) || after_letter && is_mark(c) {
            continue;
        }
        if runs.len() == LONGEST_SHAPE {
            break;
        }
        runs.push(class);
    }
    runs
}

/// A letter stands for every class of letters, `0` for digits, any other character for itself.
fn class(c: char) -> char {
    match c {
        _ if c.is_uppercase() => 'X',
        _ if c.is_lowercase() => 'x',
        _ if c.is_numeric() => '0',
        '\u{3041}'..='\u{309F}' => 'h',
        '\u{30A1}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9D}' => 'k',
        '\u{2E80}'..='\u{2FDF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => 'H',
        '\u{20000}'..='\u{3FFFF}' => 'H',
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7FF}' => 'g',
        _ if c.is_alphabetic() => 'c',
        _ => c,
    }
}

/// Accents and vowel signs that are not letters themselves. The ranges also hold some punctuation, which
/// is why this is asked only after a letter.
fn is_mark(c: char) -> bool {
    let ranges = ['\u{300}'..='\u{1FFF}', '\u{200C}'..='\u{200D}', '\u{20D0}'..='\u{20FF}'];
    !c.is_alphanumeric()
        && (ranges.iter().any(|range| range.contains(&c)) || ('\u{FE00}'..='\u{FE2F}').contains(&c))
}

/// 0: no case; 1: all lower; 2: initial capital; 3: one capital letter; 4: all capitals; 5: capitals inside.
fn case(form: &str) -> u8 {
    let upper = form.chars().filter(|c| c.is_uppercase()).count();
    let lower = form.chars().filter(|c| c.is_lowercase()).count();
    let initial = form.chars().next().is_some_and(char::is_uppercase);
    match (upper, lower) {
        (0, 0) => 0,
        (0, _) => 1,
        (1, 0) => 3,
        (_, 0) => 4,
        _ if initial => 2,
        _ => 5,
    }
}

fn length_bucket(n: usize) -> u8 {
    const BOUNDS: [usize; 7] = [1, 2, 3, 4, 6, 9, 13];
    BOUNDS.iter().filter(|&&bound| n > bound).count() as u8
}
