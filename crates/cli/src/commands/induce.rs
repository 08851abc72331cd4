//! `treelet induce`: what came of a run.

use super::train::done;
use crate::terminal::Terminal;
use treelet::Outcome;
use treelet::options::induce::Induce;

pub(crate) fn run(what: &Induce, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let (induced, learner) = match what {
        Induce::Dmv(options) => (treelet::induce_dmv(options, terminal)?, &options.learner),
        Induce::Pcfg(options) => (treelet::induce_pcfg(options, terminal)?, &options.learner),
        Induce::Hmm(options) => (treelet::induce_hmm(options, terminal)?, &options.learner),
    };
    done(&induced, learner.course.report.json, terminal)
}
