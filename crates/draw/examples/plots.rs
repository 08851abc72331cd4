//! A page with marks of every kind. Run it and look at the page in a browser:
//!
//! ```text
//! cargo run -p draw --example plots > plots.html
//! ```

use draw::plot::{Axis, Chart, Histogram, Mark, Part, Section, Table, Way, box_summary, histogram, page};

#[expect(clippy::print_stdout, reason = "the page is what this program makes")]
fn main() {
    let sections = [convergence(), scores(), learning(), many(), hard_cases()];
    print!("{}", page("Diagnosis of a sampler", &sections));
}

/// A stream of numbers between 0 and 1 that is random enough for a picture.
fn noise(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    })
    .skip(8)
}

/// A chain that climbs and then stays: x ← 0.8 x + noise.
fn chain(seed: u64, n_sweeps: usize) -> Vec<f64> {
    let mut at = -900.0;
    noise(seed)
        .take(n_sweeps)
        .map(|step| {
            at = 0.9 * at + 60.0 * (step - 0.5);
            at - 10_240.0
        })
        .collect()
}

fn autocorrelation(values: &[f64], n_lags: usize) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let at_lag =
        |lag: usize| values.iter().zip(&values[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    (0..n_lags).map(|lag| at_lag(lag) / at_lag(0)).collect()
}

fn chart(title: &str, x: Axis, y: Axis, marks: Vec<Mark>) -> Chart {
    Chart { title: title.into(), x, y, marks, ..Chart::default() }
}

fn rule(name: &str, way: Way, at: f64) -> Mark {
    Mark::Rule { name: name.into(), way, at }
}

fn convergence() -> Section {
    let chains: Vec<Vec<f64>> = (1..=4).map(|seed| chain(seed, 500)).collect();
    let mut marks: Vec<Mark> =
        chains.iter().zip(1..).map(|(values, n)| Mark::trace(format!("chain {n}"), values)).collect();
    marks.push(rule("end of burn-in", Way::Vertical, 100.0));
    let trace = chart("Trace of the log likelihood", Axis::new("sweep"), Axis::new("log likelihood"), marks);
    let kept = &chains[0][100..];
    let acf = Mark::autocorrelation("chain 1", &autocorrelation(kept, 31), kept.len());
    let acf = chart("Autocorrelation", Axis::new("lag"), Axis::new("correlation"), vec![acf]);
    let bars = Mark::Bars { name: String::new(), bins: histogram(kept, None) };
    let values =
        chart("Values after the burn-in", Axis::new("log likelihood"), Axis::new("sweeps"), vec![bars]);
    let names = ["NP → DT NN", "NP → NP PP", "VP → VBD NP", "S → NP VP", "PP → IN NP", "NP → NNP", "VP → VB"];
    let counts = [812.0, 467.0, 390.0, 371.0, 352.0, 240.0, 101.0];
    let rules = Mark::Bars { name: String::new(), bins: Histogram::of_categories(&counts) };
    let rules = chart("Chosen rules", Axis::categories("", names), Axis::new("times chosen"), vec![rules]);
    let table = Table {
        caption: "Summary".into(),
        header: ["chain", "mean", "ESS", "R̂"].map(String::from).to_vec(),
        rows: vec![
            ["1", "−10240.3", "38.1", "1.004"].map(String::from).to_vec(),
            ["all of them", "−10239.87 ± 1.2", "151.9", "—"].map(String::from).to_vec(),
        ],
    };
    Section {
        heading: "Convergence".into(),
        text: "Four chains of 500 sweeps from different seeds.\n\nThe band is ±1.96/√n.".into(),
        parts: vec![
            Part::Chart { chart: trace, width: 940, height: 320 },
            acf.into(),
            values.into(),
            rules.into(),
            table.into(),
        ],
    }
}

fn f1(seed: u64, skew: f64) -> Vec<f64> {
    noise(seed).take(200).map(|value| 1.0 - value.powf(skew)).collect()
}

fn scores() -> Section {
    let (gibbs, em) = (f1(11, 2.0), f1(12, 1.1));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let bars =
        |name: &str, values: &[f64]| Mark::Bars { name: name.into(), bins: histogram(values, Some(12)) };
    let marks = vec![
        bars("Gibbs", &gibbs),
        bars("EM", &em),
        rule("Gibbs", Way::Vertical, mean(&gibbs)),
        rule("EM", Way::Vertical, mean(&em)),
    ];
    let two = chart("F1 by sentence", Axis::new("F1").between(0.0, 1.0), Axis::new("sentences"), marks);
    let steps = |name: &str, values: &[f64]| Mark::Steps {
        name: name.into(),
        bins: histogram(values, Some(15)).density(),
    };
    let marks = vec![steps("Gibbs", &gibbs), steps("EM", &em)];
    let outlines = chart("The same as densities", Axis::new("F1"), Axis::new("density"), marks);
    let boxes = [&f1(21, 1.5), &f1(22, 3.0), &f1(23, 5.0), &f1(24, 9.0)];
    let boxes = boxes.iter().zip(1..).map(|(values, at)| (f64::from(at), box_summary(values))).collect();
    let names = ["1 iteration", "10 iterations", "100 iterations", "1000 iterations"];
    let boxes = vec![Mark::Boxes { name: String::new(), boxes }];
    let boxes = chart("F1 after some iterations", Axis::categories("", names), Axis::new("F1"), boxes);
    let points = noise(31).zip(noise(32)).take(150).map(|(x, y)| (x, (x + 0.3 * (y - 0.5)).clamp(0.0, 1.0)));
    let points = vec![
        Mark::Points { name: "sentence".into(), points: points.collect() },
        Mark::Line { name: "equal".into(), points: vec![(0.0, 0.0), (1.0, 1.0)], band: None },
    ];
    let axes = [Axis::new("F1 of EM").between(0.0, 1.0), Axis::new("F1 of Gibbs").between(0.0, 1.0)];
    let [x, y] = axes;
    let scatter = chart("Sentence by sentence", x, y, points);
    Section {
        heading: "Scores".into(),
        text: "Standing lines are means; the diamond in a box is one, too.".into(),
        parts: vec![two.into(), outlines.into(), boxes.into(), scatter.into()],
    }
}

fn learning() -> Section {
    let sizes = [100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 40_000.0];
    let curve = |name: &str, ceiling: f64, slope: f64| {
        let f1 = |size: f64| ceiling - slope * f64::powf(size, -0.35);
        let spread = |size: f64| 0.8 * f64::powf(size, -0.4);
        let points: Vec<(f64, f64)> = sizes.iter().map(|&size| (size, f1(size))).collect();
        let band = sizes.iter().map(|&size| (f1(size) - spread(size), f1(size) + spread(size))).collect();
        Mark::Line { name: name.into(), points, band: Some(band) }
    };
    let marks = vec![
        curve("PCFG-LA", 0.9, 2.4),
        curve("PCFG", 0.76, 1.5),
        rule("best published", Way::Horizontal, 0.92),
    ];
    let curves = chart("Learning curves", Axis::log("sentences (log)"), Axis::new("F1"), marks);
    let seconds = sizes.iter().map(|&size| (size, 1e-5 * f64::powf(size, 1.6))).collect();
    let seconds = vec![Mark::Line { name: "inside".into(), points: seconds, band: None }];
    let time = chart("Time", Axis::log("sentences (log)"), Axis::log("seconds (log)"), seconds);
    Section {
        heading: "Learning curves".into(),
        parts: vec![curves.into(), time.into()],
        ..Section::default()
    }
}

fn many() -> Section {
    let line = |k: usize| {
        let points =
            (0..60).map(|x| (f64::from(x), k as f64 + (f64::from(x) / 9.0 + k as f64).sin())).collect();
        let name = format!("series number {} with a rather long name", k + 1);
        Mark::Line { name, points, band: None }
    };
    let marks = (0..10).map(line).collect();
    let lines = chart("A long legend wraps", Axis::new("x"), Axis::new("y"), marks);
    let line = |k: usize| {
        let points =
            (0..60).map(|x| (f64::from(x), k as f64 + (f64::from(x) / 9.0 + k as f64).sin())).collect();
        Mark::Line { name: (k + 1).to_string(), points, band: None }
    };
    let short = chart("Eight colours", Axis::new("x"), Axis::new("y"), (0..8).map(line).collect());
    Section {
        heading: "Many series".into(),
        parts: vec![Part::Chart { chart: lines, width: 460, height: 420 }, short.into()],
        ..Section::default()
    }
}

fn hard_cases() -> Section {
    let gaps = [1.0, 2.0, f64::NAN, 3.0, f64::INFINITY, 2.5, 2.0, f64::NAN, 1.0, 4.0];
    let gaps = chart("Gaps", Axis::new("sweep"), Axis::new("y"), vec![Mark::trace("with gaps", &gaps)]);
    let empty = chart("Nothing", Axis::new("x"), Axis::new("y"), vec![Mark::trace("empty", &[])]);
    let flat =
        chart("Always the same", Axis::new("sweep"), Axis::new("y"), vec![Mark::trace("", &[3.0; 50])]);
    let mut title = "سجل الاحتمال <b>&amp;</b> \"quoted\" ".to_owned();
    title.push_str("and a title so long that it does not fit on one line");
    let x = Axis::categories(
        "محور",
        ["قاعدة طويلة جدا", "שלום עולם", "<NP> → 'DT' \"NN\"", "日本語の規則", "VP → V"],
    );
    let bars = Mark::Bars {
        name: "أول <سلسلة>".into(),
        bins: Histogram::of_categories(&[3.0, 2.0, -1.0, 4.0, f64::NAN]),
    };
    let text = chart(&title, x, Axis::new("ارتفاع"), vec![bars, rule("صفر وواحد", Way::Horizontal, 1.0)]);
    let long = chart(
        "100 000 points",
        Axis::new("sweep"),
        Axis::new("log likelihood"),
        vec![Mark::trace("", &chain(7, 100_000))],
    );
    let mass: Vec<f64> = noise(77).take(4000).map(|value| (-(value.ln())).powi(3)).collect();
    let log = chart(
        "A logarithmic axis of counts",
        Axis::new("score"),
        Axis::log("sentences"),
        vec![Mark::Bars { name: String::new(), bins: histogram(&mass, Some(30)) }],
    );
    Section {
        heading: "Hard cases".into(),
        text: "What a chart does with data that do not fit: <tags>, \"quotes\" & ampersands.".into(),
        parts: vec![gaps.into(), empty.into(), flat.into(), text.into(), long.into(), log.into()],
    }
}
