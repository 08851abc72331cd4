//! `treelet factors`, with the real program: simulate, fit, summary, predict, plot, choose, resume.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run, assert_well_formed};
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

/// The numbers of a table of the summary that follow the name of a latent value.
fn numbers_of(text: &str, factor: usize, name: &str) -> Vec<f64> {
    let part = text.split(&format!("Factor {factor}:")).nth(1).unwrap();
    let line = part.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    let words = line.split_whitespace().skip(1).filter(|word| *word != "%");
    words.map(|word| word.parse().unwrap()).collect()
}

#[test]
fn tables_files_and_json_of_a_summary_say_the_same() {
    let playground = fitted();
    fine(&playground, &format!("factors fit data.csv -k 2 -o sparse {QUICK} --types truth.json --sparse"));
    let files = "--scores scores.csv --correlations correlations.csv";
    for model in ["m", "sparse"] {
        let text = fine(&playground, &format!("factors summary {model} --top 0 {files}")).stdout;
        let json = fine(&playground, &format!("factors summary {model} --json")).json();
        let number = |value: &Value| value.as_f64().unwrap();
        for (at, latent) in json["latent"].as_array().unwrap().iter().enumerate() {
            let name = latent["name"].as_str().unwrap();
            for factor in 0..2 {
                let (loading, share) = (&latent["loadings"][factor], number(&latent["shares"][factor]));
                let found = numbers_of(&text, factor + 1, name);
                let mut known =
                    vec![number(&loading["mean"]), number(&loading["low"]), number(&loading["high"])];
                assert!(known[1] <= known[0] && known[0] <= known[2] || model == "sparse", "{latent}");
                known.push(100.0 * share);
                if model == "sparse" {
                    known.extend([number(&loading["not_zero"]), number(&latent["dimension"])]);
                }
                assert_eq!(found.len(), known.len());
                let off = [0.0051, 0.0051, 0.0051, 0.51, 0.0051, 0.051];
                let near = found.iter().zip(&known).zip(off).all(|((a, b), off)| (a - b).abs() < off);
                assert!(near, "{name} on factor {}: {found:?}, not {known:?}", factor + 1);
            }
            let correlations = cells(&playground.read("correlations.csv"), ',');
            assert_eq!((correlations[0][at + 1].as_str(), correlations[at + 1][0].as_str()), (name, name));
            for other in 0..14 {
                let written: f64 = correlations[at + 1][other + 1].parse().unwrap();
                assert!((written - number(&json["correlations"][at][other])).abs() < 1e-9);
            }
        }
        let scores = cells(&playground.read("scores.csv"), ',');
        for (row, known) in json["scores"].as_array().unwrap().iter().enumerate() {
            let found: Vec<f64> = scores[row + 1][1..].iter().map(|cell| cell.parse().unwrap()).collect();
            let known = [&known["mean"][0], &known["sd"][0], &known["mean"][1], &known["sd"][1]].map(number);
            assert!(
                found.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-9),
                "{row}: {found:?}, not {known:?}"
            );
        }
        let share = |factor: usize| text.split(&format!("Factor {}: ", factor + 1)).nth(1).unwrap();
        for (factor, known) in json["factor_shares"].as_array().unwrap().iter().enumerate() {
            let found: f64 = share(factor).split_whitespace().next().unwrap().parse().unwrap();
            assert!((found - 100.0 * number(known)).abs() < 0.051, "{found} {known}");
        }
        // Columns with several latent values name the level that each of them is about, from the second one on.
        let names: Vec<&str> = json["latent"]
            .as_array()
            .unwrap()
            .iter()
            .map(|latent| latent["name"].as_str().unwrap())
            .collect();
        let categories: Vec<&&str> = names.iter().filter(|name| name.starts_with("categorical")).collect();
        assert!(categories[0].ends_with("=1") && categories[2].ends_with("=3"), "{names:?}");
        assert!(names.iter().filter(|name| !name.starts_with("categorical")).all(|name| !name.contains('=')));
    }
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

/// Levels from 0 with their probabilities, as a line of the list of cells has them.
fn probabilities(line: &[String]) -> Vec<f64> {
    let parts = line[7].split_whitespace().map(|part| part.rsplit_once(':').unwrap());
    let found: Vec<(usize, f64)> =
        parts.map(|(level, p)| (level.parse().unwrap(), p.parse().unwrap())).collect();
    assert!(found.iter().enumerate().all(|(at, (level, _))| at == *level), "{line:?}");
    found.into_iter().map(|(_, p)| p).collect()
}

/// What a line of the list of cells says of its cell is of one piece.
fn is_sound(line: &[String]) {
    let number = |at: usize| line[at].parse::<f64>().unwrap();
    let p = probabilities(line);
    let [mean, median, low, high] = [3, 4, 5, 6];
    if line[1].starts_with("categorical") {
        assert_eq!(line[3..7], ["", "", "", ""]);
    } else {
        assert!(number(low) <= number(median) && number(median) <= number(high), "{line:?}");
    }
    if line[1].starts_with("continuous") {
        assert!(line[2] == line[mean] && number(mean).is_finite() && p.is_empty(), "{line:?}");
    } else if line[1].starts_with("count") {
        let counts = [2, median, low, high].map(|at| line[at].parse::<u32>());
        assert!(counts.iter().all(Result::is_ok) && line[2] == line[median], "{line:?}");
        assert!(line[mean].is_empty() && p.is_empty(), "{line:?}");
    } else {
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{line:?}");
        let most = p.iter().copied().fold(0.0, f64::max);
        assert!(
            p[line[2].parse::<usize>().unwrap()] >= most,
            "the value is the most probable level: {line:?}"
        );
    }
    if line[1].starts_with("ordinal") || line[1].starts_with("binary") {
        for (at, share) in [(low, 0.05), (median, 0.5), (high, 0.95)] {
            let level: usize = line[at].parse().unwrap();
            let (below, upto) = (p[..level].iter().sum::<f64>(), p[..=level].iter().sum::<f64>());
            assert!(below < share + 1e-3 && upto > share - 1e-3, "{share}: {line:?}");
        }
        assert!((0.0..=(p.len() - 1) as f64).contains(&number(mean)), "{line:?}");
    }
}

#[test]
fn cells_are_filled_in_their_places_also_behind_columns_that_are_not_modelled() {
    let playground = fitted();
    fine(&playground, "factors predict m data.csv -o filled.csv");
    let with_names = |name: &str| -> String {
        let text = playground.read(name);
        let rows = text.lines().enumerate().map(|(at, row)| match at {
            0 => format!("name,{row}\n"),
            _ => format!("row {at},{row}\n"),
        });
        rows.collect()
    };
    playground.write("named.csv", with_names("data.csv"));
    let run = playground.run("factors predict m named.csv -o named-filled.csv");
    assert!(run.stderr.contains("columns that the model does not know"), "{}", run.stderr);
    assert_eq!(playground.read("named-filled.csv"), with_names("filled.csv"));
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
    assert_eq!(listed[0], ["row", "column", "value", "mean", "median", "low", "high", "probabilities"]);
    assert_eq!(listed.len() - 1, n_filled);
    for line in &listed[1..] {
        is_sound(line);
        let (row, column) = (line[0].parse::<usize>().unwrap(), &line[1]);
        let place = before[0].iter().position(|name| name == column).unwrap();
        assert!(before[row][place].is_empty() && after[row][place] == line[2], "{line:?}");
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
fn a_mean_of_levels_is_that_of_their_probabilities_unless_it_is_of_a_stack() {
    let playground = fitted();
    fine(&playground, "factors predict m data.csv -o filled.csv --cells cells.tsv");
    let listed = cells(&playground.read("cells.tsv"), '\t');
    let levels =
        listed[1..].iter().filter(|line| line[1].starts_with("ordinal") || line[1].starts_with("binary"));
    for line in levels {
        let mean: f64 = probabilities(line).iter().enumerate().map(|(level, p)| level as f64 * p).sum();
        assert!((line[3].parse::<f64>().unwrap() - mean).abs() < 1e-3, "{line:?}");
    }
}

/// The program must be able to read what it has written, however far a new row is from all others.
#[test]
fn rows_far_from_all_others_leave_a_table_that_can_be_read_again() {
    let playground = fitted();
    let table = cells(&playground.read("data.csv"), ',');
    let names = &table[0];
    let mut rows = vec![names.clone()];
    for away in ["150", "-150", "1000", "1e6", "-1e6", "1e300"] {
        for kinds in
            [&["continuous"][..], &["count"], &["continuous", "ordinal"], &["continuous", "categorical"]]
        {
            let is_given = |name: &String| kinds.iter().any(|kind| name.starts_with(kind));
            let cell = |name: &String| match name {
                name if !is_given(name) => "",
                name if name.starts_with("continuous") => away,
                name if name.starts_with("count") => "4000000000",
                _ => "0",
            };
            rows.push(names.iter().map(|name| cell(name).to_owned()).collect());
        }
    }
    playground.write("far.csv", rows.iter().map(|row| row.join(",") + "\n").collect::<String>());
    for options in ["", "--link probit --tails 1", "--stack"] {
        fine(&playground, &format!("factors fit data.csv -k 2 -o n {QUICK} --types truth.json {options}"));
        fine(&playground, "factors predict n far.csv -o filled.csv --cells cells.tsv");
        cells(&playground.read("cells.tsv"), '\t')[1..].iter().for_each(|line| is_sound(line));
        let filled = cells(&playground.read("filled.csv"), ',');
        assert!(filled.iter().flatten().all(|cell| !cell.is_empty() && cell.len() < 26), "{filled:?}");
        let again = fine(&playground, "factors predict n filled.csv -o again.csv");
        assert!(again.stderr.contains("0 cells of 24 rows"), "{}", again.stderr);
        assert_eq!(playground.read("again.csv"), playground.read("filled.csv"));
    }
}

/// Few rows say little about a count, so that a mean would hang on single draws; a median does not hang on the seed.
#[test]
fn a_filled_in_count_is_a_median_that_hardly_depends_on_the_seed() {
    let playground = Playground::new();
    let rows = [
        "3,1.5,0", "0,-0.2,1", "12,2.0,0", "1,0.3,1", "0,-1.0,1", "40,2.2,0", ",6.0,0", "2,0.1,1", "5,1.0,0",
    ];
    playground.write("data.csv", format!("goats,x,yes\n{}\n", rows.join("\n")));
    playground.write("types.tsv", "goats\tcount\nx\tcontinuous\n");
    let mut found = Vec::new();
    for seed in 0..6 {
        fine(
            &playground,
            &format!("factors fit data.csv -k 1 -o m --types types.tsv --sweeps 800 --seed {seed}"),
        );
        fine(&playground, "factors predict m data.csv -o filled.csv --cells cells.tsv");
        let line = cells(&playground.read("cells.tsv"), '\t').remove(1);
        is_sound(&line.iter().map(|cell| cell.replace("goats", "count")).collect::<Vec<_>>());
        assert_eq!(cells(&playground.read("filled.csv"), ',')[7][0], line[2]);
        found.push(line[2].parse::<f64>().unwrap());
    }
    let (least, most) = found.iter().fold((f64::MAX, 0.0), |(a, b): (f64, f64), &x| (a.min(x), b.max(x)));
    assert!(most <= 2.5 * least, "{found:?}");
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
    // The table says what the JSON says, and the best has the highest score.
    let text = fine(&playground, &format!("{choose} --loo")).stdout;
    let lines: Vec<Vec<f64>> = text
        .lines()
        .filter(|line| line.starts_with(['1', '2']))
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    let number = |value: &Value| value.as_f64().unwrap();
    for (line, model) in lines.iter().zip(json["models"].as_array().unwrap()) {
        let held_out = &model["held_out"];
        let per_cell = |name: &str| number(&held_out[name]) / number(&held_out["cells"]);
        assert!((per_cell("total") - number(&model["mean"])).abs() < 1e-12, "{model}");
        let known = [number(&model["factors"]), per_cell("total"), per_cell("se")];
        assert!(line.iter().zip(known).all(|(a, b)| (a - b).abs() < 5.1e-5), "{line:?}, not {known:?}");
        for (at, name) in [(3, "waic"), (6, "loo")] {
            let known = ["total", "se", "doubtful"].map(|part| number(&model[name][part]));
            assert!(
                line[at..at + 3].iter().zip(known).all(|(a, b)| (a - b).abs() < 0.051),
                "{name} {line:?}"
            );
        }
        assert_ne!(model["waic"]["total"], model["loo"]["total"]);
        assert_eq!(held_out["cells"], json["hidden"]);
    }
    let better = if lines[0][1] > lines[1][1] { 1 } else { 2 };
    assert!(text.contains(&format!("Best: {better}.")) && json["best"] == better, "{text}");
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
        assert_eq!(crate::common::end_midway(&playground, &again, signal).code(), code);
        let resumed = crate::common::resumed(&playground, &again);
        assert!(resumed.stderr.contains("goes on after sweep"), "{}", resumed.stderr);
        assert_eq!(playground.read("m.tsv"), playground.read("straight.tsv"));
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
    let playground = Playground::new();
    let survey = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/arrow/survey.arrow");
    playground.write("data.arrow", std::fs::read(survey).unwrap());
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
    mixed[1..].iter().for_each(|line| is_sound(line));
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
    crate::common::end_once_there_is(&playground, "m.checkpoint.fits", &saved, "-KILL");
    assert!(!playground.path("m").exists());
    assert_eq!(playground.run(&again).code, 2, "what is left is never ignored");
    let other = playground.run(&format!("{again} --resume --seed 5"));
    assert_eq!(other.code, 2, "{}", other.stderr);
    fine(&playground, &format!("{again} --resume"));
    assert!(bytes(&playground, "m") == bytes(&playground, "straight"));
    assert_eq!(playground.read("m.tsv"), playground.read("straight.tsv"));
    assert!(!playground.path("m.checkpoint").exists() && !playground.path("m.checkpoint.fits").exists());
}
