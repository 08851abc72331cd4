//! Which relations are learned.

use chain::Stream;
use grammar::anchor::Possible;
use indexmap::IndexSet;
use tree::{Head, PartialTree, Reading, Text};

use super::toys;
use crate::dependency::attributes::{Attributes, TagColumn};
use crate::dependency::example::{Annotated, Example};
use crate::dependency::labelled::Labelled;
use crate::dependency::prune::Pruning;
use crate::dependency::scorer::Scorer;
use crate::dependency::second_order::Scratch;
use crate::dependency::table::Table;

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
    let names: IndexSet<Text> = ["x", "y", "z"].into_iter().map(Text::from).collect();
    let (templates, arcs, pruning) = (toys::templates(), Table::zero(4, 1), Pruning::default());
    let scorer =
        Scorer { templates: &templates, arcs: &arcs, second: None, shape, pruning, temperature: 1.0 };
    let item = Annotated { sentence, possible, weight: 0.5 };
    let labelled = Labelled::new(&item, &example, &names, &scorer, &mut Scratch::default()).unwrap();
    assert_eq!(labelled.known, [(1, 0), (2, 1), (5, 2)]);
    assert_eq!(labelled.weight, 0.5);
}
