//! `treelet induce hmm`: a hidden Markov model over words.

use super::common::{self, Common};
use super::corpus::Seen;
use crate::models;
use crate::options::EncodingName;
use crate::options::induce::Hmm as Choices;
use crate::outcome::{Done, Figures, Usage};
use crate::use_cases::tag::read_dictionary;
use crate::watch::Watch;
use induce::hmm::HmmSentence;
use induce::hmm::model::{HmmModel, Words};
use induce::{Family, Task, random};
use std::collections::BTreeMap;
use std::path::Path;
use tree::{Place, Text};

/// Learns a hidden Markov model over words, and writes it.
pub fn induce_hmm(options: &Choices, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    let common = Common::new(&options.learner, watch)?;
    common.note_ignored();
    watch.without_effect(&["--tags"], "states are found from words, not from tags");
    let lexicon = options.dictionary.as_deref().map(TagLexicon::read).transpose()?;
    let workers = models::workers(options.learner.course.threads)?;
    let (corpora, has_problems) = common.read(&options.learner, Seen::Forms, false)?;
    let known = |word: &str| lexicon.as_ref().is_some_and(|lexicon| lexicon.tags.contains_key(word));
    // Words of the dictionary may come in new text, also if they are not in this one.
    let listed = lexicon.iter().flat_map(|lexicon| lexicon.tags.keys());
    let words = Words::new(corpora.forms.iter().flatten().chain(listed).map(Text::as_str), known);
    let states = match &lexicon {
        Some(lexicon) => lexicon.names.clone(),
        None => (0..options.states.unwrap_or(12)).map(|state| format!("S{state}").into()).collect(),
    };
    let dictionary = lexicon.map_or_else(BTreeMap::new, |lexicon| lexicon.by_number(&words));
    let family = HmmModel::family_of(&words, states.len(), &dictionary);
    let number = |all: &[Vec<Text>]| -> Vec<HmmSentence> {
        all.iter().map(|forms| words.number(forms.iter().map(Text::as_str))).collect()
    };
    let (items, held_out) = (number(&corpora.forms), number(&corpora.held_out_forms));
    let settings = common::settings(&options.learner.learning, options.learner.course.chance.seed);
    let starts = (0..options.beginnings.restarts as usize)
        .map(|number| random::start(family.rows(), options.learner.course.chance.seed, number))
        .collect();
    let fingerprint = corpora.fingerprint(&(&settings, &states, &dictionary));
    let task = Task { family: &family, items: &items, held_out: &held_out, starts, fingerprint };
    let induced = common.induce(&task, &settings, &workers)?;
    let notes = common.notes(&corpora, &induced, &settings);
    let model = HmmModel { words, states, dictionary, grammar: induced.grammar.clone(), notes };
    common.run.written(model.write(&options.learner.corpus.new_model.output))?;
    let result = common.say(
        &corpora,
        &induced,
        &format!("treelet parse {} TEXT.conllu", options.learner.corpus.new_model.output.display()),
    );
    Ok(Done { result, has_problems })
}

/// Which tags words may have.
struct TagLexicon {
    names: Vec<Text>,
    tags: BTreeMap<Text, Vec<u32>>,
}

impl TagLexicon {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let (source, found) = read_dictionary(path, EncodingName::Unicode)?;
        if let Some(problem) = found.problems.iter().find(|problem| problem.is_error()) {
            let Place { line, column, .. } = problem.place;
            let (name, message, help) = (source.name(), &problem.message, &problem.help);
            return Err(Usage(format!("{name}:{line}:{column}: {message}; {help}")).into());
        }
        let mut lexicon = Self { names: Vec::new(), tags: BTreeMap::new() };
        for entry in found.entries {
            let tags: Vec<u32> = entry.tags.iter().map(|tag| lexicon.number(tag)).collect();
            lexicon.tags.entry(entry.word.to_lowercase().into()).or_default().extend(tags);
        }
        if lexicon.tags.is_empty() {
            return Err(Usage(format!("{} has no words", path.display())).into());
        }
        Ok(lexicon)
    }

    fn number(&mut self, tag: &str) -> u32 {
        let at = self.names.iter().position(|name| name == tag).unwrap_or_else(|| {
            self.names.push(tag.into());
            self.names.len() - 1
        });
        at as u32
    }

    /// For the words of a text that have numbers of their own.
    fn by_number(self, words: &Words) -> BTreeMap<u32, Vec<u32>> {
        let sorted = |mut tags: Vec<u32>| {
            tags.sort_unstable();
            tags.dedup();
            tags
        };
        self.tags.into_iter().filter_map(|(word, tags)| Some((words.get(&word)?, sorted(tags)))).collect()
    }
}
