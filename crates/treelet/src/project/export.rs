//! A project written out.

use super::bring::{is_label_comment, label_comments, with_said};
use super::desk::{Desk, MERGED, OnDesk};
use super::store::AnalysisKey;
use super::{Annotator, Fault};
use annotation::{Analysis, History, WordOrBlock};
use draw::{Beside, Caption};
use formats::gfl::Block;
use formats::{conllu, fudg_json};
use serde::{Deserialize, Serialize};
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

/// One analysis that is written out.
struct Written {
    on_desk: OnDesk,
    annotator: String,
    /// Whose analyses were made one.
    of: Vec<String>,
    history: History,
}

impl Desk {
    /// The whole project: for each sentence what was made of it in the end, or what each annotator said, with time and name.
    pub fn export(&self, format: ExportFormat) -> Result<Vec<u8>, Fault> {
        if format == ExportFormat::Questions {
            return self.question_table();
        }
        let all = self.written()?;
        let mut out = Vec::new();
        match format {
            ExportFormat::Html => return Ok(page(&all).into_bytes()),
            ExportFormat::Conllu => {
                for one in &all {
                    conllu::write(&rows(one), &mut out).map_err(anyhow::Error::from)?;
                }
            }
            ExportFormat::Anno | ExportFormat::Json => {
                for one in &all {
                    let block = block(one);
                    match format {
                        ExportFormat::Anno => out.extend_from_slice(block.to_string().as_bytes()),
                        _ => out.extend_from_slice(format!("{}\n", fudg_json::write_line(&block)).as_bytes()),
                    }
                }
            }
            ExportFormat::Mrg => {
                for one in &all {
                    out.extend_from_slice(bracketed(one).as_bytes());
                    out.push(b'\n');
                }
            }
            ExportFormat::Questions => {}
        }
        Ok(out)
    }

    /// The same for an annotator, who must not see others while they work blind.
    pub fn export_for(&self, annotator: i64, format: ExportFormat) -> Result<Vec<u8>, Fault> {
        if annotator != 1 && self.settings().blind {
            return Err(Fault::NotYours(
                "annotators work blind here; whoever opened the project writes it out".into(),
            ));
        }
        self.export(format)
    }

    fn written(&self) -> Result<Vec<Written>, Fault> {
        let people = self.lock().project.annotators()?;
        let all: Vec<OnDesk> = self.lock().sentences.clone();
        let mut written = Vec::new();
        for on_desk in all {
            let voices = self.voices(on_desk.id)?;
            let merged = voices.iter().find(|key| key.annotator == MERGED).copied();
            // What several people are being made one of counts when that is done.
            let merged = match merged {
                Some(key) if self.lock().history(key)?.work().submitted => Some(key),
                _ => None,
            };
            let voices: Vec<AnalysisKey> = voices.into_iter().filter(|key| key.annotator != MERGED).collect();
            let of = match merged {
                Some(_) => self.names(&people, &voices)?,
                None => Vec::new(),
            };
            let nobody = AnalysisKey { sentence: on_desk.id, annotator: 1, slot: 0 };
            let voices = match (merged, voices.is_empty()) {
                (Some(merged), _) => vec![merged],
                (None, true) => vec![nobody],
                (None, false) => voices,
            };
            for key in voices {
                let history = self.lock().history(key)?.clone();
                let annotator = name_of(&people, key.annotator);
                written.push(Written { on_desk: on_desk.clone(), annotator, of: of.clone(), history });
            }
        }
        Ok(written)
    }

    /// Those of them who said anything.
    fn names(&self, people: &[Annotator], voices: &[AnalysisKey]) -> Result<Vec<String>, Fault> {
        let mut names = Vec::new();
        for key in voices {
            if self.lock().has_spoken(*key)? {
                names.push(name_of(people, key.annotator));
            }
        }
        Ok(names)
    }

    fn question_table(&self) -> Result<Vec<u8>, Fault> {
        let mut table = String::from("sentence\tword\tform\ttext\tchoices\tanswer\n");
        for question in self.questions(1, 1_000)? {
            let choices: Vec<String> = question
                .choices
                .iter()
                .map(|choice| format!("{}={} ({:.2})", choice.head, choice.form, choice.p))
                .collect();
            let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
            let (form, text) = (clean(&question.form), clean(&question.text));
            table.push_str(&format!(
                "{}\t{}\t{form}\t{text}\t{}\t\n",
                question.sentence,
                question.word,
                clean(&choices.join("; "))
            ));
        }
        Ok(table.into_bytes())
    }
}

fn name_of(people: &[Annotator], id: i64) -> String {
    let name = people.iter().find(|one| one.id == id).map(|one| one.name.clone());
    match id {
        MERGED => "merged".to_string(),
        id => name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("annotator-{id}")),
    }
}

/// All trees on one page.
fn page(all: &[Written]) -> String {
    let figures = all.iter().map(|one| {
        let sentence = rows(one);
        let columns = |column: fn(&tree::Token) -> &Text| -> Vec<&str> {
            sentence.words().map(|token| column(token).as_str()).collect()
        };
        let (forms, tags, relations) =
            (columns(|token| &token.form), columns(|token| &token.upos), columns(|token| &token.deprel));
        let beside = Beside { tags: &tags, relations: &relations, ..Beside::default() };
        let figure = draw::annotated(&one.history.analysis().said(), &forms, &beside);
        (Caption::of_sentence(&sentence), figure)
    });
    draw::page("Treelet project", figures)
}

/// The rows of the file with what was said in them.
fn rows(one: &Written) -> Sentence {
    let said = one.history.analysis();
    let mut sentence = rows_of(&one.on_desk.sentence, said);
    if one.history.version() > 0 {
        sentence.comments.push(format!("# annotator = {}", one.annotator).into());
        if !one.of.is_empty() {
            // As `treelet agree --combine` says it: what is made of people's statements is people's.
            sentence.comments.push(format!("# annotators = {}", one.of.join(", ")).into());
        }
        sentence.comments.push(format!("# seconds = {:.1}", one.history.work().seconds).into());
        for text in remarks(said) {
            sentence.comments.push(text);
        }
    }
    sentence
}

/// The rows of a sentence with an analysis in them.
pub(super) fn rows_of(sentence: &Sentence, said: &Analysis) -> Sentence {
    let mut sentence = with_said(sentence.clone(), &said.said());
    sentence.comments.retain(|comment| !is_label_comment(comment) && !is_ours(comment));
    sentence.comments.extend(label_comments(said));
    for (word, token) in (1..).zip(sentence.words_mut()) {
        token.deprel = said.relation(WordOrBlock::Word(word)).cloned().unwrap_or(UNSPECIFIED);
        if let Some(tag) = said.tag(word) {
            token.upos = tag.clone();
        }
    }
    sentence
}

fn is_ours(comment: &Text) -> bool {
    ["# annotator =", "# annotators =", "# seconds =", "# remark ="]
        .iter()
        .any(|key| comment.starts_with(key))
}

/// Remarks, one line each.
fn remarks(said: &Analysis) -> Vec<Text> {
    let remark = |comment: &annotation::Comment| {
        let on = match comment.on {
            annotation::On::Sentence => String::new(),
            annotation::On::Word { word } => format!("{word}: "),
            annotation::On::Arc { word } => format!("arc of {word}: "),
        };
        let text = comment.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("# remark = {on}{text}").into()
    };
    said.comments().values().map(remark).collect()
}

fn block(one: &Written) -> Block {
    Block::from_sentence(&rows(one), &one.history.analysis().said())
}

/// Blocks as brackets around words, those without a label as X.
fn bracketed(one: &Written) -> String {
    let said = one.history.analysis();
    let mut out = String::from("(TOP");
    let words: Vec<&tree::Token> = one.on_desk.sentence.words().collect();
    let is_whole = |block: &&annotation::WordBlock| {
        let span =
            block.words.last().zip(block.words.first()).map(|(last, first)| (last - first + 1) as usize);
        span == Some(block.words.len())
    };
    let blocks: Vec<&annotation::WordBlock> = said.blocks().values().filter(is_whole).collect();
    for (n, token) in (1u32..).zip(&words) {
        let mut opening: Vec<&&annotation::WordBlock> =
            blocks.iter().filter(|block| block.words.first() == Some(&n)).collect();
        opening.sort_by_key(|block| std::cmp::Reverse(block.words.len()));
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
