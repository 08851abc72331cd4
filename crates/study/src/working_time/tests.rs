use super::*;
use proptest::prelude::*;

/// Pieces of a minute, one after the other, from a time on.
fn minutes(from: i64, sentences: &[i64]) -> Vec<WorkPiece> {
    let piece = |(n, &sentence): (i64, &i64)| WorkPiece { until: from + n * 60_000, seconds: 60.0, sentence };
    (1..).zip(sentences).map(piece).collect()
}

#[test]
fn a_sentence_across_two_half_hours_counts_in_both_by_its_share() {
    // 29 minutes on the first sentence, 4 on the second, 2 on the third.
    let sentences = [vec![1; 29], vec![2; 4], vec![3; 2]].concat();
    let blocks = WorkingTime::new(minutes(0, &sentences)).half_hours();
    assert_eq!(blocks.len(), 2);
    assert_eq!((blocks[0].seconds, blocks[1].seconds), (1800.0, 300.0));
    let shares = |block: &WorkBlock| block.shares.iter().map(|(&of, &share)| (of, share)).collect::<Vec<_>>();
    let first = shares(&blocks[0]);
    assert_eq!((first[0].0, first[1]), (1, (2, 0.25)));
    assert!((first[0].1 - 1.0).abs() < 1e-12);
    assert_eq!(shares(&blocks[1]), [(2, 0.75), (3, 1.0)]);
}

#[test]
fn what_is_finished_when_a_half_hour_is_full_belongs_to_it() {
    let time = WorkingTime::new(minutes(0, &[1; 61]));
    assert_eq!(time.half_hour_of(60_000), Some(0));
    assert_eq!(time.half_hour_of(30 * 60_000), Some(0));
    assert_eq!(time.half_hour_of(31 * 60_000), Some(1));
    assert_eq!(time.half_hour_of(61 * 60_000), Some(2));
    assert_eq!(WorkingTime::default().half_hour_of(0), None);
}

#[test]
fn a_rest_ends_a_session_and_short_ends_do_not_count() {
    let pieces = [minutes(0, &[1; 40]), minutes(10_000_000, &[2; 50])].concat();
    let time = WorkingTime::new(pieces);
    assert_eq!(time.breaks(), [2400.0]);
    // 30 minutes and 10 that are too few, then 30 and 20.
    let seconds: Vec<Vec<f64>> = time
        .half_hours_of_sessions()
        .iter()
        .map(|blocks| blocks.iter().map(|block| block.seconds).collect())
        .collect();
    assert_eq!(seconds, [vec![1800.0], vec![1800.0, 1200.0]]);
    // Without the rest there are three half hours.
    assert_eq!(time.half_hours().len(), 3);
}

#[test]
fn a_slope_is_found_again_and_sessions_have_speeds_of_their_own() {
    // Ten per cent less each half hour, from 800 words an hour and from 400.
    let falling = |first: f64, n: i32| (0..n).map(|k| first * 0.9f64.powi(k)).collect::<Vec<f64>>();
    let found = tiring(&[falling(800.0, 4), falling(400.0, 4)]).unwrap();
    assert!((found.per_half_hour + 0.1).abs() < 1e-12, "{found:?}");
    assert!(found.interval.iter().all(|bound| (bound + 0.1).abs() < 1e-6), "{found:?}");
    // Three half hours after the first are too few.
    assert_eq!(tiring(&[falling(800.0, 4)]), None);
    assert_eq!(tiring(&vec![falling(800.0, 1); 9]), None);
}

/// The example of a textbook: y on x with x = 0 … 4, residuals and all by hand.
#[test]
fn the_interval_is_that_of_least_squares() {
    let logs = [1.0f64, 2.0, 1.3, 3.75, 2.25];
    let found = tiring(&[logs.map(f64::exp).to_vec()]).unwrap();
    // Σ(x−2)² = 10, Σ(x−2)(y−ȳ) = 4.25; slope 0.425, residual sum 2.791, s² = 0.9303…, se = 0.30501…, t(3) = 3.18244…
    let (slope, wide): (f64, f64) = (0.425, 3.182_446_305_284_263 * (2.790_75f64 / 3.0 / 10.0).sqrt());
    assert!((found.per_half_hour - slope.exp_m1()).abs() < 1e-9, "{found:?}");
    assert!((found.interval[0] - (slope - wide).exp_m1()).abs() < 1e-6, "{found:?}");
    assert!((found.interval[1] - (slope + wide).exp_m1()).abs() < 1e-6, "{found:?}");
}

proptest! {
    #[test]
    fn no_work_is_lost_and_none_invented(pieces in prop::collection::vec((0i64..100, 1u32..4000, 0i64..5), 0..30)) {
        let piece = |(until, seconds, sentence): (i64, u32, i64)| {
            WorkPiece { until: until * 600_000, seconds: f64::from(seconds), sentence }
        };
        let time = WorkingTime::new(pieces.into_iter().map(piece));
        let blocks = time.half_hours();
        let seconds: f64 = blocks.iter().map(|block| block.seconds).sum();
        prop_assert!((seconds - time.seconds()).abs() < 1e-6);
        for sentence in 0..5 {
            let share: f64 = blocks.iter().filter_map(|block| block.shares.get(&sentence)).sum();
            prop_assert!(share == 0.0 || (share - 1.0).abs() < 1e-9, "{}", share);
        }
        prop_assert!(blocks.iter().rev().skip(1).all(|block| block.seconds == 1800.0));
    }
}
