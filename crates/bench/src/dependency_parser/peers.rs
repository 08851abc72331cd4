//! What other parsers score on the same splits: forms and gold universal tags, relations without subtypes, all words.

/// A parser of the peers' table. Figures are one run each; UDPipe and RBGParser were cut short.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    /// UAS and LAS on `sme`, `wo` and `en`.
    scores: [Option<(f64, f64)>; 3],
    /// CPU seconds of training on the same.
    seconds: [Option<f64>; 3],
    /// Tokens per CPU second, as the table has it.
    pub(super) speed: &'static str,
    /// Model file in MB.
    pub(super) megabytes: &'static str,
    /// Peak memory of training in MB.
    pub(super) peak: &'static str,
}

const COLUMNS: [&str; 3] = ["sme", "wo", "en"];

/// The table.
pub(super) const PEERS: [Peer; 4] = [
    Peer {
        name: "TurboParser 2.3 basic",
        scores: [Some((79.7, 70.0)), Some((83.1, 79.2)), Some((81.4, 78.8))],
        seconds: [Some(32.0), Some(102.0), Some(173.0)],
        speed: "2900–6900",
        megabytes: "13–29",
        peak: "92–232",
    },
    Peer {
        name: "TurboParser 2.3 standard",
        scores: [None, None, Some((84.7, 81.8))],
        seconds: [None, None, Some(1174.0)],
        speed: "655",
        megabytes: "135",
        peak: "841",
    },
    Peer {
        name: "RBGParser 1.1 basic",
        scores: [Some((79.9, 70.4)), None, None],
        seconds: [Some(42.0), None, None],
        speed: "930",
        megabytes: "24",
        peak: "9300",
    },
    Peer {
        name: "UDPipe 1.4",
        scores: [Some((78.5, 68.4)), Some((84.2, 80.2)), Some((82.0, 79.2))],
        seconds: [Some(144.0), Some(234.0), Some(337.0)],
        speed: "6000",
        megabytes: "1.5–1.7",
        peak: "82–95",
    },
];

/// Tokens per CPU second that the aims are multiples of: the fastest of TurboParser basic's three, and UDPipe's.
pub(super) const TURBO_SPEED: f64 = 6900.0;
pub(super) const UDPIPE_SPEED: f64 = 6000.0;
/// CPU seconds in which TurboParser basic is trained on `en`.
pub(super) const TURBO_SECONDS: f64 = 173.0;

impl Peer {
    /// UAS, LAS and CPU seconds of training on a treebank.
    pub(super) fn on(&self, treebank: &str) -> Option<(f64, f64, f64)> {
        let at = COLUMNS.iter().position(|name| *name == treebank)?;
        let (uas, las) = self.scores[at]?;
        Some((uas, las, self.seconds[at]?))
    }
}

/// The best UAS and the best LAS of any peer on a treebank.
pub(super) fn best(treebank: &str) -> Option<(f64, f64)> {
    let found = PEERS.iter().filter_map(|peer| peer.on(treebank));
    found.map(|(uas, las, _)| (uas, las)).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))
}
