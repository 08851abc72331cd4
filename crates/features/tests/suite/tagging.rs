//! The log-linear model of tags.

use chain::container::{Header, decode, encode};
use features::{Observation, TagModel, TagModelOptions};
use proptest::prelude::*;

fn seen<'a>(pairs: &[(&'a str, u32)]) -> Vec<Observation<'a>> {
    pairs.iter().map(|&(form, tag)| Observation { form, first: false, tag, count: 1.0 }).collect()
}

fn posterior(model: &TagModel, form: &str) -> Vec<f64> {
    let mut out = Vec::new();
    model.posterior(form, false, &mut out);
    out
}

fn toy() -> Vec<Observation<'static>> {
    seen(&[("walking", 0), ("talking", 0), ("singing", 0), ("house", 1), ("table", 1), ("42", 2), ("7", 2)])
}

fn fit(observations: &[Observation<'_>], n_tags: usize) -> TagModel {
    TagModel::fit(observations, n_tags, &TagModelOptions::default())
}

#[test]
fn unseen_words_follow_their_endings_and_shapes() {
    let model = fit(&toy(), 3);
    assert!(posterior(&model, "jumping")[0] > 0.6);
    assert!(posterior(&model, "93")[2] > 0.6);
}

#[test]
fn a_seen_word_follows_its_own_tag_against_its_ending() {
    let mut observations = toy();
    observations.push(Observation { form: "king", first: false, tag: 1, count: 3.0 });
    let model = fit(&observations, 3);
    assert!(posterior(&model, "king")[1] > 0.5);
    assert!(posterior(&model, "zinking")[0] > 0.5);
}

#[test]
fn frequent_words_do_not_pull_their_tag_up_for_unknown_words() {
    let mut observations = toy();
    observations.push(Observation { form: "the", first: false, tag: 3, count: 1.0 });
    let once = posterior(&fit(&observations, 4), "Wug");
    observations.last_mut().unwrap().count = 1000.0;
    assert_eq!(once, posterior(&fit(&observations, 4), "Wug"));
}

#[test]
fn extra_features_are_heeded() {
    let observations = seen(&[("ab", 0), ("cd", 0), ("ef", 1), ("gh", 1)]);
    let extra: [&[u64]; 4] = [&[7], &[7], &[8], &[8]];
    let model = TagModel::fit_with(&observations, &extra, 2, &TagModelOptions::default());
    let mut out = Vec::new();
    model.posterior_with("xy", false, &[8], &mut out);
    assert!(out[1] > 0.6);
    model.posterior_with("xy", false, &[7], &mut out);
    assert!(out[0] > 0.6);
}

#[test]
fn without_observations_all_tags_are_equally_likely() {
    assert_eq!(posterior(&fit(&[], 4), "word"), [0.25; 4]);
    assert_eq!(posterior(&fit(&[], 1), ""), [1.0]);
    assert!(posterior(&fit(&[], 0), "word").is_empty());
}

#[test]
fn senseless_observations_are_passed_over() {
    let mut observations = toy();
    let bad = [(9, 1.0), (0, 0.0), (0, -1.0), (0, f64::NAN), (0, f64::INFINITY)];
    observations.extend(bad.map(|(tag, count)| Observation { form: "x", first: false, tag, count }));
    assert_eq!(fit(&observations, 3), fit(&toy(), 3));
}

#[test]
fn the_order_of_observations_does_not_matter() {
    let mut backwards = toy();
    backwards.reverse();
    assert_eq!(fit(&backwards, 3), fit(&toy(), 3));
}

#[test]
fn a_model_survives_being_written_and_read() {
    let model = fit(&toy(), 3);
    let bytes = encode(&Header::default(), &model).unwrap();
    let (_, read): (Header, TagModel) = decode(&bytes, "", 0).unwrap();
    assert_eq!(read, model);
    assert_eq!(posterior(&read, "barking"), posterior(&model, "barking"));
}

proptest! {
    #[test]
    fn posteriors_sum_to_one(form in any::<String>(), first in any::<bool>(), extra in any::<u64>()) {
        let model = fit(&toy(), 3);
        let mut out = Vec::new();
        model.posterior_with(&form, first, &[extra], &mut out);
        prop_assert_eq!(out.len(), 3);
        prop_assert!((out.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        prop_assert!(out.iter().all(|&p| p > 0.0));
    }

    #[test]
    fn any_observations_can_be_learnt(
        pairs in proptest::collection::vec((any::<String>(), any::<bool>(), 0..5u32, 0.1..1e6f64), 0..12)
    ) {
        let observations: Vec<_> = pairs
            .iter()
            .map(|(form, first, tag, count)| Observation { form, first: *first, tag: *tag, count: *count })
            .collect();
        let total: f64 = posterior(&fit(&observations, 5), "word").iter().sum();
        prop_assert!((total - 1.0).abs() < 1e-12);
    }
}
