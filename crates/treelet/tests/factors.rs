//! `treelet factors`, with the real program: simulate, fit, summary, predict, plot, choose, resume.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod common;

use common::{Playground, Run, assert_well_formed};
use serde_json::Value;

const QUICK: &str = "--sweeps 60 --thin 2 --seed 3";

/// Runs a command that must succeed without a problem.
fn fine(playground: &Playground, arguments: &str) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

/// A table of all types with missing cells, its truth, and a model of it.
fn fitted() -> Playground {
    let playground = Playground::new();
    fine(
        &playground,
        "factors simulate --n 60 --p 10 -k 2 --all-types --missing 0.1 --seed 4 -o data.csv --truth truth.json",
    );
    fine(&playground, &format!("factors fit data.csv -k 2 -o m {QUICK} --types truth.json"));
    playground
}

fn bytes(playground: &Playground, name: &str) -> Vec<u8> {
    std::fs::read(playground.path(name)).unwrap()
}

/// The cells of a table without quotes.
fn cells(text: &str, delimiter: char) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(delimiter).map(String::from).collect()).collect()
}

fn length(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

#[test]
fn a_simulated_table_has_the_shape_and_the_types_that_were_asked_for() {
    let playground = fitted();
    let table = cells(&playground.read("data.csv"), ',');
    assert_eq!((table.len(), table[0].len()), (61, 10));
    let n_missing = table[1..].iter().flatten().filter(|cell| cell.is_empty()).count();
    assert!((30..100).contains(&n_missing), "{n_missing} of 600");
    let truth: Value = serde_json::from_str(&playground.read("truth.json")).unwrap();
    assert_eq!((length(&truth["weights"]), length(&truth["scores"])), (10, 60));
    let kinds = truth["columns"].as_object().unwrap().values();
    let kinds: Vec<&str> = kinds.map(|kind| kind.as_str().unwrap()).collect();
    for kind in ["count", "binary", "continuous", "ordinal(0-4)", "categorical(0-3)"] {
        assert_eq!(kinds.iter().filter(|k| **k == kind).count(), 2, "{kind}: {kinds:?}");
    }
    let twice = fine(&playground, "factors simulate --n 5 --p 6 -k 1 --seed 4 -o -").stdout;
    assert_eq!(twice, fine(&playground, "factors simulate --n 5 --p 6 -k 1 --seed 4 -o -").stdout);
    assert_ne!(twice, fine(&playground, "factors simulate --n 5 --p 6 -k 1 --seed 5 -o -").stdout);
}

#[test]
fn a_summary_tells_loadings_scores_correlations_and_columns() {
    let playground = fitted();
    let text = fine(&playground, "factors summary m --top 3").stdout;
    for words in ["60 rows, 10 columns, 2 factors", "Factor 2:", "loading", "and 11 more; --top 0", "R-hat"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("not 0"), "only the sparse prior makes zeros: {text}");
    let json = fine(&playground, "factors summary m --json").json();
    // Four levels have three utilities: 8 columns with one latent value, 2 with three.
    assert_eq!(
        (length(&json["columns"]), length(&json["latent"]), length(&json["correlations"])),
        (10, 14, 14)
    );
    assert_eq!((length(&json["scores"]), length(&json["scores"][0]["mean"])), (60, 2));
    assert_eq!(length(&json["latent"][0]["loadings"]), 2);
    let shares: f64 = json["factor_shares"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for row in 0..14 {
        assert!((json["correlations"][row][row].as_f64().unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(json["correlations"][row][0], json["correlations"][0][row]);
    }
    assert_eq!(
        fine(&playground, &format!("factors fit data.csv -k 2 -o n {QUICK} --types truth.json --json"))
            .json(),
        json
    );
    fine(&playground, "factors summary m --scores scores.csv --correlations correlations.csv");
    let scores = cells(&playground.read("scores.csv"), ',');
    assert_eq!(scores[0], ["row", "factor1", "sd1", "factor2", "sd2"]);
    assert_eq!((scores.len(), scores[1][0].as_str()), (61, "1"));
    let correlations = cells(&playground.read("correlations.csv"), ',');
    assert_eq!((correlations.len(), correlations[0].len()), (15, 15));
}

#[test]
fn a_run_that_is_too_short_to_be_judged_says_so() {
    let playground = fitted();
    let short =
        fine(&playground, "factors fit data.csv -k 2 -o n --types truth.json --sweeps 4 --thin 1 --chains 1");
    assert!(short.stderr.contains("too few draws"), "{}", short.stderr);
    assert!(fine(&playground, "factors summary n").stdout.contains("raise --sweeps"));
}

#[test]
fn a_sparse_model_says_how_often_a_loading_is_not_zero() {
    let playground = fitted();
    fine(&playground, &format!("factors fit data.csv -k 2 -o sparse {QUICK} --types truth.json --sparse"));
    let text = fine(&playground, "factors summary sparse").stdout;
    assert!(text.contains("not 0") && text.contains("dimension"), "{text}");
    fine(&playground, "factors plot sparse -o pictures");
    assert!(playground.path("pictures/dimensions.svg").exists());
}

#[test]
fn every_choice_of_model_can_be_fitted() {
    let playground = fitted();
    for choice in [
        "--link probit",
        "--identify triangular",
        "--tails 4",
        "--dispersions own",
        "--raw-scale",
        "--sparse --identify triangular --link probit --tails 3",
        "--chains 1",
    ] {
        fine(&playground, &format!("factors fit data.csv -k 2 -o n {QUICK} --types truth.json {choice}"));
        fine(&playground, "factors summary n");
        fine(&playground, "factors predict n data.csv -o filled.csv");
    }
}

#[test]
fn all_missing_cells_are_filled_and_all_others_stay() {
    let playground = fitted();
    let run = fine(&playground, "factors predict m data.csv -o filled.csv --cells cells.tsv");
    assert!(run.stderr.contains("rows of the fit"), "{}", run.stderr);
    let (before, after) =
        (cells(&playground.read("data.csv"), ','), cells(&playground.read("filled.csv"), ','));
    assert_eq!(before.len(), after.len());
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    let mut n_filled = 0;
    for (before, after) in pairs {
        assert!(!after.is_empty());
        match before.is_empty() {
            true => n_filled += 1,
            false => assert_eq!(before, after),
        }
    }
    let listed = cells(&playground.read("cells.tsv"), '\t');
    assert_eq!(listed[0], ["row", "column", "value", "mean", "low", "high", "probabilities"]);
    assert_eq!(listed.len() - 1, n_filled);
    for line in &listed[1..] {
        let number = |at: usize| line[at].parse::<f64>().unwrap();
        match line[1].starts_with("categorical") {
            true => assert_eq!(line[3..6], ["", "", ""]),
            false => assert!(number(4) <= number(5) && number(3).is_finite(), "{line:?}"),
        }
        let (row, column) = (line[0].parse::<usize>().unwrap(), &line[1]);
        let place = before[0].iter().position(|name| name == column).unwrap();
        assert!(before[row][place].is_empty() && after[row][place] == line[2], "{line:?}");
        let probabilities = line[6].split_whitespace().map(|p| p.rsplit_once(':').unwrap().1);
        let sum: f64 = probabilities.map(|p| p.parse::<f64>().unwrap()).sum();
        assert!(line[6].is_empty() || (sum - 1.0).abs() < 1e-3, "{line:?}");
    }
    // What was filled in has the type of its column, so the table can be fitted again.
    fine(&playground, &format!("factors fit filled.csv -k 2 -o again {QUICK} --types truth.json"));
    let tabs = fine(&playground, "factors predict m data.csv -o filled.tsv");
    assert_eq!(tabs.code, 0);
    assert_eq!(cells(&playground.read("filled.tsv"), '\t'), after);
}

#[test]
fn new_rows_missing_columns_and_unknown_columns_are_dealt_with() {
    let playground = fitted();
    let table = cells(&playground.read("data.csv"), ',');
    let join = |rows: Vec<Vec<String>>| rows.iter().map(|row| row.join(",") + "\n").collect::<String>();
    playground.write("new.csv", join(table[..4].to_vec()));
    let run = fine(&playground, "factors predict m new.csv -o filled.csv");
    assert!(run.stderr.contains("new rows"), "{}", run.stderr);
    assert_eq!(run.stdout, "");

    let without: Vec<Vec<String>> = table[..6].iter().map(|row| row[1..].to_vec()).collect();
    playground.write("without.csv", join(without));
    let run = playground.run("factors predict m without.csv -o filled.csv");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains(&format!("predicted and added: {}", table[0][0])), "{}", run.stderr);
    let filled = cells(&playground.read("filled.csv"), ',');
    assert_eq!(filled[0].last(), Some(&table[0][0]));
    assert!(filled.iter().flatten().all(|cell| !cell.is_empty()));

    let mut more = table[..6].to_vec();
    more.iter_mut().enumerate().for_each(|(at, row)| row.push(if at == 0 { "dialect" } else { "" }.into()));
    playground.write("more.csv", join(more));
    let run = playground.run("factors predict m more.csv -o filled.csv");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("left as they are: dialect"), "{}", run.stderr);
    assert!(cells(&playground.read("filled.csv"), ',')[1..].iter().all(|row| row[10].is_empty()));
}

#[test]
fn a_level_that_the_fit_has_not_seen_counts_as_missing_and_is_kept() {
    let playground = fitted();
    let mut table = cells(&playground.read("data.csv"), ',');
    table.truncate(5);
    let categorical = 4;
    table[2][categorical] = "Klingon".into();
    playground.write("new.csv", table.iter().map(|row| row.join(",") + "\n").collect::<String>());
    let run = playground.run("factors predict m new.csv -o filled.csv --cells cells.tsv");
    assert_eq!(run.code, 1, "{}", run.stderr);
    let warning = format!("column {}, row 2: \"Klingon\" does not fit", table[0][categorical]);
    assert!(run.stderr.contains(&warning), "{}", run.stderr);
    assert_eq!(cells(&playground.read("filled.csv"), ',')[2][categorical], "Klingon");
    assert!(playground.read("cells.tsv").contains(&format!("2\t{}\t", table[0][categorical])));
}

#[test]
fn pictures_are_a_page_or_a_folder_and_well_formed() {
    let playground = fitted();
    let run = fine(&playground, "factors plot m -o page.html --data data.csv --truth truth.json --top 8");
    let page = playground.read("page.html");
    assert_well_formed(&page);
    assert!(page.matches("<figure>").count() == 7 && run.stderr.contains("7 pictures"), "{}", run.stderr);
    assert_eq!(
        fine(&playground, "factors plot m -o - --data data.csv --truth truth.json --top 8").stdout,
        page
    );
    fine(&playground, "factors plot m -o pictures --data data.csv --truth truth.json");
    for name in [
        "loadings",
        "correlations",
        "raw-correlations",
        "true-correlations",
        "estimated-against-true",
        "trace",
        "autocorrelation",
    ] {
        let svg = playground.read(&format!("pictures/{name}.svg"));
        assert!(svg.starts_with("<svg"), "{name}");
        assert_well_formed(&svg);
    }
}

#[test]
fn names_with_signs_of_markup_do_not_break_pages() {
    let playground = Playground::new();
    let rows: String = (0..20).map(|i| format!("{}.5,{},{}\n", i % 7, i % 2, i % 5)).collect();
    playground.write("data.csv", format!("<b>&x,\"say \"\"no\"\"\",'\u{e9}\n{rows}"));
    fine(&playground, &format!("factors fit data.csv -k 1 -o m {QUICK}"));
    fine(&playground, "factors plot m -o page.html --data data.csv");
    let page = playground.read("page.html");
    assert_well_formed(&page);
    assert!(page.contains("&lt;b&gt;&amp;x") && !page.contains("<b>"));
}

#[test]
fn numbers_of_factors_are_compared_by_hidden_cells() {
    let playground = fitted();
    let choose = format!("factors choose data.csv -k 1,2 {QUICK} --types truth.json");
    let text = fine(&playground, &choose).stdout;
    assert!(text.contains("hidden cells") && text.contains("Best: "), "{text}");
    let json = fine(&playground, &format!("{choose} --loo --json --threads 1")).json();
    assert_eq!(length(&json["models"]), 2);
    assert!(json["hidden"].as_u64().unwrap() > 20 && json["models"][1]["loo"]["total"].is_number(), "{json}");
    assert_eq!(fine(&playground, &format!("{choose} --loo --json --threads 3")).json(), json);
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let playground = fitted();
    for threads in [1, 2, 4] {
        let more = format!("--types truth.json --threads {threads}");
        fine(
            &playground,
            &format!("factors fit data.csv -k 2 -o m{threads} --trace t{threads} {QUICK} {more}"),
        );
        fine(&playground, &format!("factors predict m data.csv -o f{threads} --threads {threads}"));
    }
    for name in ["m", "t", "f"] {
        for threads in [2, 4] {
            assert!(
                bytes(&playground, &format!("{name}1")) == bytes(&playground, &format!("{name}{threads}"))
            );
        }
    }
    assert!(bytes(&playground, "m") == bytes(&playground, "m1"));
    let other = QUICK.replace("--seed 3", "--seed 4");
    fine(&playground, &format!("factors fit data.csv -k 2 -o n {other} --types truth.json"));
    assert!(bytes(&playground, "m") != bytes(&playground, "n"));
    fine(&playground, "diagnose t1 -o run.html");
}

#[cfg(unix)]
#[test]
fn a_killed_or_interrupted_run_resumes_and_equals_the_straight_run() {
    let playground = fitted();
    let settings = "factors fit data.csv -k 2 --types truth.json --sweeps 600 --seed 3";
    fine(&playground, &format!("{settings} -o straight --trace straight.tsv"));
    let again = format!("{settings} -o m --trace m.tsv --checkpoint-every 0");
    for (signal, code) in [("-KILL", None), ("-INT", Some(3))] {
        std::fs::remove_file(playground.path("m")).unwrap();
        assert_eq!(common::end_midway(&playground, &again, signal).code(), code);
        assert!(!playground.path("m").exists());
        let refused = playground.run(&again);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("--resume"), "{}", refused.stderr);
        let other = playground.run(&format!("{again} --resume --seed 5"));
        assert_eq!(other.code, 2, "{}", other.stderr);
        let resumed = fine(&playground, &format!("{again} --resume"));
        assert!(resumed.stderr.contains("goes on after sweep"), "{}", resumed.stderr);
        assert!(bytes(&playground, "m") == bytes(&playground, "straight"));
        assert_eq!(playground.read("m.tsv"), playground.read("straight.tsv"));
        assert!(!playground.path("m.checkpoint").exists());
    }
}

/// Six columns that nobody could take for others.
fn village(delimiter: char) -> String {
    let mut text = "speaker,age,goats,fluent,opinion,order\n".to_owned();
    for i in 0..24_u32 {
        let order = ["SOV", "SVO", "VSO"][(i % 3) as usize];
        let fluent = ["no", "yes"][usize::from(i % 4 == 1)];
        let (age, goats, opinion) = (20 + i * 7 % 50, i * i % 13, 1 + i % 5);
        text += &format!("s{i},{age},{goats},{fluent},{opinion},{order}\n");
    }
    text.replace(',', &delimiter.to_string())
}

const TYPES: &str = "# what the columns are\nspeaker\tid\nage\tcontinuous\norder\tcategorical\n";

#[test]
fn files_of_types_are_json_or_lines_and_the_table_has_any_delimiter() {
    let playground = Playground::new();
    playground.write("types.tsv", TYPES);
    playground.write("types.json", r#"{"speaker": "id", "age": "continuous", "order": "categorical"}"#);
    let mut models = Vec::new();
    for (name, delimiter) in [("comma", ','), ("semicolon", ';'), ("tab", '\t')] {
        playground.write("data", village(delimiter));
        for types in ["types.tsv", "types.json"] {
            let run = fine(&playground, &format!("factors fit data -k 2 -o m {QUICK} --types {types}"));
            assert!(run.stderr.contains("names of rows") && run.stderr.contains("no, yes"), "{}", run.stderr);
            let json = fine(&playground, "factors summary m --json").json();
            models.push((json["columns"].clone(), json["latent"].clone(), json["scores"].clone()));
        }
        assert!(models.iter().all(|model| *model == models[0]), "{name}");
    }
    let (columns, _, scores) = &models[0];
    let kinds: Vec<&str> = columns.as_array().unwrap().iter().map(|c| c["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["id", "continuous", "count", "binary", "ordinal of 5", "categorical of 3"]);
    assert_eq!(scores[3]["row"], "s3");
    let piped = playground.run_with_input(
        &format!("factors fit - -k 2 -o piped {QUICK} --types types.json"),
        village(';').as_bytes(),
    );
    assert_eq!(piped.code, 0, "{}", piped.stderr);
}

#[test]
fn decimal_commas_are_read_and_written() {
    let playground = Playground::new();
    let rows: String = (0..20).map(|i| format!("{},{};{}\n", i, i % 10, i % 2)).collect();
    playground.write("data.csv", format!("x;y\n{rows};1\n"));
    fine(&playground, &format!("factors fit data.csv -k 1 -o m {QUICK}"));
    fine(&playground, "factors predict m data.csv -o filled.tsv");
    let filled = cells(&playground.read("filled.tsv"), '\t');
    assert!(filled[1][0] == "0,0" && filled[21][0].contains(','), "{:?} {:?}", filled[1], filled[21]);
}

#[test]
fn further_texts_can_mean_missing() {
    let playground = Playground::new();
    playground.write("types.tsv", TYPES);
    playground.write("data.csv", village(',').replace(",SVO", ",?").replace(",28,", ",-99,"));
    let fit = format!("factors fit data.csv -k 1 -o m {QUICK} --types types.tsv --missing ?,-99");
    assert!(fine(&playground, &fit).stderr.contains("categorical of 2"));
    fine(&playground, "factors predict m data.csv -o filled.csv --missing ?,-99");
    assert!(!playground.read("filled.csv").contains('?'));
}

#[test]
fn arrow_files_are_read() {
    use arrow_array::{ArrayRef, Float64Array, Int32Array, RecordBatch, StringArray};
    use std::sync::Arc;
    let n = 20;
    let numbers: ArrayRef =
        Arc::new(Float64Array::from_iter((0..n).map(|i| (i % 6 != 5).then(|| f64::from(i * i) / 7.0))));
    let counts: ArrayRef = Arc::new(Int32Array::from_iter_values((0..n).map(|i| i * 3 % 11)));
    let words: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..n).map(|i| ["no", "yes"][usize::from(i % 3 == 0)])));
    let batch = RecordBatch::try_from_iter([("x", numbers), ("n", counts), ("word", words)]).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let playground = Playground::new();
    playground.write("data.arrow", writer.into_inner().unwrap());
    let run = fine(&playground, &format!("factors fit data.arrow -k 1 -o m {QUICK}"));
    assert!(run.stderr.contains("20 rows, 3 columns"), "{}", run.stderr);
    fine(&playground, "factors predict m data.arrow -o filled.csv");
    let filled = cells(&playground.read("filled.csv"), ',');
    assert!(filled.len() == 21 && filled.iter().flatten().all(|cell| !cell.is_empty()));
}

#[test]
fn a_stack_mixes_predictions_and_shows_its_first_model() {
    let playground = fitted();
    let stack = format!("factors fit data.csv -k 2 --types truth.json {QUICK} --stack");
    let run = fine(&playground, &format!("{stack} -o s --threads 1"));
    assert!(run.stderr.contains("fit 1 of ") && run.stderr.contains("cells hidden"), "{}", run.stderr);
    fine(&playground, &format!("{stack} -o t --threads 3"));
    assert!(bytes(&playground, "s") == bytes(&playground, "t"));

    let text = fine(&playground, "factors summary s").stdout;
    assert!(text.contains("A stack of 2 models, of which the first is shown"), "{text}");
    let (alone, json) = (
        fine(&playground, "factors summary m --json").json(),
        fine(&playground, "factors summary s --json").json(),
    );
    assert!(alone["stack"].is_null());
    for part in ["latent", "scores", "correlations"] {
        assert_eq!(json[part], alone[part], "the first model is what there would be without --stack");
    }
    assert_eq!(json["stack"]["models"][1]["columns_as"], "numbers");
    assert_eq!(length(&json["stack"]["weights"]), 10);
    let truth: Value = serde_json::from_str(&playground.read("truth.json")).unwrap();
    for column in json["stack"]["weights"].as_array().unwrap() {
        let kind = truth["columns"][column["column"].as_str().unwrap()].as_str().unwrap();
        let has_means = !column["mean_weights"].is_null();
        assert_eq!(has_means, !kind.starts_with("categorical"), "{kind}: {column}");
        let weights = column["weights"].as_array().unwrap();
        assert!((weights.iter().map(|w| w.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-9, "{column}");
    }
    let plot = fine(&playground, "factors plot s -o page.html --data data.csv --truth truth.json");
    assert!(plot.stderr.contains("of which the first is shown"), "{}", plot.stderr);
    assert_well_formed(&playground.read("page.html"));

    let by_fit = fine(&playground, "factors predict s data.csv -o filled.csv --cells cells.tsv");
    assert!(by_fit.stderr.contains("rows of the fit"), "{}", by_fit.stderr);
    fine(&playground, "factors predict m data.csv -o alone.csv --cells alone.tsv");
    let (mixed, alone) =
        (cells(&playground.read("cells.tsv"), '\t'), cells(&playground.read("alone.tsv"), '\t'));
    assert!(mixed.len() == alone.len() && mixed != alone);
    for line in &mixed[1..] {
        let probabilities = line[6].split_whitespace().map(|p| p.rsplit_once(':').unwrap().1);
        let sum: f64 = probabilities.map(|p| p.parse::<f64>().unwrap()).sum();
        assert!(line[6].is_empty() || (sum - 1.0).abs() < 1e-3, "{line:?}");
    }
    let head: String = playground.read("data.csv").lines().take(6).map(|line| format!("{line}\n")).collect();
    playground.write("new.csv", head);
    assert!(fine(&playground, "factors predict s new.csv -o filled.csv").stderr.contains("new rows"));
}

#[test]
fn a_stack_may_have_several_numbers_of_factors() {
    let playground = fitted();
    let fit = format!("factors fit data.csv -k 2 -o s --types truth.json {QUICK}");
    fine(&playground, &format!("{fit} --stack=1,2"));
    let models = fine(&playground, "factors summary s --json").json()["stack"]["models"].clone();
    let factors: Vec<u64> =
        models.as_array().unwrap().iter().map(|model| model["factors"].as_u64().unwrap()).collect();
    assert_eq!(factors, [2, 2, 1, 1]);
    fine(&playground, "factors predict s data.csv -o filled.csv");
    for wrong in ["--stack=0", "--stack=40", "--stack=two"] {
        assert_eq!(playground.run(&format!("{fit} {wrong}")).code, 2, "{wrong}");
    }
}

#[cfg(unix)]
#[test]
fn a_stack_that_was_killed_between_its_fits_resumes_and_equals_the_straight_one() {
    let playground = fitted();
    let settings = "factors fit data.csv -k 2 --types truth.json --sweeps 100 --seed 3 --stack";
    fine(&playground, &format!("{settings} -o straight --trace straight.tsv"));
    std::fs::remove_file(playground.path("m")).unwrap();
    let again = format!("{settings} -o m --trace m.tsv");
    let saved = format!("{again} --checkpoint-every 0");
    common::end_once_there_is(&playground, "m.checkpoint.fits", &saved, "-KILL");
    assert!(!playground.path("m").exists());
    assert_eq!(playground.run(&again).code, 2, "what is left is never ignored");
    let other = playground.run(&format!("{again} --resume --seed 5"));
    assert_eq!(other.code, 2, "{}", other.stderr);
    fine(&playground, &format!("{again} --resume"));
    assert!(bytes(&playground, "m") == bytes(&playground, "straight"));
    assert_eq!(playground.read("m.tsv"), playground.read("straight.tsv"));
    assert!(!playground.path("m.checkpoint").exists() && !playground.path("m.checkpoint.fits").exists());
}
