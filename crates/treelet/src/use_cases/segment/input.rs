//! Words from files, in one form of Unicode.

use crate::options::Messages;
use crate::options::segment::{WordFormat, WordReading};
use crate::problems;
use crate::source::Source;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use formats::Problem;
use formats::detect::Format;
use formats::nfc::nfc;
use formats::word_list::{self, Entry, WordList};
use std::borrow::Cow;
use std::path::Path;

/// Words of a file, and the file.
pub(super) struct Words {
    pub(super) source: Source,
    pub(super) words: Vec<Entry>,
    pub(super) has_problems: bool,
}

/// Reads words to learn from.
pub(super) fn read(
    path: &Path,
    reading: &WordReading,
    messages: &Messages,
    watch: &dyn Watch,
) -> anyhow::Result<Words> {
    let source = open(path, reading)?;
    let is_rows = Format::from_path(path) == Some(Format::Conllu);
    let format = reading.from.unwrap_or(if is_rows { WordFormat::Conllu } else { WordFormat::List });
    let found = match format {
        WordFormat::List => word_list::read(source.open()?),
        WordFormat::Text => word_list::read_text(source.open()?),
        WordFormat::Conllu => read_rows(&source),
    };
    let mut found = found.with_context(|| source.cannot_read())?;
    let has_problems = report(&source, &found.problems, messages, watch)?;
    normalise_all(&mut found.words, &source, watch);
    note_without_letters(&found.words, &source, watch);
    Ok(Words { source, words: found.words, has_problems })
}

/// A file of words; one that is no text is refused.
pub(super) fn open(path: &Path, reading: &WordReading) -> anyhow::Result<Source> {
    let source = Source::without_format(path, reading.characters.encoding)?;
    let sample = source.sample()?;
    if sample.contains('\0') || sample.starts_with("\u{FFFD}TREE\r\n") {
        return Err(anyhow::anyhow!("{}: a binary file and no list of words", source.name()));
    }
    Ok(source)
}

/// Shows problems and says whether any is an error.
pub(super) fn report(
    source: &Source,
    problems: &[Problem],
    messages: &Messages,
    watch: &dyn Watch,
) -> anyhow::Result<bool> {
    problems::report(source, problems, messages.message_format, messages.max_problems, watch)?;
    Ok(problems.iter().any(Problem::is_error))
}

/// Composes the characters of all words, and says how many words that changed.
pub(super) fn normalise_all(words: &mut [Entry], source: &Source, watch: &dyn Watch) {
    let changed = words.iter_mut().map(|entry| usize::from(normalise(&mut entry.word))).sum();
    note_normalised(changed, source, watch);
}

/// Composes characters, as most texts have them; true if something changed.
pub(super) fn normalise(word: &mut String) -> bool {
    match nfc(word) {
        Cow::Borrowed(_) => false,
        Cow::Owned(composed) => {
            *word = composed;
            true
        }
    }
}

pub(super) fn note_normalised(n_words: usize, source: &Source, watch: &dyn Watch) {
    if n_words > 0 {
        let words = plural(n_words, "word");
        watch.note(&format!("note: {}: {words} not in the normal form NFC; composed", source.name()));
    }
}

fn note_without_letters(words: &[Entry], source: &Source, watch: &dyn Watch) {
    let n_words = words.iter().filter(|entry| !entry.word.chars().any(char::is_alphabetic)).count();
    if n_words > 0 {
        let words = plural(n_words, "word");
        watch.note(&format!("note: {}: {words} without a letter; learnt like the others", source.name()));
    }
}

/// The forms of a CoNLL-U file.
fn read_rows(source: &Source) -> std::io::Result<WordList> {
    let mut list = WordList::default();
    let text = source.open().map_err(std::io::Error::other)?;
    for item in formats::everything::items(Format::Conllu, text) {
        let item = item?;
        list.problems.extend(item.problems);
        if let formats::everything::Item::Sentence(sentence) = item.value {
            let entry = |token: &tree::Token| Entry { count: 1, word: token.form.to_string() };
            list.words.extend(sentence.words().map(entry).filter(|entry| is_word(&entry.word)));
        }
    }
    Ok(list)
}

fn is_word(form: &str) -> bool {
    form != "_" && form.chars().count() <= word_list::LONGEST && !form.contains(char::is_control)
}
