//! All stages, the last one too.

use chain::Workers;

use super::{Learned, Options, Supervision, learn};
use crate::crf::{Crf, Further, Material};
use crate::{Choice, Dictionary, Error};
use tree::Text;

/// A tagger, with all that was found out on the way.
#[derive(Debug, Clone)]
pub struct TrainedPipeline {
    /// The stages before the last.
    pub learned: Learned,
    /// The last tagger.
    pub crf: Option<Crf>,
    types: Dictionary,
}

/// Runs all stages. The same supervision and options give the same bits, whatever the number of threads.
pub fn train(
    supervision: &Supervision,
    further: Further<'_>,
    options: &Options,
    workers: &Workers,
) -> Result<TrainedPipeline, Error> {
    let learned = learn(supervision, further, options, workers)?;
    let crf = match &options.last {
        Some(last) => {
            let sentences = learned.auto_tagged(options.sure, further, workers);
            let material = Material { tags: learned.dictionary.tags(), sentences: &sentences, held_out: &[] };
            Some(Crf::train(material, further, last, workers)?)
        }
        None => None,
    };
    Ok(TrainedPipeline { learned, crf, types: supervision.dictionary.clone() })
}

impl TrainedPipeline {
    /// The most probable tag of each word, and how probable it is.
    pub fn tag(&self, words: &[Text], further: Further<'_>) -> Vec<(u32, f64)> {
        let rows = self.posteriors(words, further);
        rows.into_iter().map(|row| row.into_iter().next().unwrap_or((0, 0.0))).collect()
    }

    /// The tags of each word with their probabilities, the most probable first.
    pub fn posteriors(&self, words: &[Text], further: Further<'_>) -> Vec<Vec<(u32, f64)>> {
        let choices: Vec<Choice> = words.iter().map(|word| self.choice(word)).collect();
        let mut rows = match &self.crf {
            Some(crf) => {
                let mut decoder = crf.decoder(further);
                let posteriors = decoder.posteriors(words, &choices);
                let row = |at: usize| (0..).zip(posteriors.of(at).iter().copied()).collect();
                (0..words.len()).map(row).collect()
            }
            None => self.learned.tagger.posteriors(words, &choices, further),
        };
        for row in &mut rows {
            row.retain(|&(_, p): &(u32, f64)| p > 0.0);
            row.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        rows
    }

    /// What annotators of types said about a word.
    pub fn choice(&self, word: &str) -> Choice {
        let Some(tags) = self.types.get(word) else { return Choice::Any };
        let mut tags: Vec<u32> = tags.iter().map(|&(tag, _)| tag).collect();
        tags.sort_unstable();
        match tags[..] {
            [] => Choice::Any,
            [tag] => Choice::Known(tag),
            _ => Choice::Among(tags.into()),
        }
    }
}
