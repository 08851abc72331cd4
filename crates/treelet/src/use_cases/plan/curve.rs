//! Scores by amount of annotation, from cross-validation.

use super::learner::Learner;
use crate::imputation::gathered::{Gathered, demanded};
use crate::imputation::identity::Groups;
use crate::imputation::imputer;
use crate::options::study::Plan;
use crate::watch::Steps;
use crate::watch::Watch;
use anyhow::bail;
use arcs::rules::RuleTable;
use chain::{Stream, Workers};
use std::sync::atomic::Ordering;
use study::forecast::{Course, Measured, Trial, trials};

/// What was measured.
pub(super) struct Curve {
    pub(super) n_sentences: usize,
    pub(super) n_annotated: usize,
    pub(super) n_arcs: usize,
    pub(super) measured: Measured,
    /// What learned, as it is called in a sentence.
    pub(super) learner: String,
    /// What was noticed, to be told with the forecast.
    pub(super) remarks: Vec<String>,
}

impl Curve {
    /// Holds out every part of the annotated sentences in turn, learns from growing shares of the others, and scores the
    /// heads that were said in the part. All annotations of a sentence are held out together, or the parser would have seen
    /// the sentence. `None` if somebody stopped it.
    pub(super) fn measure(
        gathered: &Gathered,
        options: &Plan,
        rules: Option<&RuleTable>,
        workers: &Workers,
        watch: &dyn Watch,
    ) -> anyhow::Result<Option<Self>> {
        let told: Vec<Vec<(usize, usize)>> = gathered
            .sentences()
            .zip(&gathered.fragments)
            .map(|(one, fragment)| demanded(one, fragment))
            .collect();
        let groups = Groups::new(&gathered.corpora);
        let n_heads: Vec<usize> =
            groups.all.iter().map(|group| group.iter().map(|&at| told[at].len()).sum()).collect();
        let (n_arcs, n_annotated) = (n_heads.iter().sum(), n_heads.iter().filter(|&&n| n > 0).count());
        if n_annotated < 2 || n_arcs < 10 {
            bail!(
                "{n_arcs} annotated heads in {n_annotated} sentences are too few for a forecast; annotate 10 heads in 2 sentences at least",
            );
        }
        let course = Course { n_folds: options.folds as usize, n_amounts: options.points as usize };
        let seed = options.completing.learning.chance.seed;
        let trials = trials(&n_heads, &course, Stream::new(seed).purpose("plan"))?;
        let stop = imputer::stop_flag(watch);
        let learner = Learner::new(gathered, &options.completing.learning, rules, &stop, workers, watch)?;
        let steps = Steps::new(watch, trials.len() as u64, "training");
        let mut n_done = 0;
        let score = |trial: &Trial| -> anyhow::Result<Option<Vec<usize>>> {
            let sentences = |units: &[usize]| -> Vec<usize> {
                units.iter().flat_map(|&unit| groups.all[unit].iter().copied()).collect()
            };
            let held = sentences(&trial.held);
            let Some(found) = learner.learn_and_parse(&sentences(&trial.used), &held)? else {
                return Ok(None);
            };
            let mut right = vec![0; told.len()];
            for (&at, heads) in held.iter().zip(&found) {
                right[at] = told[at].iter().filter(|&&(head, word)| heads[word - 1] == head).count();
            }
            n_done += 1;
            steps.reach(n_done, String::new);
            let of_unit = |&unit: &usize| groups.all[unit].iter().map(|&at| right[at]).sum();
            Ok((!stop.load(Ordering::Relaxed)).then(|| trial.held.iter().map(of_unit).collect()))
        };
        let measured = Measured::run(&n_heads, &trials, score)?;
        Ok(measured.map(|measured| Self {
            n_sentences: groups.all.len(),
            n_annotated,
            n_arcs,
            measured,
            learner: learner.name().to_string(),
            remarks: groups.note().into_iter().collect(),
        }))
    }
}
