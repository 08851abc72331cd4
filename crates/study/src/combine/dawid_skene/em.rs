//! Expectation and maximisation.

use std::convert::Infallible;
use tree::PutInOrder;

use chain::container::crc64;
use chain::fit::{self, FitError, FitOptions, FitStart, Fitted};
use chain::{Objective, Observer, Rng, RunError, Sweep, Workers};
use num::special::log_sum_exp;
use serde::{Deserialize, Serialize};

use super::items::{Data, Item, Label, State};
use super::{Annotator, Options, Posterior};

/// All parameters. Rows sum to 1, but only their ratios matter: a row is normalised over what is offered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Parameters {
    /// π by tag and category.
    pub(super) prevalences: Vec<Vec<f64>>,
    /// By tag and annotator; `None` where the annotator gave too few heads.
    pub(super) skills: Vec<Vec<Option<Skill>>>,
    /// a by annotator, for tags without a skill of their own.
    pub(super) pooled: Vec<Coin>,
}

/// What an annotator does with words of one tag.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Skill {
    /// a.
    pub(super) knows: Coin,
    /// e by category.
    pub(super) errors: Vec<f64>,
}

/// Probabilities, counts or pseudo-counts of giving the right head knowingly and of guessing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Coin {
    pub(super) yes: f64,
    pub(super) no: f64,
}

/// What annotators are thought to know before anything is known of them.
const START: Coin = Coin { yes: 0.8, no: 0.2 };

/// All annotations as one item: sums begin with the prior and go from word to word.
pub(super) struct Estimation<'d> {
    data: &'d Data,
    prior: Parameters,
    options: &'d Options,
}

/// The estimates of an iteration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimates {
    /// Those that the objective was last computed of.
    pub(super) valued: Parameters,
    /// Those that are better.
    next: Parameters,
}

impl<'d> Estimation<'d> {
    pub(super) fn new(data: &'d Data, options: &'d Options) -> Self {
        Self { data, prior: Parameters::prior(data, options), options }
    }

    /// Maximises until the gain is small. Where nothing was said there is nothing to gain.
    pub(super) fn fit(
        &self,
        start: FitStart<Estimates>,
        observer: &mut dyn Observer<Fitted<Estimates>>,
    ) -> Result<(Fitted<Estimates>, bool), RunError<FitError<Infallible>>> {
        let is_empty = self.data.items.is_empty();
        // The objective is computed before each iteration and after the last, which is one iteration more.
        let n_values = if is_empty { 1 } else { self.options.max_iterations.saturating_add(1) };
        let options = FitOptions {
            max_iterations: u32::try_from(n_values).unwrap_or(u32::MAX),
            tolerance: self.options.tolerance,
            ..FitOptions::default()
        };
        let found = fit::fit(self, &options, start, observer, &Workers::serial())?;
        let converged = found.converged || is_empty;
        Ok((found.into_fitted(), converged))
    }

    /// p(state | labels) of each item.
    pub(super) fn beliefs(&self, parameters: &Parameters) -> Vec<Vec<f64>> {
        expect(self.data, parameters, &self.prior).0
    }
}

impl Objective for Estimation<'_> {
    type Params = Estimates;
    /// p(state | labels) of each item.
    type Counts = Vec<Vec<f64>>;
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "study/dawid-skene";

    fn start(&self, _: &Sweep<'_>) -> Result<Estimates, Infallible> {
        let votes: Vec<Vec<f64>> = self.data.items.iter().map(votes).collect();
        let even = Parameters::filled(self.data, START, |n| 1.0 / n as f64);
        let next = even.improved(self.data, &self.prior, &votes);
        Ok(Estimates { valued: even, next })
    }

    fn n_items(&self) -> usize {
        1
    }

    fn no_counts(&self) -> Vec<Vec<f64>> {
        Vec::new()
    }

    fn scratch(&self) {}

    fn expect(
        &self,
        estimates: &Estimates,
        _: usize,
        _: &mut Rng,
        (): &mut (),
        beliefs: &mut Vec<Vec<f64>>,
    ) -> Result<f64, Infallible> {
        let value;
        (*beliefs, value) = expect(self.data, &estimates.next, &self.prior);
        Ok(value)
    }

    fn merge(&self, earlier: &mut Vec<Vec<f64>>, later: Vec<Vec<f64>>) {
        earlier.extend(later);
    }

    fn maximise(
        &self,
        estimates: &mut Estimates,
        beliefs: Vec<Vec<f64>>,
        _: &Sweep<'_>,
    ) -> Result<(), Infallible> {
        let better = estimates.next.improved(self.data, &self.prior, &beliefs);
        estimates.valued = std::mem::replace(&mut estimates.next, better);
        Ok(())
    }

    fn has_converged(&self, before: f64, now: f64, tolerance: f64) -> bool {
        now - before <= tolerance * (1.0 + now.abs())
    }

    /// Without pseudo-counts something may be impossible.
    fn is_hopeless(&self, _: f64) -> bool {
        false
    }

    fn fingerprint(&self) -> u64 {
        let items = self.data.items.iter().map(|item| crc64(format!("{item:?}").as_bytes()));
        let sums = items.chain([crc64(format!("{:?}", self.options).as_bytes())]);
        crc64(&sums.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
    }
}

/// Shares of votes, the beliefs to start from.
fn votes(item: &Item) -> Vec<f64> {
    let mut shares = vec![0.0; item.states.len()];
    for label in &item.labels {
        shares[label.state] += 1.0 / item.labels.len() as f64;
    }
    shares
}

/// Beliefs about all items, and log likelihood + Σ pseudo-count · log parameter.
fn expect(data: &Data, parameters: &Parameters, prior: &Parameters) -> (Vec<Vec<f64>>, f64) {
    let mut objective = parameters.log_prior(prior);
    let mut beliefs = Vec::with_capacity(data.items.len());
    for item in &data.items {
        let logs = parameters.log_joint(item);
        let total = log_sum_exp(&logs);
        objective += total;
        beliefs.push(logs.into_iter().map(|log| libm::exp(log - total)).collect());
    }
    (beliefs, objective)
}

/// What the offered cells of a row weigh together.
fn offered_weight(row: &[f64], item: &Item) -> f64 {
    item.offered.iter().map(|&category| row[category]).sum()
}

/// The share of a head among those offered, if its category is drawn by weight and the head evenly; 0 if no
/// weight is left.
fn head_share(row: &[f64], item: &Item, state: &State) -> f64 {
    let total = offered_weight(row, item);
    if total > 0.0 { row[state.category] / total / state.n_offered } else { 0.0 }
}

impl Parameters {
    /// Pseudo-counts have the shape of the parameters.
    fn prior(data: &Data, options: &Options) -> Self {
        let coin = Coin { yes: options.right, no: options.wrong };
        let mut prior = Self::filled(data, coin, |_| options.errors);
        for (index, block) in data.blocks.values().enumerate() {
            prior.prevalences[index] = block.prior.clone();
        }
        prior
    }

    /// One value for all coins, and one for all cells of a row of n.
    fn filled(data: &Data, coin: Coin, cell: impl Fn(usize) -> f64) -> Self {
        let rows = || {
            data.blocks
                .values()
                .map(|block| (block, vec![cell(block.categories.len()); block.categories.len()]))
        };
        let skill = |has: bool, row: &Vec<f64>| has.then(|| Skill { knows: coin, errors: row.clone() });
        Self {
            prevalences: rows().map(|(_, row)| row).collect(),
            skills: rows()
                .map(|(block, row)| block.has_skill.iter().map(|&has| skill(has, &row)).collect())
                .collect(),
            pooled: vec![coin; data.n_annotators],
        }
    }

    /// a, the probability that a head is given knowingly.
    pub(super) fn knows(&self, block: usize, annotator: usize) -> Coin {
        self.skills[block][annotator].as_ref().map_or(self.pooled[annotator], |skill| skill.knows)
    }

    /// The probability that a guess is this head.
    fn guess(&self, item: &Item, label: &Label) -> f64 {
        match &self.skills[item.block][label.annotator] {
            Some(skill) => head_share(&skill.errors, item, &item.states[label.state]),
            None => 1.0 / item.n_heads,
        }
    }

    /// log p(z in state) + Σ_j log p(y_j | z in state); the formulas stand in the module comment.
    fn log_joint(&self, item: &Item) -> Vec<f64> {
        let prevalences = &self.prevalences[item.block];
        let mut logs: Vec<f64> = item
            .states
            .iter()
            .map(|state| libm::log(head_share(prevalences, item, state) * state.size))
            .collect();
        for label in &item.labels {
            let knows = self.knows(item.block, label.annotator);
            let guessed = knows.no * self.guess(item, label);
            for (state, log) in logs.iter_mut().enumerate() {
                *log += libm::log(if state == label.state { knows.yes + guessed } else { guessed });
            }
        }
        logs
    }

    fn log_prior(&self, prior: &Parameters) -> f64 {
        let all = self.values().zip(prior.values());
        // A parameter of 0 without a pseudo-count has no part in the prior.
        all.filter(|&(_, count)| count > 0.0).map(|(value, count)| count * libm::log(value)).sum()
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let skills = || self.skills.iter().flatten().flatten();
        let coins = skills().map(|skill| skill.knows).chain(self.pooled.iter().copied());
        let errors = skills().flat_map(|skill| skill.errors.iter().copied());
        let prevalences = self.prevalences.iter().flatten().copied();
        prevalences.chain(errors).chain(coins.flat_map(|coin| [coin.yes, coin.no]))
    }

    /// Parameters that fit the beliefs better. Rows about which nothing is known stay as they are.
    fn improved(&self, data: &Data, prior: &Parameters, beliefs: &[Vec<f64>]) -> Self {
        let mut counts = prior.clone();
        let mut chances = Self::filled(data, Coin::default(), |_| 0.0);
        for (item, beliefs) in data.items.iter().zip(beliefs) {
            for (state, &belief) in item.states.iter().zip(beliefs) {
                counts.prevalences[item.block][state.category] += belief;
            }
            compete(&self.prevalences[item.block], item, 1.0, &mut chances.prevalences[item.block]);
            for label in &item.labels {
                self.count(item, label, beliefs[label.state], &mut counts, &mut chances);
            }
        }
        self.maximised(prior, &counts, &chances)
    }

    /// Adds what one label says. It was given knowingly with probability
    ///
    /// p(z = y) · a / (a + (1 − a) · guess),
    ///
    /// and guessed otherwise.
    fn count(&self, item: &Item, label: &Label, right: f64, counts: &mut Self, chances: &mut Self) {
        let knows = self.knows(item.block, label.annotator);
        let either = knows.yes + knows.no * self.guess(item, label);
        let known = if either > 0.0 { right * knows.yes / either } else { 0.0 };
        let guessed = 1.0 - known;
        let category = item.states[label.state].category;
        let skills =
            (&self.skills[item.block][label.annotator], &mut counts.skills[item.block][label.annotator]);
        let coin = match skills {
            (Some(old), Some(counts)) => {
                counts.errors[category] += guessed;
                if let Some(chances) = &mut chances.skills[item.block][label.annotator] {
                    compete(&old.errors, item, guessed, &mut chances.errors);
                }
                &mut counts.knows
            }
            _ => &mut counts.pooled[label.annotator],
        };
        coin.yes += known;
        coin.no += guessed;
    }

    fn maximised(&self, prior: &Self, counts: &Self, chances: &Self) -> Self {
        let mut new = self.clone();
        for (block, row) in new.prevalences.iter_mut().enumerate() {
            improve(row, &counts.prevalences[block], &chances.prevalences[block], &prior.prevalences[block]);
        }
        for (block, skills) in new.skills.iter_mut().enumerate() {
            for (annotator, skill) in skills.iter_mut().enumerate() {
                let at = |all: &'_ Self| all.skills[block][annotator].clone();
                if let (Some(skill), Some(counts), Some(chances), Some(prior)) =
                    (skill, at(counts), at(chances), at(prior))
                {
                    skill.knows.normalise(counts.knows);
                    improve(&mut skill.errors, &counts.errors, &chances.errors, &prior.errors);
                }
            }
        }
        new.pooled.iter_mut().zip(&counts.pooled).for_each(|(coin, counts)| coin.normalise(*counts));
        new
    }
}

impl Coin {
    fn normalise(&mut self, counts: Coin) {
        let total = counts.yes + counts.no;
        if total > 0.0 {
            *self = Self { yes: counts.yes / total, no: counts.no / total };
        }
    }
}

/// Every offered cell had a chance to be chosen, divided by the weight of all that competed for it.
fn compete(row: &[f64], item: &Item, times: f64, chances: &mut [f64]) {
    let total = offered_weight(row, item);
    if total > 0.0 {
        item.offered.iter().for_each(|&category| chances[category] += times / total);
    }
}

/// One step for a row r of choices among what is offered (Hunter 2004):
///
/// r(k) ← count(k) / Σ over choices that offered k of 1 / Σ_{k' offered} r(k').
///
/// The tangent of the logarithm of the denominators bounds them, so that the step never loses. Where all is
/// offered it is the relative frequency. Pseudo-counts are choices that offered everything.
fn improve(row: &mut [f64], counts: &[f64], chances: &[f64], prior: &[f64]) {
    let all_offered = prior.iter().sum::<f64>() / row.iter().sum::<f64>();
    let new: Vec<f64> = (0..row.len())
        .map(|k| match chances[k] + all_offered {
            chances if chances > 0.0 => counts[k] / chances,
            _ => row[k],
        })
        .collect();
    let total: f64 = new.iter().sum();
    if total > 0.0 {
        row.iter_mut().zip(new).for_each(|(value, new)| *value = new / total);
    }
}

pub(super) fn annotators(data: &Data, beliefs: &[Vec<f64>]) -> Vec<Annotator> {
    let mut annotators = vec![Annotator::default(); data.n_annotators];
    for (item, beliefs) in data.items.iter().zip(beliefs) {
        for label in &item.labels {
            annotators[label.annotator].n_labels += 1;
            annotators[label.annotator].expected_right += beliefs[label.state];
        }
    }
    annotators
}

pub(super) fn posteriors(data: &Data, beliefs: &[Vec<f64>]) -> Vec<Posterior> {
    let posterior = |(item, beliefs): (&Item, &Vec<f64>)| {
        let given =
            item.states.iter().zip(beliefs).filter_map(|(state, &belief)| Some((state.head?, belief)));
        let mut heads: Vec<(usize, f64)> = given.collect();
        heads.order_by(|a, b| b.1.total_cmp(&a.1));
        let elsewhere = item.states.iter().zip(beliefs).filter(|(state, _)| state.head.is_none());
        let elsewhere = elsewhere.map(|(_, belief)| belief).sum();
        Posterior { sentence: item.sentence, word: item.word, heads, elsewhere }
    };
    data.items.iter().zip(beliefs).map(posterior).collect()
}
