//! Tag dictionaries: whatever the bytes are, every entry has a word and a tag.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = formats::tag_dictionary::read(bytes).expect("memory can be read");
    assert!(read.entries.iter().all(|entry| !entry.word.is_empty() && !entry.tags.is_empty()));
    assert!(read.problems.iter().all(|problem| problem.place.line > 0));
});
