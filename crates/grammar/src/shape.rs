//! A tree as a grammar sees it: chains of labels over two parts or a word.

use tree::{Text, Tree};

/// The label of a word that stands beside constituents without a tag of its own.
///
/// No reader produces it: labels have no control characters.
pub const BARE: &str = "\u{1}word";

/// A node with the chain of labels that ends in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Labels from the highest to the lowest; never empty.
    pub labels: Vec<u32>,
    /// What stands below the lowest.
    pub below: LinkBelow,
}

/// What stands below a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkBelow {
    /// The word with this position in the sentence.
    Word(u32),
    /// Two chains, by place in the list.
    Two(u32, u32),
}

/// The chains of a binarised tree in preorder.
///
/// Returns `None` if a constituent is empty or has more than two children.
pub fn links(tree: &Tree<Text>, mut intern: impl FnMut(&str) -> u32) -> Option<Vec<Link>> {
    let nodes = tree.nodes();
    let mut links: Vec<Link> = Vec::new();
    // Where each node that is still to be visited hangs, as (link, is it the right part).
    let mut open: Vec<(usize, Option<(usize, bool)>)> = vec![(0, None)];
    let mut n_words = 0;
    while let Some((top, hook)) = open.pop() {
        let mut labels = Vec::new();
        let mut at = top;
        let mut parts = Vec::new();
        loop {
            if nodes[at].is_word() {
                if labels.is_empty() {
                    labels.push(intern(BARE));
                }
                break;
            }
            labels.push(intern(&nodes[at].label));
            parts.clear();
            let (mut child, end) = (at + 1, at + nodes[at].size());
            while child < end {
                parts.push(child);
                child += nodes[child].size();
            }
            match parts[..] {
                [only] => at = only,
                [_, _] => break,
                _ => return None,
            }
        }
        let place = links.len();
        if let Some((parent, right)) = hook
            && let LinkBelow::Two(left, other) = &mut links[parent].below
        {
            *(if right { other } else { left }) = place as u32;
        }
        if nodes[at].is_word() {
            links.push(Link { labels, below: LinkBelow::Word(n_words) });
            n_words += 1;
        } else {
            links.push(Link { labels, below: LinkBelow::Two(0, 0) });
            open.extend([(parts[1], Some((place, true))), (parts[0], Some((place, false)))]);
        }
    }
    Some(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_becomes_one_link_and_words_are_numbered_from_left_to_right() {
        let word = |form: &str| Tree::word(Text::new(form));
        let node = |label: &str, children: Vec<Tree<Text>>| Tree::constituent(Text::new(label), children);
        let np = node("NP", vec![node("NN", vec![word("dogs")])]);
        let tree = node("TOP", vec![node("S", vec![np, node("VP", vec![word("bark"), word("!")])])]);
        let mut names: Vec<String> = Vec::new();
        let links = links(&tree, |label| {
            if let Some(at) = names.iter().position(|name| name == label) {
                return at as u32;
            }
            names.push(label.to_string());
            names.len() as u32 - 1
        });
        let shown: Vec<(Vec<&str>, LinkBelow)> = links
            .expect("binary")
            .iter()
            .map(|link| (link.labels.iter().map(|&l| names[l as usize].as_str()).collect(), link.below))
            .collect();
        assert_eq!(
            shown,
            vec![
                (vec!["TOP", "S"], LinkBelow::Two(1, 2)),
                (vec!["NP", "NN"], LinkBelow::Word(0)),
                (vec!["VP"], LinkBelow::Two(3, 4)),
                (vec![BARE], LinkBelow::Word(1)),
                (vec![BARE], LinkBelow::Word(2)),
            ]
        );
    }
}
