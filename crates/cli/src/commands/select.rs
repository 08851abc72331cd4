//! `treelet select`: a list of what to annotate next.

use crate::terminal::Terminal;
use std::path::Path;
use treelet::options::study::Select;
use treelet::{Chosen, Outcome, table};

pub(crate) fn run(options: &Select, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let show = |chosen: &[Chosen]| {
        let text =
            if options.answer.json { format!("{:#}\n", serde_json::to_value(chosen)?) } else { text(chosen) };
        // The sentences may go to standard output; then the list does not.
        if options.output.as_deref() == Some(Path::new("-")) {
            terminal.note(&text);
            return Ok(());
        }
        terminal.print(&text)
    };
    Ok(treelet::select_and_show(options, terminal, show)?.outcome())
}

fn text(chosen: &[Chosen]) -> String {
    let headings = ["rank", "sentence", "words", "open", "entropy", "cost", "score"];
    let rows: Vec<Vec<String>> = chosen.iter().map(row).collect();
    let mut text = table::render(&headings, &rows);
    text.push('\n');
    for one in chosen {
        text.push_str(&format!("{}. {}\n", one.rank, one.text));
        one.uncertain.iter().for_each(|doubt| text.push_str(&format!("   {doubt}\n")));
    }
    text
}

fn row(chosen: &Chosen) -> Vec<String> {
    vec![
        chosen.rank.to_string(),
        chosen.name.clone(),
        chosen.words.to_string(),
        chosen.open.to_string(),
        format!("{:.2}", chosen.entropy),
        format!("{:.1}", chosen.cost),
        format!("{:.3}", chosen.score),
    ]
}
