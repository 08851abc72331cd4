//! Morphs into the MISC column of CoNLL-U, line by line, so that everything else stays as it is.

use tree::provenance::{Author, Column};
use tree::{Token, mseg};

/// Who cuts, and what it leaves alone.
pub(super) struct Cutting<'a> {
    /// How the machine signs.
    pub(super) machine: &'a str,
    /// Whether morphs that a person gave are found anew.
    pub(super) all: bool,
}

/// What became of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Cut {
    /// It is not that of a word.
    NoWord,
    /// A person had cut the word, and it stays as it is.
    Said,
    /// The line with `MSeg` in MISC, and who said so.
    Line(String),
}

impl Cutting<'_> {
    /// Puts morphs into the line of a word.
    pub(super) fn line(&self, line: &str, morphs: impl FnOnce(&str) -> Vec<String>) -> Cut {
        let (row, end) = match line.strip_suffix('\r') {
            Some(row) => (row, "\r"),
            None => (line, ""),
        };
        let columns: Vec<&str> = row.split('\t').collect();
        let is_word = columns.len() == 10 && columns[0].bytes().all(|byte| byte.is_ascii_digit());
        if !is_word || columns[0].is_empty() || columns[1].is_empty() {
            return Cut::NoWord;
        }
        let mut token = Token::word(1, columns[1]);
        token.misc = columns[9].into();
        if !self.all && Column::Morphs.author(&token) == Author::Person {
            return Cut::Said;
        }
        Column::Morphs.unmark(&mut token);
        let item = format!("{}={}", mseg::NAME, mseg::join(morphs(columns[1])));
        token.misc = with_item(&token.misc, &item).into();
        Column::Morphs.sign(&mut token, self.machine, None);
        let before = &row[..row.len() - columns[9].len()];
        Cut::Line(format!("{before}{}{end}", token.misc))
    }
}

/// Puts an item in the place of the old one, or at the end.
fn with_item(misc: &str, item: &str) -> String {
    let is_old = |other: &&str| other.split('=').next() == Some(mseg::NAME);
    if matches!(misc, "_" | "") {
        return item.to_owned();
    }
    if !misc.split('|').any(|other| is_old(&other)) {
        return format!("{misc}|{item}");
    }
    let items: Vec<&str> = misc.split('|').map(|other| if is_old(&other) { item } else { other }).collect();
    items.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, all: bool) -> Cut {
        let morphs = |form: &str| form.split_inclusive('-').map(str::to_owned).collect::<Vec<_>>();
        Cutting { machine: "m", all }.line(line, morphs)
    }

    fn row(form: &str, misc: &str) -> String {
        format!("1\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}")
    }

    #[test]
    fn only_misc_of_words_is_changed() {
        let check = |form: &str, misc: &str, expected: &str| {
            assert_eq!(cut(&row(form, misc), false), Cut::Line(row(form, expected)));
        };
        check("a-b", "_", "MSeg=a\\--b|MSegBy=m:a\\--b");
        check("ab", "X=1\r", "MSegBy=m:ab|X=1|MSeg=ab\r");
        assert_eq!(cut("1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_", false), Cut::NoWord);
        assert_eq!(cut("# text = ab", false), Cut::NoWord);
        assert_eq!(cut("", false), Cut::NoWord);
    }

    #[test]
    fn morphs_of_people_stay_and_those_of_machines_are_found_anew() {
        assert_eq!(cut(&row("ab", "MSeg=a-b|X=1"), false), Cut::Said);
        assert_eq!(cut(&row("ab", "MSeg=a-b|MSegBy=old:ab"), false), Cut::Said);
        let again = Cut::Line(row("ab", "MSeg=ab|MSegBy=m:ab|X=1"));
        assert_eq!(cut(&row("ab", "MSeg=a-b|MSegBy=old:a-b|X=1"), false), again);
        assert_eq!(cut(&row("ab", "MSeg=a-b|X=1"), true), again);
    }
}
