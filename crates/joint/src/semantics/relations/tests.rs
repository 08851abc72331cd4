use super::*;
use crate::listing::{ln_sum, trees};
use crate::semantics::listing::{Listed, assert_gradient, below, bracketings, ln_z, model, syntaxes, words};
use crate::semantics::{Options, SemanticTask};
use crate::sentence::KnownSpans;
use crate::{Mode, links::TreeShape};
use arcs::Roots;
use bp::Messages;
use chain::{Rng, Stream};
use tree::semantics::{Entity, Relation};
use tree::{Semantics, Span};

fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for mode in [Mode::Supervised, Mode::Oracle, Mode::Hidden, Mode::Joint] {
        for syntax in [Syntax::Arcs, Syntax::Brackets] {
            for (sight, types) in [(Sight::Paper, false), (Sight::Rich, true)] {
                all.push(Options { mode, syntax, sight, types, ..Options::of(SemanticTask::Relations) });
            }
        }
    }
    all
}

/// Five words, of which two are one name, with three names, two relations and a tree.
fn known(rng: &mut Rng) -> Sentence {
    let mut sentence = words(5, rng);
    let name =
        |start, end, kind: &str| Entity { span: Span::new(start, end).expect("a span"), kind: kind.into() };
    let relation = |first, second, kind: &str| Relation { first, second, kind: kind.into() };
    sentence.semantics.entities = vec![name(3, 4, "LOC"), name(0, 2, "PER"), name(4, 5, "LOC")];
    sentence.semantics.relations = vec![relation(1, 0, "in"), relation(2, 0, "of")];
    let all = trees(5, TreeShape { roots: Roots::One, projective: true });
    // The words of a name hang together.
    let fits = all.iter().filter(|tree| tree.head(1) == 2 || tree.head(2) == 1);
    let tree = fits.clone().nth(rng.below(fits.count())).expect("a tree");
    sentence.heads = (1..=5).map(|word| Some(tree.head(word) as u32)).collect();
    let brackets: Vec<_> = bracketings(0, 5).into_iter().filter(|spans| spans.contains(&(0, 2))).collect();
    let spans = brackets[rng.below(brackets.len())].clone();
    sentence.brackets = Some(KnownSpans { spans, is_whole: true });
    sentence
}

/// All relations with all syntax, and their scores; syntax is that of the sentence whose names are words.
fn listed(model: &SemanticModel, sentence: &Sentence) -> Vec<(Listed, Sentence)> {
    let collapsed = Collapsed::new(sentence);
    let (views, tokens) = (Views::new(sentence), Views::new(&collapsed.sentence));
    let seeing = Seeing { sentence, collapsed: &collapsed, views: &views, tokens };
    let n_kinds = model.kinds.len();
    let side = match model.options.mode {
        Mode::Oracle => SyntaxSide::known(model.options.syntax, &collapsed.sentence).expect("a tree"),
        _ => SyntaxSide::None,
    };
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let mut all = Vec::new();
    for syntax in syntaxes(model, &below(sentence, &model.options)) {
        let tree = &syntax.sentence;
        for code in 0..(n_kinds + 1).pow(3) {
            let mut score = syntax.score;
            let mut said = Semantics { relations: vec![], ..sentence.semantics.clone() };
            for (place, &(a, b)) in pairs.iter().enumerate() {
                let Some(kind) = (code / (n_kinds + 1).pow(place as u32) % (n_kinds + 1)).checked_sub(1)
                else {
                    continue;
                };
                let pair = (collapsed.entities[a], collapsed.entities[b]);
                let here = (collapsed.words[a], collapsed.words[b]);
                let mut keys = Vec::new();
                model.pair_keys(&seeing, pair, here, &side, &mut keys);
                score += model.sum(&keys, 1 + n_kinds, 0) + model.sum(&keys, 1 + n_kinds, 1 + kind);
                if model.options.mode != Mode::Supervised {
                    for head in ties(model.options.syntax, tree, here) {
                        model.tie_pair_keys(&seeing, pair, here, head, &mut keys);
                        score += model.sum(&keys, 1, 0);
                    }
                }
                let name = model.kinds.name(kind as u32 + 1).expect("a kind");
                let (first, second) = if name.starts_with('>') { pair } else { (pair.1, pair.0) };
                said.relations.push(Relation { first, second, kind: name[1..].into() });
            }
            let sentence = Sentence { semantics: said, ..sentence.clone() };
            all.push((Listed { sentence, score }, tree.clone()));
        }
    }
    all
}

/// The ties of a pair that count in a tree.
fn ties(syntax: Syntax, tree: &Sentence, (a, b): (usize, usize)) -> Vec<Option<usize>> {
    match syntax {
        Syntax::Arcs => {
            let head = tree.heads[a].filter(|&head| head > 0 && tree.heads[b] == Some(head));
            head.map(|head| Some(head as usize - 1)).into_iter().collect()
        }
        Syntax::Brackets => {
            let spans = &tree.brackets.as_ref().expect("brackets").spans;
            if spans.contains(&(a as u32, b as u32 + 1)) { vec![None] } else { vec![] }
        }
    }
}

#[test]
fn everything_has_the_score_that_its_features_give_and_exact_sums_are_exact() {
    let mut rng = Stream::new(1).rng();
    for options in configurations() {
        let sentence = known(&mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        let all = listed(&model, &sentence);
        for (listed, tree) in all.iter().step_by(13) {
            let (found, _) = ln_z(&model, &listed.sentence, Some(tree), None, true);
            assert!((found - listed.score).abs() < 1e-8, "{options:?}: {found} {}", listed.score);
        }
        let total = ln_sum(all.iter().map(|(listed, _)| listed.score));
        let (found, is_exact) = ln_z(&model, &sentence, None, None, false);
        let has_cycles = options.syntax == Syntax::Arcs && matches!(options.mode, Mode::Hidden | Mode::Joint);
        assert_eq!(is_exact, !has_cycles, "{options:?}");
        let near = if is_exact { 1e-8 } else { 0.7 };
        assert!((found - total).abs() < near, "{options:?}: {found} {total}");
        let answer = model.find(&model.opened(&sentence), &mut Messages::default()).expect("relations");
        for (relation, &p) in answer.semantics.relations.iter().zip(&answer.relations) {
            let has =
                |(listed, _): &&(Listed, Sentence)| listed.sentence.semantics.relations.contains(relation);
            let true_p = (ln_sum(all.iter().filter(has).map(|(listed, _)| listed.score)) - total).exp();
            assert!((p - true_p).abs() < if is_exact { 1e-8 } else { 0.2 }, "{options:?}: {p} {true_p}");
        }
    }
}

#[test]
fn gradients_with_hidden_brackets_and_an_open_pair_are_those_of_enumeration() {
    let mut rng = Stream::new(2).rng();
    for options in configurations().into_iter().filter(|options| options.syntax == Syntax::Brackets) {
        let mut sentence = known(&mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        sentence.semantics.open_pairs.insert((1, 2));
        let sorted = |sentence: &Sentence| {
            let mut spans = sentence.brackets.clone().map(|known| known.spans).unwrap_or_default();
            spans.sort_unstable();
            spans
        };
        let tree = sorted(&below(&sentence, &options));
        let fits = |(listed, syntax): &&(Listed, Sentence)| {
            let said = &listed.sentence.semantics;
            let same = [(0, 1), (0, 2)]
                .iter()
                .all(|&(a, b)| said.relation(a, b) == sentence.semantics.relation(a, b));
            same && (options.mode != Mode::Joint || sorted(syntax) == tree)
        };
        assert_gradient(model, &sentence, 37, |model| {
            let all = listed(model, &sentence);
            let ln = |fits: &dyn Fn(&&(Listed, Sentence)) -> bool| {
                ln_sum(all.iter().filter(fits).map(|(listed, _)| listed.score))
            };
            ln(&fits) - ln(&|_| true)
        });
    }
}

#[test]
fn directions_of_relations_are_told_apart_and_given_ones_are_kept() {
    let mut rng = Stream::new(3).rng();
    let sentence = known(&mut rng);
    let model = model(std::slice::from_ref(&sentence), Options::of(SemanticTask::Relations), &mut rng);
    let kinds: Vec<&str> = model.kinds().map(|kind| kind.as_str()).collect();
    assert_eq!(kinds, [">in", "<of"]);
    let found = model.find(&sentence, &mut Messages::default()).expect("relations");
    assert_eq!(found.semantics, sentence.semantics);
    assert_eq!(found.relations, [1.0, 1.0]);
}

#[test]
fn brackets_beside_relations_are_of_the_words_of_the_sentence() {
    let mut rng = Stream::new(9).rng();
    let sentence = known(&mut rng);
    let options =
        Options { mode: Mode::Hidden, syntax: Syntax::Brackets, ..Options::of(SemanticTask::Relations) };
    let model = model(std::slice::from_ref(&sentence), options, &mut rng);
    let found = model.find(&model.opened(&sentence), &mut Messages::default()).expect("relations");
    let spans: Vec<(u32, u32)> = found.brackets.expect("brackets").iter().map(|belief| belief.span).collect();
    // Four words, of which the first one is the name of two.
    let mut spans = spans;
    spans.sort_unstable();
    assert_eq!(spans, [(0, 3), (0, 4), (0, 5), (2, 4), (2, 5), (3, 5)]);
    // With a longer name at the end.
    let mut sentence = sentence;
    sentence.semantics.entities[2].span = Span::new(3, 5).expect("a span");
    sentence.semantics.entities.remove(0);
    sentence.semantics.relations.clear();
    let collapsed = Collapsed::new(&sentence);
    assert_eq!(collapsed.sentence.len(), 3);
    assert_eq!([(0, 2), (1, 3), (0, 3)].map(|span| collapsed.whole(span)), [(0, 3), (2, 5), (0, 5)]);
}

#[test]
fn the_most_probable_relations_are_those_of_enumeration() {
    let mut rng = Stream::new(11).rng();
    let is_known = |options: &Options| matches!(options.mode, Mode::Supervised | Mode::Oracle);
    for options in configurations().into_iter().filter(is_known) {
        let sentence = known(&mut rng);
        let model = model(std::slice::from_ref(&sentence), options, &mut rng);
        let mut all: Vec<Listed> = listed(&model, &sentence).into_iter().map(|(listed, _)| listed).collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        let total = ln_sum(all.iter().map(|listed| listed.score));
        let found = model.n_best(&model.opened(&sentence), 4, &mut Messages::default());
        let (ranked, outcome) = found.expect("analyses");
        assert!(outcome.is_exact && ranked.len() == 4);
        let sorted = |said: &Semantics| {
            let mut relations = said.relations.clone();
            relations.sort_by_key(|relation| (relation.first, relation.second));
            relations
        };
        for (one, wanted) in ranked.iter().zip(&all) {
            assert!((one.probability - (wanted.score - total).exp()).abs() < 1e-8, "{options:?}");
            assert_eq!(sorted(&one.semantics), sorted(&wanted.sentence.semantics), "{options:?}");
        }
    }
}
