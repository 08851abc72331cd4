//! Low-resource treebanks, beside UDPipe.

use chain::Workers;

use super::udpipe::{Udpipe, UdpipeScore};
use super::{Dependency, data, measure};
use crate::accuracy::mean_sd;

/// Treebanks with fewer than 1,500 training sentences, of languages of which there is little else. They were chosen by their
/// sizes; the parser's settings were chosen on English, Wolof and North Sámi.
const LOW: [&str; 10] = [
    "Belarusian-HSE@2019-11",
    "Erzya-JR",
    "Kyrgyz-KTMU",
    "Manx-Cadhan",
    "Marathi-UFAL",
    "Nheengatu-CompLin",
    "Scottish_Gaelic-ARCOSG@2024-10",
    "Tamil-TTB",
    "Telugu-MTG",
    "Uyghur-UDT",
];

pub(super) fn run(arguments: &Dependency, workers: &Workers) -> anyhow::Result<()> {
    let treebanks = arguments.treebanks(&LOW)?;
    let outcomes = Udpipe::new(arguments.udpipe_cache.as_deref())?.outcomes(&treebanks)?;
    println!("forms and gold universal tags; UAS and LAS over all words of the test file");
    for (order, options) in arguments.settings(&[2])? {
        println!(
            "\n{:<31} {:>5} {:>6} {:>6}  {:>10} {:>10} {:>7}  {:>6} {:>6} {:>7}  {:>6} {:>6}",
            format!("order {order}"),
            "sent.",
            "words",
            "test",
            "UAS",
            "LAS",
            "CPU s",
            "UDPipe",
            "LAS",
            "CPU s",
            "± UAS",
            "± LAS"
        );
        let mut differences = Vec::new();
        for (treebank, outcome) in treebanks.iter().zip(&outcomes) {
            let (_, runs) = measure::with_seeds(treebank, &options, arguments.seeds, workers)?;
            println!(
                "{:<31} {:>5} {:>6} {:>6}  {:>10} {:>10} {:>7.1}  {}",
                treebank.name,
                treebank.train.len(),
                data::n_words(&treebank.train),
                data::n_words(&treebank.test),
                runs.show_uas(),
                runs.show_las(),
                runs.train_seconds(),
                beside(outcome.as_ref(), (runs.uas().0, runs.las().0)),
            );
            differences.extend(outcome.map(|outcome| (outcome, runs.uas().0, runs.las().0)));
        }
        summarise(&differences);
    }
    Ok(())
}

fn beside(outcome: Option<&UdpipeScore>, (uas, las): (f64, f64)) -> String {
    let Some(UdpipeScore { score, train_seconds, .. }) = outcome else { return String::new() };
    format!(
        "{:>6.1} {:>6.1} {train_seconds:>7.1}  {:>+6.1} {:>+6.1}",
        score.uas,
        score.las,
        uas - score.uas,
        las - score.las
    )
}

fn summarise(rows: &[(UdpipeScore, f64, f64)]) {
    if rows.is_empty() {
        return;
    }
    let uas: Vec<f64> = rows.iter().map(|(outcome, uas, _)| uas - outcome.score.uas).collect();
    let las: Vec<f64> = rows.iter().map(|(outcome, _, las)| las - outcome.score.las).collect();
    let least = las.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "mean of {} treebanks against UDPipe: {:+.2} UAS, {:+.2} LAS (least {least:+.1})",
        rows.len(),
        mean_sd(&uas).0,
        mean_sd(&las).0
    );
}
