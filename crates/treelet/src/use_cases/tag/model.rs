//! The file of a tagger.

use crate::imputation::fragments::TagChoice;
use crate::models;
use crate::options::impute::TagColumn;
use chain::container::{self, Header};
use formats::att;
use segment::Segmenter;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tag::certainty::Basis;
use tag::crf::Crf;
use tag::pipeline::HmmTagger;
use tag::{Analyser, Certainty, Choice, Dictionary, Surface, TagSet};
use tree::{Text, Transducer};

/// The kind of the file.
pub(crate) const KIND: &str = "model/tagger";
/// The layout of the file; raised when it changes.
const VERSION: u32 = 2;

/// A tagger with all that it needs.
#[derive(Debug)]
pub(crate) struct TaggerModel {
    pub(crate) column: TagColumn,
    pub(crate) tagger: Tagger,
    /// Words that were annotated, with their tags in rising order.
    pub(crate) dictionary: HashMap<Text, Choice>,
    pub(crate) analyser: Option<Analyser>,
    pub(crate) segmenter: Option<Segmenter>,
    /// How sure tags are.
    pub(crate) certainty: Certainty,
    pub(crate) notes: BTreeMap<String, String>,
}

/// What gives tags to words.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Tagger {
    /// The last stage.
    Crf(Box<Crf>),
    /// The stage before it, where it is the last.
    Hmm(Box<HmmTagger>),
}

impl Tagger {
    pub(crate) fn tags(&self) -> &TagSet {
        match self {
            Tagger::Crf(crf) => crf.tags(),
            Tagger::Hmm(hmm) => hmm.tags(),
        }
    }

    /// Features that have weights; a hidden Markov model has none.
    pub(crate) fn n_features(&self) -> usize {
        match self {
            Tagger::Crf(crf) => crf.n_features(),
            Tagger::Hmm(_) => 0,
        }
    }

    /// What speaks for each tag after this one: weights, or the logarithm of how much more probable it is than on average.
    pub(crate) fn followers(&self, tag: u32) -> Vec<f32> {
        match self {
            Tagger::Crf(crf) => crf.followers(tag).to_vec(),
            Tagger::Hmm(hmm) => hmm.followers(tag).iter().map(|&value| value as f32).collect(),
        }
    }
}

/// A tagger as its file has it.
#[derive(Serialize, Deserialize)]
struct StoredTagger {
    column: String,
    tagger: Tagger,
    dictionary: Vec<(Text, Vec<u32>)>,
    transducer: Option<StoredTransducer>,
    morphs: Option<segment::Model>,
    certainty: Certainty,
}

#[derive(Serialize, Deserialize)]
struct StoredTransducer {
    /// In AT&T's format.
    text: String,
    /// Whether words stand on the first side.
    by_input: bool,
}

impl TaggerModel {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let (header, stored): (Header, StoredTagger) =
            container::read(path, KIND, VERSION).map_err(models::file_error)?;
        let dictionary = stored.dictionary.into_iter();
        let dictionary = dictionary.map(|(word, tags)| (word, Choice::Among(tags.into()))).collect();
        let analyser = stored.transducer.map(StoredTransducer::analyser).transpose()?;
        let segmenter = stored.morphs.as_ref().map(segmenter).transpose()?;
        let column = TagChoice::from_name(&stored.column).map_or(TagColumn::Upos, |choice| choice.0);
        let StoredTagger { tagger, certainty, .. } = stored;
        Ok(Self { column, tagger, dictionary, analyser, segmenter, certainty, notes: header.notes })
    }

    pub(crate) fn tags(&self) -> &TagSet {
        self.tagger.tags()
    }

    /// What an analyser and a segmenter say of a word, as features.
    pub(crate) fn further(&self) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + '_ {
        further(self.analyser.as_ref(), self.segmenter.as_ref())
    }
}

/// How it was found out how sure tags are.
pub(crate) fn described(certainty: &Certainty) -> String {
    let n = certainty.n_words;
    match certainty.basis {
        Basis::Nothing => {
            "not calibrated, for there were too few words to find out how often tags are right".into()
        }
        _ if !certainty.is_calibrated() => {
            format!(
                "calibrated on {n} words of several tags; not calibrated for words outside the dictionary"
            )
        }
        Basis::Sentences => format!("calibrated on {n} words of tagged sentences that were held out"),
        Basis::Dictionary => {
            format!("calibrated on {n} words whose dictionary entries were hidden or changed")
        }
    }
}

/// A segmenter, if its model is whole.
pub(crate) fn segmenter(model: &segment::Model) -> anyhow::Result<Segmenter> {
    anyhow::ensure!(model.is_sound(), "the segmentation in the model is damaged");
    Ok(Segmenter::new(model)?)
}

/// What an analyser and a segmenter say of words, as features; nothing without them.
pub(crate) fn further<'a>(
    analyser: Option<&'a Analyser>,
    segmenter: Option<&'a Segmenter>,
) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + 'a {
    move |word, visit| {
        if let Some(analyser) = analyser {
            analyser.features(word).iter().for_each(|feature| visit(feature));
        }
        if let Some(segmenter) = segmenter {
            of_morphs(&segmenter.segment(word, &segment::Viterbi::default()).morphs, visit);
        }
    }
}

/// The first and the last morph, and each one wherever it stands.
fn of_morphs(morphs: &[&str], visit: &mut dyn FnMut(&str)) {
    if let ([first, ..], [.., last]) = (morphs, morphs) {
        visit(&format!("first morph {first}"));
        visit(&format!("last morph {last}"));
    }
    morphs.iter().for_each(|morph| visit(&format!("morph {morph}")));
}

/// Writes a tagger to a file.
pub(crate) fn write(
    path: &Path,
    (column, tagger, certainty): (TagColumn, Tagger, Certainty),
    dictionary: &Dictionary,
    (transducer, morphs): (Option<(&Transducer, Surface)>, Option<segment::Model>),
    notes: BTreeMap<String, String>,
) -> Result<(), chain::Error> {
    let entries = dictionary.iter().map(|(word, tags)| {
        let mut tags: Vec<u32> = tags.iter().map(|(tag, _)| *tag).collect();
        tags.sort_unstable();
        (word.clone(), tags)
    });
    let dictionary = entries.filter(|(_, tags)| !tags.is_empty()).collect();
    let transducer = transducer.map(|(transducer, surface)| StoredTransducer::new(transducer, surface));
    let column = TagChoice(column).name().to_string();
    let header = Header { kind: KIND.into(), version: VERSION, notes };
    let stored = StoredTagger { column, tagger, dictionary, transducer, morphs, certainty };
    container::write(path, &header, &stored)
}

impl StoredTransducer {
    fn new(transducer: &Transducer, surface: Surface) -> Self {
        let mut text = Vec::new();
        // Memory can be written to.
        let _ = att::write(transducer, &mut text);
        Self { text: String::from_utf8_lossy(&text).into_owned(), by_input: surface == Surface::Input }
    }

    fn analyser(self) -> anyhow::Result<Analyser> {
        let transducer = att::read(self.text.as_bytes())?.transducer;
        Ok(Analyser::new(transducer, if self.by_input { Surface::Input } else { Surface::Output }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chain::Workers;
    use tag::Tagged;
    use tag::crf::{CrfOptions, Material, NOTHING_FURTHER};

    fn tagger() -> Tagger {
        let mut tags = TagSet::default();
        let choices = vec![Choice::Known(tags.insert("DET")), Choice::Known(tags.insert("NOUN"))];
        let sentences = [Tagged { words: vec!["the".into(), "goat".into()], choices, weight: 1.0 }];
        let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
        let crf = Crf::train(material, NOTHING_FURTHER, &CrfOptions::default(), &Workers::serial());
        Tagger::Crf(Box::new(crf.expect("there are tags")))
    }

    #[test]
    fn a_model_of_the_first_version_is_refused_with_advice() {
        let file = tempfile::NamedTempFile::new().expect("a scratch file");
        let header = Header { kind: KIND.into(), version: 1, notes: BTreeMap::new() };
        container::write(file.path(), &header, &0u8).expect("a file that can be written");
        let said = TaggerModel::read(file.path()).expect_err("an old model cannot be read");
        assert!(format!("{said:#}").contains("make it again"), "{said:#}");
    }

    #[test]
    fn what_is_known_of_probabilities_goes_into_the_file_and_comes_back() {
        let file = tempfile::NamedTempFile::new().expect("a scratch file");
        let certainty =
            Certainty { n_words: 7, basis: Basis::Sentences, listed: 0.9, ..Certainty::default() };
        let dictionary = Dictionary::from_pairs([("goat", "NOUN"), ("goat", "DET")]);
        let model = (TagColumn::Xpos, tagger(), certainty);
        write(file.path(), model, &dictionary, (None, None), BTreeMap::new())
            .expect("a file that can be written");
        let model = TaggerModel::read(file.path()).expect("a new model can be read");
        assert_eq!((model.certainty, model.column), (certainty, TagColumn::Xpos));
    }
}
