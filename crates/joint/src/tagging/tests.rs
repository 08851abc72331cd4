//! Taggers against sums over all tags and trees.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use chain::{Rng, Stream};

use super::*;
use crate::listing::{assert_gradient, has_heads, ln_sum, random_weights, random_words, trees};

const N_TAGS: usize = 3;

/// Tags and a tree of a sentence.
struct Listed {
    tags: Vec<usize>,
    heads: Heads,
}

/// A tagger of random weights.
struct Toy {
    tagger: Tagger,
    values: Vec<f32>,
    sentence: Sentence,
    listed: Vec<Listed>,
}

impl Toy {
    /// `coupled` says whether pairs of tags along arcs have weights that are not 0.
    fn new(settings: &Options, n_words: usize, coupled: bool, rng: &mut Rng) -> Toy {
        let mut sentences: Vec<Sentence> = (0..4).map(|_| random_words(4, rng)).collect();
        for sentence in &mut sentences {
            sentence.tags = (0..4).map(|at| Some(["X", "Y", "Z"][at % 3].into())).collect();
            sentence.heads = vec![Some(2), Some(0), Some(2), Some(3)];
        }
        let sentence = random_words(n_words, rng);
        let mut tagger = Tagger::prepare(&sentences, settings).unwrap();
        tagger.index = features::index(&tagger, &sentences.iter().collect::<Vec<_>>()).unwrap();
        let mut values = random_weights(tagger.index.n_weights(), rng);
        if !coupled && let Some(row) = tagger.index.get(features::CONNECTED, N_TAGS * N_TAGS) {
            values[row as usize..][..N_TAGS * N_TAGS].fill(0.0);
        }
        tagger.weights = Weights::from_values(values.clone());
        let heads = match settings.mode.has_syntax() {
            true => trees(n_words, tagger.shape()),
            // One that nobody looks at.
            false => vec![Heads::new(vec![0; n_words]).unwrap()],
        };
        let tags = (0..N_TAGS.pow(n_words as u32))
            .map(|number| (0..n_words).map(|word| number / N_TAGS.pow(word as u32) % N_TAGS).collect());
        let listed = tags.flat_map(|tags: Vec<usize>| {
            heads.iter().map(move |heads| Listed { tags: tags.clone(), heads: heads.clone() })
        });
        Toy { listed: listed.collect(), tagger, values, sentence }
    }

    /// The score of tags and a tree: words, neighbours, arcs, and the tags at both ends of an arc, the head's first.
    fn score(&self, weights: &[f64], listed: &Listed) -> f64 {
        let Tagger { index, settings, seen, .. } = &self.tagger;
        let coded = seen.code(&self.sentence);
        let pair = |key: u64, first: usize, second: usize| {
            let row = index.get(key, N_TAGS * N_TAGS).unwrap() as usize;
            weights[row + first * N_TAGS + second]
        };
        let (mut sum, mut keys) = (0.0, Vec::new());
        for (at, &tag) in listed.tags.iter().enumerate() {
            features::word_keys(&self.sentence, &coded, settings.sight, at + 1, &mut keys);
            let rows = keys.iter().filter_map(|&key| index.get(key, N_TAGS));
            sum += rows.map(|row| weights[row as usize + tag]).sum::<f64>();
            if settings.chain && at > 0 {
                sum += pair(features::NEIGHBOURS, listed.tags[at - 1], tag);
            }
            if settings.mode.has_syntax() {
                let head = listed.heads.head(at + 1);
                coded.arc_keys(head, at + 1, &mut keys);
                let rows = keys.iter().filter_map(|&key| index.get(key, 1));
                sum += rows.map(|row| weights[row as usize]).sum::<f64>();
                if head > 0 {
                    sum += pair(features::CONNECTED, listed.tags[head - 1], tag);
                }
            }
        }
        sum
    }

    /// Whether tags are those that are known.
    fn has_tags(&self, listed: &Listed) -> bool {
        let name = |tag: usize| self.tagger.tags.name(tag as u32 + 1);
        let known = |at: usize| self.sentence.tags.get(at).cloned().flatten();
        listed
            .tags
            .iter()
            .enumerate()
            .all(|(at, &tag)| known(at).is_none_or(|known| Some(&known) == name(tag)))
    }

    fn has_heads(&self, listed: &Listed) -> bool {
        has_heads(&listed.heads, &self.sentence)
    }

    /// ln Σ over what is known in training less that over what is known in use, by the definition of each mode.
    fn ln_likelihood(&self, weights: &[f64]) -> f64 {
        let mode = self.tagger.settings.mode;
        let clamped = |listed: &Listed| {
            self.has_tags(listed)
                && (matches!(mode, Mode::Supervised | Mode::Hidden) || self.has_heads(listed))
        };
        let free = |listed: &Listed| mode != Mode::Oracle || self.has_heads(listed);
        let sum = |is: &dyn Fn(&Listed) -> bool| {
            ln_sum(self.listed.iter().filter(|listed| is(listed)).map(|listed| self.score(weights, listed)))
        };
        sum(&clamped) - sum(&free)
    }

    /// Tells some tags and some heads of one of the listed.
    fn tell(&mut self, share: f64, rng: &mut Rng) {
        let truth = &self.listed[rng.below(self.listed.len())];
        let name = |tag: usize| self.tagger.tags.name(tag as u32 + 1).cloned();
        self.sentence.tags =
            truth.tags.iter().map(|&tag| name(tag).filter(|_| rng.uniform() < share)).collect();
        let heads = (1..=truth.tags.len()).map(|word| truth.heads.head(word) as u32);
        self.sentence.heads = heads.map(|head| Some(head).filter(|_| rng.uniform() < share)).collect();
        if self.tagger.settings.mode == Mode::Oracle {
            self.sentence.heads =
                (1..=truth.tags.len()).map(|word| Some(truth.heads.head(word) as u32)).collect();
        }
    }

    fn gradient(&self) -> Gradient {
        let training = TaggerTraining { tagger: &self.tagger, sentences: &[&self.sentence] };
        training.gradient(0, &self.tagger.weights, &mut GradientScratch::default()).unwrap()
    }

    /// Asserts that an exact answer is what the list says.
    fn check(&self, tagged: &Tagged) {
        let weights: Vec<f64> = self.values.iter().copied().map(f64::from).collect();
        let possible: Vec<(&Listed, f64)> = self
            .listed
            .iter()
            .filter(|listed| self.has_tags(listed) && self.has_heads(listed))
            .map(|listed| (listed, self.score(&weights, listed)))
            .collect();
        let total = ln_sum(possible.iter().map(|(_, ln)| *ln));
        let p = |is: &dyn Fn(&Listed) -> bool| -> f64 {
            possible.iter().filter(|(listed, _)| is(listed)).map(|(_, ln)| (ln - total).exp()).sum()
        };
        for at in 0..self.sentence.len() {
            let of: Vec<f64> = (0..N_TAGS).map(|tag| p(&|listed| listed.tags[at] == tag)).collect();
            let best = (0..N_TAGS).max_by(|&a, &b| of[a].total_cmp(&of[b])).unwrap();
            assert_eq!(Some(&tagged.tags[at]), self.tagger.tags.name(best as u32 + 1));
            assert!((tagged.probabilities[at] - of[best]).abs() < 1e-9);
        }
        let Some(arcs) = &tagged.arcs else { return };
        let gain = |heads: &Heads| (1..=heads.len()).map(|word| arcs.of(heads.head(word), word)).sum::<f64>();
        for word in 1..=self.sentence.len() {
            for head in 0..=self.sentence.len() {
                let exact = p(&|listed| listed.heads.head(word) == head);
                assert!((arcs.of(head, word) - exact).abs() < 1e-9);
            }
        }
        let heads = tagged.heads.as_ref().unwrap();
        assert!(has_heads(heads, &self.sentence));
        let most = possible.iter().map(|(listed, _)| gain(&listed.heads)).fold(0.0, f64::max);
        assert!((gain(heads) - most).abs() < 1e-9);
    }
}

/// Messages are passed until they rest.
fn settings(mode: Mode, chain: bool) -> Options {
    let propagation = bp::Options { most: 500, tolerance: 1e-13, ..bp::Options::default() };
    Options { mode, chain, least: 1, propagation, ..Options::default() }
}

#[test]
fn exact_answers_are_those_of_a_list_of_all_tags_and_trees() {
    let mut n_exact = [0; 4];
    for seed in 0..240 {
        let rng = &mut Stream::new(seed).rng();
        let at = rng.below(4);
        let mode = [Mode::Supervised, Mode::Oracle, Mode::Joint, Mode::Hidden][at];
        let mut settings = settings(mode, mode == Mode::Supervised || rng.bernoulli(0.3));
        settings.projective = rng.bernoulli(0.5);
        settings.sight = if rng.bernoulli(0.5) { Sight::Words } else { Sight::Rich };
        if rng.bernoulli(0.2) {
            settings.encoding = Encoding::Booleans;
        }
        let n_words = 1 + rng.below(3);
        let mut toy = Toy::new(&settings, n_words, true, rng);
        toy.tell(0.6, rng);
        let tagged = toy.tagger.tag(&toy.sentence, &mut Messages::default()).unwrap();
        if tagged.outcome.is_exact {
            n_exact[at] += usize::from(n_words > 1);
            toy.check(&tagged);
        }
    }
    assert!(n_exact.iter().all(|&n| n > 15), "few of them are exact: {n_exact:?}");
}

#[test]
fn pairs_along_arcs_are_by_the_tag_of_the_head_and_then_of_the_dependent() {
    for seed in 0..10 {
        let rng = &mut Stream::new(seed).rng();
        let mut toy = Toy::new(&settings(Mode::Oracle, false), 2, true, rng);
        toy.sentence.heads = vec![Some(0), Some(1)];
        toy.sentence.tags = vec![None, Some("Y".into())];
        let tagged = toy.tagger.tag(&toy.sentence, &mut Messages::default()).unwrap();
        toy.check(&tagged);
        // P(tag of the head | tag of the dependent) ∝ exp(words + pair).
        let pairs = toy.tagger.connected();
        let y = toy.tagger.tags().position(|tag| tag == "Y").unwrap();
        let weights: Vec<f64> = toy.values.iter().copied().map(f64::from).collect();
        let score = |tag: usize| {
            let listed = Listed { tags: vec![tag, y], heads: Heads::new(vec![0, 1]).unwrap() };
            let row = toy.tagger.index.get(features::CONNECTED, N_TAGS * N_TAGS).unwrap() as usize;
            toy.score(&weights, &listed) - weights[row + tag * N_TAGS + y] + pairs[tag][y]
        };
        let best = (0..N_TAGS).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
        let p = (score(best) - ln_sum((0..N_TAGS).map(score))).exp();
        assert!((tagged.probabilities[0] - p).abs() < 1e-9);
    }
}

#[test]
fn steps_are_the_gradients_of_the_listed_likelihood_in_every_mode() {
    for seed in 0..24 {
        let rng = &mut Stream::new(100 + seed).rng();
        // Exact are chains, trees that are known, and arcs that do not bear on tags; in these the weights of pairs are 0, but
        // not their gradients.
        let (mode, chain, coupled) = [
            (Mode::Supervised, true, true),
            (Mode::Oracle, false, true),
            (Mode::Joint, false, false),
            (Mode::Hidden, false, false),
        ][seed as usize % 4];
        let mut toy = Toy::new(&settings(mode, chain), 1 + rng.below(3), coupled, rng);
        toy.tell([1.0, 0.6][seed as usize / 4 % 2], rng);
        let gradient = toy.gradient();
        let weights: Vec<f64> = toy.values.iter().copied().map(f64::from).collect();
        let ln = toy.ln_likelihood(&weights);
        assert!((gradient.loss + ln).abs() < 1e-9, "{mode:?}: {} instead of {}", gradient.loss, -ln);
        // Where arcs are not scored because trees are known, their weights do not move.
        assert_gradient(&gradient.entries, &toy.values, |weights| toy.ln_likelihood(weights));
    }
}
