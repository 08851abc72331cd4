//! What windows are told without asking: how far learning is, that it is done, that a sentence was changed elsewhere.

use crate::guard::Who;
use crate::serve::Shared;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::unfold;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::oneshot;

/// Something to tell, and whom.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) name: &'static str,
    pub(crate) data: Value,
    /// Only this annotator; nobody in particular if there is none.
    pub(crate) to: Option<i64>,
}

/// Who hears what is told, the oldest stream first; it ends when its end of this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    open: Mutex<BTreeMap<i64, VecDeque<oneshot::Sender<Infallible>>>>,
}

impl Streams {
    /// One more, perhaps in the place of the oldest. What is given back ends with it.
    fn begin(&self, annotator: i64, most: usize) -> oneshot::Receiver<Infallible> {
        let (sender, ended) = oneshot::channel();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let hers = open.entry(annotator).or_default();
        hers.retain(|one| !one.is_closed());
        hers.push_back(sender);
        if hers.len() > most {
            hers.pop_front();
        }
        ended
    }
}

pub(crate) async fn stream(State(shared): State<Shared>, Who(annotator): Who) -> impl IntoResponse {
    let receiver = shared.told.subscribe();
    let ended = shared.streams.begin(annotator, shared.limits.streams);
    let events = unfold((receiver, ended), move |(mut receiver, mut ended)| async move {
        loop {
            // In this order: a stream that has ended says nothing any more.
            let heard = tokio::select! {
                biased;
                _ = &mut ended => return None,
                heard = receiver.recv() => heard,
            };
            match heard {
                Ok(told) if told.to.is_none_or(|to| to == annotator) => {
                    let event = Event::default().event(told.name).data(told.data.to_string());
                    return Some((Ok::<Event, Infallible>(event), (receiver, ended)));
                }
                // What somebody was too slow to hear is told again by the next answer.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
