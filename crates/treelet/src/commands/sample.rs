//! `treelet sample`: draw trees of sentences from the posterior.

use super::impute::parsing;
use super::parse::{Course, Layout};
use crate::args::parse::Sample;
use crate::outcome::Outcome;
use crate::terminal::Terminal;
use constituency::ParseOptions;

pub(crate) fn run(options: &Sample, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if parsing::wants(&options.what.model) {
        return parsing::sample(options, terminal);
    }
    terminal.without_effect(&["--retag"], "the model is one of brackets, and tags are part of its trees");
    terminal.without_effect(&["--no-marks"], "drawn trees are not marked");
    let settings = ParseOptions { samples: options.draws as usize, ..ParseOptions::default() };
    Course::new(&options.what, settings, terminal)?.parse(Layout::of_sample(options))
}
