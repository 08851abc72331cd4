//! Sums, probabilities and trees of a scorer, against the list of all trees.

use chain::Stream;
use tree::Constraints;

use super::toys;
use crate::attributes::Attributes;
use crate::parts::PartFeatures;
use crate::prune::Pruning;
use crate::scorer::{Decode, Scorer, cases_of};
use crate::second_order::SecondOrderScratch;
use crate::shape::TreeShape;

/// All trees that are possible, with their scores at the scorer's temperature.
fn listed(
    scorer: &Scorer<'_>,
    words: &Attributes,
    left_out: &[bool],
    admits: impl Fn(&[usize]) -> bool,
) -> Vec<(Vec<usize>, f64)> {
    let features = PartFeatures::new(scorer.templates, words);
    let table = scorer.second.unwrap_or(scorer.arcs);
    let score = |heads: &[usize]| {
        let pieces = toys::pieces(heads, left_out, scorer.second.is_some());
        toys::score(&features, table, &pieces) / scorer.temperature
    };
    let trees = toys::trees(words.n_words(), left_out, scorer.shape).into_iter();
    trees.filter(|heads| admits(heads)).map(|heads| (heads.clone(), score(&heads))).collect()
}

/// A sentence, what is demanded of its tree, and the list of all trees that are left.
struct Asked<'a> {
    scorer: &'a Scorer<'a>,
    words: &'a Attributes,
    left_out: &'a [bool],
    cases: Option<&'a [Constraints]>,
    trees: Vec<(Vec<usize>, f64)>,
}

impl Asked<'_> {
    fn check(&self) {
        let mut scratch = SecondOrderScratch::default();
        let Some(belief) = self.scorer.believe(self.words, self.cases, &mut scratch) else {
            assert!(self.trees.is_empty(), "{} trees were missed", self.trees.len());
            return;
        };
        assert!(!self.trees.is_empty(), "a tree was found where there is none");
        let ln_total = self.ln_total();
        assert!(toys::close(belief.ln_total, ln_total, 1e-9), "{} {ln_total}", belief.ln_total);
        let (width, arcs) = (self.left_out.len(), self.arcs());
        for word in self.kept() {
            let row = (word - 1) * width..word * width;
            for (head, (found, expected)) in belief.arcs[row.clone()].iter().zip(&arcs[row]).enumerate() {
                assert!(toys::close(*found, *expected, 1e-9), "{head} → {word}: {found} {expected}");
            }
        }
        self.check_trees(&arcs);
        self.check_k_best();
    }

    fn kept(&self) -> impl Iterator<Item = usize> {
        (1..self.left_out.len()).filter(|&word| !self.left_out[word])
    }

    fn ln_total(&self) -> f64 {
        self.trees.iter().map(|(_, score)| score.exp()).sum::<f64>().ln()
    }

    /// The probability of each arc, by dependent and then by head.
    fn arcs(&self) -> Vec<f64> {
        let (width, ln_total) = (self.left_out.len(), self.ln_total());
        let mut arcs = vec![0.0; width * (width - 1)];
        for (heads, score) in &self.trees {
            let p = (score - ln_total).exp();
            (1..width).for_each(|word| arcs[(word - 1) * width + heads[word - 1]] += p);
        }
        arcs
    }

    fn decode(&self, decode: Decode) -> Vec<usize> {
        let mut scratch = SecondOrderScratch::default();
        let belief = self.scorer.believe(self.words, self.cases, &mut scratch).unwrap();
        let heads = self.scorer.decode(&belief, self.cases, decode, &mut scratch).unwrap();
        heads.as_slice().iter().map(|&head| head as usize).collect()
    }

    fn check_trees(&self, arcs: &[f64]) {
        let best = self.decode(Decode::Best);
        let score = self.trees.iter().find(|(heads, _)| *heads == best).expect("a tree of the list").1;
        assert!(self.trees.iter().all(|(_, other)| *other <= score + 1e-9));
        let width = self.left_out.len();
        let right =
            |heads: &[usize]| self.kept().map(|word| arcs[(word - 1) * width + heads[word - 1]]).sum::<f64>();
        let most = self.decode(Decode::Mbr);
        assert!(self.trees.iter().any(|(heads, _)| *heads == most), "a tree of the list");
        assert!(self.trees.iter().all(|(heads, _)| right(heads) <= right(&most) + 1e-9));
    }

    fn check_k_best(&self) {
        let ln_total = self.ln_total();
        let mut expected = self.trees.clone();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        expected.truncate(if self.scorer.shape.projective { 12 } else { 1 });
        let mut scratch = SecondOrderScratch::default();
        let belief = self.scorer.believe(self.words, self.cases, &mut scratch).unwrap();
        let found = self.scorer.k_best(&belief, self.cases, 12, &mut scratch);
        assert_eq!(found.len(), expected.len());
        for (rank, ((heads, p), (_, score))) in found.iter().zip(&expected).enumerate() {
            assert!(toys::close(*p, (score - ln_total).exp(), 1e-9), "rank {rank}: {p} {score}");
            let list: Vec<usize> = heads.as_slice().iter().map(|&head| head as usize).collect();
            let listed = self.trees.iter().find(|(other, _)| *other == list).expect("a tree of the list");
            assert!(toys::close(*p, (listed.1 - ln_total).exp(), 1e-9));
            assert!(found[..rank].iter().all(|(other, _)| other != heads), "a tree comes twice");
        }
    }
}

fn check_random(second: bool, shape: TreeShape, n_cases: usize, longest: usize) {
    let templates = toys::templates();
    for number in 0..n_cases {
        let mut rng = Stream::new(11).item(number).rng();
        let n_words = 1 + rng.below(longest);
        let words = toys::attributes(&mut rng, n_words);
        let (arcs, table) = (toys::table(&mut rng, 9, 1, 0.7), toys::table(&mut rng, 9, 1, 0.7));
        let pruning = Pruning { threshold: 0.0, heads: usize::MAX };
        let temperature = [0.5, 1.0, 2.5][number % 3];
        let second = second.then_some(&table);
        let scorer = Scorer { templates: &templates, arcs: &arcs, second, shape, pruning, temperature };
        let nobody = vec![false; n_words + 1];
        let trees = listed(&scorer, &words, &nobody, |_| true);
        Asked { scorer: &scorer, words: &words, left_out: &nobody, cases: None, trees }.check();
        // What was said of trees of any shape: some of it no tree of this shape can have.
        let of = if number % 4 == 0 { toys::SHAPES[3] } else { shape };
        let possible = toys::said(&mut rng, n_words, of, [0.2, 0.4][number % 2]);
        let left_out: Vec<bool> = (0..=n_words).map(|word| word > 0 && possible.left_out(word)).collect();
        let trees = listed(&scorer, &words, &left_out, |heads| possible.admits(&toys::as_heads(heads)));
        if let Some(cases) = cases_of(Some(&possible)) {
            let cases = Some(cases.as_slice());
            Asked { scorer: &scorer, words: &words, left_out: &left_out, cases, trees }.check();
        }
    }
}

#[test]
fn first_order_answers_are_those_of_the_list() {
    for shape in toys::SHAPES {
        check_random(false, shape, 60, 6);
    }
}

#[test]
fn second_order_answers_are_those_of_the_list() {
    for shape in &toys::SHAPES[..2] {
        check_random(true, *shape, 90, 5);
    }
}
