//! Entities, relations and roles: whichever of the three the gold standard has.

use super::{BySentence, Loaded, Report, Scored};
use ::score::Counts;
use ::score::entities::EntityReport;
use ::score::relations::RelationReport;
use ::score::roles::RoleReport;
use anyhow::bail;
use formats::detect::Format;
use formats::everything::Item;
use formats::semantics;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tree::semantics::Semantics;
use tree::{Sentence, Text};

/// How entities, relations and roles compare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SemanticScores {
    /// Entities, if the gold standard has any.
    pub entities: Option<EntityReport>,
    /// Relations, if it has any.
    pub relations: Option<RelationReport>,
    /// Predicates and arguments, if it has any.
    pub roles: Option<RoleReport>,
}

/// A sentence as much as matters here.
struct Said {
    n_words: usize,
    semantics: Semantics,
}

/// Whether a format has a place for them.
pub(super) fn has_place(format: Format) -> bool {
    matches!(
        format,
        Format::Bio | Format::Conllu | Format::Conll09 | Format::Joint | Format::Conll04 | Format::Semeval
    )
}

/// Whether a format is there for them.
pub(super) fn is_about_them(format: Format) -> bool {
    matches!(format, Format::Joint | Format::Conll04 | Format::Semeval)
}

/// Whether a file says anything of them.
pub(super) fn is_there(loaded: &Loaded) -> bool {
    let has = |said: &Semantics| {
        !(said.entities.is_empty() && said.relations.is_empty() && said.predicates.is_empty())
    };
    said(loaded).iter().any(|one| has(&one.semantics))
}

/// Scores files of which one at least is about entities, relations or roles.
pub(super) fn score(gold: &Loaded, system: &Loaded) -> anyhow::Result<Scored> {
    let Some(scores) = compare(gold, system)? else {
        bail!("{} has no entities, relations or predicates, so there is nothing to compare", gold.name);
    };
    Ok(Scored {
        name: system.path.clone(),
        headline: scores.headline(),
        figures: scores.figures(),
        by_sentence: scores.by_sentence(),
        report: Report::Semantics(scores.clone().into()),
        semantics: None,
    })
}

/// The same for rows that were scored otherwise; nothing if they have none, or if the words differ.
pub(super) fn beside(gold: &Loaded, system: &Loaded, mut scored: Scored) -> Scored {
    if let Ok(Some(scores)) = compare(gold, system) {
        scored.headline.extend(scores.headline());
        scored.figures.extend(scores.figures());
        scored.semantics = Some(scores.into());
    }
    scored
}

/// Compares whatever gold has.
fn compare(gold: &Loaded, system: &Loaded) -> anyhow::Result<Option<SemanticScores>> {
    if !has_place(gold.format()) || !has_place(system.format()) {
        return Ok(None);
    }
    let gold_said = said(gold);
    let has = |some: fn(&Semantics) -> bool| gold_said.iter().any(|one| some(&one.semantics));
    let mut scores = SemanticScores {
        entities: has(|said| !said.entities.is_empty()).then(EntityReport::default),
        relations: has(|said| !said.relations.is_empty()).then(RelationReport::default),
        roles: has(|said| !said.predicates.is_empty()).then(RoleReport::default),
    };
    if scores == SemanticScores::default() {
        return Ok(None);
    }
    let system_said = said(system);
    if gold_said.len() != system_said.len() {
        bail!(
            "{} sentences, but {} has {}; give one for each gold sentence",
            system_said.len(),
            gold.name,
            gold_said.len()
        );
    }
    for (number, (gold, system)) in (1..).zip(gold_said.iter().zip(&system_said)) {
        if gold.n_words != system.n_words {
            bail!(
                "sentence {number} has {} words, but {} in gold; tokenise alike",
                system.n_words,
                gold.n_words
            );
        }
        scores.add(gold, system);
    }
    Ok(Some(scores))
}

/// What each sentence says. Boundaries between documents are none.
fn said(loaded: &Loaded) -> Vec<Said> {
    let read = |item: &Item| {
        let (sentence, semantics, _): (Sentence, _, _) = semantics::read(loaded.format(), item, 1);
        Said { n_words: sentence.n_words(), semantics }
    };
    let sentences = loaded.sentences.iter().map(|sentence| read(&Item::Sentence(sentence.clone())));
    sentences.chain(loaded.items.iter().filter(|item| !item.is_blank()).map(read)).collect()
}

impl SemanticScores {
    fn add(&mut self, gold: &Said, system: &Said) {
        if let Some(entities) = &mut self.entities {
            entities.add_semantics(&gold.semantics, &system.semantics, gold.n_words);
        }
        if let Some(relations) = &mut self.relations {
            relations.add(&gold.semantics, &system.semantics);
        }
        if let Some(roles) = &mut self.roles {
            roles.add(&gold.semantics, &system.semantics);
        }
    }

    /// The figures by which systems are compared, in percent.
    fn headline(&self) -> Vec<(&'static str, Option<f64>)> {
        let f1 = |counts: Counts| Some(100.0 * counts.f1());
        let mut headline = Vec::new();
        if let Some(entities) = &self.entities {
            headline.push(("entities", f1(entities.all)));
        }
        if let Some(relations) = &self.relations {
            headline.push(("relations", f1(relations.all.directed)));
            if relations.is_semeval() {
                headline.push(("official", Some(100.0 * relations.all.official.macro_f1())));
            }
        }
        if let Some(roles) = &self.roles {
            headline.push(("semantic", f1(roles.all.labelled())));
            headline.push(("roles", f1(roles.all.roles)));
        }
        headline
    }

    /// What a significance test resamples: relations if there are any, else roles, else entities.
    fn by_sentence(&self) -> BySentence {
        if let Some(relations) = &self.relations {
            let counts = relations.sentences.iter().map(|one| one.directed).collect();
            return BySentence { figure: "F1 of relations", counts };
        }
        if let Some(roles) = &self.roles {
            let counts = roles.sentences.iter().map(|one| one.labelled()).collect();
            return BySentence { figure: "labelled semantic F1", counts };
        }
        let counts = self.entities.as_ref().map_or_else(Vec::new, |entities| entities.sentences.clone());
        BySentence { figure: "F1 of entities", counts }
    }

    /// All figures, in percent.
    fn figures(&self) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(entities) = &self.entities {
            figures.insert("entities".into(), entity_figures(entities));
        }
        if let Some(relations) = &self.relations {
            figures.insert("relations".into(), relation_figures(relations));
        }
        if let Some(roles) = &self.roles {
            figures.insert("roles".into(), role_figures(roles));
        }
        figures
    }
}

/// Figures of entities, as scripts want them.
pub(super) fn entity_figures(report: &EntityReport) -> Value {
    let mut figures = all(report.all, &report.kinds);
    put(&mut figures, "unlabelled_", report.unlabelled);
    figures.insert("accuracy".into(), json!(100.0 * report.tags.value()));
    figures.into()
}

fn relation_figures(report: &RelationReport) -> Value {
    let mut figures = all(report.all.directed, &report.kinds);
    let others = [
        ("undirected_", report.all.typed),
        ("pairs_", report.all.pairs),
        ("directed_pairs_", report.all.directed_pairs),
        ("strict_", report.all.strict),
    ];
    others.into_iter().for_each(|(name, counts)| put(&mut figures, name, counts));
    figures.insert("macro_f1".into(), json!(100.0 * report.macro_f1()));
    figures.insert("exact".into(), json!(100.0 * report.exact()));
    if report.is_semeval() {
        let official = report.all.official;
        figures.insert("official_macro_f1".into(), json!(100.0 * official.macro_f1()));
        figures.insert("official_macro_precision".into(), json!(100.0 * official.macro_precision()));
        figures.insert("official_macro_recall".into(), json!(100.0 * official.macro_recall()));
        figures.insert("official_micro_f1".into(), json!(100.0 * official.micro().f1()));
    }
    figures.into()
}

fn role_figures(report: &RoleReport) -> Value {
    let mut figures = all(report.all.labelled(), &report.kinds);
    let others = [
        ("unlabelled_", report.all.unlabelled()),
        ("roles_", report.all.roles),
        ("arguments_", report.all.arguments),
        ("predicates_", report.all.predicates),
    ];
    others.into_iter().for_each(|(name, counts)| put(&mut figures, name, counts));
    let senses = report.all.sense_accuracy();
    let accuracy = (senses.total > 0).then(|| 100.0 * senses.value());
    figures.insert("sense_accuracy".into(), json!(accuracy));
    figures.into()
}

/// Figures of everything together, and of each type.
fn all(counts: Counts, kinds: &BTreeMap<Text, Counts>) -> Map<String, Value> {
    let mut figures = Map::new();
    put(&mut figures, "", counts);
    figures.extend([
        ("correct".to_string(), json!(counts.matched)),
        ("gold".to_string(), json!(counts.gold)),
        ("system".to_string(), json!(counts.system)),
    ]);
    let of_kind = |(kind, counts): (&Text, &Counts)| {
        let mut figures = Map::new();
        put(&mut figures, "", *counts);
        (kind.to_string(), Value::from(figures))
    };
    figures.insert("per_label".into(), kinds.iter().map(of_kind).collect());
    figures
}

fn put(figures: &mut Map<String, Value>, name: &str, counts: Counts) {
    for (figure, value) in
        [("precision", counts.precision()), ("recall", counts.recall()), ("f1", counts.f1())]
    {
        figures.insert(format!("{name}{figure}"), json!(100.0 * value));
    }
}
