//! Pictures of how the work goes, as figures 5.2 to 5.7 of Mielens (2016).

use super::constructions::{CompletionOfTag, ConstructionCounts};
use super::over_time::{HalfHour, WorkCourse};
use super::scope::{Grouping, Whom};
use super::{Comparison, Fault};
use crate::project::desk::Desk;
use draw::plot::{Axis, Chart, Mark, Way};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tree::PutTogether;

const WIDTH: u32 = 720;
const HEIGHT: u32 = 320;

/// A comparison with its pictures.
#[derive(Clone, Debug, Serialize)]
pub struct ShownComparison {
    /// All figures.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Pictures.
    pub plots: Vec<ShownPlot>,
}

/// A picture.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPlot {
    /// What scripts know it by.
    pub name: String,
    /// Whether it is of annotators or of groups of them.
    pub by: Grouping,
    /// The construction, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub construction: Option<String>,
    /// The picture.
    pub svg: String,
}

/// The words on axes and in legends, in another language; those that are not there stay English.
type Wording = BTreeMap<String, String>;

impl Desk {
    /// The same with pictures, whose words are replaced by those of another language as far as they are given.
    pub fn compare_and_draw(
        &self,
        annotator: i64,
        words: &BTreeMap<String, String>,
    ) -> Result<ShownComparison, Fault> {
        let comparison = self.compare(annotator)?;
        let plots = Sketch { comparison: &comparison, words }.plots();
        Ok(ShownComparison { comparison, plots })
    }
}

struct Sketch<'a> {
    comparison: &'a Comparison,
    words: &'a Wording,
}

/// A line over half hours of work.
struct OverHalfHours {
    name: &'static str,
    axis: &'static str,
    /// Whether it is a share of 1.
    is_share: bool,
    value: fn(&HalfHour) -> Option<f64>,
}

const OVER_HALF_HOURS: [OverHalfHours; 6] = [
    OverHalfHours {
        name: "agreement",
        axis: "gflAgree",
        is_share: true,
        value: |one| measure(one, "gflAgree"),
    },
    OverHalfHours { name: "com", axis: "com", is_share: true, value: |one| measure(one, "com") },
    OverHalfHours {
        name: "density",
        axis: "heads per word",
        is_share: true,
        value: |one| one.heads_per_word,
    },
    OverHalfHours {
        name: "blocks",
        axis: "blocks per word",
        is_share: false,
        value: |one| one.blocks_per_word,
    },
    OverHalfHours {
        name: "words",
        axis: "words an hour",
        is_share: false,
        value: |one| Some(one.words_per_hour),
    },
    OverHalfHours {
        name: "sentences",
        axis: "sentences an hour",
        is_share: false,
        value: |one| Some(one.sentences_per_hour),
    },
];

fn measure(one: &HalfHour, name: &str) -> Option<f64> {
    one.measures.iter().find(|measure| measure.name == name)?.value
}

impl Sketch<'_> {
    fn plots(&self) -> Vec<ShownPlot> {
        let mut plots = Vec::new();
        let kinds: BTreeSet<Grouping> = self.comparison.rows.iter().map(|row| row.of.kind).into_set();
        for by in [Grouping::Annotator, Grouping::Level, Grouping::Experience] {
            if !kinds.contains(&by) {
                continue;
            }
            let mut add = |name: &str, construction: Option<&str>, chart: Option<Chart>| {
                plots.extend(chart.map(|chart| ShownPlot {
                    name: name.to_string(),
                    by,
                    construction: construction.map(str::to_string),
                    svg: chart.to_plain_svg(WIDTH, HEIGHT),
                }));
            };
            add("progress", None, self.progress(by));
            OVER_HALF_HOURS.iter().for_each(|line| add(line.name, None, self.over_half_hours(by, line)));
            add("tiring", None, self.of_sessions(by));
            let names = self.comparison.constructions.iter().map(|one| one.construction.as_str());
            for name in names.into_set() {
                add("construction", Some(name), self.construction(by, name));
            }
            add("completion", None, self.completion(by));
        }
        plots
    }

    fn word(&self, english: &str) -> String {
        self.words.get(english).map_or_else(|| english.to_string(), String::clone)
    }

    /// What a line is called. What annotators chose from a list is put into other words, names are not.
    fn called(&self, whom: &Whom) -> String {
        match whom.kind {
            Grouping::Annotator => whom.name.clone(),
            Grouping::All => self.word("all"),
            Grouping::Level => self.word(&format!("level: {}", whom.name)),
            Grouping::Experience => self.word(&format!("experience: {}", whom.name)),
        }
    }

    /// Those that are drawn together: one kind, and all at once beside groups of them.
    fn courses(&self, by: Grouping) -> impl Iterator<Item = &WorkCourse> {
        let is_shown = move |whom: &Whom| is_shown(whom, by);
        self.comparison.over_time.iter().filter(move |course| is_shown(&course.of))
    }

    /// Words over hours of work, and where sessions end (Fig. 5.2).
    fn progress(&self, by: Grouping) -> Option<Chart> {
        let mut marks = Vec::new();
        for course in self.courses(by).filter(|course| course.words_over_time.len() > 1) {
            let name = self.called(&course.of);
            let points: Vec<(f64, f64)> =
                course.words_over_time.iter().map(|&(hours, words)| (hours, words as f64)).collect();
            let at = |hours: &f64| {
                let before = points.iter().take_while(|(at, _)| at <= hours).last()?;
                Some((*hours, before.1))
            };
            let breaks: Vec<(f64, f64)> = course.breaks.iter().filter_map(at).collect();
            marks.push(Mark::Line { name: name.clone(), points, band: None });
            if !breaks.is_empty() {
                marks.push(Mark::Points { name, points: breaks });
            }
        }
        self.chart(Axis::new(self.word("hours of work")), Axis::new(self.word("words")), marks)
    }

    fn over_half_hours(&self, by: Grouping, line: &OverHalfHours) -> Option<Chart> {
        let points = |course: &WorkCourse| -> Vec<(f64, f64)> {
            let values = course.half_hours.iter();
            values.filter_map(|one| Some((one.n as f64, (line.value)(one)?))).collect()
        };
        // Where nobody made a block there is nothing to see.
        if self.courses(by).flat_map(points).all(|(_, value)| value == 0.0) {
            return None;
        }
        let marks = self.courses(by).filter_map(|course| marked(self.called(&course.of), points(course)));
        let y = Axis::new(self.word(line.axis));
        let y = if line.is_share { y.between(0.0, 1.0) } else { Axis { from: Some(0.0), ..y } };
        let longest = self.courses(by).map(|course| course.half_hours.len()).max().unwrap_or(0);
        let x = numbered(&self.word("half hour of work"), longest);
        self.chart(x, y, marks.flatten().collect())
    }

    /// Speed in the course of a session, its first half hour being 1, with the slope that was found.
    fn of_sessions(&self, by: Grouping) -> Option<Chart> {
        let mut marks = Vec::new();
        let mut longest = 0;
        for course in self.courses(by).filter(|course| course.sessions.len() > 1) {
            longest = longest.max(course.sessions.len());
            let points: Vec<(f64, f64)> =
                course.sessions.iter().map(|one| (one.n as f64, one.speed)).collect();
            let name = self.called(&course.of);
            marks.push(Mark::Points { name: name.clone(), points: points.clone() });
            if let (Some(change), Some([low, high])) = (course.change, course.change_interval) {
                let after = |change: f64, n: f64| (1.0 + change).powf(n - 1.0);
                let line = points.iter().map(|&(n, _)| (n, after(change, n))).collect();
                let band = points.iter().map(|&(n, _)| (after(low, n), after(high, n))).collect();
                marks.push(Mark::Line { name, points: line, band: Some(band) });
            }
        }
        if !marks.is_empty() {
            marks.push(Mark::Rule { name: String::new(), way: Way::Horizontal, at: 1.0 });
        }
        let y = Axis { from: Some(0.0), ..Axis::new(self.word("speed")) };
        self.chart(numbered(&self.word("half hour of a session"), longest), y, marks)
    }

    /// The share of pairs that are analysed as a definition is written (Figs 5.5 and 5.6).
    fn construction(&self, by: Grouping, name: &str) -> Option<Chart> {
        let all = self.comparison.constructions.iter();
        let shown: Vec<&ConstructionCounts> = all
            .filter(|one| one.construction == name && is_shown(&one.of, by))
            .filter(|one| one.share.is_some())
            .collect();
        let points = (1..).map(f64::from).zip(&shown).filter_map(|(x, one)| Some((x, one.share?)));
        let mark = Mark::Stems { name: String::new(), points: points.collect(), band: None };
        let marks = if shown.is_empty() { Vec::new() } else { vec![mark] };
        let names: Vec<String> = shown.iter().map(|one| self.called(&one.of)).collect();
        self.chart(
            Axis::categories("", names),
            Axis::new(self.word("share as written")).between(0.0, 1.0),
            marks,
        )
    }

    /// The share of words that have a head, by tag (Fig. 5.7).
    fn completion(&self, by: Grouping) -> Option<Chart> {
        let shown: Vec<&CompletionOfTag> =
            self.comparison.completion.iter().filter(|one| is_shown(&one.of, by)).collect();
        let tags: Vec<&str> = shown.iter().map(|one| one.tag.as_str()).into_set().into_iter().collect();
        let mut lines: BTreeMap<&Whom, Vec<(f64, f64)>> = BTreeMap::new();
        for one in &shown {
            let x = tags.iter().position(|tag| *tag == one.tag).map_or(0.0, |at| at as f64 + 1.0);
            lines.entry(&one.of).or_default().push((x, one.with_head as f64 / one.words.max(1) as f64));
        }
        let marks = lines.into_iter().map(|(of, points)| Mark::Points { name: self.called(of), points });
        let marks = marks.collect();
        let y = Axis::new(self.word("share with a head")).between(0.0, 1.0);
        self.chart(Axis::categories("", tags), y, marks)
    }

    fn chart(&self, x: Axis, y: Axis, marks: Vec<Mark>) -> Option<Chart> {
        (!marks.is_empty()).then(|| Chart { x, y, marks, ..Chart::default() })
    }
}

/// Annotators by themselves; groups beside everybody.
fn is_shown(whom: &Whom, by: Grouping) -> bool {
    whom.kind == by || (whom.kind == Grouping::All && by != Grouping::Annotator)
}

/// A line and its points, since a line through one point is not to be seen.
fn marked(name: String, points: Vec<(f64, f64)>) -> Option<[Mark; 2]> {
    let line = Mark::Line { name: name.clone(), points: points.clone(), band: None };
    (!points.is_empty()).then_some([line, Mark::Points { name, points }])
}

/// An axis from 1 to n.
fn numbered(label: &str, n: usize) -> Axis {
    let step = n.div_ceil(16).max(1);
    let names = (1..=n).map(|at| if (at - 1).is_multiple_of(step) { at.to_string() } else { String::new() });
    Axis::categories(label, names)
}
