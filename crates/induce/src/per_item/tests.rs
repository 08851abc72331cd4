//! Which steps raise the bound, and which may lower it.

use arcs::dmv::DmvSentence;
use chain::{FitOptions, Start, Workers, fit};
use proptest::prelude::*;

use super::*;
use crate::dirichlet::Dirichlets;
use crate::dmv::Dmv;
use crate::logistic::{Normals, Pooling};
use crate::random;

const TAGS: usize = 4;
const FAMILIES: [usize; TAGS] = [0, 0, 1, 1];

fn any_corpus() -> impl Strategy<Value = Vec<DmvSentence>> {
    let sentence =
        proptest::collection::vec(0..TAGS as u32, 1..6).prop_map(|tags| DmvSentence::of_tags(&tags));
    proptest::collection::vec(sentence, 1..12)
}

fn any_begin() -> impl Strategy<Value = Begin> {
    prop_oneof![Just(Begin::Start), Just(Begin::Now)]
}

fn dirichlets(dmv: &Dmv, seed: u64) -> Dirichlets {
    Dirichlets::around(dmv.rows().clone(), &random::start(dmv.rows(), seed, 0))
}

fn normals(dmv: &Dmv, seed: u64) -> Normals {
    let covariance = dmv.family_covariance(&FAMILIES, 0.5);
    Normals::around(dmv.rows().clone(), &random::start(dmv.rows(), seed, 0), covariance).unwrap()
}

fn pooled(dmv: &Dmv, seed: u64) -> Normals {
    let (start, identity) = (random::start(dmv.rows(), seed, 0), Normals::identity(dmv.rows()));
    let pooling = Pooling { groups: dmv.family_groups(&FAMILIES), strength: 3.0 };
    Normals::around(dmv.rows().clone(), &start, identity).unwrap().pooled(pooling)
}

fn of<'a, P: Prior>(
    dmv: &'a Dmv,
    corpus: &'a [DmvSentence],
    prior: P,
    options: PerItemOptions,
) -> PerItem<'a, Dmv, P> {
    PerItem::new(dmv, corpus, prior.point(), prior, options, 0)
}

fn is_not_below(now: f64, before: f64) -> bool {
    now >= before - 1e-9 * (1.0 + before.abs())
}

/// The values of one pass under its prior.
#[derive(Debug, Clone, Copy)]
struct Values {
    /// With the posteriors of the pass before, as they are.
    kept: f64,
    /// With posteriors that go on from there.
    gone_on: f64,
    /// With posteriors that begin anew, to which the prior of the next pass is fitted.
    anew: f64,
}

type Memories<P> = [PerItemCounts<P, <Dmv as Family>::Memory>];

/// The value of all items, each of which `one` works out in a memory of its own.
fn total<P: Prior>(
    prior: &P,
    memories: &mut Memories<P>,
    mut one: impl FnMut(usize, &mut PerItemCounts<P, <Dmv as Family>::Memory>) -> f64,
) -> f64 {
    let of_items: f64 = memories.iter_mut().enumerate().map(|(item, memory)| one(item, memory)).sum();
    prior.ln_density() + of_items
}

fn begin_anew<P: Prior>(per_item: &PerItem<'_, Dmv, P>, prior: &P, memories: &mut Memories<P>) {
    for (item, memory) in memories.iter_mut().enumerate() {
        memory.now = prior.point();
        per_item.begin(prior, item, memory);
    }
}

fn fit_to<P: Prior>(per_item: &PerItem<'_, Dmv, P>, prior: &mut P, memories: &mut Memories<P>) {
    let mut sums = P::sums(per_item.family.rows());
    for (rows, memory) in per_item.rows_of.iter().zip(memories) {
        rows.iter().for_each(|&row| prior.add(row, &mut memory.posterior, &mut sums));
    }
    prior.maximise(sums);
}

/// The passes after the first one.
fn passes<P: Prior>(per_item: &PerItem<'_, Dmv, P>, n: usize) -> (f64, Vec<Values>) {
    let mut prior = per_item.prior.clone();
    let mut memories: Vec<_> = per_item.items.iter().map(|_| per_item.no_counts()).collect();
    begin_anew(per_item, &prior, &mut memories);
    let first = total(&prior, &mut memories, |item, memory| per_item.rise(&prior, item, memory));
    let mut pass = || {
        fit_to(per_item, &mut prior, &mut memories);
        let kept = total(&prior, &mut memories, |item, memory| per_item.bound(&prior, item, memory));
        let gone_on = total(&prior, &mut memories, |item, memory| per_item.rise(&prior, item, memory));
        begin_anew(per_item, &prior, &mut memories);
        let anew = total(&prior, &mut memories, |item, memory| per_item.rise(&prior, item, memory));
        Values { kept, gone_on, anew }
    };
    (first, (1..n).map(|_| pass()).collect())
}

fn history<P: Prior>(per_item: &PerItem<'_, Dmv, P>, n: u32) -> Vec<f64> {
    let fitting = FitOptions { max_iterations: n, tolerance: 0.0, ..FitOptions::default() };
    fit::fit(per_item, &fitting, Start::Fresh, &mut (), &Workers::serial()).unwrap().into_fitted().history
}

/// Fitting the prior raises the value of posteriors as they are, and going on raises it further; and the passes are those that
/// `fit` goes through.
fn assert_rises<P: Prior>(per_item: &PerItem<'_, Dmv, P>) -> Result<(), TestCaseError> {
    let (first, passes) = passes(per_item, 8);
    let history = history(per_item, 8);
    prop_assert!((first - history[0]).abs() < 1e-9 * (1.0 + first.abs()), "{first} {history:?}");
    for (values, of_fit) in passes.iter().zip(history.windows(2)) {
        prop_assert!(
            (values.anew - of_fit[1]).abs() < 1e-9 * (1.0 + of_fit[1].abs()),
            "{values:?} {of_fit:?}"
        );
        prop_assert!(is_not_below(values.kept, of_fit[0]), "{} under {values:?}", of_fit[0]);
        prop_assert!(is_not_below(values.gone_on, values.kept), "{values:?}");
    }
    Ok(())
}

/// Every round raises the bound of every item.
fn assert_rounds_rise<P: Prior>(dmv: &Dmv, corpus: &[DmvSentence], prior: &P) -> Result<(), TestCaseError> {
    let one_round = PerItemOptions { rounds: 1, ..PerItemOptions::default() };
    // Derivations begin even, so that posteriors have a way to go.
    let per_item = PerItem::new(dmv, corpus, dmv.rows().even(), prior.clone(), one_round, 0);
    let mut memory = per_item.no_counts();
    for item in 0..corpus.len() {
        per_item.begin(prior, item, &mut memory);
        let bounds: Vec<f64> = (0..12).map(|_| per_item.rise(prior, item, &mut memory)).collect();
        prop_assert!(bounds.windows(2).all(|pair| is_not_below(pair[1], pair[0])), "{bounds:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn fitting_and_going_on_never_lower_the_bound_of_dirichlet_grammars(
        corpus in any_corpus(), seed in 0u64..1000, begin in any_begin()
    ) {
        let (dmv, options) = (Dmv::new(TAGS, false), PerItemOptions { begin, ..PerItemOptions::default() });
        assert_rounds_rise(&dmv, &corpus, &dirichlets(&dmv, seed))?;
        assert_rises(&of(&dmv, &corpus, dirichlets(&dmv, seed), options))?;
    }

    #[test]
    fn fitting_and_going_on_never_lower_the_bound_of_logistic_normal_grammars(
        corpus in any_corpus(), seed in 0u64..1000, begin in any_begin()
    ) {
        let (dmv, options) = (Dmv::new(TAGS, false), PerItemOptions { begin, ..PerItemOptions::default() });
        assert_rounds_rise(&dmv, &corpus, &normals(&dmv, seed))?;
        assert_rises(&of(&dmv, &corpus, normals(&dmv, seed), options))?;
    }

    #[test]
    fn fitting_and_going_on_never_lower_the_bound_of_pooled_logistic_normal_grammars(
        corpus in any_corpus(), seed in 0u64..1000, begin in any_begin()
    ) {
        let (dmv, options) = (Dmv::new(TAGS, true), PerItemOptions { begin, ..PerItemOptions::default() });
        assert_rounds_rise(&dmv, &corpus, &pooled(&dmv, seed))?;
        assert_rises(&of(&dmv, &corpus, pooled(&dmv, seed), options))?;
    }
}

/// The passes whose value is below that of the pass before.
fn fallen<P: Prior>(dmv: &Dmv, lines: &[&str], prior: P) -> Vec<usize> {
    let tags = |line: &&str| line.bytes().map(|byte| u32::from(byte - b'0')).collect::<Vec<u32>>();
    let corpus: Vec<DmvSentence> = lines.iter().map(|line| DmvSentence::of_tags(&tags(line))).collect();
    // Tight, so that every sentence is where its bound rests and rounds that are missing explain nothing.
    let tight = PerItemOptions { begin: Begin::Now, rounds: 500, tolerance: 1e-12 };
    let per_item = of(dmv, &corpus, prior, tight);
    assert_rises(&per_item).unwrap();
    let values = history(&per_item, 8);
    (1..values.len()).filter(|&pass| !is_not_below(values[pass], values[pass - 1])).collect()
}

/// In pass 6 of the first, 31102 alone comes to rest at −12.88 instead of −11.15; in pass 3 of the second 3323 does, at −13.86
/// instead of −12.20. All that goes on rises.
#[test]
fn a_sentence_that_begins_anew_may_come_to_rest_lower() {
    let dmv = Dmv::new(TAGS, false);
    let lines = ["31102", "101", "1", "2", "201", "2", "102", "2030", "120"];
    assert_eq!(fallen(&dmv, &lines, dirichlets(&dmv, 156)), [6]);
    let dmv = Dmv::new(TAGS, true);
    assert_eq!(fallen(&dmv, &["3", "3323"], pooled(&dmv, 80)), [3]);
}
