//! Taggers that learn from sentences, with somebody who looks on and may stop them.

use crate::watch::{Steps, Watch};
use chain::Workers;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use tag::Certainty;
use tag::certainty::of_sentences_watched;
use tag::crf::{Crf, CrfError, CrfOptions, Epoch, Further, Material};

/// A tagger, and how sure its tags are; `None` if somebody stopped it.
pub(crate) fn from_sentences(
    material: Material<'_>,
    further: Further<'_>,
    settings: &CrfOptions,
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Option<(Crf, Certainty)>, CrfError> {
    let Some(crf) = watched(material, further, settings, workers, watch)? else { return Ok(None) };
    let stop = watch.stop_flag("stopping");
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
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Option<Crf>, CrfError> {
    let stop = watch.stop_flag("stopping");
    let steps = Steps::new(watch, settings.descent.epochs as u64, "epoch");
    let crf = Crf::train_watched(material, further, settings, workers, &mut |epoch| {
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
