//! Words and tags of a treebank file with one tree per line.

use std::collections::BTreeMap;

/// Tagged sentences, tags as numbers.
pub(crate) struct Treebank {
    pub(crate) sentences: Vec<Vec<(String, u32)>>,
    pub(crate) n_tags: usize,
}

impl Treebank {
    /// The training part of a treebank, or `None` if the reference data are not there.
    pub(crate) fn training(name: &str) -> Option<Treebank> {
        let path = testkit::shared(&format!("data/constituency/{name}/norm/train.mrg"))?;
        Some(Treebank::read(&std::fs::read_to_string(path).expect("a readable treebank")))
    }

    fn read(text: &str) -> Treebank {
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let mut number = |tag| {
            let next = numbers.len() as u32;
            *numbers.entry(tag).or_insert(next)
        };
        let sentence = |line| preterminals(line).map(|(tag, word)| (word.to_owned(), number(tag))).collect();
        let sentences = text.lines().map(sentence).collect();
        Treebank { sentences, n_tags: numbers.len() }
    }
}

/// Every `(TAG word)` of a line.
fn preterminals(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.split('(').filter_map(|part| {
        let (tag, rest) = part.split_once(' ')?;
        let (word, _) = rest.split_once(')')?;
        (!word.is_empty()).then_some((tag, word))
    })
}

#[test]
fn the_reader_finds_tags_and_words() {
    let found: Vec<_> = preterminals("(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sits))))").collect();
    assert_eq!(found, [("DT", "the"), ("NN", "cat"), ("VBZ", "sits")]);
}
