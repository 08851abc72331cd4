//! Every use case by its name, with options and results as JSON: what a browser or another language needs of this library.

use crate::options::json::from_json;
use crate::outcome::{Done, Outcome, Usage};
use crate::watch::{Bar, FileProblems, Message, Troubled, Watch, Work};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Called {
    /// What the use case gives back.
    pub result: Value,
    /// Whether the input has problems, which the watch was told of.
    pub has_problems: bool,
}

type Object = Map<String, Value>;
type UseCase = fn(&Object, &dyn Watch) -> anyhow::Result<Called>;

/// All use cases by the words of their commands. Drawings and the tour are for doors that draw.
const USE_CASES: [(&str, UseCase); 36] = [
    ("check", |options, watch| {
        let checked = crate::check(&from_json(options)?, watch)?;
        let has_problems = checked.iter().any(|file| file.outcome != Outcome::Fine);
        done(Done { result: checked, has_problems })
    }),
    ("convert", |options, watch| done(crate::convert(&from_json(options)?, watch)?)),
    ("stats", |options, watch| fine(crate::stats(&from_json(options)?, watch)?)),
    ("score", |options, watch| {
        let compared = crate::score(&from_json(options)?, watch)?;
        let has_problems = compared.outcome != Outcome::Fine;
        done(Done { result: compared, has_problems })
    }),
    ("train constituency", |options, watch| done(crate::train_constituency(&from_json(options)?, watch)?)),
    ("train dependency", |options, watch| done(crate::train_dependency(&from_json(options)?, watch)?)),
    ("parse", |options, watch| done(crate::parse(&from_json(options)?, watch)?)),
    ("sample", |options, watch| done(crate::sample(&from_json(options)?, watch)?)),
    ("model info", |options, watch| fine(crate::describe_model(&from_json(options)?, watch)?)),
    ("model show", |options, watch| fine(crate::show_model(&from_json(options)?, watch)?)),
    ("diagnose", |options, watch| done(crate::use_cases::diagnose::diagnose(&from_json(options)?, watch)?)),
    ("impute", |options, watch| done(crate::impute(&from_json(options)?, watch)?)),
    ("induce dmv", |options, watch| done(crate::induce_dmv(&from_json(options)?, watch)?)),
    ("induce pcfg", |options, watch| done(crate::induce_pcfg(&from_json(options)?, watch)?)),
    ("induce hmm", |options, watch| done(crate::induce_hmm(&from_json(options)?, watch)?)),
    ("factors fit", |options, watch| done(crate::fit_factors(&from_json(options)?, watch)?)),
    ("factors choose", |options, watch| done(crate::choose_factors(&from_json(options)?, watch)?)),
    ("factors summary", |options, watch| fine(crate::summarise_factors(&from_json(options)?, watch)?)),
    ("factors predict", |options, watch| done(crate::predict_cells(&from_json(options)?, watch)?)),
    ("factors plot", |options, watch| fine(crate::plot_factors(&from_json(options)?, watch)?)),
    ("factors simulate", |options, watch| fine(crate::simulate_table(&from_json(options)?, watch)?)),
    ("segment train", |options, watch| done(crate::train_segmenter(&from_json(options)?, watch)?)),
    ("segment run", |options, watch| done(crate::segment(&from_json(options)?, watch)?)),
    ("segment score", |options, watch| done(crate::score_segments(&from_json(options)?, watch)?)),
    ("tag train", |options, watch| done(crate::train_tagger(&from_json(options)?, watch)?)),
    ("tag run", |options, watch| done(crate::tag(&from_json(options)?, watch)?)),
    ("tag score", |options, watch| done(crate::score_tags(&from_json(options)?, watch)?)),
    ("joint train", |options, watch| done(crate::train_joint(&from_json(options)?, watch)?)),
    ("joint run", |options, watch| done(crate::run_joint(&from_json(options)?, watch)?)),
    ("annotate agreement", |options, watch| done(crate::project_agreement(&from_json(options)?, watch)?)),
    ("annotate export", |options, watch| done(crate::export_project(&from_json(options)?, watch)?)),
    ("divide", |options, watch| done(crate::divide(&from_json(options)?, watch)?)),
    ("simulate", |options, watch| done(crate::simulate(&from_json(options)?, watch)?)),
    ("agree", |options, watch| done(crate::agree(&from_json(options)?, watch)?)),
    ("select", |options, watch| done(crate::select(&from_json(options)?, watch)?)),
    ("plan", |options, watch| done(crate::plan(&from_json(options)?, watch)?)),
];

/// The names of all use cases.
pub fn use_case_names() -> impl Iterator<Item = &'static str> {
    USE_CASES.into_iter().map(|(name, _)| name)
}

/// Runs the use case with this name, such as `train dependency`, with options as in [`from_json`].
///
/// ```
/// use serde_json::json;
/// use treelet::watch::Unwatched;
///
/// let options = json!({"files": ["../../data/demo/village.conllu"]});
/// let called = treelet::call("stats", options.as_object().unwrap(), &Unwatched)?;
/// assert_eq!(called.result["tokens"], 69);
///
/// let options = json!({"filse": []});
/// let error = treelet::call("stats", options.as_object().unwrap(), &Unwatched).unwrap_err();
/// assert!(error.is::<treelet::Usage>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn call(name: &str, options: &Object, watch: &dyn Watch) -> anyhow::Result<Called> {
    let found = USE_CASES.into_iter().find(|(other, _)| *other == name);
    let Some((_, run)) = found else {
        let names: Vec<&str> = use_case_names().collect();
        return Err(Usage(format!("there is no use case `{name}`; there are {}", names.join(", "))).into());
    };
    run(options, &Given { options, watch })
}

fn done<T: Serialize>(done: Done<T>) -> anyhow::Result<Called> {
    Ok(Called { result: serde_json::to_value(done.result)?, has_problems: done.has_problems })
}

fn fine<T: Serialize>(result: T) -> anyhow::Result<Called> {
    done(Done { result, has_problems: false })
}

/// A watch that knows which options were given: those that are in the object.
struct Given<'a> {
    options: &'a Object,
    watch: &'a dyn Watch,
}

impl Watch for Given<'_> {
    fn tell(&self, message: Message<'_>) {
        self.watch.tell(message);
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.watch.write(bytes)
    }

    fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()> {
        self.watch.problems(found)
    }

    fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()> {
        self.watch.troubles(found)
    }

    fn begin(&self, work: &Work<'_>) -> Box<dyn Bar> {
        self.watch.begin(work)
    }

    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
        self.watch.stop_flag(promise)
    }

    fn is_given(&self, option: &str) -> bool {
        let name = option.trim_start_matches('-');
        let is_said = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
        let names = [name.to_string(), name.replace('-', "_")];
        names.iter().any(|name| self.options.get(name).is_some_and(is_said))
    }
}
