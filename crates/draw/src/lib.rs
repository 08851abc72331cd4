//! Pictures of trees as text, SVG and HTML.
//!
//! Four kinds of values can be drawn: the dependency tree of a sentence, a partial annotation, a
//! constituency tree, and what is said of entities, relations and predicates ([`semantics`]) below a tree. Each becomes a [`Figure`], and a figure can be written to a terminal
//! ([`Figure::text`]), as an SVG file ([`Figure::svg`]) or into a self-contained page ([`page()`]).
//!
//! Drawing never fails. A head that does not exist is a stub with its number, a cycle is drawn as it
//! stands, and what has no place in the picture at all is told in words.
//!
//! ```
//! let mut sentence = tree::Sentence::from_forms(["dogs", "bark"]);
//! sentence.tokens[0].head = tree::Head::Of(2);
//! sentence.tokens[0].deprel = "nsubj".into();
//! sentence.tokens[1].head = tree::Head::Of(0);
//! let figure = draw::dependency(&sentence);
//! let lines = ["         root", " ┌─nsubj─┐ │", " ▼       │ ▼", "dogs     bark"];
//! assert_eq!(figure.text(&draw::TextStyle::unicode()), lines.join("\n") + "\n");
//! assert!(figure.svg(&draw::SvgStyle::default()).starts_with("<svg"));
//! ```

mod canvas;
mod clean;
mod columns;
mod constituency;
mod dependency;
mod diagram;
mod direction;
mod heat_map;
mod horizontal;
#[cfg(test)]
mod laws;
mod layout;
mod levels;
mod measure;
mod notes;
mod outline;
mod page;
mod partial;
pub mod plot;
pub mod semantics;
mod spacing;
mod svg;
mod svg_arcs;
mod svg_tree;
mod vertical;

pub use canvas::TextStyle;
pub use heat_map::{heat_grid, heat_map};
pub use page::{Caption, page, page_figure, page_head, page_tail};
pub use svg::{CSS, HANDLES_CSS, SvgStyle};

use constituency::Constituency;
use diagram::Diagram;
use tree::{PartialTree, Sentence, Text, Tree};

/// A picture that knows what it shows but not yet where.
#[derive(Clone, Debug)]
pub struct Figure {
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Arcs(Diagram),
    Tree(Constituency),
}

/// The basic dependency tree of a sentence: forms, parts of speech (UPOS, or XPOS where there is none), relations, roots and multiword tokens.
///
/// Open heads have no arc. If MISC has `HeadProb=`, the arc is as pale as it is improbable and shows the
/// number. Empty nodes and enhanced dependencies are left out.
pub fn dependency(sentence: &Sentence) -> Figure {
    Figure { content: Content::Arcs(dependency::diagram(sentence)) }
}

/// What an annotator said about the sentence of these forms: arcs and forbidden arcs, brackets, multiwords,
/// coordinations and roots. Words of which nothing was said are grey.
pub fn partial(said: &PartialTree, forms: &[&str]) -> Figure {
    partial_tagged(said, forms, &[])
}

/// The same with the tags of the words, as far as they are given; `_` stands for none.
pub fn partial_tagged(said: &PartialTree, forms: &[&str], tags: &[&str]) -> Figure {
    Figure { content: Content::Arcs(partial::diagram(said, forms, tags)) }
}

/// Whether words run from right to left.
pub fn is_rtl(forms: &[&str]) -> bool {
    direction::is_rtl(forms.iter().copied())
}

/// An arc that nobody said, but a machine thinks of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuggestedArc {
    /// The word, from 1.
    pub dependent: usize,
    /// Its head; 0 is the root.
    pub head: usize,
    /// How probable that is.
    pub probability: f64,
}

/// What is written beside words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Their tags, `_` for none.
    pub tags: &'a [&'a str],
    /// Their relations to their heads, `_` for none.
    pub relations: &'a [&'a str],
    /// What a machine suggests.
    pub suggested: &'a [SuggestedArc],
    /// By which numbers groups can be pointed at; their places, from 0, if there are none.
    pub groups: &'a [usize],
}

/// What an annotator said of these words, and pale beside it what a machine suggests.
pub fn annotated(said: &PartialTree, forms: &[&str], beside: &Beside<'_>) -> Figure {
    Figure { content: Content::Arcs(partial::annotated(said, forms, beside)) }
}

/// A constituency tree.
///
/// ```
/// use tree::{Text, Tree};
///
/// let noun: Tree<Text> = Tree::constituent("N".into(), [Tree::word("dogs".into())]);
/// let figure = draw::constituency(&Tree::constituent("NP".into(), [noun]));
/// assert_eq!(figure.text(&draw::TextStyle::unicode()), "NP\n└─N dogs\n");
/// assert!(figure.svg(&draw::SvgStyle::default()).contains("dogs"));
/// ```
pub fn constituency(tree: &Tree<Text>) -> Figure {
    Figure { content: Content::Tree(Constituency::new(tree)) }
}

impl Figure {
    /// The picture for a terminal; each line ends in `\n`, and none is wider than the style allows.
    ///
    /// A dependency tree has its words in a row if they fit and run from left to right, and one per line
    /// otherwise; a partial annotation always has one word per line; a constituency tree is an outline.
    /// Where words stand one per line, relations of entities and predicates are sentences below them.
    pub fn text(&self, style: &TextStyle) -> String {
        match &self.content {
            Content::Tree(tree) => outline::outline(tree, style),
            Content::Arcs(diagram) => {
                let above = diagram.tree.as_ref().map(|tree| outline::outline(tree, style) + "\n");
                above.unwrap_or_default() + &arcs_as_text(diagram, style)
            }
        }
    }

    /// Whether the sentence runs from right to left.
    pub fn is_rtl(&self) -> bool {
        match &self.content {
            Content::Tree(tree) => tree.rtl,
            Content::Arcs(diagram) => diagram.rtl,
        }
    }

    /// The picture as an SVG document that needs nothing else.
    pub fn svg(&self, style: &SvgStyle) -> String {
        match &self.content {
            Content::Tree(tree) => svg_tree::svg(tree, style),
            Content::Arcs(diagram) => svg_arcs::svg(diagram, style),
        }
    }
}

fn arcs_as_text(diagram: &Diagram, style: &TextStyle) -> String {
    let in_a_row =
        if diagram.rtl || diagram.one_per_line { None } else { horizontal::horizontal(diagram, style) };
    in_a_row.unwrap_or_else(|| vertical::vertical(diagram, style))
}
