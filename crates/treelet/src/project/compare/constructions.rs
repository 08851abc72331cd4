//! How constructions are analysed, and which words have heads.

use super::figures::{Compared, OfSentence};
use super::relations;
use super::scope::{Scope, Whom};
use crate::project::voices::{SaidOf, Voices};
use score::Accuracy;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use study::statistics::{Analysed, AnalysedWords, Definition};
use tree::PutTogether;
use tree::Text;

/// How often a construction was analysed in which way, and how far annotators agree on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstructionCounts {
    /// The construction.
    pub construction: String,
    /// Who analysed it.
    pub of: Whom,
    /// Pairs of words that are analysed as its definition is written.
    pub as_written: usize,
    /// Pairs that are analysed the other way round.
    pub turned_round: usize,
    /// The share of these that are as written.
    pub share: Option<f64>,
    /// The share of pairs of words that two annotators analyse alike: as written, turned round, or not as this construction at all.
    pub agreed: Option<f64>,
    /// Pairs of words that at least one of two annotators takes for it, and of which it is known what the other makes of them.
    pub compared: usize,
}

/// Words of a tag, and how many of them have a head.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompletionOfTag {
    /// The tag.
    pub tag: String,
    /// Whose words.
    pub of: Whom,
    /// Words whose head is certain.
    pub with_head: usize,
    /// All words.
    pub words: usize,
}

/// What was counted of a construction.
#[derive(Clone, Copy, Default)]
struct ConstructionTally {
    as_written: usize,
    turned_round: usize,
    agreed: usize,
    compared: usize,
}

pub(super) fn of_scopes(
    voices: &Voices,
    compared: &Compared,
    scopes: &[Scope],
    definitions: &[Definition],
) -> Vec<ConstructionCounts> {
    let mut counts = Vec::new();
    for definition in definitions {
        let mut tallies = vec![ConstructionTally::default(); scopes.len()];
        for ((of, figures), tags) in voices.sentences.iter().zip(&compared.sentences).zip(&compared.tags) {
            add(definition, of, figures, tags, scopes, &mut tallies);
        }
        counts.extend(scopes.iter().zip(tallies).map(|(scope, tally)| {
            let share = |part: usize, all: usize| (all > 0).then(|| part as f64 / all as f64);
            ConstructionCounts {
                construction: definition.name.to_string(),
                of: scope.whom.clone(),
                as_written: tally.as_written,
                turned_round: tally.turned_round,
                share: share(tally.as_written, tally.as_written + tally.turned_round),
                agreed: share(tally.agreed, tally.compared),
                compared: tally.compared,
            }
        }));
    }
    counts
}

/// Adds what was said of a sentence. Tags are those that most annotators have, so that all are looked at alike.
fn add(
    definition: &Definition,
    of: &SaidOf,
    figures: &OfSentence,
    tags: &[Text],
    scopes: &[Scope],
    tallies: &mut [ConstructionTally],
) {
    let relations: Vec<Vec<Option<Text>>> = of.voices.iter().map(relations).collect();
    let words: Vec<AnalysedWords<'_>> = figures
        .of_voices
        .iter()
        .zip(&relations)
        .map(|(one, relations)| AnalysedWords { forms: &of.forms, tags, heads: &one.heads, relations })
        .collect();
    let found: Vec<Vec<(usize, usize, Analysed)>> = words.iter().map(|one| definition.found(one)).collect();
    for (voice, found) in of.voices.iter().zip(&found) {
        let count = |wanted| found.iter().filter(|(_, _, analysed)| *analysed == wanted).count();
        let (as_written, turned_round) = (count(Analysed::AsWritten), count(Analysed::TurnedRound));
        for (_, tally) in
            scopes.iter().zip(&mut *tallies).filter(|(scope, _)| scope.members.contains(&voice.who))
        {
            tally.as_written += as_written;
            tally.turned_round += turned_round;
        }
    }
    for &(one, other) in figures.of_pairs.keys() {
        let pairs: BTreeSet<(usize, usize)> =
            found[one].iter().chain(&found[other]).map(|&(low, high, _)| (low, high)).into_set();
        let both = pairs.into_iter().filter_map(|(low, high)| {
            let analysed = |at: usize| definition.analysed(&words[at], low, high);
            Some((analysed(one)?, analysed(other)?))
        });
        let both: Vec<(Analysed, Analysed)> = both.collect();
        let n_alike = both.iter().filter(|(one, other)| one == other).count();
        let [who, whose] = [one, other].map(|at| of.voices[at].who);
        for (_, tally) in
            scopes.iter().zip(&mut *tallies).filter(|(scope, _)| scope.sides(who, whose) != [false; 2])
        {
            tally.compared += both.len();
            tally.agreed += n_alike;
        }
    }
}

/// How many words of each tag have a head.
pub(super) fn completion(voices: &Voices, compared: &Compared, scopes: &[Scope]) -> Vec<CompletionOfTag> {
    let mut counts: BTreeMap<(&Text, usize), Accuracy> = BTreeMap::new();
    for ((of, figures), tags) in voices.sentences.iter().zip(&compared.sentences).zip(&compared.tags) {
        for (voice, of_voice) in of.voices.iter().zip(&figures.of_voices) {
            let is_hers = |scope: &Scope| scope.members.contains(&voice.who);
            for (at, _) in scopes.iter().enumerate().filter(|(_, scope)| is_hers(scope)) {
                for (tag, head) in tags.iter().zip(&of_voice.heads) {
                    counts.entry((tag, at)).or_default().add(head.is_some());
                }
            }
        }
    }
    let row = |((tag, at), words): ((&Text, usize), Accuracy)| CompletionOfTag {
        tag: tag.to_string(),
        of: scopes[at].whom.clone(),
        with_head: words.correct,
        words: words.total,
    };
    counts.into_iter().map(row).collect()
}
