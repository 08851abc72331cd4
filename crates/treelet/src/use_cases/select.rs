//! What to annotate next, and why.

mod chosen;
mod next;
mod pool;

pub use chosen::{Chosen, Doubt, PossibleHead};

use crate::any_model::AnyModel;
use crate::imputation::annotated::AnnotatedSentence;
use crate::imputation::gathered::Gathered;
use crate::imputation::identity::Groups;
use crate::imputation::imputer::{self, Lesson};
use crate::imputation::scorer::Scorer;
use crate::models;
use crate::options::study::{CostChoice, Select, UnitChoice, Worth};
use crate::outcome::{Done, Stopped, Usage};
use crate::watch::Watch;
use chain::Stream;
use pool::{Pool, is_diverse};
use std::path::Path;
use std::sync::atomic::Ordering;
use study::cost::Cost;
use study::select::{self, Choice, Options, Strategy, Unit, select_diverse};
use study::timing::{Rates, Timed};

/// Seconds for a sentence that is looked at and for each arc, before anything was timed.
const SECONDS: [f64; 2] = [20.0, 8.0];

/// Chooses what to annotate next, the best first; the sentences are written where a file is given.
pub fn select(options: &Select, watch: &dyn Watch) -> anyhow::Result<Done<Vec<Chosen>>> {
    select_and_show(options, watch, |_| Ok(()))
}

/// As [`select`], and hands over the choices before the sentences are written, so that notes about the file stand below them.
pub fn select_and_show(
    options: &Select,
    watch: &dyn Watch,
    show: impl FnOnce(&[Chosen]) -> anyhow::Result<()>,
) -> anyhow::Result<Done<Vec<Chosen>>> {
    check_output(options)?;
    let learning = &options.completing.learning;
    let workers = models::workers(learning.threads)?;
    if options.model.is_some() {
        imputer::note_learned_before(watch);
    }
    let model = options.model.as_deref().map(AnyModel::open).transpose()?;
    let saved = model.as_ref().map(Scorer::read).transpose()?;
    let tags = saved.as_ref().and_then(Scorer::tags);
    let gathered = Gathered::read(&options.sentences.files, &options.completing, tags, watch)?;
    let stop = imputer::stop_flag(watch);
    let rules = imputer::rules(learning)?;
    let scorer = match saved {
        Some(scorer) => Some(scorer),
        None if gathered.fragments.is_empty() => None,
        None => {
            let (rules, stop, workers) = (rules.as_ref(), &stop, &workers);
            gathered.learn(&Lesson { learning, rules, stop, workers, watch })?.map(Scorer::Imputer)
        }
    };
    let posteriors =
        scorer.map(|scorer| scorer.posteriors(&gathered, &stop, &workers, watch)).unwrap_or_default();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped("stopped".into()).into());
    }
    let groups = Groups::new(&gathered.corpora);
    if let Some(note) = groups.note() {
        watch.note(&note);
    }
    let pool = Pool::new(&gathered, &groups, &posteriors, cost(options.cost, &gathered, watch));
    let choices = choose(options, &pool)?;
    let chosen = pool.chosen(&choices);
    show(&chosen)?;
    if gathered.fragments.is_empty() {
        watch.note("note: there are no sentences");
    } else if chosen.is_empty() {
        watch.note(&nothing(options, &pool));
    }
    if let Some(output) = &options.output {
        next::write(output, &pool, &choices, watch)?;
    }
    let has_problems = gathered.report(&options.completing.messages, watch)?;
    Ok(Done { result: chosen, has_problems })
}

fn check_output(options: &Select) -> anyhow::Result<()> {
    let Some(output) = options.output.as_deref().filter(|output| *output != Path::new("-")) else {
        return Ok(());
    };
    let more = options.completing.reading.words.iter().chain(&options.completing.learning.text);
    let inputs = options.sentences.files.iter().chain(&options.model).chain(more);
    models::refuse_same(output, inputs.map(|path| path.as_path()))?;
    models::check_output(output, "the sentences")
}

fn choose(options: &Select, pool: &Pool<'_>) -> anyhow::Result<Vec<Choice>> {
    let how = Options {
        strategy: match options.by {
            Worth::EntropyPerCost => Strategy::EntropyPerCost,
            Worth::Entropy => Strategy::Entropy,
            Worth::Difficulty => Strategy::Difficulty,
            Worth::Random => Strategy::Random,
        },
        unit: match options.unit {
            UnitChoice::Sentence => Unit::Sentence,
            UnitChoice::Arc => Unit::Arc,
        },
        n: options.n as usize,
        budget: options.budget,
    };
    let (candidates, traits) = pool.candidates(options.unit);
    let chosen = match is_diverse(&how) && !options.not_diverse {
        true => select_diverse(&candidates, &traits, &how),
        false => select::select(&candidates, &how, Stream::new(options.completing.learning.chance.seed)),
    };
    chosen.map_err(|error| Usage(error.to_string()).into())
}

/// Why nothing was chosen.
fn nothing(options: &Select, pool: &Pool<'_>) -> String {
    let (candidates, _) = pool.candidates(options.unit);
    let cheapest = candidates.iter().map(|candidate| candidate.cost).min_by(f64::total_cmp);
    match (cheapest, options.budget) {
        (Some(cost), Some(budget)) => {
            format!("note: nothing fits the budget of {budget}; the cheapest costs {cost:.1}")
        }
        _ => "note: there is nothing left to annotate".into(),
    }
}

/// What annotating costs; seconds are learned from the files if these have times of enough sentences.
fn cost(choice: CostChoice, gathered: &Gathered, watch: &dyn Watch) -> Cost {
    match choice {
        CostChoice::Arcs => Cost::Arcs,
        CostChoice::Decile => Cost::TENTHS,
        CostChoice::CheapFirst => Cost::CHEAP_FIRST,
        CostChoice::Seconds => {
            let rates = Rates::learn(SECONDS, &timed(gathered));
            let [per_sentence, per_arc] = rates.seconds;
            if rates.n_timed > 0 {
                watch.note(&format!(
                    "a sentence that is looked at takes {per_sentence:.1} s and each arc {per_arc:.1} s, as learned from {} sentences \
                     with times",
                    rates.n_timed
                ));
            }
            Cost::Seconds { per_arc, per_sentence }
        }
    }
}

/// Sentences with a time: each was looked at once, and so many heads were said.
fn timed(gathered: &Gathered) -> Vec<Timed<2>> {
    let timed = |one: &AnnotatedSentence| {
        let n_arcs = one.said.arcs.len() + one.said.roots.len();
        Some(Timed { counts: [1.0, n_arcs as f64], seconds: one.seconds? })
    };
    gathered.sentences().filter_map(timed).collect()
}
