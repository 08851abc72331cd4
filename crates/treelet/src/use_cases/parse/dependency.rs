//! `treelet parse` with a model of `treelet train dependency`.

mod rows;
mod strange;

use crate::batches::{Given, Input, Wanted};
use crate::dependency_parser::{DependencyParser, OwnTagger, SentenceTagger};
use crate::imputation::fragments::contradiction;
use crate::models;
use crate::options::impute::Trust;
use crate::options::parse::{DecodeName, Parse};
use crate::options::{MessageFormat, Messages};
use crate::outcome::{Done, Usage};
use crate::table::plural;
use crate::target::Target;
use crate::use_cases::check::report_problems;
use crate::use_cases::parse::{ParsedBy, ParsedFile, ParserFigures, ignored};
use crate::watch::Steps;
use crate::watch::Watch;
use anyhow::Context;
use dependency::{self, DependencyModel, ParseOptions, Parsed, TagColumn, Workspace};
use formats::Problem;
use rows::ParsedRow;
use std::path::Path;
use std::sync::atomic::Ordering;
use strange::Strange;
use tree::Possible;
use tree::provenance::{self, Column};
use tree::sentence::{UNSPECIFIED, is_root_relation};
use tree::{Head, Reading, Sentence, Text, Token};

/// Sentences that are held in memory at a time.
const BATCH: usize = 256;
const MESSAGES: Messages = Messages { message_format: MessageFormat::Human, max_problems: 10 };

pub(super) fn run(options: &Parse, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    if what.to.output != Path::new("-") {
        models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.to.output, "the trees")?;
    }
    let settings = settings(options, watch)?;
    let workers = models::workers(what.threads)?;
    let parser = DependencyParser::read(&what.model)?;
    let model = &parser.model;
    if settings.n_best > 1 && !model.options().shape.projective {
        return Err(Usage("--n-best: a parser of trees that may cross finds the best one only".into()).into());
    }
    let wanted = Wanted { heads: what.constrain, empty: false, trust: Trust::People };
    let mut input =
        Input::open(&what.input, what.reading.format(), what.reading.characters.encoding, wanted, watch)?;
    let stop = watch.stop_flag("stopping");
    let mut output = Target::create(&what.to.output)?;
    if settings.posteriors && !model.has_calibrated_relations() {
        watch.note("note: the probabilities of relations are not calibrated; few relations were held out in training");
    }
    let machine = models::signature("dependency", &what.model)?;
    let mut told = Told::new(&parser, &machine, what.retag);
    // Where no probability is printed, nobody need know.
    told.uncalibrated &= settings.posteriors;
    let steps = Steps::new(watch, input.size(), "byte");
    loop {
        let batch = input.next_batch(BATCH)?;
        if batch.is_empty() {
            break;
        }
        let ready: Vec<Ready> = batch.into_iter().map(|given| told.prepare(given, what.constrain)).collect();
        let parsed = workers.map_with(&ready, Workspace::default, |workspace, _, ready| {
            model.parse(&ready.given.annotated.sentence, ready.possible.as_ref(), &settings, workspace)
        });
        if stop.load(Ordering::Relaxed) {
            return Err(models::stopped(&what.to.output));
        }
        for (ready, parsed) in ready.iter().zip(&parsed) {
            told.see(ready, parsed);
            let row = ParsedRow {
                ready,
                parsed,
                machine: (!what.no_marks).then_some(machine.as_str()),
                probabilities: options.posteriors,
                column: model.options().tags,
                number: told.n_sentences,
            };
            row.write(&mut output, what.is_json())
                .with_context(|| format!("cannot write {}", what.to.output.display()))?;
        }
        steps.reach(input.position(), String::new);
    }
    drop(steps);
    told.note(what.constrain, watch);
    told.finish(input, output, what.to.output.as_path(), watch)
}

fn settings(options: &Parse, watch: &dyn Watch) -> anyhow::Result<ParseOptions> {
    let decode = match options.decode {
        DecodeName::Viterbi => dependency::Decode::Best,
        DecodeName::Mode => {
            let text = "--decode mode: trees are not drawn by a dependency parser; use mbr or viterbi";
            return Err(Usage(text.into()).into());
        }
        DecodeName::Mbr | DecodeName::MaxRule => dependency::Decode::Mbr,
    };
    let heeded =
        ["--n-best", "--posteriors", "--decode", "--constrain", "--retag", "--no-marks", "--max-words"];
    ignored::note(&heeded, "one of dependencies", watch);
    // Objects have probabilities in any case.
    let posteriors = options.posteriors || options.what.is_json();
    Ok(ParseOptions {
        decode,
        n_best: options.n_best as usize,
        posteriors,
        keep_relations: options.what.constrain,
        max_words: options.what.max_words as usize,
    })
}

/// A sentence that can be parsed.
struct Ready {
    given: Given,
    /// How probable the tags are that the parser's own tagger gave.
    tagged: Vec<Option<f64>>,
    possible: Option<Possible>,
    /// What in the annotation contradicts what.
    conflict: Option<String>,
    /// Heads and relations that must stay, by position from 0.
    kept: Vec<(Option<Head>, Option<Text>)>,
    /// Words whose tag was taken from the other column; it stays there.
    borrowed: Vec<bool>,
}

/// What there is to say when all is done.
struct Told<'m> {
    model: &'m DependencyModel,
    tagger: Option<&'m OwnTagger>,
    tagging: Option<SentenceTagger<'m>>,
    machine: &'m str,
    /// Whether words that have a tag get another.
    retag: bool,
    knows_roots: bool,
    strange: Strange<'m>,
    problems: Vec<Problem>,
    n_sentences: usize,
    n_words: usize,
    n_conflicts: usize,
    n_tagged: usize,
    n_given_tags: usize,
    n_borrowed: usize,
    n_ignored_heads: usize,
    n_taken_back: usize,
    n_enhanced: usize,
    n_in_pieces: usize,
    /// Whether nobody found out how often the tagger's tags are right.
    uncalibrated: bool,
    n_dishonoured: usize,
}

impl<'m> Told<'m> {
    fn new(parser: &'m DependencyParser, machine: &'m str, retag: bool) -> Self {
        let DependencyParser { model, tagger, .. } = parser;
        let tagger = tagger.as_ref();
        Told {
            model,
            tagger,
            tagging: tagger.map(OwnTagger::tagging),
            machine,
            retag,
            knows_roots: model.relations().iter().any(|name| is_root_relation(name)),
            strange: Strange::new(parser),
            problems: Vec::new(),
            n_sentences: 0,
            n_words: 0,
            n_conflicts: 0,
            n_tagged: 0,
            n_given_tags: 0,
            n_borrowed: 0,
            n_ignored_heads: 0,
            n_taken_back: 0,
            n_enhanced: 0,
            n_in_pieces: 0,
            uncalibrated: tagger.is_some_and(|tagger| !tagger.is_calibrated()),
            n_dishonoured: 0,
        }
    }

    /// Finds tags for words without one, and what must be honoured.
    fn prepare(&mut self, mut given: Given, constrain: bool) -> Ready {
        let annotated = &mut given.annotated;
        self.problems.append(&mut annotated.errors);
        self.n_taken_back += annotated.n_taken_back;
        self.n_enhanced += annotated.sentence.words().filter(|word| word.deps != UNSPECIFIED).count();
        let (borrowed, tagged) = self.tag(&mut annotated.sentence);
        if !constrain {
            self.n_ignored_heads += annotated.sentence.partial_heads().iter().flatten().count();
            return Ready { given, possible: None, conflict: None, kept: Vec::new(), borrowed, tagged };
        }
        let kept = annotated.sentence.words().map(|word| {
            let head = (word.head != Head::Open).then(|| word.head.clone());
            (head, (word.deprel != UNSPECIFIED).then(|| word.deprel.clone()))
        });
        let kept = kept.collect();
        if self.knows_roots {
            annotated.say_relations();
        }
        match Possible::new(&annotated.said, &Reading::default()) {
            Ok(possible) => Ready { given, possible: Some(possible), conflict: None, kept, borrowed, tagged },
            Err(conflict) => {
                self.n_conflicts += 1;
                self.problems.push(contradiction(annotated, &conflict));
                Ready { given, possible: None, conflict: Some(conflict.to_string()), kept, borrowed, tagged }
            }
        }
    }

    /// Gives words the tags that the parser goes by: those that people gave them, or else those of the other column if the
    /// parser knows them, or else those of its own tagger. Returns which words have theirs from the other column, and how
    /// probable those of the tagger are.
    fn tag(&mut self, sentence: &mut Sentence) -> (Vec<bool>, Vec<Option<f64>>) {
        let column = self.model.options().tags;
        let marked = marked(column);
        let mut borrowed = vec![false; sentence.n_words()];
        let mut tagged = Vec::new();
        if let Some((tagger, tagging)) = self.tagger.zip(self.tagging.as_mut()) {
            provenance::take_back(sentence, &[marked]);
            if !self.retag {
                borrowed = tagger.borrow(sentence);
            }
            tagged = tagging.tag(sentence, self.retag);
            self.n_tagged += tagged.iter().flatten().count();
            for (word, _) in sentence.words_mut().zip(&tagged).filter(|(_, tagged)| tagged.is_some()) {
                marked.mark(word, self.machine, None);
            }
        }
        self.strange.see(sentence);
        self.n_borrowed += borrowed.iter().filter(|&&is_borrowed| is_borrowed).count();
        let is_given = |word: &&Token| *column.of(word) != UNSPECIFIED && !marked.is_by_machine(word);
        self.n_given_tags += sentence.words().filter(is_given).count();
        (borrowed, tagged)
    }

    fn see(&mut self, ready: &Ready, parsed: &Parsed) {
        self.n_sentences += 1;
        self.n_words += ready.given.annotated.sentence.n_words();
        self.n_in_pieces += usize::from(parsed.in_pieces);
        if !parsed.honoured && ready.conflict.is_none() {
            self.n_dishonoured += 1;
        }
    }

    /// What was done with what stood in the input, and what was not.
    fn note(&self, constrain: bool, watch: &dyn Watch) {
        if self.n_tagged > 0 {
            let words = plural(self.n_tagged, "word");
            watch.note(&match self.retag {
                true => format!("note: the tags of {words} are those of the parser's own tagger (--retag)"),
                false => format!("note: {words} had no tag; the parser's own tagger gave one"),
            });
            if self.uncalibrated {
                watch.note(
                    "note: how probable these tags are was not calibrated: the parser had few tagged sentences",
                );
            }
        }
        if self.n_given_tags > 0 && self.tagger.is_some() {
            watch.note(&format!(
                "note: the tags of {} are those of the input; --retag lets the parser's own tagger find them, as it \
                 must in new text",
                plural(self.n_given_tags - self.n_borrowed, "word")
            ));
        }
        if self.n_borrowed > 0 {
            let (wanted, other) = match self.model.options().tags {
                TagColumn::Upos => ("UPOS", "XPOS"),
                TagColumn::Xpos => ("XPOS", "UPOS"),
            };
            watch.note(&format!(
                "note: the parser goes by tags in {wanted}; {} without one went by {other}",
                plural(self.n_borrowed, "word")
            ));
        }
        if self.n_ignored_heads > 0 && !constrain {
            watch.note(&format!(
                "note: {} of the input were not looked at; --constraints keeps them, and their relations",
                plural(self.n_ignored_heads, "head")
            ));
        }
        if self.n_taken_back > 0 && constrain {
            watch.note(&format!(
                "note: {} heads and relations that a machine had filled in were open again",
                self.n_taken_back
            ));
        }
        if self.n_enhanced > 0 {
            watch.note(&format!(
                "note: the enhanced dependencies (DEPS) of {} stay as they were; they are not parsed",
                plural(self.n_enhanced, "word")
            ));
        }
        if self.n_in_pieces > 0 {
            watch.note(&format!(
                "warning: {} longer than --max-words and parsed in pieces; # treelet_fallback marks them",
                if self.n_in_pieces == 1 {
                    "1 sentence was".into()
                } else {
                    format!("{} sentences were", self.n_in_pieces)
                }
            ));
        }
    }

    /// The same as numbers, with where the trees are.
    fn result(&self, output: Option<&Path>) -> ParsedFile {
        ParsedFile {
            output: output.map(Path::to_path_buf),
            sentences: self.n_sentences,
            words: self.n_words,
            by: ParsedBy::Dependency(ParserFigures {
                tagged: self.n_tagged,
                given_tags: self.n_given_tags,
                borrowed_tags: self.n_borrowed,
                ignored_heads: self.n_ignored_heads,
                taken_back: self.n_taken_back,
                enhanced: self.n_enhanced,
                in_pieces: self.n_in_pieces,
                conflicts: self.n_conflicts,
                parsed_freely: self.n_dishonoured,
            }),
        }
    }

    fn finish(
        mut self,
        input: Input,
        output: Target,
        path: &Path,
        watch: &dyn Watch,
    ) -> anyhow::Result<Done<ParsedFile>> {
        let (source, problems) = input.finish(std::mem::take(&mut self.problems));
        if self.n_sentences == 0 && problems.iter().any(Problem::is_error) {
            report_problems(&source, &problems, &MESSAGES, watch)?;
            watch.remark(&format!(
                "error: {} has no sentence that can be used; {} was not written",
                source.name(),
                path.display()
            ));
            return Ok(Done { result: self.result(None), has_problems: true });
        }
        output.finish(watch)?;
        if self.n_sentences == 0 {
            watch.note(&format!("note: {} has no sentences", source.name()));
        }
        self.strange.warn(watch);
        if self.n_dishonoured > 0 {
            watch.remark(&format!(
                "warning: {} demanded what no tree was found for and were parsed freely",
                plural(self.n_dishonoured, "sentence")
            ));
        }
        let has_errors = report_problems(&source, &problems, &MESSAGES, watch)?;
        let has_problems = has_errors || self.n_dishonoured > 0;
        Ok(Done { result: self.result(Some(path)), has_problems })
    }
}

/// The column of tags as it is marked.
fn marked(column: TagColumn) -> Column {
    match column {
        TagColumn::Upos => Column::Upos,
        TagColumn::Xpos => Column::Xpos,
    }
}
