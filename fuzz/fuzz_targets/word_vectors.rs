//! Files of word vectors: whatever the bytes are, all vectors are equally long and finite.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = formats::word_vectors::read(bytes, 1 << 16).expect("memory can be read");
    assert_eq!(read.values.len(), read.words.len() * read.n_dimensions);
    assert!(read.values.iter().all(|value| value.is_finite()));
    assert!(read.problems.iter().all(|problem| problem.place.line > 0));
});
