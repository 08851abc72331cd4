//! Partial annotations: how much they commit to, how far two of them agree, and how right they are.

use treelet::table;
use treelet::use_cases::score::AnnotationScores;

pub(super) fn text(scores: &AnnotationScores) -> String {
    let named = |name: &str| name.replace("com of", "com (named) of");
    let figures = scores.figures.iter();
    let rows: Vec<Vec<String>> =
        figures.map(|(name, value)| vec![named(name), super::percent(*value)]).collect();
    let mut text = table::render(&["measure", "%"], &rows);
    let AnnotationScores { n_sentences, n_unpaired, n_agreed_tokens, n_bounds, arcs, .. } = scores;
    text.push_str(&format!(
        "{n_sentences} sentences compared, {n_unpaired} in one file only; {n_agreed_tokens} tokens with a head in both; {} \
         arcs in test, {} in gold, {} the same\n",
        arcs.system, arcs.gold, arcs.matched
    ));
    if *n_bounds > 0 {
        text.push_str(&format!(
            "{n_bounds} counts of trees are upper bounds, so those commitments are lower bounds\n"
        ));
    }
    text
}
