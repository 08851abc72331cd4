//! One annotation made of several.

use super::groups::{self, Tally};
use super::people::{Given, People};
use super::rest::Left;
use super::told::{self, Dispute};
use crate::imputation::annotated::word_ids;
use crate::imputation::rows::id_of;
use crate::options::study::{Agree, Combine};
use crate::outcome::Usage;
use crate::target::Target;
use crate::watch::Watch;
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
use tree::PutInOrder;
use tree::provenance::{Author, Column};
use tree::sentence::UNSPECIFIED;
use tree::{Head, PartialTree, Sentence, Token};

/// Combines, writes, and says what was in dispute.
pub(super) fn write(
    how: Combine,
    people: &People<'_>,
    output: &Path,
    options: &Agree,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let combined = combine(how, people, options.gold.is_some())?;
    let mut target = Target::create(output)?;
    let as_gfl = Format::from_path(output) == Some(Format::Gfl);
    let mut tally = Tally::default();
    let mut disputes = Vec::new();
    let mut left = Left::default();
    for (place, combined) in combined.iter().enumerate() {
        let made = MadeOne::new(people, place, combined, how == Combine::Union, &mut tally);
        let Some(MadeOne { mut sentence, said, disputes: found }) = made else { continue };
        disputes.extend(found);
        let others: Vec<&Sentence> =
            people.annotations[place][1..].iter().map(|(_, one)| &one.sentence).collect();
        left.merge(&mut sentence, &others);
        match as_gfl {
            true => writeln!(target, "{}", Block::from_sentence(&sentence, &said)),
            false => {
                formats::gfl::comments::to_comments(&said, &mut sentence);
                conllu::write(&sentence, &mut target)
            }
        }
        .with_context(|| format!("cannot write {}", output.display()))?;
    }
    target.finish(watch)?;
    told::heads(people, &combined, watch);
    told::disputes(people, &disputes, watch);
    tally.report(watch);
    left.report(watch);
    Ok(())
}

/// What several annotators say of a sentence, made one.
pub(crate) struct MadeOne {
    /// The rows of the first with the combined heads, and in all other columns what most people say.
    pub(crate) sentence: Sentence,
    /// Heads and groups.
    pub(crate) said: PartialTree,
    /// Columns other than the head of which people say different things.
    pub(crate) disputes: Vec<Dispute>,
}

impl MadeOne {
    /// With the groups of a majority, or with anyone's; `None` if nobody annotated the sentence.
    pub(crate) fn new(
        people: &People<'_>,
        place: usize,
        combined: &Combined,
        anyones: bool,
        tally: &mut Tally,
    ) -> Option<Self> {
        let mut disputes = Vec::new();
        let sentence = sentence(people, place, combined, &mut disputes)?;
        let annotations: Vec<&PartialTree> =
            people.annotations[place].iter().map(|(_, one)| &one.said).collect();
        let said = groups::combine(&annotations, &combined.heads, anyones, tally);
        Some(Self { sentence, said, disputes })
    }
}

/// The heads of every sentence.
pub(crate) fn combine(how: Combine, people: &People<'_>, has_gold: bool) -> anyhow::Result<Vec<Combined>> {
    let heads = people.said_heads();
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
        Combine::Weighted if !has_gold => {
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
            let lists = votes.map(|vote| &mut vote.annotators);
            let lists = lists.chain(combined.refused.iter_mut().map(|refused| &mut refused.annotators));
            lists.flatten().for_each(|at| *at = who[*at]);
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

/// The rows of the first annotation with the combined heads, and in all other columns what most people say.
fn sentence(
    people: &People<'_>,
    place: usize,
    combined: &Combined,
    disputes: &mut Vec<Dispute>,
) -> Option<Sentence> {
    let annotations = &people.annotations[place];
    let mut sentence = annotations.first()?.1.sentence.clone();
    let ids = word_ids(&sentence);
    let heads: Vec<Vec<Option<usize>>> =
        annotations.iter().map(|(_, one)| definite_heads(&one.said)).collect();
    for (at, (token, head)) in sentence.words_mut().zip(&combined.heads).enumerate() {
        let others: Vec<&Token> =
            annotations.iter().filter_map(|(_, one)| one.sentence.words().nth(at)).collect();
        for column in [Column::Lemma, Column::Upos, Column::Xpos, Column::Feats] {
            disputes.extend(vote(token, column, &others).map(|votes| Dispute {
                place,
                word: at,
                column,
                votes,
            }));
        }
        // A relation belongs to its head: only those are asked who gave the head that was taken.
        let agreeing: Vec<&Token> = others
            .iter()
            .zip(&heads)
            .filter(|(_, heads)| heads.get(at).copied().flatten() == *head)
            .map(|(token, _)| *token)
            .collect();
        Column::Deprel.unmark(token);
        token.deprel = UNSPECIFIED;
        let column = Column::Deprel;
        disputes.extend(vote(token, column, &agreeing).map(|votes| Dispute {
            place,
            word: at,
            column,
            votes,
        }));
        token.head = head.map_or(Head::Open, |head| Head::Of(id_of(head, &ids)));
    }
    let names: Vec<&str> = annotations.iter().map(|(who, _)| people.names[*who].as_str()).collect();
    sentence.comments.push(format!("# annotators = {}", names.join(", ")).into());
    Some(sentence)
}

/// Gives a column the value that most people give it, in a tie that of the first of them; what machines say counts only
/// where nobody says anything. Returns the votes if there is a dispute.
fn vote(token: &mut Token, column: Column, given: &[&Token]) -> Option<Vec<(String, usize)>> {
    let people = given.iter().filter(|other| column.author(other) == Author::Person);
    let mut votes: Vec<(String, usize)> = Vec::new();
    for value in people.filter_map(|other| column.value(other)) {
        match votes.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => votes.push((value.into_owned(), 1)),
        }
    }
    votes.order_by_key(|&(_, count)| std::cmp::Reverse(count));
    let taken = match votes.first() {
        Some((value, _)) => given.iter().find(|other| {
            column.author(other) == Author::Person && column.value(other).as_deref() == Some(value)
        }),
        None => given.iter().find(|other| column.value(other).is_some()),
    };
    if let Some(taken) = taken {
        column.copy(taken, token);
    }
    (votes.len() > 1).then_some(votes)
}
