//! The annotation page in a real browser: its types are checked, and its tests drive Chromium against the program.

use crate::{run, succeeds};
use std::path::Path;
use std::process::Command;

/// Where the tests are.
const FOLDER: &str = "crates/web/tests/browser";
/// Where browsers are looked for.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Checks types and runs the tests of the page with the program that `cargo test` has built.
pub(crate) fn test() -> Result<(), String> {
    let program = std::fs::canonicalize("target/debug/treelet")
        .map_err(|error| format!("target/debug/treelet: {error}"))?;
    let Some(browser) = browser()? else { return missing("Chromium") };
    let has_node = || succeeds("npm", &["--version"]) && succeeds("node", &["--version"]);
    if !has_node() {
        install(&["nodejs", "npm"])?;
    }
    if !has_node() {
        return missing("Node.js with npm");
    }
    let in_folder = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(FOLDER);
        command
    };
    // Packages are installed beside the tests, where nothing of them is tracked.
    if !Path::new(FOLDER).join("node_modules/playwright-core").exists() {
        finish(
            in_folder("npm", &["install", "--no-package-lock", "--no-audit", "--no-fund"]),
            "npm install",
        )?;
    }
    finish(in_folder("npx", &["--no-install", "tsc", "-p", "tsconfig.json"]), "tsc")?;
    let mut suite = in_folder("node", &["--test", "--test-concurrency=1", "suite.mjs"]);
    suite.env("TREELET_BIN", program).env("TREELET_CHROMIUM", browser);
    finish(suite, "the tests in the browser")
}

/// A browser; it is installed where that can be done without asking anybody.
fn browser() -> Result<Option<&'static str>, String> {
    let find = || BROWSERS.into_iter().find(|path| Path::new(path).exists());
    if find().is_none() {
        install(&["chromium"])?;
    }
    Ok(find())
}

/// Installs packages of Debian where that can be done without asking anybody.
fn install(packages: &[&str]) -> Result<(), String> {
    if !is_root() || !succeeds("apt-get", &["--version"]) {
        return Ok(());
    }
    run("apt-get", &["update", "-qq"])?;
    run("apt-get", &[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Says loudly that something could not be tested; where it must be, that is a failure.
fn missing(what: &str) -> Result<(), String> {
    let text = format!("NOT TESTED: the annotation page in a browser, because there is no {what}");
    if std::env::var_os("TREELET_REQUIRE_BROWSER").is_some_and(|value| value != "0") {
        return Err(text);
    }
    println!("xtask: {text}");
    Ok(())
}

fn finish(mut command: Command, what: &str) -> Result<(), String> {
    println!("xtask: {what}");
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed")) }
}
