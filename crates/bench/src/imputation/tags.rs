//! Predicted tags: what a tagger says that knows nothing but the training sentences.

use features::{Observation, TagModel, TagModelOptions};
use indexmap::IndexSet;
use tree::Text;

use crate::dependencies::Gold;

/// Tags of the training sentences by five-fold jackknifing, and of the test sentences from all training sentences.
///
/// The tagger looks at the form of a word only: a log-linear model of affixes, shape and the word itself.
pub(super) fn predicted(train: &[Gold], test: &[Gold]) -> (Vec<Vec<Text>>, Vec<Vec<Text>>) {
    const FOLDS: usize = 5;
    let mut folds = vec![Vec::new(); train.len()];
    for fold in 0..FOLDS {
        let others: Vec<&Gold> =
            train.iter().enumerate().filter(|(at, _)| at % FOLDS != fold).map(|(_, gold)| gold).collect();
        let tagger = FormTagger::new(&others);
        for (at, gold) in train.iter().enumerate().filter(|(at, _)| at % FOLDS == fold) {
            folds[at] = tagger.tag(gold);
        }
    }
    let tagger = FormTagger::new(&train.iter().collect::<Vec<_>>());
    (folds, test.iter().map(|gold| tagger.tag(gold)).collect())
}

struct FormTagger {
    tags: IndexSet<Text>,
    model: TagModel,
}

impl FormTagger {
    fn new(train: &[&Gold]) -> FormTagger {
        let tags: IndexSet<Text> = train.iter().flat_map(|gold| gold.tags.iter().cloned()).collect();
        let mut counts: indexmap::IndexMap<(&str, bool, u32), f64> = indexmap::IndexMap::new();
        for gold in train {
            for (at, (form, tag)) in gold.forms.iter().zip(&gold.tags).enumerate() {
                let tag = tags.get_index_of(tag).unwrap_or(0) as u32;
                *counts.entry((form.as_str(), at == 0, tag)).or_default() += 1.0;
            }
        }
        let observations: Vec<Observation<'_>> = counts
            .iter()
            .map(|(&(form, first, tag), &count)| Observation { form, first, tag, count })
            .collect();
        let model = TagModel::fit(&observations, tags.len(), &TagModelOptions::default());
        FormTagger { tags, model }
    }

    fn tag(&self, gold: &Gold) -> Vec<Text> {
        let mut posterior = Vec::new();
        let best = |(at, form): (usize, &Text)| {
            self.model.posterior(form, at == 0, &mut posterior);
            let best =
                (0..posterior.len()).max_by(|&a, &b| posterior[a].total_cmp(&posterior[b]).then(b.cmp(&a)));
            best.and_then(|best| self.tags.get_index(best)).cloned().unwrap_or_default()
        };
        gold.forms.iter().enumerate().map(best).collect()
    }
}
