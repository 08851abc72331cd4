//! What rows have no column for, in comments `# anno = (the old man*) > saw`: brackets, multiwords, coordinations.
//!
//! CoNLL-U holds heads of words. Of an annotation that says more, the rest stands in comments, one statement each,
//! so that nothing is forgotten on the way from GFL to CoNLL-U and back.

use super::rows::spaceless;
use super::{parse_annotation, write_annotation};
use crate::Problem;
use tree::{Node, PartialTree, Sentence, Text};

const KEY: &str = "# anno =";

/// Puts what the heads of a sentence do not say into comments, in place of older ones.
pub fn to_comments(said: &PartialTree, sentence: &mut Sentence) {
    sentence.comments.retain(|comment| !comment.starts_with(KEY));
    let rest = beyond_rows(said, sentence);
    if rest == PartialTree::new(rest.n_words) {
        return;
    }
    let spelled = write_annotation(&rest, &tokens(sentence));
    let lines = spelled.lines().filter(|line| !line.trim().is_empty());
    sentence.comments.extend(lines.map(|line| Text::from(format!("{KEY} {line}"))));
}

/// What comments say of a sentence that begins on this line of its file; `None` if there are none.
pub fn from_comments(sentence: &Sentence, line: u32) -> Option<(PartialTree, Vec<Problem>)> {
    // Spaces in place of the key keep the columns of places right.
    let statement = |comment: &Text| Some(format!("{}{}", " ".repeat(KEY.len()), comment.strip_prefix(KEY)?));
    let numbered = (line..).zip(&sentence.comments);
    let statements: Vec<(u32, String)> =
        numbered.filter_map(|(line, comment)| Some((line, statement(comment)?))).collect();
    if statements.is_empty() {
        return None;
    }
    let lines = statements.iter().map(|(line, text)| (*line, text.as_str()));
    Some(parse_annotation(lines, &tokens(sentence)))
}

fn tokens(sentence: &Sentence) -> Vec<Text> {
    sentence.words().map(|word| spaceless(&word.form).into()).collect()
}

/// An annotation without the heads that stand in the rows.
fn beyond_rows(said: &PartialTree, sentence: &Sentence) -> PartialTree {
    let heads = tree::PartialTree::from_sentence(sentence);
    let mut rest = said.clone();
    rest.arcs.retain(|arc| {
        !heads.arcs.iter().any(|known| (known.head, known.dependent) == (arc.head, arc.dependent))
    });
    rest.roots.retain(|(node, _)| !heads.roots.iter().any(|(known, _)| known == node));
    let is_in_rows = |word: &usize| {
        let node = Node::Word(*word);
        heads.arcs.iter().any(|arc| arc.head == node || arc.dependent == node)
            || heads.roots.iter().any(|(root, _)| *root == node)
    };
    rest.mentioned.retain(|word| !is_in_rows(word));
    rest
}
