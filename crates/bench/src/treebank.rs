//! Treebanks of the reference data, cut into sentences to learn from and others to be judged by.

use tree::Sentence;

use crate::corpus::reference;

/// The sentences that systems are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// Those of the test file.
    #[default]
    Test,
    /// Those of the dev file.
    Dev,
    /// A fifth of the training sentences, which are not learned from.
    HeldOut,
}

/// Sentences to learn from and others to be judged by.
#[derive(Debug, Clone)]
pub(crate) struct Treebank {
    pub(crate) name: String,
    pub(crate) train: Vec<Sentence>,
    pub(crate) test: Vec<Sentence>,
}

impl Treebank {
    /// One of those that the peers were measured on, `en`, `wo` or `sme`, or a folder of Universal Dependencies; `seen` makes
    /// of a sentence what systems get to see of it.
    pub(crate) fn read(
        name: &str,
        part: Part,
        seen: impl Fn(Sentence) -> Sentence,
    ) -> anyhow::Result<Treebank> {
        const HELD_OUT: usize = 5;
        let file = |part: &str| -> anyhow::Result<Vec<Sentence>> {
            let path = match name {
                "en" | "wo" | "sme" => format!("peer-data/{name}.{part}.conllu"),
                _ => format!("data/dependency/ud/{name}/{part}.conllu"),
            };
            let text = std::fs::read_to_string(reference(&path)?)?;
            Ok(sentences(&text)?.into_iter().map(&seen).collect())
        };
        let train = file("train")?;
        let (train, test) = match part {
            Part::Test => (train, file("test")?),
            Part::Dev => (train, file("dev")?),
            Part::HeldOut => {
                let (test, train): (Vec<_>, Vec<_>) =
                    train.into_iter().enumerate().partition(|(at, _)| at % HELD_OUT == HELD_OUT - 1);
                let all =
                    |part: Vec<(usize, Sentence)>| part.into_iter().map(|(_, sentence)| sentence).collect();
                (all(train), all(test))
            }
        };
        Ok(Treebank { name: name.to_owned(), train, test })
    }
}

/// The sentences of a CoNLL-U text.
pub(crate) fn sentences(text: &str) -> std::io::Result<Vec<Sentence>> {
    formats::conllu::ConlluReader::new(text.as_bytes()).map(|read| read.map(|read| read.value)).collect()
}
