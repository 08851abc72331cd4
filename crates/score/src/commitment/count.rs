//! How many trees a model has: the matrix-tree theorem on contracted sets.
//!
//! For a set W that must be connected, the trees with T[W] connected number
//! Σ_r A_W(r) · (trees of the graph in which W is one node, entered at r), where A_W(r) counts the
//! arborescences of W from r. Nested sets are contracted from the inside, so that every level is one
//! determinant over blocks: an arc from block B into block C weighs
//! Σ_{s∈C} A_C(s) · |{m ∈ B : m → s allowed}|.
//! All this is done modulo primes and put together at the end, so it is exact.

use super::enumerate;
use super::graph::Graph;
use super::model::{Requirement, Set, SupportedTrees};
use super::modular::{add, determinant, from_residues, inverse, left_null_vector, mul, sub};
use super::natural::Natural;
use std::collections::BTreeMap;
use tree::PutInOrder;

/// A number of trees, and whether it is that number or only no less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number.
    pub trees: Natural,
    /// Whether it is exact; otherwise it is an upper bound.
    pub exact: bool,
}

/// Counts the trees of a model.
///
/// Exact in polynomial time if the sets whose top is open are nested or disjoint. Otherwise trees are
/// enumerated, up to [`enumerate::BUDGET`] steps; beyond that the sets, requirements and bans that stand in
/// the way are left out, and the result is an upper bound.
pub(crate) fn count(graph: &Graph) -> Count {
    let model = &SupportedTrees::new(graph);
    let plan = CountPlan::new(model);
    let exact = plan.complete;
    if !exact && let Some(trees) = enumerate::count(graph, model) {
        return Count { trees: Natural::from(trees), exact: true };
    }
    let n = model.n_lexemes;
    let trees = from_residues(n + 1, n.saturating_sub(1), |prime| plan.count(prime));
    Count { trees, exact }
}

/// Spanning trees from the root of a graph given by allowed heads (0 is the root).
pub(crate) fn spanning_trees(heads: &[Vec<usize>]) -> Natural {
    let n = heads.len();
    from_residues(n + 1, n.saturating_sub(1), |prime| {
        let mut weights = vec![vec![0; n]; n];
        let mut from_root = vec![0; n];
        for (node, heads) in heads.iter().enumerate() {
            for &head in heads {
                match head.checked_sub(1) {
                    Some(head) => weights[node][head] += 1,
                    None => from_root[node] += 1,
                }
            }
        }
        determinant(laplacian(&weights, &from_root, prime), prime)
    })
}

/// In-degree on the diagonal, minus the arcs elsewhere; row = dependent, column = head.
fn laplacian(weights: &[Vec<u64>], from_root: &[u64], prime: u64) -> Vec<Vec<u64>> {
    let row = |(index, row): (usize, &Vec<u64>)| {
        let others = row.iter().enumerate().filter(|(head, _)| *head != index);
        let degree = others.fold(from_root[index] % prime, |sum, (_, &weight)| add(sum, weight, prime));
        let entry =
            |(head, &weight): (usize, &u64)| if head == index { degree } else { sub(0, weight, prime) };
        row.iter().enumerate().map(entry).collect()
    };
    weights.iter().enumerate().map(row).collect()
}

/// Which sets are contracted, and which requirements are followed, in which order.
struct CountPlan<'a> {
    model: &'a SupportedTrees,
    /// Sets with an open top, the smallest first; nested or disjoint.
    sets: Vec<&'a Set>,
    /// Of each node the requirement that its head is the top of a set, with that set.
    special: Vec<Option<(&'a Requirement, &'a Set)>>,
    /// Of each node the sets of which only the top may head it; none contains another.
    tops_only: Vec<Vec<&'a Set>>,
    complete: bool,
}

impl<'a> CountPlan<'a> {
    fn new(model: &'a SupportedTrees) -> Self {
        let mut open: Vec<&Set> = model.sets.iter().filter(|set| set.n_tops() != 1).collect();
        open.order_by_key(|set| set.nodes.len());
        let mut plan = Self {
            model,
            sets: Vec::new(),
            special: vec![None; model.n_lexemes],
            tops_only: vec![Vec::new(); model.n_lexemes],
            complete: model.members_are_disjoint,
        };
        // The largest ones are kept where two overlap.
        for set in open.into_iter().rev() {
            if plan.sets.iter().all(|kept| nested_or_disjoint(kept, set)) {
                plan.sets.insert(0, set);
            } else {
                plan.complete = false;
            }
        }
        for requirement in &model.requirements {
            let on = &model.sets[requirement.on];
            plan.complete &= on.n_tops() == 1 || plan.follow(requirement, on);
        }
        for condition in &model.conditions {
            let on = &model.sets[condition.on];
            plan.complete &= on.n_tops() == 1 || condition.nodes.iter().all(|&node| plan.attend(node, on));
        }
        plan.complete &= !model.bans.iter().any(|ban| plan.is_open(ban));
        plan
    }

    /// Whether a ban says more than narrowing could take away: some top that it concerns may still be the head.
    fn is_open(&self, ban: &Requirement) -> bool {
        let on = &self.model.sets[ban.on];
        let concerned = |&&top: &&usize| on.tops[top] && !ban.holds[top];
        let heads = |top: &usize| ban.nodes.iter().any(|&node| self.model.allowed[node][top + 1]);
        on.nodes.iter().filter(concerned).any(heads)
    }

    /// Whether the condition that `node` is headed by the top of `on`, or elsewhere, can be attended to while
    /// contracting: there is one such arc, whichever the top, if all tops may head the node.
    ///
    /// A requirement that `node` follows goes before and is enough. Say it is on a set S inside `on`. Then
    /// only tops of S may head `node` from within `on`, so if all tops of `on` may, they are tops of S, and
    /// the top of `on` is that of S.
    fn attend(&mut self, node: usize, on: &'a Set) -> bool {
        let n_allowed = on.nodes.iter().filter(|&&top| self.model.allowed[node][top + 1]).count();
        if n_allowed == 0 {
            return true;
        }
        let contracted = self.sets.iter().any(|set| std::ptr::eq(*set, on));
        let above = |inner: &Set| on.nodes.len() > inner.nodes.len() && on.holds[inner.nodes[0]];
        let fine = contracted && n_allowed == on.n_tops();
        if fine
            && !self.tops_only[node]
                .iter()
                .any(|known| known.holds[on.nodes[0]] && known.nodes.len() >= on.nodes.len())
        {
            self.tops_only[node].retain(|known| !above(known));
            self.tops_only[node].push(on);
        }
        fine
    }

    /// Whether the requirement can be followed while contracting.
    ///
    /// A node may be entered by several requirements, and follows the last: the others then say the same. For
    /// if the highest nodes of R₁ and R₂ ∋ v depend on the tops of S₁ and S₂, each of which may head v, then S₁
    /// and S₂ have the same tops and are nested, so their top is the same; and as none of these tops is in R₁
    /// or R₂, v cannot be headed within the larger one, so that R₁ and R₂ have the same highest node.
    fn follow(&mut self, requirement: &'a Requirement, on: &'a Set) -> bool {
        if !self.sets.iter().any(|set| std::ptr::eq(*set, on)) {
            return false;
        }
        let outer = |node: usize| {
            let leaves =
                |(head, &allowed): (usize, &bool)| allowed && (head == 0 || !requirement.holds[head - 1]);
            self.model.allowed[node].iter().enumerate().any(leaves)
        };
        let entered: Vec<usize> = requirement.nodes.iter().copied().filter(|&node| outer(node)).collect();
        // The head is one word, whichever top it is, only if each top may head each node that is entered.
        let tops = || (0..self.model.n_lexemes).filter(|&node| on.tops[node]);
        let uniform = entered.iter().all(|&node| tops().all(|top| self.model.allowed[node][top + 1]));
        let contracted = entered.len() == 1 || self.sets.iter().any(|set| set.nodes == requirement.nodes);
        let shared = entered.iter().filter(|&&node| on.holds[node]).count();
        let placed = shared == 0 || (shared == entered.len() && self.is_block_of(&entered, requirement, on));
        let fine = uniform && contracted && placed;
        if fine {
            entered.iter().for_each(|&node| self.special[node] = Some((requirement, on)));
        }
        fine
    }

    /// Whether the nodes are one block directly inside `on`.
    fn is_block_of(&self, entered: &[usize], requirement: &Requirement, on: &Set) -> bool {
        let between = |set: &&&Set| set.holds[entered[0]] && set.nodes.len() < on.nodes.len();
        let mut between = self.sets.iter().filter(between);
        match between.next_back() {
            None => true,
            Some(largest) => largest.nodes == requirement.nodes && entered.len() > 1,
        }
    }

    fn count(&self, prime: u64) -> u64 {
        let n = self.model.n_lexemes;
        let mut state = BlockCount { plan: self, prime, ways: vec![1; n], block: (0..n).collect() };
        for (rank, set) in self.sets.iter().enumerate() {
            state.contract(set, n + rank);
        }
        state.trees()
    }
}

fn nested_or_disjoint(one: &Set, other: &Set) -> bool {
    let shared = one.nodes.iter().filter(|&&node| other.holds[node]).count();
    shared == 0 || shared == one.nodes.len() || shared == other.nodes.len()
}

/// Blocks so far. `ways[s]` is A_C(s) for the block C of s.
struct BlockCount<'a> {
    plan: &'a CountPlan<'a>,
    prime: u64,
    ways: Vec<u64>,
    block: Vec<usize>,
}

/// The blocks of a level, and for each node its block there.
struct Level {
    nodes: Vec<Vec<usize>>,
    rank: BTreeMap<usize, usize>,
}

impl BlockCount<'_> {
    fn level(&self, nodes: impl Iterator<Item = usize>) -> Level {
        let mut level = Level { nodes: Vec::new(), rank: BTreeMap::new() };
        for node in nodes {
            let next = level.nodes.len();
            let rank = *level.rank.entry(self.block[node]).or_insert(next);
            if rank == next {
                level.nodes.push(Vec::new());
            }
            level.nodes[rank].push(node);
        }
        level
    }

    /// Weight of the arcs from each block of the level into `node`, its own block excepted.
    fn heads_of(&self, node: usize, level: &Level, inside: Option<&Set>) -> Vec<u64> {
        let mut weights = vec![0; level.nodes.len()];
        let within = |requirement: &Requirement| {
            inside.is_some_and(|set| set.nodes.iter().all(|&n| requirement.holds[n]))
        };
        if let Some((_, on)) = self.plan.special[node].filter(|(requirement, _)| !within(requirement)) {
            // One arc, from the top of the other set; a requirement on this very level is added per root.
            let elsewhere = inside.is_none_or(|set| !std::ptr::eq(set, on));
            if let Some(&rank) = level.rank.get(&self.block[on.nodes[0]]).filter(|_| elsewhere) {
                weights[rank] = 1;
            }
        } else {
            let tops_only = &self.plan.tops_only[node];
            for (rank, members) in level.nodes.iter().enumerate() {
                let counts = |member: &&usize| {
                    self.plan.model.allowed[node][**member + 1]
                        && !tops_only.iter().any(|set| set.holds[**member])
                };
                weights[rank] = members.iter().filter(counts).count() as u64;
            }
            for set in tops_only {
                if let Some(&rank) = level.rank.get(&self.block[set.nodes[0]]) {
                    weights[rank] += 1;
                }
            }
        }
        weights
    }

    fn weights(&self, level: &Level, inside: Option<&Set>) -> Vec<Vec<u64>> {
        let n_blocks = level.nodes.len();
        let mut weights = vec![vec![0; n_blocks]; n_blocks];
        for (rank, members) in level.nodes.iter().enumerate() {
            for &node in members.iter().filter(|&&node| self.ways[node] != 0) {
                for (head, weight) in self.heads_of(node, level, inside).into_iter().enumerate() {
                    if head != rank {
                        let more = mul(weight, self.ways[node], self.prime);
                        weights[rank][head] = add(weights[rank][head], more, self.prime);
                    }
                }
            }
        }
        weights
    }

    /// Makes `set` one block: A_W(r) for each of its nodes r.
    fn contract(&mut self, set: &Set, name: usize) {
        let level = self.level(set.nodes.iter().copied());
        let weights = self.weights(&level, Some(set));
        let arborescences = match self.on_this_top(set, &level) {
            None => arborescences(&weights, self.prime),
            Some(entries) => arborescences_onto_root(&weights, &entries, self.prime),
        };
        for (members, &count) in level.nodes.iter().zip(&arborescences) {
            for &node in members {
                // Nodes that are no tops have no heads outside the set, so their ways are never asked for.
                self.ways[node] = mul(self.ways[node], count, self.prime);
                self.block[node] = name;
            }
        }
    }

    /// Ways to enter each block whose head must be the top of `set` itself; `None` if there is no such block.
    fn on_this_top(&self, set: &Set, level: &Level) -> Option<Vec<u64>> {
        let concerned = |node: usize| self.plan.special[node].is_some_and(|(_, on)| std::ptr::eq(on, set));
        let entries = level.nodes.iter().map(|members| {
            let members = members.iter().filter(|&&node| concerned(node));
            members.fold(0, |sum, &node| add(sum, self.ways[node], self.prime))
        });
        let entries: Vec<u64> = entries.collect();
        set.nodes.iter().any(|&node| concerned(node)).then_some(entries)
    }

    fn trees(&self) -> u64 {
        let level = self.level(0..self.plan.model.n_lexemes);
        let weights = self.weights(&level, None);
        let from_root = level.nodes.iter().map(|members| {
            let roots = members.iter().filter(|&&node| self.plan.model.allowed[node][0]);
            roots.fold(0, |sum, &node| add(sum, self.ways[node], self.prime))
        });
        let from_root: Vec<u64> = from_root.collect();
        determinant(laplacian(&weights, &from_root, self.prime), self.prime)
    }
}

fn minor(matrix: &[Vec<u64>], without: usize) -> Vec<Vec<u64>> {
    let keep = |index: &usize| *index != without;
    let rows = (0..matrix.len()).filter(keep);
    rows.map(|row| (0..matrix.len()).filter(keep).map(|column| matrix[row][column]).collect()).collect()
}

/// Spanning arborescences from each node: the diagonal of the Laplacian's adjugate.
///
/// As the rows of the Laplacian L sum to 0, adj L = c · 1 uᵀ with uᵀ L = 0. So one null vector and one minor
/// give all of them; if L loses more than one rank, its adjugate vanishes.
fn arborescences(weights: &[Vec<u64>], prime: u64) -> Vec<u64> {
    let laplacian = laplacian(weights, &vec![0; weights.len()], prime);
    let Some(vector) = left_null_vector(&laplacian, prime) else { return vec![0; weights.len()] };
    let Some(at) = vector.iter().position(|&entry| entry != 0) else { return vec![0; weights.len()] };
    let scale = mul(determinant(minor(&laplacian, at), prime), inverse(vector[at], prime), prime);
    vector.iter().map(|&entry| mul(entry, scale, prime)).collect()
}

/// The same where some blocks can only depend on the root itself, whichever it is.
fn arborescences_onto_root(weights: &[Vec<u64>], entries: &[u64], prime: u64) -> Vec<u64> {
    let from = |root: usize| {
        let mut weights = weights.to_vec();
        for (block, &ways) in entries.iter().enumerate() {
            weights[block][root] = add(weights[block][root], ways, prime);
        }
        let laplacian = laplacian(&weights, &vec![0; weights.len()], prime);
        determinant(minor(&laplacian, root), prime)
    };
    (0..weights.len()).map(from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commitment::Nodes;
    use proptest::prelude::*;
    use tree::{Arc, Group, GroupKind, Node, PartialTree, Place};

    /// Open brackets, given as bits, that overlap as they like, and arcs among words and brackets.
    fn overlapping_brackets() -> impl Strategy<Value = PartialTree> {
        const N_WORDS: usize = 5;
        let bits = (1u8..1 << N_WORDS).prop_filter("two words", |bits| bits.count_ones() > 1);
        let brackets = prop::collection::btree_set(bits, 2..5);
        (brackets, prop::collection::vec(any::<[u8; 2]>(), 1..3)).prop_map(|(brackets, arcs)| {
            let place = Place::default();
            let group = |bits: &u8| {
                let members =
                    (0..N_WORDS).filter(|word| bits >> word & 1 == 1).map(|word| Node::Word(word + 1));
                Group { kind: GroupKind::Bracket { members: members.collect(), head: None }, place }
            };
            let node = |byte: u8| match byte as usize % (N_WORDS + 2 * brackets.len()) {
                word if word < N_WORDS => Node::Word(word + 1),
                group => Node::Group((group - N_WORDS) / 2),
            };
            let arc =
                |[head, dependent]: [u8; 2]| Arc { head: node(head), dependent: node(dependent), place };
            let mut said = PartialTree::new(N_WORDS);
            said.groups = brackets.iter().map(group).collect();
            said.arcs = arcs.into_iter().map(arc).collect();
            said
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn contraction_is_exact_if_it_says_so_and_never_too_low(said in overlapping_brackets()) {
            let graph = Graph::new(&said, &Nodes::All);
            let model = SupportedTrees::new(&graph);
            let plan = CountPlan::new(&model);
            let enumerated = enumerate::count(&graph, &model);
            let contracted = plan.count(4_611_686_018_427_387_847);
            prop_assert!(Some(contracted) >= enumerated && enumerated.is_some());
            prop_assert!(!plan.complete || Some(contracted) == enumerated);
        }
    }
}
