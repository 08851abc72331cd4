//! Which tags head which, on which side.

use std::fmt::Write;
use treelet::{ShownCorrelation, ShownDependent, ShownGrammar};

/// Tags that are taken less often are not shown.
const LEAST: f64 = 0.05;

pub(super) fn text(grammar: &ShownGrammar) -> String {
    let ShownGrammar { heads, correlations, .. } = grammar;
    let rows: Vec<[String; 2]> =
        heads.iter().map(|head| [likely(&head.takes.left), likely(&head.takes.right)]).collect();
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let width = widest(&mut heads.iter().map(|head| head.tag.chars().count())).max(4);
    let left = widest(&mut rows.iter().map(|row| row[0].chars().count())).max(17);
    let mut text = format!(
        "{:width$}  {:>5}  {:>6}  {:>6}  {:left$}  takes on the right\n",
        "head", "root", "left", "right", "takes on the left"
    );
    for (head, [on_left, on_right]) in heads.iter().zip(&rows) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:width$}  {:5.1}  {:6.2}  {:6.2}  {on_left:left$}  {on_right}",
            head.tag,
            100.0 * head.root,
            head.dependents.left,
            head.dependents.right,
        );
    }
    text.push_str("\nroot: % of sentences; left, right: dependents that are expected on that side\n");
    if !correlations.is_empty() {
        text.push_str("\nStrongest correlations of what heads take:\n");
    }
    for correlation in correlations {
        let ShownCorrelation { tags: [first, second], value, .. } = correlation;
        let _ = writeln!(text, "{value:+.2}  {first} and {second}, {}", named(correlation));
    }
    text
}

fn likely(takes: &[ShownDependent]) -> String {
    let likely = takes.iter().filter(|taken| taken.probability >= LEAST);
    let likely = likely.map(|taken| format!("{} {:.0}%", taken.tag, 100.0 * taken.probability));
    likely.collect::<Vec<_>>().join(" ")
}

fn named(correlation: &ShownCorrelation) -> String {
    match (&correlation.head, correlation.side) {
        (Some(tag), Some(side)) => format!("by {tag} on the {side}"),
        _ => "by the root".into(),
    }
}
