//! An annotator with the times and the slips of real ones, in front of the page's server.

use super::client::Client;
use crate::dependencies::Gold;
use anyhow::Context;
use num::dist::gamma;
use num::streams::Stream;
use serde_json::{Value, json};

/// Her clock begins here, in milliseconds since 1970.
const BEGIN: f64 = 1.7e12;

/// How fast and how careful she is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// Seconds to read a word, with whatever stands there of its head.
    pub(super) per_word: f64,
    /// Seconds more for a head that she sets herself.
    pub(super) per_head: f64,
    /// Seconds to accept a suggestion and go to the next word.
    pub(super) per_accepted: f64,
    /// How often she overlooks that a suggestion is wrong.
    pub(super) overlooks: f64,
    /// How often a head that she sets is wrong.
    pub(super) slips: f64,
    /// How far times of sentences are off, as a share.
    pub(super) spread: f64,
}

/// What she did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) n_sentences: usize,
    pub(super) n_words: usize,
    /// Heads that she set.
    pub(super) n_set: usize,
    /// Suggestions that she saw, that were right, and wrong ones that she took.
    pub(super) n_suggested: usize,
    pub(super) n_right: usize,
    pub(super) n_overlooked: usize,
    /// Heads that she set again because they could not stand beside others.
    pub(super) n_again: usize,
}

/// An annotator at work.
pub(super) struct Person {
    habits: Habits,
    /// Seconds of work.
    pub(super) clock: f64,
    pub(super) done: Done,
    stream: Stream,
    n_events: u64,
}

/// What she will make of a sentence, whatever is suggested: chance is the same in all conditions.
struct Mind {
    /// The tree she would draw.
    wanted: Vec<usize>,
    /// Words at which she would overlook a wrong suggestion.
    blind: Vec<bool>,
    /// How many times slower than usual she is.
    slow: f64,
}

/// A sentence in front of her.
struct Open<'a> {
    client: &'a mut Client,
    id: i64,
    gold: &'a Gold,
    mind: Mind,
    /// The heads that stand there.
    said: Vec<Option<usize>>,
    view: Value,
}

impl Person {
    pub(super) fn new(habits: Habits, seed: u64) -> Person {
        let stream = Stream::new(seed).purpose("bench: annotator");
        Person { habits, clock: 0.0, done: Done::default(), stream, n_events: 0 }
    }

    /// Annotates a sentence from its first word to its last and hands it in.
    pub(super) fn annotate(
        &mut self,
        client: &mut Client,
        id: i64,
        item: usize,
        gold: &Gold,
    ) -> anyhow::Result<()> {
        let mind = self.mind(item, gold);
        let view = client.get(&format!("/api/sentences/{id}"))?;
        let said = vec![None; gold.len()];
        let mut open = Open { client, id, gold, mind, said, view };
        self.tell(&mut open, &json!({"kind": "open"}))?;
        for word in 1..=gold.len() {
            self.clock += self.habits.per_word * open.mind.slow;
            if open.said[word - 1].is_none() {
                self.decide(&mut open, word)?;
            }
        }
        self.tell(&mut open, &json!({"kind": "submit"}))?;
        self.done.n_sentences += 1;
        self.done.n_words += gold.len();
        Ok(())
    }

    fn mind(&self, item: usize, gold: &Gold) -> Mind {
        let mut rng = self.stream.item(item).rng();
        let Habits { overlooks, slips, spread, .. } = self.habits;
        let shape = 1.0 / (spread * spread).max(1e-6);
        let slow = gamma(&mut rng, shape, 1.0 / shape);
        let blind = (0..gold.len()).map(|_| rng.bernoulli(overlooks)).collect();
        let mut wanted: Vec<usize> = (1..=gold.len()).map(|word| gold.heads.head(word)).collect();
        for word in 1..=gold.len() {
            if wanted[word - 1] != 0 && rng.bernoulli(slips) {
                // What does not hang from the word can be its head by mistake, so that a tree remains.
                let others: Vec<usize> =
                    (1..=gold.len()).filter(|&other| !is_below(&wanted, other, word)).collect();
                if !others.is_empty() {
                    wanted[word - 1] = others[rng.below(others.len())];
                }
            }
        }
        Mind { wanted, blind, slow }
    }

    fn decide(&mut self, open: &mut Open<'_>, word: usize) -> anyhow::Result<()> {
        let (wanted, gold) = (open.mind.wanted[word - 1], open.gold.heads.head(word));
        if let Some((head, p)) = open.suggested(word) {
            self.done.n_suggested += 1;
            self.done.n_right += usize::from(head == gold);
            let overlooked = head != gold && open.mind.blind[word - 1];
            if head == wanted || overlooked {
                self.done.n_overlooked += usize::from(head != wanted);
                self.clock += self.habits.per_accepted * open.mind.slow;
                let accept = json!([{"accept": {"heads": [{"of": word, "to": head, "p": p}]}}]);
                self.tell(open, &json!({"kind": "edit", "via": "suggestion", "changes": accept}))?;
                open.said[word - 1] = Some(head);
                return Ok(());
            }
        }
        self.set(open, word)
    }

    /// Sets the head that she wants, and again those that cannot stand beside it: she has overlooked that they are wrong.
    fn set(&mut self, open: &mut Open<'_>, word: usize) -> anyhow::Result<()> {
        let mut waiting = vec![word];
        while let Some(word) = waiting.pop() {
            let head = open.mind.wanted[word - 1];
            let mut changes = Vec::new();
            while let Some(other) = open.offender(word, head) {
                changes.push(json!({"head": {"of": other, "to": null}}));
                open.said[other - 1] = None;
                waiting.push(other);
                self.done.n_again += 1;
            }
            changes.push(json!({"head": {"of": word, "to": head}}));
            open.said[word - 1] = Some(head);
            self.clock += self.habits.per_head * open.mind.slow;
            self.done.n_set += 1;
            self.tell(open, &json!({"kind": "edit", "via": "key", "changes": changes}))?;
        }
        Ok(())
    }

    /// Sends what happened at this moment, and sees what came of it.
    fn tell(&mut self, open: &mut Open<'_>, happening: &Value) -> anyhow::Result<()> {
        let mut event = happening.clone();
        self.n_events += 1;
        event["n"] = json!(self.n_events);
        event["at"] = json!((BEGIN + 1000.0 * self.clock) as i64);
        let version = open.view["version"].as_u64().context("a sentence has a version")?;
        open.view = open.client.post(open.id, version, "bench", &[event])?;
        Ok(())
    }
}

impl Open<'_> {
    /// The head that is suggested for a word, and how probable it is.
    fn suggested(&self, word: usize) -> Option<(usize, f64)> {
        let suggested = &self.view["words"][word - 1]["suggested"];
        Some((suggested["head"].as_u64()? as usize, suggested["p"].as_f64()?))
    }

    /// A head that stands in the way of another: on a way back to the word, or a second root.
    fn offender(&self, word: usize, head: usize) -> Option<usize> {
        let is_wrong =
            |other: usize| self.said[other - 1].is_some_and(|head| head != self.mind.wanted[other - 1]);
        if head == 0 {
            return (1..=self.said.len())
                .find(|&other| other != word && self.said[other - 1] == Some(0) && is_wrong(other));
        }
        let mut path = Vec::new();
        let mut at = head;
        while at != 0 && at != word {
            path.push(at);
            at = self.said[at - 1]?;
        }
        if at == 0 { None } else { path.into_iter().find(|&other| is_wrong(other)) }
    }
}

/// Whether one word hangs from another, or is it.
fn is_below(heads: &[usize], word: usize, above: usize) -> bool {
    let mut at = word;
    while at != 0 && at != above {
        at = heads[at - 1];
    }
    at == above
}
