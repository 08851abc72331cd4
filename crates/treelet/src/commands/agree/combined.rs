//! One annotation made of several.

use super::groups::{self, Tally};
use super::people::{Given, People};
use crate::args::study::{Agree, Combine};
use crate::commands::impute::output::Target;
use crate::imputation::annotated::{Annotated, word_ids};
use crate::imputation::rows::{id_of, set_head};
use crate::outcome::Usage;
use crate::table::plural;
use crate::terminal::Terminal;
use ::score::Counts;
use ::score::agreement::{committed_arcs, definite_heads};
use anyhow::Context;
use formats::conllu;
use formats::detect::Format;
use formats::gfl::Block;
use std::io::Write;
use std::path::Path;
use study::combine::dawid_skene::{self, dawid_skene};
use study::combine::{Combined, accuracy_weights, weighted};
use tree::sentence::UNSPECIFIED;
use tree::{Head, PartialTree, Sentence, Text};

/// So many conflicts are listed.
const MOST_LISTED: usize = 20;

/// Combines, writes, and says what was in dispute.
pub(super) fn write(
    how: Combine,
    people: &People<'_>,
    output: &Path,
    options: &Agree,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let combined = combine(how, people, options)?;
    let mut target = Target::create(output)?;
    let as_gfl = Format::from_path(output) == Some(Format::Gfl);
    let mut tally = Tally::default();
    for (place, combined) in combined.iter().enumerate() {
        let Some(sentence) = sentence(people, place, combined) else { continue };
        let annotations: Vec<&PartialTree> =
            people.annotations[place].iter().map(|(_, one)| &one.said).collect();
        let said = groups::combine(&annotations, &combined.heads, how == Combine::Union, &mut tally);
        match as_gfl {
            true => writeln!(target, "{}", Block::from_sentence(&sentence, &said)),
            false => conllu::write(&sentence, &mut target),
        }
        .with_context(|| format!("cannot write {}", output.display()))?;
    }
    target.finish(terminal)?;
    report(people, &combined, terminal);
    tally.report(as_gfl, terminal);
    Ok(())
}

fn combine(how: Combine, people: &People<'_>, options: &Agree) -> anyhow::Result<Vec<Combined>> {
    let heads = people.heads();
    let usage = |error: study::Error| anyhow::Error::from(Usage(error.to_string()));
    if how == Combine::DawidSkene {
        let sentences: Vec<dawid_skene::Annotated> = heads
            .into_iter()
            .enumerate()
            .map(|(place, annotations)| dawid_skene::Annotated { tags: people.tags(place), annotations })
            .collect();
        let model =
            dawid_skene(&sentences, people.names.len(), &dawid_skene::Options::default()).map_err(usage)?;
        return Ok(model.combined(&sentences));
    }
    let weights = match how {
        Combine::Weighted if options.gold.is_none() => {
            return Err(
                Usage("--combine weighted takes the weights from accuracy: give --gold FILE".into()).into()
            );
        }
        Combine::Weighted => accuracy_weights(&against_gold(people, &heads)),
        _ => vec![1.0; people.names.len()],
    };
    heads
        .into_iter()
        .map(|annotations| {
            let (who, lists): (Vec<usize>, Vec<Vec<Option<usize>>>) = annotations.into_iter().unzip();
            let own: Vec<f64> = who.iter().map(|&who| weights[who]).collect();
            let mut combined = weighted(&lists, &own).map_err(usage)?;
            let votes = combined.conflicts.iter_mut().flat_map(|conflict| &mut conflict.votes);
            votes.for_each(|vote| vote.annotators.iter_mut().for_each(|at| *at = who[*at]));
            Ok(combined)
        })
        .collect()
}

fn against_gold(people: &People<'_>, heads: &[Given]) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); people.names.len()];
    for (gold, annotations) in people.gold.iter().zip(heads) {
        for (who, heads) in annotations {
            counts[*who] += committed_arcs(heads, gold);
        }
    }
    counts
}

/// The rows of the first annotation with the combined heads.
fn sentence(people: &People<'_>, place: usize, combined: &Combined) -> Option<Sentence> {
    let annotations = &people.annotations[place];
    let mut sentence = annotations.first()?.1.sentence.clone();
    let ids = word_ids(&sentence);
    for (at, (token, head)) in sentence.words_mut().zip(&combined.heads).enumerate() {
        match head {
            Some(head) => {
                token.deprel = relation(annotations, at, *head);
                set_head(token, *head, &ids);
            }
            None => {
                token.head = Head::Open;
                token.deprel = UNSPECIFIED;
            }
        }
    }
    let names: Vec<&str> = annotations.iter().map(|(who, _)| people.names[*who].as_str()).collect();
    sentence.comments.push(format!("# annotators = {}", names.join(", ")).into());
    Some(sentence)
}

/// The relation that the first who gives a word this head gives it.
fn relation(annotations: &[(usize, &Annotated)], at: usize, head: usize) -> Text {
    let agreeing =
        annotations.iter().filter(|(_, one)| definite_heads(&one.said).get(at) == Some(&Some(head)));
    let mut relations = agreeing.filter_map(|(_, one)| Some(one.sentence.words().nth(at)?.deprel.clone()));
    relations.find(|relation| *relation != UNSPECIFIED).unwrap_or(UNSPECIFIED)
}

fn report(people: &People<'_>, combined: &[Combined], terminal: &Terminal) {
    let n_heads: usize = combined.iter().map(|one| one.heads.iter().flatten().count()).sum();
    let n_words: usize = combined.iter().map(|one| one.heads.len()).sum();
    let n_conflicts: usize = combined.iter().map(|one| one.conflicts.len()).sum();
    let n_refused: usize = combined.iter().map(|one| one.refused.len()).sum();
    terminal.note(&format!(
        "combined: {n_heads} of {n_words} words have a head; {} disputed, {} kept out because of cycles",
        plural(n_conflicts, "word"),
        plural(n_refused, "head")
    ));
    let all = combined
        .iter()
        .enumerate()
        .flat_map(|(place, one)| one.conflicts.iter().map(move |conflict| (place, conflict)));
    for (place, conflict) in all.take(MOST_LISTED) {
        let Some((_, annotated)) = people.annotations[place].first() else { continue };
        let ids = word_ids(&annotated.sentence);
        let form = annotated.sentence.words().nth(conflict.word - 1).map_or("", |word| word.form.as_str());
        let votes: Vec<String> = conflict
            .votes
            .iter()
            .map(|vote| {
                let names: Vec<&str> =
                    vote.annotators.iter().map(|&who| people.names[who].as_str()).collect();
                format!("{} ({})", id_of(vote.head, &ids), names.join(", "))
            })
            .collect();
        let taken =
            conflict.taken.map_or("none taken".to_string(), |head| format!("{} taken", id_of(head, &ids)));
        let key = people.keys[place].name();
        terminal.note(&format!(
            "  sentence {key}, word {} `{form}`: heads {}; {taken}",
            id_of(conflict.word, &ids),
            votes.join(", ")
        ));
    }
    if n_conflicts > MOST_LISTED {
        terminal.note(&format!("  and {} more", n_conflicts - MOST_LISTED));
    }
}
