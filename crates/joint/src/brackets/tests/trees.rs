//! There and back.

use proptest::prelude::*;
use tree::transform::{self, Binarisation, Chains, Keep, Scheme, unary};

use super::*;

fn spans(binary: &Binary) -> Vec<(u32, u32)> {
    binary.brackets.iter().map(|bracket| (bracket.start, bracket.end)).collect()
}

#[test]
fn attachment_of_a_phrase_shows_in_the_spans() {
    let high = tree("(S (NP (D a) (N b)) (VP (V c) (NP (D d) (N e)) (PP (P f) (N g))))");
    let low = tree("(S (NP (D a) (N b)) (VP (V c) (NP (D d) (@ (N e) (PP (P f) (N g))))))");
    assert_eq!(spans(&binarise(&high, None, false)), [(0, 7), (0, 2), (2, 7), (3, 7), (3, 5), (5, 7)]);
    assert_eq!(spans(&binarise(&low, None, false)), [(0, 7), (0, 2), (2, 7), (3, 7), (4, 7), (5, 7)]);
    let labels: Vec<bool> =
        binarise(&high, None, false).brackets.iter().map(|bracket| bracket.label.is_stand_in).collect();
    assert_eq!(labels, [false, false, false, true, false, false]);
}

#[test]
fn outer_bracket_is_left_out_and_comes_back() {
    for text in [
        "(TOP (S (NP (N a)) (V b)))",
        "(TOP (N a) (V b))",
        "(TOP (NP (N a)))",
        "(TOP (S (VP (V a))))",
        "(TOP (N a))",
        "(TOP a b)",
        "(TOP (S a (N b) c))",
    ] {
        let tree = tree(text);
        let top = Text::from("TOP");
        let binary = binarise(&tree, Some(&top), true);
        assert_eq!(debinarise(&binary, &words_of(&tree), Some(&top)), tree, "{text}");
        let without = binarise(&tree, None, true);
        assert_eq!(debinarise(&without, &words_of(&tree), None), tree, "{text}");
    }
}

#[test]
fn nodes_without_words_are_passed_over() {
    let empty = Tree::constituent(Text::from("E"), []);
    let tag = |form: &str| Tree::constituent(Text::from("N"), [Tree::word(Text::from(form))]);
    let with =
        Tree::constituent(Text::from("S"), [empty.clone(), tag("a"), empty.clone(), tag("b"), tag("c")]);
    let without = Tree::constituent(Text::from("S"), [tag("a"), tag("b"), tag("c")]);
    assert_eq!(binarise(&with, None, false), binarise(&without, None, false));
    assert_eq!(binarise(&empty, None, false), Binary::default());
    assert_eq!(debinarise(&Binary::default(), &[], Some(&"TOP".into())).nodes().len(), 1);
}

proptest! {
    #[test]
    fn every_tree_comes_back_with_its_chains(seed in any::<u64>(), n_words in 1usize..9) {
        let tree = random_tree(n_words, &mut stream(seed));
        let (words, top) = (words_of(&tree), Text::from("TOP"));
        let binary = binarise(&tree, Some(&top), true);
        prop_assert_eq!(&debinarise(&binary, &words, Some(&top)), &tree);
        prop_assert_eq!(binary.brackets.len(), n_words.saturating_sub(1));
        // With the topmost label alone, chains over several words are what is lost.
        let below = tree.root().children().next().unwrap().to_tree();
        let binary = binarise(&below, None, false);
        let mut kept = unary::drop(&below, Chains { preterminals: false, top: true }, Keep::Highest);
        if n_words > 1 {
            let leaves = Binary { chains: vec![Vec::new(); n_words], ..binary.clone() };
            let dropped = unary::drop(&below, Chains { preterminals: true, top: true }, Keep::Highest);
            let dropped: Vec<_> = dropped.constituents().iter().filter(|c| c.2.end() - c.2.start() > 1).map(|c| (c.1.clone(), c.2)).collect();
            let back = debinarise(&leaves, &words, None);
            let back: Vec<_> = back.constituents().iter().filter(|c| c.2.end() - c.2.start() > 1).map(|c| (c.1.clone(), c.2)).collect();
            prop_assert_eq!(back, dropped);
            kept = transform::binarise(&kept, &Binarisation { scheme: Scheme::Right, ..Binarisation::default() });
            let expected: Vec<(u32, u32)> = kept.constituents().iter().map(|c| (c.2.start() as u32, c.2.end() as u32)).filter(|(start, end)| end - start > 1).collect();
            prop_assert_eq!(spans(&binary), expected);
        }
    }
}
