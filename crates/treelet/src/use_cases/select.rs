//! `treelet select`: what to annotate next, and why.

mod next;
mod pool;

use crate::imputation::annotated::word_ids;
use crate::imputation::gathered::Gathered;
use crate::imputation::identity::Groups;
use crate::imputation::imputer;
use crate::imputation::rows::id_of;
use crate::imputation::scorer::Scorer;
use crate::models;
use crate::options::study::{CostChoice, Select, UnitChoice, Worth};
use crate::outcome::{Outcome, Usage};
use crate::table;
use crate::watch::Watch;
use chain::Stream;
use pool::{Item, Pool, is_diverse};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::Ordering;
use study::cost::Cost;
use study::select::{Choice, Options, Strategy, Unit, select, select_diverse};

pub fn run(options: &Select, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    check_output(options)?;
    let learning = &options.completing.learning;
    let workers = models::workers(learning.threads)?;
    if options.model.is_some() {
        imputer::note_learned_before(watch);
    }
    let saved = options.model.as_deref().map(Scorer::read).transpose()?;
    let tags = saved.as_ref().and_then(Scorer::tags);
    let gathered = Gathered::read(&options.files, &options.completing, tags, watch)?;
    let stop = imputer::stop_flag(watch);
    let rules = imputer::rules(learning)?;
    let scorer = match saved {
        Some(scorer) => Some(scorer),
        None if gathered.fragments.is_empty() => None,
        None => gathered.learn(learning, rules.as_ref(), &stop, &workers, watch)?.map(Scorer::Imputer),
    };
    let posteriors =
        scorer.map(|scorer| scorer.posteriors(&gathered, &stop, &workers, watch)).unwrap_or_default();
    if stop.load(Ordering::Relaxed) {
        watch.remark("stopped");
        return Ok(Outcome::Files);
    }
    let groups = Groups::new(&gathered.corpora);
    if let Some(note) = groups.note() {
        watch.note(&note);
    }
    let pool = Pool::new(&gathered, &groups, &posteriors, cost(options.cost));
    let chosen = choose(options, &pool)?;
    let text = if options.json { pool.json(&chosen) } else { pool.text(&chosen) };
    // The sentences may go to standard output; then the list does not.
    if options.output.as_deref() == Some(Path::new("-")) {
        watch.note(&text);
    } else {
        watch.print(&text)?;
    }
    if gathered.fragments.is_empty() {
        watch.note("note: there are no sentences");
    } else if chosen.is_empty() {
        watch.note(&nothing(options, &pool));
    }
    if let Some(output) = &options.output {
        next::write(output, &pool, &chosen, watch)?;
    }
    let has_errors = gathered.report(&options.completing.messages, watch)?;
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
}

fn check_output(options: &Select) -> anyhow::Result<()> {
    let Some(output) = options.output.as_deref().filter(|output| *output != Path::new("-")) else {
        return Ok(());
    };
    let more = options.completing.reading.words.iter().chain(&options.completing.learning.text);
    let inputs = options.files.iter().chain(&options.model).chain(more);
    models::refuse_same(output, inputs.map(|path| path.as_path()))?;
    models::check_output(output, "the sentences")
}

fn choose(options: &Select, pool: &Pool<'_>) -> anyhow::Result<Vec<Choice>> {
    let how = Options {
        strategy: match options.by {
            Worth::EntropyPerCost => Strategy::EntropyPerCost,
            Worth::Entropy => Strategy::Entropy,
            Worth::Difficulty => Strategy::Difficulty,
            Worth::Random => Strategy::Random,
        },
        unit: match options.unit {
            UnitChoice::Sentence => Unit::Sentence,
            UnitChoice::Arc => Unit::Arc,
        },
        n: options.n as usize,
        budget: options.budget,
    };
    let (candidates, traits) = pool.candidates(options.unit);
    let chosen = match is_diverse(&how) && !options.not_diverse {
        true => select_diverse(&candidates, &traits, &how),
        false => select(&candidates, &how, Stream::new(options.completing.learning.seed)),
    };
    chosen.map_err(|error| Usage(error.to_string()).into())
}

/// Why nothing was chosen.
fn nothing(options: &Select, pool: &Pool<'_>) -> String {
    let (candidates, _) = pool.candidates(options.unit);
    let cheapest = candidates.iter().map(|candidate| candidate.cost).min_by(f64::total_cmp);
    match (cheapest, options.budget) {
        (Some(cost), Some(budget)) => {
            format!("note: nothing fits the budget of {budget}; the cheapest costs {cost:.1}")
        }
        _ => "note: there is nothing left to annotate".into(),
    }
}

fn cost(choice: CostChoice) -> Cost {
    match choice {
        CostChoice::Arcs => Cost::Arcs,
        CostChoice::Decile => Cost::TENTHS,
        CostChoice::CheapFirst => Cost::CHEAP_FIRST,
        CostChoice::Seconds => Cost::Seconds { per_arc: 8.0, per_sentence: 20.0 },
    }
}

impl Pool<'_> {
    fn text(&self, chosen: &[Choice]) -> String {
        let mut text = String::new();
        let headings = ["rank", "sentence", "words", "open", "entropy", "cost", "score"];
        let rows: Vec<Vec<String>> = (1..).zip(chosen).map(|(rank, choice)| self.row(rank, choice)).collect();
        text.push_str(&table::render(&headings, &rows));
        text.push('\n');
        for (rank, choice) in (1..).zip(chosen) {
            let item = &self.items[choice.candidate.sentence];
            let words: Vec<&str> = item.annotated.sentence.words().map(|word| word.form.as_str()).collect();
            text.push_str(&format!("{rank}. {}\n", words.join(" ")));
            item.shown(choice)
                .into_iter()
                .for_each(|word| text.push_str(&format!("   {}\n", item.doubt(word))));
        }
        text
    }

    fn row(&self, rank: usize, choice: &Choice) -> Vec<String> {
        let item = &self.items[choice.candidate.sentence];
        vec![
            rank.to_string(),
            item.name(),
            item.annotated.said.n_words.to_string(),
            item.open.len().to_string(),
            format!("{:.2}", choice.candidate.entropy),
            format!("{:.1}", choice.candidate.cost),
            format!("{:.3}", choice.score),
        ]
    }

    fn json(&self, chosen: &[Choice]) -> String {
        let object = |(rank, choice): (usize, &Choice)| {
            let item = &self.items[choice.candidate.sentence];
            let ids = word_ids(&item.annotated.sentence);
            json!({
                "rank": rank,
                "sentence": item.number,
                "id": item.annotated.sentence.id(),
                "file": item.file,
                "line": item.annotated.line,
                "word": choice.candidate.word.map(|word| id_of(word, &ids)),
                "words": item.annotated.said.n_words,
                "open": item.open.len(),
                "entropy": choice.candidate.entropy,
                "cost": choice.candidate.cost,
                "annotations": choice.candidate.n_annotations,
                "disagreement": choice.candidate.disagreement,
                "score": choice.score,
                "why": choice.why,
                "uncertain": item.shown(choice).into_iter().map(|word| doubt(item, word)).collect::<Vec<Value>>(),
            })
        };
        let all: Vec<Value> = (1..).zip(chosen).map(object).collect();
        format!("{:#}\n", Value::Array(all))
    }
}

/// A word and its two best heads.
fn doubt(item: &Item<'_>, word: usize) -> Value {
    let ids = word_ids(&item.annotated.sentence);
    let ranked = item.posteriors.ranked(word);
    let heads: Vec<Value> = ranked
        .iter()
        .take(2)
        .map(|&(head, p)| json!({"head": id_of(head, &ids), "form": item.form(head), "probability": p}))
        .collect();
    json!({"word": id_of(word, &ids), "form": item.form(word), "heads": heads})
}
