//! Columns in which several layers stand on the same words: names or roles beside a tree.
//!
//! Two layouts are told apart by the number of columns. Eight are `id form lemma UPOS XPOS head deprel BIO`, with
//! `# entities = 1-10:abstract 3-7:person:NE` for entities that may lie in one another (words from 1, type, and `NE` if it is a
//! name); the last column has the outermost names. Seven are `id form POS morphology morphemes NER PropBank`, in which every
//! word of a name has its type (`NONE` for others) and every word of an argument its role and its predicate
//! (`ARG0$TUR10-0122530`, the predicate itself `PREDICATE$TUR10-0122530`, several joined by `#`, none `NONE`). `# tree = (S …)` is a
//! bracketed tree over the words. What has no column in CoNLL-U stands in `extra`.

use crate::brackets::BracketReader;
use crate::conllu::{write_head, write_id};
use crate::lines::{column, width};
use crate::rows::{self, Layout, Row, RowReader};
use crate::structure::Rules;
use crate::{Problem, Read};
use std::io::{self, BufRead, Write};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Place, Sentence, Span, Text, Token, TokenId};

/// The columns of both layouts.
#[derive(Debug)]
pub struct JointColumns;

/// Where a column of the layout with seven columns stands in [`Token::extra`]; that with eight has only one, the label of an
/// entity, and after it, as one text, whatever stands beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Morphological analysis.
    Morphology,
    /// The morphemes.
    Morphemes,
    /// The type of the name that the word belongs to.
    Name,
    /// The roles that the word plays.
    Roles,
}

/// Columns of the layout without heads.
const WITHOUT_HEADS: usize = 7;
/// Columns of the layout with heads.
const WITH_HEADS: usize = 8;

/// Whether a token has the layout of seven columns.
pub fn is_without_heads(token: &Token) -> bool {
    token.extra.len() == Extra::Roles as usize + 1
}

impl Layout for JointColumns {
    const FEWEST: usize = WITHOUT_HEADS;
    const MOST: usize = usize::MAX;
    const NAME: &'static str = "a joint file";
    const RULES: Rules = Rules { single_root: false, universal: false, head_column: 5, row: Self::write };

    fn token(id: TokenId, row: &Row<'_>) -> Token {
        let mut token = Token::new(id, row.text(1));
        if row.len() == WITHOUT_HEADS {
            token.xpos = row.text(2);
            token.extra = row.rest(3);
            return token;
        }
        (token.lemma, token.upos, token.xpos) = (row.text(2), row.text(3), row.text(4));
        (token.head, token.deprel) = (Head::read(row.get(5)), row.text(6));
        token.extra = vec![row.text(7)];
        if row.len() > WITH_HEADS {
            token.extra.push(row.rest(WITH_HEADS).join("\t").into());
        }
        token
    }

    fn write(token: &Token, out: &mut Vec<u8>) {
        write_id(token.id, out);
        let mut columns: Vec<&[u8]> = vec![token.form.as_bytes()];
        let mut head = Vec::new();
        if is_without_heads(token) {
            columns.push(token.xpos.as_bytes());
        } else {
            write_head(&token.head, &mut head);
            columns.extend([&token.lemma, &token.upos, &token.xpos].map(|text| text.as_bytes()));
            columns.extend([&head, token.deprel.as_bytes()]);
        }
        columns.extend(token.extra.iter().map(|text| text.as_bytes()));
        if token.extra.is_empty() {
            columns.push(b"_");
        }
        for column in columns {
            out.push(b'\t');
            out.extend_from_slice(column);
        }
    }
}

/// Writes one sentence.
pub fn write(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    rows::write_sentence::<JointColumns>(sentence, out)
}

/// Reads sentence by sentence.
#[derive(Debug)]
pub struct JointReader<R> {
    rows: RowReader<R, JointColumns>,
    /// How many columns the first row of the file has.
    n_columns: Option<usize>,
}

impl<R: BufRead> JointReader<R> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { rows: RowReader::new(source), n_columns: None }
    }

    fn check(&mut self, read: &mut Read<Sentence>) {
        for (token, line) in crate::semantics::token_lines(&read.value, read.line) {
            let n_here = n_columns(token);
            let expected = *self.n_columns.get_or_insert(n_here);
            if n_here != expected || n_here > WITH_HEADS {
                read.problems.push(other_columns(line, n_here, expected));
            }
        }
        check_tree(&read.value, read.line, &mut read.problems);
        check_entities(&read.value, read.line, &mut read.problems);
    }
}

impl<R: BufRead> Iterator for JointReader<R> {
    type Item = io::Result<Read<Sentence>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut read = match self.rows.next()? {
            Ok(read) => read,
            Err(error) => return Some(Err(error)),
        };
        self.check(&mut read);
        Some(Ok(read))
    }
}

fn n_columns(token: &Token) -> usize {
    match token.extra.get(1) {
        _ if is_without_heads(token) => WITHOUT_HEADS,
        Some(surplus) => WITH_HEADS + surplus.split('\t').count(),
        None => WITH_HEADS,
    }
}

fn other_columns(line: u32, n_here: usize, expected: usize) -> Problem {
    let message = format!("{n_here} columns where the first row has {expected}");
    let help = "rows have 8 columns, id form lemma UPOS XPOS head deprel BIO, or all of them 7, \
                id form POS morphology morphemes NER PropBank; it is kept";
    Problem::error("column-count", Place::line(line), message, help)
}

/// One item of `# entities`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// The words, from 0.
    pub span: Span,
    /// Its type.
    pub kind: &'a str,
    /// Whether it is a name.
    pub is_name: bool,
}

/// All mentions that `# entities` lists, also those within others; items that cannot be read are left out.
pub fn mentions(sentence: &Sentence) -> Vec<Mention<'_>> {
    let items = sentence.meta("entities").unwrap_or_default().split_ascii_whitespace();
    items.filter_map(mention).collect()
}

fn mention(item: &str) -> Option<Mention<'_>> {
    let (words, kind) = item.split_once(':')?;
    let (first, last) = words.split_once('-')?;
    let span = Span::new(first.parse::<usize>().ok()?.checked_sub(1)?, last.parse().ok()?)?;
    let (kind, is_name) = kind.strip_suffix(":NE").map_or((kind, false), |kind| (kind, true));
    (!kind.is_empty()).then_some(Mention { span, kind, is_name })
}

/// Mentions that cannot be read, lie outside or cross.
fn check_entities(sentence: &Sentence, first_line: u32, problems: &mut Vec<Problem>) {
    let is_list = |comment: &Text| {
        let name = comment.strip_prefix('#').and_then(|rest| rest.split('=').next());
        name.is_some_and(|name| name.trim() == "entities")
    };
    let Some((at, comment)) = sentence.comments.iter().enumerate().find(|(_, comment)| is_list(comment))
    else {
        return;
    };
    let Some((_, list)) = comment.split_once('=') else { return };
    let line = first_line.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let n_words = sentence.n_words();
    let mut seen: Vec<(Mention<'_>, &str)> = Vec::new();
    for item in list.split_ascii_whitespace() {
        let offset = item.as_ptr() as usize - comment.as_ptr() as usize;
        let place = Place::new(line, column(comment, offset), width(item));
        match mention(item) {
            None => problems.push(unreadable_mention(place, item)),
            Some(mention) if mention.span.end() > n_words => {
                let message = format!("`{item}` goes beyond the {n_words} words of the sentence");
                let help = "give the first and the last word, counted from 1; it is kept";
                problems.push(Problem::error("entity-outside", place, message, help));
            }
            Some(mention) => {
                if let Some(problem) = crossing(&seen, &mention, item, place) {
                    problems.push(problem);
                }
                // Those that end before the last ones began are still compared; lists are short.
                if seen.len() < MOST_COMPARED {
                    seen.push((mention, item));
                }
            }
        }
    }
}

/// Longer lists are compared with their beginning only, so that time stays linear.
const MOST_COMPARED: usize = 1000;

fn unreadable_mention(place: Place, item: &str) -> Problem {
    let message = format!("`{item}` is no entity");
    let help = "write first-last:type, or first-last:type:NE for a name; it is kept as it is";
    Problem::error("unreadable-entity", place, message, help)
}

fn crossing(
    seen: &[(Mention<'_>, &str)],
    mention: &Mention<'_>,
    item: &str,
    place: Place,
) -> Option<Problem> {
    let (_, other) = seen.iter().find(|(other, _)| other.span.crosses(mention.span))?;
    let message = format!("`{item}` crosses `{other}`");
    let help = "let one of them end where the other does, or leave one out; both are kept";
    Some(Problem::error("entities-cross", place, message, help))
}

/// The tree must have the words of the sentence.
fn check_tree(sentence: &Sentence, first_line: u32, problems: &mut Vec<Problem>) {
    let is_tree = |comment: &Text| comment.starts_with("# tree =");
    let Some(at) = sentence.comments.iter().position(is_tree) else { return };
    let text = sentence.comments[at].split_once('=').map_or("", |(_, text)| text.trim());
    let line = first_line.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let read = BracketReader::new(text.as_bytes()).next().and_then(Result::ok);
    let tree = read.filter(|read| read.problems.iter().all(|problem| !problem.is_error()));
    let n_leaves = tree.and_then(|read| read.value.tree).map(|tree| tree.n_words());
    let n_words = sentence.n_words();
    if n_leaves != Some(n_words) {
        let found = n_leaves.map_or("cannot be read".into(), |n_leaves| format!("has {n_leaves} words"));
        let message = format!("the tree {found}, the sentence has {n_words}");
        let help = "write a bracketed tree over the words of the rows, or remove the comment; it is kept";
        problems.push(Problem::error("tree-mismatch", Place::line(line), message, help));
    }
}

/// The stem that a morphological analysis begins with: `kitap` of `kitap+NOUN+A3SG`.
pub(crate) fn stem(token: &Token) -> Text {
    let analysis = token.extra.get(Extra::Morphology as usize).filter(|_| is_without_heads(token));
    match analysis.and_then(|analysis| analysis.split_once('+')) {
        // A plus sign is analysed as itself.
        Some((stem, _)) if !stem.is_empty() => stem.into(),
        _ => UNSPECIFIED,
    }
}
