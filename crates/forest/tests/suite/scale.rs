//! Scaling rows changes no number, and tells of what it drops.

use forest::scale::{Lost, ROW, Spread, exponent, holds, normaliser, power};
use forest::semiring::{Semiring, Wide};
use proptest::prelude::*;

/// Numbers whose exponents lie within ± `reach`, and zeros.
fn numbers(reach: i32) -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 6 => (1.0..2.0f64, -reach..reach).prop_map(|(m, e)| m * power(e))]
}

proptest! {
    #[test]
    fn a_settled_row_times_its_power_is_the_row(
        row in proptest::collection::vec(numbers(130), 1..8),
        base in -1000i64..1000,
    ) {
        let (mut settled, mut lost) = (row.clone(), Lost::default());
        let Some(now) = lost.settle(&mut settled, base).unwrap() else {
            prop_assert!(row.iter().all(|&value| value == 0.0));
            return Ok(());
        };
        prop_assert!(lost.0.is_none());
        let largest = settled.iter().copied().fold(0.0, f64::max);
        prop_assert!((1.0..2.0).contains(&largest));
        for (before, after) in row.iter().zip(&settled) {
            prop_assert_eq!(Wide::new(*before, base), Wide::new(*after, now));
        }
    }

    #[test]
    fn what_is_dropped_is_less_than_what_is_said(row in proptest::collection::vec(numbers(390), 1..8)) {
        let (mut settled, mut lost) = (row.clone(), Lost::default());
        let now = lost.settle(&mut settled, 0).unwrap();
        let dropped = row.iter().zip(&settled).filter(|(before, after)| **before > 0.0 && **after == 0.0);
        let most = dropped.map(|(before, _)| *before).fold(0.0, f64::max);
        prop_assert_eq!(lost.0.is_some(), most > 0.0);
        if let Some(bound) = lost.0 {
            prop_assert!(most < power(bound as i32));
            prop_assert!(now.is_some_and(|now| bound <= now - i64::from(ROW) + 1));
        }
    }

    #[test]
    fn a_row_divided_by_its_middle_may_be_multiplied(row in proptest::collection::vec(numbers(511), 1..8)) {
        let mut spread = Spread::NONE;
        row.iter().for_each(|&value| spread.see(value, 1.0).unwrap());
        let positive = || row.iter().copied().filter(|&value| value > 0.0);
        if let (Some(middle), true) = (spread.middle(), positive().next().is_some()) {
            for value in positive().map(|value| value * power(-middle)) {
                prop_assert!((power(-Spread::ROW)..power(Spread::ROW)).contains(&value));
            }
        }
    }

    #[test]
    fn numbers_with_exponents_are_ordered_as_numbers(a in numbers(300), b in numbers(300)) {
        let (wide_a, wide_b) = (Wide::from_weight(a), Wide::from_weight(b));
        prop_assert_eq!(wide_a.partial_cmp(&wide_b), a.partial_cmp(&b));
        // Far below what floats can hold, too.
        let far = Wide::new(1.0, -100_000);
        prop_assert_eq!(far.times(&wide_a).partial_cmp(&far.times(&wide_b)), a.partial_cmp(&b));
    }

    #[test]
    fn a_power_undoes_an_exponent(mantissa in 1.0..2.0f64, e in -1022i32..1023) {
        let value = mantissa * power(e);
        prop_assert_eq!(exponent(value), e);
        let (factor, shift) = normaliser(value);
        prop_assert_eq!((value * factor, shift), (mantissa, e));
    }
}

#[test]
fn weights_that_could_hide_a_product_are_refused() {
    assert!(holds(0.0) && holds(1e-80) && !holds(1e-95) && !holds(1e95) && !holds(f64::NAN));
    let mut lost = Lost::default();
    assert_eq!((lost.weight(1e-95), lost.weight(1e95)), (Some(0.0), None));
    assert!(lost.0.is_some());
    let mut spread = Spread::NONE;
    assert_eq!(spread.see(1.0, 1e-70), None);
    assert_eq!(spread.see(1e-160, 1.0), None);
    assert_eq!(spread.see(0.0, 0.0), Some(()));
}
