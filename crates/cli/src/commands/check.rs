//! `treelet check`: the worst of all files is the exit code.

use crate::terminal::Terminal;
use treelet::Outcome;
use treelet::options::Check;

pub(crate) fn run(options: &Check, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let checked = treelet::check(options, terminal)?;
    Ok(checked.iter().map(|file| file.outcome).max().unwrap_or(Outcome::Fine))
}
