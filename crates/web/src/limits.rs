//! How much anybody may ask at a time, and how long they may take to ask it.

use crate::answer;
use crate::serve::LONGEST_REQUEST;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt;
use futures_util::stream::unfold;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// What one server puts up with. The defaults are far from what people and their browsers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most connections at a time; a browser has up to six.
    pub connections: usize,
    /// The most streams of news for one annotator. Windows that are not looked at have none.
    pub streams: usize,
    /// How long it may take until all headers of a request are there.
    pub headers: Duration,
    /// How long it may take until all of a body is there.
    pub body: Duration,
    /// How long the other end may take nothing of an answer.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 400,
            streams: 8,
            headers: Duration::from_secs(20),
            body: Duration::from_secs(30),
            answer: Duration::from_secs(30),
        }
    }
}

/// Refuses what says itself that it is too long, before anything of it is read.
pub(crate) fn refuse(headers: &HeaderMap) -> Option<Response> {
    let length: u64 = headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()?;
    if length <= LONGEST_REQUEST as u64 {
        return None;
    }
    let text = format!("requests are at most {LONGEST_REQUEST} bytes long");
    let mut response = answer::failed(StatusCode::PAYLOAD_TOO_LARGE, "too-long", &text);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    Some(response)
}

/// A request whose body fails when it has taken too long to come.
pub(crate) fn hurried(request: Request, limits: &Limits) -> Request {
    let until = Instant::now() + limits.body;
    request.map(|body| {
        Body::from_stream(unfold(Some(body.into_data_stream()), move |stream| async move {
            let mut stream = stream?;
            let piece: Option<Result<Bytes, axum::Error>> = match timeout_at(until, stream.next()).await {
                Ok(piece) => piece,
                Err(late) => return Some((Err(axum::Error::new(late)), None)),
            };
            piece.map(|piece| (piece, Some(stream)))
        }))
    })
}
