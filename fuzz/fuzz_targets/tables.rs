//! Tables: whatever the bytes are, a table comes back from what was written.
#![no_main]

use formats::tables::{Delimiter, Options, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = Options { has_header: bytes.len() % 4 > 0, has_quotes: bytes.len() % 8 > 0, ..Options::default() };
    let found = read(bytes, &options).expect("memory can be read");
    let table = found.value;
    assert!((0..table.n_columns()).all(|column| table.column(column).len() == table.n_rows()));
    for delimiter in Delimiter::ALL {
        let mut out = Vec::new();
        write(&table, delimiter, &mut out).expect("memory can be written");
        let again = read(&out[..], &Options::default()).expect("memory can be read");
        assert_eq!(again.value, table);
        assert!(again.problems.iter().all(|problem| !problem.is_error()) || table.n_columns() == 0);
    }
});
