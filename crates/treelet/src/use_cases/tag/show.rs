//! `treelet model show` of a tagger.

use super::model::TaggerModel;
use crate::options::parse::ModelInfo;
use crate::outcome::Outcome;
use crate::table::{self, plural};
use crate::watch::Watch;
use serde_json::{Value, json};
use tag::Choice;
use tree::Text;

/// Tags that are listed after each tag.
const MOST: usize = 4;

/// A tag, how many words of the dictionary have it, and what its pairs with other tags weigh.
struct Portrait<'m> {
    tag: &'m Text,
    n_words: usize,
    /// The heaviest first.
    followers: Vec<(&'m Text, f32)>,
}

pub fn run(options: &ModelInfo, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let model = TaggerModel::read(&options.file)?;
    let portraits: Vec<Portrait<'_>> =
        (0..model.tags().len() as u32).map(|tag| portrait(&model, tag)).collect();
    watch.print(&match options.json {
        true => format!("{:#}\n", objects(&model, &portraits)),
        false => text(&model, &portraits),
    })?;
    Ok(Outcome::Fine)
}

fn portrait(model: &TaggerModel, tag: u32) -> Portrait<'_> {
    let has = |choice: &&Choice| matches!(choice, Choice::Among(tags) if tags.contains(&tag));
    let mut followers: Vec<(&Text, f32)> = model.tags().names().zip(model.tagger.followers(tag)).collect();
    followers.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    Portrait {
        tag: model.tags().name(tag),
        n_words: model.dictionary.values().filter(has).count(),
        followers,
    }
}

fn text(model: &TaggerModel, portraits: &[Portrait<'_>]) -> String {
    let listed = |followers: &mut dyn Iterator<Item = &(&Text, f32)>| {
        let shown = followers.take(MOST).map(|(tag, weight)| format!("{tag} {weight:+.1}"));
        shown.collect::<Vec<_>>().join(" ")
    };
    let row = |portrait: &Portrait<'_>| {
        let (followers, n_words) = (&portrait.followers, portrait.n_words.to_string());
        let likely = listed(&mut followers.iter().filter(|(_, weight)| *weight > 0.0));
        let unlikely = listed(&mut followers.iter().rev().filter(|(_, weight)| *weight < 0.0));
        vec![portrait.tag.to_string(), n_words, likely, unlikely]
    };
    let rows: Vec<Vec<String>> = portraits.iter().map(row).collect();
    let headings = ["tag", "in the dictionary", "speaks for", "speaks against"];
    format!(
        "{}\n{}, {}; weights are logarithms of factors of pairs of tags, whatever the words\n",
        table::render(&headings, &rows),
        plural(model.tagger.n_features(), "feature"),
        plural(model.dictionary.len(), "dictionary word"),
    )
}

fn objects(model: &TaggerModel, portraits: &[Portrait<'_>]) -> Value {
    let tags = portraits.iter().map(|portrait| {
        let followers = portrait.followers.iter().map(|(tag, weight)| (tag.to_string(), json!(weight)));
        json!({
            "tag": portrait.tag.as_str(),
            "words": portrait.n_words,
            "followers": Value::Object(followers.collect()),
        })
    });
    json!({
        "tags": tags.collect::<Vec<_>>(),
        "features": model.tagger.n_features(),
        "dictionary": model.dictionary.len(),
        "notes": model.notes,
    })
}
