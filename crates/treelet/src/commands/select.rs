//! `treelet select`: what to annotate next, and why.

use crate::args::study::{CostChoice, Select, UnitChoice, Worth};
use crate::imputation::annotated::{Annotated, word_ids};
use crate::imputation::gathered::{Gathered, demanded};
use crate::imputation::imputer::{self, Imputed, Imputer};
use crate::imputation::rows::id_of;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::table;
use crate::terminal::Terminal;
use chain::Stream;
use parse::imputation::gpc::CompleteOptions;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use study::cost::{Cost, Work};
use study::select::{Candidate, Choice, Options, Strategy, Unit, select};

/// So many words of a sentence are shown.
const MOST_WORDS: usize = 3;

pub(crate) fn run(options: &Select, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let learning = &options.completing.learning;
    let workers = models::workers(learning.threads)?;
    let saved = options.model.as_deref().map(Imputer::read).transpose()?;
    let gathered = Gathered::read(&options.files, &options.completing, saved.as_ref(), terminal)?;
    let stop = imputer::stop_flag(terminal);
    let rules = imputer::rules(learning)?;
    let imputer = match saved {
        Some(imputer) => Some(imputer),
        None if gathered.fragments.is_empty() => None,
        None => gathered.learn(learning, rules.as_ref(), &stop, &workers, terminal)?,
    };
    let imputed = match &imputer {
        Some(imputer) => {
            imputer.complete(&gathered.fragments, &CompleteOptions::default(), &stop, &workers, terminal)
        }
        None => Vec::new(),
    };
    if stop.load(Ordering::Relaxed) {
        terminal.stderr("stopped");
        return Ok(Outcome::Files);
    }
    let pool = Pool::new(&gathered, &imputed, cost(options.cost));
    let how = Options {
        strategy: match options.by {
            Worth::EntropyPerCost => Strategy::EntropyPerCost,
            Worth::Entropy => Strategy::Entropy,
            Worth::Difficulty => Strategy::Difficulty,
            Worth::Random => Strategy::Random,
        },
        unit: unit(options.unit),
        n: options.n as usize,
        budget: options.budget,
    };
    let chosen = select(&pool.candidates(options.unit), &how, Stream::new(learning.seed));
    let chosen = chosen.map_err(|error| Usage(error.to_string()))?;
    let text = if options.json { pool.json(&chosen) } else { pool.text(&chosen, options.unit) };
    terminal.print(&text)?;
    if gathered.fragments.is_empty() {
        terminal.note("note: there are no sentences");
    } else if chosen.is_empty() {
        terminal.note("note: there is nothing left to annotate");
    }
    let has_errors = gathered.report(&options.completing.messages, terminal)?;
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
}

fn unit(choice: UnitChoice) -> Unit {
    match choice {
        UnitChoice::Sentence => Unit::Sentence,
        UnitChoice::Arc => Unit::Arc,
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

/// Sentences with what is known and unknown of them.
struct Pool<'a> {
    items: Vec<Item<'a>>,
    cost: Cost,
}

/// One sentence, once, however often it was annotated.
struct Item<'a> {
    number: usize,
    annotated: &'a Annotated,
    imputed: &'a Imputed,
    /// Words nobody gave a head to, from 1.
    open: Vec<usize>,
    /// How many more heads than one each word was given.
    disputes: Vec<usize>,
    n_annotations: usize,
}

impl<'a> Pool<'a> {
    fn new(gathered: &'a Gathered, imputed: &'a [Imputed], cost: Cost) -> Self {
        let mut groups: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
        let sentences: Vec<&Annotated> = gathered.sentences().collect();
        let mut order: Vec<Vec<usize>> = Vec::new();
        for (at, annotated) in sentences.iter().enumerate() {
            match annotated.sentence.id() {
                Some(id) => groups.entry(Some(id)).or_default().push(at),
                None => order.push(vec![at]),
            }
        }
        order.extend(groups.into_values());
        order.sort();
        let item = |all: &Vec<usize>| {
            let first = *all.first()?;
            let n_words = sentences[first].said.n_words;
            let mut heads: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n_words];
            for &at in all.iter().filter(|&&at| sentences[at].said.n_words == n_words) {
                for (head, word) in demanded(sentences[at], &gathered.fragments[at]) {
                    heads[word - 1].insert(head);
                }
            }
            Some(Item {
                number: first + 1,
                annotated: sentences[first],
                imputed: imputed.get(first)?,
                open: (1..=n_words).filter(|&word| heads[word - 1].is_empty()).collect(),
                disputes: heads.iter().map(|heads| heads.len().saturating_sub(1)).collect(),
                n_annotations: all.len(),
            })
        };
        Self { items: order.iter().filter_map(item).collect(), cost }
    }

    /// Words or sentences with something open or disputed.
    fn candidates(&self, unit: UnitChoice) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            match unit {
                UnitChoice::Sentence => candidates.extend(self.sentence(at, item)),
                UnitChoice::Arc => candidates.extend(item.words().map(|word| self.word(at, item, word))),
            }
        }
        candidates
    }

    fn sentence(&self, at: usize, item: &Item<'_>) -> Option<Candidate> {
        let n_words = item.annotated.said.n_words;
        let words: Vec<usize> = item.words().collect();
        let done = Work { n_words, n_arcs: n_words - words.len() };
        let cost = self.cost.of(Work { n_words, n_arcs: n_words }) - self.cost.of(done);
        let whole = Candidate {
            sentence: at,
            word: None,
            entropy: words.iter().map(|&word| item.imputed.completed.posteriors.entropy(word)).sum(),
            cost: if done.n_arcs == 0 { self.cost.of(Work { n_words, n_arcs: n_words }) } else { cost },
            n_annotations: item.n_annotations,
            disagreement: item.disputes.iter().sum(),
            unspecified_share: item.open.len() as f64 / n_words.max(1) as f64,
        };
        (!words.is_empty()).then_some(whole)
    }

    fn word(&self, at: usize, item: &Item<'_>, word: usize) -> Candidate {
        let n_words = item.annotated.said.n_words;
        Candidate {
            sentence: at,
            word: Some(word),
            entropy: item.imputed.completed.posteriors.entropy(word),
            cost: self.cost.of_next(Work { n_words, n_arcs: n_words - item.open.len().max(1) }),
            n_annotations: item.n_annotations,
            disagreement: item.disputes[word - 1],
            unspecified_share: item.open.len() as f64 / n_words.max(1) as f64,
        }
    }

    fn text(&self, chosen: &[Choice], unit: UnitChoice) -> String {
        let mut text = String::new();
        let headings = ["rank", "sentence", "words", "open", "entropy", "cost", "score"];
        let rows: Vec<Vec<String>> = (1..).zip(chosen).map(|(rank, choice)| self.row(rank, choice)).collect();
        text.push_str(&table::render(&headings, &rows));
        text.push('\n');
        for (rank, choice) in (1..).zip(chosen) {
            let item = &self.items[choice.candidate.sentence];
            let words: Vec<&str> = item.annotated.sentence.words().map(|word| word.form.as_str()).collect();
            text.push_str(&format!("{rank}. {}\n", words.join(" ")));
            let shown = match (unit, choice.candidate.word) {
                (UnitChoice::Arc, Some(word)) => vec![word],
                _ => item.least_certain(),
            };
            shown.into_iter().for_each(|word| text.push_str(&format!("   {}\n", item.doubt(word))));
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
            let shown = choice.candidate.word.map_or_else(|| item.least_certain(), |word| vec![word]);
            json!({
                "rank": rank,
                "sentence": item.number,
                "id": item.annotated.sentence.id(),
                "word": choice.candidate.word.map(|word| id_of(word, &ids)),
                "words": item.annotated.said.n_words,
                "open": item.open.len(),
                "entropy": choice.candidate.entropy,
                "cost": choice.candidate.cost,
                "annotations": choice.candidate.n_annotations,
                "disagreement": choice.candidate.disagreement,
                "score": choice.score,
                "why": choice.why,
                "uncertain": shown.into_iter().map(|word| item.doubt_json(word)).collect::<Vec<Value>>(),
            })
        };
        let all: Vec<Value> = (1..).zip(chosen).map(object).collect();
        format!("{:#}\n", Value::Array(all))
    }
}

impl Item<'_> {
    fn name(&self) -> String {
        self.annotated.name(self.number - 1)
    }

    /// Words worth asking about.
    fn words(&self) -> impl Iterator<Item = usize> {
        (1..=self.disputes.len()).filter(|&word| self.disputes[word - 1] > 0 || self.open.contains(&word))
    }

    fn least_certain(&self) -> Vec<usize> {
        let posteriors = &self.imputed.completed.posteriors;
        let mut words: Vec<usize> = self.words().collect();
        words.sort_by(|&a, &b| posteriors.entropy(b).total_cmp(&posteriors.entropy(a)).then(a.cmp(&b)));
        words.truncate(MOST_WORDS);
        words
    }

    fn form(&self, word: usize) -> &str {
        match word {
            0 => "ROOT",
            _ => self.annotated.sentence.words().nth(word - 1).map_or("", |token| token.form.as_str()),
        }
    }

    /// A word and its two best heads.
    fn doubt(&self, word: usize) -> String {
        let ids = word_ids(&self.annotated.sentence);
        let heads: Vec<String> = self
            .imputed
            .completed
            .posteriors
            .ranked(word)
            .iter()
            .take(2)
            .map(|&(head, p)| format!("{} {} {p:.2}", id_of(head, &ids), self.form(head)))
            .collect();
        format!("{} {}: {}", id_of(word, &ids), self.form(word), heads.join(" or "))
    }

    fn doubt_json(&self, word: usize) -> Value {
        let ids = word_ids(&self.annotated.sentence);
        let ranked = self.imputed.completed.posteriors.ranked(word);
        let heads: Vec<Value> = ranked
            .iter()
            .take(2)
            .map(|&(head, p)| json!({"head": id_of(head, &ids), "form": self.form(head), "probability": p}))
            .collect();
        json!({"word": id_of(word, &ids), "form": self.form(word), "heads": heads})
    }
}
