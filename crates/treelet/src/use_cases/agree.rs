//! `treelet agree`: annotators compared with one another and with gold, and made one.

mod columns;
mod combined;
mod groups;
mod pairs;
mod people;
mod rest;
mod told;

use super::check::report_problems;
use crate::committed::Commitments;
use crate::imputation::annotated::{Annotated, Aside, Corpus, heads_of};
use crate::imputation::fragments::{self, TagChoice};
use crate::imputation::identity::{Key, Keys};
use crate::models;
use crate::options::study::Agree;
use crate::options::{Input, impute};
use crate::outcome::Outcome;
use crate::table;
use crate::watch::Watch;
use people::{People, Truth};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use study::statistics::{Options, Record, Report, by_annotator};
use tree::Text;

pub fn run(options: &Agree, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let inputs = options.files.iter().chain(&options.gold).chain(&options.words);
    crate::source::only_one_stdin(inputs.clone())?;
    if let Some(output) = options.output.as_deref().filter(|output| *output != Path::new("-")) {
        models::refuse_same(output, inputs.map(|path| path.as_path()))?;
        models::check_output(output, "the combined annotation")?;
    }
    let mut corpora = Vec::new();
    for path in &options.files {
        let trust = options.trusted.trust;
        let mut corpus = Corpus::read_trusting(trust, path, &options.input, watch)?;
        corpus.note_taken_back(watch);
        fragments::lay_over(&mut corpus, &choices(options), &options.input, watch)?;
        corpora.push(corpus);
    }
    let mut aside = Vec::new();
    let plain = Input { from: None, encoding: options.input.encoding };
    let gold = options.gold.as_ref().map(|path| Corpus::read(path, &plain, watch)).transpose()?;
    let files = corpora.iter().chain(&gold).map(|corpus| corpus.sentences.as_slice());
    let keys = Keys::new(files);
    let gold = gold.map_or_else(BTreeMap::new, |corpus| truths(corpus, &keys, &mut aside));
    let sentences = corpora.iter().flat_map(|corpus| &corpus.sentences).map(|one| &one.sentence);
    let tags = TagChoice::resolve(options.tags, sentences);
    let (people, mut problems) = People::new(&corpora, &keys, &gold, tags);
    let tables =
        Tables::new(&people, options.gold.is_some(), options.trusted.trust == impute::Trust::Imputed);
    let text = if options.json { format!("{:#}\n", tables.json()) } else { tables.text() };
    // The combined annotation may go to standard output; then the tables do not.
    if options.output.as_deref() == Some(Path::new("-")) {
        watch.note(&text);
    } else {
        match options.json {
            true => watch.print(&text)?,
            false => watch.print_tables(&text)?,
        }
    }
    if let Some(note) = keys.note() {
        watch.note(&note);
    }
    if people.names.len() < 2 {
        watch.note(
            "note: there is one annotator only; agreement takes two files, or a file with sections ANNOTATOR",
        );
    }
    if let (Some(how), Some(output)) = (options.combine, &options.output) {
        combined::write(how, &people, output, options, watch)?;
    }
    let mut has_errors = false;
    for (corpus, problems) in corpora.iter().zip(&mut problems) {
        problems.sort_by_key(|problem| problem.place.line);
        has_errors |= report_problems(&corpus.source, problems, &options.messages, watch)?;
    }
    aside.extend(corpora.into_iter().flat_map(|corpus| corpus.aside));
    has_errors |= Aside::report(&aside, &options.messages, watch)?;
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
}

fn choices(options: &Agree) -> impute::ReadingChoices {
    impute::ReadingChoices {
        words: options.words.clone(),
        tags: options.tags,
        brackets: impute::BracketChoice::Subtree,
        multiword: impute::MultiwordChoice::First,
        coordination: impute::CoordinationChoice::Coordinator,
        omit_unmentioned: false,
        trusted: options.trusted,
    }
}

/// Gold heads by sentence.
fn truths(corpus: Corpus, keys: &Keys, aside: &mut Vec<Aside>) -> BTreeMap<Key, Truth> {
    let truth = |one: &Annotated| {
        let heads =
            if one.is_fragment { ::score::agreement::definite_heads(&one.said) } else { heads_of(&one.said) };
        Truth { sentence: one.sentence.clone(), heads }
    };
    let keyed = keys.of_file(&corpus.sentences).into_iter().zip(corpus.sentences.iter().map(truth)).collect();
    aside.push(Aside::new(corpus));
    keyed
}

/// All figures.
struct Tables {
    reports: Vec<(Text, Report)>,
    commitments: Vec<Commitments>,
    agreement: pairs::Agreement,
    columns: columns::Columns,
    has_gold: bool,
}

impl Tables {
    fn new(people: &People<'_>, has_gold: bool, trusting: bool) -> Self {
        let records: Vec<Record> = people.records();
        let reports = by_annotator(&records, &Options::default()).into_iter().collect();
        let commitments = (0..people.names.len()).map(|who| commitments_of(people, who)).collect();
        let columns = columns::Columns::new(people, trusting);
        Self { reports, commitments, agreement: pairs::Agreement::new(people), columns, has_gold }
    }

    fn text(&self) -> String {
        let mut text = String::from("Annotators\n");
        let mut headings = vec![
            "annotator",
            "sentences",
            "tokens",
            "com",
            "com (named)",
            "ln trees",
            "arcs/token",
            "brackets/token",
            "roots/token",
            "arcs/hour",
            "noun heads det",
            "verb heads aux",
        ];
        if self.has_gold {
            headings.extend(["precision", "recall"]);
        }
        let rows: Vec<Vec<String>> = self
            .reports
            .iter()
            .zip(&self.commitments)
            .map(|((name, report), committed)| self.row(name, report, committed))
            .collect();
        text.push_str(&table::render(&headings, &rows));
        text.push_str("\nWords with a certain head, by tag (%)\n");
        text.push_str(&self.by_tag());
        if !self.agreement.pairs.is_empty() {
            text.push_str("\nPairs (%)\n");
            text.push_str(&self.agreement.text());
            text.push_str(&self.columns.text());
        }
        text
    }

    fn row(&self, name: &str, report: &Report, committed: &Commitments) -> Vec<String> {
        let counts = &report.densities;
        let per_token = |count: usize| format!("{:.2}", counts.per_token(count));
        let convention =
            |at: usize| report.constructions.get(at).and_then(|(_, counts)| counts.content_share());
        let mut row = vec![
            name.to_string(),
            counts.n_sentences.to_string(),
            counts.n_tokens.to_string(),
            percent(committed.mean(|one| one.exact)),
            percent(committed.mean(|one| one.named)),
            committed.mean(|one| one.ln_trees).map_or("–".into(), |trees| format!("{trees:.1}")),
            per_token(counts.n_arcs),
            per_token(counts.n_brackets),
            per_token(counts.n_roots),
            counts.arcs_per_hour().map_or("–".into(), |rate| format!("{rate:.0}")),
            percent(convention(0)),
            percent(convention(1)),
        ];
        if self.has_gold {
            row.push(format!("{:.1}", 100.0 * report.against_gold.precision()));
            row.push(format!("{:.1}", 100.0 * report.against_gold.recall()));
        }
        row
    }

    fn by_tag(&self) -> String {
        let mut tags: Vec<&Text> =
            self.reports.iter().flat_map(|(_, report)| report.completion.keys()).collect();
        tags.sort_unstable();
        tags.dedup();
        let mut headings = vec!["tags"];
        headings.extend(self.reports.iter().map(|(name, _)| name.as_str()));
        let cell = |report: &Report, tag: &Text| {
            let counts = report.completion.get(tag).filter(|counts| counts.total > 0);
            percent(counts.map(|counts| counts.correct as f64 / counts.total as f64))
        };
        let row = |tag: &&Text| {
            std::iter::once(tag.to_string())
                .chain(self.reports.iter().map(|(_, report)| cell(report, tag)))
                .collect()
        };
        table::render(&headings, &tags.iter().map(row).collect::<Vec<Vec<String>>>())
    }

    fn json(&self) -> Value {
        let annotators = self.reports.iter().zip(&self.commitments).map(|((name, report), committed)| {
            let counts = &report.densities;
            let completion: Map<String, Value> = report
                .completion
                .iter()
                .map(|(tag, counts)| {
                    (tag.to_string(), json!({"with_head": counts.correct, "words": counts.total}))
                })
                .collect();
            let constructions: Map<String, Value> = report
                .constructions
                .iter()
                .map(|(one, counts)| {
                    (
                        one.name.to_string(),
                        json!({"by_content": counts.by_content, "by_function": counts.by_function}),
                    )
                })
                .collect();
            let mut object = json!({
                "annotator": name.as_str(),
                "sentences": counts.n_sentences,
                "tokens": counts.n_tokens,
                "com": committed.mean(|one| one.exact),
                "com_named": committed.mean(|one| one.named),
                "ln_promiscuity": committed.mean(|one| one.ln_trees),
                "arcs": counts.n_arcs,
                "brackets": counts.n_brackets,
                "roots": counts.n_roots,
                "multiwords": counts.n_multiwords,
                "coordinations": counts.n_coordinations,
                "arcs_per_hour": counts.arcs_per_hour(),
                "completion": completion,
                "constructions": constructions,
            });
            if self.has_gold {
                let arcs = report.against_gold;
                object["gold"] = json!({
                    "correct": arcs.matched, "given": arcs.system, "gold": arcs.gold,
                    "precision": arcs.precision(), "recall": arcs.recall(),
                });
            }
            object
        });
        let mut object = json!({"annotators": annotators.collect::<Vec<_>>()});
        object["agreement"] = self.agreement.json();
        object["columns"] = self.columns.json();
        object
    }
}

fn commitments_of(people: &People<'_>, who: usize) -> Commitments {
    let mut commitments = Commitments::default();
    people.said_by(who).for_each(|said| commitments.add(said));
    commitments
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1}", 100.0 * share))
}
