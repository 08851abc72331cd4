//! A small language with trees, and parsers of it.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use chain::container::{self, Header};
use chain::{Rng, Stream, Threads, Workers};
use dependency::{
    Annotated, DependencyModel, DependencyOptions, Descent, Epoch, LearnError, Learner, Order, ParseOptions,
    Parsed, Workspace,
};
use tree::Possible;
use tree::{Head, PartialTree, Reading, Sentence, Text};

struct Maker<'r> {
    rng: &'r mut Rng,
    /// Form, tag, head and relation; heads are numbers in this list, from 1.
    words: Vec<(String, &'static str, usize, &'static str)>,
}

impl Maker<'_> {
    fn word(&mut self, tag: &'static str, relation: &'static str) -> usize {
        let form = format!("{}{}", tag.to_lowercase(), self.rng.below(6));
        self.words.push((form, tag, 0, relation));
        self.words.len()
    }

    fn luck(&mut self, p: f64) -> bool {
        self.rng.uniform() < p
    }

    /// A noun with what belongs to it; returns the noun.
    fn noun_phrase(&mut self, relation: &'static str, depth: usize) -> usize {
        let mut before = Vec::new();
        if self.luck(0.6) {
            before.push(self.word("DET", "det"));
        }
        if self.luck(0.4) {
            before.push(self.word("ADJ", "amod"));
        }
        let noun = self.word("NOUN", relation);
        before.into_iter().for_each(|word| self.words[word - 1].2 = noun);
        if depth > 0 && self.luck(0.3) {
            let adposition = self.word("ADP", "case");
            let inner = self.noun_phrase("nmod", depth - 1);
            self.words[adposition - 1].2 = inner;
            self.words[inner - 1].2 = noun;
        }
        noun
    }

    fn clause(&mut self) {
        let subject = self.luck(0.8).then(|| self.noun_phrase("nsubj", 1));
        let verb = self.word("VERB", "root");
        subject.into_iter().for_each(|word| self.words[word - 1].2 = verb);
        let object = self.noun_phrase("obj", 1);
        self.words[object - 1].2 = verb;
        if self.luck(0.4) {
            let adverb = self.word("ADV", "advmod");
            self.words[adverb - 1].2 = verb;
        }
    }
}

/// A sentence of forms, tags, heads and relations.
pub(crate) fn sentence<'a>(words: impl IntoIterator<Item = (&'a str, &'a str, usize, &'a str)>) -> Sentence {
    let words: Vec<_> = words.into_iter().collect();
    let mut sentence = Sentence::from_forms(words.iter().map(|word| word.0));
    for (token, (_, tag, head, relation)) in sentence.words_mut().zip(words) {
        (token.upos, token.deprel) = (Text::from(tag), Text::from(relation));
        token.head = Head::read(&head.to_string());
    }
    sentence
}

/// So many sentences of the toy language.
pub(crate) fn sentences(n: usize, seed: u64) -> Vec<Sentence> {
    let make = |number: usize| {
        let mut rng = Stream::new(seed).item(number).rng();
        let mut maker = Maker { rng: &mut rng, words: Vec::new() };
        maker.clause();
        sentence(maker.words.iter().map(|(form, tag, head, name)| (form.as_str(), *tag, *head, *name)))
    };
    (0..n).map(make).collect()
}

/// The sentences with what their heads say.
pub(crate) fn annotated(sentences: &[Sentence]) -> Vec<Annotated> {
    let annotate = |sentence: &Sentence| {
        let said = PartialTree::from_sentence(sentence);
        let possible = Possible::new(&said, &Reading::default()).unwrap();
        Annotated { sentence: sentence.clone(), possible, weight: 1.0 }
    };
    sentences.iter().map(annotate).collect()
}

/// Settings for small data and little time.
pub(crate) fn quick(order: Order) -> DependencyOptions {
    let descent = Descent { epochs: 3, batch: 8, rate: 0.1, l2: 0.01, l1: 0.0 };
    DependencyOptions {
        order,
        first: descent,
        pruner: Descent { epochs: 2, ..descent },
        second: descent,
        labels: descent,
        bits: 12,
        label_bits: 8,
        ..DependencyOptions::default()
    }
}

pub(crate) fn workers(n: usize) -> Workers {
    Workers::new(Threads::Exactly(NonZeroUsize::new(n).unwrap())).unwrap()
}

pub(crate) fn train(
    data: &[Annotated],
    dev: &[Sentence],
    options: &DependencyOptions,
) -> Result<DependencyModel, LearnError> {
    train_from(None, data, dev, options)
}

/// Trains on two threads; losses must be numbers.
pub(crate) fn train_from(
    start: Option<&DependencyModel>,
    data: &[Annotated],
    dev: &[Sentence],
    options: &DependencyOptions,
) -> Result<DependencyModel, LearnError> {
    let workers = workers(2);
    let learner = Learner::new(data, dev, start, options, &workers)?;
    let mut watch = |epoch: &Epoch, _: &dyn Fn() -> Vec<u8>| {
        assert!(epoch.loss.is_finite() && epoch.overall.0 <= epoch.overall.1, "{epoch:?}");
        ControlFlow::Continue(())
    };
    Ok(learner.run(&workers, &mut watch)?.expect("nobody ended it"))
}

/// The bytes of a model in a file.
pub(crate) fn bytes_of(model: &DependencyModel) -> Vec<u8> {
    container::encode(&Header::default(), model).unwrap()
}

/// A model from the bytes of a file.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<DependencyModel, container::Problem> {
    container::decode(bytes, "", 0).map(|(_, model)| model)
}

/// A sentence with everything that can be asked of a parser; what comes must be numbers.
pub(crate) fn parse(model: &DependencyModel, sentence: &Sentence, possible: Option<&Possible>) -> Parsed {
    let options = ParseOptions { posteriors: true, n_best: 3, ..ParseOptions::default() };
    let parsed = model.parse(sentence, possible, &options, &mut Workspace::default());
    let n_words = sentence.n_words();
    assert_eq!((parsed.heads.len(), parsed.relations.len()), (n_words, n_words));
    let posteriors = parsed.posteriors.as_ref().unwrap();
    for word in 1..=n_words {
        let sum: f64 = posteriors.row(word).iter().sum();
        assert!((sum - 1.0).abs() < 1e-6, "the heads of word {word} have {sum}");
    }
    assert!(parsed.relations.iter().all(|(_, p)| (0.0..=1.0).contains(p)));
    assert!(parsed.n_best.iter().all(|ranked| (0.0..=1.0).contains(&ranked.probability)));
    assert!(model.temperature().is_finite());
    parsed
}

/// The shares of right heads, and of right heads with right relations.
pub(crate) fn accuracy(model: &DependencyModel, sentences: &[Sentence]) -> (f64, f64) {
    let (mut heads, mut both, mut all) = (0, 0, 0);
    for sentence in sentences {
        let parsed = parse(model, sentence, None);
        for (at, token) in sentence.words().enumerate() {
            let is_right = token.head.index() == Some(parsed.heads.as_slice()[at]);
            heads += usize::from(is_right);
            both += usize::from(is_right && parsed.relations[at].0 == token.deprel);
            all += 1;
        }
    }
    (heads as f64 / all as f64, both as f64 / all as f64)
}
