//! What the numbers say, in words.

use super::trace::Series;
use crate::table::plural;
use chain::diagnose::{self, Summary};
use std::fmt;

/// R-hat above this means that chains do not agree (Vehtari et al. 2021).
pub(super) const GOOD_RHAT: f64 = 1.01;

/// Fewer effective draws than this for each chain make the other figures unreliable.
pub(super) const GOOD_ESS: f64 = 100.0;

/// Above this, chains hardly meet: so far apart they are not for want of a few sweeps.
const APART: f64 = 1.2;

/// Chains with fewer kept sweeps are not judged.
const FEWEST: usize = 8;

/// How far the autocorrelation is shown.
const MOST_LAGS: usize = 40;

/// One column of the traces, over all chains and for each.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The name of the column.
    pub column: String,
    /// `None` with less than two kept sweeps.
    pub summary: Option<Summary>,
    /// R-hat of the values as they are, not of their ranks.
    pub split_rhat: Option<f64>,
    /// The largest R-hat between the halves of one chain.
    pub rhat_within: Option<f64>,
    /// What is to be done about it.
    pub verdict: Verdict,
    /// The chains that have the column.
    pub chains: Vec<OneChain>,
}

/// One column of one chain.
#[derive(Clone, Debug)]
pub struct OneChain {
    /// The name of the chain.
    pub name: String,
    /// The kept values.
    pub values: Vec<f64>,
    /// `None` with less than two kept sweeps.
    pub summary: Option<Summary>,
    /// At lags 0, 1, 2, …; `None` where it is undefined.
    pub autocorrelation: Option<Vec<f64>>,
}

/// What is to be done about a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Nothing: so many chains agree.
    Agree(usize),
    /// To run longer, for these reasons.
    RunLonger(Vec<String>),
    /// To take the chains for an ensemble: each has a place of its own, where its halves agree as far as this R-hat says.
    Differ(Vec<String>, f64),
    /// Nothing: the number always has this value.
    Constant(f64),
    /// To run longer and to doubt the sampler: each chain has a value of its own and keeps it.
    Stuck,
    /// To keep some sweeps.
    Nothing,
    /// To run longer: the shortest chain has so few kept sweeps.
    TooShort(usize),
    /// To find out why so many of so many values are not finite.
    NotFinite(usize, usize),
}

impl Judged {
    /// Whether there are several chains, so far apart that they hardly meet, settled or not.
    pub fn is_apart(&self) -> bool {
        let rhat = self.summary.as_ref().and_then(|summary| summary.rhat);
        let is_judged = matches!(self.verdict, Verdict::RunLonger(_) | Verdict::Differ(..));
        is_judged && self.chains.len() > 1 && rhat.is_some_and(|rhat| rhat > APART)
    }
}

/// Every column of the traces, in the order in which they are first named.
pub(super) fn columns(chains: &[Series]) -> Vec<Judged> {
    let mut names: Vec<&str> = Vec::new();
    for name in chains.iter().flat_map(Series::columns) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| judge(name, chains)).collect()
}

fn judge(column: &str, chains: &[Series]) -> Judged {
    let chains: Vec<OneChain> = chains.iter().filter_map(|chain| one_chain(column, chain)).collect();
    let kept: Vec<&[f64]> = chains.iter().map(|chain| chain.values.as_slice()).collect();
    let summary = diagnose::summarise(&kept);
    let own = chains.iter().map(|chain| chain.summary.as_ref().and_then(|summary| summary.rhat));
    let rhat_within = own.collect::<Option<Vec<f64>>>().and_then(|own| own.into_iter().reduce(f64::max));
    Judged {
        column: column.to_owned(),
        verdict: verdict(&kept, summary.as_ref(), rhat_within),
        summary,
        split_rhat: diagnose::split_rhat(&kept),
        rhat_within,
        chains,
    }
}

fn one_chain(column: &str, chain: &Series) -> Option<OneChain> {
    let values = chain.kept(column)?;
    Some(OneChain {
        name: chain.name.clone(),
        summary: diagnose::summarise(&[&values]),
        autocorrelation: diagnose::autocorrelation(&values, MOST_LAGS),
        values,
    })
}

fn verdict(kept: &[&[f64]], summary: Option<&Summary>, rhat_within: Option<f64>) -> Verdict {
    let all = kept.concat();
    let shortest = kept.iter().map(|values| values.len()).min().unwrap_or(0);
    let n_bad = all.iter().filter(|value| !value.is_finite()).count();
    let is_constant = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
    match (summary, all.first()) {
        (_, None) => Verdict::Nothing,
        _ if n_bad > 0 => Verdict::NotFinite(n_bad, all.len()),
        (_, Some(&value)) if all.len() > 1 && is_constant(&all) => Verdict::Constant(value),
        _ if shortest < FEWEST => Verdict::TooShort(shortest),
        _ if kept.iter().all(|values| is_constant(values)) => Verdict::Stuck,
        (Some(summary), _) => by_figures(summary, rhat_within, kept.len()),
        (None, _) => Verdict::TooShort(shortest),
    }
}

fn by_figures(summary: &Summary, rhat_within: Option<f64>, n_chains: usize) -> Verdict {
    let mut reasons = Vec::new();
    if let Some(rhat) = summary.rhat.filter(|&rhat| rhat > GOOD_RHAT) {
        // Two digits would make 1.0104 look like the bound itself.
        let shown = if rhat < 1.0995 { format!("{rhat:.3}") } else { format!("{rhat:.2}") };
        reasons.push(format!("R-hat {shown} > {GOOD_RHAT}"));
    }
    let enough = GOOD_ESS * n_chains as f64;
    let least = summary.ess_bulk.into_iter().chain(summary.ess_tail).fold(f64::INFINITY, f64::min);
    if least < enough {
        reasons.push(format!("ESS {:.0} < {enough:.0}", least.floor()));
    }
    // Chains that are apart and stay there: more between them than twice what is between the halves of any.
    let apart = summary
        .rhat
        .zip(rhat_within)
        .filter(|(rhat, within)| *rhat > APART && rhat - 1.0 > 2.0 * (within - 1.0));
    match apart {
        _ if reasons.is_empty() => Verdict::Agree(n_chains),
        Some((_, within)) if n_chains > 1 => Verdict::Differ(reasons, within),
        _ => Verdict::RunLonger(reasons),
    }
}

impl Verdict {
    /// One word for programs.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Agree(_) => "agree",
            Self::RunLonger(_) => "run-longer",
            Self::Differ(..) => "differ",
            Self::Constant(_) => "constant",
            Self::Stuck => "stuck",
            Self::Nothing => "nothing",
            Self::TooShort(_) => "too-short",
            Self::NotFinite(..) => "not-finite",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agree(1) => f.write_str("the halves of the chain agree; run several chains to be sure"),
            Self::Agree(_) => f.write_str("chains agree"),
            Self::RunLonger(reasons) => write!(f, "run longer: {}", reasons.join(", ")),
            Self::Differ(reasons, within) => {
                let reasons = reasons.join(", ");
                write!(
                    f,
                    "chains differ: {reasons}, but R-hat within each is at most {within:.2}; an ensemble"
                )
            }
            Self::Constant(_) => f.write_str("constant: it was not sampled"),
            Self::Stuck => f.write_str("run longer: each chain stays at a value of its own"),
            Self::Nothing => f.write_str("nothing to judge: no sweep was kept"),
            Self::TooShort(n_kept) => {
                let kept = plural(*n_kept, "kept sweep");
                write!(f, "too short to judge: {kept} in the shortest chain, {FEWEST} are the least")
            }
            Self::NotFinite(n_bad, n_all) => {
                write!(f, "cannot be judged: {n_bad} of {n_all} kept values are NaN or infinite")
            }
        }
    }
}
