//! The file of a project.
//!
//! It is an SQLite database that other programs can open. What was said lies in the table `event`, to which rows are only ever added; a row
//! is on the disk before anybody is told that it is saved.

use super::Fault;
use annotation::Event;
use anyhow::Context;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// "TRLT", so that a project is known by its first bytes.
const APPLICATION: i32 = 0x5452_4C54;
/// The layout written here, and the newest one understood.
const VERSION: i32 = 1;
/// What every SQLite file begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// What stands in the place of the secret of somebody who is not let in any more.
const WITHDRAWN: &str = "withdrawn ";
/// How long a write waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

const LAYOUT: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE sentence (
        id INTEGER PRIMARY KEY, place INTEGER NOT NULL, section INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL, rows TEXT NOT NULL
    );
    CREATE TABLE annotator (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, level TEXT NOT NULL DEFAULT '', experience TEXT NOT NULL DEFAULT '',
        section INTEGER NOT NULL DEFAULT 0, token TEXT NOT NULL UNIQUE
    );
    CREATE TABLE event (
        seq INTEGER PRIMARY KEY, sentence INTEGER NOT NULL REFERENCES sentence, annotator INTEGER NOT NULL REFERENCES annotator,
        slot INTEGER NOT NULL, tab TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL,
        UNIQUE (annotator, tab, n)
    );
    CREATE INDEX event_of ON event (sentence, annotator, slot, seq);
";

/// An open project file.
#[derive(Debug)]
pub struct Project {
    path: PathBuf,
    connection: Connection,
    /// Held as long as a server has the project; the system lets go of it however the program ends.
    alone: Option<File>,
}

/// Somebody who annotates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Annotator {
    /// Their number; 1 is whoever opened the project.
    pub id: i64,
    /// What they are called; empty until they say it.
    pub name: String,
    /// How well they know the language.
    pub level: String,
    /// Whether they have annotated before.
    pub experience: String,
    /// The section they work on; 0 for all.
    pub section: i64,
    /// What lets them in.
    #[serde(skip)]
    pub token: String,
}

/// A sentence as it was brought in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) id: i64,
    pub(crate) place: i64,
    pub(crate) section: i64,
    /// CoNLL-U.
    pub(crate) rows: String,
}

/// Whose analysis of what: an annotator keeps up to two of each sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AnalysisKey {
    pub(crate) sentence: i64,
    pub(crate) annotator: i64,
    pub(crate) slot: i64,
}

/// An event and the window it happened in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredEvent {
    pub(crate) tab: String,
    pub(crate) event: Event,
}

/// The same as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawEvent {
    pub(super) tab: String,
    pub(super) text: String,
}

impl Annotator {
    /// Whether some address lets them in.
    pub fn has_access(&self) -> bool {
        !self.token.is_empty() && !self.token.starts_with(WITHDRAWN)
    }

    /// What they are called, or which number they have.
    pub fn called(&self) -> String {
        if self.name.is_empty() { format!("annotator-{}", self.id) } else { self.name.clone() }
    }
}

/// The address of a file that nobody writes to, under which not even a lock is taken; none while there is a log beside it.
fn unchanging(path: &Path) -> Option<String> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if Path::new(&log).exists() {
        return None;
    }
    let path = std::path::absolute(path).ok()?.to_str()?.replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file:" } else { "file:/" });
    for byte in path.bytes() {
        match byte {
            b'/' | b':' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(uri + "?immutable=1")
}

impl Project {
    /// Opens a project, or begins one where there is no file.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let connection = Connection::open(path)?;
        let mut project = Self { path: path.to_path_buf(), connection, alone: None };
        let is_new = project.is_empty()?;
        if !is_new {
            project.check()?;
        }
        project.prepare(is_new)?;
        Ok(project)
    }

    /// The same, as the only one who writes: a second server would not know what the first one takes down.
    pub fn open_alone(path: &Path) -> Result<Self, Fault> {
        let mut name = path.as_os_str().to_owned();
        name.push("-lock");
        let refuse = |reason: String| Fault::NoProject { path: path.to_path_buf(), reason };
        let file = File::options().create(true).truncate(false).write(true).open(&name);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        if file.try_lock().is_err() {
            return Err(refuse(
                "another Treelet has this project open; end that one, or use its page".into(),
            ));
        }
        Ok(Self { alone: Some(file), ..Self::open(path)? })
    }

    /// Opens another project, of which nothing is changed.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, Fault> {
        let connection = match unchanging(path) {
            Some(uri) => Connection::open_with_flags(
                uri,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
            )?,
            // Somebody works on it, or did when it was cut off: part of it lies in the log beside it.
            None => Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        connection.busy_timeout(PATIENCE)?;
        let project = Self { path: path.to_path_buf(), connection, alone: None };
        project.check()?;
        Ok(project)
    }

    /// Whether a file is a database, and so a project or nothing that can be brought in.
    pub(crate) fn is_database(path: &Path) -> bool {
        let mut first = [0; SQLITE.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == SQLITE
    }

    /// Whether nobody else can write.
    pub fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    /// Whether nothing is there: no file, an empty one, or one of a project that was ended, or had no room, before it was begun.
    fn is_empty(&self) -> Result<bool, Fault> {
        if std::fs::metadata(&self.path).is_ok_and(|found| found.len() == 0) {
            return Ok(true);
        }
        let n_tables =
            self.connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        match n_tables {
            Ok(n_tables) => {
                let number =
                    |name: &str| self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
                Ok(n_tables == 0 && number("application_id")? == 0 && number("user_version")? == 0)
            }
            // What cannot be read as a database is something.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses what is no project before anything in it is touched.
    fn check(&self) -> Result<(), Fault> {
        let refuse = |reason: &str| Fault::NoProject { path: self.path.clone(), reason: reason.into() };
        let number = |name: &str| self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let application = number("application_id").map_err(|_| refuse("this is no Treelet project"))?;
        if application != APPLICATION {
            return Err(refuse(
                "this is no Treelet project; give a new name, and bring files in with --import",
            ));
        }
        if number("user_version")? > VERSION {
            return Err(refuse("this project was written by a newer Treelet; take that one"));
        }
        Ok(())
    }

    fn prepare(&mut self, is_new: bool) -> Result<(), Fault> {
        self.connection.busy_timeout(PATIENCE)?;
        // With a write-ahead log that is synchronised at every commit, a commit is on the disk or never happened.
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        self.connection.pragma_update(None, "foreign_keys", true)?;
        if is_new {
            let transaction = self.connection.transaction()?;
            transaction.execute_batch(LAYOUT)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
        }
        Ok(())
    }

    /// What the project is known by, whatever its file is called.
    pub(crate) fn id(&self) -> Result<String, Fault> {
        Ok(self.meta("id")?.unwrap_or_default())
    }

    /// Gives a new project what it is known by.
    pub(crate) fn name_it(&self, id: &str) -> Result<(), Fault> {
        self.set_meta("id", id)
    }

    /// Makes it the tutorial.
    pub(crate) fn begin_tutorial(&mut self, rows: &str) -> Result<(), Fault> {
        // It may have been begun once before, and have found no room.
        let is_begun = !self.sentences()?.is_empty();
        let sentences: Vec<String> =
            rows.split_inclusive("\n\n").filter(|one| !one.trim().is_empty()).map(String::from).collect();
        if !is_begun {
            self.add_sentences("tutorial", &sentences)?;
        }
        self.set_meta("demo", "1")
    }

    /// Gives every annotator but the first a section, and all of them a share in common.
    pub(crate) fn divide(&mut self, common: f64, stream: chain::Stream) -> Result<(), Fault> {
        let people = self.annotators()?.into_iter().filter(Annotator::has_access);
        let people: Vec<i64> = people.map(|one| one.id).filter(|&id| id > 1).collect();
        let sentences = self.sentences()?;
        let n_rows =
            |rows: &str| rows.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
        let lengths: Vec<usize> = sentences.iter().map(|one| n_rows(&one.rows)).collect();
        let sections = study::divide::divide(&lengths, people.len(), common, stream);
        let ids: Vec<(i64, i64)> =
            sentences.iter().zip(&sections).map(|(one, &section)| (one.id, section as i64)).collect();
        self.set_sections(&ids)?;
        for (section, id) in (1i64..).zip(people) {
            self.connection.execute("UPDATE annotator SET section = ?2 WHERE id = ?1", [id, section])?;
        }
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A setting.
    pub(crate) fn meta(&self, key: &str) -> Result<Option<String>, Fault> {
        let found =
            self.connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0));
        Ok(found.optional()?)
    }

    pub(crate) fn set_meta(&self, key: &str, value: &str) -> Result<(), Fault> {
        self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])?;
        Ok(())
    }

    /// Keeps all that is done, or nothing if it fails.
    pub(super) fn at_once<T>(&self, work: impl FnOnce(&Self) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let transaction = self.connection.unchecked_transaction().map_err(Fault::from)?;
        let done = work(self)?;
        transaction.commit().map_err(Fault::from)?;
        Ok(done)
    }

    /// Adds sentences behind those that are there; all of them or none.
    pub(crate) fn add_sentences(&mut self, source: &str, rows: &[String]) -> Result<(), Fault> {
        let transaction = self.connection.unchecked_transaction()?;
        let first = self.next_place()?;
        (first..).zip(rows).try_for_each(|(place, rows)| self.add_sentence(place, source, rows).map(drop))?;
        transaction.commit()?;
        Ok(())
    }

    /// The place behind all sentences.
    pub(super) fn next_place(&self) -> Result<i64, Fault> {
        let query = "SELECT COALESCE(MAX(place), 0) + 1 FROM sentence";
        Ok(self.connection.query_row(query, [], |row| row.get(0))?)
    }

    /// Adds a sentence, and gives its number.
    pub(super) fn add_sentence(&self, place: i64, source: &str, rows: &str) -> Result<i64, Fault> {
        let mut add = self
            .connection
            .prepare_cached("INSERT INTO sentence (place, source, rows) VALUES (?1, ?2, ?3)")?;
        add.execute(params![place, source, rows])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Where each sentence comes from, by its number.
    pub(super) fn origins(&self) -> Result<BTreeMap<i64, String>, Fault> {
        let mut query = self.connection.prepare_cached("SELECT id, source FROM sentence")?;
        let found = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        Ok(found)
    }

    /// The names of settings that begin so.
    pub(super) fn meta_keys(&self, beginning: &str) -> Result<Vec<String>, Fault> {
        let mut query = self.connection.prepare_cached("SELECT key FROM meta ORDER BY key")?;
        let all = query.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().filter(|key| key.starts_with(beginning)).collect())
    }

    pub(crate) fn sentences(&self) -> Result<Vec<Stored>, Fault> {
        let mut query =
            self.connection.prepare_cached("SELECT id, place, section, rows FROM sentence ORDER BY place")?;
        let stored = |row: &Row<'_>| {
            Ok(Stored { id: row.get(0)?, place: row.get(1)?, section: row.get(2)?, rows: row.get(3)? })
        };
        let found = query.query_map([], stored)?.collect::<Result<_, _>>()?;
        Ok(found)
    }

    /// Gives sentences their sections, 0 for what is common to all.
    pub(crate) fn set_sections(&mut self, sections: &[(i64, i64)]) -> Result<(), Fault> {
        let transaction = self.connection.transaction()?;
        for (id, section) in sections {
            transaction.execute("UPDATE sentence SET section = ?2 WHERE id = ?1", [id, section])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Everybody who annotates.
    pub fn annotators(&self) -> Result<Vec<Annotator>, Fault> {
        let mut query = self.connection.prepare_cached(
            "SELECT id, name, level, experience, section, token FROM annotator ORDER BY id",
        )?;
        let annotator = |row: &Row<'_>| {
            Ok(Annotator {
                id: row.get(0)?,
                name: row.get(1)?,
                level: row.get(2)?,
                experience: row.get(3)?,
                section: row.get(4)?,
                token: row.get(5)?,
            })
        };
        let found = query.query_map([], annotator)?.collect::<Result<_, _>>()?;
        Ok(found)
    }

    /// Who is called so, by name or, where names do not tell, `annotator-2`.
    pub(crate) fn named(&self, name: &str) -> Result<Annotator, Fault> {
        let all: Vec<Annotator> = self.annotators()?.into_iter().filter(|one| one.id > 0).collect();
        let number = |one: &Annotator| format!("annotator-{}", one.id);
        let same: Vec<&Annotator> = all.iter().filter(|one| one.name == name).collect();
        let found = match same[..] {
            [one] => Some(one),
            [] => all.iter().find(|one| number(one) == name),
            _ => {
                let numbers: Vec<String> = same.into_iter().map(number).collect();
                let numbers = numbers.join(", ");
                return Err(Fault::Wrong(format!("several people are called `{name}`; they are {numbers}")));
            }
        };
        found.cloned().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(Annotator::called).collect();
            Fault::Missing(format!("annotator `{name}`; there are {}", names.join(", ")))
        })
    }

    /// Adds somebody who is let in by this token.
    pub fn add_annotator(&self, name: &str, section: i64, token: &str) -> Result<i64, Fault> {
        self.connection.execute(
            "INSERT INTO annotator (name, section, token) VALUES (?1, ?2, ?3)",
            params![name, section, token],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Adds somebody who is not let in.
    pub(super) fn add_without_access(&self, name: &str) -> Result<i64, Fault> {
        let next: i64 =
            self.connection
                .query_row("SELECT COALESCE(MAX(id), 0) + 1 FROM annotator", [], |row| row.get(0))?;
        self.add_annotator(name, 0, &format!("{WITHDRAWN}{next}"))
    }

    /// Gives somebody another address, or none; their work stays.
    pub(crate) fn change_access(&self, annotator: &Annotator, token: Option<String>) -> Result<(), Fault> {
        let token = token.unwrap_or_else(|| format!("{WITHDRAWN}{}", annotator.id));
        self.change_annotator(&Annotator { token, ..annotator.clone() })
    }

    /// Adds the name in which several analyses become one. Nobody is let in by it.
    pub(crate) fn add_merger(&self) -> Result<(), Fault> {
        self.connection.execute("INSERT INTO annotator (id, name, token) VALUES (0, 'merged', '')", [])?;
        Ok(())
    }

    pub(crate) fn change_annotator(&self, changed: &Annotator) -> Result<(), Fault> {
        self.connection.execute(
            "UPDATE annotator SET name = ?2, level = ?3, experience = ?4, token = ?5 WHERE id = ?1",
            params![changed.id, changed.name, changed.level, changed.experience, changed.token],
        )?;
        Ok(())
    }

    /// Adds events that are not there yet, all of them or none, and says how many were new.
    pub(crate) fn add_events(
        &mut self,
        key: AnalysisKey,
        tab: &str,
        events: &[Event],
    ) -> Result<usize, Fault> {
        let transaction = self.connection.transaction()?;
        let mut n_new = 0;
        {
            let mut add = transaction.prepare_cached(
                "INSERT OR IGNORE INTO event (sentence, annotator, slot, tab, n, at, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for event in events {
                let text = serde_json::to_string(event).map_err(anyhow::Error::from)?;
                let AnalysisKey { sentence, annotator, slot } = key;
                n_new +=
                    add.execute(params![sentence, annotator, slot, tab, event.n as i64, event.at, text])?;
            }
        }
        transaction.commit()?;
        Ok(n_new)
    }

    /// Whether an event of this window is there already.
    pub(crate) fn has_event(&self, annotator: i64, tab: &str, n: u64) -> Result<bool, Fault> {
        let mut query = self
            .connection
            .prepare_cached("SELECT 1 FROM event WHERE annotator = ?1 AND tab = ?2 AND n = ?3")?;
        Ok(query.exists(params![annotator, tab, n as i64])?)
    }

    pub(crate) fn events(&self, key: AnalysisKey) -> Result<Vec<StoredEvent>, Fault> {
        let read = |RawEvent { tab, text }| {
            let event = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
            Ok(StoredEvent { tab, event })
        };
        self.raw_events(key)?.into_iter().map(read).collect()
    }

    /// The same as they stand in the file.
    pub(super) fn raw_events(&self, key: AnalysisKey) -> Result<Vec<RawEvent>, Fault> {
        let mut query = self.connection.prepare_cached(
            "SELECT tab, event FROM event WHERE sentence = ?1 AND annotator = ?2 AND slot = ?3 ORDER BY seq",
        )?;
        let raw = |row: &Row<'_>| Ok(RawEvent { tab: row.get(0)?, text: row.get(1)? });
        let rows = query.query_map(params![key.sentence, key.annotator, key.slot], raw)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds an event as it stood in another file.
    pub(super) fn add_raw_event(&self, key: AnalysisKey, event: &Event, raw: &RawEvent) -> Result<(), Fault> {
        let mut add = self.connection.prepare_cached(
            "INSERT INTO event (sentence, annotator, slot, tab, n, at, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        let AnalysisKey { sentence, annotator, slot } = key;
        add.execute(params![sentence, annotator, slot, raw.tab, event.n as i64, event.at, raw.text])?;
        Ok(())
    }

    /// All analyses of which there are events, in the order in which they were begun.
    pub(crate) fn keys(&self) -> Result<Vec<AnalysisKey>, Fault> {
        let mut query = self
            .connection
            .prepare_cached("SELECT sentence, annotator, slot FROM event GROUP BY sentence, annotator, slot ORDER BY MIN(seq)")?;
        let key = |row: &Row<'_>| {
            Ok(AnalysisKey { sentence: row.get(0)?, annotator: row.get(1)?, slot: row.get(2)? })
        };
        let found = query.query_map([], key)?.collect::<Result<_, _>>()?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_which_nothing_was_begun_is_begun_and_one_of_another_program_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.treelet-project");
        // What is left where the disk was full, or the power gone, between the first page and the tables.
        Connection::open(&path).unwrap().pragma_update(None, "journal_mode", "WAL").unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() > 0);
        assert!(Project::open(&path).unwrap().annotators().unwrap().is_empty());
        let theirs = folder.path().join("theirs.sqlite");
        Connection::open(&theirs).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
        assert!(matches!(Project::open(&theirs), Err(Fault::NoProject { .. })));
        let marked = folder.path().join("marked.sqlite");
        Connection::open(&marked).unwrap().pragma_update(None, "application_id", 7).unwrap();
        assert!(matches!(Project::open(&marked), Err(Fault::NoProject { .. })));
    }
}
