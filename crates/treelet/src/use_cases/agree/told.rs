//! What annotators say differently, and what was taken of it.

use super::people::People;
use crate::imputation::annotated::word_ids;
use crate::imputation::rows::id_of;
use crate::table::plural;
use crate::watch::Watch;
use study::combine::{Combined, Conflict, Refused, Vote};
use tree::provenance::Column;

/// So many conflicts are listed.
const MOST_LISTED: usize = 20;

/// A column of a word of which people say different things, with how many say what; the first was taken.
pub(crate) struct Dispute {
    pub(super) place: usize,
    pub(crate) word: usize,
    pub(crate) column: Column,
    pub(super) votes: Vec<(String, usize)>,
}

impl Dispute {
    pub(crate) fn is_tie(&self) -> bool {
        matches!(&self.votes[..], [(_, one), (_, other), ..] if one == other)
    }
}

/// How often people say different things of other columns than the head, and some of it.
pub(super) fn disputes(people: &People<'_>, disputes: &[Dispute], watch: &dyn Watch) {
    for column in Column::ALL {
        let of_column: Vec<&Dispute> = disputes.iter().filter(|dispute| dispute.column == column).collect();
        if of_column.is_empty() {
            continue;
        }
        let n_ties = of_column.iter().filter(|dispute| dispute.is_tie()).count();
        let taken = match n_ties {
            0 => "the majority's taken".to_string(),
            n if n == of_column.len() => "without a majority; the first annotator's taken".into(),
            n => format!("the majority's taken, and the first annotator's in {}", plural(n, "tie")),
        };
        let name = format!("{column:?}").to_uppercase();
        watch.note(&format!("{name}: {} in dispute, {taken}", plural(of_column.len(), "word")));
        for dispute in of_column.iter().take(MOST_LISTED / 4) {
            let votes: Vec<String> =
                dispute.votes.iter().map(|(value, count)| format!("{value} ({count})")).collect();
            let taken = dispute.votes.first().map_or("none", |(value, _)| value);
            let how = if dispute.is_tie() { ", the first in a tie" } else { "" };
            let word = word(people, dispute.place, dispute.word + 1);
            watch.note(&format!("  {word}: {}; {taken} taken{how}", votes.join(", ")));
        }
    }
}

/// How many words have a head, which heads were in dispute, and which a cycle kept out.
pub(super) fn heads(people: &People<'_>, combined: &[Combined], watch: &dyn Watch) {
    let n_heads: usize = combined.iter().map(|one| one.heads.iter().flatten().count()).sum();
    let n_words: usize = combined.iter().map(|one| one.heads.len()).sum();
    let conflicts: Vec<(usize, &Conflict)> = all(combined, |one| &one.conflicts);
    let refused: Vec<(usize, &Refused)> = all(combined, |one| &one.refused);
    let n_ties = conflicts.iter().filter(|(_, conflict)| tied(conflict).is_some()).count();
    let ties = if n_ties > 0 { format!(" ({})", plural(n_ties, "tie")) } else { String::new() };
    watch.note(&format!(
        "combined: {n_heads} of {n_words} words have a head; {} disputed{ties}, {} kept out because of cycles",
        plural(conflicts.len(), "word"),
        plural(refused.len(), "head")
    ));
    list(&conflicts, watch, |place, conflict| in_conflict(people, place, conflict));
    list(&refused, watch, |place, refused| kept_out(people, place, refused));
}

fn all<T>(combined: &[Combined], of: fn(&Combined) -> &Vec<T>) -> Vec<(usize, &T)> {
    let numbered = combined.iter().enumerate();
    numbered.flat_map(|(place, one)| of(one).iter().map(move |item| (place, item))).collect()
}

fn list<T>(items: &[(usize, &T)], watch: &dyn Watch, line: impl Fn(usize, &T) -> String) {
    for (place, item) in items.iter().take(MOST_LISTED) {
        watch.note(&line(*place, item));
    }
    if items.len() > MOST_LISTED {
        watch.note(&format!("  and {} more", items.len() - MOST_LISTED));
    }
}

fn in_conflict(people: &People<'_>, place: usize, conflict: &Conflict) -> String {
    let heads: Vec<String> =
        conflict.votes.iter().map(|vote| given(people, place, vote.head, &vote.annotators)).collect();
    let taken =
        conflict.taken.map_or("none taken".to_string(), |head| format!("{} taken", id(people, place, head)));
    let first = tied(conflict).and_then(|vote| vote.annotators.first());
    let how = first.map_or(String::new(), |&who| format!(", of a tie that of {}", people.names[who]));
    format!("  {}: heads {}; {taken}{how}", word(people, place, conflict.word), heads.join(", "))
}

fn kept_out(people: &People<'_>, place: usize, refused: &Refused) -> String {
    let head = given(people, place, refused.head, &refused.annotators);
    let cycle = refused.cycle.iter().chain([&refused.word]);
    let cycle: Vec<String> = cycle.map(|&word| id(people, place, word)).collect();
    format!(
        "  {}: head {head} kept out, since it closes the cycle {}",
        word(people, place, refused.word),
        cycle.join(" → ")
    )
}

/// The vote that was taken, if another has the same weight.
fn tied(conflict: &Conflict) -> Option<&Vote> {
    let taken = conflict.votes.iter().find(|vote| Some(vote.head) == conflict.taken)?;
    let is_as_heavy = |vote: &&Vote| (vote.weight - taken.weight).abs() < 1e-9;
    (conflict.votes.iter().filter(is_as_heavy).count() > 1).then_some(taken)
}

/// A head and who gave it.
fn given(people: &People<'_>, place: usize, head: usize, annotators: &[usize]) -> String {
    let names: Vec<&str> = annotators.iter().map(|&who| people.names[who].as_str()).collect();
    format!("{} ({})", id(people, place, head), names.join(", "))
}

/// A word as its rows number it.
fn id(people: &People<'_>, place: usize, word: usize) -> String {
    let first = people.annotations[place].first();
    first.map_or_else(|| word.to_string(), |(_, one)| id_of(word, &word_ids(&one.sentence)).to_string())
}

/// The sentence, the number and the form of a word.
fn word(people: &People<'_>, place: usize, word: usize) -> String {
    let first = people.annotations[place].first();
    let form =
        first.and_then(|(_, one)| one.sentence.words().nth(word - 1)).map_or("", |word| word.form.as_str());
    format!("sentence {}, word {} `{form}`", people.keys[place].name(), id(people, place, word))
}
