//! Sentences come into a project, and begin there with what their file says.

use super::Fault;
use super::beyond;
use super::store::Project;
use crate::imputation::annotated::{AnnotatedSentence, heads_of, of_item, word_ids};
use crate::options::AnyInput;
use crate::options::MessageFormat;
use crate::options::impute::Trust;
use crate::options::json::from_json;
use crate::source::Source;
use crate::table::plural;
use crate::watch::{FileProblems, Watch};
use annotation::Analysis;
use anyhow::Context;
use formats::convert as conversion;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::gfl::comments;
use formats::{Problem, Read, conllu};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use tree::sentence::UNSPECIFIED;
use tree::{Head, PartialTree, Sentence, Text, Tree};

/// So many problems of a file are shown.
const MOST_SHOWN: usize = 20;

/// What came of bringing a file in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Brought {
    /// Sentences.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// What is wrong with the file; what could not be read is not brought in.
    pub problems: usize,
}

impl Project {
    /// Adds the sentences of a file: CoNLL-U, CoNLL-X, GFL, brackets, or text; words without a tag get one of the tagger.
    pub fn bring(
        &mut self,
        path: &Path,
        input: &AnyInput,
        tagger: Option<&Path>,
        watch: &dyn Watch,
    ) -> anyhow::Result<Brought> {
        let source = Source::or_text(path, input, watch)?;
        let known = format!("brought in: {}", source.fingerprint()?);
        if self.meta(&known)?.is_some() {
            watch.note(&format!("note: {} is in the project already; nothing was brought in", source.name()));
            return Ok(Brought { sentences: 0, words: 0, problems: 0 });
        }
        let (mut rows, mut problems, mut words, mut without_place) = (Vec::new(), Vec::new(), 0, 0);
        for reading in everything::items(source.format, source.open()?) {
            let Read { value, problems: found, .. } = reading.with_context(|| source.cannot_read())?;
            problems.extend(found.into_iter().filter(Problem::is_error));
            if value.is_blank() {
                continue;
            }
            if let Item::Tree(bracketed) = &value {
                without_place += bracketed.tree.as_ref().map_or(0, n_without_place);
            }
            let sentence = rows_of(as_rows(value, source.format)?)?;
            if sentence.n_words() > 0 {
                words += sentence.n_words();
                rows.push(written(&sentence)?);
            }
        }
        let shown = FileProblems {
            source: &source,
            problems: &problems,
            format: MessageFormat::Human,
            limit: MOST_SHOWN,
        };
        watch.problems(&shown)?;
        if let Some(tagger) = tagger.filter(|_| !rows.is_empty()) {
            rows = tagged(&rows, tagger, watch)?;
        }
        if without_place > 0 {
            let constituents = plural(without_place, "constituent");
            watch.note(&format!(
                "note: {constituents} over one word, or over the words of another: blocks have two words and more, each once; left out"
            ));
        }
        self.add_sentences(&source.name(), &rows)?;
        self.set_meta(&known, "1")?;
        let brought = Brought { sentences: rows.len(), words, problems: problems.len() };
        watch.note(&format!("{}: {} brought in", source.name(), plural(brought.sentences, "sentence")));
        Ok(brought)
    }
}

/// Rows as `treelet tag run` tags them, which marks what it says.
fn tagged(rows: &[String], tagger: &Path, watch: &dyn Watch) -> anyhow::Result<Vec<String>> {
    let folder = tempfile::tempdir().context("cannot write temporary files")?;
    let [plain, tagged] = ["plain.conllu", "tagged.conllu"].map(|name| folder.path().join(name));
    std::fs::write(&plain, rows.concat()).context("cannot write temporary files")?;
    let options = json!({"model": tagger, "input": plain, "output": tagged});
    let options = options.as_object().cloned().unwrap_or_default();
    crate::tag(&from_json(&options)?, watch)?;
    let text = std::fs::read_to_string(&tagged)?;
    let tagged: Vec<String> = text.split_inclusive("\n\n").map(String::from).collect();
    anyhow::ensure!(
        tagged.len() == rows.len(),
        "the tagger has written {} of {} sentences",
        tagged.len(),
        rows.len()
    );
    Ok(tagged)
}

pub(super) fn written(sentence: &Sentence) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    conllu::write(sentence, &mut bytes)?;
    Ok(String::from_utf8(bytes)?)
}

/// Columns that CoNLL-U does not have stand in MISC.
fn as_rows(item: Item, format: Format) -> anyhow::Result<Item> {
    if !matches!(format, Format::Joint | Format::Conll04 | Format::Semeval) {
        return Ok(item);
    }
    let options = conversion::Options::new(conversion::HeadFinder::Lexical);
    Ok(conversion::convert(item, format, Format::Conllu, &options)?.item)
}

/// Any item as rows, with everything that was said of it.
pub(super) fn rows_of(item: Item) -> anyhow::Result<Sentence> {
    match item {
        Item::Sentence(sentence) => Ok(sentence),
        Item::Tree(bracketed) => bracketed.tree.as_ref().map_or_else(|| Ok(Sentence::default()), of_tree),
        item @ Item::Annotation(_) => {
            let annotated = of_item(item, 1, Trust::Imputed);
            Ok(annotated
                .map(|AnnotatedSentence { sentence, said, .. }| with_said(sentence, &said))
                .unwrap_or_default())
        }
        Item::Pair(pair) => Ok(pair.sentence()),
        Item::Labelled(labelled) => {
            Ok(Sentence::from_forms(labelled.rows.iter().map(|row| row.word().to_string())))
        }
    }
}

/// A constituency tree: words, tags, and each constituent as a bracket with its label.
fn of_tree(tree: &Tree<Text>) -> anyhow::Result<Sentence> {
    let tagged = tree.tagged_words();
    let mut sentence = Sentence::from_forms(tagged.iter().map(|(_, word)| formats::brackets::unescape(word)));
    for (token, (tag, _)) in sentence.words_mut().zip(&tagged) {
        token.xpos = tag.cloned().unwrap_or(UNSPECIFIED);
    }
    let mut sentence = with_said(sentence, &PartialTree::from_tree(tree)?);
    sentence.comments.extend(labels(tree));
    Ok(sentence)
}

/// Rows with what was said in them, and what they have no column for in comments.
pub(super) fn with_said(mut sentence: Sentence, said: &PartialTree) -> Sentence {
    let ids = word_ids(&sentence);
    for (token, head) in sentence.words_mut().zip(heads_of(said)) {
        token.head = match head {
            Some(0) => Head::Of(0),
            Some(head) => Head::Of(ids[head - 1]),
            None => Head::Open,
        };
    }
    comments::to_comments(said, &mut sentence);
    sentence
}

/// What a sentence begins with: what its rows say.
pub(super) fn start(rows: &str) -> Result<(Sentence, Analysis), Fault> {
    let read = everything::items(Format::Conllu, rows.as_bytes()).next();
    let Some(Ok(Read { value, .. })) = read else {
        return Err(Fault::Wrong("a sentence of the project cannot be read".into()));
    };
    let Some(annotated) = of_item(value, 1, Trust::People) else {
        return Err(Fault::Wrong("a sentence of the project has no words".into()));
    };
    let AnnotatedSentence { mut sentence, said, .. } = annotated;
    let tokens: Vec<Text> = sentence.words().map(|word| word.form.clone()).collect();
    let relations: Vec<Option<Text>> = sentence
        .words()
        .map(|word| Some(word.deprel.clone()).filter(|relation| *relation != UNSPECIFIED))
        .collect();
    let mut analysis = Analysis::of(tokens, &said, &relations);
    beyond::read(&mut sentence, &mut analysis);
    Ok((sentence, analysis))
}

/// How many constituents of a tree no block can be: those over one word, and those over the same words as another.
fn n_without_place(tree: &Tree<Text>) -> usize {
    let mut seen = BTreeSet::new();
    let is_tag = |index: usize| tree.nodes()[index].size() == 2;
    let constituents =
        tree.constituents().into_iter().filter(|&(index, label, _)| !label.is_empty() && !is_tag(index));
    constituents.filter(|(_, _, span)| span.len() < 2 || !seen.insert((span.start(), span.end()))).count()
}

/// A comment for each constituent of two words and more.
fn labels(tree: &Tree<Text>) -> Vec<Text> {
    let labelled =
        tree.constituents().into_iter().filter(|(_, label, span)| span.len() > 1 && !label.is_empty());
    labelled.map(|(_, label, span)| beyond::labelled(label, span.start() + 1, span.end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constituents_that_no_block_can_be_are_counted() {
        let count = |text: &str| {
            let read = everything::items(Format::Brackets, text.as_bytes()).next().expect("a tree");
            match read.expect("memory can be read").value {
                Item::Tree(bracketed) => n_without_place(&bracketed.tree.expect("a tree")),
                _ => panic!("a tree"),
            }
        };
        assert_eq!(count("( (S (NP (D the) (N goat)) (VP (V sleeps))))\n"), 1);
        assert_eq!(count("(S (S (NP (D the) (N goat)) (VP (V saw) (NP (N it)))))\n"), 2);
        assert_eq!(count("(S (D the) (N goat))\n"), 0);
    }

    #[test]
    fn columns_of_other_formats_stand_in_misc() {
        let text = "# sent_id = s\n1\ta\tb\tU\tX\t0\troot\tB-x\n\n";
        let read = everything::items(Format::Joint, text.as_bytes()).next().expect("a sentence");
        let item = read.expect("memory can be read").value;
        let sentence = rows_of(as_rows(item, Format::Joint).expect("rows")).expect("rows");
        let written = written(&sentence).expect("memory can be written to");
        assert_eq!(written, "# sent_id = s\n1\ta\tb\tU\tX\t_\t0\troot\t_\tNE=B-x\n\n");
    }
}
