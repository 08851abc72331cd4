//! Lines and texts on a grid of terminal cells.

use crate::measure::{cells, clip, to_units};
use tree::PutInOrder;

/// How a text picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Cells per line, if lines must not be longer.
    pub width: Option<usize>,
    /// Box-drawing characters and arrows; otherwise ASCII lines (words keep their characters).
    pub unicode: bool,
    /// ANSI colours.
    pub colour: bool,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { width: None, unicode: true, colour: false }
    }
}

impl TextStyle {
    /// Box-drawing characters, no colour, any width.
    pub fn unicode() -> Self {
        Self::default()
    }

    /// ASCII lines, no colour, any width.
    pub fn ascii() -> Self {
        Self { unicode: false, ..Self::default() }
    }

    pub(crate) fn pick(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    pub(crate) fn ellipsis(&self) -> &'static str {
        self.pick("…", "~")
    }
}

/// What something is, for its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ink {
    #[default]
    Plain,
    Faint,
    Tag,
    Arc,
    Label,
    Root,
    Forbidden,
    Range,
    Bracket,
    Multiword,
    Coordination,
    Entity,
    Relation,
    Sense,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Faint | Self::Range => "90",
            Self::Tag => "36",
            Self::Arc => "34",
            Self::Label => "33",
            Self::Root => "1;32",
            Self::Forbidden => "31",
            Self::Bracket => "94",
            Self::Multiword => "32",
            Self::Coordination | Self::Relation => "35",
            Self::Entity => "1;36",
            Self::Sense => "1;33",
        }
    }
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextPiece {
    pub(crate) text: String,
    pub(crate) ink: Ink,
    /// Whether its direction must not reach beyond it.
    pub(crate) isolate: bool,
}

impl TextPiece {
    pub(crate) fn new(text: impl Into<String>, ink: Ink) -> Self {
        Self { text: text.into(), ink, isolate: false }
    }

    pub(crate) fn blank(width: i64) -> Self {
        Self::new(" ".repeat(usize::try_from(width).unwrap_or(0)), Ink::Plain)
    }
}

/// Writes pieces as one line: clipped to the width, without trailing blanks, with a line end.
pub(crate) fn write_line(pieces: &[TextPiece], style: &TextStyle, out: &mut String) {
    let mut room = style.width.unwrap_or(usize::MAX);
    let total: i64 = pieces.iter().map(|piece| cells(&piece.text)).sum();
    let too_long = total > to_units(room);
    let n_shown =
        pieces.iter().rposition(|piece| !piece.text.trim_end().is_empty()).map_or(0, |last| last + 1);
    for (index, piece) in pieces[..n_shown].iter().enumerate() {
        let text = if index + 1 == n_shown { piece.text.trim_end() } else { &piece.text };
        let width = usize::try_from(cells(text)).unwrap_or(0);
        if too_long && width >= room && !(index + 1 == n_shown && width == room) {
            write_piece(&clip(&format!("{text} "), room, style.ellipsis()), piece, style, out);
            break;
        }
        room -= width;
        write_piece(text, piece, style, out);
    }
    out.push('\n');
}

fn write_piece(text: &str, piece: &TextPiece, style: &TextStyle, out: &mut String) {
    if text.is_empty() {
        return;
    }
    let code = if style.colour { piece.ink.code() } else { "" };
    if !code.is_empty() {
        out.push_str("\x1b[");
        out.push_str(code);
        out.push('m');
    }
    let (open, close) = if piece.isolate { ("\u{2068}", "\u{2069}") } else { ("", "") };
    out.push_str(open);
    out.push_str(text);
    out.push_str(close);
    if !code.is_empty() {
        out.push_str("\x1b[0m");
    }
}

/// One cell: in which directions lines leave it, or a sign.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    arms: u8,
    dashed: bool,
    sign: Option<char>,
    ink: Ink,
}

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// A grid of lines with texts laid over it.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    rows: Vec<Vec<Cell>>,
    texts: Vec<Vec<(usize, TextPiece)>>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { rows: vec![vec![Cell::default(); width]; height], texts: vec![Vec::new(); height] }
    }

    /// A line along a row; lines that meet are joined.
    pub(crate) fn along(&mut self, row: usize, from: usize, to: usize, ink: Ink, dashed: bool) {
        let (lo, hi) = (from.min(to), from.max(to));
        for x in lo..=hi {
            let arms = if x > lo { LEFT } else { 0 } | if x < hi { RIGHT } else { 0 };
            self.add(x, row, arms, ink, dashed);
        }
    }

    /// A line down a column; lines that meet are joined.
    pub(crate) fn down(&mut self, x: usize, from: usize, to: usize, ink: Ink, dashed: bool) {
        let (lo, hi) = (from.min(to), from.max(to));
        for row in lo..=hi {
            let arms = if row > lo { UP } else { 0 } | if row < hi { DOWN } else { 0 };
            self.add(x, row, arms, ink, dashed);
        }
    }

    /// Lets a line leave its cell upwards.
    pub(crate) fn hook_up(&mut self, x: usize, row: usize) {
        self.add(x, row, UP, Ink::Plain, false);
    }

    /// Lets a line leave its cell to the left.
    pub(crate) fn hook_left(&mut self, x: usize, row: usize) {
        self.add(x, row, LEFT, Ink::Plain, false);
    }

    /// Breaks a straight line at one cell.
    pub(crate) fn dash(&mut self, x: usize, row: usize) {
        if let Some(cell) = self.cell(x, row) {
            cell.dashed = true;
        }
    }

    /// A sign instead of lines.
    pub(crate) fn sign(&mut self, x: usize, row: usize, sign: char, ink: Ink) {
        if let Some(cell) = self.cell(x, row) {
            cell.sign = Some(sign);
            cell.ink = ink;
        }
    }

    /// A text over whatever lines are there.
    pub(crate) fn text(&mut self, x: usize, row: usize, piece: TextPiece) {
        if let Some(texts) = self.texts.get_mut(row) {
            texts.push((x, piece));
        }
    }

    fn add(&mut self, x: usize, row: usize, arms: u8, ink: Ink, dashed: bool) {
        if let Some(cell) = self.cell(x, row) {
            cell.dashed = dashed && (cell.arms == 0 || cell.dashed);
            if cell.arms == 0 {
                cell.ink = ink;
            }
            cell.arms |= arms;
        }
    }

    fn cell(&mut self, x: usize, row: usize) -> Option<&mut Cell> {
        self.rows.get_mut(row)?.get_mut(x)
    }

    /// One row as pieces.
    pub(crate) fn row(&self, row: usize, unicode: bool) -> Vec<TextPiece> {
        let mut texts: Vec<&(usize, TextPiece)> = self.texts[row].iter().collect();
        texts.order_by_key(|&&(x, _)| x);
        let mut pieces = Vec::new();
        let mut x = 0;
        for (start, piece) in texts {
            self.lines(row, x, *start, unicode, &mut pieces);
            pieces.push(piece.clone());
            x = x.max(*start) + usize::try_from(cells(&piece.text)).unwrap_or(0);
        }
        self.lines(row, x, self.rows[row].len(), unicode, &mut pieces);
        pieces
    }

    fn lines(&self, row: usize, from: usize, to: usize, unicode: bool, pieces: &mut Vec<TextPiece>) {
        for cell in self.rows[row].get(from..to).unwrap_or_default() {
            let ink = if cell.arms == 0 && cell.sign.is_none() { Ink::Plain } else { cell.ink };
            let sign = cell.sign.unwrap_or(if unicode { box_sign(cell) } else { ascii_sign(cell) });
            match pieces.last_mut() {
                Some(last) if last.ink == ink && !last.isolate => last.text.push(sign),
                _ => pieces.push(TextPiece::new(sign, ink)),
            }
        }
    }

    pub(crate) fn height(&self) -> usize {
        self.rows.len()
    }
}

fn box_sign(cell: &Cell) -> char {
    match (cell.arms, cell.dashed) {
        (0, _) => ' ',
        (UP | DOWN | 3, true) => '┆',
        (LEFT | RIGHT | 12, true) => '╌',
        (UP | DOWN | 3, false) => '│',
        (LEFT | RIGHT | 12, false) => '─',
        (9, _) => '└',
        (5, _) => '┘',
        (10, _) => '┌',
        (6, _) => '┐',
        (11, _) => '├',
        (7, _) => '┤',
        (14, _) => '┬',
        (13, _) => '┴',
        _ => '┼',
    }
}

fn ascii_sign(cell: &Cell) -> char {
    match (cell.arms, cell.dashed) {
        (0, _) => ' ',
        (UP | DOWN | 3, true) => ':',
        (LEFT | RIGHT | 12, true) => '~',
        (UP | DOWN | 3, false) => '|',
        (LEFT | RIGHT | 12, false) => '-',
        (10 | 6, _) => '.',
        (9 | 5, _) => '\'',
        _ => '+',
    }
}
