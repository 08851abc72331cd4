//! A fitted model: the largest loadings of each factor.

use treelet::PutInOrder;
use treelet::table::{plural, render};
use treelet::{FactorSummary, LatentValue};

const HEADINGS: [&str; 7] = ["column", "loading", "5 %", "95 %", "share", "not 0", "dimension"];

/// At most `top` columns for each factor; all if 0.
pub(super) fn text(summary: &FactorSummary, top: usize) -> String {
    let mut text = format!(
        "{}, {}, {}, {} draws of {}\n\n",
        plural(summary.scores.len(), "row"),
        plural(summary.n_modelled(), "column"),
        plural(summary.factors, "factor"),
        summary.draws,
        plural(summary.chains, "chain"),
    );
    if let Some(stack) = &summary.stack {
        text.push_str(&format!("{}\n\n", stack.words()));
    }
    for factor in 0..summary.factors {
        text.push_str(&of_factor(summary, factor, top));
        text.push('\n');
    }
    text.push_str(&summary.convergence());
    text.push('\n');
    text
}

fn of_factor(summary: &FactorSummary, factor: usize, top: usize) -> String {
    let size = |value: &LatentValue| value.loadings[factor].mean.abs();
    let mut ordered: Vec<&LatentValue> = summary.latent.iter().collect();
    ordered.order_by(|a, b| size(b).total_cmp(&size(a)));
    let n_shown = if top == 0 { ordered.len() } else { top.min(ordered.len()) };
    // Without the sparse prior no loading is exactly 0.
    let n_columns = if summary.settings.sparse { HEADINGS.len() } else { HEADINGS.len() - 2 };
    let row = |value: &&LatentValue| {
        let mut row = loading(value, factor);
        row.truncate(n_columns);
        row
    };
    let rows: Vec<Vec<String>> = ordered[..n_shown].iter().map(row).collect();
    let mut text = format!(
        "Factor {}: {:.1} % of the variance of latent values\n{}",
        factor + 1,
        100.0 * summary.factor_shares[factor],
        render(&HEADINGS[..n_columns], &rows)
    );
    if n_shown < ordered.len() {
        text.push_str(&format!("… and {} more; --top 0 shows all\n", ordered.len() - n_shown));
    }
    text
}

fn loading(value: &LatentValue, factor: usize) -> Vec<String> {
    let weight = &value.loadings[factor];
    vec![
        value.name.clone(),
        format!("{:.2}", weight.mean),
        format!("{:.2}", weight.low),
        format!("{:.2}", weight.high),
        format!("{:.0} %", 100.0 * value.shares[factor]),
        format!("{:.2}", weight.not_zero),
        format!("{:.1}", value.dimension),
    ]
}
