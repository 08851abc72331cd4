//! Chunks of a fixed number of characters: the segmentation that knows nothing.

/// Cuts a word after every `n` characters; the last chunk may be shorter.
///
/// ```
/// assert_eq!(segment::chunks("kitabu", 4), ["kita", "bu"]);
/// ```
pub fn chunks(word: &str, n: usize) -> Vec<&str> {
    let n = n.max(1);
    let mut starts: Vec<usize> = word.char_indices().step_by(n).map(|(byte, _)| byte).collect();
    starts.push(word.len());
    starts.windows(2).map(|ends| &word[ends[0]..ends[1]]).collect()
}
