//! Temperature and confidence are fitted to what is given out.

use tree::Possible;
use tree::{Arc, Node, PartialTree, Place, Reading, Text};

use super::super::{Gpc, GpcOptions};
use super::*;

/// Sentences of which most heads are known: usually the word before, sometimes another.
fn fragments(n: usize) -> Vec<Fragment> {
    let rng = &mut Stream::new(1).rng();
    (0..n)
        .map(|_| {
            let n_words = 3 + rng.below(4);
            let tags: Vec<Text> = (0..n_words).map(|_| ["A", "B", "C"][rng.below(3)].into()).collect();
            let mut said = PartialTree::new(n_words);
            for word in 2..=n_words {
                if rng.uniform() < 0.8 {
                    let head = if rng.uniform() < 0.6 { word - 1 } else { 1 };
                    let (head, dependent) = (Node::Word(head), Node::Word(word));
                    said.arcs.push(Arc { head, dependent, place: Place::default() });
                }
            }
            let possible = Possible::new(&said, &Reading::default()).expect("all heads come before");
            Fragment { forms: tags.clone(), tags, possible }
        })
        .collect()
}

#[test]
fn the_confidence_is_fitted_at_the_temperature_it_is_used_at() {
    let fragments = fragments(60);
    let options = GpcOptions { burn_in: 5, samples: 5, chains: 2, ..GpcOptions::default() };
    let model = Gpc::train(&fragments, options, &mut (), &Workers::serial()).expect("there are sentences");
    assert!(model.temperature != 1.0 && model.confidence != Confidence::default());
    let hidden: Vec<_> =
        fragments.iter().enumerate().filter_map(|(at, fragment)| hide_known(fragment, at)).collect();
    // As it is used, but for the correction itself.
    let plain = GpcModel { confidence: Confidence::default(), ..model.clone() };
    let posteriors: Vec<ArcPosteriors> =
        hidden.iter().map(|(fragment, _)| plain.complete(fragment).posteriors).collect();
    let guesses: Vec<Guess> = held(&hidden, &posteriors).iter().map(Held::guess).collect();
    assert_eq!(model.confidence, Confidence::fit(&guesses));
    // What is given out is what the correction makes of that.
    for ((fragment, _), mut posteriors) in hidden.iter().zip(posteriors) {
        crate::calibrate::correct(&mut posteriors, &model.confidence);
        assert_eq!(model.complete(fragment).posteriors, posteriors);
    }
    // And the temperature is the one at which hidden arcs are most probable.
    let cold = GpcModel { temperature: 1.0, ..plain };
    let untempered: Vec<ArcPosteriors> =
        hidden.iter().map(|(fragment, _)| cold.complete(fragment).posteriors).collect();
    assert_eq!(model.temperature, fit_temperature(&held(&hidden, &untempered)));
}
