//! The machine beside the annotator: heads and relations of words that are open, under everything that she has said.

use super::Fault;
use super::model::{ChosenModel, Differences, Learned, LearnedRelations, ModelChoice, file_name};
use crate::any_model::AnyModel;
use crate::imputation::fragments::{self, TagChoice, fragment};
use crate::imputation::imputer::{Imputed, Imputer, Lesson};
use crate::imputation::rows::ImputedRow;
use crate::imputation::scorer::{Believed, Scorer};
use crate::models;
use crate::options::impute::{Learning, MethodName};
use crate::options::json::from_json;
use crate::watch::{Unwatched, Watch};
use annotation::{Analysis, Attached, WordOrBlock};
use chain::{Threads, Workers};
use impute::relations::{LabelledArc, RelationModel};
use impute::{ArcPosteriors, Completed, Fragment};
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::provenance::Column;
use tree::sentence::{UNSPECIFIED, is_root_relation};
use tree::{Head, Possible, Reading, Sentence, Text};

/// Heads that are less probable are not shown among the alternatives.
const LEAST_SHOWN: f64 = 0.005;
/// So many alternatives of a head are shown.
const MOST_SHOWN: usize = 9;
/// GPC hides a fifth of the heads that were said to see how sure it may be. Fewer than these leave too few to tell.
const FEWEST_FOR_GPC: usize = 100;
/// So many sentences are looked at for what a new model suggests otherwise.
const MOST_COMPARED: usize = 100;

/// A model that suggests heads and relations.
pub struct Suggester {
    scorer: Arc<Scorer>,
    chosen: ChosenModel,
    tags: TagChoice,
    /// Relations of the project itself, for models that know none.
    relations: Option<RelationModel>,
    /// What there is to say about it.
    pub learned: Learned,
}

/// What is suggested for one sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Suggestions {
    /// Heads and how probable they are, best first, for each word.
    pub(crate) ranked: Vec<Vec<(usize, f64)>>,
    /// The arcs of the best tree.
    pub(crate) best: Vec<BestArc>,
    /// How uncertain all of it is, in nats.
    pub(crate) entropy: f64,
    /// How probable each arc is.
    pub(crate) posteriors: ArcPosteriors,
}

/// An arc of the best tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BestArc {
    pub(crate) head: usize,
    /// How probable the head is.
    pub(crate) p: f64,
    /// The relation, and how probable it is if the head is right; none where it was said, or where nothing is known of relations.
    pub(crate) relation: Option<(Text, f64)>,
}

/// Everything that a model can be learned from, and how.
#[derive(Clone, Copy)]
pub(super) struct Studies<'a> {
    /// Sentences as they are now.
    pub(super) lessons: &'a [(Arc<Sentence>, Analysis)],
    pub(super) chosen: &'a ChosenModel,
    /// The model that suggests until then.
    pub(super) before: Option<&'a Suggester>,
    pub(super) at: i64,
    pub(super) stop: &'a Arc<AtomicBool>,
    pub(super) watch: &'a dyn Watch,
}

impl Suggester {
    /// Learns what was chosen; `None` if somebody stopped it.
    pub(super) fn learn(studies: &Studies<'_>) -> anyhow::Result<Option<Self>> {
        let begun = std::time::Instant::now();
        let Studies { lessons, chosen, before, stop, .. } = *studies;
        let (read, instead) = match of_file(chosen, before) {
            Some(Ok(scorer)) => (Some(scorer), None),
            Some(Err(error)) => (None, Some(chosen.without_folder(&format!("{error:#}")))),
            None => (None, None),
        };
        let sentences = lessons.iter().map(|(sentence, _)| sentence.as_ref());
        let wanted = read.as_ref().and_then(|scorer| scorer.tags());
        let tags = fragments::tags(None, wanted, sentences, &Unwatched);
        let fragments: Vec<Fragment> =
            lessons.iter().map(|(sentence, said)| learned_from(sentence, said, tags)).collect();
        let learned_before = read.is_some();
        let scorer = match read {
            Some(scorer) => scorer,
            None => match studies.imputer(&fragments)? {
                Some(imputer) => Arc::new(Scorer::Imputer(imputer)),
                None => return Ok(None),
            },
        };
        let relations = match scorer.has_calibrated_relations() {
            Some(_) => None,
            None => relations(lessons, &fragments),
        };
        let n_said = lessons.iter().filter(|(_, said)| !said.is_empty()).count();
        let mut learned = Learned { at: studies.at, instead, ..about(&scorer, relations.as_ref()) };
        match chosen.file.as_deref().filter(|_| learned_before) {
            Some(path) => learned.file = Some(file_name(path)),
            None => learned.trained_on = n_said,
        }
        let mut suggester = Self { scorer, chosen: chosen.clone(), tags, relations, learned };
        suggester.learned.changed = before.map(|before| suggester.differences(before, lessons, stop));
        suggester.learned.seconds = begun.elapsed().as_secs_f64();
        Ok((!stop.load(Ordering::Relaxed)).then_some(suggester))
    }

    /// A model of a file as it is, before anything is known of the project.
    pub(super) fn of_file(mut scorer: Scorer, path: &Path, chosen: ChosenModel) -> Self {
        harden(&mut scorer);
        let tags = scorer.tags().unwrap_or_else(|| TagChoice::resolve(None, []));
        let learned = Learned { file: Some(file_name(path)), ..about(&scorer, None) };
        Self { scorer: Arc::new(scorer), chosen, tags, relations: None, learned }
    }

    /// What it was chosen by.
    pub(super) fn chosen(&self) -> &ChosenModel {
        &self.chosen
    }

    /// Whether nothing of what is said in the project could make it another.
    pub(super) fn is_settled(&self, chosen: &ChosenModel) -> bool {
        let knows_all = self.learned.file.is_some() && self.scorer.has_calibrated_relations().is_some();
        knows_all && self.learned.at > 0 && self.chosen == *chosen
    }

    /// The rows of what was said with heads and relations where they are open, marked as a machine's, as `treelet impute` writes
    /// them; nothing if what was said contradicts itself.
    pub(crate) fn fill(&self, rows: &Sentence, said: &Analysis) -> anyhow::Result<Option<Sentence>> {
        let Some((fragment, believed)) = self.believe(rows, said) else { return Ok(None) };
        let words = 1..=fragment.len();
        let relations: Vec<_> = words.map(|word| self.relation(&fragment, &believed, said, word)).collect();
        let machine = self.signature()?;
        let Believed { heads, posteriors, .. } = believed;
        let completed = Completed { heads, posteriors, samples: Vec::new(), given_up: false };
        let imputed = Imputed { completed, satisfied: true };
        let row = ImputedRow {
            sentence: rows,
            said: &said.said(),
            possible: &fragment.possible,
            imputed: &imputed,
            conflict: None,
            machine: Some(&machine),
            marks: true,
            entropy: false,
        };
        let mut filled = row.completed();
        let of_blocks = heads_with_a_relation(&filled, said);
        let words = filled.words_mut().zip(rows.words()).zip(relations).enumerate();
        for (at, ((token, before), relation)) in words {
            // A relation is found with a head, not for one that somebody said.
            let is_found = before.head == Head::Open && token.head != Head::Open && !of_blocks.contains(&at);
            if before.deprel != UNSPECIFIED {
                continue;
            }
            if !is_found {
                token.deprel = UNSPECIFIED;
                Column::Deprel.unmark(token);
                continue;
            }
            let is_root = token.head == Head::Of(0);
            if let Some((relation, p)) = relation.filter(|(name, _)| is_root_relation(name) == is_root) {
                token.deprel = relation;
                Column::Deprel.mark(token, &machine, Some(p));
            }
        }
        Ok(Some(filled))
    }

    /// How the model signs what it says.
    fn signature(&self) -> anyhow::Result<String> {
        let file = self.chosen.file.as_deref().filter(|_| self.learned.file.is_some());
        match (&*self.scorer, file) {
            (Scorer::Imputer(imputer), file) => imputer.signature(file),
            (Scorer::Parser(_), file) => signed("dependency", file),
            (Scorer::Grammar(_), file) => signed("dmv", file),
            (Scorer::Constituents(_), file) => signed("constituency", file),
            (Scorer::Joint(_), file) => signed("joint", file),
        }
    }

    /// The rest of a sentence under what was said; nothing if that contradicts itself.
    pub(crate) fn suggest(&self, sentence: &Sentence, said: &Analysis) -> Option<Suggestions> {
        let (fragment, believed) = self.believe(sentence, said)?;
        let n_words = fragment.len();
        let posteriors = &believed.posteriors;
        let ranked = (1..=n_words).map(|word| {
            let shown =
                posteriors.ranked(word).into_iter().filter(|&(_, p)| p >= LEAST_SHOWN).take(MOST_SHOWN);
            shown.map(|(head, p)| (head, p.min(1.0))).collect()
        });
        let best = (1..=n_words).map(|word| {
            let head = believed.heads.head(word);
            let relation = self.relation(&fragment, &believed, said, word);
            BestArc { head, p: posteriors.of(head, word).min(1.0), relation }
        });
        let (ranked, best, entropy) = (ranked.collect(), best.collect(), posteriors.total_entropy());
        Some(Suggestions { ranked, best, entropy, posteriors: believed.posteriors })
    }

    /// The best tree under what was said; nothing if that contradicts itself.
    fn believe(&self, sentence: &Sentence, said: &Analysis) -> Option<(Fragment, Believed)> {
        let possible = possible(said).ok()?;
        let sentence = with_tags(sentence, said, self.tags);
        let fragment = fragment(&sentence, self.tags, possible);
        let believed = self.scorer.believe(&sentence, &fragment)?;
        Some((fragment, believed))
    }

    /// The relation of a word in that tree, where it was not said.
    fn relation(
        &self,
        fragment: &Fragment,
        believed: &Believed,
        said: &Analysis,
        word: usize,
    ) -> Option<(Text, f64)> {
        if said.relation(WordOrBlock::Word(word as u32)).is_some() {
            return None;
        }
        match (&believed.relations, &self.relations) {
            (Some(relations), _) => relations.get(word - 1).cloned(),
            (None, Some(model)) => {
                model.best(fragment, word, believed.heads.head(word)).map(|(name, p)| (name.clone(), p))
            }
            (None, None) => None,
        }
    }

    /// What it suggests otherwise than another: heads of open words, in an even sample of the sentences.
    fn differences(
        &self,
        other: &Self,
        lessons: &[(Arc<Sentence>, Analysis)],
        stop: &AtomicBool,
    ) -> Differences {
        let step = lessons.len().div_ceil(MOST_COMPARED).max(1);
        let mut found = Differences::default();
        for (sentence, said) in lessons.iter().step_by(step) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let heads = |by: &Self| by.suggest(sentence, said).map(|suggestions| suggestions.best);
            let (Some(new), Some(old)) = (heads(self), heads(other)) else { continue };
            let is_open = |word: u32| said.head(WordOrBlock::Word(word)).is_none();
            let pairs = (1..).zip(new.iter().zip(&old));
            found.heads += pairs.filter(|&(word, (new, old))| is_open(word) && new.head != old.head).count();
            found.sentences += 1;
        }
        found
    }
}

impl std::fmt::Debug for Suggester {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Suggester").field("learned", &self.learned).finish_non_exhaustive()
    }
}

impl Studies<'_> {
    /// An imputer of the project's own; `None` if somebody stopped it.
    fn imputer(&self, fragments: &[Fragment]) -> anyhow::Result<Option<Imputer>> {
        let Studies { chosen, stop, watch, .. } = *self;
        let mut learning: Learning = from_json(&Map::new())?;
        if chosen.choice == ModelChoice::Gpc {
            learning.method = Some(MethodName::Gpc);
            let n_said: usize = fragments.iter().map(|fragment| fragment.possible.said_heads().len()).sum();
            learning.temperature = (n_said < FEWEST_FOR_GPC).then_some(1.0);
        }
        let rules = chosen.rules()?;
        // One thread, so that the annotator's own keys are never kept waiting.
        let workers = Workers::new(Threads::from_count(1))?;
        let lesson = Lesson { learning: &learning, rules: Some(&rules), stop, workers: &workers, watch };
        Imputer::learn(fragments, &lesson)
    }
}

/// The words that head blocks of which the relation was said, from 0.
fn heads_with_a_relation(rows: &Sentence, said: &Analysis) -> BTreeSet<usize> {
    let is_related = |bracket: &u32| said.relation(WordOrBlock::Block { bracket: *bracket }).is_some();
    let blocks = said.blocks().iter().filter(|(bracket, _)| is_related(bracket));
    let mut heads = BTreeSet::new();
    for (_, block) in blocks {
        let is_outside = |head: &Head| head.index().is_some_and(|head| !block.words.contains(&head));
        let words = (1u32..).zip(rows.words());
        heads.extend(
            words
                .filter(|(word, token)| block.words.contains(word) && is_outside(&token.head))
                .map(|(word, _)| word as usize - 1),
        );
    }
    heads
}

/// What a model is, and by which file.
fn signed(kind: &str, file: Option<&Path>) -> anyhow::Result<String> {
    file.map_or_else(|| Ok(kind.to_string()), |file| models::signature(kind, file))
}

/// The model of the file if that was chosen: the one that suggests already, or else it is read.
fn of_file(chosen: &ChosenModel, before: Option<&Suggester>) -> Option<anyhow::Result<Arc<Scorer>>> {
    let path = chosen.file.as_deref().filter(|_| chosen.choice == ModelChoice::File)?;
    let is_same =
        |before: &&Suggester| before.learned.file.is_some() && before.chosen.file.as_deref() == Some(path);
    if let Some(before) = before.filter(is_same) {
        return Some(Ok(Arc::clone(&before.scorer)));
    }
    let mut scorer = match AnyModel::open(path).and_then(|model| Scorer::read_any(&model)) {
        Ok(scorer) => scorer,
        Err(error) => return Some(Err(error)),
    };
    harden(&mut scorer);
    Some(Ok(Arc::new(scorer)))
}

/// What was said is never overruled here, even by models that were learned to.
fn harden(scorer: &mut Scorer) {
    if let Scorer::Imputer(imputer) = scorer {
        imputer.harden();
    }
}

/// What there is to say of a model, apart from where it comes from.
fn about(scorer: &Scorer, relations: Option<&RelationModel>) -> Learned {
    let own = relations.map(|relations| LearnedRelations {
        n_arcs: Some(relations.n_arcs()),
        calibrated: relations.is_calibrated(),
    });
    let brought = scorer.has_calibrated_relations();
    let brought = brought.map(|calibrated| LearnedRelations { n_arcs: None, calibrated });
    Learned {
        kind: scorer.name().into(),
        file: None,
        trained_on: scorer.notes().get("sentences").and_then(|n| n.parse().ok()).unwrap_or(0),
        calibrated: scorer.is_calibrated(),
        relations: brought.or(own),
        instead: None,
        changed: None,
        at: 0,
        seconds: 0.0,
    }
}

/// Relations that were said of words whose head is known.
fn relations(lessons: &[(Arc<Sentence>, Analysis)], fragments: &[Fragment]) -> Option<RelationModel> {
    let arcs = |(said, fragment): (&Analysis, &Fragment)| {
        let whole = fragment.possible.whole();
        let arc = |dependent: usize| {
            let relation = said.relation(WordOrBlock::Word(dependent as u32))?.clone();
            Some(LabelledArc { dependent, head: whole.required_head(dependent)?, relation })
        };
        (1..=fragment.len()).filter_map(arc).collect::<Vec<_>>()
    };
    let data = lessons.iter().zip(fragments);
    let data: Vec<_> = data.map(|((_, said), fragment)| (fragment, arcs((said, fragment)))).collect();
    RelationModel::learn(&data)
}

/// A sentence as imputers learn from it: what contradicts itself counts as if nothing were said.
fn learned_from(sentence: &Sentence, said: &Analysis, tags: TagChoice) -> Fragment {
    let possible = possible(said).unwrap_or_else(|_| Possible::everything(sentence.n_words()));
    fragment(&with_tags(sentence, said, tags), tags, possible)
}

/// The sentence with the tags that were said in the place of those of the file.
fn with_tags(sentence: &Sentence, said: &Analysis, tags: TagChoice) -> Sentence {
    let mut sentence = sentence.clone();
    for (word, token) in (1..).zip(sentence.words_mut()) {
        if let Some(tag) = said.tag(word) {
            *tags.of_mut(token) = tag.clone();
        }
    }
    sentence
}

/// What an analysis leaves open, or what in it contradicts what.
pub(crate) fn possible(said: &Analysis) -> Result<Possible, Fault> {
    let mut tree = said.said();
    // A relation says of an open head whether it is the root.
    for word in 1..=said.tokens().len() as u32 {
        let node = tree::Node::Word(word as usize);
        match (said.head(WordOrBlock::Word(word)), said.relation(WordOrBlock::Word(word))) {
            (None, Some(relation)) if is_root_relation(relation) => {
                tree.roots.push((node, tree::Place::default()));
            }
            (None, Some(_)) => tree.dependents.push((node, tree::Place::default())),
            (Some(Attached::Root | Attached::To(_)) | None, _) => {}
        }
    }
    Possible::new(&tree, &Reading::default()).map_err(|conflict| Fault::Wrong(conflict.to_string()))
}

#[cfg(test)]
mod tests;
