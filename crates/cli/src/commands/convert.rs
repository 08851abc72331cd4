//! `treelet convert`: all there is to say are notes and problems.

use crate::terminal::Terminal;
use treelet::Outcome;
use treelet::options::Convert;

pub(crate) fn run(options: &Convert, terminal: &Terminal) -> anyhow::Result<Outcome> {
    Ok(treelet::convert(options, terminal)?.outcome())
}
