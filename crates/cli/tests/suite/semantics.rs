//! Entities, relations and roles in files, as commands see them.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::Playground;
use serde_json::Value;

const CONLL04: &str = "#doc 1\n0\tAnn\tB-Peop\t['Live_In']\t[2]\n1\tin\tO\t['N']\t[1]\n2\tOslo\tB-Loc\t['N']\t[2]\n\
    #doc 2\n0\tBo\tB-Peop\t['N']\t[0]\n1\tX\tB-Org\t['N']\t[1]\n";

fn json(playground: &Playground, command: &str) -> Value {
    let run = playground.run(command);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn entities_and_relations_are_scored_with_the_names_that_scripts_use() {
    let playground = Playground::new();
    playground.write("gold.txt", CONLL04);
    // A wrong type, and a relation too many.
    let system = CONLL04
        .replace("Oslo\tB-Loc", "Oslo\tB-Org")
        .replace("Bo\tB-Peop\t['N']\t[0]", "Bo\tB-Peop\t['Kill']\t[1]");
    playground.write("system.txt", &system);
    let scores = json(&playground, "score gold.txt system.txt --json");
    let entities = &scores["entities"];
    assert_eq!([&entities["precision"], &entities["recall"], &entities["f1"]], [75.0, 75.0, 75.0]);
    assert_eq!(entities["unlabelled_f1"], 100.0);
    let relations = &scores["relations"];
    assert_eq!([&relations["precision"], &relations["recall"]], [50.0, 100.0]);
    assert_eq!(relations["strict_f1"], 0.0);
    assert_eq!(scores.get("roles"), None);
    let told = playground.run("score gold.txt system.txt --per-sentence").stdout;
    assert!(told.contains("without types") && told.contains("relations of sentence"), "{told}");
    let tested = json(&playground, "score gold.txt system.txt gold.txt --significance --samples 100 --json");
    assert_eq!(tested["significance"][0]["figure"], "F1 of relations");
}

#[test]
fn labels_are_scored_the_same_in_columns_and_in_rows() {
    let playground = Playground::new();
    playground.write("gold.bio", "a B-X\nb I-X\nc O\nd _\n\n-DOCSTART- O\n\ne B-Y\n\n");
    playground.write("system.bio", "a B-X\nb I-X\nc B-X\nd B-X\n\ne B-X\n\n");
    let scores = json(&playground, "score gold.bio system.bio --json");
    for name in ["gold", "system"] {
        let run = playground.run(&format!("convert {name}.bio -o {name}.conll04 --to conll04"));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let others = json(&playground, "score gold.conll04 system.conll04 --json");
    assert_eq!(others["entities"], scores["entities"]);
    assert_eq!([&scores["entities"]["correct"], &scores["entities"]["system"]], [1, 3]);
    let mixed = json(&playground, "score gold.bio system.conll04 --json");
    assert_eq!(mixed["entities"], scores["entities"]);
}

#[test]
fn roles_stand_beside_heads() {
    let playground = Playground::new();
    let row = |id: usize, rest: &str| format!("{id}\tw\tl\tl\tp\tp\t_\t_\t{}\t0\td\td\t{rest}\n", id - 1);
    let gold = row(1, "_\t_\tA0") + &row(2, "Y\tgo.01\t_") + "\n";
    playground.write("gold.conll09", &gold);
    playground.write("system.conll09", gold.replace("A0", "A1"));
    let scores = json(&playground, "score gold.conll09 system.conll09 --json");
    let roles = &scores["roles"];
    assert_eq!(
        [&roles["f1"], &roles["unlabelled_f1"], &roles["sense_accuracy"], &roles["roles_f1"]],
        [50.0, 100.0, 100.0, 0.0]
    );
    assert_eq!(scores["UAS"]["f1"], 100.0);
    // Files without predicates have no such figures.
    let bare = row(1, "_\t_") + &row(2, "_\t_") + "\n";
    playground.write("bare.conll09", &bare);
    assert_eq!(json(&playground, "score bare.conll09 bare.conll09 --json").get("roles"), None);
}

#[test]
fn the_official_score_of_semeval_counts_directions() {
    let playground = Playground::new();
    let pair = |relation: &str| format!("1\t\"<e1>a</e1> b <e2>c</e2>\"\n{relation}\nComment:\n\n");
    playground
        .write("gold.txt", &(pair("Cause-Effect(e1,e2)") + &pair("Message-Topic(e1,e2)") + &pair("Other")));
    playground
        .write("system.txt", &(pair("Cause-Effect(e2,e1)") + &pair("Message-Topic(e1,e2)") + &pair("Other")));
    let scores = json(&playground, "score gold.txt system.txt --json");
    assert_eq!(scores["relations"]["official_macro_f1"], 50.0);
    assert_eq!(scores["relations"]["undirected_f1"], 100.0);
}

#[test]
fn files_are_recognised_checked_and_counted() {
    let playground = Playground::new();
    playground.write("a.txt", CONLL04);
    let run = playground.run("check a.txt");
    assert_eq!(
        (run.code, run.stderr.contains("2 sentences (conll04), no problems")),
        (0, true),
        "{}",
        run.stderr
    );
    playground.write("b.txt", CONLL04.replace("[2]\n1", "[1]\n1"));
    let run = playground.run("check b.txt");
    assert!(run.code != 0 && run.stderr.contains("relation-without-entity"), "{}", run.stderr);
    let counted = json(&playground, "stats a.txt --json");
    assert_eq!(
        [&counted["entities"]["Peop"], &counted["n_entities"], &counted["entity_relations"]["Live_In"]],
        [2, 4, 1]
    );
    playground.write("boundary.bio", "-DOCSTART- O\n\na B-X\n\n");
    let counted = json(&playground, "stats boundary.bio --json");
    assert_eq!([&counted["tokens"], &counted["sentences"]], [1, 1]);
}
