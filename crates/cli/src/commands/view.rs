//! `treelet view`: trees as text.

use crate::terminal::Terminal;
use draw::TextStyle;
use treelet::Outcome;
use treelet::options::View;

/// Columns of a drawing that goes to a file or another program.
const PIPE_WIDTH: usize = 200;

pub(crate) fn run(options: &View, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let style = TextStyle {
        width: options.width.map(usize::from).or(terminal.width).or(Some(PIPE_WIDTH)),
        unicode: !options.ascii,
        colour: terminal.colour_out,
    };
    for drawing in treelet::view(options, terminal)? {
        terminal.print(&drawing.text(&style))?;
    }
    Ok(Outcome::Fine)
}
