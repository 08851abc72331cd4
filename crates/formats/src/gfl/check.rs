//! What cannot be true in any tree: two heads, cycles, brackets torn apart.

use crate::Problem;
use std::collections::{BTreeMap, BTreeSet};
use tree::{BracketReading, Conflict, Constraints, GroupKind, Node, PartialTree, Place, Reading};

/// Adds the contradictions of a partial tree, each naming both places. What only follows from several
/// statements together is looked for if nothing else was found, so that one mistake is reported once.
pub(crate) fn check(said: &PartialTree, problems: &mut Vec<Problem>) {
    problems.extend(plain_contradictions(said));
    if !problems.iter().any(Problem::is_error) && said.n_words <= MOST_WORDS {
        problems.extend(contradictions(said));
    }
}

fn plain_contradictions(said: &PartialTree) -> Vec<Problem> {
    let claims = claims(said);
    let mut problems = two_heads(said, &claims);
    problems.extend(cycles(said, &claims));
    problems.extend(torn_brackets(said, &claims));
    problems
}

/// Longer sentences are not searched for what follows from several statements together: the search keeps a
/// bit for every pair of words.
const MOST_WORDS: usize = 1000;

/// What only follows from several statements together, found by building the constraints.
fn contradictions(said: &PartialTree) -> Option<Problem> {
    let connected = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    if let Err(conflict) = Constraints::from_partial(said, &connected) {
        let help = "take one of the two back";
        return Some(Problem::error("contradiction", conflict.place(), conflict.to_string(), help));
    }
    match Constraints::from_partial(said, &Reading::default()) {
        Err(conflict @ Conflict::CrossingBrackets { .. }) => {
            let help = "nothing to do if that is meant";
            Some(Problem::warning("crossing-brackets", conflict.place(), conflict.to_string(), help))
        }
        _ => None,
    }
}

/// A head that was said: `None` is the root.
#[derive(Clone, Copy)]
struct Claim {
    head: Option<Node>,
    place: Place,
}

/// Everything that was said of a node's head. A bracket whose head is known speaks for that head; conjuncts
/// and coordinators depend on their coordination.
fn claims(said: &PartialTree) -> BTreeMap<Node, Vec<Claim>> {
    let mut claims: BTreeMap<Node, Vec<Claim>> = BTreeMap::new();
    let mut claim = |dependent: Node, head: Option<Node>, place: Place| {
        let head = head.map(|head| known_head(said, head));
        claims.entry(known_head(said, dependent)).or_default().push(Claim { head, place });
    };
    for arc in &said.arcs {
        claim(arc.dependent, Some(arc.head), arc.place);
    }
    for &(node, place) in &said.roots {
        claim(node, None, place);
    }
    for (index, group) in said.groups.iter().enumerate() {
        if let GroupKind::Coordination { conjuncts, coordinators, .. } = &group.kind {
            for &part in conjuncts.iter().chain(coordinators) {
                claim(part, Some(Node::Group(index)), group.place);
            }
        }
    }
    claims
}

/// The innermost known head of a bracket; an open bracket stands for itself.
fn known_head(said: &PartialTree, mut node: Node) -> Node {
    // Brackets that come from elsewhere than a text may contain each other, hence the bound.
    for _ in 0..=said.groups.len() {
        let Node::Group(index) = node else { break };
        match &said.groups[index].kind {
            GroupKind::Bracket { head: Some(head), .. } => node = *head,
            _ => break,
        }
    }
    node
}

/// As [`known_head`], and a coordination is its first coordinator.
fn stands_for(said: &PartialTree, mut node: Node) -> Node {
    for _ in 0..=said.groups.len() {
        node = known_head(said, node);
        match node {
            Node::Group(index) => match &said.groups[index].kind {
                GroupKind::Coordination { coordinators, .. } if !coordinators.is_empty() => {
                    node = coordinators[0]
                }
                _ => return node,
            },
            Node::Word(_) => return node,
        }
    }
    node
}

fn is_open_bracket(said: &PartialTree, node: Node) -> bool {
    let Node::Group(index) = node else { return false };
    matches!(said.groups[index].kind, GroupKind::Bracket { head: None, .. })
}

fn two_heads(said: &PartialTree, claims: &BTreeMap<Node, Vec<Claim>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (&dependent, claims) in claims {
        let first = claims[0];
        let clash = |claim: &&Claim| !compatible(said, first.head, claim.head);
        if let Some(second) = claims.iter().find(clash) {
            let (first, second) = in_order(first, *second);
            let message =
                format!("{} gets a second head here; the first is at {}", name(said, dependent), first.place);
            problems.push(Problem::error("two-heads", second.place, message, "keep one of the two"));
        }
    }
    problems
}

fn in_order(one: Claim, other: Claim) -> (Claim, Claim) {
    if one.place <= other.place { (one, other) } else { (other, one) }
}

/// Whether two heads can be the same word: equal, or one is an open bracket that may be headed by the other.
fn compatible(said: &PartialTree, one: Option<Node>, other: Option<Node>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            let may_be =
                |bracket, node| is_open_bracket(said, bracket) && inside(said, bracket).contains(&node);
            let both_open = is_open_bracket(said, one) && is_open_bracket(said, other);
            one == other || both_open || may_be(one, other) || may_be(other, one)
        }
        _ => one == other,
    }
}

/// All nodes inside a bracket, brackets and what they stand for included.
fn inside(said: &PartialTree, bracket: Node) -> BTreeSet<Node> {
    let mut found = BTreeSet::from([bracket]);
    let mut todo = vec![bracket];
    while let Some(node) = todo.pop() {
        let Node::Group(index) = node else { continue };
        let GroupKind::Bracket { members, .. } = &said.groups[index].kind else { continue };
        for &member in members {
            if found.insert(member) {
                todo.push(member);
            }
        }
    }
    let meant: Vec<Node> = found.iter().map(|&node| stands_for(said, node)).collect();
    found.extend(meant);
    found
}

fn cycles(said: &PartialTree, claims: &BTreeMap<Node, Vec<Claim>>) -> Vec<Problem> {
    let mut above: BTreeMap<Node, Claim> = BTreeMap::new();
    for (&dependent, claims) in claims {
        let dependent = stands_for(said, dependent);
        for claim in claims {
            let head = claim.head.map(|head| stands_for(said, head));
            // The first coordinator is the coordination, so this arc says nothing.
            if claim.head == head || head != Some(dependent) {
                above.entry(dependent).or_insert(Claim { head, place: claim.place });
            }
        }
    }
    let mut problems = Vec::new();
    let mut walk_of: BTreeMap<Node, usize> = BTreeMap::new();
    for (walk, &start) in above.keys().enumerate() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|node| !walk_of.contains_key(node)) {
            walk_of.insert(node, walk);
            at = above.get(&node).and_then(|claim| claim.head);
        }
        if let Some(node) = at.filter(|node| walk_of.get(node) == Some(&walk)) {
            problems.push(cycle_through(said, node, &above));
        }
    }
    problems
}

fn cycle_through(said: &PartialTree, start: Node, above: &BTreeMap<Node, Claim>) -> Problem {
    let mut places = Vec::new();
    let mut at = start;
    while let Some(Claim { head: Some(head), place }) = above.get(&at) {
        places.push(*place);
        at = *head;
        if at == start {
            break;
        }
    }
    places.sort_unstable();
    let last = places.last().copied().unwrap_or_default();
    let first = places.first().copied().unwrap_or_default();
    let message = format!("{} depends on itself in a cycle with {first}", name(said, start));
    Problem::error("cycle", last, message, "turn one of the arrows round, or remove it")
}

/// A bracket has one top: the only member whose head may lie outside.
fn torn_brackets(said: &PartialTree, claims: &BTreeMap<Node, Vec<Claim>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, group) in said.groups.iter().enumerate() {
        let GroupKind::Bracket { head, .. } = &group.kind else { continue };
        let members = inside(said, Node::Group(index));
        let mut top = head.map(|head| (head, group.place));
        for &member in &members {
            let leaves = |claim: &&Claim| leaves(said, &members, member, claim);
            let Some(claim) = claims.get(&member).and_then(|claims| claims.iter().find(leaves)) else {
                continue;
            };
            match top {
                Some((known, before)) if !same_top(said, known, member) => {
                    let message = format!(
                        "{} leaves its bracket, but is not its head; see {before}",
                        name(said, member)
                    );
                    let help = "in a bracket only the head depends on something outside";
                    problems.push(Problem::error("bracket-broken", claim.place, message, help));
                    break;
                }
                Some(_) => {}
                None => top = Some((member, claim.place)),
            }
        }
    }
    problems
}

fn leaves(said: &PartialTree, members: &BTreeSet<Node>, member: Node, claim: &Claim) -> bool {
    let Some(head) = claim.head else { return true };
    let head = stands_for(said, head);
    let within = members.contains(&head) || head == stands_for(said, member);
    // The top of an open bracket elsewhere is outside only if the two share nothing.
    !within && (!is_open_bracket(said, head) || inside(said, head).is_disjoint(members))
}

/// Whether two nodes of a bracket may both be its top.
fn same_top(said: &PartialTree, one: Node, other: Node) -> bool {
    let (one, other) = (stands_for(said, one), stands_for(said, other));
    let holds = |bracket, node| is_open_bracket(said, bracket) && inside(said, bracket).contains(&node);
    one == other || holds(one, other) || holds(other, one)
}

fn name(said: &PartialTree, node: Node) -> String {
    match node {
        Node::Word(word) => format!("token {word}"),
        Node::Group(index) => match &said.groups[index].kind {
            GroupKind::Multiword { words } => {
                format!(
                    "the multiword of tokens {}",
                    words.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
                )
            }
            GroupKind::Bracket { .. } => "the bracket".to_owned(),
            GroupKind::Coordination { name, .. } => format!("the coordination {name}"),
        },
    }
}
