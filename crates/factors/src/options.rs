//! What is assumed before a value has been seen, and how the sampler works.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Everything about a model but its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// How many factors, K.
    pub n_factors: usize,
    /// From latent values to binary and ordinal ones.
    pub link: Link,
    /// How one of the many equivalent loading matrices is singled out.
    pub identification: Identification,
    /// Loadings may be exactly 0.
    pub sparse: bool,
    /// Noise of continuous columns with the tails of a t distribution with so many degrees of freedom.
    pub tails: Option<f64>,
    /// What counts of different columns have to do with one another.
    pub dispersions: Dispersions,
    /// How loadings are drawn.
    pub update: Update,
    /// The prior distributions.
    pub prior: Prior,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            n_factors: 1,
            link: Link::Logit,
            identification: Identification::Free,
            sparse: false,
            tails: None,
            dispersions: Dispersions::Pooled,
            update: Update::Blocked,
            prior: Prior::default(),
        }
    }
}

/// The distribution of the hidden number behind a binary or ordinal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Link {
    /// Logistic, by Pólya-Gamma augmentation.
    Logit,
    /// Normal, by truncated normal augmentation.
    Probit,
}

/// B and F are only known up to a rotation: B Pᵀ and P f give the same latent values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identification {
    /// Zeros above the diagonal of B and positive numbers on it (Geweke & Zhou 1996). The result depends on the order
    /// of the columns.
    Triangular,
    /// No constraint; draws are turned towards one another afterwards.
    Free,
}

/// Where the prior of a count's dispersion h comes from.
///
/// The mean of a count is h e^z, so a column by itself hardly tells a large h with a small z from the opposite; what all
/// columns say together does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dispersions {
    /// h ~ Gamma(a₀, rate r) with a rate r ~ Gamma(u₀, rate g₀) of each column, as in Sun (2016).
    Own,
    /// h ~ Gamma(a, rate a/m) with a mean m ~ IG(1, 1) and a shape a that all columns share; 1/√a, the standard
    /// deviation of h/m, is half-normal.
    Pooled,
}

/// How the loadings of a column are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Update {
    /// Intercept and loadings together.
    Blocked,
    /// One number after the other, as the thesis has it: right but slower to forget.
    Single,
}

/// The prior distributions, in the letters of Sun (2016), §4.3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    /// λ in σ² ~ IG(λ/2, λτ/2), the noise of a continuous column.
    pub noise_shape: f64,
    /// τ, about the size of σ².
    pub noise_scale: f64,
    /// a₀ in h ~ Gamma(a₀, rate r), the dispersion of a count.
    pub dispersion_shape: f64,
    /// u₀ in r ~ Gamma(u₀, rate g₀).
    pub rate_shape: f64,
    /// g₀.
    pub rate_rate: f64,
    /// d_α, about the size of the variance ν_α ~ IG(c/2, cd_α/2) of intercepts, α ~ N(0, ν_α); c is that of loadings.
    pub intercept_scale: f64,
    /// c in ν ~ IG(c/2, cd/2), the variance of a factor's loadings.
    pub loading_shape: f64,
    /// d, about the size of ν.
    pub loading_scale: f64,
    /// The cut points of an ordinal column beyond the first, which is 0, are half-normal numbers with this
    /// standard deviation, put in order.
    pub cut_sd: f64,
}

impl Default for Prior {
    fn default() -> Prior {
        Prior {
            noise_shape: 2.0,
            noise_scale: 1.0,
            dispersion_shape: 0.01,
            rate_shape: 0.01,
            rate_rate: 0.01,
            intercept_scale: 1.0,
            loading_shape: 2.0,
            loading_scale: 1.0,
            cut_sd: 5.0,
        }
    }
}

impl Options {
    /// Refuses settings with which nothing can be drawn.
    pub fn check(&self, n_latent: usize) -> Result<(), Error> {
        let prior = &self.prior;
        let numbers = [
            ("the shape of the noise", prior.noise_shape),
            ("the scale of the noise", prior.noise_scale),
            ("the shape of dispersions", prior.dispersion_shape),
            ("the shape of dispersion rates", prior.rate_shape),
            ("the rate of dispersion rates", prior.rate_rate),
            ("the scale of intercepts' variance", prior.intercept_scale),
            ("the shape of loadings' variances", prior.loading_shape),
            ("the scale of loadings' variances", prior.loading_scale),
            ("the spread of cut points", prior.cut_sd),
            ("the degrees of freedom", self.tails.unwrap_or(1.0)),
        ];
        if let Some(&(what, value)) = numbers.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            return Err(Error::Setting { what, value });
        }
        match self.n_factors >= 1 && self.n_factors <= n_latent {
            true => Ok(()),
            false => Err(Error::Factors { wanted: self.n_factors, latent: n_latent }),
        }
    }
}

/// What checkpoints know of options: their fields, and the name that they had when the first checkpoints were written.
pub(crate) fn told(what: &impl Debug) -> String {
    format!("{what:?}").replace("Options {", "Settings {")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_go_on_knowing_options_as_settings() {
        let options = vec![Options::default()];
        assert!(told(&options).starts_with("[Settings { n_factors: 1, link: Logit, "));
        assert_eq!(told(&options).replace("Settings", "Options"), format!("{options:?}"));
    }
}
