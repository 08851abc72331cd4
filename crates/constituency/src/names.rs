//! Rules and labels as people write them.

use grammar::codec::plain;
use grammar::shape::BARE;
use grammar::{Category, Level, Rules};

/// A label as trees have it, and a stand-in of binarisation as it is.
pub fn label(label: &str) -> String {
    match label {
        BARE => "word".to_owned(),
        label if label.starts_with('@') => label.to_owned(),
        label => plain(label).to_string(),
    }
}

/// The label of a category; what stands above the topmost label is called `ROOT`.
pub fn category(rules: &Rules, category: Category) -> String {
    if rules.info(category).level == Level::Root { "ROOT".to_owned() } else { label(rules.label(category)) }
}

/// `NP → DT NN`, or `S → NP → NN` for a step down a chain.
///
/// `symbol` names the ends; it is given the category and its place: 0 is the head, 1 and 2 are the parts.
pub fn rule(rules: &Rules, rule: u32, symbol: impl Fn(Category, usize) -> String) -> String {
    let (head, left, right) = rules.parts(rule);
    let mut name = format!("{} →", symbol(head, 0));
    let chain = rules.unary().get(rule as usize).and_then(|unary| unary.chain.as_ref());
    for &between in chain.into_iter().flatten() {
        name.push_str(&format!(" {} →", label(&rules.labels()[between as usize])));
    }
    name.push_str(&format!(" {}", symbol(left, 1)));
    if let Some(right) = right {
        name.push_str(&format!(" {}", symbol(right, 2)));
    }
    name
}
