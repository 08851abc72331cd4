use super::*;
use crate::listing::ln_sum;
use crate::semantics::listing::{
    Listed, assert_gradient, bracketings, ln_z, model, name_sets, syntaxes, words,
};
use crate::semantics::{Options, SemanticTask};
use crate::sentence::KnownSpans;
use crate::{Mode, semantics::Gazetteer};
use bp::Messages;
use bp::structured::Cover;
use chain::descent::Weights;
use chain::{Rng, Stream};
use tree::{Span, Text};

fn rng(seed: u64) -> Rng {
    Stream::new(seed).rng()
}

/// What a name or a word called O is worth, by definition.
fn score_of(model: &SemanticModel, sentence: &Sentence, (start, end): (usize, usize), kind: usize) -> f64 {
    let views = Views::new(sentence);
    let keys = NameKeys::new(&views, model.options.sight);
    let mut own = Vec::new();
    keys.of_span(&views, start, end, &mut own);
    let all = [keys.starts[start].clone(), keys.ends[end].clone(), own].concat();
    let n = model.n_name_weights();
    model.sum(&all, n, 0) + model.sum(&all, n, 1 + kind)
}

/// All names with all syntax, and their scores.
fn listed(model: &SemanticModel, sentence: &Sentence) -> Vec<Listed> {
    let kinds: Vec<Text> = model.kinds.names().cloned().collect();
    let mut all = Vec::new();
    for syntax in syntaxes(model, sentence) {
        for names in name_sets(sentence.len(), model.options.widest as usize, &kinds) {
            let mut score = syntax.score;
            let mut here = syntax.sentence.clone();
            let views = Views::new(sentence);
            let brackets = |span: (usize, usize)| {
                let known = here.brackets.as_ref();
                known.is_some_and(|known| known.spans.contains(&(span.0 as u32, span.1 as u32)))
            };
            let has_syntax = model.options.mode != Mode::Supervised;
            let tie = |span: (usize, usize)| {
                let mut keys = Vec::new();
                model.tie_keys(&views, span.0, span.1, &mut keys);
                if has_syntax && span.1 - span.0 > 1 && brackets(span) { model.sum(&keys, 1, 0) } else { 0.0 }
            };
            for name in &names {
                let span = (name.span.start(), name.span.end());
                let kind = model.kinds.get(&name.kind) as usize - 1;
                score += score_of(model, sentence, span, kind) + tie(span);
            }
            if model.options.covers_all() {
                let is_named = |word: usize| names.iter().any(|name| name.span.holds(word));
                for word in (0..sentence.len()).filter(|&word| !is_named(word)) {
                    score += score_of(model, sentence, (word, word + 1), kinds.len());
                }
            }
            here.semantics.entities = names;
            all.push(Listed { sentence: here, score });
        }
    }
    all
}

fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for mode in [Mode::Supervised, Mode::Oracle, Mode::Hidden, Mode::Joint] {
        for cover in [Cover::Optional, Cover::Exact] {
            for sight in [Sight::Chain, Sight::Paper, Sight::Rich] {
                all.push(Options { mode, cover, sight, widest: 3, ..Options::of(SemanticTask::Entities) });
            }
        }
    }
    all
}

/// A sentence with two types of names and a tree.
fn known(n: usize, rng: &mut Rng) -> Sentence {
    let mut sentence = words(n, rng);
    let name = |start, end, kind: &str| tree::semantics::Entity {
        span: Span::new(start, end).expect("a span"),
        kind: kind.into(),
    };
    sentence.semantics.entities = vec![name(0, 2, "PER"), name(n - 1, n, "LOC")];
    let all = bracketings(0, n as u32);
    let spans = all[rng.below(all.len())].clone();
    sentence.brackets = Some(KnownSpans { spans, is_whole: true });
    sentence
}

#[test]
fn everything_has_the_score_that_its_features_give() {
    let mut rng = rng(1);
    for options in configurations() {
        let sentence = known(4, &mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        for listed in listed(&model, &sentence).iter().step_by(7) {
            let (found, _) = ln_z(&model, &listed.sentence, Some(&listed.sentence), None, true);
            assert!((found - listed.score).abs() < 1e-8, "{options:?}: {found} {}", listed.score);
        }
    }
}

#[test]
fn beliefs_are_those_of_enumeration_where_they_are_said_to_be_exact() {
    let mut rng = rng(2);
    let mut n_exact = 0;
    for options in configurations() {
        let sentence = known(4, &mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        let all = listed(&model, &sentence);
        let total = ln_sum(all.iter().map(|listed| listed.score));
        let (found, is_exact) = ln_z(&model, &sentence, None, None, false);
        // Two global factors meet in many spans.
        assert_eq!(is_exact, matches!(options.mode, Mode::Supervised | Mode::Oracle), "{options:?}");
        if !is_exact {
            // Loops are weak where weights are: sums by Bethe come near.
            assert!((found - total).abs() < 0.5, "{options:?}: {found} {total}");
            continue;
        }
        n_exact += 1;
        assert!((found - total).abs() < 1e-8, "{options:?}: {found} {total}");
        let posterior = model.find(&model.opened(&sentence), &mut Messages::default()).expect("names");
        for (entity, &p) in posterior.semantics.entities.iter().zip(&posterior.entities) {
            let has = |listed: &&Listed| listed.sentence.semantics.entities.contains(entity);
            let true_p = (ln_sum(all.iter().filter(has).map(|listed| listed.score)) - total).exp();
            assert!((p - true_p).abs() < 1e-8, "{options:?}: {p} {true_p}");
        }
    }
    assert_eq!(n_exact, 12);
}

#[test]
fn the_most_probable_analyses_are_those_of_enumeration() {
    let mut rng = rng(7);
    for options in configurations() {
        let sentence = known(4, &mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        let all = listed(&model, &sentence);
        let total = ln_sum(all.iter().map(|listed| listed.score));
        let mut messages = Messages::default();
        let (ranked, outcome) = model.n_best(&model.opened(&sentence), 5, &mut messages).expect("analyses");
        assert!(ranked.windows(2).all(|pair| pair[0].probability >= pair[1].probability));
        if !outcome.is_exact || options.mode == Mode::Hidden || options.mode == Mode::Joint {
            assert!(!ranked.is_empty(), "{options:?}");
            continue;
        }
        let mut wanted: Vec<f64> = all.iter().map(|listed| (listed.score - total).exp()).collect();
        wanted.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(ranked.len(), 5);
        for (one, wanted) in ranked.iter().zip(wanted) {
            assert!((one.probability - wanted).abs() < 1e-8, "{options:?}: {} {wanted}", one.probability);
            let mut names = one.semantics.entities.clone();
            names.sort_by_key(|name| name.span.start());
            let same = all.iter().find(|listed| listed.sentence.semantics.entities == names);
            let score = same.expect("one of those that there are").score;
            assert!(((score - total).exp() - wanted).abs() < 1e-8, "{options:?}");
        }
        // What is beside the best one is still open where it was.
        let again = model.n_best(&sentence, 3, &mut messages).expect("analyses").0;
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].semantics.entities, sentence.semantics.entities);
    }
}

#[test]
fn gradients_are_those_of_enumerated_likelihoods() {
    let mut rng = rng(3);
    for options in
        configurations().into_iter().filter(|options| matches!(options.mode, Mode::Supervised | Mode::Oracle))
    {
        let mut sentence = known(3, &mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        // Whether the last word is in a name nobody knows.
        sentence.semantics.entities.truncate(1);
        sentence.semantics.open_words.insert(2);
        let fits = |listed: &&Listed| {
            let names = &listed.sentence.semantics.entities;
            names.contains(&sentence.semantics.entities[0]) && names.iter().all(|name| name.span.start() != 1)
        };
        assert_gradient(model, &sentence, 11, |model| {
            let all = listed(model, &sentence);
            ln_sum(all.iter().filter(fits).map(|listed| listed.score))
                - ln_sum(all.iter().map(|listed| listed.score))
        });
    }
}

#[test]
fn a_type_alone_can_make_a_span_a_name() {
    // §4.3.1: the span by itself is improbable, a type of it is not.
    let mut rng = rng(4);
    let mut sentence = known(3, &mut rng);
    sentence.forms = ["Ada", "Lovelace", "b"].map(Into::into).to_vec();
    sentence.brackets = None;
    let mut model = model(
        std::slice::from_ref(&sentence),
        Options { sight: Sight::Paper, ..Options::of(SemanticTask::Entities) },
        &mut rng,
    );
    let views = Views::new(&sentence);
    let keys = NameKeys::new(&views, Sight::Paper);
    let mut own = Vec::new();
    keys.of_span(&views, 0, 2, &mut own);
    let row = model.index.get(own[1], model.n_name_weights()).expect("the words of the span");
    let mut weights = vec![0.0; model.index.n_weights()];
    weights[row as usize] = -2.0;
    let p_name = |weights: &[f32], model: &mut SemanticModel| {
        model.weights = Weights::from_values(weights.to_vec());
        let found = model.find(&model.opened(&sentence), &mut Messages::default()).expect("names");
        found.semantics.entities.iter().any(|name| (name.span.start(), name.span.end()) == (0, 2))
    };
    assert!(!p_name(&weights, &mut model));
    weights[row as usize + 1] = 6.0;
    assert!(p_name(&weights, &mut model));
}

#[test]
fn lists_of_names_are_seen_but_not_those_that_only_the_sentence_itself_has() {
    let mut rng = rng(5);
    let sentence = known(3, &mut rng);
    let names = Gazetteer::of_training([&sentence]);
    assert!(names.matches(&sentence, true).is_empty());
    assert!(!names.matches(&sentence, false).is_empty());
    let twice = Gazetteer::of_training([&sentence, &sentence]);
    assert_eq!(twice.matches(&sentence, true).len(), twice.matches(&sentence, false).len());
}

#[test]
fn a_span_with_a_word_that_is_known_to_be_outside_is_no_name() {
    let mut rng = rng(6);
    let mut sentence = known(4, &mut rng);
    let model = model(std::slice::from_ref(&sentence), Options::of(SemanticTask::Entities), &mut rng);
    sentence.semantics.entities.truncate(1);
    sentence.semantics.open_words.insert(3);
    let known = KnownNames::new(&model, &sentence);
    let kind = model.kinds.get("PER") - 1;
    assert_eq!(known.of((0, 2)), Name::Of(Some(kind)));
    assert_eq!(known.of((3, 4)), Name::Open);
    for span in [(2, 3), (2, 4), (1, 4), (0, 1)] {
        assert_eq!(known.of(span), Name::None, "{span:?}");
    }
}

/// Fig. 4.7: names alone are wrong, brackets alone are wrong, and together they are right.
#[test]
fn two_that_are_wrong_alone_are_right_together() {
    use bp::structured::{Brackets, Segments};
    use bp::{Evidence, Graph, Variable};
    let spans = Brackets::all_spans(4);
    let tied = (1, 3);
    // Names that overlap; brackets of which some tree has either, but not both.
    let of_name = |span: (u32, u32)| match span {
        (0, 2) => 3.0,
        (1, 3) => 2.4,
        _ => -4.0,
    };
    let of_bracket = |span: (u32, u32)| match span {
        (2, 4) => 3.0,
        (1, 3) => 1.6,
        (0, 2) => -4.0,
        _ => 0.0,
    };
    let best = |with_names: bool, with_brackets: bool, tie: f64| {
        let mut graph = Graph::new();
        let mut lay = |of: &dyn Fn((u32, u32)) -> f64| -> Vec<Variable> {
            let one = |&span: &(u32, u32)| {
                let variable = graph.boolean();
                graph.unary(variable, &[of(span)]);
                variable
            };
            spans.iter().map(one).collect()
        };
        let names = if with_names { lay(&of_name) } else { Vec::new() };
        let brackets = if with_brackets { lay(&of_bracket) } else { Vec::new() };
        let literals = |of: &[Variable]| of.iter().map(|variable| variable.is(1)).collect::<Vec<_>>();
        if with_names {
            graph.structured(Segments::new(4, spans.clone(), Cover::Optional), &literals(&names));
        }
        if with_brackets {
            graph.structured(Brackets::new(4, spans.clone()), &literals(&brackets));
        }
        for (name, bracket) in names.iter().zip(&brackets) {
            graph.nand(&[name.is(1), bracket.is(1)], tie);
        }
        let graph = graph.finish().expect("a graph");
        let mut messages = Messages::default();
        let options = bp::Options { most: 200, ..bp::Options::default() };
        messages.run(&graph, &Evidence::none(&graph), &options).expect("beliefs");
        let most = |of: &[Variable]| {
            let p = |place: usize| messages.probability(&graph, of[place].is(1));
            // Wider ones are brackets around either.
            let places = (0..of.len()).filter(|&place| spans[place].1 - spans[place].0 == 2);
            places.max_by(|&a, &b| p(a).total_cmp(&p(b))).map(|place| spans[place])
        };
        (most(&names), most(&brackets))
    };
    assert_eq!(best(true, false, 0.0).0, Some((0, 2)));
    assert_eq!(best(false, true, 0.0).1, Some((2, 4)));
    assert_eq!(best(true, true, 0.0), (Some((0, 2)), Some((2, 4))));
    assert_eq!(best(true, true, 3.0), (Some(tied), Some(tied)));
}
