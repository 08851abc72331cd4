//! Runs the real program in a folder of its own.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A scratch folder and the program.
pub struct Playground {
    folder: TempDir,
}

/// What a run printed and how it ended.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Playground {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), text).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `treelet` with arguments separated by spaces.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_with_input(arguments, b"")
    }

    pub fn run_with_input(&self, arguments: &str, input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_treelet"))
            .args(arguments.split_whitespace())
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its input closes the pipe; that is no failure.
        let _ = child.stdin.take().unwrap().write_all(input);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: status.code().unwrap_or(-1), stdout: text(stdout), stderr: text(stderr) }
    }
}

impl Run {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}

/// The files of the demo corpus.
pub const DEMO: [&str; 9] = [
    "village.conllu",
    "village-system.conllu",
    "village.mrg",
    "village-system.mrg",
    "village.anno",
    "village-train.mrg",
    "village-test.mrg",
    "village.txt",
    "village-dictionary.tsv",
];

/// The demo corpus of the project.
pub fn demo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/demo").join(name)
}

/// A playground with the demo corpus in it.
pub fn with_demo() -> Playground {
    let playground = Playground::new();
    for name in DEMO {
        std::fs::copy(demo(name), playground.path(name)).unwrap();
    }
    playground
}

/// Every tag that is opened is closed, in order.
pub fn assert_well_formed(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("no > after <{piece}"));
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !tag.starts_with('!') && !matches!(name, "meta" | "br" | "link") {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for outside in ["<script", " src=", "href=\"http", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
}

/// Starts a long run, lets it save itself once, and ends it with `signal`.
#[cfg(unix)]
pub fn end_midway(playground: &Playground, arguments: &str, signal: &str) -> std::process::ExitStatus {
    end_once_there_is(playground, "m.checkpoint", arguments, signal)
}

/// Starts a long run and ends it with `signal` when it has written a file.
#[cfg(unix)]
pub fn end_once_there_is(
    playground: &Playground,
    file: &str,
    arguments: &str,
    signal: &str,
) -> std::process::ExitStatus {
    let mut child = Command::new(env!("CARGO_BIN_EXE_treelet"))
        .args(arguments.split_whitespace())
        .current_dir(playground.path(""))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !playground.path(file).exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run was over before it could be ended");
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    child.wait().unwrap()
}

/// A run that was ended before its model `m` was there is refused as it was and with another seed; with --resume it
/// goes on, and the model is that of the `straight` run.
#[cfg(unix)]
pub fn resumed(playground: &Playground, arguments: &str) -> Run {
    assert!(!playground.path("m").exists());
    let refused = playground.run(arguments);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--resume"), "{}", refused.stderr);
    let other = playground.run(&format!("{arguments} --resume --seed 5"));
    assert_eq!(other.code, 2, "{}", other.stderr);
    let resumed = playground.run(&format!("{arguments} --resume"));
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let bytes = |name: &str| std::fs::read(playground.path(name)).unwrap();
    assert!(bytes("m") == bytes("straight"));
    assert!(!playground.path("m.checkpoint").exists());
    resumed
}

/// The content of each file in the folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The files in the folder and in the folders within.
pub fn files_in(playground: &Playground) -> Files {
    let mut files = Files::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(playground.path(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = folder.clone() + entry.file_name().to_str().unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(name + "/");
            } else {
                files.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// The files that are texts.
pub fn texts_in(playground: &Playground) -> BTreeMap<String, String> {
    let texts = files_in(playground).into_iter();
    texts.filter_map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?))).collect()
}

/// Numbers before ` s` and after `"seconds":` are times, and times differ.
pub fn without_times(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| {
            let unit = words.get(at + 1).map(|word| word.trim_end_matches([',', '.', ')', ';']));
            let is_in_seconds = unit == Some("s") || (at > 0 && words[at - 1] == "\"seconds\":");
            is_in_seconds && words[at].trim_matches(['(', ',']).parse::<f64>().is_ok()
        };
        let words = (0..words.len()).map(|at| if is_time(at) { "…" } else { words[at] });
        lines.push(words.collect::<Vec<_>>().join(" "));
    }
    lines.join("\n")
}
