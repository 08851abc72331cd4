//! Expressions: nodes joined by arrows.

use super::names::{Names, place_of};
use tree::{Node, Place};

/// Something between two brackets or on a line.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    pub(crate) column: u32,
    pub(crate) length: u32,
}

/// What a piece is.
#[derive(Clone, Debug)]
pub(crate) enum PieceKind {
    Item(Value, Mark),
    Right,
    Left,
    Define,
    Link,
    /// `**` directly after an opening parenthesis.
    RootSign,
}

/// What an item stands for.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Node(Node),
    /// `{a b}`: several dependents.
    Set(Vec<Node>),
    /// Unreadable, and reported.
    Bad,
}

/// Asterisks after an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    Head,
    Root,
}

/// What is left of an expression outside of it: its head.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) value: Value,
    pub(crate) mark: Mark,
    pub(crate) place: Place,
}

/// Splits pieces into expressions, notes their arcs and roots, and gives their heads.
///
/// Two items without an operator between them belong to two expressions. Within one, all `>` stand before
/// all `<`: the item between them is the head, to which the others lead.
pub(crate) fn reduce(pieces: Vec<Piece>, names: &mut Names<'_>, line: u32) -> Vec<Expression> {
    let mut expressions = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    for piece in pieces {
        let is_item = |piece: &Piece| matches!(piece.kind, PieceKind::Item(..));
        if is_item(&piece) && current.last().is_some_and(is_item) {
            expressions.extend(expression(std::mem::take(&mut current), names, line));
        }
        match piece.kind {
            PieceKind::Define | PieceKind::Link | PieceKind::RootSign => {
                let place = Place::new(line, piece.column, piece.length);
                let help = "use = and :: only on a line of their own, outside of brackets";
                names.error("misplaced-operator", place, "this operator cannot stand here", help);
            }
            _ => current.push(piece),
        }
    }
    expressions.extend(expression(current, names, line));
    expressions
}

fn expression(pieces: Vec<Piece>, names: &mut Names<'_>, line: u32) -> Option<Expression> {
    if pieces.is_empty() {
        return None;
    }
    let whole = place_of(&pieces, line);
    let bad = Some(Expression { value: Value::Bad, mark: Mark::None, place: whole });
    let mut items: Vec<(Value, Mark, Place)> = Vec::new();
    let mut n_right = 0;
    let mut n_left = 0;
    for (index, piece) in pieces.into_iter().enumerate() {
        let place = Place::new(line, piece.column, piece.length);
        match (piece.kind, index % 2) {
            (PieceKind::Item(value, mark), 0) => items.push((value, mark, place)),
            (PieceKind::Right, 1) if n_left == 0 => n_right += 1,
            (PieceKind::Right, 1) => {
                let help = "write a < b on one line and b > c on another, and decide for one head";
                names.error("two-arrows-out", place, "in a < b > c the word b would have two heads", help);
                return bad;
            }
            (PieceKind::Left, 1) => n_left += 1,
            _ => {
                dangling(names, place);
                return bad;
            }
        }
    }
    if items.len() != n_right + n_left + 1 {
        dangling(names, whole);
        return bad;
    }
    Some(attach(items, n_right, names))
}

fn dangling(names: &mut Names<'_>, place: Place) {
    let help = "put a word or bracket on both sides of < and >";
    names.error("dangling-operator", place, "an arrow leads from or to nothing", help);
}

/// Item k depends on item k + 1 before the head, and on item k − 1 after it.
fn attach(items: Vec<(Value, Mark, Place)>, head: usize, names: &mut Names<'_>) -> Expression {
    let n_items = items.len();
    for (index, (value, mark, place)) in items.iter().enumerate() {
        if *mark == Mark::Root {
            match value {
                Value::Node(node) => names.root(*node, *place),
                Value::Set(_) => set_as_head(names, *place),
                Value::Bad => {}
            }
        }
        if *mark == Mark::Head && index != head {
            let help = "put * after the head of the whole expression, or put the expression in parentheses";
            names.error("misplaced-head-mark", *place, "* stands after a word that depends on another", help);
        }
        if index == head {
            continue;
        }
        let (above, _, above_place) = &items[if index < head { index + 1 } else { index - 1 }];
        let place = join(*place, *above_place);
        match (value, above) {
            (_, Value::Set(_)) => set_as_head(names, *above_place),
            (Value::Node(dependent), Value::Node(head)) => names.arc(*head, *dependent, place),
            (Value::Set(dependents), Value::Node(head)) => {
                for dependent in dependents {
                    names.arc(*head, *dependent, place);
                }
            }
            _ => {}
        }
    }
    let whole = join(items[0].2, items[n_items - 1].2);
    let (value, mark, _) = items.into_iter().nth(head).unwrap_or((Value::Bad, Mark::None, whole));
    // A set that heads something was reported above and must not count as a loose set again.
    let value = if n_items > 1 && matches!(value, Value::Set(_)) { Value::Bad } else { value };
    Expression { value, mark, place: whole }
}

fn set_as_head(names: &mut Names<'_>, place: Place) {
    let help = "name one head; {…} only lists dependents";
    names.error("set-as-head", place, "a set is never a head", help);
}

fn join(one: Place, other: Place) -> Place {
    let column = one.column.min(other.column);
    let end = (one.column + one.length).max(other.column + other.length);
    Place::new(one.line, column, end - column)
}
