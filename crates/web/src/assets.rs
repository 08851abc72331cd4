//! The files of the page.

use crate::answer;
use crate::serve::Shared;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use std::io::Read;

/// Names and packed contents.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    if name == "tree.css" {
        let css = [draw::CSS, draw::plot::CSS, draw::HANDLES_CSS].concat();
        return ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], css).into_response();
    }
    file(&name, &headers)
}

pub(crate) async fn index(State(_): State<Shared>, headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some((_, packed)) = FILES.iter().find(|(other, _)| *other == name) else {
        return answer::failed(StatusCode::NOT_FOUND, "missing", "there is no such file");
    };
    let kind = (header::CONTENT_TYPE, media_type(name));
    let accepts =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepts.contains("gzip") {
        return ([kind, (header::CONTENT_ENCODING, "gzip")], *packed).into_response();
    }
    let mut bytes = Vec::new();
    match GzDecoder::new(*packed).read_to_end(&mut bytes) {
        Ok(_) => ([kind], bytes).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
