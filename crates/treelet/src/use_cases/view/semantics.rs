//! Entities, relations and predicates of an item as a picture, below its tree.

use draw::Figure;
use draw::semantics::{Probabilities, below_constituents, below_dependencies};
use formats::brackets::BracketReader;
use formats::detect::Format;
use formats::everything::Item;
use formats::joint::mentions;
use tree::semantics::{Entity, Semantics};
use tree::{Head, Sentence, Text, Tree};

/// The picture with the words that are drawn, if anything is said of entities, relations and predicates, or if
/// it is said that there are no entities.
pub(super) fn figure(format: Format, item: &Item) -> Option<(Sentence, Figure)> {
    if matches!(item, Item::Labelled(labelled) if !labelled.rows.iter().all(|row| is_of_names(row.label()))) {
        // The labels are tags.
        return None;
    }
    // What is wrong `treelet check` says, with its lines.
    let (sentence, mut said, _) = formats::semantics::read(format, item, 1);
    if format == Format::Joint {
        add_mentions(&sentence, &mut said);
    }
    if said.entities.is_empty() && said.open_words.len() == sentence.n_words() {
        // Where nobody looked for entities at all, a mark at every word would tell nothing.
        said.open_words.clear();
    }
    let is_named = matches!(item, Item::Labelled(_)) && sentence.n_words() > 0;
    if !is_named && said.entities.is_empty() && said.relations.is_empty() && said.predicates.is_empty() {
        return None;
    }
    let probabilities = Probabilities::default();
    let figure = match tree_beside(&sentence) {
        Some(tree) => below_constituents(&tree, &said, &probabilities),
        None => below_dependencies(&sentence, &said, &probabilities),
    };
    Some((sentence, figure))
}

/// Whether a label says where a name begins, goes on or ends, that there is none, or nothing.
fn is_of_names(label: &str) -> bool {
    let mut chars = label.chars();
    matches!(label, "O" | "_" | "")
        || (chars.next().is_some_and(|mark| "BIESLU".contains(mark)) && chars.next() == Some('-'))
}

/// Joint files list entities within entities beside the labels of the outermost ones.
fn add_mentions(sentence: &Sentence, said: &mut Semantics) {
    for mention in mentions(sentence) {
        let entity = Entity { span: mention.span, kind: mention.kind.into() };
        if !said.entities.contains(&entity) {
            said.entities.push(entity);
        }
    }
}

/// The bracketed tree in a comment of a sentence that has no heads, if it has the words of the sentence.
fn tree_beside(sentence: &Sentence) -> Option<Tree<Text>> {
    if sentence.words().any(|word| word.head != Head::Open) {
        return None;
    }
    let text = sentence.meta("tree")?;
    let tree = BracketReader::new(text.as_bytes()).read_tree().ok()??.value.tree?;
    (tree.n_words() == sentence.n_words()).then_some(tree)
}
