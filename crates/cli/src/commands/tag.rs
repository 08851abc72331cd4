//! `treelet tag`: what a tagger was learned from, and how good tags are.

use super::train::done;
use crate::terminal::Terminal;
use treelet::options::tag::{Tag, TagScore, TagTrain};
use treelet::table::{self, plural};
use treelet::{LearnedFrom, Outcome, ScoredTags, Wish};

pub(crate) fn run(what: &Tag, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Tag::Train(options) => train(options, terminal),
        Tag::Run(options) => done(&treelet::tag(options, terminal)?, options.course.json, terminal),
        Tag::Score(options) => {
            terminal.note("note: `treelet tag score` is now `treelet score --tags auto`");
            score(options, terminal)
        }
    }
}

fn train(options: &TagTrain, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let trained = treelet::train_tagger(options, terminal)?;
    if !options.report.json {
        terminal.print(&learned_from(&trained.result.seen))?;
        terminal.print(&next(&trained.result.next))?;
    }
    done(&trained, options.report.json, terminal)
}

fn learned_from(seen: &LearnedFrom) -> String {
    let share = |part: usize, whole: usize| match whole {
        0 => "-".to_string(),
        _ => format!("{:.1} %  ({part} of {whole})", 100.0 * part as f64 / whole as f64),
    };
    let mut rows = vec![
        ("tags", seen.n_tags.to_string()),
        ("text", format!("{}, {}", plural(seen.n_tokens, "token"), plural(seen.n_types, "type"))),
        ("tagged", plural(seen.n_tagged, "token")),
    ];
    if seen.n_words > 0 {
        let [tokens, types] = seen.covered;
        rows.push(("dictionary", format!("{}, {} entries", plural(seen.n_words, "word"), seen.n_entries)));
        rows.push(("covers tokens", share(tokens, seen.n_tokens)));
        rows.push(("covers types", share(types, seen.n_types)));
    }
    if let Some(by) = &seen.recall {
        rows.push(("has the right tag", share(by.recall.correct, by.recall.total)));
        rows.push(("of words it has", share(by.recall_of_known.correct, by.recall_of_known.total)));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.into(), value]).collect();
    table::pairs(&rows)
}

/// The list as a table.
fn next(wishes: &[Wish]) -> String {
    if wishes.is_empty() {
        return String::new();
    }
    let row = |wish: &Wish| {
        let tags: Vec<&str> = wish.tags.iter().map(|tag| tag.as_str()).collect();
        vec![wish.word.to_string(), wish.count.to_string(), format!("{:.2}", wish.wrong), tags.join(" ")]
    };
    let rows: Vec<Vec<String>> = wishes.iter().map(row).collect();
    format!("\n{}", table::render(&["annotate next", "tokens", "expected errors", "tags so far"], &rows))
}

/// Tags word by word.
pub(crate) fn score(options: &TagScore, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let scored = treelet::score_tags(options, terminal)?;
    if !options.answer.json {
        terminal.print_tables(&tables(&scored.result, options.errors))?;
    }
    done(&scored, options.answer.json, terminal)
}

fn tables(scored: &ScoredTags, n_errors: usize) -> String {
    let groups = [("all words", scored.all)].into_iter().chain(scored.groups.iter().copied());
    let rows: Vec<Vec<String>> = groups
        .map(|(name, accuracy)| {
            let share =
                if accuracy.total == 0 { "-".into() } else { format!("{:.2}", 100.0 * accuracy.value()) };
            vec![name.to_string(), share, accuracy.correct.to_string(), accuracy.total.to_string()]
        })
        .collect();
    let mut text = table::render(&["accuracy", "%", "right", "of"], &rows);
    let rows: Vec<Vec<String>> = scored
        .per_tag
        .iter()
        .map(|(tag, counts)| {
            let numbers = [counts.gold, counts.system, counts.matched].map(|n| n.to_string());
            let shares = [counts.precision(), counts.recall(), counts.f1()];
            let shares = shares.map(|share| format!("{:.2}", 100.0 * share));
            [tag.to_string()].into_iter().chain(numbers).chain(shares).collect()
        })
        .collect();
    text.push('\n');
    text.push_str(&table::render(&["tag", "gold", "system", "right", "precision", "recall", "F1"], &rows));
    if n_errors > 0 && !scored.confusion.is_empty() {
        let confusions = scored.confusion.iter().take(n_errors);
        let rows: Vec<Vec<String>> =
            confusions.map(|(gold, system, n)| vec![format!("{gold} as {system}"), n.to_string()]).collect();
        text.push('\n');
        text.push_str(&table::render(&["confusion", "words"], &rows));
    }
    text
}
