//! Sentences to be parsed, from whatever holds them, with as much of their trees as shall be honoured.

use crate::options::EncodingName;
use crate::options::impute::Trust;
use crate::options::parse::SentenceFormat;
use crate::outcome::Usage;
use crate::source::Source;
use crate::survey;
use crate::tree_marks;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::gfl::Block;
use formats::{Problem, Read, brackets};
use grammar::anchor::Brackets;
use std::path::Path;
use tree::PutInOrder;
use tree::sentence::UNSPECIFIED;
use tree::transform::{Normalisation, normalise};
use tree::{GroupKind, Node, PartialTree, Sentence, Text, Tree, TreeBuilder};

/// What is taken from the input besides the words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Honoured {
    pub(crate) tags: bool,
    pub(crate) brackets: bool,
    /// Whose brackets.
    pub(crate) trust: Trust,
    /// Brackets are stripped of what nobody said first.
    pub(crate) normalise: bool,
}

/// A line of the output to be.
#[derive(Debug)]
pub(crate) struct Line {
    /// Where it stands in the input, from 1.
    pub(crate) number: u32,
    /// The sentence; `None` for an empty line.
    pub(crate) sentence: Option<Brackets>,
}

/// A file of sentences.
#[derive(Debug)]
pub(crate) struct Sentences {
    pub(crate) source: Source,
    pub(crate) format: SentenceFormat,
    /// Whether the format was guessed from the content.
    pub(crate) guessed: bool,
    pub(crate) lines: Vec<Line>,
    pub(crate) problems: Vec<Problem>,
}

impl Sentences {
    /// Reads all of a file.
    pub(crate) fn read(
        path: &Path,
        format: Option<SentenceFormat>,
        encoding: EncodingName,
        honoured: Honoured,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        let mut source = Source::without_format(path, encoding)?;
        let guessed = format.is_none() && Format::from_path(path).is_none();
        let format = match format {
            Some(format) => format,
            None => find_format(path, &source, watch)?,
        };
        source.format = row_format(format);
        let normalisation = match honoured.normalise && source.format == Format::Brackets {
            true => Some(survey::normalisation(&source, watch)?),
            false => None,
        };
        let progress = Progress::new(watch, source.size(), &source.name());
        let text = Watched::new(source.open()?, progress);
        let mut sentences = (Vec::new(), Vec::new());
        for reading in everything::items(source.format, text) {
            let reading = reading.with_context(|| source.cannot_read())?;
            match source.format.is_text() {
                true => add_text(reading, &mut sentences),
                false => add(reading, honoured, normalisation.as_ref(), &mut sentences),
            }
        }
        let (lines, problems) = sentences;
        Ok(Self { source, format, guessed, lines, problems })
    }

    /// The words of all sentences.
    pub(crate) fn words(self) -> Vec<Vec<Text>> {
        self.lines.into_iter().filter_map(|line| Some(line.sentence?.words)).collect()
    }
}

type Found = (Vec<Line>, Vec<Problem>);

/// Plain text unless the name or the first lines say otherwise.
pub(crate) fn find_format(path: &Path, source: &Source, watch: &dyn Watch) -> anyhow::Result<SentenceFormat> {
    let sample = source.sample()?;
    if sample.contains('\0') || sample.starts_with("\u{FFFD}TREE\r\n") {
        let hint = if sample.starts_with("\u{FFFD}TREE") {
            "; it is a Treelet model: the order is MODEL INPUT"
        } else {
            ""
        };
        return Err(Usage(format!("{} is no text{hint}", source.name())).into());
    }
    let by_name = |format| match format {
        Format::Brackets => Some(SentenceFormat::Brackets),
        Format::Conllu => Some(SentenceFormat::Conllu),
        Format::Conllx => Some(SentenceFormat::Conllx),
        Format::Conll09 => Some(SentenceFormat::Conll09),
        Format::Gfl => Some(SentenceFormat::Gfl),
        Format::Bio => Some(SentenceFormat::Bio),
        Format::Joint => Some(SentenceFormat::Joint),
        Format::Conll04 => Some(SentenceFormat::Conll04),
        Format::Semeval => Some(SentenceFormat::Semeval),
        _ => None,
    };
    let text = || match source.text_format(&sample, watch) {
        Format::Raw => SentenceFormat::Raw,
        _ => SentenceFormat::Text,
    };
    if path.extension().is_some_and(|extension| extension == "txt") {
        return Ok(text());
    }
    if let Some(format) = Format::from_path(path).and_then(by_name) {
        return Ok(format);
    }
    // Rows have tabs; a sentence that begins with a number is no row.
    let first = sample.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let has_columns = first.is_some_and(|line| line.matches('\t').count() >= 7);
    let found = Format::from_content(&sample)
        .and_then(by_name)
        .filter(|format| has_columns || matches!(format, SentenceFormat::Brackets | SentenceFormat::Gfl));
    Ok(found.unwrap_or_else(text))
}

pub(crate) fn row_format(format: SentenceFormat) -> Format {
    match format {
        SentenceFormat::Text => Format::Text,
        SentenceFormat::Raw => Format::Raw,
        SentenceFormat::Lines => Format::Lines,
        SentenceFormat::Conllu => Format::Conllu,
        SentenceFormat::Brackets => Format::Brackets,
        SentenceFormat::Conllx => Format::Conllx,
        SentenceFormat::Conll09 => Format::Conll09,
        SentenceFormat::Gfl => Format::Gfl,
        SentenceFormat::Bio => Format::Bio,
        SentenceFormat::Joint => Format::Joint,
        SentenceFormat::Conll04 => Format::Conll04,
        SentenceFormat::Semeval => Format::Semeval,
    }
}

fn add_text(reading: Read<Item>, (lines, problems): &mut Found) {
    let Read { value, line: number, problems: found } = reading;
    problems.extend(found);
    if let Item::Sentence(sentence) = value
        && number > 0
    {
        let words: Vec<Text> = sentence.words().map(|word| leaf(&word.form)).collect();
        lines.push(Line { number, sentence: (!words.is_empty()).then(|| Brackets::words(words)) });
    }
}

/// A word of plain text as trees have it: `(` is `-LRB-`, and who writes `-LRB-` means that.
fn leaf(word: &str) -> Text {
    if matches!(word, "-LRB-" | "-RRB-") { word.into() } else { brackets::escape(word) }
}

fn add(
    reading: Read<Item>,
    honoured: Honoured,
    normalisation: Option<&Normalisation>,
    (lines, problems): &mut Found,
) {
    let Read { value, line: number, problems: found } = reading;
    problems.extend(found);
    if number == 0 {
        return;
    }
    let sentence = match &value {
        Item::Tree(bracketed) if bracketed.tree.is_none() && !bracketed.comments.is_empty() => return,
        Item::Tree(bracketed) => {
            // Brackets are constraints, and only what people said constrains, unless machines are trusted.
            let tree = match honoured.brackets && honoured.trust == Trust::People {
                true => tree_marks::said_by_people(bracketed),
                false => bracketed.tree.clone(),
            };
            let tree = match normalisation {
                Some(normalisation) => tree.and_then(|tree| normalise(&tree, normalisation)),
                None => tree,
            };
            tree.map(|tree| of_tree(&tree, honoured))
        }
        Item::Sentence(sentence) => Some(of_rows(sentence, honoured)),
        Item::Annotation(block) if block.tokens.is_empty() => return,
        Item::Annotation(block) => Some(of_block(block, honoured)),
        Item::Labelled(_) | Item::Pair(_) => return,
    };
    let sentence = sentence.filter(|sentence| !sentence.words.is_empty());
    lines.push(Line { number, sentence });
}

/// As much of a tree as is honoured.
pub(crate) fn of_tree(tree: &Tree<Text>, honoured: Honoured) -> Brackets {
    if !honoured.tags && !honoured.brackets {
        return Brackets::words(tree.words().cloned().collect());
    }
    let mut brackets = Brackets::tree(tree);
    if !honoured.tags {
        brackets = brackets.without_tags();
    }
    if honoured.brackets { brackets } else { brackets.without_brackets() }
}

/// The words of rows, and their tags if they are honoured.
pub(crate) fn of_rows(sentence: &Sentence, honoured: Honoured) -> Brackets {
    let mut brackets = Brackets::words(sentence.words().map(|word| brackets::escape(&word.form)).collect());
    if honoured.tags {
        let known = |tag: &Text| (*tag != UNSPECIFIED).then(|| brackets::escape(tag));
        for (tag, word) in brackets.tags.iter_mut().zip(sentence.words()) {
            *tag = known(&word.xpos).or_else(|| known(&word.upos));
        }
    }
    brackets
}

/// The brackets of a partial annotation, as a tree of unknown labels.
fn of_block(block: &Block, honoured: Honoured) -> Brackets {
    let words: Vec<Text> = formats::convert::forms(block).iter().map(|form| brackets::escape(form)).collect();
    let mut brackets = if honoured.brackets {
        Brackets::tree(&tree_of_spans(&words, spans(&block.said)))
    } else {
        Brackets::words(words)
    };
    if let (true, Some(tags)) = (honoured.tags, &block.tags) {
        brackets.tags.iter_mut().zip(tags).for_each(|(tag, given)| *tag = Some(given.clone()));
    }
    brackets
}

/// Start and end of every bracket whose words stand side by side; what crosses an earlier one is left out.
fn spans(said: &PartialTree) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (at, group) in said.groups.iter().enumerate() {
        if !matches!(group.kind, GroupKind::Bracket { .. }) {
            continue;
        }
        let words = said.words_of(Node::Group(at));
        let (Some(&first), Some(&last)) = (words.iter().min(), words.iter().max()) else { continue };
        let (start, end) = (first.saturating_sub(1), last);
        let crosses = |&(other, stop): &(usize, usize)| {
            (start < other && other < end && end < stop) || (other < start && start < stop && stop < end)
        };
        if end - start == words.len() && words.len() > 1 && end <= said.n_words && !spans.iter().any(crosses)
        {
            spans.push((start, end));
        }
    }
    spans.order_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    spans.dedup();
    spans
}

fn tree_of_spans(words: &[Text], spans: Vec<(usize, usize)>) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    builder.open(UNSPECIFIED);
    for (at, word) in words.iter().enumerate() {
        spans.iter().filter(|span| span.0 == at).for_each(|_| builder.open(UNSPECIFIED));
        builder.word(word.clone());
        spans.iter().filter(|span| span.1 == at + 1).for_each(|_| _ = builder.close());
    }
    builder.close();
    builder.finish().unwrap_or_else(|| Tree::word(Text::default()))
}
