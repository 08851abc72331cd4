//! A hierarchy of word classes from running text, after Brown et al. (1992).
//!
//! Classes are good if the class of a word tells much about the class of the next one. For counts N of classes and of pairs
//! of neighbouring classes, the mutual information of neighbours is, up to a constant factor and a constant,
//!
//! ```text
//! F = Σ_{c,d} f(N(c, d)) − 2 Σ_c f(N(c)),   f(n) = n ln n
//! ```
//!
//! Words are exchanged between classes while that makes F larger (Kneser & Ney 1993; Martin, Liermann & Ney 1998); then the
//! classes are merged two by two, each time those whose merger costs least. The path from the last merger down to a class is
//! its code, so that classes whose codes begin alike are alike.

mod exchange;
mod merge;
mod text;

use exchange::Exchange;
use text::Text;

/// How classes are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrownOptions {
    /// The number of classes; fewer come out if there are fewer words.
    pub n_classes: usize,
    /// Words that are rarer are not clustered.
    pub min_count: usize,
    /// So many of the most frequent words are clustered at most.
    pub most_words: usize,
    /// Walks through all words at most; it stops earlier when no word changes its class.
    pub max_iterations: usize,
}

impl Default for BrownOptions {
    fn default() -> BrownOptions {
        BrownOptions { n_classes: 128, min_count: 2, most_words: 100_000, max_iterations: 10 }
    }
}

/// Words with the bits of their classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Brown {
    /// Word, how often it was seen, and bits; the most frequent first, of equally frequent ones in alphabetical order.
    pub words: Vec<(String, u64, String)>,
    /// F after each walk through all words, and before the first.
    pub objective: Vec<f64>,
}

impl Brown {
    /// Clusters the words of `sentences`.
    ///
    /// Time O(walks · n_classes · different pairs of neighbours) and then O(n_classes³), memory O(n_classes² + pairs).
    pub fn fit<'a, S>(sentences: impl IntoIterator<Item = S>, options: &BrownOptions) -> Brown
    where
        S: IntoIterator<Item = &'a str>,
    {
        let text = Text::new(sentences, options.min_count, options.most_words);
        let mut exchange = Exchange::new(&text, options.n_classes);
        let mut objective = vec![exchange.objective()];
        for _ in 0..options.max_iterations {
            let n_moved = exchange.walk();
            objective.push(exchange.objective());
            if n_moved == 0 {
                break;
            }
        }
        let codes = merge::codes(exchange.counts());
        let code = |number: usize| codes[exchange.class_of(number)].clone();
        let words =
            (0..).zip(&text.words).map(|(number, &(form, count))| (form.to_owned(), count, code(number)));
        Brown { words: words.collect(), objective }
    }
}

#[cfg(test)]
mod tests;
