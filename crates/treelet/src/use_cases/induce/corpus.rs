//! Tagged sentences, as grammars over tags see them.

use crate::imputation::annotated::{AnnotatedCorpus, Aside};
use crate::imputation::fragments::TagChoice;
use crate::options::induce::CorpusChoices;
use crate::options::{Input, Messages};
use crate::table::plural;
use crate::watch::Watch;
use arcs::dmv::DmvSentence as Numbered;
use chain::container::crc64;
use induce::dmv::PartlyKnown;
use induce::dmv::model::{Tags, is_punctuation};
use std::collections::BTreeMap;
use tree::{Constraints, Reading, Text};

/// Everything that was read, and what was wrong with it.
pub(super) struct Corpora {
    pub(super) tags: Tags,
    pub(super) sentences: Vec<Numbered>,
    pub(super) held_out: Vec<Numbered>,
    /// The words of the same sentences.
    pub(super) forms: Vec<Vec<Text>>,
    pub(super) held_out_forms: Vec<Vec<Text>>,
    /// What the files say of heads, for `--start partial`.
    pub(super) known: Vec<PartlyKnown>,
    pub(super) notes: BTreeMap<String, String>,
    choice: TagChoice,
    seen: Seen,
    dropped: bool,
    n_long: usize,
    n_untagged: usize,
    asides: Vec<Aside>,
}

/// The tags of a sentence, and the positions of its words that take part, from 1.
struct KeptTags {
    forms: Vec<Text>,
    tags: Vec<Text>,
    kept: Vec<usize>,
}

/// What matters of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Tags,
    /// Its form, so that it needs no tag.
    Forms,
}

impl Corpora {
    pub(super) fn read(
        choices: &CorpusChoices,
        input: &Input,
        seen: Seen,
        with_heads: bool,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        let files: Vec<AnnotatedCorpus> = choices
            .files
            .iter()
            .map(|path| AnnotatedCorpus::read(path, input, watch))
            .collect::<anyhow::Result<_>>()?;
        let plain = Input { from: None, characters: input.characters };
        let held_out =
            choices.held_out.as_ref().map(|path| AnnotatedCorpus::read(path, &plain, watch)).transpose()?;
        let all = || files.iter().flat_map(|corpus| &corpus.sentences).map(|annotated| &annotated.sentence);
        let choice = TagChoice::resolve(choices.tags, all());
        let mut read = Self {
            tags: Tags::new([]),
            sentences: Vec::new(),
            held_out: Vec::new(),
            forms: Vec::new(),
            held_out_forms: Vec::new(),
            known: Vec::new(),
            notes: BTreeMap::from([
                ("program".to_string(), format!("treelet {}", env!("CARGO_PKG_VERSION"))),
                ("tags".to_string(), choice.name().to_string()),
            ]),
            choice,
            seen,
            dropped: !choices.keep_punctuation,
            n_long: 0,
            n_untagged: 0,
            asides: Vec::new(),
        };
        let most = choices.max_length as usize;
        let tagged: Vec<Option<KeptTags>> = all().map(|sentence| read.tagged(sentence, most)).collect();
        let seen =
            tagged.iter().flatten().flat_map(|tagged| tagged.kept.iter().map(|&at| &tagged.tags[at - 1]));
        read.tags = Tags::new(seen.map(|tag| tag.as_str()));
        read.sentences = tagged.iter().flatten().map(|tagged| read.number(tagged)).collect();
        read.forms = tagged.iter().flatten().map(KeptTags::words).collect();
        if with_heads {
            let said = files.iter().flat_map(|corpus| &corpus.sentences).map(|annotated| &annotated.said);
            read.known = said
                .zip(&tagged)
                .filter_map(|(said, tagged)| {
                    let tagged = tagged.as_ref()?;
                    let constraints = Constraints::from_partial(said, &Reading::default()).ok()?;
                    Some(PartlyKnown {
                        sentence: read.number(tagged),
                        constraints,
                        kept: tagged.kept.clone(),
                    })
                })
                .collect();
        }
        if let Some(corpus) = held_out {
            // Held-out text counts no sentences that are left out of learning.
            let (long, untagged) = (read.n_long, read.n_untagged);
            let tagged: Vec<Option<KeptTags>> =
                corpus.sentences.iter().map(|annotated| read.tagged(&annotated.sentence, most)).collect();
            (read.n_long, read.n_untagged) = (long, untagged);
            read.held_out = tagged.iter().flatten().map(|tagged| read.number(tagged)).collect();
            read.held_out_forms = tagged.iter().flatten().map(KeptTags::words).collect();
            if read.held_out.is_empty() {
                watch.note(&format!(
                    "note: {} has no sentence of at most {most} words; learning stops by --tolerance and --passes",
                    corpus.source.name()
                ));
            }
            read.notes.insert("held-out".into(), corpus.source.fingerprint()?);
            read.asides.push(Aside::without_heads(corpus));
        }
        for (number, corpus) in files.into_iter().enumerate() {
            read.notes.insert(format!("text {}", number + 1), corpus.source.fingerprint()?);
            read.asides.push(match with_heads {
                true => Aside::new(corpus),
                false => Aside::without_heads(corpus),
            });
        }
        Ok(read)
    }

    /// The words that take part; `None` if there are none, too many, or one without a tag.
    fn tagged(&mut self, sentence: &tree::Sentence, most: usize) -> Option<KeptTags> {
        let tags = self.choice.tags(sentence);
        let kept: Vec<usize> =
            (1..=tags.len()).filter(|&at| !(self.dropped && is_punctuation(&tags[at - 1]))).collect();
        let untagged = |&at: &usize| tags[at - 1] == tree::sentence::UNSPECIFIED;
        if self.seen == Seen::Tags && kept.iter().any(untagged) {
            self.n_untagged += 1;
            return None;
        }
        if kept.len() > most {
            self.n_long += 1;
            return None;
        }
        let forms = sentence.words().map(|word| word.form.clone()).collect();
        (!kept.is_empty()).then_some(KeptTags { forms, tags, kept })
    }

    fn number(&self, tagged: &KeptTags) -> Numbered {
        self.tags.number(tagged.kept.iter().map(|&at| tagged.tags[at - 1].as_str()))
    }

    pub(super) fn fine_tags(&self) -> bool {
        self.choice.name() == "xpos"
    }

    pub(super) fn punctuation(&self) -> bool {
        self.dropped
    }

    /// Tells data and settings apart.
    pub(super) fn fingerprint(&self, settings: &impl std::fmt::Debug) -> u64 {
        let of_sentence = |(sentence, forms): (&Numbered, &Vec<Text>)| {
            crc64(format!("{:?} {forms:?}", sentence.tags).as_bytes())
        };
        let seen = self.sentences.iter().zip(&self.forms).map(of_sentence);
        let held_out = self.held_out.iter().zip(&self.held_out_forms).map(of_sentence);
        let told = format!("{} {:?} {settings:?}", self.sentences.len(), self.notes);
        let sums = seen.chain(held_out).chain([crc64(told.as_bytes())]);
        crc64(&sums.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
    }

    /// Prints what is wrong, and tells whether anything is.
    pub(super) fn report(&mut self, messages: &Messages, watch: &dyn Watch) -> anyhow::Result<bool> {
        Aside::report(&self.asides, messages, watch)
    }

    pub(super) fn note_left_out(&self, max_length: u32, watch: &dyn Watch) {
        if self.n_long > 0 {
            watch.note(&format!(
                "note: {} of more than {} words left out (--max-length)",
                plural(self.n_long, "sentence"),
                max_length
            ));
        }
        if self.n_untagged > 0 {
            watch.note(&format!(
                "note: {} with a word that has no tag left out",
                plural(self.n_untagged, "sentence")
            ));
        }
    }
}

impl KeptTags {
    /// The forms of the words that take part.
    fn words(&self) -> Vec<Text> {
        self.kept.iter().map(|&at| self.forms[at - 1].clone()).collect()
    }
}
