use super::*;
use num::streams::{Rng, Stream};
use tree::semantics::{Argument, Predicate};

const NAMES: [&str; 4] = ["PER", "a b", "x=1>2/3", "50%|?"];
const TASKS: [SemanticTask; 3] = [SemanticTask::Entities, SemanticTask::Relations, SemanticTask::Roles];

fn name(rng: &mut Rng) -> Text {
    NAMES[rng.below(NAMES.len())].into()
}

/// Entities over words of which `may` says so, with gaps.
fn entities(rng: &mut Rng, n_words: usize, may: impl Fn(usize) -> bool) -> Vec<Entity> {
    let (mut entities, mut start) = (Vec::new(), 0);
    while start < n_words {
        let end = (start + 1 + rng.below(3)).min(n_words);
        if rng.bernoulli(0.4) && (start..end).all(&may) {
            entities.push(Entity { span: Span::new(start, end).expect("a span"), kind: name(rng) });
        }
        start = end;
    }
    entities
}

/// What people said of a sentence; much of it is open.
fn anything(rng: &mut Rng, n_words: usize) -> Semantics {
    let mut said = Semantics { entities: entities(rng, n_words, |_| true), ..Semantics::default() };
    let outside = |word: &usize| !said.entities.iter().any(|entity| entity.span.holds(*word));
    said.open_words = (0..n_words).filter(outside).filter(|_| rng.bernoulli(0.6)).collect();
    for one in 0..said.entities.len() {
        for other in one + 1..said.entities.len() {
            match rng.below(4) {
                0 => said.relations.push(Relation { first: one, second: other, kind: name(rng) }),
                1 => said.relations.push(Relation { first: other, second: one, kind: name(rng) }),
                2 => _ = said.open_pairs.insert((one, other)),
                _ => {}
            }
        }
    }
    for word in 0..n_words {
        if rng.bernoulli(0.3) {
            let mut predicate = Predicate { word, sense: None, arguments: Vec::new(), open: BTreeSet::new() };
            predicate.sense = rng.bernoulli(0.5).then(|| name(rng));
            for word in 0..n_words {
                match rng.below(3) {
                    0 => predicate.arguments.push(Argument { word, role: name(rng) }),
                    1 => _ = predicate.open.insert(word),
                    _ => {}
                }
            }
            said.predicates.push(predicate);
        }
    }
    said
}

/// The same with what was open decided.
fn decided(rng: &mut Rng, task: SemanticTask, known: &Semantics, n_words: usize) -> Semantics {
    let mut found = known.clone();
    match task {
        SemanticTask::Entities => {
            found.entities.extend(entities(rng, n_words, |word| known.open_words.contains(&word)));
            found.open_words.clear();
        }
        SemanticTask::Relations => {
            for (one, other) in std::mem::take(&mut found.open_pairs) {
                match rng.below(3) {
                    0 => found.relations.push(Relation { first: one, second: other, kind: name(rng) }),
                    1 => found.relations.push(Relation { first: other, second: one, kind: name(rng) }),
                    _ => {}
                }
            }
        }
        SemanticTask::Roles => {
            for predicate in &mut found.predicates {
                predicate.sense = predicate.sense.take().or_else(|| rng.bernoulli(0.7).then(|| name(rng)));
                for word in std::mem::take(&mut predicate.open) {
                    if rng.bernoulli(0.5) {
                        predicate.arguments.push(Argument { word, role: name(rng) });
                    }
                }
                predicate.arguments.sort();
            }
        }
    }
    found
}

fn rows(n_words: usize) -> Sentence {
    Sentence::from_forms((0..n_words).map(|word| format!("w{word}")))
}

/// Cases of every task: the rows with the mark, what was known, and what was found.
fn cases(mut see: impl FnMut(&mut Rng, SemanticTask, Sentence, Semantics, Semantics)) {
    for seed in 0..2_000 {
        let rng = &mut Stream::new(seed).rng();
        let (task, n_words) = (TASKS[rng.below(3)], 1 + rng.below(7));
        let known = anything(rng, n_words);
        let found = decided(rng, task, &known, n_words);
        let mut rows = rows(n_words);
        mark(&mut rows, task, "joint@1f2e3d4c", &known, &found);
        see(rng, task, rows, known, found);
    }
}

#[test]
fn taking_back_what_was_found_leaves_what_was_known() {
    let mut n_marked = 0;
    cases(|_, task, rows, known, found| {
        let mut again = found.clone();
        let reopened = reopen(&rows, task, &mut again);
        assert_eq!(again, known, "{task:?}: {:?}", rows.comments);
        assert!(reopened.is_marked);
        let n_words = rows.n_words();
        assert_eq!(reopened.has_people, cells(task, &known, n_words) != open(task, &known), "{known:?}");
        n_marked += usize::from(found != known);
        // Of the other tasks nothing is known.
        for other in TASKS.into_iter().filter(|other| *other != task) {
            let mut same = found.clone();
            let is_marked = reopen(&rows, other, &mut same).is_marked;
            assert_eq!(is_marked, same.open_pairs != found.open_pairs);
            if other != SemanticTask::Relations {
                assert_eq!(same, found);
            }
        }
    });
    assert!(n_marked > 600, "{n_marked}");
}

#[test]
fn what_somebody_corrects_is_said_and_nothing_else() {
    let mut n_corrected = [0; 3];
    cases(|rng, task, rows, known, found| {
        let mut corrected = found.clone();
        let decided: Vec<SemanticCell> = open(task, &known).into_iter().collect();
        if decided.is_empty() {
            return;
        }
        let cell = decided[rng.below(decided.len())];
        let changed = Text::from("changed");
        let touched: Vec<SemanticCell> = match cell {
            SemanticCell::Word(word) => {
                match corrected.entities.iter().position(|entity| entity.span.holds(word)) {
                    Some(at) if rng.bernoulli(0.5) => {
                        corrected.entities[at].kind = changed;
                        corrected.entities[at].words().map(SemanticCell::Word).collect()
                    }
                    Some(at) => {
                        let words = corrected.entities[at].words().map(SemanticCell::Word).collect();
                        corrected.keep_entities(|other| other != at);
                        words
                    }
                    None => {
                        let span = Span::new(word, word + 1).expect("a span");
                        corrected.entities.push(Entity { span, kind: changed });
                        vec![cell]
                    }
                }
            }
            SemanticCell::Pair(one, other) => {
                let number = |end: usize| {
                    corrected
                        .entities
                        .iter()
                        .position(|entity| entity.span.end() == end + 1)
                        .expect("it is there")
                };
                let (first, second) = (number(one), number(other));
                let before = corrected.relations.len();
                corrected.relations.retain(|relation| {
                    ![(first, second), (second, first)].contains(&(relation.first, relation.second))
                });
                if corrected.relations.len() == before {
                    corrected.relations.push(Relation { first, second, kind: changed });
                }
                vec![cell]
            }
            SemanticCell::Sense(word) => {
                let predicate = corrected.predicates.iter_mut().find(|predicate| predicate.word == word);
                predicate.expect("it is there").sense = Some(changed);
                vec![cell]
            }
            SemanticCell::Argument(predicate, word) => {
                let found = corrected.predicates.iter_mut().find(|one| one.word == predicate);
                let predicate = found.expect("it is there");
                let before = predicate.arguments.len();
                predicate.arguments.retain(|argument| argument.word != word);
                if predicate.arguments.len() == before {
                    predicate.arguments.push(Argument { word, role: changed });
                }
                vec![cell]
            }
        };
        let mut said = corrected.clone();
        reopen(&rows, task, &mut said);
        let mut expected = open(task, &known);
        touched.iter().for_each(|cell| _ = expected.remove(cell));
        assert_eq!(open(task, &said), expected, "{cell:?}: {:?}", rows.comments);
        n_corrected[task as usize] += 1;
        match task {
            SemanticTask::Entities => {
                let of = |said: &Semantics| -> BTreeSet<Entity> {
                    let is_said = |entity: &&Entity| {
                        entity.words().all(|word| !expected.contains(&SemanticCell::Word(word)))
                    };
                    said.entities.iter().filter(is_said).cloned().collect()
                };
                assert_eq!(of(&said), of(&corrected));
                assert_eq!(said.entities.len(), of(&said).len());
            }
            SemanticTask::Relations | SemanticTask::Roles => {}
        }
    });
    assert!(n_corrected.iter().all(|&n| n > 40), "{n_corrected:?}");
}

#[test]
fn comments_of_other_tasks_stay_and_old_ones_are_about_all_of_them() {
    let known = Semantics { open_words: (0..3).collect(), ..Semantics::default() };
    let entity =
        |word: usize| Entity { span: Span::new(word, word + 1).expect("a span"), kind: "PER".into() };
    let found = Semantics { entities: vec![entity(0), entity(2)], ..Semantics::default() };
    let mut words = rows(3);
    words.comments.push("# relations_by = joint@2 found".into());
    mark(&mut words, SemanticTask::Entities, "joint@1", &known, &found);
    mark(&mut words, SemanticTask::Entities, "joint@3", &known, &found);
    let sum = format!("{:08x}", sum_of(&words));
    let expected = format!("# entities_by = joint@3:{sum} found 1=PER 3=PER");
    assert_eq!(words.comments, ["# relations_by = joint@2 found", &expected]);

    let mut old = rows(3);
    old.comments.push("# semantics_by = joint@0".into());
    for task in TASKS {
        let mut said = found.clone();
        said.relations.push(Relation { first: 0, second: 1, kind: "r".into() });
        let reopened = reopen(&old, task, &mut said);
        assert_eq!(reopened, Reopened { is_marked: true, ..Reopened::default() });
        assert!(task == SemanticTask::Roles || said.relations.is_empty());
    }
    mark(&mut old, SemanticTask::Entities, "joint@1", &known, &found);
    assert_eq!(
        old.comments,
        [
            "# relations_by = joint@0",
            "# roles_by = joint@0",
            &format!("# entities_by = joint@1:{sum} found 1=PER 3=PER")
        ]
    );
}

#[test]
fn entities_that_somebody_related_stay() {
    let known = Semantics { open_words: (0..4).collect(), ..Semantics::default() };
    let entity =
        |word: usize| Entity { span: Span::new(word, word + 1).expect("a span"), kind: "PER".into() };
    let mut found = Semantics { entities: vec![entity(0), entity(1), entity(3)], ..Semantics::default() };
    let mut rows = rows(4);
    mark(&mut rows, SemanticTask::Entities, "joint@1", &known, &found);
    found.relations.push(Relation { first: 2, second: 0, kind: "r".into() });
    let mut said = found.clone();
    reopen(&rows, SemanticTask::Entities, &mut said);
    assert_eq!((said.entities.len(), said.relations.len(), said.open_words.len()), (2, 1, 2));
    // Nobody said that the other pairs are not related.
    let mut said = found.clone();
    let reopened = reopen(&rows, SemanticTask::Relations, &mut said);
    assert!(reopened.is_marked && reopened.has_people);
    assert_eq!(said.open_pairs, BTreeSet::from([(0, 1), (1, 2)]));
    // A relation that a machine found holds nothing.
    let known = Semantics {
        open_pairs: BTreeSet::from([(0, 1), (0, 2), (1, 2)]),
        entities: found.entities.clone(),
        ..Semantics::default()
    };
    mark(&mut rows, SemanticTask::Relations, "joint@2", &known, &found);
    reopen(&rows, SemanticTask::Entities, &mut found);
    assert_eq!((found.entities.len(), found.open_words.len()), (0, 4));
}

fn marked(task: SemanticTask, known: &Semantics, found: &Semantics, n_words: usize) -> Sentence {
    let mut rows = rows(n_words);
    mark(&mut rows, task, "joint@1", known, found);
    rows
}

#[test]
fn of_other_words_nobody_knows() {
    let known = Semantics { open_words: (0..3).collect(), ..Semantics::default() };
    let mut words = marked(SemanticTask::Entities, &known, &Semantics::default(), 3);
    words.words_mut().next().expect("a word").form = "other".into();
    let mut said = Semantics::default();
    assert!(reopen(&words, SemanticTask::Entities, &mut said).is_unknown);
    assert_eq!(said, Semantics::default());
}

#[test]
fn who_takes_a_relation_of_a_machines_entities_out_says_that_they_are_not_related() {
    let entity =
        |word: usize| Entity { span: Span::new(word, word + 1).expect("a span"), kind: "PER".into() };
    let open = Semantics { open_words: (0..4).collect(), ..Semantics::default() };
    let entities = Semantics { entities: vec![entity(0), entity(1), entity(3)], ..Semantics::default() };
    let mut rows = marked(SemanticTask::Entities, &open, &entities, 4);
    let known = Semantics { open_pairs: BTreeSet::from([(0, 1), (0, 2), (1, 2)]), ..entities.clone() };
    let related = vec![Relation { first: 2, second: 0, kind: "r".into() }];
    let found = Semantics { relations: related, ..entities.clone() };
    mark(&mut rows, SemanticTask::Relations, "joint@2", &known, &found);
    let mut said = entities.clone();
    reopen(&rows, SemanticTask::Relations, &mut said);
    assert_eq!((said.open_pairs, said.relations), (BTreeSet::from([(0, 1), (1, 2)]), vec![]));
}

#[test]
fn who_opens_some_words_of_a_machines_entity_says_nothing_of_the_others() {
    let entity = |start, end| Entity { span: Span::new(start, end).expect("a span"), kind: "PER".into() };
    let open = Semantics { open_words: (0..4).collect(), ..Semantics::default() };
    let found = Semantics { entities: vec![entity(1, 3)], ..Semantics::default() };
    let rows = marked(SemanticTask::Entities, &open, &found, 4);
    for (start, end) in [(1, 2), (2, 3)] {
        let mut said = Semantics { entities: vec![entity(start, end)], ..Semantics::default() };
        said.open_words.insert(3 - start);
        assert!(!reopen(&rows, SemanticTask::Entities, &mut said).has_people);
        // Whoever says that the other word is outside has corrected it.
        let mut said = Semantics { entities: vec![entity(start, end)], ..Semantics::default() };
        reopen(&rows, SemanticTask::Entities, &mut said);
        assert_eq!(said.open_words, BTreeSet::from([0, 3]));
    }
}

#[test]
fn a_predicate_that_somebody_adds_is_said_with_all_its_words() {
    let predicate = |word, open| Predicate { word, sense: None, arguments: Vec::new(), open };
    let known = Semantics { predicates: vec![predicate(0, (0..3).collect())], ..Semantics::default() };
    let found = Semantics { predicates: vec![predicate(0, BTreeSet::new())], ..Semantics::default() };
    let rows = marked(SemanticTask::Roles, &known, &found, 3);
    let mut said = found.clone();
    said.predicates.push(predicate(2, BTreeSet::new()));
    reopen(&rows, SemanticTask::Roles, &mut said);
    assert_eq!(said.predicates, [predicate(0, (0..3).collect()), predicate(2, BTreeSet::new())]);
}

#[test]
fn a_mangled_comment_says_no_more_than_it_does() {
    for text in [
        "joint@1 found 0=PER 9-3=X = 1>=r /=s 2/x=A1 said 0 >1 x/ 3/2-1 7",
        "joint@1 found said",
        "joint@1:0 found said 1-99999999999 2/1-99999999999",
    ] {
        let mut rows = rows(3);
        rows.comments.push(format!("# entities_by = {text}").into());
        for task in TASKS {
            let mut said = anything(&mut Stream::new(1).rng(), 3);
            reopen(&rows, task, &mut said);
        }
    }
}
