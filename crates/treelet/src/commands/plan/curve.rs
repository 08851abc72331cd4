//! Scores by amount of annotation, from cross-validation.

use crate::args::study::Plan;
use crate::imputation::gathered::{Gathered, demanded};
use crate::imputation::imputer::{self, Imputer};
use crate::progress::Steps;
use crate::terminal::Terminal;
use anyhow::bail;
use chain::{Stream, Workers};
use grammar::anchor::Possible;
use parse::imputation::gpc::CompleteOptions;
use parse::imputation::{Fragment, RuleTable};
use std::sync::atomic::{AtomicBool, Ordering};
use study::forecast::Point;

/// What was measured.
pub(super) struct Curve {
    pub(super) n_sentences: usize,
    pub(super) n_annotated: usize,
    pub(super) n_arcs: usize,
    /// One for each part that was held out and each amount.
    pub(super) points: Vec<Point>,
    n_amounts: usize,
}

impl Curve {
    /// Holds out every part of the annotated sentences in turn, learns from growing shares of the others, and scores the
    /// heads that were said in the part. Everything not used takes part in learning as raw text. `None` if somebody
    /// stopped it.
    pub(super) fn measure(
        gathered: &Gathered,
        options: &Plan,
        rules: Option<&RuleTable>,
        workers: &Workers,
        terminal: &Terminal,
    ) -> anyhow::Result<Option<Self>> {
        let told: Vec<Vec<(usize, usize)>> = gathered
            .sentences()
            .zip(&gathered.fragments)
            .map(|(one, fragment)| demanded(one, fragment))
            .collect();
        let order = shuffled(&told, options.completing.learning.seed);
        let n_arcs: usize = told.iter().map(Vec::len).sum();
        let n_folds = (options.folds as usize).min(order.len());
        if n_folds < 2 || n_arcs < 10 {
            bail!(
                "{n_arcs} annotated heads in {} sentences are too few for a forecast; annotate 10 heads in 2 sentences at least",
                order.len()
            );
        }
        let n_amounts = options.points as usize;
        let mut learning = options.completing.learning.clone();
        // Probabilities are not asked for, so that nothing need be held out to calibrate them.
        learning.temperature.get_or_insert(1.0);
        imputer::note_ignored(&learning, terminal);
        let stop = imputer::stop_flag(terminal);
        let steps = Steps::new(terminal, (n_folds * n_amounts) as u64, "training");
        let silent = Terminal { quiet: true, ..*terminal };
        let mut points = Vec::new();
        for fold in 0..n_folds {
            for amount in 1..=n_amounts {
                let part = Part::new(&told, &order, fold, n_folds, amount, n_amounts);
                let training = part.training(gathered);
                let learned = Imputer::learn(&training, &learning, rules, &stop, workers, &silent)?;
                let Some(learned) = learned else { return Ok(None) };
                points.extend(part.score(&learned, gathered, &told, workers, &silent));
                steps.reach((fold * n_amounts + amount) as u64, String::new);
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Self { n_sentences: told.len(), n_annotated: order.len(), n_arcs, points, n_amounts }))
    }

    /// The mean over folds at each amount.
    pub(super) fn means(&self) -> Vec<(f64, f64)> {
        let at = |amount: usize| {
            let points: Vec<&Point> = self.points.iter().skip(amount).step_by(self.n_amounts).collect();
            let mean = |of: fn(&Point) -> f64| {
                points.iter().map(|point| of(point)).sum::<f64>() / points.len().max(1) as f64
            };
            (mean(|point| point.x), mean(|point| point.score))
        };
        (0..self.n_amounts).map(at).collect()
    }
}

/// The annotated sentences in an order that the seed decides.
fn shuffled(told: &[Vec<(usize, usize)>], seed: u64) -> Vec<usize> {
    let stream = Stream::new(seed).purpose("plan");
    let mut order: Vec<(f64, usize)> = (0..told.len())
        .filter(|&at| !told[at].is_empty())
        .map(|at| (stream.item(at).rng().uniform(), at))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, at)| at).collect()
}

/// What is held out and what is learned from.
struct Part {
    held: Vec<usize>,
    used: Vec<usize>,
    n_arcs: usize,
}

impl Part {
    fn new(
        told: &[Vec<(usize, usize)>],
        order: &[usize],
        fold: usize,
        n_folds: usize,
        amount: usize,
        n_amounts: usize,
    ) -> Self {
        let (mut held, mut rest) = (Vec::new(), Vec::new());
        for (at, &sentence) in order.iter().enumerate() {
            if at % n_folds == fold { held.push(sentence) } else { rest.push(sentence) }
        }
        let total: usize = rest.iter().map(|&at| told[at].len()).sum();
        // Amounts grow evenly, and each holds those before it.
        let wanted = (total * amount).div_ceil(n_amounts);
        let (mut used, mut n_arcs) = (Vec::new(), 0);
        for at in rest {
            if n_arcs >= wanted {
                break;
            }
            n_arcs += told[at].len();
            used.push(at);
        }
        Self { held, used, n_arcs }
    }

    fn training(&self, gathered: &Gathered) -> Vec<Fragment> {
        let mut keeps = vec![false; gathered.fragments.len()];
        self.used.iter().for_each(|&at| keeps[at] = true);
        let own = gathered.fragments.iter().zip(keeps);
        own.map(|(fragment, keep)| if keep { fragment.clone() } else { free(fragment) })
            .chain(gathered.more.iter().cloned())
            .collect()
    }

    fn score(
        &self,
        learned: &Imputer,
        gathered: &Gathered,
        told: &[Vec<(usize, usize)>],
        workers: &Workers,
        terminal: &Terminal,
    ) -> Option<Point> {
        let fragments: Vec<Fragment> = self.held.iter().map(|&at| free(&gathered.fragments[at])).collect();
        let never = AtomicBool::new(false);
        let imputed = learned.complete(&fragments, &CompleteOptions::default(), &never, workers, terminal);
        let (mut right, mut total) = (0, 0);
        for (&at, imputed) in self.held.iter().zip(&imputed) {
            for &(head, word) in &told[at] {
                right += usize::from(imputed.completed.heads.head(word) == head);
                total += 1;
            }
        }
        (total > 0 && self.n_arcs > 0)
            .then(|| Point { x: self.n_arcs as f64, score: right as f64 / total as f64 })
    }
}

fn free(fragment: &Fragment) -> Fragment {
    Fragment { possible: Possible::everything(fragment.len()), ..fragment.clone() }
}
