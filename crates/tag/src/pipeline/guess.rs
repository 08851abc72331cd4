//! What tags a word has, judged without its sentence: by propagated labels, by a model of forms, or by both.
//!
//! ```text
//! p(tag | word) ∝ labels(tag | word)^(1 − mix) · forms(tag | word)^mix
//! ```

use chain::Workers;
use features::{Brown, BrownOptions, Hash, Observation, TagModel, TagModelOptions};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::Text;

use super::Options;
use crate::crf::Further;
use crate::propagate::{Propagated, propagate};
use crate::{Corpus, Dictionary};

/// Judges words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Guesser {
    labels: Option<Propagated>,
    forms: Option<TagModel>,
    /// What the model of forms says about the words of the corpus.
    #[serde(skip)]
    by_form: Vec<Vec<f64>>,
    mix: f64,
}

impl Guesser {
    pub(super) fn new(
        corpus: &Corpus,
        dictionary: &Dictionary,
        further: Further<'_>,
        options: &Options,
        workers: &Workers,
    ) -> Guesser {
        let classes = options.classes.as_ref().map(|options| classes(corpus, options)).unwrap_or_default();
        let further = |word: &str, visit: &mut dyn FnMut(&str)| {
            further(word, visit);
            classes.get(word).into_iter().flatten().for_each(|class| visit(class));
        };
        let labels =
            options.propagate.as_ref().map(|graph| propagate(corpus, dictionary, &further, graph, workers));
        let forms = options
            .forms
            .as_ref()
            .filter(|_| !dictionary.is_empty())
            .map(|options| fit(corpus, dictionary, labels.as_ref(), &further, options));
        let numbers: Vec<u32> = (0..corpus.n_types() as u32).collect();
        let by_form = match &forms {
            Some(forms) => workers.map(&numbers, |_, &word| judge(forms, corpus.form(word), &further)),
            None => Vec::new(),
        };
        Guesser { labels, forms, by_form, mix: options.mix }
    }

    /// Whether it is about so many tags.
    pub(super) fn is_whole(&self, n_tags: usize) -> bool {
        self.labels.as_ref().is_none_or(|labels| labels.n_tags() == n_tags)
            && self.forms.as_ref().is_none_or(|forms| forms.n_tags() == n_tags)
    }

    /// How probable each tag is for a word of the corpus; `None` if nothing is known.
    pub fn of_type(&self, word: u32) -> Option<Vec<f64>> {
        self.mixed(
            self.labels.as_ref().and_then(|labels| labels.of_type(word)),
            self.by_form.get(word as usize).cloned(),
        )
    }

    /// How probable each tag is for the token at a place of the corpus, where there is this word.
    pub fn of_token(&self, place: usize, word: u32) -> Option<Vec<f64>> {
        self.mixed(
            self.labels.as_ref().and_then(|labels| labels.of_token(place)),
            self.by_form.get(word as usize).cloned(),
        )
    }

    /// How probable each tag is for any word.
    pub fn of_form(&self, form: &str, further: Further<'_>) -> Option<Vec<f64>> {
        let by_form = self.forms.as_ref().map(|forms| judge(forms, form, further));
        self.mixed(self.labels.as_ref().and_then(|labels| labels.of_form(form, further)), by_form)
    }

    fn mixed(&self, labels: Option<Vec<f64>>, by_form: Option<Vec<f64>>) -> Option<Vec<f64>> {
        let (Some(labels), Some(by_form)) = (&labels, &by_form) else { return labels.or(by_form) };
        let power = |p: f64, share: f64| libm::pow(f64::max(p, 1e-6), share);
        let both = labels.iter().zip(by_form).map(|(a, b)| power(*a, 1.0 - self.mix) * power(*b, self.mix));
        let mut row: Vec<f64> = both.collect();
        let total: f64 = row.iter().sum();
        row.iter_mut().for_each(|p| *p /= total);
        Some(row)
    }
}

/// Learns from the words of the dictionary, whose tags count by their labels.
fn fit(
    corpus: &Corpus,
    dictionary: &Dictionary,
    labels: Option<&Propagated>,
    further: Further<'_>,
    options: &TagModelOptions,
) -> TagModel {
    let (mut observations, mut extra) = (Vec::new(), Vec::new());
    for (word, tags) in dictionary.iter() {
        let row = corpus.number(word).and_then(|word| labels.and_then(|labels| labels.of_type(word)));
        let share = |tag: u32, count: f64| row.as_ref().map_or(count, |row| row[tag as usize]);
        let total: f64 = tags.iter().map(|&(tag, count)| share(tag, count)).sum();
        for &(tag, count) in tags {
            observations.push(Observation {
                form: word,
                first: false,
                tag,
                count: share(tag, count) / total,
            });
            extra.push(hashed(word, further));
        }
    }
    let extra: Vec<&[u64]> = extra.iter().map(Vec::as_slice).collect();
    TagModel::fit_with(&observations, &extra, dictionary.tags().len(), options)
}

fn judge(forms: &TagModel, form: &str, further: Further<'_>) -> Vec<f64> {
    let mut row = Vec::new();
    forms.posterior_with(form, false, &hashed(form, further), &mut row);
    row
}

fn hashed(form: &str, further: Further<'_>) -> Vec<u64> {
    let mut all = Vec::new();
    further(form, &mut |feature| all.push(Hash::new(0).chars(feature.chars()).finish()));
    all
}

/// The code of each word's class and beginnings of it, as features.
fn classes(corpus: &Corpus, options: &BrownOptions) -> FxHashMap<Text, Vec<Text>> {
    let sentence =
        |number: usize| corpus.sentence(number).map(|place| corpus.form(corpus.words()[place]).as_str());
    let brown = Brown::fit((0..corpus.n_sentences()).map(sentence), options);
    let features = |bits: String| -> Vec<Text> {
        let lengths = [4, 6, 8, 10].into_iter().filter(|&length| length < bits.len()).chain([bits.len()]);
        lengths.map(|length| Text::from(format!("class {}", &bits[..length]))).collect()
    };
    brown.words.into_iter().map(|(word, _, bits)| (Text::from(word), features(bits))).collect()
}
