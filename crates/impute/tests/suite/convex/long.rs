//! Sentences that are too long to be learned from.

use chain::Workers;
use impute::Fragment;
use impute::convex::{self, ConvexOptions, FeatureOptions};
use tree::Possible;
use tree::{Reading, Text};

use super::{fragments, quick};

fn free(tags: &str) -> Fragment {
    let tags: Vec<Text> = tags.split(' ').map(Into::into).collect();
    Fragment { forms: tags.clone(), possible: Possible::everything(tags.len()), tags }
}

#[test]
fn long_sentences_are_completed_and_not_learned_from() {
    let options = ConvexOptions {
        longest: 5,
        temperature: None,
        features: FeatureOptions::tags(),
        ..ConvexOptions::default()
    };
    let all = fragments(120, 17, &Reading::default());
    let (short, long): (Vec<Fragment>, Vec<Fragment>) =
        all.iter().cloned().partition(|fragment| fragment.len() <= 5);
    assert!(short.len() > 20 && long.len() > 20);
    let train = |fragments: &[Fragment], options: &ConvexOptions| {
        convex::train(fragments, options, &Workers::serial()).model
    };
    let (model, of_short) = (train(&all, &options), train(&short, &options));
    let weights = |model: &convex::ConvexModel| {
        let mut weights: Vec<(String, u64)> = model.weights().map(|(name, w)| (name, w.to_bits())).collect();
        weights.sort();
        weights
    };
    assert_eq!((weights(&model), model.scalings), (weights(&of_short), of_short.scalings));
    assert_ne!(weights(&model), weights(&train(&all, &ConvexOptions { longest: 8, ..options })));
    for fragment in &long {
        assert!(fragment.possible.admits(&model.complete(fragment).heads));
    }
}

#[test]
fn rules_hold_where_all_sentences_are_too_long() {
    let options = ConvexOptions { longest: 2, mu: 2.0, ..quick() };
    let sentence = free("DET NOUN VERB");
    let model = convex::train(std::slice::from_ref(&sentence), &options, &Workers::serial()).model;
    assert_eq!(model.weights().count(), 0);
    assert_eq!(model.complete(&sentence).heads.as_slice(), [2, 3, 0]);
}
