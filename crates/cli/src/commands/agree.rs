//! `treelet agree`: tables of annotators, of pairs of them, and of columns.

mod annotators;
mod columns;
mod pairs;

use crate::terminal::Terminal;
use std::path::Path;
use treelet::options::study::Agree;
use treelet::{Agreed, Outcome};

pub(crate) fn run(options: &Agree, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let show = |agreed: &Agreed| {
        // The combined annotation may go to standard output; then the tables do not.
        let is_note = options.output.as_deref() == Some(Path::new("-"));
        match (is_note, options.answer.json) {
            (true, true) => terminal.note(&format!("{:#}", serde_json::to_value(agreed)?)),
            (true, false) => terminal.note(&text(agreed, options)),
            (false, true) => terminal.print_json(agreed)?,
            (false, false) => terminal.print_tables(&text(agreed, options))?,
        }
        Ok(())
    };
    Ok(treelet::agree_and_show(options, terminal, show)?.outcome())
}

fn text(agreed: &Agreed, options: &Agree) -> String {
    let mut text = String::from("Annotators\n");
    text.push_str(&annotators::text(&agreed.annotators, options.gold.is_some()));
    text.push_str("\nWords with a certain head, by tag (%)\n");
    text.push_str(&annotators::by_tag(&agreed.annotators));
    if !agreed.agreement.pairs.is_empty() {
        text.push_str("\nPairs (%)\n");
        text.push_str(&pairs::text(&agreed.agreement));
        text.push_str(&columns::text(&agreed.columns));
    }
    text
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1}", 100.0 * share))
}
