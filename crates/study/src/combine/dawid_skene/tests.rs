use super::super::union;
use super::*;

use chain::observe::Trace;
use chain::{Rng, Stream};
use proptest::prelude::*;
use testkit::halfway::Halfway;

fn texts(text: &str) -> Vec<Text> {
    text.split_whitespace().map(Text::from).collect()
}

/// Tags and gold heads of a random sentence: noun phrase, verb, noun phrase, perhaps a prepositional phrase.
fn sentence(rng: &mut Rng) -> (Vec<Text>, Vec<usize>) {
    let (mut tags, mut heads) = (Vec::new(), Vec::new());
    let mut noun_phrase = |tags: &mut Vec<Text>, heads: &mut Vec<usize>, head: usize| {
        let adjective = rng.bernoulli(0.5);
        let noun = tags.len() + 2 + usize::from(adjective);
        tags.extend(texts(if adjective { "DET ADJ NOUN" } else { "DET NOUN" }));
        heads.extend(vec![noun; 1 + usize::from(adjective)]);
        heads.push(head);
    };
    noun_phrase(&mut tags, &mut heads, 0);
    let verb = tags.len() + 1;
    heads[verb - 2] = verb;
    tags.push("VERB".into());
    heads.push(0);
    noun_phrase(&mut tags, &mut heads, verb);
    let preposition = tags.len() + 1;
    tags.push("ADP".into());
    heads.push(verb);
    noun_phrase(&mut tags, &mut heads, preposition);
    (tags, heads)
}

/// Gold heads, but determiners head their nouns.
fn determiners_head(tags: &[Text], gold: &[usize]) -> Vec<usize> {
    let mut heads = gold.to_vec();
    for word in 1..=tags.len() {
        if tags[word - 1] == "DET" {
            let noun = gold[word - 1];
            heads[word - 1] = gold[noun - 1];
            heads[noun - 1] = word;
        }
    }
    heads
}

/// How a planted annotator works.
#[derive(Clone, Copy, Debug)]
struct Planted {
    /// How often they give the head they believe in; else any other.
    accuracy: f64,
    /// How many words they annotate.
    coverage: f64,
    /// How many sentences they annotate with determiners as heads.
    determiners: f64,
}

struct ToyCorpus {
    gold: Vec<Vec<usize>>,
    sentences: Vec<Annotated>,
}

fn corpus(n_sentences: usize, planted: &[Planted], seed: u64) -> ToyCorpus {
    let mut corpus = ToyCorpus { gold: Vec::new(), sentences: Vec::new() };
    for index in 0..n_sentences {
        let stream = Stream::new(seed).item(index);
        let (tags, gold) = sentence(&mut stream.rng());
        let annotate = |(annotator, planted): (usize, &Planted)| {
            let mut rng = stream.tag(annotator as u64).rng();
            let flipped = rng.bernoulli(planted.determiners);
            let believed = if flipped { determiners_head(&tags, &gold) } else { gold.clone() };
            let mut head = |(word, &believed): (usize, &usize)| {
                let given = rng.bernoulli(planted.coverage);
                let others: Vec<usize> = (0..=tags.len()).filter(|&h| h != word && h != believed).collect();
                let other = others[rng.below(others.len())];
                let head = if rng.bernoulli(planted.accuracy) { believed } else { other };
                given.then_some(head)
            };
            (annotator, (1..).zip(&believed).map(&mut head).collect())
        };
        let annotations = planted.iter().enumerate().map(annotate).collect();
        corpus.sentences.push(Annotated { tags, annotations });
        corpus.gold.push(gold);
    }
    corpus
}

impl ToyCorpus {
    /// The share of annotated words whose combined head is gold.
    fn accuracy(&self, combined: &[Combined]) -> f64 {
        let (mut right, mut total) = (0, 0);
        for ((gold, sentence), combined) in self.gold.iter().zip(&self.sentences).zip(combined) {
            for word in 0..gold.len() {
                if sentence.annotations.iter().any(|(_, heads)| heads[word].is_some()) {
                    total += 1;
                    right += usize::from(combined.heads[word] == Some(gold[word]));
                }
            }
        }
        right as f64 / total as f64
    }

    fn majority(&self) -> Vec<Combined> {
        let heads =
            |sentence: &Annotated| sentence.annotations.iter().map(|(_, heads)| heads.clone()).collect();
        self.sentences.iter().map(|sentence| union(&heads(sentence) as &Vec<_>).unwrap()).collect()
    }

    fn true_accuracy(&self, annotator: usize) -> f64 {
        let (mut right, mut total) = (0, 0);
        for (gold, sentence) in self.gold.iter().zip(&self.sentences) {
            for (head, gold) in sentence.annotations[annotator].1.iter().zip(gold) {
                total += usize::from(head.is_some());
                right += usize::from(*head == Some(*gold));
            }
        }
        right as f64 / total as f64
    }
}

fn plain(accuracy: f64, coverage: f64) -> Planted {
    Planted { accuracy, coverage, determiners: 0.0 }
}

#[test]
fn planted_accuracies_are_recovered_and_the_majority_is_beaten() {
    let planted = [plain(0.95, 0.6), plain(0.85, 0.6), plain(0.5, 0.8), plain(0.35, 0.8), plain(0.3, 0.7)];
    let corpus = corpus(300, &planted, 11);
    let model = dawid_skene(&corpus.sentences, planted.len(), &Options::default()).unwrap();
    for (annotator, found) in model.annotators.iter().enumerate() {
        let (found, truth) = (found.accuracy().unwrap(), corpus.true_accuracy(annotator));
        assert!((found - truth).abs() < 0.05, "annotator {annotator}: {found} for {truth}");
    }
    let (found, majority) =
        (corpus.accuracy(&model.combined(&corpus.sentences)), corpus.accuracy(&corpus.majority()));
    assert!(found > majority + 0.05, "{found} against {majority}");
    assert!(model.converged);
}

#[test]
fn a_bias_for_determiners_is_recovered_and_corrected() {
    let biased = |determiners| Planted { accuracy: 0.9, coverage: 0.7, determiners };
    let planted = [plain(0.85, 0.7), plain(0.85, 0.7), plain(0.85, 0.7), biased(0.8), biased(0.8)];
    let corpus = corpus(300, &planted, 5);
    let model = dawid_skene(&corpus.sentences, planted.len(), &Options::default()).unwrap();
    let [verb, determiner] = [Category::Right("VERB".into()), Category::Left("DET".into())];
    let confusion = |annotator| model.confusion(annotator, "NOUN", &verb, &determiner).unwrap();
    // The believed head is given with 0.9, and in 0.8 of all sentences that is the determiner.
    for annotator in [3, 4] {
        assert!((confusion(annotator) - 0.72).abs() < 0.08, "{}", confusion(annotator));
    }
    assert!(confusion(0) < 0.08, "{}", confusion(0));
    let (found, majority) =
        (corpus.accuracy(&model.combined(&corpus.sentences)), corpus.accuracy(&corpus.majority()));
    assert!(found > majority + 0.02, "{found} against {majority}");
}

#[test]
fn a_standard_decides_between_two_conventions() {
    // Those who let determiners head are as many and as accurate; a gold standard says who is right.
    let biased = Planted { accuracy: 0.95, coverage: 0.8, determiners: 1.0 };
    let corpus = corpus(200, &[biased, biased, biased, plain(0.95, 0.8), plain(0.95, 0.8)], 3);
    let gold: Vec<Vec<Option<usize>>> =
        corpus.gold.iter().map(|heads| heads.iter().map(|&head| Some(head)).collect()).collect();
    let trees = corpus.sentences.iter().zip(&gold).map(|(sentence, gold)| (&sentence.tags[..], &gold[..]));
    let options = Options { standard: standard(trees, 20.0), ..Options::default() };
    let without = dawid_skene(&corpus.sentences, 5, &Options::default()).unwrap();
    let with = dawid_skene(&corpus.sentences, 5, &options).unwrap();
    let accuracy = |model: &DawidSkene| corpus.accuracy(&model.combined(&corpus.sentences));
    assert!(accuracy(&without) < 0.7, "{}", accuracy(&without));
    assert!(accuracy(&with) > 0.9, "{}", accuracy(&with));
}

#[test]
fn a_single_annotator_is_followed_and_mostly_believed() {
    let corpus = corpus(200, &[plain(0.8, 0.5)], 2);
    let model = dawid_skene(&corpus.sentences, 1, &Options::default()).unwrap();
    for (sentence, combined) in corpus.sentences.iter().zip(model.combined(&corpus.sentences)) {
        let given = &sentence.annotations[0].1;
        let refused = |word| combined.refused.iter().any(|refused| refused.word == word);
        let followed = |(word, head): (usize, &Option<usize>)| *head == given[word - 1] || refused(word);
        assert!((1..).zip(&combined.heads).all(followed) && combined.conflicts.is_empty());
    }
    let accuracy = model.annotators[0].accuracy().unwrap();
    assert!((0.7..=1.0).contains(&accuracy), "{accuracy}");
    // Heads that are given all the time are believed more than odd ones.
    let belief = |tag: &str, is_gold: bool| {
        let beliefs = model.posteriors.iter().filter(|posterior| {
            let gold = corpus.gold[posterior.sentence][posterior.word - 1];
            corpus.sentences[posterior.sentence].tags[posterior.word - 1] == tag
                && (posterior.heads[0].0 == gold) == is_gold
        });
        let beliefs: Vec<f64> = beliefs.map(|posterior| posterior.heads[0].1).collect();
        beliefs.iter().sum::<f64>() / beliefs.len() as f64
    };
    let (common, odd) = (belief("VERB", true), belief("VERB", false));
    assert!(common > 0.9 && odd < common - 0.1, "{common} {odd}");
}

#[test]
fn unanimous_annotators_are_all_right() {
    let corpus = corpus(50, &[plain(1.0, 1.0); 3], 2);
    for options in [Options::default(), Options::maximum_likelihood()] {
        let model = dawid_skene(&corpus.sentences, 3, &options).unwrap();
        assert_eq!(corpus.accuracy(&model.combined(&corpus.sentences)), 1.0);
        assert!(model.annotators.iter().all(|annotator| annotator.accuracy().unwrap() > 0.99));
    }
}

#[test]
fn without_annotations_nothing_is_believed() {
    let silent = Annotated { tags: texts("DET NOUN"), annotations: vec![(0, vec![None, None])] };
    for sentences in [vec![], vec![silent]] {
        let model = dawid_skene(&sentences, 2, &Options::default()).unwrap();
        assert_eq!((model.posteriors.len(), model.converged), (0, true));
        assert_eq!(model.annotators[0].accuracy(), None);
        assert!(model.combined(&sentences).iter().all(|combined| combined.heads.iter().all(Option::is_none)));
        assert!(model.prevalences("DET").is_empty());
    }
}

#[test]
fn an_estimation_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let planted = [plain(0.9, 0.8), plain(0.7, 0.9), plain(0.6, 0.7)];
    let corpus = corpus(60, &planted, 11);
    for options in [Options::default(), Options { max_iterations: 9, ..Options::default() }] {
        let estimate = |start, observer: &mut dyn Observer<Fitted<Estimates>>| {
            dawid_skene_observed(&corpus.sentences, planted.len(), &options, start, observer)
        };
        let mut trace = Trace::new("values", &[], |_: &Fitted<Estimates>| Vec::new());
        let straight = estimate(Start::Fresh, &mut trace).unwrap();
        assert_eq!(trace.all("log_joint"), [&straight.objective[..]], "every iteration is seen");
        assert!(straight.objective.len() <= options.max_iterations + 1);
        assert_eq!(straight.converged, straight.objective.len() <= options.max_iterations);
        for after in [1, 4, 10] {
            let mut half = Halfway::after(after);
            estimate(Start::Fresh, &mut half).unwrap();
            let (_, saved) =
                chain::container::decode(&half.checkpoint, "checkpoint/study/dawid-skene", 1).unwrap();
            let resumed = estimate(Start::From(saved), &mut ()).unwrap();
            assert_eq!(resumed.objective, straight.objective, "after {after}");
            assert_eq!(resumed.posteriors, straight.posteriors);
            assert_eq!(
                (resumed.annotators, resumed.converged),
                (straight.annotators.clone(), straight.converged)
            );
            let (_, saved) =
                chain::container::decode(&half.checkpoint, "checkpoint/study/dawid-skene", 1).unwrap();
            let others = &corpus.sentences[1..];
            let other = dawid_skene_observed(others, planted.len(), &options, Start::From(saved), &mut ());
            assert!(matches!(other, Err(Error::Run { .. })), "a checkpoint of other annotations");
        }
    }
}

#[test]
fn wrong_annotators_heads_and_priors_are_refused() {
    let sentence = |annotator, head| {
        vec![Annotated { tags: texts("DET"), annotations: vec![(annotator, vec![Some(head)])] }]
    };
    let refused = |sentences: &[Annotated]| dawid_skene(sentences, 1, &Options::default()).unwrap_err();
    assert!(matches!(refused(&sentence(1, 0)), Error::Annotator { annotator: 1, annotators: 1 }));
    assert!(matches!(refused(&sentence(0, 2)), Error::Head { .. }));
    let options = Options { right: -1.0, ..Options::default() };
    assert!(matches!(dawid_skene(&[], 1, &options), Err(Error::Range { .. })));
}

/// p(z = h) · Π p(y | z = h) for every head of a word, as the formulas of the module comment have it.
fn joint_by_formula(model: &DawidSkene, sentence: &Annotated, word: usize) -> Vec<(usize, f64)> {
    let tags = &sentence.tags;
    let tag = tags[word - 1].as_str();
    let prevalences: Vec<(Category, f64)> =
        model.prevalences(tag).into_iter().map(|(k, p)| (k.clone(), p)).collect();
    let category = |head| Category::of(tags, word, head).unwrap();
    let is_known = |head: &usize| prevalences.iter().any(|(k, _)| *k == category(*head));
    let all: Vec<usize> = (0..=tags.len()).filter(|&head| head != word).filter(is_known).collect();
    let m = |k: &Category| all.iter().filter(|&&head| category(head) == *k).count() as f64;
    let offered: Vec<&(Category, f64)> = prevalences.iter().filter(|(k, _)| m(k) > 0.0).collect();
    let prior = |head: usize| {
        let total: f64 = offered.iter().map(|(_, p)| p).sum();
        let own = offered.iter().find(|(k, _)| *k == category(head)).unwrap();
        own.1 / total / m(&own.0)
    };
    let emission = |annotator: usize, truth: usize, said: usize| {
        let a = model.knows(annotator, tag).unwrap();
        let e = |k: &Category| model.bias(annotator, tag, k).unwrap();
        let has_skill =
            model.parameters.skills[model.data.blocks.get_index_of(tag).unwrap()][annotator].is_some();
        let total: f64 = offered.iter().map(|(k, _)| e(k)).sum();
        let guess = match has_skill {
            true if total > 0.0 => e(&category(said)) / total / m(&category(said)),
            true => 0.0,
            false => 1.0 / all.len() as f64,
        };
        if truth == said { a + (1.0 - a) * guess } else { (1.0 - a) * guess }
    };
    let labels = || sentence.annotations.iter().filter_map(|(j, heads)| Some((*j, heads[word - 1]?)));
    let joint = |truth: usize| prior(truth) * labels().map(|(j, y)| emission(j, truth, y)).product::<f64>();
    all.iter().map(|&head| (head, joint(head))).collect()
}

fn planted() -> impl Strategy<Value = Vec<Planted>> {
    let one = (0.2f64..1.0, 0.1f64..1.0, 0.0f64..1.0);
    let one = one.prop_map(|(accuracy, coverage, determiners)| Planted { accuracy, coverage, determiners });
    prop::collection::vec(one, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_objective_never_falls(planted in planted(), seed: u64, min_items in 0usize..20, ml: bool) {
        let corpus = corpus(12, &planted, seed);
        let options = if ml { Options::maximum_likelihood() } else { Options::default() };
        let options = Options { min_items, max_iterations: 40, ..options };
        let model = dawid_skene(&corpus.sentences, planted.len(), &options).unwrap();
        prop_assert!(model.objective.iter().all(|value| value.is_finite()));
        for pair in model.objective.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs(), "{:?}", model.objective);
        }
    }

    #[test]
    fn posteriors_and_likelihood_are_those_of_all_heads(planted in planted(), seed: u64, min_items in 0usize..9) {
        let corpus = corpus(6, &planted, seed);
        let options = Options { min_items, max_iterations: 3, ..Options::maximum_likelihood() };
        let model = dawid_skene(&corpus.sentences, planted.len(), &options).unwrap();
        let mut likelihood = 0.0;
        for posterior in &model.posteriors {
            let joint = joint_by_formula(&model, &corpus.sentences[posterior.sentence], posterior.word);
            let total: f64 = joint.iter().map(|(_, p)| p).sum();
            likelihood += total.ln();
            for &(head, p) in &posterior.heads {
                let expected = joint.iter().find(|(other, _)| *other == head).unwrap().1 / total;
                prop_assert!((p - expected).abs() < 1e-9, "{p} {expected}");
            }
            let given: f64 = posterior.heads.iter().map(|(_, p)| p).sum();
            prop_assert!((given + posterior.elsewhere - 1.0).abs() < 1e-9);
        }
        let last = *model.objective.last().unwrap();
        prop_assert!((last - likelihood).abs() < 1e-6 * (1.0 + last.abs()), "{last} {likelihood}");
    }
}
