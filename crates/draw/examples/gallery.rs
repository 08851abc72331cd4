//! A page with one picture of each kind. Run it and look at the page in a browser:
//!
//! ```text
//! cargo run -p draw --example gallery > gallery.html
//! ```

use draw::semantics::{Probabilities, below_constituents, below_dependencies};
use draw::{Caption, Figure};
use testkit::pictured;
use tree::semantics::{Entity, Relation, Semantics};
use tree::{Sentence, Span, Text, TokenId, Tree, TreeBuilder};

#[expect(clippy::print_stdout, reason = "the page is what this program makes")]
fn main() {
    let figures: Vec<(Caption, Figure)> = vec![
        ("A non-projective tree".into(), draw::dependency(&pictured::hearing())),
        ("A multiword token and probabilities".into(), draw::dependency(&al_mar())),
        ("From right to left".into(), draw::dependency(&hebrew())),
        ("A partial annotation".into(), cats_and_dogs()),
        ("A constituency tree".into(), draw::constituency(&constituents())),
        ("Entities, relations and predicates".into(), ada_left()),
        ("The same from right to left, as a machine found it".into(), in_hebrew()),
        ("Entities below a constituency tree, some of them wrong".into(), cat_on_mat()),
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

fn ada_left() -> Figure {
    let (sentence, said) = pictured::ada_left();
    below_dependencies(&sentence, &said, &Probabilities::default())
}

fn in_hebrew() -> Figure {
    let sentence = pictured::sentence(&[
        "עדה PROPN 2 nsubj",
        "עזבה VERB 0 root",
        "את ADP 4 case",
        "אוניברסיטת PROPN 2 obj",
        "קיימברידג' PROPN 4 nmod",
        ". PUNCT 2 punct",
    ]);
    let entity = |(start, end, kind): (usize, usize, &str)| {
        Span::new(start, end).map(|span| Entity { span, kind: kind.into() })
    };
    let said = Semantics {
        entities: [(0, 1, "PER"), (3, 5, "ORG"), (4, 5, "LOC")].into_iter().filter_map(entity).collect(),
        relations: vec![Relation { first: 0, second: 1, kind: "Work_For".into() }],
        predicates: vec![pictured::predicate((1, "עזב.01"), &[(0, "A0"), (3, "A1")], &[])],
        ..Semantics::default()
    };
    let probabilities = Probabilities {
        entities: vec![Some(0.99), Some(0.71), Some(0.32)],
        relations: vec![Some(0.64)],
        predicates: vec![Some(0.9)],
        arguments: vec![vec![Some(0.97), Some(0.58)]],
    };
    below_dependencies(&sentence, &said, &probabilities)
}

fn cat_on_mat() -> Figure {
    let entity = |(start, end, kind): (usize, usize, &str)| {
        Span::new(start, end).map(|span| Entity { span, kind: kind.into() })
    };
    let said = Semantics {
        entities: [(0, 3, "ANIMAL"), (2, 5, "CROSSING"), (4, 7, "PLACE"), (5, 9, "OUTSIDE")]
            .into_iter()
            .filter_map(entity)
            .collect(),
        relations: vec![
            Relation { first: 0, second: 2, kind: "rests-on".into() },
            Relation { first: 2, second: 3, kind: "near".into() },
        ],
        predicates: vec![pictured::predicate((3, "sleep.01"), &[(2, "A0"), (4, "AM-LOC"), (11, "A2")], &[])],
        ..Semantics::default()
    };
    below_constituents(&constituents(), &said, &Probabilities::default())
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
