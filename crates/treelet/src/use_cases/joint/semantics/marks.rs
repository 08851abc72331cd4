//! Who said names, relations and roles, in a comment of the sentence for each of the three.
//!
//! ```text
//! # entities_by = joint@1f2e3d4c:9ab3c1d2 found 1-2=PER 7=LOC said 3 9-10
//! # relations_by = joint@1f2e3d4c:9ab3c1d2 found 2>7=Live_In said 2>10
//! # roles_by = joint@1f2e3d4c:9ab3c1d2 found 4/ 4/=go.01 4/7=A1 said 4/1-3
//! ```
//!
//! A machine signs with its name and a checksum of the words, since all else goes by their numbers: if they have changed, nobody knows
//! who said what.
//!
//! `found` lists what the machine wrote, and `said` what it did not decide, since people had said it: words (whether or not
//! they belong to an entity), pairs of entities, whether or not they are related, senses and words of predicates. Entities are
//! named by their first and last word, by their last in pairs; `4/` alone is a predicate that the machine looked at. All words count from 1. So whoever corrects a
//! sentence need not know of the comment: what stands there otherwise than the machine wrote it is a person's. Whoever stands
//! for all of it deletes the comment.
//!
//! A comment without lists, and `# semantics_by`, which earlier versions wrote, say that the machine decided everything.

use crate::tree_marks::checksum;
use ::joint::semantics::SemanticTask;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tree::provenance::{packed, unpacked};
use tree::semantics::{Entity, Relation, Semantics};
use tree::{PutTogether, Sentence, Span, Text};

/// What earlier versions wrote, whatever was found.
const OLD: &str = "semantics_by";

/// What the comment of a task is called.
pub(super) fn key(task: SemanticTask) -> &'static str {
    match task {
        SemanticTask::Entities => "entities_by",
        SemanticTask::Relations => "relations_by",
        SemanticTask::Roles => "roles_by",
    }
}

/// The lines by which a machine's statements are known, as notes name them.
pub(super) fn lines(task: SemanticTask) -> &'static str {
    match task {
        SemanticTask::Entities => "`# entities_by`",
        SemanticTask::Relations => "`# relations_by` (and `# entities_by`)",
        SemanticTask::Roles => "`# roles_by`",
    }
}

/// What is found.
pub(super) fn what(task: SemanticTask) -> &'static str {
    match task {
        SemanticTask::Entities => "entities",
        SemanticTask::Relations => "relations",
        SemanticTask::Roles => "roles",
    }
}

/// A place of which something can be said: a word, a pair of entities by their last words, a predicate's sense, or one of the
/// words that may be its arguments. Words count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SemanticCell {
    Word(usize),
    Pair(usize, usize),
    Sense(usize),
    Argument(usize, usize),
}

/// What a machine wrote, and what people had said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SemanticMark {
    entities: BTreeMap<Span, Text>,
    /// By the last words of the first and the second entity.
    relations: BTreeMap<(usize, usize), Text>,
    senses: BTreeMap<usize, Text>,
    /// By predicate and word.
    arguments: BTreeMap<(usize, usize), Text>,
    /// Predicates that the machine looked at.
    predicates: BTreeSet<usize>,
    said: BTreeSet<SemanticCell>,
}

/// Takes away the comment of a task.
pub(super) fn unmark(rows: &mut Sentence, task: SemanticTask) {
    let is_of = |comment: &Text, key: &str| {
        let name = comment.trim_start_matches(['#', ' ']).split('=').next();
        name.is_some_and(|name| name.trim() == key)
    };
    // An old comment is about everything, so that it goes on saying so of the other tasks.
    if let Some(old) = rows.meta(OLD).map(str::to_string) {
        for other in [SemanticTask::Entities, SemanticTask::Relations, SemanticTask::Roles] {
            if other != task && rows.meta(key(other)).is_none() {
                rows.comments.push(format!("# {} = {old}", key(other)).into());
            }
        }
    }
    rows.comments.retain(|comment| !is_of(comment, OLD) && !is_of(comment, key(task)));
}

/// Says in the comments of a sentence that a machine found `found`, where `known` was said before. Comments of the task that
/// stood there go; those of others stay.
pub(super) fn mark(
    rows: &mut Sentence,
    task: SemanticTask,
    machine: &str,
    known: &Semantics,
    found: &Semantics,
) {
    unmark(rows, task);
    let mut text = format!("# {} = {machine}:{:08x}", key(task), sum_of(rows));
    written(task, known, found, rows.n_words(), &mut text);
    rows.comments.push(text.into());
}

/// A checksum of the words.
fn sum_of(rows: &Sentence) -> u32 {
    let forms: Vec<&str> = rows.words().map(|word| word.form.as_str()).collect();
    checksum(&forms.join("\t"))
}

fn written(task: SemanticTask, known: &Semantics, found: &Semantics, n_words: usize, text: &mut String) {
    let said: BTreeSet<SemanticCell> =
        cells(task, known, n_words).difference(&open(task, known)).copied().into_set();
    let mut add = |item: String| write!(text, " {item}").expect("a string takes everything");
    add("found".into());
    match task {
        SemanticTask::Entities => {
            for entity in &found.entities {
                if !entity.words().any(|word| said.contains(&SemanticCell::Word(word))) {
                    add(format!(
                        "{}={}",
                        range(entity.span.start(), entity.span.end() - 1),
                        packed(&entity.kind)
                    ));
                }
            }
        }
        SemanticTask::Relations => {
            for relation in &found.relations {
                let [first, second] = ends(&found.entities, relation);
                if !said.contains(&pair(first, second)) {
                    add(format!("{}>{}={}", first + 1, second + 1, packed(&relation.kind)));
                }
            }
        }
        SemanticTask::Roles => {
            for predicate in &found.predicates {
                let at = predicate.word;
                add(format!("{}/", at + 1));
                if let Some(sense) =
                    predicate.sense.as_ref().filter(|_| !said.contains(&SemanticCell::Sense(at)))
                {
                    add(format!("{}/={}", at + 1, packed(sense)));
                }
                for argument in &predicate.arguments {
                    if !said.contains(&SemanticCell::Argument(at, argument.word)) {
                        add(format!("{}/{}={}", at + 1, argument.word + 1, packed(&argument.role)));
                    }
                }
            }
        }
    }
    if said.is_empty() {
        return;
    }
    add("said".into());
    let mut words: Vec<(String, usize)> = Vec::new();
    for cell in &said {
        match *cell {
            SemanticCell::Word(word) => words.push((String::new(), word)),
            SemanticCell::Argument(predicate, word) => words.push((format!("{}/", predicate + 1), word)),
            SemanticCell::Pair(one, other) => add(format!("{}>{}", one + 1, other + 1)),
            SemanticCell::Sense(predicate) => add(format!("{}/", predicate + 1)),
        }
    }
    for run in words.chunk_by(|(of, word), (next_of, next)| of == next_of && word + 1 == *next) {
        let (of, first) = &run[0];
        add(format!("{of}{}", range(*first, run[run.len() - 1].1)));
    }
}

/// Words from 1, `3-5`.
fn range(first: usize, last: usize) -> String {
    if first == last { (first + 1).to_string() } else { format!("{}-{}", first + 1, last + 1) }
}

/// What lies beyond the sentence is no range of it.
fn read_range(text: &str, n_words: usize) -> Option<std::ops::RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first <= last && last <= n_words).then(|| first - 1..=last - 1)
}

fn pair(one: usize, other: usize) -> SemanticCell {
    SemanticCell::Pair(one.min(other), one.max(other))
}

fn ends(entities: &[Entity], relation: &Relation) -> [usize; 2] {
    [relation.first, relation.second].map(|entity| entities[entity].span.end() - 1)
}

/// Everything of which something can be said.
fn cells(task: SemanticTask, said: &Semantics, n_words: usize) -> BTreeSet<SemanticCell> {
    match task {
        SemanticTask::Entities => (0..n_words).map(SemanticCell::Word).collect(),
        SemanticTask::Relations => {
            let ends: Vec<usize> = said.entities.iter().map(|entity| entity.span.end() - 1).collect();
            let pairs = ends
                .iter()
                .enumerate()
                .flat_map(|(at, &one)| ends[at + 1..].iter().map(move |&other| pair(one, other)));
            pairs.collect()
        }
        SemanticTask::Roles => {
            let of = |predicate: usize| {
                let arguments = (0..n_words).map(move |word| SemanticCell::Argument(predicate, word));
                arguments.chain([SemanticCell::Sense(predicate)])
            };
            said.predicates.iter().flat_map(|predicate| of(predicate.word)).collect()
        }
    }
}

/// That of which nothing was said.
fn open(task: SemanticTask, said: &Semantics) -> BTreeSet<SemanticCell> {
    match task {
        SemanticTask::Entities => said.open_words.iter().map(|&word| SemanticCell::Word(word)).collect(),
        SemanticTask::Relations => {
            let end = |entity: usize| said.entities[entity].span.end() - 1;
            said.open_pairs.iter().map(|&(one, other)| pair(end(one), end(other))).collect()
        }
        SemanticTask::Roles => {
            let mut open = BTreeSet::new();
            for predicate in &said.predicates {
                open.extend(predicate.open.iter().map(|&word| SemanticCell::Argument(predicate.word, word)));
                open.extend(predicate.sense.is_none().then_some(SemanticCell::Sense(predicate.word)));
            }
            open
        }
    }
}

impl SemanticMark {
    /// What a comment lists; `None` if the machine decided everything.
    fn read(text: &str, n_words: usize) -> Option<Self> {
        let (_, lists) = text.split_once(" found")?;
        let (found, said) = lists.split_once(" said").unwrap_or((lists, ""));
        let mut mark = Self::default();
        for item in found.split_whitespace() {
            mark.take(item, n_words);
        }
        for item in said.split_whitespace() {
            mark.take_said(item, n_words);
        }
        Some(mark)
    }

    /// An item that is not well formed says nothing.
    fn take(&mut self, item: &str, n_words: usize) -> Option<()> {
        if let Some(predicate) = item.strip_suffix('/') {
            self.predicates.insert(predicate.parse::<usize>().ok()?.checked_sub(1)?);
            return Some(());
        }
        let (place, name) = item.split_once('=')?;
        let name = Text::from(unpacked(name));
        let one = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        if let Some((first, second)) = place.split_once('>') {
            self.relations.insert((one(first)?, one(second)?), name);
        } else if let Some((predicate, word)) = place.split_once('/') {
            match word {
                "" => self.senses.insert(one(predicate)?, name),
                _ => self.arguments.insert((one(predicate)?, one(word)?), name),
            };
        } else {
            let words = read_range(place, n_words)?;
            self.entities.insert(Span::new(*words.start(), words.end() + 1)?, name);
        }
        Some(())
    }

    fn take_said(&mut self, item: &str, n_words: usize) -> Option<()> {
        let one = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        if let Some((first, second)) = item.split_once('>') {
            self.said.insert(pair(one(first)?, one(second)?));
        } else if let Some((predicate, words)) = item.split_once('/') {
            let predicate = one(predicate)?;
            match words {
                "" => _ = self.said.insert(SemanticCell::Sense(predicate)),
                _ => self
                    .said
                    .extend(read_range(words, n_words)?.map(|word| SemanticCell::Argument(predicate, word))),
            }
        } else {
            self.said.extend(read_range(item, n_words)?.map(SemanticCell::Word));
        }
        Some(())
    }
}

/// What became of a sentence of which machines had said something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reopened {
    /// Whether a machine had said something for the task.
    pub(super) is_marked: bool,
    /// Whether people said anything for the task at all.
    pub(super) has_people: bool,
    /// Whether the words are others than those of which a machine said something, so that nobody knows.
    pub(super) is_unknown: bool,
}

/// What a comment says of who said something.
enum Decided {
    /// There is none.
    ByPeople,
    /// A machine decided everything.
    ByMachine,
    /// A machine decided some of it.
    Partly(SemanticMark),
    /// The words are others than those of which it was said.
    Unknown,
}

impl Decided {
    fn of(rows: &Sentence, task: SemanticTask) -> Self {
        let Some(text) = rows.meta(key(task)).or_else(|| rows.meta(OLD)) else { return Self::ByPeople };
        let Some(mark) = SemanticMark::read(text, rows.n_words()) else { return Self::ByMachine };
        let signature = text.split_whitespace().next().unwrap_or_default();
        let sum = signature.rsplit_once(':').and_then(|(_, sum)| u32::from_str_radix(sum, 16).ok());
        if sum == Some(sum_of(rows)) { Self::Partly(mark) } else { Self::Unknown }
    }
}

/// Takes back what machines said for a task, so that it is open.
pub(super) fn reopen(rows: &Sentence, task: SemanticTask, said: &mut Semantics) -> Reopened {
    let n_words = rows.n_words();
    let relations = Decided::of(rows, SemanticTask::Relations);
    let mut reopened = Reopened { is_marked: true, ..Reopened::default() };
    let own = match Decided::of(rows, task) {
        Decided::ByPeople => {
            reopened.is_marked = false;
            SemanticMark::default()
        }
        Decided::ByMachine => {
            reopen_all(task, said, &relations, n_words);
            SemanticMark::default()
        }
        Decided::Partly(mark) => {
            match task {
                SemanticTask::Entities => reopen_entities(said, &mark, &relations, n_words),
                SemanticTask::Relations => reopen_pairs(said, &mark),
                SemanticTask::Roles => reopen_roles(said, &mark, n_words),
            }
            mark
        }
        Decided::Unknown => return Reopened { is_unknown: true, ..reopened },
    };
    if task == SemanticTask::Relations {
        let n_open = said.open_pairs.len();
        open_pairs_of_machines(said, &own, &Decided::of(rows, SemanticTask::Entities));
        reopened.is_marked |= said.open_pairs.len() > n_open;
    }
    reopened.has_people = cells(task, said, n_words).difference(&open(task, said)).next().is_some();
    reopened
}

/// Opens everything.
fn reopen_all(task: SemanticTask, said: &mut Semantics, relations: &Decided, n_words: usize) {
    match task {
        SemanticTask::Entities => reopen_entities(said, &SemanticMark::everything(said), relations, n_words),
        SemanticTask::Relations => {
            said.relations.clear();
            let n = said.entities.len();
            said.open_pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other))).collect();
        }
        SemanticTask::Roles => {
            for predicate in &mut said.predicates {
                predicate.sense = None;
                predicate.arguments.clear();
                predicate.open = (0..n_words).collect();
            }
        }
    }
}

impl SemanticMark {
    /// All entities of a sentence, as if a machine had written them.
    fn everything(said: &Semantics) -> Self {
        let entities = said.entities.iter().map(|entity| (entity.span, entity.kind.clone())).collect();
        Self { entities, ..Self::default() }
    }

    fn has_entity(&self, entity: &Entity) -> bool {
        self.entities.get(&entity.span) == Some(&entity.kind)
            && !entity.words().any(|word| self.said.contains(&SemanticCell::Word(word)))
    }
}

/// Entities that the machine wrote go, unless a person has related them, and words that it left outside are open.
fn reopen_entities(said: &mut Semantics, mark: &SemanticMark, relations: &Decided, n_words: usize) {
    let by_machine = |relation: &Relation| match relations {
        Decided::ByPeople | Decided::Unknown => false,
        Decided::ByMachine => true,
        Decided::Partly(of) => {
            let [first, second] = ends(&said.entities, relation);
            of.relations.get(&(first, second)) == Some(&relation.kind)
                && !of.said.contains(&pair(first, second))
        }
    };
    let related: BTreeSet<usize> = said
        .relations
        .iter()
        .filter(|relation| !by_machine(relation))
        .flat_map(|relation| [relation.first, relation.second])
        .into_set();
    // Whoever opens some words of a machine's entity says nothing of the others.
    let is_rest = |entity: &Entity| {
        mark.entities.iter().any(|(span, kind)| {
            let is_open = |word: usize| entity.span.holds(word) || said.open_words.contains(&word);
            span.contains(entity.span) && *kind == entity.kind && (span.start()..span.end()).all(is_open)
        })
    };
    let is_machines = |entity: &Entity| {
        is_rest(entity) && !entity.words().any(|word| mark.said.contains(&SemanticCell::Word(word)))
    };
    let goes: Vec<bool> = said
        .entities
        .iter()
        .enumerate()
        .map(|(at, entity)| is_machines(entity) && !related.contains(&at))
        .collect();
    // What a machine had called an entity and is none any more was taken out by a person, word for word.
    let stands = |word: usize| said.entities.iter().any(|entity| entity.span.holds(word));
    let was_written = |word: usize| mark.entities.keys().any(|span| span.holds(word));
    let outside: Vec<usize> = (0..n_words)
        .filter(|&word| !stands(word) && !was_written(word) && !mark.said.contains(&SemanticCell::Word(word)))
        .collect();
    let gone = said.entities.iter().zip(&goes).filter(|(_, goes)| **goes);
    let words: Vec<usize> = gone.flat_map(|(entity, _)| entity.words()).chain(outside).collect();
    said.open_words.extend(words);
    said.keep_entities(|at| !goes[at]);
}

/// Relations that the machine wrote go, and pairs of which it said that they are not related are open.
fn reopen_pairs(said: &mut Semantics, mark: &SemanticMark) {
    let n = said.entities.len();
    for one in 0..n {
        for other in one + 1..n {
            let end = |entity: usize| said.entities[entity].span.end() - 1;
            let cell = pair(end(one), end(other));
            let written =
                said.relation(one, other).map(|relation| (ends(&said.entities, relation), &relation.kind));
            let by_machine = match written {
                Some(([first, second], kind)) => mark.relations.get(&(first, second)) == Some(kind),
                None => [(end(one), end(other)), (end(other), end(one))]
                    .iter()
                    .all(|pair| !mark.relations.contains_key(pair)),
            };
            if by_machine && !mark.said.contains(&cell) {
                said.relations.retain(|relation| {
                    ![(one, other), (other, one)].contains(&(relation.first, relation.second))
                });
                said.open_pairs.insert((one, other));
            }
        }
    }
}

/// Nobody has said of the entities of a machine that they are *not* related, but for whoever took a relation out.
fn open_pairs_of_machines(said: &mut Semantics, own: &SemanticMark, entities: &Decided) {
    let by_machine = |entity: &Entity| match entities {
        Decided::ByPeople => false,
        Decided::ByMachine | Decided::Unknown => true,
        Decided::Partly(mark) => mark.has_entity(entity),
    };
    let n = said.entities.len();
    for one in 0..n {
        for other in one + 1..n {
            let [first, second] = [one, other].map(|entity| &said.entities[entity]);
            let ends = (first.span.end() - 1, second.span.end() - 1);
            let was_related =
                own.relations.contains_key(&ends) || own.relations.contains_key(&(ends.1, ends.0));
            let is_said = was_related || own.said.contains(&pair(ends.0, ends.1));
            let is_open = by_machine(first) || by_machine(second);
            if is_open && !is_said && said.relation(one, other).is_none() {
                said.open_pairs.insert((one, other));
            }
        }
    }
}

/// Senses and arguments that the machine wrote go, and words of which it said that they are no arguments are open.
fn reopen_roles(said: &mut Semantics, mark: &SemanticMark, n_words: usize) {
    for predicate in said.predicates.iter_mut().filter(|one| mark.predicates.contains(&one.word)) {
        let at = predicate.word;
        if predicate.sense.as_ref() == mark.senses.get(&at) && !mark.said.contains(&SemanticCell::Sense(at)) {
            predicate.sense = None;
        }
        for word in 0..n_words {
            let role = predicate.arguments.iter().find(|argument| argument.word == word);
            let role = role.map(|argument| &argument.role);
            if role == mark.arguments.get(&(at, word))
                && !mark.said.contains(&SemanticCell::Argument(at, word))
            {
                predicate.arguments.retain(|argument| argument.word != word);
                predicate.open.insert(word);
            }
        }
    }
}

#[cfg(test)]
mod tests;
