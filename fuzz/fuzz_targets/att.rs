//! Transducers: whatever the bytes are, what was written is read again.
#![no_main]

use formats::att::{read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let first = read(bytes).expect("memory can be read").transducer;
    let mut out = Vec::new();
    write(&first, &mut out).expect("memory can be written");
    let again = read(&out[..]).expect("memory can be read").transducer;
    assert_eq!(again.n_arcs(), first.n_arcs());
});
