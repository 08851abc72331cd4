//! A page with one picture of each kind. Run it and look at the page in a browser:
//!
//! ```text
//! cargo run -p draw --example gallery > gallery.html
//! ```

use draw::{Caption, Figure};
use tree::{
    Arc, Group, GroupKind, Head, Node, PartialTree, Place, Sentence, Text, Token, TokenId, Tree, TreeBuilder,
};

#[expect(clippy::print_stdout, reason = "the page is what this program makes")]
fn main() {
    let figures: Vec<(Caption, Figure)> = vec![
        ("A non-projective tree".into(), draw::dependency(&hearing())),
        ("A multiword token and probabilities".into(), draw::dependency(&al_mar())),
        ("From right to left".into(), draw::dependency(&hebrew())),
        ("A partial annotation".into(), cats_and_dogs()),
        ("A constituency tree".into(), draw::constituency(&constituents())),
    ];
    print!("{}", draw::page("Gallery", figures));
}

/// Lines of form, part of speech, head, relation and, where it is known, the probability of the head.
fn sentence(lines: &[&str]) -> Sentence {
    let mut sentence =
        Sentence::from_forms(lines.iter().map(|line| line.split(' ').next().unwrap_or_default()));
    for (token, line) in sentence.tokens.iter_mut().zip(lines) {
        let columns: Vec<&str> = line.split(' ').collect();
        token.upos = columns[1].into();
        token.head = Head::read(columns[2]);
        token.deprel = columns[3].into();
        if let Some(probability) = columns.get(4) {
            token.misc = format!("HeadProb={probability}").into();
        }
    }
    sentence
}

fn hearing() -> Sentence {
    sentence(&[
        "A DET 2 det",
        "hearing NOUN 4 nsubj:pass",
        "is AUX 4 aux:pass",
        "scheduled VERB 0 root",
        "on ADP 7 case",
        "the DET 7 det",
        "issue NOUN 2 nmod",
        "today ADV 4 advmod",
        ". PUNCT 4 punct",
    ])
}

fn al_mar() -> Sentence {
    let mut sentence = sentence(&[
        "vamos VERB 0 root 0.98",
        "nos PRON 1 expl:pv 0.91",
        "a ADP 5 case 0.88",
        "el DET 5 det 0.95",
        "mar NOUN 1 obl 0.42",
    ]);
    sentence.tokens.insert(0, Token::new(TokenId::Range(1, 2), "vámonos"));
    sentence.tokens.insert(3, Token::new(TokenId::Range(3, 4), "al"));
    sentence
}

fn hebrew() -> Sentence {
    sentence(&[
        "הילד NOUN 2 nsubj",
        "קרא VERB 0 root",
        "ספר NOUN 2 obj",
        "מעניין ADJ 3 amod",
        ". PUNCT 2 punct",
    ])
}

/// `$x :: {cats dogs} :: {and}`, `(The $x*) > sleep**`, `(sleep* in [New York])`, `[New York] > in`, and that
/// `all` does not depend on `York`.
fn cats_and_dogs() -> Figure {
    let forms = ["The", "cats", "and", "dogs", "all", "sleep", "well", "in", "New", "York", "."];
    let place = Place::default();
    let word = Node::Word;
    let mut said = PartialTree::new(forms.len());
    let (name, conjuncts, coordinators) = ("x".to_owned(), vec![word(2), word(4)], vec![word(3)]);
    let kinds = [
        GroupKind::Coordination { name, conjuncts, coordinators },
        GroupKind::Bracket { members: vec![word(1), Node::Group(0)], head: Some(Node::Group(0)) },
        GroupKind::Multiword { words: vec![9, 10] },
        GroupKind::Bracket { members: vec![word(6), word(8), Node::Group(2)], head: Some(word(6)) },
    ];
    said.groups.extend(kinds.map(|kind| Group { kind, place }));
    said.arcs.push(Arc { head: word(6), dependent: Node::Group(1), place });
    said.arcs.push(Arc { head: word(8), dependent: Node::Group(2), place });
    said.forbidden.push(Arc { head: word(10), dependent: word(5), place });
    said.roots.push((word(6), place));
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
