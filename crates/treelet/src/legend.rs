//! What the measures of a table mean, in a line below it.

/// A measure as tables name it, and what it is. Longer names stand before those that they contain.
pub(crate) const MEASURES: [(&str, &str); 32] = [
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
    ("labelled", "% of words with the right head and relation"),
    ("exact", "% without any error"),
    ("root", "% of sentences with the right root"),
    ("recall", "% of what is in gold that was found"),
    ("precision", "% of what was found that is in gold"),
    ("F1", "harmonic mean of precision and recall"),
    ("softComPrec", "commitment times the share of the possible heads that the other allows too"),
    ("comPrec", "commitment times the share of the allowed trees that the other allows too"),
    ("gflAgreeStrict", "gflAgree in its stricter form (docs/gfl.md)"),
    ("gflAgree", "% agreement on the head of words to which at least two gave one"),
    ("mean spanning commitment", "as commitment, by an upper bound of the trees"),
    ("mean commitment", "0 if every tree is allowed, 1 if a single one is"),
    ("ln spanning promiscuity", "sum of logarithms of an upper bound of the trees"),
    ("ln promiscuity", "sum of logarithms of the numbers of trees that are allowed"),
    ("com", "commitment: 0 if every tree is allowed, 100 if a single one is"),
    ("ln trees", "mean logarithm of the number of trees that are allowed"),
    ("annotation density", "share of words with a head"),
    ("projective share", "share of whole trees without crossing arcs"),
    ("branching factor", "children per constituent"),
    ("types", "different words"),
];

/// The line for a text with tables: every measure that is named in it, in the order of the list.
pub(crate) fn of(text: &str) -> Option<String> {
    let mut rest = text.to_string();
    let mut found = Vec::new();
    for (name, meaning) in MEASURES {
        if is_named(&rest, name) {
            found.push(format!("{name} = {meaning}"));
            // A name inside a longer one is not named by itself.
            rest = rest.replace(name, "");
        }
    }
    (!found.is_empty()).then(|| format!("legend: {}", found.join("; ")))
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
        let legend = of("length  sentences  LAS\nall  3  90\n").unwrap();
        assert_eq!(legend, "legend: LAS = % of words with the right head and relation");
        assert_eq!(of("CLASS of 1995, compliance\n"), None);
        let both = of("mean commitment 0.5\nmean spanning commitment 0.4").unwrap();
        assert!(both.contains("mean commitment = ") && !both.contains("; com ="), "{both}");
    }

    #[test]
    fn every_name_is_found_beside_those_that_contain_it() {
        let all = MEASURES.map(|(name, _)| name).join("\n");
        let legend = of(&all).unwrap();
        for (name, meaning) in MEASURES {
            assert!(legend.contains(&format!("{name} = {meaning}")), "{name}");
        }
    }
}
