//! What fuzzing once found interesting stays read: the kept corpora, without a fuzzer.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::detect::Format;
use formats::everything::copy;
use std::path::Path;
use testkit::files_below;

#[test]
fn reading_what_was_written_changes_nothing_for_every_kept_input() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut n_inputs = 0;
    for (format, name) in Format::ALL {
        for file in files_below(&corpora.join(name.replace('-', "_")), "") {
            let bytes = std::fs::read(&file).unwrap();
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            copy(format, &bytes[..], &mut once).unwrap();
            copy(format, &once[..], &mut twice).unwrap();
            assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{}", file.display());
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 100, "only {n_inputs} inputs below {}", corpora.display());
}
