//! Morphs into the MISC column of CoNLL-U, line by line, so that everything else stays as it is.

use tree::mseg;

/// A line with `MSeg` in MISC if it is that of a word; other lines are `None`.
pub(super) fn with_morphs(line: &str, morphs: impl FnOnce(&str) -> Vec<String>) -> Option<String> {
    let (row, end) = match line.strip_suffix('\r') {
        Some(row) => (row, "\r"),
        None => (line, ""),
    };
    let columns: Vec<&str> = row.split('\t').collect();
    let is_word = columns.len() == 10 && columns[0].bytes().all(|byte| byte.is_ascii_digit());
    if !is_word || columns[0].is_empty() || columns[1].is_empty() {
        return None;
    }
    let item = format!("{}={}", mseg::NAME, mseg::join(morphs(columns[1])));
    let misc = with_item(columns[9], &item);
    let before = &row[..row.len() - columns[9].len()];
    Some(format!("{before}{misc}{end}"))
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

    #[test]
    fn only_misc_of_words_is_changed() {
        let cut = |form: &str| form.split_inclusive('-').map(str::to_owned).collect::<Vec<_>>();
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(with_morphs(line, cut).as_deref(), expected);
        check("1\ta-b\t_\t_\t_\t_\t_\t_\t_\t_", Some("1\ta-b\t_\t_\t_\t_\t_\t_\t_\tMSeg=a\\--b"));
        check("1\tab\t_\t_\t_\t_\t_\t_\t_\tX=1\r", Some("1\tab\t_\t_\t_\t_\t_\t_\t_\tX=1|MSeg=ab\r"));
        check("1\tab\t_\t_\t_\t_\t_\t_\t_\tMSeg=a-b|X=1", Some("1\tab\t_\t_\t_\t_\t_\t_\t_\tMSeg=ab|X=1"));
        check("1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_", None);
        check("# text = ab", None);
        check("", None);
    }
}
