//! `treelet parse` with a model of `treelet induce dmv`.

use crate::imputation::annotated::{AnnotatedCorpus, word_ids};
use crate::imputation::rows::{id_of, rounded, set_head};
use crate::models;
use crate::options::parse::{DecodeName, Parse};
use crate::options::{Input, MessageFormat, Messages};
use crate::outcome::{Done, Usage};
use crate::table::plural;
use crate::target::Target;
use crate::use_cases::check::report_problems;
use crate::use_cases::impute::parsing::{forget_heads, tagged_format};
use crate::use_cases::parse::{InducedFigures, ParsedBy, ParsedFile, ignored};
use crate::watch::Watch;
use anyhow::Context;
use formats::conllu;
use induce::dmv::DmvMemory;
use induce::dmv::model::{self, DmvModel, Tags, is_punctuation};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use tree::provenance::Column;
use tree::{Heads, Sentence, Text};

pub(super) const MESSAGES: Messages = Messages { message_format: MessageFormat::Human, max_problems: 10 };

pub(super) fn run(options: &Parse, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    if what.to.output != Path::new("-") {
        models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.to.output, "the trees")?;
    }
    let decode = decode(options, &["--decode", "--posteriors", "--no-marks"], watch)?;
    let workers = models::workers(what.threads)?;
    let model = DmvModel::read(&what.model).map_err(models::file_error)?;
    let format = tagged_format(what.reading.format())?;
    let mut corpus = AnnotatedCorpus::read(
        &what.input,
        &Input { from: format, characters: what.reading.characters },
        watch,
    )?;
    let ignored_heads = forget_heads(&mut corpus, "", watch);
    let stop = watch.stop_flag("stopping");
    let (family, grammar) = (model.family(), model.smoothed());
    let parsed = workers.map_with(&corpus.sentences, DmvMemory::default, |memory, _, annotated| {
        let words = Words::new(&annotated.sentence, model.fine_tags, model.punctuation);
        let numbered = model.tags.number(words.kept.iter().map(|&at| words.tags[at - 1].as_str()));
        let found = match stop.load(Ordering::Relaxed) {
            true => None,
            false => model.parse(&family, &grammar, &numbered, decode, memory),
        };
        words.whole(found)
    });
    if stop.load(Ordering::Relaxed) {
        return Err(models::stopped(&what.to.output));
    }
    let mut output = Target::create(&what.to.output)?;
    let machine = models::signing("dmv", what)?;
    for (number, (annotated, whole)) in corpus.sentences.iter().zip(&parsed).enumerate() {
        let written = match what.is_json() {
            true => writeln!(output, "{}", whole.json(&annotated.sentence, number + 1)),
            false => {
                let rows = whole.rows(&annotated.sentence, machine.as_deref(), options.posteriors);
                conllu::write(&rows, &mut output)
            }
        };
        written.with_context(|| format!("cannot write {}", what.to.output.display()))?;
    }
    if output.is_file() {
        let sentences = plural(parsed.len(), "sentence");
        watch.note(&format!("{}: {sentences}", what.to.output.display()));
    }
    output.finish(watch)?;
    let unseen_tags = note_unseen(&corpus, &model.tags, model.fine_tags, model.punctuation, watch);
    if corpus.sentences.is_empty() {
        watch.note(&format!("note: {} has no sentences", corpus.source.name()));
    }
    let mut problems = corpus.errors.clone();
    problems.extend(corpus.sentences.iter().flat_map(|annotated| annotated.errors.clone()));
    let has_problems = report_problems(&corpus.source, &problems, &MESSAGES, watch)?;
    let unanalysed = parsed.iter().filter(|whole| whole.sure.iter().all(Option::is_none)).count();
    let by = InducedFigures { ignored_heads, unseen_tags, unanalysed, ..InducedFigures::default() };
    let result = ParsedFile {
        output: Some(what.to.output.clone()),
        sentences: parsed.len(),
        words: corpus.n_words(),
        by: ParsedBy::Dmv(by),
    };
    Ok(Done { result, has_problems })
}

pub(super) fn decode(
    options: &Parse,
    heeded: &[&str],
    watch: &dyn Watch,
) -> anyhow::Result<model::TreeDecode> {
    let decode = match options.decode {
        DecodeName::Viterbi => model::TreeDecode::Viterbi,
        DecodeName::Mbr | DecodeName::MaxRule => model::TreeDecode::Mbr,
        DecodeName::Mode => {
            return Err(Usage("--decode mode: an induced grammar has viterbi and mbr".into()).into());
        }
    };
    ignored::note(heeded, "an induced grammar", watch);
    Ok(decode)
}

/// The words of a sentence that the grammar sees.
pub(super) struct Words {
    /// The tags of all words.
    pub(super) tags: Vec<Text>,
    /// The positions of those that are seen, from 1.
    pub(super) kept: Vec<usize>,
}

/// The tree of a whole sentence.
struct Whole {
    heads: Vec<usize>,
    /// How probable each arc is; none for words that the grammar does not see.
    sure: Vec<Option<f64>>,
}

impl Words {
    pub(super) fn new(sentence: &Sentence, fine_tags: bool, punctuation: bool) -> Self {
        let tag = |word: &tree::Token| if fine_tags { word.xpos.clone() } else { word.upos.clone() };
        let tags: Vec<Text> = sentence.words().map(tag).collect();
        let kept = (1..=tags.len()).filter(|&at| !(punctuation && is_punctuation(&tags[at - 1]))).collect();
        Self { tags, kept }
    }

    /// Puts the tree over all words: punctuation hangs from the word that hangs from the root, and where there are no other
    /// words, from the first of its kind.
    fn whole(&self, found: Option<(Heads, Vec<f64>)>) -> Whole {
        let n = self.tags.len();
        let mut whole = Whole { heads: vec![0; n], sure: vec![None; n] };
        let mut top = None;
        if let Some((heads, sure)) = found {
            for (word, &at) in (1..).zip(&self.kept) {
                whole.heads[at - 1] = heads.head(word).checked_sub(1).map_or(0, |head| self.kept[head]);
                whole.sure[at - 1] = sure.get(word - 1).copied();
            }
            top = self.kept.iter().copied().find(|&at| whole.heads[at - 1] == 0);
        }
        let top = top.unwrap_or(1);
        for at in 1..=n {
            if at != top && (self.kept.binary_search(&at).is_err() || whole.sure[at - 1].is_none()) {
                whole.heads[at - 1] = top;
            }
        }
        whole
    }
}

impl Whole {
    fn rows(&self, sentence: &Sentence, machine: Option<&str>, marks: bool) -> Sentence {
        let mut sentence = sentence.clone();
        let ids = word_ids(&sentence);
        for ((token, &head), sure) in sentence.words_mut().zip(&self.heads).zip(&self.sure) {
            set_head(token, head, &ids);
            let sure = sure.filter(|_| marks);
            match machine {
                Some(machine) => {
                    Column::Head.mark(token, machine, sure);
                    Column::Deprel.mark(token, machine, None);
                }
                None => Column::Head.say_probability(token, sure),
            }
        }
        sentence
    }

    fn json(&self, sentence: &Sentence, number: usize) -> serde_json::Value {
        let ids = word_ids(sentence);
        json!({
            "sentence": number,
            "id": sentence.id(),
            "words": sentence.words().map(|word| word.form.as_str()).collect::<Vec<_>>(),
            "heads": self.heads.iter().map(|&head| id_of(head, &ids)).collect::<Vec<_>>(),
            "probabilities": self.sure.iter().map(|sure| sure.map(rounded)).collect::<Vec<_>>(),
        })
    }
}

/// Says which tags the grammar has never seen, and returns how many words have one of them.
pub(super) fn note_unseen(
    corpus: &AnnotatedCorpus,
    tags: &Tags,
    fine_tags: bool,
    punctuation: bool,
    watch: &dyn Watch,
) -> usize {
    let mut unseen: BTreeMap<Text, usize> = BTreeMap::new();
    for annotated in &corpus.sentences {
        let words = Words::new(&annotated.sentence, fine_tags, punctuation);
        for tag in words.kept.iter().map(|&at| &words.tags[at - 1]).filter(|tag| !tags.knows(tag)) {
            *unseen.entry(tag.clone()).or_default() += 1;
        }
    }
    let total = unseen.values().sum();
    if total > 0 {
        let shown: Vec<String> = unseen.iter().take(10).map(|(tag, n)| format!("{tag} ({n})")).collect();
        watch.note(&format!(
            "note: {} with tags that the grammar has not seen, which are taken for one unknown tag: {}",
            plural(total, "word"),
            shown.join(", ")
        ));
    }
    total
}
