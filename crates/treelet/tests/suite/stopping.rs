//! What a run leaves that somebody asked to stop.

use crate::{demo, files_in, object};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use treelet::watch::{Bar, FileProblems, Message, Troubled, Unwatched, Work};
use treelet::{Stopped, Watch, call};

/// Asks to stop as soon as somebody looks.
enum Stopping {
    /// Whatever is at work.
    All,
    /// What promises to save itself.
    Saving,
}

impl Watch for Stopping {
    fn tell(&self, _: Message<'_>) {}

    fn write(&self, _: &[u8]) -> io::Result<()> {
        panic!("nothing is written to the standard output by a run that is stopped")
    }

    fn problems(&self, _: &FileProblems<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn troubles(&self, _: &Troubled<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn begin(&self, work: &Work<'_>) -> Box<dyn Bar> {
        Unwatched.begin(work)
    }

    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(matches!(self, Stopping::All) || promise.contains("saving the run")))
    }

    fn is_given(&self, _: &str) -> bool {
        false
    }
}

/// Runs that can be taken up again, without their output.
fn learners() -> Vec<(&'static str, Value)> {
    let (gold, trees) = (demo("village.conllu"), demo("village-train.mrg"));
    let (dictionary, raw) = (demo("village-dictionary.tsv"), demo("village.txt"));
    vec![
        ("train constituency", json!({"file": trees, "burn_in": 3, "samples": 3, "chains": 2})),
        ("train dependency", json!({"files": [gold], "epochs": 3})),
        ("induce dmv", json!({"files": [gold], "passes": 4})),
        ("induce pcfg", json!({"files": [gold], "gibbs": true, "sweeps": 4, "burn_in": 2})),
        ("joint train", json!({"train": [gold], "task": "dependency", "epochs": 3})),
        ("joint train", json!({"train": [trees], "task": "brackets", "epochs": 3})),
        ("segment train", json!({"file": gold, "from": "conllu"})),
        ("segment train", json!({"file": gold, "from": "conllu", "method": "viterbi", "smoothing": 1})),
        ("tag train", json!({"tokens": [gold], "epochs": 3})),
        ("tag train", json!({"dict": dictionary, "raw": [raw], "held_out": gold, "epochs": 3})),
    ]
}

#[test]
fn a_run_that_is_stopped_leaves_a_checkpoint_and_goes_on_to_the_bytes_of_a_straight_one() {
    for (name, options) in learners() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let run = |output: &str, resume: bool, watch: &dyn Watch| {
            let mut options = object(options.clone());
            options.insert("output".into(), file(output).display().to_string().into());
            options.insert("resume".into(), resume.into());
            call(name, &options, watch)
        };
        let error = run("model", false, &Stopping::Saving).unwrap_err();
        let Some(Stopped(text)) = error.downcast_ref() else { panic!("{name}: {error:#}") };
        assert!(text.contains("was not written") && text.contains("--resume"), "{name}: {text}");
        assert_eq!(files_in(&folder), ["model.checkpoint"], "{name}");
        let refused = run("model", false, &Unwatched).unwrap_err();
        assert!(refused.is::<treelet::Usage>(), "{name}: {refused:#}");
        run("model", true, &Unwatched).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        run("straight", false, &Unwatched).unwrap();
        assert_eq!(files_in(&folder), ["model", "straight"], "{name}");
        let [resumed, straight] = ["model", "straight"].map(|name| std::fs::read(file(name)).unwrap());
        assert!(resumed == straight, "{name}: the two models differ");
    }
}

#[test]
fn what_only_writes_an_output_leaves_none_when_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let gold = demo("village.conllu");
    let learn = |name: &str, options: Value| call(name, &object(options), &Unwatched).unwrap();
    learn("train dependency", json!({"files": [gold], "output": file("parser"), "epochs": 1}));
    learn("tag train", json!({"tokens": [gold], "output": file("tagger"), "epochs": 1}));
    let before = files_in(&folder);
    for (name, options) in [
        ("parse", json!({"model": file("parser"), "input": gold, "output": file("out")})),
        ("parse", json!({"model": file("parser"), "input": gold})),
        ("tag run", json!({"model": file("tagger"), "input": gold, "output": file("out")})),
        (
            "impute",
            json!({"file": demo("village.anno"), "output": file("out"), "save_model": file("imputer")}),
        ),
    ] {
        let error = call(name, &object(options), &Stopping::All).unwrap_err();
        assert!(error.is::<Stopped>(), "{name}: {error:#}");
        assert_eq!(files_in(&folder), before, "{name}");
    }
}
