//! A constituency tree in a terminal: an indented outline with tag and word in one line.

use crate::canvas::{Ink, TextPiece, TextStyle, write_line};
use crate::constituency::Constituency;
use crate::direction::has_rtl;

/// Rails that are drawn at most where no width is given. Deeper lines show that some are left out.
const MOST_RAILS: usize = 200;

/// The outline. Deep lines are indented by at most half of the width, so that labels stay visible.
pub(crate) fn outline(tree: &Constituency, style: &TextStyle) -> String {
    let most = style.width.map_or(MOST_RAILS, |width| (width / 4).clamp(1, MOST_RAILS));
    let mut out = String::new();
    // For each open ancestor below the root, whether a sibling follows it.
    let mut rails: Vec<bool> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        if node.is_word && node.parent.is_some_and(|parent| tree.is_preterminal(parent)) {
            continue;
        }
        while open.last().is_some_and(|&last| Some(last) != node.parent) {
            open.pop();
            rails.pop();
        }
        open.push(index);
        rails.push(node.parent.is_some_and(|parent| index + node.size < parent + tree.nodes[parent].size));
        let mut pieces = vec![TextPiece::new(indentation(&rails[1..], most, style), Ink::Arc)];
        pieces.extend(label(tree, index));
        write_line(&pieces, style, &mut out);
    }
    out
}

/// `│ ├─`: a rail for each ancestor that has more children to come, then the branch.
fn indentation(rails: &[bool], most: usize, style: &TextStyle) -> String {
    let Some((&branch, above)) = rails.split_last() else { return String::new() };
    let n_hidden = rails.len().saturating_sub(most);
    let mut text = String::new();
    if n_hidden > 0 {
        text.push_str(style.ellipsis());
    }
    for &rail in above.iter().skip(n_hidden) {
        text.push_str(if rail { style.pick("│ ", "| ") } else { "  " });
    }
    text.push_str(if branch { style.pick("├─", "|-") } else { style.pick("└─", "'-") });
    text
}

fn label(tree: &Constituency, index: usize) -> Vec<TextPiece> {
    let node = &tree.nodes[index];
    let word = |index: usize| {
        let form = &tree.nodes[index].label;
        TextPiece { isolate: has_rtl(form), ..TextPiece::new(form, Ink::Plain) }
    };
    if node.is_word {
        vec![word(index)]
    } else if tree.is_preterminal(index) {
        vec![TextPiece::new(format!("{} ", node.label), Ink::Tag), word(index + 1)]
    } else {
        vec![TextPiece::new(&node.label, Ink::Label)]
    }
}
