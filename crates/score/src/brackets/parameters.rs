//! EVALB's parameter files.

use tree::{Place, Text};

/// What EVALB is told by a `.prm` file. The default is the program's own without a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// `DEBUG`: how much the program prints; kept for the record, it changes no figure.
    pub debug: usize,
    /// `MAX_ERROR`: after how many errors the program gives up (see [`BracketReport::stopped_at`](super::BracketReport)).
    pub max_error: usize,
    /// `CUTOFF_LEN`: longest sentence of the second summary.
    pub cutoff_length: usize,
    /// `LABELED`: whether the labels of brackets must agree.
    pub labeled: bool,
    /// `DELETE_LABEL`: words with these tags are removed, brackets with these labels are not counted.
    pub delete_label: Vec<Text>,
    /// `DELETE_LABEL_FOR_LENGTH`: words with these tags do not count for the length of a sentence.
    pub delete_label_for_length: Vec<Text>,
    /// `QUOTE_LABEL`: tags a quotation mark may have been given by mistake.
    pub quote_label: Vec<Text>,
    /// `DELETE_WORD`: these words are removed whatever their tag.
    pub delete_word: Vec<Text>,
    /// `EQ_LABEL`: pairs of labels that count as equal. The relation is not transitive.
    pub equal_labels: Vec<(Text, Text)>,
    /// `EQ_WORD`: pairs of words that count as equal.
    pub equal_words: Vec<(Text, Text)>,
}

/// A line of a parameter file that could not be used as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterProblem {
    /// The line.
    pub place: Place,
    /// What is wrong and what was done about it.
    pub message: String,
}

impl std::fmt::Display for ParameterProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            debug: 0,
            max_error: 10,
            cutoff_length: 40,
            labeled: true,
            delete_label: Vec::new(),
            delete_label_for_length: Vec::new(),
            quote_label: Vec::new(),
            delete_word: Vec::new(),
            equal_labels: Vec::new(),
            equal_words: Vec::new(),
        }
    }
}

impl Parameters {
    /// `COLLINS.prm`, the parameters of nearly all published figures.
    pub fn collins() -> Self {
        let deleted = ["TOP", "-NONE-", ",", ":", "``", "''", "."];
        Self {
            delete_label: deleted.map(Text::new_static).into(),
            delete_label_for_length: vec![Text::new_static("-NONE-")],
            equal_labels: vec![(Text::new_static("ADVP"), Text::new_static("PRT"))],
            ..Self::default()
        }
    }

    /// Reads a parameter file. Lines that cannot be used are left out and reported.
    ///
    /// As in the program, `#` makes a comment only at the start of a line, and the value of a single-valued
    /// parameter is the rest of the line.
    pub fn parse(text: &str) -> (Self, Vec<ParameterProblem>) {
        let mut parameters = Self::default();
        let mut problems = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_end();
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            if let Err(message) = parameters.set(line) {
                problems.push(ParameterProblem { place: Place::line(number), message });
            }
        }
        (parameters, problems)
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = value.trim();
        if value.is_empty() {
            return Err(format!("“{key}” has no value; write “{key} value” or delete the line"));
        }
        match key {
            "DEBUG" => self.debug = number(key, value)?,
            "MAX_ERROR" => self.max_error = number(key, value)?,
            "CUTOFF_LEN" => self.cutoff_length = number(key, value)?,
            "LABELED" => self.labeled = number(key, value)? != 0,
            "DELETE_LABEL" => self.delete_label.push(single(key, value)?),
            "DELETE_LABEL_FOR_LENGTH" => self.delete_label_for_length.push(single(key, value)?),
            "QUOTE_LABEL" => self.quote_label.push(single(key, value)?),
            "DELETE_WORD" => self.delete_word.push(single(key, value)?),
            "EQ_LABEL" => self.equal_labels.push(pair(key, value)?),
            "EQ_WORD" => self.equal_words.push(pair(key, value)?),
            _ => return Err(format!("“{key}” is not a parameter; the line is left out, check the spelling")),
        }
        Ok(())
    }

    /// Whether a word is removed from the yield.
    pub fn deletes_word(&self, tag: &str, word: &str) -> bool {
        holds(&self.delete_label, tag) || holds(&self.delete_word, word)
    }

    /// Whether a bracket with this label (without its function tags) does not count.
    pub fn deletes_bracket(&self, label: &str) -> bool {
        self.delete_label.iter().any(|deleted| self.same_label(label, deleted))
    }

    /// Whether two labels count as equal.
    pub fn same_label(&self, first: &str, second: &str) -> bool {
        same(&self.equal_labels, first, second)
    }

    /// Whether two words count as equal.
    pub fn same_word(&self, first: &str, second: &str) -> bool {
        same(&self.equal_words, first, second)
    }
}

fn number(key: &str, value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| format!("“{key}” wants a number, not “{value}”; the default is used"))
}

fn single(key: &str, value: &str) -> Result<Text, String> {
    if value.contains(char::is_whitespace) {
        return Err(format!("“{key}” wants one value, not “{value}”; write one line for each"));
    }
    Ok(value.into())
}

fn pair(key: &str, value: &str) -> Result<(Text, Text), String> {
    let mut values = value.split_whitespace();
    match (values.next(), values.next(), values.next()) {
        (Some(first), Some(second), None) => Ok((first.into(), second.into())),
        _ => Err(format!("“{key}” wants two values, not “{value}”; write one line for each pair")),
    }
}

pub(super) fn holds(list: &[Text], item: &str) -> bool {
    list.iter().any(|one| one == item)
}

fn same(pairs: &[(Text, Text)], first: &str, second: &str) -> bool {
    let equal = |(a, b): &(Text, Text)| (a == first && b == second) || (a == second && b == first);
    first == second || pairs.iter().any(equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_read() {
        let text = "# comment\nDEBUG 2\nMAX_ERROR 3\nCUTOFF_LEN 10\nLABELED 0   \nDELETE_LABEL TOP\n\
                    DELETE_LABEL_FOR_LENGTH -NONE-\nQUOTE_LABEL POS\nDELETE_WORD *\nEQ_LABEL A B\nEQ_WORD x  y\r\n";
        let (parameters, problems) = Parameters::parse(text);
        assert_eq!(problems, []);
        let expected = Parameters {
            debug: 2,
            max_error: 3,
            cutoff_length: 10,
            labeled: false,
            delete_label: vec!["TOP".into()],
            delete_label_for_length: vec!["-NONE-".into()],
            quote_label: vec!["POS".into()],
            delete_word: vec!["*".into()],
            equal_labels: vec![("A".into(), "B".into())],
            equal_words: vec![("x".into(), "y".into())],
        };
        assert_eq!(parameters, expected);
    }

    #[test]
    fn odd_lines_are_reported_with_their_number_and_left_out() {
        let (parameters, problems) =
            Parameters::parse("DELETE_LABLE X\n\nEQ_LABEL A\nCUTOFF_LEN many\nDEBUG\nDELETE_LABEL A B\n");
        let lines: Vec<_> = problems.iter().map(|problem| problem.place.line).collect();
        assert_eq!(lines, [1, 3, 4, 5, 6]);
        assert_eq!(parameters, Parameters::default());
    }

    #[test]
    fn equal_labels_go_both_ways_and_no_further() {
        let (parameters, _) = Parameters::parse("EQ_LABEL A B\nEQ_LABEL B C\n");
        assert!(parameters.same_label("B", "A") && parameters.same_label("C", "B"));
        assert!(!parameters.same_label("A", "C"));
    }
}
