//! Options of `parse` and `sample` that mean nothing for a kind of model: said once, for all of them.

use crate::watch::Watch;

/// Options that not every kind of model heeds.
const OF_SOME_MODELS: [&str; 17] = [
    "--n-best",
    "--posteriors",
    "--decode",
    "--average",
    "--draws",
    "--gibbs",
    "--lambda",
    "--burn-in",
    "--samples",
    "--constrain",
    "--gold-tags",
    "--retag",
    "--no-marks",
    "--normalise",
    "--exact",
    "--threshold",
    "--max-words",
];

/// Says which options were typed that a kind of model does not heed.
pub(crate) fn note(heeded: &[&str], model: &str, watch: &dyn Watch) {
    let unheeded: Vec<&str> = OF_SOME_MODELS.into_iter().filter(|name| !heeded.contains(name)).collect();
    watch.without_effect(&unheeded, &format!("the model is {model}"));
}
