//! `treelet joint`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::Playground;
#[cfg(unix)]
use crate::common::end_midway;

const VILLAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo/village.conllu");

fn village() -> Playground {
    let playground = Playground::new();
    playground.write("train.conllu", std::fs::read(VILLAGE).unwrap());
    playground
}

fn fine(playground: &Playground, arguments: &str) -> crate::common::Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

/// The file without some columns.
fn without(playground: &Playground, columns: &[usize], to: &str) {
    let blank = |line: &str| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if cells.len() == 10 {
            columns.iter().for_each(|&column| cells[column] = "_");
        }
        cells.join("\t")
    };
    let text: Vec<String> = playground.read("train.conllu").lines().map(blank).collect();
    playground.write(to, text.join("\n") + "\n\n");
}

#[test]
fn all_modes_of_tagging_learn_the_village() {
    let playground = village();
    without(&playground, &[3], "untagged.conllu");
    without(&playground, &[3, 6, 7], "bare.conllu");
    for (mode, input) in
        [("supervised", "bare"), ("joint", "bare"), ("oracle", "untagged"), ("hidden", "bare")]
    {
        fine(
            &playground,
            &format!("joint train --task tagging --mode {mode} train.conllu -o m.treelet --epochs 6"),
        );
        let run = fine(&playground, &format!("joint run m.treelet {input}.conllu -o out.conllu"));
        let said = if mode == "supervised" { "inference was exact" } else { "loopy belief propagation" };
        assert!(run.stderr.contains(said), "{mode}: {}", run.stderr);
        let score = fine(&playground, "joint score --task tagging train.conllu out.conllu --json").json();
        assert!(score["accuracy"].as_f64().unwrap() > 95.0, "{mode}: {score}");
        assert!(playground.read("out.conllu").contains("UposProb="));
    }
    // Trees are found together with tags.
    fine(&playground, "joint train --task tagging --mode joint train.conllu -o j.treelet --epochs 6");
    fine(&playground, "joint run j.treelet bare.conllu -o out.conllu --heat-maps pictures --threads 2");
    assert!(playground.read("out.conllu").contains("HeadProb="));
    let svg = playground.read("pictures/1.svg");
    assert!(svg.contains("0 root") && svg.contains("Arcs from heads"), "{svg}");
    let score = playground.run("joint score --task dependency train.conllu out.conllu");
    assert!(score.stdout.contains("UAS"), "{}", score.stdout);
}

#[test]
fn parsers_of_both_orders_keep_heads_that_are_known() {
    let playground = village();
    without(&playground, &[6, 7], "bare.conllu");
    for order in [1, 2] {
        fine(
            &playground,
            &format!("joint train --task dependency --order {order} train.conllu -o p.treelet --epochs 4"),
        );
        let run = fine(&playground, "joint run p.treelet bare.conllu -o out.conllu --json");
        let summary = run.json();
        let (exact, all) = (summary["exact"].as_u64().unwrap(), summary["sentences"].as_u64().unwrap());
        assert!(if order == 1 { exact == all } else { exact < all }, "{summary}");
        // A head that nobody would guess stays.
        playground.write("odd.conllu", "1\tThe\t_\tDET\t_\t_\t3\tdet\t_\t_\n2\tgoat\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tsleeps\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n");
        let odd = fine(&playground, "joint run p.treelet odd.conllu");
        assert!(odd.stdout.contains("1\tThe\t_\tDET\t_\t_\t3\tdet"), "{}", odd.stdout);
        assert!(odd.stdout.lines().filter(|line| line.contains("HeadProb=")).count() == 2, "{}", odd.stdout);
    }
    let info = fine(&playground, "model info p.treelet --json").json();
    assert_eq!((info["task"].as_str(), info["order"].as_u64()), (Some("dependency"), Some(2)));
}

#[test]
#[cfg(unix)]
fn a_run_that_is_ended_goes_on_to_the_same_bytes_at_any_number_of_threads() {
    for (task, signal) in [("tagging --mode joint", "-INT"), ("dependency --order 2", "-KILL")] {
        let playground = village();
        let train = format!("joint train --task {task} train.conllu --epochs 120 --seed 3");
        fine(&playground, &format!("{train} -o straight --threads 1"));
        let status =
            end_midway(&playground, &format!("{train} -o m --threads 2 --checkpoint-every 0"), signal);
        assert!(!status.success() && !playground.path("m").exists());
        let refused = playground.run(&format!("{train} -o m"));
        assert!(refused.code == 2 && refused.stderr.contains("--resume"), "{}", refused.stderr);
        let other = playground.run(&format!("{train} --l2 3 -o m --resume"));
        assert!(other.code == 2 && other.stderr.contains("other settings"), "{}", other.stderr);
        fine(&playground, &format!("{train} -o m --threads 2 --resume"));
        let bytes = |name: &str| std::fs::read(playground.path(name)).unwrap();
        assert!(bytes("straight") == bytes("m"));
        assert!(!playground.path("m.checkpoint").exists());
    }
}

#[test]
fn brackets_with_and_without_labels_and_rules() {
    let playground = Playground::new();
    let trees = std::fs::read(crate::common::demo("village.mrg")).unwrap();
    playground.write("train.mrg", trees);
    for (task, said) in [
        ("brackets", "exact"),
        ("brackets --tags-only", "exact"),
        ("labeled-brackets", "exact"),
        ("labeled-brackets --rules", "inference was"),
    ] {
        fine(&playground, &format!("joint train --task {task} train.mrg -o b.treelet --epochs 8"));
        let run = fine(&playground, "joint run b.treelet train.mrg -o out.mrg");
        assert!(run.stderr.contains(said), "{task}: {}", run.stderr);
        let n_trees = |name: &str| playground.read(name).lines().filter(|line| line.starts_with('(')).count();
        assert_eq!(n_trees("out.mrg"), n_trees("train.mrg"));
        let kind = task.split(' ').next().unwrap();
        fine(&playground, &format!("joint score --task {kind} train.mrg out.mrg"));
        let info = fine(&playground, "model info b.treelet --json").json();
        assert_eq!(info["task"].as_str(), Some(kind), "{info}");
    }
    playground.write("plain.txt", "The goat sleeps .\n\nsleeps\n");
    let run = fine(&playground, "joint run b.treelet plain.txt");
    let lines: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() == 3 && lines[1].is_empty(), "{}", run.stdout);
}

#[test]
fn wrong_usage_is_explained() {
    let playground = village();
    playground.write("empty.conllu", "").write("broken.conllu", "1\tgoat\n\n");
    for (arguments, code, said) in [
        ("joint train --task dependency --mode hidden train.conllu -o m", 2, "--task tagging"),
        ("joint train --task tagging --order 2 train.conllu -o m", 2, "--task dependency"),
        ("joint train --task tagging empty.conllu -o m", 2, "no word has a tag"),
        ("joint train --task dependency empty.conllu -o m", 2, "no word has a head"),
        ("joint train --task tagging --damping 1 train.conllu -o m", 2, "--damping"),
        ("joint train --task tagging train.conllu -o -", 2, "-o"),
        ("joint train --task tagging --tags upos --given upos train.conllu -o m", 2, "predicted"),
        ("joint train --task tagging --tags NoSuchThing train.conllu -o m", 2, "same tag"),
        ("joint run train.conllu train.conllu", 3, "train.conllu"),
        ("joint train --task poetry train.conllu -o m", 2, "poetry"),
        ("joint score --task tagging train.conllu empty.conllu", 1, "words"),
    ] {
        let run = playground.run(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
        assert!(!playground.path("m").exists());
    }
    fine(&playground, "joint train --task tagging train.conllu -o t.treelet --epochs 2");
    let drawn = playground.run("joint run t.treelet train.conllu -o out.conllu --heat-maps pictures");
    assert!(drawn.code == 2 && drawn.stderr.contains("no syntax"), "{}", drawn.stderr);
    fine(&playground, "joint run t.treelet empty.conllu -o out.conllu");
    let broken = playground.run("joint run t.treelet broken.conllu -o out.conllu");
    assert_eq!(broken.code, 1, "{}", broken.stderr);
    fine(&playground, "joint train --task tagging --mode oracle train.conllu -o o.treelet --epochs 2");
    without(&playground, &[3, 6], "bare.conllu");
    let open = playground.run("joint run o.treelet bare.conllu -o out.conllu");
    assert!(open.code == 1 && open.stderr.contains("word 1 has no head"), "{}", open.stderr);
    assert_eq!(playground.read("out.conllu").lines().count(), playground.read("bare.conllu").lines().count());
}
