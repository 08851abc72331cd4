//! What a column is.

use std::collections::BTreeMap;

use super::{Declared, Described, Levels, Role, Trouble, number};
use crate::Kind;

/// The most levels a column of text may have to be taken for categories without being asked.
const FEW: usize = 20;
/// The most levels at all.
const MOST: usize = 1000;

pub(super) fn describe(
    name: &str,
    cells: &[Option<&str>],
    declared: Option<&Declared>,
    standardise: bool,
) -> (Role, Vec<Trouble>) {
    match declared {
        Some(Declared::Ignore) => return (Role::LeftOut("as asked".into()), Vec::new()),
        Some(Declared::Names) => return (Role::Names, Vec::new()),
        _ => {}
    }
    let seen = SeenTexts::new(cells);
    let left_out = |reason: &str, advice: &str| {
        let trouble = Trouble::new(name, None, format!("{reason}; {advice}"), false);
        (Role::LeftOut(reason.to_owned()), vec![trouble])
    };
    if seen.counts.is_empty() {
        return left_out("it has no value at all", "it is left out");
    }
    if seen.n_values() == 1 {
        return left_out("all its values are the same", "it tells nothing and is left out");
    }
    let mut describer = Describer { name, seen, troubles: Vec::new() };
    let role = match describer.kind(declared) {
        Some((kind, levels)) => {
            Role::Modelled(describer.described(kind, levels, declared.is_none(), standardise))
        }
        None => Role::LeftOut("its values do not fit its type".into()),
    };
    (role, describer.troubles)
}

/// The different texts of a column.
struct SeenTexts<'a> {
    /// Each text, how often it occurs, and the first row where it does, from 1.
    counts: BTreeMap<&'a str, (usize, usize)>,
    /// Whether commas are decimal points: there are some, and with them all texts are numbers.
    comma: bool,
    /// The number of each text, if all are.
    numbers: Option<Vec<(f64, usize)>>,
}

impl<'a> SeenTexts<'a> {
    fn new(cells: &[Option<&'a str>]) -> SeenTexts<'a> {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (row, text) in cells.iter().enumerate().filter_map(|(row, cell)| Some((row, (*cell)?))) {
            counts.entry(text).or_insert((0, row + 1)).0 += 1;
        }
        let all = |comma| -> Option<Vec<(f64, usize)>> {
            counts.iter().map(|(text, (n, _))| Some((number(text, comma)?, *n))).collect()
        };
        let plain = all(false);
        let comma = plain.is_none() && all(true).is_some();
        let numbers = plain.or_else(|| all(true));
        SeenTexts { comma, numbers, counts }
    }

    /// How many different values there are: 1 and 1.0 are the same number.
    fn n_values(&self) -> usize {
        let Some(numbers) = &self.numbers else { return self.counts.len() };
        let mut values: Vec<f64> = numbers.iter().map(|(x, _)| *x).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        values.len()
    }

    fn first_row(&self, wrong: impl Fn(&str) -> bool) -> Option<(&'a str, usize)> {
        let rows = self.counts.iter().filter(|(text, _)| wrong(text)).map(|(text, (_, row))| (*text, *row));
        rows.min_by_key(|(_, row)| *row)
    }
}

struct Describer<'a> {
    name: &'a str,
    seen: SeenTexts<'a>,
    troubles: Vec<Trouble>,
}

impl Describer<'_> {
    fn refuse<T>(&mut self, row: Option<usize>, message: String) -> Option<T> {
        self.troubles.push(Trouble::new(self.name, row, message, true));
        None
    }

    /// The kind and the levels; `None` with trouble if the values do not fit.
    fn kind(&mut self, declared: Option<&Declared>) -> Option<(Kind, Vec<String>)> {
        match declared {
            None => self.inferred(),
            Some(Declared::Continuous) => self.numeric(Kind::Continuous),
            Some(Declared::Count) => self.numeric(Kind::Count),
            Some(Declared::Binary) => self.binary(),
            Some(Declared::Ordinal(levels)) => self.ordinal(levels.as_ref()),
            Some(Declared::Categorical(levels)) => self.categorical(levels.as_ref()),
            // Both were dealt with.
            Some(Declared::Ignore | Declared::Names) => None,
        }
    }

    /// Two values: binary. Whole numbers with at most seven different ones between 0 and 10: ordinal; other whole numbers
    /// from 0 on: counts. Other numbers: continuous. Few texts: categories.
    fn inferred(&mut self) -> Option<(Kind, Vec<String>)> {
        let distinct = self.seen.n_values();
        let Some(numbers) = &self.seen.numbers else { return self.texts(distinct) };
        // Among texts, `inf` is as good a category as any.
        if numbers.iter().any(|(x, _)| !x.is_finite()) {
            return self.numeric(Kind::Continuous);
        }
        if distinct == 2 {
            return self.binary();
        }
        let whole = numbers.iter().all(|(x, _)| x.fract() == 0.0);
        let least = numbers.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
        let most = numbers.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max);
        match whole && least >= 0.0 {
            true if distinct <= 7 && most <= 10.0 => self.ordinal(None),
            true if least == 0.0 => self.numeric(Kind::Count),
            _ => self.numeric(Kind::Continuous),
        }
    }

    fn texts(&mut self, distinct: usize) -> Option<(Kind, Vec<String>)> {
        // Perhaps a column of numbers with a slip of the pen.
        let wrong = self.seen.first_row(|text| number(text, true).is_none());
        let (text, row) = wrong.unwrap_or(("", 1));
        if distinct <= FEW {
            let n_numbers = self.seen.counts.keys().filter(|text| number(text, true).is_some()).count();
            if 2 * n_numbers > distinct {
                let message = format!(
                    "{text:?} is no number, though most other values are, so the column is taken for categories; if {text:?} means \
                     that nothing is known, say --missing {text}; otherwise mend it, or declare the type with --types"
                );
                self.troubles.push(Trouble::new(self.name, Some(row), message, false));
            }
            return if distinct == 2 { self.binary() } else { self.categorical(None) };
        }
        self.refuse(
            Some(row),
            format!(
                "{text:?} is no number, and {distinct} different texts are too many for categories; mend it, or declare the \
                 column `categorical`, `id` or `ignore` with --types"
            ),
        )
    }

    fn numeric(&mut self, kind: Kind) -> Option<(Kind, Vec<String>)> {
        let comma = self.seen.comma;
        let fault = |text: &str| match number(text, comma) {
            None => Some(format!("{text:?} is no number; mend it, or declare another type")),
            Some(x) if x.is_nan() => {
                Some(format!("{text:?} is no number; leave the cell empty if it is missing"))
            }
            Some(x) if x.is_infinite() => Some(infinite(text)),
            Some(x) if kind == Kind::Count && x < 0.0 => {
                Some(format!("{text} is below 0, which no count is; declare the column `continuous`"))
            }
            Some(x) if kind == Kind::Count && x.fract() != 0.0 => {
                Some(format!("{text} is no whole number, so it is no count; declare the column `continuous`"))
            }
            Some(x) if kind == Kind::Count && x > f64::from(u32::MAX) => {
                Some(format!("{text} is too large for a count; declare the column `continuous`"))
            }
            _ => None,
        };
        match self.seen.first_row(|text| fault(text).is_some()) {
            Some((text, row)) => {
                let message = fault(text).unwrap_or_default();
                self.refuse(Some(row), message)
            }
            None => Some((kind, Vec::new())),
        }
    }

    fn binary(&mut self) -> Option<(Kind, Vec<String>)> {
        let levels = self.sorted();
        match levels.len() {
            2 => {
                self.warn_of_rare(&levels);
                Some((Kind::Binary, levels))
            }
            n => self.refuse(
                None,
                format!("{n} different values, but binary has two; declare it `categorical` or `ordinal`"),
            ),
        }
    }

    fn ordinal(&mut self, levels: Option<&Levels>) -> Option<(Kind, Vec<String>)> {
        let levels = match levels {
            Some(levels) => self.declared_levels(levels)?,
            None if self.seen.numbers.is_some() => self.sorted(),
            None => {
                return self.refuse(
                    None,
                    "an order of texts cannot be guessed; declare it as ordinal(lowest<…<highest)".into(),
                );
            }
        };
        self.few_enough(levels, Kind::Ordinal)
    }

    fn categorical(&mut self, levels: Option<&Levels>) -> Option<(Kind, Vec<String>)> {
        let levels = match levels {
            Some(levels) => self.declared_levels(levels)?,
            None => self.sorted(),
        };
        self.few_enough(levels, Kind::Categorical)
    }

    fn few_enough(
        &mut self,
        levels: Vec<String>,
        kind: impl Fn(usize) -> Kind,
    ) -> Option<(Kind, Vec<String>)> {
        if levels.len() > MOST {
            let message = format!("{} levels are too many; at most {MOST}", levels.len());
            return self.refuse(None, message);
        }
        self.warn_of_rare(&levels);
        Some((kind(levels.len()), levels))
    }

    fn declared_levels(&mut self, levels: &Levels) -> Option<Vec<String>> {
        let texts = levels.texts();
        let known = |text: &str| super::encode::level_of(&texts, text, self.seen.comma).is_some();
        match self.seen.first_row(|text| !known(text)) {
            None => Some(texts),
            Some((text, row)) => self.refuse(
                Some(row),
                format!("{text:?} is not among the declared levels; add it or mend the cell"),
            ),
        }
    }

    /// The different texts: numbers by size, others by letters.
    fn sorted(&self) -> Vec<String> {
        let mut texts: Vec<&str> = self.seen.counts.keys().copied().collect();
        if self.seen.numbers.is_some() {
            let value = |text: &str| number(text, self.seen.comma).unwrap_or(f64::NAN);
            texts.sort_by(|a, b| value(a).total_cmp(&value(b)));
            // 1 and 1.0 are one level.
            texts.dedup_by(|a, b| value(a) == value(b));
        }
        texts.into_iter().map(str::to_owned).collect()
    }

    fn warn_of_rare(&mut self, levels: &[String]) {
        let mut tally = vec![(0, usize::MAX); levels.len()];
        for (text, (n, row)) in &self.seen.counts {
            if let Some(level) = super::encode::level_of(levels, text, self.seen.comma) {
                let (total, first) = &mut tally[usize::from(level)];
                (*total, *first) = (*total + n, (*row).min(*first));
            }
        }
        let once: Vec<(&String, usize)> = levels
            .iter()
            .zip(tally)
            .filter(|(_, (n, _))| *n == 1)
            .map(|(level, (_, row))| (level, row))
            .collect();
        if let Some((first, row)) = once.first() {
            let message = format!(
                "{} seen only once, so little can be said about {}; consider merging levels",
                if once.len() == 1 { format!("{first:?} is") } else { format!("{} levels are", once.len()) },
                if once.len() == 1 { "it" } else { "them" },
            );
            self.troubles.push(Trouble::new(self.name, Some(*row), message, false));
        }
    }

    fn described(&self, kind: Kind, levels: Vec<String>, inferred: bool, standardise: bool) -> Described {
        let (centre, scale) = match (&self.seen.numbers, kind) {
            (Some(numbers), Kind::Continuous) if standardise => moments(numbers),
            _ => (0.0, 1.0),
        };
        Described {
            name: self.name.to_owned(),
            kind,
            levels,
            centre,
            scale,
            comma: self.seen.comma,
            inferred,
        }
    }
}

fn infinite(text: &str) -> String {
    format!("{text} is infinite; leave the cell empty if it is missing, or mend it")
}

/// Mean and standard deviation.
fn moments(numbers: &[(f64, usize)]) -> (f64, f64) {
    let n: usize = numbers.iter().map(|(_, n)| n).sum();
    let mean = numbers.iter().map(|(x, n)| x * *n as f64).sum::<f64>() / n as f64;
    let squares: f64 = numbers.iter().map(|(x, n)| (x - mean) * (x - mean) * *n as f64).sum();
    let sd = libm::sqrt(squares / n.saturating_sub(1).max(1) as f64);
    (mean, if sd > 0.0 && sd.is_finite() { sd } else { 1.0 })
}
