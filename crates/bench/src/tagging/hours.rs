//! MasakhaPOS with as many annotated types or tokens as an annotator of Kinyarwanda made in an hour.

use anyhow::Context;
use chain::Workers;
use tag::pipeline::Supervision;

use super::Tagging;
use super::data::{self, Gold};
use super::system::{Results, mean, row};

/// Table 2.1 of Mielens (2016), Kinyarwanda: types and tokens after one to four hours.
const BUDGETS: [(usize, usize); 4] = [(801, 1093), (1814, 2093), (2539, 3176), (3682, 4119)];

pub(super) const LANGUAGES: [&str; 18] = [
    "bam", "bbj", "fon", "hau", "ibo", "kin", "luo", "mos", "nya", "pcm", "sna", "swa", "tsn", "twi", "wol",
    "xho", "yor", "zul",
];

pub(super) fn run(arguments: &Tagging, results: &mut Results, workers: &Workers) -> anyhow::Result<()> {
    let judged = arguments.judged();
    for &hours in &arguments.hours {
        let budget = match hours {
            0 => (usize::MAX, usize::MAX),
            _ => {
                *BUDGETS.get(hours - 1).context("there are budgets of 1 to 4 hours, and 0 for everything")?
            }
        };
        match hours {
            0 => println!("MasakhaPOS, {judged}: all types with all their tags, or all tokens"),
            _ => println!("MasakhaPOS, {judged}: {hours} h, {} types or {} tokens", budget.0, budget.1),
        }
        let names: Vec<&str> =
            arguments.systems().iter().map(|system| system.name()).chain(["udpipe"]).collect();
        println!("{:28} {}", "", names.join(" "));
        let mut columns: Vec<Vec<Option<f64>>> = vec![Vec::new(); names.len()];
        for language in LANGUAGES.into_iter().filter(|language| arguments.wants(language)) {
            let figures = language_row(language, judged, budget, arguments, results, workers)?;
            columns.iter_mut().zip(&figures).for_each(|(column, figure)| column.push(*figure));
            row(language, figures);
        }
        row("mean", columns.iter().map(|column| mean(column)));
    }
    Ok(())
}

fn language_row(
    language: &str,
    judged: &str,
    (n_types, n_tokens): (usize, usize),
    arguments: &Tagging,
    results: &mut Results,
    workers: &Workers,
) -> anyhow::Result<Vec<Option<f64>>> {
    let file = |part: &str| data::columns(&format!("data/pos/masakhapos/{language}/{part}.txt"));
    let (train, test): (Vec<Gold>, Vec<Gold>) = (file("train")?, file(judged)?);
    let dictionary = match n_types {
        usize::MAX => data::whole_dictionary(&train),
        _ => data::simulated_dictionary(&train, n_types),
    };
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw: data::words(&train) };
    let mut figures = Vec::new();
    for system in arguments.systems() {
        let task = format!("{language}-{judged}-{n_types}");
        figures.push(Some(results.of(&task, system, &supervision, &test, workers)?));
    }
    let task = format!("{language}-{judged}-{n_tokens}");
    let tokens = data::first_tokens(&train, n_tokens);
    figures.push(if arguments.alone { None } else { results.of_udpipe(&task, tokens, &test)? });
    Ok(figures)
}
