//! `treelet parse` with a model of names, relations or roles.

use super::parsers::{ParserAtWork, Which, is_tree};
use super::{SemanticSentence, SemanticsFile, marks, sentence};
use crate::models;
use crate::options::parse::Parse;
use crate::outcome::{Done, Figures, Usage};
use crate::source::Source;
use crate::table::plural;
use crate::target::{Target, cannot_write};
use crate::use_cases::check::report_problems;
use crate::use_cases::joint::run::{InferenceCounts, write_heads};
use crate::use_cases::parse::{ParsedBy, ParsedFile, ignored};
use crate::use_cases::tag::MESSAGES;
use crate::watch::{Progress, Watch, Watched};
use ::joint::Mode;
use ::joint::semantics::{Found, RankedSemantics, SemanticTask, Syntax};
use anyhow::Context;
use bp::Messages;
use chain::Workers;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::output::AtomicFile;
use formats::semantics::LeftOut;
use formats::{Problem, Read, semantics};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tree::provenance::Column;
use tree::semantics::Entity;
use tree::sentence::UNSPECIFIED;
use tree::{Head, Semantics, Span, Text, Token};

/// Sentences that are held in memory at a time.
const BATCH: usize = 256;

/// Finds names, relations or roles, and writes them in the format of the input; of text in CoNLL-U.
pub(in super::super) fn parse(options: &Parse, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    let heeded = ["--posteriors", "--constrain", "--no-marks", "--threshold", "--n-best"];
    ignored::note(&heeded, "one of names, relations or roles", watch);
    watch.without_effect(&["--heat-maps"], "the model is one of names, relations or roles");
    let to_stdout = what.to.output == Path::new("-");
    if options.posteriors && to_stdout && !what.is_json() {
        let text = "--posteriors writes a second file, OUT.posteriors.tsv: give OUT with -o, or use --json";
        return Err(Usage(text.into()).into());
    }
    if !to_stdout {
        models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.to.output, "the output")?;
    }
    let mut file = SemanticsFile::read(&what.model)?;
    if let Some(threshold) = what.threshold {
        file.model.set_threshold(threshold);
    }
    Finding::new(options, &file, watch)?.run()
}

/// A file in which names, relations or roles are found.
struct Finding<'a> {
    options: &'a Parse,
    file: &'a SemanticsFile,
    machine: Option<String>,
    source: Source,
    /// The format that is written.
    format: Format,
    watch: &'a dyn Watch,
}

/// What was found in a sentence.
struct Answered {
    found: Found,
    /// What was kept.
    known: Semantics,
    /// The most probable analyses, if more than one was asked for.
    ranked: Vec<RankedSemantics>,
}

/// What was found in all sentences.
#[derive(Default)]
struct SemanticTally {
    counts: InferenceCounts,
    left_out: LeftOut,
    entities: usize,
    relations: usize,
    arguments: usize,
    /// Things that the input said, which were not looked at.
    ignored: usize,
    /// Sentences with trees, which were not looked at.
    trees_ignored: usize,
    /// Sentences of which a machine had said something that was to be kept.
    by_machine: usize,
    /// Sentences whose words have changed since a machine looked at them.
    unknown: usize,
    /// Sentences whose rows have no place for who said what.
    unsigned: usize,
}

impl<'a> Finding<'a> {
    fn new(options: &'a Parse, file: &'a SemanticsFile, watch: &'a dyn Watch) -> anyhow::Result<Self> {
        let what = &options.what;
        let encoding = what.reading.characters.encoding;
        let asked = what.reading.format().map(crate::sentences::row_format);
        let source = Source::or_text_as(&what.input, asked, encoding, watch)?;
        let format = if source.format.is_text() { Format::Conllu } else { source.format };
        if matches!(format, Format::Brackets | Format::Gfl | Format::GflJson | Format::FudgJson) {
            let text = format!(
                "{} has no place for names, relations and roles; convert it to CoNLL-U",
                source.name()
            );
            return Err(Usage(text).into());
        }
        if options.n_best > 1 && format != Format::Conllu && !what.is_json() {
            let text = format!(
                "--n-best: {} has no place for several analyses of a sentence; use --json, or convert it to CoNLL-U",
                format.name()
            );
            return Err(Usage(text).into());
        }
        let machine = if what.no_marks { None } else { Some(models::signature("joint", &what.model)?) };
        Ok(Self { options, file, machine, source, format, watch })
    }

    fn run(self) -> anyhow::Result<Done<ParsedFile>> {
        let what = &self.options.what;
        let workers = models::workers(what.threads)?;
        let stop = self.watch.stop_flag("stopping");
        let source = &self.source;
        let text = Watched::new(source.open()?, Progress::new(self.watch, source.size(), &source.name()));
        let mut items = everything::items(source.format, text);
        let parser = self.file.parser.as_ref().map(|parser| parser.at_work(&workers));
        let mut output = Target::create(&what.to.output)?;
        let mut table = self.table()?;
        let (mut tally, mut problems): (SemanticTally, Vec<Problem>) = (SemanticTally::default(), Vec::new());
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH {
                let Some(reading) = items.next() else { break };
                let Read { value, line, problems: found } = reading.with_context(|| source.cannot_read())?;
                problems.extend(found.into_iter().filter(Problem::is_error));
                if line == 0 {
                    continue;
                }
                let (mut sentence, found) = sentence(source.format, value, line, self.file.given.as_ref());
                if what.constrain {
                    let reopened = sentence.reopen(self.file.model.options().task);
                    tally.by_machine += usize::from(reopened.is_marked && !reopened.is_unknown);
                    tally.unknown += usize::from(reopened.is_unknown);
                    sentence.is_unknown = reopened.is_unknown;
                    if self.file.model.options().mode == Mode::Joint && sentence.forget_trees_of_machines() {
                        sentence.look(self.file.given.as_ref());
                    }
                }
                if source.format.is_text() {
                    // Nobody has looked at what text has no place for.
                    sentence.seen.semantics.open_words = (0..sentence.seen.len()).collect();
                }
                // What the input says is looked at only if it is to be kept.
                problems.extend(found.into_iter().filter(|_| what.constrain));
                batch.push(sentence);
            }
            if batch.is_empty() {
                break;
            }
            if let Some(parser) = &parser {
                self.parse_first(parser, &mut batch, &mut tally, &workers);
            }
            let answers = workers
                .map_with(&batch, Messages::default, |messages, _, sentence| self.answer(sentence, messages));
            if stop.load(Ordering::Relaxed) {
                return Err(models::stopped(&what.to.output));
            }
            for (sentence, answer) in batch.into_iter().zip(answers) {
                self.write(sentence, answer, &mut output, table.as_mut(), &mut tally)
                    .with_context(|| cannot_write(&what.to.output))?;
            }
        }
        output.finish(self.watch)?;
        if let Some((path, file)) = table {
            file.finish().with_context(|| cannot_write(&path))?;
        }
        self.tell(&tally);
        let has_problems = report_problems(source, &problems, &MESSAGES, self.watch)?;
        let SemanticTally { counts, entities, relations, arguments, .. } = tally;
        let mut figures: Figures = counts.json().into();
        let more = [("entities", entities), ("relations", relations), ("arguments", arguments)];
        figures.0.extend(more.map(|(name, n)| (name.to_string(), json!(n))));
        figures.0.insert("threshold".into(), json!(self.file.model.threshold()));
        let done = Done { result: figures, has_problems: has_problems || counts.has_failed() };
        Ok(ParsedFile::of_joint(done, &what.to.output, ParsedBy::Semantics))
    }

    /// Gives sentences the trees of the model's own parser.
    fn parse_first(
        &self,
        parser: &ParserAtWork<'_>,
        batch: &mut [SemanticSentence],
        tally: &mut SemanticTally,
        workers: &Workers,
    ) {
        let syntax = self.file.model.options().syntax;
        let has_tree = |sentence: &&SemanticSentence| match syntax {
            Syntax::Arcs => sentence.seen.heads.iter().any(Option::is_some),
            Syntax::Brackets => sentence.seen.brackets.is_some(),
        };
        let which = match self.options.what.constrain {
            true => Which::Treeless,
            false => {
                tally.trees_ignored += batch.iter().filter(has_tree).count();
                Which::All
            }
        };
        parser.fill(batch, which, syntax, workers);
        batch.iter_mut().for_each(|sentence| sentence.look(self.file.given.as_ref()));
    }

    fn answer(&self, sentence: &SemanticSentence, messages: &mut Messages) -> Result<Answered, joint::Error> {
        let model = &self.file.model;
        // What is said is kept; syntax that is found with the task keeps what is known of trees.
        let known = match self.options.what.constrain {
            true => sentence.seen.clone(),
            false => model.opened(&sentence.seen),
        };
        let found = model.find(&known, messages)?;
        let n = self.options.n_best as usize;
        let ranked = if n > 1 { model.n_best(&known, n, messages)?.0 } else { Vec::new() };
        Ok(Answered { found, known: known.semantics, ranked })
    }

    fn write(
        &self,
        mut sentence: SemanticSentence,
        answer: Result<Answered, joint::Error>,
        output: &mut Target,
        table: Option<&mut (PathBuf, AtomicFile)>,
        tally: &mut SemanticTally,
    ) -> io::Result<()> {
        let stays = sentence.is_unknown && !self.options.what.is_json();
        if sentence.seen.forms.is_empty() || stays {
            return self.write_item(&sentence.item, output);
        }
        let number = tally.counts.n_sentences() + 1;
        let Answered { found, known, ranked } = match answer {
            Ok(answered) => {
                tally.counts.count(sentence.seen.len(), &answered.found.outcome);
                answered
            }
            Err(error) => {
                tally.counts.fail(sentence.seen.len());
                let line = sentence.line;
                self.watch.remark(&format!("error: line {line}: {error}; the sentence is left as it is"));
                return self.write_item(&sentence.item, output);
            }
        };
        tally.add(
            self.file.model.options().task,
            &sentence.seen.semantics,
            &found.semantics,
            self.options.what.constrain,
        );
        if let Some((_, table)) = table {
            write_rows(number, &sentence, &found, table)?;
        }
        if self.options.what.is_json() {
            return writeln!(output, "{}", object(number, &sentence, &found, &ranked));
        }
        if !ranked.is_empty() {
            return self.write_ranked(&sentence, &known, &found, &ranked, output);
        }
        let task = self.file.model.options().task;
        let before = sentence.item.clone();
        let left = semantics::write(self.format, &mut sentence.item, &found.semantics);
        let mut written = semantics::read(self.format, &sentence.item, sentence.line).1;
        if let Some(narrower) = without_displacing(&known, &found.semantics, &written) {
            sentence.item = before;
            semantics::write(self.format, &mut sentence.item, &narrower);
            written = semantics::read(self.format, &sentence.item, sentence.line).1;
        }
        tally.left_out.entities += left.entities;
        tally.left_out.relations += left.relations;
        tally.left_out.predicates += left.predicates;
        tally.left_out.arguments += left.arguments;
        match &mut sentence.item {
            Item::Sentence(rows) => {
                if self.format == Format::Conllu {
                    say_probabilities(rows, task, Some(&found));
                    self.write_tree(rows, &sentence.words, &found);
                }
                self.sign(rows, &known, &written);
            }
            _ => tally.unsigned += usize::from(self.machine.is_some()),
        }
        self.write_item(&sentence.item, output)
    }

    /// Says who found what stands in rows, if the format has a place for it.
    fn sign(&self, rows: &mut tree::Sentence, known: &Semantics, written: &Semantics) {
        let task = self.file.model.options().task;
        if task == SemanticTask::Entities && !self.options.what.constrain {
            // Relations went with the names that they were of, and pairs of those that are found anew nobody has looked at.
            marks::unmark(rows, SemanticTask::Relations);
        }
        marks::unmark(rows, task);
        let comment = format!("# {} =", marks::key(task));
        if let Some(machine) = self.machine.as_ref().filter(|_| semantics::is_author(&comment, self.format)) {
            marks::mark(rows, task, machine, known, written);
        }
    }

    /// Writes the most probable analyses, one after the other.
    fn write_ranked(
        &self,
        sentence: &SemanticSentence,
        known: &Semantics,
        found: &Found,
        ranked: &[RankedSemantics],
        output: &mut Target,
    ) -> io::Result<()> {
        for (rank, one) in (1..).zip(ranked) {
            let mut item = sentence.item.clone();
            semantics::write(self.format, &mut item, &one.semantics);
            if let Item::Sentence(rows) = &mut item {
                self.write_tree(rows, &sentence.words, found);
                for comment in rows.comments.iter_mut().filter(|comment| comment.starts_with("# sent_id =")) {
                    // Every sentence of a file has an id of its own.
                    *comment = format!("{comment}.{rank}").into();
                }
                rows.comments.push(format!("# rank = {rank}").into());
                rows.comments.push(format!("# probability = {:.6}", one.probability).into());
                say_probabilities(rows, self.file.model.options().task, None);
                self.sign(rows, known, &one.semantics);
            }
            self.write_item(&item, output)?;
        }
        Ok(())
    }

    /// Writes the tree that was found with the task, or that of the model's own parser, where the sentence has none.
    fn write_tree(&self, rows: &mut tree::Sentence, parsed: &tree::Sentence, found: &Found) {
        let model = &self.file.model;
        let is_open = rows.words().all(|word| word.head == Head::Open);
        match (&found.arcs, &self.file.parser) {
            (Some((arcs, Some(heads))), _)
                if model.options().mode == Mode::Joint && heads.len() == rows.n_words() =>
            {
                write_heads(rows, heads, arcs, self.machine.as_deref());
            }
            (_, Some(parser)) if model.options().syntax == Syntax::Arcs && is_open => {
                let machine = self.machine.as_ref().map(|_| parser.signature());
                rows.words_mut()
                    .zip(parsed.words())
                    .for_each(|(word, parsed)| take_row(word, parsed, machine));
            }
            (_, Some(parser))
                if model.options().syntax == Syntax::Brackets && rows.meta("tree").is_none() =>
            {
                let tree = parsed.comments.iter().find(|comment| is_tree(comment)).cloned();
                if let Some(tree) = tree {
                    rows.comments.push(tree);
                    if self.machine.is_some() {
                        rows.comments.push(format!("# tree_by = {}", parser.signature()).into());
                    }
                }
            }
            _ => {}
        }
    }

    fn write_item(&self, item: &Item, output: &mut Target) -> io::Result<()> {
        if self.options.what.is_json() {
            return Ok(());
        }
        everything::write(self.format, item, output).map(|_| ())
    }

    /// The table of everything that may be there.
    fn table(&self) -> anyhow::Result<Option<(PathBuf, AtomicFile)>> {
        let what = &self.options.what;
        if !self.options.posteriors || what.is_json() {
            return Ok(None);
        }
        let mut path = what.to.output.clone().into_os_string();
        path.push(".posteriors.tsv");
        let path = PathBuf::from(path);
        let create = || -> io::Result<AtomicFile> {
            let mut file = AtomicFile::create(&path)?;
            writeln!(file, "sentence\twhat\twords\tkind\tprobability\twritten")?;
            Ok(file)
        };
        let file = create().with_context(|| cannot_write(&path))?;
        Ok(Some((path, file)))
    }

    fn tell(&self, tally: &SemanticTally) {
        if tally.ignored > 0 {
            let said = plural(tally.ignored, "thing");
            self.watch.note(&format!(
                "note: {said} that the input says of names, relations or roles were not looked at; --constraints keeps them"
            ));
        }
        if tally.by_machine > 0 {
            let (sentences, lines) =
                (plural(tally.by_machine, "sentence"), marks::lines(self.file.model.options().task));
            self.watch.note(&format!(
                "note: {sentences} with {lines}: what a machine found there is found anew, and what people said is kept; delete \
                 that line of a sentence for all of which you stand"
            ));
        }
        if tally.unknown > 0 {
            let (sentences, lines) =
                (plural(tally.unknown, "sentence"), marks::lines(self.file.model.options().task));
            self.watch.note(&format!(
                "warning: the words of {sentences} have changed since a machine looked at them, so that nobody knows who said what: left \
                 as they are; delete the line {lines} of those you stand for"
            ));
        }
        if tally.unsigned > 0 {
            let format = self.format.name();
            self.watch.note(&format!(
                "note: {format} has no place for who said what: keep the file that people annotated, and do not learn from this one; \
                 CoNLL-U has"
            ));
        }
        if tally.trees_ignored > 0 {
            let trees = plural(tally.trees_ignored, "sentence");
            self.watch.note(&format!(
                "note: the trees of {trees} were not looked at, since the model parses; --constraints keeps them"
            ));
        }
        if !tally.left_out.is_empty() {
            let LeftOut { entities, relations, predicates, arguments, .. } = tally.left_out;
            self.watch.note(&format!(
                "note: the format has no place for {entities} entities, {relations} relations, {predicates} predicates and \
                 {arguments} arguments; CoNLL-U has, and --posteriors and --json"
            ));
        }
        self.watch.note(&tally.counts.statement(&self.source.name()));
    }
}

/// Takes head, relation and missing tags from a parsed row.
fn take_row(word: &mut Token, parsed: &Token, machine: Option<&str>) {
    (word.head, word.deprel) = (parsed.head.clone(), parsed.deprel.clone());
    let mut taken = vec![Column::Head, Column::Deprel];
    if word.upos == UNSPECIFIED && parsed.upos != UNSPECIFIED {
        word.upos = parsed.upos.clone();
        taken.push(Column::Upos);
    }
    if word.xpos == UNSPECIFIED && parsed.xpos != UNSPECIFIED {
        word.xpos = parsed.xpos.clone();
        taken.push(Column::Xpos);
    }
    if let Some(machine) = machine {
        taken.into_iter().for_each(|column| column.mark(word, machine, None));
    }
}

impl SemanticTally {
    fn add(&mut self, task: SemanticTask, said: &Semantics, found: &Semantics, is_kept: bool) {
        let n_arguments = |said: &Semantics| said.predicates.iter().map(|p| p.arguments.len()).sum::<usize>();
        self.entities += found.entities.len();
        self.relations += found.relations.len();
        self.arguments += n_arguments(found);
        if !is_kept {
            self.ignored += match task {
                // Relations go with names that are found anew.
                SemanticTask::Entities => said.entities.len() + said.relations.len(),
                SemanticTask::Relations => said.relations.len(),
                SemanticTask::Roles => n_arguments(said),
            };
        }
    }
}

/// A probability as it is written.
fn shown(probability: f64) -> f64 {
    (probability * 1e4).round() / 1e4
}

/// Everything that was found, and what else may be there: what it is, its words, its name, how probable it is, and whether it
/// is written.
fn rows(sentence: &SemanticSentence, found: &Found) -> Vec<(&'static str, Vec<Span>, Text, f64, bool)> {
    let word = |word: usize| Span::new(word, word + 1);
    let of_predicates = found.senses.iter().zip(&found.arguments);
    let probabilities = found
        .entities
        .iter()
        .chain(&found.relations)
        .chain(of_predicates.flat_map(|(sense, arguments)| sense.iter().chain(arguments)));
    let mut all: Vec<_> = said(&found.semantics)
        .into_iter()
        .zip(probabilities)
        .map(|((what, words, kind), &probability)| (what, words, kind, probability, true))
        .collect();
    let of_task =
        match (found.semantics.predicates.is_empty(), found.others.first().map(|other| other.words.len())) {
            (false, _) => "argument",
            (true, Some(1)) => "entity",
            _ => "relation",
        };
    all.extend(
        found
            .others
            .iter()
            .map(|other| (of_task, other.words.clone(), other.kind.clone(), other.probability, false)),
    );
    for belief in found.brackets.iter().flatten().filter(|belief| belief.is_best) {
        let span = Span::new(belief.span.0 as usize, belief.span.1 as usize);
        all.push(("bracket", span.into_iter().collect(), Text::default(), belief.probability, false));
    }
    if let Some((arcs, Some(heads))) = &found.arcs
        && heads.len() == sentence.seen.len()
    {
        for at in 1..=heads.len() {
            let head = heads.head(at);
            let words = [head.checked_sub(1).and_then(word), word(at - 1)].into_iter().flatten().collect();
            all.push(("arc", words, Text::default(), arcs.of(head, at), false));
        }
    }
    all
}

/// Words from 1, as `3-5`.
fn numbers(span: &Span) -> String {
    let (first, last) = (span.start() + 1, span.end());
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

fn write_rows(
    number: usize,
    sentence: &SemanticSentence,
    found: &Found,
    out: &mut impl Write,
) -> io::Result<()> {
    for (what, words, kind, probability, is_written) in rows(sentence, found) {
        let words: Vec<String> = words.iter().map(numbers).collect();
        let (words, written) = (words.join(" "), if is_written { "yes" } else { "no" });
        writeln!(out, "{number}\t{what}\t{words}\t{kind}\t{:.4}\t{written}", shown(probability))?;
    }
    Ok(())
}

fn object(number: usize, sentence: &SemanticSentence, found: &Found, ranked: &[RankedSemantics]) -> Value {
    let places = |words: &[Span]| -> Vec<[usize; 2]> {
        words.iter().map(|span| [span.start() + 1, span.end()]).collect()
    };
    let listed: Vec<Value> = rows(sentence, found)
        .into_iter()
        .map(|(what, words, kind, probability, is_written)| {
            let words = places(&words);
            json!({ "what": what, "words": words, "kind": kind, "probability": shown(probability), "written": is_written })
        })
        .collect();
    let analyses: Vec<Value> = (1..)
        .zip(ranked)
        .map(|(rank, one)| {
            let listed: Vec<Value> = said(&one.semantics)
                .into_iter()
                .map(|(what, words, kind)| json!({ "what": what, "words": places(&words), "kind": kind }))
                .collect();
            json!({ "rank": rank, "probability": one.probability, "found": listed })
        })
        .collect();
    let mut object = json!({
        "sentence": number,
        "line": sentence.line,
        "words": sentence.seen.forms,
        "found": listed,
        "exact": found.outcome.is_exact,
        "converged": found.outcome.has_converged,
        "calibrated": false,
    });
    if !analyses.is_empty() {
        object["n_best"] = analyses.into();
    }
    object
}

/// Everything that semantics say: what it is, its words, its name.
fn said(said: &Semantics) -> Vec<(&'static str, Vec<Span>, Text)> {
    let word = |word: usize| Span::new(word, word + 1);
    let mut all: Vec<_> =
        said.entities.iter().map(|entity| ("entity", vec![entity.span], entity.kind.clone())).collect();
    for relation in &said.relations {
        let words = [relation.first, relation.second].map(|entity| said.entities[entity].span).to_vec();
        all.push(("relation", words, relation.kind.clone()));
    }
    for predicate in &said.predicates {
        if let Some(sense) = &predicate.sense {
            all.push(("sense", word(predicate.word).into_iter().collect(), sense.clone()));
        }
        for argument in &predicate.arguments {
            let words = [predicate.word, argument.word].into_iter().filter_map(word).collect();
            all.push(("argument", words, argument.role.clone()));
        }
    }
    all
}

/// Writes probabilities into MISC: `EntProb` at the first word of a name, `RelProb` at that of a relation's first name,
/// `SenseProb` at a predicate, `ArgProb` at its arguments. Those of other tasks stay as they are.
fn say_probabilities(rows: &mut tree::Sentence, task: SemanticTask, found: Option<&Found>) {
    let mut items: Vec<(usize, String)> = Vec::new();
    let keys: &[&str] = match task {
        SemanticTask::Entities => &["EntProb="],
        SemanticTask::Relations => &["RelProb="],
        SemanticTask::Roles => &["SenseProb=", "ArgProb="],
    };
    if let Some(Found { semantics: said, entities, relations, senses, arguments, .. }) = found {
        for (entity, p) in said.entities.iter().zip(entities) {
            items.push((entity.span.start(), format!("EntProb={:.4}", shown(*p))));
        }
        for (relation, p) in said.relations.iter().zip(relations) {
            items.push((said.entities[relation.first].span.start(), format!("RelProb={:.4}", shown(*p))));
        }
        for ((predicate, sense), arguments) in said.predicates.iter().zip(senses).zip(arguments) {
            items.extend(sense.map(|p| (predicate.word, format!("SenseProb={:.4}", shown(p)))));
            for (argument, p) in predicate.arguments.iter().zip(arguments) {
                items.push((argument.word, format!("ArgProb={}:{:.4}", predicate.word + 1, shown(*p))));
            }
        }
    }
    let is_ours = |item: &str| keys.iter().any(|key| item.starts_with(key));
    for (at, word) in rows.words_mut().enumerate() {
        let old = word.misc.split('|').filter(|item| *item != "_" && !is_ours(item));
        let new = items.iter().filter(|(word, item)| *word == at && is_ours(item));
        let all: Vec<&str> = old.chain(new.map(|(_, item)| item.as_str())).collect();
        word.misc = if all.is_empty() { "_".into() } else { all.join("|").into() };
    }
}

/// What was found without names for which the format left out some that people had said, since two neighbours of one type would
/// be one there; `None` if none was left out.
fn without_displacing(known: &Semantics, found: &Semantics, written: &Semantics) -> Option<Semantics> {
    let is_lost = |entity: &&Entity| !written.entities.contains(entity) && found.entities.contains(entity);
    let lost: Vec<&Entity> = known.entities.iter().filter(is_lost).collect();
    let touches = |entity: &Entity| {
        let ends = (entity.span.start(), entity.span.end());
        lost.iter().any(|lost| lost.span.start() == ends.1 || lost.span.end() == ends.0)
    };
    let mut narrower = found.clone();
    let stays = |at: usize| known.entities.contains(&found.entities[at]) || !touches(&found.entities[at]);
    narrower.keep_entities(stays);
    (!lost.is_empty() && narrower != *found).then_some(narrower)
}
