//! Tables of a page.

use crate::clean::{clean, escape};

/// A table. Columns of numbers stand to the right, so that their digits are below each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What the table shows; empty for none.
    pub caption: String,
    /// Names of the columns; empty for none.
    pub header: Vec<String>,
    /// The rows. They need not have the same length.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as HTML.
    pub(super) fn html(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0).max(self.header.len());
        let classes: Vec<&str> = (0..n_columns).map(|column| self.class(column)).collect();
        let mut html = String::from("<div class=\"scroll\"><table>\n");
        if !self.caption.is_empty() {
            html.push_str(&format!("<caption dir=\"auto\">{}</caption>\n", shown(&self.caption)));
        }
        if !self.header.is_empty() {
            html.push_str(&format!(
                "<thead>\n{}</thead>\n",
                row("th scope=\"col\"", "th", &self.header, &classes)
            ));
        }
        html.push_str("<tbody>\n");
        for cells in &self.rows {
            html.push_str(&row("td", "td", cells, &classes));
        }
        html.push_str("</tbody>\n</table></div>\n");
        html
    }

    /// A column is one of numbers if all of its cells are that say anything.
    fn class(&self, column: usize) -> &'static str {
        let cells = || self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.trim());
        let says_something = |cell: &&str| !matches!(*cell, "" | "-" | "–" | "—" | "_");
        let mut telling = cells().filter(says_something).peekable();
        if telling.peek().is_some() && telling.all(is_number) { " class=\"number\"" } else { "" }
    }
}

/// A row with as many cells as the table has columns.
fn row(open: &str, close: &str, cells: &[String], classes: &[&str]) -> String {
    let cell = |(column, class): (usize, &&str)| {
        let text = cells.get(column).map_or(String::new(), |cell| shown(cell));
        format!("<{open}{class} dir=\"auto\">{text}</{close}>")
    };
    let cells: String = classes.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

fn shown(text: &str) -> String {
    let text = clean(text);
    escape(&text).into_owned()
}

/// Digits with what stands around them: signs, per cent, ranges, `1.2 ± 0.3`, `3/7`, `1e-5`, `NaN`.
fn is_number(cell: &str) -> bool {
    let is_part =
        |c: char| c.is_ascii_digit() || "+-−–±.,'%‰ \u{a0}\u{202f}/()[]<>=≤≥×eE*⁰¹²³⁴⁵⁶⁷⁸⁹⁻".contains(c);
    let has_digit = cell.contains(|c: char| c.is_ascii_digit());
    (has_digit && cell.chars().all(is_part)) || matches!(cell, "NaN" | "inf" | "-inf" | "∞" | "−∞")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_words_do_not() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<String>>();
        let table = Table {
            caption: "a < b".into(),
            header: row(&["rule", "p"]),
            rows: vec![row(&["NP → \"x\"", "0.25"]), row(&["2nd", "—", "1.0 ± 0.2"]), row(&["<i>", "12 %"])],
        };
        let html = table.html();
        assert!(html.contains("<caption dir=\"auto\">a &lt; b</caption>"), "{html}");
        assert!(html.contains("<th scope=\"col\" class=\"number\" dir=\"auto\">p</th>"), "{html}");
        assert!(
            html.contains(
                "<td dir=\"auto\">NP → &quot;x&quot;</td><td class=\"number\" dir=\"auto\">0.25</td>"
            )
        );
        assert!(html.contains("<td class=\"number\" dir=\"auto\"></td></tr>"), "{html}");
        assert!(html.contains("<td dir=\"auto\">&lt;i&gt;</td>"), "{html}");
    }

    #[test]
    fn what_looks_like_a_number_is_one() {
        for number in ["1", "-1.5", "−3", "12,345", "95 %", "0.1 ± 0.02", "1e-5", "3/7", "NaN", "1.5×10⁷"]
        {
            assert!(is_number(number), "{number}");
        }
        for word in ["", "e", "NP", "1st", "K = 2", "±"] {
            assert!(!is_number(word), "{word}");
        }
    }
}
