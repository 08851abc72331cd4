//! What must hold of a sentence as a whole: ids, ranges, heads, enhanced heads, features.

use crate::{Problem, Severity};
use std::collections::BTreeSet;
use tree::sentence::EnhancedHead;
use tree::{Head, Heads, HeadsError, Place, Sentence, Token, TokenId};

/// What a format demands beyond readable columns.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether exactly one word hangs from the root.
    pub single_root: bool,
    /// Whether features, enhanced dependencies and the `root` relation follow Universal Dependencies.
    pub universal: bool,
    /// Column of the head, from 0.
    pub head_column: usize,
    /// The row of a token, to find the place of a column.
    pub row: fn(&Token, &mut Vec<u8>),
}

/// Columns of CoNLL-U that have rules of their own, from 0.
const FEATS: usize = 5;
const DEPREL: usize = 7;
const DEPS: usize = 8;

/// Adds what is wrong with ids and heads of `sentence`; `lines` are the lines of its tokens. Every reader does
/// this, because nothing can be built on a sentence whose ids and heads are wrong.
pub(crate) fn check(sentence: &Sentence, lines: &[u32], rules: &Rules, problems: &mut Vec<Problem>) {
    let mut check = Check { sentence, lines, rules, problems };
    check.ids();
    check.heads();
}

/// Adds what is wrong with features, enhanced dependencies and relations of a sentence of CoNLL-U that starts
/// at `line`. This takes as long as reading, so only a check of the file does it.
pub(crate) fn check_columns(sentence: &Sentence, line: u32, rules: &Rules, problems: &mut Vec<Problem>) {
    // Lines of a sentence follow each other: comments, then tokens with unreadable lines between them.
    let first = line + clamp(sentence.comments.len());
    let before = |index: usize| sentence.stray.iter().filter(|stray| stray.after <= index).count();
    let lines: Vec<u32> = match sentence.stray.is_empty() {
        true => (0..sentence.tokens.len()).map(|index| first + clamp(index)).collect(),
        false => (0..sentence.tokens.len()).map(|index| first + clamp(index + before(index))).collect(),
    };
    Check { sentence, lines: &lines, rules, problems }.columns();
}

struct Check<'a> {
    sentence: &'a Sentence,
    lines: &'a [u32],
    rules: &'a Rules,
    problems: &'a mut Vec<Problem>,
}

impl Check<'_> {
    fn error(&mut self, rule: &'static str, token: usize, column: usize, message: String, help: &str) {
        let place = self.place(token, column);
        self.problems.push(Problem { rule, severity: Severity::Error, place, message, help: help.into() });
    }

    fn warning(&mut self, rule: &'static str, token: usize, column: usize, message: String, help: &str) {
        let place = self.place(token, column);
        self.problems.push(Problem { rule, severity: Severity::Warning, place, message, help: help.into() });
    }

    /// Where a column of a token stands. Rows are written as they were read, so writing one finds it.
    fn place(&self, token: usize, column: usize) -> Place {
        let mut row = Vec::new();
        (self.rules.row)(&self.sentence.tokens[token], &mut row);
        let row = String::from_utf8_lossy(&row);
        let before: usize = row.split('\t').take(column).map(|cell| cell.chars().count() + 1).sum();
        let length = row.split('\t').nth(column).map_or(1, |cell| cell.chars().count());
        Place::new(self.lines[token], clamp(before + 1), clamp(length.max(1)))
    }

    /// Words count 1, 2, 3 …; a range stands right before its first word and ranges do not overlap; empty
    /// nodes count 1, 2 … after their word.
    fn ids(&mut self) {
        let n_words = clamp(self.sentence.n_words());
        let (mut words, mut rank, mut range_end) = (0, 0, 0);
        for index in 0..self.sentence.tokens.len() {
            match self.sentence.tokens[index].id {
                TokenId::Word(word) => {
                    if word <= words {
                        self.duplicate_id(index);
                    } else if word != words + 1 {
                        self.id_gap(index, words + 1);
                    }
                    (words, rank) = (word.max(words), 0);
                }
                TokenId::Range(first, last) => {
                    if first != words + 1 {
                        self.range_place(index, first);
                    } else if first <= range_end {
                        self.range_overlap(index);
                    } else if last > n_words {
                        self.range_too_long(index, last, n_words);
                    }
                    range_end = range_end.max(last);
                }
                TokenId::Empty(after, number) => {
                    if after != words || number != rank + 1 {
                        self.empty_node_place(index, words, rank + 1);
                    }
                    rank = number;
                }
            }
        }
    }

    fn duplicate_id(&mut self, token: usize) {
        let id = self.sentence.tokens[token].id;
        let message = format!("id {id} comes again or out of order");
        self.error("duplicate-id", token, 0, message, "number the words 1, 2, 3 … in each sentence");
    }

    fn id_gap(&mut self, token: usize, expected: u32) {
        let message = format!("id {} where {expected} is expected", self.sentence.tokens[token].id);
        let help =
            "number the words without gaps; a missing empty line between sentences looks like this too";
        self.error("id-gap", token, 0, message, help);
    }

    fn range_place(&mut self, token: usize, first: u32) {
        let message =
            format!("range {} does not stand right before word {first}", self.sentence.tokens[token].id);
        self.error("range-place", token, 0, message, "move the line before the first word of the range");
    }

    fn range_overlap(&mut self, token: usize) {
        let message = format!("range {} overlaps the one before", self.sentence.tokens[token].id);
        self.error("range-overlap", token, 0, message, "a word belongs to one multiword token at most");
    }

    fn range_too_long(&mut self, token: usize, last: u32, n_words: u32) {
        let message = format!("range ends at {last}, but the sentence has {n_words} words");
        self.error("range-too-long", token, 0, message, "correct the range, or add the missing words");
    }

    fn empty_node_place(&mut self, token: usize, after: u32, rank: u32) {
        let message =
            format!("empty node {} where {after}.{rank} is expected", self.sentence.tokens[token].id);
        let help = "number the empty nodes after word n as n.1, n.2 …, right after the word";
        self.error("empty-node-place", token, 0, message, help);
    }

    fn heads(&mut self) {
        let sentence = self.sentence;
        let words: Vec<usize> =
            (0..sentence.tokens.len()).filter(|&i| sentence.tokens[i].is_word()).collect();
        let mut heads = Vec::with_capacity(words.len());
        let mut usable = true;
        let mut outside = None;
        for &token in &words {
            match &sentence.tokens[token].head {
                Head::Of(head) if *head as usize > words.len() => {
                    self.head_out_of_range(token, *head, words.len());
                    usable = false;
                }
                Head::Of(head) => heads.push(Some(*head)),
                Head::Open => heads.push(None),
                Head::Unreadable(text) if !self.rules.universal && is_negative(text) => {
                    outside.get_or_insert(token);
                    heads.push(None);
                }
                Head::Unreadable(text) => {
                    self.unreadable_head(token, text);
                    usable = false;
                }
            }
        }
        if let Some(token) = outside {
            self.outside_tree(token);
        }
        if usable {
            self.tree(&words, &heads);
        }
    }

    fn head_out_of_range(&mut self, token: usize, head: u32, n_words: usize) {
        let message = format!("head {head}, but the sentence has {n_words} words");
        let help = "give a word's number, 0 for the root, or _ to leave it open";
        self.error("head-out-of-range", token, self.rules.head_column, message, help);
    }

    fn unreadable_head(&mut self, token: usize, text: &str) {
        let help = "give a word's number, 0 for the root, or _ to leave it open; it is kept as it is";
        self.error(
            "unreadable-head",
            token,
            self.rules.head_column,
            format!("head `{text}` is no number"),
            help,
        );
    }

    /// Tweebank and its kin mark words that are left out of the tree by a negative head.
    fn outside_tree(&mut self, token: usize) {
        let message = "a negative head; the word is read as not being in the tree".into();
        let help = "nothing to do if that is meant; otherwise give a word's number, 0, or _";
        self.warning("negative-head", token, self.rules.head_column, message, help);
    }

    /// Cycles and roots; open heads count as attached to the root, so that only said arcs form cycles.
    fn tree(&mut self, words: &[usize], heads: &[Option<u32>]) {
        let column = self.rules.head_column;
        let closed: Vec<u32> = heads.iter().map(|head| head.unwrap_or(0)).collect();
        if let Err(HeadsError::Cycle { words: cycle }) = Heads::new(closed) {
            let message = match cycle.as_slice() {
                [word] => format!("word {word} is its own head"),
                _ => format!("words {} form a cycle", arrows(&cycle)),
            };
            self.error("cycle", words[cycle[0] - 1], column, message, "change one of these heads");
        }
        let roots: Vec<usize> = (0..heads.len()).filter(|&word| heads[word] == Some(0)).collect();
        if self.rules.single_root && roots.len() > 1 {
            let list = roots.iter().map(|root| (root + 1).to_string()).collect::<Vec<_>>().join(", ");
            let message = format!("{} roots: words {list}", roots.len());
            let help = "keep one word with head 0 and attach the others, or leave them open with _";
            self.error("several-roots", words[roots[1]], column, message, help);
        }
        if self.rules.single_root
            && roots.is_empty()
            && !heads.is_empty()
            && heads.iter().all(Option::is_some)
        {
            let help = "give one word the head 0";
            self.error("no-root", words[0], column, "no word has head 0".into(), help);
        }
    }

    fn columns(&mut self) {
        let mut ids = None;
        let sentence = self.sentence;
        for (index, token) in sentence.tokens.iter().enumerate() {
            if token.feats != "_" {
                self.feats(index, token);
            }
            if token.deps != "_" {
                let ids = ids.get_or_insert_with(|| Ids::of(sentence));
                self.deps(index, token, ids);
            }
            if token.is_word() {
                self.root_relation(index, token);
            } else if token.head != Head::Open {
                let help = "write _: only words have a place in the basic tree";
                self.error(
                    "head-of-non-word",
                    index,
                    self.rules.head_column,
                    format!("{} has a head", token.id),
                    help,
                );
            }
        }
    }

    fn feats(&mut self, index: usize, token: &Token) {
        match features_in_order(&token.feats) {
            Ok(true) => {}
            Ok(false) => {
                let message = "features are not in alphabetical order".into();
                self.warning("unsorted-features", index, FEATS, message, "sort them, regardless of case");
            }
            Err(item) => {
                let message = format!("feature `{item}` has no value");
                self.warning(
                    "feature-without-value",
                    index,
                    FEATS,
                    message,
                    "write Name=Value, items separated by |",
                );
            }
        }
    }

    fn deps(&mut self, index: usize, token: &Token, ids: &Ids) {
        let wrong = token.deps.split('|').filter_map(|item| match EnhancedHead::read(item) {
            None => Some(format!("enhanced dependency `{item}` is not head:relation")),
            Some((head, _)) if !ids.hold(head) => Some(format!("enhanced head of `{item}` does not exist")),
            Some(_) => None,
        });
        // One problem for the column, since finding its place means writing the row.
        let wrong: Vec<String> = wrong.take(3).collect();
        if !wrong.is_empty() {
            let help = "name a word, 0, or an empty node of this sentence";
            self.error("enhanced-head", index, DEPS, wrong.join(", "), help);
        }
    }

    fn root_relation(&mut self, index: usize, token: &Token) {
        let relation = token.deprel.as_str();
        let is_root =
            relation.strip_prefix("root").is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        let message = match token.head.index() {
            Some(0) if !is_root && token.deprel != "_" => {
                format!("head is 0, but the relation is `{}`", token.deprel)
            }
            Some(1..) if is_root => "the relation is `root`, but the head is not 0".to_string(),
            _ => return,
        };
        self.warning(
            "root-relation",
            index,
            DEPREL,
            message,
            "use the relation root if and only if the head is 0",
        );
    }
}

/// The ids that an enhanced head may name.
struct Ids {
    n_words: usize,
    empty_nodes: BTreeSet<(u32, u32)>,
}

impl Ids {
    fn of(sentence: &Sentence) -> Self {
        let empty = |token: &Token| match token.id {
            TokenId::Empty(word, rank) => Some((word, rank)),
            _ => None,
        };
        Self { n_words: sentence.n_words(), empty_nodes: sentence.tokens.iter().filter_map(empty).collect() }
    }

    fn hold(&self, head: EnhancedHead) -> bool {
        match head.rank {
            0 => head.word as usize <= self.n_words,
            rank => self.empty_nodes.contains(&(head.word, rank)),
        }
    }
}

/// Whether the names of features rise, regardless of case; or the first item that has no value.
///
/// Nearly every word of a treebank comes by here, so this is one pass over the bytes.
fn features_in_order(column: &str) -> Result<bool, &str> {
    let bytes = column.as_bytes();
    let (mut start, mut before, mut in_order) = (0, 0..0, true);
    while start <= bytes.len() {
        let name_end =
            bytes[start..].iter().position(|&byte| byte == b'=' || byte == b'|').map(|at| start + at);
        let equals = name_end.filter(|&at| bytes[at] == b'=');
        let end = memchr::memchr(b'|', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        let Some(equals) = equals else { return Err(&column[start..end]) };
        in_order &= caseless_le(&bytes[before.clone()], &bytes[start..equals]);
        before = start..equals;
        start = end + 1;
    }
    Ok(in_order)
}

fn caseless_le(one: &[u8], other: &[u8]) -> bool {
    let differ = one
        .iter()
        .zip(other)
        .map(|(a, b)| (a.to_ascii_lowercase(), b.to_ascii_lowercase()))
        .find(|(a, b)| a != b);
    differ.map_or(one.len() <= other.len(), |(a, b)| a < b)
}

fn is_negative(head: &str) -> bool {
    head.strip_prefix('-')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn arrows(words: &[usize]) -> String {
    words.iter().map(usize::to_string).collect::<Vec<_>>().join(" → ")
}

fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
