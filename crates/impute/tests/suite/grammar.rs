//! Grammars that were learned otherwise complete sentences with the probabilities of the list of all trees.

use arcs::dmv::{Counter, DmvSentence, DmvShape, RootWeights};
use chain::{Rng, Stream};
use impute::{Fragment, GpcModel};
use testkit::annotations::{all_trees, any_annotation, spread};
use tree::{Heads, Possible, Reading, Text};

/// Not in the order of the alphabet, as induction finds them.
const TAGS: [&str; 3] = ["B", "C", "A"];

struct Grammar {
    shape: DmvShape,
    parameters: Vec<f64>,
    model: GpcModel,
}

fn any_grammar(rng: &mut Rng) -> Grammar {
    let valence = rng.bernoulli(0.5);
    let shape = DmvShape::new(TAGS.len() + 1, 0, valence);
    let mut parameters: Vec<f64> = (0..shape.len()).map(|_| 0.1 + rng.uniform()).collect();
    for (start, len) in shape.rows() {
        let total: f64 = parameters[start..start + len].iter().sum();
        parameters[start..start + len].iter_mut().for_each(|value| *value /= total);
    }
    let model = GpcModel::of_grammar(&TAGS.map(Text::from), valence, &parameters);
    Grammar { shape, parameters, model }
}

/// P(tree | annotation) of the projective trees over the words that are not put aside.
fn listed(grammar: &Grammar, fragment: &Fragment, aside: &[usize]) -> Vec<(Heads, f64)> {
    let n_words = fragment.len();
    let kept: Vec<usize> = (1..=n_words).filter(|word| !aside.contains(word)).collect();
    let number = |word: &usize| {
        TAGS.iter().position(|tag| *tag == fragment.tags[word - 1]).unwrap_or(TAGS.len()) as u32
    };
    let sentence = DmvSentence::of_tags(&kept.iter().map(number).collect::<Vec<u32>>());
    let mut counter = Counter::default();
    let trees = all_trees(kept.len()).into_iter().filter(|tree| tree.is_projective() && tree.n_roots() == 1);
    let admitted = trees.filter(|tree| fragment.possible.admits(&spread(tree, &kept, n_words)));
    let mut all: Vec<(Heads, f64)> = admitted
        .map(|tree| {
            let (shape, parameters) = (&grammar.shape, &grammar.parameters);
            let p = counter.probability(shape, &sentence, tree.as_slice(), RootWeights::One, parameters);
            (spread(&tree, &kept, n_words), p)
        })
        .collect();
    let total: f64 = all.iter().map(|(_, p)| p).sum();
    all.iter_mut().for_each(|(_, p)| *p /= total);
    all
}

#[test]
fn what_they_say_is_the_mean_over_all_trees_that_are_admitted() {
    let (mut n_aside, mut n_constrained) = (0, 0);
    for seed in 0..1500 {
        let rng = &mut Stream::new(seed).purpose("grammar").rng();
        let (grammar, n_words) = (any_grammar(rng), 2 + rng.below(3));
        let Ok(possible) = Possible::new(&any_annotation(rng, n_words), &Reading::default()) else {
            continue;
        };
        let tags = (0..n_words).map(|_| ["A", "B", "C", "unseen"][rng.below(4)].into()).collect();
        let fragment = Fragment { forms: vec!["x".into(); n_words], tags, possible };
        let is_open = |word: usize| {
            let whole = fragment.possible.whole();
            (0..=n_words).all(|head| head == word || whole.allows_arc(head, word))
                && whole.brackets().iter().all(|bracket| !bracket.words.contains(&word))
        };
        let aside: Vec<usize> = (2..=n_words).filter(|&word| is_open(word) && rng.bernoulli(0.5)).collect();
        let trees = listed(&grammar, &fragment, &aside);
        if trees.is_empty() {
            continue;
        }
        n_aside += usize::from(!aside.is_empty());
        n_constrained += usize::from(!fragment.possible.is_free());
        let completed = grammar.model.complete_without(&fragment, &aside);
        let top = |heads: &Heads| {
            (1..=n_words).find(|word| !aside.contains(word) && heads.head(*word) == 0).expect("a root")
        };
        let head =
            |heads: &Heads, word: usize| if aside.contains(&word) { top(heads) } else { heads.head(word) };
        for word in 1..=n_words {
            for h in 0..=n_words {
                let with = trees.iter().filter(|(heads, _)| head(heads, word) == h);
                let expected: f64 = with.map(|(_, p)| p).sum();
                let found = completed.posteriors.of(h, word);
                assert!((found - expected).abs() < 1e-9, "{seed}: {h} → {word}: {found}, not {expected}");
            }
        }
        assert!(fragment.possible.admits(&completed.heads), "{seed}");
        for &word in &aside {
            assert_eq!(completed.heads.head(word), top(&completed.heads), "{seed}");
        }
    }
    assert!(n_aside > 50 && n_constrained > 50, "{n_aside}, {n_constrained}");
}
