//! How long the work takes: by published times at first, by the project's own as soon as there are enough.

use super::Fault;
use super::desk::{Inner, MERGED};
use super::store::AnalysisKey;
use serde::Serialize;
use study::timing::{Rates, Timed};

/// Seconds for a word that is read, a head and a relation that are said: the middle of what two annotators took who corrected trees
/// (1.6 to 2.8, 9 to 16, 10 to 14).
const PUBLISHED: [f64; 3] = [2.2, 12.5, 12.0];

/// How fast a project is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pace {
    /// Seconds for each word of a sentence.
    pub per_word: f64,
    /// Seconds more for each head that is said by hand.
    pub per_head: f64,
    /// Seconds more for each relation that is said by hand.
    pub per_relation: f64,
    /// Sentences of this project that this was learned from; 0 while there are too few, and published times are taken.
    pub n_timed: usize,
    /// Heads that are said by hand, for each word of a sentence that is handed in.
    pub heads_per_word: f64,
    /// The same for relations.
    pub relations_per_word: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(&Rates::before(PUBLISHED), 1.0, 0.0)
    }
}

impl Pace {
    fn new(rates: &Rates<3>, heads_per_word: f64, relations_per_word: f64) -> Self {
        let [per_word, per_head, per_relation] = rates.seconds;
        Self { per_word, per_head, per_relation, n_timed: rates.n_timed, heads_per_word, relations_per_word }
    }

    /// Seconds for a sentence in which so many heads will be said by hand.
    pub fn seconds(&self, n_words: usize, n_heads: f64) -> f64 {
        let n_words = n_words as f64;
        self.per_word * n_words
            + self.per_head * n_heads
            + self.per_relation * self.relations_per_word * n_words
    }

    /// Seconds for so many words as they have been annotated so far.
    pub fn seconds_for(&self, n_words: usize) -> f64 {
        self.seconds(n_words, self.heads_per_word * n_words as f64)
    }

    /// What sentences say that were handed in.
    fn learn(timed: &[Timed<3>]) -> Self {
        let sum = |i: usize| timed.iter().map(|one| one.counts[i]).sum::<f64>();
        let n_words = sum(0);
        let rates = Rates::learn(PUBLISHED, timed);
        if n_words == 0.0 {
            return Self::default();
        }
        Self::new(&rates, sum(1) / n_words, sum(2) / n_words)
    }
}

impl Inner {
    /// How fast this project is worked on, by what was handed in so far.
    pub(super) fn pace(&mut self) -> Result<Pace, Fault> {
        let mut timed = Vec::new();
        for key in self.project.keys()?.into_iter().filter(|key| key.slot == 0 && key.annotator != MERGED) {
            timed.extend(self.timed(key)?);
        }
        Ok(Pace::learn(&timed))
    }

    /// What a sentence that was handed in took.
    fn timed(&mut self, key: AnalysisKey) -> Result<Option<Timed<3>>, Fault> {
        let history = self.history(key)?;
        let (work, version) = (history.work(), history.version());
        // What was answered in a table took its time elsewhere.
        let is_answered = work.n_steps.contains_key(&annotation::Via::Table);
        if !work.submitted || work.seconds <= 0.0 || is_answered {
            return Ok(None);
        }
        // Looking through all steps takes a while; what was looked through stays as long as nothing happens to it.
        let seconds = work.seconds;
        if let Some(&(known, timed)) = self.timed.get(&key)
            && known == version
        {
            return Ok(Some(Timed { seconds, ..timed }));
        }
        let history = self.history(key)?;
        let said = history.by_hand();
        let counts =
            [history.analysis().tokens().len(), said.heads, said.relations].map(|count| count as f64);
        let timed = Timed { counts, seconds };
        self.timed.insert(key, (version, timed));
        Ok(Some(timed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(n: usize) -> Vec<Timed<3>> {
        let one = |n: usize| {
            let counts = [10.0 + (n % 7) as f64, (n % 5) as f64, (n % 3) as f64];
            Timed { counts, seconds: counts[0] + 4.0 * counts[1] + 2.0 * counts[2] }
        };
        (0..n).map(one).collect()
    }

    #[test]
    fn published_times_go_first_and_the_projects_own_take_their_place() {
        let few = Pace::learn(&timed(29));
        assert_eq!((few.n_timed, few.per_word, few.per_head), (0, 2.2, 12.5));
        let enough = Pace::learn(&timed(35));
        assert_eq!(enough.n_timed, 35);
        for (found, rate) in [(enough.per_word, 1.0), (enough.per_head, 4.0), (enough.per_relation, 2.0)] {
            assert!((found - rate).abs() < 0.1, "{enough:?}");
        }
    }

    #[test]
    fn what_is_said_for_each_word_counts_from_the_first_sentence_on() {
        let pace = Pace::learn(&timed(5));
        // 10 + 11 + 12 + 13 + 14 words, 0 + 1 + 2 + 3 + 4 heads, 0 + 1 + 2 + 0 + 1 relations.
        assert_eq!((pace.heads_per_word, pace.relations_per_word), (10.0 / 60.0, 4.0 / 60.0));
        let expected = 2.2 * 30.0 + 12.5 * 5.0 + 12.0 * 2.0;
        assert!((pace.seconds_for(30) - expected).abs() < 1e-9);
        assert_eq!(Pace::default().seconds_for(10), 22.0 + 125.0);
    }
}
