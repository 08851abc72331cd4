//! Files of word clusters: whatever the bytes are, every row has a word and a cluster.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = formats::word_clusters::read(bytes).expect("memory can be read");
    assert!(read.rows.iter().all(|row| !row.word.is_empty() && !row.cluster.is_empty()));
    assert!(read.problems.iter().all(|problem| problem.place.line > 0));
});
