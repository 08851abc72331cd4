//! `treelet demo`: a tour in the terminal.

use crate::terminal::Terminal;
use draw::TextStyle;
use treelet::Outcome;

/// Columns of drawings where the terminal does not tell its own.
const WIDTH: usize = 100;

pub(crate) fn run(terminal: &Terminal) -> anyhow::Result<Outcome> {
    let style =
        TextStyle { width: terminal.width.or(Some(WIDTH)), unicode: true, colour: terminal.colour_out };
    treelet::demo(&style, terminal)?;
    Ok(Outcome::Fine)
}
