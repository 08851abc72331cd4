//! Any format through one door: items in, items out.

use crate::bio::{self, Labelled};
use crate::brackets::{self, Bracketed};
use crate::detect::Format;
use crate::gfl::{self, Block};
use crate::{Problem, Read, conll09, conllu, conllx, fudg_json};
use std::io::{self, BufRead, Write};
use tree::Sentence;

/// One sentence, in whatever form its format has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A row per word: CoNLL-U, CoNLL-X, CoNLL-2009.
    Sentence(Sentence),
    /// A bracketed tree, or an empty line between trees.
    Tree(Bracketed),
    /// A partial annotation: GFL, FUDG.
    Annotation(Box<Block>),
    /// Words with labels.
    Labelled(Labelled),
}

/// Items of a stream, one in memory at a time.
pub type Items<'a> = Box<dyn Iterator<Item = io::Result<Read<Item>>> + 'a>;

/// Reads `source` as `format`.
pub fn items<'a>(format: Format, source: impl BufRead + 'a) -> Items<'a> {
    match format {
        Format::Conllu => wrap(conllu::Reader::new(source), Item::Sentence),
        Format::Conllx => wrap(conllx::Reader::new(source), Item::Sentence),
        Format::Conll09 => wrap(conll09::Reader::new(source), Item::Sentence),
        Format::Bio => wrap(bio::Reader::new(source), Item::Labelled),
        Format::Brackets => wrap(brackets::Reader::new(source), Item::Tree),
        Format::Gfl => blocks(gfl::Reader::new(source)),
        Format::GflJson => blocks(gfl::json_lines::Reader::new(source)),
        Format::FudgJson => blocks(fudg_json::Reader::new(source)),
    }
}

fn wrap<'a, T: 'a>(
    readings: impl Iterator<Item = io::Result<Read<T>>> + 'a,
    item: fn(T) -> Item,
) -> Items<'a> {
    let wrap = move |Read { value, line, problems }| Read { value: item(value), line, problems };
    Box::new(readings.map(move |reading| reading.map(wrap)))
}

fn blocks<'a>(readings: impl Iterator<Item = io::Result<(Block, Vec<Problem>)>> + 'a) -> Items<'a> {
    let wrap = |(block, problems): (Block, Vec<Problem>)| {
        // A block always exists, even one made of a preamble only, so its line is never 0.
        let line = block.sections.first().map_or(1, |section| section.line.max(1));
        Read { value: Item::Annotation(Box::new(block)), line, problems }
    };
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
    for reading in items(format, source) {
        let reading = reading?;
        copied.problems.extend(reading.problems);
        if reading.line != 0 {
            let is_blank = matches!(&reading.value, Item::Tree(bracketed) if bracketed.tree.is_none());
            copied.n_items += usize::from(!is_blank);
            write(format, &reading.value, out)?;
        }
    }
    Ok(copied)
}
