//! Requests that no browser would send. They are answered, and nobody comes to harm.

use crate::client::{Answer, Request, raw};
use crate::served::{Person, Served, folder, head};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web::Limits;

/// Stands in files that nobody may see.
const SECRET: &str = "the-secret-of-the-neighbours";

/// Ways to say "somewhere else".
const ELSEWHERE: [&str; 14] = [
    "../secret.txt",
    "../../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "%252e%252e%252fsecret.txt",
    "..%5csecret.txt",
    "..%c0%afsecret.txt",
    "....//secret.txt",
    "secret.txt%00.js",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "file:///etc/passwd",
    "C:%5cWindows%5cwin.ini",
];

/// All files below a folder and what is in them, but for those of the project.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.file_name().unwrap().to_str().unwrap().starts_with("small.treelet-project") {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn nothing_beside_the_project_is_read_or_written() {
    let outer = folder();
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(outer.path().join("secret.txt"), SECRET).unwrap();
    fs::write(inner.join("secret.txt"), SECRET).unwrap();
    fs::write(inner.join("other.treelet-project"), SECRET).unwrap();
    let served = Served::small(&inner);
    let person = served.person(0);
    let before = files(outer.path());
    let clean = |answer: &Answer, what: &str| {
        let text = String::from_utf8_lossy(&answer.body);
        assert!(!text.contains(SECRET) && !text.contains("root:"), "{what}: {text}");
        assert!((400..500).contains(&answer.status), "{what}: {}", answer.status);
    };
    for name in ELSEWHERE {
        for place in ["/", "/assets/", "/api/", "/api/sentences/", "/api/export/", "/api/adjudicate/"] {
            clean(&person.get(&format!("{place}{name}")), name);
            clean(&person.send("POST", &format!("{place}{name}"), &json!({})), name);
        }
        clean(&person.get(&format!("/api/export?format={name}")), name);
        clean(&person.get(&format!("/api/sentences?show={name}")), name);
        let called = [
            json!({"name": name, "level": name, "experience": name}),
            json!({"name": name, "file": name}),
            json!({"name": name, "path": name}),
        ];
        for body in &called {
            assert!(person.send("PUT", "/api/annotator", body).status < 500);
        }
        assert!(
            person.send("PUT", "/api/settings", &json!({"relations": [name], "tags": [name]})).status < 500
        );
        let said = json!([{"gfl": {"text": name}}, {"relation": {"of": 1, "is": name}}]);
        let event = json!({"n": 1, "at": 1, "kind": "edit", "via": "key", "changes": said});
        assert!(person.post(1, 0, name, &[event]).status < 500);
    }
    for format in ["conllu", "anno", "mrg", "json", "html", "questions"] {
        let answer = person.get(&format!("/api/export?format={format}"));
        let name = answer.header("content-disposition").unwrap();
        assert!(answer.status == 200 && name.starts_with("attachment; filename=\"project."), "{name}");
        assert!(!String::from_utf8_lossy(&answer.body).contains(SECRET));
    }
    served.end();
    assert_eq!(files(outer.path()), before);
}

/// A server that soon gives up on what never ends.
fn hasty(folder: &Path) -> Served {
    let soon = Duration::from_millis(100);
    Served::small_within(folder, Limits { headers: soon, body: soon, ..Limits::default() })
}

/// The statuses of all answers in what came back.
fn statuses(bytes: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(bytes);
    text.match_indices("HTTP/1.1 ")
        .map(|(at, found)| text[at + found.len()..][..3].parse().unwrap())
        .collect()
}

fn still_there(person: &Person) {
    assert_eq!(person.get("/api/project").status, 200);
}

#[test]
fn a_request_inside_a_request_gets_no_further_than_outside() {
    let folder = folder();
    let served = hasty(folder.path());
    let (person, address) = (served.person(0), served.address);
    let body = json!({"base": 0, "tab": "a", "events": [head(1, 1, 2)]}).to_string();
    let hidden = format!("GET /api/project HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let first =
        format!("POST /api/sentences/1/events HTTP/1.1\r\nHost: {address}\r\nCookie: {}\r\n", person.cookie);
    let ours = "X-Treelet: 1\r\nContent-Type: application/json\r\n";
    let length = body.len();
    let smuggled = [
        format!(
            "{first}{ours}Content-Length: {length}\r\nContent-Length: {}\r\n\r\n{body}{hidden}",
            length + 1
        ),
        format!("{first}{ours}Content-Length: {length}, {}\r\n\r\n{body}{hidden}", length + 1),
        format!("{first}{ours}Content-Length: +{length}\r\n\r\n{body}{hidden}"),
        format!("{first}{ours}Content-Length: -1\r\n\r\n{body}{hidden}"),
        format!("{first}{ours}Content-Length : {length}\r\n\r\n{body}{hidden}"),
        format!(
            "{first}{ours}Content-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
            5 + hidden.len()
        ),
        format!("{first}{ours}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{hidden}"),
        format!("{first}{ours}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{body}{hidden}"),
        format!("{first}{ours}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n{hidden}"),
        format!("{first}X-Folded: a\r\n {ours}Content-Length: {length}\r\n\r\n{body}{hidden}"),
        format!("{first}{ours}X-Bare: a\rContent-Length: {length}\r\n\r\n{body}{hidden}"),
    ];
    for request in smuggled {
        // So that the connection ends when all of it was answered.
        let last = format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let heard = statuses(&raw(address, &[request.as_bytes(), last.as_bytes()].concat()));
        assert!(
            !heard.is_empty() && heard.iter().all(|status| (400..500).contains(status)),
            "{request} {heard:?}"
        );
    }
    assert_eq!(person.n_events(1), 0);
    still_there(&person);
}

#[test]
fn whoever_is_called_in_two_ways_is_not_here() {
    let folder = folder();
    let served = hasty(folder.path());
    let (person, address) = (served.person(0), served.address);
    let cookie = format!("Cookie: {}\r\nConnection: close\r\n\r\n", person.cookie);
    let twice = [
        format!("GET /api/project HTTP/1.1\r\nHost: {address}\r\nHost: evil.example\r\n{cookie}"),
        format!("GET /api/project HTTP/1.1\r\nHost: evil.example\r\nHost: {address}\r\n{cookie}"),
        format!("GET http://evil.example/api/project HTTP/1.1\r\nHost: {address}\r\n{cookie}"),
        format!("GET /api/project HTTP/1.1\r\n{cookie}"),
    ];
    for request in twice {
        assert_eq!(statuses(&raw(address, request.as_bytes())), [403], "{request}");
    }
    let whole = format!("GET http://{address}/api/project HTTP/1.1\r\nHost: {address}\r\n{cookie}");
    assert_eq!(statuses(&raw(address, whole.as_bytes())), [200]);
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_is_answered() {
    let folder = folder();
    let served = hasty(folder.path());
    let (person, address) = (served.person(0), served.address);
    let host = format!("Host: {address}\r\nConnection: close\r\n");
    let long = "a".repeat(1 << 20);
    let garbage: [Vec<u8>; 13] = [
        b"\0\0\0\0\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        b"GET /\0 HTTP/1.1\r\n\r\n".to_vec(),
        format!("GET /\u{e4} HTTP/1.1\r\n{host}\r\n").into_bytes(),
        [b"GET /\xff\xfe HTTP/1.1\r\n", host.as_bytes(), b"\r\n"].concat(),
        format!("GET /{long} HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET /?{long} HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}Cookie: {long}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X-Many: 1\r\n".repeat(5_000)).into_bytes(),
        format!("{long} / HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET / HTTP/9.9\r\n{host}\r\n").into_bytes(),
        b"\r\n".repeat(100_000),
    ];
    for bytes in garbage {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        let heard = statuses(&raw(address, &[&bytes[..], b"x / y\r\n\r\n"].concat()));
        assert!(heard.iter().all(|status| (400..600).contains(status)), "{shown} {heard:?}");
        still_there(&person);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let letter = |body: &[u8]| person.request("POST", "/api/sentences/1/events").body(body);
    for body in
        [&b"\xff\xfe"[..], b"{\"tab\": \"\xc3\x28\"}", b"\0", b"{\"tab\": \"\\ud800\"}", b"\xef\xbb\xbf{}"]
    {
        assert_eq!(letter(body).send(served.address).expect(400)["code"], "wrong");
    }
    for path in
        ["/api/sentences?show=%ff", "/api/sentences/%ff", "/api/sentences?from=%00", "/api/sentences/1%00"]
    {
        assert_eq!(person.get(path).expect(400)["code"], "wrong", "{path}");
    }
    let cookie = [b"GET /api/project HTTP/1.1\r\nCookie: \xff\xfe=\xc3; ", person.cookie.as_bytes()].concat();
    let ends = format!("\r\nHost: {}\r\nConnection: close\r\n\r\n", served.address);
    let heard = statuses(&raw(served.address, &[&cookie[..], ends.as_bytes()].concat()));
    assert_eq!(heard, [401], "a header that is no text says nothing");
    assert_eq!(person.n_events(1), 0);
}

#[test]
fn a_connection_stays_what_it_is() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    for (upgrade, path) in [("websocket", "/api/stream"), ("websocket", "/api/project"), ("h2c", "/")] {
        let request = person
            .request("GET", path)
            .with("Connection", "Upgrade, close")
            .with("Upgrade", upgrade)
            .with("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA")
            .with("Sec-WebSocket-Version", "13")
            .with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            .with("Sec-Fetch-Site", "cross-site");
        if path == "/" {
            assert_eq!(request.send(served.address).status, 200);
        } else {
            assert_eq!(request.send(served.address).expect(403)["code"], "another-site", "{path}");
        }
    }
    for method in ["TRACE", "OPTIONS", "CONNECT", "PROPFIND", "get"] {
        let target = if method == "CONNECT" { served.address.to_string() } else { "/api/project".into() };
        let answer = Request::new(method, &target).send(served.address);
        assert!((400..500).contains(&answer.status), "{method} {}", answer.status);
        assert!(!answer.text().contains("TRACE"), "{method}");
    }
    still_there(&person);
}
