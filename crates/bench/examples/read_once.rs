//! Reads and writes one CoNLL-U file: what a profiler looks at.
fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("readable");
    let mut out = Vec::with_capacity(text.len());
    for reading in formats::conllu::ConlluReader::new(text.as_bytes()) {
        formats::conllu::write(&reading.expect("memory").value, &mut out).expect("memory");
    }
    assert_eq!(out.len(), text.len());
}
