//! Which relations are learned.

use chain::Stream;
use tree::Possible;
use tree::{Head, PartialTree, Reading, Symbols, Text};

use super::toys;
use crate::attributes::{Attributes, TagColumn};
use crate::example::{Annotated, Example};
use crate::labelled::Labelled;
use crate::labels::{LabelFeatures, Labels};
use crate::prune::Pruning;
use crate::scorer::Scorer;
use crate::second_order::SecondOrderScratch;
use crate::table::Table;

#[test]
fn relations_are_learned_where_the_head_is_known_too() {
    let mut sentence = toys::sentence(&mut Stream::new(1).rng(), 6);
    let columns = [("2", "x"), ("0", "y"), ("_", "x"), ("2", "_"), ("2", "z"), ("_", "_")];
    for (token, (head, relation)) in sentence.words_mut().zip(columns) {
        (token.head, token.deprel) = (Head::read(head), relation.into());
    }
    let possible = Possible::new(&PartialTree::from_sentence(&sentence), &Reading::default()).unwrap();
    let words = Attributes::new(&sentence, TagColumn::Upos);
    let shape = toys::SHAPES[0];
    let (example, _) = Example::new(words, &possible, shape, Vec::new(), 1.0).unwrap();
    let names: Symbols = ["x", "y", "z"].into_iter().map(Text::from).collect();
    let (templates, arcs, pruning) = (toys::templates(), Table::zero(4, 1), Pruning::default());
    let scorer =
        Scorer { templates: &templates, arcs: &arcs, second: None, shape, pruning, temperature: 1.0 };
    let item = Annotated { sentence, possible, weight: 0.5 };
    let labelled =
        Labelled::new(&item, &example, &names, &scorer, &mut SecondOrderScratch::default()).unwrap();
    assert_eq!(labelled.known, [(1, 0), (2, 1), (5, 2)]);
    assert_eq!(labelled.weight, 0.5);
}

#[test]
fn the_best_relation_has_its_share_of_all_relations() {
    let rng = &mut Stream::new(2).rng();
    let sentence = toys::sentence(rng, 5);
    let words = Attributes::new(&sentence, TagColumn::Upos);
    let heads = tree::Heads::new(vec![2, 0, 2, 5, 3]).unwrap();
    let features = LabelFeatures::new(&toys::templates(), &words, &heads);
    let mut table = Table::zero(6, 3);
    table.values.iter_mut().for_each(|weight| *weight = rng.uniform() as f32 - 0.5);
    let labels = Labels { names: ["x", "y", "z"].map(Text::from).to_vec(), table };
    for word in 1..=5 {
        let mut weights = [0.0f64; 3];
        features.each(word, |key| {
            weights
                .iter_mut()
                .zip(labels.table.row(key))
                .for_each(|(sum, weight)| *sum += f64::from(*weight));
        });
        let total: f64 = weights.iter().map(|weight| weight.exp()).sum();
        let best = (0..3).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap();
        let (name, probability) = labels.best(&features, word).unwrap();
        assert_eq!(name, &labels.names[best]);
        assert!((probability - weights[best].exp() / total).abs() < 1e-5, "{probability}");
    }
}

#[test]
fn a_relation_that_a_word_cannot_have_takes_no_share() {
    let sentence = toys::sentence(&mut Stream::new(3).rng(), 3);
    let words = Attributes::new(&sentence, TagColumn::Upos);
    let heads = tree::Heads::new(vec![2, 0, 2]).unwrap();
    let features = LabelFeatures::new(&toys::templates(), &words, &heads);
    let labels = Labels { names: ["x", "root", "z"].map(Text::from).to_vec(), table: Table::zero(6, 3) };
    let found = [1, 2, 3].map(|word| labels.best(&features, word).unwrap());
    assert_eq!(found.map(|(name, p)| (name.as_str(), p)), [("x", 0.5), ("root", 1.0), ("x", 0.5)]);
}
