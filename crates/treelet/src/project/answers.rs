//! The table of open questions comes back with answers.
//!
//! A row is about a sentence and a word by their numbers, and is taken only where the words are those of the project, too. What was
//! said in the page since is never overruled, and what was taken over once and taken back since is not taken over again.

use super::Fault;
use super::bring::start;
use super::desk::folded;
use super::store::{AnalysisKey, Annotator, Project, RawEvent, StoredEvent};
use crate::options::{EncodingName, MessageFormat};
use crate::source::Source;
use crate::table::plural;
use crate::watch::{FileProblems, Watch};
use annotation::{Attach, Attached, Change, Event, Happening, History, Via, WordOrBlock, WrittenHead};
use anyhow::Context;
use formats::Problem;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::Path;
use std::time::UNIX_EPOCH;
use tree::{Place, PutTogether, Text};

/// The columns of the table, in the order in which they are written.
pub(super) const COLUMNS: [&str; 6] = ["sentence", "word", "form", "text", "choices", "answer"];
/// So many rows that are wrong are shown.
const MOST_SHOWN: usize = 50;

/// What came of a table of answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BroughtAnswers {
    /// Heads that were said, and words that are marked as not sure.
    pub taken: usize,
    /// Answers that were here already.
    pub known: usize,
    /// Questions without an answer.
    pub unanswered: usize,
    /// Rows that are wrong and were left out.
    pub wrong: usize,
}

/// A cell, and where it stands in its line.
struct TableCell {
    text: String,
    column: u32,
}

/// A row of the table.
struct QuestionRow<'a> {
    line: u32,
    cells: [Option<&'a TableCell>; COLUMNS.len()],
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    Unsure,
    Head(u32),
}

/// A sentence that the table asks about.
struct AskedSentence {
    text: String,
    tokens: Vec<Text>,
    events: Vec<StoredEvent>,
    history: History,
}

/// Why a row is left out, and what to do about it.
struct WrongRow(&'static str, usize, String, &'static str);

impl Project {
    /// Takes over the answers that somebody wrote into a table of questions, all of them or none.
    pub fn bring_answers(
        &self,
        path: &Path,
        annotator: &Annotator,
        encoding: EncodingName,
        watch: &dyn Watch,
    ) -> anyhow::Result<BroughtAnswers> {
        let source = Source::without_format(path, encoding)?;
        let lines: Vec<String> =
            source.open()?.lines().collect::<Result<_, _>>().with_context(|| source.cannot_read())?;
        let changed = std::fs::metadata(path).and_then(|found| found.modified()).ok();
        let at =
            changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map_or(0, |at| at.as_millis() as i64);
        let window = format!("answers-{:016x}", chain::container::crc64(lines.join("\n").as_bytes()));
        let (done, problems) = self.at_once(|here| {
            let mut table = Answering { here, annotator, at, window, asked: BTreeMap::new() };
            table.all(&lines)
        })?;
        watch.problems(&FileProblems {
            source: &source,
            problems: &problems,
            format: MessageFormat::Human,
            limit: MOST_SHOWN,
        })?;
        let (name, who) = (source.name(), annotator.called());
        watch.note(&format!("{name}: {} taken over for {who}", plural(done.taken, "answer")));
        Ok(done)
    }

    /// Whether a file is such a table.
    pub(crate) fn is_answers(path: &Path, encoding: EncodingName) -> anyhow::Result<bool> {
        let sample = Source::without_format(path, encoding)?.sample()?;
        let first = sample.lines().next().unwrap_or_default();
        Ok(header(first).is_ok())
    }
}

/// A table that is being read.
struct Answering<'a> {
    here: &'a Project,
    annotator: &'a Annotator,
    at: i64,
    window: String,
    asked: BTreeMap<i64, AskedSentence>,
}

impl Answering<'_> {
    fn all(&mut self, lines: &[String]) -> anyhow::Result<(BroughtAnswers, Vec<Problem>)> {
        let (mut done, mut problems) = (BroughtAnswers::default(), Vec::new());
        let first = lines.first().map_or("", String::as_str);
        let (delimiter, places) = match header(first) {
            Ok(found) => found,
            Err(missing) => {
                let message = format!("there is no column `{missing}`");
                let help = "keep the first line as it was written, and change the column `answer` only";
                done.wrong = 1;
                return Ok((done, vec![Problem::error("no-questions", Place::line(1), message, help)]));
            }
        };
        let rows: BTreeMap<i64, String> =
            self.here.sentences()?.into_iter().map(|stored| (stored.id, stored.rows)).into_map();
        for (line, text) in (2..).zip(&lines[1..]) {
            let cells = cells(text, delimiter);
            let row =
                QuestionRow { line, cells: places.map(|place| place.and_then(|place| cells.get(place))) };
            if text.trim().is_empty() {
                continue;
            }
            if row.text(5).is_empty() {
                done.unanswered += 1;
                continue;
            }
            match self.take(&row, &rows)? {
                Ok(true) => done.taken += 1,
                Ok(false) => done.known += 1,
                Err(WrongRow(rule, cell, message, help)) => {
                    done.wrong += 1;
                    problems.push(Problem::error(rule, row.place(cell), message, help));
                }
            }
        }
        Ok((done, problems))
    }

    /// Takes one answer over, if it is not here already.
    fn take(
        &mut self,
        row: &QuestionRow<'_>,
        rows: &BTreeMap<i64, String>,
    ) -> Result<Result<bool, WrongRow>, Fault> {
        let stale = "the project is another, or it has changed; write the questions out again";
        let id = row.text(0).parse().ok().filter(|id| rows.contains_key(id));
        let Some(id) = id else {
            return Ok(Err(WrongRow(
                "question-changed",
                0,
                format!("there is no sentence {}", row.text(0)),
                stale,
            )));
        };
        if !self.asked.contains_key(&id) {
            let asked = self.asked(id, rows.get(&id).map_or("", String::as_str))?;
            self.asked.insert(id, asked);
        }
        let Some(asked) = self.asked.get_mut(&id) else { return Ok(Ok(false)) };
        if row.text(3) != asked.text {
            return Ok(Err(WrongRow(
                "question-changed",
                3,
                format!("sentence {id} has other words: {}", asked.text),
                stale,
            )));
        }
        let word =
            row.text(1).parse::<u32>().ok().filter(|word| (1..=asked.tokens.len() as u32).contains(word));
        let Some(word) = word.filter(|&word| clean(&asked.tokens[word as usize - 1]) == row.text(2)) else {
            let message = format!("word {} of sentence {id} is not `{}`", row.text(1), row.text(2));
            return Ok(Err(WrongRow("question-changed", 2, message, stale)));
        };
        let answered = match meant(&row.text(5), &row.text(4), word, &asked.tokens) {
            Ok(answered) => answered,
            Err((message, help)) => return Ok(Err(WrongRow("unclear-answer", 5, message, help))),
        };
        let key = AnalysisKey { sentence: id, annotator: self.annotator.id, slot: 0 };
        if self.here.has_event(key.annotator, &self.window, row.line.into())? {
            return Ok(Ok(false));
        }
        let changes = match asked.changes(word, answered) {
            Ok(changes) if changes.is_empty() => return Ok(Ok(false)),
            Ok(changes) => changes,
            Err(message) => {
                let help = "nothing said in the page is overruled; change it there, or leave the answer away";
                return Ok(Err(WrongRow("refused-answer", 5, message, help)));
            }
        };
        let kind = Happening::Edit { via: Via::Table, changes };
        let event = Event { n: row.line.into(), at: self.at, kind };
        if let Err(refusal) = asked.history.push_from(&self.window, &event) {
            let help = "see what stands there in the page, and decide there";
            return Ok(Err(WrongRow("refused-answer", 5, refusal.to_string(), help)));
        }
        let text = serde_json::to_string(&event).map_err(anyhow::Error::from)?;
        self.here.add_raw_event(key, &event, &RawEvent { tab: self.window.clone(), text })?;
        asked.events.push(StoredEvent { tab: self.window.clone(), event });
        Ok(Ok(true))
    }

    fn asked(&self, id: i64, rows: &str) -> Result<AskedSentence, Fault> {
        let (sentence, start) = start(rows)?;
        let events = self.here.events(AnalysisKey { sentence: id, annotator: self.annotator.id, slot: 0 })?;
        let history = folded(&start, &events);
        Ok(AskedSentence {
            text: clean(sentence.detokenised()),
            tokens: start.tokens().to_vec(),
            events,
            history,
        })
    }
}

impl AskedSentence {
    /// What an answer changes; nothing if it is here already.
    fn changes(&self, word: u32, answered: Answered) -> Result<Vec<Change>, String> {
        let (of, said) = (WordOrBlock::Word(word), self.history.analysis());
        let (head, last) = (said.head(of), self.last(word));
        if last == Some(answered) {
            return Ok(Vec::new());
        }
        let attach = |to: Option<u32>| {
            let to = to.map(|to| WrittenHead::from(WordOrBlock::Word(to)));
            Change::Head(Attach { of, to, relation: None })
        };
        let unsure = |is: bool| Change::Unsure { of: word, is };
        let is_of_table = matches!(last, Some(Answered::Head(last)) if head == Some(attached(last)));
        match answered {
            Answered::Head(to) if head == Some(attached(to)) => Ok(Vec::new()),
            Answered::Unsure if head.is_none() && said.is_unsure(word) => Ok(Vec::new()),
            _ if head.is_some() && !is_of_table => {
                Err(format!("the head of “{}” has been said already, and is another", said.name(of)))
            }
            Answered::Unsure if head.is_some() => Ok(vec![attach(None), unsure(true)]),
            Answered::Unsure => Ok(vec![unsure(true)]),
            Answered::Head(to) if last == Some(Answered::Unsure) => Ok(vec![attach(Some(to)), unsure(false)]),
            Answered::Head(to) => Ok(vec![attach(Some(to))]),
        }
    }

    /// What a table said last of a word.
    fn last(&self, word: u32) -> Option<Answered> {
        self.events.iter().rev().find_map(|stored| match &stored.event.kind {
            Happening::Edit { via: Via::Table, changes } => {
                changes.iter().rev().find_map(|change| match change {
                    Change::Head(Attach { of: WordOrBlock::Word(of), to: Some(to), .. }) if *of == word => {
                        match WordOrBlock::from(*to) {
                            WordOrBlock::Word(head) => Some(Answered::Head(head)),
                            WordOrBlock::Block { .. } => None,
                        }
                    }
                    Change::Unsure { of, is: true } if *of == word => Some(Answered::Unsure),
                    _ => None,
                })
            }
            _ => None,
        })
    }
}

fn attached(head: u32) -> Attached {
    WrittenHead::from(WordOrBlock::Word(head)).0
}

impl QuestionRow<'_> {
    fn text(&self, cell: usize) -> String {
        self.cells[cell].map(|cell| cell.text.trim().to_string()).unwrap_or_default()
    }

    fn place(&self, cell: usize) -> Place {
        let found = self.cells[cell].map(|cell| (cell.column, cell.text.chars().count() as u32));
        found.map_or(Place::line(self.line), |(column, length)| Place::new(self.line, column, length.max(1)))
    }
}

/// What is between the columns, and where each column is; or the column that there is not.
fn header(line: &str) -> Result<(char, [Option<usize>; COLUMNS.len()]), &'static str> {
    let line = line.trim_start_matches('\u{FEFF}');
    let delimiter = ['\t', ';', ','].into_iter().max_by_key(|&one| line.matches(one).count()).unwrap_or('\t');
    let names: Vec<String> =
        cells(line, delimiter).into_iter().map(|cell| cell.text.trim().to_lowercase()).collect();
    let places = COLUMNS.map(|column| names.iter().position(|name| name == column));
    let missing = COLUMNS.iter().zip(places).find(|(name, place)| place.is_none() && **name != "choices");
    missing.map_or(Ok((delimiter, places)), |(name, _)| Err(*name))
}

/// The cells of a line. Spreadsheets put what has quotes or delimiters in it between quotes, and double those within.
fn cells(line: &str, delimiter: char) -> Vec<TableCell> {
    let line = line.trim_end_matches(['\r', '\n']);
    let (mut found, mut is_quoted) = (vec![TableCell { text: String::new(), column: 1 }], false);
    let mut characters = (1u32..).zip(line.chars()).peekable();
    while let Some((column, character)) = characters.next() {
        let Some(cell) = found.last_mut() else { break };
        let follows_quote = characters.peek().is_some_and(|(_, next)| *next == '"');
        match character {
            '"' if !is_quoted && cell.text.is_empty() && closes(line, column as usize, delimiter) => {
                is_quoted = true
            }
            '"' if is_quoted && follows_quote => {
                characters.next();
                cell.text.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            character if character == delimiter && !is_quoted => {
                found.push(TableCell { text: String::new(), column: column + 1 });
            }
            character => cell.text.push(character),
        }
    }
    found
}

/// Whether a quote behind so many characters is closed before a delimiter or the end; one that is not is a letter like any other.
fn closes(line: &str, n_before: usize, delimiter: char) -> bool {
    let mut rest = line.chars().skip(n_before).peekable();
    while let Some(character) = rest.next() {
        if character != '"' {
            continue;
        }
        match rest.peek() {
            Some('"') => drop(rest.next()),
            next => return next.is_none_or(|&next| next == delimiter),
        }
    }
    false
}

/// What an answer means: a word, its number, `root` or `0`, one of the heads that were offered, or `?`.
fn meant(
    answer: &str,
    choices: &str,
    word: u32,
    tokens: &[Text],
) -> Result<Answered, (String, &'static str)> {
    if answer == "?" {
        return Ok(Answered::Unsure);
    }
    let help = "write a number and its word, 3=dog, or 0= for the root";
    let n_words = tokens.len() as u32;
    let form =
        |head: u32| head.checked_sub(1).and_then(|at| tokens.get(at as usize)).map(clean).unwrap_or_default();
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&head| head <= n_words);
    // As it was offered, `3=dog (0.50)`, or without the probability.
    let pair = |text: &str| {
        let (head, rest) = text.trim().split_once('=')?;
        let head = number(head)?;
        let bare = rest.rsplit_once(" (").map_or(rest, |(bare, _)| bare).trim();
        ([rest.trim(), bare].contains(&form(head).as_str())
            || (head == 0 && bare.eq_ignore_ascii_case("root")))
        .then_some(head)
    };
    if let Some(head) = pair(answer) {
        return itself(head, word, tokens);
    }
    let mut heads: BTreeSet<u32> = (1..=n_words).filter(|&head| form(head) == answer).into_set();
    if heads.len() > 1 {
        let offered: BTreeSet<u32> =
            choices.split("; ").filter_map(pair).filter(|head| heads.contains(head)).into_set();
        heads = if offered.len() == 1 { offered } else { heads };
    }
    heads.extend(number(answer));
    heads.extend(answer.eq_ignore_ascii_case("root").then_some(0));
    match heads.into_iter().collect::<Vec<_>>()[..] {
        [head] => itself(head, word, tokens),
        [] => Err((format!("the sentence has no word `{answer}`"), help)),
        _ => Err((format!("`{answer}` could be several words"), help)),
    }
}

fn itself(head: u32, word: u32, tokens: &[Text]) -> Result<Answered, (String, &'static str)> {
    if head == word {
        let form = tokens.get(word as usize - 1).map(clean).unwrap_or_default();
        return Err((format!("`{form}` cannot belong to itself"), "name the word that it belongs to"));
    }
    Ok(Answered::Head(head))
}

/// As it stands in a table: without what would end a cell or a line.
pub(super) fn clean(text: impl AsRef<str>) -> String {
    text.as_ref().replace(['\t', '\n', '\r'], " ").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, delimiter: char) -> Vec<(String, u32)> {
        cells(line, delimiter).into_iter().map(|cell| (cell.text, cell.column)).collect()
    }

    #[test]
    fn cells_are_found_with_and_without_quotes() {
        let of = |pairs: &[(&str, u32)]| -> Vec<(String, u32)> {
            pairs.iter().map(|&(text, column)| (text.into(), column)).collect()
        };
        assert_eq!(texts("1\ta \"b\tc", '\t'), of(&[("1", 1), ("a \"b", 3), ("c", 8)]));
        assert_eq!(texts("\"a\"\"b\";\"c;d\";\r\n", ';'), of(&[("a\"b", 1), ("c;d", 8), ("", 14)]));
        assert_eq!(texts("\"\tx", '\t'), of(&[("\"", 1), ("x", 3)]), "a quote that nobody closes is a word");
        assert_eq!(texts("", ','), of(&[("", 1)]));
    }

    #[test]
    fn an_answer_is_a_word_a_number_the_root_or_an_offered_head() {
        let tokens: Vec<Text> = ["the", "dog", "saw", "the", "3", "cats"].map(Text::from).to_vec();
        let head = |answer: &str| meant(answer, "4=the (0.70); 0= (0.20)", 2, &tokens).ok();
        for (answer, expected) in [
            ("?", Some(Answered::Unsure)),
            ("saw", Some(Answered::Head(3))),
            ("6", Some(Answered::Head(6))),
            ("0", Some(Answered::Head(0))),
            ("Root", Some(Answered::Head(0))),
            ("0=", Some(Answered::Head(0))),
            ("0= (0.20)", Some(Answered::Head(0))),
            ("4=the (0.70)", Some(Answered::Head(4))),
            ("1=the", Some(Answered::Head(1))),
            // Of two words the one that was offered is meant.
            ("the", Some(Answered::Head(4))),
            // The third word or the number three: nobody knows.
            ("3", None),
            ("5=3", Some(Answered::Head(5))),
            ("3=saw", Some(Answered::Head(3))),
            ("1=dog", None),
            ("dog", None),
            ("2", None),
            ("7", None),
            ("bird", None),
        ] {
            assert_eq!(head(answer), expected, "{answer}");
        }
        assert_eq!(meant("the", "", 2, &tokens).ok(), None);
        assert_eq!(meant("the", "4=the (0.5); 1=the (0.5)", 2, &tokens).ok(), None);
    }
}
