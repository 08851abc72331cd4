use super::*;
use crate::listing::{ln_sum, trees};
use crate::semantics::listing::{Listed, assert_gradient, ln_z, model, random, syntaxes, words};
use crate::semantics::{Options, SemanticTask, Syntax, Valency};
use crate::{Mode, links::TreeShape};
use arcs::Roots;
use bp::Messages;
use chain::descent::Weights;
use chain::{Rng, Stream};
use tree::Semantics;
use tree::semantics::{Argument, Predicate};

fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for mode in [Mode::Supervised, Mode::Oracle, Mode::Hidden, Mode::Joint] {
        for valency in [Valency::None, Valency::Two, Valency::Three] {
            for (sight, projective) in [(Sight::Paper, true), (Sight::Rich, false)] {
                let propagation = bp::Options { most: 200, tolerance: 1e-9, ..bp::Options::default() };
                all.push(Options {
                    mode,
                    valency,
                    sight,
                    projective,
                    propagation,
                    ..Options::of(SemanticTask::Roles)
                });
            }
        }
    }
    all
}

/// Three words, of which the second is a predicate of two senses, and a sentence that has both senses.
fn known(rng: &mut Rng) -> [Sentence; 2] {
    let sense = |name: &str| Some(name.into());
    let argument = |word, role: &str| Argument { word, role: role.into() };
    let mut sentences = [words(3, rng), words(3, rng)];
    for (number, sentence) in sentences.iter_mut().enumerate() {
        sentence.forms[1] = "go".into();
        sentence.lemmas[1] = "go".into();
        sentence.semantics.predicates = vec![Predicate {
            word: 1,
            sense: sense(["go.01", "go.02"][number]),
            arguments: vec![argument(0, "A0"), argument(2, ["A1", "A0"][number])],
            open: Default::default(),
        }];
        let all = trees(3, TreeShape { roots: Roots::One, projective: true });
        let tree = &all[rng.below(all.len())];
        sentence.heads = (1..=3).map(|word| Some(tree.head(word) as u32)).collect();
    }
    sentences
}

/// Everything that any word may be.
fn all_kept(model: &SemanticModel, sentence: &Sentence) -> Option<Kept> {
    let all = || (0..model.kinds.len() as u32).collect();
    (model.options.valency != Valency::None)
        .then(|| vec![(0..sentence.len()).map(|word| (word, all())).collect()])
}

fn listed(model: &SemanticModel, sentence: &Sentence) -> Vec<Listed> {
    let views = Views::new(sentence);
    let n_roles = model.kinds.len();
    let side = match model.options.mode {
        Mode::Oracle => SyntaxSide::known(Syntax::Arcs, sentence).expect("a tree"),
        _ => SyntaxSide::None,
    };
    let senses = model.senses.of(sentence, 1);
    let n_bins = model.options.valency.n_bins();
    let mut all = Vec::new();
    let mut keys = Vec::new();
    for syntax in syntaxes(model, sentence) {
        for (sense, place) in senses.iter().zip(0..) {
            for number in 0..(n_roles + 1).pow(3) {
                let mut score = syntax.score;
                sense_keys(&views, 1, code(8, sense), &mut keys);
                score += model.sum(&keys, 1, 0);
                let mut arguments = Vec::new();
                for word in 0..3 {
                    let Some(role) = (number / (n_roles + 1).pow(word as u32) % (n_roles + 1)).checked_sub(1)
                    else {
                        continue;
                    };
                    model.argument_keys(&views, 1, word, &side, &mut keys);
                    score += model.sum(&keys, 1 + n_roles, 0) + model.sum(&keys, 1 + n_roles, 1 + role);
                    if word != 1
                        && model.options.mode != Mode::Supervised
                        && syntax.sentence.heads[word] == Some(2)
                    {
                        tie_keys(&views, 1, word, false, &mut keys);
                        score += model.sum(&keys, 1, 0);
                    }
                    let role = model.kinds.name(role as u32 + 1).expect("a role").clone();
                    arguments.push(Argument { word, role });
                }
                if n_bins > 0 {
                    for role in 0..n_roles as u32 {
                        let plays = |argument: &&Argument| model.kinds.get(&argument.role) == role + 1;
                        let n = arguments.iter().filter(plays).count();
                        frame_keys(
                            &views,
                            1,
                            code(8, &senses[place]),
                            role,
                            n.min(n_bins - 1) as u32,
                            &mut keys,
                        );
                        score += model.sum(&keys, 1, 0);
                    }
                }
                let predicate =
                    Predicate { word: 1, sense: Some(sense.clone()), arguments, open: Default::default() };
                let semantics = Semantics { predicates: vec![predicate], ..Semantics::default() };
                all.push(Listed { sentence: Sentence { semantics, ..syntax.sentence.clone() }, score });
            }
        }
    }
    all
}

/// A model with weights for counts, too.
fn with_counts(sentences: &[Sentence], options: Options, rng: &mut Rng) -> SemanticModel {
    let mut model = model(sentences, options, rng);
    let n = model.index.n_weights();
    // As in training: first a model without counts.
    if options.valency != Valency::None {
        model.first = Some(random(n, rng));
    }
    model.weights = random(n, rng);
    model
}

#[test]
fn everything_has_the_score_that_its_features_give_and_exact_sums_are_exact() {
    let mut rng = Stream::new(1).rng();
    for options in configurations() {
        let sentences = known(&mut rng);
        let model = with_counts(&sentences, options, &mut rng);
        let sentence = &sentences[0];
        let kept = all_kept(&model, sentence);
        let all = listed(&model, sentence);
        for listed in all.iter().step_by(5) {
            let (found, _) = ln_z(&model, &listed.sentence, Some(&listed.sentence), kept.as_ref(), true);
            assert!((found - listed.score).abs() < 1e-8, "{options:?}: {found} {}", listed.score);
        }
        let total = ln_sum(all.iter().map(|listed| listed.score));
        let (found, is_exact) = ln_z(&model, sentence, None, kept.as_ref(), false);
        // Chains of counts share the sense, and the roles of a word exclude each other.
        assert_eq!(is_exact, options.valency == Valency::None, "{options:?}");
        assert!((found - total).abs() < if is_exact { 1e-8 } else { 1.0 }, "{options:?}: {found} {total}");
        let answer = model.find(&model.opened(sentence), &mut Messages::default()).expect("roles");
        let (predicate, ps) = (&answer.semantics.predicates[0], &answer.arguments[0]);
        for (argument, &p) in predicate.arguments.iter().zip(ps) {
            let has = |listed: &&Listed| listed.sentence.semantics.predicates[0].arguments.contains(argument);
            let true_p = (ln_sum(all.iter().filter(has).map(|listed| listed.score)) - total).exp();
            assert!((p - true_p).abs() < if is_exact { 1e-8 } else { 0.3 }, "{options:?}: {p} {true_p}");
        }
    }
}

#[test]
fn gradients_with_hidden_arcs_and_an_open_argument_are_those_of_enumeration() {
    let mut rng = Stream::new(2).rng();
    for options in configurations().into_iter().filter(|options| options.valency == Valency::None) {
        let sentences = known(&mut rng);
        let model = with_counts(&sentences, options, &mut rng);
        let mut sentence = sentences[0].clone();
        sentence.semantics.predicates[0].open.insert(1);
        let said = sentence.semantics.predicates[0].clone();
        let fits = |listed: &&Listed| {
            let other = &listed.sentence.semantics.predicates[0];
            let among = |predicate: &Predicate| -> Vec<Argument> {
                predicate.arguments.iter().filter(|argument| argument.word != 1).cloned().collect()
            };
            other.sense == said.sense
                && among(other) == among(&said)
                && (options.mode != Mode::Joint || listed.sentence.heads == sentence.heads)
        };
        assert_gradient(model, &sentence, 17, |model| {
            let all = listed(model, &sentence);
            ln_sum(all.iter().filter(fits).map(|listed| listed.score))
                - ln_sum(all.iter().map(|listed| listed.score))
        });
    }
}

#[test]
fn an_arc_that_is_not_in_the_best_tree_still_carries_its_argument() {
    // Chapter 6: a word whose arc from the predicate has 0.4 is tied to it more than one whose arc has 0.1, although the best
    // tree has neither.
    let mut graph = bp::Graph::new();
    let mut found = Vec::new();
    for (arc, tie) in [(0.4f64, 2.0), (0.1, 2.0)] {
        let (link, argument) = (graph.boolean(), graph.boolean());
        graph.unary(link, &[(arc / (1.0 - arc)).ln()]);
        graph.unary(argument, &[-0.5]);
        graph.nand(&[link.is(1), argument.is(1)], tie);
        found.push(argument);
    }
    let graph = graph.finish().expect("a graph");
    let mut messages = Messages::default();
    messages.run(&graph, &bp::Evidence::none(&graph), &bp::Options::default()).expect("beliefs");
    let p = found.iter().map(|argument| messages.probability(&graph, argument.is(1))).collect::<Vec<f64>>();
    // 1 − 0.4 + 0.4 e² = 3.556, and odds of e^−0.5 · 3.556.
    assert!((p[0] - 0.683).abs() < 1e-3 && (p[1] - 0.498).abs() < 1e-3, "{p:?}");
}

#[test]
fn what_was_said_is_kept_and_unknown_roles_are_no_obstacle() {
    let mut rng = Stream::new(4).rng();
    for options in configurations() {
        let sentences = known(&mut rng);
        let model = with_counts(&sentences, options, &mut rng);
        let mut sentence = sentences[1].clone();
        sentence.semantics.predicates[0].arguments[0].role = "AM-NEVER-SEEN".into();
        sentence.semantics.predicates[0].sense = Some("go.99".into());
        let found = model.find(&sentence, &mut Messages::default()).expect("roles");
        assert_eq!(found.semantics, sentence.semantics, "{options:?}");
    }
}

#[test]
fn the_most_probable_roles_are_those_of_enumeration() {
    let mut rng = Stream::new(12).rng();
    let is_exact = |options: &Options| {
        options.valency == Valency::None && matches!(options.mode, Mode::Supervised | Mode::Oracle)
    };
    for options in configurations().into_iter().filter(is_exact) {
        let sentences = known(&mut rng);
        let model = with_counts(&sentences, options, &mut rng);
        let sentence = &sentences[0];
        let mut all = listed(&model, sentence);
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        let total = ln_sum(all.iter().map(|listed| listed.score));
        let found = model.n_best(&model.opened(sentence), 4, &mut Messages::default());
        let (ranked, outcome) = found.expect("analyses");
        assert!(outcome.is_exact && ranked.len() == 4);
        for (one, wanted) in ranked.iter().zip(&all) {
            assert!((one.probability - (wanted.score - total).exp()).abs() < 1e-8, "{options:?}");
            assert_eq!(one.semantics, wanted.sentence.semantics, "{options:?}");
        }
    }
    // Roles as Booleans, one for each that is possible.
    let options = Options { valency: Valency::Three, ..configurations()[0] };
    let sentences = known(&mut rng);
    let mut model = with_counts(&sentences, options, &mut rng);
    let n = model.index.n_weights();
    model.weights = Weights::from_values(vec![0.0; n]);
    let mut asked = model.opened(&sentences[0]);
    asked.semantics.predicates[0].open.remove(&2);
    asked.semantics.predicates[0].arguments = vec![Argument { word: 2, role: "A1".into() }];
    let (ranked, _) = model.n_best(&asked, 18, &mut Messages::default()).expect("analyses");
    let roles: Vec<&str> = ranked
        .iter()
        .flat_map(|one| &one.semantics.predicates[0].arguments)
        .filter(|argument| argument.word == 0)
        .map(|argument| argument.role.as_str())
        .collect();
    assert!(roles.contains(&"A0") && roles.contains(&"A1"), "{ranked:?}");
    assert!(ranked.iter().all(|one| one.semantics.predicates[0].arguments.iter().any(|a| a.word == 2)));
}
