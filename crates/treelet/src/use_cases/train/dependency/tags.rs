//! The tagger of a parser, and tags as the parser will meet them.

use crate::dependency_parser::OwnTagger;
use crate::outcome::Usage;
use crate::run::Run;
use crate::use_cases::tag::forms::Forms;
use crate::use_cases::tag::learn::{self, SavedTraining};
use chain::Workers;
use dependency::{Annotated, DependencyOptions, TagColumn};
use tag::crf::{Crf, CrfError, CrfOptions, Material, NOTHING_FURTHER};
use tag::{Certainty, Choice, TagSet, Tagged};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Token};

/// Who makes taggers for a parser: those of `treelet tag train` from tagged sentences.
#[derive(Clone, Copy)]
pub(super) struct Teacher<'a> {
    pub(super) settings: &'a DependencyOptions,
    pub(super) workers: &'a Workers,
    pub(super) run: &'a Run<'a>,
}

impl Teacher<'_> {
    /// A tagger that knows how often it is right; `None` if no word has a tag. It is not saved with the run, which makes it again.
    pub(super) fn own_tagger(&self, sentences: &[Sentence]) -> anyhow::Result<Option<OwnTagger>> {
        self.tagger(sentences, |material, settings| {
            let mut nobody = ();
            let anew = SavedTraining::never(&mut nobody);
            learn::from_sentences(material, NOTHING_FURTHER, settings, anew, self.workers, self.run.watch)
        })
    }

    /// Replaces the tags of all sentences by those that a tagger finds which was trained on the others, so that a parser learns
    /// from tags as it will meet them. Returns the share of words whose tag stayed the same.
    pub(super) fn jackknife(&self, data: &mut [Annotated], folds: usize) -> anyhow::Result<f64> {
        let folds = folds.clamp(2, data.len().max(2));
        let column = self.settings.tags;
        let gold: Vec<Sentence> = data.iter().map(|item| item.sentence.clone()).collect();
        let (mut n_words, mut n_same) = (0usize, 0usize);
        for fold in 0..folds {
            let others = gold.iter().enumerate().filter(|(at, _)| at % folds != fold);
            let tagger = self.tagger(others.map(|(_, sentence)| sentence), |material, settings| {
                let mut nobody = ();
                let anew = SavedTraining::never(&mut nobody);
                let crf =
                    learn::watched(material, NOTHING_FURTHER, settings, anew, self.workers, self.run.watch)?;
                Ok(crf.map(|crf| (crf, Certainty::default())))
            })?;
            let Some(tagger) = tagger else { continue };
            let mut tagging = tagger.tagging();
            for (item, gold) in data.iter_mut().zip(&gold).skip(fold).step_by(folds) {
                tagging.tag(&mut item.sentence, true);
                let tags = item.sentence.words().zip(gold.words());
                n_words += gold.n_words();
                n_same += tags.filter(|(found, gold)| column.of(found) == column.of(gold)).count();
            }
        }
        Ok(n_same as f64 / n_words.max(1) as f64)
    }

    fn tagger<'s>(
        &self,
        sentences: impl IntoIterator<Item = &'s Sentence>,
        learn: impl FnOnce(Material<'_>, &CrfOptions) -> Result<Option<(Crf, Certainty)>, CrfError>,
    ) -> anyhow::Result<Option<OwnTagger>> {
        let column = self.settings.tags;
        let (tags, tagged) = known(sentences, column);
        let mut names = tags.names();
        let (crf, certainty) = match (names.next(), names.next()) {
            (None, _) => return Ok(None),
            (Some(tag), None) => (Crf::of_one_tag(tag), Certainty::default()),
            _ => {
                let material = Material { tags: &tags, sentences: &tagged, held_out: &[] };
                let settings = CrfOptions { seed: self.settings.seed, ..CrfOptions::default() };
                let learned = learn(material, &settings).map_err(|error| Usage(error.to_string()))?;
                learned.ok_or_else(|| self.run.stopped_before_saving())?
            }
        };
        Ok(Some(OwnTagger { column, crf, certainty }))
    }
}

/// Sentences as taggers learn from them, and their tags in the order in which they come.
fn known<'s>(sentences: impl IntoIterator<Item = &'s Sentence>, column: TagColumn) -> (TagSet, Vec<Tagged>) {
    let (mut tags, mut forms) = (TagSet::default(), Forms::default());
    let mut choice = |token: &Token| match column.of(token) {
        tag if *tag == UNSPECIFIED => Choice::Any,
        tag => Choice::Known(tags.insert(tag)),
    };
    let tagged = |sentence: &Sentence| Tagged {
        words: forms.of(sentence),
        choices: sentence.words().map(&mut choice).collect(),
        weight: 1.0,
    };
    let tagged = sentences.into_iter().map(tagged).collect();
    (tags, tagged)
}
