//! Which child is the head of a constituent.

use super::unary;
use crate::{Side, Text};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A table that finds the head of a constituent by its label and its children's labels, after Magerman
/// (1995) and Collins (1999).
///
/// # Text format
///
/// One rule per line: a parent's label, how to search, labels of children, all separated by blanks. Rules
/// for the same parent are tried in the order of the lines. Lines that start with `#` and a blank, or that
/// hold only `#`, are comments.
///
/// | search | finds |
/// |---|---|
/// | `left A B C` | the leftmost A; if there is none, the leftmost B; if there is none, the leftmost C |
/// | `right A B C` | the same from the right |
/// | `left-any A B C` | the leftmost child that is A, B or C |
/// | `right-any A B C` | the rightmost child that is A, B or C |
/// | `left`, `right` | the leftmost or rightmost child, whatever it is |
///
/// The parent `*` stands for every label without rules. If no rule of a parent finds a child, the last
/// one's direction decides. Two further lines hold for all parents:
///
/// - `* never , : .`: such a child is the head only if there is no other kind of child;
/// - `* coordinator CC`: if such a child stands right before the head, the child before it (skipping those
///   that are never heads) becomes the head, as in Collins' rule for coordinated phrases.
///
/// A joint label `X+Y` (see [`unary`]) is `X` when it is a child and `Y` when it is a parent, unless it is
/// listed as it stands. In the same way a label with functional tags or indices, `NP-SBJ=2`, is `NP`.
///
/// ```
/// use tree::transform::HeadRules;
/// let rules: HeadRules = "VP left VBZ VB\n* right\n* never .".parse()?;
/// assert_eq!(rules.head("VP", &["RB", "VB", "VBZ", "NP"]), Some(2));
/// assert_eq!(rules.head("NP", &["DT", "NN", "."]), Some(1));
/// # Ok::<(), tree::transform::HeadRulesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadRules {
    rules: FxHashMap<Text, Vec<Rule>>,
    default: Vec<Rule>,
    never: Vec<Text>,
    coordinators: Vec<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    from: Side,
    /// Whether the first child that is any of the labels is taken, not the first of the first label.
    any: bool,
    labels: Vec<Text>,
}

/// Why a text is no table of head rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadRulesError {
    /// A parent with nothing after it.
    #[error("line {line}: `{parent}` has no rule; write `{parent} left` or `{parent} right` and labels")]
    NoSearch {
        /// Line, from 1.
        line: usize,
        /// The parent's label.
        parent: String,
    },
    /// A way to search that does not exist.
    #[error("line {line}: `{search}` is no way to search; write left, right, left-any or right-any")]
    UnknownSearch {
        /// Line, from 1.
        line: usize,
        /// What stands there.
        search: String,
    },
    /// `left-any`, `right-any`, `never` or `coordinator` without labels.
    #[error("line {line}: `{search}` needs at least one label after it")]
    NoLabels {
        /// Line, from 1.
        line: usize,
        /// What stands there.
        search: String,
    },
}

impl HeadRules {
    /// The first child is always the head.
    pub fn leftmost() -> Self {
        Self { default: vec![Rule { from: Side::Left, any: false, labels: Vec::new() }], ..Self::default() }
    }

    /// The last child is always the head.
    pub fn rightmost() -> Self {
        Self { default: vec![Rule { from: Side::Right, any: false, labels: Vec::new() }], ..Self::default() }
    }

    /// Collins' (1999) rules for the labels of the Penn Treebank.
    pub fn english() -> Self {
        include_str!("english.heads").parse().expect("the table that comes with the program is well-formed")
    }

    /// Index of the head among `children`; `None` if there are none.
    pub fn head<S: AsRef<str>>(&self, parent: &str, children: &[S]) -> Option<usize> {
        let names: Vec<Name<'_>> = children.iter().map(|child| Name::new(child.as_ref())).collect();
        let mut able: Vec<usize> = (0..names.len())
            .filter(|&child| !self.never.iter().any(|label| names[child].is(label)))
            .collect();
        if able.is_empty() {
            able = (0..names.len()).collect();
        }
        let rules = self.rules_for(parent);
        let found = rules.iter().find_map(|rule| rule.find(&names, &able));
        let side = rules.last().map_or(Side::Right, |rule| rule.from);
        let head = found.or_else(|| if side == Side::Left { able.first() } else { able.last() }.copied())?;
        Some(self.before_coordinator(head, &names, &able).unwrap_or(head))
    }

    fn rules_for(&self, parent: &str) -> &[Rule] {
        let joint = || unary::parts(parent).last().and_then(|lowest| self.rules.get(&lowest));
        let plain = || self.rules.get(stem(parent));
        self.rules.get(parent).or_else(joint).or_else(plain).unwrap_or(&self.default)
    }

    /// The last able child before a coordinator that stands right before the head.
    fn before_coordinator(&self, head: usize, names: &[Name<'_>], able: &[usize]) -> Option<usize> {
        let coordinator = head.checked_sub(1)?;
        let coordinates = self.coordinators.iter().any(|label| names[coordinator].is(label));
        able.iter().copied().rfind(|&child| child < coordinator).filter(|_| coordinates)
    }
}

impl Rule {
    fn find(&self, names: &[Name<'_>], able: &[usize]) -> Option<usize> {
        let first = |wanted: &dyn Fn(&Name<'_>) -> bool| {
            let mut matching = able.iter().copied().filter(|&child| wanted(&names[child]));
            if self.from == Side::Left { matching.next() } else { matching.next_back() }
        };
        if self.any {
            return first(&|name| self.labels.iter().any(|label| name.is(label)));
        }
        self.labels.iter().find_map(|label| first(&|name| name.is(label)))
    }
}

/// `label` without functional tags and indices; one that starts with a hyphen, such as `-LRB-`, has none.
pub(super) fn stem(label: &str) -> &str {
    match label.split_once(['-', '=', '|']) {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => label,
    }
}

/// A child's label, the highest part of it if it is joint, and what it is without functional tags.
struct Name<'a> {
    label: &'a str,
    highest: Option<Text>,
    stem: &'a str,
}

impl<'a> Name<'a> {
    fn new(label: &'a str) -> Self {
        let highest = label.contains(['+', '\\']).then(|| unary::parts(label).next()).flatten();
        Self { label, highest, stem: stem(label) }
    }

    fn is(&self, label: &Text) -> bool {
        self.label == label || self.highest.as_ref() == Some(label) || self.stem == label
    }
}

impl std::str::FromStr for HeadRules {
    type Err = HeadRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            let comment = line == "#" || line.starts_with("# ");
            let mut fields = line.split_whitespace();
            if let Some(parent) = fields.next().filter(|_| !comment) {
                table.read_rule(index + 1, parent, fields)?;
            }
        }
        Ok(table)
    }
}

impl HeadRules {
    fn read_rule<'a>(
        &mut self,
        line: usize,
        parent: &str,
        mut fields: impl Iterator<Item = &'a str>,
    ) -> Result<(), HeadRulesError> {
        let no_search = || HeadRulesError::NoSearch { line, parent: parent.into() };
        let search = fields.next().ok_or_else(no_search)?;
        let labels: Vec<Text> = fields.map(Text::from).collect();
        if labels.is_empty() && !matches!(search, "left" | "right") {
            return Err(HeadRulesError::NoLabels { line, search: search.into() });
        }
        let (from, any) = match (parent, search) {
            ("*", "never") => {
                self.never.extend(labels);
                return Ok(());
            }
            ("*", "coordinator") => {
                self.coordinators.extend(labels);
                return Ok(());
            }
            (_, "left") => (Side::Left, false),
            (_, "right") => (Side::Right, false),
            (_, "left-any") => (Side::Left, true),
            (_, "right-any") => (Side::Right, true),
            _ => return Err(HeadRulesError::UnknownSearch { line, search: search.into() }),
        };
        let rules =
            if parent == "*" { &mut self.default } else { self.rules.entry(parent.into()).or_default() };
        rules.push(Rule { from, any, labels });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(parent: &str, children: &str) -> String {
        let children: Vec<&str> = children.split(' ').collect();
        children[HeadRules::english().head(parent, &children).unwrap()].into()
    }

    #[test]
    fn english_heads_are_those_of_the_textbooks() {
        assert_eq!(english("S", "NP VP ."), "VP");
        assert_eq!(english("VP", "MD RB VP"), "MD");
        assert_eq!(english("NP", "DT JJ NN POS"), "POS");
        assert_eq!(english("NP", "DT JJ NN"), "NN");
        assert_eq!(english("NP", "NP PP"), "NP");
        assert_eq!(english("PP", "IN NP"), "IN");
        assert_eq!(english("SBAR", "IN S"), "IN");
        assert_eq!(english("WHNP", "WDT NN"), "WDT");
        assert_eq!(english("TOP", "`` S ''"), "S");
        assert_eq!(english("NP", ", ."), ".");
    }

    #[test]
    fn rule_before_a_coordinator_takes_the_first_conjunct() {
        let rules = HeadRules::english();
        assert_eq!(rules.head("NP", &["NN", "CC", "NN"]), Some(0));
        assert_eq!(rules.head("NP", &["NN", ",", "CC", "NN"]), Some(0));
        assert_eq!(rules.head("NP", &["CC", "NN"]), Some(1));
    }

    #[test]
    fn joint_label_is_its_highest_as_child_and_its_lowest_as_parent() {
        let rules = HeadRules::english();
        assert_eq!(rules.head("TOP+S", &["VP", "NP+NN"]), Some(0));
        assert_eq!(rules.head("S", &["NP+NN", "VP+VB", "."]), Some(1));
    }

    #[test]
    fn functional_tags_and_indices_do_not_hide_a_label() {
        let rules = HeadRules::english();
        assert_eq!(rules.head("S-TPC-1", &["NP-SBJ", "VP=2", "-RRB-"]), Some(1));
        assert_eq!(rules.head("NP-SBJ", &["NP-1", "PP-LOC"]), Some(0));
        let listed: HeadRules = "NP-SBJ left A\nNP right A".parse().unwrap();
        assert_eq!(listed.head("NP-SBJ", &["A", "A"]), Some(0));
        assert_eq!(listed.head("NP-OBJ", &["A", "A"]), Some(1));
    }

    #[test]
    fn sets_and_priorities_differ() {
        let rules: HeadRules = "P left A B\nQ left-any A B\nR right A B\nS right-any A B".parse().unwrap();
        let children = ["B", "A", "B", "A", "C"];
        let heads = ["P", "Q", "R", "S"].map(|parent| rules.head(parent, &children));
        assert_eq!(heads, [Some(1), Some(0), Some(3), Some(3)]);
        assert_eq!(rules.head("P", &["C", "D"]), Some(0));
        assert_eq!(rules.head::<&str>("P", &[]), None);
    }

    #[test]
    fn errors_name_the_line() {
        let read = |text: &str| text.parse::<HeadRules>().unwrap_err();
        assert_eq!(read("# ok\nNP\n"), HeadRulesError::NoSearch { line: 2, parent: "NP".into() });
        assert_eq!(read("NP up A"), HeadRulesError::UnknownSearch { line: 1, search: "up".into() });
        assert_eq!(read("NP left-any"), HeadRulesError::NoLabels { line: 1, search: "left-any".into() });
        assert_eq!(read("NP never A"), HeadRulesError::UnknownSearch { line: 1, search: "never".into() });
        assert_eq!("# right NN\n".parse::<HeadRules>(), Ok(HeadRules::default()));
        assert!("#NP right NN".parse::<HeadRules>().is_ok_and(|rules| rules != HeadRules::default()));
    }
}
