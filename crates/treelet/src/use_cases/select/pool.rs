//! Sentences with what is known and unknown of them.

use super::chosen::{Doubt, PossibleHead};
use crate::imputation::annotated::{AnnotatedSentence, word_ids};
use crate::imputation::gathered::{Gathered, demanded};
use crate::imputation::identity::Groups;
use crate::imputation::rows::id_of;
use crate::options::study::UnitChoice;
use impute::ArcPosteriors;
use std::collections::BTreeSet;
use study::cost::{Cost, Work};
use study::select::{Candidate, Census, Choice, Counted, Options, Strategy, Traits};
use tree::PutInOrder;
use tree::Text;

/// So many words of a sentence are shown.
const MOST_WORDS: usize = 3;

/// Everything that could be annotated.
pub(super) struct Pool<'a> {
    pub(super) items: Vec<PoolSentence<'a>>,
    cost: Cost,
}

/// One sentence, once, however often it was annotated.
pub(super) struct PoolSentence<'a> {
    /// Its number, counted through all files.
    pub(super) number: usize,
    /// The file, and whether another sentence has the same id.
    pub(super) file: String,
    shares_id: bool,
    pub(super) annotated: &'a AnnotatedSentence,
    pub(super) posteriors: &'a ArcPosteriors,
    /// Words nobody gave a head to, from 1.
    pub(super) open: Vec<usize>,
    /// The heads that each word was given, each with the relation of who gave it.
    pub(super) heads: Vec<BTreeSet<(usize, Text)>>,
    pub(super) n_annotations: usize,
    counted: Counted,
}

impl<'a> Pool<'a> {
    pub(super) fn new(
        gathered: &'a Gathered,
        groups: &Groups,
        posteriors: &'a [ArcPosteriors],
        cost: Cost,
    ) -> Self {
        let sentences: Vec<(&AnnotatedSentence, String)> = gathered
            .corpora
            .iter()
            .flat_map(|corpus| corpus.sentences.iter().map(|one| (one, corpus.source.name())))
            .collect();
        let mut census = Census::default();
        let mut items = Vec::new();
        for group in &groups.all {
            let Some((&first, posteriors)) =
                group.first().and_then(|first| Some((first, posteriors.get(*first)?)))
            else {
                continue;
            };
            let (annotated, file) = &sentences[first];
            let heads = said(group, &sentences, gathered);
            let n_words = annotated.said.n_words;
            let forms = annotated.sentence.words().map(|word| word.form.as_str());
            items.push(PoolSentence {
                number: first + 1,
                file: file.clone(),
                shares_id: annotated.sentence.id().is_some_and(|id| groups.is_shared(id)),
                annotated,
                posteriors,
                open: (1..=n_words).filter(|&word| heads[word - 1].is_empty()).collect(),
                heads,
                n_annotations: group.len(),
                counted: census.count(forms, &gathered.tags.tags(&annotated.sentence)),
            });
        }
        Self { items, cost }
    }

    /// Words or sentences with something open or disputed, and what they are made of.
    pub(super) fn candidates(&self, unit: UnitChoice) -> (Vec<Candidate>, Vec<Traits>) {
        let mut all = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            match unit {
                UnitChoice::Sentence => all.extend(self.sentence(at, item)),
                UnitChoice::Arc => all.extend(item.words().map(|word| self.word(at, item, word))),
            }
        }
        all.into_iter().unzip()
    }

    fn sentence(&self, at: usize, item: &PoolSentence<'_>) -> Option<(Candidate, Traits)> {
        let n_words = item.annotated.said.n_words;
        let words: Vec<(usize, f64)> =
            item.words().map(|word| (word, item.posteriors.entropy(word))).collect();
        let done = Work { n_words, n_arcs: n_words - words.len() };
        let whole = Candidate {
            sentence: at,
            word: None,
            entropy: words.iter().map(|(_, entropy)| entropy).sum(),
            cost: self.cost.of_return(done, words.len()),
            n_annotations: item.n_annotations,
            disagreement: (1..=n_words).map(|word| item.disagreement(word)).sum(),
            unspecified_share: item.open.len() as f64 / n_words.max(1) as f64,
        };
        (!words.is_empty()).then(|| (whole, item.counted.traits(words)))
    }

    fn word(&self, at: usize, item: &PoolSentence<'_>, word: usize) -> (Candidate, Traits) {
        let n_words = item.annotated.said.n_words;
        let entropy = item.posteriors.entropy(word);
        let candidate = Candidate {
            sentence: at,
            word: Some(word),
            entropy,
            cost: self.cost.of_return(Work { n_words, n_arcs: n_words - item.open.len().max(1) }, 1),
            n_annotations: item.n_annotations,
            disagreement: item.disagreement(word),
            unspecified_share: item.open.len() as f64 / n_words.max(1) as f64,
        };
        (candidate, item.counted.word_traits(word, entropy))
    }
}

/// What all annotations of a sentence say of its heads.
fn said(
    group: &[usize],
    sentences: &[(&AnnotatedSentence, String)],
    gathered: &Gathered,
) -> Vec<BTreeSet<(usize, Text)>> {
    let n_words = group.first().map_or(0, |&first| sentences[first].0.said.n_words);
    let mut heads = vec![BTreeSet::new(); n_words];
    for &at in group {
        let annotated = sentences[at].0;
        let relations: Vec<Text> = annotated.sentence.words().map(|word| word.deprel.clone()).collect();
        for (head, word) in demanded(annotated, &gathered.fragments[at]) {
            heads[word - 1].insert((head, relations.get(word - 1).cloned().unwrap_or_default()));
        }
    }
    heads
}

impl PoolSentence<'_> {
    /// The id, if it is its own, or else the file and the line.
    pub(super) fn name(&self) -> String {
        match self.annotated.sentence.id().filter(|_| !self.shares_id) {
            Some(id) => id.to_string(),
            None if self.shares_id => self.place(),
            None => self.number.to_string(),
        }
    }

    /// Where it stands.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.file, self.annotated.line)
    }

    /// Different heads that a word was given.
    pub(super) fn given(&self, word: usize) -> Vec<usize> {
        let mut heads: Vec<usize> = self.heads[word - 1].iter().map(|(head, _)| *head).collect();
        heads.dedup();
        heads
    }

    /// How many more heads than one a word was given.
    fn disagreement(&self, word: usize) -> usize {
        self.given(word).len().saturating_sub(1)
    }

    /// Words worth asking about.
    pub(super) fn words(&self) -> impl Iterator<Item = usize> {
        (1..=self.heads.len()).filter(|&word| self.given(word).len() != 1)
    }

    pub(super) fn least_certain(&self) -> Vec<usize> {
        let posteriors = self.posteriors;
        let mut words: Vec<usize> = self.words().collect();
        words.order_by(|&a, &b| posteriors.entropy(b).total_cmp(&posteriors.entropy(a)).then(a.cmp(&b)));
        words.truncate(MOST_WORDS);
        words
    }

    /// The words that are asked about by a choice.
    pub(super) fn shown(&self, choice: &Choice) -> Vec<usize> {
        choice.candidate.word.map_or_else(|| self.least_certain(), |word| vec![word])
    }

    pub(super) fn form(&self, word: usize) -> &str {
        match word {
            0 => "ROOT",
            _ => self.annotated.sentence.words().nth(word - 1).map_or("", |token| token.form.as_str()),
        }
    }

    /// A word and its two best heads.
    pub(super) fn doubt(&self, word: usize) -> Doubt {
        let ids = word_ids(&self.annotated.sentence);
        let head = |&(head, probability): &(usize, f64)| PossibleHead {
            head: id_of(head, &ids),
            form: self.form(head).to_string(),
            probability,
        };
        let heads = self.posteriors.ranked(word).iter().take(2).map(head).collect();
        Doubt { word: id_of(word, &ids), form: self.form(word).to_string(), heads }
    }
}

/// Whether choices by a strategy look at what was chosen before.
pub(super) fn is_diverse(options: &Options) -> bool {
    matches!(options.strategy, Strategy::Entropy | Strategy::EntropyPerCost)
}
