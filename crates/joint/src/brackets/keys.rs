//! What is seen of a span, as numbers: keys of features.
//!
//! Most of what is seen depends on where a span begins or on where it ends alone, so that it is found once for each place
//! and not once for each span. Positions are the first and the last word and the words just outside.

use features::Key;

use super::options::Kind;
use super::words::NumberedSentence;

/// Templates at a position take four numbers.
const FIRST: u32 = 0;
const LAST: u32 = 4;
const BEFORE: u32 = 8;
const AFTER: u32 = 12;
/// Pairs of positions take four numbers.
const FIRST_LAST: u32 = 16;
const BEFORE_AFTER: u32 = 20;
const BEFORE_FIRST: u32 = 24;
const LAST_AFTER: u32 = 28;
const BIAS: u32 = 32;
const WIDTH: u32 = 33;
const START: u32 = 34;
const END: u32 = 35;
const TAGS_FROM_START: u32 = 36;
const FORMS_FROM_START: u32 = 37;
const TAGS_FROM_END: u32 = 38;
const FORMS_FROM_END: u32 = 39;
const OUTSIDE: u32 = 40;
const START_FOOTPRINT: u32 = 41;
const END_FOOTPRINT: u32 = 42;
const ALL_TAGS: u32 = 43;
const CONTAINS: u32 = 44;
const NEIGHBOURS: u32 = 45;

/// What is seen where a span begins.
pub(super) fn of_start(kind: Kind, sentence: &NumberedSentence, start: usize, emit: &mut impl FnMut(u64)) {
    if kind == Kind::Ccm {
        return;
    }
    let at = start as isize;
    let (form, tag) = (|i| sentence.form(i), |i| sentence.tag(i));
    unigrams(FIRST, sentence, at, emit);
    unigrams(BEFORE, sentence, at - 1, emit);
    bigrams(BEFORE_FIRST, sentence, at - 1, at, emit);
    emit(Key::of(BIAS, &[]));
    emit(Key::of(START, &[start as u32]));
    emit(Key::of(TAGS_FROM_START, &[tag(at + 1), tag(at + 2)]));
    emit(Key::of(FORMS_FROM_START, &[form(at + 1), form(at + 2)]));
    emit(Key::of(START_FOOTPRINT, &[tag(at - 1), tag(at), tag(at + 1), tag(at + 2)]));
    emit(of_tag(tag(at)));
}

/// What is seen where a span ends.
pub(super) fn of_end(kind: Kind, sentence: &NumberedSentence, end: usize, emit: &mut impl FnMut(u64)) {
    if kind == Kind::Ccm {
        return;
    }
    let at = end as isize;
    let (form, tag) = (|i| sentence.form(i), |i| sentence.tag(i));
    unigrams(LAST, sentence, at - 1, emit);
    unigrams(AFTER, sentence, at, emit);
    bigrams(LAST_AFTER, sentence, at - 1, at, emit);
    emit(Key::of(END, &[end as u32]));
    emit(Key::of(TAGS_FROM_END, &[tag(at), tag(at + 1)]));
    emit(Key::of(FORMS_FROM_END, &[form(at), form(at + 1)]));
    emit(Key::of(END_FOOTPRINT, &[tag(at - 3), tag(at - 2), tag(at - 1), tag(at)]));
}

/// What is seen of a span as a whole; `all_tags` is the key of its tags.
pub(super) fn of_span(
    kind: Kind,
    sentence: &NumberedSentence,
    (start, end): (usize, usize),
    all_tags: AllTags,
    emit: &mut impl FnMut(u64),
) {
    let (first, last) = (start as isize, end as isize - 1);
    let tag = |i| sentence.tag(i);
    emit(all_tags.0.value());
    if kind == Kind::Ccm {
        emit(Key::of(NEIGHBOURS, &[tag(first - 1), tag(last + 1)]));
        return;
    }
    bigrams(FIRST_LAST, sentence, first, last, emit);
    bigrams(BEFORE_AFTER, sentence, first - 1, last + 1, emit);
    emit(Key::of(WIDTH, &[(end - start) as u32]));
    emit(Key::of(OUTSIDE, &[tag(first - 2), tag(first - 1), tag(last + 1), tag(last + 2)]));
}

/// What is seen of a span that contains a tag. That a span does not contain a tag is not seen: the weights of all tags
/// that are absent are a constant less those of the tags that are there.
pub(super) fn of_tag(tag: u32) -> u64 {
    Key::of(CONTAINS, &[tag])
}

/// The tags of a span that grows at its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllTags(Key);

impl AllTags {
    pub(super) fn none() -> AllTags {
        AllTags(Key::new(ALL_TAGS))
    }

    pub(super) fn push(&mut self, tag: u32) {
        self.0 = self.0.with(tag);
    }
}

fn unigrams(template: u32, sentence: &NumberedSentence, at: isize, emit: &mut impl FnMut(u64)) {
    let (form, tag) = (sentence.form(at), sentence.tag(at));
    emit(Key::of(template, &[form]));
    emit(Key::of(template + 1, &[tag]));
    emit(Key::of(template + 2, &[sentence.capital(at)]));
    emit(Key::of(template + 3, &[form, tag]));
}

fn bigrams(template: u32, sentence: &NumberedSentence, a: isize, b: isize, emit: &mut impl FnMut(u64)) {
    emit(Key::of(template, &[sentence.form(a), sentence.form(b)]));
    emit(Key::of(template + 1, &[sentence.form(a), sentence.tag(b)]));
    emit(Key::of(template + 2, &[sentence.tag(a), sentence.form(b)]));
    emit(Key::of(template + 3, &[sentence.tag(a), sentence.tag(b)]));
}
