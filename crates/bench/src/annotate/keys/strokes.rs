//! The keys that say a tree, by the page's map (`crates/web/page/keys.js`, `hints.js`, `commands.js`).

use crate::dependencies::Gold;

/// `LETTERS` of `hints.js`.
const LETTERS: &str = "asdfjklghqweruiopzxcvbnmty";

/// The keys for a whole tree from its first word to its last, and to hand it in.
pub(super) fn keys(gold: &Gold) -> Vec<String> {
    let n = gold.len();
    let mut keys = Vec::new();
    for word in 1..=n {
        keys.extend(head(n, word, gold.heads.head(word)));
        if word < n {
            keys.push(forward(gold));
        }
    }
    keys.push("Enter".into());
    keys
}

/// The arrow to the next word, which points the way the sentence is read.
fn forward(gold: &Gold) -> String {
    let forms: Vec<&str> = gold.forms.iter().map(|form| form.as_str()).collect();
    if draw::is_rtl(&forms) { "ArrowLeft".into() } else { "ArrowRight".into() }
}

/// The fewest keys that say what the current word belongs to.
pub(super) fn head(n_words: usize, word: usize, head: usize) -> Vec<String> {
    if head == 0 {
        vec!["r".into()]
    } else if head + 1 == word {
        vec!["<".into()]
    } else if head == word + 1 {
        vec![">".into()]
    } else {
        let place = by_distance(n_words, word).iter().position(|&other| other == head);
        let code = place.and_then(|place| codes(n_words - 1).into_iter().nth(place)).unwrap_or_default();
        std::iter::once("a".to_owned()).chain(code.chars().map(String::from)).collect()
    }
}

/// The fewest keys from a word to another.
pub(super) fn way(n_words: usize, from: usize, to: usize) -> usize {
    from.abs_diff(to).min(to).min(1 + n_words - to)
}

/// Near words get the short codes (`unitCodes` of `commands.js`).
fn by_distance(n_words: usize, word: usize) -> Vec<usize> {
    let mut others: Vec<usize> = (1..=n_words).filter(|&other| other != word).collect();
    // A stable sort: of two that are as near the one before comes first.
    others.sort_by_key(|other| other.abs_diff(word));
    others
}

/// Codes of which none begins another (`codes` of `hints.js`).
fn codes(n: usize) -> Vec<String> {
    let letters: Vec<char> = LETTERS.chars().collect();
    let n_prefixes = n.saturating_sub(letters.len()).div_ceil(letters.len() - 1).min(letters.len());
    let (short, prefixes) = letters.split_at(letters.len() - n_prefixes);
    let long = prefixes.iter().flat_map(|first| letters.iter().map(move |second| format!("{first}{second}")));
    short.iter().map(char::to_string).chain(long).take(n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_begins_another() {
        for n in [0, 1, 25, 26, 27, 51, 52, 120, 400] {
            let codes = codes(n);
            assert_eq!(codes.len(), n);
            for (at, code) in codes.iter().enumerate() {
                assert!(
                    codes
                        .iter()
                        .enumerate()
                        .all(|(other, begun)| other == at || !begun.starts_with(code.as_str()))
                );
            }
        }
    }

    #[test]
    fn the_shortest_way_is_by_arrows_or_by_an_end() {
        assert_eq!((way(20, 3, 5), way(20, 15, 2), way(20, 3, 19), way(20, 4, 4)), (2, 2, 2, 0));
    }
}
