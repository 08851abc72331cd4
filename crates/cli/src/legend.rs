//! What the measures of a table mean, in a line below it.

/// A measure as tables name it, and what it is. Longer names stand before those that they contain.
pub(crate) const MEASURES: [(&str, &str); 39] = [
    ("Strict FMeasure", "F1 with sentences that were not compared counted as missed"),
    ("Bracketing FMeasure", "harmonic mean of recall and precision of labelled brackets"),
    ("Complete match", "% of sentences with all brackets right"),
    ("Average crossing", "brackets per sentence that cross gold ones"),
    ("UAS", "% of words with the right head"),
    ("CLAS", "LAS of content words"),
    ("MLAS", "CLAS with tags, features and function words right too"),
    ("BLEX", "CLAS with lemmas right too"),
    ("LAS", "% of words with the right head and relation"),
    ("undirected", "% of arcs that are right whichever end is the head"),
    ("directed", "% of words with the right head"),
    ("NED", "as undirected, and the head of the right head is right too"),
    ("labelled F1", "harmonic mean of precision and recall of heads with that relation"),
    ("labelled", "% of words with the right head and relation"),
    ("exact", "% of sentences with all heads right (of brackets: all brackets)"),
    ("root", "% of sentences with the right root"),
    ("dictionary recall", "% of words of which the dictionary has the gold tag"),
    ("recall of known words", "the same of the words that are in the dictionary"),
    ("recall of types", "% of gold pairs of a word and a tag that the dictionary has"),
    ("recall", "% of what is in gold that was found"),
    ("precision", "% of what was found that is in gold"),
    ("F1", "harmonic mean of precision and recall"),
    ("softComPrec", "as comPrec, with the share of the possible heads of each word"),
    (
        "comPrec",
        "commitment, by the words that either names, times the share of the allowed trees that the other allows too",
    ),
    ("gflAgreeStrict", "gflAgree in its stricter form (docs/gfl.md)"),
    (
        "gflAgree",
        "mean share of the annotators who gave the commonest head, of words to which two or more gave one; with two \
         annotators at least 50",
    ),
    ("mean named spanning commitment", "as mean named commitment, by an upper bound of the trees"),
    ("mean named commitment", "as mean commitment, with the words that are not named left out"),
    ("mean spanning commitment", "as mean commitment, by an upper bound of the trees"),
    ("mean commitment", "0 if every tree of all words is allowed, 1 if a single one is"),
    ("ln spanning promiscuity", "sum of logarithms of an upper bound of the trees"),
    ("ln promiscuity", "sum of logarithms of the numbers of trees that are allowed"),
    (
        "com (named)",
        "commitment by the words that are named: 0 if every tree of them is allowed, 100 if a single one is",
    ),
    ("com", "commitment: 0 if every tree of all words is allowed, 100 if a single one is"),
    ("ln trees", "mean logarithm of the number of trees that are allowed"),
    ("annotation density", "share of words with a certain head"),
    ("projective share", "share of whole trees without crossing arcs"),
    ("branching factor", "children per constituent"),
    ("types", "different words"),
];

/// The line for a text with tables: every measure that names a column or a row of figures, in the order of the list. What
/// else stands in tables are names of relations, tags, files and annotators, which may be called like a measure.
pub(crate) fn of(text: &str) -> Option<String> {
    let mut names: Vec<String> = names(text).into_iter().map(str::to_string).collect();
    let mut found = Vec::new();
    for (name, meaning) in MEASURES {
        if names.iter().any(|given| is_named(given, name)) {
            found.push(format!("{name} = {meaning}"));
            // A name inside a longer one is not named by itself.
            names.iter_mut().for_each(|given| *given = given.replace(name, ""));
        }
    }
    (!found.is_empty()).then(|| format!("legend: {}", found.join("; ")))
}

/// Names of columns, and of rows where those are measures: below the headings of [`ROWS`], and in the summaries of EVALB and of
/// the CoNLL 2018 shared task.
fn names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    // How wide the names of rows are, if they are measures.
    let mut rows = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let rule = lines.peek().filter(|next| is_rule(next));
        if let Some(rule) = rule {
            let mut cells = line.split("  ").map(str::trim);
            let first = cells.next().unwrap_or_default();
            rows = ROWS.contains(&first).then(|| rule.find(' ').unwrap_or(rule.len()));
            if !FOREIGN.contains(&first) {
                names.extend(cells);
            }
        } else if let Some((name, _)) = line.split_once(" = ").or_else(|| line.split_once(" | ")) {
            names.push(name.trim());
        } else if line.is_empty() {
            rows = None;
        } else if let (Some(width), Some(name)) = (rows, line.split("  ").next()) {
            names.extend((name.chars().count() <= width).then_some(name));
        }
    }
    names
}

/// Headings of the first column above names of measures.
const ROWS: [&str; 3] = ["", "measure", "accuracy"];

/// Headings of the first column where the other columns are files or annotators.
const FOREIGN: [&str; 2] = ["", "tags"];

fn is_rule(line: &str) -> bool {
    line.starts_with("--") && line.chars().all(|c| c == '-' || c == ' ')
}

/// Whether a name stands in the text as a whole word.
fn is_named(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '/');
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_explained_where_they_are_named_and_nowhere_else() {
        let legend = of("length  sentences  LAS\n------  ---------  ---\nall             3   90\n").unwrap();
        assert_eq!(legend, "legend: LAS = % of words with the right head and relation");
        assert_eq!(of("CLASS of 1995, compliance\n"), None);
        let rows = "                   file\n------------------------  -----\nmean commitment  0.5\nmean spanning commitment  0.4\n";
        let both = of(rows).unwrap();
        assert!(both.contains("mean commitment = ") && !both.contains("; com ="), "{both}");
    }

    #[test]
    fn relations_and_annotators_that_are_called_like_a_measure_are_not_explained() {
        let labels =
            "By label: relations\nlabel  first  agreed\n-----  -----  ------\nroot       3   100.0\n";
        assert_eq!(of(labels), None);
        assert_eq!(
            of("tags  exact  root\n----  -----  ----\nNOUN   50.0   0.0\n\nrelations: root 8\n"),
            None
        );
        assert_eq!(of("column       agreed\n-----------  ------\nheads (UAS)   66.7\n"), None);
    }

    #[test]
    fn summaries_name_measures_in_front() {
        let evalb = of("Complete match            =  50.00\n").unwrap();
        assert!(evalb.contains("Complete match = "), "{evalb}");
        let shared_task =
            of("Metric     | Precision\n-----------+-----------\nUAS        |     90.00\n").unwrap();
        assert_eq!(shared_task, "legend: UAS = % of words with the right head");
    }

    #[test]
    fn every_name_is_found_beside_those_that_contain_it() {
        let rule = "-".repeat(60);
        let all = format!("measure  %\n{rule}  -\n{}\n", MEASURES.map(|(name, _)| name).join("\n"));
        let legend = of(&all).unwrap();
        for (name, meaning) in MEASURES {
            assert!(legend.contains(&format!("{name} = {meaning}")), "{name}");
        }
    }
}
