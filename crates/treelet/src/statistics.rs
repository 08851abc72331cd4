//! Figures that describe a corpus.

use crate::committed::Commitments;
use crate::imputation::annotated::{heads_of, only_said};
use formats::brackets::Bracketed;
use formats::everything::Item;
use formats::gfl::Block;
use score::agreement::definite_heads;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use tree::semantics::Semantics;
use tree::{Group, GroupKind, PartialTree, Sentence, Text, TokenId, Tree};

/// Counts over the items of one corpus.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    n_sentences: usize,
    n_words: usize,
    longest: usize,
    types: HashSet<Text>,
    tags: BTreeMap<Text, usize>,
    dependency: Dependency,
    constituency: ConstituencyFigures,
    annotation: Annotation,
    semantics: SemanticCounts,
}

/// Entities, relations of them, predicates and arguments by kind.
#[derive(Debug, Default)]
struct SemanticCounts {
    entities: BTreeMap<Text, usize>,
    relations: BTreeMap<Text, usize>,
    n_predicates: usize,
    senses: BTreeMap<Text, usize>,
    roles: BTreeMap<Text, usize>,
    n_open_words: usize,
    n_open_pairs: usize,
}

#[derive(Debug, Default)]
struct Dependency {
    n_sentences: usize,
    n_ranges: usize,
    n_empty_nodes: usize,
    n_whole: usize,
    n_projective: usize,
    n_crossing: usize,
    n_arcs: usize,
    total_length: usize,
    depth: usize,
    relations: BTreeMap<Text, usize>,
}

#[derive(Debug, Default)]
struct ConstituencyFigures {
    n_trees: usize,
    n_constituents: usize,
    n_children: usize,
    n_chains: usize,
    longest_chain: usize,
    depth: usize,
    labels: BTreeMap<Text, usize>,
}

#[derive(Debug, Default)]
struct Annotation {
    n_sentences: usize,
    n_words: usize,
    n_mentioned: usize,
    n_headed: usize,
    n_arcs: usize,
    n_brackets: usize,
    n_multiwords: usize,
    n_coordinations: usize,
    n_roots: usize,
    commitments: Commitments,
}

impl Statistics {
    /// Counts one item.
    pub(crate) fn add(&mut self, item: &Item) {
        match item {
            Item::Sentence(sentence) => self.add_sentence(sentence),
            Item::Tree(Bracketed { tree: Some(tree), .. }) => self.add_tree(tree),
            Item::Tree(_) => {}
            Item::Annotation(block) => self.add_annotation(block),
            Item::Pair(pair) => self.add_text(&pair.sentence()),
            Item::Labelled(labelled) if labelled.is_boundary() => {}
            Item::Labelled(labelled) => {
                self.add_words(labelled.rows.iter().map(|row| Text::from(row.word())));
                labelled.rows.iter().for_each(|row| count(&mut self.tags, row.label().into()));
            }
        }
    }

    /// Counts what is said of entities, relations and predicates.
    pub(crate) fn add_semantics(&mut self, said: &Semantics) {
        let counts = &mut self.semantics;
        said.entities.iter().for_each(|entity| count(&mut counts.entities, entity.kind.clone()));
        said.relations.iter().for_each(|relation| count(&mut counts.relations, relation.kind.clone()));
        for predicate in &said.predicates {
            counts.n_predicates += 1;
            predicate.sense.iter().for_each(|sense| count(&mut counts.senses, sense.clone()));
            predicate.arguments.iter().for_each(|one| count(&mut counts.roles, one.role.clone()));
        }
        counts.n_open_words += said.open_words.len();
        counts.n_open_pairs += said.open_pairs.len();
    }

    /// Counts a sentence of plain text, of which there is nothing more to say than its words.
    pub(crate) fn add_text(&mut self, sentence: &Sentence) {
        if sentence.n_words() > 0 {
            self.add_words(sentence.words().map(|word| word.form.clone()));
        }
    }

    fn add_words(&mut self, words: impl Iterator<Item = Text>) {
        let before = self.n_words;
        for word in words {
            self.n_words += 1;
            self.types.insert(word);
        }
        self.n_sentences += 1;
        self.longest = self.longest.max(self.n_words - before);
    }

    fn add_sentence(&mut self, sentence: &Sentence) {
        self.add_words(sentence.words().map(|word| word.form.clone()));
        let dependency = &mut self.dependency;
        dependency.n_sentences += 1;
        for token in &sentence.tokens {
            match token.id {
                TokenId::Range(..) => dependency.n_ranges += 1,
                TokenId::Empty(..) => dependency.n_empty_nodes += 1,
                TokenId::Word(word) => {
                    let tag = if token.upos == "_" { &token.xpos } else { &token.upos };
                    count(&mut self.tags, tag.clone());
                    if let Some(head) = token.head.index() {
                        count(&mut dependency.relations, token.deprel.clone());
                        if head > 0 {
                            dependency.n_arcs += 1;
                            dependency.total_length += head.abs_diff(word) as usize;
                        }
                    }
                }
            }
        }
        if let Ok(Some(heads)) = sentence.heads()
            && !heads.is_empty()
        {
            dependency.n_whole += 1;
            dependency.depth = dependency.depth.max(heads.depth());
            if heads.is_projective() {
                dependency.n_projective += 1;
            } else {
                dependency.n_crossing += heads.crossing().len();
            }
        }
        let said = PartialTree::from_sentence(sentence);
        self.annotation.add(&said);
    }

    fn add_tree(&mut self, tree: &Tree<Text>) {
        self.add_words(tree.words().cloned());
        for (tag, _) in tree.tagged_words() {
            count(&mut self.tags, tag.cloned().unwrap_or_else(|| "_".into()));
        }
        self.constituency.add(tree);
    }

    fn add_annotation(&mut self, block: &Block) {
        if block.tokens.is_empty() && block.section("TEXT").is_none() {
            return;
        }
        self.add_words(formats::convert::forms(block).into_iter());
        for tag in block.tags.iter().flatten() {
            count(&mut self.tags, tag.clone());
        }
        self.annotation.add(&block.said);
    }

    /// Whether there was more than text.
    fn has_tags(&self) -> bool {
        !self.tags.is_empty() || self.n_sentences == 0 || self.annotation.n_sentences > 0
    }

    /// The figures by name, in a fixed order.
    pub(crate) fn figures(&self) -> Map<String, Value> {
        let mut figures = Map::new();
        let mut put = |name: &str, value: Value| {
            figures.insert(name.to_string(), value);
        };
        put("sentences", json!(self.n_sentences));
        put("tokens", json!(self.n_words));
        put("types", json!(self.types.len()));
        put("mean_length", ratio(self.n_words, self.n_sentences));
        put("longest_sentence", json!(self.longest));
        if self.dependency.n_sentences > 0 {
            self.dependency.figures(&mut put);
        }
        if self.constituency.n_trees > 0 {
            self.constituency.figures(&mut put);
        }
        if self.annotation.n_sentences > 0 {
            self.annotation.figures(&mut put);
        }
        self.semantics.figures(&mut put);
        if self.has_tags() {
            put("tags", counts(&self.tags));
        }
        figures
    }
}

impl SemanticCounts {
    /// Those of which there are any.
    fn figures(&self, put: &mut impl FnMut(&str, Value)) {
        if !self.entities.is_empty() {
            put("n_entities", json!(self.entities.values().sum::<usize>()));
            put("open_words", json!(self.n_open_words));
            put("entities", counts(&self.entities));
        }
        if !self.relations.is_empty() {
            put("n_entity_relations", json!(self.relations.values().sum::<usize>()));
            put("open_pairs", json!(self.n_open_pairs));
            put("entity_relations", counts(&self.relations));
        }
        if self.n_predicates > 0 {
            put("predicates", json!(self.n_predicates));
            put("n_arguments", json!(self.roles.values().sum::<usize>()));
            put("senses", counts(&self.senses));
            put("roles", counts(&self.roles));
        }
    }
}

impl Dependency {
    fn figures(&self, put: &mut impl FnMut(&str, Value)) {
        put("multiword_tokens", json!(self.n_ranges));
        put("empty_nodes", json!(self.n_empty_nodes));
        put("whole_trees", json!(self.n_whole));
        put("projective_trees", json!(self.n_projective));
        put("projective_share", ratio(self.n_projective, self.n_whole));
        put("crossing_arcs", json!(self.n_crossing));
        put("mean_arc_length", ratio(self.total_length, self.n_arcs));
        put("dependency_depth", json!(self.depth));
        put("relations", counts(&self.relations));
    }
}

impl ConstituencyFigures {
    fn add(&mut self, tree: &Tree<Text>) {
        self.n_trees += 1;
        // End of each open constituent in preorder, and length of the unary chain that reaches it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate() {
            while open.last().is_some_and(|&(end, _)| end <= index) {
                open.pop();
            }
            let end = index + node.size();
            let is_preterminal = node.size() == 2 && tree.nodes()[index + 1].is_word();
            if !node.is_word() && !is_preterminal {
                let n_children = children(tree, index);
                self.n_constituents += 1;
                self.n_children += n_children;
                count(&mut self.labels, node.label.clone());
                let before = open.last().map_or(0, |&(_, chain)| chain);
                let chain = if n_children == 1 { before + 1 } else { 0 };
                // A chain is counted where it starts.
                self.n_chains += usize::from(chain == 1);
                self.longest_chain = self.longest_chain.max(chain);
                open.push((end, chain));
            } else if is_preterminal {
                open.push((end, 0));
            }
            self.depth = self.depth.max(open.len());
        }
    }

    fn figures(&self, put: &mut impl FnMut(&str, Value)) {
        put("trees", json!(self.n_trees));
        put("constituents", json!(self.n_constituents));
        put("branching_factor", ratio(self.n_children, self.n_constituents));
        put("unary_chains", json!(self.n_chains));
        put("longest_unary_chain", json!(self.longest_chain));
        put("constituency_depth", json!(self.depth));
        put("labels", counts(&self.labels));
    }
}

/// Number of children of a node, walking over the sizes of its subtrees.
fn children(tree: &Tree<Text>, index: usize) -> usize {
    let nodes = tree.nodes();
    let (mut at, mut n_children) = (index + 1, 0);
    while at < index + nodes[index].size() {
        at += nodes[at].size();
        n_children += 1;
    }
    n_children
}

impl Annotation {
    fn add(&mut self, said: &PartialTree) {
        self.n_sentences += 1;
        self.n_words += said.n_words;
        self.n_mentioned += said.mentioned_words().len();
        self.n_arcs += said.arcs.len();
        self.n_roots += said.roots.len();
        self.n_headed += n_headed(said);
        for group in &said.groups {
            match group.kind {
                GroupKind::Bracket { .. } => self.n_brackets += 1,
                GroupKind::Multiword { .. } => self.n_multiwords += 1,
                GroupKind::Coordination { .. } => self.n_coordinations += 1,
            }
        }
        self.commitments.add(said);
    }

    fn figures(&self, put: &mut impl FnMut(&str, Value)) {
        put("mentioned_words", json!(self.n_mentioned));
        put("headed_words", json!(self.n_headed));
        put("annotation_density", ratio(self.n_headed, self.n_words));
        put("arcs", json!(self.n_arcs));
        put("roots", json!(self.n_roots));
        put("brackets", json!(self.n_brackets));
        put("multiwords", json!(self.n_multiwords));
        put("coordinations", json!(self.n_coordinations));
        let of = &self.commitments;
        put("mean_commitment", json!(of.mean(|one| one.exact)));
        put("mean_spanning_commitment", json!(of.mean(|one| one.spanning)));
        put("mean_named_commitment", json!(of.mean(|one| one.named)));
        put("mean_named_spanning_commitment", json!(of.mean(|one| one.named_spanning)));
        put("ln_promiscuity", json!(of.sum(|one| one.ln_trees)));
        put("ln_spanning_promiscuity", json!(of.sum(|one| one.ln_spanning_trees)));
    }
}

/// Words whose head was said and is certain; all words of a multiword if it has one.
fn n_headed(said: &PartialTree) -> usize {
    // Without groups, what was said is certain.
    let heads = if said.groups.is_empty() { heads_of(said) } else { only_said(said, definite_heads(said)) };
    let later = |group: &Group| match &group.kind {
        GroupKind::Multiword { words } => {
            let is_headed =
                words.iter().any(|&word| heads.get(word.wrapping_sub(1)).is_some_and(Option::is_some));
            if is_headed { words.len() - 1 } else { 0 }
        }
        _ => 0,
    };
    heads.iter().flatten().count() + said.groups.iter().map(later).sum::<usize>()
}

fn counts(counts: &BTreeMap<Text, usize>) -> Value {
    counts.iter().map(|(name, n)| (name.to_string(), json!(n))).collect()
}

fn ratio(part: usize, whole: usize) -> Value {
    if whole == 0 { Value::Null } else { json!(part as f64 / whole as f64) }
}

fn count(counts: &mut BTreeMap<Text, usize>, name: Text) {
    *counts.entry(name).or_default() += 1;
}
