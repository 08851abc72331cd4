//! Hours to a given accuracy, by treebank and condition.

use super::Condition;
use super::course::{Course, Point};
use crate::accuracy::mean_sd;

/// What is scored.
type Scored = fn(&Point) -> f64;

pub(super) fn print(courses: &[Course], levels: &[f64]) {
    let mut treebanks: Vec<&str> = Vec::new();
    courses.iter().for_each(|course| {
        if !treebanks.contains(&course.treebank.as_str()) {
            treebanks.push(&course.treebank);
        }
    });
    let scored: [(&str, Scored); 2] = [("parser", |point| point.parser), ("imputer", |point| point.imputer)];
    for (what, score) in scored {
        println!(
            "\nHours until the {what} has this UAS on held-out text, mean (from–to) over seeds, and how many times faster than plain"
        );
        for treebank in &treebanks {
            for &level in levels {
                row(courses, treebank, level, score);
            }
        }
    }
    println!("\nAfter the same hours: UAS of the parser, mean over seeds");
    treebanks.iter().for_each(|treebank| after(courses, treebank));
    println!("\nWhat was done");
    treebanks.iter().for_each(|treebank| work(courses, treebank));
}

/// All runs of a treebank in one condition.
fn of<'a>(
    courses: &'a [Course],
    treebank: &'a str,
    condition: Condition,
) -> impl Iterator<Item = &'a Course> {
    courses.iter().filter(move |course| course.treebank == treebank && course.condition == condition)
}

fn row(courses: &[Course], treebank: &str, level: f64, score: Scored) {
    let mut line = format!("{treebank:<32} {level:>4.0} ");
    let mut is_reached = false;
    for condition in Condition::ALL {
        let hours: Vec<Option<f64>> =
            of(courses, treebank, condition).map(|course| hours_to(&course.points, level, score)).collect();
        let reached: Vec<f64> = hours.iter().flatten().copied().collect();
        is_reached |= !reached.is_empty();
        let cell = match (reached.len() == hours.len(), reached.as_slice()) {
            (_, []) => "–".to_owned(),
            (false, _) => format!("{} of {} got there", reached.len(), hours.len()),
            (true, _) => {
                let (least, most) = range(&reached);
                format!("{:.1} ({least:.1}–{most:.1})", mean_sd(&reached).0)
            }
        };
        let faster = if condition == Condition::Plain {
            String::new()
        } else {
            faster(courses, treebank, condition, level, score)
        };
        line.push_str(&format!("{cell:>18}{faster:<7}"));
    }
    if is_reached {
        println!("{line}");
    }
}

/// How many times faster than plain annotation of the same sentences: the geometric mean over seeds in which both got there.
fn faster(courses: &[Course], treebank: &str, condition: Condition, level: f64, score: Scored) -> String {
    let ratios: Vec<f64> = of(courses, treebank, condition)
        .filter_map(|course| {
            let plain = of(courses, treebank, Condition::Plain).find(|plain| plain.seed == course.seed)?;
            Some((hours_to(&plain.points, level, score)? / hours_to(&course.points, level, score)?).ln())
        })
        .collect();
    if ratios.is_empty() { String::new() } else { format!(" ×{:.2}", mean_sd(&ratios).0.exp()) }
}

/// When an accuracy was reached: between the last measurement below it and the one after, on the straight line. Before the first
/// measurement nothing is known; it counts from there.
fn hours_to(points: &[Point], level: f64, score: Scored) -> Option<f64> {
    let at = points.iter().position(|point| score(point) >= level)?;
    let point = &points[at];
    let Some(before) = at.checked_sub(1).map(|before| &points[before]) else { return Some(point.hours) };
    let share = (level - score(before)) / (score(point) - score(before));
    Some(before.hours + share * (point.hours - before.hours))
}

fn after(courses: &[Course], treebank: &str) {
    let longest =
        of(courses, treebank, Condition::Plain).map(|course| course.points.len()).max().unwrap_or(0);
    let mut shown: Vec<usize> = [1, 2, 4, 8, 12, 16, 24].into_iter().filter(|n| *n <= longest).collect();
    shown.extend((!shown.contains(&longest) && longest > 0).then_some(longest));
    for n in shown {
        let mut line = format!("{treebank:<32} ");
        let mut hours = Vec::new();
        for condition in Condition::ALL {
            let points: Vec<&Point> =
                of(courses, treebank, condition).filter_map(|course| course.points.get(n - 1)).collect();
            hours.extend(points.iter().map(|point| point.hours));
            let scores: Vec<f64> = points.iter().map(|point| point.parser).collect();
            let cell =
                if scores.is_empty() { "–".to_owned() } else { format!("{:.1}", mean_sd(&scores).0) };
            line.push_str(&format!("{:>8}", cell));
        }
        println!("{line}   after {:.1} h", mean_sd(&hours).0);
    }
}

fn work(courses: &[Course], treebank: &str) {
    for condition in Condition::ALL {
        let all: Vec<&Course> = of(courses, treebank, condition).collect();
        let lasts: Vec<&Point> = all.iter().filter_map(|course| course.points.last()).collect();
        if lasts.is_empty() {
            continue;
        }
        let mean =
            |of: &dyn Fn(&Point) -> f64| mean_sd(&lasts.iter().map(|point| of(point)).collect::<Vec<_>>()).0;
        let share = |of: &dyn Fn(&Course) -> f64| {
            100.0 * mean_sd(&all.iter().map(|course| of(course)).collect::<Vec<_>>()).0
        };
        println!(
            "{treebank:<32} {:<11} {:>6.1} sentences and {:>6.1} words an hour; suggestions right {:>5.1} %, heads that stand there {:>5.1} %",
            condition.name(),
            mean(&|point| point.n_sentences as f64 / point.hours),
            mean(&|point| point.n_words as f64 / point.hours),
            share(&|course| course.right),
            share(&|course| course.correct)
        );
    }
}

fn range(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
