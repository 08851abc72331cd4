//! A page with one picture of each kind. Run it and look at the page in a browser:
//!
//! ```text
//! cargo run -p draw --example gallery > gallery.html
//! ```

use draw::{Caption, Figure};
use testkit::pictured;
use tree::{Sentence, Text, TokenId, Tree, TreeBuilder};

#[expect(clippy::print_stdout, reason = "the page is what this program makes")]
fn main() {
    let figures: Vec<(Caption, Figure)> = vec![
        ("A non-projective tree".into(), draw::dependency(&pictured::hearing())),
        ("A multiword token and probabilities".into(), draw::dependency(&al_mar())),
        ("From right to left".into(), draw::dependency(&hebrew())),
        ("A partial annotation".into(), cats_and_dogs()),
        ("A constituency tree".into(), draw::constituency(&constituents())),
    ];
    print!("{}", draw::page("Gallery", figures));
}

/// With the probabilities of its heads.
fn al_mar() -> Sentence {
    let mut sentence = pictured::al_mar();
    let words = sentence.tokens.iter_mut().filter(|token| matches!(token.id, TokenId::Word(_)));
    for (token, probability) in words.zip(["0.98", "0.91", "0.88", "0.95", "0.42"]) {
        token.misc = format!("HeadProb={probability}").into();
    }
    sentence
}

fn hebrew() -> Sentence {
    pictured::sentence(&[
        "הילד NOUN 2 nsubj",
        "קרא VERB 0 root",
        "ספר NOUN 2 obj",
        "מעניין ADJ 3 amod",
        ". PUNCT 2 punct",
    ])
}

fn cats_and_dogs() -> Figure {
    let (said, forms) = pictured::cats_and_dogs();
    draw::partial(&said, &forms)
}

fn constituents() -> Tree<Text> {
    let text =
        "(S (NP (DT The) (JJ old) (NN cat)) (VP (VBZ sleeps) (PP (IN on) (NP (DT the) (NN mat)))) (. .))";
    let mut builder = TreeBuilder::new();
    for token in
        text.replace('(', " ( ").replace(')', " ) ").split_whitespace().collect::<Vec<_>>().windows(2)
    {
        match token {
            ["(", label] => builder.open(Text::from(*label)),
            [_, "("] => {}
            [_, ")"] => drop(builder.close()),
            [_, word] => builder.word(Text::from(*word)),
            _ => {}
        }
    }
    builder.finish().unwrap_or_else(|| Tree::word("unbalanced".into()))
}
