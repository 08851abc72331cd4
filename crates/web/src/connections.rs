//! Connections: so many at a time, and none that is waited for without end.
//!
//! Whoever sends nothing, or a letter a minute, or takes no answers, is let go. When all places are taken, the connection that has been
//! waiting longest for a request makes room for a new one, so that those who only keep connections cannot keep anybody out.

use crate::limits::Limits;
use crate::patient::Patient;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{AcquireError, Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The longest headers, in bytes; browsers send the cookies of all servers of this machine to each of them.
const LONGEST_HEAD: usize = 64 << 10;
/// How long, and how many bytes, somebody who was told off may go on sending, so that the answer is heard.
const LINGER: (Duration, usize) = (Duration::from_secs(1), 16 << 20);
/// After a connection could not be taken, for want of files, say.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits) -> Infallible {
    let places = Arc::new(Semaphore::new(limits.connections));
    let waiting = Arc::new(Waiting::default());
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                waiting.let_one_go();
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Ok(place) = place(&places, &waiting).await else { continue };
        let seat = Seat { router: router.clone(), visit: Arc::new(Stay::new(waiting.clone())) };
        tokio::spawn(async move {
            converse(stream, seat, limits).await;
            drop(place);
        });
    }
}

/// A place, as soon as there is one.
async fn place(places: &Arc<Semaphore>, waiting: &Waiting) -> Result<OwnedSemaphorePermit, AcquireError> {
    loop {
        if places.available_permits() == 0 {
            waiting.let_one_go();
        }
        if let Ok(place) = timeout(PAUSE, places.clone().acquire_owned()).await {
            return place;
        }
    }
}

async fn converse(stream: TcpStream, seat: Seat, limits: Limits) {
    let visit = seat.visit.clone();
    // Answers are whole when they are written; to wait for more would only make them late.
    let _ = stream.set_nodelay(true);
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(Patient::new(stream, limits.answer)), seat);
    tokio::select! {
        _ = poll_fn(|context| connection.poll_without_shutdown(context)) => {}
        () = visit.leave.notified() => return,
    }
    // Closed while bytes are still coming in, a connection would take the answer with it.
    let _ = timeout(LINGER.0, hear_out(connection.into_parts().io.into_inner().into_inner())).await;
}

/// Says that nothing more will come, and lets what still comes in fall to the ground.
async fn hear_out(mut stream: TcpStream) -> io::Result<()> {
    poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
    let (mut ground, mut left) = ([0; 1 << 13], LINGER.1);
    loop {
        stream.readable().await?;
        match stream.try_read(&mut ground) {
            Ok(0) => return Ok(()),
            Ok(length) if length > left => return Ok(()),
            Ok(length) => left -= length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Connections on which no request is under way, in the order in which they began to wait.
#[derive(Default)]
struct Waiting {
    line: Mutex<WaitingLine>,
}

#[derive(Default)]
struct WaitingLine {
    last: u64,
    waiting: BTreeMap<u64, Arc<Notify>>,
}

impl Waiting {
    fn line(&self) -> MutexGuard<'_, WaitingLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn let_one_go(&self) {
        if let Some((_, leave)) = self.line().waiting.pop_first() {
            leave.notify_one();
        }
    }

    /// Goes to the end of the line.
    fn join(&self, leave: &Arc<Notify>) -> u64 {
        let mut line = self.line();
        line.last += 1;
        let number = line.last;
        line.waiting.insert(number, leave.clone());
        number
    }

    fn quit(&self, number: u64) {
        self.line().waiting.remove(&number);
    }
}

/// One connection, and its place in the line while it waits.
struct Stay {
    all: Arc<Waiting>,
    leave: Arc<Notify>,
    number: Mutex<u64>,
}

impl Stay {
    fn new(all: Arc<Waiting>) -> Self {
        let leave = Arc::new(Notify::new());
        let number = Mutex::new(all.join(&leave));
        Self { all, leave, number }
    }

    fn number(&self) -> MutexGuard<'_, u64> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asks(&self) {
        self.all.quit(*self.number());
    }

    fn waits(&self) {
        *self.number() = self.all.join(&self.leave);
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        self.asks();
    }
}

/// What answers the requests of one connection.
struct Seat {
    router: Router,
    visit: Arc<Stay>,
}

impl Service<Request<Incoming>> for Seat {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let (router, visit) = (TowerToHyperService::new(self.router.clone()), self.visit.clone());
        Box::pin(async move {
            visit.asks();
            let answer = router.call(request.map(Body::new)).await;
            // A stream has no end, and whoever hears it is not waiting.
            if !answer.as_ref().is_ok_and(is_stream) {
                visit.waits();
            }
            answer
        })
    }
}

fn is_stream(answer: &Response<Body>) -> bool {
    answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream")
}
