//! Texts of a described column as values.

use super::{Described, Trouble, number};
use crate::cells::{Counts, MISSING};
use crate::{Cells, Kind};

pub(super) fn encode(described: &Described, cells: &[Option<&str>]) -> (Cells, Vec<Trouble>) {
    let mut wrong = Wrong::default();
    let values = match described.kind {
        Kind::Continuous => {
            // A number may be finite and still too far away to be told in standard deviations.
            let scaled = |x: f64| (x - described.centre) / described.scale;
            let read = |text: &str| described.number(text).map(scaled).filter(|x| x.is_finite());
            Cells::Numbers(wrong.read(cells, read).map(|x| x.unwrap_or(f64::NAN)).collect())
        }
        Kind::Count => {
            let whole = |x: &f64| x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(x);
            let read = |text: &str| described.number(text).filter(whole).map(|x| x as u32);
            Cells::Counts(Counts::gather(wrong.read(cells, read)))
        }
        Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_) => {
            let read = |text: &str| level_of(&described.levels, text, described.comma);
            Cells::Levels(wrong.read(cells, read).map(|level| level.unwrap_or(MISSING)).collect())
        }
    };
    (values, wrong.troubles(described))
}

/// The level of a text: the same text, or the same number.
pub(super) fn level_of(levels: &[String], text: &str, comma: bool) -> Option<u16> {
    let same = |level: &String| level == text;
    let equal = |level: &String| match (number(level, comma), number(text, comma)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    };
    levels.iter().position(same).or_else(|| levels.iter().position(equal)).map(|level| level as u16)
}

/// Cells that do not fit.
#[derive(Default)]
struct Wrong {
    first: Option<(usize, String)>,
    n: usize,
}

impl Wrong {
    fn read<'a, T: 'a>(
        &'a mut self,
        cells: &'a [Option<&str>],
        read: impl Fn(&str) -> Option<T> + 'a,
    ) -> impl Iterator<Item = Option<T>> + 'a {
        cells.iter().enumerate().map(move |(row, cell)| {
            let text = (*cell)?;
            let value = read(text);
            if value.is_none() {
                self.first.get_or_insert((row + 1, text.to_owned()));
                self.n += 1;
            }
            value
        })
    }

    fn troubles(self, described: &Described) -> Vec<Trouble> {
        let trouble = |(row, text): (usize, String)| {
            let more = if self.n > 1 { format!(" (and {} more cells)", self.n - 1) } else { String::new() };
            let message =
                format!("{text:?} does not fit a {} column{more}; taken as missing", described.kind);
            Trouble::new(&described.name, Some(row), message, false)
        };
        self.first.map(trouble).into_iter().collect()
    }
}
