//! What is learnt from: trees, partly bracketed sentences, raw text.

use super::were;
use crate::options::EncodingName;
use crate::options::impute::Trust;
use crate::options::train::Constituency;
use crate::outcome::Usage;
use crate::problems;
use crate::sentences::{Honoured, Sentences};
use crate::source::Source;
use crate::survey;
use crate::tree_marks;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::Context;
use constituency::train::Unusable;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::{Problem, Read};
use grammar::anchor::Brackets;
use std::path::Path;
use tree::transform::{Normalisation, normalise};
use tree::{Place, Text, Tree};

/// Partly bracketed sentences need a chart, so the longest are left out unless somebody asks for them.
const LONGEST_PARTIAL: usize = 200;

/// Everything that was read, and what was wrong with it.
#[derive(Debug)]
pub(super) struct Corpus {
    pub(super) trees: Vec<Tree<Text>>,
    /// Where each tree begins in its file.
    lines: Vec<u32>,
    pub(super) trees_name: String,
    source: Source,
    problems: Vec<Problem>,
    /// Trees that were not used because of an error in them.
    n_bad: usize,
    /// Trees that were not used because a machine built them.
    n_by_machine: usize,
    /// Sentences that are longer than the limit.
    pub(super) n_long: usize,
    pub(super) partial: Vec<Brackets>,
    partial_places: Vec<(usize, u32)>,
    partial_files: Vec<(Source, Vec<Problem>)>,
    pub(super) raw: Vec<Vec<Text>>,
    /// Name, size and checksum of each file, under the name of its role.
    pub(super) files: Vec<(String, String)>,
}

impl Corpus {
    /// Reads all files.
    pub(super) fn read(options: &Constituency, watch: &dyn Watch) -> anyhow::Result<Self> {
        let source = tree_source(options, watch)?;
        let mut corpus = Self {
            trees: Vec::new(),
            lines: Vec::new(),
            trees_name: source.name(),
            files: vec![("trees".to_string(), source.fingerprint()?)],
            source,
            problems: Vec::new(),
            n_bad: 0,
            n_long: 0,
            partial: Vec::new(),
            partial_places: Vec::new(),
            partial_files: Vec::new(),
            raw: Vec::new(),
            n_by_machine: 0,
        };
        let normalisation = match options.data.normalise {
            true => Some(survey::normalisation(&corpus.source, watch)?),
            false => None,
        };
        corpus.read_trees(options, normalisation.as_ref(), watch)?;
        for path in &options.data.partial {
            corpus.read_partial(path, options, watch)?;
        }
        for (role, paths) in
            [("raw text", &options.data.raw), ("transductive text", &options.data.transductive)]
        {
            for path in paths {
                corpus.read_raw(role, path, options.input.characters.encoding, watch)?;
            }
        }
        corpus.note(options, watch);
        Ok(corpus)
    }

    fn read_trees(
        &mut self,
        options: &Constituency,
        normalisation: Option<&Normalisation>,
        watch: &dyn Watch,
    ) -> anyhow::Result<()> {
        let progress = Progress::new(watch, self.source.size(), &self.source.name());
        let limit = options.data.limit.map_or(usize::MAX, |limit| limit as usize);
        let text = Watched::new(self.source.open()?, progress);
        for reading in everything::items(Format::Brackets, text) {
            let Read { value, line, problems } = reading.with_context(|| self.source.cannot_read())?;
            // What stands between trees, such as a stray bracket, is reported with the tree after it.
            let is_bad = problems.iter().any(|problem| problem.is_error() && problem.place.line >= line);
            self.problems.extend(problems);
            let Item::Tree(bracketed) = value else { continue };
            if options.data.trusted.trust == Trust::People && tree_marks::marked(&bracketed).is_some() {
                self.n_by_machine += 1;
                continue;
            }
            let Some(tree) = bracketed.tree else { continue };
            if is_bad {
                self.n_bad += 1;
            } else {
                self.add(tree, line, options, normalisation);
            }
            if self.trees.len() >= limit {
                break;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        tree: Tree<Text>,
        line: u32,
        options: &Constituency,
        normalisation: Option<&Normalisation>,
    ) {
        let tree = match normalisation {
            Some(normalisation) => normalise(&tree, normalisation),
            None => Some(tree),
        };
        let Some(tree) = tree else { return };
        if options.data.max_words.is_some_and(|most| tree.n_words() > most as usize) {
            self.n_long += 1;
        } else {
            self.trees.push(tree);
            self.lines.push(line);
        }
    }

    fn read_partial(&mut self, path: &Path, options: &Constituency, watch: &dyn Watch) -> anyhow::Result<()> {
        let honoured = Honoured {
            tags: true,
            brackets: true,
            normalise: options.data.normalise,
            trust: options.data.trusted.trust,
        };
        let read = Sentences::read(path, None, options.input.characters.encoding, honoured, watch)?;
        let longest = options.data.max_words.map_or(LONGEST_PARTIAL, |most| most as usize);
        self.files.push(("partial".to_string(), read.source.fingerprint()?));
        for line in read.lines {
            let Some(sentence) = line.sentence else { continue };
            if sentence.words.len() > longest {
                self.n_long += 1;
            } else {
                self.partial.push(sentence);
                self.partial_places.push((self.partial_files.len(), line.number));
            }
        }
        self.partial_files.push((read.source, read.problems));
        Ok(())
    }

    fn read_raw(
        &mut self,
        role: &str,
        path: &Path,
        encoding: EncodingName,
        watch: &dyn Watch,
    ) -> anyhow::Result<()> {
        let read = Sentences::read(path, None, encoding, Honoured::default(), watch)?;
        self.files.push((role.to_string(), read.source.fingerprint()?));
        self.raw.extend(read.words());
        Ok(())
    }

    /// What a newcomer may not have thought of.
    fn note(&self, options: &Constituency, watch: &dyn Watch) {
        if self.n_by_machine > 0 {
            let left_out = were(self.n_by_machine, "tree");
            watch.note(&format!(
                "note: {left_out} left out because a machine built them and nobody changed them; --trust imputed learns from \
                 them, and --partial from what people had said of them"
            ));
        }
        if self.n_long > 0 {
            let left_out = were(self.n_long, "sentence");
            watch.note(&format!("note: {left_out} left out because of the limit of words"));
        }
        let has_empty =
            |tree: &&Tree<Text>| tree.nodes().iter().any(|node| !node.is_word() && node.label == "-NONE-");
        let n_empty = self.trees.iter().filter(has_empty).count();
        if n_empty > 0 && !options.data.normalise {
            watch.note(&format!(
                "note: {n_empty} of {} trees have empty elements (-NONE-), which are learnt like words; --normalise takes them out",
                self.trees.len()
            ));
        }
    }

    /// Whether a file has errors, even if no sentence was lost to them.
    pub(super) fn has_errors(&self) -> bool {
        let partial = self.partial_files.iter().flat_map(|(_, problems)| problems);
        self.problems.iter().chain(partial).any(Problem::is_error)
    }

    /// Shows what was wrong and tells how many sentences could not be used.
    pub(super) fn report(
        &self,
        unusable: &[Unusable],
        options: &Constituency,
        watch: &dyn Watch,
    ) -> anyhow::Result<usize> {
        let mut problems = self.problems.clone();
        let mut partial: Vec<Vec<Problem>> = self.partial_files.iter().map(|file| file.1.clone()).collect();
        for unusable in unusable {
            let help = "it was left out of the training";
            match unusable {
                Unusable::Tree(at, error) => {
                    let place = Place::line(self.lines[*at]);
                    problems.push(Problem::error("empty-constituent", place, error.to_string(), help));
                }
                Unusable::Partial(at, error) => {
                    let (file, line) = self.partial_places[*at];
                    let place = Place::line(line);
                    partial[file].push(Problem::error("unusable-brackets", place, error.to_string(), help));
                }
            }
        }
        let (format, most) = (options.messages.message_format, options.messages.max_problems);
        problems::report(&self.source, &problems, format, most, watch)?;
        for ((source, _), problems) in self.partial_files.iter().zip(&partial) {
            problems::report(source, problems, format, most, watch)?;
        }
        let n_bad = self.n_bad + unusable.len();
        if n_bad > 0 {
            watch.note(&format!("{} left out because of the errors above", were(n_bad, "sentence")));
        }
        Ok(n_bad)
    }
}

/// Only brackets hold constituents; an empty file holds nothing in any format.
fn tree_source(options: &Constituency, watch: &dyn Watch) -> anyhow::Result<Source> {
    let mut source =
        Source::new(&options.file, options.input.from, options.input.characters.encoding, watch)?;
    if source.format != Format::Brackets {
        if !source.sample()?.trim().is_empty() {
            return Err(Usage(format!(
                "{} is read as {}, which has no constituents; training needs bracketed trees (`treelet convert` makes them from dependencies, --from brackets reads the file as such)",
                source.name(),
                source.format.name()
            ))
            .into());
        }
        source.format = Format::Brackets;
    }
    Ok(source)
}
