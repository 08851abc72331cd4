//! Whether the first system differs from the others by more than chance.

use super::Scored;
use crate::options;
use crate::outcome::Usage;
use crate::table;
use ::score::Counts;
use ::score::significance::{Options, Outcome, paired_bootstrap, randomisation};
use serde_json::{Map, Value, json};

/// Two tests of one pair.
pub(super) struct Test {
    figure: &'static str,
    first: String,
    second: String,
    bootstrap: Outcome,
    randomisation: Outcome,
}

pub(super) fn compare(systems: &[(String, Scored)], options: &options::Score) -> anyhow::Result<Vec<Test>> {
    let [(first_name, first), others @ ..] = systems else { return Ok(Vec::new()) };
    if others.is_empty() {
        return Err(Usage("--significance compares systems; name two or more".into()).into());
    }
    let settings = Options { resamples: options.samples as usize, seed: options.seed };
    let (figure, counts) = &first.by_sentence;
    let f1 = |counts: Counts| 100.0 * counts.f1();
    let test = |(name, other): &(String, Scored)| -> anyhow::Result<Test> {
        Ok(Test {
            figure,
            first: first_name.clone(),
            second: name.clone(),
            bootstrap: paired_bootstrap(counts, &other.by_sentence.1, f1, settings)?,
            randomisation: randomisation(counts, &other.by_sentence.1, f1, settings)?,
        })
    };
    others.iter().map(test).collect()
}

pub(super) fn text(tests: &[Test]) -> String {
    let Some(first) = tests.first() else { return String::new() };
    let row = |test: &Test| {
        vec![
            format!("{} – {}", test.first, test.second),
            format!("{:+.2}", test.bootstrap.difference()),
            format!("{:.4}", test.bootstrap.p),
            format!("{:.4}", test.randomisation.p),
        ]
    };
    let rows: Vec<_> = tests.iter().map(row).collect();
    let headings =
        [&format!("difference in {}", first.figure), "points", "p (bootstrap)", "p (randomisation)"];
    let Options { resamples, seed } = first.bootstrap.options;
    format!(
        "\n{}{resamples} resamplings, seed {seed}; p is two-sided\n",
        table::render(&headings.map(|h| h as &str), &rows)
    )
}

/// All systems, and the tests if there are any.
pub(super) fn json(systems: &[(String, Scored)], tests: &[Test]) -> Value {
    let system = |(name, scored): &(String, Scored)| {
        let mut object = Map::from_iter([("name".to_string(), Value::from(name.as_str()))]);
        object.extend(scored.json.clone());
        Value::Object(object)
    };
    let test = |test: &Test| {
        json!({
            "figure": test.figure,
            "first": test.first,
            "second": test.second,
            "difference": test.bootstrap.difference(),
            "p_bootstrap": test.bootstrap.p,
            "p_randomisation": test.randomisation.p,
            "samples": test.bootstrap.options.resamples,
            "seed": test.bootstrap.options.seed,
        })
    };
    let mut top = Map::from_iter([("systems".to_string(), systems.iter().map(system).collect())]);
    if !tests.is_empty() {
        top.insert("significance".into(), tests.iter().map(test).collect());
    }
    Value::Object(top)
}
