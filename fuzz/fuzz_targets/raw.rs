//! Running text: nothing is lost and nothing hangs, whatever the bytes are.
#![no_main]

use formats::raw::{Options, RawReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = Options { split_clitics: bytes.len() % 2 == 0, ..Options::default() };
    for reading in RawReader::new(bytes, &options) {
        let reading = reading.expect("memory can be read");
        assert!(reading.value.words().all(|word| !word.form.trim().is_empty()));
    }
});
