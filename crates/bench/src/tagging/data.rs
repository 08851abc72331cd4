//! Text with tags, and what annotators would make of it.

use std::cmp::Reverse;
use std::fmt::Write;

use anyhow::Context;
use indexmap::IndexMap;
use tag::{Choice, Dictionary, Tagged};
use tree::Text;

use crate::corpus::reference;
use crate::udpipe::Job;

/// Words with their tags.
pub(super) type Gold = Vec<(Text, Text)>;

/// Sentences of `word|TAG`, one per line.
pub(super) fn bars(path: &str) -> anyhow::Result<Vec<Gold>> {
    let text = std::fs::read_to_string(reference(path)?)?;
    let pair = |token: &str| -> anyhow::Result<(Text, Text)> {
        let (word, tag) = token.rsplit_once('|').with_context(|| format!("{path}: no tag in {token}"))?;
        Ok((Text::from(word), Text::from(tag)))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().map(pair).collect()).collect()
}

/// Sentences of `word TAG` in lines, with empty lines between sentences.
pub(super) fn columns(path: &str) -> anyhow::Result<Vec<Gold>> {
    let text = std::fs::read_to_string(reference(path)?)?;
    let mut sentences = vec![Gold::new()];
    for line in text.lines().map(str::trim) {
        match (line.rsplit_once(' '), sentences.last_mut()) {
            (Some((word, tag)), Some(last)) => last.push((Text::from(word.trim()), Text::from(tag))),
            _ => sentences.push(Gold::new()),
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    Ok(sentences)
}

/// Sentences of words, one per line.
pub(super) fn raw(path: &str) -> anyhow::Result<Vec<Vec<Text>>> {
    let text = std::fs::read_to_string(reference(path)?)?;
    Ok(text.lines().map(|line| line.split_whitespace().map(Text::from).collect()).collect())
}

/// The same without tags.
pub(super) fn words(sentences: &[Gold]) -> Vec<Vec<Text>> {
    sentences.iter().map(|sentence| sentence.iter().map(|(word, _)| word.clone()).collect()).collect()
}

/// Sentences to learn from; their tags are added to those of the dictionary.
pub(super) fn tagged(dictionary: &mut Dictionary, sentences: &[Gold]) -> Vec<Tagged> {
    let mut tagged = |sentence: &Gold| {
        let known = |(_, tag): &(Text, Text)| Choice::Known(dictionary.tags_mut().insert(tag));
        let choices = sentence.iter().map(known).collect();
        Tagged { words: sentence.iter().map(|(word, _)| word.clone()).collect(), choices, weight: 1.0 }
    };
    sentences.iter().map(&mut tagged).collect()
}

/// What an annotator of types makes of the most frequent words: the tags that at least a tenth of their tokens have, the most
/// frequent first, as people write them down.
pub(super) fn simulated_dictionary(train: &[Gold], n_types: usize) -> Dictionary {
    listed(train, n_types, 0.1)
}

/// All words with all tags that they have somewhere, the most frequent first.
pub(super) fn whole_dictionary(train: &[Gold]) -> Dictionary {
    listed(train, usize::MAX, 0.0)
}

/// The most frequent words with the tags that at least this share of their tokens has.
fn listed(train: &[Gold], n_types: usize, least: f64) -> Dictionary {
    let mut counts: IndexMap<&Text, IndexMap<&Text, usize>> = IndexMap::new();
    for (word, tag) in train.iter().flatten() {
        *counts.entry(word).or_default().entry(tag).or_default() += 1;
    }
    let mut frequent: Vec<(&Text, usize)> =
        counts.iter().map(|(word, tags)| (*word, tags.values().sum())).collect();
    frequent.sort_by_key(|&(_, count)| Reverse(count));
    let mut dictionary = Dictionary::default();
    for (word, count) in frequent.into_iter().take(n_types) {
        let is_usual = |n: usize| n as f64 >= least * count as f64;
        let mut usual: Vec<(&Text, usize)> =
            counts[word].iter().map(|(tag, n)| (*tag, *n)).filter(|(_, n)| is_usual(*n)).collect();
        usual.sort_by_key(|(_, n)| Reverse(*n));
        usual.iter().for_each(|(tag, _)| dictionary.insert(word, tag));
    }
    dictionary.ranked().0
}

/// The first sentences with about so many words.
pub(super) fn first_tokens(train: &[Gold], n_tokens: usize) -> &[Gold] {
    let mut sum = 0;
    let within = train.iter().take_while(|sentence| {
        sum += sentence.len();
        sum <= n_tokens
    });
    &train[..within.count().max(1).min(train.len())]
}

/// What UDPipe learns from and works on.
pub(super) fn job(name: &str, train: &[Gold], test: &[Gold]) -> Job {
    Job { name: name.to_owned(), train: conllu(train), test: conllu(test) }
}

fn conllu(sentences: &[Gold]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        for (id, (word, tag)) in (1..).zip(sentence) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{id}\t{word}\t_\t{tag}\t_\t_\t_\t_\t_\t_");
        }
        text.push('\n');
    }
    text
}

/// The share of words whose tag is right in a CoNLL-U text with the same words, in percent.
pub(super) fn accuracy(gold: &[Gold], found: &str) -> anyhow::Result<f64> {
    let found: Vec<&str> = found.lines().filter_map(|line| line.split('\t').nth(3)).collect();
    let gold: Vec<&Text> = gold.iter().flatten().map(|(_, tag)| tag).collect();
    anyhow::ensure!(gold.len() == found.len(), "{} words, tagged {}", gold.len(), found.len());
    let n_right = gold.iter().zip(&found).filter(|(gold, found)| gold.as_str() == **found).count();
    Ok(100.0 * n_right as f64 / gold.len() as f64)
}
