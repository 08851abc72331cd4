//! The columns that GFL has no place for, as a section `% CONLLU` of their own.
//!
//! ANNO says heads and brackets, POS TEXT one column of tags. A sentence that has more to it (both kinds of tags,
//! relations, lemmas, marks of who said what, multiword tokens) is kept whole in this section; only its heads are
//! open there, since ANNO is where heads are said and changed.

use super::block::Section;
use crate::{Problem, conllu};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Place, Sentence, Text, Token};

/// The name of the section.
pub(super) const NAME: &str = "CONLLU";

/// A form as GFL spells it: white space within becomes `_`.
pub(super) fn spaceless(form: &Text) -> String {
    if form.is_empty() { "_".into() } else { form.replace(char::is_whitespace, "_") }
}

/// The section for a sentence; `None` if the other sections say it all.
pub(super) fn section(sentence: &Sentence) -> Option<Section> {
    if !has_more(sentence) {
        return None;
    }
    let mut open = sentence.clone();
    open.tokens.iter_mut().for_each(|token| token.head = Head::Open);
    let mut bytes = Vec::new();
    conllu::write(&open, &mut bytes).ok()?;
    Some(Section::new(NAME, &String::from_utf8_lossy(&bytes)))
}

/// Whether a sentence has more than forms, an id, heads and language-specific tags.
fn has_more(sentence: &Sentence) -> bool {
    let is_said = |text: &Text| *text != UNSPECIFIED;
    let is_known = |comment: &Text| ["# sent_id =", "# text ="].iter().any(|key| comment.starts_with(key));
    let has_more = |token: &Token| {
        let columns = [&token.lemma, &token.upos, &token.feats, &token.deprel, &token.deps, &token.misc];
        !token.is_word()
            || columns.into_iter().any(is_said)
            || !token.extra.is_empty()
            || token.form.contains(char::is_whitespace)
    };
    sentence.tokens.iter().any(has_more)
        || !sentence.stray.is_empty()
        || !sentence.comments.iter().all(is_known)
}

/// The sentence that the section holds, if it has these words.
pub(super) fn read(section: &Section, forms: &[Text]) -> Result<Sentence, Problem> {
    let text = section.text();
    // A line that would have opened a section or a block was indented.
    let is_guarded = |line: &&str| line.starts_with('%') || line.starts_with("---");
    let bare = |line: &str| format!("{}\n", line.strip_prefix(' ').filter(is_guarded).unwrap_or(line));
    let text: String = text.lines().map(bare).collect();
    let found = conllu::ConlluReader::new(text.as_bytes()).read_sentence();
    let sentence = found.ok().flatten().map(|read| read.value).unwrap_or_default();
    let words: Vec<String> = sentence.words().map(|word| spaceless(&word.form)).collect();
    if words.iter().map(String::as_str).eq(forms.iter().map(Text::as_str)) {
        return Ok(sentence);
    }
    let message = match words.iter().zip(forms).find(|(ours, theirs)| ours.as_str() != theirs.as_str()) {
        Some((ours, theirs)) => format!("the rows have the word `{ours}` where the text has `{theirs}`"),
        None => format!("the rows have {} words, the text has {}", words.len(), forms.len()),
    };
    let help =
        "give TEXT and CONLLU the same words, or take the section CONLLU away; until then it is ignored";
    Err(Problem::warning("rows-mismatch", Place::line(section.line), message, help))
}
