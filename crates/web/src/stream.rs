//! What windows are told without asking: how far learning is, that it is done, that a sentence was changed elsewhere.

use crate::guard::Who;
use crate::serve::Shared;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::unfold;
use serde_json::Value;
use std::convert::Infallible;
use tokio::sync::broadcast::error::RecvError;

/// Something to tell, and whom.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) name: &'static str,
    pub(crate) data: Value,
    /// Only this annotator; nobody in particular if there is none.
    pub(crate) to: Option<i64>,
}

pub(crate) async fn stream(State(shared): State<Shared>, Who(annotator): Who) -> impl IntoResponse {
    let receiver = shared.told.subscribe();
    let events = unfold(receiver, move |mut receiver| async move {
        loop {
            match receiver.recv().await {
                Ok(told) if told.to.is_none_or(|to| to == annotator) => {
                    let event = Event::default().event(told.name).data(told.data.to_string());
                    return Some((Ok::<Event, Infallible>(event), receiver));
                }
                // What somebody was too slow to hear is told again by the next answer.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
