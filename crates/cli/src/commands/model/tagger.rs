//! Which tags follow which.

use treelet::table::{plural, render};
use treelet::{ShownTag, ShownTagger};

/// Tags that are listed after each tag.
const MOST: usize = 4;

pub(super) fn text(tagger: &ShownTagger) -> String {
    let rows: Vec<Vec<String>> = tagger.tags.iter().map(row).collect();
    let headings = ["tag", "in the dictionary", "speaks for", "speaks against"];
    format!(
        "{}\n{}, {}; weights are logarithms of factors of pairs of tags, whatever the words\n",
        render(&headings, &rows),
        plural(tagger.features, "feature"),
        plural(tagger.dictionary, "dictionary word"),
    )
}

fn row(tag: &ShownTag) -> Vec<String> {
    let likely = listed(tag.followers.iter().filter(|(_, weight)| *weight > 0.0));
    let unlikely = listed(tag.followers.iter().rev().filter(|(_, weight)| *weight < 0.0));
    vec![tag.tag.clone(), tag.words.to_string(), likely, unlikely]
}

fn listed<'a>(followers: impl Iterator<Item = &'a (String, f32)>) -> String {
    let shown = followers.take(MOST).map(|(tag, weight)| format!("{tag} {weight:+.1}"));
    shown.collect::<Vec<_>>().join(" ")
}
