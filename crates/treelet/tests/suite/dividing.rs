//! Sentences that are shared out are all there, once each, as they were and in their order.

use crate::{demo, object};
use serde_json::{Value, json};
use std::path::Path;
use treelet::call;
use treelet::watch::Unwatched;

fn divided(options: Value) -> anyhow::Result<Value> {
    Ok(call("divide", &object(options), &Unwatched)?.result)
}

/// The sentences of a file as texts; in formats with a line each they are lines.
fn sentences(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let is_line = matches!(path.extension().unwrap().to_str(), Some("mrg"));
    let separator = match path.extension().unwrap().to_str() {
        Some("anno") => "---\n",
        _ if is_line => "\n",
        _ => "\n\n",
    };
    text.split(separator).filter(|one| !one.trim().is_empty()).map(|one| one.trim().to_string()).collect()
}

#[test]
fn every_sentence_is_in_one_section_whatever_the_format() {
    for (name, ending) in
        [("village.conllu", "conllu"), ("village.anno", "anno"), ("village-train.mrg", "mrg")]
    {
        let folder = tempfile::tempdir().unwrap();
        let parts = folder.path().join("parts");
        let corpus = demo(name);
        let options = json!({"files": [corpus], "annotators": 3, "common": 0.2, "output": parts, "seed": 5});
        let result = divided(options.clone()).unwrap();
        let all = sentences(Path::new(&corpus));
        let mut found = Vec::new();
        for (section, name) in result["sections"].as_array().unwrap().iter().zip(["1", "2", "3", "common"]) {
            let file = parts.join(format!("{name}.{ending}"));
            assert_eq!((section["name"].as_str(), section["file"].as_str()), (Some(name), file.to_str()));
            let section_sentences = sentences(&file);
            assert_eq!(section["sentences"].as_u64(), Some(section_sentences.len() as u64), "{name}");
            let mut rest = all.iter();
            assert!(
                section_sentences.iter().all(|one| rest.any(|other| other == one)),
                "in the order of the file"
            );
            found.extend(section_sentences);
        }
        assert_eq!(result["sentences"].as_u64(), Some(all.len() as u64), "{name}");
        let sorted = |mut all: Vec<String>| {
            all.sort();
            all
        };
        assert_eq!(sorted(found), sorted(all), "{name}");
        // The same once more would write over what is there.
        let before = std::fs::read(parts.join(format!("1.{ending}"))).unwrap();
        assert!(divided(options).unwrap_err().to_string().contains("is there already"));
        assert_eq!(std::fs::read(parts.join(format!("1.{ending}"))).unwrap(), before);
    }
}

#[test]
fn figures_are_those_of_the_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.txt");
    std::fs::write(&file, format!("a b c\na b c d e\n{}\n", "w ".repeat(41))).unwrap();
    let options =
        json!({"files": [file], "from": "text", "annotators": 1, "output": folder.path().join("parts")});
    let result = divided(options).unwrap();
    let section = &result["sections"][0];
    assert_eq!((section["words"].as_u64(), section["mean_length"].as_f64()), (Some(49), Some(49.0 / 3.0)));
    let centre = 49.0f64 / 3.0;
    let sd = ([3.0, 5.0, 41.0].map(|length: f64| (length - centre).powi(2)).iter().sum::<f64>() / 3.0).sqrt();
    assert!((section["sd_length"].as_f64().unwrap() - sd).abs() < 1e-12);
    assert_eq!((section["short"].as_f64(), section["long"].as_f64()), (Some(2.0 / 3.0), Some(1.0 / 3.0)));
    let written = std::fs::read_to_string(folder.path().join("parts/1.conllu")).unwrap();
    assert!(written.starts_with("1\ta\t_") || written.contains("\n1\ta\t_"), "{written}");
}
