//! `treelet factors summary`: what a fitted model says.

use super::runs::model_words;
use crate::models;
use crate::options::ThreadCount;
use crate::options::factors::Summary as Choices;
use crate::outcome::Outcome;
use crate::table::{plural, render};
use crate::watch::Watch;
use chain::Workers;
use chain::diagnose::summarise;
use factors::schema::Role;
use factors::{FittedFactors, Reading, Stack, Weight};
use formats::tables::{Delimiter, write_row};
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn run(options: &Choices, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let files = [(&options.scores, "the scores"), (&options.correlations, "the correlations")];
    let files = files.iter().filter_map(|(path, what)| Some((path.as_deref()?, *what)));
    super::check_outputs(&files.collect::<Vec<_>>(), &[&options.model])?;
    let fitted = FittedFactors::read(&options.model).map_err(models::file_error)?;
    let workers = models::workers(ThreadCount::ALL)?;
    if let Some(path) = &options.scores {
        write_scores(&fitted, path, watch)?;
    }
    if let Some(path) = &options.correlations {
        write_correlations(&fitted, path, watch)?;
    }
    match options.json {
        true => watch.print(&format!("{:#}\n", json(&fitted, &workers)))?,
        false => watch.print(&text(&fitted, options.top, &workers))?,
    }
    Ok(Outcome::Fine)
}

/// Names of factors, from 1.
pub(super) fn factor_names(n: usize) -> Vec<String> {
    (1..=n).map(|factor| format!("factor {factor}")).collect()
}

fn text(fitted: &FittedFactors, top: usize, workers: &Workers) -> String {
    let posterior = fitted.posterior();
    let k = posterior.n_factors();
    let (weights, names) = (posterior.weights(workers), fitted.latent_names());
    let (shares, dimensions) = (posterior.shares(), posterior.dimensions());
    let mut text = format!(
        "{}, {}, {}, {} draws of {}\n\n",
        plural(fitted.rows.len(), "row"),
        plural(posterior.kinds.len(), "column"),
        plural(k, "factor"),
        posterior.n_draws(),
        plural(posterior.chains.len(), "chain"),
    );
    if let Some(words) = stack_words(fitted) {
        text.push_str(&format!("{words}\n\n"));
    }
    for (s, share) in posterior.factor_shares().iter().enumerate() {
        let loading = |latent: usize| &weights[latent * (k + 1) + s + 1];
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            loading(b).summary.mean.abs().total_cmp(&loading(a).summary.mean.abs()).then(a.cmp(&b))
        });
        let n_shown = if top == 0 { order.len() } else { top.min(order.len()) };
        text.push_str(&format!(
            "Factor {}: {:.1} % of the variance of latent values\n",
            s + 1,
            100.0 * share
        ));
        let row = |&latent: &usize| {
            let dimension = posterior.settings.sparse.then_some(dimensions[latent]);
            loading_row(&names[latent], loading(latent), shares[latent * k + s], dimension)
        };
        let rows: Vec<Vec<String>> = order[..n_shown].iter().map(row).collect();
        // Without the sparse prior no loading is exactly 0.
        let n_columns = if posterior.settings.sparse { HEADINGS.len() } else { HEADINGS.len() - 2 };
        text.push_str(&render(&HEADINGS[..n_columns], &rows));
        if n_shown < order.len() {
            text.push_str(&format!("… and {} more; --top 0 shows all\n", order.len() - n_shown));
        }
        text.push('\n');
    }
    text.push_str(&convergence(fitted, workers));
    text.push('\n');
    text
}

const HEADINGS: [&str; 7] = ["column", "loading", "5 %", "95 %", "share", "not 0", "dimension"];

fn loading_row(name: &str, weight: &Weight, share: f64, dimension: Option<f64>) -> Vec<String> {
    let [low, _, high] = weight.summary.quantiles;
    let mut cells = vec![
        name.to_owned(),
        format!("{:.2}", weight.summary.mean),
        format!("{low:.2}"),
        format!("{high:.2}"),
        format!("{:.0} %", 100.0 * share),
    ];
    if let Some(dimension) = dimension {
        cells.extend([format!("{:.2}", weight.present), format!("{dimension:.1}")]);
    }
    cells
}

/// Which of several models is shown, and what weights they have in predictions.
pub(super) fn stack_words(fitted: &FittedFactors) -> Option<String> {
    let Stack { members, weights, .. } = &fitted.stack;
    let model = |(at, member): (usize, &factors::Member)| {
        let mean = weights.iter().map(|weights| weights[at]).sum::<f64>() / weights.len().max(1) as f64;
        format!("\n  {mean:.2}  {}", model_words(member.reading(), member.posterior.n_factors()))
    };
    let models: String = members.iter().enumerate().map(model).collect();
    (members.len() > 1).then(|| {
        format!(
            "A stack of {} models, of which the first is shown. Their mean weights in predictions:{models}",
            members.len()
        )
    })
}

fn stack_json(fitted: &FittedFactors) -> Value {
    let Stack { members, weights, mean_weights } = &fitted.stack;
    let member = |member: &factors::Member| {
        let reading = if member.reading() == Reading::ByKind { "types" } else { "numbers" };
        json!({ "columns_as": reading, "factors": member.posterior.n_factors() })
    };
    let columns = fitted.modelled().zip(weights.iter().zip(mean_weights));
    let weight =
        |(described, (weights, mean_weights)): (&factors::schema::Described, (&Vec<f64>, &Vec<f64>))| {
            let mut column = json!({ "column": described.name, "weights": weights });
            if !matches!(described.kind, factors::Kind::Categorical(_)) {
                column["mean_weights"] = json!(mean_weights);
            }
            column
        };
    json!({
        "models": members.iter().map(member).collect::<Vec<_>>(),
        "weights": columns.map(weight).collect::<Vec<_>>(),
    })
}

/// Whether the chains agree, in one sentence.
pub(super) fn convergence(fitted: &FittedFactors, workers: &Workers) -> String {
    let posterior = fitted.posterior();
    let likelihood = summarise(&posterior.log_likelihoods());
    let weights = posterior.weights(workers);
    let names = fitted.latent_names();
    let k = posterior.n_factors();
    let label = |at: usize| match at % (k + 1) {
        0 => format!("intercept of {}", names[at / (k + 1)]),
        s => format!("loading of {} on factor {s}", names[at / (k + 1)]),
    };
    let judged = weights.iter().enumerate().filter_map(|(at, w)| Some((at, w.summary.rhat?)));
    let worst = judged.clone().max_by(|a, b| a.1.total_cmp(&b.1));
    let above = judged.filter(|(_, rhat)| *rhat > 1.05).count();
    let Some((at, rhat)) = worst else {
        return "too few draws to tell whether the chains agree: raise --sweeps".into();
    };
    let least = weights.iter().filter_map(|w| w.summary.ess_bulk).fold(f64::INFINITY, f64::min);
    let show = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.2}"));
    let mut text = format!(
        "R-hat of the log-likelihood {}, worst of weights {rhat:.2} ({}), least effective sample size {least:.0}",
        show(likelihood.and_then(|summary| summary.rhat)),
        label(at)
    );
    if above > 0 {
        text.push_str(&format!(
            "; {above} of {} weights have R-hat above 1.05: raise --sweeps before you trust them",
            weights.len()
        ));
    }
    text
}

/// Everything, for programs.
pub(super) fn json(fitted: &FittedFactors, workers: &Workers) -> Value {
    let posterior = fitted.posterior();
    let k = posterior.n_factors();
    let (weights, names) = (posterior.weights(workers), fitted.latent_names());
    let (shares, dimensions) = (posterior.shares(), posterior.dimensions());
    let weight = |w: &Weight| {
        let s = &w.summary;
        json!({ "mean": s.mean, "sd": s.sd, "low": s.quantiles[0], "high": s.quantiles[2], "not_zero": w.present,
                "rhat": s.rhat, "ess": s.ess_bulk })
    };
    let latent = |(at, name): (usize, &String)| {
        let row = &weights[at * (k + 1)..(at + 1) * (k + 1)];
        json!({
            "name": name,
            "intercept": weight(&row[0]),
            "loadings": row[1..].iter().map(weight).collect::<Vec<_>>(),
            "shares": &shares[at * k..(at + 1) * k],
            "dimension": dimensions[at],
        })
    };
    let column = |(name, role): &(String, Role)| match role {
        Role::Modelled(d) => {
            json!({ "name": name, "type": d.kind.to_string(), "levels": d.levels, "inferred": d.inferred,
                                     "centre": d.centre, "scale": d.scale })
        }
        Role::Names => json!({ "name": name, "type": "id" }),
        Role::LeftOut(reason) => json!({ "name": name, "left_out": reason }),
    };
    let scores = posterior.scores();
    let score = |(row, name): (usize, &String)| {
        let row = &scores[row * k..(row + 1) * k];
        let (means, sds): (Vec<f64>, Vec<f64>) = row.iter().map(|s| (s.mean, s.sd)).unzip();
        json!({ "row": name, "mean": means, "sd": sds })
    };
    let correlated: Vec<usize> = (0..names.len().min(MOST_CORRELATED)).collect();
    let correlations = posterior.correlations(&correlated);
    let likelihood = summarise(&posterior.log_likelihoods());
    json!({
        "factors": k,
        "draws": posterior.n_draws(),
        "chains": posterior.chains.len(),
        "settings": posterior.settings,
        "notes": fitted.notes,
        "stack": (fitted.stack.members.len() > 1).then(|| stack_json(fitted)),
        "columns": fitted.columns.iter().map(column).collect::<Vec<_>>(),
        "factor_shares": posterior.factor_shares(),
        "latent": names.iter().enumerate().map(latent).collect::<Vec<_>>(),
        "scores": fitted.rows.iter().enumerate().map(score).collect::<Vec<_>>(),
        "correlations": correlations.chunks(correlated.len().max(1)).collect::<Vec<_>>(),
        "log_likelihood": likelihood.map(|s| json!({ "mean": s.mean, "sd": s.sd, "rhat": s.rhat, "ess": s.ess_bulk })),
    })
}

/// Correlations of more latent values than this fill the screen and the disk; `--correlations` writes all of them.
const MOST_CORRELATED: usize = 200;

fn write_scores(fitted: &FittedFactors, path: &Path, watch: &dyn Watch) -> anyhow::Result<()> {
    let k = fitted.posterior().n_factors();
    let mut header = vec!["row".to_owned()];
    header.extend((1..=k).flat_map(|s| [format!("factor{s}"), format!("sd{s}")]));
    let scores = fitted.posterior().scores();
    let row = |(name, scores): (&String, &[factors::Score])| {
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
