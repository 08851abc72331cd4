//! Half hours of work, one after the other.

use super::figures::Compared;
use super::scope::{Scope, Whom};
use super::sums::{AgreementSums, Measure};
use crate::project::voices::Voices;
use serde::Serialize;
use std::collections::BTreeMap;
use study::statistics::{Densities, Record};
use study::working_time::{Tiring, WorkBlock, tiring};
use tree::PutTogether;

/// How the work of some annotators went on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkCourse {
    /// Whose.
    pub of: Whom,
    /// The first half hour of each of them, the second, and so on.
    pub half_hours: Vec<HalfHour>,
    /// Hours of work and words that were annotated by then; of one annotator only.
    pub words_over_time: Vec<(f64, usize)>,
    /// Hours of work after which there was a long rest; of one annotator only.
    pub breaks: Vec<f64>,
    /// Half hours of a session, the first of each together, the second, and so on.
    pub sessions: Vec<OfSession>,
    /// By what share speed changes from one half hour of a session to the next; nothing while there are too few.
    pub change: Option<f64>,
    /// Where that lies with a probability of 95 %.
    pub change_interval: Option<[f64; 2]>,
    /// Half hours after the first of their sessions: what that is learned from.
    pub later_half_hours: usize,
}

/// Half an hour of work; the last may be shorter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HalfHour {
    /// Which, from 1.
    pub n: usize,
    /// Seconds of work in it, of all annotators together.
    pub seconds: f64,
    /// Words gone through in an hour. A sentence on which somebody worked in two half hours counts in both, by the share of time.
    pub words_per_hour: f64,
    /// The same for sentences.
    pub sentences_per_hour: f64,
    /// Sentences that were finished in it: what follows is about these.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// Heads that were said, for each word: arcs, and roots.
    pub heads_per_word: Option<f64>,
    /// Blocks for each word.
    pub blocks_per_word: Option<f64>,
    /// Agreement, with what others said at any time.
    pub measures: Vec<Measure>,
}

/// Half hours of sessions that are at the same place in their session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfSession {
    /// Which, from 1.
    pub n: usize,
    /// Sessions that had one.
    pub sessions: usize,
    /// Speed in words an hour, the first half hour of the same session being 1; the mean.
    pub speed: f64,
}

impl WorkCourse {
    pub(super) fn new(voices: &Voices, compared: &Compared, scope: &Scope) -> Self {
        let lengths = scope.members.iter().map(|&who| (who, words_of(voices, who))).into_map();
        let sessions: Vec<Vec<f64>> = scope
            .members
            .iter()
            .flat_map(|who| {
                let sessions = voices.times[*who].half_hours_of_sessions();
                let speed = |block: &WorkBlock| words_in(block, &lengths[who]) * 3600.0 / block.seconds;
                sessions.into_iter().map(move |blocks| blocks.iter().map(speed).collect())
            })
            .collect();
        let found = tiring(&sessions);
        let alone = scope.members.first().copied().filter(|_| scope.with_everybody);
        Self {
            of: scope.whom.clone(),
            half_hours: half_hours(voices, compared, scope, &lengths),
            words_over_time: alone.map(|who| words_over_time(voices, who)).unwrap_or_default(),
            breaks: alone.map(|who| hours(voices.times[who].breaks())).unwrap_or_default(),
            later_half_hours: sessions.iter().map(|session| session.len().saturating_sub(1)).sum(),
            sessions: of_sessions(&sessions),
            change: found.map(|Tiring { per_half_hour, .. }| per_half_hour),
            change_interval: found.map(|Tiring { interval, .. }| interval),
        }
    }
}

fn hours(seconds: Vec<f64>) -> Vec<f64> {
    seconds.into_iter().map(|seconds| seconds / 3600.0).collect()
}

/// The words of each sentence that somebody annotated.
fn words_of(voices: &Voices, who: usize) -> BTreeMap<i64, usize> {
    let hers = voices.sentences.iter().filter(|of| of.voices.iter().any(|voice| voice.who == who));
    hers.map(|of| (of.id, of.forms.len())).collect()
}

/// Words that were gone through, sentences by their shares.
fn words_in(block: &WorkBlock, lengths: &BTreeMap<i64, usize>) -> f64 {
    let words = |(id, share): (&i64, &f64)| Some(share * *lengths.get(id)? as f64);
    block.shares.iter().filter_map(words).sum()
}

fn sentences_in(block: &WorkBlock, lengths: &BTreeMap<i64, usize>) -> f64 {
    block.shares.iter().filter(|(id, _)| lengths.contains_key(id)).map(|(_, share)| share).sum()
}

fn half_hours(
    voices: &Voices,
    compared: &Compared,
    scope: &Scope,
    lengths: &BTreeMap<usize, BTreeMap<i64, usize>>,
) -> Vec<HalfHour> {
    let blocks: BTreeMap<usize, Vec<WorkBlock>> =
        scope.members.iter().map(|&who| (who, voices.times[who].half_hours())).into_map();
    let n_blocks = blocks.values().map(Vec::len).max().unwrap_or(0);
    // The half hour in which each sentence was finished, by places of sentences and annotators.
    let mut finished: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (place, of) in voices.sentences.iter().enumerate() {
        for voice in of.voices.iter().filter(|voice| scope.members.contains(&voice.who)) {
            let at = voice.changed_at.and_then(|at| voices.times[voice.who].half_hour_of(at));
            finished.extend(at.map(|at| ((place, voice.who), at)));
        }
    }
    let half_hour = |n: usize| {
        let here = || blocks.iter().filter_map(|(who, blocks)| Some((blocks.get(n)?, &lengths[who])));
        let seconds: f64 = here().map(|(block, _)| block.seconds).sum();
        let an_hour = |count: f64| if seconds > 0.0 { count * 3600.0 / seconds } else { 0.0 };
        let is_in = |place: usize, who: usize| finished.get(&(place, who)) == Some(&n);
        let densities = densities(voices, &is_in);
        let sums = AgreementSums::of(voices, compared, scope, Some(&is_in));
        let per_word =
            |count: usize| (densities.n_tokens > 0).then(|| count as f64 / densities.n_tokens as f64);
        HalfHour {
            n: n + 1,
            seconds,
            words_per_hour: an_hour(here().map(|(block, lengths)| words_in(block, lengths)).sum()),
            sentences_per_hour: an_hour(here().map(|(block, lengths)| sentences_in(block, lengths)).sum()),
            sentences: densities.n_sentences,
            words: densities.n_tokens,
            heads_per_word: per_word(densities.n_arcs + densities.n_roots),
            blocks_per_word: per_word(
                densities.n_brackets + densities.n_multiwords + densities.n_coordinations,
            ),
            measures: sums.measures(),
        }
    };
    (0..n_blocks).map(half_hour).collect()
}

fn densities(voices: &Voices, is_in: &dyn Fn(usize, usize) -> bool) -> Densities {
    let mut sum = Densities::default();
    for (place, of) in voices.sentences.iter().enumerate() {
        for voice in of.voices.iter().filter(|voice| is_in(place, voice.who)) {
            sum += Densities::of(&Record { said: voice.annotated.said.clone(), ..Record::default() });
        }
    }
    sum
}

/// Words that were annotated by the time each sentence was finished.
fn words_over_time(voices: &Voices, who: usize) -> Vec<(f64, usize)> {
    let time = &voices.times[who];
    let mut finished: Vec<(i64, usize)> = voices
        .sentences
        .iter()
        .filter_map(|of| {
            let voice = of.voices.iter().find(|voice| voice.who == who)?;
            Some((voice.changed_at?, of.forms.len()))
        })
        .collect();
    if time.seconds() <= 0.0 {
        return Vec::new();
    }
    finished.sort_unstable();
    let mut n_words = 0;
    let mut points = vec![(0.0, 0)];
    points.extend(finished.into_iter().map(|(at, n)| {
        n_words += n;
        (time.seconds_until(at) / 3600.0, n_words)
    }));
    points
}

fn of_sessions(sessions: &[Vec<f64>]) -> Vec<OfSession> {
    let longest = sessions.iter().map(Vec::len).max().unwrap_or(0);
    let at = |n: usize| {
        let relative =
            |session: &Vec<f64>| Some(session.get(n)? / session.first().filter(|first| **first > 0.0)?);
        let speeds: Vec<f64> = sessions.iter().filter_map(relative).collect();
        let speed = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
        OfSession { n: n + 1, sessions: speeds.len(), speed }
    };
    (0..longest).map(at).filter(|one| one.sessions > 0).collect()
}
