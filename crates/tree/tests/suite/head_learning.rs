//! Head rules that are learned from labels.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{any_tree, read, read_file};
use expect_test::expect;
use proptest::prelude::*;
use tree::transform::{HeadRules, HeadStatistics, to_dependencies};
use tree::{Text, Tree};

fn statistics<'a>(trees: impl IntoIterator<Item = &'a Tree<Text>>) -> HeadStatistics {
    let mut statistics = HeadStatistics::default();
    trees.into_iter().for_each(|tree| statistics.see(tree));
    statistics
}

#[test]
fn heads_are_obligatory_single_and_of_the_family() {
    let trees = [
        "(S (NP (D la) (N chèvre)) (VP (V dort)) (PONCT .))",
        "(S (NP (D la) (N chèvre)) (VP (V mange) (NP (D l') (N herbe))) (PONCT .))",
        "(S (PONCT «) (NP (N Ana)) (VP (V dort) (PP (P chez) (NP (N Ben)))) (PONCT »))",
        "(S (NP (NP (N Ana)) (PP (P de) (NP (N Paris)))) (VP (V dort)) (PONCT .))",
    ];
    let trees: Vec<Tree<Text>> = trees.iter().map(|tree| read(tree)).collect();
    let statistics = statistics(&trees);
    assert!(!statistics.is_penn());
    expect![[r#"
        # Head rules learned from the labels of a file; correct them where they are wrong.
        * never PONCT
        * right
        NP right-any N
        NP left NP D PP
        PP left-any P
        PP right NP
        S right VP NP
        VP left-any V
        VP right PP NP
    "#]]
    .assert_eq(&statistics.rules_text());
    let heads: Vec<u32> = to_dependencies(&trees[2], &statistics.rules()).heads.as_slice().to_vec();
    assert_eq!(heads, [3, 3, 0, 3, 4, 3]);
}

#[test]
fn labels_with_functional_tags_are_learned_without_them() {
    let trees = [
        read("(IP-MAT (PP (P d) (NP (N-D e))) (VB f))"),
        read("(IP-MAT (NP-SBJ (N-N a)) (VB-PS b) (. .))"),
        read("(IP-SUB=1 (NP-OB1 (N-A a)) (VB c))"),
    ];
    let text = statistics(&trees).rules_text();
    assert!(text.contains("\nIP right VB NP PP\n") && text.contains("\nNP left-any N\n"), "{text}");
}

#[test]
fn labels_of_the_penn_treebank_are_recognised_and_others_are_not() {
    let penn = read("( (S (NP-SBJ-1 (DT the) (NN goat)) (VP (VBZ sleeps)) (. .)))");
    assert!(statistics([&penn]).is_penn());
    let french = read("(SENT (NP (DET la) (NC chèvre)) (VN (V dort)))");
    assert!(!statistics([&french]).is_penn());
    assert!(!statistics([]).is_penn());
}

/// Training parts of treebanks.
fn treebank(name: &str) -> Option<Vec<Tree<Text>>> {
    testkit::shared(&format!("data/constituency/{name}/norm/train.mrg")).map(|file| read_file(&file))
}

#[test]
fn punctuation_is_not_the_root_of_a_sentence_with_words() {
    let names = [
        "ancient_greek_nt",
        "chinese_sinica",
        "dutch_alpino",
        "icelandic_icepahc",
        "indonesian_icon",
        "indonesian_idn",
        "japanese_keyaki",
        "old_french_ppchf",
        "portuguese_floresta",
        "spanish_cess",
        "turkish_starlang",
        "yiddish_ppchy",
        "yoruba_akindele",
    ];
    for name in names {
        let Some(trees) = treebank(name) else { return };
        let statistics = statistics(&trees);
        assert!(!statistics.is_penn(), "{name}");
        let rules = statistics.rules();
        let is_word = |word: &Text| word.contains(char::is_alphanumeric) && !word.starts_with('-');
        let (mut n, mut n_marks) = (0, 0);
        for tree in trees.iter().filter(|tree| tree.words().any(is_word)) {
            let heads = to_dependencies(tree, &rules).heads;
            let root = heads.as_slice().iter().position(|&head| head == 0).unwrap();
            n += 1;
            n_marks += usize::from(!is_word(tree.words().nth(root).unwrap()));
        }
        // A mark that shares its tag with words, as the Chinese comma of lists does with conjunctions, is not known.
        assert!(n_marks * 500 <= n, "{name}: {n_marks} of {n}");
    }
}

#[test]
fn learned_heads_of_english_are_mostly_those_of_collins() {
    let Some(trees) = treebank("english_wsj") else { return };
    let statistics = statistics(&trees);
    assert!(statistics.is_penn());
    let (rules, english) = (statistics.rules(), HeadRules::english());
    let (mut n, mut n_same, mut n_right) = (0, 0, 0);
    for tree in &trees {
        let heads = |rules: &HeadRules| to_dependencies(tree, rules).heads.as_slice().to_vec();
        let (learned, collins, right) = (heads(&rules), heads(&english), heads(&HeadRules::rightmost()));
        n += learned.len();
        n_same += learned.iter().zip(&collins).filter(|(a, b)| a == b).count();
        n_right += right.iter().zip(&collins).filter(|(a, b)| a == b).count();
    }
    let (share, baseline) = (n_same as f64 / n as f64, n_right as f64 / n as f64);
    assert!(share > 0.74 && baseline < 0.28, "{share}, the rightmost child {baseline}");
}

proptest! {
    #[test]
    fn any_trees_give_rules_that_can_be_read_whatever_their_order(mut trees in prop::collection::vec(any_tree(), 0..6)) {
        let text = statistics(&trees).rules_text();
        prop_assert!(text.parse::<HeadRules>().is_ok(), "{}", text);
        trees.reverse();
        prop_assert_eq!(statistics(&trees).rules_text(), text);
    }
}
