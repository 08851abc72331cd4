//! Types as users write them.

use serde::{Deserialize, Serialize};

/// What a user says about a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Declared {
    /// `continuous`
    Continuous,
    /// `count`
    Count,
    /// `binary`
    Binary,
    /// `ordinal`, `ordinal(1-7)`, `ordinal(low<middle<high)`
    Ordinal(Option<Levels>),
    /// `categorical`, `categorical(1-6)`, `categorical(SVO,SOV,VSO)`
    Categorical(Option<Levels>),
    /// `ignore`: the column is left out.
    Ignore,
    /// `id`: the column names the rows.
    Names,
}

/// The levels of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Levels {
    /// All whole numbers from one to another.
    Range(i64, i64),
    /// Texts in order.
    List(Vec<String>),
}

impl Levels {
    /// The texts of the levels.
    pub(super) fn texts(&self) -> Vec<String> {
        match self {
            Levels::Range(from, to) => (*from..=*to).map(|level| level.to_string()).collect(),
            Levels::List(texts) => texts.clone(),
        }
    }
}

impl std::str::FromStr for Declared {
    type Err = String;

    fn from_str(text: &str) -> Result<Declared, String> {
        let text = text.trim();
        let (word, levels) = match text.split_once('(') {
            None => (text, None),
            Some((word, rest)) => {
                let inner =
                    rest.strip_suffix(')').ok_or_else(|| format!("{text:?} has no closing parenthesis"))?;
                (word.trim_end(), Some(levels(inner)?))
            }
        };
        match (word.to_ascii_lowercase().as_str(), levels) {
            ("continuous" | "numeric" | "real", None) => Ok(Declared::Continuous),
            ("count", None) => Ok(Declared::Count),
            ("binary", None) => Ok(Declared::Binary),
            ("ordinal", levels) => Ok(Declared::Ordinal(levels)),
            ("categorical", levels) => Ok(Declared::Categorical(levels)),
            ("ignore", None) => Ok(Declared::Ignore),
            ("id", None) => Ok(Declared::Names),
            _ => Err(format!(
                "{text:?} is no type: use continuous, binary, count, ordinal, ordinal(1-7), ordinal(low<high), \
                 categorical, categorical(a,b,c), id or ignore"
            )),
        }
    }
}

/// `1-7`, `a<b<c` or `a,b,c`.
fn levels(inner: &str) -> Result<Levels, String> {
    // A minus sign may stand before the first number, so the dash is looked for after it.
    let dash = inner.char_indices().skip(1).find(|(_, c)| *c == '-').map(|(at, _)| at);
    if let Some((from, to)) = dash.map(|at| (&inner[..at], &inner[at + 1..]))
        && let (Ok(from), Ok(to)) = (from.trim().parse(), to.trim().parse())
    {
        let range: (i64, i64) = (from, to);
        return match range.1.checked_sub(range.0) {
            Some(1..=MOST) => Ok(Levels::Range(from, to)),
            _ => Err(format!("({inner}) must have between 2 and {} levels", MOST + 1)),
        };
    }
    let separator = if inner.contains('<') { '<' } else { ',' };
    let texts: Vec<String> = inner.split(separator).map(|text| text.trim().to_owned()).collect();
    let repeated = texts.iter().enumerate().any(|(at, text)| texts[..at].contains(text));
    match texts.len() >= 2 && !repeated && !texts.iter().any(String::is_empty) {
        true => Ok(Levels::List(texts)),
        false => Err(format!("({inner}) must have at least two different levels")),
    }
}

/// One less than the largest number of levels.
const MOST: i64 = 999;

/// Reads a file of types: a JSON object from names to types, alone or under `columns`, or lines of a name, a tab and a type.
/// Problems are words with the line they are about.
pub fn read_types(text: &str) -> Result<Vec<(String, Declared)>, String> {
    let declare = |name: &str, kind: &str| match kind.parse() {
        Ok(declared) => Ok((name.to_owned(), declared)),
        Err(reason) => Err(format!("column {name}: {reason}")),
    };
    if text.trim_start().starts_with('{') {
        let file: serde_json::Value = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
        let columns = file.get("columns").unwrap_or(&file).as_object();
        let columns = columns.ok_or("`columns` must be an object of names and types")?;
        let text = |(name, kind): (&String, &serde_json::Value)| match kind.as_str() {
            Some(kind) => declare(name, kind),
            None => Err(format!("column {name}: its type must be a text, not {kind}")),
        };
        return columns.iter().map(text).collect();
    }
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |(at, line): (usize, &str)| match line.split_once('\t') {
        Some((name, kind)) => {
            declare(name.trim(), kind).map_err(|reason| format!("line {}: {reason}", at + 1))
        }
        None => Err(format!("line {}: expected a name, a tab and a type", at + 1)),
    };
    lines.map(read).collect()
}
