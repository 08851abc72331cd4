//! Sentences of several files as one corpus to learn from.

use super::annotated::{AnnotatedCorpus, AnnotatedSentence, Aside, only_said};
use super::fragments::{self, Fragments, TagChoice, reading};
use super::imputer::{self, Imputer, Lesson};
use crate::options::impute::Completing;
use crate::options::{Input, Messages};
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use impute::Fragment;
use std::path::PathBuf;

/// Files of sentences, and each sentence as imputers see it.
pub(crate) struct Gathered {
    pub(crate) corpora: Vec<AnnotatedCorpus>,
    pub(crate) fragments: Vec<Fragment>,
    /// Sentences that only take part in learning.
    pub(crate) more: Vec<Fragment>,
    /// Where the tags are.
    pub(crate) tags: TagChoice,
    problems: Vec<Vec<formats::Problem>>,
    aside: Vec<Aside>,
}

impl Gathered {
    pub(crate) fn read(
        files: &[PathBuf],
        completing: &Completing,
        saved: Option<TagChoice>,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        let Completing { reading: choices, input, learning, .. } = completing;
        let text = &learning.text;
        crate::source::only_one_stdin(files.iter().chain(text).chain(&choices.words))?;
        let mut corpora = Vec::new();
        for path in files {
            let mut corpus = AnnotatedCorpus::read_trusting(choices.trusted.trust, path, input, watch)?;
            corpus.note_taken_back(watch);
            fragments::lay_over(&mut corpus, choices, input, watch)?;
            corpora.push(corpus);
        }
        let plain = Input { from: None, characters: input.characters };
        let more: Vec<AnnotatedCorpus> = text
            .iter()
            .map(|path| AnnotatedCorpus::read(path, &plain, watch))
            .collect::<anyhow::Result<_>>()?;
        let sentences = corpora.iter().chain(&more).flat_map(|corpus| &corpus.sentences);
        let sentences = sentences.map(|annotated| &annotated.sentence);
        let tags = fragments::tags(choices.tags, saved, sentences, watch);
        let reading = reading(choices);
        let (mut all, mut problems) = (Vec::new(), Vec::new());
        for corpus in &corpora {
            let told = Fragments::new(corpus, &reading, tags);
            all.extend(told.all);
            problems.push(told.problems);
        }
        let mut aside = Vec::new();
        let more = fragments::only_learned_from(more, &reading, tags, &mut aside);
        Ok(Self { corpora, fragments: all, more, tags, problems, aside })
    }

    /// All sentences in the order of the fragments.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = &AnnotatedSentence> {
        self.corpora.iter().flat_map(|corpus| &corpus.sentences)
    }

    /// Learns from all of them; `None` if somebody stopped it.
    pub(crate) fn learn(&self, lesson: &Lesson<'_>) -> anyhow::Result<Option<Imputer>> {
        let Lesson { learning, rules, watch, .. } = *lesson;
        imputer::note_ignored(learning, watch);
        let mut training = self.fragments.clone();
        training.extend(self.more.iter().cloned());
        fragments::warn_of_tags(&training, rules, watch);
        fragments::warn_of_length(&training, learning.longest, watch);
        Imputer::learn(&training, lesson)
    }

    /// Prints what is wrong with the files, and tells whether anything is.
    pub(crate) fn report(&self, messages: &Messages, watch: &dyn Watch) -> anyhow::Result<bool> {
        let mut has_errors = false;
        for (corpus, problems) in self.corpora.iter().zip(&self.problems) {
            has_errors |= report_problems(&corpus.source, problems, messages, watch)?;
        }
        let aside = self.corpora.iter().flat_map(|corpus| &corpus.aside).chain(&self.aside);
        Ok(Aside::report(aside, messages, watch)? || has_errors)
    }
}

/// The heads that the annotation demands, as (head, dependent), without those that are merely the only ones left.
pub(crate) fn demanded(annotated: &AnnotatedSentence, fragment: &Fragment) -> Vec<(usize, usize)> {
    if fragment.possible.is_free() {
        return Vec::new();
    }
    let possible = &fragment.possible;
    let certain = (1..=fragment.len()).map(|word| possible.whole().required_head(word)).collect();
    let said = only_said(&annotated.said, certain).into_iter();
    let said = (1..).zip(said).filter(|&(word, _)| !possible.left_out(word));
    said.filter_map(|(word, head)| Some((head?, word))).collect()
}
