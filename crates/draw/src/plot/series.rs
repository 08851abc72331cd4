//! Which marks belong together: those of the same name have the same colour and dashes.

use super::{Chart, Mark};
use crate::clean::clean;

/// How many colours and how many kinds of dashes there are.
pub(super) const N_STYLES: usize = 8;

/// The marks of one name.
pub(super) struct Series<'a> {
    /// The name as it is shown; empty for a mark without one.
    pub(super) name: String,
    /// Classes of colour and dashes.
    pub(super) class: String,
    /// Marks in the order of the chart.
    pub(super) marks: Vec<&'a Mark>,
}

/// The series of a chart in order of appearance, and the index of the series of each mark.
pub(super) fn series(chart: &Chart) -> (Vec<Series<'_>>, Vec<usize>) {
    let mut all: Vec<Series<'_>> = Vec::new();
    let mut of_mark = Vec::with_capacity(chart.marks.len());
    for mark in &chart.marks {
        let name = clean(mark.name());
        let known = all.iter().position(|series| !name.is_empty() && series.name == name);
        let index = known.unwrap_or_else(|| {
            all.push(Series { name, class: class(all.len()), marks: Vec::new() });
            all.len() - 1
        });
        all[index].marks.push(mark);
        of_mark.push(index);
    }
    (all, of_mark)
}

/// Colours begin again after eight, but then with other dashes.
fn class(index: usize) -> String {
    let (colour, dashes) = (index % N_STYLES, (index + index / N_STYLES) % N_STYLES);
    format!("c{} d{}", colour + 1, dashes + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sixty_four_series_look_different() {
        assert_eq!((0..64).map(class).collect::<BTreeSet<_>>().len(), 64);
    }

    #[test]
    fn marks_of_one_name_are_one_series_and_nameless_ones_are_alone() {
        let names = ["a", "", "b", "a", ""];
        let marks = names.map(|name| Mark::trace(name, &[1.0])).to_vec();
        let chart = Chart { marks, ..Chart::default() };
        assert_eq!(series(&chart).1, [0, 1, 2, 0, 3]);
    }
}
