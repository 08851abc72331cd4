//! Plain tables: text columns to the left, numbers to the right.

use unicode_width::UnicodeWidthStr;

/// A number with its noun.
pub fn plural(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Rows of cells under headings; the first column is text, the others are numbers.
pub fn render(headings: &[&str], rows: &[Vec<String>]) -> String {
    let n_columns = headings.len();
    let cell_width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width());
        cells.chain([headings[column].width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(cell_width).collect();
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut row = String::new();
        for (column, cell) in cells.enumerate() {
            let padding = " ".repeat(widths[column].saturating_sub(cell.width()));
            match column {
                0 => row.push_str(&format!("{cell}{padding}")),
                _ => row.push_str(&format!("  {padding}{cell}")),
            }
        }
        text.push_str(row.trim_end());
        text.push('\n');
    };
    line(&mut headings.iter().copied());
    line(&mut widths.iter().map(|&width| "-".repeat(width)).collect::<Vec<_>>().iter().map(String::as_str));
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    text
}

/// Names and values, one pair per line.
pub fn pairs(rows: &[Vec<String>]) -> String {
    let width = rows.iter().filter_map(|row| row.first()).map(|name| name.width()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let [name, value] = row.as_slice() else { continue };
        let padding = " ".repeat(width.saturating_sub(name.width()));
        text.push_str(&format!("  {name}{padding}  {value}\n"));
    }
    text
}
