//! How much an annotation says: fragments, supported trees, commitment (Schneider et al. 2013).

mod candidates;
mod count;
mod enumerate;
mod graph;
mod model;
mod modular;
mod natural;

pub use count::Count;
pub use enumerate::BUDGET;
pub use graph::Nodes;
pub use natural::Natural;

use graph::{Entity, Graph};
use model::SupportedTrees;
use std::collections::BTreeSet;
use tree::{GroupKind, PartialTree, PutTogether};

/// Counts of one annotation, as the original measures program reports them, and two figures it lacks.
///
/// Multiwords are one lexical node each, and a coordination is its leftmost coordinator, on which the
/// conjuncts and the other coordinators depend. The tree may have several utterances: an artificial root
/// heads them.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Lexical nodes.
    pub n_lexemes: usize,
    /// Lexical nodes of one word.
    pub n_words: usize,
    /// Lexical nodes of several words.
    pub n_multiwords: usize,
    /// Words of the sentence that are in no lexical node.
    pub n_omitted: usize,
    /// Coordinations.
    pub n_coordinations: usize,
    /// Anaphoric links.
    pub n_links: usize,
    /// Brackets.
    pub n_brackets: usize,
    /// Nodes said to be roots.
    pub n_roots: usize,
    /// Connected parts of the annotation; the root joins what is attached to it.
    pub n_fragments: usize,
    /// How many utterances there are at most.
    pub max_utterances: usize,
    /// How many utterances there are at least.
    pub min_utterances: usize,
    /// Lexical nodes that may be roots.
    pub n_possible_roots: usize,
    /// Whether every node's yield is contiguous among the words that are attached to anything.
    pub is_projective: bool,
    /// Spanning trees of the graph of locally allowed arcs: an upper bound of the promiscuity. It is what the
    /// original program calls promiscuity, because it does not check that brackets are connected.
    pub spanning_trees: Natural,
    /// Trees that the annotation supports; 0 if it contradicts itself.
    pub promiscuity: Count,
}

/// Measures an annotation.
///
/// Polynomial time: determinants of the number of lexical nodes, a few for each open bracket; see [`Count`]
/// for brackets that overlap.
pub fn measure(said: &PartialTree, nodes: &Nodes) -> Measures {
    let graph = Graph::new(said, nodes);
    let n_lexemes = graph.lexemes.len();
    let n_words = graph.lexemes.iter().filter(|words| words.len() == 1).count();
    let candidates = candidates::candidates(&graph);
    let heads: Vec<Vec<usize>> =
        candidates.iter().map(|heads| heads.iter().filter_map(head_index).collect()).collect();
    let roots: BTreeSet<_> = said.roots.iter().map(|(node, _)| node).into_set();
    let links: BTreeSet<_> = said.anaphora.iter().map(|(one, other, _)| (one, other)).into_set();
    let n_coordinations =
        said.groups.iter().filter(|group| matches!(group.kind, GroupKind::Coordination { .. })).count();
    let fragments = fragments(&graph);
    let n_fragments = n_fragments(&fragments);
    let min_utterances = roots.len().max(1);
    Measures {
        n_lexemes,
        n_words,
        n_multiwords: n_lexemes - n_words,
        n_omitted: said.n_words.saturating_sub(graph.lexemes.iter().map(Vec::len).sum()),
        n_coordinations,
        n_links: links.len(),
        n_brackets: graph.brackets.len(),
        n_roots: roots.len(),
        n_fragments,
        max_utterances: min_utterances + n_fragments.saturating_sub(1),
        min_utterances,
        n_possible_roots: candidates.iter().filter(|heads| heads.contains(&Entity::Root)).count(),
        is_projective: is_projective(&graph, &fragments),
        spanning_trees: count::spanning_trees(&heads),
        promiscuity: count::count(&graph),
    }
}

impl Measures {
    /// com(A) = 1 − log prom(A) / log n^(n−2), where n counts the lexical nodes and the root.
    ///
    /// 1 if only one tree is left, 0 if nothing was said (without any lexical node, too), `None` if no tree is
    /// left. For n = 2 there is only one tree to begin with. An upper bound of the promiscuity gives a lower
    /// bound of the commitment.
    pub fn commitment(&self) -> Option<f64> {
        commitment(&self.promiscuity.trees, self.n_lexemes)
    }

    /// The commitment by [`spanning_trees`](Measures::spanning_trees), as the original program computes it.
    pub fn spanning_commitment(&self) -> Option<f64> {
        commitment(&self.spanning_trees, self.n_lexemes)
    }
}

fn commitment(trees: &Natural, n_lexemes: usize) -> Option<f64> {
    let n = (n_lexemes + 1) as f64;
    match n_lexemes {
        _ if trees.is_zero() => None,
        0 => Some(0.0),
        1 => Some(1.0),
        _ => Some((1.0 - trees.ln() / ((n - 2.0) * n.ln())).clamp(0.0, 1.0)),
    }
}

/// How many trees an annotation supports.
pub fn promiscuity(said: &PartialTree, nodes: &Nodes) -> Count {
    count::count(&Graph::new(said, nodes))
}

/// The heads an annotation supports for each lexical node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// Words of each lexical node, in the order of first words.
    pub lexemes: Vec<Vec<usize>>,
    /// Heads of each lexical node: 0 for the root, or the first word of a lexical node.
    pub heads: Vec<Vec<usize>>,
}

/// The heads that each lexical node may have: suppParents.
///
/// Every head of a supported tree is among them. Without open brackets each of them is in some supported
/// tree; an open bracket may leave a few too many.
pub fn support(said: &PartialTree, nodes: &Nodes) -> Support {
    let graph = Graph::new(said, nodes);
    let model = SupportedTrees::new(&graph);
    let word = |head: usize| head.checked_sub(1).map_or(0, |lexeme| graph.lexemes[lexeme][0]);
    let heads_of = |allowed: &Vec<bool>| {
        let mut heads: Vec<usize> = (0..allowed.len()).filter(|&head| allowed[head]).map(word).collect();
        heads.sort_unstable();
        heads
    };
    let heads = model.allowed.iter().map(heads_of).collect();
    Support { lexemes: graph.lexemes, heads }
}

fn head_index(entity: &Entity) -> Option<usize> {
    match entity {
        Entity::Root => Some(0),
        Entity::Lexeme(lexeme) => Some(lexeme + 1),
        Entity::Bracket(_) => None,
    }
}

/// The fragment of each vertex: the root, then lexical nodes, then brackets.
fn fragments(graph: &Graph) -> Vec<usize> {
    let n_lexemes = graph.lexemes.len();
    let mut parent: Vec<usize> = (0..1 + n_lexemes + graph.brackets.len()).collect();
    fn find(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for (head, dependent) in edges(graph) {
        let one = find(&mut parent, vertex(head, n_lexemes));
        let other = find(&mut parent, vertex(dependent, n_lexemes));
        parent[one] = other;
    }
    (0..parent.len()).map(|at| find(&mut parent, at)).collect()
}

fn vertex(entity: Entity, n_lexemes: usize) -> usize {
    match entity {
        Entity::Root => 0,
        Entity::Lexeme(lexeme) => 1 + lexeme,
        Entity::Bracket(bracket) => 1 + n_lexemes + bracket,
    }
}

/// Arcs, and brackets with their members.
fn edges(graph: &Graph) -> impl Iterator<Item = (Entity, Entity)> {
    let members = graph.brackets.iter().enumerate().flat_map(|(index, bracket)| {
        bracket.members.iter().map(move |&member| (Entity::Bracket(index), member))
    });
    graph.arcs.iter().copied().chain(members)
}

fn n_fragments(fragments: &[usize]) -> usize {
    fragments[1..].iter().into_set().len()
}

/// Whether the words below each vertex are contiguous among the words of fragments that have an edge.
fn is_projective(graph: &Graph, fragments: &[usize]) -> bool {
    let n_lexemes = graph.lexemes.len();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); fragments.len()];
    for (head, dependent) in edges(graph) {
        below[vertex(head, n_lexemes)].push(vertex(dependent, n_lexemes));
    }
    let mut sizes = vec![0; fragments.len()];
    fragments.iter().for_each(|&fragment| sizes[fragment] += 1);
    let used = |at: usize| sizes[fragments[at]] > 1;
    let mut words: Vec<usize> = (0..n_lexemes)
        .filter(|&lexeme| used(1 + lexeme))
        .flat_map(|lexeme| graph.lexemes[lexeme].clone())
        .collect();
    words.sort_unstable();
    (1..fragments.len()).filter(|&at| used(at)).all(|start| {
        let mut seen = BTreeSet::from([start]);
        let mut todo = vec![start];
        let mut ranks = BTreeSet::new();
        while let Some(at) = todo.pop() {
            if let Some(lexeme) = graph.lexemes.get(at - 1) {
                ranks.extend(lexeme.iter().filter_map(|word| words.binary_search(word).ok()));
            }
            todo.extend(below[at].iter().filter(|&&next| seen.insert(next)));
        }
        match (ranks.first(), ranks.last()) {
            (Some(first), Some(last)) => last - first + 1 == ranks.len(),
            _ => true,
        }
    })
}
