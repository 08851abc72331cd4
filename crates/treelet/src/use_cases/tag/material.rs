//! What a tagger learns from, as files have it.

use super::forms::Forms;
use super::rows;
use super::tag_of;
use super::tag_set::Tags;
use super::transducer;
use crate::batches::{Input, Wanted};
use crate::imputation::fragments::TagChoice;
use crate::options::Messages;
use crate::options::impute::{TagColumn, Trust};
use crate::options::tag::TagTrain;
use crate::outcome::Usage;
use crate::source::Source;
use crate::use_cases::check::report_problems;
use crate::use_cases::segment;
use crate::watch::Watch;
use anyhow::Context;
use formats::Problem;
use formats::tag_dictionary::{self, TagDictionary};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use tag::pipeline::Supervision;
use tag::{Analyser, Choice, Dictionary, Ranking, Tagged};
use tree::provenance::{self, Column};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Transducer};

/// Sentences that are read at a time.
const BATCH: usize = 4096;

/// Everything that was read.
#[derive(Debug)]
pub(super) struct Material {
    pub(super) column: TagColumn,
    /// Annotated types, and all tags.
    pub(super) dictionary: Dictionary,
    pub(super) tagged: Vec<Tagged>,
    pub(super) held_out: Vec<Tagged>,
    pub(super) raw: Vec<Vec<Text>>,
    pub(super) transducer: Option<(Transducer, Analyser)>,
    pub(super) morphs: Option<::segment::Model>,
    pub(super) notes: BTreeMap<String, String>,
    /// Whether anything is wrong with the files.
    pub(super) has_errors: bool,
}

impl Material {
    pub(super) fn read(options: &TagTrain, watch: &dyn Watch) -> anyhow::Result<Self> {
        let mut reader = MaterialReader {
            options,
            watch,
            tags: Tags::new(options.tagset.as_deref())?,
            forms: Forms::default(),
            notes: BTreeMap::from([("program".into(), format!("treelet {}", env!("CARGO_PKG_VERSION")))]),
            has_errors: false,
        };
        let entries = options.dict.as_deref().map(|path| reader.dictionary(path)).transpose()?;
        let corpora =
            options.tokens.iter().map(|path| reader.rows(path)).collect::<anyhow::Result<Vec<_>>>()?;
        // A dictionary does not say which column its tags are for.
        let asked = options.column.or(if corpora.is_empty() { Some(TagColumn::Upos) } else { None });
        let column = TagChoice::resolve(asked, corpora.iter().flatten()).0;
        if asked.is_none() && column == TagColumn::Xpos {
            watch.note("note: no word has a tag in UPOS that a person gave; the tagger learns those in XPOS");
        }
        let tagged = corpora.iter().flatten().map(|sentence| reader.tagged(sentence, column)).collect();
        let held_out = options.held_out.as_deref().map(|path| reader.rows(path)).transpose()?;
        let held_out = held_out.iter().flatten().map(|sentence| reader.tagged(sentence, column)).collect();
        let mut raw = Vec::new();
        for path in &options.raw {
            reader.raw(path, &mut raw)?;
        }
        let mut dictionary = Dictionary::new(reader.tags.set.clone());
        let has_weights = entries.iter().flatten().any(|entry| entry.has_weights);
        for DictionaryEntry { word, tags, .. } in entries.into_iter().flatten() {
            tags.iter().for_each(|&(tag, weight)| dictionary.count(&word, tag, weight));
        }
        if !has_weights {
            dictionary = reader.ranked(dictionary);
        }
        let mut material = Material {
            column,
            dictionary,
            tagged,
            held_out,
            raw,
            transducer: None,
            morphs: None,
            notes: BTreeMap::new(),
            has_errors: false,
        };
        if let Some(path) = &options.fst {
            material.transducer = Some(reader.transducer(path, &material)?);
        }
        if let Some(path) = &options.segmenter {
            material.morphs = Some(segment::models::read(path, &options.messages, watch)?);
            let source = Source::without_format(path, options.characters.encoding)?;
            reader.notes.insert("segmenter".into(), source.fingerprint()?);
        }
        reader.tags.warn(watch);
        reader.forms.note(watch);
        reader.notes.insert("column".into(), TagChoice(column).name().into());
        (material.notes, material.has_errors) = (reader.notes, reader.has_errors);
        Ok(material)
    }

    /// What all stages learn from.
    pub(super) fn supervision(&self) -> Supervision {
        Supervision {
            dictionary: self.dictionary.clone(),
            tagged: self.tagged.clone(),
            raw: self.raw.clone(),
        }
    }

    /// All words of all sentences.
    pub(super) fn words(&self) -> impl Iterator<Item = &Text> + Clone {
        self.tagged.iter().flat_map(|sentence| &sentence.words).chain(self.raw.iter().flatten())
    }
}

/// A word with the numbers of its tags, and how often it has them.
struct DictionaryEntry {
    word: String,
    tags: Vec<(u32, f64)>,
    has_weights: bool,
}

struct MaterialReader<'a> {
    options: &'a TagTrain,
    watch: &'a dyn Watch,
    tags: Tags,
    forms: Forms,
    notes: BTreeMap<String, String>,
    has_errors: bool,
}

impl MaterialReader<'_> {
    /// The words of a dictionary with their tags.
    fn dictionary(&mut self, path: &Path) -> anyhow::Result<Vec<DictionaryEntry>> {
        let (source, found) = read_dictionary(path, self.options.characters.encoding)?;
        self.report(&source, &found.problems)?;
        self.notes.insert("dictionary".into(), source.fingerprint()?);
        if found.entries.is_empty() {
            return Err(Usage(format!(
                "{} has no words; write a word, a tab and its tags on each line",
                source.name()
            ))
            .into());
        }
        let entry = |found: tag_dictionary::Entry| {
            let numbers = found.tags.iter().map(|tag| self.tags.number(tag));
            let weights = found.weights.iter().flatten().copied().chain(std::iter::repeat(1.0));
            let tags = numbers.zip(weights).filter_map(|(tag, weight)| Some((tag?, weight))).collect();
            DictionaryEntry { word: found.word, tags, has_weights: found.weights.is_some() }
        };
        Ok(found.entries.into_iter().map(entry).collect())
    }

    /// Lets the order of tags count, if it tells anything.
    fn ranked(&mut self, dictionary: Dictionary) -> Dictionary {
        let (ranked, ranking) = dictionary.ranked();
        let order = match ranking {
            Ranking::Single => return ranked,
            Ranking::Preferred => "the first tag of a word counts most",
            Ranking::Fixed => {
                self.watch.note(
                    "note: every two tags of the dictionary stand in the same order wherever they stand together, so that it says \
                     nothing of words; write the most frequent tag of a word first, or numbers into a third column",
                );
                "the same everywhere, not used"
            }
        };
        self.notes.insert("order of tags".into(), order.into());
        ranked
    }

    /// Notes a file under its role and its number among those of that role.
    fn note_file(&mut self, role: &str, fingerprint: String) {
        let number = 1 + self.notes.keys().filter(|name| name.starts_with(&format!("{role} "))).count();
        self.notes.insert(format!("{role} {number}"), fingerprint);
    }

    /// The sentences of a file with rows.
    fn rows(&mut self, path: &Path) -> anyhow::Result<Vec<Sentence>> {
        let (mut sentences, aside) =
            rows::read(path, self.options.characters.encoding, self.options.column, self.watch)?;
        self.note_file("tokens", aside.source.fingerprint()?);
        if self.options.trusted.trust == Trust::People {
            let tags = [Column::Upos, Column::Xpos];
            let n_taken: usize =
                sentences.iter_mut().map(|sentence| provenance::take_back(sentence, &tags)).sum();
            if n_taken > 0 {
                self.watch.note(&format!(
                    "note: {}: {n_taken} tags that a machine had filled in are left out; --trust imputed learns from them",
                    aside.source.name()
                ));
            }
        }
        self.report(&aside.source, &aside.problems)?;
        Ok(sentences)
    }

    fn tagged(&mut self, sentence: &Sentence, column: TagColumn) -> Tagged {
        let tags = &mut self.tags;
        let choice = |token| match tag_of(column, token) {
            tag if *tag == UNSPECIFIED => Choice::Any,
            tag => tags.number(tag).map_or(Choice::Any, Choice::Known),
        };
        let choices = sentence.words().map(choice).collect();
        Tagged { words: self.forms.of(sentence), choices, weight: 1.0 }
    }

    /// Sentences without tags.
    fn raw(&mut self, path: &Path, raw: &mut Vec<Vec<Text>>) -> anyhow::Result<()> {
        let mut input = Input::open(
            path,
            self.options.format(),
            self.options.characters.encoding,
            Wanted::default(),
            self.watch,
        )?;
        let mut problems = Vec::new();
        loop {
            let batch = input.next_batch(BATCH)?;
            if batch.is_empty() {
                break;
            }
            for given in batch {
                raw.push(self.forms.of(&given.annotated.sentence));
                problems.extend(given.annotated.errors);
            }
        }
        let (source, problems) = input.finish(problems);
        self.note_file("raw", source.fingerprint()?);
        self.report(&source, &problems)
    }

    fn transducer(&mut self, path: &Path, material: &Material) -> anyhow::Result<(Transducer, Analyser)> {
        let source = Source::without_format(path, self.options.characters.encoding)?;
        let read = transducer::read(path, &source)?;
        self.report(&source, &read.problems)?;
        self.notes.insert("fst".into(), source.fingerprint()?);
        if read.transducer.n_arcs() == 0 {
            return Err(Usage(format!(
                "{} has no arcs; give a transducer in AT&T's format, a lexicon or a script",
                source.name()
            ))
            .into());
        }
        let mut met = HashSet::new();
        let types: Vec<&str> =
            material.words().map(Text::as_str).filter(|word| met.insert(*word)).take(TYPES_TRIED).collect();
        let sample = types.iter().copied();
        let analyser = Analyser::fitting(read.transducer.clone(), sample.clone());
        let found = sample.clone().map(|word| analyser.look_up(word));
        let (mut n_found, mut n_cut) = (0usize, 0usize);
        for looked_up in found {
            n_found += usize::from(!looked_up.analyses.is_empty());
            n_cut += usize::from(looked_up.cut || looked_up.looped);
        }
        self.watch.note(&format!("{}: analyses of {n_found} of {} types", source.name(), types.len()));
        if n_cut > 0 {
            self.watch.remark(&format!(
                "warning: {}: {n_cut} types have analyses without end or too many of them, of which some are used",
                source.name()
            ));
        }
        Ok((read.transducer, analyser))
    }

    fn report(&mut self, source: &Source, problems: &[Problem]) -> anyhow::Result<()> {
        self.has_errors |= report_problems(source, problems, &self.options.messages, self.watch)?;
        Ok(())
    }
}

/// Types that are looked up to find out which side of a transducer words stand on.
const TYPES_TRIED: usize = 2000;

/// Reads a tag dictionary.
pub(crate) fn read_dictionary(
    path: &Path,
    encoding: crate::options::EncodingName,
) -> anyhow::Result<(Source, TagDictionary)> {
    let source = Source::without_format(path, encoding)?;
    let found = tag_dictionary::read(source.open()?).with_context(|| source.cannot_read())?;
    Ok((source, found))
}

/// How problems are shown where no option says so.
pub(crate) const MESSAGES: Messages =
    Messages { message_format: crate::options::MessageFormat::Human, max_problems: 10 };
