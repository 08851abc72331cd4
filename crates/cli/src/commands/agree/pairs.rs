//! How far two annotators agree.

use super::percent;
use treelet::table;
use treelet::use_cases::agree::{Agreement, Heads, Pair};

const HEADINGS: [&str; 10] = [
    "pair",
    "sentences",
    "comPrec 1|2",
    "comPrec 2|1",
    "softComPrec 1|2",
    "softComPrec 2|1",
    "gflAgree",
    "gflAgreeStrict",
    "tokens",
    "bounds",
];

pub(super) fn text(agreement: &Agreement) -> String {
    let mut rows: Vec<Vec<String>> = agreement.pairs.iter().map(row).collect();
    let overall = &agreement.overall;
    let n_bounds = agreement.pairs.iter().map(|pair| pair.upper_bounds).sum();
    // Means are over both directions, so that each has one cell.
    let shares = [Some(overall.com_prec), None, Some(overall.soft_com_prec), None];
    rows.push(cells("all".into(), overall.sentence_pairs, shares, &overall.heads, n_bounds));
    let mut text = table::render(&HEADINGS, &rows);
    text.push_str(
        "tokens: with a head from at least two; bounds: figures whose numbers of trees are upper bounds\n",
    );
    text
}

fn row(pair: &Pair) -> Vec<String> {
    let ([one, other], [soft_one, soft_other]) = (pair.com_prec, pair.soft_com_prec);
    let shares = [one, other, soft_one, soft_other].map(Some);
    cells(pair.annotators.join(" – "), pair.sentences, shares, &pair.heads, pair.upper_bounds)
}

fn cells(
    name: String,
    n_sentences: usize,
    shares: [Option<f64>; 4],
    heads: &Heads,
    n_bounds: usize,
) -> Vec<String> {
    let mut cells = vec![name, n_sentences.to_string()];
    cells.extend(shares.map(|share| share.map_or(String::new(), |share| percent(Some(share)))));
    cells.extend([percent(heads.agree), percent(heads.strict)]);
    cells.extend([heads.tokens, n_bounds].map(|n| n.to_string()));
    cells
}
