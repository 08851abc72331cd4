//! Parsed sentences as they are written.

use super::{Ready, marked};
use crate::imputation::annotated::word_ids;
use crate::imputation::rows::{id_of, one_line, replacing, rounded, with_items};
use dependency::{Parsed, Ranked, TagColumn};
use formats::conllu;
use impute::ArcPosteriors;
use serde_json::{Value, json};
use std::io::{self, Write};
use tree::provenance::{Column, HEAD_SAID};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Heads, PartialTree, Sentence, Text, Token};

/// Other heads that are listed must be at least this probable, and so many are listed.
const LEAST_LISTED: f64 = 0.01;
const MOST_LISTED: usize = 3;

/// A sentence, its tree, and how to write it.
pub(super) struct ParsedRow<'a> {
    pub(super) ready: &'a Ready,
    pub(super) parsed: &'a Parsed,
    /// How the parser signs, if it does.
    pub(super) machine: Option<&'a str>,
    /// Whether MISC says how sure things are.
    pub(super) probabilities: bool,
    /// The tags that the parser goes by.
    pub(super) column: TagColumn,
    pub(super) number: usize,
}

impl ParsedRow<'_> {
    pub(super) fn write(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            return writeln!(out, "{}", self.json());
        }
        if self.parsed.n_best.is_empty() {
            return conllu::write(&self.with_tree(&self.parsed.heads, &self.parsed.relations), out);
        }
        for (rank, tree) in (1..).zip(&self.parsed.n_best) {
            let mut sentence = self.with_tree(&tree.heads, &tree.relations);
            for comment in &mut sentence.comments {
                // Every sentence of a file has an id of its own.
                if comment.starts_with("# sent_id =") {
                    *comment = format!("{comment}.{rank}").into();
                }
            }
            sentence.comments.push(format!("# rank = {rank}").into());
            sentence.comments.push(format!("# probability = {:.6}", tree.probability).into());
            conllu::write(&sentence, out)?;
        }
        Ok(())
    }

    /// The sentence with a tree in it, and the relations of that tree.
    fn with_tree(&self, heads: &Heads, relations: &[(Text, f64)]) -> Sentence {
        let mut sentence = self.ready.given.annotated.sentence.clone();
        let ids = word_ids(&sentence);
        for (word, token) in (1..).zip(sentence.words_mut()) {
            let head = heads.head(word);
            token.head = Head::Of(id_of(head, &ids));
            let (relation, of_relation) = &relations[word - 1];
            token.deprel = self.kept(word).1.unwrap_or(relation).clone();
            if self.ready.borrowed[word - 1] {
                *self.column.of_mut(token) = UNSPECIFIED;
            }
            self.mark(token, word, head, *of_relation, &ids);
        }
        if self.parsed.in_pieces {
            let text =
                "# treelet_fallback = longer than --max-words, so parsed in pieces; not to be relied on";
            sentence.comments.push(text.into());
        }
        formats::gfl::comments::to_comments(&self.said(), &mut sentence);
        if let Some(conflict) = &self.ready.conflict {
            sentence.comments.push(format!("# treelet_conflict = {}", one_line(conflict)).into());
        }
        sentence
    }

    /// What was said of the sentence, if that is honoured.
    fn said(&self) -> PartialTree {
        let annotated = &self.ready.given.annotated;
        match self.ready.possible {
            Some(_) => annotated.said.clone(),
            None => PartialTree::new(annotated.said.n_words),
        }
    }

    /// What a person said of a word that had to be kept.
    fn kept(&self, word: usize) -> (Option<&Head>, Option<&Text>) {
        let kept = self.ready.kept.get(word - 1);
        kept.map_or((None, None), |(head, relation)| (head.as_ref(), relation.as_ref()))
    }

    /// Says what of a word the parser found, and how sure it is.
    fn mark(&self, token: &mut Token, word: usize, head: usize, of_relation: f64, ids: &[u32]) {
        let (said_head, said_relation) = self.kept(word);
        let found_head = said_head != Some(&token.head);
        let items = if self.probabilities && found_head { self.items(word, head, ids) } else { Vec::new() };
        token.misc = with_items(&token.misc, items);
        for column in [Column::Head, Column::Deprel] {
            column.unmark_keeping_others(token);
        }
        let found_relation = said_relation != Some(&token.deprel);
        let posteriors = self.parsed.posteriors.as_ref().filter(|_| self.probabilities);
        let of_head = posteriors.map(|posteriors| posteriors.of(head, word).min(1.0));
        let of_relation = posteriors.map(|_| of_relation);
        let sure = [(Column::Head, found_head, of_head), (Column::Deprel, found_relation, of_relation)];
        for (column, _, probability) in sure.into_iter().filter(|(_, found, _)| *found) {
            match self.machine {
                Some(machine) => column.sign(token, machine, probability),
                None => column.say_probability(token, probability),
            }
        }
        if let Some(said) = said_head.filter(|_| found_head) {
            token.misc = replacing(&token.misc, &[HEAD_SAID], vec![(HEAD_SAID, said.to_string())]);
        }
        if self.machine.is_none() {
            [Column::Upos, Column::Xpos].into_iter().for_each(|column| column.unmark(token));
        }
        let of_tag = self.ready.tagged.get(word - 1).copied().flatten();
        marked(self.column).say_probability(token, of_tag.filter(|_| self.probabilities));
    }

    fn items(&self, word: usize, head: usize, ids: &[u32]) -> Vec<(&'static str, String)> {
        let Some(posteriors) = &self.parsed.posteriors else { return Vec::new() };
        let others = others(posteriors, word, head);
        if others.is_empty() {
            return Vec::new();
        }
        let shown: Vec<String> =
            others.iter().map(|&(head, p)| format!("{}:{p:.2}", id_of(head, ids))).collect();
        vec![("HeadAlt", shown.join(","))]
    }

    fn json(&self) -> Value {
        let sentence = &self.ready.given.annotated.sentence;
        let ids = word_ids(sentence);
        let words: Vec<Value> = (1..)
            .zip(sentence.words())
            .map(|(word, token)| {
                let head = self.parsed.heads.head(word);
                let posteriors = self.parsed.posteriors.as_ref();
                let listed = posteriors.map(|posteriors| others(posteriors, word, head)).unwrap_or_default();
                json!({
                    "id": ids[word - 1],
                    "form": token.form.as_str(),
                    "tag": self.column.of(token).as_str(),
                    "upos": token.upos.as_str(),
                    "tag_probability": self.ready.tagged.get(word - 1).copied().flatten().map(rounded),
                    "head": id_of(head, &ids),
                    "deprel": self.parsed.relations[word - 1].0.as_str(),
                    "said": {"head": self.kept(word).0.is_some(), "deprel": self.kept(word).1.is_some()},
                    "probability": posteriors.map(|posteriors| rounded(posteriors.of(head, word).min(1.0))),
                    "relation_probability": rounded(self.parsed.relations[word - 1].1),
                    "others": listed.iter()
                        .map(|&(head, p)| json!({"head": id_of(head, &ids), "probability": rounded(p)}))
                        .collect::<Vec<_>>(),
                })
            })
            .collect();
        let mut object = json!({ "sentence": self.number, "id": sentence.id(), "words": words });
        if self.parsed.in_pieces {
            object["fallback"] = "longer than --max-words, so parsed in pieces".into();
        }
        if !self.parsed.n_best.is_empty() {
            let tree = |tree: &Ranked| {
                let heads: Vec<u32> =
                    (1..=tree.heads.len()).map(|word| id_of(tree.heads.head(word), &ids)).collect();
                let relations: Vec<&str> = tree.relations.iter().map(|(name, _)| name.as_str()).collect();
                json!({"heads": heads, "relations": relations, "probability": rounded(tree.probability)})
            };
            object["n_best"] = self.parsed.n_best.iter().map(tree).collect();
        }
        if let Some(conflict) = &self.ready.conflict {
            object["conflict"] = one_line(conflict).into();
        }
        object
    }
}

/// The most probable other heads.
fn others(posteriors: &ArcPosteriors, word: usize, chosen: usize) -> Vec<(usize, f64)> {
    let ranked = posteriors.ranked(word).into_iter();
    ranked.filter(|&(head, p)| head != chosen && p >= LEAST_LISTED).take(MOST_LISTED).collect()
}
