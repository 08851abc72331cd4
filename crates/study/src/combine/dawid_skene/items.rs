//! Annotations as numbers.

use super::{Annotated, Category, Options};
use indexmap::{IndexMap, IndexSet};
use tree::Text;

/// Everything EM looks at.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) n_annotators: usize,
    /// By tag of the dependent.
    pub(super) blocks: IndexMap<Text, TagBlock>,
    pub(super) items: Vec<Item>,
}

/// What concerns all dependents with the same tag.
#[derive(Clone, Debug, Default)]
pub(super) struct TagBlock {
    pub(super) categories: IndexSet<Category>,
    /// Pseudo-counts of prevalences.
    pub(super) prior: Vec<f64>,
    /// How many labels each annotator gave.
    n_labels: Vec<usize>,
    /// Whether each annotator gave enough of them.
    pub(super) has_skill: Vec<bool>,
}

/// A word with at least one head.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) sentence: usize,
    pub(super) word: usize,
    /// Its tag.
    pub(super) block: usize,
    /// What its true head may be; the first ones are the heads that were given.
    pub(super) states: Vec<State>,
    /// Categories that the sentence offers.
    pub(super) offered: Vec<usize>,
    /// How many heads they have together.
    pub(super) n_heads: f64,
    pub(super) labels: Vec<Label>,
}

/// A head, or all heads of a category that nobody gave.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The head; `None` for the rest of the category.
    pub(super) head: Option<usize>,
    pub(super) category: usize,
    /// How many heads this is.
    pub(super) size: f64,
    /// How many heads of the category the sentence offers.
    pub(super) n_offered: f64,
}

/// What an annotator said.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) annotator: usize,
    /// The state of the head.
    pub(super) state: usize,
}

impl Data {
    pub(super) fn new(sentences: &[Annotated], n_annotators: usize, options: &Options) -> Self {
        let mut data = Self { n_annotators, blocks: IndexMap::new(), items: Vec::new() };
        data.collect_categories(sentences);
        for block in data.blocks.values_mut() {
            block.prior = vec![options.prevalence; block.categories.len()];
            block.has_skill = block.n_labels.iter().map(|&n| n >= options.min_items).collect();
        }
        for (tag, category, count) in &options.standard {
            let Some(block) = data.blocks.get_mut(tag) else { continue };
            if let Some(index) = block.categories.get_index_of(category) {
                block.prior[index] += count;
            }
        }
        for (index, sentence) in sentences.iter().enumerate() {
            let items = (1..=sentence.tags.len()).filter_map(|word| data.item(index, sentence, word));
            let items: Vec<Item> = items.collect();
            data.items.extend(items);
        }
        data
    }

    fn collect_categories(&mut self, sentences: &[Annotated]) {
        for sentence in sentences {
            for (annotator, heads) in &sentence.annotations {
                for (word, head) in (1..).zip(heads) {
                    let Some(category) = head.and_then(|head| Category::of(&sentence.tags, word, head))
                    else {
                        continue;
                    };
                    let block = self.blocks.entry(sentence.tags[word - 1].clone()).or_default();
                    block.categories.insert(category);
                    block.n_labels.resize(self.n_annotators, 0);
                    block.n_labels[*annotator] += 1;
                }
            }
        }
        // The order in which categories were met has no meaning; sorted, the result does not depend on it.
        self.blocks.sort_keys();
        self.blocks.values_mut().for_each(|block| block.categories.sort_unstable());
    }

    fn item(&self, index: usize, sentence: &Annotated, word: usize) -> Option<Item> {
        let given: Vec<(usize, usize)> = sentence
            .annotations
            .iter()
            .filter_map(|(annotator, heads)| Some((*annotator, heads[word - 1]?)))
            .collect();
        let (block_index, _, block) = self.blocks.get_full(&sentence.tags[word - 1])?;
        let mut heads: Vec<usize> = given.iter().map(|&(_, head)| head).collect();
        heads.sort_unstable();
        heads.dedup();
        if heads.is_empty() {
            return None;
        }
        let states = states(block, &sentence.tags, word, &heads)?;
        let label = |&(annotator, head): &(usize, usize)| {
            let state = heads.binary_search(&head).ok()?;
            Some(Label { annotator, state })
        };
        let labels = given.iter().filter_map(label).collect();
        let mut offered: Vec<usize> = states.iter().map(|state| state.category).collect();
        offered.sort_unstable();
        offered.dedup();
        let n_heads = states.iter().map(|state| state.size).sum();
        Some(Item { sentence: index, word, block: block_index, states, offered, n_heads, labels })
    }
}

/// The given heads, in order, then what is left of each category.
fn states(block: &TagBlock, tags: &[Text], word: usize, given: &[usize]) -> Option<Vec<State>> {
    let category = |head: usize| block.categories.get_index_of(&Category::of(tags, word, head)?);
    let mut n_offered = vec![0usize; block.categories.len()];
    for index in (0..=tags.len()).filter(|&head| head != word).filter_map(category) {
        n_offered[index] += 1;
    }
    let mut n_left = n_offered.clone();
    let mut states = Vec::with_capacity(given.len() + n_left.len());
    for &head in given {
        let category = category(head)?;
        n_left[category] -= 1;
        states.push(State { head: Some(head), category, size: 1.0, n_offered: n_offered[category] as f64 });
    }
    for (category, &n_left) in n_left.iter().enumerate().filter(|&(_, &n)| n > 0) {
        let n_offered = n_offered[category] as f64;
        states.push(State { head: None, category, size: n_left as f64, n_offered });
    }
    Some(states)
}
