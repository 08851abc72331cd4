//! Words change their classes while that helps.

use super::text::{N_OTHERS, Text};

/// Counts of classes and of pairs of neighbouring classes.
///
/// Classes of words come first, then those of the things that are no words, which nothing enters or leaves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassCounts {
    /// The number of classes of words.
    pub(super) n_classes: usize,
    /// Classes of words and others.
    pub(super) width: usize,
    /// By class, then by the class that follows.
    pairs: Vec<u64>,
    /// The same, by class and then by the class before, so that both are read in rows.
    turned: Vec<u64>,
    pub(super) totals: Vec<u64>,
}

impl ClassCounts {
    fn zero(n_classes: usize) -> ClassCounts {
        let width = n_classes + N_OTHERS;
        let pairs = vec![0; width * width];
        ClassCounts { n_classes, width, turned: pairs.clone(), pairs, totals: vec![0; width] }
    }

    pub(super) fn pair(&self, left: usize, right: usize) -> u64 {
        self.pairs[left * self.width + right]
    }

    fn after(&self, class: usize) -> &[u64] {
        &self.pairs[class * self.width..][..self.width]
    }

    fn before(&self, class: usize) -> &[u64] {
        &self.turned[class * self.width..][..self.width]
    }

    fn add(&mut self, left: usize, right: usize, count: u64) {
        self.pairs[left * self.width + right] += count;
        self.turned[right * self.width + left] += count;
    }

    fn subtract(&mut self, left: usize, right: usize, count: u64) {
        self.pairs[left * self.width + right] -= count;
        self.turned[right * self.width + left] -= count;
    }
}

/// Classes of words on their way to better ones.
#[derive(Debug)]
pub(super) struct Exchange<'t> {
    text: &'t Text<'t>,
    /// The class of each word, and of what is no word.
    classes: Vec<u32>,
    counts: ClassCounts,
    logs: Logs,
}

/// What stands beside a word, by class.
#[derive(Debug, Default)]
struct Neighbours {
    /// Classes that follow the word, without the word itself.
    after: Vec<(usize, u64)>,
    before: Vec<(usize, u64)>,
    /// How often the word follows itself.
    itself: u64,
    total: u64,
}

/// A smaller gain is taken for none: it may come from rounding.
const LEAST_GAIN: f64 = 1e-7;

impl<'t> Exchange<'t> {
    /// The most frequent words have a class each, all others share the last one.
    pub(super) fn new(text: &'t Text<'t>, n_classes: usize) -> Exchange<'t> {
        let n_classes = n_classes.clamp(1, text.n_words().max(1));
        let class = |word: usize| word.min(n_classes - 1) as u32;
        let mut classes: Vec<u32> = (0..text.n_words()).map(class).collect();
        classes.extend([n_classes as u32, n_classes as u32 + 1]);
        let mut counts = ClassCounts::zero(n_classes);
        for (left, followers) in text.after.iter().enumerate() {
            for &(right, count) in followers {
                let (left, right) = (classes[left] as usize, classes[right as usize] as usize);
                counts.add(left, right, count);
                counts.totals[left] += count;
            }
        }
        Exchange { text, classes, counts, logs: Logs::new() }
    }

    pub(super) fn class_of(&self, word: usize) -> usize {
        self.classes[word] as usize
    }

    pub(super) fn counts(&self) -> &ClassCounts {
        &self.counts
    }

    /// F = Σ f(N(c, d)) − 2 Σ f(N(c)).
    pub(super) fn objective(&self) -> f64 {
        let f = |&n: &u64| self.logs.f(n);
        let pairs: f64 = self.counts.pairs.iter().map(f).sum();
        pairs - 2.0 * self.counts.totals.iter().map(f).sum::<f64>()
    }

    /// Gives every word, the most frequent first, the class that is best as things stand; says how many moved.
    pub(super) fn walk(&mut self) -> usize {
        (0..self.text.n_words()).filter(|&word| self.improve(word)).count()
    }

    fn improve(&mut self, word: usize) -> bool {
        let old = self.class_of(word);
        let neighbours = self.neighbours(word);
        self.take_out(old, &neighbours);
        let mut best = (old, self.gain(old, &neighbours) + LEAST_GAIN);
        for class in (0..self.counts.n_classes).filter(|&class| class != old) {
            let gain = self.gain(class, &neighbours);
            if gain > best.1 {
                best = (class, gain);
            }
        }
        self.put_in(best.0, &neighbours);
        self.classes[word] = best.0 as u32;
        best.0 != old
    }

    fn neighbours(&self, word: usize) -> Neighbours {
        let Text { words, after, before, .. } = self.text;
        let mut itself = 0;
        let mut by_class = |list: &[(u32, u64)]| {
            let mut found: Vec<(usize, u64)> = Vec::with_capacity(list.len());
            for &(other, count) in list {
                match other as usize == word {
                    true => itself = count,
                    false => found.push((self.class_of(other as usize), count)),
                }
            }
            found.sort_unstable();
            found.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
            found
        };
        let (after, before) = (by_class(&after[word]), by_class(&before[word]));
        Neighbours { after, before, itself, total: words[word].1 }
    }

    /// What F gains if a word that is in no class enters one.
    ///
    /// ```text
    /// Σ_{d≠c} [f(N(c,d) + n(w,d)) − f(N(c,d))] + Σ_{d≠c} [f(N(d,c) + n(d,w)) − f(N(d,c))]
    ///   + f(N(c,c) + n(w,c) + n(c,w) + n(w,w)) − f(N(c,c)) − 2 [f(N(c) + n(w)) − f(N(c))]
    /// ```
    fn gain(&self, class: usize, neighbours: &Neighbours) -> f64 {
        let ClassCounts { totals, .. } = &self.counts;
        let grown = |count: u64, more: u64| self.logs.f(count + more) - self.logs.f(count);
        let (mut gain, mut within) = (0.0, neighbours.itself);
        for (list, row) in
            [(&neighbours.after, self.counts.after(class)), (&neighbours.before, self.counts.before(class))]
        {
            for &(other, count) in list {
                match other == class {
                    true => within += count,
                    false => gain += grown(row[other], count),
                }
            }
        }
        gain + grown(self.counts.pair(class, class), within) - 2.0 * grown(totals[class], neighbours.total)
    }

    fn take_out(&mut self, class: usize, neighbours: &Neighbours) {
        let counts = &mut self.counts;
        neighbours.after.iter().for_each(|&(other, count)| counts.subtract(class, other, count));
        neighbours.before.iter().for_each(|&(other, count)| counts.subtract(other, class, count));
        counts.subtract(class, class, neighbours.itself);
        counts.totals[class] -= neighbours.total;
    }

    fn put_in(&mut self, class: usize, neighbours: &Neighbours) {
        let counts = &mut self.counts;
        neighbours.after.iter().for_each(|&(other, count)| counts.add(class, other, count));
        neighbours.before.iter().for_each(|&(other, count)| counts.add(other, class, count));
        counts.add(class, class, neighbours.itself);
        counts.totals[class] += neighbours.total;
    }
}

/// f(n) = n ln n, remembered for small n.
#[derive(Debug, Clone)]
pub(super) struct Logs {
    small: Vec<f64>,
}

const N_REMEMBERED: u64 = 1 << 14;

impl Logs {
    pub(super) fn new() -> Logs {
        Logs { small: (0..N_REMEMBERED).map(n_ln_n).collect() }
    }

    #[inline]
    pub(super) fn f(&self, n: u64) -> f64 {
        if n < N_REMEMBERED { self.small[n as usize] } else { n_ln_n(n) }
    }
}

fn n_ln_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * libm::log(n as f64) }
}
