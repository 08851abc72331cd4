//! Gradients, training, files, and what is odd.

use chain::descent::{Learning, Rule, Weights};
use chain::{Threads, Workers};

use super::super::training::ExampleScratch;
use super::*;

fn annotated(trees: &[Tree<Text>]) -> Vec<Annotated> {
    trees.iter().cloned().map(Annotated::from).collect()
}

fn serial() -> Workers {
    Workers::serial()
}

/// The parser's trees of sentences.
fn parse(model: &Model, trees: &[Tree<Text>], how: Decode) -> Vec<Tree<Text>> {
    trees.iter().map(|tree| model.parse(&words_of(tree), how).tree).collect()
}

fn partial(tree: &Tree<Text>, brackets: &[(u32, u32, Option<&str>)]) -> Annotated {
    let known = |&(start, end, label): &(u32, u32, Option<&str>)| Bracket {
        start,
        end,
        label: label.map(Text::from),
    };
    Annotated { words: words_of(tree), known: Known::Brackets(brackets.iter().map(known).collect()) }
}

#[test]
fn gradients_of_weights_are_differences_of_the_likelihood() {
    let trees = toy();
    for kind in [Kind::Ccm, Kind::Bm, Kind::Lbm] {
        let options = TrainOptions { kind, ..quick() };
        let mut examples = annotated(&trees[..2]);
        examples.push(partial(&trees[1], &[(0, 2, Some("NP")), (3, 8, None)]));
        let training = Training::new(&examples, options).unwrap();
        let n = training.model().index.n_weights();
        let values: Vec<f32> = random_scores(n, &mut stream(5)).iter().map(|x| (0.1 * x) as f32).collect();
        for example in training.examples() {
            let gradient = |values: &[f32]| {
                let weights = Weights::from_values(values.to_vec());
                ExampleScratch::default().gradient(training.model().shape(), example, &weights, 0.0).unwrap()
            };
            let mut found = vec![0.0; n];
            gradient(&values)
                .entries
                .iter()
                .for_each(|(at, derivative)| found[*at as usize] += f64::from(*derivative));
            assert!(found.iter().any(|derivative| derivative.abs() > 0.1));
            for at in (0..n).step_by(n / 60 + 1) {
                let mut moved = values.clone();
                moved[at] = values[at] + 1.0 / 64.0;
                let above = gradient(&moved).loss;
                moved[at] = values[at] - 1.0 / 64.0;
                let width = f64::from(values[at] + 1.0 / 64.0) - f64::from(moved[at]);
                let derivative = (above - gradient(&moved).loss) / width;
                assert!((derivative - found[at]).abs() < 1e-3, "{kind:?} {at}: {derivative} {}", found[at]);
            }
        }
    }
}

#[test]
fn training_raises_the_likelihood_until_every_tree_of_a_toy_treebank_is_found() {
    let trees = toy();
    for (rule, rate) in [(Rule::AdaGrad, 0.005), (Rule::Sgd, 0.002)] {
        let learning = Learning { rule, rate, batch: 64, epochs: 250, average: false, ..quick().learning };
        let options = TrainOptions { learning, ..quick() };
        let mut likelihoods = Vec::new();
        let model = Training::new(&annotated(&trees), options).unwrap().run(&serial(), &mut |epoch, _| {
            likelihoods.push(epoch.figure);
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(likelihoods.len(), 250);
        assert!(likelihoods.is_sorted(), "{likelihoods:?}");
        assert!(parse(&model, &trees, Decode::Sum) == trees, "{rule:?}");
        assert!(parse(&model, &trees, Decode::Product) == trees, "{rule:?}");
    }
}

#[test]
fn parsers_without_labels_find_the_brackets() {
    let trees = toy();
    for kind in [Kind::Ccm, Kind::Bm] {
        let model = train(&annotated(&trees), TrainOptions { kind, ..quick() }, &serial()).unwrap();
        let top = Text::from("TOP");
        for tree in &trees[..2] {
            let parsed = model.parse(&words_of(tree), Decode::Sum);
            let spans =
                |binary: &Binary| binary.brackets.iter().map(|b| (b.start, b.end)).collect::<Vec<_>>();
            // Two features cannot tell one preposition from another.
            if kind == Kind::Bm {
                assert_eq!(spans(&parsed.binary), spans(&binarise(tree, Some(&top), false)));
            }
            assert_eq!(parsed.tree.words().collect::<Vec<_>>(), tree.words().collect::<Vec<_>>());
        }
    }
}

#[test]
fn threads_checkpoints_and_files_leave_no_trace() {
    let trees = toy();
    let rules = Some(RuleOptions { epochs: 3, ..RuleOptions::default() });
    let learning = Learning { epochs: 4, ..quick().learning };
    let options = TrainOptions { rules, learning, ..quick() };
    let straight = train(&annotated(&trees), options.clone(), &serial()).unwrap();
    let workers = Workers::new(Threads::from_count(2)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bytes = |model: &Model| {
        model.write(&folder.path().join("model")).unwrap();
        std::fs::read(folder.path().join("model")).unwrap()
    };
    for stop in [1, 3, 5, 6] {
        let mut first = Training::new(&annotated(&trees), options.clone()).unwrap();
        (0..stop).for_each(|_| _ = first.epoch(&workers));
        let header = chain::container::Header::default();
        let saved = chain::container::encode(&header, &first.save()).unwrap();
        let (_, saved): (_, SavedTraining) = chain::container::decode(&saved, "", 0).unwrap();
        let mut second = Training::new(&annotated(&trees), options.clone()).unwrap();
        second.resume(&saved).unwrap();
        let model = second.run(&workers, &mut |_, _| std::ops::ControlFlow::Continue(()));
        assert!(bytes(&model) == bytes(&straight), "stopped after {stop}");
    }
    let other = TrainOptions { seed: 2, ..options };
    let mut training = Training::new(&annotated(&trees), other).unwrap();
    let saved = Training::new(&annotated(&trees), quick()).unwrap().save();
    assert_eq!(training.resume(&saved), Err(Error::OtherCheckpoint));
    bytes(&straight);
    let back = Model::read(&folder.path().join("model")).unwrap();
    assert!(bytes(&back) == bytes(&straight));
    assert_eq!(parse(&back, &trees, Decode::Sum), parse(&straight, &trees, Decode::Sum));
    std::fs::write(folder.path().join("model"), b"nothing").unwrap();
    assert!(Model::read(&folder.path().join("model")).is_err());
}

#[test]
fn every_sentence_has_a_tree() {
    for kind in [Kind::Ccm, Kind::Bm, Kind::Lbm] {
        let model = train(&annotated(&toy()), TrainOptions { kind, ..quick() }, &serial()).unwrap();
        let word = |form: &str, tag: Option<&str>| Word { form: form.into(), tag: tag.map(Text::from) };
        let long: Vec<Word> = (0..50).map(|at| word("dog", [Some("N"), Some("V"), None][at % 3])).collect();
        let sentences = [
            vec![],
            vec![word("dog", Some("N"))],
            vec![word("", None)],
            vec![word("dog", Some("Q")), word("\u{1F408}", Some("V"))],
            vec![word("dog", None), word("ran", None), word("!", None)],
            long,
        ];
        let endless = vec![word("dog", Some("N")); LONGEST + 1];
        let flat = model.parse(&endless, Decode::Sum);
        assert_eq!((flat.tree.n_words(), flat.binary.brackets.len()), (LONGEST + 1, 0));
        for words in sentences {
            let parsed = model.parse(&words, Decode::Sum);
            assert_eq!(parsed.tree.label(), "TOP");
            assert!(parsed.tree.words().eq(words.iter().map(|word| &word.form)));
            // A word right below the topmost node, and nothing else, has that for a tag.
            let bare = [word("", Some("TOP"))];
            let expected = if words == [word("", None)] { &bare } else { &words[..] };
            assert_eq!(words_of(&parsed.tree), expected);
            assert_eq!(parsed.probabilities.len(), words.len().saturating_sub(1));
        }
    }
}

#[test]
fn brackets_alone_teach_where_brackets_are() {
    let trees = toy();
    let known: Vec<Annotated> = (0..12)
        .flat_map(|at| [partial(&trees[3 * at], &[(3, 8, None), (3, 5, Some("NP")), (5, 8, Some("PP"))])])
        .collect();
    let model = train(&known, quick(), &serial()).unwrap();
    let parsed = model.parse(&words_of(&trees[3]), Decode::Sum);
    let spans: Vec<(u32, u32)> = parsed.binary.brackets.iter().map(|b| (b.start, b.end)).collect();
    assert!([(3, 8), (3, 5), (5, 8)].iter().all(|span| spans.contains(span)), "{spans:?}");
    let label = |span| &parsed.binary.brackets[spans.iter().position(|s| *s == span).unwrap()].label.chain[0];
    assert_eq!((label((3, 5)).as_str(), label((5, 8)).as_str()), ("NP", "PP"));
}

#[test]
fn what_cannot_be_learned_from_is_told() {
    let trees = toy();
    assert_eq!(Training::new(&[], quick()).unwrap_err(), Error::NothingToLearn);
    let word = annotated(&[tree("(TOP (N dog))"), Tree::constituent(Text::from("TOP"), [])]);
    assert_eq!(Training::new(&word, quick()).unwrap_err(), Error::NothingToLearn);
    let bare = [partial(&trees[0], &[(0, 2, None)])];
    assert_eq!(Training::new(&bare, quick()).unwrap_err(), Error::NoLabels);
    assert!(Training::new(&bare, TrainOptions { kind: Kind::Bm, ..quick() }).is_ok());
    let crossing = [partial(&trees[0], &[(0, 2, None), (1, 4, Some("X"))])];
    let told = Training::new(&crossing, quick()).unwrap_err();
    assert_eq!(told, Error::Crossing { sentence: 1, first: (1, 2), second: (2, 4) });
    for (start, end) in [(0, 99), (3, 4), (5, 2)] {
        let outside = [partial(&trees[0], &[(start, end, None)])];
        assert!(matches!(Training::new(&outside, quick()).unwrap_err(), Error::Outside { .. }));
    }
    let mixed =
        [annotated(&trees), annotated(&[tree("(TOP (N a))"), Tree::constituent(Text::from("TOP"), [])])];
    assert!(train(&mixed.concat(), quick(), &serial()).is_ok());
}

#[test]
fn options_change_what_is_kept() {
    let trees = toy();
    let n_features = |options: TrainOptions| {
        let model = train(&annotated(&trees), options, &serial()).unwrap();
        assert_eq!(parse(&model, &trees[..6], Decode::Sum), trees[..6]);
        model.n_features()[0]
    };
    let short = TrainOptions { learning: Learning { epochs: 6, ..quick().learning }, ..quick() };
    let usual = n_features(short.clone());
    assert!(n_features(TrainOptions { keeps_all_features: true, ..short.clone() }) > usual);
    assert!(n_features(TrainOptions { least_features: 5, ..short.clone() }) < usual);
    assert_eq!(n_features(TrainOptions { prunes_labels: false, joins_chains: true, ..short }), usual);
}
