//! What every fuzz target does.

use formats::detect::Format;
use formats::convert::{HeadFinder, Options, convert};
use formats::everything::{copy, items, write};

/// Reads `data`, writes what was read, and does the same with what was written: after one pass nothing
/// may change any more, so a reader that loses or invents something is caught.
pub fn read_write_read(format: Format, data: &[u8]) {
    let mut once = Vec::new();
    copy(format, data, &mut once).expect("memory does not fail");
    let mut twice = Vec::new();
    copy(format, &once[..], &mut twice).expect("memory does not fail");
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
}

/// Reads `data` after its first byte, which chooses the format, and converts every item to every format.
pub fn convert_everywhere(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let (from, _) = Format::ALL[usize::from(choice) % Format::ALL.len()];
    for reading in items(from, data) {
        let reading = reading.expect("memory does not fail");
        for (to, _) in Format::ALL {
            if let Ok(converted) = convert(reading.value.clone(), from, to, &Options::new(HeadFinder::english())) {
                write(to, &converted.item, &mut std::io::sink()).expect("memory does not fail");
            }
        }
    }
}
