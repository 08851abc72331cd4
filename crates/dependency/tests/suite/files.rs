//! Model files.

use chain::container;
use dependency::{CHECKPOINT, DependencyModel, DependencyOptions, KIND, Order, VERSION};

use crate::toy_language::{annotated, bytes_of, parse, path, quick, sentences, train};

fn trained(order: Order) -> DependencyModel {
    train(&annotated(&sentences(15, 1)), &[], &quick(order)).unwrap()
}

#[test]
fn a_model_comes_back_from_its_file_to_the_bit() {
    for order in [Order::First, Order::Second] {
        let mut model = trained(order);
        model.notes.insert("command".into(), "train".into());
        let bytes = bytes_of(&model, &format!("round-{order:?}"));
        let back = DependencyModel::read(&path(&format!("round-{order:?}"))).unwrap();
        assert!(bytes_of(&back, &format!("round-{order:?}-again")) == bytes);
        assert_eq!((back.options(), back.relations()), (model.options(), model.relations()));
        assert_eq!((&back.notes, back.n_weights()), (&model.notes, model.n_weights()));
        assert_eq!(back.temperature().to_bits(), model.temperature().to_bits());
        for sentence in sentences(20, 2) {
            let (a, b) = (parse(&model, &sentence, None), parse(&back, &sentence, None));
            assert_eq!((a.heads, a.relations, a.n_best), (b.heads, b.relations, b.n_best));
            assert_eq!(a.posteriors, b.posteriors);
        }
    }
}

#[test]
fn damaged_files_are_refused() {
    let bytes = bytes_of(&trained(Order::Second), "whole");
    let file = path("damaged");
    let read = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        DependencyModel::read(&file)
    };
    for at in (0..bytes.len()).step_by(1 + bytes.len() / 150) {
        assert!(read(&bytes[..at]).is_err(), "cut at {at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(read(&damaged).is_err(), "byte {at}");
    }
    assert!(read(&[bytes.as_slice(), b"x"].concat()).is_err());
    assert!(read(&bytes).is_ok());
}

#[test]
fn other_kinds_and_other_versions_are_refused() {
    let file = path("other");
    for (kind, version) in
        [(CHECKPOINT, VERSION), ("model/pcfg", VERSION), (KIND, VERSION + 1), (KIND, VERSION - 1), (KIND, 1)]
    {
        let notes = std::collections::BTreeMap::new();
        container::write(&file, &container::Header { kind: kind.into(), version, notes }, &0u8).unwrap();
        let error = DependencyModel::read(&file).unwrap_err().to_string();
        assert!(error.contains("other"), "{error}");
        assert!(version >= VERSION || error.contains("make it again"), "{error}");
    }
    assert!(DependencyModel::read(&path("that-does-not-exist")).is_err());
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
