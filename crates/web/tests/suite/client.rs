//! As much of HTTP as these tests need, so that they see what is really sent.

use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Nothing takes so long; without it a mistake would keep a test waiting for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request. A header that is given again takes the place of the one before.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    first_line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        let first_line = format!("{method} {path} HTTP/1.1");
        Self { first_line, headers: Vec::new(), body: Vec::new() }.with("Connection", "close")
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.with("Content-Length", &length)
    }

    pub(crate) fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut head = format!("{}\r\n", self.first_line);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {address}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }

    /// Sends it and keeps the connection.
    pub(crate) fn open(&self, address: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        // Who is told off in the middle may not be heard to the end.
        let _ = stream.write_all(&self.bytes(address));
        stream
    }

    pub(crate) fn send(&self, address: SocketAddr) -> Answer {
        self.try_send(address).unwrap_or_else(|| panic!("no answer to {}", self.first_line))
    }

    /// The answer, if there was one before the connection ended.
    pub(crate) fn try_send(&self, address: SocketAddr) -> Option<Answer> {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let _ = stream.write_all(&self.bytes(address));
        let mut bytes = Vec::new();
        match stream.read_to_end(&mut bytes) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
            Err(_) => return None,
        }
        Answer::read(&bytes)
    }
}

/// Sends these bytes, whatever they are, and hears all that comes back.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(bytes);
    rest(&mut stream)
}

/// What still comes before the connection ends.
pub(crate) fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
        _ => bytes,
    }
}

impl Answer {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_string()))
            .collect();
        let answer = Self { status, headers, body: bytes[end + 4..].to_vec() };
        // An answer that was cut off is none.
        let length =
            answer.header("content-length").map_or(Some(answer.body.len()), |length| length.parse().ok())?;
        (length == answer.body.len()).then_some(answer)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The JSON of an answer with this status.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }
}
