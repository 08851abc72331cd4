//! The annotation language: lines become one partial tree.

use super::check;
use super::expression::{Expression, Mark, Piece, PieceKind, Value, reduce};
use super::lexer::{self, BracketShape, Lexeme, LexemeKind};
use super::names::{Names, place_of};
use super::tokens::Tokens;
use crate::Problem;
use tree::PutInOrder;
use tree::{Node, PartialTree, Place, Text};

/// How deep brackets may be nested; a line that goes deeper is refused.
pub const MAX_DEPTH: usize = 100;

/// Reads the lines of an annotation, each with its number in the file, over the tokens of the sentence.
///
/// Lines are independent and their fragments are merged by token. A line whose brackets do not balance says
/// nothing; any other mistake costs only the expression it stands in. The result is never checked for more
/// than the errors listed in the problems: a tree with problems may contradict itself.
pub fn parse_annotation<'l>(
    lines: impl IntoIterator<Item = (u32, &'l str)>,
    tokens: &[Text],
) -> (PartialTree, Vec<Problem>) {
    let lines: Vec<(u32, &str)> = lines.into_iter().collect();
    let tokens = Tokens::new(tokens);
    let mut names = Names::new(&tokens, defined_variables(&lines));
    for (number, line) in lines {
        LineParser { names: &mut names, line: number }.read(line);
    }
    let (said, mut problems) = names.finish();
    check::check(&said, &mut problems);
    problems.order_by_key(|problem| problem.place);
    (said, problems)
}

/// Variables with a line `$x :: …` of their own, so that they may be used before that line.
fn defined_variables(lines: &[(u32, &str)]) -> Vec<String> {
    let defined = |line: &str| {
        let mut chunks = line.split_whitespace();
        let name = chunks.next()?.trim_end_matches('*');
        (lexer::is_variable(name) && chunks.next() == Some("::")).then(|| name.to_owned())
    };
    lines.iter().filter_map(|(_, line)| defined(line)).collect()
}

struct LineParser<'p, 'a> {
    names: &'p mut Names<'a>,
    line: u32,
}

/// An open bracket, or the line itself, with what stands in it so far.
struct Frame {
    bracket: Option<BracketShape>,
    column: u32,
    pieces: Vec<Piece>,
}

impl LineParser<'_, '_> {
    fn read(&mut self, line: &str) {
        let (lexemes, glued) = lexer::lex(line, self.names.tokens);
        for (column, length) in glued {
            let place = Place::new(self.line, column, length);
            self.names.error(
                "missing-space",
                place,
                "an operator touches a word",
                "put spaces around < and >",
            );
        }
        if !self.balanced(&lexemes) {
            return;
        }
        let mut stack = vec![Frame { bracket: None, column: 1, pieces: Vec::new() }];
        for lexeme in lexemes {
            self.step(&mut stack, lexeme);
        }
        if let Some(frame) = stack.pop() {
            self.finish_line(frame.pieces);
        }
    }

    fn place(&self, column: u32, length: u32) -> Place {
        Place::new(self.line, column, length)
    }

    /// Whether every bracket is closed by its own kind and none is too deep.
    fn balanced(&mut self, lexemes: &[Lexeme<'_>]) -> bool {
        const ESCAPE: &str =
            "balance the brackets; a bracket that belongs to a token is escaped, as in :)~1 or ~(-:";
        let mut open = Vec::new();
        for lexeme in lexemes {
            let place = self.place(lexeme.column, lexeme.length);
            match lexeme.kind {
                LexemeKind::Open(_) if open.len() == MAX_DEPTH => {
                    let message = format!("brackets are nested deeper than {MAX_DEPTH}");
                    self.names.error("nested-too-deeply", place, message, "split the line into several");
                    return false;
                }
                LexemeKind::Open(bracket) => open.push((bracket, place)),
                LexemeKind::Close(bracket) => match open.pop() {
                    Some((opened, _)) if opened == bracket => {}
                    Some((_, before)) => {
                        let message =
                            format!("this bracket does not close the one opened in column {}", before.column);
                        self.names.error(unbalanced(bracket), place, message, ESCAPE);
                        return false;
                    }
                    None => {
                        self.names.error(unbalanced(bracket), place, "this bracket closes nothing", ESCAPE);
                        return false;
                    }
                },
                _ => {}
            }
        }
        if let Some((bracket, place)) = open.pop() {
            self.names.error(unbalanced(bracket), place, "this bracket is never closed", ESCAPE);
            return false;
        }
        true
    }

    fn step(&mut self, stack: &mut Vec<Frame>, lexeme: Lexeme<'_>) {
        if let LexemeKind::Close(bracket) = lexeme.kind {
            let Some(frame) = stack.pop() else { return };
            let length = lexeme.column + 1 - frame.column;
            let column = frame.column;
            let value = self.close(bracket, frame.pieces, self.place(column, length));
            if let Some(outer) = stack.last_mut() {
                outer.pieces.push(Piece { kind: PieceKind::Item(value, Mark::None), column, length });
            }
            return;
        }
        if let LexemeKind::Open(bracket) = lexeme.kind {
            stack.push(Frame { bracket: Some(bracket), column: lexeme.column, pieces: Vec::new() });
            return;
        }
        let Some(frame) = stack.last_mut() else { return };
        let in_multiword = frame.bracket == Some(BracketShape::Square);
        let kind = match lexeme.kind {
            LexemeKind::Stars(run) => return self.mark(frame, lexeme, run),
            LexemeKind::Word(name) if in_multiword => {
                let word = self.names.token(name, self.place(lexeme.column, lexeme.length));
                PieceKind::Item(word.map_or(Value::Bad, |word| Value::Node(Node::Word(word))), Mark::None)
            }
            LexemeKind::Word(name) => {
                let node = self.names.node(name, self.place(lexeme.column, lexeme.length));
                PieceKind::Item(node.map_or(Value::Bad, Value::Node), Mark::None)
            }
            LexemeKind::Right => PieceKind::Right,
            LexemeKind::Left => PieceKind::Left,
            LexemeKind::Define => PieceKind::Define,
            _ => PieceKind::Link,
        };
        frame.pieces.push(Piece { kind, column: lexeme.column, length: lexeme.length });
    }

    /// A run of asterisks marks the item it touches; `**` may also open a round bracket.
    fn mark(&mut self, frame: &mut Frame, lexeme: Lexeme<'_>, run: u32) {
        let mark = match run {
            1 => Some(Mark::Head),
            2 => Some(Mark::Root),
            _ => None,
        };
        let opens =
            frame.bracket == Some(BracketShape::Round) && frame.pieces.is_empty() && mark == Some(Mark::Root);
        let touched =
            frame.pieces.last_mut().filter(|_| lexeme.glued && frame.bracket != Some(BracketShape::Square));
        match (touched, mark) {
            (Some(Piece { kind: PieceKind::Item(_, slot @ Mark::None), length, .. }), Some(mark)) => {
                *slot = mark;
                *length += lexeme.length;
            }
            _ if opens => {
                frame.pieces.push(Piece {
                    kind: PieceKind::RootSign,
                    column: lexeme.column,
                    length: lexeme.length,
                });
            }
            _ => {
                let place = self.place(lexeme.column, lexeme.length);
                let help = "write * or ** directly after a word or bracket; a token of asterisks is escaped, as in *~1";
                self.names.error("stray-asterisk", place, "these asterisks mark nothing", help);
            }
        }
    }

    fn close(&mut self, bracket: BracketShape, mut pieces: Vec<Piece>, place: Place) -> Value {
        match bracket {
            BracketShape::Square => self.multiword(pieces, place),
            BracketShape::Curly => {
                let expressions = reduce(pieces, self.names, self.line);
                self.set(expressions, place)
            }
            BracketShape::Round => {
                let rooted = matches!(pieces.first(), Some(Piece { kind: PieceKind::RootSign, .. }));
                if rooted {
                    pieces.remove(0);
                }
                let expressions = reduce(pieces, self.names, self.line);
                let value = self.round(expressions, place);
                if let (true, Value::Node(node)) = (rooted, &value) {
                    self.names.root(*node, place);
                }
                value
            }
        }
    }

    fn empty(&mut self, place: Place) -> Value {
        self.names.error(
            "empty-group",
            place,
            "there is nothing between these brackets",
            "remove them or fill them",
        );
        Value::Bad
    }

    fn multiword(&mut self, pieces: Vec<Piece>, place: Place) -> Value {
        if pieces.is_empty() {
            return self.empty(place);
        }
        let mut words = Vec::new();
        let mut bad = false;
        for piece in pieces {
            match piece.kind {
                PieceKind::Item(Value::Node(Node::Word(word)), _) => words.push(word),
                PieceKind::Item(Value::Bad, _) => bad = true,
                _ => {
                    let place = self.place(piece.column, piece.length);
                    let help = "write only tokens between [ and ]";
                    self.names.error("multiword-content", place, "a multiword consists of tokens only", help);
                    bad = true;
                }
            }
        }
        if bad { Value::Bad } else { Value::Node(self.names.multiword(words, place)) }
    }

    fn set(&mut self, expressions: Vec<Expression>, place: Place) -> Value {
        if expressions.is_empty() {
            return self.empty(place);
        }
        let mut members = Vec::new();
        for expression in expressions {
            if expression.mark == Mark::Head {
                self.head_mark(expression.place);
            }
            match expression.value {
                Value::Node(node) => members.push(node),
                Value::Set(_) => self.loose_set(expression.place),
                Value::Bad => {}
            }
        }
        Value::Set(members)
    }

    fn round(&mut self, mut expressions: Vec<Expression>, place: Place) -> Value {
        for expression in &mut expressions {
            if matches!(expression.value, Value::Set(_)) {
                self.loose_set(expression.place);
                expression.value = Value::Bad;
            }
        }
        match expressions.as_slice() {
            [] => self.empty(place),
            [single] => {
                if single.mark == Mark::Head {
                    self.head_mark(single.place);
                }
                expressions.swap_remove(0).value
            }
            _ => self.bracket(expressions, place),
        }
    }

    fn bracket(&mut self, expressions: Vec<Expression>, place: Place) -> Value {
        let marked = |expression: &&Expression| expression.mark == Mark::Head;
        let heads: Vec<&Expression> = expressions.iter().filter(marked).collect();
        if let [first, second, ..] = heads[..] {
            let message = format!("this bracket has two heads, here and in column {}", first.place.column);
            self.names.error("bracket-two-heads", second.place, message, "mark only one member with *");
        }
        let node_of = |expression: &Expression| match expression.value {
            Value::Node(node) => Some(node),
            _ => None,
        };
        let head = heads.first().and_then(|expression| node_of(expression));
        // A bracket with an unreadable member says nothing about the others alone.
        let members: Option<Vec<Node>> = expressions.iter().map(node_of).collect();
        members.map_or(Value::Bad, |members| Value::Node(self.names.bracket(members, head, place)))
    }

    fn head_mark(&mut self, place: Place) {
        let help = "write * only after one member of a bracket with several members; ** marks a root";
        self.names.error(
            "head-mark-outside-bracket",
            place,
            "* marks the head of a bracket, and this is none",
            help,
        );
    }

    fn loose_set(&mut self, place: Place) {
        let help = "write {…} > head or head < {…}; for a fragment use (…)";
        self.names.error("loose-set", place, "a set only lists dependents, and nothing heads this one", help);
    }

    fn finish_line(&mut self, pieces: Vec<Piece>) {
        let has = |wanted: fn(&PieceKind) -> bool| pieces.iter().any(|piece| wanted(&piece.kind));
        if has(|kind| matches!(kind, PieceKind::Define)) {
            self.coordination(pieces);
        } else if has(|kind| matches!(kind, PieceKind::Link)) {
            self.anaphora(pieces);
        } else {
            for expression in reduce(pieces, self.names, self.line) {
                if expression.mark == Mark::Head {
                    self.head_mark(expression.place);
                }
                if matches!(expression.value, Value::Set(_)) {
                    self.loose_set(expression.place);
                }
            }
        }
    }

    /// `a = b = c` links a with b and b with c.
    fn anaphora(&mut self, pieces: Vec<Piece>) {
        let whole = place_of(&pieces, self.line);
        let mut linked: Vec<(Option<Node>, Place)> = Vec::new();
        let mut parts: Vec<Vec<Piece>> = vec![Vec::new()];
        for piece in pieces {
            match (&piece.kind, parts.last_mut()) {
                (PieceKind::Link, _) => parts.push(Vec::new()),
                (_, Some(part)) => part.push(piece),
                _ => {}
            }
        }
        for part in parts {
            let place = if part.is_empty() { whole } else { place_of(&part, self.line) };
            match part.as_slice() {
                [Piece { kind: PieceKind::Item(Value::Node(node), Mark::None), .. }] => {
                    linked.push((Some(*node), place))
                }
                [Piece { kind: PieceKind::Item(Value::Bad, Mark::None), .. }] => linked.push((None, place)),
                _ => {
                    let help = "write a = b with one word, multiword, variable or bracket on each side";
                    self.names.error("anaphora-sides", place, "an anaphoric link joins single nodes", help);
                    linked.push((None, place));
                }
            }
        }
        for pair in linked.windows(2) {
            if let [(Some(one), from), (Some(other), to)] = pair {
                let place = self.place(from.column, to.column + to.length - from.column);
                self.names.link(*one, *other, place);
            }
        }
    }

    /// `$x :: {a b} :: {and}`
    fn coordination(&mut self, pieces: Vec<Piece>) {
        let place = place_of(&pieces, self.line);
        let mut parts = pieces.split(|piece| matches!(piece.kind, PieceKind::Define));
        let variable = match parts.next() {
            Some([Piece { kind: PieceKind::Item(Value::Node(node @ Node::Group(_)), mark), .. }]) => {
                Some((*node, *mark))
            }
            _ => None,
        };
        let Some((node, mark)) = variable.filter(|(node, _)| self.names.is_variable(*node)) else {
            let help = "write $x :: {a b} :: and";
            self.names.error("coordination-variable", place, "a coordination starts with its variable", help);
            return;
        };
        match mark {
            Mark::Root => self.names.root(node, place),
            Mark::Head => self.head_mark(place),
            Mark::None => {}
        }
        let conjuncts = parts.next().map(<[Piece]>::to_vec).unwrap_or_default();
        let conjuncts = self.coordinated(conjuncts, place, true);
        let coordinators = match parts.next() {
            Some(part) if !part.is_empty() => self.coordinated(part.to_vec(), place, false),
            _ => {
                let help = "name what coordinates: $x :: {a b} :: and";
                self.names.error(
                    "coordination-without-coordinator",
                    place,
                    "this coordination has no coordinator",
                    help,
                );
                Vec::new()
            }
        };
        if parts.next().is_some() {
            let help = "write $x :: {conjuncts} :: {coordinators}";
            self.names.error("coordination-parts", place, "a coordination has three parts", help);
        }
        self.names.define(node, conjuncts, coordinators, place);
    }

    /// A set of conjuncts or coordinators; a single coordinator may stand alone.
    fn coordinated(&mut self, part: Vec<Piece>, whole: Place, braces: bool) -> Vec<Node> {
        let place = if part.is_empty() { whole } else { place_of(&part, self.line) };
        let wrong = |names: &mut Names<'_>| {
            let help = "write $x :: {a b} :: and";
            names.error(
                "coordination-conjuncts",
                place,
                "conjuncts stand in braces, coordinators too or alone",
                help,
            );
        };
        match part.into_iter().map(|piece| piece.kind).collect::<Vec<_>>().as_slice() {
            [PieceKind::Item(Value::Set(members), Mark::None)] => members.clone(),
            [PieceKind::Item(Value::Node(node), Mark::None)] => {
                if braces {
                    wrong(self.names);
                }
                vec![*node]
            }
            [PieceKind::Item(Value::Bad, _)] => Vec::new(),
            _ => {
                wrong(self.names);
                Vec::new()
            }
        }
    }
}

fn unbalanced(bracket: BracketShape) -> &'static str {
    match bracket {
        BracketShape::Round => "unbalanced-parenthesis",
        BracketShape::Square => "unbalanced-bracket",
        BracketShape::Curly => "unbalanced-brace",
    }
}
