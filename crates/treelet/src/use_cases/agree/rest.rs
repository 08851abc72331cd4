//! What a combined annotation keeps of columns that are not voted on.

use crate::table::plural;
use crate::watch::Watch;
use formats::detect::Format;
use formats::semantics;
use tree::provenance::{self, Column};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token, mseg};

/// What only others than the first annotator have, and is not kept.
#[derive(Debug, Default)]
pub(super) struct Left {
    n_comments: usize,
    n_rows: usize,
    n_deps: usize,
    n_items: usize,
}

/// Comments that say what the rows say, or who made them.
const OWN: [&str; 5] = ["# sent_id", "# text", "# anno", "# seconds", "# treelet_"];

impl Left {
    /// Adds to the rows of the first annotator what only others have in MISC. Of items with the same name the first
    /// annotator's stays, and so do comments, rows of ranges and empty nodes, and DEPS.
    pub(super) fn merge(&mut self, sentence: &mut Sentence, others: &[&Sentence]) {
        let own = sentence.comments.clone();
        let is_new =
            |comment: &&Text| !own.contains(comment) && !OWN.iter().any(|key| comment.starts_with(key));
        for other in others {
            self.n_comments += other.comments.iter().filter(is_new).count();
            // What a machine found would lose the comment that says so.
            let is_by_machine =
                other.comments.iter().any(|comment| semantics::is_author(comment, Format::Conllu));
            for theirs in &other.tokens {
                match sentence.tokens.iter_mut().find(|token| token.id == theirs.id) {
                    Some(token) => self.merge_row(token, theirs, is_by_machine),
                    None => self.n_rows += 1,
                }
            }
        }
    }

    fn merge_row(&mut self, token: &mut Token, theirs: &Token, is_by_machine: bool) {
        self.n_deps += usize::from(theirs.deps != UNSPECIFIED && theirs.deps != token.deps);
        let items =
            theirs.misc.split('|').filter(|item| theirs.misc != UNSPECIFIED && !provenance::is_mark(item));
        for item in items {
            let of_name = token.misc.split('|').find(|own| name(own) == name(item));
            match of_name {
                Some(own) => self.n_items += usize::from(own != item),
                None if is_by_machine && semantics::is_item(item) => self.n_items += 1,
                // Who cut a word into morphs goes with the morphs.
                None if name(item) == mseg::NAME => Column::Morphs.copy(theirs, token),
                None if token.misc == UNSPECIFIED => token.misc = item.into(),
                None => token.misc = format!("{}|{item}", token.misc).into(),
            }
        }
    }

    pub(super) fn report(&self, watch: &dyn Watch) {
        let counts = [
            (self.n_comments, "comment"),
            (self.n_rows, "row of ranges and empty nodes"),
            (self.n_deps, "cell of DEPS"),
            (self.n_items, "item of MISC with another value"),
        ];
        let told: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| several(n, what)).collect();
        if !told.is_empty() {
            watch.note(&format!("note: the first annotator's are kept; of others not: {}", told.join(", ")));
        }
    }
}

/// As [`plural`], of a noun with something behind it.
fn several(n: usize, what: &str) -> String {
    match what.split_once(' ') {
        Some((noun, rest)) => format!("{} {rest}", plural(n, noun)),
        None => plural(n, what),
    }
}

fn name(item: &str) -> &str {
    item.split('=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(comment: &str, deps: &str, misc: &str) -> Sentence {
        let mut sentence = Sentence::from_forms(["dogs"]);
        sentence.comments = vec![comment.into()];
        sentence.tokens[0].deps = deps.into();
        sentence.tokens[0].misc = misc.into();
        sentence
    }

    #[test]
    fn items_of_others_are_added_and_the_rest_is_counted() {
        let mut first = sentence("# sent_id = 1", "_", "Gloss=dog");
        let others = [
            sentence("# unsure", "0:root", "Gloss=hound|Note=why|HeadBy=gpc:0"),
            sentence("# sent_id = 1", "_", "_"),
        ];
        let mut left = Left::default();
        left.merge(&mut first, &others.iter().collect::<Vec<_>>());
        assert_eq!(first.tokens[0].misc, "Gloss=dog|Note=why");
        assert_eq!((left.n_comments, left.n_rows, left.n_deps, left.n_items), (1, 0, 1, 1));
    }

    #[test]
    fn morphs_of_a_machine_stay_the_machines() {
        let mut first = sentence("# sent_id = 1", "_", "_");
        Left::default().merge(&mut first, &[&sentence("# sent_id = 1", "_", "MSeg=dog-s|MSegBy=m:dog-s")]);
        assert!(Column::Morphs.is_by_machine(&first.tokens[0]), "{}", first.tokens[0].misc);
        let mut first = sentence("# sent_id = 1", "_", "_");
        Left::default().merge(&mut first, &[&sentence("# sent_id = 1", "_", "MSeg=dog-s")]);
        assert_eq!(first.tokens[0].misc, "MSeg=dog-s");
    }

    #[test]
    fn an_empty_column_takes_what_others_have() {
        let mut first = sentence("# sent_id = 1", "_", "_");
        Left::default().merge(&mut first, &[&sentence("# sent_id = 1", "_", "Note=why")]);
        assert_eq!(first.tokens[0].misc, "Note=why");
    }
}
