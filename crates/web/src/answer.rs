//! What is answered.

use axum::Json;
use axum::body::to_bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use treelet::project::{Fault, View};

/// The longest sentence that says why something failed, in bytes.
const LONGEST_REASON: usize = 1 << 14;

/// A failure, for people and for scripts.
pub(crate) fn failed(status: StatusCode, code: &str, error: &str) -> Response {
    (status, Json(json!({"error": error, "code": code}))).into_response()
}

/// What a project could not do.
pub(crate) fn fault(fault: &Fault) -> Response {
    let (status, code) = kind(fault);
    failed(status, code, &fault.to_string())
}

/// The same with the sentence as it stands, so that the page can show it.
pub(crate) fn fault_with_view(fault: &Fault, view: Option<View>) -> Response {
    let (status, code) = kind(fault);
    let n = match fault {
        Fault::Refused { n, .. } => Some(*n),
        _ => None,
    };
    (status, Json(json!({"error": fault.to_string(), "code": code, "n": n, "view": view}))).into_response()
}

fn kind(fault: &Fault) -> (StatusCode, &'static str) {
    match fault {
        Fault::ChangedElsewhere => (StatusCode::CONFLICT, "changed-elsewhere"),
        Fault::Refused { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
        Fault::Missing(_) => (StatusCode::NOT_FOUND, "missing"),
        Fault::NotYours(_) => (StatusCode::FORBIDDEN, "not-yours"),
        Fault::Wrong(_) => (StatusCode::BAD_REQUEST, "wrong"),
        Fault::DiskFull => (StatusCode::INSUFFICIENT_STORAGE, "disk-full"),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
    }
}

/// What was found, or why not.
pub(crate) fn found<T: Serialize>(result: Result<T, Fault>) -> Response {
    match result {
        Ok(value) => Json(value).into_response(),
        Err(problem) => fault(&problem),
    }
}

/// Nothing is called so.
pub(crate) async fn missing() -> Response {
    failed(StatusCode::NOT_FOUND, "missing", "there is nothing of this name")
}

/// This is there, but not to be asked in this way.
pub(crate) async fn wrong_method() -> Response {
    failed(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this can be asked with another method only")
}

/// A failure that was found before anything of ours was asked, as all other failures are told.
pub(crate) async fn told_alike(response: Response) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || is_json(response.headers()) {
        return response;
    }
    let text = to_bytes(response.into_body(), LONGEST_REASON).await.unwrap_or_default();
    let code = match status {
        StatusCode::NOT_FOUND => "missing",
        StatusCode::METHOD_NOT_ALLOWED => "wrong-method",
        StatusCode::PAYLOAD_TOO_LARGE => "too-long",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "no-json",
        status if status.is_server_error() => "failed",
        _ => "wrong",
    };
    failed(status, code, &String::from_utf8_lossy(&text))
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json")
}
