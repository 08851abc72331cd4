//! A project written out.

use super::Fault;
use super::answers::{COLUMNS, clean};
use super::beyond;
use super::bring::with_said;
use super::desk::{Desk, MERGED, OnDesk};
use super::store::{AnalysisKey, Annotator};
use crate::options::RemarkPlace;
use annotation::{Analysis, History, WordOrBlock};
use draw::{Beside, Caption};
use formats::gfl::Block;
use formats::{conllu, fudg_json};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tree::PutInOrder;
use tree::provenance::Column;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// What a project is written out as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// CoNLL-U.
    Conllu,
    /// GFL.
    Anno,
    /// Brackets.
    Mrg,
    /// FUDG JSON.
    Json,
    /// A page with all trees.
    Html,
    /// Open questions as a table.
    Questions,
}

impl ExportFormat {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Conllu => "conllu",
            Self::Anno => "anno",
            Self::Mrg => "mrg",
            Self::Json => "json",
            Self::Html => "html",
            Self::Questions => "tsv",
        }
    }

    /// What browsers call it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Json => "application/json",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// Who and what is written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exporting {
    /// Only this annotator, by name.
    pub annotator: Option<String>,
    /// Where remarks go.
    pub comments: RemarkPlace,
    /// Whether a model fills in heads that are open, marked as its own.
    pub suggestions: bool,
}

/// A project as it is written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was said and has no place in that format, and how often.
    pub lost: BTreeMap<&'static str, usize>,
    /// Sentences whose open heads no tree can fill, because what was said contradicts itself.
    pub unfilled: usize,
}

/// One analysis that is written out.
struct Written {
    on_desk: OnDesk,
    annotator: String,
    /// Whose analyses were made one.
    of: Vec<String>,
    history: History,
    rows: Sentence,
}

impl Desk {
    /// The project: for each sentence what was made of it in the end, or what each annotator said, with time and name.
    pub fn export(&self, format: ExportFormat, exporting: &Exporting) -> Result<Exported, Fault> {
        let only = exporting.annotator.as_deref().map(|name| self.lock().project.named(name)).transpose()?;
        if format == ExportFormat::Questions {
            let bytes = self.question_table(only.map_or(1, |one| one.id))?;
            return Ok(Exported { bytes, ..Exported::default() });
        }
        let mut all = self.written(only.as_ref())?;
        for one in &mut all {
            one.rows = rows(one, exporting.comments);
        }
        let mut exported = Exported::default();
        if exporting.suggestions && format == ExportFormat::Conllu {
            exported.unfilled = self.fill_in(&mut all)?;
        }
        for one in &all {
            for (what, n) in lost(format, one.history.analysis()) {
                *exported.lost.entry(what).or_default() += n;
            }
        }
        exported.lost.retain(|_, n| *n > 0);
        let out = &mut exported.bytes;
        for one in &all {
            match format {
                ExportFormat::Conllu => conllu::write(&one.rows, out).map_err(anyhow::Error::from)?,
                ExportFormat::Anno => out.extend_from_slice(block(one).to_string().as_bytes()),
                ExportFormat::Json => {
                    out.extend_from_slice(format!("{}\n", fudg_json::write_line(&block(one))).as_bytes());
                }
                ExportFormat::Mrg => out.extend_from_slice(format!("{}\n", bracketed(one)).as_bytes()),
                ExportFormat::Html | ExportFormat::Questions => {}
            }
        }
        if format == ExportFormat::Html {
            exported.bytes = page(&all).into_bytes();
        }
        Ok(exported)
    }

    /// The same for an annotator, who must not see others while they work blind.
    pub fn export_for(
        &self,
        annotator: i64,
        format: ExportFormat,
        exporting: &Exporting,
    ) -> Result<Exported, Fault> {
        if annotator != 1 && self.settings().blind {
            return Err(Fault::NotYours(
                "annotators work blind here; whoever opened the project writes it out".into(),
            ));
        }
        self.export(format, exporting)
    }

    fn written(&self, only: Option<&Annotator>) -> Result<Vec<Written>, Fault> {
        let people = self.lock().project.annotators()?;
        let all: Vec<OnDesk> = self.lock().sentences.clone();
        let mine = only.map(|one| self.lock().mine(one.id)).transpose()?;
        let mut written = Vec::new();
        for on_desk in all {
            let voices = self.voices(on_desk.id)?;
            for key in self.chosen(on_desk.id, voices.clone(), only, mine.as_deref())? {
                let history = self.lock().history(key)?.clone();
                let annotator = name_of(&people, key.annotator);
                let of = if key.annotator == MERGED { self.names(&people, &voices)? } else { Vec::new() };
                let rows = Sentence::default();
                written.push(Written { on_desk: on_desk.clone(), annotator, of, history, rows });
            }
        }
        Ok(written)
    }

    /// Those of them who said anything, for themselves.
    fn names(&self, people: &[Annotator], voices: &[AnalysisKey]) -> Result<Vec<String>, Fault> {
        let mut names = Vec::new();
        for key in voices.iter().filter(|key| key.annotator != MERGED) {
            if self.lock().has_spoken(*key)? {
                names.push(name_of(people, key.annotator));
            }
        }
        Ok(names)
    }

    /// Which of the analyses of a sentence are written out.
    fn chosen(
        &self,
        sentence: i64,
        voices: Vec<AnalysisKey>,
        only: Option<&Annotator>,
        mine: Option<&[i64]>,
    ) -> Result<Vec<AnalysisKey>, Fault> {
        if let Some(only) = only {
            let key = AnalysisKey { sentence, annotator: only.id, slot: 0 };
            let is_hers = voices.contains(&key) || mine.is_some_and(|mine| mine.contains(&sentence));
            return Ok(if is_hers { vec![key] } else { Vec::new() });
        }
        let merged = voices.iter().find(|key| key.annotator == MERGED).copied();
        // What several people are being made one of counts when that is done.
        let merged = match merged {
            Some(key) if self.lock().history(key)?.work().submitted => Some(key),
            _ => None,
        };
        let voices: Vec<AnalysisKey> = voices.into_iter().filter(|key| key.annotator != MERGED).collect();
        let nobody = AnalysisKey { sentence, annotator: 1, slot: 0 };
        Ok(match (merged, voices.is_empty()) {
            (Some(merged), _) => vec![merged],
            (None, true) => vec![nobody],
            (None, false) => voices,
        })
    }

    /// Fills in heads that are open, and says in how many sentences that cannot be done.
    fn fill_in(&self, all: &mut [Written]) -> Result<usize, Fault> {
        let Some(suggester) = self.suggester() else {
            return Err(Fault::Wrong("no model has been learned yet; train one first".into()));
        };
        let mut unfilled = 0;
        for one in all {
            match suggester.fill(&one.rows, one.history.analysis())? {
                Some(filled) => one.rows = filled,
                None => unfilled += 1,
            }
        }
        Ok(unfilled)
    }

    fn question_table(&self, annotator: i64) -> Result<Vec<u8>, Fault> {
        let mut table = COLUMNS.join("\t") + "\n";
        for question in self.questions(annotator, 1_000)? {
            let choices: Vec<String> = question
                .choices
                .iter()
                .map(|choice| format!("{}={} ({:.2})", choice.head, choice.form, choice.p))
                .collect();
            let (form, text) = (cell(&question.form), cell(&question.text));
            table.push_str(&format!(
                "{}\t{}\t{form}\t{text}\t{}\t\n",
                question.sentence,
                question.word,
                cell(&choices.join("; "))
            ));
        }
        Ok(table.into_bytes())
    }
}

/// A text as a spreadsheet takes it: one that begins with a quote would be taken for quoted.
fn cell(text: &str) -> String {
    let text = clean(text);
    if text.starts_with('"') { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// What a format has no place for, and how often an analysis says it.
fn lost(format: ExportFormat, said: &Analysis) -> Vec<(&'static str, usize)> {
    let blocks = said.blocks();
    let words = || 1..=said.tokens().len() as u32;
    let is_graph = format == ExportFormat::Json;
    if !is_graph && format != ExportFormat::Mrg {
        return Vec::new();
    }
    let relations = words().map(WordOrBlock::Word);
    let relations = relations.chain(blocks.keys().map(|&bracket| WordOrBlock::Block { bracket }));
    let mut lost = vec![
        ("relations", relations.filter(|&unit| said.relation(unit).is_some()).count()),
        ("main words", words().filter(|&word| said.is_main(word)).count()),
        ("words that somebody is not sure of", words().filter(|&word| said.is_unsure(word)).count()),
        ("heads that were ruled out", said.forbidden().len()),
        ("remarks", said.comments().len()),
    ];
    if is_graph {
        lost.push(("labels of blocks", blocks.values().filter(|block| block.label.is_some()).count()));
        lost.push(("tags", words().filter(|&word| said.tag(word).is_some()).count()));
    } else {
        lost.push(("blocks with gaps", blocks.values().filter(|block| beyond::has_gap(block)).count()));
        lost.push(("heads", said.heads().count()));
    }
    lost
}

fn name_of(people: &[Annotator], id: i64) -> String {
    match id {
        MERGED => "merged".to_string(),
        id => people.iter().find(|one| one.id == id).map_or_else(String::new, Annotator::called),
    }
}

/// All trees on one page.
fn page(all: &[Written]) -> String {
    let figures = all.iter().map(|one| {
        let sentence = &one.rows;
        let columns = |column: fn(&tree::Token) -> &Text| -> Vec<&str> {
            sentence.words().map(|token| column(token).as_str()).collect()
        };
        let (forms, tags, relations) =
            (columns(|token| &token.form), columns(|token| &token.upos), columns(|token| &token.deprel));
        let beside = Beside { tags: &tags, relations: &relations, ..Beside::default() };
        let figure = draw::annotated(&one.history.analysis().said(), &forms, &beside);
        (Caption::of_sentence(sentence), figure)
    });
    draw::page("Treelet project", figures)
}

/// The rows of the file with what was said in them.
fn rows(one: &Written, remarks: RemarkPlace) -> Sentence {
    let said = one.history.analysis();
    let mut sentence = rows_of(&one.on_desk.sentence, said);
    if one.history.version() > 0 {
        sentence.comments.retain(|comment| !is_of_work(comment));
        sentence.comments.push(format!("# annotator = {}", one.annotator).into());
        if !one.of.is_empty() {
            // As `treelet agree --combine` says it: what is made of people's statements is people's.
            sentence.comments.push(format!("# annotators = {}", one.of.join(", ")).into());
        }
        sentence.comments.push(format!("# seconds = {:.1}", one.history.work().seconds).into());
    }
    beyond::put_remarks(said, remarks, &mut sentence);
    sentence
}

/// The rows of a sentence with an analysis in them.
pub(super) fn rows_of(sentence: &Sentence, said: &Analysis) -> Sentence {
    let mut sentence = with_said(sentence.clone(), &said.said());
    sentence.comments.extend(beyond::comments(said));
    for (word, token) in (1..).zip(sentence.words_mut()) {
        token.deprel = said.relation(WordOrBlock::Word(word)).cloned().unwrap_or(UNSPECIFIED);
        if let Some(tag) = said.tag(word) {
            token.upos = tag.clone();
            // Who agrees with a machine says it, too.
            Column::Upos.unmark(token);
        }
    }
    sentence
}

/// Whether a comment says who worked on it, and how long.
fn is_of_work(comment: &Text) -> bool {
    ["# annotator =", "# annotators =", "# seconds ="].iter().any(|key| comment.starts_with(key))
}

fn block(one: &Written) -> Block {
    Block::from_sentence(&one.rows, &one.history.analysis().said())
}

/// Blocks as brackets around words, those without a label as X.
fn bracketed(one: &Written) -> String {
    let said = one.history.analysis();
    let mut out = String::from("(TOP");
    let words: Vec<&tree::Token> = one.on_desk.sentence.words().collect();
    let blocks: Vec<&annotation::WordBlock> =
        said.blocks().values().filter(|block| !beyond::has_gap(block)).collect();
    for (n, token) in (1u32..).zip(&words) {
        let mut opening: Vec<&&annotation::WordBlock> =
            blocks.iter().filter(|block| block.words.first() == Some(&n)).collect();
        opening.order_by_key(|block| std::cmp::Reverse(block.words.len()));
        for block in opening {
            out.push_str(&format!(" ({}", block.label.as_deref().unwrap_or("X")));
        }
        let tag = said
            .tag(n)
            .cloned()
            .or_else(|| [&token.upos, &token.xpos].into_iter().find(|tag| **tag != UNSPECIFIED).cloned());
        let form = formats::brackets::escape(&token.form);
        out.push_str(&format!(" ({} {form})", tag.as_deref().unwrap_or("X")));
        let closing = blocks.iter().filter(|block| block.words.last() == Some(&n)).count();
        out.push_str(&")".repeat(closing));
    }
    out.push(')');
    out
}

#[cfg(test)]
mod tests;
