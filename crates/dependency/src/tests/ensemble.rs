//! Parsers put together.

use chain::Stream;

use super::toys;
use crate::labels::Labels;
use crate::model::DependencyModel;
use crate::options::DependencyOptions;
use crate::table::Table;

#[test]
fn an_ensemble_has_the_mean_of_all_weights() {
    let model = |seed: u64| {
        let mut rng = Stream::new(seed).rng();
        let mut model = DependencyModel::blank(DependencyOptions::default(), toys::templates());
        model.arcs = toys::table(&mut rng, 4, 1, 1.0);
        model.second = Some(toys::table(&mut rng, 4, 1, 1.0));
        let table = toys::table(&mut rng, 3, 2, 1.0);
        model.labels = Labels { names: vec!["a".into(), "b".into()], table };
        model
    };
    let members = [model(1), model(2), model(3)];
    let mean = DependencyModel::mean(members.to_vec()).unwrap();
    let check = |of: fn(&DependencyModel) -> &Table| {
        for (at, weight) in of(&mean).values.iter().enumerate() {
            let expected: f32 = members.iter().map(|member| of(member).values[at]).sum::<f32>() / 3.0;
            assert!((weight - expected).abs() < 1e-6, "weight {at}: {weight} {expected}");
        }
    };
    check(|model| &model.arcs);
    check(|model| model.second.as_ref().unwrap());
    check(|model| &model.labels.table);
    assert!(DependencyModel::mean(Vec::new()).is_none());
}
