//! Agreement between annotations of the same sentence, and with a gold tree.
//!
//! The measures are those of Schneider et al. (2013) and Mielens (2016, equations 5.1 to 5.4), read as
//! follows: sums in 5.3 are sums of set sizes; n in 5.1 counts lexical nodes and the root; a token counts in
//! 5.4 if at least two annotators gave it a head, and k is the number of those who did ([`gfl_agree`]). The
//! printed form of 5.4 is [`gfl_agree_strict`].
//!
//! ```
//! use score::agreement::{gfl_agree, gfl_agree_strict};
//!
//! // Heads of three words by two annotators; the second left the last word open.
//! let heads = [vec![Some(2), Some(0), Some(2)], vec![Some(3), Some(0), None]];
//! assert_eq!(gfl_agree(&heads).value(), Some(0.75));
//! assert_eq!(gfl_agree_strict(&heads).value(), Some(2.0 / 3.0));
//! ```

use crate::Counts;
use crate::commitment::{self, Natural, Nodes};
use std::collections::{BTreeMap, BTreeSet};
use tree::{Group, GroupKind, PartialTree, Place, PutTogether};

/// An agreement score of one annotation, given another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The score, between 0 and 1.
    pub value: f64,
    /// Whether the numbers of trees it is made of are exact; see [`commitment::Count`].
    pub exact: bool,
}

/// comPrec(A₁ | A₂) = com(A₁) · |supp(A₁) ∩ supp(A₂)| / |supp(A₁)|
///
/// The share of A₁'s trees that A₂ supports too, weighted by how much A₁ commits itself; 0 if the two
/// contradict each other anywhere. Both are seen over the same lexical nodes; see [`same_lexemes`].
pub fn com_prec(one: &PartialTree, other: &PartialTree) -> Agreement {
    let (level, nodes) = same_lexemes(&[one, other]);
    let own = commitment::measure(&level[0], &nodes);
    let both = commitment::promiscuity(&merged(&level[0], &level[1]), &nodes);
    let share = ratio_of_counts(&both.trees, &own.promiscuity.trees);
    let exact = own.promiscuity.exact && both.exact;
    Agreement { value: own.commitment().map_or(0.0, |com| com * share), exact }
}

/// softComPrec(A₁ | A₂) = com(A₁) · Σ_ℓ |suppParents₁(ℓ) ∩ suppParents₂(ℓ)| / Σ_ℓ |suppParents₁(ℓ)|
///
/// As [`com_prec`], but the intersection is taken for each lexical node by itself, so that one
/// contradiction does not void the sentence.
pub fn soft_com_prec(one: &PartialTree, other: &PartialTree) -> Agreement {
    soft_com_prec_all(&[one, other])
}

/// [`soft_com_prec`] of the first annotation given all the others: the intersection runs over all of them.
pub fn soft_com_prec_all(annotations: &[&PartialTree]) -> Agreement {
    let (level, nodes) = same_lexemes(annotations);
    let Some(first) = level.first() else { return Agreement { value: 0.0, exact: true } };
    let own = commitment::measure(first, &nodes);
    let supports: Vec<Vec<Vec<usize>>> =
        level.iter().map(|said| commitment::support(said, &nodes).heads).collect();
    let mut shared = 0;
    let mut all = 0;
    for (lexeme, heads) in supports[0].iter().enumerate() {
        all += heads.len();
        shared +=
            heads.iter().filter(|head| supports.iter().all(|heads| heads[lexeme].contains(head))).count();
    }
    let share = if all == 0 { 0.0 } else { shared as f64 / all as f64 };
    Agreement { value: own.commitment().map_or(0.0, |com| com * share), exact: own.promiscuity.exact }
}

/// a / b for numbers that may be beyond floating point; 0 if b is 0.
fn ratio_of_counts(a: &Natural, b: &Natural) -> f64 {
    match (a.is_zero() || b.is_zero(), a == b) {
        (true, _) => 0.0,
        (_, true) => 1.0,
        _ => (a.ln() - b.ln()).exp(),
    }
}

/// The annotations over the same lexical nodes, and the words that are nodes for all of them.
///
/// A multiword is kept if every annotator who names one of its words has it; the others then have it too.
/// Otherwise it is only a bracket, whose words are connected. Words that any annotator names take part.
pub fn same_lexemes(annotations: &[&PartialTree]) -> (Vec<PartialTree>, Nodes) {
    let mentioned: Vec<BTreeSet<usize>> =
        annotations.iter().map(|said| said.mentioned_words().into_iter().collect()).collect();
    let multiwords: Vec<BTreeSet<&Vec<usize>>> = annotations.iter().map(|said| multiwords(said)).collect();
    let all: BTreeSet<&Vec<usize>> = multiwords.iter().flatten().copied().into_set();
    let agreed = |words: &Vec<usize>| {
        let silent = |index: usize| words.iter().all(|word| !mentioned[index].contains(word));
        (0..annotations.len()).all(|index| multiwords[index].contains(words) || silent(index))
    };
    let kept: Vec<&Vec<usize>> = all.into_iter().filter(|words| agreed(words)).collect();
    let level = annotations.iter().zip(&multiwords).map(|(said, own)| relevel(said, own, &kept)).collect();
    (level, Nodes::With(mentioned.into_iter().flatten().into_set().into_iter().collect()))
}

fn multiwords(said: &PartialTree) -> BTreeSet<&Vec<usize>> {
    let words = said.groups.iter().filter_map(|group| match &group.kind {
        GroupKind::Multiword { words } => Some(words),
        _ => None,
    });
    words.collect()
}

fn relevel(said: &PartialTree, own: &BTreeSet<&Vec<usize>>, kept: &[&Vec<usize>]) -> PartialTree {
    let mut said = said.clone();
    for group in &mut said.groups {
        if let GroupKind::Multiword { words } = &group.kind
            && !kept.contains(&words)
        {
            let members = words.iter().map(|&word| tree::Node::Word(word)).collect();
            group.kind = GroupKind::Bracket { members, head: None };
        }
    }
    for words in kept.iter().filter(|words| !own.contains(*words)) {
        let kind = GroupKind::Multiword { words: (*words).clone() };
        said.groups.push(Group { kind, place: Place::default() });
    }
    said
}

/// Both annotations said together.
fn merged(one: &PartialTree, other: &PartialTree) -> PartialTree {
    let shift = one.groups.len();
    let node = |node: tree::Node| match node {
        tree::Node::Group(index) => tree::Node::Group(index + shift),
        word => word,
    };
    let nodes = |list: &[tree::Node]| list.iter().map(|&inner| node(inner)).collect::<Vec<_>>();
    let arc = |arc: &tree::Arc| tree::Arc {
        head: node(arc.head),
        dependent: node(arc.dependent),
        place: arc.place,
    };
    let mut both = one.clone();
    both.n_words = one.n_words.max(other.n_words);
    both.groups.extend(other.groups.iter().map(|group| {
        let kind = match &group.kind {
            GroupKind::Multiword { words } => GroupKind::Multiword { words: words.clone() },
            GroupKind::Bracket { members, head } => {
                GroupKind::Bracket { members: nodes(members), head: head.map(node) }
            }
            GroupKind::Coordination { name, conjuncts, coordinators } => GroupKind::Coordination {
                name: name.clone(),
                conjuncts: nodes(conjuncts),
                coordinators: nodes(coordinators),
            },
        };
        Group { kind, place: group.place }
    }));
    both.arcs.extend(other.arcs.iter().map(arc));
    both.forbidden.extend(other.forbidden.iter().map(arc));
    both.roots.extend(other.roots.iter().map(|&(root, place)| (node(root), place)));
    both.mentioned.extend(&other.mentioned);
    both
}

/// The head of each word that is certain, said directly or the only one left: 0 for the root, `None` where
/// it is open. The words of a multiword after its first have no head of their own.
///
/// All words of the sentence take part, so that silence about a word is no statement.
pub fn definite_heads(said: &PartialTree) -> Vec<Option<usize>> {
    let support = commitment::support(said, &Nodes::All);
    let mut heads = vec![None; said.n_words];
    for (words, supported) in support.lexemes.iter().zip(&support.heads) {
        if let (Some(&first), [head]) = (words.first(), &supported[..]) {
            heads[first - 1] = Some(*head);
        }
    }
    heads
}

/// How far annotators chose the same heads, with what it was counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadAgreement {
    /// Σ over the counted tokens of the share of annotators that chose the commonest head.
    pub sum: f64,
    /// Tokens counted.
    pub n_tokens: usize,
}

impl HeadAgreement {
    /// The mean over tokens; `None` if no token counts.
    pub fn value(self) -> Option<f64> {
        (self.n_tokens > 0).then(|| self.sum / self.n_tokens as f64)
    }

    /// Adds another sentence.
    pub fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.n_tokens += other.n_tokens;
    }
}

/// gflAgree(s) = 1/|s'| · Σ_{ℓ∈s'} Σ_i [Aᵢ(ℓ) = ℓ̂] / k_ℓ
///
/// where ℓ̂ is the head most annotators chose for ℓ, k_ℓ how many chose one, and s' the tokens with k_ℓ ≥ 2.
/// Each list of heads is one annotator's, as from [`definite_heads`]; missing tokens count as open.
pub fn gfl_agree(annotators: &[Vec<Option<usize>>]) -> HeadAgreement {
    let tokens =
        (0..n_tokens(annotators)).map(|token| choices(annotators, token)).filter(|(_, chose)| *chose >= 2);
    tokens.fold(HeadAgreement::default(), |total, (commonest, chose)| HeadAgreement {
        sum: total.sum + commonest as f64 / chose as f64,
        n_tokens: total.n_tokens + 1,
    })
}

/// gflAgree as printed: 1/|s| · Σ_{ℓ∈s} Σ_{i=1}^k [Aᵢ(ℓ) = ℓ̂] / k, over all tokens and all k annotators.
pub fn gfl_agree_strict(annotators: &[Vec<Option<usize>>]) -> HeadAgreement {
    let n_tokens = n_tokens(annotators);
    let share = |token| choices(annotators, token).0 as f64 / annotators.len() as f64;
    HeadAgreement { sum: (0..n_tokens).map(share).sum(), n_tokens }
}

fn n_tokens(annotators: &[Vec<Option<usize>>]) -> usize {
    annotators.iter().map(Vec::len).max().unwrap_or(0)
}

/// How many annotators chose the commonest head of a token, and how many chose any.
fn choices(annotators: &[Vec<Option<usize>>], token: usize) -> (usize, usize) {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for head in annotators.iter().filter_map(|heads| heads.get(token).copied().flatten()) {
        *votes.entry(head).or_default() += 1;
    }
    (votes.values().copied().max().unwrap_or(0), votes.values().sum())
}

/// Committed arcs against a gold tree: precision = correct / committed, recall = correct / gold words.
///
/// Both lists have one head per word, 0 for the root; `None` in gold is a word that is not scored.
pub fn committed_arcs(definite: &[Option<usize>], gold: &[Option<usize>]) -> Counts {
    let pairs = definite.iter().zip(gold).filter(|(_, gold)| gold.is_some());
    let matched = pairs.clone().filter(|(head, gold)| head == gold).count();
    Counts {
        matched,
        gold: gold.iter().flatten().count(),
        system: pairs.filter(|(head, _)| head.is_some()).count(),
    }
}
