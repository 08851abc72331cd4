//! Training: epochs over a list of words, or words one after the other.

use crate::annotations::{Annotation, Annotations};
use crate::cost::Cost;
use crate::error::Error;
use crate::model::{Analysed, Model};
use crate::options::{Method, Options, Order, Viterbi};
use crate::recursive::{Recursive, split_at};
use crate::saved::Saved;
use crate::skips::Skips;
use crate::state::{Parts, State};
use crate::substrings::{MOST_LETTERS, Piece};
use crate::viterbi::best_paths;
use chain::Stream;
use rustc_hash::FxHashMap;

/// A word and how often it was seen.
pub type Counted<'a> = (u64, &'a str);

/// Sums of counts up to this are exact in floating point.
pub(crate) const MOST_TOKENS: u64 = 1 << 52;

/// How far training has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Epochs that are over.
    pub epochs: usize,
    /// Words of this epoch that are done, or, in online training, of all.
    pub done: usize,
    /// Of so many.
    pub of: usize,
    /// The cost when the last epoch was over.
    pub cost: f64,
}

/// Called now and then; false ends training with [`Error::Interrupted`].
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> bool;

/// Words between two calls of a [`Watch`].
const WATCH_EVERY: usize = 1000;

/// What training made.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// Its cost.
    pub cost: Cost,
    /// The total cost before training and after each epoch.
    pub costs: Vec<f64>,
    /// Morph types.
    pub n_morphs: usize,
    /// Morph tokens.
    pub n_tokens: u64,
}

/// Trains on a list of words until an epoch brings little. Words that occur twice have their counts added up.
///
/// ```
/// let list = [(5, "walking"), (4, "walked"), (3, "talking"), (2, "talked"), (9, "walk"), (8, "talk"), (7, "ing"), (6, "ed")];
/// let trained = segment::train(&list, &[], &segment::Options::default(), &mut |_| true)?;
/// assert_eq!(trained.model.words[0].morphs(), ["walk", "ing"]);
/// # Ok::<(), segment::Error>(())
/// ```
pub fn train(
    words: &[Counted<'_>],
    annotations: &[Annotation],
    settings: &Options,
    watch: Watch<'_>,
) -> Result<Trained, Error> {
    train_saved(words, annotations, settings, None, watch, &mut |_, _| true)
}

/// Like [`train`], from the start or from what was saved of a training with the same words, annotations and settings.
///
/// `after` hears how many epochs are over after each of them, with a function that gives what is to be saved; false ends training
/// with [`Error::Interrupted`].
pub fn train_saved(
    words: &[Counted<'_>],
    annotations: &[Annotation],
    settings: &Options,
    from: Option<Saved>,
    watch: Watch<'_>,
    after: &mut dyn FnMut(usize, &dyn Fn() -> Saved) -> bool,
) -> Result<Trained, Error> {
    let mut trainer = Trainer::new(settings, watch)?;
    trainer.load(words)?;
    trainer.annotate(annotations)?;
    trainer.batch(from, after)?;
    Ok(trainer.finish())
}

/// Trains on words in the order in which they come, each of which is analysed once when it comes.
pub fn train_online(
    words: &[Counted<'_>],
    annotations: &[Annotation],
    settings: &Options,
    watch: Watch<'_>,
) -> Result<Trained, Error> {
    let mut trainer = Trainer::new(settings, watch)?;
    trainer.annotate(annotations)?;
    trainer.online(words)?;
    Ok(trainer.finish())
}

struct Trainer<'a> {
    settings: &'a Options,
    state: State,
    /// The place of each word in the list.
    places: FxHashMap<Piece, usize>,
    annotations: Annotations,
    recursive: Recursive,
    skips: Skips,
    stream: Stream,
    costs: Vec<f64>,
    watch: Watch<'a>,
    buffer: Vec<u32>,
}

impl<'a> Trainer<'a> {
    fn new(settings: &'a Options, watch: Watch<'a>) -> Result<Trainer<'a>, Error> {
        settings.check()?;
        Ok(Trainer {
            settings,
            state: State::new(settings.corpus_weight),
            places: FxHashMap::default(),
            annotations: Annotations::default(),
            recursive: Recursive::default(),
            skips: Skips::default(),
            stream: Stream::new(settings.seed).purpose("morph"),
            costs: Vec::new(),
            watch,
            buffer: Vec::new(),
        })
    }

    /// Adds up the counts of words, dampens them, and puts all words into the lexicon.
    fn load(&mut self, words: &[Counted<'_>]) -> Result<(), Error> {
        let mut order: Vec<(u64, &str)> = Vec::with_capacity(words.len());
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        for &(count, word) in words.iter().filter(|(_, word)| !word.is_empty()) {
            let at = *places.entry(word).or_insert_with(|| {
                order.push((0, word));
                order.len() - 1
            });
            order[at].0 = order[at].0.saturating_add(count);
        }
        let mut rng = self.stream.purpose("initial split").rng();
        for (count, word) in order.into_iter().filter(|(count, _)| *count >= self.settings.min_count.max(1)) {
            let at = self.add(word, self.settings.dampening.apply(count))?;
            if let Some(probability) = self.settings.initial_split {
                self.split_at_random(self.state.words[at].0, probability, &mut rng);
            }
        }
        Ok(())
    }

    fn annotate(&mut self, annotations: &[Annotation]) -> Result<(), Error> {
        let places = &mut self.places;
        self.annotations = Annotations::new(
            &mut self.state,
            annotations,
            self.settings.annotation_weight,
            |state, piece| place_of(state, places, piece),
        );
        self.check_size()
    }

    fn batch(
        &mut self,
        from: Option<Saved>,
        after: &mut dyn FnMut(usize, &dyn Fn() -> Saved) -> bool,
    ) -> Result<(), Error> {
        if self.state.words.is_empty() {
            return Err(Error::NoWords);
        }
        let done = from.as_ref().map_or(0, Saved::n_epochs);
        match from {
            Some(saved) => self.restore(saved)?,
            None => self.between_epochs(0),
        }
        // A word that is annotated, and part of others only, is not visited.
        let mut order: Vec<usize> =
            (0..self.state.words.len()).filter(|&at| self.state.words[at].1 > 0).collect();
        if self.settings.order == Order::Sorted {
            let texts: Vec<String> = self.state.words.iter().map(|&(piece, _)| self.text(piece)).collect();
            order.sort_by(|&a, &b| texts[a].cmp(&texts[b]));
        }
        for epoch in 1.. {
            if self.settings.order == Order::Random {
                self.stream.purpose("order").item(epoch).rng().shuffle(&mut order);
            }
            if epoch <= done {
                if epoch == done && self.is_enough(epoch) {
                    break;
                }
                continue;
            }
            for (done, &at) in order.iter().enumerate() {
                self.report(epoch - 1, done, order.len())?;
                self.optimise(self.state.words[at].0);
            }
            self.between_epochs(epoch);
            if !after(epoch, &|| Saved::new(&self.state, &self.costs)) {
                return Err(Error::Interrupted);
            }
            if self.is_enough(epoch) {
                break;
            }
        }
        Ok(())
    }

    /// The first epoch is never the last, unless no other is wanted.
    fn is_enough(&self, epoch: usize) -> bool {
        let least = self.settings.finish_threshold * self.state.sizes.words as f64;
        let small = self.costs[epoch] >= self.costs[epoch - 1] - least;
        (epoch > 1 && small) || self.settings.max_epochs.is_some_and(|most| epoch >= most)
    }

    fn online(&mut self, words: &[Counted<'_>]) -> Result<(), Error> {
        let mut seen: FxHashMap<&str, u64> = FxHashMap::default();
        let mut rng = self.stream.purpose("initial split").rng();
        let words: Vec<_> =
            words.iter().filter(|(count, word)| *count > 0 && !word.is_empty()).copied().collect();
        self.between_epochs(0);
        for (epoch, part) in words.chunks(self.settings.epoch_interval.max(1)).enumerate() {
            if self.settings.max_epochs.is_some_and(|most| epoch >= most) {
                break;
            }
            for (done, &(count, word)) in part.iter().enumerate() {
                self.report(epoch, epoch * self.settings.epoch_interval + done, words.len())?;
                let before = seen.entry(word).or_insert(0);
                let after = before.saturating_add(count);
                let dampening = self.settings.dampening;
                let at = self.add(word, dampening.apply(after) - dampening.apply(*before))?;
                *before = after;
                let piece = self.state.words[at].0;
                if let Some(probability) = self.settings.initial_split {
                    self.split_at_random(piece, probability, &mut rng);
                }
                self.optimise(piece);
            }
            self.between_epochs(epoch + 1);
        }
        if self.state.words.is_empty() { Err(Error::NoWords) } else { Ok(()) }
    }

    fn add(&mut self, word: &str, count: u64) -> Result<usize, Error> {
        let piece = self.state.piece(word, &mut self.buffer);
        let at = place_of(&mut self.state, &mut self.places, piece);
        if count > 0 {
            if count > MOST_TOKENS - self.state.sizes.tokens.min(MOST_TOKENS) {
                return Err(Error::TooMuch { what: "the counts of the words", most: MOST_TOKENS });
            }
            self.state.add_word(at, count);
        }
        self.check_size()?;
        Ok(at)
    }

    fn check_size(&self) -> Result<(), Error> {
        if self.state.pieces.n_letters() > MOST_LETTERS || self.state.pieces.len() > MOST_LETTERS {
            return Err(Error::TooMuch { what: "the letters of all words", most: MOST_LETTERS as u64 });
        }
        Ok(())
    }

    fn optimise(&mut self, word: Piece) {
        let forced = self.forced(word);
        match self.settings.method {
            Method::Recursive => self.recursive.optimise(
                &mut self.state,
                word,
                &forced,
                &self.settings.no_split,
                &mut self.skips,
            ),
            Method::Viterbi(viterbi) => {
                if self.state.pieces.n_letters_of(word) > 1 && !self.skips.skip(word) {
                    self.optimise_by_viterbi(word, &forced, &viterbi);
                }
            }
        }
    }

    fn optimise_by_viterbi(&mut self, word: Piece, forced: &[usize], viterbi: &Viterbi) {
        let n_letters = self.state.pieces.n_letters_of(word);
        let mut ends = Vec::new();
        let mut start = 0;
        for end in forced.iter().copied().chain([n_letters]) {
            let letters = &self.state.pieces.letters(word)[start..end];
            let forbids = |at: usize| self.settings.no_split.forbids(&self.state, word, start + at);
            let forbidden: Option<&dyn Fn(usize) -> bool> =
                (!self.settings.no_split.is_empty()).then_some(&forbids);
            let path = best_paths(&self.state, letters, viterbi, 1, forbidden).swap_remove(0);
            ends.extend(path.ends.into_iter().map(|at| start + at));
            start = end;
        }
        let count = self.state.take(word);
        let parts = if ends.len() == 1 {
            Parts::Whole
        } else {
            let starts = [0].into_iter().chain(ends.clone());
            Parts::Flat(starts.zip(&ends).map(|(start, &end)| self.state.part(word, start, end)).collect())
        };
        self.state.set_parts(word, count, parts);
    }

    /// Before and after each letter that must be a morph.
    fn forced(&self, word: Piece) -> Vec<usize> {
        if self.settings.force_split.is_empty() {
            return Vec::new();
        }
        let letters = self.state.pieces.letters(word);
        let is_forced =
            |at: usize| self.settings.force_split.contains(&self.state.letters.character(letters[at]));
        (1..letters.len()).filter(|&at| is_forced(at - 1) || is_forced(at)).collect()
    }

    fn split_at_random(&mut self, word: Piece, probability: f64, rng: &mut chain::Rng) {
        let n_letters = self.state.pieces.n_letters_of(word);
        let places: Vec<usize> = (1..n_letters).filter(|_| rng.uniform() < probability).collect();
        split_at(&mut self.state, word, &places);
    }

    fn between_epochs(&mut self, epoch: usize) {
        if self.settings.skips {
            self.skips = Skips::new(self.stream.purpose("skips").item(epoch).rng());
        }
        self.annotations.update(&mut self.state);
        self.state.refresh_sums();
        self.costs.push(self.state.cost().total());
    }

    /// Goes on where a training was saved: between epochs, all else follows from words and counts.
    fn restore(&mut self, saved: Saved) -> Result<(), Error> {
        let mut costs = saved.costs.clone();
        if !saved.restore(&mut self.state) {
            return Err(Error::OtherRun);
        }
        costs.pop();
        let done = costs.len();
        self.costs = costs;
        self.between_epochs(done);
        Ok(())
    }

    fn report(&mut self, epochs: usize, done: usize, of: usize) -> Result<(), Error> {
        if !done.is_multiple_of(WATCH_EVERY) {
            return Ok(());
        }
        let cost = self.costs[self.costs.len() - 1];
        if (self.watch)(&Progress { epochs, done, of, cost }) { Ok(()) } else { Err(Error::Interrupted) }
    }

    fn text(&self, piece: Piece) -> String {
        let letters = self.state.pieces.letters(piece);
        letters.iter().map(|&letter| self.state.letters.character(letter)).collect()
    }

    fn finish(self) -> Trained {
        let analysed = |&(word, count): &(Piece, u64)| {
            let mut morphs = Vec::new();
            self.state.morphs(word, &mut morphs);
            let morphs: Vec<String> = morphs.into_iter().map(|morph| self.text(morph)).collect();
            Analysed::new(count, &morphs)
        };
        let in_corpus = self.state.words.iter().filter(|(_, count)| *count > 0);
        let words = in_corpus.map(analysed).collect();
        Trained {
            model: Model { words, corpus_weight: self.state.weights.corpus },
            cost: self.state.cost(),
            costs: self.costs,
            n_morphs: self.state.sizes.types as usize,
            n_tokens: self.state.sizes.tokens,
        }
    }
}

/// The place of a word in the list; new ones are put at its end.
fn place_of(state: &mut State, places: &mut FxHashMap<Piece, usize>, word: Piece) -> usize {
    *places.entry(word).or_insert_with(|| {
        state.words.push((word, 0));
        state.words.len() - 1
    })
}
