//! Training: the same bits however it is run, files that come back, and something learnt.

use arcs::rules::RuleTable;
use chain::observe::Each;
use chain::{Start, Stop, Stream, Threads, Workers};
use impute::gpc::{CompleteOptions, GpcTrained};
use impute::{Fragment, Gpc, GpcModel, GpcOptions};
use testkit::annotations::{any_annotation, any_reading};
use tree::Possible;
use tree::{Arc, Node, PartialTree, Place, Reading, Text};

use crate::completing::fragment;

fn fragments(n: usize) -> Vec<Fragment> {
    (0..n)
        .map(|seed| {
            let rng = &mut Stream::new(21).item(seed).rng();
            let n_words = rng.below(9);
            let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
            let possible = Possible::new(&said, &reading).unwrap_or_else(|_| Possible::everything(n_words));
            fragment(rng, possible)
        })
        .collect()
}

fn options() -> GpcOptions {
    GpcOptions {
        burn_in: 5,
        samples: 7,
        chains: 2,
        seed: 3,
        lexical_threshold: Some(5),
        valence: true,
        ..GpcOptions::default()
    }
}

fn bits(trained: &GpcTrained) -> (Vec<Vec<u64>>, Vec<Vec<Vec<u32>>>) {
    let chains =
        trained.model.chains.iter().map(|chain| chain.iter().map(|x| x.to_bits()).collect()).collect();
    (chains, trained.outcome.checkpoint.states.iter().map(|state| state.heads.clone()).collect())
}

#[test]
fn one_two_and_four_threads_give_the_same_bits() {
    let fragments = fragments(60);
    let run = |workers: &Workers| {
        let gpc = Gpc::new(&fragments, options(), workers).unwrap();
        let trained = gpc.run(Start::Fresh, &mut (), workers).unwrap();
        let completed =
            trained.model.complete_all(&fragments, &CompleteOptions { samples: 2, seed: 5 }, workers);
        (bits(&trained), completed)
    };
    let straight = run(&Workers::serial());
    for n in [2, 4] {
        assert_eq!(run(&Workers::new(Threads::from_count(n)).unwrap()), straight);
    }
}

#[test]
fn a_resumed_run_equals_the_straight_run() {
    let fragments = fragments(40);
    let workers = Workers::serial();
    let gpc = Gpc::new(&fragments, options(), &workers).unwrap();
    let straight = gpc.run(Start::Fresh, &mut (), &workers).unwrap();
    for stop_at in [2, 8] {
        let mut stopper = Each(|at: &chain::Progress, _: &_| {
            Ok(if at.sweep == stop_at {
                std::ops::ControlFlow::Break(Stop::Interrupted)
            } else {
                std::ops::ControlFlow::Continue(())
            })
        });
        let part = gpc.run(Start::Fresh, &mut stopper, &workers).unwrap();
        assert_eq!(part.outcome.stop, Some(Stop::Interrupted));
        let rest = gpc.run(Start::From(part.outcome.checkpoint), &mut (), &workers).unwrap();
        assert_eq!(bits(&rest), bits(&straight), "stopped at {stop_at}");
    }
}

#[test]
fn a_model_comes_back_from_its_file() {
    let fragments = fragments(40);
    let workers = Workers::serial();
    let with_rules = GpcOptions { rules: Some(RuleTable::default()), ..options() };
    let mut model = Gpc::train(&fragments, with_rules, &mut (), &workers).unwrap();
    model.temperature = 1.5;
    let path = std::env::temp_dir().join(format!("gpc-{}.model", std::process::id()));
    model.write(&path).unwrap();
    let back = GpcModel::read(&path);
    std::fs::remove_file(&path).unwrap();
    let back = back.unwrap();
    assert_eq!(back.chains, model.chains);
    assert_eq!(back.notes, model.notes);
    for fragment in &fragments {
        assert_eq!(back.complete(fragment), model.complete(fragment));
    }
}

#[test]
fn unknown_tags_and_words_are_completed() {
    let model = Gpc::train(&fragments(40), options(), &mut (), &Workers::serial()).unwrap();
    let words: Vec<Text> = ["x", "y", "z"].map(Text::from).to_vec();
    let fragment = Fragment { forms: words.clone(), tags: words, possible: Possible::everything(3) };
    assert_eq!(model.complete(&fragment).heads.n_roots(), 1);
}

/// Determiners stand before nouns, nouns on both sides of verbs; some heads are told.
#[test]
fn untold_heads_are_learnt_from_told_ones() {
    let sentences: Vec<(&str, [u32; 5])> =
        vec![("DNVDN", [2, 3, 0, 5, 3]), ("NVDNA", [2, 0, 4, 2, 2]), ("ADNVN", [4, 3, 4, 0, 4])];
    let place = Place::default();
    let mut told = Vec::new();
    let mut gold = Vec::new();
    for seed in 0..90usize {
        let rng = &mut Stream::new(5).item(seed).rng();
        let (tags, heads) = &sentences[seed % 3];
        let mut said = PartialTree::new(5);
        for (word, &head) in (1..).zip(heads) {
            if head > 0 && rng.bernoulli(0.25) {
                said.arcs.push(Arc { head: Node::Word(head as usize), dependent: Node::Word(word), place });
            }
        }
        let tags: Vec<Text> = tags.chars().map(|tag| Text::from(tag.to_string())).collect();
        let possible = Possible::new(&said, &Reading::default()).unwrap();
        told.push(Fragment { forms: tags.clone(), tags, possible });
        gold.push(*heads);
    }
    let options = GpcOptions { burn_in: 30, samples: 30, chains: 2, ..GpcOptions::default() };
    let model = Gpc::train(&told, options, &mut (), &Workers::serial()).unwrap();
    let free = told.iter().zip(&gold).take(3).map(|(fragment, gold)| {
        let possible = Possible::everything(5);
        let found = model.complete(&Fragment { possible, ..fragment.clone() });
        found.heads.as_slice().iter().zip(gold).filter(|(a, b)| a == b).count()
    });
    assert!(free.sum::<usize>() >= 13);
}

#[test]
fn long_sentences_are_completed_and_not_learned_from() {
    let all = fragments(60);
    let (mut sorted, long): (Vec<Fragment>, Vec<Fragment>) =
        all.into_iter().partition(|fragment| fragment.len() <= 5);
    let n_short = sorted.len();
    sorted.extend(long);
    let options = GpcOptions { longest: 5, lexical_threshold: None, ..options() };
    let run = |fragments: &[Fragment], options: &GpcOptions| {
        let gpc = Gpc::new(fragments, options.clone(), &Workers::serial()).unwrap();
        gpc.run(Start::Fresh, &mut (), &Workers::serial()).unwrap().model
    };
    let (model, of_short) = (run(&sorted, &options), run(&sorted[..n_short], &options));
    let shares =
        |model: &GpcModel| -> Vec<f64> { model.chains.iter().map(|counts| counts.iter().sum()).collect() };
    assert_eq!(shares(&model), shares(&of_short));
    assert_ne!(shares(&model), shares(&run(&sorted, &GpcOptions { longest: 300, ..options.clone() })));
    for fragment in &sorted[n_short..] {
        assert!(fragment.possible.admits(&model.complete(fragment).heads));
    }
    // Nothing but long sentences: what the prior says.
    let model = run(&sorted[n_short..], &options);
    assert!(model.chains.iter().flatten().all(|count| *count == 0.0));
}
