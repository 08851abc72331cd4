//! Who is let in, and from where.
//!
//! A page of another site can make a browser send requests to this machine. So every request must name this server as its host (which
//! stops names that are made to point here), whatever changes something must carry a header that no other site can send and come from
//! a page of this server, and all of it needs the token, which lies in a cookie that other sites cannot use.

use crate::serve::Shared;
use crate::{answer, limits};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::net::SocketAddr;
use treelet::project::Fault;

/// Nothing but what this server sends; no exceptions.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// What pages of this server send along with whatever changes something.
const OURS: &str = "x-treelet";

/// Somebody who was let in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who(pub(crate) i64);

impl FromRequestParts<Shared> for Who {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Response> {
        let stranger = || {
            let text = "open the address that Treelet printed when it started; it lets you in";
            answer::failed(StatusCode::UNAUTHORIZED, "not-let-in", text)
        };
        let Some(token) = cookie(&parts.headers, &shared.cookie).map(str::to_string) else {
            return Err(stranger());
        };
        let desk = shared.clone();
        let found = tokio::task::spawn_blocking(move || desk.desk.annotator_of(&token)).await;
        match found {
            Ok(Ok(Some(annotator))) => Ok(Self(annotator.id)),
            Ok(Ok(None)) => Err(stranger()),
            Ok(Err(fault)) => Err(answer::fault(&fault)),
            Err(_) => Err(answer::fault(&Fault::Wrong("the server is being stopped".into()))),
        }
    }
}

/// Looks at every request before anything else does, and at every answer after.
pub(crate) async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match refuse(&shared, &request) {
        Some(refused) => refused,
        None => match given(request.uri()) {
            Some(token) => let_in(&shared, token).await,
            None => answer::told_alike(next.run(limits::hurried(request, &shared.limits)).await).await,
        },
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refuse(shared: &Shared, request: &Request) -> Option<Response> {
    let (method, headers) = (request.method(), request.headers());
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    let is_clear = headers.get_all(header::HOST).iter().count() == 1
        && request.uri().authority().is_none_or(|authority| authority == host);
    let is_ours = shared.hosts.iter().any(|known| known == host) || is_number_of_ours(shared, host);
    if !is_clear || !is_ours {
        return Some(answer::failed(StatusCode::FORBIDDEN, "another-host", "this server is not called so"));
    }
    if let Some(refused) = limits::refuse(headers) {
        return Some(refused);
    }
    let another = || {
        let text = "this did not come from a page of this server";
        Some(answer::failed(StatusCode::FORBIDDEN, "another-site", text))
    };
    // Cookies know no ports, so that another server of this machine could make a browser ask with them.
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if request.uri().path().starts_with("/api/") && matches!(site, Some("cross-site" | "same-site")) {
        return another();
    }
    if method == Method::GET || method == Method::HEAD {
        return None;
    }
    let is_ours = text(HeaderName::from_static(OURS)).is_some();
    let origin = text(header::ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host));
    let is_json = text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"));
    if !is_ours || !origin {
        return another();
    }
    if !is_json {
        return Some(answer::failed(StatusCode::UNSUPPORTED_MEDIA_TYPE, "no-json", "requests are JSON"));
    }
    None
}

/// Whether a host is a number with our port, where we listen at every number. Names that are made to point here are no numbers.
fn is_number_of_ours(shared: &Shared, host: &str) -> bool {
    let address: Option<SocketAddr> = host.parse().ok();
    shared.everywhere.is_some_and(|port| address.is_some_and(|address| address.port() == port))
}

/// The token in the address that was printed.
fn given(uri: &Uri) -> Option<String> {
    let query = if uri.path() == "/" { uri.query()? } else { return None };
    query.split('&').find_map(|part| part.strip_prefix("token=")).map(str::to_string)
}

/// Turns the token into a cookie, so that it does not stay in the address.
async fn let_in(shared: &Shared, given: String) -> Response {
    let (desk, asked) = (shared.clone(), given.clone());
    let found = tokio::task::spawn_blocking(move || desk.desk.annotator_of(&asked)).await;
    let Ok(Ok(Some(_))) = found else {
        let text = "this address lets nobody in any more; open the one that Treelet printed last";
        return answer::failed(StatusCode::UNAUTHORIZED, "not-let-in", text);
    };
    let mut response = Redirect::to("/").into_response();
    let cookie = format!("{}={given}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", shared.cookie);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}
