//! Induced grammars and arcs on factor graphs: what they suggest is what `treelet parse` and `treelet tag run` find, and what knows
//! no heads is refused.

use super::*;

/// Every kind of model that knows heads, by what the page calls it, with the name of its file.
const KINDS: [(&str, &str); 10] = [
    ("DMV", "dmv"),
    ("DMV", "dmv-em"),
    ("DMV", "dmv-em-map"),
    ("DMV", "dmv-vb-em"),
    ("DMV", "dmv-ln"),
    ("constituency parser", "phrases"),
    ("joint parser", "arcs"),
    ("joint parser", "pairs"),
    ("joint tagger", "tags-and-arcs"),
    ("joint tagger with hidden trees", "hidden"),
];

/// The models, of few passes over the demo corpus; they stay until the tests have ended.
pub(super) fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        let gold = file("gold.conllu");
        std::fs::write(&gold, VILLAGE).expect("a file");
        for method in ["vb", "em", "em-map", "vb-em", "ln"] {
            let name = if method == "vb" { "dmv".into() } else { format!("dmv-{method}") };
            let options = json!({"files": [gold], "output": file(&name), "passes": 2, "method": method});
            call("induce dmv", options);
        }
        let train = |name: &str, more: serde_json::Value| {
            let mut options = json!({"train": [gold], "output": file(name), "epochs": 2});
            let more = more.as_object().expect("options").clone();
            options.as_object_mut().expect("options").extend(more);
            call("joint train", options);
        };
        let phrases = file("phrases.mrg");
        std::fs::write(&phrases, include_str!("../../../../../../data/demo/village-train.mrg")).expect("a file");
        let options = json!({"file": phrases, "output": file("phrases"), "annotations": 2, "chains": 2, "burn_in": 5, "samples": 5});
        call("train constituency", options);
        train("arcs", json!({"task": "dependency"}));
        train("pairs", json!({"task": "dependency", "order": 2}));
        train("tags-and-arcs", json!({"task": "tagging", "mode": "joint"}));
        train("hidden", json!({"task": "tagging", "mode": "hidden"}));
        train("tags", json!({"task": "tagging"}));
        train("oracle", json!({"task": "tagging", "mode": "oracle"}));
        folder
    });
    folder.path()
}

pub(super) fn suggesters() -> Vec<(&'static str, Suggester)> {
    let known = known();
    KINDS.map(|(_, file)| (file, learn(&known, &of_file(&folder().join(file)), None))).into()
}

/// Rows in which all heads are open but those of words of which `keep` says so; relations all are.
fn opened(keep: impl Fn(usize) -> bool) -> String {
    let row = |line: &str| {
        let mut columns: Vec<&str> = line.split('\t').collect();
        let is_kept = columns[0].parse().is_ok_and(&keep);
        if columns.len() == 10 {
            columns[6] = if is_kept { columns[6] } else { "_" };
            columns[7] = "_";
        }
        columns.join("\t") + "\n"
    };
    VILLAGE.lines().map(row).collect()
}

/// The rows as the program writes them: head and probability of each word, the latter where it is said.
fn written(command: &str, model: &Path, rows: &str) -> Vec<Vec<(u32, Option<f64>)>> {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("in.conllu"), folder.path().join("out.conllu"));
    std::fs::write(&input, rows).expect("a file");
    let mut options = json!({"model": model, "input": input, "output": output});
    options[if command == "tag run" { "trees" } else { "posteriors" }] = true.into();
    let command = match command.strip_suffix(" --constraints") {
        Some(command) => {
            options["constrain"] = true.into();
            command
        }
        None => command,
    };
    call(command, options);
    let text = std::fs::read_to_string(&output).expect("it was written");
    let word = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let p = columns[9].split('|').find_map(|item| item.strip_prefix("HeadProb="));
        (columns[6].parse().expect("a head"), p.map(|p| p.parse().expect("a number")))
    };
    let words = |rows: &str| {
        let is_word = |line: &&str| line.split('\t').next().is_some_and(|id| id.parse::<u32>().is_ok());
        rows.lines().filter(is_word).map(word).collect()
    };
    text.split("\n\n").filter(|rows| !rows.trim().is_empty()).map(words).collect()
}

/// Asserts that what is suggested is what a command finds with the same model.
fn assert_same(command: &str, model: &Suggester, rows: &str) {
    let file = model.chosen().file.as_deref().expect("it comes from a file");
    let (found, name) = (written(command, file, rows), file.display());
    let lessons = lessons(rows);
    assert_eq!(found.len(), lessons.len());
    for ((sentence, said), words) in lessons.iter().zip(&found) {
        let best = model.suggest(sentence, said).expect("there is a tree").best;
        assert_eq!(best.len(), words.len());
        for (word, (arc, &(head, p))) in (1..).zip(best.iter().zip(words)) {
            assert_eq!(arc.head as u32, head, "{name}: word {word} of {}", sentence.detokenised());
            if let Some(p) = p {
                // It is written with two digits.
                assert!((arc.p - p).abs() < 0.0051, "{name}: {} and {p}", arc.p);
            }
        }
    }
}

#[test]
fn suggestions_are_what_the_program_finds_with_the_same_model() {
    let (open, some) = (opened(|_| false), opened(|word| word % 3 == 0));
    for (name, model) in suggesters().iter().filter(|(name, _)| *name != "phrases") {
        let command =
            if name.starts_with("dmv") || ["arcs", "pairs"].contains(name) { "parse" } else { "tag run" };
        assert_same(command, model, &open);
        // These honour heads that stand in the file; a grammar finds all heads anew, and hidden trees have none in any file.
        if ["arcs", "pairs", "tags-and-arcs"].contains(name) {
            assert_same(command, model, &some);
        }
    }
    let [second, first, _] = files();
    for file in [second, first] {
        let model = learn(&known(), &of_file(file), None);
        assert_same("parse", &model, &open);
        assert_same("parse --constraints", &model, &some);
    }
}

#[test]
fn heads_of_a_grammar_of_constituents_are_those_of_its_trees_by_head_rules() {
    let lessons = lessons(VILLAGE);
    let model = learn(&lessons, &of_file(&folder().join("phrases")), None);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let mut text = String::new();
    for (sentence, _) in &lessons {
        let words: Vec<&str> = sentence.words().map(|word| word.form.as_str()).collect();
        text += &(words.join(" ") + "\n");
    }
    std::fs::write(file("in.txt"), text).expect("a file");
    let (grammar, n_draws) = (self::folder().join("phrases"), 400);
    call(
        "sample",
        json!({"model": grammar, "input": file("in.txt"), "output": file("drawn"), "draws": n_draws, "seed": 9}),
    );
    let drawn = std::fs::read_to_string(file("drawn")).expect("it was written");
    let trees: Vec<&str> = drawn.lines().filter_map(|line| line.rsplit('\t').next()).collect();
    std::fs::write(file("drawn.mrg"), trees.join("\n")).expect("a file");
    call(
        "convert",
        json!({"file": file("drawn.mrg"), "output": file("heads.conllu"), "to": "conllu", "head_rules": "english"}),
    );
    let heads = std::fs::read_to_string(file("heads.conllu")).expect("it was written");
    let trees: Vec<Sentence> = self::lessons(&heads).iter().map(|(rows, _)| Sentence::clone(rows)).collect();
    assert_eq!(trees.len(), lessons.len() * n_draws);
    for ((sentence, said), trees) in lessons.iter().zip(trees.chunks(n_draws)) {
        let open = Analysis::new(said.tokens().to_vec());
        let posteriors = model.suggest(sentence, &open).expect("there is a tree").posteriors;
        for word in 1..=sentence.n_words() {
            for head in 0..=sentence.n_words() {
                let has = |tree: &&Sentence| {
                    tree.words().nth(word - 1).expect("a word").head == Head::Of(head as u32)
                };
                let share = trees.iter().filter(has).count() as f64 / n_draws as f64;
                // The program drew other trees.
                let p = posteriors.of(head, word);
                assert!(
                    (p - share).abs() < 0.16,
                    "{word} ← {head} of {}: {p} and {share}",
                    sentence.detokenised()
                );
            }
        }
    }
}

#[test]
fn what_is_told_of_them_is_so() {
    for (kind, file) in KINDS {
        let learned = learn(&lessons(TUTORIAL), &of_file(&folder().join(file)), None).learned;
        assert_eq!((learned.kind.as_str(), learned.file.as_deref()), (kind, Some(file)));
        assert!(!learned.calibrated, "{file}: nobody ever held it against anything");
        assert_eq!((learned.relations, learned.instead), (None, None), "{file}");
        // Relations are learned from the project, as those of imputers are.
        let with_relations = learn(&known(), &of_file(&folder().join(file)), None).learned;
        assert!(with_relations.relations.is_some_and(|relations| relations.n_arcs.is_some()), "{file}");
    }
}

#[test]
fn what_fills_in_heads_signs_with_its_file() {
    let (sentence, said) = lessons(TUTORIAL).swap_remove(0);
    for (name, signs) in
        [("dmv", "dmv@"), ("phrases", "constituency@"), ("arcs", "joint@"), ("hidden", "joint@")]
    {
        let model = learn(&lessons(TUTORIAL), &of_file(&folder().join(name)), None);
        let filled = model.fill(&sentence, &said).expect("a signature").expect("a tree");
        assert!(filled.words().all(|word| word.misc.contains(&format!("HeadBy={signs}"))), "{name}");
    }
}

#[test]
fn relations_are_filled_in_with_heads_and_against_nothing_that_was_said() {
    let model = learn(&known(), &of_file(&folder().join("dmv")), None);
    assert!(model.learned.relations.is_some());
    let (sentence, start) = lessons(VILLAGE).swap_remove(0);
    let mut said = Analysis::new(start.tokens().to_vec());
    let head = |of: u32, to: u32| {
        Change::Head(Attach {
            of: WordOrBlock::Word(of),
            to: Some(WrittenHead(Attached::To(WordOrBlock::Word(to)))),
            relation: None,
        })
    };
    // The first word's head, and a block with its relation; nothing else.
    said.apply(&head(1, 3)).expect("it is possible");
    let block = Change::Bracket {
        id: 1,
        kind: None,
        words: vec![6, 7, 8],
        head: Some(WordOrBlock::Word(8)),
        label: None,
    };
    said.apply(&block).expect("it is possible");
    let of = WordOrBlock::Block { bracket: 1 };
    let to = Some(WrittenHead(Attached::To(WordOrBlock::Word(4))));
    said.apply(&Change::Head(Attach { of, to, relation: Some("obl".into()) })).expect("it is possible");
    let mut open = Sentence::clone(&sentence);
    for token in open.words_mut() {
        (token.head, token.deprel) = (Head::Open, UNSPECIFIED);
    }
    let mut rows = open.clone();
    rows.words_mut().next().expect("a word").head = Head::Of(3);
    let filled = model.fill(&rows, &said).expect("a signature").expect("a tree");
    let found: Vec<bool> = filled.words().map(|word| word.misc.contains("DeprelBy=")).collect();
    assert!(!found[0] && !found[7], "{found:?}");
    assert!(found.iter().filter(|found| **found).count() >= 4, "{found:?}");
}

#[test]
fn models_that_know_no_heads_are_refused_with_those_that_do() {
    let of = |name: &str, command: &str, options: serde_json::Value| {
        let file = folder().join(name);
        let mut options = options;
        options["output"] = json!(file);
        call(command, options);
        file
    };
    let gold = folder().join("gold.conllu");
    let pcfg = of("pcfg", "induce pcfg", json!({"files": [gold], "passes": 1, "nonterminals": 2}));
    let hmm = of("hmm", "induce hmm", json!({"files": [gold], "passes": 1, "states": 2}));
    for file in [pcfg, hmm, folder().join("tags"), folder().join("oracle")] {
        let refused = AnyModel::open(&file).and_then(|model| Scorer::read_any(&model)).map(drop);
        let text = refused.expect_err("it knows no heads").to_string();
        for can in ["train dependency", "impute --save-model", "induce dmv", "joint train --task dependency"]
        {
            assert!(text.contains(can), "{text}");
        }
    }
}
