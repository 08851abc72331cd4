//! Sentences as imputers see them, and what is wrong with their annotation.

use super::annotated::{AnnotatedCorpus, AnnotatedSentence, Aside};
use super::identity::Lookup;
use crate::options::Input;
use crate::options::impute::{
    BracketChoice, CoordinationChoice, MultiwordChoice, ReadingChoices, RootChoice, TagColumn,
};
use crate::table::plural;
use crate::watch::Watch;
use arcs::Roots;
use arcs::rules::RuleTable;
use formats::Problem;
use formats::alike::{small_difference, told_apart};
use impute::Fragment;
use std::collections::BTreeMap;
use tree::Possible;
use tree::PutInOrder;
use tree::provenance::Column;
use tree::sentence::UNSPECIFIED;
use tree::{BracketReading, Conflict, CoordinationHead, MultiwordHead, Place, Reading, Sentence, Text};

/// Rules of problems that a conflict says better.
const SAID_BETTER: [&str; 5] = ["contradiction", "two-heads", "cycle", "bracket-broken", "two-arrows-out"];

/// Tags of Universal Dependencies and of the universal treebanks before them.
const UNIVERSAL: [&str; 20] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
    "PRT", "PUNCT", "SCONJ", "SYM", "VERB", "X", ".",
];

/// What an annotation is taken to mean.
pub(crate) fn reading(choices: &ReadingChoices) -> Reading {
    Reading {
        brackets: match choices.brackets {
            BracketChoice::Subtree => BracketReading::Subtree,
            BracketChoice::Connected => BracketReading::Connected,
        },
        multiword: match choices.multiword {
            MultiwordChoice::First => MultiwordHead::First,
            MultiwordChoice::Last => MultiwordHead::Last,
        },
        coordination: match choices.coordination {
            CoordinationChoice::Coordinator => CoordinationHead::Coordinator,
            CoordinationChoice::Conjunct => CoordinationHead::Conjunct,
        },
        omit_unmentioned: choices.omit_unmentioned,
    }
}

pub(crate) fn roots(choice: RootChoice) -> Roots {
    match choice {
        RootChoice::One => Roots::One,
        RootChoice::Many => Roots::Many,
    }
}

/// The column that models find their tags in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagChoice(pub(crate) TagColumn);

impl TagChoice {
    /// What was asked for, or UPOS if any word has one.
    pub(crate) fn resolve<'a>(
        asked: Option<TagColumn>,
        sentences: impl IntoIterator<Item = &'a Sentence>,
    ) -> Self {
        let has_upos = |sentence: &Sentence| sentence.words().any(|word| word.upos != UNSPECIFIED);
        Self(asked.unwrap_or_else(|| match sentences.into_iter().any(has_upos) {
            true => TagColumn::Upos,
            false => TagColumn::Xpos,
        }))
    }

    /// The column that a model wants, or the other one if that is empty, which is noted.
    pub(crate) fn wanted<'a>(
        self,
        sentences: impl IntoIterator<Item = &'a Sentence> + Clone,
        watch: &dyn Watch,
    ) -> Self {
        let has = |choice: Self| {
            let mut words = sentences.clone().into_iter().flat_map(Sentence::words);
            words.any(|word| *choice.of(word) != UNSPECIFIED)
        };
        let other = self.other();
        if has(self) || !has(other) {
            return self;
        }
        watch.note(&format!(
            "note: the model goes by tags in {}, but no word has one; those in {} are taken",
            self.name().to_uppercase(),
            other.name().to_uppercase()
        ));
        other
    }

    fn other(self) -> Self {
        Self(match self.0 {
            TagColumn::Upos => TagColumn::Xpos,
            TagColumn::Xpos => TagColumn::Upos,
        })
    }

    fn of(self, word: &tree::Token) -> &Text {
        match self.0 {
            TagColumn::Upos => &word.upos,
            TagColumn::Xpos => &word.xpos,
        }
    }

    /// The tag, to be changed.
    pub(crate) fn of_mut(self, word: &mut tree::Token) -> &mut Text {
        self.of_parser().of_mut(word)
    }

    /// As the notes of a model have it.
    pub(crate) fn name(self) -> &'static str {
        match self.0 {
            TagColumn::Upos => "upos",
            TagColumn::Xpos => "xpos",
        }
    }

    /// As parsers know it.
    pub(crate) fn of_parser(self) -> dependency::TagColumn {
        match self.0 {
            TagColumn::Upos => dependency::TagColumn::Upos,
            TagColumn::Xpos => dependency::TagColumn::Xpos,
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [TagColumn::Upos, TagColumn::Xpos].map(Self).into_iter().find(|choice| choice.name() == name)
    }

    /// The tags of a sentence.
    pub(crate) fn tags(self, sentence: &Sentence) -> Vec<Text> {
        sentence.words().map(|word| self.of(word).clone()).collect()
    }
}

/// The column of tags that was asked for, or that a saved model wants, or that there is.
pub(crate) fn tags<'a>(
    asked: Option<TagColumn>,
    saved: Option<TagChoice>,
    sentences: impl IntoIterator<Item = &'a Sentence> + Clone,
    watch: &dyn Watch,
) -> TagChoice {
    match (asked, saved) {
        (None, Some(wanted)) => wanted.wanted(sentences, watch),
        (asked, _) => TagChoice::resolve(asked, sentences),
    }
}

/// Fragments of sentences, and why some of them count as if nothing were said.
#[derive(Debug, Default)]
pub(crate) struct Fragments {
    pub(crate) all: Vec<Fragment>,
    /// For each sentence what in its annotation contradicts what.
    pub(crate) conflicts: Vec<Option<String>>,
    /// All errors of the file, in its order.
    pub(crate) problems: Vec<Problem>,
}

impl Fragments {
    pub(crate) fn new(corpus: &AnnotatedCorpus, reading: &Reading, tags: TagChoice) -> Self {
        let mut fragments = Self { problems: corpus.errors.clone(), ..Self::default() };
        for annotated in &corpus.sentences {
            fragments.add(annotated, reading, tags);
        }
        fragments.problems.order_by_key(|problem| problem.place.line);
        fragments
    }

    fn add(&mut self, annotated: &AnnotatedSentence, reading: &Reading, tags: TagChoice) {
        let (possible, conflict) = match Possible::new(&annotated.said, reading) {
            Ok(possible) => (possible, None),
            Err(conflict) => (Possible::everything(annotated.said.n_words), Some(conflict)),
        };
        let mut errors = annotated.errors.clone();
        if let Some(conflict) = &conflict {
            errors.retain(|problem| !SAID_BETTER.contains(&problem.rule));
            errors.push(contradiction(annotated, conflict));
        }
        self.problems.extend(errors);
        self.conflicts.push(conflict.map(|conflict| conflict.to_string()));
        self.all.push(fragment(&annotated.sentence, tags, possible));
    }
}

/// The sentences of files that are not written, and what is wrong with the files.
pub(crate) fn only_learned_from(
    corpora: Vec<AnnotatedCorpus>,
    reading: &Reading,
    tags: TagChoice,
    aside: &mut Vec<Aside>,
) -> Vec<Fragment> {
    let mut all = Vec::new();
    for corpus in corpora {
        let told = Fragments::new(&corpus, reading, tags);
        all.extend(told.all);
        aside.push(Aside { source: corpus.source, problems: told.problems });
    }
    all
}

/// A sentence with these possible trees.
pub(crate) fn fragment(sentence: &Sentence, tags: TagChoice, possible: Possible) -> Fragment {
    Fragment {
        forms: sentence.words().map(|word| word.form.clone()).collect(),
        tags: tags.tags(sentence),
        possible,
    }
}

/// The conflict, the place where a reader of the file notices it, and what to do.
/// What in an annotation contradicts what, as a problem of its file.
pub(crate) fn contradiction(annotated: &AnnotatedSentence, conflict: &Conflict) -> Problem {
    let text = conflict.to_string();
    let (message, help) = text.rsplit_once("; ").unwrap_or((&text, "take one of the two back"));
    let mut place = conflict.place();
    let mut message = message.to_string();
    if annotated.within {
        place = Place::line(annotated.line);
        message.push_str(" (lines of the annotation in this record)");
    } else if place.line == 0 {
        place = Place::line(annotated.line);
    }
    let help = format!("{help}; until then the sentence is treated as if nothing were said");
    Problem::error("contradiction", place, message, help)
}

/// Gives annotated sentences the rows of another file; what cannot be paired is a problem.
pub(crate) fn lay_over(
    corpus: &mut AnnotatedCorpus,
    choices: &ReadingChoices,
    input: &Input,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let Some(path) = &choices.words else { return Ok(()) };
    let rows = AnnotatedCorpus::read(path, &Input { from: None, characters: input.characters }, watch)?;
    let mut lookup = Lookup::new(&rows.sentences);
    let mut n_missing = 0;
    for (at, annotated) in corpus.sentences.iter_mut().enumerate() {
        match lookup.find(annotated, at) {
            Some(row) => take_rows(annotated, &row.sentence, &rows.source.name()),
            None => n_missing += 1,
        }
    }
    if let Some(note) = lookup.note() {
        watch.note(&format!("{note} ({})", rows.source.name()));
    }
    if n_missing > 0 {
        let (name, sentences) = (rows.source.name(), plural(n_missing, "annotated sentence"));
        watch.note(&format!("note: {name} has no rows for {sentences}, which keep what the annotation has"));
    }
    corpus.aside.push(Aside::without_heads(rows));
    Ok(())
}

fn take_rows(annotated: &mut AnnotatedSentence, row: &Sentence, name: &str) {
    let (said, words) = (annotated.said.n_words, row.n_words());
    if said != words {
        annotated.errors.push(Problem::error(
            "another-sentence",
            Place::line(annotated.line),
            format!("the annotation has {said} words, but the sentence has {words} in {name}; is it for another sentence?"),
            "give both the same tokens; until then nothing is taken from that file",
        ));
        return;
    }
    if let Some(message) = differing_form(&annotated.sentence, row, name) {
        annotated.errors.push(Problem::error(
            "another-sentence",
            Place::line(annotated.line),
            message,
            "give both the same tokens; until then nothing is taken from that file",
        ));
        return;
    }
    let mut sentence = row.clone();
    for (word, ours) in sentence.words_mut().zip(annotated.sentence.words()) {
        word.deprel = ours.deprel.clone();
        // What the file has no word on stays as the annotation has it.
        for column in [Column::Lemma, Column::Upos, Column::Xpos, Column::Feats] {
            if column.value(word).is_none() {
                column.copy(ours, word);
            }
        }
    }
    annotated.sentence = sentence;
    super::annotated::open(&mut annotated.sentence);
}

/// The first word that two sentences of the same length do not share.
pub(crate) fn differing_form(ours: &Sentence, theirs: &Sentence, name: &str) -> Option<String> {
    let mut forms = (1..).zip(ours.words().zip(theirs.words()));
    let (word, (ours, theirs)) = forms.find(|(_, (ours, theirs))| ours.form != theirs.form)?;
    let (shown, shown_there) = told_apart(&ours.form, &theirs.form);
    let why = small_difference(&ours.form, &theirs.form).map_or(String::new(), |why| format!("; {why}"));
    Some(format!("word {word} is `{shown}` in the annotation, but `{shown_there}` in {name}{why}"))
}

/// Learning takes time with the cube of the length, so that it does without long sentences; who gave them should know.
pub(crate) fn warn_of_length(fragments: &[Fragment], most: u32, watch: &dyn Watch) {
    let n_long = fragments.iter().filter(|fragment| fragment.len() > most as usize).count();
    let longest = fragments.iter().map(Fragment::len).max().unwrap_or(0);
    if n_long > 0 {
        watch.note(&format!(
            "warning: {} more than {most} words (the longest has {longest}) and no part in learning, whose time grows with \
             the cube of the length; is the text divided into sentences? If so, --longest N lets them take part",
            if n_long == 1 { "1 sentence has".to_string() } else { format!("{n_long} sentences have") }
        ));
    }
}

/// Warns of tags that rules do not know.
pub(crate) fn warn_of_tags(fragments: &[Fragment], rules: Option<&RuleTable>, watch: &dyn Watch) {
    let mut foreign: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut n_words, mut n_untagged) = (0, 0);
    for tag in fragments.iter().flat_map(|fragment| &fragment.tags) {
        n_words += 1;
        if *tag == UNSPECIFIED {
            n_untagged += 1;
        } else if rules.is_some_and(|rules| !rules.knows(tag) && !UNIVERSAL.contains(&rules.universal(tag))) {
            *foreign.entry(tag).or_default() += 1;
        }
    }
    if n_words > 0 && n_untagged == n_words {
        watch.note(
            "warning: no word has a tag, so all words look alike; give tags (UPOS or XPOS, POS TEXT in GFL, or --words FILE)",
        );
    } else if n_untagged > 0 {
        watch.note(&format!("warning: {n_untagged} of {n_words} words have no tag"));
    }
    if !foreign.is_empty() {
        let mut counts: Vec<(&str, usize)> = foreign.into_iter().collect();
        let n_foreign: usize = counts.iter().map(|(_, n)| n).sum();
        counts.order_by_key(|&(_, n)| std::cmp::Reverse(n));
        let shown: Vec<String> = counts.iter().take(8).map(|(tag, n)| format!("{tag} ({n})")).collect();
        let more = if counts.len() > shown.len() { ", …" } else { "" };
        watch.note(&format!(
            "warning: {n_foreign} of {n_words} words have tags that no rule knows: {}{more}; map them with --tag-map FILE \
             (lines TAG UNIVERSAL), or use --tags upos or xpos, or --no-rules",
            shown.join(", ")
        ));
    }
}
