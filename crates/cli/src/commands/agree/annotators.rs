//! What each annotator did.

use super::percent;
use treelet::table;
use treelet::use_cases::agree::Annotator;

const HEADINGS: [&str; 12] = [
    "annotator",
    "sentences",
    "tokens",
    "com",
    "com (named)",
    "ln trees",
    "arcs/token",
    "brackets/token",
    "roots/token",
    "arcs/hour",
    "noun heads det",
    "verb heads aux",
];

pub(super) fn text(annotators: &[Annotator], has_gold: bool) -> String {
    let mut headings = HEADINGS.to_vec();
    if has_gold {
        headings.extend(["precision", "recall"]);
    }
    table::render(&headings, &annotators.iter().map(row).collect::<Vec<_>>())
}

fn row(annotator: &Annotator) -> Vec<String> {
    let per_token = |count: usize| format!("{:.2}", annotator.per_token(count));
    let convention = |at: usize| annotator.constructions.get(at).and_then(|(_, pairs)| pairs.content_share());
    let mut row = vec![
        annotator.name.clone(),
        annotator.sentences.to_string(),
        annotator.tokens.to_string(),
        percent(annotator.commitment),
        percent(annotator.named_commitment),
        annotator.ln_trees.map_or("–".into(), |trees| format!("{trees:.1}")),
        per_token(annotator.arcs),
        per_token(annotator.brackets),
        per_token(annotator.roots),
        annotator.arcs_per_hour.map_or("–".into(), |rate| format!("{rate:.0}")),
        percent(convention(0)),
        percent(convention(1)),
    ];
    if let Some(gold) = &annotator.gold {
        row.extend([gold.precision, gold.recall].map(|share| percent(Some(share))));
    }
    row
}

/// How many words have a certain head, by their tags.
pub(super) fn by_tag(annotators: &[Annotator]) -> String {
    let completion = annotators.iter().flat_map(|annotator| &annotator.completion);
    let mut tags: Vec<&String> = completion.map(|(tag, _)| tag).collect();
    tags.sort_unstable();
    tags.dedup();
    let mut headings = vec!["tags"];
    headings.extend(annotators.iter().map(|annotator| annotator.name.as_str()));
    let cell = |annotator: &Annotator, tag: &String| {
        let found = annotator.completion.iter().find(|(other, _)| other == tag);
        percent(found.and_then(|(_, words)| words.share()))
    };
    let row = |tag: &&String| {
        let cells = annotators.iter().map(|annotator| cell(annotator, tag));
        std::iter::once(tag.to_string()).chain(cells).collect()
    };
    table::render(&headings, &tags.iter().map(row).collect::<Vec<Vec<String>>>())
}
