//! Whose accuracy is forecast: the dependency parser, or an imputer.

use crate::imputation::fragments::roots;
use crate::imputation::gathered::Gathered;
use crate::imputation::imputer::{self, Imputer, Lesson};
use crate::options::impute::{Learning, MethodName};
use crate::outcome::Usage;
use crate::watch::{Silenced, Watch};
use arcs::rules::RuleTable;
use chain::Workers;
use dependency::{self, Annotated, DependencyOptions, Order, ParseOptions};
use impute::Fragment;
use impute::gpc::CompleteOptions;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::Possible;
use tree::sentence::UNSPECIFIED;
use tree::{Heads, Sentence};

/// The head of each word, 0 for the root.
pub(super) type Found = Vec<usize>;

/// Something that learns from some of the sentences and parses others.
pub(super) struct Learner<'a> {
    gathered: &'a Gathered,
    what: What<'a>,
    stop: &'a Arc<AtomicBool>,
    workers: &'a Workers,
    silent: Silenced<'a>,
}

enum What<'a> {
    /// The parser of `treelet train dependency`, with the sentences that it learns from.
    Parser {
        options: Box<DependencyOptions>,
        data: Vec<Annotated>,
    },
    Imputer {
        learning: Learning,
        rules: Option<&'a RuleTable>,
    },
}

impl<'a> Learner<'a> {
    /// The parser, unless an imputer was asked for.
    pub(super) fn new(
        gathered: &'a Gathered,
        learning: &Learning,
        rules: Option<&'a RuleTable>,
        stop: &'a Arc<AtomicBool>,
        workers: &'a Workers,
        watch: &'a dyn Watch,
    ) -> anyhow::Result<Self> {
        let what = match learning.method {
            Some(_) => {
                imputer::note_ignored(learning, watch);
                watch.without_effect(
                    &["--temperature"],
                    "a plan is about heads, not about how probable they are",
                );
                let mut learning = learning.clone();
                // Probabilities are not asked for, so that nothing need be held out to calibrate them.
                learning.temperature.get_or_insert(1.0);
                What::Imputer { learning, rules }
            }
            None => {
                imputer::note_without_effect("it is for imputers (--method), not for the parser", watch);
                What::Parser { options: Box::new(options(gathered, learning)), data: data(gathered) }
            }
        };
        let silent = Silenced(watch);
        Ok(Self { gathered, what, stop, workers, silent })
    }

    pub(super) fn name(&self) -> &'static str {
        match &self.what {
            What::Parser { .. } => "the parser of `treelet train dependency`",
            What::Imputer { learning, .. } if learning.method == Some(MethodName::Gpc) => "the imputer gpc",
            What::Imputer { .. } => "the imputer convexmst",
        }
    }

    /// Trees of sentences without looking at their annotation; `None` if somebody stopped it.
    pub(super) fn learn_and_parse(
        &self,
        used: &[usize],
        held: &[usize],
    ) -> anyhow::Result<Option<Vec<Found>>> {
        match &self.what {
            What::Parser { options, data } => self.parse(options, data, used, held),
            What::Imputer { learning, rules } => self.impute(learning, *rules, used, held),
        }
    }

    fn parse(
        &self,
        options: &DependencyOptions,
        data: &[Annotated],
        used: &[usize],
        held: &[usize],
    ) -> anyhow::Result<Option<Vec<Found>>> {
        let data: Vec<Annotated> = used.iter().map(|&at| data[at].clone()).collect();
        let sentences: Vec<Sentence> = held.iter().map(|&at| self.sentence(at)).collect();
        let learner = match dependency::Learner::new(&data, &[], None, options, self.workers) {
            Ok(learner) => learner,
            // One-word sentences and the like teach nothing; a parser that has learned nothing makes chains.
            Err(dependency::LearnError::Nothing) => return Ok(Some(sentences.iter().map(a_chain).collect())),
            Err(error) => return Err(Usage(error.to_string()).into()),
        };
        let model = learner.run(self.workers, &mut |_, _| match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let Some(model) = model.map_err(|error| Usage(error.to_string()))? else { return Ok(None) };
        let parsed = model.parse_all(&sentences, &ParseOptions::default(), self.workers);
        Ok(Some(parsed.iter().map(|parsed| found(&parsed.heads)).collect()))
    }

    fn sentence(&self, at: usize) -> Sentence {
        self.gathered.sentences().nth(at).map(|one| one.sentence.clone()).unwrap_or_default()
    }

    /// Everything that is not used takes part in learning as raw text.
    fn impute(
        &self,
        learning: &Learning,
        rules: Option<&RuleTable>,
        used: &[usize],
        held: &[usize],
    ) -> anyhow::Result<Option<Vec<Found>>> {
        let fragments = &self.gathered.fragments;
        let mut training: Vec<Fragment> = fragments.iter().map(free).collect();
        used.iter().for_each(|&at| training[at] = fragments[at].clone());
        training.extend(self.gathered.more.iter().cloned());
        let Self { stop, workers, ref silent, .. } = *self;
        let learned = Imputer::learn(&training, &Lesson { learning, rules, stop, workers, watch: silent })?;
        let Some(learned) = learned else { return Ok(None) };
        let free: Vec<Fragment> = held.iter().map(|&at| free(&fragments[at])).collect();
        let options = CompleteOptions::default();
        let imputed = learned.complete(&free, &options, self.stop, self.workers, &self.silent);
        let heads: Vec<Found> = imputed.iter().map(|imputed| found(&imputed.completed.heads)).collect();
        Ok((heads.len() == held.len()).then_some(heads))
    }
}

/// The defaults of `treelet train dependency`.
fn options(gathered: &Gathered, learning: &Learning) -> DependencyOptions {
    let mut options = DependencyOptions {
        tags: gathered.tags.of_parser(),
        seed: learning.chance.seed,
        ..DependencyOptions::default()
    };
    options.shape.projective = !learning.non_projective;
    options.shape.roots = roots(learning.roots);
    options.order = if learning.non_projective { Order::First } else { options.order };
    options
}

/// Sentences to learn from. Relations are left out: nothing is scored by them.
fn data(gathered: &Gathered) -> Vec<Annotated> {
    let annotated = |(at, fragment): (usize, &Fragment)| {
        let one = gathered.sentences().nth(at)?;
        let mut sentence = one.sentence.clone();
        sentence.words_mut().for_each(|word| word.deprel = UNSPECIFIED);
        Some(Annotated { weight: one.weight(), sentence, possible: fragment.possible.clone() })
    };
    gathered.fragments.iter().enumerate().filter_map(annotated).collect()
}

fn free(fragment: &Fragment) -> Fragment {
    Fragment { possible: Possible::everything(fragment.len()), ..fragment.clone() }
}

fn found(heads: &Heads) -> Found {
    (1..=heads.len()).map(|word| heads.head(word)).collect()
}

/// Every word depends on the one before it.
fn a_chain(sentence: &Sentence) -> Found {
    (0..sentence.n_words()).collect()
}
