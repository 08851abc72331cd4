//! Gradients of the loss are those that small steps show.

use proptest::prelude::*;

use super::{sequences, tag_set, tagged};
use crate::crf::data::Data;
use crate::crf::features::NOTHING_FURTHER;
use crate::crf::lattice::allows;
use crate::crf::learn::LatticeScratch;
use crate::crf::options::CrfOptions;
use crate::{Choice, Tagged};

const N_TAGS: usize = 3;

/// −ln of the share that the allowed sequences have, from a list of all, and the number of weights.
fn listed_loss(data: &Data<'_>, sentence: &Tagged, weights: &[f32]) -> f64 {
    let row = |row: usize, tag: usize| f64::from(weights[row * N_TAGS + tag]);
    let score = |tags: &[usize]| -> f64 {
        let alone = tags.iter().enumerate().flat_map(|(word, &tag)| {
            data.rows(&data.examples[0], word).map(move |feature| row(N_TAGS + feature, tag))
        });
        alone.sum::<f64>() + tags.windows(2).map(|pair| row(pair[0], pair[1])).sum::<f64>()
    };
    let allowed =
        |tags: &Vec<usize>| tags.iter().zip(&sentence.choices).all(|(&tag, choice)| allows(choice, tag));
    let all = sequences(sentence.words.len(), N_TAGS);
    let sum = |sequences: &mut dyn Iterator<Item = &Vec<usize>>| {
        sequences.map(|tags| score(tags).exp()).sum::<f64>()
    };
    let (z, z_allowed) = (sum(&mut all.iter()), sum(&mut all.iter().filter(|tags| allowed(tags))));
    sentence.weight * (z.ln() - z_allowed.ln())
}

/// Weights that look random and are not large.
fn weights(n: usize, seed: u64) -> Vec<f32> {
    let mut rng = chain::Stream::new(seed).rng();
    (0..n).map(|_| (rng.uniform() - 0.5) as f32).collect()
}

fn check(sentence: &Tagged, seed: u64) {
    let sentences = std::slice::from_ref(sentence);
    let options = CrfOptions { least_pair: 1, ..CrfOptions::default() };
    let (data, index) = Data::new(sentences, N_TAGS, NOTHING_FURTHER, &options);
    let mut weights = weights((N_TAGS + index.keys().len()) * N_TAGS, seed);
    let gradient = LatticeScratch::default().gradient(&data, &data.examples[0], N_TAGS, &weights).unwrap();
    assert!((gradient.loss - listed_loss(&data, sentence, &weights)).abs() < 1e-5);
    let mut gradients = vec![0.0f64; weights.len()];
    gradient.entries.iter().for_each(|&(slot, derivative)| gradients[slot as usize] += f64::from(derivative));
    // The transitions, and some of the features.
    for slot in (0..N_TAGS * N_TAGS).chain((N_TAGS * N_TAGS..weights.len()).step_by(7)) {
        let step = 1.0f32 / 256.0;
        let here = weights[slot];
        let mut loss_at = |weight: f32| {
            weights[slot] = weight;
            listed_loss(&data, sentence, &weights)
        };
        let seen = (loss_at(here + step) - loss_at(here - step)) / f64::from(2.0 * step);
        weights[slot] = here;
        assert!((gradients[slot] - seen).abs() < 2e-3, "{slot}: {} {seen}", gradients[slot]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn gradients_are_differences_of_the_listed_loss(
        kinds in prop::collection::vec(0usize..5, 1..=5),
        seed in any::<u64>(),
        weight in 0.2f64..3.0,
    ) {
        let choices: Vec<Choice> = kinds
            .iter()
            .map(|&kind| match kind {
                0 => Choice::Any,
                1 => Choice::Among([0, 2].into()),
                known => Choice::Known(known as u32 - 2),
            })
            .collect();
        let words = ["Anna", "saw", "2", "anna", "dogs-in-boots"][..choices.len()].join(" ");
        let sentence = Tagged { weight, ..tagged(&words, &choices) };
        if choices.iter().any(|choice| *choice != Choice::Any) {
            check(&sentence, seed);
        }
    }
}

#[test]
fn nothing_is_learned_from_sentences_of_which_nothing_is_known() {
    let everything = Choice::Among([0, 1, 2].into());
    let sentences = [
        tagged("a b", &[Choice::Any, Choice::Any]),
        tagged("a b", &[everything.clone(), Choice::Any]),
        Tagged { weight: 0.0, ..tagged("a", &[Choice::Known(1)]) },
        Tagged { weight: f64::NAN, ..tagged("a", &[Choice::Known(1)]) },
        tagged("a b", &[Choice::Known(1)]),
    ];
    let (data, _) = Data::new(&sentences, N_TAGS, NOTHING_FURTHER, &CrfOptions::default());
    assert!(data.examples.is_empty());
    // Beside words with a tag, free words have no gradient as long as all weights are zero.
    let sentences = [tagged("a b c", &[Choice::Any, Choice::Known(2), everything])];
    let (data, index) = Data::new(&sentences, tag_set(N_TAGS).len(), NOTHING_FURTHER, &CrfOptions::default());
    let zero = vec![0.0; (N_TAGS + index.keys().len()) * N_TAGS];
    let gradient = LatticeScratch::default().gradient(&data, &data.examples[0], N_TAGS, &zero).unwrap();
    let rows: std::collections::BTreeSet<usize> = data.rows(&data.examples[0], 1).collect();
    let features = gradient.entries.iter().filter(|(slot, _)| *slot as usize >= N_TAGS * N_TAGS);
    for (slot, _) in features {
        assert!(rows.contains(&(*slot as usize / N_TAGS - N_TAGS)), "slot {slot}");
    }
}
