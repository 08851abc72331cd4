//! Nobody keeps the server from others: not by what they send, not by how slowly, not by doing nothing.

use crate::client::{Answer, Request, rest};
use crate::served::{Served, folder, head};
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use web::Limits;

/// Short enough for a test, and long enough for a machine that is busy.
const SHORT: Duration = Duration::from_millis(100);

#[test]
fn who_says_that_too_much_will_come_is_refused_before_it_comes() {
    let folder = folder();
    let served = Served::small(folder.path());
    let letter = served.person(0).request("POST", "/api/sentences/1/events").without("Connection");
    for length in ["4194305", "100000000", "1000000000000000000"] {
        let mut stream = letter.clone().with("Content-Length", length).open(served.address);
        // Not a byte of it is sent, and yet there is an answer, and the end.
        let answer = Answer::read(&rest(&mut stream)).unwrap();
        assert_eq!((answer.status, answer.header("connection")), (413, Some("close")), "{length}");
    }
}

#[test]
fn a_body_without_end_is_ended() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let request = person.request("POST", "/api/sentences/1/events").with("Transfer-Encoding", "chunked");
    let mut stream = request.open(served.address);
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    let n_taken = (0..10_000).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!((64..1_000).contains(&n_taken), "{n_taken} pieces of 64 kB were taken");
    assert_eq!(person.n_events(1), 0);
}

#[test]
fn who_does_not_finish_is_not_waited_for() {
    let folder = folder();
    let served =
        Served::small_within(folder.path(), Limits { headers: SHORT, body: SHORT, ..Limits::default() });
    for part in ["", "G", "GET / HTTP/1.1\r\nHost:"] {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(part.as_bytes()).unwrap();
        let said = rest(&mut stream);
        assert!(!said.starts_with(b"HTTP/1.1 2"), "{part}: {}", String::from_utf8_lossy(&said));
    }
    let person = served.person(0);
    // Without its last space it could be understood, and yet it is not all that was announced.
    let body = json!({"base": 0, "tab": "a", "events": [head(1, 1, 2)]}).to_string() + " ";
    let whole = person.request("POST", "/api/sentences/1/events").body(body);
    let bytes = whole.without("Connection").bytes(served.address);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.write_all(&bytes[..bytes.len() - 1]).unwrap();
    let answer = Answer::read(&rest(&mut stream)).unwrap();
    assert_eq!((answer.status, answer.json()["code"].clone()), (400, json!("wrong")));
    assert_eq!(person.n_events(1), 0);
}

#[test]
fn who_takes_no_answers_is_let_go() {
    let folder = folder();
    let served = Served::small_within(folder.path(), Limits { answer: SHORT, ..Limits::default() });
    let request = Request::new("GET", "/assets/board.js").without("Connection").bytes(served.address);
    let many = request.repeat(100);
    let mut stream = TcpStream::connect(served.address).unwrap();
    // As long as somebody waits for us to listen, this goes on; a reset ends it.
    while stream.write_all(&many).is_ok() {}
    assert_eq!(served.person(0).get("/api/project").status, 200);
}

#[test]
fn who_only_keeps_connections_keeps_nobody_out() {
    let folder = folder();
    let served = Served::small_within(folder.path(), Limits { connections: 8, ..Limits::default() });
    let silent: Vec<TcpStream> = (0..64).map(|_| TcpStream::connect(served.address).unwrap()).collect();
    let person = served.person(0);
    for _ in 0..20 {
        assert_eq!(person.get("/api/project").status, 200);
    }
    // Those who came first have been let go.
    assert_eq!((&silent[0]).read(&mut [0]).unwrap(), 0);
}

#[test]
fn an_annotator_hears_so_many_streams_and_the_oldest_ends_for_a_new_one() {
    let folder = folder();
    let served =
        Served::small_within(folder.path(), Limits { streams: 2, connections: 8, ..Limits::default() });
    let person = served.person(0);
    let mut streams: Vec<TcpStream> = (0..10)
        .map(|_| {
            let stream = person.request("GET", "/api/stream").open(served.address);
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
            assert!(lines.any(|line| line.is_empty()));
            stream
        })
        .collect();
    person.post(1, 0, "a", &[head(1, 1, 2)]).expect(200);
    for stream in streams.drain(8..) {
        let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
        assert!(lines.any(|line| line == "event: changed"));
    }
    for mut stream in streams {
        let heard = rest(&mut stream);
        assert!(!String::from_utf8_lossy(&heard).contains("event: changed"));
    }
}
