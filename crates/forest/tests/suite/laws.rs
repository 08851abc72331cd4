//! What every semiring must obey.

use forest::semiring::{Boolean, Count, Entropy, LogProb, Mass, Prob, Semiring, Viterbi, Wide};
use proptest::prelude::*;

/// Checks the laws on three values, with `same` for equality up to rounding.
fn obeys_the_laws<S: Semiring>(
    a: &S,
    b: &S,
    c: &S,
    same: impl Fn(&S, &S) -> bool,
) -> Result<(), TestCaseError> {
    let (zero, one) = (S::zero(), S::one());
    prop_assert!(same(&a.plus(b), &b.plus(a)), "plus commutes");
    prop_assert!(same(&a.times(b), &b.times(a)), "times commutes");
    prop_assert!(same(&a.plus(b).plus(c), &a.plus(&b.plus(c))), "plus associates");
    prop_assert!(same(&a.times(b).times(c), &a.times(&b.times(c))), "times associates");
    prop_assert!(same(&a.times(&b.plus(c)), &a.times(b).plus(&a.times(c))), "times distributes");
    prop_assert!(same(&a.plus(&zero), a) && same(&a.times(&one), a), "zero and one are neutral");
    prop_assert!(a.times(&zero).is_zero() && zero.is_zero() && !one.is_zero(), "zero absorbs");
    Ok(())
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Weights from tiny to large, and zero.
fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 1e-6..10.0f64, (-60.0..20.0f64).prop_map(f64::exp)]
}

proptest! {
    #[test]
    fn prob_obeys_the_laws([a, b, c] in [weight(), weight(), weight()]) {
        obeys_the_laws(&Prob(a), &Prob(b), &Prob(c), |x, y| (x.0 - y.0).abs() <= 1e-12 * x.0.max(y.0))?;
    }

    #[test]
    fn log_prob_obeys_the_laws(values in [weight(), weight(), weight()]) {
        let [a, b, c] = values.map(LogProb::from_weight);
        obeys_the_laws(&a, &b, &c, |x, y| close(x.0, y.0))?;
    }

    #[test]
    fn viterbi_obeys_the_laws(values in [weight(), weight(), weight()]) {
        let [a, b, c] = values.map(Viterbi::from_weight);
        obeys_the_laws(&a, &b, &c, |x, y| close(x.0, y.0))?;
    }

    #[test]
    fn wide_obeys_the_laws(
        values in [weight(), weight(), weight()],
        exponents in [-5000i64..5000, -5000i64..5000, 0i64..100],
    ) {
        let [a, b, c]: [Wide; 3] = std::array::from_fn(|at| Wide::new(values[at], exponents[at]));
        obeys_the_laws(&a, &b, &c, |x, y| close(x.ln(), y.ln()))?;
    }

    #[test]
    fn count_obeys_the_laws([a, b, c] in any::<[u32; 3]>()) {
        let [a, b, c] = [a, b, c].map(|n| Count(u128::from(n)));
        obeys_the_laws(&a, &b, &c, |x, y| x == y)?;
    }

    #[test]
    fn boolean_obeys_the_laws([a, b, c] in any::<[bool; 3]>()) {
        obeys_the_laws(&Boolean(a), &Boolean(b), &Boolean(c), |x, y| x == y)?;
    }

    #[test]
    fn entropy_obeys_the_laws([a, b, c] in [weight(), weight(), weight()], spread in 0.1..3.0f64) {
        let [mut a, b, c] = [a, b, c].map(Entropy::from_weight);
        a.mass_ln *= spread;
        let near = |x: f64, y: f64| (x - y).abs() <= 1e-9 * x.abs().max(y.abs()).max(1e-3);
        obeys_the_laws(&a, &b, &c, |x, y| near(x.mass, y.mass) && near(x.mass_ln, y.mass_ln))?;
    }

    #[test]
    fn wide_numbers_keep_the_value(mantissa in 1e-320..1e300f64, exponent in -100i64..100) {
        let wide = Wide::new(mantissa, exponent);
        let expected = mantissa.ln() + exponent as f64 * std::f64::consts::LN_2;
        prop_assert!((wide.ln() - expected).abs() < 1e-10 * expected.abs().max(1.0));
        prop_assert!((1.0..2.0).contains(&wide.parts().0));
    }
}
