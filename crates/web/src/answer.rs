//! What is answered.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use treelet::project::{Fault, View};

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
