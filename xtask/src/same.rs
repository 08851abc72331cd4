//! `cargo xtask same COMMIT`: does the program still answer as it did at another commit?
//!
//! The program of that commit and the one that stands here are built, and the courses of commands are run with both, one after the
//! other in the same folder, since paths are part of answers. All that a command prints, how it ends and every byte of every file that
//! is there afterwards must be equal; only the times that a command took are left out. A course is a transcript of
//! `crates/cli/tests/transcripts`, of which the commands are taken, or a file of `xtask/courses`:
//!
//! ```text
//! # a remark
//! > name                         a file that is written first,
//! | its content
//! $ treelet …                    a command; {shared} is the folder of reference data, {demo} that of the demo corpus
//! kill NAME treelet …            a command that is killed as soon as there is a file NAME; when that is differs, so nothing is compared
//! files treelet …                a command of which only the files and the exit code are compared
//! ```
//!
//! `xtask/courses/differences.txt` lists what may differ, each line with its reason: `course | part of the command | reason`.

use crate::run;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TRANSCRIPTS: &str = "crates/cli/tests/transcripts";
const COURSES: &str = "xtask/courses";
const DIFFERENCES: &str = "xtask/courses/differences.txt";
const WORKPLACE: &str = "target/same";

/// What a command said and left behind.
#[derive(PartialEq, Eq)]
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// Files that are new or changed, and those that are gone.
    files: Files,
}

/// Files with their bytes; `None` where there is none any more.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A line of a course.
enum Step<'a> {
    Write { name: &'a str, content: String },
    Run(&'a str),
    Files(&'a str),
    Kill { once: &'a str, command: &'a str },
}

/// A difference that is wanted.
struct Excuse {
    course: String,
    part: String,
}

/// Compares the program with that of a commit, on all courses or on those whose name has `only` in it.
pub(crate) fn same(commit: &str, only: Option<&str>) -> Result<(), String> {
    let old = program_of(commit)?;
    run("cargo", &["build", "--release", "--bin", "treelet"])?;
    let new = fs::canonicalize("target/release/treelet").map_err(|error| error.to_string())?;
    let excuses = excuses()?;
    let (mut n_commands, mut n_excused, mut n_different) = (0, 0, 0);
    for course in courses()? {
        let name = course.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let text = read(&course)?;
        if text.contains("{shared}") && !shared().is_dir() {
            println!("{name}: needs the reference data in {}, which is not there", shared().display());
            continue;
        }
        let text = with_places(&text);
        let steps = steps(&text);
        let (before, after) = (answers(&old, &steps)?, answers(&new, &steps)?);
        let mut n_here = 0;
        for ((command, before), (_, after)) in before.iter().zip(&after) {
            n_commands += 1;
            if before == after {
                continue;
            }
            if excuses.iter().any(|excuse| excuse.course == name && command.contains(&excuse.part)) {
                n_excused += 1;
                continue;
            }
            n_here += 1;
            println!("{name}: {command}");
            tell(before, after);
        }
        println!("{name}: {} commands, {n_here} differ", before.len());
        n_different += n_here;
    }
    println!("{n_commands} commands: {n_different} differ, {n_excused} differ as listed in {DIFFERENCES}");
    if n_different == 0 { Ok(()) } else { Err(format!("not the same as at {commit}")) }
}

/// Builds the program as it was at a commit, in a work tree of its own.
fn program_of(commit: &str) -> Result<PathBuf, String> {
    let hash = Command::new("git").args(["rev-parse", "--short=12", commit]).output();
    let hash = hash.map_err(|error| format!("git: {error}"))?;
    if !hash.status.success() {
        return Err(format!("there is no commit `{commit}`"));
    }
    let hash = String::from_utf8_lossy(&hash.stdout).trim().to_string();
    let tree = Path::new(WORKPLACE).join(&hash);
    let program = tree.join("target/release/treelet");
    if !program.exists() {
        if !tree.exists() {
            run("git", &["worktree", "prune"])?;
            run("git", &["worktree", "add", "--detach", &tree.to_string_lossy(), &hash])?;
        }
        let manifest = tree.join("Cargo.toml");
        let target = tree.join("target");
        let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
        let place = ["--manifest-path", &*manifest, "--target-dir", &*target];
        run("cargo", &[&["build", "--release", "--bin", "treelet"], &place[..]].concat())?;
    }
    fs::canonicalize(program).map_err(|error| error.to_string())
}

fn courses() -> Result<Vec<PathBuf>, String> {
    let mut courses = Vec::new();
    for folder in [TRANSCRIPTS, COURSES] {
        for entry in fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))? {
            courses.push(entry.map_err(|error| error.to_string())?.path());
        }
    }
    courses.retain(|path| path != Path::new(DIFFERENCES));
    courses.sort();
    Ok(courses)
}

fn excuses() -> Result<Vec<Excuse>, String> {
    let text = read(Path::new(DIFFERENCES))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| match line.split(" | ").collect::<Vec<_>>().as_slice() {
            [course, part, _reason] => Ok(Excuse { course: (*course).into(), part: (*part).into() }),
            _ => Err(format!("{DIFFERENCES}: `{line}` is not `course | part of the command | reason`")),
        })
        .collect()
}

fn shared() -> PathBuf {
    std::env::var_os("TREELET_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from)
}

fn with_places(text: &str) -> String {
    let absolute =
        |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.into()).to_string_lossy().into_owned();
    text.replace("{shared}", &absolute(&shared())).replace("{demo}", &absolute(Path::new("data/demo")))
}

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("> ") {
            let mut content = String::new();
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                content += row[1..].strip_prefix(' ').unwrap_or("");
                content += "\n";
            }
            steps.push(Step::Write { name, content });
        } else if let Some(command) = line.strip_prefix("$ treelet ") {
            steps.push(Step::Run(command));
        } else if let Some(command) = line.strip_prefix("files treelet ") {
            steps.push(Step::Files(command));
        } else if let Some((once, command)) =
            line.strip_prefix("kill ").and_then(|rest| rest.split_once(" treelet "))
        {
            steps.push(Step::Kill { once, command });
        }
    }
    steps
}

/// Goes through a course with a program, in a fresh folder with the demo corpus.
fn answers<'a>(program: &Path, steps: &[Step<'a>]) -> Result<Vec<(&'a str, Answer)>, String> {
    let folder = Path::new(WORKPLACE).join("folder");
    let said = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(said)?;
    }
    fs::create_dir_all(&folder).map_err(said)?;
    for entry in fs::read_dir("data/demo").map_err(said)? {
        let path = entry.map_err(said)?.path();
        fs::copy(&path, folder.join(path.file_name().unwrap_or_default())).map_err(said)?;
    }
    let (mut answers, mut known) = (Vec::new(), BTreeMap::new());
    for step in steps {
        match step {
            Step::Write { name, content } => fs::write(folder.join(name), content).map_err(said)?,
            Step::Run(command) => answers.push((*command, answer(program, &folder, command, &mut known)?)),
            Step::Files(command) => {
                let answer = answer(program, &folder, command, &mut known)?;
                answers.push((*command, Answer { stdout: String::new(), stderr: String::new(), ..answer }));
            }
            Step::Kill { once, command } => kill(program, &folder, once, command)?,
        }
    }
    Ok(answers)
}

fn started(program: &Path, folder: &Path, command: &str) -> Command {
    let mut started = Command::new(program);
    started.args(command.split_whitespace()).current_dir(folder);
    started.env_remove("NO_COLOR").env_remove("COLUMNS").stdin(Stdio::null());
    started
}

/// What a command says, and which files it leaves that are not as `known`.
fn answer(
    program: &Path,
    folder: &Path,
    command: &str,
    known: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> Result<Answer, String> {
    let output = started(program, folder, command).output().map_err(|error| format!("{command}: {error}"))?;
    let mut files = BTreeMap::new();
    gather(folder, &mut files).map_err(|error| format!("{command}: {error}"))?;
    let gone = known.keys().filter(|name| !files.contains_key(*name)).map(|name| (name.clone(), None));
    let new = files.iter().filter(|(name, bytes)| known.get(*name) != Some(*bytes));
    let changed = gone.chain(new.map(|(name, bytes)| (name.clone(), Some(bytes.clone())))).collect();
    *known = files;
    let text = |bytes: &[u8]| without_times(&String::from_utf8_lossy(bytes));
    Ok(Answer {
        code: output.status.code(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        files: changed,
    })
}

fn kill(program: &Path, folder: &Path, once: &str, command: &str) -> Result<(), String> {
    let mut child = started(program, folder, command)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{command}: {error}"))?;
    while !folder.join(once).exists() {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return Err(format!("{command}: was over before there was {once}"));
        }
        std::thread::yield_now();
    }
    child.kill().and_then(|()| child.wait()).map_err(|error| format!("{command}: {error}"))?;
    Ok(())
}

/// What a program was just writing when it was killed: a file under a name of its own.
fn is_left_by_a_kill(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') && name.ends_with(".tmp")
}

fn gather(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if !is_left_by_a_kill(&path) {
            files.insert(path.clone(), fs::read(path)?);
        }
    }
    Ok(())
}

/// Takes out of each line the numbers before ` s` and after `"seconds":`, which are times.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| {
            let unit = words.get(at + 1).map(|word| word.trim_end_matches([',', '.', ')', ';']));
            let is_in_seconds = unit == Some("s") || (at > 0 && words[at - 1] == "\"seconds\":");
            is_in_seconds && words[at].trim_matches(['(', ',']).parse::<f64>().is_ok()
        };
        (0..words.len()).map(|at| if is_time(at) { "…" } else { words[at] }).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Says where two answers part.
fn tell(before: &Answer, after: &Answer) {
    if before.code != after.code {
        println!("  exit code {:?}, now {:?}", before.code, after.code);
    }
    for (what, before, after) in
        [("output", &before.stdout, &after.stdout), ("messages", &before.stderr, &after.stderr)]
    {
        let (mut old, mut new) = (before.lines(), after.lines());
        loop {
            match (old.next(), new.next()) {
                (None, None) => break,
                (old, new) if old == new => {}
                (old, new) => {
                    println!("  {what}: {}\n  now:    {}", old.unwrap_or("(end)"), new.unwrap_or("(end)"));
                    break;
                }
            }
        }
    }
    let names: std::collections::BTreeSet<_> = before.files.keys().chain(after.files.keys()).collect();
    for name in names {
        let (old, new) = (before.files.get(name), after.files.get(name));
        let (old, new) = (old.and_then(Option::as_ref), new.and_then(Option::as_ref));
        if old == new {
            continue;
        }
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        match (old, new) {
            (Some(old), Some(new)) => {
                let at = old.iter().zip(new).position(|(old, new)| old != new);
                println!("  {name} differs from byte {}", at.unwrap_or(old.len().min(new.len())));
            }
            (None, _) => println!("  {name} is new"),
            (_, None) => println!("  {name} is missing"),
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
