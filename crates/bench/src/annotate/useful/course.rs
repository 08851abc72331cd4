//! Hours of work on one project, and what a parser learned from them.

use super::super::client::Client;
use super::super::person::{Done, Habits, Person};
use super::super::served::Served;
use super::{Condition, Useful};
use crate::dependencies::{self, Attached, Gold};
use crate::imputation::ImputationSystem;
use crate::imputation::methods;
use anyhow::Context;
use chain::Workers;
use formats::conllu::ConlluReader;
use impute::Fragment;
use impute::convex::ConvexOptions;
use num::streams::Stream;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::time::Duration;
use tree::{Arc, Node, PartialTree, Place, Possible, Reading, Sentence};

/// What is annotated and what parsers are scored on.
pub(super) struct TextToAnnotate {
    name: String,
    seed: u64,
    project: Vec<Gold>,
    held_out: Vec<Gold>,
}

/// What came of hours of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WorkingDays {
    pub(super) treebank: String,
    pub(super) condition: Condition,
    pub(super) seed: u64,
    pub(super) points: Vec<MeasuredPoint>,
    /// Shares of suggestions that were right, and of wrong ones that were taken for right.
    pub(super) right: f64,
    /// Shares of the heads that stand there in the end that are right.
    pub(super) correct: f64,
}

/// What was reached after some hours.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct MeasuredPoint {
    pub(super) hours: f64,
    pub(super) n_sentences: usize,
    pub(super) n_words: usize,
    /// UAS of the dependency parser that learned from what was exported.
    pub(super) parser: f64,
    /// UAS of the imputer that learned from it.
    pub(super) imputer: f64,
}

impl TextToAnnotate {
    pub(super) fn read(name: &str, arguments: &Useful, seed: u64) -> anyhow::Result<TextToAnnotate> {
        let file = |part: &str| dependencies::read(&format!("data/dependency/ud/{name}/{part}.conllu"));
        let mut project = file("train")?;
        let mut rng = Stream::new(seed).purpose("bench: sentences of a project").rng();
        rng.shuffle(&mut project);
        project.truncate(arguments.sentences);
        let held_out = file("dev")?;
        let held_out = dependencies::first_arcs(&held_out, arguments.dev_words).to_vec();
        Ok(TextToAnnotate { name: name.to_owned(), seed, project, held_out })
    }

    pub(super) fn course(
        &self,
        condition: Condition,
        habits: Habits,
        arguments: &Useful,
        workers: &Workers,
    ) -> anyhow::Result<WorkingDays> {
        let served = Served::new(&self.project, 0)?;
        let mut client = served.client(0)?;
        let settings = json!({"suggestions": condition.suggests(), "labels": false, "stages": false});
        client.send("PUT", "/api/settings", &settings)?;
        let at: HashMap<i64, usize> = client.ids()?.into_iter().zip(0..).collect();
        let mut person = Person::new(habits, self.seed);
        let mut points = Vec::new();
        let order = if condition.queues() { "gain" } else { "order" };
        let uses_model = condition.queues() || condition.suggests();
        let mut last = None;
        while person.clock < 3600.0 * arguments.hours {
            if uses_model {
                wait_for_model(&mut client, person.done.n_sentences)?;
            }
            let after = last.map_or(String::new(), |last: i64| format!("&after={last}"));
            let next = client.get(&format!("/api/next?order={order}{after}"))?;
            let Some(id) = next["id"].as_i64() else { break };
            let item = *at.get(&id).context("a sentence that nobody brought")?;
            person.annotate(&mut client, id, item, &self.project[item])?;
            last = Some(id);
            if person.clock >= 60.0 * arguments.every * (points.len() + 1) as f64 {
                points.push(self.measure(&mut client, &person, workers)?);
            }
        }
        let exported = export(&mut client)?;
        let correct = self.correct(&exported);
        let Done { n_suggested, n_right, .. } = person.done;
        let right = n_right as f64 / n_suggested.max(1) as f64;
        let treebank = self.name.clone();
        Ok(WorkingDays { treebank, condition, seed: self.seed, points, right, correct })
    }

    /// What a parser and an imputer learn from what was exported: the parser from the annotated sentences as they are, as
    /// `treelet train dependency` does, the imputer from all, as `treelet impute` does.
    fn measure(
        &self,
        client: &mut Client,
        person: &Person,
        workers: &Workers,
    ) -> anyhow::Result<MeasuredPoint> {
        let exported = export(client)?;
        let all = exported.iter().map(fragment).collect::<anyhow::Result<Vec<Fragment>>>()?;
        let is_annotated = |sentence: &Sentence| sentence.partial_heads().iter().any(Option::is_some);
        let annotated: Vec<Fragment> = exported
            .iter()
            .zip(&all)
            .filter(|(one, _)| is_annotated(one))
            .map(|(_, one)| one.clone())
            .collect();
        Ok(MeasuredPoint {
            hours: person.clock / 3600.0,
            n_sentences: person.done.n_sentences,
            n_words: person.done.n_words,
            parser: self.uas(ImputationSystem::Crf, &annotated, workers)?,
            imputer: self.uas(ImputationSystem::Both, &all, workers)?,
        })
    }

    fn uas(&self, system: ImputationSystem, train: &[Fragment], workers: &Workers) -> anyhow::Result<f64> {
        let held_out: Vec<Fragment> =
            self.held_out.iter().map(|gold| Fragment::free(&gold.sentence(&gold.tags))).collect();
        let seed = (self.seed, false);
        let found = methods::run(system, (train, &held_out), seed, &ConvexOptions::default(), workers)?;
        let mut attached = Attached::default();
        self.held_out.iter().zip(&found.parsed).for_each(|(gold, one)| attached.see(&gold.heads, &one.heads));
        Ok(attached.percent())
    }

    /// The share of the heads that stand there that are right. Sentences are exported in the order of the file.
    fn correct(&self, exported: &[Sentence]) -> f64 {
        let (mut n, mut right) = (0, 0);
        for (gold, sentence) in self.project.iter().zip(exported) {
            for (word, head) in (1..).zip(sentence.partial_heads()) {
                n += usize::from(head.is_some());
                right += usize::from(head == Some(gold.heads.head(word) as u32));
            }
        }
        right as f64 / n.max(1) as f64
    }
}

impl WorkingDays {
    pub(super) fn line(&self) -> String {
        let point = |point: &MeasuredPoint| {
            format!(
                "{:.1} h {}/{} {:.1} ({:.1})",
                point.hours, point.n_sentences, point.n_words, point.parser, point.imputer
            )
        };
        let points: Vec<String> = self.points.iter().map(point).collect();
        format!(
            "{:<16} {} {:<11} suggestions right {:.1} %, heads right {:.1} %: {}",
            self.treebank,
            self.seed,
            self.condition.name(),
            100.0 * self.right,
            100.0 * self.correct,
            points.join("  ")
        )
    }
}

/// Waits until the model that suggests has learned from all sentences that it is to have learned from: it is learned anew in the
/// background for every third.
fn wait_for_model(client: &mut Client, n_submitted: usize) -> anyhow::Result<()> {
    let wanted = (n_submitted - n_submitted % 3) as u64;
    loop {
        let project = client.get("/api/project")?;
        if project["model"]["trained_on"].as_u64().is_some_and(|trained_on| trained_on >= wanted) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn export(client: &mut Client) -> anyhow::Result<Vec<Sentence>> {
    let bytes = client.bytes("/api/export?format=conllu")?;
    let read = ConlluReader::new(bytes.as_slice()).map(|read| read.map(|read| read.value));
    Ok(read.collect::<Result<_, _>>()?)
}

fn fragment(sentence: &Sentence) -> anyhow::Result<Fragment> {
    let mut said = PartialTree::new(sentence.n_words());
    for (word, head) in (1..).zip(sentence.partial_heads()) {
        let (dependent, place) = (Node::Word(word), Place::default());
        match head {
            None => {}
            Some(0) => said.roots.push((dependent, place)),
            Some(head) => said.arcs.push(Arc { head: Node::Word(head as usize), dependent, place }),
        }
    }
    let possible = Possible::new(&said, &Reading::default())?;
    Ok(Fragment { possible, ..Fragment::free(sentence) })
}
