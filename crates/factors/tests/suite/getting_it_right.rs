//! Geweke's joint distribution test and simulation-based calibration, with all five kinds of columns.

use chain::{Kernel, Sweep, Workers};
use factors::{
    Data, Dispersions, FactorModel, Identification, Kind, Link, Prior, Shape, State, Update, simulate,
};
use testkit::calibrate::{CalibrateOptions, Posterior, calibrate};
use testkit::geweke::{GewekeOptions, Joint, compare, worst};

/// A small table with all kinds of columns. Some cells are missing in each step, so that nothing is learned from them.
struct Small {
    settings: factors::Options,
    kinds: Vec<Kind>,
    n_rows: usize,
}

/// Priors whose moments exist, so that means can be compared.
fn tame() -> Prior {
    Prior {
        noise_shape: 10.0,
        noise_scale: 0.8,
        dispersion_shape: 4.0,
        rate_shape: 12.0,
        rate_rate: 6.0,
        intercept_scale: 0.4,
        loading_shape: 12.0,
        loading_scale: 0.5,
        cut_sd: 1.0,
    }
}

fn small(identification: Identification, sparse: bool, update: Update) -> Small {
    let settings = factors::Options {
        n_factors: 2,
        link: Link::Logit,
        identification,
        sparse,
        tails: None,
        dispersions: Dispersions::Own,
        update,
        prior: tame(),
    };
    let kinds = vec![
        Kind::Count,
        Kind::Binary,
        Kind::Ordinal(4),
        Kind::Categorical(3),
        Kind::Continuous,
        Kind::Count,
        Kind::Continuous,
    ];
    Small { settings, kinds, n_rows: 5 }
}

impl Joint for Small {
    type Theta = State;
    type Data = Data;

    fn prior(&self, sweep: &Sweep<'_>) -> State {
        simulate::prior(&self.kinds, self.n_rows, &self.settings, &mut sweep.rng_for("prior"))
    }

    fn data(&self, theta: &mut State, sweep: &Sweep<'_>) -> Data {
        let data =
            simulate::draw_data(&self.kinds, theta, &self.settings, &mut sweep.rng_for("data")).unwrap();
        // The cells of row 1 in two columns are always missing, one of them the count in the first column.
        data.without(&[(1, 0), (1, 2), (3, 4)])
    }

    fn step(&self, theta: &mut State, data: &Data, sweep: &Sweep<'_>) {
        FactorModel::new(data, self.settings.clone()).unwrap().sweep(theta, sweep).unwrap();
    }

    fn statistics(&self, theta: &State, data: &Data) -> Vec<(&'static str, f64)> {
        let k = 2;
        let weights = |j: usize| &theta.columns[j].weights;
        let f = &theta.factors;
        let mut latent = Vec::new();
        let mut z = |row, column| {
            theta.latent_into(row, column, &mut latent);
            latent[0]
        };
        let value = |row: usize, column: usize| data.columns()[column].cells.get(row).unwrap().number();
        let (mut h, mut rate, mut cuts, mut noise) = (0.0, 0.0, Vec::new(), 0.0);
        for column in &theta.columns[..5] {
            match &column.shape {
                Shape::Dispersion { h: h0, rate: r0 } => (h, rate) = (*h0, *r0),
                Shape::Cuts(c) => cuts = c.clone(),
                Shape::Noise(variance) => noise = *variance,
                _ => {}
            }
        }
        let all: f64 =
            theta.columns.iter().flat_map(|c| c.weights.iter().skip(1).step_by(k + 1)).map(|b| b * b).sum();
        let mut statistics = vec![
            ("α² of the counts", weights(0)[0] * weights(0)[0]),
            ("α of the counts", weights(0)[0]),
            ("α of the binary", weights(1)[0]),
            ("α² of the ordinal", weights(2)[0] * weights(2)[0]),
            ("α of the categories", weights(3)[0] + 0.5 * weights(3)[3]),
            ("α² of the numbers", weights(4)[0] * weights(4)[0]),
            ("b² of the counts", weights(0)[1] * weights(0)[1]),
            ("b of the counts", weights(0)[1]),
            ("b² of the binary", weights(1)[1] * weights(1)[1] - weights(1)[2] * weights(1)[2]),
            ("b of the binary", weights(1)[2]),
            ("b² of the ordinal", weights(2)[2] * weights(2)[2]),
            ("b² of the categories", weights(3)[4] * weights(3)[4]),
            ("b² of the numbers", weights(4)[1] * weights(4)[1]),
            ("all b²", all),
            ("f²", f.iter().map(|f| f * f).sum()),
            ("f f", f[0] * f[1] + f[2] * f[3]),
            ("b f", weights(4)[1] * f[0] + weights(4)[2] * f[1]),
            ("(b f)²", (weights(1)[1] * f[4]).powi(2)),
            ("σ²", noise),
            ("ln σ²", noise.ln()),
            ("h", h),
            ("ln h", h.ln()),
            ("r", rate),
            ("second cut", cuts[1]),
            ("third cut", cuts[2]),
            ("cut²", cuts[2] * cuts[2]),
            ("ν", theta.variances[0]),
            ("ln ν", theta.variances[1].ln()),
            ("z of a number", z(0, 4) * value(0, 4)),
            ("z of a count", z(0, 5) * value(0, 5).min(20.0)),
            ("z of a binary", z(0, 1) * value(0, 1)),
            ("z of an ordinal", z(0, 2) * value(0, 2)),
            ("z of a category", z(0, 3) * f64::from(value(0, 3) == 1.0)),
            ("z of a missing count", z(1, 0)),
            ("z² of a missing number", z(3, 4).powi(2)),
            ("number²", (value(0, 4) - z(0, 4)).powi(2)),
        ];
        if let Some(pooled) = theta.pooled {
            let (mean, shape) = (pooled.mean.ln(), pooled.shape.ln());
            statistics.retain(|(name, _)| !["h", "r", "z of a count"].contains(name));
            statistics.extend([
                ("ln m", mean),
                ("ln a", shape),
                ("(ln a)²", shape * shape),
                ("ln m ln h", mean * h.ln()),
            ]);
        }
        if self.settings.sparse {
            let zeros = theta.columns.iter().flat_map(|c| &c.weights).filter(|b| **b == 0.0).count();
            let q = &theta.inclusion;
            statistics.extend([("zeros", zeros as f64), ("q", q[0]), ("q²", q[1] * q[1])]);
        }
        statistics
    }
}

impl Posterior for Small {
    fn begin(&self, data: &Data, sweep: &Sweep<'_>) -> State {
        FactorModel::new(data, self.settings.clone()).unwrap().start(sweep).unwrap()
    }
}

fn joint_distributions_agree(model: &Small, seed: u64) {
    let options = GewekeOptions { draws: 8000, chains: 250, steps: 40, seed };
    let comparisons = compare(model, &options, &Workers::new(chain::Threads::All).unwrap());
    let worst = worst(&comparisons).unwrap();
    assert!(worst.z.abs() < 4.0, "{worst:?}\n{comparisons:#?}");
}

#[test]
fn the_free_model_leaves_the_joint_distribution_as_it_is() {
    joint_distributions_agree(&small(Identification::Free, false, Update::Blocked), 1);
}

#[test]
fn the_triangular_model_leaves_the_joint_distribution_as_it_is() {
    joint_distributions_agree(&small(Identification::Triangular, false, Update::Blocked), 2);
}

#[test]
fn the_free_sparse_model_leaves_the_joint_distribution_as_it_is() {
    joint_distributions_agree(&small(Identification::Free, true, Update::Blocked), 3);
}

#[test]
fn the_triangular_sparse_model_leaves_the_joint_distribution_as_it_is() {
    joint_distributions_agree(&small(Identification::Triangular, true, Update::Blocked), 4);
}

#[test]
fn drawing_loadings_one_by_one_leaves_the_joint_distribution_as_it_is() {
    joint_distributions_agree(&small(Identification::Triangular, false, Update::Single), 5);
    joint_distributions_agree(&small(Identification::Triangular, true, Update::Single), 6);
}

#[test]
fn the_probit_model_with_heavy_tails_leaves_the_joint_distribution_as_it_is() {
    let mut model = small(Identification::Free, false, Update::Blocked);
    model.settings.link = Link::Probit;
    model.settings.tails = Some(7.0);
    model.settings.dispersions = Dispersions::Pooled;
    joint_distributions_agree(&model, 7);
}

#[test]
fn posteriors_are_as_wide_as_they_should_be() {
    let mut model = small(Identification::Triangular, false, Update::Blocked);
    model.n_rows = 12;
    let options = CalibrateOptions { truths: 250, burn_in: 60, thin: 12, bins: 10, per_bin: 1, seed: 8 };
    let ranks = calibrate(&model, &options, &Workers::new(chain::Threads::All).unwrap());
    let limit = 0.005 / ranks.len() as f64;
    assert!(ranks.iter().all(|r| r.p > limit), "{ranks:#?}");
}
