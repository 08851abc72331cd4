//! Sentences and annotations that have something of everything that is drawn.

use tree::semantics::{Argument, Entity, Predicate, Relation, Semantics};
use tree::{Arc, Group, GroupKind, Head, Node, PartialTree, Place, Sentence, Span, Token, TokenId};

/// Lines of form, part of speech, head and relation.
///
/// # Panics
/// If a line has fewer than four columns.
pub fn sentence(lines: &[&str]) -> Sentence {
    let mut sentence =
        Sentence::from_forms(lines.iter().map(|line| line.split(' ').next().unwrap_or_default()));
    for (token, line) in sentence.tokens.iter_mut().zip(lines) {
        let columns: Vec<&str> = line.split(' ').collect();
        token.upos = columns[1].into();
        token.head = Head::read(columns[2]);
        token.deprel = columns[3].into();
    }
    sentence
}

/// A tree with crossing arcs.
pub fn hearing() -> Sentence {
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

/// Two multiword tokens.
pub fn al_mar() -> Sentence {
    let mut sentence = sentence(&[
        "vamos VERB 0 root",
        "nos PRON 1 expl:pv",
        "a ADP 5 case",
        "el DET 5 det",
        "mar NOUN 1 obl",
    ]);
    sentence.tokens.insert(0, Token::new(TokenId::Range(1, 2), "vámonos"));
    sentence.tokens.insert(3, Token::new(TokenId::Range(3, 4), "al"));
    sentence
}

/// `$x :: {cats dogs} :: {and}`, `(The $x*) > sleep**`, `(sleep* in [New York])`, `[New York] > in`, and that
/// `all` does not depend on `York`; with the words.
pub fn cats_and_dogs() -> (PartialTree, [&'static str; 11]) {
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
    (said, forms)
}

/// `Ada Lovelace left the University of Cambridge to teach .` with a name inside a name, relations of both, two
/// predicates that share an argument, and words and pairs that are open.
///
/// # Panics
/// Never: all spans hold words.
pub fn ada_left() -> (Sentence, Semantics) {
    let sentence = sentence(&[
        "Ada PROPN 3 nsubj",
        "Lovelace PROPN 1 flat",
        "left VERB 0 root",
        "the DET 5 det",
        "University PROPN 3 obj",
        "of ADP 7 case",
        "Cambridge PROPN 5 nmod",
        "to PART 9 mark",
        "teach VERB 3 advcl",
        ". PUNCT 3 punct",
    ]);
    let entity = |(start, end, kind): (usize, usize, &str)| Entity {
        span: Span::new(start, end).expect("a span"),
        kind: kind.into(),
    };
    let relation =
        |(first, second, kind): (usize, usize, &str)| Relation { first, second, kind: kind.into() };
    let said = Semantics {
        entities: [(0, 2, "PER"), (3, 7, "ORG"), (6, 7, "LOC")].map(entity).to_vec(),
        relations: [(0, 1, "Work_For"), (1, 2, "Located_In")].map(relation).to_vec(),
        predicates: vec![
            predicate((2, "leave.01"), &[(0, "A0"), (4, "A1"), (8, "AM-PRP")], &[]),
            predicate((8, "teach.01"), &[(0, "A0")], &[6]),
        ],
        open_words: [8, 9].into(),
        open_pairs: [(0, 2)].into(),
    };
    (sentence, said)
}

/// A predicate in its sense, with words in their roles, and words that are open.
pub fn predicate((word, sense): (usize, &str), roles: &[(usize, &str)], open: &[usize]) -> Predicate {
    let argument = |&(word, role): &(usize, &str)| Argument { word, role: role.into() };
    let arguments = roles.iter().map(argument).collect();
    Predicate { word, sense: Some(sense.into()), arguments, open: open.iter().copied().collect() }
}
