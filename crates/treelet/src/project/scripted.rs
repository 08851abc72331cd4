//! Annotators for tests, who do what they are told.

use super::desk::Posted;
use super::{Desk, Project};
use annotation::{Change, Event, Happening, Via};
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

/// A project of some sentences, with several annotators.
pub(super) struct Scripted {
    pub(super) desk: Desk,
    folder: TempDir,
}

/// Words with tags, `the/DET dog/NOUN`, as rows.
pub(super) fn rows(text: &str) -> String {
    let row = |(n, word): (usize, &str)| {
        let (form, tag) = word.split_once('/').unwrap();
        format!("{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n")
    };
    (1..).zip(text.split(' ')).map(row).chain(["\n".to_string()]).collect()
}

/// One change.
pub(super) fn change(value: serde_json::Value) -> Change {
    serde_json::from_value(value).unwrap()
}

/// A word belongs to another, or is the root.
pub(super) fn head(of: u32, to: u32) -> Change {
    change(json!({"head": {"of": of, "to": to}}))
}

impl Scripted {
    /// Whoever opened the project has the first name.
    pub(super) fn new(sentences: &[String], names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut project = Project::open(&folder.path().join("p.treelet-project")).unwrap();
        project.add_sentences("test", sentences).unwrap();
        for (n, name) in names.iter().enumerate() {
            project.add_annotator(name, 0, &format!("token {n}")).unwrap();
        }
        Self { desk: Desk::new(project).unwrap(), folder }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What somebody does at a time; 0 is the one in whose name all are made one.
    pub(super) fn happens(&self, who: i64, sentence: i64, at: i64, kinds: Vec<Happening>) {
        let version = self.desk.view(who, sentence, 0).unwrap().version;
        let events = (1..).zip(kinds).map(|(n, kind)| Event { n, at, kind });
        let posted = Posted {
            slot: 0,
            base: version,
            tab: format!("{who}-{sentence}-{at}-{version}"),
            events: events.collect(),
        };
        let post = || match who {
            0 => self.desk.resolve(1, sentence, &posted),
            who => self.desk.post(who, sentence, &posted),
        };
        post().unwrap();
    }

    /// An edit by hand.
    pub(super) fn says(&self, who: i64, sentence: i64, changes: Vec<Change>) {
        self.happens(who, sentence, 0, vec![Happening::Edit { via: Via::Key, changes }]);
    }

    /// Heads of all words, nothing where they are open.
    pub(super) fn says_heads(&self, who: i64, sentence: i64, heads: &[Option<usize>]) {
        let said = (1..).zip(heads).filter_map(|(of, to)| Some(head(of, (*to)? as u32)));
        self.says(who, sentence, said.collect());
    }
}
