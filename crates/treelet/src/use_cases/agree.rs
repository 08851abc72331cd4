//! Annotators compared with one another and with gold, and made one.

mod annotators;
pub(crate) mod columns;
pub(crate) mod combined;
pub(crate) mod groups;
pub(crate) mod pairs;
pub(crate) mod people;
mod rest;
mod told;

pub use annotators::{AgainstGold, Annotator, Completion, HeadedBy};
pub use columns::{ColumnAgreement, Confusion, LabelCounts};
pub use pairs::{Agreement, Heads, Overall, Pair};

use super::check::report_problems;
use crate::imputation::annotated::{AnnotatedCorpus, AnnotatedSentence, Aside, heads_of};
use crate::imputation::fragments::{self, TagChoice};
use crate::imputation::identity::{Key, Keys};
use crate::models;
use crate::options::study::Agree;
use crate::options::{Input, impute};
use crate::outcome::Done;
use crate::watch::Watch;
use people::{People, Truth};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tree::PutInOrder;

/// How far annotators agree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreed {
    /// What each of them did.
    pub annotators: Vec<Annotator>,
    /// Pairs of them, and all together.
    pub agreement: Agreement,
    /// How far they agree on each column, by its name.
    #[serde(serialize_with = "as_map")]
    pub columns: Vec<(String, ColumnAgreement)>,
}

/// Pairs as an object, in their order.
fn as_map<V: Serialize, S: Serializer>(pairs: &[(String, V)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Compares annotators with one another and with gold; where a file is given, one annotation is made of all and written.
pub fn agree(options: &Agree, watch: &dyn Watch) -> anyhow::Result<Done<Agreed>> {
    agree_and_show(options, watch, |_| Ok(()))
}

/// As [`agree`], and hands over the figures before the annotations are combined, so that notes about that stand below them.
pub fn agree_and_show(
    options: &Agree,
    watch: &dyn Watch,
    show: impl FnOnce(&Agreed) -> anyhow::Result<()>,
) -> anyhow::Result<Done<Agreed>> {
    check_files(options)?;
    let corpora = read(options, watch)?;
    let mut aside = Vec::new();
    let plain = Input { from: None, characters: options.input.characters };
    let gold = options.gold.as_ref().map(|path| AnnotatedCorpus::read(path, &plain, watch)).transpose()?;
    let files = corpora.iter().chain(&gold).map(|corpus| corpus.sentences.as_slice());
    let keys = Keys::new(files);
    let gold = gold.map_or_else(BTreeMap::new, |corpus| truths(corpus, &keys, &mut aside));
    let sentences = corpora.iter().flat_map(|corpus| &corpus.sentences).map(|one| &one.sentence);
    let tags = TagChoice::resolve(options.tags, sentences);
    let (people, mut problems) = People::new(&corpora, &keys, &gold, tags);
    let agreed = Agreed {
        annotators: annotators::all(&people, options.gold.is_some()),
        agreement: Agreement::new(&people),
        columns: columns::all(&people, options.trusted.trust == impute::Trust::Imputed),
    };
    show(&agreed)?;
    note_keys(&keys, &people, watch);
    if let (Some(how), Some(output)) = (options.combine, &options.output) {
        combined::write(how, &people, output, options, watch)?;
    }
    let mut has_problems = false;
    for (corpus, problems) in corpora.iter().zip(&mut problems) {
        problems.order_by_key(|problem| problem.place.line);
        has_problems |= report_problems(&corpus.source, problems, &options.messages, watch)?;
    }
    aside.extend(corpora.into_iter().flat_map(|corpus| corpus.aside));
    has_problems |= Aside::report(&aside, &options.messages, watch)?;
    Ok(Done { result: agreed, has_problems })
}

fn read(options: &Agree, watch: &dyn Watch) -> anyhow::Result<Vec<AnnotatedCorpus>> {
    let read = |path: &PathBuf| -> anyhow::Result<AnnotatedCorpus> {
        let trust = options.trusted.trust;
        let mut corpus = AnnotatedCorpus::read_trusting(trust, path, &options.input, watch)?;
        corpus.note_taken_back(watch);
        fragments::lay_over(&mut corpus, &choices(options), &options.input, watch)?;
        Ok(corpus)
    };
    options.files.iter().map(read).collect()
}

/// Says how sentences were told apart if that is in doubt, and if nobody is there to agree with.
fn note_keys(keys: &Keys, people: &People<'_>, watch: &dyn Watch) {
    if let Some(note) = keys.note() {
        watch.note(&note);
    }
    if people.names.len() < 2 {
        watch.note(
            "note: there is one annotator only; agreement takes two files, or a file with sections ANNOTATOR",
        );
    }
}

fn check_files(options: &Agree) -> anyhow::Result<()> {
    let inputs = options.files.iter().chain(&options.gold).chain(&options.words);
    crate::source::only_one_stdin(inputs.clone())?;
    if let Some(output) = options.output.as_deref().filter(|output| *output != Path::new("-")) {
        models::refuse_same(output, inputs.map(|path| path.as_path()))?;
        models::check_output(output, "the combined annotation")?;
    }
    Ok(())
}

fn choices(options: &Agree) -> impute::ReadingChoices {
    impute::ReadingChoices {
        words: options.words.clone(),
        tags: options.tags,
        brackets: impute::BracketChoice::Subtree,
        multiword: impute::MultiwordChoice::First,
        coordination: impute::CoordinationChoice::Coordinator,
        omit_unmentioned: false,
        trusted: options.trusted,
    }
}

/// Gold heads by sentence.
fn truths(corpus: AnnotatedCorpus, keys: &Keys, aside: &mut Vec<Aside>) -> BTreeMap<Key, Truth> {
    let truth = |one: &AnnotatedSentence| {
        let heads =
            if one.is_fragment { ::score::agreement::definite_heads(&one.said) } else { heads_of(&one.said) };
        Truth { sentence: one.sentence.clone(), heads }
    };
    let keyed = keys.of_file(&corpus.sentences).into_iter().zip(corpus.sentences.iter().map(truth)).collect();
    aside.push(Aside::new(corpus));
    keyed
}
