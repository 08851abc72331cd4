//! Who is let in, from where, and to what.

use crate::client::{Answer, Request};
use crate::served::{Served, event, folder, head};
use serde_json::json;

/// The longest request, in bytes.
const LONGEST: usize = 4 << 20;

/// Everything that can be asked.
const ROUTES: [(&str, &str); 18] = [
    ("GET", "/api/project"),
    ("PUT", "/api/annotator"),
    ("PUT", "/api/settings"),
    ("GET", "/api/sentences"),
    ("GET", "/api/sentences/1"),
    ("POST", "/api/sentences/1/events"),
    ("GET", "/api/sentences/1/history"),
    ("GET", "/api/sentences/1/history/0"),
    ("GET", "/api/next"),
    ("GET", "/api/questions"),
    ("POST", "/api/train"),
    ("GET", "/api/stream"),
    ("GET", "/api/agreement"),
    ("GET", "/api/adjudicate"),
    ("GET", "/api/adjudicate/1"),
    ("POST", "/api/adjudicate/1/events"),
    ("GET", "/api/export?format=conllu"),
    ("GET", "/api/export?format=html"),
];

fn code(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_string())
}

#[test]
fn the_address_gives_a_cookie_and_leaves_the_token_behind() {
    let folder = folder();
    let served = Served::small(folder.path());
    for _ in 0..2 {
        let answer = Request::new("GET", &format!("/?token={}", served.token(0))).send(served.address);
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
        let cookie = answer.header("set-cookie").unwrap();
        let begins = format!("treelet-{}={}; ", served.address.port(), served.token(0));
        assert!(cookie.starts_with(&begins), "{cookie}");
        for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
    }
    assert_eq!(served.person(0).get("/api/project").status, 200);
}

#[test]
fn a_wrong_token_lets_nobody_in() {
    let folder = folder();
    let served = Served::small(folder.path());
    let token = served.token(0);
    let longer = format!("{token}0");
    for wrong in ["", "0", &token[1..], &longer, &token.to_uppercase(), "%00", "a%0d%0aSet-Cookie:%20x=1"] {
        if wrong == token {
            continue;
        }
        let answer = Request::new("GET", &format!("/?token={wrong}")).send(served.address);
        assert_eq!(code(&answer), (401, "not-let-in".into()), "{wrong}");
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[test]
fn without_the_cookie_nothing_is_answered() {
    let folder = folder();
    let served = Served::small(folder.path());
    // Who makes several analyses one has an empty token, and is nobody.
    let body = json!({"base": 0, "tab": "a", "events": [event(1, "open")]});
    served.person(0).send("POST", "/api/adjudicate/1/events", &body).expect(200);
    let name = format!("treelet-{}", served.address.port());
    let token = served.token(0);
    let wrong = [
        String::new(),
        format!("{name}="),
        format!("{name}=0"),
        format!("{name}={}", &token[1..]),
        format!("treelet-1={token}"),
        format!("x{name}={token}"),
        format!("{name}-x={token}"),
        token.to_string(),
    ];
    for (method, path) in ROUTES {
        for cookie in &wrong {
            let request =
                Request::new(method, path).with("X-Treelet", "1").with("Content-Type", "application/json");
            let request = if cookie.is_empty() { request } else { request.with("Cookie", cookie) };
            let request = if method == "GET" { request } else { request.body("{}") };
            assert_eq!(
                code(&request.send(served.address)),
                (401, "not-let-in".into()),
                "{method} {path} {cookie}"
            );
        }
    }
}

#[test]
fn the_cookie_may_stand_among_others() {
    let folder = folder();
    let served = Served::small(folder.path());
    let cookies = format!("a=b; {}; c=d", served.person(0).cookie);
    let request = Request::new("GET", "/api/project").with("Cookie", &cookies);
    assert_eq!(request.send(served.address).status, 200);
}

#[test]
fn a_request_that_calls_this_server_by_another_name_is_refused() {
    let folder = folder();
    let served = Served::small(folder.path());
    let (person, port) = (served.person(0), served.address.port());
    let hosts = [
        "evil.example".to_string(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "127.0.0.1".to_string(),
        "localhost".to_string(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("0.0.0.0:{port}"),
        String::new(),
    ];
    for host in &hosts {
        for path in ["/api/project", "/", "/assets/app.js", &format!("/?token={}", served.token(0))] {
            let answer = person.request("GET", path).with("Host", host).send(served.address);
            assert_eq!(code(&answer), (403, "another-host".into()), "{host} {path}");
            assert_eq!(answer.header("set-cookie"), None);
        }
    }
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        assert_eq!(
            person.request("GET", "/api/project").with("Host", &host).send(served.address).status,
            200
        );
    }
}

#[test]
fn what_changes_something_comes_from_a_page_of_this_server() {
    let folder = folder();
    let served = Served::small(folder.path());
    let (person, port) = (served.person(0), served.address.port());
    let body = json!({"base": 0, "tab": "a", "events": [head(1, 1, 2)]}).to_string();
    let request = person.request("POST", "/api/sentences/1/events").body(body);
    let foreign = [
        request.clone().without("X-Treelet"),
        request.clone().with("Origin", "http://evil.example"),
        request.clone().with("Origin", "null"),
        request.clone().with("Origin", ""),
        request.clone().with("Origin", &format!("https://{}", served.address)),
        request.clone().with("Origin", &format!("http://localhost:{port}")),
        request.clone().with("Origin", &format!("http://{}.evil.example", served.address)),
    ];
    for request in foreign {
        assert_eq!(code(&request.send(served.address)), (403, "another-site".into()), "{request:?}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        let answer = request.clone().with("Content-Type", kind).send(served.address);
        assert_eq!(code(&answer), (415, "no-json".into()), "{kind}");
    }
    assert_eq!(code(&request.clone().without("Content-Type").send(served.address)), (415, "no-json".into()));
    assert_eq!(person.n_events(1), 0);
    let ours = request.with("Origin", &format!("http://{}", served.address));
    assert_eq!(ours.with("Content-Type", "application/json; charset=utf-8").send(served.address).status, 200);
    assert_eq!(person.n_events(1), 1);
}

#[test]
fn nothing_is_changed_by_looking() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    for (method, path) in ROUTES.into_iter().filter(|(method, _)| *method != "GET") {
        assert_eq!(person.get(path).status, 405, "{path}");
        let other = if method == "PUT" { "POST" } else { "PUT" };
        assert_eq!(person.send(other, path, &json!({})).status, 405, "{path}");
    }
    assert_eq!(person.send("DELETE", "/api/sentences/1", &json!({})).status, 405);
}

#[test]
fn a_request_that_is_too_long_is_refused() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let request = person.request("POST", "/api/sentences/1/events");
    assert_eq!(request.clone().body(vec![b' '; LONGEST]).send(served.address).status, 400);
    for length in [LONGEST + 1, 5_000_000] {
        let answer = request.clone().body(vec![b' '; length]).send(served.address);
        assert_eq!((code(&answer), answer.header("connection")), ((413, "too-long".into()), Some("close")));
    }
    let mut body = b"500000\r\n".to_vec();
    body.extend(std::iter::repeat_n(b' ', 0x50_0000));
    body.extend(b"\r\n0\r\n\r\n");
    let chunked = request.body(body).without("Content-Length").with("Transfer-Encoding", "chunked");
    assert_eq!(code(&chunked.send(served.address)), (413, "too-long".into()));
    assert_eq!(person.n_events(1), 0);
}

#[test]
fn whatever_fails_is_told_alike() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let failures = [
        ("GET", "/nothing", 404, "missing"),
        ("GET", "/api/nothing", 404, "missing"),
        ("GET", "/api/sentences/1/nothing", 404, "missing"),
        ("GET", "/assets/nothing", 404, "missing"),
        ("GET", "/api/sentences/99", 404, "missing"),
        ("POST", "/", 405, "wrong-method"),
        ("DELETE", "/api/project", 405, "wrong-method"),
        ("GET", "/api/train", 405, "wrong-method"),
        ("PATCH", "/assets/app.js", 405, "wrong-method"),
        ("GET", "/api/sentences?from=abc", 400, "wrong"),
        ("GET", "/api/sentences?from=-1", 400, "wrong"),
        ("GET", "/api/sentences?from=99999999999999999999", 400, "wrong"),
        ("GET", "/api/sentences?show=everything", 400, "wrong"),
        ("GET", "/api/sentences/xyz", 400, "wrong"),
        ("GET", "/api/sentences/99999999999999999999", 400, "wrong"),
        ("GET", "/api/sentences/1?slot=b", 400, "wrong"),
        ("GET", "/api/sentences/1/history/-1", 400, "wrong"),
        ("GET", "/api/next?order=best", 400, "wrong"),
        ("GET", "/api/questions?n=many", 400, "wrong"),
        ("GET", "/api/adjudicate/x", 400, "wrong"),
        ("GET", "/api/export", 400, "wrong"),
        ("GET", "/api/export?format=exe", 400, "wrong"),
        ("PUT", "/api/settings", 400, "wrong"),
        ("POST", "/api/sentences/xyz/events", 400, "wrong"),
    ];
    for (method, path, status, expected) in failures {
        let request = person.request(method, path);
        let request = if method == "GET" { request } else { request.body("[") };
        let answer = request.send(served.address);
        assert_eq!(code(&answer), (status, expected.into()), "{method} {path}");
        assert!(!answer.json()["error"].as_str().unwrap().is_empty(), "{method} {path}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{method} {path}");
        assert!(answer.header("content-security-policy").is_some(), "{method} {path}");
        assert_eq!(answer.header("allow").is_some(), status == 405, "{method} {path}");
    }
}

#[test]
fn pages_of_other_servers_of_this_machine_cannot_ask_in_her_name() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
        let request = person.request("GET", "/api/project").with("Sec-Fetch-Site", site);
        assert_eq!(request.send(served.address).status, status, "{site}");
        // A link in a letter leads to the page all the same.
        let request = person.request("GET", "/").with("Sec-Fetch-Site", site);
        assert_eq!(request.send(served.address).status, 200, "{site}");
    }
}

#[test]
fn every_answer_forbids_all_that_the_page_does_not_need() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                  font-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let answers = [
        (200, person.get("/")),
        (200, person.get("/assets/app.js")),
        (200, person.get("/assets/tree.css")),
        (200, person.get("/assets/strings/de.json")),
        (200, person.get("/api/project")),
        (200, person.get("/api/export?format=html")),
        (303, Request::new("GET", &format!("/?token={}", served.token(0))).send(served.address)),
        (401, Request::new("GET", "/?token=no").send(served.address)),
        (401, Request::new("GET", "/api/project").send(served.address)),
        (403, person.request("GET", "/").with("Host", "evil.example").send(served.address)),
        (404, person.get("/assets/nothing.js")),
        (404, person.get("/nothing")),
        (404, person.get("/api/nothing")),
        (404, person.get("/api/sentences/99")),
        (400, person.get("/api/sentences/one")),
        (400, person.get("/api/export?format=exe")),
        (400, person.send("POST", "/api/sentences/1/events", &json!({}))),
        (405, person.get("/api/train")),
        (413, person.request("PUT", "/api/settings").body(vec![b' '; LONGEST + 1]).send(served.address)),
        (
            415,
            person
                .request("PUT", "/api/settings")
                .with("Content-Type", "text/plain")
                .body("{}")
                .send(served.address),
        ),
        (422, person.post(1, 0, "a", &[head(1, 1, 99)])),
    ];
    for (status, answer) in answers {
        assert_eq!(answer.status, status);
        let fixed = [
            ("content-security-policy", policy),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ];
        for (name, value) in fixed {
            assert_eq!(answer.header(name), Some(value), "{status} {name}");
        }
        assert!(answer.header("cache-control").is_some(), "{status}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn no_name_of_a_file_leads_out_of_the_page() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let names = [
        "../Cargo.toml",
        "../../Cargo.toml",
        "../../../../../../../../etc/passwd",
        "%2e%2e%2fCargo.toml",
        "%2e%2e/%2e%2e/Cargo.toml",
        "..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        "..%5c..%5cCargo.toml",
        "%252e%252e%252fCargo.toml",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "strings/../app.js",
        "strings/%2e%2e/index.html",
        "./app.js",
        "app.js%00",
        "app.js/",
        "small.treelet-project",
        "",
    ];
    for name in names {
        let answer = person.get(&format!("/assets/{name}"));
        assert_eq!(answer.status, 404, "{name}");
        assert_eq!(answer.json()["code"], "missing", "{name}");
    }
    for (name, kind) in [
        ("app.js", "text/javascript; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
        ("tree.css", "text/css; charset=utf-8"),
        ("strings/en.json", "application/json"),
    ] {
        let answer = person.get(&format!("/assets/{name}"));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{name}");
    }
}

#[test]
fn files_are_sent_packed_to_who_can_unpack_them() {
    use std::io::Read;
    let folder = folder();
    let served = Served::small(folder.path());
    let plain = Request::new("GET", "/assets/app.js").send(served.address);
    let packed =
        Request::new("GET", "/assets/app.js").with("Accept-Encoding", "br, gzip").send(served.address);
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(packed.body.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
}
