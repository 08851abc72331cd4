//! What mean counts become: the means of the Dirichlet distributions, event by event.

use arcs::dmv::DmvShape;
use chain::{Stream, Workers};
use impute::gpc::DmvPrior;
use tree::Side;

/// Two tags and three words, the first and the last of the second tag.
fn prior(valence: bool) -> DmvPrior {
    let shape = DmvShape::new(2, 3, valence);
    let rng = &mut Stream::new(3).rng();
    let alpha = (0..DmvShape::new(2, 0, valence).len()).map(|_| 0.2 + rng.uniform()).collect();
    DmvPrior { shape, alpha, backoff: vec![1, 0, 1], lexical_weight: 2.5 }
}

fn counts(prior: &DmvPrior) -> Vec<f64> {
    let rng = &mut Stream::new(4).rng();
    (0..prior.shape.len()).map(|_| rng.below(6) as f64).collect()
}

/// The events of one distribution of a head: to stop or to go on, or which tag to take.
fn rows(shape: &DmvShape, head: u32) -> Vec<Vec<usize>> {
    let places = [(Side::Left, false), (Side::Left, true), (Side::Right, false), (Side::Right, true)];
    let stops =
        places.map(|(side, has)| [true, false].map(|stops| shape.stop(head, side, has, stops)).to_vec());
    let choices = places.map(|(side, has)| [0, 1].map(|tag| shape.choice(head, side, has, tag)).to_vec());
    [stops, choices].concat()
}

#[test]
fn tags_have_their_own_prior_and_words_back_off_to_their_tags() {
    for valence in [false, true] {
        let prior = prior(valence);
        let (shape, counts) = (&prior.shape, &counts(&prior));
        let mean = prior.mean(counts);
        let mut n_seen = 0;
        let mut check = |events: &[usize], beliefs: &[f64]| {
            let total: f64 =
                events.iter().map(|&event| counts[event]).sum::<f64>() + beliefs.iter().sum::<f64>();
            for (&event, belief) in events.iter().zip(beliefs) {
                let expected = (belief + counts[event]) / total;
                assert!((mean[event] - expected).abs() < 1e-12, "event {event}: {} {expected}", mean[event]);
            }
            n_seen += events.len();
        };
        let alpha = |events: &[usize]| events.iter().map(|&event| prior.alpha[event]).collect::<Vec<_>>();
        for root in [vec![shape.root(0), shape.root(1)], vec![shape.root_stop(true), shape.root_stop(false)]]
        {
            check(&root, &alpha(&root));
        }
        (0..2).flat_map(|tag| rows(shape, tag)).for_each(|row| check(&row, &alpha(&row)));
        for (word, &tag) in (2..).zip(&prior.backoff) {
            for (row, of_tag) in rows(shape, word).iter().zip(rows(shape, tag)) {
                let beliefs: Vec<f64> = of_tag.iter().map(|&event| 2.5 * mean[event]).collect();
                check(row, &beliefs);
            }
        }
        assert!(n_seen >= shape.len());
    }
}

#[test]
fn means_are_those_of_many_draws() {
    // The words have no counts, so no tables take part, and a draw has the mean of its Dirichlet distributions.
    let prior = prior(true);
    let mut counts = counts(&prior);
    counts[prior.alpha.len()..].fill(0.0);
    let mean = prior.mean(&counts);
    let n = 20_000;
    let mut sums = vec![(0.0, 0.0); mean.len()];
    let (mut parameters, mut tables) = (vec![0.5; prior.alpha.len()], Vec::new());
    for draw in 0..n {
        parameters.truncate(prior.alpha.len());
        prior.draw(&counts, &mut parameters, &mut tables, Stream::new(5).item(draw), &Workers::serial());
        for (sum, value) in sums.iter_mut().zip(&parameters) {
            *sum = (sum.0 + value, sum.1 + value * value);
        }
    }
    for (event, (&(sum, squares), mean)) in sums.iter().zip(&mean).enumerate() {
        let found = sum / n as f64;
        let error = ((squares / n as f64 - found * found) / n as f64).sqrt();
        assert!((found - mean).abs() < 5.0 * error, "event {event}: {found} ± {error} instead of {mean}");
    }
}
