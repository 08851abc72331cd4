//! The chosen sentences as a file to go on with.

use super::pool::{Pool, PoolSentence};
use crate::imputation::annotated::word_ids;
use crate::imputation::rows::id_of;
use crate::target::Target;
use crate::watch::Watch;
use anyhow::Context;
use formats::conllu;
use formats::detect::Format;
use formats::gfl::{Block, comments};
use std::io::Write;
use std::path::Path;
use study::select::Choice;
use tree::sentence::UNSPECIFIED;
use tree::{Head, Node, PartialTree, Sentence};

/// Comments that an earlier selection may have left.
const OURS: [&str; 4] = ["# treelet_rank =", "# treelet_why =", "# treelet_from =", "# treelet_disputed ="];

/// Writes the sentences of all choices, each once, in the order of their first choice.
pub(super) fn write(
    output: &Path,
    pool: &Pool<'_>,
    chosen: &[Choice],
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let mut target = Target::create(output)?;
    let as_gfl = Format::from_path(output) == Some(Format::Gfl);
    let mut order: Vec<usize> = Vec::new();
    for choice in chosen.iter().map(|choice| choice.candidate.sentence) {
        if !order.contains(&choice) {
            order.push(choice);
        }
    }
    for &at in &order {
        let item = &pool.items[at];
        let own = (1..).zip(chosen).filter(|(_, choice)| choice.candidate.sentence == at).collect::<Vec<_>>();
        let sentence = sentence(item, &own);
        match as_gfl {
            true => writeln!(target, "{}", Block::from_sentence(&sentence, &item.annotated.said)),
            false => conllu::write(&sentence, &mut target),
        }
        .with_context(|| format!("cannot write {}", output.display()))?;
    }
    target.finish(watch)?;
    watch.note(&format!(
        "{}: {} to annotate",
        output.display(),
        crate::table::plural(order.len(), "sentence")
    ));
    Ok(())
}

/// The rows with all heads that are said and undisputed, and comments that say why the sentence was chosen.
fn sentence(item: &PoolSentence<'_>, choices: &[(usize, &Choice)]) -> Sentence {
    let mut sentence = item.annotated.sentence.clone();
    let ids = word_ids(&sentence);
    let mut disputed = Vec::new();
    for (word, token) in (1..).zip(sentence.words_mut()) {
        let heads = item.given(word);
        match heads[..] {
            [] => {}
            [head] => {
                token.head = Head::Of(id_of(head, &ids));
                let relations = item.heads[word - 1].iter().map(|(_, relation)| relation);
                let mut known =
                    relations.filter(|relation| **relation != UNSPECIFIED && !relation.is_empty());
                token.deprel = known.next().cloned().unwrap_or(UNSPECIFIED);
            }
            _ => {
                token.head = Head::Open;
                token.deprel = UNSPECIFIED;
                let given: Vec<String> = heads.iter().map(|&head| id_of(head, &ids).to_string()).collect();
                disputed.push(format!("{} {}: {}", ids[word - 1], token.form, given.join(" or ")));
            }
        }
    }
    sentence.comments.retain(|comment| !OURS.iter().any(|ours| comment.starts_with(ours)));
    for (rank, choice) in choices {
        let doubts: Vec<String> =
            item.shown(choice).into_iter().map(|word| item.doubt(word).to_string()).collect();
        let candidate = &choice.candidate;
        sentence.comments.push(format!("# treelet_rank = {rank}").into());
        let why = format!(
            "# treelet_why = {} open, entropy {:.2}, cost {:.1}, score {:.3}; {}",
            item.open.len(),
            candidate.entropy,
            candidate.cost,
            choice.score,
            doubts.join("; ")
        );
        sentence.comments.push(why.into());
    }
    if !disputed.is_empty() {
        sentence.comments.push(format!("# treelet_disputed = {}", disputed.join("; ")).into());
    }
    sentence.comments.push(format!("# treelet_from = {}", item.place()).into());
    comments::to_comments(&groups_of(&item.annotated.said), &mut sentence);
    sentence
}

/// What was said of brackets and multiwords; heads of words stand in the rows, or are in dispute.
fn groups_of(said: &PartialTree) -> PartialTree {
    let is_group = |node: Node| matches!(node, Node::Group(_));
    let mut groups = said.clone();
    groups.arcs.retain(|arc| is_group(arc.head) || is_group(arc.dependent));
    groups.roots.retain(|&(node, _)| is_group(node));
    groups.mentioned.clear();
    groups
}
