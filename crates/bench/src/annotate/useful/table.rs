//! Hours to a given accuracy, by treebank and condition.

use super::Condition;
use super::course::{MeasuredPoint, WorkingDays};
use crate::accuracy::mean_sd;

/// What is scored.
type Scored = fn(&MeasuredPoint) -> f64;

pub(super) fn print(courses: &[WorkingDays], levels: &[f64]) {
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
        println!("{:<37} {:>20}{:>27}{:>27}{:>27}", "", "plain", "suggestions", "queue", "both");
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
    courses: &'a [WorkingDays],
    treebank: &'a str,
    condition: Condition,
) -> impl Iterator<Item = &'a WorkingDays> {
    courses.iter().filter(move |course| course.treebank == treebank && course.condition == condition)
}

/// When an accuracy was reached.
#[derive(Clone, Copy)]
enum Reached {
    /// Before the first measurement, which was made after so many hours.
    Early(f64),
    After(f64),
}

fn row(courses: &[WorkingDays], treebank: &str, level: f64, score: Scored) {
    let mut line = format!("{treebank:<32} {level:>4.0} ");
    let mut is_of_interest = false;
    for condition in Condition::ALL {
        let all: Vec<Option<Reached>> =
            of(courses, treebank, condition).map(|course| reached(&course.points, level, score)).collect();
        is_of_interest |= all.iter().flatten().any(|reached| matches!(reached, Reached::After(_)));
        let faster = match condition {
            Condition::Plain => None,
            _ => faster(courses, treebank, condition, level, score),
        };
        line.push_str(&format!("{:>20}{:<7}", cell(&all), faster.unwrap_or_default()));
    }
    if is_of_interest {
        println!("{line}");
    }
}

/// `1.2 (1.0–1.5)`; `< 0.5` where all were there before the first measurement.
fn cell(all: &[Option<Reached>]) -> String {
    let found: Vec<Reached> = all.iter().flatten().copied().collect();
    let hours: Vec<f64> =
        found.iter().map(|(Reached::Early(hours) | Reached::After(hours))| *hours).collect();
    let (least, most) = range(&hours);
    let is_early = |reached: &Reached| matches!(reached, Reached::Early(_));
    if found.is_empty() {
        "–".to_owned()
    } else if found.len() < all.len() {
        format!("{} of {} got there", found.len(), all.len())
    } else if found.iter().any(is_early) {
        format!("< {most:.1}")
    } else {
        format!("{:.1} ({least:.1}–{most:.1})", mean_sd(&hours).0)
    }
}

/// How many times faster than plain annotation of the same sentences: the geometric mean over seeds in which it is known when both
/// got there.
fn faster(
    courses: &[WorkingDays],
    treebank: &str,
    condition: Condition,
    level: f64,
    score: Scored,
) -> Option<String> {
    let hours = |course: &WorkingDays| match reached(&course.points, level, score)? {
        Reached::Early(_) => None,
        Reached::After(hours) => Some(hours),
    };
    let ratio = |course: &WorkingDays| {
        let plain = of(courses, treebank, Condition::Plain).find(|plain| plain.seed == course.seed)?;
        Some((hours(plain)? / hours(course)?).ln())
    };
    let ratios: Vec<f64> = of(courses, treebank, condition).filter_map(ratio).collect();
    (!ratios.is_empty()).then(|| format!(" ×{:.2}", mean_sd(&ratios).0.exp()))
}

/// Between the last measurement below the accuracy and the one after, on the straight line.
fn reached(points: &[MeasuredPoint], level: f64, score: Scored) -> Option<Reached> {
    let at = points.iter().position(|point| score(point) >= level)?;
    let point = &points[at];
    let Some(before) = at.checked_sub(1).map(|before| &points[before]) else {
        return Some(Reached::Early(point.hours));
    };
    let share = (level - score(before)) / (score(point) - score(before));
    Some(Reached::After(before.hours + share * (point.hours - before.hours)))
}

fn after(courses: &[WorkingDays], treebank: &str) {
    let longest =
        of(courses, treebank, Condition::Plain).map(|course| course.points.len()).max().unwrap_or(0);
    let mut shown: Vec<usize> = [1, 2, 4, 8, 12, 16, 24].into_iter().filter(|n| *n <= longest).collect();
    shown.extend((!shown.contains(&longest) && longest > 0).then_some(longest));
    for n in shown {
        let mut line = format!("{treebank:<32} ");
        let mut hours = Vec::new();
        for condition in Condition::ALL {
            let points: Vec<&MeasuredPoint> =
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

fn work(courses: &[WorkingDays], treebank: &str) {
    for condition in Condition::ALL {
        let all: Vec<&WorkingDays> = of(courses, treebank, condition).collect();
        let lasts: Vec<&MeasuredPoint> = all.iter().filter_map(|course| course.points.last()).collect();
        if lasts.is_empty() {
            continue;
        }
        let mean = |of: &dyn Fn(&MeasuredPoint) -> f64| {
            mean_sd(&lasts.iter().map(|point| of(point)).collect::<Vec<_>>()).0
        };
        let share = |of: &dyn Fn(&WorkingDays) -> f64| {
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
