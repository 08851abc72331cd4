//! MBR and max-rule against all derivations.

use forest::{Forest, Scaled, mbr};
use testkit::enumerate::Derived;

use crate::toys::{assert_close, for_each_forest, steps_of, written_out};

#[test]
fn max_items_has_the_greatest_sum_of_posteriors() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let scaled = Scaled::inside(forest);
        let posteriors = scaled.outside();
        let gain = posteriors.items();
        let found = mbr::max_items(forest, &gain, |head, bundle, out| posteriors.edges(head, bundle, out));
        assert_eq!(found.is_some(), !all.is_empty());
        if let Some((derivation, value)) = found {
            let sum = |steps: &[(usize, u32, Vec<usize>)]| steps.iter().map(|step| gain[step.0]).sum::<f64>();
            let highest = all.iter().map(|derived| sum(&derived.steps)).fold(0.0, f64::max);
            assert_close(value, highest, "value");
            assert_close(sum(&steps_of(&derivation)), highest, "derivation");
            assert!(all.iter().any(|derived| derived.steps == steps_of(&derivation)));
        }
    });
}

#[test]
fn max_rule_has_the_greatest_product_of_edge_posteriors() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let z: f64 = all.iter().map(|derived| derived.weight).sum();
        let scaled = Scaled::inside(forest);
        let posteriors = scaled.outside();
        let found = mbr::max_rule(forest, |head, bundle, out| posteriors.edges(head, bundle, out));
        assert_eq!(found.is_some(), !all.is_empty());
        let posterior = |step: &(usize, u32, Vec<usize>)| {
            let uses = |derived: &Derived| derived.steps.iter().filter(|other| *other == step).count() as f64;
            all.iter().map(|derived| derived.weight * uses(derived)).sum::<f64>() / z
        };
        let product = |steps: &[(usize, u32, Vec<usize>)]| steps.iter().map(posterior).product::<f64>();
        if let (Some((derivation, value)), true) = (found, all.len() < 300) {
            let highest = all.iter().map(|derived| product(&derived.steps)).fold(0.0, f64::max);
            assert_close(value.exp(), highest, "value");
            assert_close(product(&steps_of(&derivation)), highest, "derivation");
        }
    });
}

#[test]
fn a_forest_without_derivations_decodes_to_nothing() {
    let forest = crate::toys::CkyTree::new(4, |_, _| 0.0);
    let scaled = Scaled::inside(&forest);
    assert_eq!(scaled.ln_total(), f64::NEG_INFINITY);
    let posteriors = scaled.outside();
    assert!(posteriors.items().iter().all(|&posterior| posterior == 0.0));
    assert!(mbr::max_rule(&forest, |head, bundle, out| posteriors.edges(head, bundle, out)).is_none());
    assert!(forest::derive::best(&forest).is_none());
    assert!(forest::derive::k_best(&forest, 4).is_empty());
    assert!(scaled.sample(|| 0.5).is_none());
    assert_eq!(forest.goal(), forest.spans.item(0, 0, 4));
}
