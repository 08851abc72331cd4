//! Names as single words, as relations see them.

use tree::Text;

use crate::Sentence;
use crate::sentence::KnownSpans;

use super::entities::kept_entities;

/// A sentence whose names are single words.
#[derive(Debug, Clone, Default)]
pub(super) struct Collapsed {
    /// The words; of trees what is known of them.
    pub(super) sentence: Sentence,
    /// The names that are words, by number among the sentence's entities, in the order of their words.
    pub(super) entities: Vec<usize>,
    /// The word of each of these, from 0.
    pub(super) words: Vec<usize>,
    /// The words of the whole sentence that each word stands for: the first one, and the one after the last.
    parts: Vec<(usize, usize)>,
}

impl Collapsed {
    /// A name that lies inside another one is left out.
    pub(super) fn new(sentence: &Sentence) -> Collapsed {
        let entities = kept_entities(sentence);
        let mut parts: Vec<(usize, usize)> = Vec::new();
        let mut words = Vec::new();
        let mut next = 0;
        for &entity in &entities {
            let span = sentence.semantics.entities[entity].span;
            parts.extend((next..span.start()).map(|word| (word, word + 1)));
            words.push(parts.len());
            parts.push((span.start(), span.end()));
            next = span.end();
        }
        parts.extend((next..sentence.len()).map(|word| (word, word + 1)));
        let sentence = joined_sentence(sentence, &parts);
        Collapsed { sentence, entities, words, parts }
    }

    /// A span of the words of the whole sentence.
    pub(super) fn whole(&self, (start, end): (u32, u32)) -> (u32, u32) {
        (self.parts[start as usize].0 as u32, self.parts[end as usize - 1].1 as u32)
    }
}

fn joined_sentence(sentence: &Sentence, parts: &[(usize, usize)]) -> Sentence {
    let mut word_of = vec![0; sentence.len()];
    for (word, &(start, end)) in parts.iter().enumerate() {
        word_of[start..end].fill(word);
    }
    let form = |&(start, end): &(usize, usize)| -> Text { sentence.forms[start..end].join("_").into() };
    // The last word stands for the name, as it heads names in most languages that have tags.
    let last = |column: &[Text]| -> Vec<Text> {
        parts.iter().filter_map(|&(_, end)| column.get(end - 1).cloned()).collect()
    };
    let heads = parts.iter().map(|&part| joined_head(sentence, part, &word_of));
    // Of a name, the relation of the word that hangs outside.
    let relation = |&part: &(usize, usize)| sentence.relations.get(hanging(sentence, part)).cloned();
    Sentence {
        relations: parts.iter().filter_map(relation).collect(),
        forms: parts.iter().map(form).collect(),
        classes: last(&sentence.classes),
        lemmas: last(&sentence.lemmas),
        heads: if sentence.heads.is_empty() { Vec::new() } else { heads.collect() },
        brackets: sentence.brackets.as_ref().map(|known| joined_spans(known, parts.len(), &word_of)),
        ..Sentence::default()
    }
}

/// The first word of a part whose head is not in the part, from 0.
fn hanging(sentence: &Sentence, (start, end): (usize, usize)) -> usize {
    let outside = |head: usize| head == 0 || !(start..end).contains(&(head - 1));
    let hangs = |&word: &usize| sentence.head(word + 1).is_some_and(outside);
    (start..end).find(hangs).unwrap_or(start)
}

/// The head of a part.
fn joined_head(sentence: &Sentence, part: (usize, usize), word_of: &[usize]) -> Option<u32> {
    let head = sentence.head(hanging(sentence, part) + 1)?;
    Some(head.checked_sub(1).map_or(0, |head| word_of[head] as u32 + 1))
}

/// The brackets over parts. Those that cut a part and do not fit with the others any more are left out; a whole tree is
/// filled up, branching to the right.
fn joined_spans(known: &KnownSpans, n_parts: usize, word_of: &[usize]) -> KnownSpans {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    let crosses = |a: (u32, u32), b: (u32, u32)| {
        (a.0 < b.0 && b.0 < a.1 && a.1 < b.1) || (b.0 < a.0 && a.0 < b.1 && b.1 < a.1)
    };
    for &(start, end) in &known.spans {
        let (Some(&first), Some(&last)) = (word_of.get(start as usize), word_of.get(end as usize - 1)) else {
            continue;
        };
        let span = (first as u32, last as u32 + 1);
        if span.1 > span.0 + 1 && !spans.contains(&span) && !spans.iter().any(|&other| crosses(other, span)) {
            spans.push(span);
        }
    }
    if known.is_whole {
        spans = filled(n_parts as u32, &spans);
    }
    KnownSpans { spans, is_whole: known.is_whole }
}

/// A binary tree with spans that do not cross, right-branching where they leave it open.
pub(super) fn filled(n_words: u32, spans: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut open = vec![(0, n_words)];
    while let Some((start, end)) = open.pop() {
        if end - start < 2 {
            continue;
        }
        found.push((start, end));
        // The longest span at the beginning, or one word.
        let first =
            spans.iter().filter(|&&(a, b)| a == start && b < end).map(|&(_, b)| b).max().unwrap_or(start + 1);
        // What is left must not be cut by a span that holds both: there is none, since spans do not cross.
        open.extend([(start, first), (first, end)]);
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::Span;
    use tree::semantics::Entity;

    #[test]
    fn names_become_words_with_their_heads_and_brackets() {
        let forms = ["Ada", "Lovelace", "lives", "in", "New", "York", "."];
        let entity = |start, end| Entity { span: Span::new(start, end).expect("a span"), kind: "X".into() };
        let mut sentence = Sentence {
            forms: forms.map(Into::into).to_vec(),
            heads: [2, 3, 0, 3, 6, 4, 3].map(Some).to_vec(),
            brackets: Some(KnownSpans {
                spans: vec![(0, 2), (0, 7), (2, 6), (2, 7), (3, 6), (4, 6)],
                is_whole: true,
            }),
            ..Sentence::default()
        };
        sentence.semantics.entities = vec![entity(4, 6), entity(0, 2), entity(5, 6)];
        let found = Collapsed::new(&sentence);
        assert_eq!(found.sentence.forms, ["Ada_Lovelace", "lives", "in", "New_York", "."]);
        assert_eq!(found.sentence.heads, [2, 0, 2, 3, 2].map(Some));
        let spans = found.sentence.brackets.expect("brackets").spans;
        assert_eq!(spans, [(0, 5), (1, 4), (1, 5), (2, 4)]);
        assert_eq!((found.entities, found.words), (vec![1, 0], vec![0, 3]));
    }

    #[test]
    fn trees_are_filled_up_to_the_right() {
        assert_eq!(filled(4, &[]), [(0, 4), (1, 4), (2, 4)]);
        assert_eq!(filled(4, &[(1, 3)]), [(0, 4), (1, 3), (1, 4)]);
        assert_eq!(filled(5, &[(0, 4), (2, 4)]), [(0, 4), (0, 5), (1, 4), (2, 4)]);
        assert_eq!(filled(1, &[]), []);
    }
}
