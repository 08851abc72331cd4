//! Chores of the project. `cargo xtask test` checks everything that is checked before a change lands.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the developer")]

mod architecture;
mod browser;
mod same;

use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask test                 formatting, lints, all tests, doc tests, README snippets, the page in a browser
cargo xtask fuzz [RUNS] [NAME]   fuzz the readers, RUNS executions each (default 1000000), or only NAME
cargo xtask same COMMIT [NAME]   run the program of COMMIT and this one side by side: the same bytes everywhere?
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test(),
        ["fuzz"] => fuzz("1000000", None),
        ["fuzz", runs] => fuzz(runs, None),
        ["fuzz", runs, name] => fuzz(runs, Some(name)),
        ["same", commit] => same::same(commit, None),
        ["same", commit, name] => same::same(commit, Some(name)),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    install_component("rustfmt", "fmt")?;
    install_component("clippy", "clippy")?;
    architecture::check()?;
    architecture::only_doors_print()?;
    architecture::names_say_what_they_are()?;
    cargo(&["fmt", "--all", "--check"])?;
    // With everything that can be built in, so that it is tested too.
    let everything = ["--workspace", "--features", "cli/foma"];
    cargo(&[&["clippy", "--all-targets"], &everything[..], &["--", "-D", "warnings"]].concat())?;
    // Doc tests run with the rest; the README's snippets are a test of crate `cli`.
    cargo(&[&["test", "--no-fail-fast"], &everything[..]].concat())?;
    browser::test()
}

/// The readers under fuzzing, and the converter; `fuzz/fuzz_targets` has one file for each.
const TARGETS: [&str; 18] = [
    "brackets",
    "conllu",
    "conllx",
    "conll09",
    "bio",
    "joint",
    "conll04",
    "semeval",
    "gfl",
    "gfl_json",
    "fudg_json",
    "raw",
    "word_clusters",
    "word_vectors",
    "tables",
    "tag_dictionary",
    "att",
    "convert",
];

fn fuzz(runs: &str, only: Option<&str>) -> Result<(), String> {
    if !succeeds("cargo", &["fuzz", "--version"]) {
        cargo(&["install", "--locked", "cargo-fuzz"])?;
    }
    // The kept inputs are thousands of small files, so they are tracked in one.
    run("tar", &["-C", "fuzz", "-xJf", "fuzz/corpus.tar.xz"])?;
    let runs = format!("-runs={runs}");
    for target in TARGETS.into_iter().filter(|target| only.is_none_or(|only| only == *target)) {
        // Sanitisers would find memory errors, which safe Rust does not have; without them it is faster.
        let command = ["+nightly", "fuzz", "run", "--sanitizer", "none", target, "--"];
        // A run that takes longer than ten seconds counts as a hang.
        cargo(&[&command[..], &[&runs, "-max_len=4096", "-timeout=10", "-print_final_stats=1"]].concat())?;
    }
    run("tar", &["-C", "fuzz", "--format=ustar", "-cJf", "fuzz/corpus.tar.xz", "corpus"])
}

/// Installs a part of the toolchain that is missing.
fn install_component(component: &str, subcommand: &str) -> Result<(), String> {
    if succeeds("cargo", &[subcommand, "--version"]) {
        return Ok(());
    }
    run("rustup", &["component", "add", component])
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    run("cargo", arguments)
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let command = format!("{program} {}", arguments.join(" "));
    println!("xtask: {command}");
    let start = Instant::now();
    let status =
        Command::new(program).args(arguments).status().map_err(|error| format!("{command}: {error}"))?;
    println!("xtask: {command}: {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("`{command}` failed")) }
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
