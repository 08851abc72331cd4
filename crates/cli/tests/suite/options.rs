//! No option is accepted without effect or a word.
//!
//! `options.txt` has commands for every kind of input and model, each with its options and what these do there. Its first
//! section prepares a folder:
//!
//! ```text
//! # a remark                     lines of people: remarks,
//! > name                         a file that is written first,
//! | its content
//! ! treelet …                    and commands.
//! ```
//!
//! The others, each in a folder of its own, try options:
//!
//! ```text
//! $ treelet … ; treelet …        a command, and those that show what came of it (the option goes into the first);
//! changes  --option value        and what the option does: what is printed or written changes,
//! told     --option value        only what is said on standard error changes,
//! refused  --option value        it is wrong usage,
//! same     --option value        nothing, and it must not be otherwise (threads, checkpoints),
//! idle     --option value        nothing, since there is nothing in this input that it could change.
//! ```
//!
//! `UPDATE_EXPECT=1` writes the first words anew; whether an option that does nothing is `idle` is for people to say.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, texts_in, with_demo, without_times};
use expect_test::expect_file;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Options whose purpose is that nothing of the result depends on them.
const HARMLESS: [&str; 4] = ["--threads", "--checkpoint", "--checkpoint-every", "--resume"];
/// Options for files that are broken or of another kind, which tests of bad input look at.
const OF_ODD_FILES: [&str; 4] = ["--encoding", "--from", "--max-problems", "--message-format"];
/// Options that every command has.
const GLOBAL: [&str; 4] = ["--color", "--quiet", "--help", "--version"];
/// Options that choose what is the choice anyway.
const DEFAULTS: [&str; 1] = ["train dependency --projective"];

/// An option of a command and what it does there.
struct Row {
    /// Command and option.
    name: String,
    effect: &'static str,
}

#[test]
fn every_option_has_an_effect_or_says_that_it_has_none() {
    let kept = std::fs::read_to_string(table()).unwrap();
    let starts: Vec<usize> = kept.match_indices("\n# ").map(|(at, _)| at + 1).collect();
    let (first, others) = kept.split_at(starts[0]);
    let sections: Vec<&str> = (0..starts.len())
        .map(|at| {
            &others[starts[at] - starts[0]..starts.get(at + 1).map_or(others.len(), |end| end - starts[0])]
        })
        .collect();
    let tried: Vec<(String, Vec<Row>)> = std::thread::scope(|scope| {
        let running: Vec<_> =
            sections.iter().map(|section| scope.spawn(|| tried(&prepared(first), section))).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let text: String = tried.iter().map(|(text, _)| text.as_str()).collect();
    expect_file![table()].assert_eq(&(first.to_string() + &text));
    let rows: Vec<&Row> = tried.iter().flat_map(|(_, rows)| rows).collect();
    let option = |row: &Row| row.name.split(' ').next_back().unwrap_or_default().to_string();
    let is_harmless = |row: &Row| HARMLESS.contains(&option(row).as_str());
    let wrong = rows.iter().filter(|row| match row.effect {
        "same" => !is_harmless(row),
        "changes" => option(row) == "--threads",
        _ => false,
    });
    let wrong: BTreeSet<String> = wrong.map(|row| format!("{} {}", row.effect, row.name)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What does nothing here must do something elsewhere.
    let at_work: BTreeSet<&str> = rows
        .iter()
        .filter(|row| !["same", "idle"].contains(&row.effect))
        .map(|row| row.name.as_str())
        .collect();
    let idle: BTreeSet<&str> = rows
        .iter()
        .filter(|row| !is_harmless(row) && !OF_ODD_FILES.contains(&option(row).as_str()))
        .map(|row| row.name.as_str())
        .filter(|name| !at_work.contains(name) && !DEFAULTS.contains(name))
        .collect();
    assert!(idle.is_empty(), "{idle:#?}");
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/options.txt")
}

/// A folder with all that the first section asks for.
fn prepared(section: &str) -> Playground {
    let playground = with_demo();
    let mut lines = section.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("> ") {
            let mut content = String::new();
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                content += &(row[1..].strip_prefix(' ').unwrap_or("").to_string() + "\n");
            }
            playground.write(name, content);
        } else if let Some(command) = line.strip_prefix("! treelet ") {
            let run = playground.run(command);
            assert!(run.code <= 1, "treelet {command}: {}", run.stderr);
        }
    }
    playground
}

/// A section with what options do now.
fn tried(playground: &Playground, section: &str) -> (String, Vec<Row>) {
    let (mut text, mut rows) = (String::new(), Vec::new());
    let mut base = (String::new(), String::new(), Outcome::default());
    for line in section.lines() {
        if let Some(command) = line.strip_prefix("$ treelet ") {
            base = (command.to_string(), name_of(command, playground), outcome(playground, command, ""));
            assert!(base.2.code <= 1, "treelet {command}: {}", base.2.said);
            writeln!(text, "{line}").unwrap();
        } else if let Some((word, option)) = line.split_once(" --").filter(|_| !line.starts_with('#')) {
            let option = format!("--{option}");
            let effect = match base.2.effect_of(&outcome(playground, &base.0, &option)) {
                "same" if word.trim() == "idle" => "idle",
                effect => effect,
            };
            writeln!(text, "{effect:<8} {option}").unwrap();
            let name = options_in(&option).last().unwrap();
            rows.push(Row { name: format!("{} {name}", base.1), effect });
        } else {
            writeln!(text, "{line}").unwrap();
        }
    }
    (text, rows)
}

#[test]
fn no_option_is_forgotten() {
    let text = std::fs::read_to_string(table()).unwrap();
    let playground = Playground::new();
    let mut tried: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut command = String::new();
    for line in text.lines() {
        if let Some(typed) = line.strip_prefix("$ treelet ") {
            command = name_of(typed, &playground);
            let typed = typed.split(" ; ").next().unwrap();
            let output = typed.contains(" -o ").then(|| "--output".to_string());
            tried.entry(command.clone()).or_default().extend(options_in(typed).chain(output));
        } else if let Some((_, option)) = line.split_once(" --") {
            tried.entry(command.clone()).or_default().extend(options_in(&format!("--{option}")));
        }
    }
    let mut forgotten = Vec::new();
    // Those of a server are tried in `annotating`.
    for command in commands("", &playground).into_iter().filter(|command| !command.starts_with("annotate")) {
        let tried = tried.remove(&command).unwrap_or_default();
        let help = playground.run(&format!("{command} --help")).stdout;
        let there = help.lines().filter(|line| !line.starts_with("  treelet")).flat_map(option_of_help);
        forgotten.extend(
            there
                .filter(|name| !GLOBAL.contains(&name.as_str()) && !tried.contains(name))
                .map(|name| format!("{command} {name}")),
        );
    }
    assert!(forgotten.is_empty(), "{forgotten:#?}");
}

/// Notes, messages and help speak of options by name, and ask by name whether one was given.
#[test]
fn options_that_the_code_speaks_of_exist() {
    let playground = Playground::new();
    let mut known: BTreeSet<String> = commands("", &playground)
        .into_iter()
        .flat_map(|command| {
            let help = playground.run(&format!("{command} --help")).stdout;
            help.lines()
                .flat_map(|line| option_of_help(line).into_iter().chain(alias_of_help(line)))
                .collect::<Vec<_>>()
        })
        .collect();
    known.extend(GLOBAL.map(String::from));
    // How cargo builds the program with foma.
    known.extend(["--features", "--profile"].map(String::from));
    let mut unknown = BTreeSet::new();
    let sources = ["src", "../treelet/src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let mut folders = sources.to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let text = std::fs::read_to_string(&entry).unwrap();
            let names = text.match_indices("--").map(|(at, _)| {
                let end = text[at + 2..].find(|c: char| c != '-' && !c.is_ascii_lowercase());
                &text[at..end.map_or(text.len(), |end| at + 2 + end)]
            });
            let names = names.filter(|name| name.len() > 3 && name.as_bytes()[2] != b'-');
            unknown.extend(
                names
                    .filter(|name| !known.contains(*name))
                    .map(|name| format!("{name} in {}", entry.file_name().unwrap_or_default().display())),
            );
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// What a command printed, wrote and said.
#[derive(Default)]
struct Outcome {
    code: i32,
    printed: String,
    written: BTreeMap<String, String>,
    said: String,
}

impl Outcome {
    fn effect_of(&self, other: &Outcome) -> &'static str {
        if other.code == 2 {
            return "refused";
        }
        let is_same =
            (self.code, &self.printed, &self.written) == (other.code, &other.printed, &other.written);
        match (is_same, self.said == other.said) {
            (false, _) => "changes",
            (true, false) => "told",
            (true, true) => "same",
        }
    }
}

/// Runs a command with an option, and then those that show what came of it. What was there before is left as it was, and
/// models, which remember what was typed, are looked at only through what they answer.
fn outcome(playground: &Playground, commands: &str, option: &str) -> Outcome {
    let before = texts_in(playground);
    let mut outcome = Outcome::default();
    for (at, command) in commands.split(" ; ").enumerate() {
        let command = command.trim_start_matches("treelet ");
        let run = playground.run(&if at == 0 { format!("{command} {option}") } else { command.to_string() });
        outcome.code = outcome.code.max(run.code);
        outcome.printed += &without_times(&run.stdout);
        outcome.said += &without_times(&run.stderr);
        if outcome.code > 1 {
            break;
        }
    }
    let after = texts_in(playground);
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        std::fs::remove_file(playground.path(name)).unwrap();
    }
    outcome.written = after.into_iter().filter(|(name, text)| before.get(name) != Some(text)).collect();
    outcome
}

/// The name of the command in what is typed: one word, or two if the first has commands of its own.
fn name_of(typed: &str, playground: &Playground) -> String {
    let mut words = typed.split(' ');
    let first = words.next().unwrap().to_string();
    if has_commands(&first, playground) { format!("{first} {}", words.next().unwrap()) } else { first }
}

fn has_commands(command: &str, playground: &Playground) -> bool {
    playground.run(&format!("{command} --help")).stdout.contains("\nCommands:\n")
}

/// All commands, those within commands too.
fn commands(of: &str, playground: &Playground) -> Vec<String> {
    let help = playground.run(&format!("{of} --help")).stdout;
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return vec![of.to_string()] };
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split(' ').nth(2));
    let names = names.filter(|name| !["", "help"].contains(name));
    let within = names.flat_map(|name| commands(format!("{of} {name}").trim(), playground));
    // `annotate` does something itself, too.
    let itself = help.contains("\nArguments:\n").then(|| of.to_string());
    itself.into_iter().chain(within).collect()
}

fn options_in(typed: &str) -> impl Iterator<Item = String> + '_ {
    let words = typed.split(' ').filter(|word| word.starts_with("--"));
    words.map(|word| word.split('=').next().unwrap().to_string())
}

/// Another spelling that a line of help names.
fn alias_of_help(line: &str) -> Option<String> {
    let names = line.trim_start().strip_prefix("[alias: ")?;
    names.strip_suffix(']').map(String::from)
}

/// The long option that a line of help begins with.
fn option_of_help(line: &str) -> Option<String> {
    let line = line.trim_start();
    let line = if line.starts_with("--") { line } else { line.get(4..).filter(|_| line.starts_with('-'))? };
    let end = line.find(|c: char| c != '-' && !c.is_ascii_lowercase()).unwrap_or(line.len());
    let is_defined =
        line.starts_with("--") && (end == line.len() || line[end..].starts_with([' ', '=', '[']));
    let is_sentence = line[end..].trim_start().starts_with(|c: char| c.is_alphabetic() && c.is_lowercase());
    (is_defined && !is_sentence).then(|| line[..end].to_string())
}
