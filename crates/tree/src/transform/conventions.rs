//! How a treebank writes what nobody said: traces, empty elements, lemmas behind words.

use super::normalise::{Normalisation, goes_with_all_below, is_index, is_trace, lemma_cut};
use super::walk::is_preterminal;
use crate::{Text, Tree};
use std::collections::BTreeSet;

/// Of so many words, at least so many must have a lemma behind them before lemmas are believed in.
const PAIRED: (usize, usize) = (10, 9);
/// Fewer words than these prove nothing: `well-being` is a word.
const FEWEST_WORDS: usize = 5;

/// What the trees of a file have in common, found by looking at all of them before they are normalised.
///
/// - **Traces** are `*`, `*T*`, `*pro*` or the like, with or without an index (`*T*-1`). In the Penn Treebank they stand
///   under `-NONE-`. Where one with a name or an index stands under another label, as in the historical corpora,
///   all of them go, whatever is above them; `*` under the tag `*` is an asterisk and stays.
/// - **Zeros** are empty where some `0` stands under `C` or under a moved phrase (`WNP-1`, `WHADVP-2`), except under
///   tags that also hold other numbers.
/// - **Lemmas** stand behind words (`ég-ég`, `,-,`) if nine of ten words look so.
///
/// ```
/// use tree::transform::{Conventions, Normalisation};
/// use tree::{Text, Tree};
/// let tag = |tag: &str, form: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from(form))]);
/// let mut conventions = Conventions::default();
/// conventions.see(&Tree::constituent("IP".into(), [tag("NP-SBJ", "*T*-1"), tag("VB", "go")]));
/// assert!(conventions.normalisation().bare_traces);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    n_words: usize,
    n_paired: usize,
    has_bare_traces: bool,
    has_zeros: bool,
    numeral_tags: BTreeSet<Text>,
}

impl Conventions {
    /// Looks at one more tree.
    pub fn see(&mut self, tree: &Tree<Text>) {
        let options = Normalisation::default();
        let nodes = tree.nodes();
        let mut index = 0;
        while index < nodes.len() {
            if goes_with_all_below(tree, index, &options) {
                index += nodes[index].size();
                continue;
            }
            if nodes[index].is_word() {
                let tag = (index > 0 && is_preterminal(tree, index - 1)).then(|| &nodes[index - 1].label);
                self.see_word(&nodes[index].label, tag);
            }
            index += 1;
        }
    }

    fn see_word(&mut self, word: &Text, tag: Option<&Text>) {
        if is_trace(word) {
            self.has_bare_traces |= *word != "*";
            return;
        }
        if *word == "0" {
            self.has_zeros |= tag.is_some_and(|tag| is_of_a_zero(tag));
            return;
        }
        if word.chars().all(|c| c.is_ascii_digit()) {
            self.numeral_tags.extend(tag.cloned());
        }
        self.n_words += 1;
        self.n_paired += usize::from(lemma_cut(word).is_some());
    }

    /// What takes out all of that.
    pub fn normalisation(&self) -> Normalisation {
        Normalisation {
            bare_traces: self.has_bare_traces,
            empty_words: if self.has_zeros { vec!["0".into()] } else { Vec::new() },
            numeral_tags: self.numeral_tags.iter().cloned().collect(),
            lemmas: self.has_lemmas(),
            ..Normalisation::default()
        }
    }

    /// Whether words are followed by their lemmas.
    pub fn has_lemmas(&self) -> bool {
        let (of, least) = PAIRED;
        self.n_words >= FEWEST_WORDS && self.n_paired * of >= self.n_words * least
    }

    /// Whether traces or empty elements stand under other labels than `-NONE-`.
    pub fn has_bare_empties(&self) -> bool {
        self.has_bare_traces || self.has_zeros
    }
}

/// `C`, and phrases that begin with W and end with P, an index aside.
fn is_of_a_zero(tag: &str) -> bool {
    let stem = match tag.split_once(['-', '=']) {
        Some((stem, index)) if is_index(index) => stem,
        _ => tag,
    };
    stem == "C" || stem.len() > 2 && stem.starts_with('W') && stem.ends_with('P')
}
