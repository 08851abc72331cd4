//! What the rows of CoNLL-U have no column for, in comments and in MISC, and back.
//!
//! ```text
//! # block = NP 1 3 obl       a block of words 1 to 3 is called NP and has the relation obl
//! # block = VP 2,4-6         a block with a gap
//! # block = _ 1 3 obl        a block without a name
//! # main = 2                 main words
//! # unsure = 4 5             words that somebody is not sure of
//! # ruled_out = 4>2 5>0      heads that were ruled out; 0 is the root
//! # remark = 3: a remark     on a word; `arc of 3: ` on its arc, nothing or `0: ` on the sentence
//! ```
//!
//! That there is such a block, what belongs to it and what it belongs to stands in `# anno`, as GFL.

use crate::options::RemarkPlace;
use annotation::{Analysis, BlockKind, Change, Comment, On, WordBlock, WordOrBlock};
use std::collections::BTreeSet;
use tree::provenance::{packed, unpacked};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

const BLOCK: &str = "# block =";
const MAIN: &str = "# main =";
const UNSURE: &str = "# unsure =";
const RULED_OUT: &str = "# ruled_out =";
const REMARK: &str = "# remark =";
/// What remarks are called in MISC, on a word and on its arc.
const IN_MISC: [&str; 2] = ["Remark", "ArcRemark"];
/// A block of more words is none.
const LONGEST: usize = 10_000;

/// The comment that gives consecutive words a label.
pub(super) fn labelled(label: &str, first: usize, last: usize) -> Text {
    format!("{BLOCK} {label} {first} {last}").into()
}

/// The comments that say what rows and `# anno` do not, but for remarks.
pub(super) fn comments(said: &Analysis) -> Vec<Text> {
    let blocks = said.blocks().iter().filter_map(|(&bracket, block)| {
        let relation = said.relation(WordOrBlock::Block { bracket });
        let is_said = block.label.is_some() || relation.is_some();
        is_said.then(|| block_comment(block, relation))
    });
    let mut comments: Vec<Text> = blocks.collect();
    let words = |is: &dyn Fn(u32) -> bool| -> Vec<String> {
        (1..=said.tokens().len() as u32).filter(|&word| is(word)).map(|word| word.to_string()).collect()
    };
    let ruled_out = said.forbidden().iter().map(|(word, head)| format!("{word}>{head}")).collect();
    let lists = [
        (MAIN, words(&|word| said.is_main(word))),
        (UNSURE, words(&|word| said.is_unsure(word))),
        (RULED_OUT, ruled_out),
    ];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    comments.extend(lists.map(|(key, list)| Text::from(format!("{key} {}", list.join(" ")))));
    comments
}

fn block_comment(block: &WordBlock, relation: Option<&Text>) -> Text {
    let label = block.label.clone().unwrap_or(UNSPECIFIED);
    let words = match (block.words.first(), block.words.last()) {
        (Some(first), Some(last)) if !has_gap(block) => format!("{first} {last}"),
        _ => ranges(&block.words),
    };
    let relation = relation.map_or(String::new(), |relation| format!(" {relation}"));
    format!("{BLOCK} {label} {words}{relation}").into()
}

/// Whether there are words between those of a block that are not in it.
pub(super) fn has_gap(block: &WordBlock) -> bool {
    let span = block.words.last().zip(block.words.first()).map_or(0, |(last, first)| last - first + 1);
    span as usize != block.words.len()
}

/// `1-3,5`.
fn ranges(words: &BTreeSet<u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &word in words {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == word => *last = word,
            _ => runs.push((word, word)),
        }
    }
    let spelled = runs.iter().map(|&(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    spelled.collect::<Vec<_>>().join(",")
}

/// Puts remarks where they are wanted.
pub(super) fn put_remarks(said: &Analysis, place: RemarkPlace, sentence: &mut Sentence) {
    let mut in_misc: Vec<(u32, &str, &str)> = Vec::new();
    for comment in said.comments().values() {
        let one_line = comment.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match (place, comment.on) {
            (RemarkPlace::None, _) => {}
            (RemarkPlace::Misc, On::Word { word }) => in_misc.push((word, IN_MISC[0], &comment.text)),
            (RemarkPlace::Misc, On::Arc { word }) => in_misc.push((word, IN_MISC[1], &comment.text)),
            (_, on) => {
                let text = match on {
                    On::Word { word } => format!("{word}: {one_line}"),
                    On::Arc { word } => format!("arc of {word}: {one_line}"),
                    // It must not look as if it were on a word.
                    On::Sentence
                        if on_and_text(&one_line).0 != On::Sentence || one_line.starts_with("0: ") =>
                    {
                        format!("0: {one_line}")
                    }
                    On::Sentence => one_line,
                };
                sentence.comments.push(format!("{REMARK} {text}").into());
            }
        }
    }
    for (word, token) in (1..).zip(sentence.words_mut()) {
        for key in IN_MISC {
            let of_word = in_misc.iter().filter(|(other, name, _)| (*other, *name) == (word, key));
            for (n, (_, _, text)) in (1..).zip(of_word) {
                let number = if n > 1 { n.to_string() } else { String::new() };
                add_item(token, &format!("{key}{number}={}", packed(text)));
            }
        }
    }
}

fn add_item(token: &mut Token, item: &str) {
    token.misc = match token.misc == UNSPECIFIED {
        true => item.into(),
        false => format!("{}|{item}", token.misc).into(),
    };
}

/// Takes what comments and MISC say into an analysis, and away from the sentence. What makes no sense any more, because somebody has
/// changed it, stays a comment.
pub(super) fn read(sentence: &mut Sentence, analysis: &mut Analysis) {
    let mut remarks: Vec<Comment> = Vec::new();
    sentence.comments.retain(|comment| {
        if let Some(rest) = comment.strip_prefix(REMARK) {
            let (on, text) = on_and_text(rest.trim_start());
            let is_there = match on {
                On::Word { word } | On::Arc { word } => word as usize <= analysis.tokens().len(),
                On::Sentence => true,
            };
            remarks.extend(is_there.then(|| Comment { on, text: text.into() }));
            return !is_there;
        }
        let changes = match comment.strip_prefix(BLOCK) {
            Some(block) => block_changes(block, analysis),
            None => changes(comment),
        };
        let n_made = changes.iter().filter(|change| analysis.apply(change).is_ok()).count();
        n_made < changes.len() || changes.is_empty()
    });
    for (word, token) in (1..).zip(sentence.words_mut()) {
        remarks.extend(take_remarks(word, token));
    }
    for (n, Comment { on, text }) in (1..).zip(remarks) {
        let _ = analysis.apply(&Change::Comment { n, on, text: Some(text) });
    }
}

fn changes(comment: &Text) -> Vec<Change> {
    let items = |key: &str| comment.strip_prefix(key).into_iter().flat_map(str::split_whitespace);
    // What is no number is no word of any sentence, so that the comment stays.
    let word = |item: &str| item.parse().unwrap_or(0);
    let main = items(MAIN).map(|of| Change::Main { of: word(of), is: true });
    let unsure = items(UNSURE).map(|of| Change::Unsure { of: word(of), is: true });
    let ruled_out = items(RULED_OUT).map(|item| {
        let (of, to) = item.split_once('>').unwrap_or_default();
        Change::Forbid { of: word(of), to: word(to), is: true }
    });
    main.chain(unsure).chain(ruled_out).collect()
}

fn block_changes(comment: &str, analysis: &Analysis) -> Vec<Change> {
    let parts: Vec<&str> = comment.split_whitespace().collect();
    let number = |at: usize| parts.get(at).and_then(|part| part.parse::<u32>().ok());
    let (words, relation) = match (number(1), number(2)) {
        (Some(first), Some(last)) => ((first..=last).take(LONGEST).collect(), parts.get(3)),
        _ => (parts.get(1).map_or_else(Vec::new, |ranges| numbers(ranges)), parts.get(2)),
    };
    let label = parts.first().filter(|label| **label != UNSPECIFIED).map(|&label| Text::from(label));
    let is_same = |block: &WordBlock| block.words.iter().copied().eq(words.iter().copied());
    let known = analysis.blocks().iter().find(|(_, block)| is_same(block)).map(|(&id, _)| id);
    let id = known.unwrap_or_else(|| analysis.blocks().keys().max().map_or(1, |most| most + 1));
    let head = match analysis.blocks().get(&id).map(|block| &block.kind) {
        Some(BlockKind::Bracket { head }) => *head,
        _ => None,
    };
    let mut changes = Vec::new();
    if label.is_some() || known.is_none() {
        changes.push(Change::Bracket { id, kind: None, words, head, label });
    }
    let of = WordOrBlock::Block { bracket: id };
    changes.extend(relation.map(|&relation| Change::Relation { of, is: Some(relation.into()) }));
    changes
}

/// The numbers of `1-3,5`.
fn numbers(ranges: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    ranges.split(',').filter_map(range).flatten().take(LONGEST).collect()
}

/// What a remark in a line is on, and what it says.
fn on_and_text(remark: &str) -> (On, &str) {
    let of_word = |text: &str| text.parse().ok().filter(|&word: &u32| word > 0);
    match remark.split_once(": ") {
        Some(("0", text)) => (On::Sentence, text),
        Some((on, text)) => match (of_word(on), on.strip_prefix("arc of ").and_then(of_word)) {
            (Some(word), _) => (On::Word { word }, text),
            (_, Some(word)) => (On::Arc { word }, text),
            _ => (On::Sentence, remark),
        },
        None => (On::Sentence, remark),
    }
}

/// The remarks in MISC, which lie beside the sentence from then on.
fn take_remarks(word: u32, token: &mut Token) -> Vec<Comment> {
    let key = |item: &str| {
        item.split('=').next().unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit()).to_string()
    };
    let is_remark = |item: &str| IN_MISC.contains(&key(item).as_str()) && item.contains('=');
    if !token.misc.split('|').any(is_remark) {
        return Vec::new();
    }
    let (remarks, others): (Vec<&str>, Vec<&str>) = token.misc.split('|').partition(|item| is_remark(item));
    let comment = |item: &str| {
        let on = if key(item) == IN_MISC[0] { On::Word { word } } else { On::Arc { word } };
        let text = item.split_once('=').map(|(_, text)| unpacked(text).into_owned());
        Comment { on, text: text.unwrap_or_default() }
    };
    let found = remarks.into_iter().map(comment).collect();
    token.misc = if others.is_empty() { UNSPECIFIED } else { others.join("|").into() };
    found
}
