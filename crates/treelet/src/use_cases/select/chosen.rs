//! What was chosen, as a value.

use super::pool::Pool;
use crate::imputation::annotated::word_ids;
use crate::imputation::rows::id_of;
use serde::Serialize;
use std::fmt;
use study::select::{Choice, Why};

/// A sentence or a word that is worth annotating.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chosen {
    /// Its place among the chosen, from 1.
    pub rank: usize,
    /// The number of the sentence, counted through all files.
    pub sentence: usize,
    /// The id of the sentence.
    pub id: Option<String>,
    /// The file that it stands in.
    pub file: String,
    /// The line that it begins at.
    pub line: u32,
    /// The word, where single words are handed out.
    pub word: Option<u32>,
    /// Words of the sentence.
    pub words: usize,
    /// Words that nobody gave a head to.
    pub open: usize,
    /// How uncertain the heads are, in nats.
    pub entropy: f64,
    /// What annotating costs.
    pub cost: f64,
    /// How often the sentence was annotated.
    pub annotations: usize,
    /// How many more heads than one were given.
    pub disagreement: usize,
    /// What the choice was made by, the largest first.
    pub score: f64,
    /// What the score is made of.
    pub why: Why,
    /// The words that are asked about, the least certain first.
    pub uncertain: Vec<Doubt>,
    /// What the sentence is called: its id if no other has it, else its place.
    #[serde(skip)]
    pub name: String,
    /// The words of the sentence with spaces between them.
    #[serde(skip)]
    pub text: String,
}

/// A word and its most probable heads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Doubt {
    /// The number of the word.
    pub word: u32,
    /// Its form.
    pub form: String,
    /// The heads, the most probable first.
    pub heads: Vec<PossibleHead>,
}

/// A head that a word may have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PossibleHead {
    /// The number of the head, 0 for the root.
    pub head: u32,
    /// Its form.
    pub form: String,
    /// How probable it is.
    pub probability: f64,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = self.heads.iter().map(|one| format!("{} {} {:.2}", one.head, one.form, one.probability));
        write!(f, "{} {}: {}", self.word, self.form, heads.collect::<Vec<_>>().join(" or "))
    }
}

impl Pool<'_> {
    /// All that there is to say about choices.
    pub(super) fn chosen(&self, choices: &[Choice]) -> Vec<Chosen> {
        (1..).zip(choices).map(|(rank, choice)| self.one_chosen(rank, choice)).collect()
    }

    fn one_chosen(&self, rank: usize, choice: &Choice) -> Chosen {
        let candidate = &choice.candidate;
        let item = &self.items[candidate.sentence];
        let sentence = &item.annotated.sentence;
        let ids = word_ids(sentence);
        let forms: Vec<&str> = sentence.words().map(|word| word.form.as_str()).collect();
        Chosen {
            rank,
            sentence: item.number,
            id: sentence.id().map(str::to_string),
            file: item.file.clone(),
            line: item.annotated.line,
            word: candidate.word.map(|word| id_of(word, &ids)),
            words: item.annotated.said.n_words,
            open: item.open.len(),
            entropy: candidate.entropy,
            cost: candidate.cost,
            annotations: candidate.n_annotations,
            disagreement: candidate.disagreement,
            score: choice.score,
            why: choice.why,
            uncertain: item.shown(choice).into_iter().map(|word| item.doubt(word)).collect(),
            name: item.name(),
            text: forms.join(" "),
        }
    }
}
