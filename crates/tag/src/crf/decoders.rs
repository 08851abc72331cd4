//! Several taggers at work side by side.

use chain::Workers;

use super::Crf;
use super::decode::Decoder;
use super::features::Further;

/// A decoder for each thread. They remember the words they have met from one call to the next.
#[derive(Clone)]
pub struct Decoders<'m> {
    decoders: Vec<Decoder<'m>>,
}

impl<'m> Decoders<'m> {
    /// As many as there are threads; `further` is what the tagger was trained with.
    pub fn new(crf: &'m Crf, further: Further<'m>, workers: &Workers) -> Decoders<'m> {
        Decoders { decoders: vec![crf.decoder(further); workers.n_threads().max(1)] }
    }

    /// Applies `tag` to every item; the results stand in the order of the items.
    pub fn map<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        workers: &Workers,
        tag: impl Fn(&mut Decoder<'m>, &T) -> R + Sync,
    ) -> Vec<R> {
        let length = items.len().div_ceil(self.decoders.len()).max(1);
        let mut pieces: Vec<(&mut Decoder<'m>, &[T])> =
            self.decoders.iter_mut().zip(items.chunks(length)).collect();
        let found = workers.map_mut(&mut pieces, |_, (decoder, items)| -> Vec<R> {
            items.iter().map(|item| tag(decoder, item)).collect()
        });
        found.into_iter().flatten().collect()
    }
}
