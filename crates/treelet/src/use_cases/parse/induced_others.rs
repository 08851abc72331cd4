//! `treelet parse` with a model of `treelet induce pcfg`, which gives brackets, or of `treelet induce hmm`, which gives tags.

use super::induced::{MESSAGES, Words, decode, note_unseen};
use crate::any_model::ModelKind;
use crate::imputation::annotated::{ABOUT_HEADS, AnnotatedCorpus};
use crate::models;
use crate::options::Input;
use crate::options::parse::{Parse, What};
use crate::outcome::Done;
use crate::table::plural;
use crate::target::Target;
use crate::tree_marks;
use crate::use_cases::check::report_problems;
use crate::use_cases::impute::parsing::{forget_heads, tagged_format};
use crate::use_cases::parse::{InducedFigures, ParsedBy, ParsedFile};
use crate::watch::Watch;
use anyhow::Context;
use chain::Workers;
use formats::{Problem, conllu};
use induce::dmv::model::TreeDecode;
use induce::hmm::model::HmmModel;
use induce::pcfg::model::{self as pcfg, PcfgModel};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use tree::PutInOrder;
use tree::provenance::{Author, Column};
use tree::{Sentence, Span, Text};

pub(super) fn run(options: &Parse, kind: ModelKind, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    if what.to.output != Path::new("-") {
        models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.to.output, "the trees")?;
    }
    let of_tags = if kind == ModelKind::Hmm { "--retag" } else { "" };
    let mbr = decode(options, &["--decode", "--no-marks", of_tags], watch)? == TreeDecode::Mbr;
    let input = Input { from: tagged_format(what.reading.format())?, characters: what.reading.characters };
    let mut corpus = AnnotatedCorpus::read(&what.input, &input, watch)?;
    if corpus.sentences.is_empty() {
        watch.note(&format!("note: {} has no sentences", corpus.source.name()));
    }
    let problems = problems(&mut corpus);
    let mut output = Target::create(&what.to.output)?;
    let parsing = Parsing { what, mbr, workers: models::workers(what.threads)?, watch };
    let figures = if kind == ModelKind::Hmm {
        tags(&parsing, &mut corpus, &mut output)
    } else {
        brackets(&parsing, &mut corpus, &mut output)
    }?;
    if output.is_file() {
        watch.note(&format!("{}: written", what.to.output.display()));
    }
    output.finish(watch)?;
    if figures.unanalysed > 0 {
        watch.note(&format!("note: {} without any analysis", plural(figures.unanalysed, "sentence")));
    }
    let has_problems = report_problems(&corpus.source, &problems, &MESSAGES, watch)?;
    let result = ParsedFile {
        output: Some(what.to.output.clone()),
        sentences: corpus.sentences.len(),
        words: corpus.n_words(),
        by: if kind == ModelKind::Hmm { ParsedBy::Hmm(figures) } else { ParsedBy::Pcfg(figures) },
    };
    Ok(Done { result, has_problems })
}

/// What is wrong with the file; heads do not matter.
fn problems(corpus: &mut AnnotatedCorpus) -> Vec<Problem> {
    let of_sentences =
        corpus.sentences.iter_mut().flat_map(|annotated| std::mem::take(&mut annotated.errors));
    let mut problems: Vec<Problem> = corpus.errors.drain(..).chain(of_sentences).collect();
    problems.retain(|problem| !ABOUT_HEADS.contains(&problem.rule));
    problems.order_by_key(|problem| problem.place.line);
    problems
}

/// How sentences are parsed.
struct Parsing<'a> {
    what: &'a What,
    mbr: bool,
    workers: Workers,
    watch: &'a dyn Watch,
}

/// Tags go into XPOS; all else stays.
fn tags(
    parsing: &Parsing<'_>,
    corpus: &mut AnnotatedCorpus,
    output: &mut Target,
) -> anyhow::Result<InducedFigures> {
    let Parsing { what, mbr, ref workers, watch } = *parsing;
    let model = HmmModel::read(&what.model).map_err(models::file_error)?;
    let family = model.family();
    let weights = model.smoothed(&family);
    let tagged = workers.map_with(&corpus.sentences, Default::default, |memory, _, annotated| {
        let sentence = model.words.number(annotated.sentence.words().map(|word| word.form.as_str()));
        model.tag(&family, &weights, &sentence, mbr, memory)
    });
    let machine = models::signing("hmm", what)?;
    let mut n_kept = 0;
    for (number, (annotated, tags)) in (1..).zip(corpus.sentences.iter_mut().zip(&tagged)) {
        for (token, tag) in annotated.sentence.words_mut().zip(tags.iter().flatten()) {
            if Column::Xpos.author(token) == Author::Person && !what.retag {
                n_kept += 1;
                continue;
            }
            token.xpos = Text::from(*tag);
            if let Some(machine) = &machine {
                Column::Xpos.mark(token, machine, None);
            }
        }
        let written = match what.is_json() {
            true => writeln!(output, "{}", tagged_object(&annotated.sentence, number, tags.is_some())),
            false => conllu::write(&annotated.sentence, output),
        };
        written.with_context(|| format!("cannot write {}", what.to.output.display()))?;
    }
    if n_kept > 0 {
        let words = plural(n_kept, "word");
        watch.note(&format!(
            "note: {words} kept the XPOS that a person gave; --retag puts states in their place"
        ));
    }
    let unanalysed = tagged.iter().filter(|tags| tags.is_none()).count();
    Ok(InducedFigures { kept_tags: n_kept, unanalysed, ..InducedFigures::default() })
}

fn tagged_object(sentence: &Sentence, number: usize, is_tagged: bool) -> serde_json::Value {
    json!({
        "sentence": number,
        "id": sentence.id(),
        "words": sentence.words().map(|word| word.form.as_str()).collect::<Vec<_>>(),
        "tags": is_tagged.then(|| sentence.words().map(|word| word.xpos.as_str()).collect::<Vec<_>>()),
    })
}

/// One bracketed tree a line, all phrases labelled X; a sentence is flat if nothing was found.
fn brackets(
    parsing: &Parsing<'_>,
    corpus: &mut AnnotatedCorpus,
    output: &mut Target,
) -> anyhow::Result<InducedFigures> {
    let Parsing { what, mbr, ref workers, watch } = *parsing;
    let model = PcfgModel::read(&what.model).map_err(models::file_error)?;
    let ignored_heads = forget_heads(corpus, "", watch);
    let family = model.family();
    let weights = model.smoothed(&family);
    let decode = if mbr { induce::pcfg::BracketDecode::Mbr } else { induce::pcfg::BracketDecode::Viterbi };
    let found = workers.map_with(&corpus.sentences, Default::default, |memory, _, annotated| {
        let words = Words::new(&annotated.sentence, model.fine_tags, model.punctuation);
        let sentence = pcfg::number(&model.tags, words.kept.iter().map(|&at| words.tags[at - 1].as_str()));
        (model.parse(&family, &weights, &sentence, decode, memory), words)
    });
    let machine = models::signing("pcfg", what)?;
    for (number, (annotated, (spans, words))) in (1..).zip(corpus.sentences.iter().zip(&found)) {
        let forms: Vec<&str> = annotated.sentence.words().map(|word| word.form.as_str()).collect();
        let line = bracketed(&forms, words, spans.as_deref().unwrap_or(&[]));
        let written = match what.is_json() {
            true => {
                let id = annotated.sentence.id();
                let object = json!({"sentence": number, "id": id, "tree": line, "found": spans.is_some()});
                writeln!(output, "{object}")
            }
            false => tree_marks::write_text(&line, machine.as_deref(), output),
        };
        written.with_context(|| format!("cannot write {}", what.to.output.display()))?;
    }
    let unseen_tags = note_unseen(corpus, &model.tags, model.fine_tags, model.punctuation, watch);
    let unanalysed = found.iter().filter(|(spans, words)| spans.is_none() && !words.kept.is_empty()).count();
    Ok(InducedFigures { ignored_heads, unseen_tags, unanalysed, ..InducedFigures::default() })
}

/// Spans are over the words that are kept; what stands between them, such as punctuation, goes into the smallest phrase
/// around it.
fn bracketed(forms: &[&str], words: &Words, spans: &[Span]) -> String {
    let mut opened = vec![0usize; forms.len() + 1];
    let mut closed = vec![0usize; forms.len() + 1];
    for span in spans.iter().filter(|span| span.len() > 1 && span.len() < words.kept.len()) {
        opened[words.kept[span.start()] - 1] += 1;
        closed[words.kept[span.end() - 1] - 1] += 1;
    }
    let mut text = String::from("(TOP");
    for (at, (form, tag)) in forms.iter().zip(&words.tags).enumerate() {
        text.push_str(&" (X".repeat(opened[at]));
        text.push_str(&format!(" ({} {})", safe(tag), safe(form)));
        text.push_str(&")".repeat(closed[at]));
    }
    text.push(')');
    text
}

/// Brackets and blanks within words would be read as something else.
fn safe(text: &str) -> String {
    text.replace('(', "-LRB-").replace(')', "-RRB-").replace(char::is_whitespace, "_")
}
