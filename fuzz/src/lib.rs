//! What every fuzz target does.

use formats::detect::Format;
use formats::everything::copy;

/// Reads `data`, writes what was read, and does the same with what was written: after one pass nothing
/// may change any more, so a reader that loses or invents something is caught.
pub fn read_write_read(format: Format, data: &[u8]) {
    let mut once = Vec::new();
    copy(format, data, &mut once).expect("memory does not fail");
    let mut twice = Vec::new();
    copy(format, &once[..], &mut twice).expect("memory does not fail");
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
}
