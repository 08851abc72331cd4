//! `treelet diagnose`: traces, models and gold trees become figures.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, assert_well_formed, with_demo};
use chain::observe::Trace;
use chain::{Start, Workers, diagnose};
use constituency::sampler::AnnotatedTrees;
use constituency::{TrainOptions, Training};
use expect_test::{Expect, expect};
use serde_json::Value;
use std::fmt::Write;
use testkit::noise::congruential;
use tree::{Text, Tree};

/// A trace of some chains with one column, of which the first sweeps are thrown away.
fn trace(column: &str, burn_in: usize, chains: &[Vec<f64>]) -> String {
    let mut text = format!("# made by a test\nchain\tsweep\tkept\t{column}\n");
    for at in 0..chains.iter().map(Vec::len).max().unwrap_or(0) {
        for (chain, values) in chains.iter().enumerate().filter(|(_, values)| at < values.len()) {
            let kept = u8::from(at >= burn_in);
            writeln!(text, "{chain}\t{}\t{kept}\t{}", at + 1, values[at]).unwrap();
        }
    }
    text
}

fn three_chains() -> [Vec<f64>; 3] {
    [congruential(1, 100, 0.7, 0.0), congruential(2, 100, 0.7, 0.1), congruential(3, 100, 0.7, -0.2)]
}

/// The figures of the only column of a trace.
fn figures(text: &str) -> Value {
    let playground = Playground::new();
    let run = playground.write("t.tsv", text).run("diagnose t.tsv --json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["columns"][0].clone()
}

fn verdict(burn_in: usize, chains: &[Vec<f64>]) -> String {
    figures(&trace("x", burn_in, chains))["verdict"].as_str().unwrap().to_owned()
}

fn close(found: &Value, known: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - known).abs() <= 1e-10 * known.abs(), "{found} is not {known}");
}

/// Numbers of a plain transcription of the published formulas into another language.
#[test]
fn figures_agree_with_an_independent_implementation() {
    let figures = figures(&trace("log_likelihood", 0, &three_chains()));
    close(&figures["split_rhat"], 1.078816477587626);
    close(&figures["rhat"], 1.0773920334354248);
    close(&figures["ess_bulk"], 51.0430375355341);
    close(&figures["ess_tail"], 72.20531852478474);
    assert_eq!(figures["verdict"], "run longer: R-hat 1.077 > 1.01, ESS 51 < 300");
    assert_eq!(figures["status"], "run-longer");
}

#[test]
fn what_chains_that_are_far_apart_mean_is_said_wherever_they_are() {
    let playground = Playground::new();
    let chains = [congruential(1, 400, 0.3, 0.0), congruential(2, 400, 0.3, 3.0)];
    playground.write("apart.tsv", trace("x", 50, &chains)).write("close.tsv", trace("x", 0, &three_chains()));
    // Apart as well, but still on their way.
    let climbing =
        chains.clone().map(|chain| chain.iter().zip(0..).map(|(x, at)| x + 0.02 * f64::from(at)).collect());
    playground.write("climbing.tsv", trace("x", 50, &climbing));
    let meaning = "members of an ensemble";
    for (file, is_said) in [("apart.tsv", true), ("climbing.tsv", true), ("close.tsv", false)] {
        let run = playground.run(&format!("diagnose {file} -o page.html"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stdout.contains(meaning), is_said, "{}", run.stdout);
        assert_eq!(playground.read("page.html").contains(meaning), is_said);
    }
    let apart = figures(&trace("x", 50, &chains));
    assert_eq!(apart["status"], "differ");
    let own = chains.iter().map(|chain| diagnose::summarise(&[&chain[50..]]).unwrap().rhat.unwrap());
    close(&apart["rhat_within"], own.fold(0.0, f64::max));
}

#[test]
fn burn_in_is_left_out_of_the_figures() {
    let chains = three_chains();
    let kept: Vec<&[f64]> = chains.iter().map(|chain| &chain[30..]).collect();
    let known = diagnose::summarise(&kept).unwrap();
    let figures = figures(&trace("x", 30, &chains));
    close(&figures["mean"], known.mean);
    close(&figures["sd"], known.sd);
    close(&figures["mcse"], known.mcse.unwrap());
    close(&figures["q5"], known.quantiles[0]);
    close(&figures["rhat"], known.rhat.unwrap());
    close(&figures["ess_bulk"], known.ess_bulk.unwrap());
    close(&figures["ess_tail"], known.ess_tail.unwrap());
    let second = &figures["chains"][1];
    close(&second["mean"], diagnose::summarise(&[kept[1]]).unwrap().mean);
    let acf = diagnose::autocorrelation(kept[1], 40).unwrap();
    let shown = second["autocorrelation"].as_array().unwrap();
    assert_eq!(shown.len(), acf.len());
    shown.iter().zip(&acf).for_each(|(found, known)| close(found, *known));
}

#[test]
fn every_kind_of_chain_has_its_verdict() {
    let long = |seed| congruential(seed, 2000, 0.0, 0.0);
    assert_eq!(verdict(0, &[long(1), long(2)]), "chains agree");
    let alone = "the halves of the chain agree; run several chains to be sure";
    assert_eq!(verdict(0, &[long(1)]), alone);
    assert_eq!(verdict(5, &[vec![7.0; 30], vec![7.0; 30]]), "constant: it was not sampled");
    let stuck = "run longer: each chain stays at a value of its own";
    assert_eq!(verdict(5, &[vec![7.0; 30], vec![8.0; 30]]), stuck);
    // Two chains that have settled, each elsewhere, and the same with one that still climbs.
    let far = verdict(0, &[long(1), congruential(2, 2000, 0.0, 2.0)]);
    assert!(far.starts_with("chains differ: R-hat ") && far.ends_with("at most 1.00; an ensemble"), "{far}");
    let climbing: Vec<f64> =
        congruential(2, 2000, 0.0, 2.0).iter().zip(0..).map(|(x, at)| x + 0.005 * f64::from(at)).collect();
    assert!(verdict(0, &[long(1), climbing]).starts_with("run longer: R-hat "));
    let short = "too short to judge: 1 kept sweep in the shortest chain, 8 are the least";
    assert_eq!(verdict(0, &[vec![7.0]]), short);
    assert_eq!(verdict(29, &[congruential(1, 30, 0.0, 0.0), congruential(2, 40, 0.0, 0.0)]), short);
    assert_eq!(verdict(30, &[congruential(1, 30, 0.0, 0.0)]), "nothing to judge: no sweep was kept");
    let mut broken = congruential(1, 30, 0.0, 0.0);
    (broken[12], broken[3], broken[4]) = (f64::NAN, f64::NAN, f64::NEG_INFINITY);
    let not_finite = "cannot be judged: 2 of 26 kept values are NaN or infinite";
    assert_eq!(verdict(4, &[broken]), not_finite);
}

#[test]
fn the_table_says_what_to_do() {
    let playground = Playground::new();
    let run = playground.write("t.tsv", trace("x", 30, &three_chains())).run("diagnose t.tsv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    expect![[r#"
        column     mean      sd    MCSE  R-hat  bulk ESS  tail ESS
        ------  -------  ------  ------  -----  --------  --------
        x       -0.0212  0.4363  0.0658  1.069        44        73

        x: run longer: R-hat 1.069 > 1.01, ESS 44 < 300
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn unknown_columns_and_several_files_are_shown() {
    let playground = Playground::new();
    playground.write("a.tsv", "chain\tsweep\tkept\tgoats\n0\t1\t0\t3\n0\t3\t1\t4\n0\t5\t1\t5\n");
    playground.write("b.csv", "sweep,chain,kept,cows,goats\r\n1,7,1,NaN,2\r\n\r\n2,7,1,1e3,1");
    let json = playground.run("diagnose a.tsv b.csv --json").json();
    let names: Vec<&str> =
        json["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["goats", "cows"]);
    assert_eq!(json["columns"][0]["mean"], 3.0);
    assert_eq!(json["chains"][0]["burn_in"], 1, "one sweep out of two is kept");
    assert_eq!(json["chains"][1]["name"], "run 2, chain 7");
    assert_eq!(json["chains"][1]["file"], "b.csv");
    assert_eq!(json["columns"][1]["chains"].as_array().unwrap().len(), 1);
}

#[test]
fn pages_are_whole_whatever_the_trace_is_like() {
    let mut broken = congruential(5, 60, 0.5, 0.0);
    (broken[40], broken[41]) = (f64::NAN, f64::INFINITY);
    let many: Vec<Vec<f64>> = (1..12).map(|seed| congruential(seed, 20, 0.5, 0.0)).collect();
    let traces = [
        trace("log_likelihood", 20, &three_chains()),
        trace("<b>&\"x\"", 0, &three_chains()[..1]),
        trace("x", 0, &[vec![1.0]]),
        trace("x", 30, &[vec![1.0; 60], vec![1.0; 60]]),
        trace("x", 30, &[broken]),
        trace("x", 5, &many),
        trace("x", 0, &[]),
        "chain\tsweep\tkept\n0\t1\t1\n".to_owned(),
        "# nothing yet\n".to_owned(),
        String::new(),
    ];
    let playground = Playground::new();
    for text in traces {
        playground.write("t.tsv", &text);
        let run = playground.run("diagnose t.tsv -o page.html");
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.ends_with("page.html: written\n"), "{}", run.stderr);
        assert_well_formed(&playground.read("page.html"));
        assert_eq!(playground.run("diagnose t.tsv -o -").stdout, playground.read("page.html"));
    }
}

#[test]
fn the_page_shows_each_column_that_varies() {
    let playground = Playground::new();
    let mut text = trace("log_likelihood\tconcentration_rules", 20, &[]);
    for (at, value) in congruential(9, 60, 0.5, -100.0).iter().enumerate() {
        writeln!(text, "0\t{}\t{}\t{value}\t5", at + 1, u8::from(at >= 20)).unwrap();
    }
    playground.write("t.tsv", text).run("diagnose t.tsv -o page.html");
    let page = playground.read("page.html");
    for part in ["Trace of log likelihood</h2>", "end of burn-in", "Autocorrelation", "Values of kept sweeps"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("constant: it was not sampled"));
    assert!(!page.contains("Trace of concentration rules</h2>"), "a constant needs no chart");
}

fn check_bad(text: &str, expected: Expect) {
    let playground = Playground::new();
    let run = playground.write("t.tsv", text).run("diagnose t.tsv -o page.html --message-format short");
    let written = playground.path("page.html").exists();
    expected.assert_eq(&format!("code {}, page {written}\n{}", run.code, run.stderr));
}

#[test]
fn what_is_no_trace_is_refused() {
    check_bad(
        "(S (NP dogs) (VP bark))\n",
        expect![[r#"
        code 1, page false
        t.tsv:1: error[no-trace]: the first line names no column `chain`; a trace begins with the names chain, sweep and kept, then those of the numbers, separated by tabs; `treelet train … --trace FILE` writes it
    "#]],
    );
    check_bad(
        "chain\tsweep\tx\n0\t1\t5\n",
        expect![[r#"
        code 1, page false
        t.tsv:1: error[no-trace]: the first line names no column `kept`; a trace begins with the names chain, sweep and kept, then those of the numbers, separated by tabs; `treelet train … --trace FILE` writes it
    "#]],
    );
    check_bad(
        "chain\tsweep\tkept\tx\tx\n0\t1\t1\t5\t6\n",
        expect![[r#"
        code 1, page false
        t.tsv:1:20: error[duplicate-column]: a second column is called `x`; give each its own name
    "#]],
    );
}

#[test]
fn bad_lines_are_named_and_left_out() {
    let header = "chain\tsweep\tkept\tx\n0\t1\t1\t0.5\n";
    check_bad(
        &format!(
            "{header}0\t2\t1\n-1\t2\t1\t3\n0\t2.5\t1\t3\n0\t2\tyes\t3\n0\t2\t1\tNA\n0\t1\t1\t3\n0\t2\t1\t\n"
        ),
        expect![[r#"
            code 1, page true
            t.tsv:3: error[column-count]: 3 columns, but the first line names 4; the line was left out; was the file cut off?
            t.tsv:4:1: error[unreadable-value]: `-1` is no chain; chains are numbered 0, 1, 2, …; the line was left out
            t.tsv:5:3: error[unreadable-value]: `2.5` is no sweep; sweeps are numbered 1, 2, 3, …; the line was left out
            t.tsv:6:5: error[unreadable-value]: `yes` does not say whether the sweep is kept; write 1 if it is, 0 if not; the line was left out
            t.tsv:7:7: error[unreadable-value]: `NA` is no number; give one, or NaN where there is none; the line was left out
            t.tsv:8:3: error[sweep-order]: sweep 1 of chain 0 comes after sweep 1; the line was left out; give each run its own file
            t.tsv:9:7: error[unreadable-value]: `` is no number; give one, or NaN where there is none; the line was left out
            page.html: written
        "#]],
    );
    let playground = Playground::new();
    let run = playground.write("t.tsv", format!("{header}0\t2\t1\tNA\n")).run("diagnose t.tsv --json");
    assert_eq!((run.code, run.json()["chains"][0]["sweeps"].as_u64()), (1, Some(1)));
    expect![[r#"
        error[unreadable-value]: `NA` is no number
         --> t.tsv:3:7
          |
        3 | 0 2 1 NA
          |       ^^
          |
          = help: give one, or NaN where there is none; the line was left out

    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn wrong_usage_and_missing_files_have_their_exit_codes() {
    let playground = with_demo();
    playground.write("t.tsv", trace("x", 0, &three_chains()));
    let code = |arguments: &str| {
        let run = playground.run(arguments);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run.code
    };
    assert_eq!(code("diagnose"), 2);
    assert_eq!(code("diagnose - -"), 2);
    assert_eq!(code("diagnose t.tsv --gold village.mrg"), 2);
    assert_eq!(code("diagnose t.tsv --json -o -"), 2);
    assert_eq!(code("diagnose t.tsv -o t.tsv"), 2);
    assert_eq!(code("diagnose t.tsv --model -"), 2);
    assert_eq!(code("diagnose nothing.tsv"), 3);
    assert_eq!(code("diagnose t.tsv --model nothing.treelet"), 3);
    assert_eq!(code("diagnose t.tsv --model village.mrg"), 3);
    assert_eq!(code("diagnose t.tsv -o nowhere/page.html"), 3);
    assert_eq!(playground.read("t.tsv"), trace("x", 0, &three_chains()));
}

#[test]
fn traces_are_read_from_pipes() {
    let playground = Playground::new();
    let text = trace("x", 0, &three_chains());
    let piped = playground.run_with_input("diagnose - --json", text.as_bytes()).json();
    close(&piped["columns"][0]["rhat"], 1.0773920334354248);
    assert_eq!(piped["traces"][0], "<stdin>");
}

fn village() -> Vec<Tree<Text>> {
    let text = std::fs::read_to_string(crate::common::demo("village.mrg")).unwrap();
    let mut reader = formats::brackets::BracketReader::new(text.as_bytes());
    let mut trees = Vec::new();
    while let Some(read) = reader.read_tree().unwrap() {
        trees.extend(read.value.tree);
    }
    trees
}

/// A playground with a model, its trace, and the trees that it was trained on.
fn trained() -> Playground {
    let options = TrainOptions {
        annotations: 2,
        occurrences_per_annotation: 2.0,
        stage_sweeps: 3,
        burn_in: 5,
        samples: 12,
        chains: 2,
        hyper: Some(Default::default()),
        ..TrainOptions::default()
    };
    let workers = Workers::serial();
    let (training, unusable) = Training::new(&village(), &[], &[], options, &workers).unwrap();
    assert!(unusable.is_empty());
    let read = |state: &AnnotatedTrees| vec![state.ln_likelihood, state.concentrations.rules];
    let mut trace = Trace::new("trace", &["log_likelihood", "concentration_rules"], read);
    let trained = training.run(Start::Fresh, &mut trace, &workers).unwrap();
    let playground = with_demo();
    training.model(trained.chains, Default::default()).write(&playground.path("m.treelet")).unwrap();
    let mut text = Vec::new();
    trace.write_tsv(&mut text).unwrap();
    playground.write("t.tsv", text);
    playground
}

/// The numbers under `key` of each object of a list.
fn numbers(list: &Value, key: &str) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|object| object[key].as_f64().unwrap()).collect()
}

#[test]
fn a_trained_model_is_diagnosed_with_its_trace_and_gold_trees() {
    let playground = trained();
    let run =
        playground.run("diagnose t.tsv --model m.treelet --gold village.mrg --draws 9 -o page.html --json");
    assert_eq!((run.code, run.stderr.as_str()), (0, "page.html: written\n"));
    let json = run.json();
    assert_eq!(json["chains"][1]["kept"], 12);
    assert_eq!(json["chains"][1]["burn_in"], 8, "three sweeps of the start and five of burn-in");
    // Whole trees leave only annotations open, so every chain counts the labels of the treebank.
    let trees = village();
    for chain in json["model"]["chains"].as_array().unwrap() {
        assert_eq!(chain["samples"], 12);
        let counts = numbers(&chain["rules"], "count");
        assert!(counts.is_sorted_by(|a, b| a >= b) && counts[0] > 0.0);
        for usage in chain["labels"].as_array().unwrap() {
            let label = usage["label"].as_str().unwrap();
            let nodes = trees.iter().flat_map(|tree| tree.nodes());
            let n_nodes = nodes.filter(|node| !node.is_word() && node.label == label).count();
            let counts: Vec<f64> =
                usage["counts"].as_array().unwrap().iter().map(|count| count.as_f64().unwrap()).collect();
            assert!(
                (counts.iter().sum::<f64>() - n_nodes as f64).abs() < 1e-9,
                "{label} {counts:?} {n_nodes}"
            );
            let effective = usage["effective"].as_f64().unwrap();
            assert!((1.0 - 1e-9..=counts.len() as f64 + 1e-9).contains(&effective), "{label} {effective}");
        }
    }
    let page = playground.read("page.html");
    assert_well_formed(&page);
    for heading in ["Chosen rules", "Annotations of labels", "F1 of drawn trees", "F1 by sentence"] {
        assert!(page.contains(heading), "{heading}");
    }
}

#[test]
fn scores_are_those_of_parsing_and_scoring_whatever_the_threads() {
    let playground = trained();
    let diagnose = "diagnose t.tsv --model m.treelet --gold village.mrg --draws 9 --json --seed 5";
    let json = playground.run(&format!("{diagnose} --threads 1")).json();
    assert_eq!(json, playground.run(&format!("{diagnose} --threads 2")).json());
    let scores = &json["scores"];
    assert_eq!((scores["sentences"].as_u64(), scores["draws"].as_u64()), (Some(7), Some(9)));
    playground.write("words.txt", {
        let line = |tree: &Tree<Text>| tree.words().map(Text::as_str).collect::<Vec<_>>().join(" ") + "\n";
        village().iter().map(line).collect::<String>()
    });
    for decoder in ["mbr", "max-rule", "viterbi"] {
        playground.run(&format!("parse m.treelet words.txt -o out.mrg --decode {decoder}"));
        let scored = playground.run("score village.mrg out.mrg --gold-punct --json").json();
        close(&scores["decoders"][decoder]["f1"], scored["all"]["strict_f1"].as_f64().unwrap());
    }
    for chain in scores["chains"].as_array().unwrap() {
        let draws = chain["draws"].as_array().unwrap();
        assert_eq!(draws.len(), 9);
        assert!(draws.iter().all(|f1| (0.0..=100.0).contains(&f1.as_f64().unwrap())));
        assert!(draws.iter().any(|f1| f1 != &draws[0]), "draws differ");
    }
    let fewer = playground.run(&format!("{diagnose} --limit 3")).json();
    assert_eq!(fewer["scores"]["sentences"], 3);
}

#[test]
fn gold_without_trees_is_an_error_and_bad_gold_trees_are_left_out() {
    let playground = trained();
    playground.write("none.mrg", "\n");
    let run = playground.run("diagnose t.tsv --model m.treelet --gold none.mrg -o page.html");
    assert_eq!((run.code, playground.path("page.html").exists()), (1, false));
    assert!(run.stderr.contains("none.mrg has no trees"), "{}", run.stderr);
    let whole = playground.read("village.mrg");
    playground.write("bad.mrg", format!("{whole}(S (NP x)\n"));
    let run = playground.run("diagnose t.tsv --model m.treelet --gold bad.mrg --draws 2 --json");
    assert_eq!((run.code, run.json()["scores"]["sentences"].as_u64()), (1, Some(7)));
    assert!(run.stderr.contains("unbalanced-bracket"), "{}", run.stderr);
}

#[test]
fn a_model_in_place_of_a_trace_is_told_from_it() {
    let playground = trained();
    let run = playground.run("diagnose m.treelet");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("give a model with --model"), "{}", run.stderr);
    playground.write("one.tsv", trace("x", 0, &three_chains()));
    let run = playground.run("diagnose one.tsv --model m.treelet");
    assert!(run.stderr.contains("the model has 2 chains, but the trace 3 chains"), "{}", run.stderr);
}
