//! Sentences that are too long to be parsed at once.
//!
//! Such a sentence is cut into pieces of at most so many words, behind a full stop if there is one, else behind some
//! other punctuation; each piece is parsed by itself, and the roots of all pieces hang from the first. So time and
//! memory grow with the length and no faster. Heads that were demanded are kept: they are laid first, and of what was
//! found only those arcs are added that close no cycle.

use tree::{Heads, Sentence, Token};

use super::attributes::Attributes;
use super::model::{Asked, DependencyModel, ParseOptions, Parsed, Workspace};

impl DependencyModel {
    pub(super) fn parse_in_pieces(&self, asked: Asked<'_>, workspace: &mut Workspace) -> Parsed {
        let Asked { sentence, possible, options } = asked;
        let words: Vec<&Token> = sentence.words().collect();
        let possible = possible.filter(|possible| possible.n_words() == words.len());
        let alone = ParseOptions { posteriors: false, n_best: 1, ..*options };
        let mut found = Vec::with_capacity(words.len());
        let mut top = None;
        for piece in pieces(&words, options.max_words.max(1)) {
            let start = found.len();
            let tokens = piece.iter().map(|&token| token.clone()).collect();
            let sentence = Sentence { tokens, ..Sentence::default() };
            let asked = Asked { sentence: &sentence, possible: None, options: &alone };
            let parsed = self.parse_whole(asked, workspace);
            for word in 1..=piece.len() {
                let head = match parsed.heads.head(word) {
                    0 => *top.get_or_insert(start + word),
                    head => start + head,
                };
                found.push(if head == start + word { 0 } else { head });
            }
        }
        let demanded: Vec<Option<usize>> =
            (1..=words.len()).map(|word| possible?.whole().required_head(word)).collect();
        let allowed = |head, word| possible.is_none_or(|possible| possible.allows_arc(head, word));
        let heads = joined(&demanded, &found, allowed);
        let relations = self.relations_of(&Attributes::new(sentence, &self.options), &heads);
        Parsed { heads, relations, posteriors: None, n_best: Vec::new(), honoured: true, in_pieces: true }
    }
}

/// Cuts words into pieces of at most `most`.
fn pieces<'w, 't>(mut words: &'w [&'t Token], most: usize) -> Vec<&'w [&'t Token]> {
    let mut pieces = Vec::new();
    while words.len() > most {
        let ends = |marks: &str| {
            let is_end = |&at: &usize| words[at - 1].form.chars().all(|mark| marks.contains(mark));
            (most / 2..=most).rev().filter(|&at| at > 0).find(is_end)
        };
        let end = ends(".!?।。؟…").or_else(|| ends(",;:—–-،、")).unwrap_or(most);
        let (piece, rest) = words.split_at(end);
        pieces.push(piece);
        words = rest;
    }
    pieces.push(words);
    pieces
}

/// The demanded heads, and as many of the others as close no cycle; a word whose own head would close one hangs from the
/// word below the root, or from the root.
fn joined(demanded: &[Option<usize>], found: &[usize], allowed: impl Fn(usize, usize) -> bool) -> Heads {
    let n_words = found.len();
    let mut heads: Vec<Option<usize>> = demanded.to_vec();
    // Whether `word` is above `head` or is it, as far as heads are known.
    let closes = |heads: &[Option<usize>], head: usize, word: usize| {
        let mut at = head;
        let mut steps = 0;
        while at != 0 && at != word && steps <= n_words {
            at = heads[at - 1].unwrap_or(0);
            steps += 1;
        }
        at == word
    };
    let top = (1..=n_words)
        .find(|&word| demanded[word - 1] == Some(0))
        .or_else(|| (1..=n_words).find(|&word| found[word - 1] == 0 && allowed(0, word)));
    for word in 1..=n_words {
        if heads[word - 1].is_none() {
            let own = Some(found[word - 1]).filter(|&head| head != 0 || top == Some(word));
            let mut choices = own.into_iter().chain(top).chain(1..=n_words).chain([0]);
            let fits = |&head: &usize| head != word && allowed(head, word) && !closes(&heads, head, word);
            heads[word - 1] = Some(choices.find(fits).unwrap_or(0));
        }
    }
    let heads: Vec<u32> = heads.into_iter().map(|head| head.unwrap_or(0) as u32).collect();
    Heads::new(heads.clone()).unwrap_or_else(|_| {
        Heads::new(vec![0; n_words]).expect("words that hang from the root form no cycle")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str, most: usize) -> Vec<usize> {
        let sentence = Sentence::from_forms(text.split(' '));
        let words: Vec<&Token> = sentence.words().collect();
        pieces(&words, most).iter().map(|piece| piece.len()).collect()
    }

    #[test]
    fn pieces_end_behind_full_stops_then_commas_then_anywhere() {
        assert_eq!(cut("a b . c d e f", 4), [3, 4]);
        assert_eq!(cut("a b , c d e f", 4), [3, 4]);
        assert_eq!(cut("a b , . e f g", 4), [4, 3]);
        assert_eq!(cut("a b c d e f g", 3), [3, 3, 1]);
        assert_eq!(cut("a", 3), [1]);
    }

    proptest! {
        #[test]
        fn a_tree_keeps_all_heads_that_were_demanded(
            tree in prop::collection::vec(0usize..100, 1..9),
            kept in prop::collection::vec(any::<bool>(), 9),
            found in prop::collection::vec(0usize..100, 9),
        ) {
            // A word hangs from an earlier one or from the root, which is always a tree.
            let gold: Vec<usize> = tree.iter().enumerate().map(|(at, head)| head % (at + 1)).collect();
            let demanded: Vec<Option<usize>> =
                gold.iter().zip(&kept).map(|(&head, &kept)| kept.then_some(head)).collect();
            let found: Vec<usize> = (0..gold.len()).map(|at| found[at] % (gold.len() + 1)).collect();
            let found: Vec<usize> =
                found.iter().enumerate().map(|(at, &head)| if head == at + 1 { 0 } else { head }).collect();
            let heads = joined(&demanded, &found, |_, _| true);
            for (at, head) in demanded.iter().enumerate() {
                prop_assert!(head.is_none_or(|head| head == heads.head(at + 1)), "{:?} {:?}", demanded, heads);
            }
            prop_assert!((1..=heads.len()).any(|word| heads.head(word) == 0));
        }
    }
}
