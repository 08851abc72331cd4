//! Bracketed trees, one per line or spread over several.
//!
//! `(S (NP (DT the) (NN dog)) (VP (VBZ barks)))`. The outermost bracket may have no label, as in the Penn
//! Treebank. A parenthesis inside a word is written `-LRB-`, `-RRB-` or with a backslash, `\(`; either is kept
//! as it is written, and [`unescape`] makes the word of it. Outside of trees, lines that start with `#`, `%`
//! or `*x*` are comments.
//!
//! ```
//! use formats::brackets::{BracketReader, to_string};
//!
//! let mut reader = BracketReader::new("(S (NP (NN dog)) (VP (VBZ barks))\n".as_bytes());
//! let read = reader.read_tree()?.unwrap();
//! // A bracket is missing at the end: the tree is there all the same, and so is the problem.
//! assert_eq!(to_string(&read.value.tree.unwrap()), "(S (NP (NN dog)) (VP (VBZ barks)))");
//! assert!(read.problems[0].is_error());
//! # Ok::<(), std::io::Error>(())
//! ```

mod margin;

use crate::lines::{Lines, width};
use crate::{Problem, Read};
use margin::{Passage, SeenLine, Swallowed};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use tree::{Place, Text, Tree, TreeBuilder};

/// A tree with the comment lines that stand before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracketed {
    /// Comment lines as written, with the empty lines among them.
    pub comments: Vec<Text>,
    /// The tree; `None` where a line is empty or nothing but comments is left at the end of the file.
    pub tree: Option<Tree<Text>>,
}

/// Reads trees one by one.
///
/// An empty line between trees is reported as a reading without a tree, because programs that write one
/// parse per line use it for "no parse". Callers that only want trees skip it.
#[derive(Debug)]
pub struct BracketReader<R> {
    lines: Lines<R>,
    /// The line being scanned, and how far.
    line: String,
    number: u32,
    at: usize,
    /// A byte offset whose column is known, so that columns are counted once and not from the start of a
    /// long line for every bracket.
    counted: (usize, u32),
    builder: TreeBuilder<Text>,
    /// Places of the open brackets.
    open: Vec<Place>,
    /// Whether a bracket was opened and its label has not come yet.
    expects_label: bool,
    start: u32,
    comments: Vec<Text>,
    problems: Vec<Problem>,
    /// Whether a bracket at the margin starts a tree, whatever is still open: so it is where trees stood on one
    /// line each.
    margin_starts: bool,
    /// Whether it was said that trees may lie within trees.
    has_warned: bool,
    /// The lines of the open tree, as long as nothing is known about the margin.
    passage: Passage,
    /// Lines of a passage that are read again.
    again: VecDeque<SeenLine>,
    /// Whether a backslash takes the parenthesis after it along, in the current line.
    escapes: bool,
    done: bool,
}

impl<R: BufRead> BracketReader<R> {
    /// The trees of `source`.
    pub fn new(source: R) -> Self {
        Self {
            lines: Lines::new(source),
            line: String::new(),
            number: 0,
            at: 0,
            counted: (0, 1),
            builder: TreeBuilder::new(),
            open: Vec::new(),
            expects_label: false,
            start: 0,
            comments: Vec::new(),
            problems: Vec::new(),
            margin_starts: false,
            has_warned: false,
            passage: Passage::default(),
            again: VecDeque::new(),
            escapes: true,
            done: false,
        }
    }

    /// The next tree or empty line, or `None` at the end.
    pub fn read_tree(&mut self) -> io::Result<Option<Read<Bracketed>>> {
        while !self.done {
            if self.scan_line() {
                if self.look_back()? {
                    continue;
                }
                return Ok(Some(self.finish_tree()));
            }
            if self.passage.is_full() && self.read_again() {
                continue;
            }
            if !self.next_line()? {
                if self.read_again() {
                    continue;
                }
                self.done = true;
                return Ok(self.finish_file());
            }
            if let Some(reading) = self.start_line() {
                return Ok(Some(reading));
            }
        }
        Ok(None)
    }

    /// Takes the next line, from the passage that is read again if there is one; false at the end.
    fn next_line(&mut self) -> io::Result<bool> {
        let Some(seen) = self.seen()? else { return Ok(false) };
        if self.margin_starts {
            self.passage.clear();
        } else if !self.open.is_empty() {
            self.passage.go_on(&seen);
        } else if !is_comment(&seen.line) {
            self.passage.start(&seen, &self.problems, &self.comments);
        }
        let SeenLine { number, line, mut problems } = seen;
        self.problems.append(&mut problems);
        (self.number, self.line) = (number, line);
        self.at = 0;
        self.counted = (0, 1);
        self.escapes = escapes_balance(&self.line);
        Ok(true)
    }

    fn seen(&mut self) -> io::Result<Option<SeenLine>> {
        if let Some(seen) = self.again.pop_front() {
            return Ok(Some(seen));
        }
        let mut problems = Vec::new();
        let found = self.lines.next_line(&mut problems)?.map(|(number, line)| (number, line.to_string()));
        if found.is_none() {
            self.passage.end(&problems);
            self.problems.append(&mut problems);
        }
        Ok(found.map(|(number, line)| SeenLine { number, line, problems }))
    }

    /// A tree is open where the text, or patience, ends. If the lines since its start look like trees of their
    /// own, goes back to its start and takes them for such, so that one bracket does not swallow a file.
    fn read_again(&mut self) -> bool {
        let passage = std::mem::take(&mut self.passage);
        if self.open.is_empty() || self.margin_starts || !passage.is_of_trees() {
            return false;
        }
        self.go_back(passage);
        true
    }

    /// A tree has just ended. If it ended only because a later tree has the bracket too many that it lacked, goes back
    /// to its start and takes them for trees of their own; true then. If that is merely possible, the next line decides,
    /// or it is said once.
    fn look_back(&mut self) -> io::Result<bool> {
        if self.margin_starts {
            return Ok(false);
        }
        let is_certain = match self.passage.swallowed() {
            Swallowed::Nothing => return Ok(false),
            Swallowed::Trees => true,
            Swallowed::Perhaps(line) => {
                let is_certain = self.next_is_tree()?;
                if !is_certain && !std::mem::replace(&mut self.has_warned, true) {
                    self.problems.push(perhaps_swallowed(Place::line(line), self.start));
                }
                is_certain
            }
        };
        if is_certain {
            let passage = std::mem::take(&mut self.passage);
            self.go_back(passage);
        }
        Ok(is_certain)
    }

    /// Whether the next line is a whole tree.
    fn next_is_tree(&mut self) -> io::Result<bool> {
        let Some(next) = self.seen()? else { return Ok(false) };
        let is_tree = next.is_tree();
        self.again.push_front(next);
        Ok(is_tree)
    }

    /// Reads the lines of a passage once more, each bracket at the margin as the start of a tree.
    fn go_back(&mut self, passage: Passage) {
        self.margin_starts = true;
        self.open.clear();
        self.builder = TreeBuilder::new();
        self.expects_label = false;
        self.line.clear();
        self.at = 0;
        let mut again: VecDeque<SeenLine> = passage.take(&mut self.problems, &mut self.comments).into();
        again.append(&mut self.again);
        self.again = again;
    }

    /// What a new line means before its brackets are looked at.
    fn start_line(&mut self) -> Option<Read<Bracketed>> {
        if self.open.is_empty() {
            if self.line.trim().is_empty() {
                self.at = self.line.len();
                if !self.comments.is_empty() {
                    // Space within or after comments belongs to them and is no missing parse.
                    self.comments.push(Text::default());
                    return None;
                }
                self.start = self.number;
                return Some(self.reading(None));
            }
            if is_comment(&self.line) {
                self.at = self.line.len();
                self.comments.push(self.line.as_str().into());
            }
        } else if self.margin_starts && self.line.starts_with('(') {
            // This line is a tree of its own and not the rest of the one before. Closing that one keeps a missing bracket from swallowing the whole file.
            let tree = self.close_all();
            return Some(self.reading(tree));
        }
        None
    }

    /// Scans on in the current line; true if a tree was completed.
    fn scan_line(&mut self) -> bool {
        while let Some(&byte) = self.line.as_bytes().get(self.at) {
            match byte {
                b'(' => self.open_bracket(),
                b')' => {
                    if self.close_bracket() {
                        return true;
                    }
                }
                _ if byte.is_ascii_whitespace() => self.at += 1,
                _ => self.word(),
            }
        }
        false
    }

    fn open_bracket(&mut self) {
        if self.open.is_empty() {
            self.start = self.number;
        }
        let place = self.place(1);
        self.open.push(place);
        self.at += 1;
        self.builder.open(Text::default());
        self.expects_label = true;
    }

    /// Where the scanner stands, with a length in characters.
    fn place(&mut self, length: u32) -> Place {
        let (offset, column) = self.counted;
        let column = column.saturating_add(width(&self.line[offset..self.at]));
        self.counted = (self.at, column);
        Place::new(self.number, column, length)
    }

    /// Closes a bracket; true if that completes a tree.
    fn close_bracket(&mut self) -> bool {
        let place = self.place(1);
        self.at += 1;
        self.expects_label = false;
        if self.builder.n_nodes_inside() == Some(0) {
            self.problems.push(empty_constituent(self.open.last().copied().unwrap_or(place)));
        }
        if !self.builder.close() {
            self.problems.push(surplus_bracket(place));
            return false;
        }
        self.open.pop();
        self.open.is_empty()
    }

    fn word(&mut self) {
        let word = Text::from(token_at(&self.line, self.at, self.escapes));
        let n_bytes = word.len();
        if self.open.is_empty() {
            let place = self.place(width(&word));
            self.problems.push(text_outside(place, &word));
        } else if std::mem::take(&mut self.expects_label) {
            // The first word in a bracket is its label; the outermost bracket may go without.
            if let Some(label) = self.builder.open_label_mut() {
                *label = word;
            }
        } else {
            self.builder.word(word);
        }
        self.at += n_bytes;
    }

    fn finish_tree(&mut self) -> Read<Bracketed> {
        // Another tree may start in the same line; where that began is not kept.
        self.passage.clear();
        if self.start == self.number {
            self.margin_starts = true;
        }
        let tree = std::mem::take(&mut self.builder).finish();
        self.reading(tree)
    }

    fn finish_file(&mut self) -> Option<Read<Bracketed>> {
        let tree = if self.open.is_empty() { None } else { self.close_all() };
        if tree.is_none() {
            self.start = if self.comments.is_empty() { 0 } else { self.number };
        }
        let something_left = tree.is_some() || !self.comments.is_empty() || !self.problems.is_empty();
        something_left.then(|| self.reading(tree))
    }

    /// Closes what is still open and says so.
    fn close_all(&mut self) -> Option<Tree<Text>> {
        if let Some(&first) = self.open.first() {
            self.problems.push(unclosed(first, self.open.len()));
        }
        self.open.clear();
        while self.builder.close() {}
        std::mem::take(&mut self.builder).finish()
    }

    fn reading(&mut self, tree: Option<Tree<Text>>) -> Read<Bracketed> {
        let value = Bracketed { comments: std::mem::take(&mut self.comments), tree };
        Read { value, line: self.start, problems: std::mem::take(&mut self.problems) }
    }
}

impl<R: BufRead> Iterator for BracketReader<R> {
    type Item = io::Result<Read<Bracketed>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_tree().transpose()
    }
}

/// The label or word that starts at `at`; with `escapes` a backslash takes the parenthesis after it along.
fn token_at(line: &str, at: usize, escapes: bool) -> &str {
    let bytes = &line.as_bytes()[at..];
    let mut end = 0;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' if escapes && matches!(bytes.get(end + 1), Some(b'(' | b')')) => end += 2,
            b'(' | b')' => break,
            _ if byte.is_ascii_whitespace() => break,
            _ => end += 1,
        }
    }
    &line[at..at + end]
}

/// `(N \))` may be the word `\)` or the word `\` and two closing brackets. The former is meant unless only the
/// latter makes the line balance.
fn escapes_balance(line: &str) -> bool {
    if !line.contains("\\(") && !line.contains("\\)") {
        return true;
    }
    bracket_depths(line, true).0 == 0 || bracket_depths(line, false).0 != 0
}

/// By how much a line changes the number of open brackets, and the lowest value on the way.
fn bracket_depths(line: &str, escapes: bool) -> (i64, i64) {
    let mut before = b' ';
    let (mut depth, mut lowest) = (0i64, 0i64);
    for byte in line.bytes() {
        let escaped = escapes && before == b'\\';
        match byte {
            b'(' if !escaped => depth += 1,
            b')' if !escaped => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
        before = byte;
    }
    (depth, lowest)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') || line.starts_with('%') || line.starts_with("*x*")
}

fn surplus_bracket(place: Place) -> Problem {
    let help = "remove it, or add the ( that belongs to it";
    Problem::error("unbalanced-bracket", place, "a closing bracket that closes nothing", help)
}

fn unclosed(place: Place, n_open: usize) -> Problem {
    let message = format!("the tree that starts here lacks {n_open} closing bracket(s)");
    let help = "add them where the constituents end; they were added at the end of the tree";
    Problem::error("unbalanced-bracket", place, message, help)
}

fn perhaps_swallowed(place: Place, start: u32) -> Problem {
    let message =
        format!("this line starts at the margin, but belongs to the tree that starts in line {start}");
    let help = "if it is a tree of its own, add the ) that is missing before it and remove one too many after it; otherwise indent it";
    Problem::warning("unbalanced-bracket", place, message, help)
}

fn empty_constituent(place: Place) -> Problem {
    let help = "add the word: (TAG word); or remove the brackets";
    Problem::error("empty-constituent", place, "a constituent without a word in it", help)
}

fn text_outside(place: Place, text: &str) -> Problem {
    let shown: String = text.chars().take(40).collect();
    let help = "put it in brackets, or start the line with # to make it a comment; it was left out";
    Problem::error("text-outside", place, format!("`{shown}` stands outside of any tree"), help)
}

/// How trees are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeStyle {
    /// One tree per line.
    #[default]
    Line,
    /// One constituent per line, indented.
    Indented,
}

/// Writes a tree and the end of the line.
pub fn write(tree: &Tree<Text>, shape: TreeStyle, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    show(tree, shape, &mut text);
    text.push('\n');
    out.write_all(text.as_bytes())
}

/// Writes what was read: comments, then the tree on one line, or an empty line where there was none.
pub fn write_bracketed(bracketed: &Bracketed, out: &mut impl Write) -> io::Result<()> {
    for comment in &bracketed.comments {
        writeln!(out, "{comment}")?;
    }
    match &bracketed.tree {
        Some(tree) => write(tree, TreeStyle::Line, out),
        None if bracketed.comments.is_empty() => writeln!(out),
        None => Ok(()),
    }
}

/// The tree on one line.
pub fn to_string(tree: &Tree<Text>) -> String {
    let mut text = String::new();
    show(tree, TreeStyle::Line, &mut text);
    text
}

fn show(tree: &Tree<Text>, shape: TreeStyle, text: &mut String) {
    render(tree, shape, "", text);
    // A word that ends in a backslash must not swallow the bracket after it when it is read back.
    let ends_in_backslash = tree.nodes().iter().any(|node| node.label.ends_with('\\'));
    let has_escapes = tree.nodes().iter().any(|node| node.label.contains(['(', ')']));
    if ends_in_backslash && (has_escapes || escapes_balance(text)) {
        text.clear();
        render(tree, shape, " ", text);
    }
}

/// Deeper constituents are not indented further, or the text would grow with the square of the depth.
const MOST_INDENTED: usize = 200;

/// Writes the tree; `guard` stands after words that end in a backslash.
fn render(tree: &Tree<Text>, shape: TreeStyle, guard: &str, text: &mut String) {
    // Where each open constituent ends in the preorder.
    let mut ends: Vec<usize> = Vec::new();
    for (index, node) in tree.nodes().iter().enumerate() {
        if index > 0 {
            let fresh_line = shape == TreeStyle::Indented && !node.is_word();
            if fresh_line {
                text.push('\n');
                text.extend(std::iter::repeat_n("  ", ends.len().min(MOST_INDENTED)));
            } else {
                text.push(' ');
            }
        }
        if !node.is_word() {
            text.push('(');
        }
        text.push_str(&node.label);
        if node.label.ends_with('\\') {
            text.push_str(guard);
        }
        ends.push(index + node.size());
        if node.is_word() {
            ends.pop();
        }
        while ends.last().is_some_and(|&end| end == index + 1) {
            ends.pop();
            text.push(')');
        }
    }
}

/// The word of a leaf: `-LRB-` and its kin, and backslashes before parentheses, undone.
pub fn unescape(leaf: &str) -> Text {
    let is_escape = |text: &str| PARENTHESES.iter().any(|(_, escaped)| *escaped == text);
    match PARENTHESES.iter().find(|(_, escaped)| *escaped == leaf) {
        Some((plain, _)) => (*plain).into(),
        None => match leaf.strip_prefix('\\') {
            Some(literal) if is_escape(literal) => literal.into(),
            _ if leaf.contains('\\') => leaf.replace("\\(", "(").replace("\\)", ")").into(),
            _ => leaf.into(),
        },
    }
}

/// The leaf of a word: the inverse of [`unescape`] for words without white space, which becomes `_`.
pub fn escape(word: &str) -> Text {
    if let Some((_, escaped)) = PARENTHESES.iter().find(|(plain, _)| *plain == word) {
        return (*escaped).into();
    }
    // A word that is spelled like an escape is not one.
    if PARENTHESES.iter().any(|(_, escaped)| *escaped == word) {
        return format!("\\{word}").into();
    }
    if !word.contains(|c: char| c == '(' || c == ')' || c.is_whitespace()) {
        return word.into();
    }
    let word = word.replace('(', "\\(").replace(')', "\\)");
    word.replace(char::is_whitespace, "_").into()
}

const PARENTHESES: [(&str, &str); 2] = [("(", "-LRB-"), (")", "-RRB-")];
