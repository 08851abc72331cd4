//! The annotation page under a hundred thousand requests and bodies of a hundred megabytes: it answers, and does not grow.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::annotating::Served;
use crate::common::Playground;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const REQUESTS: usize = 100_000;
/// Threads that ask, each on one connection at a time.
const ASKERS: usize = 4;
/// Requests that are written before the first answer is read.
const AT_ONCE: usize = 50;
const BODY: usize = 100_000_000;
/// By how much the program may grow, in kilobytes.
const GROWTH: u64 = 48_000;
const PATIENCE: Duration = Duration::from_secs(60);

/// How much memory the program has now, and how much it ever had, in kilobytes; nothing where the system does not say.
fn memory(served: &Served) -> Option<(u64, u64)> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.child.id())).ok()?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    };
    Some((number("VmRSS:")?, number("VmHWM:")?))
}

/// How the program has grown, in words; not by much.
fn has_not_grown(served: &Served, before: Option<(u64, u64)>) -> String {
    let (Some((before, _)), Some((now, most))) = (before, memory(served)) else {
        let text = "NOT TESTED: the memory of the program, because this system does not tell it";
        let _ = writeln!(std::io::stderr(), "{text}");
        return text.into();
    };
    let text = format!("{before} kB before, {now} kB after, {most} kB at most");
    assert!(most < before + GROWTH, "{text}");
    text
}

/// The statuses of so many answers on one connection; fewer if it ends.
fn statuses(stream: &mut TcpStream, n: usize) -> Vec<u16> {
    let (mut found, mut bytes, mut piece) = (Vec::new(), Vec::new(), vec![0; 1 << 16]);
    let mut at = 0;
    while found.len() < n {
        let Some(end) = bytes[at..].windows(4).position(|four| four == b"\r\n\r\n") else {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => break,
                Ok(length) => bytes.extend_from_slice(&piece[..length]),
            }
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[at..at + end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
        while bytes.len() < at + end + 4 + length {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => return found,
                Ok(length) => bytes.extend_from_slice(&piece[..length]),
            }
        }
        found.push(head[9..12].parse().unwrap());
        at += end + 4 + length;
    }
    found
}

/// A request of each kind, and what is to be answered.
fn mixture(address: &str, token: &str) -> Vec<(Vec<u8>, u16)> {
    let port = address.rsplit_once(':').unwrap().1;
    let host = format!("Host: {address}\r\n");
    let cookie = format!("{host}Cookie: treelet-{port}={token}\r\n");
    let letter = "Content-Length: 9\r\n\r\n{\"a\": [1}";
    let ours = format!("{cookie}X-Treelet: 1\r\nContent-Type: application/json\r\n");
    [
        (format!("GET /api/sentences?n=2 HTTP/1.1\r\n{cookie}\r\n"), 200),
        (format!("GET /assets/icon.svg HTTP/1.1\r\n{host}\r\n"), 200),
        (format!("GET /api/project HTTP/1.1\r\n{host}\r\n"), 401),
        (format!("GET /api/project HTTP/1.1\r\n{host}Cookie: treelet-{port}=0123456789abcdef\r\n\r\n"), 401),
        (format!("GET /?token=0123456789abcdef HTTP/1.1\r\n{host}\r\n"), 401),
        (
            format!(
                "GET /api/project HTTP/1.1\r\nHost: evil.example\r\nCookie: treelet-{port}={token}\r\n\r\n"
            ),
            403,
        ),
        (
            format!(
                "POST /api/train HTTP/1.1\r\n{cookie}Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n"
            ),
            403,
        ),
        (format!("GET /../../etc/passwd HTTP/1.1\r\n{cookie}\r\n"), 404),
        (format!("POST /api/sentences/1/events HTTP/1.1\r\n{ours}{letter}"), 400),
        (format!("PUT /api/project HTTP/1.1\r\n{ours}{letter}"), 405),
    ]
    .map(|(request, status)| (request.into_bytes(), status))
    .to_vec()
}

#[test]
fn a_hundred_thousand_requests_of_all_kinds_are_answered() {
    let playground = Playground::new();
    let served = Served::new(&playground, "--demo --port 0");
    let kinds = mixture(&served.address, &served.token);
    let ask = |n: usize| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let asked: Vec<&(Vec<u8>, u16)> = kinds.iter().cycle().take(n - 1).collect();
        let mut bytes: Vec<u8> = asked.iter().flat_map(|(request, _)| request.clone()).collect();
        // The last one is none, and ends the connection.
        bytes.extend_from_slice(b"\x16\x03\x01 nothing\r\n\r\n");
        stream.write_all(&bytes).unwrap();
        let expected: Vec<u16> = asked.iter().map(|(_, status)| *status).chain([400]).collect();
        assert_eq!(statuses(&mut stream, n), expected);
    };
    for _ in 0..20 {
        ask(AT_ONCE);
    }
    let (before, begin) = (memory(&served), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..ASKERS {
            scope.spawn(|| (0..REQUESTS / ASKERS / AT_ONCE).for_each(|_| ask(AT_ONCE)));
        }
    });
    println!("{REQUESTS} requests in {:.1} seconds", begin.elapsed().as_secs_f64());
    println!("{}", has_not_grown(&served, before));
    let (code, view) = served.get("/api/sentences/1/history");
    assert_eq!((code, view["events"].as_array().unwrap().len()), (200, 0));
}

#[test]
fn bodies_of_a_hundred_megabytes_are_not_taken_in() {
    let playground = Playground::new();
    let served = Served::new(&playground, "--demo --port 0");
    let port = served.address.rsplit_once(':').unwrap().1;
    let letter = format!(
        "POST /api/sentences/1/events HTTP/1.1\r\nHost: {}\r\nX-Treelet: 1\r\nContent-Type: application/json\r\n",
        served.address
    );
    let cookie = format!("Cookie: treelet-{port}={}\r\n", served.token);
    assert_eq!(served.get("/api/project").0, 200);
    let before = memory(&served);
    let (length, chunked) = (format!("Content-Length: {BODY}\r\n\r\n"), "Transfer-Encoding: chunked\r\n\r\n");
    let piece = vec![b' '; 1 << 16];
    let chunk = [b"10000\r\n", piece.as_slice(), b"\r\n"].concat();
    for (head, piece, status) in [
        (format!("{letter}{cookie}{length}"), &piece, 413),
        (format!("{letter}{length}"), &piece, 413),
        (format!("{letter}{cookie}{chunked}"), &chunk, 413),
        (format!("{letter}{chunked}"), &chunk, 401),
    ] {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut other = stream.try_clone().unwrap();
        let heard = std::thread::spawn(move || statuses(&mut other, 1));
        // All of it, or until nobody listens any more.
        let _ = (0..BODY / piece.len()).try_for_each(|_| stream.write_all(piece));
        assert_eq!(heard.join().unwrap(), [status], "{head}");
    }
    println!("{}", has_not_grown(&served, before));
    assert_eq!(served.get("/api/sentences/1").0, 200);
}
