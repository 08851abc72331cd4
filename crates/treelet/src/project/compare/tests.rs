use super::*;
use crate::project::scripted::{Scripted, change, head, rows};
use crate::watch::Unwatched;
use annotation::{Change, Happening, Via};
use formats::conllu;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const DOGS: &str = "the/DET old/ADJ dog/NOUN will/AUX bark/VERB";

fn measure(measures: &[Measure], name: &str) -> (Option<f64>, u64) {
    let found = measures.iter().find(|measure| measure.name == name).unwrap();
    (found.value, found.n)
}

fn row<'a>(compared: &'a Comparison, kind: Grouping, name: &str) -> &'a MeasuredRow {
    let found = compared.rows.iter().find(|row| (row.of.kind, row.of.name.as_str()) == (kind, name));
    found.unwrap_or_else(|| panic!("{name}: {:?}", compared.rows))
}

fn close(one: Option<f64>, other: f64) {
    assert!(one.is_some_and(|one| (one - other).abs() < 1e-12), "{one:?} is not {other}");
}

#[test]
fn measures_of_a_case_by_hand() {
    let scripted = Scripted::new(&[rows("a/X b/X c/X")], &["Ana", "Bo"]);
    assert_eq!(scripted.desk.compare(1).unwrap(), Comparison::default());
    // Of the 16 trees of three words the arc leaves four, and the other arc leaves four others.
    scripted.says(1, 1, vec![head(1, 2)]);
    scripted.says(2, 1, vec![head(1, 3)]);
    let compared = scripted.desk.compare(1).unwrap();
    let ana = row(&compared, Grouping::Annotator, "Ana");
    assert_eq!((ana.sentences, ana.words), (1, 3));
    close(measure(&ana.measures, "com").0, 0.5);
    assert_eq!(measure(&ana.measures, "comPrec"), (Some(0.0), 1));
    // They differ on one word: half of those who said its head said the commonest.
    assert_eq!(measure(&ana.measures, "gflAgree"), (Some(0.5), 1));
    assert_eq!(measure(&ana.measures, "heads"), (Some(0.0), 1));
    assert_eq!(measure(&ana.measures, "tags"), (None, 0));
    let all = row(&compared, Grouping::All, "all");
    assert_eq!((all.sentences, all.words), (2, 6));
    assert_eq!((measure(&all.measures, "com").1, measure(&all.measures, "comPrec").1), (2, 2));
    // Bo changes to one tree, with all three words named; it is one of Ana's four, who commits herself to a half.
    scripted.says(2, 1, vec![head(1, 2), head(3, 2)]);
    let pair = &scripted.desk.compare(1).unwrap().pairs[0];
    close(measure(&pair.measures, "gflAgree").0, 1.0);
    close(pair.com_prec[0], 0.5 / 4.0);
    close(pair.com_prec[1], 1.0);
}

#[test]
fn what_was_only_looked_at_does_not_count_and_what_was_handed_in_does() {
    let scripted = Scripted::new(&[rows(DOGS), rows(DOGS)], &["Ana", "Bo"]);
    scripted.happens(1, 1, 0, vec![Happening::Open, Happening::Stage { stage: 2 }, Happening::Skip]);
    scripted.happens(2, 1, 0, vec![Happening::Open, Happening::Submit]);
    let compared = scripted.desk.compare(1).unwrap();
    assert_eq!(compared.rows.len(), 2, "{:?}", compared.rows);
    assert_eq!(row(&compared, Grouping::Annotator, "Bo").sentences, 1);
    assert!(compared.pairs.is_empty());
}

#[test]
fn one_annotator_agrees_with_herself() {
    let scripted = Scripted::new(&[rows(DOGS), rows("it/PRON rains/VERB")], &["Ana", "Bo"]);
    for who in [1, 2] {
        let tag = |of: u32, is: &str| change(json!({"tag": {"of": of, "is": is}}));
        let labelled = change(json!({"head": {"of": 3, "to": 5, "relation": "nsubj"}}));
        let other = change(json!({"head": {"of": 2, "to": 3, "relation": "amod"}}));
        scripted.says(
            who,
            1,
            vec![head(1, 3), other, labelled, head(4, 5), head(5, 0), tag(1, "DET"), tag(2, "ADJ")],
        );
        scripted.says(who, 2, vec![head(1, 2), head(2, 0)]);
    }
    let compared = scripted.desk.compare(1).unwrap();
    for measured in &compared.rows {
        for name in ["gflAgree", "heads", "heads_kappa", "relations", "relations_kappa", "tags", "tags_kappa"]
        {
            close(measure(&measured.measures, name).0, 1.0);
        }
        // All of one's trees are the other's, so that only the commitment is left; all words are named, as comPrec has it.
        close(measure(&measured.measures, "comPrec").0, measure(&measured.measures, "com").0.unwrap());
    }
    assert!(compared.constructions.iter().all(|one| one.agreed.is_none_or(|agreed| agreed == 1.0)));
}

/// Heads without cycles, some open, the same for the same seed.
fn heads(seed: u64, n_words: usize) -> Vec<Option<usize>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let root = draw(n_words) + 1;
    let head = |word: usize| match word {
        // Everything hangs on the root or on a word nearer to the beginning.
        _ if word == root => Some(0),
        1 => Some(root),
        _ => Some(draw(word - 1) + 1).filter(|head| *head != word),
    };
    let all: Vec<Option<usize>> = (1..=n_words).map(head).collect();
    let keeps: Vec<bool> = (0..n_words).map(|_| draw(3) > 0).collect();
    let is_tree = all.iter().enumerate().all(|(at, _)| {
        let (mut word, mut left) = (at + 1, n_words + 1);
        while word > 0 && left > 0 {
            (word, left) = (all[word - 1].unwrap(), left - 1);
        }
        word == 0
    });
    match is_tree {
        true => all.into_iter().zip(keeps).map(|(head, keeps)| head.filter(|_| keeps)).collect(),
        false => vec![None; n_words],
    }
}

/// Three annotators who say heads, relations, tags and blocks of eight sentences, not all of all; the tags in the file are those of nobody.
fn three(order: [i64; 3]) -> Scripted {
    let open = |text: String| text.replace("\tX\t", "\t_\t");
    let text = |n: usize| (0..n).map(|at| format!("w{at}/X")).collect::<Vec<_>>().join(" ");
    let sentences: Vec<String> = (0..8).map(|n| open(rows(&text(4 + n % 4)))).collect();
    let names = ["Ana", "Bo", "Cy"];
    let mut by_place = [""; 3];
    order.iter().zip(names).for_each(|(&at, name)| by_place[at as usize - 1] = name);
    let scripted = Scripted::new(&sentences, &by_place);
    for (person, &who) in (1u64..).zip(&order) {
        for sentence in 1..=8i64 {
            if (sentence as u64 + person).is_multiple_of(4) {
                continue;
            }
            let n_words = 4 + (sentence as usize - 1) % 4;
            // Half of the time they draw the same tree, but leave other words open.
            let seed = if sentence % 2 == 0 { sentence as u64 } else { 100 * person + sentence as u64 };
            let said = heads(seed, n_words);
            let mut changes: Vec<Change> = Vec::new();
            if sentence == 3 {
                changes.push(change(json!({"bracket": {"id": 1, "words": [1, 2, 3], "head": 2}})));
            }
            for (word, to) in (1u32..).zip(&said) {
                let Some(to) = to.filter(|_| (u64::from(word) + person) % 5 > 0 && sentence != 3) else {
                    continue;
                };
                let relation =
                    ["a", "b", "c"][(word as usize + to + sentence as usize * person as usize) % 3];
                changes.push(change(json!({"head": {"of": word, "to": to, "relation": relation}})));
            }
            for word in 1..=n_words as u32 {
                let tag =
                    ["N", "V", "D"][(word as usize + usize::from(person == 2 && word.is_multiple_of(3))) % 3];
                changes.push(change(json!({"tag": {"of": word, "is": tag}})));
            }
            scripted.says(who, sentence, changes);
        }
    }
    scripted
}

/// What `treelet agree` says of a file of each annotator.
fn agreed(scripted: &Scripted) -> Value {
    let voices = scripted.desk.everybody().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for (who, one) in voices.people.iter().enumerate() {
        let mut out = Vec::new();
        for of in &voices.sentences {
            for voice in of.voices.iter().filter(|voice| voice.who == who) {
                let mut sentence = voice.annotated.sentence.clone();
                sentence.comments.insert(0, format!("# sent_id = {}", of.id).into());
                conllu::write(&sentence, &mut out).unwrap();
            }
        }
        let path = scripted.folder().join(format!("{}.conllu", one.name));
        std::fs::write(&path, out).unwrap();
        files.push(path);
    }
    let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let Value::Object(options) = json!({"files": files}) else { unreachable!() };
    crate::call("agree", &options, &Unwatched).unwrap().result
}

#[test]
fn the_figures_are_those_of_agree_on_the_files_of_each_annotator() {
    let scripted = three([1, 2, 3]);
    let (compared, agreed) = (scripted.desk.compare(1).unwrap(), agreed(&scripted));
    let number = |value: &Value| value.as_f64();
    for annotator in agreed["annotators"].as_array().unwrap() {
        let ours = row(&compared, Grouping::Annotator, annotator["annotator"].as_str().unwrap());
        assert_eq!(json!(ours.sentences), annotator["sentences"]);
        assert_eq!(json!(ours.words), annotator["tokens"]);
        close(measure(&ours.measures, "com").0, number(&annotator["com"]).unwrap());
    }
    let pairs = agreed["agreement"]["pairs"].as_array().unwrap();
    assert_eq!((pairs.len(), compared.pairs.len()), (3, 3));
    for (ours, theirs) in compared.pairs.iter().zip(pairs) {
        assert_eq!(json!([ours.one, ours.other]), theirs["annotators"]);
        assert_eq!(json!(ours.sentences), theirs["sentences"]);
        for side in 0..2 {
            close(ours.com_prec[side], number(&theirs["comPrec"][side]).unwrap());
            close(ours.soft_com_prec[side], number(&theirs["softComPrec"][side]).unwrap());
        }
        let (value, n) = measure(&ours.measures, "gflAgree");
        close(value, number(&theirs["gflAgree"]).unwrap());
        assert_eq!(json!(n), theirs["tokens"]);
    }
    let all = row(&compared, Grouping::All, "all");
    let overall = &agreed["agreement"]["overall"];
    for name in ["comPrec", "softComPrec", "gflAgree"] {
        close(measure(&all.measures, name).0, number(&overall[name]).unwrap());
    }
    for (name, column) in [("heads", "heads (UAS)"), ("relations", "relations"), ("tags", "UPOS")] {
        let column = &agreed["columns"][column];
        let (value, n) = measure(&all.measures, name);
        close(value, number(&column["agreed"]).unwrap());
        assert_eq!(json!(n), column["units"], "{name}");
        close(measure(&all.measures, &format!("{name}_kappa")).0, number(&column["kappa"]).unwrap());
    }
}

#[test]
fn the_order_of_annotators_does_not_matter() {
    let (one, other) = (three([1, 2, 3]).desk.compare(1).unwrap(), three([3, 1, 2]).desk.compare(1).unwrap());
    for name in ["Ana", "Bo", "Cy"] {
        let [a, b] = [&one, &other].map(|compared| row(compared, Grouping::Annotator, name));
        for (a, b) in a.measures.iter().zip(&b.measures) {
            assert_eq!(a.n, b.n, "{}", a.name);
            match (a.value, b.value) {
                (Some(a), b) => close(b, a),
                (None, b) => assert_eq!(b, None),
            }
        }
    }
    for pair in &one.pairs {
        let same = |other: &&PairOfAnnotators| {
            [&other.one, &other.other] == [&pair.one, &pair.other]
                || [&other.one, &other.other] == [&pair.other, &pair.one]
        };
        let found = other.pairs.iter().find(same).unwrap();
        let turned = found.one != pair.one;
        close(found.com_prec[usize::from(turned)], pair.com_prec[0].unwrap());
        close(measure(&found.measures, "heads_kappa").0, measure(&pair.measures, "heads_kappa").0.unwrap());
    }
}

#[test]
fn groups_are_what_annotators_said_of_themselves() {
    let scripted = three([1, 2, 3]);
    let introduce = |who, level: &str, experience: &str| {
        scripted.desk.introduce(who, None, Some(level.into()), Some(experience.into())).unwrap();
    };
    introduce(1, "native", "none");
    introduce(2, "native", "much");
    introduce(3, "learning", "none");
    let compared = scripted.desk.compare(1).unwrap();
    let names: Vec<(Grouping, &str)> =
        compared.rows.iter().map(|row| (row.of.kind, row.of.name.as_str())).collect();
    assert_eq!(
        names[..5],
        [
            (Grouping::All, "all"),
            (Grouping::Level, "learning"),
            (Grouping::Level, "native"),
            (Grouping::Experience, "much"),
            (Grouping::Experience, "none"),
        ]
    );
    // Within a group of two there is one pair, and within one of one there is none.
    let natives = row(&compared, Grouping::Level, "native");
    for name in ["gflAgree", "heads", "heads_kappa", "tags_kappa"] {
        assert_eq!(measure(&natives.measures, name), measure(&compared.pairs[0].measures, name), "{name}");
    }
    assert_eq!(measure(&row(&compared, Grouping::Level, "learning").measures, "heads"), (None, 0));
    let ana = row(&compared, Grouping::Annotator, "Ana").sentences;
    assert_eq!(natives.sentences, ana + row(&compared, Grouping::Annotator, "Bo").sentences);
}

#[test]
fn constructions_are_counted_for_each_and_agreement_is_of_what_is_known() {
    let scripted = Scripted::new(&[rows(DOGS), rows(DOGS), rows(DOGS)], &["Ana", "Bo"]);
    // Ana says both conventions, Bo turns one round, leaves one open, and says elsewhere that it is neither.
    for sentence in 1..=3 {
        scripted.says(1, sentence, vec![head(1, 3), head(4, 5)]);
    }
    scripted.says(2, 1, vec![head(3, 1), head(4, 5)]);
    scripted.says(2, 2, vec![head(2, 3)]);
    scripted.says(2, 3, vec![head(1, 2), head(3, 0)]);
    let compared = scripted.desk.compare(1).unwrap();
    let found = |name: &str, who: &str| {
        let one = compared.constructions.iter().find(|one| one.construction == name && one.of.name == who);
        let one = one.unwrap();
        (one.as_written, one.turned_round, one.share, one.agreed, one.compared)
    };
    assert_eq!(found("determiner–noun", "Ana"), (3, 0, Some(1.0), Some(0.0), 2));
    assert_eq!(found("determiner–noun", "Bo"), (0, 1, Some(0.0), Some(0.0), 2));
    assert_eq!(found("auxiliary–verb", "all"), (4, 0, Some(1.0), Some(1.0), 1));
    let nouns: Vec<_> =
        compared.completion.iter().filter(|one| one.tag == "NOUN" && one.of.name == "Bo").collect();
    assert_eq!((nouns[0].with_head, nouns[0].words), (2, 3));
}

#[test]
fn definitions_that_cannot_be_read_are_refused_with_their_place() {
    let scripted = Scripted::new(&[rows(DOGS)], &["Ana"]);
    let set = |text: &str| {
        let Value::Object(changed) = json!({"constructions": text}) else { unreachable!() };
        scripted.desk.change_settings(1, &changed)
    };
    let told = set("det: DET > NOUN\nprep: ADP NOUN").unwrap_err().to_string();
    assert!(told.contains("line 2, column 11"), "{told}");
    set("old: ADJ > NOUN, dependent first").unwrap();
    scripted.says(1, 1, vec![head(2, 3)]);
    let compared = scripted.desk.compare(1).unwrap();
    assert_eq!(compared.constructions[0].as_written, 1);
}

#[test]
fn half_hours_are_of_work_and_pauses_do_not_count() {
    let scripted = Scripted::new(&[rows(DOGS), rows("it/PRON rains/VERB")], &["Ana"]);
    let minute = |n: i64| n * 60_000;
    // 40 minutes on the first sentence, an event each, a night between them, and 5 on the second.
    for n in 0..=20 {
        scripted.desk.post(1, 1, &posted(n, minute(n), Happening::Stage { stage: 1 })).unwrap();
    }
    scripted.desk.post(1, 1, &posted(21, minute(20), Happening::Pause)).unwrap();
    scripted.desk.post(1, 1, &posted(22, minute(600), Happening::Resume)).unwrap();
    for n in 1..=20 {
        scripted.desk.post(1, 1, &posted(22 + n, minute(600 + n), Happening::Stage { stage: 2 })).unwrap();
    }
    let edit = |changes| Happening::Edit { via: Via::Key, changes };
    scripted.desk.post(1, 1, &posted(50, minute(620), edit(vec![head(1, 3), head(5, 0)]))).unwrap();
    for n in 0..=5 {
        scripted.desk.post(1, 2, &posted(60 + n, minute(620 + n), Happening::Stage { stage: 1 })).unwrap();
    }
    scripted.desk.post(1, 2, &posted(70, minute(625), edit(vec![head(1, 2)]))).unwrap();
    let compared = scripted.desk.compare(1).unwrap();
    let ana = compared.over_time.iter().find(|course| course.of.name == "Ana").unwrap();
    let seconds: Vec<f64> = ana.half_hours.iter().map(|one| one.seconds).collect();
    assert_eq!(seconds, [1800.0, 900.0]);
    // Three quarters of five words in half an hour; the rest and two words more in a quarter.
    close(Some(ana.half_hours[0].words_per_hour), 7.5);
    close(Some(ana.half_hours[1].words_per_hour), (1.25 + 2.0) * 4.0);
    close(Some(ana.half_hours[1].sentences_per_hour), 1.25 * 4.0);
    // Both were finished in the second.
    assert_eq!((ana.half_hours[0].sentences, ana.half_hours[1].sentences), (0, 2));
    close(ana.half_hours[1].heads_per_word, 3.0 / 7.0);
    assert_eq!(ana.breaks, [1200.0 / 3600.0]);
    assert_eq!((ana.change, ana.later_half_hours), (None, 0));
    assert_eq!(ana.words_over_time, [(0.0, 0), (2400.0 / 3600.0, 5), (2700.0 / 3600.0, 7)]);
}

fn posted(n: i64, at: i64, kind: Happening) -> crate::project::Posted {
    let event = annotation::Event { n: n as u64 + 1, at, kind };
    crate::project::Posted { slot: 0, base: 0, tab: "ana".into(), events: vec![event] }
}

#[test]
fn pictures_are_drawn_of_everything_there_is_in_the_words_that_are_given() {
    let scripted = three([1, 2, 3]);
    scripted.desk.introduce(1, None, Some("native".into()), None).unwrap();
    let words = BTreeMap::from([("share with a head".to_string(), "Anteil <mit> Kopf".to_string())]);
    let shown = scripted.desk.compare_and_draw(1, &words).unwrap();
    let names: BTreeSet<(Grouping, &str)> =
        shown.plots.iter().map(|plot| (plot.by, plot.name.as_str())).collect();
    assert!(names.contains(&(Grouping::Level, "completion")), "{names:?}");
    let completion = shown.plots.iter().find(|plot| plot.name == "completion").unwrap();
    assert!(completion.svg.contains("Anteil &lt;mit&gt; Kopf"), "{}", completion.svg);
}

/// The use case by its name gives what the page shows.
#[test]
fn it_can_be_called() {
    let scripted = three([1, 2, 3]);
    let compared = serde_json::to_value(scripted.desk.compare(1).unwrap()).unwrap();
    let project = scripted.folder().join("p.treelet-project");
    let Value::Object(options) = json!({"project": project.to_str().unwrap()}) else { unreachable!() };
    assert_eq!(crate::call("annotate agreement", &options, &Unwatched).unwrap().result, compared);
}
