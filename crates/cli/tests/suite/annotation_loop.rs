//! The whole loop, round after round: annotate, impute, correct, impute, select, train, parse, agree, plan.
//!
//! A ledger remembers every decision of the (simulated) person. After every command, and through every format, all
//! of them stand in the file as the person's, and nothing else does.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::Playground;
use formats::conllu;
use std::collections::BTreeMap;
use tree::provenance::{Author, Column, HEAD_SAID};
use tree::{Sentence, Token};

/// What a person said: sentence, word, column.
type Ledger = BTreeMap<(usize, usize, Column), String>;

const COLUMNS: [Column; 3] = [Column::Head, Column::Deprel, Column::Upos];

fn read(playground: &Playground, name: &str) -> Vec<Sentence> {
    let text = playground.read(name);
    conllu::ConlluReader::new(text.as_bytes())
        .map(|reading| reading.unwrap().value)
        .filter(|one| one.n_words() > 0)
        .collect()
}

fn write(playground: &Playground, name: &str, sentences: &[Sentence]) {
    let mut bytes = Vec::new();
    sentences.iter().for_each(|sentence| conllu::write(sentence, &mut bytes).unwrap());
    playground.write(name, bytes);
}

fn said(token: &Token, column: Column) -> Option<String> {
    let overruled = token.misc_items().find(|(key, _)| *key == HEAD_SAID);
    match (column, overruled, column.author(token)) {
        (Column::Head, Some((_, said)), Author::Machine(_)) => Some(said.to_string()),
        (_, _, Author::Person) => column.value(token).map(|value| value.into_owned()),
        _ => None,
    }
}

/// All that the ledger has, and nothing else, is a person's in the file.
fn check(playground: &Playground, name: &str, ledger: &Ledger, after: &str) {
    let sentences = read(playground, name);
    let mut found = Ledger::new();
    for (at, sentence) in sentences.iter().enumerate() {
        for (word, token) in sentence.words().enumerate() {
            for column in COLUMNS {
                found.extend(said(token, column).map(|value| ((at, word, column), value)));
            }
        }
    }
    let forgotten: Vec<_> =
        ledger.iter().filter(|(key, value)| found.get(key) != Some(value)).take(3).collect();
    let invented: Vec<_> =
        found.iter().filter(|(key, value)| ledger.get(key) != Some(value)).take(3).collect();
    assert!(forgotten.is_empty(), "{name} after {after}: forgotten or changed {forgotten:?}");
    assert!(invented.is_empty(), "{name} after {after}: taken for a person's {invented:?}");
}

/// The command succeeds.
fn run(playground: &Playground, arguments: &str) -> crate::common::Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "treelet {arguments}: {}{}", run.stdout, run.stderr);
    run
}

/// There and back through a format; what has no place there is what the person did not say.
fn travel(playground: &Playground, ledger: &Ledger, format: &str) {
    run(playground, &format!("convert trees.conllu -o there --to {format} -q"));
    let back = if format == "brackets" { " --head-rules dependency" } else { "" };
    run(playground, &format!("convert there -o back.conllu --from {format} --to conllu -q{back}"));
    if format == "conll09" {
        // The format has one column of tags.
        let mut sentences = read(playground, "back.conllu");
        for token in sentences.iter_mut().flat_map(Sentence::words_mut) {
            token.upos = std::mem::replace(&mut token.xpos, "_".into());
            token.misc = token.misc.replace("Xpos", "Upos").into();
        }
        write(playground, "back.conllu", &sentences);
    }
    check(playground, "back.conllu", ledger, &format!("{format} and back"));
}

/// The person looks at some heads that a machine found: right ones are confirmed, wrong ones corrected.
fn correct(playground: &Playground, gold: &[Sentence], ledger: &mut Ledger, round: usize) {
    let mut sentences = read(playground, "trees.conllu");
    for (at, (sentence, gold)) in sentences.iter_mut().zip(gold).enumerate() {
        for (word, (token, gold)) in sentence.words_mut().zip(gold.words()).enumerate() {
            if !(at + 3 * word + round).is_multiple_of(7) || !Column::Head.is_by_machine(token) {
                continue;
            }
            if token.head == gold.head {
                Column::Head.unmark(token);
            }
            token.head = gold.head.clone();
            ledger.insert((at, word, Column::Head), gold.head.to_string());
            if Column::Deprel.is_by_machine(token) {
                if token.deprel == gold.deprel {
                    Column::Deprel.unmark(token);
                }
                token.deprel = gold.deprel.clone();
                ledger.insert((at, word, Column::Deprel), gold.deprel.to_string());
            }
        }
    }
    write(playground, "annotated.conllu", &sentences);
}

/// Gold trees lose most of their heads, and some of their tags and relations.
fn begin(playground: &Playground, gold: &[Sentence]) -> Ledger {
    write(playground, "gold.conllu", gold);
    run(playground, "simulate gold.conllu -o annotated.conllu --model random --keep 0.4 --seed 1 -q");
    let mut sentences = read(playground, "annotated.conllu");
    let mut ledger = Ledger::new();
    for (at, sentence) in sentences.iter_mut().enumerate() {
        for (word, token) in sentence.words_mut().enumerate() {
            if at % 3 == 0 && word % 2 == 0 {
                token.upos = "_".into();
            }
            if (at + word) % 5 == 0 {
                token.deprel = "_".into();
            }
            for column in COLUMNS {
                ledger.extend(column.value(token).map(|value| ((at, word, column), value.into_owned())));
            }
        }
    }
    write(playground, "annotated.conllu", &sentences);
    ledger
}

fn five_rounds(gold: &[Sentence]) {
    let playground = Playground::new();
    let mut ledger = begin(&playground, gold);
    for round in 0..5 {
        let at = |what: &str| format!("round {round}: {what}");
        run(&playground, "impute annotated.conllu -o trees.conllu -q");
        check(&playground, "trees.conllu", &ledger, &at("impute"));
        correct(&playground, gold, &mut ledger, round);
        check(&playground, "annotated.conllu", &ledger, &at("correct"));
        run(&playground, "impute annotated.conllu -o trees.conllu -q");
        check(&playground, "trees.conllu", &ledger, &at("impute again"));
        let format = ["gfl", "gfl-json", "conllx", "conll09", "conllu"][round];
        travel(&playground, &ledger, format);
        let chosen = run(&playground, "select trees.conllu -n 2 --json -q");
        assert!(chosen.stdout.contains("sentence"), "{}", chosen.stdout);
        run(&playground, "select trees.conllu -n 3 -o next.conllu -q");
        let next = read(&playground, "next.conllu");
        let heads = |all: &[Sentence]| {
            let words = all.iter().flat_map(Sentence::words);
            words.filter(|token| Column::Head.author(token) == Author::Person).count()
        };
        assert!(next.len() == 3 && heads(&next) <= ledger.len(), "{next:?}");
        assert!(next.iter().flat_map(Sentence::words).all(|token| !Column::Head.is_by_machine(token)));
        run(&playground, "train dependency trees.conllu -o parser.treelet --order 1 --epochs 3 -q --seed 2");
        run(&playground, "parse parser.treelet trees.conllu -o parsed.conllu --constraints -q");
        check(&playground, "parsed.conllu", &ledger, &at("parse --constraints"));
        run(&playground, "parse parser.treelet trees.conllu -o free.conllu -q");
        let free = read(&playground, "free.conllu");
        let mut words = free.iter().flat_map(Sentence::words);
        assert!(words.all(|token| Column::Head.is_by_machine(token) && Column::Deprel.is_by_machine(token)));
        run(&playground, "agree trees.conllu parsed.conllu --combine union -o combined.conllu -q");
        check(&playground, "combined.conllu", &ledger, &at("agree --combine"));
        // The next round goes on from what a parser made of the same file.
        std::fs::copy(playground.path("parsed.conllu"), playground.path("annotated.conllu")).unwrap();
        let checked = playground
            .run("check trees.conllu parsed.conllu free.conllu combined.conllu --message-format short");
        assert!(
            !checked.stdout.contains("error[") && !checked.stderr.contains("error["),
            "{}{}",
            checked.stdout,
            checked.stderr
        );
    }
    let plan = run(&playground, "plan annotated.conllu --method convexmst --steps 20 --json");
    assert!(plan.stdout.contains("enough_to_tell"), "{}", plan.stdout);
}

/// Some short sentences of a treebank.
fn short_sentences(text: &str, n: usize) -> Vec<Sentence> {
    let all = conllu::ConlluReader::new(text.as_bytes()).map(|reading| reading.unwrap().value);
    let is_plain = |sentence: &Sentence| {
        (4..=11).contains(&sentence.n_words())
            && sentence.tokens.iter().all(Token::is_word)
            && sentence.heads().is_ok_and(|heads| heads.is_some_and(|heads| heads.is_projective()))
    };
    let mut chosen: Vec<Sentence> = all.filter(is_plain).take(n).collect();
    for token in chosen.iter_mut().flat_map(Sentence::words_mut) {
        // What the loop is not about.
        (token.deps, token.misc, token.xpos) = ("_".into(), "_".into(), "_".into());
    }
    chosen
}

#[test]
fn five_rounds_on_the_demo_corpus() {
    let text = std::fs::read_to_string(crate::common::demo("village.conllu")).unwrap();
    five_rounds(&short_sentences(&text, 12));
}

#[test]
fn five_rounds_on_four_treebanks() {
    for treebank in ["Wolof-WTB", "Erzya-JR", "Manx-Cadhan", "Uyghur-UDT"] {
        let Some(path) = testkit::shared(&format!("data/dependency/ud/{treebank}/test.conllu")) else {
            return;
        };
        five_rounds(&short_sentences(&std::fs::read_to_string(path).unwrap(), 14));
    }
}

#[test]
fn a_head_that_is_corrected_in_an_editor_is_the_persons_and_one_that_is_left_alone_is_not() {
    let playground = crate::common::with_demo();
    run(&playground, "simulate village.conllu -o half.conllu --model random --keep 0.5 --seed 1 -q");
    run(&playground, "impute half.conllu -o trees.conllu -q");
    let (before, gold) = (read(&playground, "trees.conllu"), read(&playground, "village.conllu"));
    let mut after = before.clone();
    let found = |all: &[Sentence]| {
        all.iter().flat_map(Sentence::words).filter(|token| Column::Head.is_by_machine(token)).count()
    };
    let n_found = found(&after);
    {
        let pairs = after.iter_mut().flat_map(Sentence::words_mut).zip(gold.iter().flat_map(Sentence::words));
        let mut wrong =
            pairs.filter(|(token, gold)| Column::Head.is_by_machine(token) && token.head != gold.head);
        let (token, gold) = wrong.next().unwrap();
        token.head = gold.head.clone();
    }
    write(&playground, "corrected.conllu", &after);
    let run = playground.run("impute corrected.conllu -o again.conllu");
    assert!(run.stderr.contains("that a machine had filled in are open again"), "{}", run.stderr);
    assert_eq!(found(&read(&playground, "again.conllu")), n_found - 1);
    // Who trusts machines has nothing open.
    let trusting = playground.run("impute trees.conllu -o same.conllu --trust imputed");
    assert_eq!(trusting.code, 0);
    let heads = |all: &[Sentence]| all.iter().map(Sentence::partial_heads).collect::<Vec<_>>();
    assert_eq!(heads(&read(&playground, "same.conllu")), heads(&before));
    let selected = playground.run("select trees.conllu -n 2 --json");
    assert_eq!(selected.code, 0, "{}", selected.stderr);
    assert!(selected.stdout.contains("sentence"), "{}{}", selected.stdout, selected.stderr);
}
