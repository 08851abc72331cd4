//! Taggers that learn from sentences, with somebody who looks on and may stop them.

use crate::watch::{Steps, Watch};
use chain::observe::Observer;
use chain::{Start, Workers};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use tag::Certainty;
use tag::certainty::of_sentences_watched;
use tag::crf::{Crf, CrfError, CrfOptions, Epoch, Further, Material, Training};

/// Where a training begins, who saves it, and what is promised to somebody who stops it.
pub(crate) struct SavedTraining<'a> {
    pub(crate) start: Start<Training>,
    pub(crate) observer: &'a mut dyn Observer<Training>,
    pub(crate) promise: &'static str,
}

impl<'a> SavedTraining<'a> {
    /// A training that is made anew if it was stopped.
    pub(crate) fn never(nobody: &'a mut ()) -> Self {
        SavedTraining { start: Start::Fresh, observer: nobody, promise: "stopping" }
    }
}

/// A tagger, and how sure its tags are; `None` if somebody stopped it.
pub(crate) fn from_sentences(
    material: Material<'_>,
    further: Further<'_>,
    settings: &CrfOptions,
    saved: SavedTraining<'_>,
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Option<(Crf, Certainty)>, CrfError> {
    let stop = watch.stop_flag(saved.promise);
    let Some(crf) = watched(material, further, settings, saved, workers, watch)? else { return Ok(None) };
    let steps = Steps::new(watch, settings.descent.epochs as u64, "epoch");
    let certainty = of_sentences_watched(&crf, material, further, settings, workers, &mut |epoch| {
        steps.reach(epoch.done as u64, || format!("tagger, rehearsal: {}", shown(epoch)));
        goes_on(&stop)
    });
    Ok(certainty.filter(|_| goes_on(&stop).is_continue()).map(|certainty| (crf, certainty)))
}

/// A tagger; `None` if somebody stopped it.
pub(crate) fn watched(
    material: Material<'_>,
    further: Further<'_>,
    settings: &CrfOptions,
    saved: SavedTraining<'_>,
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Option<Crf>, CrfError> {
    let stop = watch.stop_flag(saved.promise);
    let steps = Steps::new(watch, settings.descent.epochs as u64, "epoch");
    let saved = (saved.start, saved.observer);
    let crf = Crf::train_saved(material, further, settings, saved, workers, &mut |epoch| {
        steps.reach(epoch.done as u64, || format!("tagger: {}", shown(epoch)));
        goes_on(&stop)
    })?;
    Ok(Some(crf).filter(|_| goes_on(&stop).is_continue()))
}

/// Ends a training when the flag is set.
pub(crate) fn goes_on(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn shown(epoch: &Epoch) -> String {
    match epoch.accuracy {
        Some(accuracy) => format!("loss {:.3}, {:.2} % of held-out tags", epoch.loss, 100.0 * accuracy),
        None => format!("loss {:.3}", epoch.loss),
    }
}
