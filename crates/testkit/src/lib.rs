//! What tests and benches share: the way to the reference data, and oracles.

pub mod annotations;
pub mod calibrate;
pub mod cfg;
pub mod enumerate;
pub mod geweke;
pub mod halfway;
pub mod noise;
pub mod pictured;
pub mod toys;
#[cfg(feature = "grammars")]
pub mod twin;

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// A file or folder of the reference data, or `None` with a line on stderr that says what is missing.
///
/// The data stand beside the checkout in `../shared`, or where `TREELET_SHARED` points. A clone without
/// them still passes its own tests: a test that needs them says so and returns. Where a run is to be believed
/// to have tested everything, `TREELET_REQUIRE_SHARED=1` demands them.
///
/// # Panics
/// If the data are demanded and not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TREELET_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let full = root.join(path);
    if full.exists() {
        return Some(full);
    }
    let missing = format!(
        "reference data {path} not found under {}; set TREELET_SHARED to the folder that has it",
        root.display()
    );
    assert!(!is_demanded(), "{missing}; TREELET_REQUIRE_SHARED demands it");
    // Written to the stream itself: what the print macros write is hidden when a test passes.
    let _ = writeln!(std::io::stderr(), "NOT TESTED: {missing}");
    None
}

/// Whether tests may not do without the reference data.
fn is_demanded() -> bool {
    std::env::var_os("TREELET_REQUIRE_SHARED")
        .is_some_and(|value| !value.is_empty() && value != OsStr::new("0"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Asks for the file that the environment names; run by the test below in a process of its own.
    #[test]
    fn asks_for_what_it_is_told_to_ask_for() {
        if let Ok(path) = std::env::var("TREELET_TEST_ASKS_FOR") {
            let _ = shared(&path);
        }
    }

    fn passes(path: &str, demanded: Option<&str>) -> bool {
        let mut test = Command::new(std::env::current_exe().expect("a test has a file"));
        test.args(["--exact", "tests::asks_for_what_it_is_told_to_ask_for"]);
        test.env("TREELET_TEST_ASKS_FOR", path).env("TREELET_SHARED", env!("CARGO_MANIFEST_DIR"));
        match demanded {
            Some(value) => test.env("TREELET_REQUIRE_SHARED", value),
            None => test.env_remove("TREELET_REQUIRE_SHARED"),
        };
        test.output().expect("a test can be run").status.success()
    }

    #[test]
    fn a_test_without_its_data_fails_where_they_are_demanded_and_only_there() {
        for demanded in [None, Some(""), Some("0")] {
            assert!(passes("no/such/file", demanded), "{demanded:?}");
        }
        assert!(!passes("no/such/file", Some("1")));
        assert!(passes("src/lib.rs", Some("1")));
    }

    /// A way past [`shared`] would be a way past what is demanded.
    #[test]
    fn tests_go_to_the_reference_data_by_this_crate_only() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (variable, folder) = (concat!("\"TREELET_", "SHARED\""), concat!("../", "shared\""));
        for file in files_below(&crates, ".rs").iter().filter(|file| !file.ends_with("testkit/src/lib.rs")) {
            let text = std::fs::read_to_string(file).expect("a readable file");
            assert!(!text.contains(variable) && !text.contains(folder), "{}", file.display());
        }
    }
}
