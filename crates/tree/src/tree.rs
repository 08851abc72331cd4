//! Constituency trees in a preorder arena.

use crate::Span;

/// A constituency tree: constituents with labels, and words as leaves.
///
/// Nodes stand in preorder, each with the size of its subtree, so that a subtree is a slice and a
/// traversal is a loop. A constituent without children is possible while a tree is being edited, but no
/// reader produces one silently. Words may stand beside constituents, as some treebanks have them.
///
/// ```
/// use tree::Tree;
///
/// let dogs = Tree::constituent("NP", [Tree::constituent("N", [Tree::word("dogs")])]);
/// let bark = Tree::constituent("VP", [Tree::constituent("V", [Tree::word("bark")])]);
/// let tree = Tree::constituent("S", [dogs, bark]);
/// assert_eq!(tree.words().copied().collect::<Vec<_>>(), ["dogs", "bark"]);
/// let spans: Vec<String> = tree.constituents().iter().map(|(_, label, span)| format!("{label} {span}")).collect();
/// assert_eq!(spans[..2], ["S 0..2", "NP 0..1"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree<L> {
    nodes: Vec<TreeNode<L>>,
}

/// One node of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeNode<L> {
    /// Label of a constituent, or the form of a word.
    pub label: L,
    /// Number of nodes of the subtree, this one included.
    size: u32,
    is_word: bool,
}

impl<L> TreeNode<L> {
    /// Whether this is a leaf of the sentence.
    pub fn is_word(&self) -> bool {
        self.is_word
    }

    /// Number of nodes of the subtree, this one included.
    pub fn size(&self) -> usize {
        self.size as usize
    }
}

impl<L> Tree<L> {
    /// A word that stands alone.
    pub fn word(form: L) -> Self {
        Self { nodes: vec![TreeNode { label: form, size: 1, is_word: true }] }
    }

    /// A constituent over `children`.
    pub fn constituent(label: L, children: impl IntoIterator<Item = Self>) -> Self {
        let mut nodes = vec![TreeNode { label, size: 1, is_word: false }];
        for child in children {
            nodes.extend(child.nodes);
        }
        nodes[0].size = u32::try_from(nodes.len()).expect("a tree of more than four thousand million nodes");
        Self { nodes }
    }

    /// All nodes in preorder.
    pub fn nodes(&self) -> &[TreeNode<L>] {
        &self.nodes
    }

    /// The topmost node.
    pub fn root(&self) -> Subtree<'_, L> {
        Subtree { nodes: &self.nodes }
    }

    /// The label of the topmost node.
    pub fn label(&self) -> &L {
        &self.nodes[0].label
    }

    /// The label of node `index` (in preorder), to be changed.
    pub fn label_mut(&mut self, index: usize) -> &mut L {
        &mut self.nodes[index].label
    }

    /// Words from left to right.
    pub fn words(&self) -> impl Iterator<Item = &L> {
        self.nodes.iter().filter(|node| node.is_word).map(|node| &node.label)
    }

    /// How many words the tree has.
    pub fn n_words(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_word).count()
    }

    /// Tag and form of each word: the tag is the label of a constituent whose only child is the word.
    pub fn tagged_words(&self) -> Vec<(Option<&L>, &L)> {
        let mut tagged = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.is_word {
                let tag = index.checked_sub(1).map(|before| &self.nodes[before]);
                tagged.push((tag.filter(|t| !t.is_word && t.size == 2).map(|t| &t.label), &node.label));
            }
        }
        tagged
    }

    /// Number of words before each node of the preorder, and in all at the end: `starts[i]` is where the
    /// span of node `i` begins and `starts[i + size]` where it ends.
    pub fn word_offsets(&self) -> Vec<usize> {
        let mut offsets = Vec::with_capacity(self.nodes.len() + 1);
        let mut n_words = 0;
        for node in &self.nodes {
            offsets.push(n_words);
            n_words += usize::from(node.is_word);
        }
        offsets.push(n_words);
        offsets
    }

    /// Each constituent that covers a word, with its span and preorder index; preterminals included.
    pub fn constituents(&self) -> Vec<(usize, &L, Span)> {
        let offsets = self.word_offsets();
        let constituents = self.nodes.iter().enumerate().filter(|(_, node)| !node.is_word);
        constituents
            .filter_map(|(index, node)| {
                let span = Span::new(offsets[index], offsets[index + node.size()])?;
                Some((index, &node.label, span))
            })
            .collect()
    }

    /// The same shape with other labels; `change` is told whether the node is a word.
    pub fn map<M>(&self, mut change: impl FnMut(&L, bool) -> M) -> Tree<M> {
        let relabel = |node: &TreeNode<L>| TreeNode {
            label: change(&node.label, node.is_word),
            size: node.size,
            is_word: node.is_word,
        };
        Tree { nodes: self.nodes.iter().map(relabel).collect() }
    }
}

/// A subtree, borrowed.
#[derive(Debug)]
pub struct Subtree<'a, L> {
    nodes: &'a [TreeNode<L>],
}

impl<L> Clone for Subtree<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Subtree<'_, L> {}

impl<'a, L> Subtree<'a, L> {
    /// Label of the topmost node.
    pub fn label(self) -> &'a L {
        &self.nodes[0].label
    }

    /// Whether the topmost node is a word.
    pub fn is_word(self) -> bool {
        self.nodes[0].is_word
    }

    /// Whether this is a constituent whose only child is a word.
    pub fn is_preterminal(self) -> bool {
        self.nodes.len() == 2 && self.nodes[1].is_word
    }

    /// All nodes in preorder.
    pub fn nodes(self) -> &'a [TreeNode<L>] {
        self.nodes
    }

    /// Children from left to right.
    pub fn children(self) -> Children<'a, L> {
        Children { rest: &self.nodes[1..] }
    }

    /// How many words it covers.
    pub fn n_words(self) -> usize {
        self.nodes.iter().filter(|node| node.is_word).count()
    }

    /// A tree of its own.
    pub fn to_tree(self) -> Tree<L>
    where
        L: Clone,
    {
        Tree { nodes: self.nodes.to_vec() }
    }
}

/// Iterator over the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a, L> {
    rest: &'a [TreeNode<L>],
}

impl<'a, L> Iterator for Children<'a, L> {
    type Item = Subtree<'a, L>;

    fn next(&mut self) -> Option<Self::Item> {
        let (nodes, rest) = self.rest.split_at(self.rest.first()?.size());
        self.rest = rest;
        Some(Subtree { nodes })
    }
}

/// Builds a tree from left to right by opening and closing constituents, without recursion.
#[derive(Clone, Debug)]
pub struct TreeBuilder<L> {
    nodes: Vec<TreeNode<L>>,
    open: Vec<usize>,
}

impl<L> TreeBuilder<L> {
    /// Nothing built yet.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), open: Vec::new() }
    }

    /// Opens a constituent.
    pub fn open(&mut self, label: L) {
        self.open.push(self.nodes.len());
        self.nodes.push(TreeNode { label, size: 1, is_word: false });
    }

    /// Adds a word.
    pub fn word(&mut self, form: L) {
        self.nodes.push(TreeNode { label: form, size: 1, is_word: true });
    }

    /// Closes the constituent opened last; `false` if none is open.
    pub fn close(&mut self) -> bool {
        let Some(index) = self.open.pop() else { return false };
        self.nodes[index].size =
            u32::try_from(self.nodes.len() - index).expect("a tree of more than four thousand million nodes");
        true
    }

    /// How many constituents are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many nodes there are so far.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes the open constituent has so far, itself not counted; `None` if none is open.
    pub fn n_nodes_inside(&self) -> Option<usize> {
        self.open.last().map(|&index| self.nodes.len() - index - 1)
    }

    /// The label of the constituent opened last.
    pub fn open_label_mut(&mut self) -> Option<&mut L> {
        let &index = self.open.last()?;
        Some(&mut self.nodes[index].label)
    }

    /// The tree, if everything that was opened is closed and there is exactly one topmost node.
    pub fn finish(self) -> Option<Tree<L>> {
        let whole = self.nodes.first().is_some_and(|root| root.size() == self.nodes.len());
        (whole && self.open.is_empty()).then_some(Tree { nodes: self.nodes })
    }
}

impl<L> Default for TreeBuilder<L> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Tree<&'static str> {
        let np = Tree::constituent("NP", [Tree::constituent("N", [Tree::word("dogs")])]);
        let vp = Tree::constituent("VP", [Tree::constituent("V", [Tree::word("bark")])]);
        Tree::constituent("S", [np, vp])
    }

    #[test]
    fn children_spans_and_tags_follow_from_the_preorder() {
        let tree = example();
        let children: Vec<_> = tree.root().children().map(|child| *child.label()).collect();
        assert_eq!(children, ["NP", "VP"]);
        let spans: Vec<_> =
            tree.constituents().iter().map(|(_, label, span)| format!("{label} {span}")).collect();
        assert_eq!(spans, ["S 0..2", "NP 0..1", "N 0..1", "VP 1..2", "V 1..2"]);
        assert_eq!(tree.tagged_words(), [(Some(&"N"), &"dogs"), (Some(&"V"), &"bark")]);
    }

    #[test]
    fn builder_makes_the_same_tree_and_refuses_unbalanced_ones() {
        let mut builder = TreeBuilder::new();
        for (label, form) in [("NP N", "dogs"), ("VP V", "bark")] {
            if builder.n_nodes() == 0 {
                builder.open("S");
            }
            let (phrase, tag) = label.split_once(' ').unwrap();
            builder.open(phrase);
            builder.open(tag);
            builder.word(form);
            assert!(builder.close() && builder.close());
        }
        assert_eq!(builder.clone().finish(), None);
        assert!(builder.close());
        assert!(!builder.close());
        assert_eq!(builder.finish(), Some(example()));
    }
}
