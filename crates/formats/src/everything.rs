//! Any format through one door: items in, items out.
//!
//! ```
//! use formats::detect::Format;
//! use formats::everything::{Item, items};
//!
//! let text = "(S (NP (NN Dogs)) (VP (VBP bark)))\n";
//! let read = items(Format::Brackets, text.as_bytes()).next().unwrap()?;
//! let Item::Tree(bracketed) = read.value else { panic!("a tree was expected") };
//! assert_eq!(bracketed.tree.unwrap().n_words(), 2);
//! assert!(read.problems.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::bio::{self, Labelled};
use crate::brackets::{self, Bracketed};
use crate::detect::Format;
use crate::gfl::{self, Block};
use crate::raw::{self, RawReader};
use crate::semeval::{self, NominalPair};
use crate::{Problem, Read, conll04, conll09, conllu, conllx, fudg_json, joint, semantics, text};
use std::io::{self, BufRead, Write};
use tree::Sentence;

/// One sentence, in whatever form its format has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A row per word: CoNLL-U, CoNLL-X, CoNLL-2009, CoNLL04, joint files; words of text.
    Sentence(Sentence),
    /// A bracketed tree, or an empty line between trees.
    Tree(Bracketed),
    /// A partial annotation: GFL, FUDG.
    Annotation(Box<Block>),
    /// Words with labels.
    Labelled(Labelled),
    /// A sentence with two marked nominals.
    Pair(NominalPair),
}

impl Item {
    /// Whether it holds no sentence: an empty line between trees, a block of remarks, a boundary between
    /// documents.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Sentence(sentence) => sentence.tokens.is_empty(),
            Self::Tree(bracketed) => bracketed.tree.is_none(),
            Self::Annotation(block) => block.tokens.is_empty(),
            Self::Labelled(labelled) => labelled.rows.is_empty() || labelled.is_boundary(),
            Self::Pair(pair) => pair.is_empty(),
        }
    }
}

/// Items of a stream, one in memory at a time.
pub type Items<'a> = Box<dyn Iterator<Item = io::Result<Read<Item>>> + 'a>;

/// Reads `source` as `format`.
pub fn items<'a>(format: Format, source: impl BufRead + 'a) -> Items<'a> {
    let annotation = |block| Item::Annotation(Box::new(block));
    match format {
        Format::Conllu => wrap(conllu::ConlluReader::new(source), Item::Sentence),
        Format::Conllx => wrap(conllx::ConllxReader::new(source), Item::Sentence),
        Format::Conll09 => wrap(conll09::Conll09Reader::new(source), Item::Sentence),
        Format::Bio => wrap(bio::BioReader::new(source), Item::Labelled),
        Format::Brackets => wrap(brackets::BracketReader::new(source), Item::Tree),
        Format::Gfl => wrap(gfl::GflReader::new(source), annotation),
        Format::GflJson => wrap(gfl::json_lines::read(source), annotation),
        Format::FudgJson => wrap(fudg_json::read(source), annotation),
        Format::Joint => wrap(joint::JointReader::new(source), Item::Sentence),
        Format::Conll04 => wrap(conll04::Conll04Reader::new(source), Item::Sentence),
        Format::Semeval => wrap(semeval::SemevalReader::new(source), Item::Pair),
        Format::Text => wrap(text::TextReader::new(source), Item::Sentence),
        Format::Raw => wrap(RawReader::new(source, &raw::Options::default()), Item::Sentence),
        Format::Lines => {
            let options = raw::Options { lines: raw::Lines::Sentences, ..raw::Options::default() };
            wrap(RawReader::new(source, &options), Item::Sentence)
        }
    }
}

fn wrap<'a, T: 'a>(
    readings: impl Iterator<Item = io::Result<Read<T>>> + 'a,
    item: fn(T) -> Item,
) -> Items<'a> {
    let wrap = move |Read { value, line, problems }| Read { value: item(value), line, problems };
    Box::new(readings.map(move |reading| reading.map(wrap)))
}

/// Writes `item` as `format`; `Ok(false)` if it has another form and must be converted first.
pub fn write(format: Format, item: &Item, out: &mut impl Write) -> io::Result<bool> {
    match (format, item) {
        (Format::Conllu, Item::Sentence(sentence)) => conllu::write(sentence, out)?,
        (Format::Conllx, Item::Sentence(sentence)) => conllx::write(sentence, out)?,
        (Format::Conll09, Item::Sentence(sentence)) => conll09::write(sentence, out)?,
        (Format::Bio, Item::Labelled(sentence)) => bio::write(sentence, out)?,
        (Format::Brackets, Item::Tree(tree)) => brackets::write_bracketed(tree, out)?,
        (Format::Gfl, Item::Annotation(block)) => write!(out, "{block}")?,
        (Format::GflJson, Item::Annotation(block)) => {
            writeln!(out, "{}", gfl::json_lines::write_json_line(block))?
        }
        (Format::FudgJson, Item::Annotation(block)) => writeln!(out, "{}", fudg_json::write_line(block))?,
        (Format::Joint, Item::Sentence(sentence)) => joint::write(sentence, out)?,
        (Format::Conll04, Item::Sentence(sentence)) => conll04::write(sentence, out)?,
        (Format::Semeval, Item::Pair(pair)) => semeval::write(pair, out)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// What [`copy`] saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Sentences or trees.
    pub n_items: usize,
    /// What was wrong, in file order.
    pub problems: Vec<Problem>,
}

/// Reads all of `source`, writes it to `out` in the same format, and returns what was wrong.
pub fn copy(format: Format, source: impl BufRead, out: &mut impl Write) -> io::Result<Copied> {
    let mut copied = Copied::default();
    let mut consistency = conllu::Consistency::default();
    for reading in items(format, source) {
        let reading = reading?;
        copied.problems.extend(reading.problems);
        if let (Format::Conllu, Item::Sentence(sentence)) = (format, &reading.value) {
            copied.problems.extend(consistency.check(sentence, reading.line));
        }
        if says_semantics(format) && reading.line != 0 {
            copied.problems.extend(semantics::read(format, &reading.value, reading.line).2);
        }
        if reading.line != 0 {
            copied.n_items += usize::from(!reading.value.is_blank());
            write(format, &reading.value, out)?;
        }
    }
    Ok(copied)
}

/// Formats in which more is said than rows tell by themselves. Labels in columns may be tags.
fn says_semantics(format: Format) -> bool {
    matches!(format, Format::Conllu | Format::Conll09 | Format::Joint | Format::Conll04 | Format::Semeval)
}
