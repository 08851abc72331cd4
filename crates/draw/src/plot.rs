//! Charts as SVG, and pages of charts and tables: traces, autocorrelations, histograms, box plots and
//! learning curves.
//!
//! A [`Chart`] is plain data: two axes and a list of marks. [`Chart::to_svg`] draws it, and [`page`] puts
//! several with words and tables into one HTML file that needs nothing else: no scripts, no network, light
//! and dark, printable.
//!
//! Drawing never fails. What cannot be drawn (not a number, infinite, not positive on a logarithmic axis) is
//! left out and counted in a note below the chart, and a chart that has nothing to show says so.
//!
//! Colours are chosen to be told apart by colour-blind readers, and each has its dashes as a second cue.
//! Marks of the same name have the same colour and one entry in the legend.
//!
//! ```
//! use draw::plot::{Axis, Chart, Mark, Way, histogram};
//! let scores = [0.4, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0];
//! let chart = Chart {
//!     title: "F1 by sentence".into(),
//!     x: Axis::new("F1"),
//!     y: Axis::new("sentences"),
//!     marks: vec![
//!         Mark::Bars { name: "sentences".into(), bins: histogram(&scores, None) },
//!         Mark::Rule { name: "mean".into(), way: Way::Vertical, at: 0.771 },
//!     ],
//!     ..Chart::default()
//! };
//! assert!(chart.to_svg(480, 300).starts_with("<svg"));
//! ```

mod axis;
mod boxes;
mod frame;
mod histogram;
mod labels;
#[cfg(test)]
mod laws;
mod layout;
mod legend;
mod line;
mod marks;
mod number;
mod page;
mod series;
mod shape;
mod style;
mod surface;
mod table;
mod text;
mod ticks;

pub use boxes::{BoxSummary, box_summary, quantile};
pub use histogram::{Bin, Histogram, histogram};
pub use page::{Part, Section, page};
pub use style::CSS;
pub use table::Table;
pub use ticks::{log_ticks, nice_ticks};

/// A chart: what is drawn, not yet how large.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Stands above the chart; empty for none.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub marks: Vec<Mark>,
    /// Whether the names of the marks are told.
    pub legend: Legend,
}

/// One axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit; empty for none.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Where the axis has ticks.
    pub ticks: Ticks,
    /// Where the axis begins; by default where the data do.
    pub from: Option<f64>,
    /// Where the axis ends; by default where the data do.
    pub to: Option<f64>,
}

/// How values become places on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    #[default]
    Linear,
    /// Equal ratios are equally long. Zero and negative values have no place.
    Log,
}

/// Where an axis has ticks, and what they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Ticks {
    /// At round numbers, as many as there is room for.
    #[default]
    Auto,
    /// At these values with these labels: dates, names of parsers or rules.
    At(Vec<(f64, String)>),
}

/// Whether the names of the marks are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Between the title and the chart, if any mark has a name.
    #[default]
    Above,
    /// Not at all.
    Hidden,
}

/// Something drawn in a chart. A mark without a name is not in the legend.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points in their order: traces and learning curves. A point that cannot be drawn leaves
    /// a gap.
    Line {
        /// Name in the legend.
        name: String,
        /// (x, y) of each point.
        points: Vec<(f64, f64)>,
        /// Lower and upper bound at each point, such as a confidence band or the range of several runs.
        band: Option<Vec<(f64, f64)>>,
    },
    /// Filled bars: a histogram, or one number for each of some categories.
    Bars {
        /// Name in the legend.
        name: String,
        /// Where the bars stand and how high they are.
        bins: Histogram,
    },
    /// The outline of a histogram, for several in one chart.
    Steps {
        /// Name in the legend.
        name: String,
        /// Where the steps are and how high.
        bins: Histogram,
    },
    /// Lines from zero to each point: autocorrelations.
    Stems {
        /// Name in the legend.
        name: String,
        /// (x, y) of each point.
        points: Vec<(f64, f64)>,
        /// Half the height of a band around zero, inside which a value is no news.
        band: Option<f64>,
    },
    /// Box plots: median, quartiles, whiskers, outliers, and the mean as a diamond.
    Boxes {
        /// Name in the legend.
        name: String,
        /// Where each box stands on the horizontal axis, and what it shows.
        boxes: Vec<(f64, BoxSummary)>,
    },
    /// Dots.
    Points {
        /// Name in the legend.
        name: String,
        /// (x, y) of each point.
        points: Vec<(f64, f64)>,
    },
    /// A line across the whole chart, such as a mean or the end of the burn-in.
    Rule {
        /// Name in the legend.
        name: String,
        /// Whether the line lies or stands.
        way: Way,
        /// Where it crosses the other axis.
        at: f64,
    },
}

/// The way a [`Mark::Rule`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// At one y.
    Horizontal,
    /// At one x.
    Vertical,
}

impl Chart {
    /// The chart as an SVG document of this size in pixels that needs nothing else.
    ///
    /// If title, legend and labels leave too little room for the data, the picture is larger than asked for.
    pub fn to_svg(&self, width: u32, height: u32) -> String {
        frame::svg(self, width, height, frame::Sheet::Own)
    }

    /// The same for a page that has [`CSS`].
    pub fn to_plain_svg(&self, width: u32, height: u32) -> String {
        frame::svg(self, width, height, frame::Sheet::OfPage)
    }
}

impl Axis {
    /// A linear axis from the least value to the largest.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A logarithmic axis from the least positive value to the largest.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, ..Self::default() }
    }

    /// An axis on which these names stand at 1, 2, 3, ….
    pub fn categories<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Self {
        let named = |(index, name): (usize, N)| ((index + 1) as f64, name.into());
        let ticks: Vec<(f64, String)> = names.into_iter().enumerate().map(named).collect();
        let to = ticks.len() as f64 + 0.5;
        let label = label.into();
        Self { label, ticks: Ticks::At(ticks), from: Some(0.5), to: Some(to), ..Self::default() }
    }

    /// The same axis from `from` to `to`.
    pub fn between(self, from: f64, to: f64) -> Self {
        Self { from: Some(from), to: Some(to), ..self }
    }
}

impl Mark {
    /// The line of some values at 1, 2, 3, …: the trace of a chain.
    pub fn trace(name: impl Into<String>, values: &[f64]) -> Self {
        let points = values.iter().enumerate().map(|(index, &value)| ((index + 1) as f64, value)).collect();
        Self::Line { name: name.into(), points, band: None }
    }

    /// Stems at lags 0, 1, 2, … of an autocorrelation function estimated from `n_values` values.
    ///
    /// Of independent values, 95 % of the stems would end within the band ±1.96/√n.
    pub fn autocorrelation(name: impl Into<String>, at_lag: &[f64], n_values: usize) -> Self {
        let points = at_lag.iter().enumerate().map(|(lag, &value)| (lag as f64, value)).collect();
        let band = (n_values > 0).then(|| 1.96 / (n_values as f64).sqrt());
        Self::Stems { name: name.into(), points, band }
    }

    /// Name in the legend.
    pub fn name(&self) -> &str {
        match self {
            Self::Line { name, .. }
            | Self::Bars { name, .. }
            | Self::Steps { name, .. }
            | Self::Stems { name, .. }
            | Self::Boxes { name, .. }
            | Self::Points { name, .. }
            | Self::Rule { name, .. } => name,
        }
    }
}
