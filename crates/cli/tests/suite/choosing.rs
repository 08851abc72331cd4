//! What to annotate next and what it will bring, with the real program: select and plan, and which sentences are the same.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use std::collections::BTreeSet;

fn run(playground: &Playground, arguments: &str) -> crate::common::Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

/// Rows of a sentence of words and tags, `dog/NOUN:2`, where a head may follow.
fn rows(id: &str, words: &str) -> String {
    let row = |(number, word): (usize, &str)| {
        let (form, rest) = word.split_once('/').unwrap_or((word, "X"));
        let (tag, head) = rest.split_once(':').unwrap_or((rest, "_"));
        let relation = match head {
            "_" => "_",
            "0" => "root",
            _ => "dep",
        };
        format!("{number}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    let id = if id.is_empty() { String::new() } else { format!("# sent_id = {id}\n") };
    format!("{id}{}\n", (1..).zip(words.split(' ')).map(row).collect::<String>())
}

fn sentences(all: &[(&str, &str)]) -> String {
    all.iter().map(|(id, words)| rows(id, words)).collect()
}

/// Sentences of a small language: subject, verb, and sometimes an object.
fn corpus(n: usize, heads: bool) -> String {
    let (nouns, verbs) = (["dog", "cat", "bird", "girl", "tree"], ["sees", "hears", "likes"]);
    let sentence = |number: usize| {
        let (subject, verb, object) = (nouns[number % 5], verbs[number % 3], nouns[(number / 5) % 5]);
        let text = match (number % 4, heads) {
            (0, true) => format!("the/DET:2 {subject}/NOUN:3 {verb}/VERB:0"),
            (0, false) => format!("the/DET {subject}/NOUN {verb}/VERB"),
            (_, true) => format!("the/DET:2 {subject}/NOUN:3 {verb}/VERB:0 a/DET:5 {object}/NOUN:3"),
            (_, false) => format!("the/DET {subject}/NOUN {verb}/VERB a/DET {object}/NOUN"),
        };
        rows(&format!("s{number}"), &text)
    };
    (0..n).map(sentence).collect()
}

fn listed(json: &serde_json::Value) -> Vec<(String, u64)> {
    let one =
        |one: &serde_json::Value| (one["file"].as_str().unwrap().to_string(), one["line"].as_u64().unwrap());
    json.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn sentences_whose_ids_collide_are_all_candidates() {
    let playground = Playground::new();
    let a = sentences(&[("1", "a/DET b/NOUN"), ("2", "c/NOUN d/VERB"), ("3", "e/VERB f/NOUN")]);
    let b = sentences(&[("1", "g/VERB h/NOUN"), ("2", "i/NOUN j/VERB"), ("3", "e/VERB f/NOUN")]);
    playground.write("a.conllu", a).write("b.conllu", b);
    let found = run(&playground, "select a.conllu b.conllu -n 20 --json --steps 3");
    // The third sentence is the same in both.
    let places: BTreeSet<(String, u64)> = listed(&found.json()).into_iter().collect();
    assert_eq!(places.len(), 5, "{places:?}");
    assert!(found.stderr.contains("2 ids do not tell sentences apart (1, 2)"), "{}", found.stderr);
    let third = found.json().as_array().unwrap().iter().find(|one| one["id"] == "3").unwrap().clone();
    assert_eq!(third["annotations"], 2);
    // In the table they have their places for names.
    let text = run(&playground, "select a.conllu b.conllu -n 20 --steps 3").stdout;
    assert!(text.contains("a.conllu:1") && text.contains("b.conllu:1"), "{text}");
}

#[test]
fn two_hundred_sentences_with_one_id_are_two_hundred_candidates() {
    let playground = Playground::new();
    let all: String = (0..200).map(|number| rows("1", &format!("w{number}/NOUN x/VERB"))).collect();
    // Two that are the same in words, too, are rows of their own.
    playground.write("one.conllu", all + &rows("1", "w7/NOUN x/VERB"));
    let found = run(&playground, "select one.conllu -n 1000 --json --steps 2").json();
    assert_eq!(listed(&found).into_iter().collect::<BTreeSet<_>>().len(), 201);
    run(&playground, "select one.conllu -n 1000 -o next.conllu --steps 2");
    assert_eq!(playground.read("next.conllu").matches("# sent_id = 1\n").count(), 201);
}

/// The annotators' rows of the table.
fn annotators(json: &serde_json::Value) -> Vec<(u64, u64)> {
    let of = |one: &serde_json::Value| {
        (one["sentences"].as_u64().unwrap(), one["gold"]["correct"].as_u64().unwrap())
    };
    json["annotators"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn annotators_are_compared_on_the_same_words_where_ids_are_not_unique() {
    let playground = Playground::new();
    let one = ("s", "a/X:2 b/X:0 c/X:2");
    let other = ("s", "d/X:0 e/X:1");
    playground
        .write("ana.conllu", sentences(&[one, other]))
        .write("ben.conllu", sentences(&[other, one]))
        .write("gold.conllu", sentences(&[other, one]));
    let found = run(&playground, "agree ana.conllu ben.conllu --gold gold.conllu --json");
    assert_eq!(annotators(&found.json()), [(2, 5), (2, 5)]);
    assert_eq!(found.json()["agreement"]["overall"]["gflAgree"], 1.0);
    assert!(found.stderr.contains("1 id does not tell sentences apart (s)"), "{}", found.stderr);
    run(&playground, "agree ana.conllu ben.conllu --combine union -o both.conllu");
    let both = playground.read("both.conllu");
    assert_eq!(both.matches("# annotators = ana, ben").count(), 2, "{both}");
    assert!(both.contains("\ta\t") && both.contains("\td\t"), "{both}");
}

#[test]
fn an_id_with_other_words_is_another_sentence() {
    let playground = Playground::new();
    playground
        .write("ana.conllu", sentences(&[("1", "a/X:2 b/X:0"), ("2", "c/X:2 d/X:0")]))
        .write("ben.conllu", sentences(&[("1", "a/X:2 b/X:0"), ("2", "c/X:0 e/X:1")]));
    let found = playground.run("agree ana.conllu ben.conllu --json");
    assert_eq!(found.code, 1, "{}", found.stderr);
    assert!(found.stderr.contains("another-sentence") && found.stderr.contains("`e`"), "{}", found.stderr);
    assert_eq!(found.json()["agreement"]["overall"]["gflAgree"], 1.0);
    // The truth is checked alike.
    let found = playground.run("agree ana.conllu --gold ben.conllu --json");
    assert!(found.code == 1 && found.stderr.contains("another-sentence"), "{}", found.stderr);
    assert_eq!(annotators(&found.json()), [(1, 2)]);
}

#[test]
fn gold_without_ids_is_found_by_its_order() {
    let playground = Playground::new();
    playground
        .write("ana.conllu", sentences(&[("1", "a/X:2 b/X:0"), ("2", "c/X:2 d/X:0")]))
        .write("gold.conllu", sentences(&[("", "a/X:2 b/X:0"), ("", "c/X:2 d/X:0")]));
    let found = run(&playground, "agree ana.conllu --gold gold.conllu --json").json();
    assert_eq!(annotators(&found), [(2, 4)]);
}

#[test]
fn rows_are_found_by_words_where_ids_are_not_unique() {
    let playground = Playground::new();
    let anno = |words: &str, anno: &str| format!("---\n% ID s\n% TEXT\n{words}\n% ANNO\n{anno}\n");
    playground
        .write("a.anno", anno("dog barks", "dog > barks**") + &anno("the cat", "the > cat**"))
        .write("words.conllu", sentences(&[("s", "the/DET cat/NOUN"), ("s", "dog/NOUN barks/VERB")]));
    let found = run(&playground, "impute a.anno --words words.conllu -o out.conllu --steps 3");
    assert!(found.stderr.contains("1 id does not tell sentences apart (s)"), "{}", found.stderr);
    let out = playground.read("out.conllu");
    assert!(out.contains("dog\t_\tNOUN") && out.contains("barks\t_\tVERB"), "{out}");
    assert!(out.contains("the\t_\tDET") && out.contains("cat\t_\tNOUN"), "{out}");
}

#[test]
fn what_comes_next_is_written_with_all_that_was_said() {
    let playground = Playground::new();
    let open = rows("open", "the/DET dog/NOUN:3 barks/VERB:0 at/ADP night/NOUN");
    playground.write("a.conllu", rows("done", "a/DET:2 cat/NOUN:0") + &open);
    let found = run(&playground, "select a.conllu -n 5 -o next.conllu --steps 5");
    assert!(found.stderr.contains("next.conllu: 1 sentence to annotate"), "{}", found.stderr);
    let next = playground.read("next.conllu");
    for comment in
        ["# sent_id = open", "# treelet_rank = 1", "# treelet_why = 3 open", "# treelet_from = a.conllu:5"]
    {
        assert!(next.contains(comment), "{comment}: {next}");
    }
    let body = |text: &str| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    assert_eq!(body(&next), body(&open));
    run(&playground, "check next.conllu");
    // Written again, it has the new comments only.
    run(&playground, "select next.conllu -o again.conllu --unit arc -n 2 --steps 5");
    let again = playground.read("again.conllu");
    assert_eq!(
        (again.matches("# sent_id").count(), again.matches("# treelet_rank").count()),
        (1, 2),
        "{again}"
    );
    assert_eq!(again.matches("# treelet_from").count(), 1);
    assert_eq!(playground.run("select a.conllu -o a.conllu").code, 2);
}

#[test]
fn what_annotators_dispute_is_open_in_what_comes_next() {
    let playground = Playground::new();
    playground
        .write("ana.conllu", rows("1", "the/DET:2 dog/NOUN:3 barks/VERB:0 loudly/ADV"))
        .write("ben.conllu", rows("1", "the/DET:3 dog/NOUN:3 barks/VERB loudly/ADV:3"));
    run(&playground, "select ana.conllu ben.conllu -o next.conllu --steps 5");
    let next = playground.read("next.conllu");
    assert!(next.contains("# treelet_disputed = 1 the: 2 or 3"), "{next}");
    let heads: Vec<&str> =
        next.lines().filter(|line| line.contains('\t')).map(|row| row.split('\t').nth(6).unwrap()).collect();
    assert_eq!(heads, ["_", "3", "0", "3"]);
}

#[test]
fn any_model_of_heads_can_choose() {
    let playground = Playground::new();
    playground.write("done.conllu", corpus(60, true)).write("raw.conllu", corpus(30, false));
    run(&playground, "train dependency done.conllu -o parser.treelet");
    run(&playground, "impute done.conllu -o out.conllu --save-model arcs.treelet --steps 5");
    for model in ["parser.treelet", "arcs.treelet"] {
        let found = run(&playground, &format!("select raw.conllu --model {model} -n 4 --json")).json();
        assert_eq!(found.as_array().unwrap().len(), 4, "{model}");
        assert!(found[0]["uncertain"][0]["heads"][0]["probability"].as_f64().unwrap() > 0.0, "{found}");
    }
    let refused = playground.run("select raw.conllu --model done.conllu");
    assert_ne!(refused.code, 0, "{}", refused.stdout);
}

#[test]
fn a_batch_has_no_near_duplicates_while_there_is_anything_else() {
    let playground = Playground::new();
    let hard = "old/ADJ men/NOUN and/CCONJ women/NOUN with/ADP telescopes/NOUN saw/VERB birds/NOUN";
    let mut text: String = (0..5).map(|number| rows(&format!("copy{number}"), hard)).collect();
    text.push_str(&rows("dog", "the/DET dog/NOUN barks/VERB"));
    text.push_str(&rows("cat", "a/DET cat/NOUN sleeps/VERB here/ADV"));
    playground.write("raw.conllu", text);
    let ids = |options: &str| -> Vec<String> {
        let found =
            run(&playground, &format!("select raw.conllu -n 3 --json --by entropy --steps 5 {options}"))
                .json();
        found.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_string()).collect()
    };
    let diverse = ids("");
    assert_eq!(diverse.iter().filter(|id| id.starts_with("copy")).count(), 1, "{diverse:?}");
    assert_eq!(ids("--not-diverse"), ["copy0", "copy1", "copy2"]);
}

#[test]
fn a_plan_is_about_the_parser_unless_an_imputer_is_asked_for() {
    let playground = with_demo();
    playground.write("done.conllu", playground.read("village.conllu"));
    let plan =
        |options: &str| run(&playground, &format!("plan done.conllu --folds 2 --points 3 --json {options}"));
    let parser = plan("").json();
    assert_eq!(parser["learner"], "the parser of `treelet train dependency`");
    assert_eq!(parser["level"], 0.8);
    let imputer = plan("--method convexmst --steps 5").json();
    assert_eq!(imputer["learner"], "the imputer convexmst");
    assert_ne!(parser["measured"], imputer["measured"]);
    let ignored = plan("--steps 5");
    assert!(ignored.stderr.contains("--steps has no effect here: it is for imputers"), "{}", ignored.stderr);
    assert_eq!(ignored.json(), parser);
}

/// What a page says, without its marks.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut within = false;
    for letter in html.chars() {
        match letter {
            '<' => within = true,
            '>' => within = false,
            _ if !within => text.push(letter),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&quot;", "\"");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_of_a_plan_says_all_that_the_terminal_says() {
    let playground = Playground::new();
    playground.write("tiny.conllu", sentences(&[("1", "a/X:2 b/Y:0 c/X:2"); 8]));
    let said = run(&playground, "plan tiny.conllu --folds 2 --points 3 -o plan.html");
    let page = plain(&playground.read("plan.html"));
    let remarks = ["too few to tell", "150 arcs an hour are assumed", "not tell sentences apart"];
    for remark in remarks {
        let line = said
            .stderr
            .lines()
            .find(|line| line.contains(remark))
            .unwrap_or_else(|| panic!("{}", said.stderr));
        assert!(page.contains(line), "{line}\n{page}");
    }
    assert!(said.stdout.contains("80% interval") && page.contains("80% interval"));
    // Every figure and every word of the tables.
    for word in said.stdout.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)) {
        assert!(page.contains(word), "{word}\n{page}");
    }
    let json = run(&playground, "plan tiny.conllu --folds 2 --points 3 --json").json();
    let in_json: Vec<&str> =
        json["remarks"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    for remark in remarks {
        assert!(in_json.iter().any(|line| line.contains(remark)), "{remark} {in_json:?}");
    }
    assert_eq!(json["enough_to_tell"], false);
}

#[test]
fn annotations_of_the_same_sentence_are_held_out_together() {
    let playground = Playground::new();
    // Ben says of every sentence what Ana says. If his trees stayed when hers are held out, words that occur in one
    // sentence only could be known.
    let trees = corpus(24, true);
    playground.write("ana.conllu", &trees).write("ben.conllu", &trees);
    let plan = |files: &str| run(&playground, &format!("plan {files} --folds 3 --points 3 --json")).json();
    let (one, both) = (plan("ana.conllu"), plan("ana.conllu ben.conllu"));
    assert_eq!(both["annotated_sentences"], 24);
    assert_eq!(both["sentences"], 24);
    assert_eq!(both["arcs"].as_u64(), one["arcs"].as_u64().map(|arcs| 2 * arcs));
    let largest = |json: &serde_json::Value| json["measured"][2]["arcs"].as_f64().unwrap();
    assert_eq!(largest(&both), 2.0 * largest(&one));
    // What both say is scored: these trees are easy.
    assert!(both["measured"][2]["uas"].as_f64().unwrap() > 0.9, "{both}");
}

#[test]
fn a_parser_that_chooses_keeps_what_was_said() {
    let playground = Playground::new();
    playground.write("done.conllu", corpus(60, true));
    run(&playground, "train dependency done.conllu -o parser.treelet");
    // Against all that the parser has seen, the noun is the root; then the verb cannot be.
    playground.write("part.conllu", rows("1", "the/DET dog/NOUN:0 sees/VERB a/DET cat/NOUN"));
    let found = run(&playground, "select part.conllu --model parser.treelet --unit arc --json").json();
    let verb = found.as_array().unwrap().iter().find(|one| one["word"] == 3).unwrap();
    assert_ne!(verb["uncertain"][0]["heads"][0]["head"], 0, "{verb}");
}

#[test]
fn a_plan_goes_by_the_tags_that_are_asked_for() {
    let playground = Playground::new();
    let sentence = |number: usize| {
        let word = |id: usize, tag: &str, head: usize| {
            format!(
                "{id}\tw{number}{id}\t_\tX\t{tag}\t_\t{head}\t{}\t_\t_\n",
                if head == 0 { "root" } else { "dep" }
            )
        };
        let order = match number % 2 {
            0 => [("D", 2), ("N", 3), ("V", 0)],
            _ => [("V", 0), ("N", 1), ("D", 2)],
        };
        (1..).zip(order).map(|(id, (tag, head))| word(id, tag, head)).collect::<String>() + "\n"
    };
    playground.write("a.conllu", (0..40).map(sentence).collect::<String>());
    let last = |options: &str| {
        let json = run(&playground, &format!("plan a.conllu --folds 2 --points 3 --json {options}")).json();
        json["measured"][2]["uas"].as_f64().unwrap()
    };
    assert!(last("--tags xpos") > last("--tags upos") + 0.1);
}

#[test]
fn a_plan_of_the_village_has_gains_that_grow() {
    let playground = with_demo();
    let json = run(&playground, "plan village.conllu --folds 4 --points 4 --arcs-per-hour 100 --json").json();
    let expected = json["expected"].as_array().unwrap();
    let gains: Vec<f64> = expected.iter().map(|one| one["gain"].as_f64().unwrap()).collect();
    assert!(gains[0] == 0.0 && gains.is_sorted(), "{gains:?}");
    for one in expected {
        let (low, high) = (one["interval"][0].as_f64().unwrap(), one["interval"][1].as_f64().unwrap());
        assert!(low <= one["uas"].as_f64().unwrap() && one["uas"].as_f64().unwrap() <= high, "{one}");
    }
}

#[test]
fn tags_of_machines_are_compared_where_machines_are_trusted() {
    let playground = Playground::new();
    let marked = |tag: &str| {
        format!(
            "# sent_id = s\n1\tdogs\t_\t{tag}\t_\t_\t2\tdep\t_\tUposBy=tagger:{tag}\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
        )
    };
    playground.write("ana.conllu", marked("NOUN")).write("ben.conllu", marked("VERB"));
    for (trust, n_units) in [("people", 1), ("imputed", 2)] {
        let found = run(&playground, &format!("agree ana.conllu ben.conllu --trust {trust} --json")).json();
        assert_eq!(found["columns"]["UPOS"]["units"], n_units, "{trust}: {}", found["columns"]);
    }
}

#[test]
fn a_dispute_is_told_with_the_names_of_those_who_annotated_the_sentence() {
    let playground = Playground::new();
    playground
        .write("ana.conllu", rows("1", "a/X:2 b/X:0"))
        .write("ben.conllu", rows("2", "c/X:2 d/X:0"))
        .write("cid.conllu", rows("2", "c/X:0 d/X:1"));
    let found = run(&playground, "agree ana.conllu ben.conllu cid.conllu --combine union -o all.conllu");
    assert!(found.stderr.contains("word 1 `c`: heads 2 (ben), 0 (cid); 2 taken"), "{}", found.stderr);
}

#[test]
fn ranks_are_counted_through_all_sentences_that_come_next() {
    let playground = Playground::new();
    playground
        .write("a.conllu", sentences(&[("1", "the/DET dog/NOUN barks/VERB"), ("2", "cats/NOUN sleep/VERB")]));
    run(&playground, "select a.conllu -n 5 -o next.conllu --steps 2");
    let next = playground.read("next.conllu");
    let ranks: Vec<&str> = next.lines().filter_map(|line| line.strip_prefix("# treelet_rank = ")).collect();
    assert_eq!(ranks, ["1", "2"], "{next}");
}

#[test]
fn a_head_that_is_a_multiword_is_combined() {
    let playground = Playground::new();
    let anno = |lines: &str| format!("---\n% ID 1\n% TEXT\na b c\n% ANNO\n{lines}\n");
    playground.write("ana.anno", anno("a > [b c]")).write("ben.anno", anno("[b c]"));
    run(&playground, "agree ana.anno ben.anno --combine union -o all.conllu");
    let first =
        playground.read("all.conllu").lines().find(|line| line.starts_with("1\t")).unwrap().to_string();
    assert_eq!(first.split('\t').nth(6), Some("2"), "{first}");
}

#[test]
fn ties_and_heads_that_close_cycles_are_told_one_by_one() {
    let playground = Playground::new();
    playground
        .write("ana.conllu", rows("1", "a/X:2 b/Y c/X:0"))
        .write("ben.conllu", rows("1", "a/Z b/Y:1 c/X:1"));
    let told = run(&playground, "agree ana.conllu ben.conllu --combine union -o all.conllu").stderr;
    for line in [
        "1 word disputed (1 tie), 1 head kept out because of cycles",
        "word 3 `c`: heads 0 (ana), 1 (ben); 0 taken, of a tie that of ana",
        "word 2 `b`: head 1 (ben) kept out, since it closes the cycle 2 → 1 → 2",
        "UPOS: 1 word in dispute, without a majority; the first annotator's taken",
        "word 1 `a`: X (1), Z (1); X taken, the first in a tie",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    playground.write("cid.conllu", rows("1", "a/Z b/Y c/X:0"));
    let told =
        run(&playground, "agree ana.conllu ben.conllu cid.conllu --combine union -o all.conllu").stderr;
    assert!(told.contains("0 taken\n") && told.contains("the majority's taken\n"), "{told}");
    assert!(told.contains("Z (2), X (1); Z taken\n") && !told.contains("tie"), "{told}");
}

#[test]
fn combining_keeps_what_only_others_say_in_misc_and_tells_what_it_does_not_keep() {
    let playground = Playground::new();
    let row = |comment: &str, deps: &str, misc: &str| {
        format!("# sent_id = 1\n{comment}1\tdogs\t_\tNOUN\t_\t_\t0\troot\t{deps}\t{misc}\n\n")
    };
    playground
        .write("ana.conllu", row("", "_", "Gloss=dog"))
        .write("ben.conllu", row("# unsure\n", "0:root", "Gloss=hound|Note=why"));
    let told = run(&playground, "agree ana.conllu ben.conllu --combine union -o all.conllu").stderr;
    assert!(
        playground.read("all.conllu").contains("\tGloss=dog|Note=why\n"),
        "{}",
        playground.read("all.conllu")
    );
    let lost = "of others not: 1 comment, 1 cell of DEPS, 1 item of MISC with another value";
    assert!(told.contains(lost), "{told}");
}

#[test]
fn seconds_are_learned_from_sentences_that_were_timed() {
    let playground = Playground::new();
    // 5 seconds for a look, and 3 for each of one to three heads.
    let timed = |n: usize| {
        let heads = [
            "the/DET:2 dog/NOUN barks/VERB",
            "the/DET:2 dog/NOUN:3 barks/VERB",
            "the/DET:2 dog/NOUN:3 barks/VERB:0",
        ];
        let rows = rows(&n.to_string(), heads[n % 3]);
        format!("# seconds = {}\n{rows}", 5 + 3 * (n % 3 + 1))
    };
    let select = |n: usize| {
        playground.write("timed.conllu", (1..=n).map(timed).collect::<String>());
        run(&playground, "select timed.conllu --steps 2 --cost seconds --json -n 1")
    };
    let told = select(36);
    let note = "each arc 3.0 s, as learned from 36 sentences with times";
    assert!(told.stderr.contains(note), "{}", told.stderr);
    let few = select(29);
    assert!(!few.stderr.contains("as learned from 29"), "{}", few.stderr);
    // With two or one open: 20 + 2 · 8, or 20 + 8.
    let cost = few.json()[0]["cost"].as_f64().unwrap();
    assert!(cost == 36.0 || cost == 28.0, "{cost}");
}

#[test]
fn a_budget_that_buys_nothing_is_told_with_the_lowest_price() {
    let playground = Playground::new();
    // Both sentences are looked at for 20 seconds; two heads are open in one and three in the other.
    playground.write(
        "a.conllu",
        sentences(&[("1", "the/DET:2 dog/NOUN barks/VERB"), ("2", "cats/NOUN sleep/VERB now/ADV")]),
    );
    let select =
        |options: &str| run(&playground, &format!("select a.conllu --steps 2 --cost seconds {options}"));
    let costs = select("--json").json();
    let mut costs: Vec<f64> =
        costs.as_array().unwrap().iter().map(|one| one["cost"].as_f64().unwrap()).collect();
    costs.sort_by(f64::total_cmp);
    assert_eq!(costs, [36.0, 44.0]);
    let told = select("--budget 30").stderr;
    assert!(told.contains("note: nothing fits the budget of 30; the cheapest costs 36.0"), "{told}");
    assert!(!told.contains("nothing left"), "{told}");
    let arcs = select("--unit arc --json").json();
    assert!(arcs.as_array().unwrap().iter().all(|one| one["cost"] == 28.0), "{arcs}");
    playground.write("whole.conllu", rows("1", "dogs/NOUN:2 bark/VERB:0"));
    let told = run(&playground, "select whole.conllu --steps 2 --budget 1").stderr;
    assert!(told.contains("nothing left to annotate"), "{told}");
}
