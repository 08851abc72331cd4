//! Everything that can be wrong with what `treelet factors` is given: the message says where and what to do, the exit code
//! says whose fault it is, and nothing panics.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run};

const QUICK: &str = "--sweeps 24 --thin 2 --seed 3";

/// A table with a good column of numbers and one of counts, and whatever else is given, one text for each row.
fn table(name: &str, cells: &[&str]) -> String {
    let row = |(at, cell): (usize, &&str)| format!("{}.5,{},{cell}\n", at * 5 % 7, at * at % 23);
    format!("x,n,{name}\n{}", cells.iter().enumerate().map(row).collect::<String>())
}

/// Runs a command that must end with `code` and say all of `words`.
fn says(playground: &Playground, arguments: &str, code: i32, words: &[&str]) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
    for words in words {
        assert!(run.stderr.contains(words), "{arguments}: no {words:?} in {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{arguments}: {}", run.stderr);
    run
}

/// Fits a table.
fn fit(playground: &Playground, text: &str, more: &str, code: i32, words: &[&str]) -> Run {
    playground.write("data.csv", text);
    says(playground, &format!("factors fit data.csv -k 1 -o m {QUICK} {more}"), code, words)
}

#[test]
fn columns_that_tell_nothing_are_left_out_with_a_warning() {
    let playground = Playground::new();
    let constant = table("z", &["4"; 12]);
    fit(&playground, &constant, "", 1, &["warning: column z: all its values are the same", "left out"]);
    fit(&playground, &table("z", &[""; 12]), "", 1, &["column z: it has no value at all"]);
    let json = playground.run("factors summary m --json").json();
    assert!(json["columns"][2]["left_out"].is_string(), "{json}");
    // A table to be completed may have anything in such a column.
    says(&playground, "factors predict m data.csv -o filled.csv", 0, &["0 cells"]);
    assert_eq!(playground.read("filled.csv"), table("z", &[""; 12]));
    fit(&playground, "a,b\n1,2\n1,2\n", "", 1, &["data.csv: no column is left to be modelled"]);
    fit(&playground, "a,b\n1,2\n", "", 1, &["no column is left"]);
}

#[test]
fn troubles_with_columns_come_in_the_format_that_is_asked_for() {
    let playground = Playground::new();
    let constant = table("z", &["4"; 12]);
    let short = "data.csv: warning: column z: all its values are the same";
    fit(&playground, &constant, "--message-format short", 1, &[short]);
    let run = fit(&playground, &constant, "--message-format json", 1, &[]);
    let line: serde_json::Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&line["file"], &line["name"]), (&"data.csv".into(), &"z".into()));
    assert_eq!((&line["severity"], &line["row"]), (&"warning".into(), &serde_json::Value::Null));
    assert!(line["message"].as_str().unwrap().starts_with("all its values are the same"), "{line}");
    assert!(!run.stderr.contains("column z:"), "{}", run.stderr);
    let cells = ["1.5", "2.5", "-1", "x", "3", "4", "5", "6", "7", "8", "9", "2"];
    playground.write("types.tsv", "z\tcontinuous\n");
    let run = fit(&playground, &table("z", &cells), "--types types.tsv --message-format json", 1, &[]);
    let line: serde_json::Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&line["severity"], &line["row"]), (&"error".into(), &4.into()));
}

#[test]
fn rows_without_a_value_are_kept_with_a_warning_and_predicted() {
    let playground = Playground::new();
    let text = table("z", &["a", "b", "a", "b", "a", "b"]) + ",,\n,,\n";
    fit(&playground, &text, "", 1, &["2 rows without any value (the first is 7)", "factors around 0"]);
    assert_eq!(playground.run("factors summary m --json").json()["scores"].as_array().unwrap().len(), 8);
    says(&playground, "factors predict m data.csv -o filled.csv", 0, &["6 cells of 8 rows"]);
}

#[test]
fn values_that_do_not_fit_a_declared_type_are_named_with_column_and_row() {
    let playground = Playground::new();
    let cases: [(&str, &str, &[&str]); 8] = [
        ("count", "-2", &["column z, row 3: -2 is below 0", "continuous"]),
        ("count", "2.5", &["column z, row 3: 2.5 is no whole number", "continuous"]),
        ("count", "5000000000", &["column z, row 3: 5000000000 is too large"]),
        ("continuous", "inf", &["column z, row 3: inf is infinite", "leave the cell empty"]),
        ("continuous", "goat", &["column z, row 3: \"goat\" is no number", "declare another type"]),
        ("ordinal(0-9)", "12", &["column z, row 3: \"12\" is not among the declared levels", "mend"]),
        ("binary", "2", &["column z: 3 different values, but binary has two"]),
        ("ordinal", "goat", &["column z: an order of texts cannot be guessed", "ordinal(lowest"]),
    ];
    for (kind, wrong, words) in cases {
        playground.write("types", format!("z\t{kind}\n"));
        let run = fit(&playground, &table("z", &["0", "1", wrong, "1", "0", "0"]), "--types types", 1, words);
        assert!(run.stderr.contains("data.csv: 1 column cannot be used"), "{}", run.stderr);
        assert!(!playground.path("m").exists() && !playground.path("m.checkpoint").exists());
    }
}

#[test]
fn values_that_fit_no_inferred_type_are_named_with_column_and_row() {
    let playground = Playground::new();
    let infinite = table("z", &["0.5", "1", "-inf", "1", "2"]);
    fit(&playground, &infinite, "", 1, &["column z, row 3: -inf is infinite"]);
    let mut numbers: Vec<String> = (0..30).map(|i| format!("{i}.25")).collect();
    numbers[7] = "1O.25".into();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let words = ["column z, row 8: \"1O.25\" is no number", "--types"];
    fit(&playground, &table("z", &numbers), "", 1, &words);
    // NaN is what programs write for a missing cell.
    fit(&playground, &table("z", &["0.5", "NaN", "1", "nan", "3", "7.5"]), "", 0, &[]);
    let few = table("z", &["1", "2", "?", "3", "3", "2", "1"]);
    let words = ["column z, row 3: \"?\" is no number, though most", "--missing ?", "categories"];
    fit(&playground, &few, "", 1, &words);
    fit(&playground, &few, "--missing ?", 0, &["ordinal of 3"]);
}

#[test]
fn a_category_seen_once_is_a_warning() {
    let playground = Playground::new();
    let text = table("z", &["a", "a", "b", "c", "c", "a"]);
    fit(
        &playground,
        &text,
        "",
        1,
        &["column z, row 3: \"b\" is seen only once", "merging", "categorical of 3"],
    );
    assert!(playground.path("m").exists());
    let many: Vec<String> = (0..40).map(|i| format!("{i}.5{}", ",7".repeat(i / 39))).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let ragged = fit(&playground, &table("z", &many), "", 1, &["data.csv:41"]);
    assert!(!ragged.stderr.is_empty());
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let playground = Playground::new();
    fit(&playground, "", "", 1, &["data.csv", "the table has no rows", "first line must name the columns"]);
    fit(&playground, "a,b,c\n", "", 1, &["data.csv", "the table has no rows"]);
    fit(&playground, "\n\n\n", "", 1, &["data.csv"]);
    let noise: Vec<u8> = (0..2000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for bytes in [noise, b"ARROW1\0\0nonsense".to_vec(), vec![0; 300], b"\x89PNG\r\n\x1a\n\0\0".to_vec()] {
        playground.write("noise", bytes);
        let run = says(&playground, &format!("factors fit noise -k 1 -o m {QUICK}"), 1, &["error: noise: "]);
        assert!(
            run.stderr.contains("a binary file") || run.stderr.contains("arrow-broken"),
            "{}",
            run.stderr
        );
        assert!(!playground.path("m").exists());
    }
    says(&playground, &format!("factors fit nowhere.csv -k 1 -o m {QUICK}"), 3, &["nowhere.csv"]);
    says(&playground, &format!("factors choose nowhere.csv -k 1 {QUICK}"), 3, &["nowhere.csv"]);
}

#[test]
fn wrong_files_of_types_are_refused() {
    let playground = Playground::new();
    let text = table("z", &["a", "a", "b", "c", "c", "b"]);
    let cases = [
        ("{\"y\": \"count\"}", "declares columns that the table does not have: y"),
        ("{\"z\": \"continous\"}", "column z: \"continous\" is no type: use continuous"),
        ("z\tcontinous\n", "line 1: column z: \"continous\" is no type"),
        ("# types\nz count\n", "line 2: expected a name, a tab and a type"),
        ("{\"z\": 3}", "column z: its type must be a text"),
        ("{\"z\": ", "no JSON"),
        ("z\tordinal(a)\n", "at least two different levels"),
        ("z\tordinal(a<b\n", "no closing parenthesis"),
        ("z\tordinal(7-1)\n", "between 2 and 1000 levels"),
    ];
    for (types, words) in cases {
        playground.write("types", types);
        fit(&playground, &text, "--types types", 2, &["types", words]);
    }
    says(&playground, "factors fit data.csv -k 1 -o m --types nothing.json", 3, &["nothing.json"]);
    playground.write("types", "x\tignore\nn\tignore\nz\tid\n");
    fit(&playground, &text, "--types types", 1, &["no column is left"]);
}

#[test]
fn numbers_that_cannot_be_meant_are_usage() {
    let playground = Playground::new();
    playground.write("data.csv", table("z", &["a", "a", "b", "b", "a", "b"]));
    let fit = "factors fit data.csv -o m";
    says(&playground, &format!("{fit} -k 4 {QUICK}"), 2, &["4 factors for 3 latent values", "lower -k"]);
    says(&playground, &format!("factors choose data.csv -k 1,9 {QUICK}"), 2, &["9 factors", "lower -k"]);
    says(&playground, &format!("{fit} -k 0"), 2, &["--factors <K>", "1..=200"]);
    says(&playground, fit, 2, &["--factors <K>"]);
    says(&playground, &format!("{fit} -k 1 --sweeps 10 --burn-in 20"), 2, &["leaves 0", "raise --sweeps"]);
    says(&playground, &format!("{fit} -k 1 --sweeps 10 --burn-in 8 --thin 2"), 2, &["leaves 1", "--thin"]);
    says(&playground, &format!("{fit} -k 1 --tails 0"), 2, &["--tails"]);
    says(&playground, "factors choose data.csv -k 1 --hide 1.5", 2, &["between 0 and 1"]);
    says(&playground, "factors simulate --n 5 --p 2 -k 3 -o x.csv", 2, &["3 factors for 2", "lower -k"]);
    assert!(!playground.path("x.csv").exists());
}

#[test]
fn no_output_is_written_over_an_input_or_another_output() {
    let playground = Playground::new();
    playground.write("data.csv", table("z", &["a", "a", "b", "b", "a", ""]));
    says(&playground, &format!("factors fit data.csv -k 1 -o m {QUICK}"), 0, &[]);
    let (data, model) = (playground.read("data.csv"), std::fs::read(playground.path("m")).unwrap());
    std::fs::create_dir(playground.path("folder")).unwrap();
    let over = "is read by this command and would be written over";
    let cases = [
        ("factors fit data.csv -k 1 -o data.csv", over),
        ("factors fit data.csv -k 1 -o n --trace data.csv", over),
        ("factors fit data.csv -k 1 -o n --checkpoint data.csv", over),
        ("factors fit data.csv -k 1 -o n --trace ./n", "need two names"),
        ("factors fit data.csv -k 1 -o -", "give its file a name"),
        ("factors fit data.csv -k 1 -o folder", "is a folder"),
        ("factors predict m data.csv -o data.csv", over),
        ("factors predict m data.csv -o m", over),
        ("factors predict m data.csv -o x --cells x", "need two names"),
        ("factors predict m data.csv -o x --cells m", over),
        ("factors summary m --scores m", over),
        ("factors summary m --scores x --correlations x", "need two names"),
        ("factors plot m -o m", "m is a file; pictures go into a folder"),
        ("factors plot m -o data.csv", "is a file"),
        ("factors simulate --n 5 --p 3 -k 1 -o x --truth x", "need two names"),
    ];
    for (arguments, words) in cases {
        says(&playground, arguments, 2, &[words]);
    }
    assert_eq!(playground.read("data.csv"), data);
    assert!(std::fs::read(playground.path("m")).unwrap() == model);
    says(&playground, "factors predict m data.csv -o nowhere/x.csv", 3, &["nowhere/x.csv"]);
    says(&playground, "factors fit data.csv -k 1 -o nowhere/m", 3, &["nowhere/m"]);
}

#[test]
fn files_that_are_no_factor_models_are_refused() {
    let playground = crate::common::with_demo();
    playground.write("data.csv", table("z", &["a", "a", "b", "b", "a", ""]));
    let learned = playground.run("induce dmv village.conllu -o other --passes 2");
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    playground.write("text", "no model\n").write("empty", "");
    for model in ["other", "text", "empty", "nowhere"] {
        for command in ["predict {} data.csv -o out.csv", "summary {}", "plot {} -o page.html"] {
            says(&playground, &format!("factors {}", command.replace("{}", model)), 3, &[model]);
        }
    }
    assert!(!playground.path("out.csv").exists() && !playground.path("page.html").exists());
    says(&playground, &format!("factors fit data.csv -k 1 -o m {QUICK}"), 0, &[]);
    let whole = std::fs::read(playground.path("m")).unwrap();
    playground.write("half", &whole[..whole.len() / 2]);
    let mut bent = whole;
    let middle = bent.len() / 2;
    bent[middle] ^= 1;
    playground.write("bent", bent);
    for model in ["half", "bent"] {
        says(&playground, &format!("factors summary {model}"), 3, &[model]);
    }
    let parse = playground.run("parse m village.conllu -o out.conllu");
    assert!(matches!(parse.code, 2 | 3), "{}", parse.stderr);
}

#[test]
fn tables_and_truths_of_something_else_are_refused() {
    let playground = Playground::new();
    playground.write("data.csv", table("z", &["a", "a", "b", "b", "a", ""]));
    says(&playground, &format!("factors fit data.csv -k 1 -o m {QUICK}"), 0, &[]);
    playground.write("other.csv", "p,q\n1,2\n").write("none.csv", "x,n,z\n").write("text", "goats");
    let words = ["none of the model's columns (x, n, z)", "header"];
    says(&playground, "factors predict m other.csv -o out.csv", 2, &words);
    says(&playground, "factors predict m none.csv -o out.csv", 0, &["0 cells of 0 rows"]);
    says(&playground, "factors predict m nowhere.csv -o out.csv", 3, &["nowhere.csv"]);
    says(&playground, "factors plot m -o page.html --truth text", 2, &["text", "factors simulate --truth"]);
    says(&playground, "factors plot m -o page.html --truth nowhere", 3, &["nowhere"]);
    says(&playground, "factors plot m -o page.html --data other.csv", 0, &[]);
}

#[test]
fn a_checkpoint_of_another_table_is_refused() {
    let playground = Playground::new();
    playground.write("m.checkpoint", "no checkpoint");
    playground.write("data.csv", table("z", &["a", "a", "b", "b", "a", ""]));
    let fit = format!("factors fit data.csv -k 1 -o m {QUICK}");
    says(&playground, &fit, 2, &["m.checkpoint", "--resume"]);
    says(&playground, &format!("{fit} --resume"), 3, &["m.checkpoint"]);
}
