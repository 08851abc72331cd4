//! Options that mean nothing for a kind of model: said once, for all of them.

use crate::args::parse::{Average, Decode, Parse};
use crate::terminal::Terminal;

/// Says which options were typed that a kind of model does not heed.
pub(crate) fn note(options: &Parse, heeded: &[&str], model: &str, terminal: &Terminal) {
    let what = &options.what;
    let typed = [
        (options.n_best > 1, "--n-best"),
        (options.posteriors, "--posteriors"),
        (options.decode != Decode::MaxRule, "--decode"),
        (options.average != Average::Product, "--average"),
        (options.draws != 100, "--draws"),
        (options.gibbs.gibbs, "--gibbs"),
        (what.constrain, "--constraints"),
        (what.gold_tags, "--gold-tags"),
        (what.retag, "--retag"),
        (what.normalise, "--normalise"),
        (what.exact || what.threshold.is_some(), "--exact and --threshold"),
        (what.max_words != 400, "--max-words"),
    ];
    for (_, name) in typed.into_iter().filter(|(is_typed, name)| *is_typed && !heeded.contains(name)) {
        terminal.note(&format!("note: {name}: the model is {model}; it has no effect here"));
    }
}
