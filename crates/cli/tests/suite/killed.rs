//! The annotation page is killed in the middle of everything, and its file is looked at: whole, with all that was answered, in its order.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::annotating::Served;
use crate::common::Playground;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};

const SENTENCE: u32 = 4;
/// The words of that sentence.
const WORDS: usize = 4;
/// The most events in a request.
const MOST: usize = 4;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// What is sent.
#[derive(Clone, Debug, PartialEq)]
enum Act {
    /// Some words and what each belongs to.
    Say(Vec<(usize, usize)>),
    Undo,
    Redo,
}

fn act(dice: &mut Dice) -> Act {
    match dice.below(6) {
        0 => Act::Undo,
        1 => Act::Redo,
        // Heads stand further right, so that no circle is made.
        _ => Act::Say(
            (0..=dice.below(2))
                .map(|_| {
                    let of = 1 + dice.below(WORDS - 1);
                    (of, of + 1 + dice.below(WORDS - of))
                })
                .collect(),
        ),
    }
}

fn event(n: usize, act: &Act) -> Value {
    match act {
        Act::Say(heads) => {
            let changes: Vec<Value> =
                heads.iter().map(|(of, to)| json!({"head": {"of": of, "to": to}})).collect();
            json!({"n": n, "at": n, "kind": "edit", "via": "key", "changes": changes})
        }
        Act::Undo => json!({"n": n, "at": n, "kind": "undo"}),
        Act::Redo => json!({"n": n, "at": n, "kind": "redo"}),
    }
}

/// What stands there after these acts: a list of states and the place in it.
fn heads_after(acts: &[Act]) -> Vec<Option<usize>> {
    let (mut states, mut at) = (vec![vec![None; WORDS]], 0_usize);
    for act in acts {
        match act {
            Act::Undo => at = at.saturating_sub(1),
            Act::Redo => at = (at + 1).min(states.len() - 1),
            Act::Say(heads) => {
                let mut state = states[at].clone();
                for (of, to) in heads {
                    state[of - 1] = Some(*to);
                }
                states.truncate(at + 1);
                states.push(state);
                at += 1;
            }
        }
    }
    states.swap_remove(at)
}

/// Sends events; whether it was answered that they are there.
fn post(served: &Served, body: &Value) -> bool {
    let body = body.to_string();
    let port = served.address.rsplit_once(':').unwrap().1;
    let letter = format!(
        "POST /api/sentences/{SENTENCE}/events HTTP/1.1\r\nHost: {}\r\nCookie: treelet-{port}={}\r\nX-Treelet: 1\r\n\
         Content-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        served.address,
        served.token,
        body.len()
    );
    let Ok(mut stream) = TcpStream::connect(&served.address) else { return false };
    let mut answer = Vec::new();
    if stream.write_all(letter.as_bytes()).is_err() || stream.read_to_end(&mut answer).is_err() {
        return false;
    }
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer.split_once("\r\n\r\n").is_some_and(|(_, view)| serde_json::from_str::<Value>(view).is_ok())
}

/// Sends until the program is gone: how many acts were answered, and all that were sent.
fn write(served: &Served, mut base: usize, tab: &str, dice: &mut Dice, answered: &AtomicUsize) -> Vec<Act> {
    let mut sent = Vec::new();
    loop {
        let batch: Vec<Act> = (0..=dice.below(MOST)).map(|_| act(dice)).collect();
        let events: Vec<Value> = (sent.len() + 1..).zip(&batch).map(|(n, act)| event(n, act)).collect();
        let body = json!({"slot": 0, "base": base, "tab": tab, "events": events});
        base += batch.len();
        sent.extend(batch);
        if !post(served, &body) {
            return sent;
        }
        answered.store(sent.len(), Ordering::SeqCst);
    }
}

/// The events in the file, past the program, after SQLite has looked at all of it.
fn stored(playground: &Playground, tab: &str) -> Vec<Value> {
    let file = Connection::open(playground.path("p.treelet-project")).unwrap();
    let sound: String = file.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    let mut query = file.prepare("SELECT event FROM event WHERE tab = ?1 ORDER BY seq").unwrap();
    let events = query.query_map([tab], |row| row.get::<_, String>(0)).unwrap();
    events.map(|event| serde_json::from_str(&event.unwrap()).unwrap()).collect()
}

/// The same event may be spelled in other ways.
fn same(event: &Value, act: &Act) -> bool {
    match act {
        Act::Undo => event["kind"] == "undo",
        Act::Redo => event["kind"] == "redo",
        Act::Say(heads) => {
            let said: Vec<(u64, u64)> = event["changes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|change| {
                    (change["head"]["of"].as_u64().unwrap(), change["head"]["to"].as_u64().unwrap())
                })
                .collect();
            said == heads.iter().map(|(of, to)| (*of as u64, *to as u64)).collect::<Vec<_>>()
        }
    }
}

#[test]
fn a_killed_program_leaves_a_sound_file_with_all_that_was_answered() {
    let kills: usize = std::env::var("TREELET_KILLS").ok().map_or(20, |kills| kills.parse().unwrap());
    let playground = Playground::new();
    let mut served = Served::new(&playground, "p.treelet-project --demo --port 0");
    let mut dice = Dice(22);
    let (mut all, mut n_more): (Vec<Act>, usize) = (Vec::new(), 0);
    for round in 0..kills {
        let tab = format!("round {round}");
        let answered = AtomicUsize::new(0);
        let (mut stream, enough) = (Dice(round as u64), 1 + dice.below(25));
        let mut child =
            std::mem::replace(&mut served.child, std::process::Command::new("true").spawn().unwrap());
        let sent = std::thread::scope(|scope| {
            let writer = scope.spawn(|| write(&served, all.len(), &tab, &mut stream, &answered));
            // In the middle of what follows, whatever that is.
            while answered.load(Ordering::SeqCst) < enough {}
            child.kill().unwrap();
            child.wait().unwrap();
            writer.join().unwrap()
        });
        let answered = answered.into_inner();
        let events = stored(&playground, &tab);
        // All that was answered; what was under way, as a whole or not at all; and nothing else.
        assert!(
            events.len() == answered || events.len() == sent.len(),
            "{answered} {} {}",
            events.len(),
            sent.len()
        );
        assert!(events.iter().zip(&sent).all(|(event, act)| same(event, act)), "{events:?} {sent:?}");
        n_more += usize::from(events.len() > answered);
        all.extend_from_slice(&sent[..events.len()]);
        served = Served::new(&playground, "p.treelet-project --port 0");
        let (_, view) = served.get(&format!("/api/sentences/{SENTENCE}"));
        let heads: Vec<Option<usize>> = view["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word["head"].as_u64().map(|head| head as usize))
            .collect();
        assert_eq!(heads[..WORDS], heads_after(&all)[..], "round {round}");
        assert_eq!(view["version"], json!(all.len()));
    }
    println!("{kills} kills, {} events, {n_more} batches that had arrived unanswered", all.len());
}
