//! Models in files.

use dependency::{DependencyModel, DependencyOptions, Order};

use crate::toy_language::{annotated, bytes_of, from_bytes, parse, quick, sentences, train};

fn trained(order: Order) -> DependencyModel {
    train(&annotated(&sentences(15, 1)), &[], &quick(order)).unwrap()
}

#[test]
fn a_model_comes_back_from_its_file_to_the_bit() {
    for order in [Order::First, Order::Second] {
        let model = trained(order);
        let bytes = bytes_of(&model);
        let back = from_bytes(&bytes).unwrap();
        assert!(bytes_of(&back) == bytes);
        assert_eq!((back.options(), back.relations()), (model.options(), model.relations()));
        assert_eq!(back.n_weights(), model.n_weights());
        assert_eq!(back.temperature().to_bits(), model.temperature().to_bits());
        for sentence in sentences(20, 2) {
            let (a, b) = (parse(&model, &sentence, None), parse(&back, &sentence, None));
            assert_eq!((a.heads, a.relations, a.n_best), (b.heads, b.relations, b.n_best));
            assert_eq!(a.posteriors, b.posteriors);
        }
    }
}

#[test]
fn a_model_has_no_more_weights_than_it_may_have() {
    for order in [Order::First, Order::Second] {
        for most_weights in [0, 1, 10, 200, 1000, 100_000] {
            let options = DependencyOptions { most_weights, ..quick(order) };
            let mut all = annotated(&sentences(3, 1));
            // A single step makes most weights equally large.
            all.truncate(1);
            let model = train(&all, &[], &options).unwrap();
            let n_weights: usize = model.n_weights().iter().sum();
            assert!(n_weights <= most_weights, "{n_weights} of {most_weights}");
            assert!(most_weights < 10 || n_weights > 0);
            assert!(most_weights != 1000 || n_weights > 500, "{n_weights}");
            parse(&model, &all[0].sentence, None);
        }
    }
}
