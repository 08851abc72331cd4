//! `treelet joint run`.

use super::brackets;
use super::columns::{TagPlace, has_features, seen};
use super::model::JointModel;
use crate::any_model::{AnyModel, ModelKind};
use crate::batches::{Given, Input, Wanted};
use crate::models;
use crate::options::impute::Trust;
use crate::options::joint::JointRun;
use crate::options::parse::Parse;
use crate::options::tag::{self, Again, Syntax, TagCourse};
use crate::outcome::{Done, Figures, Usage};
use crate::table::plural;
use crate::target::Target;
use crate::use_cases::check::report_problems;
use crate::use_cases::parse::{ParsedBy, ParsedFile, ignored};
use crate::use_cases::tag::MESSAGES;
use crate::watch::{Steps, Watch};
use anyhow::Context;
use arcs::Marginals;
use bp::Messages;
use chain::Workers;
use formats::conllu;
use formats::output::AtomicFile;
use joint::Mode;
use joint::tagging::Tagger;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use tree::provenance;
use tree::sentence::UNSPECIFIED;
use tree::{Head, Heads, Sentence};

/// Sentences that are held in memory at a time.
const BATCH: usize = 256;

/// Tags or parses sentences with a model on a factor graph, and writes them.
pub fn run_joint(options: &JointRun, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    check(options)?;
    let workers = models::workers(options.course.threads)?;
    if AnyModel::open(&options.model)?.kind == ModelKind::Brackets {
        return brackets::run(options, &workers, watch);
    }
    with_model(&JointModel::read(&options.model)?, options, &workers, watch)
}

/// `treelet parse` with such a model.
pub(crate) fn parse(options: &Parse, kind: ModelKind, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    if kind == ModelKind::Semantics {
        return super::semantics::find::parse(options, watch);
    }
    let what = &options.what;
    ignored::note(&["--heat-maps"], "one of `treelet joint train`", watch);
    watch.without_effect(&["--json", "--format"], "such a model writes rows or brackets");
    let run = JointRun {
        model: what.model.clone(),
        input: what.input.clone(),
        to: what.to.clone(),
        again: Again { all: false },
        syntax: Syntax { trees: false, heat_maps: options.heat_maps.clone() },
        course: TagCourse { threads: what.threads, json: false, reading: what.reading.clone() },
    };
    check(&run)?;
    let workers = models::workers(what.threads)?;
    if kind == ModelKind::Brackets {
        let done = brackets::run(&run, &workers, watch)?;
        return Ok(ParsedFile::of_joint(done, &what.to.output, ParsedBy::Brackets));
    }
    let model = JointModel::read(&what.model)?;
    if matches!(model, JointModel::Tagging { .. }) {
        let path = what.model.display();
        let text = format!("{path} tags words and builds no trees; use `treelet tag run {path} INPUT`");
        return Err(Usage(text).into());
    }
    let done = with_model(&model, &run, &workers, watch)?;
    Ok(ParsedFile::of_joint(done, &what.to.output, ParsedBy::Joint))
}

/// `treelet tag run` with such a model.
pub(crate) fn tag(options: &tag::TagRun, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    watch.without_effect(
        &["--column", "--n-best", "--beyond-dict", "--viterbi"],
        "the model is one of `treelet joint train`, which has its column and gives each word its most probable tag",
    );
    let run = JointRun {
        model: options.model.clone(),
        input: options.input.clone(),
        to: options.to.clone(),
        again: options.again,
        syntax: options.syntax.clone(),
        course: options.course.clone(),
    };
    check(&run)?;
    let model = JointModel::read(&options.model)?;
    if matches!(model, JointModel::Dependency { .. }) {
        let path = options.model.display();
        return Err(Usage(format!("{path} finds heads, not tags; use `treelet parse {path} INPUT`")).into());
    }
    with_model(&model, &run, &models::workers(options.course.threads)?, watch)
}

fn with_model(
    model: &JointModel,
    options: &JointRun,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Done<Figures>> {
    check_model(model, options)?;
    if let Some(folder) = &options.syntax.heat_maps {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let needs_heads = match model {
        JointModel::Tagging { tagger, .. } => matches!(tagger.settings().mode, Mode::Oracle | Mode::Joint),
        JointModel::Dependency { .. } => true,
    };
    // A parser finds heads anew that a machine found; to a tagger any tree is better than none.
    let trust = match model {
        JointModel::Tagging { .. } => Trust::Imputed,
        JointModel::Dependency { .. } => Trust::People,
    };
    if matches!(model, JointModel::Dependency { .. }) {
        watch.without_effect(&["--all", "--trees"], "the model finds heads, where there are none");
    }
    let machine = models::signature("joint", &options.model)?;
    let wanted = Wanted { heads: needs_heads, empty: true, trust };
    let reading = &options.course.reading;
    let mut input =
        Input::open(&options.input, reading.format(), reading.characters.encoding, wanted, watch)?;
    let stop = watch.stop_flag("stopping");
    let mut output = Target::create(&options.to.output)?;
    let (mut counts, mut problems) = (InferenceCounts::default(), Vec::new());
    let steps = Steps::new(watch, input.size(), "byte");
    loop {
        let batch = input.next_batch(BATCH)?;
        if batch.is_empty() {
            break;
        }
        let answers = workers.map_with(&batch, Messages::default, |messages, _, given| {
            answer(model, options, given, &machine, messages)
        });
        if stop.load(Ordering::Relaxed) {
            return Err(models::stopped(&options.to.output));
        }
        for (given, answer) in batch.into_iter().zip(answers) {
            let answer = counts.add(given.annotated.line, answer, &given.annotated.sentence, watch);
            if let (Some(folder), Some(arcs)) = (&options.syntax.heat_maps, &answer.arcs) {
                picture(folder, counts.n_sentences, &answer.sentence, arcs)?;
            }
            problems.extend(given.annotated.errors);
            conllu::write(&answer.sentence, &mut output)
                .with_context(|| format!("cannot write {}", options.to.output.display()))?;
        }
        steps.reach(input.position(), String::new);
    }
    drop(steps);
    let (source, problems) = input.finish(problems);
    output.finish(watch)?;
    watch.note(&counts.statement(&source.name()));
    let has_problems = report_problems(&source, &problems, &MESSAGES, watch)?;
    Ok(Done { result: counts.json().into(), has_problems: has_problems || counts.n_failed > 0 })
}

fn check(options: &JointRun) -> anyhow::Result<()> {
    let inputs = [options.model.as_path(), options.input.as_path()];
    models::check_sentences(&options.to.output, options.course.json, &inputs, "the output")
}

fn check_model(model: &JointModel, options: &JointRun) -> anyhow::Result<()> {
    if let JointModel::Tagging { tagger, .. } = model
        && !tagger.settings().mode.has_syntax()
        && (options.syntax.trees || options.syntax.heat_maps.is_some())
    {
        let text = "the model knows no syntax, so that there are no trees and no arcs to draw; train with --mode joint or hidden";
        return Err(Usage(text.into()).into());
    }
    Ok(())
}

/// A sentence with what was found.
struct Answer {
    sentence: Sentence,
    arcs: Option<Marginals>,
    outcome: bp::Outcome,
}

fn answer(
    model: &JointModel,
    options: &JointRun,
    given: &Given,
    machine: &str,
    messages: &mut Messages,
) -> Result<Answer, joint::Error> {
    let sentence = &given.annotated.sentence;
    match model {
        JointModel::Tagging { tags, given: column, tagger } => {
            tagged(sentence, (tags, column.as_ref()), tagger, (options, machine), messages)
        }
        JointModel::Dependency { given: column, parser } => {
            let known = given.annotated.errors.is_empty();
            let parsed = parser.parse(&seen(sentence, None, column.as_ref(), known), messages)?;
            let mut sentence = sentence.clone();
            write_heads(&mut sentence, &parsed.heads, &parsed.arcs, Some(machine));
            Ok(Answer { sentence, arcs: Some(parsed.arcs), outcome: parsed.outcome })
        }
    }
}

fn tagged(
    sentence: &Sentence,
    (column, given): (&TagPlace, Option<&TagPlace>),
    tagger: &Tagger,
    (options, machine): (&JointRun, &str),
    messages: &mut Messages,
) -> Result<Answer, joint::Error> {
    let mode = tagger.settings().mode;
    let has_tags = has_features(sentence);
    let known = (!options.again.all).then_some(column);
    let mut words = seen(sentence, known, given, matches!(mode, Mode::Oracle | Mode::Joint));
    // That a word does not have an attribute says nothing before anybody has looked.
    words.tags.iter_mut().for_each(|tag| *tag = tag.take().filter(|tag| *tag != UNSPECIFIED));
    let tagged = tagger.tag(&words, messages)?;
    let mut sentence = sentence.clone();
    for (at, token) in sentence.words_mut().enumerate() {
        let keeps = !options.again.all && column.of(token, has_tags).is_some_and(|tag| tag != UNSPECIFIED);
        if !keeps {
            let before = token.feats.clone();
            column.set(token, &tagged.tags[at]);
            let sure = Some(tagged.probabilities[at]);
            match column {
                TagPlace::Upos => provenance::Column::Upos.mark(token, machine, sure),
                TagPlace::Xpos => provenance::Column::Xpos.mark(token, machine, sure),
                TagPlace::Attribute(_) => provenance::mark_feats(token, &before, machine, sure),
            }
        }
    }
    if let (Some(heads), Some(arcs)) = (&tagged.heads, &tagged.arcs)
        && (mode == Mode::Joint || options.syntax.trees)
    {
        write_heads(&mut sentence, heads, arcs, Some(machine));
    }
    Ok(Answer { sentence, arcs: tagged.arcs, outcome: tagged.outcome })
}

/// Writes heads where there are none.
pub(super) fn write_heads(sentence: &mut Sentence, heads: &Heads, arcs: &Marginals, machine: Option<&str>) {
    for (at, token) in (1..).zip(sentence.words_mut()) {
        if token.head == Head::Open {
            let head = heads.head(at);
            token.head = Head::Of(head as u32);
            if token.deprel == UNSPECIFIED {
                token.deprel = if head == 0 { "root" } else { "dep" }.into();
                machine.inspect(|machine| provenance::Column::Deprel.mark(token, machine, None));
            }
            machine.inspect(|machine| provenance::Column::Head.mark(token, machine, Some(arcs.of(head, at))));
        }
    }
}

/// The probabilities of arcs as a picture: heads in rows, dependents in columns.
fn picture(folder: &Path, number: usize, sentence: &Sentence, arcs: &Marginals) -> anyhow::Result<()> {
    let words: Vec<String> =
        (1..).zip(sentence.words()).map(|(at, token)| format!("{at} {}", token.form)).collect();
    let columns: Vec<&str> = words.iter().map(String::as_str).collect();
    let rows: Vec<&str> = std::iter::once("0 root").chain(columns.iter().copied()).collect();
    let n = columns.len();
    let values: Vec<f64> = (0..=n).flat_map(|head| (1..=n).map(move |word| arcs.of(head, word))).collect();
    let title = format!("Arcs from heads (rows) to dependents (columns), sentence {number}");
    let svg = draw::heat_grid(&title, &rows, &columns, &values, 1.0);
    let path = folder.join(format!("{number}.svg"));
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(&path)?;
        file.write_all(svg.as_bytes())?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// What was done, and how surely.
#[derive(Default)]
pub(super) struct InferenceCounts {
    n_sentences: usize,
    n_words: usize,
    n_exact: usize,
    n_resting: usize,
    n_sweeps: usize,
    n_failed: usize,
}

impl InferenceCounts {
    /// Counts an answer; a sentence that has none is told of and kept as it was.
    fn add(
        &mut self,
        line: u32,
        answer: Result<Answer, joint::Error>,
        sentence: &Sentence,
        watch: &dyn Watch,
    ) -> Answer {
        let n_words = sentence.n_words();
        match answer {
            Ok(answer) => {
                self.count(n_words, &answer.outcome);
                answer
            }
            Err(error) => {
                watch.remark(&format!("error: line {line}: {error}; the sentence is left as it is"));
                self.fail(n_words);
                let outcome = bp::Outcome { is_exact: true, has_converged: true, sweeps: 0 };
                Answer { sentence: sentence.clone(), arcs: None, outcome }
            }
        }
    }

    /// Counts a sentence that was answered.
    pub(super) fn count(&mut self, n_words: usize, outcome: &bp::Outcome) {
        self.n_sentences += 1;
        self.n_words += n_words;
        self.n_exact += usize::from(outcome.is_exact);
        if !outcome.is_exact {
            self.n_resting += usize::from(outcome.has_converged);
            self.n_sweeps += outcome.sweeps;
        }
    }

    /// Counts a sentence that has no answer, which is neither exact nor not.
    pub(super) fn fail(&mut self, n_words: usize) {
        self.n_sentences += 1;
        self.n_words += n_words;
        self.n_failed += 1;
    }

    /// How many sentences were counted.
    pub(super) fn n_sentences(&self) -> usize {
        self.n_sentences
    }

    /// Whether a sentence has no answer.
    pub(super) fn has_failed(&self) -> bool {
        self.n_failed > 0
    }

    fn n_loopy(&self) -> usize {
        self.n_sentences - self.n_exact - self.n_failed
    }

    pub(super) fn statement(&self, name: &str) -> String {
        let done =
            format!("{name}: {}, {}", plural(self.n_sentences, "sentence"), plural(self.n_words, "word"));
        let loopy = self.n_loopy();
        if loopy == 0 {
            let but = if self.n_failed > 0 { format!(" in {}", self.n_exact) } else { String::new() };
            return format!("{done}; inference was exact{but}");
        }
        format!(
            "{done}; inference was exact in {} and by loopy belief propagation in {loopy}, where messages came to rest in \
             {} ({:.1} sweeps in the mean)",
            self.n_exact,
            self.n_resting,
            self.n_sweeps as f64 / loopy as f64
        )
    }

    pub(super) fn json(&self) -> serde_json::Value {
        json!({
            "sentences": self.n_sentences,
            "words": self.n_words,
            "failed": self.n_failed,
            "exact": self.n_exact,
            "loopy": self.n_loopy(),
            "converged": self.n_resting,
            "mean_sweeps": (self.n_loopy() > 0).then(|| self.n_sweeps as f64 / self.n_loopy() as f64),
        })
    }
}
