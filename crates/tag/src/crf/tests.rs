mod enumeration;
mod gradients;
mod training;

use tree::Text;

use crate::{Choice, TagSet, Tagged};

/// Tags t0, t1, …
fn tag_set(n_tags: usize) -> TagSet {
    let mut tags = TagSet::default();
    (0..n_tags).for_each(|tag| _ = tags.insert(&format!("t{tag}")));
    tags
}

/// A sentence that counts once.
fn tagged(words: &str, choices: &[Choice]) -> Tagged {
    Tagged { words: words.split(' ').map(Text::from).collect(), choices: choices.to_vec(), weight: 1.0 }
}

/// Every sequence of tags.
fn sequences(n_words: usize, n_tags: usize) -> Vec<Vec<usize>> {
    (0..n_words).fold(vec![vec![]], |shorter, _| {
        let longer = |sequence: Vec<usize>| (0..n_tags).map(move |tag| [&sequence[..], &[tag]].concat());
        shorter.into_iter().flat_map(longer).collect()
    })
}
