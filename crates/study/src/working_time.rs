//! Work over time: half hours of work, sessions, and whether people tire.

use num::special::student_quantile;
use std::collections::BTreeMap;
use tree::PutInOrder;

/// A rest of so many milliseconds or more ends a session.
const REST: i64 = 30 * 60 * 1000;
/// Half an hour, in seconds.
const HALF_HOUR: f64 = 1800.0;
/// What is left at the end of a session counts as half an hour of it from so many seconds on.
const LEAST: f64 = HALF_HOUR / 2.0;
/// Half hours after the first of their session from which on a slope is told.
pub const ENOUGH: usize = 4;

/// Some work on a sentence, without idle time and pauses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkPiece {
    /// When it ended, in milliseconds since 1970.
    pub until: i64,
    /// How long it was.
    pub seconds: f64,
    /// The sentence.
    pub sentence: i64,
}

/// Work of about half an hour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkBlock {
    /// How long it was.
    pub seconds: f64,
    /// What share of all the work on each sentence was done in it.
    pub shares: BTreeMap<i64, f64>,
}

/// All the work of an annotator, in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkingTime {
    pieces: Vec<WorkPiece>,
}

impl WorkingTime {
    /// Pieces of work in any order; what took no time is left out.
    pub fn new(pieces: impl IntoIterator<Item = WorkPiece>) -> Self {
        let mut pieces: Vec<WorkPiece> = pieces.into_iter().filter(|piece| piece.seconds > 0.0).collect();
        pieces.order_by_key(|piece| piece.until);
        Self { pieces }
    }

    /// All of it.
    pub fn seconds(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.seconds).sum()
    }

    /// Seconds of work that were done at a time.
    pub fn seconds_until(&self, at: i64) -> f64 {
        self.pieces.iter().filter(|piece| piece.until <= at).map(|piece| piece.seconds).sum()
    }

    /// The half hour of work, from 0, that a time falls into; nothing where nobody worked.
    pub fn half_hour_of(&self, at: i64) -> Option<usize> {
        let all = self.seconds();
        if all <= 0.0 {
            return None;
        }
        // What is finished when a half hour is full belongs to it.
        let before = self.seconds_until(at);
        let full = (before / HALF_HOUR).floor();
        Some(if full > 0.0 && before <= full * HALF_HOUR { full - 1.0 } else { full } as usize)
    }

    /// Half hours of work, one after the other; the last may be shorter.
    pub fn half_hours(&self) -> Vec<WorkBlock> {
        half_hours(&self.pieces, &self.totals())
    }

    /// Seconds of work at which sessions end, but for the last.
    pub fn breaks(&self) -> Vec<f64> {
        let mut done = 0.0;
        let mut breaks = Vec::new();
        for session in self.sessions().split_last().map_or(&[][..], |(_, rest)| rest) {
            done += session.iter().map(|piece| piece.seconds).sum::<f64>();
            breaks.push(done);
        }
        breaks
    }

    /// The half hours of each session; what is left at its end counts if it is long enough.
    pub fn half_hours_of_sessions(&self) -> Vec<Vec<WorkBlock>> {
        let totals = self.totals();
        let blocks = |session: &&[WorkPiece]| {
            let mut blocks = half_hours(session, &totals);
            blocks.retain(|block| block.seconds >= LEAST);
            blocks
        };
        self.sessions().iter().map(blocks).collect()
    }

    /// Work without a long rest in it.
    fn sessions(&self) -> Vec<&[WorkPiece]> {
        let goes_on = |one: &WorkPiece, next: &WorkPiece| {
            let begin = next.until.saturating_sub((next.seconds * 1000.0) as i64);
            begin.saturating_sub(one.until) < REST
        };
        self.pieces.chunk_by(goes_on).collect()
    }

    /// Seconds of work on each sentence.
    fn totals(&self) -> BTreeMap<i64, f64> {
        let mut totals = BTreeMap::new();
        for piece in &self.pieces {
            *totals.entry(piece.sentence).or_default() += piece.seconds;
        }
        totals
    }
}

fn half_hours(pieces: &[WorkPiece], totals: &BTreeMap<i64, f64>) -> Vec<WorkBlock> {
    let mut blocks: Vec<WorkBlock> = Vec::new();
    for piece in pieces {
        let total = totals.get(&piece.sentence).copied().unwrap_or(piece.seconds);
        let mut left = piece.seconds;
        while left > 0.0 {
            if blocks.last().is_none_or(|block| block.seconds >= HALF_HOUR) {
                blocks.push(WorkBlock::default());
            }
            let Some(block) = blocks.last_mut() else { break };
            let room = HALF_HOUR - block.seconds;
            let taken = left.min(room);
            // A block is full to the last bit, so that rounding never makes blocks of nothing.
            block.seconds = if taken < room { block.seconds + taken } else { HALF_HOUR };
            *block.shares.entry(piece.sentence).or_default() += taken / total;
            left -= taken;
        }
    }
    blocks
}

/// How speed changes in the course of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiring {
    /// By what share speed changes with each half hour; below 0 people slow down.
    pub per_half_hour: f64,
    /// Where that lies with a probability of 95 %.
    pub interval: [f64; 2],
}

/// Whether people tire: speeds of the half hours of some sessions, in their order.
///
/// ln v(s, k) = a(s) + b k + ε: each session s has a speed of its own, so that what is learned from session to session is no recovery; b is
/// fitted by least squares, with a t interval. `None` while there are fewer than [`ENOUGH`] half hours besides the first ones of their
/// sessions.
pub fn tiring(sessions: &[Vec<f64>]) -> Option<Tiring> {
    let (mut xx, mut xy, mut yy, mut n_rest) = (0.0, 0.0, 0.0, 0);
    for session in sessions {
        let points: Vec<(f64, f64)> = (0..)
            .map(f64::from)
            .zip(session)
            .filter(|(_, speed)| speed.is_finite() && **speed > 0.0)
            .map(|(at, speed)| (at, speed.ln()))
            .collect();
        let n = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
        for point in &points {
            xx += (point.0 - x) * (point.0 - x);
            xy += (point.0 - x) * (point.1 - y);
            yy += (point.1 - y) * (point.1 - y);
        }
        n_rest += points.len().saturating_sub(1);
    }
    if n_rest < ENOUGH || xx <= 0.0 {
        return None;
    }
    let slope = xy / xx;
    let degrees = (n_rest - 1) as f64;
    let error = ((yy - slope * xy).max(0.0) / degrees / xx).sqrt();
    let wide = student_quantile(0.975, degrees) * error;
    let share = |logarithm: f64| logarithm.exp_m1();
    Some(Tiring { per_half_hour: share(slope), interval: [share(slope - wide), share(slope + wide)] })
}

#[cfg(test)]
mod tests;
