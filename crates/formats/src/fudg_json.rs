//! FUDG JSON: a partial annotation as a graph with named nodes.
//!
//! Each line has three columns separated by tabs: where the annotation comes from, the sentence, and a JSON
//! object with `tokens`, `nodes`, `n2w`, `varnodes`, `coords`, `node_edges`, `anaph` and
//! `extra_node2words`. Nodes are `W(word)`, `MW(several_words)`, `FE1` (brackets), `$x` (coordinations) and
//! `**` (the root). Older files are read too: `node2words` for `n2w`, `CBB` for `FE`, `unspec` and `cbbhead`
//! for `fe` and `fe*`, `W($$)` or `$$` for the root, coordinators in `extra_node2words`.
//!
//! Not representable, and left out in writing: heads that were ruled out, and the order of bracket members.

use crate::gfl::{Block, JsonLine, Section, Tokens, check};
use crate::{Problem, records};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use tree::PutInOrder;
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place, Text};

/// Reads FUDG JSON lines as blocks, each with the problems found in it.
pub type FudgReader<R> = records::RecordReader<R>;

/// The lines of `source`.
pub fn read<R: BufRead>(source: R) -> FudgReader<R> {
    records::RecordReader::new(source, |text, line, problems| {
        let (mut block, found) = read_line(text, line);
        problems.extend(found);
        block.json = Some(JsonLine::Fudg(text.to_owned()));
        block
    })
}

/// Reads one line without its end; `line` is its number in the file.
pub fn read_line(text: &str, line: u32) -> (Block, Vec<Problem>) {
    let mut graph =
        FudgGraph { line, problems: Vec::new(), nodes: BTreeMap::new(), said: PartialTree::default() };
    let columns: Vec<&str> = text.splitn(3, '\t').collect();
    let [locator, sentence, object] = columns[..] else {
        graph.error(
            "fudg-columns",
            "a line has three columns: locator, sentence, JSON",
            "separate them by tabs",
        );
        return (Block::default(), graph.problems);
    };
    let record: Map<String, Value> = serde_json::from_str(object).unwrap_or_else(|error| {
        graph.error("json-syntax", format!("the third column is no JSON object: {error}"), "repair the JSON");
        Map::new()
    });
    let tokens: Vec<Text> = match record.get("tokens") {
        Some(tokens) => strings(tokens).iter().map(Text::from).collect(),
        None => sentence.split_whitespace().map(Text::from).collect(),
    };
    if let Some(Value::Array(items)) = record.get("tokens")
        && items.len() != tokens.len()
    {
        graph.error(
            "unknown-node",
            "a token is no string, so the positions are wrong",
            "make every token a string",
        );
    }
    graph.read(&record, &Tokens::new(&tokens));
    check(&graph.said, &mut graph.problems);
    (block(locator, &tokens, graph.said), graph.problems)
}

fn block(locator: &str, tokens: &[Text], said: PartialTree) -> Block {
    let mut block =
        Block { separator: Some("---\n".to_owned()), tokens: tokens.to_vec(), ..Block::default() };
    let locator = locator.trim();
    if !locator.is_empty() {
        block.sections.push(Section::new(&format!("ID {locator}"), ""));
        block.id = Some(locator.to_owned());
    }
    block.sections.push(Section::new("TEXT", &format!("{}\n\n", tokens.join(" "))));
    // The annotation is spelled in GFL when it is written as such: brackets that share members can make the
    // text exponentially longer than the graph.
    block.said = said;
    block
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(single) => vec![single.clone()],
        Value::Array(items) => items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// A graph on its way to a partial tree.
struct FudgGraph {
    line: u32,
    problems: Vec<Problem>,
    nodes: BTreeMap<String, Node>,
    said: PartialTree,
}

/// An edge of `node_edges` or `deps`.
struct FudgEdge {
    head: String,
    dependent: String,
    label: Option<String>,
}

impl FudgGraph {
    fn error(&mut self, rule: &'static str, message: impl Into<String>, help: &str) {
        self.problems.push(Problem::error(rule, Place::line(self.line), message, help));
    }

    fn place(&self) -> Place {
        Place::line(self.line)
    }

    fn read(&mut self, record: &Map<String, Value>, tokens: &Tokens<'_>) {
        self.said = PartialTree::new(tokens.len());
        let words = record.get("n2w").or_else(|| record.get("node2words")).and_then(Value::as_object);
        for (name, forms) in words.into_iter().flatten().filter(|(name, _)| !is_root(name)) {
            self.lexical(name, &strings(forms), tokens);
        }
        let edges = edges(record);
        self.groups(record, &edges, tokens);
        self.members(&edges);
        for edge in &edges {
            self.edge(edge);
        }
        for link in pairs(record.get("anaph")) {
            self.link(&link.0, &link.1);
        }
        self.note_mentioned();
    }

    /// `W(word)` and `MW(several_words)`; an `FEMW` is a bracket over its words.
    fn lexical(&mut self, name: &str, forms: &[String], tokens: &Tokens<'_>) {
        let mut words = Vec::new();
        for form in forms {
            match tokens.resolve(form) {
                Ok(word) => words.push(word),
                Err(_) => {
                    let message = format!("node {name}: {form} does not name exactly one token");
                    self.error(
                        "unknown-token",
                        message,
                        "use the tokens as they stand in \"tokens\", indexed if repeated",
                    );
                    return;
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        let node = match words[..] {
            [] => return,
            [word] => Node::Word(word),
            _ if name.starts_with("MW") => self.push(GroupKind::Multiword { words }),
            _ => {
                let members = words.into_iter().map(Node::Word).collect();
                self.push(GroupKind::Bracket { members, head: None })
            }
        };
        self.nodes.insert(name.to_owned(), node);
    }

    fn push(&mut self, kind: GroupKind) -> Node {
        self.said.groups.push(Group { kind, place: self.place() });
        Node::Group(self.said.groups.len() - 1)
    }

    /// Declares brackets and coordinations, so that edges may name them in any order.
    fn groups(&mut self, record: &Map<String, Value>, edges: &[FudgEdge], tokens: &Tokens<'_>) {
        let declared =
            ["nodes", "varnodes"].into_iter().filter_map(|field| record.get(field)).flat_map(strings);
        let heads = edges.iter().map(|edge| edge.head.clone());
        for name in declared.chain(heads).collect::<Vec<_>>() {
            if self.nodes.contains_key(&name) || is_root(&name) {
                continue;
            }
            let node = if is_bracket(&name) {
                self.push(GroupKind::Bracket { members: Vec::new(), head: None })
            } else if name.starts_with('$') {
                let (conjuncts, coordinators) = (Vec::new(), Vec::new());
                self.push(GroupKind::Coordination { name: name.clone(), conjuncts, coordinators })
            } else {
                continue;
            };
            self.nodes.insert(name, node);
        }
        for (variable, conjuncts, coordinators) in coordinations(record, edges) {
            self.coordination(&variable, &conjuncts, &coordinators, tokens);
        }
    }

    fn coordination(
        &mut self,
        variable: &str,
        conjuncts: &[String],
        coordinators: &[String],
        tokens: &Tokens<'_>,
    ) {
        let first: Vec<Node> = conjuncts.iter().filter_map(|name| self.node(name)).collect();
        let second: Vec<Node> = coordinators
            .iter()
            .filter_map(|name| match tokens.resolve(name) {
                Ok(word) if !self.nodes.contains_key(name) => Some(Node::Word(word)),
                _ => self.node(name),
            })
            .collect();
        let Some(Node::Group(index)) = self.node(variable) else { return };
        if let GroupKind::Coordination { conjuncts, coordinators, .. } = &mut self.said.groups[index].kind {
            *conjuncts = first;
            *coordinators = second;
        }
    }

    fn node(&mut self, name: &str) -> Option<Node> {
        let node = self.nodes.get(name).copied();
        if node.is_none() {
            let message = format!("the graph has no node {name}");
            self.error("unknown-node", message, "declare every node in \"nodes\" and \"n2w\"");
        }
        node
    }

    /// Fills the brackets; a bracket that would contain itself stays empty.
    fn members(&mut self, edges: &[FudgEdge]) {
        for edge in edges.iter().filter(|edge| is_membership(edge)) {
            let starred = matches!(edge.label.as_deref(), Some("fe*" | "cbbhead"));
            if is_root(&edge.dependent) {
                // `(** a b)`: the root as head of the bracket says that the bracket's head is a root.
                if let Some(node) = self.node(&edge.head) {
                    self.root(node);
                }
                continue;
            }
            let (Some(bracket), Some(member)) = (self.node(&edge.head), self.node(&edge.dependent)) else {
                continue;
            };
            let Node::Group(index) = bracket else { continue };
            if self.reaches(member, bracket) {
                let message = format!("{} would contain itself", edge.head);
                self.error("bracket-cycle", message, "a bracket holds words and smaller brackets");
                continue;
            }
            if let GroupKind::Bracket { members, head } = &mut self.said.groups[index].kind {
                if !members.contains(&member) {
                    members.push(member);
                }
                if starred {
                    *head = Some(member);
                }
            }
        }
        self.report_empty_brackets();
    }

    fn report_empty_brackets(&mut self) {
        let empty =
            |group: &Group| matches!(&group.kind, GroupKind::Bracket { members, .. } if members.len() < 2);
        if self.said.groups.iter().any(empty) {
            self.error("empty-group", "a bracket has fewer than two members", "give it its \"fe\" edges");
        }
    }

    /// Whether `target` is `node` or inside it.
    fn reaches(&self, node: Node, target: Node) -> bool {
        let mut seen = vec![false; self.said.groups.len()];
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if node == target {
                return true;
            }
            let Node::Group(index) = node else { continue };
            if let (GroupKind::Bracket { members, .. }, false) = (&self.said.groups[index].kind, seen[index])
            {
                todo.extend(members);
            }
            seen[index] = true;
        }
        false
    }

    fn root(&mut self, node: Node) {
        let place = self.place();
        if !self.said.roots.iter().any(|&(known, _)| known == node) {
            self.said.roots.push((node, place));
        }
    }

    fn edge(&mut self, edge: &FudgEdge) {
        match edge.label.as_deref() {
            None if is_root(&edge.head) => {
                if let Some(node) = self.node(&edge.dependent) {
                    self.root(node);
                }
            }
            None => {
                if let (Some(head), Some(dependent)) = (self.node(&edge.head), self.node(&edge.dependent)) {
                    let place = self.place();
                    self.said.arcs.push(Arc { head, dependent, place });
                }
            }
            Some("Anaph") => self.link(&edge.head, &edge.dependent),
            Some("Conj" | "Coord" | "fe" | "fe*" | "unspec" | "cbbhead") => {}
            Some(other) => {
                let message = format!("the edge label {other} is unknown");
                self.error("unknown-label", message, "use null, fe, fe*, Conj, Coord or Anaph");
            }
        }
    }

    fn link(&mut self, one: &str, other: &str) {
        let (Some(one), Some(other)) = (self.node(one), self.node(other)) else { return };
        let place = self.place();
        if !self.said.anaphora.iter().any(|&(a, b, _)| (a, b) == (one, other)) {
            self.said.anaphora.push((one, other, place));
        }
    }

    fn note_mentioned(&mut self) {
        let mut named: Vec<usize> = self.nodes.values().filter_map(|&node| word_of(node)).collect();
        named.sort_unstable();
        let known = self.said.mentioned_words();
        self.said.mentioned = named.into_iter().filter(|word| known.binary_search(word).is_err()).collect();
    }
}

fn word_of(node: Node) -> Option<usize> {
    match node {
        Node::Word(word) => Some(word),
        Node::Group(_) => None,
    }
}

fn is_root(name: &str) -> bool {
    matches!(name, "**" | "$$" | "W($$)")
}

fn is_bracket(name: &str) -> bool {
    name.starts_with("FE") || name.starts_with("CBB")
}

fn is_membership(edge: &FudgEdge) -> bool {
    matches!(edge.label.as_deref(), Some("fe" | "fe*" | "unspec" | "cbbhead"))
}

fn edges(record: &Map<String, Value>) -> Vec<FudgEdge> {
    let list = record.get("node_edges").or_else(|| record.get("deps")).and_then(Value::as_array);
    let edge = |value: &Value| {
        let text = |index: usize| value.get(index).and_then(Value::as_str).map(str::to_owned);
        Some(FudgEdge { head: text(0)?, dependent: text(1)?, label: text(2) })
    };
    list.into_iter().flatten().filter_map(edge).collect()
}

fn pairs(list: Option<&Value>) -> Vec<(String, String)> {
    let pair = |value: &Value| Some((value.get(0)?.as_str()?.to_owned(), value.get(1)?.as_str()?.to_owned()));
    list.and_then(Value::as_array).into_iter().flatten().filter_map(pair).collect()
}

/// Coordinations from `coords`, or from labelled edges and `extra_node2words` in older files.
fn coordinations(record: &Map<String, Value>, edges: &[FudgEdge]) -> Vec<(String, Vec<String>, Vec<String>)> {
    if let Some(list) = record.get("coords").and_then(Value::as_array) {
        let read = |value: &Value| {
            let parts = |index| value.get(index).map(strings).unwrap_or_default();
            Some((value.get(0)?.as_str()?.to_owned(), parts(1), parts(2)))
        };
        return list.iter().filter_map(read).collect();
    }
    let mut found: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for edge in edges {
        match edge.label.as_deref() {
            Some("Conj") => found.entry(edge.head.clone()).or_default().0.push(edge.dependent.clone()),
            Some("Coord") => found.entry(edge.head.clone()).or_default().1.push(edge.dependent.clone()),
            _ => {}
        }
    }
    let extra = record.get("extra_node2words").and_then(Value::as_object);
    for (variable, words) in extra.into_iter().flatten() {
        let words = words.as_array().into_iter().flatten().filter_map(|word| word.get(0)?.as_str());
        found.entry(variable.clone()).or_default().1.extend(words.map(str::to_owned));
    }
    found
        .into_iter()
        .map(|(variable, (conjuncts, coordinators))| (variable, conjuncts, coordinators))
        .collect()
}

/// A block as one line of FUDG JSON without its end. The locator is the block's id, or its number.
///
/// A block that was read from such a line and not changed gives the line back as it was.
pub fn write_line(block: &Block) -> String {
    if let Some(JsonLine::Fudg(line)) = &block.json {
        return line.clone();
    }
    let graph = to_json(&block.said, &block.tokens);
    let locator =
        block.id.clone().unwrap_or_else(|| block.number.to_string()).replace(['\t', '\n', '\r'], " ");
    format!("{locator}\t{}\t{graph}", block.tokens.join(" "))
}

/// The graph of an annotation. Nodes and edges are sorted by name.
pub fn to_json(said: &PartialTree, tokens: &[Text]) -> Value {
    let names = Names::new(said, tokens);
    let node = |node: Node| Value::String(names.name(node));
    let list = |nodes: &[Node]| Value::Array(nodes.iter().map(|&n| node(n)).collect());
    let mut edges: Vec<Value> = Vec::new();
    let mut coordinations = Vec::new();
    let mut variables = Vec::new();
    let mut extra = Map::new();
    for (index, group) in said.groups.iter().enumerate() {
        let name = node(Node::Group(index));
        match &group.kind {
            GroupKind::Multiword { .. } => {}
            GroupKind::Bracket { members, head } => {
                let label = |member| if *head == Some(member) { "fe*" } else { "fe" };
                edges.extend(members.iter().map(|&member| json!([name, node(member), label(member)])));
            }
            GroupKind::Coordination { name: variable, conjuncts, coordinators } => {
                edges.extend(conjuncts.iter().map(|&part| json!([name, node(part), "Conj"])));
                edges.extend(coordinators.iter().map(|&part| json!([name, node(part), "Coord"])));
                coordinations.push(json!([name, list(conjuncts), list(coordinators)]));
                variables.push(name);
                let words = coordinators.iter().flat_map(|&part| said.words_of(part));
                let words: Vec<Value> =
                    words.map(|word| json!([names.tokens.spell_raw(word), "Coord"])).collect();
                extra.insert(variable.clone(), Value::Array(words));
            }
        }
    }
    edges.extend(said.arcs.iter().map(|arc| json!([node(arc.head), node(arc.dependent), null])));
    edges.extend(said.roots.iter().map(|&(root, _)| json!(["**", node(root), null])));
    let anaphora: Vec<Value> =
        said.anaphora.iter().map(|&(one, other, _)| json!([node(one), node(other)])).collect();
    edges.extend(said.anaphora.iter().map(|&(one, other, _)| json!([node(one), node(other), "Anaph"])));
    edges.order_by_key(Value::to_string);
    edges.dedup();
    json!({
        "tokens": tokens.iter().map(Text::as_str).collect::<Vec<_>>(),
        "nodes": names.nodes(),
        "n2w": names.words(),
        "varnodes": variables,
        "coords": coordinations,
        "node_edges": edges,
        "anaph": anaphora,
        "extra_node2words": extra,
    })
}

/// Names of the nodes of a graph.
struct Names<'a> {
    said: &'a PartialTree,
    tokens: RawTokens<'a>,
    brackets: BTreeMap<usize, usize>,
}

/// Tokens with unique spellings: repeated forms are indexed, nothing else is changed.
struct RawTokens<'a> {
    tokens: &'a [Text],
    index: Tokens<'a>,
}

impl RawTokens<'_> {
    fn spell_raw(&self, word: usize) -> String {
        let form = &self.tokens[word - 1];
        if self.index.resolve(form) == Ok(word) { form.to_string() } else { self.index.spell(word) }
    }
}

impl<'a> Names<'a> {
    fn new(said: &'a PartialTree, tokens: &'a [Text]) -> Self {
        let is_bracket = |index: &usize| matches!(said.groups[*index].kind, GroupKind::Bracket { .. });
        let brackets = (0..said.groups.len()).filter(is_bracket).zip(1..).collect();
        Self { said, tokens: RawTokens { tokens, index: Tokens::new(tokens) }, brackets }
    }

    fn name(&self, node: Node) -> String {
        match node {
            Node::Word(word) => format!("W({})", self.tokens.spell_raw(word)),
            Node::Group(index) => match &self.said.groups[index].kind {
                GroupKind::Multiword { words } => {
                    let words: Vec<String> = words.iter().map(|&word| self.tokens.spell_raw(word)).collect();
                    format!("MW({})", words.join("_"))
                }
                GroupKind::Coordination { name, .. } => name.clone(),
                GroupKind::Bracket { .. } => format!("FE{}", self.brackets.get(&index).copied().unwrap_or(0)),
            },
        }
    }

    /// Words that are nodes of their own.
    fn single_words(&self) -> Vec<usize> {
        let mut in_multiword = vec![false; self.said.n_words + 1];
        for group in &self.said.groups {
            if let GroupKind::Multiword { words } = &group.kind {
                words.iter().for_each(|&word| in_multiword[word] = true);
            }
        }
        let named = self.named_words();
        let is_node = |word: &usize| !in_multiword[*word] || named.contains(word);
        self.said.mentioned_words().into_iter().filter(is_node).collect()
    }

    /// Words of which something is said by themselves, even if they are part of a multiword.
    fn named_words(&self) -> BTreeSet<usize> {
        let said = self.said;
        let arcs = said.arcs.iter().flat_map(|arc| [arc.head, arc.dependent]);
        let roots = said.roots.iter().map(|&(node, _)| node);
        let links = said.anaphora.iter().flat_map(|&(one, other, _)| [one, other]);
        let parts = said.groups.iter().flat_map(|group| match &group.kind {
            GroupKind::Multiword { .. } => Vec::new(),
            GroupKind::Bracket { members, .. } => members.clone(),
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                conjuncts.iter().chain(coordinators).copied().collect()
            }
        });
        arcs.chain(roots).chain(links).chain(parts).filter_map(word_of).collect()
    }

    fn words(&self) -> Value {
        let mut words = Map::new();
        for word in self.single_words() {
            words.insert(self.name(Node::Word(word)), json!([self.tokens.spell_raw(word)]));
        }
        for (index, group) in self.said.groups.iter().enumerate() {
            if let GroupKind::Multiword { words: inner } = &group.kind {
                let forms: Vec<String> = inner.iter().map(|&word| self.tokens.spell_raw(word)).collect();
                words.insert(self.name(Node::Group(index)), json!(forms));
            }
        }
        Value::Object(words)
    }

    fn nodes(&self) -> Vec<String> {
        let words = self.single_words().into_iter().map(|word| self.name(Node::Word(word)));
        let groups = (0..self.said.groups.len()).map(|index| self.name(Node::Group(index)));
        let root = (!self.said.roots.is_empty()).then(|| "**".to_owned());
        let mut nodes: Vec<String> = words.chain(groups).chain(root).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}
