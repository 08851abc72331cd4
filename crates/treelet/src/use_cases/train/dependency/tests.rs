//! Parsers and their taggers, with somebody who stops them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::dependency_parser::OwnTagger;
use crate::options::json::from_json;
use crate::outcome::Stopped;
use crate::watch::{Bar, Message, Unwatched, Work};
use chain::Workers;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;
use tree::sentence::UNSPECIFIED;
use tree::{Head, PartialTree, Possible, Reading, Text};

/// Sentences of a known word, one that stands in no other sentence and whose tag nobody can guess, and a word in O or E.
fn sentences(n: usize) -> Vec<Sentence> {
    let sentence = |at: usize| {
        let ending = if at.is_multiple_of(3) { "o" } else { "e" };
        let own = format!("{:04}", at * 7919 % 10_007);
        let mut sentence = Sentence::from_forms(["la", own.as_str(), &format!("w{}{ending}", at % 9)]);
        let tags = [
            "DET",
            if at * at % 7 < 3 { "NUM" } else { "SYM" },
            if at.is_multiple_of(3) { "NOUN" } else { "VERB" },
        ];
        for ((token, tag), head) in sentence.words_mut().zip(tags).zip([2, 3, 0]) {
            token.upos = tag.into();
            token.head = Head::Of(head);
            token.deprel = if head == 0 { "root".into() } else { "dep".into() };
        }
        sentence
    };
    (0..n).map(sentence).collect()
}

fn annotated(sentences: &[Sentence]) -> Vec<Annotated> {
    let annotated = |sentence: &Sentence| {
        let possible = Possible::new(&PartialTree::from_sentence(sentence), &Reading::default());
        Annotated { sentence: sentence.clone(), possible: possible.unwrap(), weight: 1.0 }
    };
    sentences.iter().map(annotated).collect()
}

fn tags(sentence: &Sentence) -> Vec<Text> {
    sentence.words().map(|token| token.upos.clone()).collect()
}

/// A folder with a training file.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = Vec::new();
    sentences(60).iter().for_each(|sentence| formats::conllu::write(sentence, &mut text).unwrap());
    fs::write(folder.path().join("train.conllu"), text).unwrap();
    folder
}

/// Trains a small parser in a folder.
fn train(folder: &TempDir, output: &str, more: serde_json::Value, watch: &dyn Watch) -> anyhow::Result<()> {
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut options = json!({
        "files": [path("train.conllu")], "output": path(output), "order": 1, "epochs": 2, "checkpoint_every": 0,
    });
    for (name, value) in more.as_object().unwrap() {
        options[name] = value.clone();
    }
    train_dependency(&from_json(options.as_object().unwrap())?, watch).map(|_| ())
}

/// Someone who stops the work when so many messages of a kind were shown.
struct Impatient {
    what: &'static str,
    left: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Impatient {
    fn new(what: &'static str, after: usize) -> Self {
        Self { what, left: Arc::new(AtomicUsize::new(after)), stop: Arc::default() }
    }
}

impl Watch for Impatient {
    fn tell(&self, _: Message<'_>) {}

    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn problems(&self, _: &crate::watch::FileProblems<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn troubles(&self, _: &crate::watch::Troubled<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn begin(&self, _: &Work<'_>) -> Box<dyn Bar> {
        Box::new(Impatient { what: self.what, left: self.left.clone(), stop: self.stop.clone() })
    }

    fn stop_flag(&self, _: &'static str) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    fn is_given(&self, _: &str) -> bool {
        false
    }
}

impl Bar for Impatient {
    fn reach(&self, _: u64, message: &dyn Fn() -> String) {
        if message().starts_with(self.what) && self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn step(&self) {}
}

#[test]
fn a_tagger_that_is_stopped_leaves_neither_a_model_nor_a_checkpoint() {
    let folder = folder();
    for (what, after, more) in [
        ("tagger: ", 1, json!({})),
        ("tagger: ", 12, json!({})),
        ("tagger, rehearsal: ", 3, json!({})),
        // The fourth epoch of the second part.
        ("tagger: ", 16, json!({ "jackknife": 3 })),
    ] {
        let watch = Impatient::new(what, after);
        let error = train(&folder, "m", more, &watch).unwrap_err();
        assert!(error.is::<Stopped>() && error.to_string().contains("was not written"), "{error:#}");
        assert_eq!(watch.left.load(Ordering::Relaxed), 0, "{what}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{what}");
    }
}

#[test]
fn a_run_that_is_stopped_in_its_parser_and_then_in_its_tagger_equals_the_straight_run() {
    let folder = folder();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for more in [json!({}), json!({ "jackknife": 2 })] {
        train(&folder, "straight", more.clone(), &Unwatched).unwrap();
        train(&folder, "m", more.clone(), &Impatient::new("relations: ", 2)).unwrap_err();
        let checkpoint = read("m.checkpoint");
        let mut again = more.clone();
        again["resume"] = true.into();
        for (what, after) in [("tagger: ", 2), ("tagger, rehearsal: ", 9)] {
            let error = train(&folder, "m", again.clone(), &Impatient::new(what, after)).unwrap_err();
            assert!(error.is::<Stopped>() && error.to_string().contains("--resume"), "{error:#}");
            assert!(read("m.checkpoint") == checkpoint);
        }
        train(&folder, "m", again, &Unwatched).unwrap();
        assert!(read("m") == read("straight"), "{more}");
        assert!(!folder.path().join("m.checkpoint").exists());
    }
}

/// Does something with one who makes taggers of the first settings there are.
fn with_teacher<T>(work: impl FnOnce(Teacher<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("m").display().to_string();
    let options: Dependency =
        from_json(json!({ "files": ["none"], "output": output }).as_object().unwrap()).unwrap();
    let run = Run::new(&options.new_model.output, &options.course.run.saving, &[], None, &Unwatched).unwrap();
    let settings =
        DependencyOptions { order: Order::First, bits: 12, label_bits: 10, ..DependencyOptions::default() };
    work(Teacher { settings: &settings, workers: &Workers::serial(), run: &run })
}

#[test]
fn jackknifed_tags_are_those_of_taggers_that_have_not_seen_the_sentence() {
    let gold = sentences(90);
    let (own, jackknifed, others) = with_teacher(|teacher| {
        let mut data = annotated(&gold);
        let same = teacher.jackknife(&mut data, 3).unwrap();
        let right = data.iter().zip(&gold).flat_map(|(item, gold)| {
            tags(&item.sentence).into_iter().zip(tags(gold)).map(|(found, gold)| found == gold)
        });
        let right: Vec<bool> = right.collect();
        assert_eq!(same, right.iter().filter(|&&right| right).count() as f64 / right.len() as f64);
        let parts = [0, 1, 2].map(|part| {
            let others: Vec<Sentence> = gold
                .iter()
                .enumerate()
                .filter(|(at, _)| at % 3 != part)
                .map(|(_, one)| one.clone())
                .collect();
            teacher.own_tagger(&others).unwrap().unwrap()
        });
        let jackknifed: Vec<Vec<Text>> = data.iter().map(|item| tags(&item.sentence)).collect();
        (teacher.own_tagger(&gold).unwrap().unwrap(), jackknifed, parts)
    });
    let tagged = |tagger: &OwnTagger, sentence: &Sentence| {
        let mut sentence = sentence.clone();
        tagger.tagging().tag(&mut sentence, true);
        tags(&sentence)
    };
    let (mut n_own, mut n_jackknifed) = (0, 0);
    for (at, (sentence, found)) in gold.iter().zip(&jackknifed).enumerate() {
        assert_eq!(found, &tagged(&others[at % 3], sentence), "sentence {at}");
        n_own += usize::from(tagged(&own, sentence)[1] == tags(sentence)[1]);
        n_jackknifed += usize::from(found[1] == tags(sentence)[1]);
    }
    // The words that stand in one sentence only.
    assert!(n_own > 85 && n_jackknifed < 65, "{n_own} {n_jackknifed}");
}

#[test]
fn tags_that_stay_are_not_changed_and_tell_of_others() {
    let tagger = with_teacher(|teacher| teacher.own_tagger(&sentences(60)).unwrap().unwrap());
    assert!(tagger.is_calibrated() && tagger.column == TagColumn::Upos);
    for sentence in &sentences(60) {
        let mut kept = sentence.clone();
        assert_eq!(tagger.tagging().tag(&mut kept, false), [None; 3]);
        assert_eq!(&kept, sentence);
        let mut some = sentence.clone();
        some.words_mut().skip(1).for_each(|token| token.upos = UNSPECIFIED);
        some.words_mut().take(1).for_each(|token| token.upos = "STRANGE".into());
        let sure = tagger.tagging().tag(&mut some, false);
        assert_eq!((sure[0], tags(&some)[0].as_str()), (None, "STRANGE"));
        assert!(sure[1..].iter().all(|p| p.is_some_and(|p| p > 0.0 && p <= 1.0)), "{sure:?}");
    }
}

#[test]
fn a_parser_of_a_single_tag_gives_it_and_one_without_tags_none() {
    let mut all = sentences(20);
    all.iter_mut().flat_map(Sentence::words_mut).for_each(|token| token.upos = "X".into());
    let tagger = with_teacher(|teacher| teacher.own_tagger(&all).unwrap().unwrap());
    let mut sentence = Sentence::from_forms(["some", "words"]);
    assert_eq!(tagger.tagging().tag(&mut sentence, true), [Some(1.0); 2]);
    assert_eq!(tags(&sentence), ["X", "X"]);
    all.iter_mut().flat_map(Sentence::words_mut).for_each(|token| token.upos = UNSPECIFIED);
    assert_eq!(with_teacher(|teacher| teacher.own_tagger(&all).unwrap()), None);
}

#[test]
fn a_parser_and_its_tagger_come_back_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, again] = ["m", "again"].map(|name| folder.path().join(name));
    let data = annotated(&sentences(60));
    let parser = with_teacher(|teacher| {
        let learner = Learner::new(&data, &[], None, teacher.settings, teacher.workers).unwrap();
        let model = learner.run(teacher.workers, &mut |_, _| std::ops::ControlFlow::Continue(())).unwrap();
        let tagger = teacher.own_tagger(&sentences(60)).unwrap();
        DependencyParser { model: model.unwrap(), tagger, notes: [("seed".into(), "0".into())].into() }
    });
    parser.write(&path).unwrap();
    let back = DependencyParser::read(&path).unwrap();
    assert!(back.tagger.is_some());
    assert_eq!((&back.tagger, &back.notes), (&parser.tagger, &parser.notes));
    back.write(&again).unwrap();
    assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
    let parser = DependencyParser { tagger: None, ..parser };
    parser.write(&path).unwrap();
    assert_eq!(DependencyParser::read(&path).unwrap().tagger, None);
}
