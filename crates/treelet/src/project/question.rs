//! Single questions: does this word belong to that one?

use super::Fault;
use super::desk::Desk;
use super::store::AnalysisKey;
use annotation::WordOrBlock;
use serde::Serialize;
use tree::PutInOrder;

/// Sentences that are looked at for questions.
const MOST_LOOKED_AT: usize = 100;
/// A question offers so many heads.
const MOST_CHOICES: usize = 4;

/// A question about one word.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// The sentence.
    pub sentence: i64,
    /// The version of it that the question is about.
    pub version: u64,
    /// The word.
    pub word: u32,
    /// Its form.
    pub form: String,
    /// The words of the sentence.
    pub text: String,
    /// Heads it could have.
    pub choices: Vec<PossibleHead>,
    /// Why it is asked, in English.
    pub why: String,
    /// How unsure the machine is.
    pub nats: f64,
}

/// A head that a word could have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PossibleHead {
    /// The head; 0 is the root.
    pub head: u32,
    /// Its form.
    pub form: String,
    /// How probable it is.
    pub p: f64,
}

impl Desk {
    /// The words whose heads are least sure, the least sure first, at most one for each sentence.
    pub fn questions(&self, annotator: i64, n: usize) -> Result<Vec<Question>, Fault> {
        let Some(suggester) = self.suggester() else { return Ok(Vec::new()) };
        let looked_at = {
            let mut inner = self.lock();
            let mine = inner.mine(annotator)?;
            let step = mine.len().div_ceil(MOST_LOOKED_AT).max(1);
            let mut found = Vec::new();
            for id in mine.into_iter().step_by(step) {
                let history = inner.history(AnalysisKey { sentence: id, annotator, slot: 0 })?.clone();
                if !history.work().submitted && !history.work().skipped {
                    found.push((inner.find(id)?.clone(), history));
                }
            }
            found
        };
        let mut questions: Vec<(f64, Question)> = Vec::new();
        for (on_desk, history) in &looked_at {
            let said = history.analysis();
            let Some(suggestions) = suggester.suggest(&on_desk.sentence, said) else { continue };
            // Where punctuation hangs teaches nobody anything.
            let is_punctuation: Vec<bool> =
                on_desk.sentence.words().map(|word| word.upos == "PUNCT").collect();
            let is_open = |word: &u32| {
                let at = *word as usize - 1;
                said.head(WordOrBlock::Word(*word)).is_none() && !said.is_unsure(*word) && !is_punctuation[at]
            };
            let entropy = |word: u32| -> f64 {
                suggestions.ranked[word as usize - 1]
                    .iter()
                    .map(|&(_, p)| if p > 0.0 { -p * p.ln() } else { 0.0 })
                    .sum()
            };
            let words = (1..=said.tokens().len() as u32).filter(is_open);
            let Some(word) = words.max_by(|&a, &b| entropy(a).total_cmp(&entropy(b)).then(b.cmp(&a))) else {
                continue;
            };
            let form =
                |word: usize| word.checked_sub(1).map_or(String::new(), |at| said.tokens()[at].to_string());
            let ranked = suggestions.ranked[word as usize - 1].iter().take(MOST_CHOICES);
            let choices: Vec<PossibleHead> =
                ranked.map(|&(head, p)| PossibleHead { head: head as u32, form: form(head), p }).collect();
            if choices.len() > 1 {
                let question = Question {
                    sentence: on_desk.id,
                    version: history.version(),
                    word,
                    form: form(word as usize),
                    text: on_desk.sentence.detokenised(),
                    choices,
                    why: format!("no head of a word is less sure here: {:.2} nats", entropy(word)),
                    nats: entropy(word),
                };
                questions.push((entropy(word), question));
            }
        }
        questions.order_by(|a, b| b.0.total_cmp(&a.0));
        Ok(questions.into_iter().take(n).map(|(_, question)| question).collect())
    }
}
