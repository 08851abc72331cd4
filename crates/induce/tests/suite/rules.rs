//! The pull towards universal rules.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arcs::dmv::DmvSentence;
use chain::{FitOptions, Start, Workers, fit};
use induce::dmv::harmonic;
use induce::rules::Pull;
use induce::shared::{Course, Estimate, Shared};
use induce::{Dmv, Family};

fn corpus() -> Vec<DmvSentence> {
    let lines = ["012", "0120", "201", "12", "0112", "2101", "10", "0210", "1202", "021"];
    let tags = |line: &str| line.bytes().map(|byte| u32::from(byte - b'0')).collect::<Vec<u32>>();
    lines.iter().map(|line| DmvSentence::of_tags(&tags(line))).collect()
}

/// The share of arcs that rules name under the distribution that EM counted with last.
fn share(dmv: &Dmv, pull: Option<Pull>, corpus: &[DmvSentence], named: &[bool], arcs: &[bool]) -> f64 {
    let start = harmonic(dmv, corpus);
    let mut em = Shared::new(dmv, corpus, start, Estimate::Point { alpha: 1.05 }, Course::default(), 0);
    if let Some(pull) = pull {
        em = em.pulled(pull);
    }
    let options = FitOptions { max_iterations: 150, tolerance: 0.0, ..FitOptions::default() };
    let params =
        fit::fit(&em, &options, Start::Fresh, &mut (), &Workers::serial()).unwrap().into_fitted().params;
    let mut counts = vec![0.0; params.weights.len()];
    for sentence in corpus {
        dmv.expect(sentence, &params.weights, &mut Default::default(), &mut counts);
    }
    let sum = |chosen: &[bool]| -> f64 {
        counts.iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(count, _)| count).sum()
    };
    sum(named) / sum(arcs)
}

#[test]
fn at_least_as_many_arcs_as_were_asked_for_are_ones_that_rules_name() {
    let (dmv, corpus) = (Dmv::new(3, false), corpus());
    let named =
        dmv.arcs_where(|head, dependent| matches!((head, dependent), (None | Some(1), 0) | (Some(2), 1)));
    let arcs = dmv.arcs_where(|_, _| true);
    let free = share(&dmv, None, &corpus, &named, &arcs);
    for wanted in [free + 0.1, free + 0.2, free + 0.3] {
        let pull = Pull { named: named.clone(), arcs: arcs.clone(), share: wanted };
        let found = share(&dmv, Some(pull), &corpus, &named, &arcs);
        assert!(found > wanted - 0.01, "{found} instead of {wanted}; {free} without rules");
    }
}

#[test]
fn a_share_that_is_there_already_changes_nothing() {
    let (dmv, corpus) = (Dmv::new(3, false), corpus());
    let arcs = dmv.arcs_where(|_, _| true);
    let named = dmv.arcs_where(|head, _| head.is_some());
    let free = share(&dmv, None, &corpus, &named, &arcs);
    let pull = Pull { named: named.clone(), arcs: arcs.clone(), share: free - 0.2 };
    let found = share(&dmv, Some(pull), &corpus, &named, &arcs);
    assert!((found - free).abs() < 1e-6, "{found} {free}");
}
