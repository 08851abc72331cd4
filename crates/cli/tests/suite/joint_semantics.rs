//! Names, relations and roles: learned, found, kept, by the spellings that scripts use.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run};
use serde_json::Value;

const PEOPLE: [&str; 4] = ["Ada", "Kofi", "Mei", "Omar"];
const PLACES: [&str; 4] = ["Port Royal", "Lima", "New Delhi", "Accra"];

/// Word/label columns in which people visit places.
fn names(n: usize) -> String {
    let sentence = |at: usize| {
        let place = PLACES[at * 7 / 3 % 4].split(' ').enumerate();
        let place: String =
            place.map(|(k, word)| format!("{word} {}-LOC\n", if k == 0 { 'B' } else { 'I' })).collect();
        let verb = ["visits", "likes", "sees"][at % 3];
        format!("{} B-PER\n{verb} O\n{place}. O\n\n", PEOPLE[at * 5 / 2 % 4])
    };
    (0..n).map(sentence).collect()
}

/// CoNLL-2009: what stands before a verb is its A0, what stands behind it its A1, and *today* is no argument.
fn roles(n: usize) -> String {
    let row = |id: usize, form: &str, tag: &str, head: usize, relation: &str, rest: &str| {
        format!(
            "{id}\t{form}\t{form}\t{form}\t{tag}\t{tag}\t_\t_\t{head}\t{head}\t{relation}\t{relation}\t{rest}\n"
        )
    };
    let sentence = |at: usize| {
        let (verb, sense) = [("likes", "like.01"), ("sees", "see.01")][at % 2];
        row(1, PEOPLE[at % 4], "N", 2, "subj", "_\t_\tA0")
            + &row(2, verb, "V", 0, "root", &format!("Y\t{sense}\t_"))
            + &row(3, ["goats", "rain", "Lima"][at % 3], "N", 2, "obj", "_\t_\tA1")
            + &row(4, "today", "R", 2, "adv", "_\t_\t_")
            + "\n"
    };
    (0..n).map(sentence).collect()
}

fn fine(playground: &Playground, command: &str) -> Run {
    let run = playground.run(command);
    assert_eq!(run.code, 0, "treelet {command}: {}", run.stderr);
    run
}

fn json(playground: &Playground, command: &str) -> Value {
    serde_json::from_str(&fine(playground, command).stdout).unwrap()
}

#[test]
fn names_are_learned_from_columns_and_found_in_columns_and_in_text() {
    let playground = Playground::new();
    playground.write("train.txt", names(40));
    playground.write("dev.txt", names(9));
    playground.write("story.txt", "Kofi sees New Delhi .\nMei likes Lima .\n");
    for mode in ["supervised", "hidden"] {
        fine(
            &playground,
            &format!(
                "joint train --task entities --mode {mode} train.txt -o names --dev dev.txt --seed 3 --epochs 6"
            ),
        );
        fine(&playground, "parse names dev.txt -o found.txt");
        let scores = json(&playground, "score dev.txt found.txt --json");
        let figures = ["precision", "recall", "f1", "unlabelled_f1"].map(|name| &scores["entities"][name]);
        assert_eq!(figures, [100.0, 100.0, 100.0, 100.0], "{mode}");
        assert_eq!(playground.read("found.txt"), playground.read("dev.txt"));
        // Of text, in rows.
        let said = fine(&playground, "parse names story.txt -o story.conllu").stderr;
        assert!(said.contains(if mode == "hidden" { "loopy" } else { "exact" }), "{said}");
        let rows = playground.read("story.conllu");
        for part in ["3\tNew\t_\t_\t_\t_\t_\t_\t_\tNE=B-LOC|EntProb=0.", "NE=I-LOC", "# entities_by = joint@"]
        {
            assert!(rows.contains(part), "{mode}: {part} in {rows}");
        }
        fine(&playground, "check story.conllu");
        // A machine's names are not learned from.
        let run = playground.run("joint train --task entities story.conllu -o other");
        assert!(
            run.code == 2 && run.stderr.contains("2 sentences in which a machine found all entities"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn what_is_open_is_found_and_what_was_said_stays() {
    let playground = Playground::new();
    // Nobody said what half of the places are.
    let partial = names(40).replace("Port B-LOC\nRoyal I-LOC", "Port _\nRoyal _");
    playground.write("train.txt", &partial);
    fine(&playground, "joint train --task entities --mode hidden train.txt -o names --epochs 6");
    // Who this is was said, whatever the model thinks.
    playground.write("partial.txt", "Ada B-LOC\nvisits O\nLima _\n. _\n\n");
    fine(&playground, "parse names partial.txt -o found.txt --constraints");
    assert_eq!(playground.read("found.txt"), "Ada B-LOC\nvisits O\nLima B-LOC\n. O\n\n");
    // What a machine found is no constraint, and that is said; what people said before and after is.
    fine(&playground, "convert partial.txt -o partial.conllu --to conllu");
    fine(&playground, "parse names partial.conllu -o first.conllu --constraints");
    let first = playground.read("first.conllu");
    assert!(first.contains(" found 3=LOC said 1-2\n"), "{first}");
    let said = fine(&playground, "parse names first.conllu -o again.conllu --constraints").stderr;
    assert!(said.contains("1 sentence with `# entities_by`"), "{said}");
    assert_eq!(playground.read("again.conllu"), first);
    let correct = |from: &str, to: &str| {
        assert!(first.contains(from), "{first}");
        playground.write("corrected.conllu", first.replace(from, to));
        fine(&playground, "parse names corrected.conllu -o again.conllu --constraints");
        playground.read("again.conllu")
    };
    let rows = correct("NE=B-LOC|EntProb=1.0000", "NE=B-PER");
    assert!(rows.contains("1\tAda\t_\t_\t_\t_\t_\t_\t_\tNE=B-PER") && rows.contains("found 3=LOC"), "{rows}");
    let lima = first.lines().find(|line| line.starts_with("3\tLima")).unwrap().to_string();
    let rows = correct(&lima, "3\tLima\t_\t_\t_\t_\t_\t_\t_\tNE=O");
    assert!(
        rows.contains("3\tLima\t_\t_\t_\t_\t_\t_\t_\tNE=O\n") && rows.contains(" found said 1-3\n"),
        "{rows}"
    );
    // Learned from is what people said.
    let said = fine(&playground, "joint train --task entities corrected.conllu -o other --epochs 1").stderr;
    assert!(said.contains("1 sentence in which a machine found some entities: these are open"), "{said}");
}

#[test]
fn roles_of_people_and_of_machines_are_told_apart_in_every_round() {
    let playground = Playground::new();
    playground.write("train.conll09", roles(30));
    fine(&playground, "joint train --task roles train.conll09 -o roles --epochs 6");
    playground.write("some.conll09", roles(4).replace("\tA1\n", "\t?\n").replace("\tsee.01\t", "\t?\t"));
    fine(&playground, "convert some.conll09 -o some.conllu --to conllu");
    for file in ["some.conllu", "some.conll09"] {
        fine(&playground, &format!("parse roles {file} -o first --constraints"));
        let first = playground.read("first");
        assert!(first.contains(" found 2/ 2/=see.01 2/3=A1 said 2/1-2 2/4\n"), "{first}");
        assert!(first.contains(" found 2/ 2/3=A1 said 2/ 2/1-2 2/4\n"), "{first}");
        fine(&playground, "parse roles first -o again --constraints");
        assert_eq!(playground.read("again"), first);
        // Somebody knows better.
        let corrected = match file {
            "some.conllu" => first.replacen("Args=A1", "Args=A7", 1),
            _ => first.replacen("\tA1\n", "\tA7\n", 1),
        };
        assert_ne!(corrected, first);
        playground.write("corrected", &corrected);
        fine(&playground, "parse roles corrected -o again --constraints");
        let again = playground.read("again");
        assert!(again.contains("A7") && again.contains(" found 2/ said 2/ 2/1-4\n"), "{again}");
        let said = fine(&playground, "joint train --task roles again -o other --epochs 1").stderr;
        assert!(said.contains("4 sentences in which a machine found some roles"), "{said}");
    }
}

#[test]
fn who_said_it_goes_through_other_formats_and_stays_true() {
    let playground = Playground::new();
    playground.write("train.conll09", roles(30));
    fine(&playground, "joint train --task roles train.conll09 -o roles --epochs 6");
    playground.write("some.conll09", roles(4).replace("\tA1\n", "\t?\n"));
    fine(&playground, "convert some.conll09 -o some.conllu --to conllu");
    fine(&playground, "parse roles some.conllu -o found.conllu --constraints");
    fine(&playground, "convert found.conllu -o found.conll09 --to conll09");
    fine(&playground, "convert found.conll09 -o back.conllu --to conllu");
    let marks = |file: &str| playground.read(file).matches("# roles_by = joint@").count();
    assert_eq!([marks("found.conll09"), marks("back.conllu")], [4, 4]);

    playground.write("names.txt", names(40));
    fine(&playground, "joint train --task entities names.txt -o names --epochs 6");
    playground.write("partial.txt", "Ada B-PER\nvisits O\nLima _\n. _\n\n");
    let said = fine(&playground, "parse names partial.txt -o found.txt --constraints").stderr;
    assert!(said.contains("bio has no place for who said what"), "{said}");
    for format in ["joint", "conll04"] {
        fine(&playground, &format!("convert partial.txt -o partial.{format} --to {format}"));
        fine(&playground, &format!("parse names partial.{format} -o found.{format} --constraints"));
        let found = playground.read(&format!("found.{format}"));
        assert!(found.contains(" found 3=LOC said 1-2\n"), "{found}");
        fine(&playground, &format!("check found.{format}"));
        fine(&playground, &format!("parse names found.{format} -o again.{format} --constraints"));
        assert_eq!(playground.read(&format!("again.{format}")), found);
        fine(&playground, &format!("convert found.{format} -o found.conllu --to conllu"));
        assert!(playground.read("found.conllu").contains(" found 3=LOC said 1-2\n"));
    }
    // A format without names has no mark of them, and without marks none is left behind.
    fine(&playground, "convert found.conllu -o bare.conllx --to conllx");
    assert!(!playground.read("bare.conllx").contains("entities_by"));
    fine(&playground, "parse names found.conllu -o bare.conllu --constraints --no-marks");
    assert!(!playground.read("bare.conllu").contains("entities_by"));
    // Where words have changed, nobody knows, and nothing is touched or learned from.
    let other = playground.read("found.conllu").replace("visits", "sees");
    playground.write("other.conllu", &other);
    let said = fine(&playground, "parse names other.conllu -o same.conllu --constraints").stderr;
    assert!(said.contains("the words of 1 sentence have changed since"), "{said}");
    assert_eq!(playground.read("same.conllu"), other);
    let run = playground.run("joint train --task entities other.conllu -o other");
    assert!(run.code == 2 && run.stderr.contains("whose words have changed"), "{}", run.stderr);
}

#[test]
fn a_model_of_one_task_says_nothing_of_the_others() {
    let playground = Playground::new();
    playground.write("names.txt", names(40));
    fine(&playground, "joint train --task entities names.txt -o names --epochs 6");
    playground.write("story.txt", "Kofi sees New Delhi .\n");
    fine(&playground, "parse names story.txt -o names.conllu");
    let found = playground.read("names.conllu");
    let certain = found.lines().find(|line| line.contains("Kofi\t")).unwrap().to_string();
    let doubted = certain.rsplit_once('=').unwrap().0.to_string() + "=0.6543";
    // Somebody relates the two.
    let related = found.replace(&certain, &format!("{doubted}|Rel=4:Visits"));
    playground.write("related.conllu", related);
    playground.write("all.conllu", playground.read("related.conllu").replace("entities_by", "others"));
    fine(&playground, "joint train --task relations all.conllu -o relations --epochs 2");
    let said = fine(&playground, "parse relations related.conllu -o again.conllu --constraints").stderr;
    let again = playground.read("again.conllu");
    assert!(again.contains("EntProb=0.6543") && again.contains("said 1>4"), "{again} {said}");
    // What a machine said of pairs stays a machine's when names are found again.
    let unrelated = again.replace("Rel=4:Visits|", "").replace("|Rel=4:Visits", "");
    let by_machine = unrelated.replace(" said 1>4", "");
    playground.write("unrelated.conllu", &by_machine);
    fine(&playground, "parse names unrelated.conllu -o kept.conllu --constraints");
    let kept = playground.read("kept.conllu");
    assert!(kept.contains("# relations_by = joint@") && !kept.contains("Rel="), "{kept}");
    // Names are found anew, and with them goes what was said of the old ones.
    let said = fine(&playground, "parse names again.conllu -o anew.conllu").stderr;
    let anew = playground.read("anew.conllu");
    assert!(!anew.contains("relations_by") && said.contains("3 things"), "{anew} {said}");
    // Of text, nobody but a model of names says where names are.
    fine(&playground, "parse relations story.txt -o open.conllu");
    assert!(!playground.read("open.conllu").contains("NE="), "{}", playground.read("open.conllu"));
}

#[test]
fn analyses_as_a_whole_are_ranked() {
    let playground = Playground::new();
    playground.write("train.txt", names(40));
    playground.write("story.txt", "Kofi sees New Delhi .\n");
    fine(&playground, "joint train --task entities train.txt -o names --epochs 6");
    fine(&playground, "parse names story.txt -o ranked.conllu --n-best 3");
    let rows = playground.read("ranked.conllu");
    let ps: Vec<f64> =
        rows.lines().filter_map(|line| line.strip_prefix("# probability = ")?.parse().ok()).collect();
    assert!(ps.len() == 3 && ps.windows(2).all(|pair| pair[0] >= pair[1]) && ps.iter().sum::<f64>() <= 1.0);
    fine(&playground, "check ranked.conllu");
    let object = json(&playground, "parse names story.txt -o - --n-best 3 --json");
    assert_eq!(object["n_best"].as_array().unwrap().len(), 3);
    assert_eq!(object["calibrated"], false);
    let run = playground.run("parse names train.txt -o ranked.txt --n-best 3");
    assert!(run.code == 2 && run.stderr.contains("no place for several analyses"), "{}", run.stderr);
}

#[test]
fn roles_are_found_by_parsers_that_the_model_takes_along() {
    let playground = Playground::new();
    playground.write("train.conll09", roles(36));
    playground.write("test.conll09", roles(8));
    // Without trees: the model parses.
    let bare = |text: String| -> String {
        let open = |line: &str| {
            let mut cells: Vec<&str> = line.split('\t').collect();
            if cells.len() > 11 {
                cells[8..12].fill("_");
            }
            cells.join("\t") + "\n"
        };
        text.lines().map(open).collect()
    };
    playground.write("bare.conll09", bare(roles(8)));
    fine(
        &playground,
        "joint train --task roles --mode oracle train.conll09 -o roles --jackknife 3 --epochs 6 --seed 1",
    );
    fine(&playground, "parse roles bare.conll09 -o found.conll09");
    let scores = json(&playground, "score test.conll09 found.conll09 --from conll09 --json");
    assert_eq!(scores["roles"]["f1"], 100.0, "{scores}");
    // Trees of the input are looked at if they are to be kept.
    let said = fine(&playground, "parse roles test.conll09 -o found.conll09").stderr;
    assert!(said.contains("the trees of 8 sentences were not looked at"), "{said}");
    // Its trees are written in rows, with a mark.
    fine(&playground, "convert bare.conll09 -o bare.conllu --to conllu");
    fine(&playground, "parse roles bare.conllu -o found.conllu");
    let rows = playground.read("found.conllu");
    assert!(rows.contains("HeadBy=jackknife@") && rows.contains("Args=A0"), "{rows}");
    fine(&playground, "check found.conllu");
    // The same model from a parser that is there.
    fine(&playground, "convert train.conll09 -o trees.conllu --to conllu");
    fine(&playground, "train dependency trees.conllu -o arcs --epochs 2");
    playground.write("treeless.conll09", bare(roles(36)));
    fine(
        &playground,
        "joint train --task roles --mode oracle treeless.conll09 -o roles --parser arcs --epochs 6",
    );
    fine(&playground, "parse roles bare.conll09 -o found.conll09");
    assert_eq!(json(&playground, "score test.conll09 found.conll09 --json")["roles"]["f1"], 100.0);
}

#[test]
fn what_cannot_be_is_explained_and_nothing_is_dropped() {
    let playground = Playground::new();
    playground.write("train.txt", names(12));
    playground.write("none.txt", "a O\nb O\n\n");
    playground.write("roles.conll09", roles(8));
    for (command, code, said) in [
        ("joint train --task entities none.txt -o x", 2, "there is no name in them"),
        ("joint train --task entities --mode oracle train.txt -o x", 2, "none of them has a tree"),
        ("joint train --task entities --mode joint train.txt -o x", 2, "none of them has a tree"),
        ("joint train --task relations train.txt -o x", 2, "there is no relation"),
        (
            "joint train --task entities --mode joint --syntax arcs train.txt -o x",
            2,
            "names are tied to brackets",
        ),
        ("joint train --task roles --syntax brackets roles.conll09 -o x", 2, "roles are tied to arcs"),
        (
            "joint train --task entities --mode oracle --jackknife 2 train.txt -o x",
            2,
            "only 0 of the sentences",
        ),
    ] {
        let run = playground.run(command);
        assert!(
            run.code == code && run.stderr.contains(said),
            "treelet {command}: {} {}",
            run.code,
            run.stderr
        );
    }
    let said =
        fine(&playground, "joint train --task entities train.txt -o names --epochs 2 --valency 3").stderr;
    assert!(said.contains("--valency"), "{said}");
    // Long sentences, where there is syntax.
    fine(&playground, "joint train --task entities --mode hidden train.txt -o hidden --epochs 2");
    playground.write("long.txt", "Ada B-PER\n".to_string() + &"w O\n".repeat(500) + "\n");
    let run = playground.run("parse hidden long.txt -o long.out");
    assert!(run.code == 1 && run.stderr.contains("501 words"), "{}", run.stderr);
    assert_eq!(playground.read("long.out"), playground.read("long.txt"));
    fine(&playground, "parse names long.txt -o long.out");
    // A predicate that has no column, an argument of none, a head outside.
    let broken = roles(2).replacen("Y\tlike.01", "_\t_", 1).replacen("\t2\t2\tobj", "\t9\t9\tobj", 1);
    playground.write("broken.conll09", broken);
    let run = playground.run("joint train --task roles broken.conll09 -o x --epochs 2");
    assert!(run.code == 1 && run.stderr.contains("broken.conll09:1:"), "{}", run.stderr);
}
