//! Constituency trees as SVG.

use crate::constituency::{Constituency, TreeLayout};
use crate::measure::{pixels, to_units};
use crate::svg::{Svg, SvgStyle};

const ROW: i64 = 34;
const GAP: i64 = 12;
const MARGIN: i64 = 14;
const STEEP: i64 = 100;

/// The picture; the first word of a right-to-left sentence stands rightmost.
pub(crate) fn svg(tree: &Constituency, style: &SvgStyle) -> String {
    let layout = TreeLayout::new(tree, &widths(tree), GAP, style.align_leaves);
    let mut layout = if tree.rtl { layout.mirrored() } else { layout };
    layout.x.iter_mut().for_each(|x| *x += MARGIN);
    let (width, height) = (layout.width + 2 * MARGIN, height(layout.n_rows));
    let mut svg = Svg::new(width, height, &tree.title, &tree.description(), style);
    draw_tree(tree, &layout, true, &mut svg);
    svg.finish()
}

/// Branches and labels, with the words or without them.
pub(crate) fn draw_tree(tree: &Constituency, layout: &TreeLayout, words: bool, svg: &mut Svg) {
    let is_wide = wide(tree, layout);
    for index in 0..tree.nodes.len() {
        draw_branch(tree, layout, &is_wide, index, svg);
    }
    for (index, node) in tree.nodes.iter().enumerate().filter(|(_, node)| words || !node.is_word) {
        let class = if node.is_word { "form" } else { "node" };
        let rtl = tree.rtl && node.is_word;
        svg.text(class, layout.x[index], base_line(layout.row[index]), &node.label, rtl);
    }
}

fn height(n_rows: usize) -> i64 {
    to_units(n_rows) * ROW + MARGIN
}

fn widths(tree: &Constituency) -> Vec<i64> {
    let width = |label: &str, is_word: bool| pixels(label, if is_word { 16 } else { 13 });
    tree.nodes.iter().map(|node| width(&node.label, node.is_word)).collect()
}

/// From the parent to the row below it, then straight down: no line leaves the room of its subtree.
/// Where children are far away, slanted lines would nearly coincide, so they share a level one.
fn draw_branch(tree: &Constituency, layout: &TreeLayout, is_wide: &[bool], index: usize, svg: &mut Svg) {
    let Some(parent) = tree.nodes[index].parent else { return };
    let (from_x, from_y) = (layout.x[parent], base_line(layout.row[parent]) + 5);
    let (to_x, to_y) = (layout.x[index], base_line(layout.row[index]) - 14);
    let bend = base_line(layout.row[parent] + 1) - 14;
    let branch = if is_wide[parent] {
        format!("M{from_x} {from_y}V{}H{to_x}V{to_y}", (from_y + bend) / 2)
    } else {
        let rest = if bend < to_y { format!("V{to_y}") } else { String::new() };
        format!("M{from_x} {from_y}L{to_x} {bend}{rest}")
    };
    svg.path("branch", &branch, None);
}

/// Whether some child of each node is farther to the side than a slanted line can show.
fn wide(tree: &Constituency, layout: &TreeLayout) -> Vec<bool> {
    let mut is_wide = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            is_wide[parent] |= (layout.x[index] - layout.x[parent]).abs() > STEEP;
        }
    }
    is_wide
}

/// Where the texts of a row stand, from the top of the picture.
pub(crate) fn base_line(row: usize) -> i64 {
    to_units(row) * ROW + MARGIN + 14
}
