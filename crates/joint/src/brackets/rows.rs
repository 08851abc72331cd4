//! The weights that a sentence's spans look at.
//!
//! ```text
//! score(i, k) = S(i) + E(k) + Σ_{tags t in i..k} C(t) + Σ_f P(f)      over features f of (i, k) itself
//! ```
//!
//! S, E, C and P are rows of weights, one for each value that a span can have. For a fixed i the sum over tags grows with
//! k whenever a new tag comes in, so that a span costs a few rows only.

use chain::descent::Weights;
use features::Index;

use super::keys::{self, AllTags};
use super::options::Kind;
use super::spans::Spans;
use super::words::NumberedSentence;

/// Lists of rows, one after the other.
#[derive(Debug, Clone, Default)]
struct Lists {
    ends: Vec<u32>,
    rows: Vec<u32>,
}

impl Lists {
    fn close(&mut self) {
        self.ends.push(self.rows.len() as u32);
    }

    fn get(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.rows[start..self.ends[at] as usize]
    }
}

/// The rows of the spans of a sentence.
#[derive(Debug, Clone)]
pub(super) struct SpanRows {
    spans: Spans,
    /// By first word.
    starts: Lists,
    /// By the word after the last.
    ends: Lists,
    /// By first word, then by end.
    pairs: Lists,
    /// The row of the tag that comes in with the last word, in the same order.
    news: Vec<u32>,
}

const NO_ROW: u32 = u32::MAX;

/// Visits the keys of all spans for which `takes` holds, each as often as it counts.
pub(super) fn visit_keys(
    kind: Kind,
    sentence: &NumberedSentence,
    spans: impl Iterator<Item = (usize, usize)>,
    mut emit: impl FnMut(u64),
) {
    let mut seen = Vec::new();
    for (start, end) in spans {
        keys::of_start(kind, sentence, start, &mut emit);
        keys::of_end(kind, sentence, end, &mut emit);
        let mut all_tags = AllTags::none();
        seen.clear();
        for at in start..end {
            let tag = sentence.tag(at as isize);
            all_tags.push(tag);
            if !seen.contains(&tag) {
                seen.push(tag);
            }
        }
        // The first tag belongs to the start.
        if kind != Kind::Ccm {
            seen.iter().skip(1).for_each(|&tag| emit(keys::of_tag(tag)));
        }
        keys::of_span(kind, sentence, (start, end), all_tags, &mut emit);
    }
}

/// A walk over the spans in the order of lists: by first word, then by end.
fn walk(n_words: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_words).flat_map(move |start| (start + 2..=n_words).map(move |end| (start, end)))
}

impl SpanRows {
    /// Looks all features up; rows have `stride` weights.
    pub(super) fn new(kind: Kind, sentence: &NumberedSentence, index: &Index, stride: usize) -> SpanRows {
        let spans = Spans { n_words: sentence.n_words() };
        let n = spans.n_words;
        let get = |key: u64| index.get(key, stride);
        let (mut starts, mut ends, mut pairs) = (Lists::default(), Lists::default(), Lists::default());
        for at in 0..n + 1 {
            if at < n {
                keys::of_start(kind, sentence, at, &mut |key| starts.rows.extend(get(key)));
            }
            if at > 0 {
                keys::of_end(kind, sentence, at, &mut |key| ends.rows.extend(get(key)));
            }
            starts.close();
            ends.close();
        }
        let tag_rows: Vec<u32> = (0..n as isize)
            .map(|at| if kind == Kind::Ccm { None } else { get(keys::of_tag(sentence.tag(at))) })
            .map(|row| row.unwrap_or(NO_ROW))
            .collect();
        let mut news = Vec::with_capacity(spans.len());
        let mut all_tags = AllTags::none();
        for (start, end) in walk(n) {
            if end == start + 2 {
                all_tags = AllTags::none();
                all_tags.push(sentence.tag(start as isize));
            }
            let tag = sentence.tag(end as isize - 1);
            all_tags.push(tag);
            let is_new = (start..end - 1).all(|at| sentence.tag(at as isize) != tag);
            news.push(if is_new { tag_rows[end - 1] } else { NO_ROW });
            keys::of_span(kind, sentence, (start, end), all_tags, &mut |key| pairs.rows.extend(get(key)));
            pairs.close();
        }
        SpanRows { spans, starts, ends, pairs, news }
    }

    pub(super) fn spans(&self) -> Spans {
        self.spans
    }

    /// The scores of all spans, `stride` for each, of which as many count as `n_values` says for its width.
    pub(super) fn score(
        &self,
        weights: &Weights,
        stride: usize,
        n_values: impl Fn(usize) -> usize,
        scores: &mut Vec<f64>,
    ) {
        let n = self.spans.n_words;
        scores.clear();
        scores.resize(self.spans.len() * stride, 0.0);
        let mut ends = vec![0.0; (n + 1) * stride];
        (0..=n).for_each(|end| weights.add_rows(self.ends.get(end), &mut ends[end * stride..][..stride]));
        let mut running = vec![0.0; stride];
        for (number, (start, end)) in walk(n).enumerate() {
            if end == start + 2 {
                running.fill(0.0);
                weights.add_rows(self.starts.get(start), &mut running);
            }
            if self.news[number] != NO_ROW {
                weights.add_rows(&[self.news[number]], &mut running);
            }
            let len = n_values(end - start);
            let block = &mut scores[self.spans.place(start, end) * stride..][..len];
            let sums = running.iter().zip(&ends[end * stride..]);
            block.iter_mut().zip(sums).for_each(|(score, (start, end))| *score = start + end);
            weights.add_rows(self.pairs.get(number), block);
        }
    }

    /// The gradient of the loss in weights, from the gradients of the likelihood in scores. Gradients of up to `least` are left out.
    pub(super) fn descend(
        &self,
        gradients: &[f64],
        stride: usize,
        n_values: impl Fn(usize) -> usize,
        least: f64,
        entries: &mut Vec<(u32, f32)>,
    ) {
        let n = self.spans.n_words;
        let mut ends = vec![0.0; (n + 1) * stride];
        let mut running = vec![0.0; stride];
        let mut push = |rows: &[u32], gradients: &[f64]| {
            for (value, derivative) in
                gradients.iter().enumerate().filter(|(_, derivative)| derivative.abs() > least)
            {
                entries.extend(rows.iter().map(|&row| (row + value as u32, -*derivative as f32)));
            }
        };
        let mut number = self.news.len();
        for start in (0..n.saturating_sub(1)).rev() {
            running.fill(0.0);
            for end in (start + 2..=n).rev() {
                number -= 1;
                let len = n_values(end - start);
                let block = &gradients[self.spans.place(start, end) * stride..][..len];
                add(&mut running, block);
                add(&mut ends[end * stride..], block);
                push(self.pairs.get(number), block);
                if self.news[number] != NO_ROW {
                    push(&[self.news[number]], &running);
                }
            }
            push(self.starts.get(start), &running);
        }
        (0..=n).for_each(|end| push(self.ends.get(end), &ends[end * stride..][..stride]));
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
