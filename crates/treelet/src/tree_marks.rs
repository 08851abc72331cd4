//! Who built a bracketed tree, in the comment before it.
//!
//! ```text
//! # treelet_by = constituency@1f2e3d4c:9ab3c1d2 said 1-3:NP 2:NN 4-6
//! (S (NP (DT the) (NN goat) …
//! ```
//!
//! A machine signs with its name and a checksum of the tree, so that a tree that somebody corrects is that person's
//! without further ado. Brackets and tags that a person had said, and that the machine kept, are listed by their
//! first and last word, from 1, with the label if that was said too. A tree without such a comment was drawn by a
//! person.

use formats::brackets::{Bracketed, to_string};
use grammar::anchor::Brackets;
use std::io::{self, Write};
use tree::PutInOrder;
use tree::{Text, Tree, TreeBuilder};

const KEY: &str = "# treelet_by =";

/// What a machine built, and what of it a person had said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    /// Who built it.
    pub(crate) machine: String,
    /// What a person had said: first and last word, from 1, and the label if it was said.
    pub(crate) said: Vec<(usize, usize, Option<Text>)>,
}

/// The comment for a tree.
pub(crate) fn comment(tree: &str, machine: &str, given: Option<&Brackets>) -> String {
    let mut comment = format!("{KEY} {machine}:{:08x}", checksum(tree));
    let said = given.map(said).unwrap_or_default();
    if !said.is_empty() {
        comment.push_str(" said");
    }
    for (first, last, label) in said {
        comment.push_str(&if first == last { format!(" {first}") } else { format!(" {first}-{last}") });
        if let Some(label) = label {
            comment.push(':');
            comment.push_str(&label);
        }
    }
    comment
}

/// Writes a tree on a line, and before it who built it, if that is to be said.
pub(crate) fn write_text(tree: &str, machine: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    if let Some(machine) = machine {
        writeln!(out, "{}", comment(tree, machine, None))?;
    }
    writeln!(out, "{tree}")
}

fn said(given: &Brackets) -> Vec<(usize, usize, Option<Text>)> {
    let constituents = given.constituents.iter().map(|(start, end, label)| {
        let label = label.clone().filter(|label| label.as_str() != "_" && !label.is_empty());
        (*start as usize + 1, *end as usize, label)
    });
    let whole = given.words.len();
    let constituents =
        constituents.filter(|(first, last, label)| label.is_some() || (*first, *last) != (1, whole));
    let tags =
        given.tags.iter().enumerate().filter_map(|(at, tag)| Some((at + 1, at + 1, Some(tag.clone()?))));
    constituents.chain(tags).collect()
}

/// Who built a tree if it was a machine, and nobody has changed the tree since.
pub(crate) fn marked(bracketed: &Bracketed) -> Option<Marked> {
    let tree = bracketed.tree.as_ref()?;
    let mark = bracketed.comments.iter().rev().find_map(|comment| comment.strip_prefix(KEY))?;
    let (signature, said) = mark.trim().split_once(" said").unwrap_or((mark.trim(), ""));
    let (machine, sum) = signature.rsplit_once(':')?;
    if u32::from_str_radix(sum.trim(), 16).ok()? != checksum(&to_string(tree)) {
        return None;
    }
    let said = said.split_whitespace().filter_map(|item| read_item(item, tree.n_words())).collect();
    Some(Marked { machine: machine.to_string(), said })
}

fn read_item(item: &str, n_words: usize) -> Option<(usize, usize, Option<Text>)> {
    let (place, label) = item.split_once(':').map_or((item, None), |(place, label)| (place, Some(label)));
    let (first, last) = place.split_once('-').unwrap_or((place, place));
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first <= last && last <= n_words).then(|| (first, last, label.map(Text::from)))
}

/// As much of a tree as people said: all of it, or what a machine says that it was given.
pub(crate) fn said_by_people(bracketed: &Bracketed) -> Option<Tree<Text>> {
    let tree = bracketed.tree.as_ref()?;
    Some(match marked(bracketed) {
        None => tree.clone(),
        Some(marked) => sketch(tree, &marked),
    })
}

/// A tree with the brackets and tags that were said, others left out; what has no label is called `_`.
fn sketch(tree: &Tree<Text>, marked: &Marked) -> Tree<Text> {
    let words: Vec<&Text> = tree.words().collect();
    let mut brackets: Vec<&(usize, usize, Option<Text>)> = marked
        .said
        .iter()
        .filter(|(first, last, _)| (*first, *last) != (1, words.len()) || words.len() == 1)
        .collect();
    brackets.order_by_key(|(first, last, _)| (*first, std::cmp::Reverse(*last)));
    let top =
        marked.said.iter().find(|(first, last, _)| (*first, *last) == (1, words.len()) && words.len() > 1);
    let label = |label: &Option<Text>| label.clone().unwrap_or_else(|| "_".into());
    let mut builder = TreeBuilder::new();
    builder.open(top.map_or_else(|| "_".into(), |(_, _, name)| label(name)));
    for (at, word) in (1..).zip(&words) {
        let opened = brackets.iter().filter(|(first, _, _)| *first == at);
        opened.for_each(|(_, _, name)| builder.open(label(name)));
        builder.word((*word).clone());
        brackets.iter().filter(|(_, last, _)| *last == at).for_each(|_| _ = builder.close());
    }
    builder.close();
    builder.finish().unwrap_or_else(|| tree.clone())
}

/// By which a text is known again.
pub(crate) fn checksum(tree: &str) -> u32 {
    (chain::container::crc64(tree.as_bytes()) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::brackets::BracketReader;

    fn read(text: &str) -> Bracketed {
        BracketReader::new(text.as_bytes()).next().unwrap().unwrap().value
    }

    #[test]
    fn a_tree_is_the_machines_until_somebody_changes_it() {
        let tree = "(S (NP (DT the) (NN goat)) (VP (VB sleeps)))";
        let text = format!("{}\n{tree}\n", comment(tree, "constituency@1", None));
        assert_eq!(marked(&read(&text)).unwrap().machine, "constituency@1");
        assert_eq!(marked(&read(&text.replace("NN", "NNS"))), None);
        assert_eq!(marked(&read(tree)), None);
    }

    #[test]
    fn what_a_person_had_said_is_found_again() {
        let tree = "(S (NP (DT the) (NN goat)) (VP (VB sleeps)))";
        let mut given = Brackets::tree(&read("(_ (NP (_ the) (NN goat)) (_ sleeps))").tree.unwrap());
        given.tags = vec![None, Some("NN".into()), None];
        let text = format!("{}\n{tree}\n", comment(tree, "m", Some(&given)));
        assert!(text.contains(" said 1-2:NP 2:NN\n"), "{text}");
        let people = said_by_people(&read(&text)).unwrap();
        assert_eq!(to_string(&people), "(_ (NP the (NN goat)) sleeps)");
    }
}
