//! The files that a dependency parser is learned from.

use crate::imputation::annotated::AnnotatedCorpus;
use crate::imputation::fragments::{self, Fragments, TagChoice, reading};
use crate::options::dependency::Dependency;
use crate::options::{Input, MessageFormat, Messages};
use crate::outcome::Usage;
use crate::source::Source;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use dependency::{Annotated, TagColumn};
use formats::Problem;
use std::collections::BTreeMap;
use tree::Sentence;

/// Everything that was read, and what was wrong with it.
pub(super) struct Corpora {
    pub(super) data: Vec<Annotated>,
    pub(super) dev: Vec<Sentence>,
    pub(super) tags: TagColumn,
    /// Command, names and checksums of the files.
    pub(super) notes: BTreeMap<String, String>,
    problems: Vec<(Source, Vec<Problem>)>,
}

impl Corpora {
    pub(super) fn read(options: &Dependency, watch: &dyn Watch) -> anyhow::Result<Self> {
        let mut corpora = Vec::new();
        for path in &options.files {
            let trust = options.reading.trusted.trust;
            let mut corpus = AnnotatedCorpus::read_trusting(trust, path, &options.input, watch)?;
            corpus.note_taken_back(watch);
            fragments::lay_over(&mut corpus, &options.reading, &options.input, watch)?;
            corpora.push(corpus);
        }
        let plain = Input { from: None, characters: options.input.characters };
        let dev = options.dev.as_ref().map(|path| AnnotatedCorpus::read(path, &plain, watch)).transpose()?;
        let sentences = || corpora.iter().flat_map(|corpus| &corpus.sentences);
        let limit = options.course.limit.map_or(usize::MAX, |limit| limit as usize);
        let used = sentences().take(limit).map(|annotated| &annotated.sentence);
        let choice = TagChoice::resolve(options.reading.tags, used);
        let mut read = Self {
            data: Vec::new(),
            dev: Vec::new(),
            tags: choice.of_parser(),
            notes: BTreeMap::new(),
            problems: Vec::new(),
        };
        read.notes.insert("program".into(), format!("treelet {}", env!("CARGO_PKG_VERSION")));
        read.notes.insert("tags".into(), choice.name().into());
        for (number, corpus) in corpora.into_iter().enumerate() {
            if read.data.len() >= limit {
                let name = corpus.source.name();
                watch.note(&format!("note: nothing of {name} is used, because of --limit {limit}"));
                continue;
            }
            read.notes.insert(format!("trees {}", number + 1), corpus.source.fingerprint()?);
            read.take(corpus, options, choice);
        }
        if let Some(dev) = dev {
            read.notes.insert("dev".into(), dev.source.fingerprint()?);
            read.dev = dev.sentences.into_iter().map(|annotated| annotated.sentence).collect();
            read.problems.push((dev.source, dev.errors));
        }
        read.data.truncate(limit);
        Ok(read)
    }

    /// Sentences whose annotation contradicts itself are reported, and nothing is taken from them.
    fn take(&mut self, corpus: AnnotatedCorpus, options: &Dependency, tags: TagChoice) {
        let told = Fragments::new(&corpus, &reading(&options.reading), tags);
        for ((one, fragment), conflict) in corpus.sentences.into_iter().zip(told.all).zip(told.conflicts) {
            if conflict.is_none() {
                let weight = one.weight();
                self.data.push(Annotated { sentence: one.sentence, possible: fragment.possible, weight });
            }
        }
        self.problems.push((corpus.source, told.problems));
    }

    /// Takes down what another file is like, and what is wrong with it.
    pub(super) fn add_file(
        &mut self,
        name: &str,
        source: Source,
        problems: Vec<Problem>,
    ) -> anyhow::Result<()> {
        self.notes.insert(name.to_owned(), source.fingerprint()?);
        self.problems.push((source, problems));
        Ok(())
    }

    /// Refuses sentences to choose by that have no trees: epochs and temperature would be chosen by nothing.
    pub(super) fn check_dev(&self, options: &Dependency, watch: &dyn Watch) -> anyhow::Result<()> {
        let has_heads = |sentence: &Sentence| sentence.partial_heads().iter().any(Option::is_some);
        let Some(path) = options.dev.as_ref().filter(|_| !self.dev.iter().any(has_heads)) else {
            return Ok(());
        };
        self.report(options, watch)?;
        let text = format!("{}: no word has a head; give --dev sentences with trees", path.display());
        Err(Usage(text).into())
    }

    /// Prints what is wrong, and tells whether anything is.
    pub(super) fn report(&self, options: &Dependency, watch: &dyn Watch) -> anyhow::Result<bool> {
        let Messages { message_format, max_problems } = &options.messages;
        let messages =
            Messages { message_format: MessageFormat::clone(message_format), max_problems: *max_problems };
        let mut has_errors = false;
        for (source, problems) in &self.problems {
            has_errors |= report_problems(source, problems, &messages, watch)?;
        }
        Ok(has_errors)
    }
}
