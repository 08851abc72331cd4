//! `treelet induce pcfg`: a context-free grammar over tags.

use super::common::{self, Common};
use super::corpus::Seen;
use crate::models::{self, run_error};
use crate::options::induce::Pcfg as Choices;
use crate::outcome::{Done, Figures, Usage};
use crate::watch::{Steps, Watch};
use chain::observe::{Each, Fan, Trace};
use chain::{Progress, Schedule, Stop, Workers, sample};
use induce::pcfg::PcfgSentence;
use induce::pcfg::gibbs::{Alpha, DrawnTrees, Sampler};
use induce::pcfg::model::{PcfgModel, family_of};
use induce::{Family, Induced, Pcfg, Setting, Task, random};
use std::ops::ControlFlow;

/// Learns a context-free grammar over tags, and writes it.
pub fn induce_pcfg(options: &Choices, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    let common = Common::new(&options.learner, watch)?;
    if options.gibbs {
        note_estimators(watch);
    } else {
        common.note_ignored();
        watch.without_effect(&["--sweeps", "--burn-in"], "it is for --gibbs");
    }
    let workers = models::workers(options.learner.course.threads)?;
    let (corpora, has_problems) = common.read(&options.learner, Seen::Tags, false)?;
    let family = family_of(&corpora.tags, options.nonterminals as usize);
    let number = |all: &[arcs::dmv::DmvSentence]| -> Vec<PcfgSentence> {
        all.iter().map(|sentence| PcfgSentence { words: sentence.tags.clone() }).collect()
    };
    let (items, held_out) = (number(&corpora.sentences), number(&corpora.held_out));
    let settings = common::settings(&options.learner.learning, options.learner.course.chance.seed);
    let fingerprint = corpora.fingerprint(&(&settings, options.nonterminals, options.burn_in));
    let induced = if options.gibbs {
        draw(options, &common, &family, &items, fingerprint, &workers)?
    } else {
        let starts = (0..options.beginnings.restarts as usize)
            .map(|number| random::start(family.rows(), options.learner.course.chance.seed, number))
            .collect();
        let task = Task { family: &family, items: &items, held_out: &held_out, starts, fingerprint };
        common.induce(&task, &settings, &workers)?
    };
    let mut notes = common.notes(&corpora, &induced, &settings);
    if options.gibbs {
        notes.insert("method".into(), "gibbs".into());
    }
    let model = PcfgModel {
        tags: corpora.tags.clone(),
        nonterminals: options.nonterminals as usize,
        grammar: induced.grammar.clone(),
        fine_tags: corpora.fine_tags(),
        punctuation: corpora.punctuation(),
        notes,
    };
    common.run.written(model.write(&options.learner.corpus.new_model.output))?;
    let result = common.say(
        &corpora,
        &induced,
        &format!("treelet parse {} SENTENCES", options.learner.corpus.new_model.output.display()),
    );
    Ok(Done { result, has_problems })
}

/// Says which options mean nothing for a sampler.
fn note_estimators(watch: &dyn Watch) {
    let of_estimators = [
        "--method",
        "--held-out",
        "--restarts",
        "--search",
        "--anneal",
        "--batch",
        "--share",
        "--passes",
        "--tolerance",
        "--patience",
    ];
    watch.without_effect(&of_estimators, "it is for estimators, not for --gibbs");
}

/// Draws trees and grammars in turn.
fn draw(
    options: &Choices,
    common: &Common<'_>,
    family: &Pcfg,
    sentences: &[PcfgSentence],
    fingerprint: u64,
    workers: &Workers,
) -> anyhow::Result<Induced> {
    if sentences.is_empty() {
        return Err(Usage("there is no sentence to learn from; check --max-length".into()).into());
    }
    let rules = options.learner.learning.alpha.unwrap_or(Alpha::default().rules);
    let alpha = Alpha { rules, ..Alpha::default() };
    let sampler = Sampler { pcfg: family, sentences, alpha, fingerprint };
    let schedule = Schedule {
        burn_in: options.burn_in,
        samples: options.sweeps,
        thin: 1,
        seed: options.learner.course.chance.seed,
        chains: 1,
    };
    let run = &common.run;
    let start = run.start::<Sampler<'_>>()?;
    let steps = Steps::new(common.watch, schedule.total(), "sweep");
    let mut tally = sampler.tally();
    let mut trace = Trace::new("trace", &["ln_likelihood"], |state: &DrawnTrees| vec![state.ln_likelihood]);
    let mut progress = Each(|at: &Progress, state: &DrawnTrees| {
        steps.reach(at.sweep, || format!("ln p {:.1}", state.ln_likelihood));
        Ok(ControlFlow::Continue(()))
    });
    let mut flag = run.stop();
    let mut checkpoints = run.checkpoints();
    let mut fan = Fan::new()
        .with(&mut tally)
        .with(&mut trace)
        .with(&mut progress)
        .with(&mut flag)
        .with(&mut checkpoints);
    let outcome = sample::run(&sampler, &schedule, start, &mut fan, workers).map_err(run_error)?;
    drop(fan);
    if let Some(path) = &options.learner.course.trace {
        run.write_trace(&trace, path)?;
    }
    if outcome.stop == Some(Stop::Interrupted) {
        return Err(run.stopped(Some((outcome.checkpoint.sweep, schedule.total()))));
    }
    Ok(Induced {
        grammar: sampler.mean(&tally.mean()),
        setting: Setting { alpha: Some(rules), share: None },
        history: trace.all("ln_likelihood").into_iter().flatten().collect(),
        held_out: Vec::new(),
        best_pass: schedule.total(),
        stop: None,
        normals: None,
        tried: Vec::new(),
    })
}
