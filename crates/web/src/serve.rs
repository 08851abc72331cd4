//! The server.

use crate::limits::Limits;
use crate::stream::{Streams, Told};
use crate::{answer, assets, connections, guard, routes, stream, training};
use anyhow::Context;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post, put};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use treelet::project::{Annotator, Desk};

/// The longest body of a request, in bytes.
pub(crate) const LONGEST_REQUEST: usize = 4 << 20;
/// How many things to tell are kept for windows that are slow.
const KEPT: usize = 256;
/// How often somebody looks whether to stop.
const TICK: Duration = Duration::from_millis(100);

/// What a server needs to know.
#[derive(Debug)]
pub struct Serving {
    /// The project.
    pub desk: Desk,
    /// The port; any that is free if it is 0.
    pub port: Option<u16>,
    /// The port if none is asked for; if it is taken, any that is free.
    pub usual: u16,
    /// The address to listen on; this machine only if there is none.
    pub listen: Option<IpAddr>,
    /// What it puts up with.
    pub limits: Limits,
    /// Set to end it.
    pub stop: Arc<AtomicBool>,
}

/// An address that lets somebody in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Who.
    pub annotator: Annotator,
    /// The address.
    pub url: String,
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) desk: Desk,
    /// Names that this server goes by, with its port.
    pub(crate) hosts: Vec<String>,
    /// The port, if it listens at all addresses of this machine.
    pub(crate) everywhere: Option<u16>,
    /// Cookies know no ports, so that their name does.
    pub(crate) cookie: String,
    pub(crate) told: broadcast::Sender<Told>,
    pub(crate) streams: Streams,
    pub(crate) limits: Limits,
    pub(crate) training: AtomicBool,
    pub(crate) handed_in: AtomicUsize,
}

pub(crate) type Shared = Arc<App>;

/// Serves a project until it is to stop. `ready` hears whom it lets in, and by which address, as soon as it does.
pub fn serve(serving: Serving, ready: impl FnOnce(&[Invitation])) -> anyhow::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start threads")?;
    let served = runtime.block_on(listen(serving, ready));
    // What is being learned need not be waited for.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served
}

async fn listen(serving: Serving, ready: impl FnOnce(&[Invitation])) -> anyhow::Result<()> {
    let Serving { desk, port, usual, listen, limits, stop } = serving;
    let at = |port| SocketAddr::new(listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), port);
    let mut bound = TcpListener::bind(at(port.unwrap_or(usual))).await;
    if bound.is_err() && port.is_none() {
        bound = TcpListener::bind(at(0)).await;
    }
    let listener = bound.with_context(|| {
        let address = at(port.unwrap_or(0));
        format!("cannot listen on {address}; is something else running there? --port 0 takes any port that is free")
    })?;
    let address = listener.local_addr()?;
    let shared = Arc::new(App {
        desk,
        hosts: hosts(address),
        everywhere: address.ip().is_unspecified().then_some(address.port()),
        cookie: format!("treelet-{}", address.port()),
        told: broadcast::channel(KEPT).0,
        streams: Streams::default(),
        limits,
        training: AtomicBool::new(false),
        handed_in: AtomicUsize::new(0),
    });
    ready(&invitations(&shared, address)?);
    training::train(&shared);
    let stopping = async move {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    };
    // Open streams would keep a graceful end waiting for ever.
    tokio::select! {
        never = connections::serve(listener, router(shared.clone()), limits) => match never {},
        () = stopping => shared.desk.stop(),
    }
    Ok(())
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{*name}", get(assets::asset))
        .route("/api/project", get(routes::project))
        .route("/api/annotator", put(routes::introduce))
        .route("/api/settings", put(routes::settings))
        .route("/api/sentences", get(routes::sentences))
        .route("/api/sentences/{id}", get(routes::sentence))
        .route("/api/sentences/{id}/events", post(routes::post_events))
        .route("/api/sentences/{id}/history", get(routes::history))
        .route("/api/sentences/{id}/history/{n}", get(routes::moment))
        .route("/api/next", get(routes::next))
        .route("/api/questions", get(routes::questions))
        .route("/api/train", post(routes::train))
        .route("/api/stream", get(stream::stream))
        .route("/api/agreement", get(routes::agreement))
        .route("/api/adjudicate", get(routes::disputed))
        .route("/api/adjudicate/merge", post(routes::merge_all))
        .route("/api/adjudicate/{id}", get(routes::dispute))
        .route("/api/adjudicate/{id}/merge", post(routes::merge))
        .route("/api/adjudicate/{id}/events", post(routes::resolve))
        .route("/api/export", get(routes::export))
        .fallback(answer::missing)
        .method_not_allowed_fallback(answer::wrong_method)
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
        .layer(from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared)
}

/// What requests may call this server.
fn hosts(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
    if !address.ip().is_loopback() {
        hosts.push(address.to_string());
    }
    hosts
}

fn invitations(shared: &Shared, address: SocketAddr) -> anyhow::Result<Vec<Invitation>> {
    let shown = match address.ip().is_unspecified() {
        true => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port()),
        false => address,
    };
    let people = shared.desk.people()?;
    let invite = |annotator: Annotator| {
        let url = format!("http://{shown}/?token={}", annotator.token);
        Invitation { annotator, url }
    };
    Ok(people.into_iter().map(invite).collect())
}
