//! The corridor alone, without a program: use cases by name, what they give back, and how they are stopped.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod calling;
mod dividing;
mod stopping;

use serde_json::{Map, Value};
use std::path::Path;
use tempfile::TempDir;

/// A file of the demo corpus.
fn demo(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/demo");
    folder.join(name).display().to_string()
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("no object: {value}") };
    object
}

/// The names of all files in a folder.
fn files_in(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
