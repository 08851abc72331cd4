//! The map in ARCHITECTURE.md is the territory: crates exist, arrows hold. And names are not worn out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Compares the crate table of ARCHITECTURE.md with `crates/*/Cargo.toml`.
pub(crate) fn check() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md"))
        .map_err(|error| format!("ARCHITECTURE.md: {error}"))?;
    let said = crates_in_table(&map);
    let found = crates_in_workspace(&root)?;
    compare(&said, &found)
}

type Uses = BTreeMap<String, Vec<String>>;

/// Rows `| \`name\` | holds | uses |` of the table: the third cell lists the crates of the workspace it uses.
fn crates_in_table(map: &str) -> Uses {
    let mut uses = Uses::new();
    for line in map.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, _, used, _] = cells.as_slice() else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
        let mut used: Vec<String> = used.split('`').skip(1).step_by(2).map(String::from).collect();
        used.sort();
        uses.insert(name.to_string(), used);
    }
    uses
}

fn crates_in_workspace(root: &Path) -> Result<Uses, String> {
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    let names: Vec<String> =
        folders.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_string())).collect();
    let mut uses = Uses::new();
    for (path, name) in folders.iter().zip(&names) {
        let manifest = path.join("Cargo.toml");
        let text =
            std::fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        let mut used: Vec<String> = dependencies(&text).filter(|used| names.contains(used)).collect();
        used.sort();
        uses.insert(name.clone(), used);
    }
    Ok(uses)
}

/// Names under `[dependencies]`; what only tests use is free.
fn dependencies(manifest: &str) -> impl Iterator<Item = String> + '_ {
    let section = manifest.split("\n[").find_map(|section| section.strip_prefix("dependencies]"));
    let lines = section.unwrap_or_default().lines();
    lines
        .filter_map(|line| Some(line.split(['.', ' ', '=']).next()?.to_string()))
        .filter(|name| !name.is_empty())
}

fn compare(said: &Uses, found: &Uses) -> Result<(), String> {
    if said.is_empty() {
        return Err("ARCHITECTURE.md has no table of crates".into());
    }
    for (name, used) in found {
        match said.get(name) {
            None => return Err(format!("ARCHITECTURE.md does not name crate `{name}`")),
            Some(expected) if expected != used => {
                return Err(format!(
                    "ARCHITECTURE.md says `{name}` uses {expected:?}, but its manifest says {used:?}"
                ));
            }
            Some(_) => {}
        }
    }
    match said.keys().find(|name| !found.contains_key(*name)) {
        Some(name) => Err(format!("ARCHITECTURE.md names crate `{name}`, which does not exist")),
        None => Ok(()),
    }
}

/// Crates that may print, read arguments and the environment: doors, and what only developers use.
const DOORS: [&str; 4] = ["cli", "web", "bench", "testkit"];

/// What only doors do.
const OF_DOORS: [&str; 9] = [
    "println!",
    "eprintln!",
    "print!(",
    "dbg!(",
    "io::stdout",
    "io::stderr",
    "std::env::",
    "process::exit",
    "TcpListener",
];

/// Looks for what only doors do in the sources of all other crates; tests may do anything.
pub(crate) fn only_doors_print() -> Result<(), String> {
    for path in sources(|name| !DOORS.contains(&name))? {
        if path.ends_with("tests.rs") {
            continue;
        }
        if let Some((line, found)) = printing(&read(&path)?) {
            return Err(format!("{}:{line}: {found}: only doors do that", path.display()));
        }
    }
    Ok(())
}

/// Everything below `src` of the crates with these names, in alphabetical order.
fn sources(is_asked_for: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut folders = entries(&crates)?;
    folders.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&is_asked_for));
    folders.iter_mut().for_each(|path| path.push("src"));
    let mut files = Vec::new();
    while let Some(path) = folders.pop() {
        if path.is_dir() {
            folders.extend(entries(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The first line that does what only doors do, and what it is.
fn printing(source: &str) -> Option<(usize, &'static str)> {
    without_tests(source).filter(|(_, line)| !line.trim_start().starts_with("//")).find_map(|(at, line)| {
        OF_DOORS.into_iter().find(|what| line.contains(what)).map(|what| (at + 1, what))
    })
}

/// In how many places a type may be called the same.
const MOST_NAMESAKES: usize = 3;

/// Names that stand as often as they like, since their module is always said with them.
const FREE_NAMES: [&str; 2] = ["Options", "Error"];

/// Looks for names of types that stand too often in the sources: what is called like ten other things is not called anything.
pub(crate) fn names_say_what_they_are() -> Result<(), String> {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for path in sources(|_| true)? {
        for (line, name) in types(&read(&path)?) {
            places.entry(name.to_string()).or_default().push(format!("{}:{line}", path.display()));
        }
    }
    places.retain(|name, places| places.len() > MOST_NAMESAKES && !FREE_NAMES.contains(&name.as_str()));
    match places.first_key_value() {
        Some((name, places)) => Err(format!(
            "{} types are called `{name}`, {MOST_NAMESAKES} may be; find a word that says more for one of them:\n{}",
            places.len(),
            places.join("\n")
        )),
        None => Ok(()),
    }
}

/// The types that are defined, each with its line.
fn types(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source.lines().enumerate().filter_map(|(at, line)| Some((at + 1, type_defined(line)?)))
}

/// The name after `struct`, `enum`, `trait` or `union`, wherever it may be seen from.
fn type_defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let (keyword, rest) = line.trim_start().split_once(' ')?;
    let name = rest.split(|char: char| !char.is_alphanumeric()).next()?;
    let is_type = ["struct", "enum", "trait", "union"].contains(&keyword);
    (is_type && name.starts_with(|first: char| first.is_ascii_uppercase())).then_some(name)
}

/// The lines, from 0, without the items that only tests have: a `mod x;`, or a block up to the brace that stands as far to the
/// left as its beginning.
fn without_tests(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = source.lines().enumerate();
    std::iter::from_fn(move || {
        loop {
            let (at, line) = lines.next()?;
            if line.trim_start() != "#[cfg(test)]" {
                return Some((at, line));
            }
            let attribute = |line: &str| line.trim_start().starts_with("#[");
            let (_, first) = lines.find(|(_, line)| !attribute(line))?;
            let indent = first.len() - first.trim_start().len();
            if !first.ends_with([';', '}', ',']) {
                lines.find(|(_, line)| line.get(indent..).is_some_and(|rest| rest.starts_with('}')))?;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_doors_print_and_read_arguments() {
        only_doors_print().unwrap();
        assert_eq!(printing("fn f() {\n    println!(\"x\");\n}"), Some((2, "println!")));
        assert_eq!(printing("// println!\nfn f() {}"), None);
    }

    #[test]
    fn code_after_that_of_tests_is_read() {
        let early = "use x;\n\n#[cfg(test)]\nmod tests;\n\nfn f() {\n    println!(\"x\");\n}\n";
        assert_eq!(printing(early), Some((7, "println!")));
        let function = "impl X {\n    #[cfg(test)]\n    #[must_use]\n    fn f(\n        a: u8,\n    ) {\n        println!();\n    }\n}\n";
        assert_eq!(printing(function), None);
        assert_eq!(printing(&format!("{function}fn g() {{ dbg!(1) }}")), Some((10, "dbg!(")));
        let block = "#[cfg(test)]\nmod tests {\n    fn f() {\n        println!();\n    }\n}\n";
        assert_eq!(printing(block), None);
        assert_eq!(printing(&format!("{block}\n{early}")), Some((14, "println!")));
        assert_eq!(printing("#[cfg(test)]\nuse x::{\n    a,\n};\nprint!(1);"), Some((5, "print!(")));
    }

    #[test]
    fn a_name_stands_for_few_types() {
        names_say_what_they_are().unwrap();
        let source = "struct A;\n    pub(crate) enum B<T> {\npub trait C: D {\n// struct E\nlet union = F;\n";
        assert_eq!(types(source).collect::<Vec<_>>(), [(1, "A"), (2, "B"), (3, "C")]);
    }

    #[test]
    fn the_map_names_every_crate_and_its_arrows() {
        check().unwrap();
    }

    #[test]
    fn a_wrong_arrow_and_a_missing_crate_are_found() {
        let said = crates_in_table("| `tree` | values | |\n| `score` | scores | `tree` |\n");
        let found = |uses: &[(&str, &[&str])]| -> Uses {
            uses.iter()
                .map(|(name, used)| (name.to_string(), used.iter().map(|u| u.to_string()).collect()))
                .collect()
        };
        assert_eq!(compare(&said, &found(&[("tree", &[]), ("score", &["tree"])])), Ok(()));
        assert!(compare(&said, &found(&[("tree", &["score"]), ("score", &["tree"])])).is_err());
        assert!(compare(&said, &found(&[("tree", &[])])).is_err());
        assert!(compare(&said, &found(&[("tree", &[]), ("score", &["tree"]), ("draw", &[])])).is_err());
    }

    #[test]
    fn only_normal_dependencies_are_arrows() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\ntree.workspace = true\nserde = \"1\"\n\n[dev-dependencies]\ntestkit.workspace = true\n";
        assert_eq!(dependencies(manifest).collect::<Vec<_>>(), ["tree", "serde"]);
    }
}
