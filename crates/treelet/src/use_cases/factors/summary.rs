//! What a fitted model says.

use super::runs::model_words;
use crate::models;
use crate::options::ThreadCount;
use crate::options::factors::Summary as Choices;
use crate::watch::Watch;
use chain::Workers;
use chain::diagnose::{Summary, summarise};
use factors::schema::{Described, Role};
use factors::{FactorScore, FittedFactors, Kind, Reading, Weight};
use formats::tables::{Delimiter, write_row};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Correlations of more latent values than this fill the screen and the disk; `--correlations` writes all of them.
const MOST_CORRELATED: usize = 200;

/// R-hat of weights above this is told.
const HIGH_RHAT: f64 = 1.05;

/// What a fitted model says.
#[derive(Debug, Clone, Serialize)]
pub struct FactorSummary {
    /// How many factors.
    pub factors: usize,
    /// Kept draws of all chains.
    pub draws: usize,
    /// Chains.
    pub chains: usize,
    /// The settings of the model.
    pub settings: factors::Options,
    /// How it came about.
    pub notes: BTreeMap<String, String>,
    /// The models of a stack; `None` of a single model.
    pub stack: Option<FactorStack>,
    /// Every column of the table.
    pub columns: Vec<FactorColumn>,
    /// The share of each factor in the variance of latent values.
    pub factor_shares: Vec<f64>,
    /// The latent values, by column and level.
    pub latent: Vec<LatentValue>,
    /// The factors of each row.
    pub scores: Vec<RowScores>,
    /// Correlations of the first latent values, row by row.
    pub correlations: Vec<Vec<f64>>,
    /// The log-likelihood of kept draws; `None` of less than two.
    pub log_likelihood: Option<LikelihoodFigures>,
}

/// Several models, of which the first is the one that is looked at.
#[derive(Debug, Clone, Serialize)]
pub struct FactorStack {
    /// The models.
    pub models: Vec<StackedModel>,
    /// Their weights in predictions, by column.
    pub weights: Vec<StackWeights>,
}

/// A model of a stack.
#[derive(Debug, Clone, Serialize)]
pub struct StackedModel {
    /// How it reads columns: by their `types`, or as `numbers`.
    pub columns_as: &'static str,
    /// How many factors it has.
    pub factors: usize,
    #[serde(skip)]
    reading: Reading,
}

/// What the models of a stack weigh in a column.
#[derive(Debug, Clone, Serialize)]
pub struct StackWeights {
    /// The name of the column.
    pub column: String,
    /// The weights of the models, which sum to one.
    pub weights: Vec<f64>,
    /// The weights of their means; categories have no mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_weights: Option<Vec<f64>>,
}

/// What became of a column.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum FactorColumn {
    /// It is modelled.
    Modelled {
        /// The name of the column.
        name: String,
        /// Its type, in words.
        #[serde(rename = "type")]
        kind: String,
        /// The texts of its levels, in order.
        levels: Vec<String>,
        /// Whether the type was inferred and not declared.
        inferred: bool,
        /// What was taken away from its values.
        centre: f64,
        /// By what they were divided then.
        scale: f64,
    },
    /// It names the rows.
    Names {
        /// The name of the column.
        name: String,
        /// `id`.
        #[serde(rename = "type")]
        kind: &'static str,
    },
    /// It is left out.
    LeftOut {
        /// The name of the column.
        name: String,
        /// Why.
        left_out: String,
    },
}

/// A latent value, of which a column has one, and one of several categories one for each but the first.
#[derive(Debug, Clone, Serialize)]
pub struct LatentValue {
    /// The name of the column, and the level if there are several.
    pub name: String,
    /// What is added to the factors.
    pub intercept: WeightFigures,
    /// By factor.
    pub loadings: Vec<WeightFigures>,
    /// The share of each factor in its variance.
    pub shares: Vec<f64>,
    /// On how many factors it depends, on average over the draws.
    pub dimension: f64,
}

/// The posterior of an intercept or a loading.
#[derive(Debug, Clone, Serialize)]
pub struct WeightFigures {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The 5 % quantile.
    pub low: f64,
    /// The 95 % quantile.
    pub high: f64,
    /// In how many of the draws it is not exactly 0.
    pub not_zero: f64,
    /// Whether chains agree.
    pub rhat: Option<f64>,
    /// The effective sample size.
    pub ess: Option<f64>,
}

/// The factors of a row.
#[derive(Debug, Clone, Serialize)]
pub struct RowScores {
    /// The name of the row.
    pub row: String,
    /// Means, by factor.
    pub mean: Vec<f64>,
    /// Standard deviations, by factor.
    pub sd: Vec<f64>,
}

/// The log-likelihood of kept draws.
#[derive(Debug, Clone, Serialize)]
pub struct LikelihoodFigures {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// Whether chains agree.
    pub rhat: Option<f64>,
    /// The effective sample size.
    pub ess: Option<f64>,
}

/// Says what a fitted model says, and writes scores and correlations if files are given for them.
pub fn summarise_factors(options: &Choices, watch: &dyn Watch) -> anyhow::Result<FactorSummary> {
    let files = [(&options.scores, "the scores"), (&options.correlations, "the correlations")];
    let files = files.iter().filter_map(|(path, what)| Some((path.as_deref()?, *what)));
    models::check_outputs(&files.collect::<Vec<_>>(), &[&options.fitted.model])?;
    let fitted = FittedFactors::read(&options.fitted.model).map_err(models::file_error)?;
    let workers = models::workers(ThreadCount::ALL)?;
    if let Some(path) = &options.scores {
        write_scores(&fitted, path, watch)?;
    }
    if let Some(path) = &options.correlations {
        write_correlations(&fitted, path, watch)?;
    }
    Ok(FactorSummary::new(&fitted, &workers))
}

/// Names of factors, from 1.
pub(super) fn factor_names(n: usize) -> Vec<String> {
    (1..=n).map(|factor| format!("factor {factor}")).collect()
}

impl FactorSummary {
    pub(super) fn new(fitted: &FittedFactors, workers: &Workers) -> Self {
        let posterior = fitted.posterior();
        let correlated: Vec<usize> = (0..fitted.latent_names().len().min(MOST_CORRELATED)).collect();
        let correlations = posterior.correlations(&correlated);
        Self {
            factors: posterior.n_factors(),
            draws: posterior.n_draws(),
            chains: posterior.chains.len(),
            settings: posterior.settings.clone(),
            notes: fitted.notes.clone(),
            stack: FactorStack::new(fitted),
            columns: fitted.columns.iter().map(|(name, role)| FactorColumn::new(name, role)).collect(),
            factor_shares: posterior.factor_shares(),
            latent: latent_values(fitted, workers),
            scores: row_scores(fitted),
            correlations: correlations.chunks(correlated.len().max(1)).map(<[f64]>::to_vec).collect(),
            log_likelihood: summarise(&posterior.log_likelihoods()).map(LikelihoodFigures::from),
        }
    }

    /// How many columns are modelled.
    pub fn n_modelled(&self) -> usize {
        self.columns.iter().filter(|column| matches!(column, FactorColumn::Modelled { .. })).count()
    }

    /// Whether the chains agree, in one sentence.
    pub fn convergence(&self) -> String {
        let weights = self.latent.iter().flat_map(|value| {
            let loadings =
                value.loadings.iter().zip(1..).map(move |(loading, factor)| (value, factor, loading));
            std::iter::once((value, 0, &value.intercept)).chain(loadings)
        });
        let judged = weights.clone().filter_map(|(value, at, weight)| Some((value, at, weight.rhat?)));
        let Some((value, at, rhat)) = judged.clone().max_by(|a, b| a.2.total_cmp(&b.2)) else {
            return "too few draws to tell whether the chains agree: raise --sweeps".into();
        };
        let worst = match at {
            0 => format!("intercept of {}", value.name),
            factor => format!("loading of {} on factor {factor}", value.name),
        };
        let least = weights.clone().filter_map(|(_, _, weight)| weight.ess).fold(f64::INFINITY, f64::min);
        let likelihood = self.log_likelihood.as_ref().and_then(|likelihood| likelihood.rhat);
        let likelihood = likelihood.map_or("–".into(), |rhat| format!("{rhat:.2}"));
        let mut text = format!(
            "R-hat of the log-likelihood {likelihood}, worst of weights {rhat:.2} ({worst}), least effective sample size {least:.0}"
        );
        let above = judged.filter(|(_, _, rhat)| *rhat > HIGH_RHAT).count();
        if above > 0 {
            text.push_str(&format!(
                "; {above} of {} weights have R-hat above {HIGH_RHAT}: raise --sweeps before you trust them",
                weights.count()
            ));
        }
        text
    }
}

impl FactorStack {
    /// `None` if there is only one model.
    pub(super) fn new(fitted: &FittedFactors) -> Option<Self> {
        let factors::Stack { members, weights, mean_weights } = &fitted.stack;
        let model = |member: &factors::Member| StackedModel {
            columns_as: if member.reading() == Reading::ByKind { "types" } else { "numbers" },
            factors: member.posterior.n_factors(),
            reading: member.reading(),
        };
        let columns = fitted.modelled().zip(weights.iter().zip(mean_weights));
        let weight = |(described, (weights, means)): (&Described, (&Vec<f64>, &Vec<f64>))| StackWeights {
            column: described.name.clone(),
            weights: weights.clone(),
            mean_weights: (!matches!(described.kind, Kind::Categorical(_))).then(|| means.clone()),
        };
        (members.len() > 1).then(|| Self {
            models: members.iter().map(model).collect(),
            weights: columns.map(weight).collect(),
        })
    }

    /// Which of the models is shown, and what weights they have in predictions.
    pub fn words(&self) -> String {
        let model = |(at, model): (usize, &StackedModel)| {
            let sum: f64 = self.weights.iter().map(|column| column.weights[at]).sum();
            let mean = sum / self.weights.len().max(1) as f64;
            format!("\n  {mean:.2}  {}", model_words(model.reading, model.factors))
        };
        let models: String = self.models.iter().enumerate().map(model).collect();
        format!(
            "A stack of {} models, of which the first is shown. Their mean weights in predictions:{models}",
            self.models.len()
        )
    }
}

impl FactorColumn {
    fn new(name: &str, role: &Role) -> Self {
        let name = name.to_owned();
        match role {
            Role::Modelled(described) => Self::Modelled {
                name,
                kind: described.kind.to_string(),
                levels: described.levels.clone(),
                inferred: described.inferred,
                centre: described.centre,
                scale: described.scale,
            },
            Role::Names => Self::Names { name, kind: "id" },
            Role::LeftOut(reason) => Self::LeftOut { name, left_out: reason.to_string() },
        }
    }
}

impl From<&Weight> for WeightFigures {
    fn from(weight: &Weight) -> Self {
        let Summary { mean, sd, quantiles: [low, _, high], rhat, ess_bulk, .. } = weight.summary;
        Self { mean, sd, low, high, not_zero: weight.present, rhat, ess: ess_bulk }
    }
}

impl From<Summary> for LikelihoodFigures {
    fn from(summary: Summary) -> Self {
        Self { mean: summary.mean, sd: summary.sd, rhat: summary.rhat, ess: summary.ess_bulk }
    }
}

fn latent_values(fitted: &FittedFactors, workers: &Workers) -> Vec<LatentValue> {
    let posterior = fitted.posterior();
    let k = posterior.n_factors();
    let (weights, shares) = (posterior.weights(workers), posterior.shares());
    let rows = weights.chunks_exact(k + 1).zip(shares.chunks_exact(k)).zip(posterior.dimensions());
    let named = fitted.latent_names().into_iter().zip(rows);
    named
        .map(|(name, ((weights, shares), dimension))| LatentValue {
            name,
            intercept: (&weights[0]).into(),
            loadings: weights[1..].iter().map(WeightFigures::from).collect(),
            shares: shares.to_vec(),
            dimension,
        })
        .collect()
}

fn row_scores(fitted: &FittedFactors) -> Vec<RowScores> {
    let scores = fitted.posterior().scores();
    let row = |(name, scores): (&String, &[FactorScore])| {
        let (mean, sd) = scores.iter().map(|score| (score.mean, score.sd)).unzip();
        RowScores { row: name.clone(), mean, sd }
    };
    fitted.rows.iter().zip(scores.chunks_exact(fitted.posterior().n_factors())).map(row).collect()
}

fn write_scores(fitted: &FittedFactors, path: &Path, watch: &dyn Watch) -> anyhow::Result<()> {
    let k = fitted.posterior().n_factors();
    let mut header = vec!["row".to_owned()];
    header.extend((1..=k).flat_map(|s| [format!("factor{s}"), format!("sd{s}")]));
    let scores = fitted.posterior().scores();
    let row = |(name, scores): (&String, &[FactorScore])| {
        let numbers = scores.iter().flat_map(|score| [score.mean.to_string(), score.sd.to_string()]);
        std::iter::once(name.clone()).chain(numbers).collect()
    };
    let rows = fitted.rows.iter().zip(scores.chunks_exact(k)).map(row);
    super::write(path, &csv(std::iter::once(header).chain(rows))?, watch)
}

fn write_correlations(fitted: &FittedFactors, path: &Path, watch: &dyn Watch) -> anyhow::Result<()> {
    let names = fitted.latent_names();
    let all: Vec<usize> = (0..names.len()).collect();
    let correlations = fitted.posterior().correlations(&all);
    let header = std::iter::once(String::new()).chain(names.iter().cloned()).collect();
    let row = |(name, row): (&String, &[f64])| {
        std::iter::once(name.clone()).chain(row.iter().map(f64::to_string)).collect()
    };
    let rows = names.iter().zip(correlations.chunks_exact(names.len().max(1))).map(row);
    super::write(path, &csv(std::iter::once(header).chain(rows))?, watch)
}

/// Rows as CSV.
pub(super) fn csv(rows: impl Iterator<Item = Vec<String>>) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::new();
    for row in rows {
        write_row(row.iter().map(|cell| Some(cell.as_str())), Delimiter::Comma, &mut out)?;
    }
    Ok(out)
}
