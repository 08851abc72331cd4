//! Universal rules: which tags like to head which.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tree::Text;

/// The name of the root in rules.
pub const ROOT: &str = "ROOT";

/// Rules "head tag, dependent tag, weight", and which tags of the data stand for which tags of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleTable {
    weights: BTreeMap<(Text, Text), f64>,
    names: BTreeMap<Text, Text>,
}

/// Why a rule file cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// Neither a rule nor a name.
    #[error("line {line}: `{text}` is neither a rule `HEAD DEPENDENT [WEIGHT]` nor a name `TAG = UNIVERSAL`")]
    NoRule {
        /// The line, from 1.
        line: u32,
        /// What stands there.
        text: String,
    },
    /// A weight that is no number, or negative.
    #[error("line {line}: `{text}` is no weight; a weight is a number of at least 0")]
    NoWeight {
        /// The line, from 1.
        line: u32,
        /// What stands there.
        text: String,
    },
    /// No rule at all.
    #[error("there is no rule; a rule is a line `HEAD DEPENDENT`, such as `VERB NOUN`")]
    Empty,
}

impl Default for RuleTable {
    /// Naseem et al. (2010) in the form of Grave & Elhadad (2015), as Mielens (2016, Table 4.3) has them, for the
    /// tags of Universal Dependencies and of the universal treebanks before them.
    fn default() -> Self {
        RuleTable::read(include_str!("rules.txt"))
            .expect("the built-in rules can be read, which a test shows")
    }
}

impl RuleTable {
    /// Reads `HEAD DEPENDENT [WEIGHT]` and `TAG = UNIVERSAL` lines. `ROOT` is the root. A `#` that stands at the beginning of
    /// a line or after white space, and before a space or the end of the line, begins a comment; any other is part of a tag.
    pub fn read(text: &str) -> Result<RuleTable, RuleError> {
        let mut table = RuleTable { weights: BTreeMap::new(), names: BTreeMap::new() };
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = without_comment(text).split_whitespace().collect();
            match words[..] {
                [] => {}
                [tag, "=", universal] => {
                    table.names.insert(tag.into(), universal.into());
                }
                [head, dependent] => {
                    table.weights.insert((head.into(), dependent.into()), 1.0);
                }
                [head, dependent, weight] if weight != "=" && dependent != "=" => {
                    let number =
                        weight.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
                    let no_weight = RuleError::NoWeight { line, text: weight.to_owned() };
                    table.weights.insert((head.into(), dependent.into()), number.ok_or(no_weight)?);
                }
                _ => return Err(RuleError::NoRule { line, text: text.trim().to_owned() }),
            }
        }
        if table.weights.is_empty() { Err(RuleError::Empty) } else { Ok(table) }
    }

    /// The weight of the rule that a head ([`ROOT`] for the root) takes a dependent; 0 if there is none.
    pub fn weight(&self, head: &str, dependent: &str) -> f64 {
        let key = (Text::from(self.universal(head)), Text::from(self.universal(dependent)));
        self.weights.get(&key).copied().unwrap_or(0.0)
    }

    /// Whether some rule knows the tag.
    pub fn knows(&self, tag: &str) -> bool {
        let tag = self.universal(tag);
        self.weights.keys().any(|(head, dependent)| head == tag || dependent == tag)
    }

    /// Adds names of tags, `TAG = UNIVERSAL` lines or two columns, such as a mapping file has. What stands on the right
    /// may itself have a name in the rules, as PROPN has. Comments are as in [`read`](Self::read): the tag `#` is followed
    /// by a tab.
    pub fn add_names(&mut self, text: &str) -> Result<(), RuleError> {
        let before = self.names.clone();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> =
                without_comment(text).split_whitespace().filter(|&word| word != "=").collect();
            match words[..] {
                [] => {}
                [tag, universal] => {
                    let universal = before.get(universal).cloned().unwrap_or_else(|| universal.into());
                    self.names.insert(tag.into(), universal);
                }
                _ => return Err(RuleError::NoRule { line, text: text.trim().to_owned() }),
            }
        }
        Ok(())
    }

    /// What a tag is called in the rules.
    pub fn universal<'a>(&'a self, tag: &'a str) -> &'a str {
        self.names.get(tag).map_or(tag, Text::as_str)
    }
}

/// A line up to its comment.
fn without_comment(line: &str) -> &str {
    let begins_comment = |&(at, _): &(usize, &str)| {
        let (before, after) = (&line[..at], &line[at + 1..]);
        (before.is_empty() || before.ends_with(char::is_whitespace))
            && (after.is_empty() || after.starts_with(' '))
    };
    line.match_indices('#').find(begins_comment).map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_rules_know_both_universal_tag_sets() {
        let rules = RuleTable::default();
        for (head, dependent) in [
            ("ROOT", "VERB"),
            ("VERB", "NOUN"),
            ("VERB", "PROPN"),
            ("NOUN", "DET"),
            ("ADP", "NOUN"),
            ("NOUN", "CONJ"),
        ] {
            assert_eq!(rules.weight(head, dependent), 1.0, "{head} {dependent}");
        }
        assert_eq!(rules.weight("DET", "NOUN"), 0.0);
        assert!(rules.knows("ADV") && !rules.knows("PUNCT"));
    }

    #[test]
    fn weights_names_and_comments_are_read() {
        let mut rules = RuleTable::read("# head dependent\nVERB NOUN 0.5 # half\nNN = NOUN\n\n").unwrap();
        rules.add_names("VBZ\tVERB\n").unwrap();
        assert_eq!(rules.weight("VBZ", "NN"), 0.5);
        let mut rules = RuleTable::default();
        rules.add_names("NNP PROPN\nVBZ VERB").unwrap();
        assert_eq!(rules.weight("VBZ", "NNP"), rules.weight("VERB", "PROPN"));
    }

    #[test]
    fn a_hash_can_be_a_tag_and_begins_a_comment_only_before_a_space() {
        let mut rules = RuleTable::read("VERB SYM 0.5 # half\nVERB A#\n#\n").unwrap();
        rules.add_names("# the pound sign\n#\tSYM\n#x = SYM\nC# SYM # sharp\n").unwrap();
        let weights = ["#", "#x", "C#", "SYM"].map(|tag| rules.weight("VERB", tag));
        assert_eq!(weights, [0.5; 4]);
        assert_eq!(rules.weight("VERB", "A#"), 1.0);
        assert!(!rules.knows("the") && rules.add_names("# = SYM").is_ok(), "that is a comment");
    }

    #[test]
    fn mistakes_name_their_line() {
        assert_eq!(RuleTable::read("\nVERB"), Err(RuleError::NoRule { line: 2, text: "VERB".to_owned() }));
        assert_eq!(RuleTable::read("A B -1"), Err(RuleError::NoWeight { line: 1, text: "-1".to_owned() }));
        assert_eq!(RuleTable::read("# nothing"), Err(RuleError::Empty));
    }
}
