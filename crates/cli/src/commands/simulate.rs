//! `treelet simulate`: how much was kept.

use crate::terminal::Terminal;
use std::path::Path;
use treelet::options::study::Simulate;
use treelet::table::plural;
use treelet::{Outcome, Simulated};

pub(crate) fn run(options: &Simulate, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let show = |simulated: &Simulated| {
        let text = if options.json { json(simulated)? } else { text(simulated) };
        // The annotation may go to standard output; then the figures do not.
        if options.output == Path::new("-") {
            terminal.note(&text);
            return Ok(());
        }
        terminal.print(&text)
    };
    Ok(treelet::simulate_and_show(options, terminal, show)?.outcome())
}

fn text(simulated: &Simulated) -> String {
    let Simulated { kept, total, share, .. } = simulated;
    let sentences = plural(simulated.sentences, "sentence");
    format!("kept {kept} of {total} heads ({:.1}%) in {sentences}\n", 100.0 * share)
}

/// The figures on one line.
fn json(simulated: &Simulated) -> anyhow::Result<String> {
    Ok(serde_json::to_string(simulated)? + "\n")
}
