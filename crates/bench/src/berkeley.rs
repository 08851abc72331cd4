//! What the Berkeley parser 1.7 scores on the same splits: its best of four split-merge cycles, max-rule decoding,
//! EVALB with COLLINS.prm and gold punctuation, one seed. The cycle was chosen on the dev file.

/// Treebank, training trees, F1, CPU seconds of training and of parsing, sentences parsed.
const FIGURES: &[(&str, usize, f64, f64, f64, usize)] = &[
    ("english_wsj", 100, 63.8, 11.0, 13.0, 175),
    ("english_wsj", 200, 73.4, 16.0, 10.0, 175),
    ("english_wsj", 500, 77.4, 29.0, 15.0, 175),
    ("english_wsj", 3401, 85.7, 209.0, 25.0, 175),
    ("indonesian_icon", 100, 51.5, 8.0, 12.0, 250),
    ("indonesian_icon", 200, 58.6, 12.0, 11.0, 250),
    ("indonesian_icon", 500, 65.6, 26.0, 19.0, 250),
    ("indonesian_icon", 3000, 79.1, 182.0, 17.0, 250),
    ("spanish_cess", 100, 63.5, 16.0, 33.0, 250),
    ("spanish_cess", 200, 67.6, 27.0, 40.0, 250),
    ("spanish_cess", 500, 73.3, 55.0, 54.0, 250),
    ("spanish_cess", 1700, 78.5, 189.0, 81.0, 250),
    ("icelandic_icepahc", 100, 50.5, 12.0, 7.0, 250),
    ("icelandic_icepahc", 200, 57.9, 16.0, 9.0, 250),
    ("icelandic_icepahc", 500, 64.6, 29.0, 11.0, 250),
    ("icelandic_icepahc", 3920, 78.1, 172.0, 21.0, 250),
    ("yoruba_akindele", 100, 27.4, 3.0, 1.0, 100),
    ("yoruba_akindele", 200, 50.6, 7.0, 3.0, 100),
    ("yoruba_akindele", 500, 62.6, 12.0, 4.0, 100),
    ("yoruba_akindele", 700, 68.5, 12.0, 5.0, 100),
    ("portuguese_floresta", 100, 50.3, 11.0, 13.0, 250),
    ("portuguese_floresta", 200, 53.6, 13.0, 17.0, 250),
    ("portuguese_floresta", 500, 59.1, 36.0, 24.0, 250),
    ("portuguese_floresta", 2300, 65.7, 179.0, 39.0, 250),
    ("ancient_greek_nt", 100, 54.4, 13.0, 8.0, 74),
    ("ancient_greek_nt", 200, 59.6, 18.0, 11.0, 74),
    ("ancient_greek_nt", 500, 68.1, 39.0, 18.0, 74),
    ("ancient_greek_nt", 1373, 72.0, 90.0, 28.0, 74),
    ("turkish_starlang", 100, 58.0, 7.0, 4.0, 250),
    ("turkish_starlang", 200, 60.5, 12.0, 6.0, 250),
    ("turkish_starlang", 500, 65.7, 19.0, 6.0, 250),
    ("turkish_starlang", 3000, 71.0, 105.0, 16.0, 250),
];

/// A row of the peers' table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Berkeley {
    pub(crate) f1: f64,
    pub(crate) sentences_per_second: f64,
}

/// The treebanks of the table, each once.
pub(crate) fn treebanks() -> Vec<&'static str> {
    let mut names: Vec<&str> = FIGURES.iter().map(|row| row.0).collect();
    names.dedup();
    names
}

/// The row of a treebank and a number of training trees.
pub(crate) fn row(treebank: &str, n_trees: usize) -> Option<Berkeley> {
    let found = FIGURES.iter().find(|row| row.0 == treebank && row.1 == n_trees)?;
    Some(Berkeley { f1: found.2, sentences_per_second: found.5 as f64 / found.4 })
}
