//! One bracket that is missing costs one tree its shape, wherever it is missing, and no other tree anything.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::brackets::{self, BracketReader, TreeStyle};
use tree::{Text, Tree};

const TREES: [&str; 5] = [
    "(S (NP (DT the) (NN goat)) (VP (VBZ sleeps)))",
    "(FRAG (NN goats))",
    "( (S (NP (PRP it)) (VP (VBZ eats) (NP (NN grass)))))",
    "(S (S (NP (NN -RRB-)) (VP (VB b))) (CC and) (S (VP (VB c))))",
    "(NP (NP (NN end)) (PP (IN of) (NP (NN file))))",
];

fn read(text: &str) -> (Vec<Tree<Text>>, Vec<String>) {
    let mut trees = Vec::new();
    let mut problems = Vec::new();
    for reading in BracketReader::new(text.as_bytes()) {
        let reading = reading.unwrap();
        trees.extend(reading.value.tree);
        problems.extend(
            reading.problems.iter().map(|problem| format!("{} {}", problem.place.line, problem.rule)),
        );
    }
    (trees, problems)
}

fn written(shape: TreeStyle) -> Vec<String> {
    let write = |tree: &str| {
        let (trees, problems) = read(tree);
        assert!(problems.iter().all(|problem| problem.ends_with("no-final-newline")), "{problems:?}");
        let mut text = Vec::new();
        brackets::write(&trees[0], shape, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    TREES.iter().map(|tree| write(tree)).collect()
}

/// Every file with one closing bracket less, and the tree that lacks it.
fn files_with_a_bracket_less(texts: &[String]) -> Vec<(usize, String)> {
    let mut files = Vec::new();
    for (which, text) in texts.iter().enumerate() {
        for (at, _) in text.match_indices(')') {
            let mut broken = texts.to_vec();
            broken[which].remove(at);
            files.push((which, broken.concat()));
        }
    }
    files
}

fn check_that_one_tree_suffers(shape: TreeStyle) {
    let texts = written(shape);
    let whole: Vec<Tree<Text>> = texts.iter().map(|text| read(text).0.remove(0)).collect();
    for (which, file) in files_with_a_bracket_less(&texts) {
        let (trees, problems) = read(&file);
        let others = |trees: &[Tree<Text>]| {
            let mut trees = trees.to_vec();
            trees.remove(which);
            trees
        };
        assert_eq!(trees.len(), whole.len(), "{file}");
        assert_eq!(others(&trees), others(&whole), "{file}");
        let words = |tree: &Tree<Text>| tree.words().cloned().collect::<Vec<_>>();
        assert_eq!(words(&trees[which]), words(&whole[which]), "{file}");
        assert_eq!(problems.len(), 1, "{problems:?} in {file}");
        let line = 1 + texts[..which].concat().lines().count();
        assert_eq!(problems[0], format!("{line} unbalanced-bracket"), "{file}");
    }
}

#[test]
fn a_missing_bracket_costs_one_tree_its_shape_where_trees_stand_on_lines() {
    check_that_one_tree_suffers(TreeStyle::Line);
}

#[test]
fn a_missing_bracket_costs_one_tree_its_shape_where_trees_are_indented() {
    check_that_one_tree_suffers(TreeStyle::Indented);
}

#[test]
fn first_of_many_trees_without_its_last_bracket_leaves_the_others() {
    // More than is kept of an open tree.
    let rest = "(S (NP (DT the) (NN goat)) (VP (VBZ sleeps)))\n".repeat(30_000);
    let (trees, problems) = read(&format!("# a note\n(S (NN goat)\n{rest}"));
    assert_eq!(trees.len(), 30_001);
    assert_eq!(problems, ["2 unbalanced-bracket"]);
}

#[test]
fn tree_that_is_spread_over_lines_at_the_margin_stays_one() {
    for text in [
        "(S\n(NP (NN a))\n(VP (VB b))\n(PP (IN c))\n(X (X d))\n)\n",
        "(S (A a)\n(B b)\n(C c)\n(D d))\n",
        "(S\n(NP (NN a))\n(VP (VB b))\n",
    ] {
        assert_eq!(read(text).0.len(), 1, "{text}");
    }
}

#[test]
fn a_bracket_too_few_and_a_later_one_too_many_do_not_join_trees() {
    for (text, n_trees) in [
        ("(S (N a)\n(S (N b))\n(S (N c)))\n", 3),
        ("(S (N a)\n(S (N b)))\n", 2),
        ("( (S (N a))\n( (S (N b)))\n( (S (N c))))\n", 3),
        ("(TOP\n  (S (N a))\n(TOP\n  (S (N b)))\n(TOP\n  (S (N c))))\n", 3),
        // Trees that start with different labels are told by the line after them.
        ("(S (N a)\n(FRAG (N b))\n(NP (N c)))\n(S (N d))\n", 4),
    ] {
        let (trees, problems) = read(text);
        assert_eq!(trees.len(), n_trees, "{text}");
        let is_at_fault = |problem: &String| problem.ends_with("unbalanced-bracket");
        assert!(problems.len() == 2 && problems.iter().all(is_at_fault), "{problems:?} in {text}");
        assert!(problems[0].starts_with("1 "), "{problems:?} in {text}");
    }
}

#[test]
fn a_line_at_the_margin_within_a_tree_is_told_once_if_it_may_be_a_tree() {
    let tree = "(S (A a)\n(B b)\n(C c))\n";
    let (trees, problems) = read(&tree.repeat(3));
    assert_eq!((trees.len(), problems), (3, vec!["2 unbalanced-bracket".to_string()]));
    let (trees, problems) = read("(S (S (N a))\n(S (N b)))\n(S (S (N c))\n(S (N d)))");
    assert_eq!(trees.len(), 2);
    assert_eq!(problems, ["2 unbalanced-bracket", "4 no-final-newline"]);
    for text in ["(S (A a)\n(B b))\n", "(S\n(A a)\n(B b)\n)\n", "(S\n  (A a)\n  (B b))\n"] {
        assert_eq!(read(&text.repeat(2)).1, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_passage_is_said_once() {
    let (trees, problems) = read("junk\n(S (N a)\r\n(S (N b) (X ))\n(S (N c))");
    assert_eq!(trees.len(), 3);
    let expected = [
        "1 text-outside",
        "2 carriage-return",
        "2 unbalanced-bracket",
        "3 empty-constituent",
        "4 no-final-newline",
    ];
    assert_eq!(problems, expected);
}
