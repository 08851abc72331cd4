//! Keys, clicks and texts for a browser, which checks that they give the tree.

use super::{expert, strokes};
use crate::dependencies::{self, Gold};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a browser does with one sentence, and what has to stand there then.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Script {
    forms: Vec<String>,
    tags: Vec<String>,
    heads: Vec<usize>,
    keys: Vec<String>,
    /// Words to click, 0 for ROOT, once the third stage is chosen.
    clicks: Vec<usize>,
    text: String,
}

pub(super) fn write(trees: &Path, path: &Path) -> anyhow::Result<()> {
    let scripts = scripts(&dependencies::read_file(trees)?)?;
    let lines: Vec<String> = scripts.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n")))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn scripts(gold: &[Gold]) -> anyhow::Result<Vec<Script>> {
    let texts = expert::text(gold)?;
    let script = |(gold, text): (&Gold, String)| {
        let heads: Vec<usize> = (1..=gold.len()).map(|word| gold.heads.head(word)).collect();
        Script {
            forms: gold.forms.iter().map(ToString::to_string).collect(),
            tags: gold.tags.iter().map(ToString::to_string).collect(),
            keys: strokes::keys(gold),
            clicks: (1..).zip(&heads).flat_map(|(word, &head)| [word, head]).collect(),
            heads,
            text,
        }
    };
    Ok(gold.iter().zip(texts).map(script).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_checks_the_keys_that_are_counted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let gold = dependencies::read_file(&root.join("data/demo/village.conllu")).unwrap();
        let checked = std::fs::read_to_string(root.join("crates/web/tests/browser/data/keys.json")).unwrap();
        let checked: Vec<Script> = serde_json::from_str(&checked).unwrap();
        assert_eq!(checked, scripts(&gold).unwrap());
    }
}
