//! What an annotation leaves of all trees of a sentence, in cases that a chart can build.

use crate::PutInOrder;
use std::sync::Arc;

use crate::{BracketReading, Conflict, Constraints, GroupKind, Heads, Node, PartialTree, Reading};

/// The trees that an annotation leaves, as cases that exclude one another.
///
/// A chart that asks [`Constraints`] about arcs and halves builds trees that the annotation forbids where the
/// head of a bracket is open and something hangs on it: where there are gaps, where words are attached to the
/// bracket, where it is read as merely connected. As soon as the head w of the bracket W is known, all this is
/// said by arcs: every other word of W is headed within W, and w outside. So such brackets are split into
/// a case for each head. The cases have no tree in common, together they have all trees that the
/// annotation admits, and a chart of projective trees over a case builds no other.
///
/// Cases multiply. Beyond [`Possible::MAX_CASES`] brackets stay open, [`is_exact`](Self::is_exact) is false, and who
/// builds a tree must ask [`admits`](Self::admits), or split a case further with [`split`].
///
/// ```
/// use tree::{Group, GroupKind, Heads, Node, PartialTree, Place, Possible, Reading};
///
/// // A bracket around the first two of three words, whose head is open.
/// let mut said = PartialTree::new(3);
/// let kind = GroupKind::Bracket { members: vec![Node::Word(1), Node::Word(2)], head: None };
/// said.groups.push(Group { kind, place: Place::default() });
/// let possible = Possible::new(&said, &Reading::default()).unwrap();
/// assert!(possible.admits(&Heads::new(vec![2, 3, 0]).unwrap()));
/// assert!(!possible.admits(&Heads::new(vec![3, 3, 0]).unwrap()));
/// ```
#[derive(Debug, Clone)]
pub struct Possible {
    /// The annotation as a whole.
    whole: Arc<Constraints>,
    cases: Arc<[Constraints]>,
    /// The brackets that are split, the smallest first.
    troubled: Arc<[Vec<usize>]>,
    /// What was said, and how it was read.
    said: Arc<PartialTree>,
    reading: Reading,
    exact: bool,
    free: bool,
}

impl Possible {
    /// The largest number of cases.
    pub const MAX_CASES: usize = 256;

    /// What `said` leaves when it is read as `reading`, or what in it contradicts what.
    pub fn new(said: &PartialTree, reading: &Reading) -> Result<Possible, Conflict> {
        let whole = Constraints::from_partial(said, reading)?;
        let troubled = troubled(said, reading, &whole);
        let (cases, exact) = cases(&whole, &troubled)?;
        let free = is_free(&whole);
        Ok(Possible {
            whole: Arc::new(whole),
            cases: cases.into(),
            troubled: troubled.into(),
            said: Arc::new(said.clone()),
            reading: *reading,
            exact,
            free,
        })
    }

    /// All trees over so many words.
    pub fn everything(n_words: usize) -> Possible {
        let whole = Constraints::unconstrained(n_words);
        let cases = Arc::from([whole.clone()]);
        Possible {
            whole: Arc::new(whole),
            cases,
            troubled: Arc::from([]),
            said: Arc::new(PartialTree::new(n_words)),
            reading: Reading::default(),
            exact: true,
            free: true,
        }
    }

    /// The cases, at least one.
    pub fn cases(&self) -> &[Constraints] {
        &self.cases
    }

    /// The annotation as a whole.
    pub fn whole(&self) -> &Constraints {
        &self.whole
    }

    /// Whether charts over the cases build admitted trees only.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The number of words of the sentence, those left out included.
    pub fn n_words(&self) -> usize {
        self.whole.n_words()
    }

    /// Whether a tree satisfies the annotation in every respect.
    pub fn admits(&self, heads: &Heads) -> bool {
        self.whole.admits(heads)
    }

    /// Whether nothing is forbidden.
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// Whether the arc is allowed in some case.
    pub fn allows_arc(&self, head: usize, dependent: usize) -> bool {
        self.cases.iter().any(|case| case.allows_arc(head, dependent))
    }

    /// Whether a word is no part of the tree.
    pub fn left_out(&self, word: usize) -> bool {
        self.whole.is_left_out(word)
    }

    /// The heads of single words that were said outright, as (head, dependent) with 0 for the root, by dependent.
    pub fn said_heads(&self) -> Vec<(usize, usize)> {
        let arcs = self.said.arcs.iter().filter_map(as_pair);
        let roots = self.said.roots.iter().filter_map(|&(node, _)| Some((0, as_word(node)?)));
        let mut heads: Vec<(usize, usize)> = arcs.chain(roots).collect();
        heads.sort_unstable_by_key(|&(head, dependent)| (dependent, head));
        heads.dedup();
        heads
    }

    /// What would be left if some heads, as in [`said_heads`](Self::said_heads), had not been said, but all else; `None` if
    /// the rest leaves no tree. The words stay mentioned, so that they are not left out of the tree.
    pub fn without_heads(&self, heads: &[(usize, usize)]) -> Option<Possible> {
        let mut said = PartialTree::clone(&self.said);
        said.arcs.retain(|arc| as_pair(arc).is_none_or(|pair| !heads.contains(&pair)));
        said.roots.retain(|&(node, _)| as_word(node).is_none_or(|word| !heads.contains(&(0, word))));
        let words = heads.iter().flat_map(|&(head, dependent)| [head, dependent]);
        said.mentioned.extend(words.filter(|&word| word > 0));
        Possible::new(&said, &self.reading).ok()
    }

    /// Cases in which the head of every bracket is known, so that arcs alone say everything, for trees that need
    /// not be projective; and whether there were few enough to find them all.
    pub fn arc_cases(&self) -> (Vec<Constraints>, bool) {
        let words = || self.whole.brackets().iter().map(|bracket| bracket.words.clone());
        if self.cases.iter().all(|case| case.brackets().iter().all(|bracket| bracket.head.is_some())) {
            return (self.cases.to_vec(), self.exact);
        }
        let mut all: Vec<Vec<usize>> = words().collect();
        smallest_first(&mut all);
        // The whole was consistent; if no case is, no tree is left, and no case is the right answer.
        cases(&self.whole, &all).unwrap_or((Vec::new(), true))
    }

    /// A bracket of `case` that must be split before a chart over it is exact; `None` if it is.
    pub fn open_bracket(&self, case: &Constraints) -> Option<&[usize]> {
        self.troubled.iter().find(|words| is_open(case, words)).map(Vec::as_slice)
    }
}

/// The cases of `case` by the head of the bracket over `words`, those without any tree left out.
///
/// The last conflict is returned if there are none.
pub fn split(case: &Constraints, words: &[usize]) -> Result<Vec<Constraints>, Conflict> {
    let mut cases = Vec::new();
    let mut conflict = None;
    for &head in words {
        match case.clone().and(&headed(case.n_words(), words, head)) {
            Ok(case) => cases.push(case),
            Err(found) => conflict = Some(found),
        }
    }
    match conflict {
        Some(conflict) if cases.is_empty() => Err(conflict),
        _ => Ok(cases),
    }
}

/// That `head` heads the bracket over `words`: every other word of it is headed by one of it.
fn headed(n_words: usize, words: &[usize], head: usize) -> Constraints {
    let mut said = PartialTree::new(n_words);
    let members = words.iter().map(|&word| Node::Word(word)).collect();
    let kind = GroupKind::Bracket { members, head: Some(Node::Word(head)) };
    said.groups.push(crate::Group { kind, place: crate::Place::default() });
    // What may hang on the bracket from outside has been said where the bracket was.
    let reading = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    Constraints::from_partial(&said, &reading).expect("one bracket contradicts nothing")
}

/// Splits bracket by bracket, as long as there are few enough cases.
fn cases(whole: &Constraints, brackets: &[Vec<usize>]) -> Result<(Vec<Constraints>, bool), Conflict> {
    let mut cases = vec![whole.clone()];
    for words in brackets {
        let mut finer = Vec::new();
        let mut conflict = None;
        for case in &cases {
            if !is_open(case, words) {
                finer.push(case.clone());
            } else {
                match split(case, words) {
                    Ok(cases) => finer.extend(cases),
                    Err(found) => conflict = Some(found),
                }
            }
            if finer.len() > Possible::MAX_CASES {
                return Ok((cases, false));
            }
        }
        match conflict {
            Some(conflict) if finer.is_empty() => return Err(conflict),
            _ => cases = finer,
        }
    }
    Ok((cases, true))
}

/// Head and dependent, if both are single words.
fn as_pair(arc: &crate::Arc) -> Option<(usize, usize)> {
    Some((as_word(arc.head)?, as_word(arc.dependent)?))
}

fn as_word(node: Node) -> Option<usize> {
    match node {
        Node::Word(word) => Some(word),
        Node::Group(_) => None,
    }
}

/// Whether a bracket over these words has no known head.
fn is_open(case: &Constraints, words: &[usize]) -> bool {
    case.brackets().iter().any(|bracket| bracket.head.is_none() && bracket.words == words)
}

/// The words of open brackets for which a chart is not exact, the smallest first.
fn troubled(said: &PartialTree, reading: &Reading, whole: &Constraints) -> Vec<Vec<usize>> {
    let named = named_brackets(said);
    let has_gap = |words: &[usize]| words.windows(2).any(|pair| pair[1] != pair[0] + 1);
    let open = whole.brackets().iter().filter(|bracket| bracket.head.is_none());
    let troubled = open.filter(|bracket| {
        reading.brackets == BracketReading::Connected
            || bracket.span.is_none()
            || has_gap(&bracket.words)
            || named.contains(&bracket.words)
    });
    let mut troubled: Vec<Vec<usize>> = troubled.map(|bracket| bracket.words.clone()).collect();
    smallest_first(&mut troubled);
    troubled
}

fn smallest_first(brackets: &mut Vec<Vec<usize>>) {
    brackets.order_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    brackets.dedup();
}

/// The words of brackets that head arcs, are part of forbidden arcs, or stand in coordinations.
fn named_brackets(said: &PartialTree) -> Vec<Vec<usize>> {
    let mut nodes: Vec<Node> = said.arcs.iter().map(|arc| arc.head).collect();
    nodes.extend(said.forbidden.iter().flat_map(|arc| [arc.head, arc.dependent]));
    for group in &said.groups {
        if let GroupKind::Coordination { conjuncts, coordinators, .. } = &group.kind {
            nodes.extend(conjuncts.iter().chain(coordinators));
        }
    }
    let groups = nodes.into_iter().filter(|node| matches!(node, Node::Group(_)));
    groups.map(|node| said.words_of(node)).collect()
}

fn is_free(whole: &Constraints) -> bool {
    let n_words = whole.n_words();
    let all_heads = |word: usize| (0..=n_words).all(|head| head == word || whole.allows_arc(head, word));
    whole.brackets().is_empty() && (1..=n_words).all(all_heads)
}
