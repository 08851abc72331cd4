//! Ready-made supervision: the tags of the 500 most frequent types, a few tagged sentences, raw text.

use chain::Workers;
use tag::Dictionary;
use tag::pipeline::Supervision;

use super::Tagging;
use super::data;
use super::system::{Results, mean, row};

const NAMES: [&str; 10] = [
    "Erzya-JR",
    "Marathi-UFAL",
    "North_Sami-Giella",
    "Telugu-MTG",
    "Uyghur-UDT",
    "Wolof-WTB",
    "kin_masakhapos",
    "swa_masakhapos",
    "wol_masakhapos",
    "yor_masakhapos",
];

pub(super) fn run(arguments: &Tagging, results: &mut Results, workers: &Workers) -> anyhow::Result<()> {
    println!("500 types; UDPipe learns from 30 or 40 tagged sentences");
    let names: Vec<&str> = arguments.systems().iter().map(|system| system.name()).chain(["udpipe"]).collect();
    println!("{:28} {}", "", names.join(" "));
    let mut columns: Vec<Vec<Option<f64>>> = vec![Vec::new(); names.len()];
    for name in NAMES.into_iter().filter(|name| arguments.wants(name)) {
        let file = |part: &str| format!("data/pos/typesup/{name}/{part}.txt");
        let mut dictionary = Dictionary::default();
        for (word, tag) in data::bars(&file("tagdict.500"))?.iter().flatten() {
            dictionary.insert(word, tag);
        }
        let dictionary = dictionary.ranked().0;
        let (tokens, test) = (data::bars(&file("toksup"))?, data::bars(&file("test"))?);
        let supervision = Supervision { dictionary, tagged: Vec::new(), raw: data::raw(&file("raw"))? };
        let mut figures = Vec::new();
        for system in arguments.systems() {
            figures.push(Some(results.of(&format!("{name}-500"), system, &supervision, &test, workers)?));
        }
        let task = format!("{name}-toksup");
        figures.push(if arguments.alone { None } else { results.of_udpipe(&task, &tokens, &test)? });
        columns.iter_mut().zip(&figures).for_each(|(column, figure)| column.push(*figure));
        row(name, figures);
    }
    row("mean", columns.iter().map(|column| mean(column)));
    Ok(())
}
