//! Clusters of words, as clustering programs write them: one word a line.
//!
//! Two layouts are told apart by the first lines: `bits TAB word TAB count`, the `paths` file of Brown clustering, and
//! `word TAB cluster`. Rows that cannot be understood are reported and left out.
//!
//! ```
//! use formats::word_clusters::{ClusterLayout, read};
//! let found = read("0010\tthe\t61\n0010\ta\t20\n110\tcat\t7\n".as_bytes())?;
//! assert_eq!(found.layout, ClusterLayout::Paths);
//! assert_eq!((found.rows[2].word.as_str(), found.rows[2].cluster.as_str(), found.rows[2].count), ("cat", "110", 7));
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::lines::{Lines, column, width};
use crate::word_rows::{SeenWords, beginning};
use std::io::{self, BufRead};
use tree::Place;

/// What the columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterLayout {
    /// Bits, word, count.
    Paths,
    /// Word, cluster.
    #[default]
    Names,
}

/// A word and its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterRow {
    /// The word.
    pub word: String,
    /// A string of bits, or any other name.
    pub cluster: String,
    /// How often the word was seen; 0 if the file does not say.
    pub count: u64,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordClusters {
    /// What the columns are.
    pub layout: ClusterLayout,
    /// Each word once, in the order of the file.
    pub rows: Vec<ClusterRow>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads a file of clusters.
pub fn read(source: impl BufRead) -> io::Result<WordClusters> {
    let mut lines = Lines::new(source);
    let mut found = WordClusters::default();
    let first = beginning(&mut lines, &mut found.problems)?;
    found.layout = layout(first.iter().map(|(_, line)| line.as_str()));
    let mut seen = SeenWords::default();
    for (number, line) in &first {
        found.take(*number, line, &mut seen);
    }
    let mut problems = Vec::new();
    while let Some((number, line)) = lines.next_line(&mut problems)? {
        found.take(number, line, &mut seen);
        found.problems.append(&mut problems);
    }
    found.problems.append(&mut problems);
    Ok(found)
}

/// Few words look like bits, and few clusters of other programs stand first.
fn layout<'a>(lines: impl Iterator<Item = &'a str>) -> ClusterLayout {
    let (mut n_lines, mut n_bits) = (0usize, 0usize);
    for line in lines.filter(|line| !line.trim().is_empty()) {
        n_lines += 1;
        n_bits += usize::from(is_bits(line.split('\t').next().unwrap_or_default()));
    }
    if 2 * n_bits > n_lines { ClusterLayout::Paths } else { ClusterLayout::Names }
}

fn is_bits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'0' || byte == b'1')
}

impl WordClusters {
    fn take(&mut self, number: u32, line: &str, seen: &mut SeenWords) {
        if line.trim().is_empty() {
            return;
        }
        match self.row(number, line) {
            Err(problem) => self.problems.push(*problem),
            Ok(row) => match seen.first_time(&row.word, number) {
                Ok(()) => self.rows.push(row),
                Err(problem) => self.problems.push(*problem),
            },
        }
    }

    fn row(&self, number: u32, line: &str) -> Result<ClusterRow, Box<Problem>> {
        let columns: Vec<&str> = line.split('\t').collect();
        let (word, cluster, count) = match (self.layout, &columns[..]) {
            (ClusterLayout::Paths, &[bits, word]) => (word, bits, ""),
            (ClusterLayout::Paths, &[bits, word, count]) => (word, bits, count),
            (ClusterLayout::Names, &[word, cluster]) => (word, cluster, ""),
            _ => return Err(Box::new(self.wrong_columns(number, line, columns.len()))),
        };
        if word.trim().is_empty() || cluster.trim().is_empty() {
            return Err(Box::new(Problem::error(
                "empty-column",
                Place::new(number, 1, width(line)),
                "there is no word or no cluster in this row; it is left out",
                "write both, with a tab between them",
            )));
        }
        if self.layout == ClusterLayout::Paths && !is_bits(cluster) {
            return Err(Box::new(Problem::error(
                "cluster-bits",
                Place::new(number, 1, width(cluster)),
                format!("`{cluster}` is no string of bits, unlike those of other rows; the row is left out"),
                "write 0 and 1 only, or word TAB cluster in all rows",
            )));
        }
        let count = match count {
            "" => 0,
            text => text.trim().parse().map_err(|_| Box::new(wrong_count(number, line, text)))?,
        };
        Ok(ClusterRow { word: word.to_owned(), cluster: cluster.to_owned(), count })
    }

    fn wrong_columns(&self, number: u32, line: &str, n_columns: usize) -> Problem {
        let expected = match self.layout {
            ClusterLayout::Paths => "bits TAB word TAB count",
            ClusterLayout::Names => "word TAB cluster",
        };
        Problem::error(
            "column-count",
            Place::new(number, 1, width(line)),
            format!("{n_columns} columns where {expected} was expected; the row is left out"),
            format!("write {expected}, with tabs between the columns"),
        )
    }
}

fn wrong_count(number: u32, line: &str, count: &str) -> Problem {
    let at = line.len() - count.len();
    Problem::error(
        "unreadable-count",
        Place::new(number, column(line, at), width(count)),
        format!("`{count}` is no count; the row is left out"),
        "write how often the word was seen, or leave the column out",
    )
}
