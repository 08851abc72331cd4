//! Where the nodes of a constituency tree stand.

use crate::clean::clean;
use crate::direction::is_rtl;
use tree::{Text, Tree};

/// A constituency tree to be drawn: nodes in preorder.
#[derive(Clone, Debug)]
pub(crate) struct Constituency {
    pub(crate) title: String,
    pub(crate) nodes: Vec<DiagramNode>,
    pub(crate) rtl: bool,
}

/// A constituent or a word.
#[derive(Clone, Debug)]
pub(crate) struct DiagramNode {
    pub(crate) label: String,
    pub(crate) is_word: bool,
    /// Number of nodes of the subtree.
    pub(crate) size: usize,
    pub(crate) parent: Option<usize>,
}

impl Constituency {
    pub(crate) fn new(tree: &Tree<Text>) -> Self {
        let mut nodes: Vec<DiagramNode> = Vec::with_capacity(tree.nodes().len());
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate() {
            while open.last().is_some_and(|&parent| parent + nodes[parent].size <= index) {
                open.pop();
            }
            let parent = open.last().copied();
            open.push(index);
            nodes.push(DiagramNode {
                label: clean(&node.label),
                is_word: node.is_word(),
                size: node.size(),
                parent,
            });
        }
        let words = || nodes.iter().filter(|node| node.is_word).map(|node| node.label.as_str());
        let title = format!("Constituency tree of {}", words().collect::<Vec<_>>().join(" "));
        let rtl = is_rtl(words());
        Self { title, nodes, rtl }
    }

    /// Whether the only child of node `index` is a word.
    pub(crate) fn is_preterminal(&self, index: usize) -> bool {
        let node = &self.nodes[index];
        !node.is_word && node.size == 2 && self.nodes[index + 1].is_word
    }

    /// The tree in brackets, for those who hear the picture.
    pub(crate) fn description(&self) -> String {
        let mut text = String::new();
        let mut ends: Vec<usize> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            while ends.last() == Some(&index) {
                ends.pop();
                text.push(')');
            }
            text.push_str(if index > 0 { " " } else { "" });
            if !node.is_word {
                text.push('(');
                ends.push(index + node.size);
            }
            text.push_str(&node.label);
        }
        text.extend(ends.iter().map(|_| ')'));
        text
    }
}

/// Rows and places of the nodes. The subtree of a node has a stretch of its own that no other subtree
/// enters, so neither labels nor lines meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeLayout {
    /// The middle of each node.
    pub(crate) x: Vec<i64>,
    /// The row of each node, from 0 at the top.
    pub(crate) row: Vec<usize>,
    pub(crate) width: i64,
    pub(crate) n_rows: usize,
}

impl TreeLayout {
    /// Places a tree whose nodes have these widths, with `gap` between neighbours.
    pub(crate) fn new(tree: &Constituency, widths: &[i64], gap: i64, align_leaves: bool) -> Self {
        let (row, n_rows) = if align_leaves { rows_from_below(tree) } else { rows_from_above(tree) };
        let rooms = rooms(tree, widths, gap);
        let x = middles(tree, &rooms, widths, gap);
        Self { x, row, n_rows, width: rooms.first().map_or(0, |room| room.whole) }
    }

    /// The same tree with the first word rightmost.
    pub(crate) fn mirrored(mut self) -> Self {
        self.x.iter_mut().for_each(|x| *x = self.width - *x);
        self
    }
}

/// How much room a subtree takes, and how much of it its children take.
#[derive(Clone, Copy)]
struct Room {
    whole: i64,
    children: i64,
}

/// whole(node) = max(width(node) + gap, Σ whole(child))
fn rooms(tree: &Constituency, widths: &[i64], gap: i64) -> Vec<Room> {
    let mut rooms: Vec<Room> = widths.iter().map(|&width| Room { whole: width + gap, children: 0 }).collect();
    for index in (0..tree.nodes.len()).rev() {
        rooms[index].whole = rooms[index].whole.max(rooms[index].children);
        if let Some(parent) = tree.nodes[index].parent {
            rooms[parent].children += rooms[index].whole;
        }
    }
    rooms
}

/// A node stands over the middle between its first and last child, moved as little as its own label needs
/// to stay in its room. Children are laid out in the middle of the room.
fn middles(tree: &Constituency, rooms: &[Room], widths: &[i64], gap: i64) -> Vec<i64> {
    let n_nodes = tree.nodes.len();
    let (mut lo, mut next) = (vec![0; n_nodes], vec![0; n_nodes]);
    for index in 0..n_nodes {
        if let Some(parent) = tree.nodes[index].parent {
            lo[index] = next[parent];
            next[parent] += rooms[index].whole;
        }
        next[index] = lo[index] + (rooms[index].whole - rooms[index].children) / 2;
    }
    let mut x = vec![0; n_nodes];
    let mut outermost: Vec<Option<(i64, i64)>> = vec![None; n_nodes];
    for index in (0..n_nodes).rev() {
        let (whole, half) = (rooms[index].whole, (widths[index] + gap) / 2);
        let middle = outermost[index].map_or(lo[index] + whole / 2, |(first, last)| (first + last) / 2);
        x[index] = middle.clamp(lo[index] + half, lo[index] + whole - half);
        if let Some(parent) = tree.nodes[index].parent {
            let last = outermost[parent].map_or(x[index], |(_, last)| last);
            outermost[parent] = Some((x[index], last));
        }
    }
    x
}

/// Leaves in the last row, each constituent one row above the highest of its children.
fn rows_from_below(tree: &Constituency) -> (Vec<usize>, usize) {
    let mut heights = vec![0; tree.nodes.len()];
    for index in (0..tree.nodes.len()).rev() {
        // A constituent without children stands as high as a tag.
        if !tree.nodes[index].is_word {
            heights[index] = heights[index].max(1);
        }
        if let Some(parent) = tree.nodes[index].parent {
            heights[parent] = heights[parent].max(heights[index] + 1);
        }
    }
    let top = heights.first().copied().unwrap_or(0);
    (heights.iter().map(|height| top - height).collect(), top + 1)
}

/// Each node one row below its parent.
fn rows_from_above(tree: &Constituency) -> (Vec<usize>, usize) {
    let mut rows: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        rows.push(node.parent.map_or(0, |parent| rows[parent] + 1));
    }
    let n_rows = rows.iter().max().map_or(0, |row| row + 1);
    (rows, n_rows)
}
