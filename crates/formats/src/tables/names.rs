//! Names of columns: each has one, and no two have the same.

use crate::Problem;
use smol_str::{SmolStr, format_smolstr};
use std::collections::{HashMap, HashSet};
use tree::Place;

/// What had to be done to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Column `column`, from 0, had no name.
    Unnamed { column: usize },
    /// Column `column` had the name of an earlier one.
    Duplicate { column: usize },
}

/// Takes spaces off the ends of names, calls column j `V`j if it has none, and makes the second `x` to `x.2`.
pub(super) fn unique_names<'a>(given: impl Iterator<Item = &'a str>) -> (Vec<SmolStr>, Vec<Repair>) {
    let given: Vec<&str> = given.map(str::trim).collect();
    let mut taken: HashSet<SmolStr> = given.iter().map(SmolStr::new).collect();
    // The next number to try for a name that comes again.
    let mut next: HashMap<&str, usize> = HashMap::new();
    let (mut names, mut repairs) = (Vec::with_capacity(given.len()), Vec::new());
    for (column, &name) in given.iter().enumerate() {
        if name.is_empty() {
            repairs.push(Repair::Unnamed { column });
            names.push(free_name(&default_name(column), &mut taken, &mut 2));
            continue;
        }
        let number = next.entry(name).or_insert(1);
        if *number == 1 {
            *number = 2;
            names.push(SmolStr::new(name));
        } else {
            repairs.push(Repair::Duplicate { column });
            names.push(free_name(name, &mut taken, number));
        }
    }
    (names, repairs)
}

/// The name of column `column`, from 0, if nothing else names it.
pub(super) fn default_name(column: usize) -> SmolStr {
    format_smolstr!("V{}", column + 1)
}

fn free_name(name: &str, taken: &mut HashSet<SmolStr>, number: &mut usize) -> SmolStr {
    // A default name may be free as it is; a name that comes again is not.
    let mut free = SmolStr::new(name);
    while !taken.insert(free.clone()) {
        free = format_smolstr!("{name}.{number}");
        *number += 1;
    }
    free
}

/// What is said of it.
pub(super) fn problem(repair: Repair, place: Place, given: &str, name: &str) -> Problem {
    match repair {
        Repair::Unnamed { column } => Problem::warning(
            "unnamed-column",
            place,
            format!("column {} has no name; it is called `{name}`", column + 1),
            "name it in the header",
        ),
        Repair::Duplicate { .. } => Problem::warning(
            "duplicate-column",
            place,
            format!("a second column is called `{}`; it is read as `{name}`", given.trim()),
            "give every column its own name",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_never_empty() {
        let given = [" x", "x", "", "V3", "x.2", "x ", " ", "x.2"];
        let (names, repairs) = unique_names(given.into_iter());
        assert_eq!(names, ["x", "x.3", "V3.2", "V3", "x.2", "x.4", "V7", "x.2.2"]);
        let (duplicate, unnamed) =
            (|column| Repair::Duplicate { column }, |column| Repair::Unnamed { column });
        assert_eq!(repairs, [duplicate(1), unnamed(2), duplicate(5), unnamed(6), duplicate(7)]);
    }

    #[test]
    fn unique_names_stay_as_they_are() {
        let (names, _) = unique_names(["x", "x", "", "V3"].into_iter());
        let (again, repairs) = unique_names(names.iter().map(SmolStr::as_str));
        assert_eq!((again, repairs), (names, vec![]));
    }
}
