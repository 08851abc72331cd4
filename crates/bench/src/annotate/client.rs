//! As much of HTTP as a browser needs of this server: one connection that is kept.

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Nothing takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server closes what is idle for twenty seconds; browsers open it anew, too.
const IDLE: Duration = Duration::from_secs(10);

/// Somebody in front of a browser.
pub(super) struct Client {
    stream: BufReader<TcpStream>,
    /// When the last answer came.
    heard: Instant,
    host: String,
    cookie: String,
}

/// An answer.
pub(super) struct Answer {
    status: u16,
    cookie: Option<String>,
    body: Vec<u8>,
}

impl Client {
    /// Opens the address that somebody was given, `http://127.0.0.1:PORT/?token=…`.
    pub(super) fn new(url: &str) -> anyhow::Result<Client> {
        let rest = url.strip_prefix("http://").context("the address is not of a server")?;
        let (host, path) = rest.split_once('/').context("the address has no token")?;
        let mut client = Client {
            stream: connection(host)?,
            heard: Instant::now(),
            host: host.to_owned(),
            cookie: String::new(),
        };
        let answer = client.ask("GET", &format!("/{path}"), &[])?;
        client.cookie = answer.cookie.context("nobody is let in by this address")?;
        Ok(client)
    }

    /// What a page asks for.
    pub(super) fn get(&mut self, path: &str) -> anyhow::Result<Value> {
        Ok(serde_json::from_slice(&self.bytes(path)?)?)
    }

    /// The same as it comes.
    pub(super) fn bytes(&mut self, path: &str) -> anyhow::Result<Vec<u8>> {
        let answer = self.ask("GET", path, &[])?;
        ensure!(answer.status == 200, "GET {path}: {}", String::from_utf8_lossy(&answer.body));
        Ok(answer.body)
    }

    /// Milliseconds for a page that needs no work: what the machine does besides keeps all answers waiting.
    pub(super) fn noise(&mut self) -> anyhow::Result<f64> {
        let sent = Instant::now();
        self.bytes("/")?;
        Ok(1000.0 * sent.elapsed().as_secs_f64())
    }

    /// Something that changes something.
    pub(super) fn send(&mut self, method: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
        let answer = self.ask(method, path, body.to_string().as_bytes())?;
        ensure!(answer.status == 200, "{method} {path}: {}", String::from_utf8_lossy(&answer.body));
        Ok(serde_json::from_slice(&answer.body)?)
    }

    /// Events of a sentence from a window; the sentence as it stands then.
    pub(super) fn post(
        &mut self,
        sentence: i64,
        base: u64,
        tab: &str,
        events: &[Value],
    ) -> anyhow::Result<Value> {
        let body = json!({"slot": 0, "base": base, "tab": tab, "events": events});
        self.send("POST", &format!("/api/sentences/{sentence}/events"), &body)
    }

    /// All sentences that are hers.
    pub(super) fn ids(&mut self) -> anyhow::Result<Vec<i64>> {
        let mut ids = Vec::new();
        loop {
            let rows = self.get(&format!("/api/sentences?from={}&n=500", ids.len()))?;
            let total = rows["total"].as_u64().context("a list has a length")? as usize;
            let page = rows["sentences"].as_array().context("a list has rows")?;
            ids.extend(page.iter().filter_map(|row| row["id"].as_i64()));
            if ids.len() >= total || page.is_empty() {
                return Ok(ids);
            }
        }
    }

    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> anyhow::Result<Answer> {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        if !self.cookie.is_empty() {
            request.push_str(&format!("Cookie: {}\r\n", self.cookie));
        }
        if method != "GET" {
            let length = body.len();
            request.push_str(&format!(
                "X-Treelet: 1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
            ));
        }
        request.push_str("\r\n");
        if self.heard.elapsed() > IDLE {
            self.stream = connection(&self.host)?;
        }
        self.stream.get_mut().write_all(&[request.as_bytes(), body].concat())?;
        let answer = self.read();
        self.heard = Instant::now();
        answer
    }

    fn read(&mut self) -> anyhow::Result<Answer> {
        let mut answer = Answer { status: 0, cookie: None, body: Vec::new() };
        let (mut line, mut length) = (String::new(), 0);
        self.stream.read_line(&mut line)?;
        answer.status = line.split(' ').nth(1).context("the server hung up")?.parse()?;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse()?,
                "set-cookie" => answer.cookie = value.split(';').next().map(str::to_owned),
                "transfer-encoding" => anyhow::bail!("an answer came in pieces"),
                _ => {}
            }
        }
        answer.body.resize(length, 0);
        self.stream.read_exact(&mut answer.body)?;
        Ok(answer)
    }
}

fn connection(host: &str) -> anyhow::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(BufReader::new(stream))
}
