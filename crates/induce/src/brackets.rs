//! Brackets without labels, as grammars without labels are judged by.
//!
//! Brackets over one word and over the whole sentence are right in any tree and say nothing; of several over the same
//! words one counts (Klein & Manning 2002).

use tree::{Span, Text, Tree};

/// The tags of the words that are kept, and the brackets over them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bracketing {
    /// One for each word that is kept.
    pub tags: Vec<Text>,
    /// Sorted, none twice, and none that says nothing.
    pub brackets: Vec<Span>,
}

/// The brackets of a tree over those words whose tag is kept; a word without a tag is its own.
pub fn of_tree(tree: &Tree<Text>, keep: impl Fn(&str) -> bool) -> Bracketing {
    let mut tags = Vec::new();
    // How many words are kept before each position.
    let mut before = vec![0];
    for (tag, word) in tree.tagged_words() {
        let tag = tag.unwrap_or(word);
        if keep(tag) {
            tags.push(tag.clone());
        }
        before.push(tags.len());
    }
    let spans = tree.constituents().into_iter();
    let spans = spans.filter_map(|(_, _, span)| Span::new(before[span.start()], before[span.end()]));
    Bracketing { brackets: telling(tags.len(), spans), tags }
}

/// The brackets that say something about a sentence of `n` words: sorted, and none twice.
pub fn telling(n: usize, spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.into_iter().filter(|span| span.len() > 1 && span.len() < n).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// How many brackets two lists share; both are sorted, as [`telling`] has them.
pub fn shared(a: &[Span], b: &[Span]) -> usize {
    a.iter().filter(|span| b.binary_search(span).is_ok()).count()
}

/// Every bracket reaches to the end of the sentence.
pub fn right_branching(n: usize) -> Vec<Span> {
    telling(n, (0..n).filter_map(|start| Span::new(start, n)))
}

/// Every bracket begins with the first word.
pub fn left_branching(n: usize) -> Vec<Span> {
    telling(n, (1..=n).filter_map(|end| Span::new(0, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(pairs: &[(usize, usize)]) -> Vec<Span> {
        pairs.iter().filter_map(|&(start, end)| Span::new(start, end)).collect()
    }

    #[test]
    fn brackets_are_those_over_words_that_are_kept() {
        let tag = |tag: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from("w"))]);
        let phrase = |children: Vec<Tree<Text>>| Tree::constituent(Text::from("X"), children);
        // ((A ,) ((B C) .) D): without punctuation the first bracket is one over a word, and the second and third agree.
        let inner = phrase(vec![tag("B"), tag("C")]);
        let tree = phrase(vec![
            phrase(vec![tag("A"), tag(",")]),
            phrase(vec![inner, tag(".")]),
            phrase(vec![tag("D")]),
        ]);
        let found = of_tree(&tree, |tag| tag != "," && tag != ".");
        assert_eq!(found.tags, ["A", "B", "C", "D"]);
        assert_eq!(found.brackets, spans(&[(1, 3)]));
    }

    #[test]
    fn branching_trees_share_no_bracket() {
        assert_eq!(right_branching(4), spans(&[(1, 4), (2, 4)]));
        assert_eq!(left_branching(4), spans(&[(0, 2), (0, 3)]));
        assert_eq!(shared(&right_branching(4), &left_branching(4)), 0);
        assert_eq!(shared(&right_branching(5), &right_branching(5)), 3);
        assert!(right_branching(2).is_empty() && left_branching(0).is_empty());
    }
}
