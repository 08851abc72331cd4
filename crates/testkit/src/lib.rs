//! What tests and benches share: the way to the reference data, and oracles.

pub mod cfg;
pub mod enumerate;
pub mod toys;

use std::io::Write;
use std::path::PathBuf;

/// A file or folder of the reference data, or `None` with a line on stderr that says what is missing.
///
/// The data stand beside the checkout in `../shared`, or where `TREELET_SHARED` points. A clone without
/// them still passes its own tests: a test that needs them says so and returns.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TREELET_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let full = root.join(path);
    if full.exists() {
        return Some(full);
    }
    // Written to the stream itself: what the print macros write is hidden when a test passes.
    let _ = writeln!(
        std::io::stderr(),
        "NOT TESTED: reference data {path} not found under {}; set TREELET_SHARED to the folder that has it",
        root.display()
    );
    None
}

/// Every file below `root` whose name ends in `suffix`, in a fixed order.
///
/// # Panics
/// If a folder cannot be read.
pub fn files_below(root: &std::path::Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
