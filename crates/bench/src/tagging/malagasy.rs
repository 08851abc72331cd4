//! The timed annotations of Malagasy by Garrette & Baldridge (2013), in steps of half an hour.

use chain::Workers;
use tag::Dictionary;
use tag::pipeline::Supervision;
use tree::Text;

use super::Tagging;
use super::data::{self, Gold};
use super::system::{Results, System, row};

const FOLDER: &str = "data/pos/malagasy_garrette2013";

/// Table 2.3 of Mielens (2016): four hours of types, without label propagation and with affixes.
const THESIS: [(&str, [f64; 4]); 2] = [
    ("thesis, no propagation", [69.25, 74.10, 76.24, 77.47]),
    ("thesis, affixes", [76.16, 79.14, 79.66, 80.63]),
];

pub(super) fn run(arguments: &Tagging, results: &mut Results, workers: &Workers) -> anyhow::Result<()> {
    let malagasy = Malagasy::read(arguments.dev)?;
    println!("Malagasy, {}: hours of annotated types", malagasy.judged);
    row("hours", arguments.hours.iter().map(|&hours| Some(hours as f64)));
    for (name, figures) in THESIS {
        row(name, arguments.hours.iter().map(|&hours| figures.get(hours - 1).copied()));
    }
    for system in arguments.systems() {
        malagasy.curve(system, arguments, |half_hours| (half_hours, 0), results, workers)?;
    }
    println!("the same hours of annotated sentences");
    for system in arguments.systems() {
        malagasy.curve(system, arguments, |half_hours| (0, half_hours), results, workers)?;
    }
    println!("four hours, of which for types: 0, ½, 1, …, 4");
    for system in
        arguments.systems().into_iter().filter(|system| matches!(system, System::Hmm | System::Default))
    {
        let mixtures: anyhow::Result<Vec<Option<f64>>> = (0..=8)
            .map(|types| malagasy.accuracy(system, (types, 8 - types), results, workers).map(Some))
            .collect();
        row(system.name(), mixtures?);
    }
    Ok(())
}

struct Malagasy {
    raw: Vec<Vec<Text>>,
    test: Vec<Gold>,
    judged: &'static str,
}

impl Malagasy {
    fn read(dev: bool) -> anyhow::Result<Malagasy> {
        let judged = if dev { "dev" } else { "test" };
        let mut test = data::bars(&format!("{FOLDER}/{judged}.txt"))?;
        if dev {
            test.iter_mut().flatten().for_each(|(_, tag)| *tag = plain_tag(tag));
        }
        Ok(Malagasy { raw: data::raw(&format!("{FOLDER}/raw.txt"))?, test, judged })
    }

    /// Types of so many half hours, and sentences of so many.
    fn supervision(&self, (types, sentences): (usize, usize)) -> anyhow::Result<Supervision> {
        let mut dictionary = Dictionary::default();
        if types > 0 {
            let entries = data::bars(&format!("{FOLDER}/train/mlg-tagdict-4hr-lc{types}.txt"))?;
            entries.iter().flatten().for_each(|(word, tag)| dictionary.insert(word, tag));
        }
        let gold = match sentences {
            0 => Vec::new(),
            n => data::bars(&format!("{FOLDER}/train/mlg-sentences-4hr-lc{n}.txt"))?,
        };
        let tagged = data::tagged(&mut dictionary, &gold);
        Ok(Supervision { dictionary, tagged, raw: self.raw.clone() })
    }

    fn accuracy(
        &self,
        system: System,
        half_hours: (usize, usize),
        results: &mut Results,
        workers: &Workers,
    ) -> anyhow::Result<f64> {
        let task = format!("mlg-{}-t{}-s{}", self.judged, half_hours.0, half_hours.1);
        results.of(&task, system, &self.supervision(half_hours)?, &self.test, workers)
    }

    fn curve(
        &self,
        system: System,
        arguments: &Tagging,
        split: impl Fn(usize) -> (usize, usize),
        results: &mut Results,
        workers: &Workers,
    ) -> anyhow::Result<()> {
        let mut figures = Vec::new();
        for hours in &arguments.hours {
            figures.push(Some(self.accuracy(system, split(2 * hours), results, workers)?));
        }
        row(system.name(), figures);
        Ok(())
    }
}

/// The dev file marks heads, and has other names for some tags.
fn plain_tag(tag: &str) -> Text {
    let tag =
        tag.strip_suffix("-H").or_else(|| tag.strip_suffix('-').filter(|tag| *tag == "ADJ")).unwrap_or(tag);
    Text::from(match tag {
        "NNP" => "PN",
        "P" => "PREP",
        "MD" => "T",
        "CD" => "ADJ",
        "RB" => "NEG",
        "@:" => ":",
        "\"@" | "@\"@" => "\"",
        other => other,
    })
}
