//! Tweets, what annotators said of them, and their trees.

use anyhow::{Context, ensure};
use formats::gfl::{Block, GflReader, bare_forms};
use indexmap::{IndexMap, IndexSet};
use score::agreement::definite_heads;
use std::collections::BTreeMap;
use tree::{PartialTree, Sentence, Text};

use crate::corpus::reference;

/// A head for each word: 0 for the root, `None` where there is none.
pub(super) type HeadList = Vec<Option<usize>>;

/// What one person said of a tweet.
pub(super) struct Annotation {
    /// An index into [`TweebankData::annotators`].
    pub(super) annotator: usize,
    /// Where the block begins in the file.
    pub(super) line: u32,
    pub(super) said: PartialTree,
    /// The heads that are certain, over all words.
    pub(super) heads: HeadList,
}

/// A tweet with everything that is known of it.
pub(super) struct Tweet {
    pub(super) forms: Vec<Text>,
    pub(super) tags: Vec<Text>,
    /// In the order of the file.
    pub(super) annotations: Vec<Annotation>,
    /// Trees of the treebank in its order; words that are left out have no head. Some tweets have several.
    pub(super) trees: Vec<HeadList>,
    /// The tree that the treebank's list of tweets points at.
    listed: usize,
}

impl Tweet {
    /// The tree that counts, if there is one.
    pub(super) fn gold(&self) -> Option<&HeadList> {
        self.trees.get(self.listed)
    }

    /// The words without a tree.
    pub(super) fn sentence(&self) -> Sentence {
        let mut sentence = Sentence::from_forms(self.forms.iter().cloned());
        for (token, tag) in sentence.words_mut().zip(&self.tags) {
            token.upos = tag.clone();
        }
        sentence
    }

    /// Words that any annotator named.
    pub(super) fn mentioned(&self) -> Vec<usize> {
        let mut words: Vec<usize> =
            self.annotations.iter().flat_map(|annotation| annotation.said.mentioned_words()).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// One annotation of each annotator; of those who came back to the tweet, the last.
    pub(super) fn voices(&self) -> Vec<&Annotation> {
        let is_last = |at: usize| {
            self.annotations[at + 1..].iter().all(|later| later.annotator != self.annotations[at].annotator)
        };
        (0..self.annotations.len()).filter(|&at| is_last(at)).map(|at| &self.annotations[at]).collect()
    }

    /// The certain heads by each annotator.
    pub(super) fn head_lists(&self) -> Vec<HeadList> {
        self.voices().iter().map(|annotation| annotation.heads.clone()).collect()
    }

    /// Whether every annotation has its own tree: the treebank lists trees in the order of annotations.
    pub(super) fn has_tree_per_annotation(&self) -> bool {
        self.trees.len() > 1 && self.trees.len() == self.annotations.len()
    }
}

/// Something in an annotation that could not be understood.
pub(super) struct Misread {
    /// Where the annotation begins in the file.
    pub(super) block: u32,
    /// The rule that it breaks.
    pub(super) rule: &'static str,
}

/// Everything in the folder.
pub(super) struct TweebankData {
    pub(super) tweets: Vec<Tweet>,
    /// Login names, which stay inside: pages call people by what [`TweebankData::called`] says.
    pub(super) annotators: IndexSet<Text>,
    /// Errors that the reader found.
    pub(super) errors: Vec<Misread>,
    /// Blocks without a tag for each word, which are not used, by line.
    pub(super) untagged: Vec<u32>,
    /// Trees of the treebank that belong to no annotated tweet.
    pub(super) n_other_trees: usize,
}

impl TweebankData {
    pub(super) fn read() -> anyhow::Result<TweebankData> {
        let mut data = TweebankData {
            tweets: Vec::new(),
            annotators: IndexSet::new(),
            errors: Vec::new(),
            untagged: Vec::new(),
            n_other_trees: 0,
        };
        let ids = data.read_annotations()?;
        data.read_trees(&ids)?;
        Ok(data)
    }

    /// All annotations with the tweets they belong to.
    pub(super) fn annotations(&self) -> impl Iterator<Item = (&Tweet, &Annotation)> {
        self.tweets
            .iter()
            .flat_map(|tweet| tweet.annotations.iter().map(move |annotation| (tweet, annotation)))
    }

    /// What pages call the annotators, in the order of [`TweebankData::annotators`]: A has most annotations, then B, and so on.
    pub(super) fn called(&self) -> Vec<String> {
        let mut n_annotations: IndexMap<usize, usize> = IndexMap::new();
        for (_, annotation) in self.annotations() {
            *n_annotations.entry(annotation.annotator).or_default() += 1;
        }
        n_annotations.sort_by(|_, one, _, other| other.cmp(one));
        let named = n_annotations.into_keys().filter(|&at| self.annotators[at] != "None");
        let mut called = vec!["no name".to_owned(); self.annotators.len()];
        for (rank, at) in named.enumerate() {
            called[at] = letters(rank);
        }
        called
    }

    /// Returns the tweets by id.
    fn read_annotations(&mut self) -> anyhow::Result<IndexMap<String, usize>> {
        let bytes = std::fs::read(reference("data/gfl/tweebank/tweebank.anno")?)?;
        let mut ids: IndexMap<String, usize> = IndexMap::new();
        for read in GflReader::new(bytes.as_slice()) {
            let read = read?;
            let name = Text::from(read.value.field("ANNOTATOR").unwrap_or_default());
            for problem in read.problems.iter().filter(|problem| problem.is_error()) {
                self.errors.push(Misread { block: read.line, rule: problem.rule });
            }
            self.add(read.value, name, &mut ids);
        }
        Ok(ids)
    }

    fn add(&mut self, block: Block, name: Text, ids: &mut IndexMap<String, usize>) {
        let tags = block.tags.clone().filter(|tags| tags.len() == block.said.n_words);
        let (Some(tags), Some(id)) = (tags, block.id.clone()) else {
            // An empty part of the file says nothing.
            if !block.sections.is_empty() {
                self.untagged.push(block.first_line);
            }
            return;
        };
        let at = *ids.entry(id).or_insert_with(|| {
            let forms = bare_forms(&block.tokens);
            self.tweets.push(Tweet { forms, tags, annotations: Vec::new(), trees: Vec::new(), listed: 0 });
            self.tweets.len() - 1
        });
        let (annotator, _) = self.annotators.insert_full(name);
        let heads = definite_heads(&block.said);
        self.tweets[at].annotations.push(Annotation {
            annotator,
            line: block.first_line,
            said: block.said,
            heads,
        });
    }

    fn read_trees(&mut self, ids: &IndexMap<String, usize>) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(reference("data/gfl/tweebank/gold_train.conll")?)?;
        let trees: anyhow::Result<Vec<_>> =
            text.split("\n\n").filter(|block| !block.trim().is_empty()).map(tree).collect();
        let trees = trees?;
        let mut by_forms: BTreeMap<&[Text], Vec<usize>> = BTreeMap::new();
        for (at, (forms, _)) in trees.iter().enumerate() {
            by_forms.entry(forms).or_default().push(at);
        }
        for (id, listed) in listed_trees()? {
            let Some(tweet) = ids.get(&id).map(|&at| &mut self.tweets[at]) else { continue };
            let same = by_forms.remove(tweet.forms.as_slice()).unwrap_or_default();
            let at = same.iter().position(|&at| at == listed);
            tweet.listed = at.with_context(|| format!("tweet {id}: tree {} has other words", listed + 1))?;
            tweet.trees = same.iter().map(|&at| trees[at].1.clone()).collect();
        }
        self.n_other_trees = by_forms.values().map(Vec::len).sum();
        Ok(())
    }
}

/// A to Z, then AA to AZ, and so on.
fn letters(rank: usize) -> String {
    let letter = char::from(b'A' + (rank % 26) as u8);
    match rank / 26 {
        0 => letter.to_string(),
        more => letters(more - 1) + &letter.to_string(),
    }
}

/// Forms and heads of a tree in columns.
fn tree(block: &str) -> anyhow::Result<(Vec<Text>, HeadList)> {
    let (mut forms, mut heads) = (Vec::new(), Vec::new());
    for line in block.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        ensure!(columns.len() > 6, "`{line}` has too few columns for a tree");
        forms.push(Text::from(columns[1]));
        let head: i64 = columns[6].parse().with_context(|| format!("`{line}`: no head"))?;
        heads.push(usize::try_from(head).ok());
    }
    Ok((forms, heads))
}

/// Ids of tweets and the places of their trees, from 0.
fn listed_trees() -> anyhow::Result<Vec<(String, usize)>> {
    let text = std::fs::read_to_string(reference("data/gfl/tweebank/mappings.tsv")?)?;
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let place: usize = columns.get(3)?.parse().ok()?;
        Some((columns[0].to_owned(), place.checked_sub(1)?))
    };
    Ok(text.lines().skip(1).filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_annotations_and_trees_are_found() {
        if testkit::shared("data/gfl/tweebank/tweebank.anno").is_none() {
            return;
        }
        let data = TweebankData::read().unwrap();
        let with_tree = || data.tweets.iter().filter(|tweet| tweet.gold().is_some());
        assert_eq!((data.annotations().count(), data.tweets.len(), with_tree().count()), (1008, 849, 642));
        let n_trees: usize = data.tweets.iter().map(|tweet| tweet.trees.len()).sum();
        assert_eq!((n_trees, data.n_other_trees, data.untagged.len()), (717, 0, 0));
    }

    #[test]
    fn people_are_called_by_letters() {
        assert_eq!([0, 25, 26, 51, 52].map(letters), ["A", "Z", "AA", "AZ", "BA"]);
    }

    #[test]
    fn nobody_is_called_by_a_login_name() {
        if testkit::shared("data/gfl/tweebank/tweebank.anno").is_none() {
            return;
        }
        let data = TweebankData::read().unwrap();
        let called: IndexSet<String> = data.called().into_iter().collect();
        assert_eq!(called.len(), data.annotators.len());
        assert!(data.annotators.iter().all(|login| !called.contains(login.as_str())));
    }

    #[test]
    fn who_comes_back_has_one_voice() {
        let annotation = |annotator: usize, line: u32| Annotation {
            annotator,
            line,
            said: PartialTree::new(1),
            heads: vec![None],
        };
        let tweet = Tweet {
            forms: vec!["a".into()],
            tags: vec!["D".into()],
            annotations: vec![annotation(3, 1), annotation(5, 2), annotation(3, 4)],
            trees: Vec::new(),
            listed: 0,
        };
        let lines: Vec<u32> = tweet.voices().iter().map(|voice| voice.line).collect();
        assert_eq!(lines, [2, 4]);
        assert!(tweet.gold().is_none());
    }
}
