//! Completed sentences as rows: HEAD and DEPREL filled, and in MISC how sure that is.

use super::annotated::{heads_of, only_said, word_ids};
use super::imputer::Imputed;
use impute::ArcPosteriors;
use serde_json::{Value, json};
use tree::Possible;
use tree::provenance::{Column, HEAD_SAID};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Heads, PartialTree, Sentence, Text, Token};

/// Other heads that are listed must be at least this probable.
const LEAST_LISTED: f64 = 0.01;
/// So many of them are listed.
const MOST_LISTED: usize = 3;
/// What is written into MISC beside the marks of who said what, and what is taken out of it first.
const KEYS: [&str; 4] = ["Entropy", "HeadAlt", HEAD_SAID, "Omitted"];

/// A sentence, what was said and found, and how to write it.
pub(crate) struct ImputedRow<'a> {
    pub(crate) sentence: &'a Sentence,
    /// What counts as said.
    pub(crate) said: &'a PartialTree,
    pub(crate) possible: &'a Possible,
    pub(crate) imputed: &'a Imputed,
    /// What in the annotation contradicts what.
    pub(crate) conflict: Option<&'a str>,
    /// The machine that found the tree, as it signs, if it does.
    pub(crate) machine: Option<&'a str>,
    /// Whether MISC says how sure it is.
    pub(crate) marks: bool,
    pub(crate) entropy: bool,
}

impl ImputedRow<'_> {
    /// The heads that count as said.
    ///
    /// A word of a bracket may have its head from the bracket; that of any other word may be the only one left, but it was
    /// not said.
    fn said_heads(&self) -> Vec<Option<usize>> {
        let mut heads = heads_of(self.said);
        if self.conflict.is_some() {
            return heads;
        }
        for (at, head) in heads.iter_mut().enumerate() {
            *head = head.or_else(|| self.possible.whole().required_head(at + 1));
        }
        only_said(self.said, heads)
    }

    fn posteriors(&self) -> &ArcPosteriors {
        &self.imputed.completed.posteriors
    }

    fn is_omitted(&self, word: usize) -> bool {
        self.conflict.is_none() && self.possible.left_out(word)
    }

    /// How many words have the head that was said, and how many one that was found.
    pub(crate) fn n_said_and_found(&self) -> (usize, usize) {
        let heads = &self.imputed.completed.heads;
        let said = self.said_heads();
        let words = (1..=said.len()).filter(|&word| !self.is_omitted(word));
        let (n_words, n_said) = words.fold((0, 0), |(n_words, n_said), word| {
            (n_words + 1, n_said + usize::from(said[word - 1] == Some(heads.head(word))))
        });
        (n_said, n_words - n_said)
    }

    /// The sentence with the tree in it.
    pub(crate) fn completed(&self) -> Sentence {
        let mut sentence = self.sentence.clone();
        let ids = word_ids(&sentence);
        let said = self.said_heads();
        for (word, token) in (1..).zip(sentence.words_mut()) {
            if self.is_omitted(word) {
                token.head = Head::Open;
                token.misc = with_items(&token.misc, vec![("Omitted", "Yes".to_string())]);
                continue;
            }
            self.complete(token, word, said[word - 1], &ids);
        }
        formats::gfl::comments::to_comments(self.said, &mut sentence);
        self.comment(&mut sentence);
        sentence
    }

    fn comment(&self, sentence: &mut Sentence) {
        let ours = |comment: &Text| {
            ["# treelet_conflict =", "# entropy ="].iter().any(|key| comment.starts_with(key))
        };
        sentence.comments.retain(|comment| !ours(comment));
        if self.entropy {
            sentence.comments.push(format!("# entropy = {:.3}", self.posteriors().total_entropy()).into());
        }
        if let Some(conflict) = self.conflict {
            sentence.comments.push(format!("# treelet_conflict = {}", one_line(conflict)).into());
        }
    }

    /// Gives a word its head, and says who found it.
    fn complete(&self, token: &mut Token, word: usize, said: Option<usize>, ids: &[u32]) {
        let chosen = self.imputed.completed.heads.head(word);
        let relation = token.deprel.clone();
        set_head(token, chosen, ids);
        token.misc = with_items(&token.misc, self.items(word, said, ids));
        let found_head = said != Some(chosen);
        let probability = self.posteriors().of(chosen, word).min(1.0);
        let probability = Some(probability).filter(|_| self.marks && found_head);
        let Some(machine) = self.machine else {
            return Column::Head.say_probability(token, probability);
        };
        if token.deprel != relation {
            Column::Deprel.mark(token, machine, None);
        }
        if found_head {
            Column::Head.sign(token, machine, probability);
        }
    }

    /// What else MISC says of a word.
    fn items(&self, word: usize, said: Option<usize>, ids: &[u32]) -> Vec<(&'static str, String)> {
        let chosen = self.imputed.completed.heads.head(word);
        let mut items = Vec::new();
        if self.entropy {
            items.push(("Entropy", format!("{:.3}", self.posteriors().entropy(word))));
        }
        if said == Some(chosen) {
            return items;
        }
        let others = self.others(word, chosen);
        if !others.is_empty() && self.marks {
            let shown: Vec<String> =
                others.iter().map(|&(head, p)| format!("{}:{p:.2}", id_of(head, ids))).collect();
            items.push(("HeadAlt", shown.join(",")));
        }
        // What a person said is kept, even where no tree has it.
        if let Some(said) = said {
            items.push((HEAD_SAID, id_of(said, ids).to_string()));
        }
        items
    }

    fn others(&self, word: usize, chosen: usize) -> Vec<(usize, f64)> {
        let ranked = self.posteriors().ranked(word).into_iter();
        ranked.filter(|&(head, p)| head != chosen && p >= LEAST_LISTED).take(MOST_LISTED).collect()
    }

    /// The sentence as one object.
    pub(crate) fn json(&self, number: usize) -> Value {
        let (ids, said) = (word_ids(self.sentence), self.said_heads());
        let heads = &self.imputed.completed.heads;
        let word = |(word, token): (usize, &tree::Token)| {
            let head = heads.head(word);
            let others: Vec<Value> = self
                .others(word, head)
                .iter()
                .map(|&(head, p)| json!({"head": id_of(head, &ids), "probability": rounded(p)}))
                .collect();
            json!({
                "id": ids[word - 1],
                "form": token.form.as_str(),
                "head": (!self.is_omitted(word)).then(|| id_of(head, &ids)),
                "said": said[word - 1].map(|said| id_of(said, &ids)),
                "imputed": said[word - 1] != Some(head) && !self.is_omitted(word),
                "by": (said[word - 1] != Some(head) && !self.is_omitted(word)).then_some(self.machine).flatten(),
                "probability": rounded(self.posteriors().of(head, word).min(1.0)),
                "others": others,
                "entropy": rounded(self.posteriors().entropy(word)),
            })
        };
        let samples: Vec<Vec<u32>> =
            self.imputed.completed.samples.iter().map(|heads| ids_of(heads, &ids)).collect();
        let mut object = json!({
            "sentence": number,
            "id": self.sentence.id(),
            "words": (1..).zip(self.sentence.words()).map(word).collect::<Vec<_>>(),
            "entropy": rounded(self.posteriors().total_entropy()),
            "conflict": self.conflict,
        });
        if !samples.is_empty() {
            object["samples"] = json!(samples);
        }
        object
    }

    /// The sentence with another tree in it.
    pub(crate) fn sample(&self, heads: &Heads, number: usize) -> Sentence {
        let mut sentence = self.sentence.clone();
        let ids = word_ids(&sentence);
        for (word, token) in (1..).zip(sentence.words_mut()) {
            if self.is_omitted(word) {
                token.head = Head::Open;
            } else {
                let (said, relation) = (token.head.clone(), token.deprel.clone());
                set_head(token, heads.head(word), &ids);
                let machine = self.machine.unwrap_or_default();
                if token.head != said && !machine.is_empty() {
                    Column::Head.mark(token, machine, None);
                }
                if token.deprel != relation && !machine.is_empty() {
                    Column::Deprel.mark(token, machine, None);
                }
            }
        }
        for comment in &mut sentence.comments {
            // Every sentence of a file has an id of its own.
            if comment.starts_with("# sent_id =") {
                *comment = format!("{comment}.{number}").into();
            }
        }
        sentence.comments.push(format!("# sample = {number}").into());
        sentence
    }
}

/// Fills in the head, and the relation if it is open.
///
/// A relation that was said stays, whatever the head: heads are sought that go with it, and where none does, the
/// contradiction is the annotator's.
pub(crate) fn set_head(token: &mut Token, head: usize, ids: &[u32]) {
    token.head = Head::Of(id_of(head, ids));
    if token.deprel == UNSPECIFIED {
        token.deprel = if head == 0 { "root".into() } else { "dep".into() };
    }
}

/// The id of the word at a position, 0 for the root.
pub(crate) fn id_of(head: usize, ids: &[u32]) -> u32 {
    head.checked_sub(1).and_then(|at| ids.get(at)).copied().unwrap_or(0)
}

fn ids_of(heads: &Heads, ids: &[u32]) -> Vec<u32> {
    (1..=heads.len()).map(|word| id_of(heads.head(word), ids)).collect()
}

/// Sorts items into what MISC has, in place of older ones.
pub(crate) fn with_items(misc: &Text, items: Vec<(&'static str, String)>) -> Text {
    replacing(misc, &KEYS, items)
}

/// MISC with some items in place of all that have one of these names.
pub(crate) fn replacing(misc: &Text, names: &[&str], items: Vec<(&'static str, String)>) -> Text {
    let key = |item: &str| item.split('=').next().unwrap_or_default().to_string();
    let mut kept: Vec<String> = misc
        .split('|')
        .filter(|item| *item != UNSPECIFIED && !names.contains(&key(item).as_str()))
        .map(str::to_string)
        .collect();
    for (name, value) in items {
        let at = kept.iter().position(|item| key(item).as_str() > name).unwrap_or(kept.len());
        kept.insert(at, format!("{name}={value}"));
    }
    if kept.is_empty() { UNSPECIFIED } else { kept.join("|").into() }
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_into_what_is_there() {
        let items = || vec![("HeadAlt", "3:0.50".to_string()), ("HeadSaid", "2".to_string())];
        let sorted = |misc: &str| with_items(&misc.into(), items()).to_string();
        assert_eq!(sorted("_"), "HeadAlt=3:0.50|HeadSaid=2");
        assert_eq!(sorted("Gloss=dog|SpaceAfter=No"), "Gloss=dog|HeadAlt=3:0.50|HeadSaid=2|SpaceAfter=No");
        assert_eq!(sorted("HeadAlt=1:0.10|Lang=en"), "HeadAlt=3:0.50|HeadSaid=2|Lang=en");
        assert_eq!(with_items(&"Omitted=Yes".into(), vec![]), "_");
    }

    #[test]
    fn open_relations_go_with_heads_and_said_ones_stay() {
        let relation = |before: &str, head: usize| {
            let mut token = Token::word(2, "x");
            token.deprel = before.into();
            set_head(&mut token, head, &[1, 2, 3]);
            token.deprel.to_string()
        };
        assert_eq!([relation("_", 0), relation("_", 3), relation("obj", 3)], ["root", "dep", "obj"]);
        assert_eq!([relation("root", 3), relation("obj", 0)], ["root", "obj"]);
    }
}
