//! Models of names, relations and roles from outside: learning, files, resuming.

use bp::Messages;
use chain::descent::Learning;
use chain::{Rng, Stream, Threads, Workers};
use joint::semantics::{
    Gazetteer, Options, SemanticCheckpoint, SemanticModel, SemanticProgress, SemanticTask, Syntax, Valency,
};
use joint::{Mode, Sentence};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use tree::semantics::{Argument, Entity, Predicate, Relation};
use tree::{Span, Text};

/// Sentences in which capitals are names, *of* relates names, and nouns beside a verb are its arguments.
fn corpus(n: usize, seed: u64) -> Vec<Sentence> {
    let mut rng = Stream::new(seed).rng();
    (0..n).map(|_| sentence(&mut rng)).collect()
}

fn sentence(rng: &mut Rng) -> Sentence {
    let pick = |rng: &mut Rng, words: &[&str]| -> Text { words[rng.below(words.len())].into() };
    let mut words: Vec<(Text, &str)> = Vec::new();
    let people = ["Ada", "Kofi", "Mei", "Omar"];
    words.push((pick(rng, &people), "N"));
    if rng.below(2) == 0 {
        words.push(("of".into(), "P"));
        words.push((pick(rng, &["Rome", "Accra", "Lima"]), "N"));
    }
    let verb = words.len();
    words.push((pick(rng, &["sees", "likes"]), "V"));
    words.push((pick(rng, &["goats", "rain", "Omar"]), "N"));
    let forms: Vec<Text> = words.iter().map(|(form, _)| form.clone()).collect();
    let mut sentence = Sentence {
        lemmas: forms.clone(),
        classes: words.iter().map(|(_, class)| (*class).into()).collect(),
        forms,
        ..Sentence::default()
    };
    sentence.heads =
        (0..words.len()).map(|word| Some(if word == verb { 0 } else { verb as u32 + 1 })).collect();
    let said = &mut sentence.semantics;
    for (at, (form, _)) in
        words.iter().enumerate().filter(|(_, (form, _))| form.starts_with(char::is_uppercase))
    {
        let kind = if people.contains(&form.as_str()) { "PER" } else { "LOC" };
        said.entities.push(Entity { span: Span::new(at, at + 1).expect("a span"), kind: kind.into() });
    }
    if words[1].0 == "of" {
        said.relations.push(Relation { first: 0, second: 1, kind: "from".into() });
    }
    let argument = |word, role: &str| Argument { word, role: role.into() };
    said.predicates.push(Predicate {
        word: verb,
        sense: Some(format!("{}.01", words[verb].0).into()),
        arguments: vec![argument(0, "A0"), argument(verb + 1, "A1")],
        open: Default::default(),
    });
    sentence
}

fn configurations() -> Vec<Options> {
    let learning = Learning { epochs: 6, ..Options::default().learning };
    let of = |task: SemanticTask, mode: Mode| Options { mode, learning, ..Options::of(task) };
    vec![
        of(SemanticTask::Entities, Mode::Supervised),
        of(SemanticTask::Entities, Mode::Hidden),
        of(SemanticTask::Relations, Mode::Hidden),
        Options { syntax: Syntax::Arcs, ..of(SemanticTask::Relations, Mode::Oracle) },
        of(SemanticTask::Roles, Mode::Joint),
        Options { valency: Valency::Three, ..of(SemanticTask::Roles, Mode::Hidden) },
    ]
}

fn train(
    options: &Options,
    threads: usize,
    start: Option<&SemanticCheckpoint>,
    observe: impl FnMut(&SemanticProgress<'_>) -> ControlFlow<()>,
) -> SemanticModel {
    let workers =
        Workers::new(Threads::Exactly(NonZeroUsize::new(threads).expect("threads"))).expect("workers");
    let corpus = corpus(60, 1);
    let trained =
        SemanticModel::train(&corpus, options, Gazetteer::default(), 7, start, &workers, None, observe);
    trained.expect("a model").0
}

fn bytes(model: &SemanticModel) -> String {
    serde_json::to_string(model).expect("a model can be written")
}

#[test]
fn what_is_easy_is_learned_in_every_mode() {
    for options in configurations() {
        let model = train(&options, 1, None, |_| ControlFlow::Continue(()));
        let mut n_right = 0;
        let test = corpus(30, 2);
        for sentence in &test {
            let found = model.find(&model.opened(sentence), &mut Messages::default()).expect("an answer");
            let (said, gold) = (found.semantics, &sentence.semantics);
            n_right += usize::from(match options.task {
                SemanticTask::Entities => said.entities == gold.entities,
                SemanticTask::Relations => said.relations == gold.relations,
                SemanticTask::Roles => said.predicates == gold.predicates,
            });
        }
        assert!(n_right >= 27, "{options:?}: {n_right} of {}", test.len());
    }
}

#[test]
fn models_are_the_same_at_any_number_of_threads_and_after_their_files() {
    for options in configurations() {
        let one = train(&options, 1, None, |_| ControlFlow::Continue(()));
        let three = train(&options, 3, None, |_| ControlFlow::Continue(()));
        assert_eq!(bytes(&one), bytes(&three), "{options:?}");
        let again: SemanticModel = serde_json::from_str(&bytes(&one)).expect("a model can be read");
        for sentence in &corpus(5, 3) {
            let find = |model: &SemanticModel| {
                let found = model.find(&model.opened(sentence), &mut Messages::default()).expect("an answer");
                (found.semantics, found.entities, found.relations, found.arguments)
            };
            assert_eq!(find(&one), find(&again), "{options:?}");
        }
    }
}

#[test]
fn a_run_that_is_resumed_comes_to_the_same_model() {
    for options in configurations() {
        let straight = train(&options, 2, None, |_| ControlFlow::Continue(()));
        for (stage, epoch) in [(1, 2), (2, 3)] {
            let mut saved = None;
            let _ = train(&options, 1, None, |progress| {
                if (progress.stage, progress.epoch) == (stage, epoch) {
                    saved = Some(progress.save());
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            let Some(saved) = saved else { continue };
            let text = serde_json::to_string(&saved).expect("a checkpoint can be written");
            let saved: SemanticCheckpoint = serde_json::from_str(&text).expect("a checkpoint can be read");
            let resumed = train(&options, 1, Some(&saved), |_| ControlFlow::Continue(()));
            assert_eq!(bytes(&straight), bytes(&resumed), "{options:?}");
        }
    }
}

#[test]
fn damaged_models_and_sentences_without_promised_trees_are_refused() {
    let options = Options { mode: Mode::Oracle, ..Options::of(SemanticTask::Roles) };
    let model = train(&options, 1, None, |_| ControlFlow::Continue(()));
    let mut sentence = corpus(1, 5).remove(0);
    sentence.heads[1] = None;
    let error = model.find(&model.opened(&sentence), &mut Messages::default()).expect_err("no tree");
    assert!(error.to_string().contains("word 2 has no head"), "{error}");
    let damaged = bytes(&model).replace("\"threshold\":0.5", "\"threshold\":null");
    assert!(serde_json::from_str::<SemanticModel>(&damaged).is_err());
}
