//! What is seen of a span, for models that have brackets beside something else.

pub(crate) use super::words::{NumberedSentence, Vocabulary, Word};

use super::keys::{self, AllTags};
use super::options::Kind;

/// What is seen where a span begins.
pub(crate) fn of_start(sentence: &NumberedSentence, start: usize, emit: &mut impl FnMut(u64)) {
    keys::of_start(Kind::Bm, sentence, start, emit);
}

/// What is seen where a span ends.
pub(crate) fn of_end(sentence: &NumberedSentence, end: usize, emit: &mut impl FnMut(u64)) {
    keys::of_end(Kind::Bm, sentence, end, emit);
}

/// What is seen of a span besides where it begins and where it ends: its tags but the first, and what stands at both ends.
pub(crate) fn of_whole_span(
    sentence: &NumberedSentence,
    (start, end): (usize, usize),
    emit: &mut impl FnMut(u64),
) {
    let mut all_tags = AllTags::none();
    let tags = &sentence.all_tags()[start..end];
    for (at, &tag) in tags.iter().enumerate() {
        all_tags.push(tag);
        if at > 0 && !tags[..at].contains(&tag) {
            emit(keys::of_tag(tag));
        }
    }
    keys::of_span(Kind::Bm, sentence, (start, end), all_tags, emit);
}
