//! Which tags there are.

use crate::outcome::Usage;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::Path;
use tag::TagSet;
use tree::PutInOrder;
use tree::Text;

/// The tags of Universal Dependencies.
const UPOS: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
];

/// Tags as they come, or those of a list and no others.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub(super) set: TagSet,
    is_closed: bool,
    /// Tags that are not in the list, with how often they were met.
    outside: BTreeMap<Text, usize>,
}

impl Tags {
    /// `upos`, the name of a file, or nothing.
    pub(super) fn new(asked: Option<&str>) -> anyhow::Result<Tags> {
        let mut tags = Tags { is_closed: asked.is_some(), ..Tags::default() };
        match asked {
            None => {}
            Some("upos") => UPOS.iter().for_each(|tag| _ = tags.set.insert(tag)),
            Some(file) => tags.read(Path::new(file))?,
        }
        Ok(tags)
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {} (--tagset upos or a file)", path.display()))?;
        let tags = text.trim_start_matches('\u{feff}').split_whitespace();
        tags.for_each(|tag| _ = self.set.insert(tag));
        if self.set.is_empty() {
            return Err(Usage(format!("{} has no tags; write one on each line", path.display())).into());
        }
        Ok(())
    }

    /// The number of a tag; `None` if the list does not have it.
    pub(super) fn number(&mut self, tag: &str) -> Option<u32> {
        if !self.is_closed {
            return Some(self.set.insert(tag));
        }
        let number = self.set.number(tag);
        if number.is_none() {
            *self.outside.entry(Text::from(tag)).or_default() += 1;
        }
        number
    }

    /// Says which tags were left out.
    pub(super) fn warn(&self, watch: &dyn Watch) {
        let n: usize = self.outside.values().sum();
        if n > 0 {
            let mut tags: Vec<(&Text, &usize)> = self.outside.iter().collect();
            tags.order_by_key(|(_, n)| std::cmp::Reverse(**n));
            let shown: Vec<String> = tags.iter().take(10).map(|(tag, n)| format!("{tag} ({n})")).collect();
            let more = if tags.len() > 10 { ", …" } else { "" };
            watch.remark(&format!(
                "warning: {} outside the tag set left out: {}{more}",
                plural(n, "tag"),
                shown.join(", ")
            ));
        }
    }
}
