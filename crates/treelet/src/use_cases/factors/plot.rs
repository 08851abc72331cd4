//! Pictures of a fitted model.

use super::summary::{FactorStack, factor_names};
use super::tables;
use crate::models;
use crate::options::EncodingName;
use crate::options::ThreadCount;
use crate::options::factors::{Plot, TableReading};
use crate::outcome::Usage;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use chain::diagnose::autocorrelation;
use draw::heat_grid;
use draw::plot::{Axis, Chart, Mark, Way, histogram};
use factors::{Data, FittedFactors};
use serde::Serialize;
use std::path::Path;
use tree::PutInOrder;

/// A picture of a fitted model.
#[derive(Debug, Clone, Serialize)]
pub struct FactorPicture {
    /// The name of its file in a folder.
    pub file: &'static str,
    /// What it shows.
    pub words: String,
    /// The picture.
    pub svg: String,
}

/// Draws a fitted model, and writes a page or a folder.
pub fn plot_factors(options: &Plot, watch: &dyn Watch) -> anyhow::Result<Vec<FactorPicture>> {
    check_output(options)?;
    let fitted = FittedFactors::read(&options.fitted.model).map_err(models::file_error)?;
    if let Some(stack) = FactorStack::new(&fitted) {
        watch.note(&stack.words());
    }
    let workers = models::workers(ThreadCount::ALL)?;
    let top = Top::new(&fitted, options.top, &workers);
    let mut pictures = vec![loadings(&top)];
    pictures.push(latent_correlations(&fitted, &top));
    if let Some(path) = &options.data {
        let data = read_data(&fitted, path, watch)?;
        pictures.push(raw_correlations(&data, &fitted, &top));
    }
    if let Some(path) = &options.truth {
        pictures.extend(truth(&fitted, &top, path)?);
    }
    pictures.extend(traces(&fitted));
    // Without the sparse prior no loading is exactly 0, and every column has all factors.
    if fitted.posterior().settings.sparse {
        pictures.push(dimensions(&fitted));
    }
    write(&pictures, options, watch)?;
    Ok(pictures)
}

/// Whether the output is one page, by its name.
fn is_page(output: &Path) -> bool {
    output == Path::new("-") || output.extension().is_some_and(|ending| ending == "html" || ending == "htm")
}

fn check_output(options: &Plot) -> anyhow::Result<()> {
    let output = options.output.as_path();
    if is_page(output) {
        let more = [&options.data, &options.truth].into_iter().filter_map(|path| path.as_deref());
        let inputs: Vec<&Path> = std::iter::once(options.fitted.model.as_path()).chain(more).collect();
        return models::check_outputs(&[(output, "the page")], &inputs);
    }
    match output.is_file() {
        true => {
            let advice = "is a file; pictures go into a folder, or into a page whose name ends in .html";
            Err(Usage(format!("{} {advice}", output.display())).into())
        }
        false => Ok(()),
    }
}

/// The latent values with the largest loadings, in the order of the table.
struct Top {
    latent: Vec<usize>,
    names: Vec<String>,
    means: Vec<f64>,
    k: usize,
}

impl Top {
    fn new(fitted: &FittedFactors, most: usize, workers: &chain::Workers) -> Self {
        let k = fitted.posterior().n_factors();
        let weights = fitted.posterior().weights(workers);
        let names = fitted.latent_names();
        let row = |latent: usize| {
            weights[latent * (k + 1) + 1..(latent + 1) * (k + 1)].iter().map(|w| w.summary.mean)
        };
        let size = |latent: usize| row(latent).map(|b| b * b).sum::<f64>();
        let mut latent: Vec<usize> = (0..names.len()).collect();
        latent.order_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        latent.truncate(most.max(2));
        latent.sort_unstable();
        let means = latent.iter().flat_map(|&latent| row(latent)).collect();
        Self { names: latent.iter().map(|&at| names[at].clone()).collect(), latent, means, k }
    }

    fn labels(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}

fn loadings(top: &Top) -> FactorPicture {
    let factors = factor_names(top.k);
    let factors: Vec<&str> = factors.iter().map(String::as_str).collect();
    let most = top.means.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    let svg = heat_grid("Loadings", &top.labels(), &factors, &top.means, if most > 0.0 { most } else { 1.0 });
    let words = format!("Posterior means; blue above 0, red below, darkest at {most:.2}.");
    FactorPicture { file: "loadings.svg", words, svg }
}

fn latent_correlations(fitted: &FittedFactors, top: &Top) -> FactorPicture {
    let values = fitted.posterior().correlations(&top.latent);
    let svg = draw::heat_map("Correlations of latent values", &top.labels(), &values);
    FactorPicture { file: "correlations.svg", words: "Posterior mean of cor(B Bᵀ).".into(), svg }
}

fn read_data(fitted: &FittedFactors, path: &Path, watch: &dyn Watch) -> anyhow::Result<Data> {
    let reading = TableReading { missing: Vec::new(), encoding: EncodingName::Unicode };
    let (table, _, _) = tables::read(path, &reading, None, watch)?;
    Ok(tables::encode(&table, &fitted.columns)?.0)
}

/// Correlations of the values as they stand; a category counts as 1 where it is the level in question.
fn raw_correlations(data: &Data, fitted: &FittedFactors, top: &Top) -> FactorPicture {
    let places = fitted.posterior().latent_places();
    let series: Vec<Vec<Option<f64>>> = top.latent.iter().map(|&at| raw_series(data, places[at])).collect();
    let n = series.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let values: Vec<f64> = pairs.map(|(i, j)| correlation(&series[i], &series[j])).collect();
    let svg = draw::heat_map("Correlations of raw values", &top.labels(), &values);
    let words = "As the table has them, without a model: weaker for counts and levels, whose values only hint at what is behind.";
    FactorPicture { file: "raw-correlations.svg", words: words.into(), svg }
}

fn raw_series(data: &Data, (column, level): (usize, Option<usize>)) -> Vec<Option<f64>> {
    let cells = &data.columns()[column].cells;
    let value = |row: usize| {
        let value = cells.get(row)?.number();
        Some(level.map_or(value, |level| f64::from(value == level as f64)))
    };
    (0..data.n_rows()).map(value).collect()
}

/// Over the rows in which both have a value; NaN if there is nothing to correlate.
fn correlation(a: &[Option<f64>], b: &[Option<f64>]) -> f64 {
    let both: Vec<(f64, f64)> = a.iter().zip(b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let n = both.len() as f64;
    let (ma, mb) = (both.iter().map(|p| p.0).sum::<f64>() / n, both.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| both.iter().map(|&(a, b)| f(a - ma, b - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// True correlations as a picture, and estimated ones against them.
fn truth(fitted: &FittedFactors, top: &Top, path: &Path) -> anyhow::Result<Vec<FactorPicture>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let wrong = |what: &str| {
        Usage(format!("{}: {what}; it must come from `treelet factors simulate --truth`", path.display()))
    };
    let file: serde_json::Value = serde_json::from_str(&text).map_err(|e| wrong(&e.to_string()))?;
    let weights = file["weights"].as_array().ok_or_else(|| wrong("there are no weights"))?;
    let numbers = |row: &serde_json::Value| -> Option<Vec<f64>> {
        row.as_array()?.iter().map(|x| x.as_f64()).collect()
    };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for described in fitted.modelled() {
        let found = weights.iter().find(|w| w["name"] == described.name.as_str());
        let loadings = found.and_then(|w| w["loadings"].as_array());
        let loadings = loadings.and_then(|rows| rows.iter().map(numbers).collect::<Option<Vec<_>>>());
        rows.extend(loadings.ok_or_else(|| wrong(&format!("nothing about column {}", described.name)))?);
    }
    if rows.len() != fitted.latent_names().len() {
        return Err(wrong("other levels than the model has").into());
    }
    let correlate = |i: usize, j: usize| cosine(&rows[top.latent[i]], &rows[top.latent[j]]);
    let n = top.latent.len();
    let true_ones: Vec<f64> = (0..n * n).map(|at| correlate(at / n, at % n)).collect();
    let estimated = fitted.posterior().correlations(&top.latent);
    let below = (0..n).flat_map(|i| (0..i).map(move |j| i * n + j));
    let points: Vec<(f64, f64)> = below.map(|at| (true_ones[at], estimated[at])).collect();
    let chart = Chart {
        title: "Estimated against true correlations".into(),
        x: Axis::new("true").between(-1.0, 1.0),
        y: Axis::new("estimated").between(-1.0, 1.0),
        marks: vec![
            Mark::Points { name: "pairs of columns".into(), points: points.clone() },
            Mark::Line { name: "equal".into(), points: vec![(-1.0, -1.0), (1.0, 1.0)], band: None },
            regression(&points),
        ],
        ..Chart::default()
    };
    Ok(vec![
        FactorPicture {
            file: "true-correlations.svg",
            words: "What the table was drawn from.".into(),
            svg: draw::heat_map("True correlations of latent values", &top.labels(), &true_ones),
        },
        FactorPicture {
            file: "estimated-against-true.svg",
            words: format!("{} pairs of latent values.", points.len()),
            svg: chart.to_svg(560, 480),
        },
    ])
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The line of least squares.
fn regression(points: &[(f64, f64)]) -> Mark {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let xy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let xx: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    let at = |x: f64| (x, my + xy / xx * (x - mx));
    Mark::Line { name: "regression".into(), points: vec![at(-1.0), at(1.0)], band: None }
}

fn traces(fitted: &FittedFactors) -> Vec<FactorPicture> {
    let series = fitted.posterior().log_likelihoods();
    let named = |(chain, values): (usize, &Vec<f64>)| Mark::trace(format!("chain {}", chain + 1), values);
    let trace = Chart {
        title: "Log-likelihood of kept draws".into(),
        x: Axis::new("draw"),
        y: Axis::new("log-likelihood"),
        marks: series.iter().enumerate().map(named).collect(),
        ..Chart::default()
    };
    let lags = |(chain, values): (usize, &Vec<f64>)| {
        let at_lag = autocorrelation(values, 40)?;
        Some(Mark::autocorrelation(format!("chain {}", chain + 1), &at_lag, values.len()))
    };
    let acf = Chart {
        title: "Autocorrelation of the log-likelihood".into(),
        x: Axis::new("lag in kept draws"),
        y: Axis::new("autocorrelation").between(-0.3, 1.0),
        marks: series.iter().enumerate().filter_map(lags).collect(),
        ..Chart::default()
    };
    vec![
        FactorPicture {
            file: "trace.svg",
            words: "Chains that agree lie on top of one another.".into(),
            svg: trace.to_svg(640, 320),
        },
        FactorPicture {
            file: "autocorrelation.svg",
            words: "The sooner it falls to 0, the more the draws tell.".into(),
            svg: acf.to_svg(640, 320),
        },
    ]
}

fn dimensions(fitted: &FittedFactors) -> FactorPicture {
    let dimensions = fitted.posterior().dimensions();
    let mean = dimensions.iter().sum::<f64>() / dimensions.len().max(1) as f64;
    let chart = Chart {
        title: "Dimensions of columns".into(),
        x: Axis::new("factors with a loading that is not 0"),
        y: Axis::new("columns"),
        marks: vec![
            Mark::Bars { name: "columns".into(), bins: histogram(&dimensions, None) },
            Mark::Rule { name: "mean".into(), way: Way::Vertical, at: mean },
        ],
        ..Chart::default()
    };
    let words = "How many factors each column depends on, on average over the draws.";
    FactorPicture { file: "dimensions.svg", words: words.into(), svg: chart.to_svg(640, 320) }
}

/// A page if the name says so, and otherwise a folder of files.
fn write(pictures: &[FactorPicture], options: &Plot, watch: &dyn Watch) -> anyhow::Result<()> {
    if is_page(&options.output) {
        let title = format!("Factors of {}", options.fitted.model.display());
        super::write(&options.output, page(&title, pictures).as_bytes(), watch)?;
    } else {
        let folder = &options.output;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for picture in pictures {
            super::write(&folder.join(picture.file), picture.svg.as_bytes(), watch)?;
        }
    }
    watch.note(&format!("{}: {}", options.output.display(), plural(pictures.len(), "picture")));
    Ok(())
}

fn page(title: &str, pictures: &[FactorPicture]) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\nbody {{ font-family: \
         sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; background: #ffffff; color: #222222 }}\nfigure {{ margin: 2em \
         0; overflow-x: auto }}\nfigcaption {{ margin-top: 0.5em; color: #555555 }}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        title = escape(title)
    );
    for picture in pictures {
        html.push_str(&format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            picture.svg,
            escape(&picture.words)
        ));
    }
    html.push_str("</body>\n</html>\n");
    html
}
