//! Whatever a person has said, no model suggests anything else; and what is told of models is so.

mod kinds;

use super::super::bring::start;
use super::*;
use annotation::{Attach, BlockKind, Change, WrittenHead};
use num::streams::Stream;
use serde_json::json;
use std::path::PathBuf;
use std::sync::OnceLock;

const VILLAGE: &str = include_str!("../../../../../data/demo/village.conllu");
const TUTORIAL: &str = include_str!("../../../../../data/demo/tutorial.conllu");

type Lessons = Vec<(Arc<Sentence>, Analysis)>;

fn lessons(text: &str) -> Lessons {
    let rows = text.split_inclusive("\n\n").filter(|rows| !rows.trim().is_empty());
    let read = |rows: &str| start(rows).expect("the demo corpus can be read");
    rows.map(read).map(|(sentence, said)| (Arc::new(sentence), said)).collect()
}

/// The demo corpus with all heads and relations, often enough that there is something to calibrate on.
fn known() -> Lessons {
    let once = lessons(VILLAGE);
    once.iter().cycle().take(3 * once.len()).cloned().collect()
}

fn learn(lessons: &Lessons, chosen: &ChosenModel, before: Option<&Suggester>) -> Suggester {
    let stop = Arc::default();
    let studies = Studies { lessons, chosen, before, at: 1, stop: &stop, watch: &Unwatched };
    Suggester::learn(&studies).expect("it can be learned").expect("nobody stopped it")
}

fn of(choice: ModelChoice) -> ChosenModel {
    ChosenModel { choice, ..ChosenModel::default() }
}

fn of_file(path: &Path) -> ChosenModel {
    ChosenModel { choice: ModelChoice::File, file: Some(path.into()), tag_map: None }
}

fn call(name: &str, options: serde_json::Value) {
    let object = options.as_object().expect("options are an object");
    crate::call(name, object, &Unwatched).unwrap_or_else(|error| panic!("{name}: {error:#}"));
}

/// Model files of the demo corpus; they stay until the tests have ended.
fn files() -> &'static [PathBuf; 3] {
    static FILES: OnceLock<(tempfile::TempDir, [PathBuf; 3])> = OnceLock::new();
    let (_, files) = FILES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let gold = folder.path().join("gold.conllu");
        std::fs::write(&gold, VILLAGE.repeat(6)).expect("a file");
        let file = |name: &str| folder.path().join(name);
        let files = [file("second"), file("first"), file("soft")];
        let [second, first, soft] = &files;
        let train = |options| call("train dependency", options);
        train(json!({"files": [gold], "output": second, "epochs": 1}));
        train(json!({"files": [gold], "output": first, "epochs": 1, "order": "1", "non_projective": true}));
        let trees = file("trees.conllu");
        call("impute", json!({"file": gold, "output": trees, "save_model": soft, "soft": true, "steps": 3}));
        (folder, files)
    });
    files
}

/// Some change, of those that an annotator can make with mouse and keys.
fn change(rng: &mut num::streams::Rng, said: &Analysis) -> Change {
    let n = said.tokens().len();
    let word = |rng: &mut num::streams::Rng| rng.below(n) as u32 + 1;
    let of = match said.blocks().keys().next() {
        Some(&bracket) if rng.bernoulli(0.2) => WordOrBlock::Block { bracket },
        _ => WordOrBlock::Word(word(rng)),
    };
    match rng.below(10) {
        0..=3 => {
            let to =
                if rng.bernoulli(0.1) { Attached::Root } else { Attached::To(WordOrBlock::Word(word(rng))) };
            Change::Head(Attach { of, to: Some(WrittenHead(to)), relation: None })
        }
        4..=5 => Change::Forbid { of: word(rng), to: rng.below(n + 1) as u32, is: true },
        6..=7 => {
            let (first, len) = (word(rng), 2 + rng.below(3) as u32);
            let words: Vec<u32> = (first..first + len).filter(|&word| word <= n as u32).collect();
            let head = words.first().filter(|_| rng.bernoulli(0.4)).map(|&head| WordOrBlock::Word(head));
            Change::Bracket { id: rng.below(3) as u32 + 1, kind: None, words, head, label: None }
        }
        8 => {
            let name = ["root", "nsubj", "det"][rng.below(3)];
            Change::Relation { of: WordOrBlock::Word(word(rng)), is: Some(name.into()) }
        }
        _ => Change::Tag { of: word(rng), is: Some(["NOUN", "VERB", "strange"][rng.below(3)].into()) },
    }
}

fn anything_said(rng: &mut num::streams::Rng, start: &Analysis) -> Analysis {
    let mut said = Analysis::new(start.tokens().to_vec());
    for _ in 0..rng.below(7) {
        let change = change(rng, &said);
        // What makes no sense is refused and changes nothing.
        let _ = said.apply(&change);
    }
    said
}

/// What a tree contradicts of what was said, by the statements themselves.
fn contradiction(said: &Analysis, head_of: impl Fn(u32) -> u32) -> Option<String> {
    for word in 1..=said.tokens().len() as u32 {
        let (head, unit) = (head_of(word), WordOrBlock::Word(word));
        let is_said = match said.head(unit) {
            Some(Attached::Root) => head == 0,
            Some(Attached::To(WordOrBlock::Word(to))) => head == to,
            Some(Attached::To(block)) => said.words_of(block).contains(&head),
            None => true,
        };
        let is_root = said.relation(unit).map(|name| *name == "root").filter(|_| said.head(unit).is_none());
        if !is_said || is_root.is_some_and(|is_root| is_root != (head == 0)) {
            return Some(format!("{word} belongs to {head}"));
        }
        if said.forbidden().contains(&(word, head)) {
            return Some(format!("{word} was not to belong to {head}"));
        }
    }
    for block in said.blocks().values() {
        let outside: Vec<u32> =
            block.words.iter().copied().filter(|&word| !block.words.contains(&head_of(word))).collect();
        let [top] = outside[..] else { return Some(format!("{:?} has tops {outside:?}", block.words)) };
        if matches!(block.kind, BlockKind::Bracket { head: Some(WordOrBlock::Word(head)) } if head != top) {
            return Some(format!("{:?} has another head than {top}", block.words));
        }
        let others = (1..=said.tokens().len() as u32).filter(|word| !block.words.contains(word));
        if let Some(other) = others.into_iter().find(|&other| {
            let head = head_of(other);
            block.words.contains(&head) && head != top
        }) {
            return Some(format!("{other} hangs from inside {:?}", block.words));
        }
    }
    None
}

fn models() -> Vec<(&'static str, Suggester)> {
    let [second, first, soft] = files();
    let known = known();
    let learned = |chosen: ChosenModel| learn(&known, &chosen, None);
    [
        ("convexmst", learned(of(ModelChoice::Convexmst))),
        ("gpc", learned(of(ModelChoice::Gpc))),
        ("a parser of the second order", learned(of_file(second))),
        ("a parser of trees that cross", learned(of_file(first))),
        ("an imputer that may overrule", learned(of_file(soft))),
    ]
    .into_iter()
    .chain(kinds::suggesters())
    .collect()
}

#[test]
fn no_model_suggests_anything_but_what_was_said_leaves() {
    let sentences: Lessons = lessons(VILLAGE).into_iter().chain(lessons(TUTORIAL)).collect();
    for (name, model) in models() {
        let (mut n_consistent, mut n_suggested) = (0, 0);
        for case in 0..400 {
            let mut rng = Stream::new(case).purpose("said").rng();
            let (sentence, start) = &sentences[rng.below(sentences.len())];
            let said = anything_said(&mut rng, start);
            let suggestions = model.suggest(sentence, &said);
            let Ok(possible) = possible(&said) else {
                assert!(suggestions.is_none(), "{name}, {case}: {said:?}");
                continue;
            };
            n_consistent += 1;
            let Some(Suggestions { ranked, best, posteriors, .. }) = suggestions else { continue };
            n_suggested += 1;
            let found = contradiction(&said, |word| best[word as usize - 1].head as u32);
            assert_eq!(found, None, "{name}, {case}: {said:?}");
            for word in 1..=sentence.n_words() {
                let total: f64 = posteriors.row(word).iter().sum();
                assert!((total - 1.0).abs() < 1e-6, "{name}, {case}, {word}: {total}");
                for head in (0..=sentence.n_words()).filter(|&head| !possible.allows_arc(head, word)) {
                    assert_eq!(posteriors.of(head, word), 0.0, "{name}, {case}: {head} → {word}");
                    assert!(ranked[word - 1].iter().all(|&(other, _)| other != head));
                }
                let arc = &best[word - 1];
                assert_eq!(arc.p, posteriors.of(arc.head, word).min(1.0));
                let was_said = said.relation(WordOrBlock::Word(word as u32)).is_some();
                assert_eq!(arc.relation.is_none(), was_said, "{name}, {case}, {word}");
                if let Some((relation, p)) = &arc.relation {
                    assert_eq!(*relation == "root", arc.head == 0, "{name}, {case}, {word}: {relation}");
                    assert!((0.0..=1.0).contains(p), "{name}: {p}");
                }
            }
        }
        assert!(n_consistent > 250, "{name}: {n_consistent}");
        assert!(10 * n_suggested > 9 * n_consistent, "{name}: {n_suggested} of {n_consistent}");
    }
}

#[test]
fn what_is_told_of_models_is_so() {
    let [second, _, soft] = files();
    let (known, open) = (known(), lessons(TUTORIAL));
    let told = |lessons: &Lessons, chosen: ChosenModel| learn(lessons, &chosen, None).learned;
    for (choice, kind) in [(ModelChoice::Convexmst, "ConvexMST"), (ModelChoice::Gpc, "GPC")] {
        let nothing = told(&open, of(choice));
        assert_eq!((nothing.kind.as_str(), nothing.trained_on, nothing.calibrated), (kind, 0, false));
        assert_eq!((nothing.file, nothing.relations, nothing.changed), (None, None, None));
        let much = told(&known, of(choice));
        assert_eq!((much.trained_on, much.calibrated), (known.len(), true), "{kind}");
        let n_arcs: usize = known.iter().map(|(sentence, _)| sentence.n_words()).sum();
        assert_eq!(much.relations, Some(LearnedRelations { n_arcs: Some(n_arcs), calibrated: true }));
    }
    let parser = told(&open, of_file(second));
    assert_eq!((parser.kind.as_str(), parser.file.as_deref()), ("dependency parser", Some("second")));
    assert_eq!(parser.trained_on, 6 * lessons(VILLAGE).len(), "as many as the file says");
    assert_eq!(parser.relations.map(|relations| relations.n_arcs), Some(None));
    // A file that knows no relations gets those of the project.
    let imputer = told(&known, of_file(soft));
    assert_eq!((imputer.kind.as_str(), imputer.file.as_deref()), ("ConvexMST", Some("soft")));
    assert!(imputer.relations.is_some_and(|relations| relations.n_arcs.is_some()));
    // Few heads: GPC is as sure as its counts are, and says so.
    let few: Lessons = known[..4].to_vec();
    assert!(!told(&few, of(ModelChoice::Gpc)).calibrated);
}

#[test]
fn a_model_that_is_gone_is_told_of_and_another_suggests() {
    let chosen = of_file(Path::new("/nowhere/parser.treelet"));
    let suggester = learn(&lessons(VILLAGE), &chosen, None);
    let learned = &suggester.learned;
    assert_eq!((learned.kind.as_str(), &learned.file), ("ConvexMST", &None));
    assert!(learned.instead.as_ref().is_some_and(|why| why.contains("parser.treelet")), "{learned:?}");
    assert_eq!(*suggester.chosen(), chosen, "it is not sought again until something is learned");
}

#[test]
fn a_file_is_read_once_and_what_changed_is_counted() {
    let [second, _, soft] = files();
    let known = known();
    let convex = learn(&known, &of(ModelChoice::Convexmst), None);
    let parser = learn(&known, &of_file(second), Some(&convex));
    let by = |model: &Suggester, (sentence, said): &(Arc<Sentence>, Analysis)| {
        model.suggest(sentence, said).map(|suggestions| suggestions.best).unwrap_or_default()
    };
    // All heads of these were said, so that nothing can differ.
    let expected = Differences { heads: 0, sentences: known.len() };
    assert_eq!(parser.learned.changed, Some(expected));
    let open = lessons(TUTORIAL);
    let first = learn(&open, &of_file(soft), None);
    let again = learn(&open, &of_file(soft), Some(&first));
    assert!(Arc::ptr_eq(&first.scorer, &again.scorer));
    assert_eq!(again.learned.changed, Some(Differences { heads: 0, sentences: open.len() }));
    let other = learn(&open, &of_file(second), Some(&again));
    let differing = open.iter().map(|lesson| {
        by(&again, lesson).iter().zip(by(&other, lesson)).filter(|(a, b)| a.head != b.head).count()
    });
    assert_eq!(other.learned.changed.map(|changed| changed.heads), Some(differing.sum()));
    // A parser that knows relations has nothing more to learn; an imputer may learn relations.
    assert!(other.is_settled(&of_file(second)) && !other.is_settled(&of_file(soft)));
    assert!(!again.is_settled(&of_file(soft)));
}

#[test]
fn tags_are_called_in_rules_what_the_map_says() {
    // The tags are turned round; the map says so.
    let turned: Lessons = lessons(TUTORIAL)
        .into_iter()
        .map(|(sentence, said)| {
            let mut sentence = Sentence::clone(&sentence);
            for word in sentence.words_mut() {
                word.upos = format!("my-{}", word.upos).into();
            }
            (Arc::new(sentence), said)
        })
        .collect();
    let names =
        ["DET", "NOUN", "VERB", "ADJ", "PUNCT", "ADP", "PRON", "AUX", "PART", "ADV", "SCONJ", "CCONJ"];
    let map: String = names.iter().map(|name| format!("my-{name}\t{name}\n")).collect();
    let mapped = ChosenModel { tag_map: Some(map), ..ChosenModel::default() };
    let heads = |lessons: &Lessons, chosen: &ChosenModel| -> Vec<Vec<usize>> {
        let model = learn(lessons, chosen, None);
        let best = |(sentence, said): &(Arc<Sentence>, Analysis)| model.suggest(sentence, said).unwrap().best;
        lessons.iter().map(|lesson| best(lesson).iter().map(|arc| arc.head).collect()).collect()
    };
    let plain = heads(&lessons(TUTORIAL), &ChosenModel::default());
    assert_eq!(heads(&turned, &mapped), plain);
    assert_ne!(heads(&turned, &ChosenModel::default()), plain);
    let broken = ChosenModel { tag_map: Some("one two three four".into()), ..ChosenModel::default() };
    assert!(broken.rules().is_err());
}
