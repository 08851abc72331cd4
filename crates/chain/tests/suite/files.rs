//! Files are whole or refused.

use chain::container::{self, Header, Problem};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Payload {
    name: String,
    counts: Vec<Option<u64>>,
    weights: Vec<f64>,
}

fn header() -> Header {
    let notes = [("command".to_owned(), "train".to_owned())].into();
    Header { kind: "model/toy".to_owned(), version: 3, notes }
}

fn payload() -> Payload {
    Payload {
        name: "θ".to_owned(), counts: vec![None, Some(7)], weights: vec![0.1, -0.0, f64::MIN_POSITIVE]
    }
}

fn encoded() -> Vec<u8> {
    container::encode(&header(), &payload()).unwrap()
}

fn decode(bytes: &[u8]) -> Result<Payload, Problem> {
    container::decode(bytes, "model/toy", 3).map(|(_, payload)| payload)
}

/// Puts a right checksum behind changed bytes of the header.
fn with_format(format: u32) -> Vec<u8> {
    let mut bytes = encoded();
    bytes[8..12].copy_from_slice(&format.to_le_bytes());
    bytes
}

#[test]
fn files_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy.model");
    container::write(&path, &header(), &payload()).unwrap();
    assert_eq!(container::read::<Payload>(&path, "model/toy", 3).unwrap(), (header(), payload()));
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(container::read_header(&bytes[..80]).unwrap(), header(), "the payload is not needed");
}

#[test]
fn every_problem_is_told_apart_and_says_what_to_do() {
    let bytes = encoded();
    let check = |bytes: &[u8], kind: &str, version, text: &str| {
        let problem = container::decode::<Payload>(bytes, kind, version).unwrap_err();
        assert!(problem.to_string().contains(text), "{problem} / {text}");
    };
    check(b"", "model/toy", 3, "not a Treelet file");
    check(b"(S (NP a))", "model/toy", 3, "check the file name");
    check(&bytes[..5], "model/toy", 3, "cut short");
    check(&bytes[..bytes.len() - 1], "model/toy", 3, "copy it again");
    check(&[&bytes[..], b"\n"].concat(), "model/toy", 3, "bytes where");
    check(&with_format(2), "model/toy", 3, "use a newer Treelet");
    check(&bytes, "model/other", 3, "give the right file");
    check(&bytes, "model/toy", 2, "use a newer Treelet");
    check(&bytes, "model/toy", 4, "make it again");
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 10] ^= 1;
    check(&damaged, "model/toy", 3, "damaged: the checksum of the payload");
    let unlike = container::decode::<Vec<String>>(&bytes, "model/toy", 3).unwrap_err();
    assert!(matches!(unlike, Problem::Unreadable { .. }), "{unlike}");
}

#[test]
fn every_cut_is_refused() {
    let bytes = encoded();
    for n in 1..bytes.len() {
        assert!(matches!(decode(&bytes[..n]), Err(Problem::CutShort { .. })), "{n} bytes");
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = encoded();
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn headers_short_and_long_are_read_without_the_payload() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy.model");
    let mut long = header();
    long.notes.insert("metrics".to_owned(), "0.1 ".repeat(100_000));
    for header in [header(), long] {
        let bytes = container::encode(&header, &payload()).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        assert_eq!(container::info(&path).unwrap(), header);
        std::fs::write(&path, &bytes[..40]).unwrap();
        assert!(container::info(&path).unwrap_err().to_string().contains("cut short"));
    }
}

#[test]
fn missing_files_are_named() {
    let refused = container::read::<Payload>("no/such.model".as_ref(), "model/toy", 3).unwrap_err();
    assert!(refused.to_string().starts_with("no/such.model: "), "{refused}");
}

#[test]
fn writing_replaces_in_one_step_and_leaves_nothing_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for content in [&b"old"[..], b"new and longer", b""] {
        container::write_atomically(&path, content).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), content);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Whoever has the old file open keeps reading the old file: it was replaced, not overwritten.
#[cfg(unix)]
#[test]
fn readers_never_see_half_a_file() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    container::write_atomically(&path, b"the old content").unwrap();
    let mut reader = std::fs::File::open(&path).unwrap();
    container::write_atomically(&path, b"new").unwrap();
    let mut seen = String::new();
    reader.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "the old content");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_are_written_to() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    std::fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    container::write_atomically(&link, b"new").unwrap();
    assert_eq!(std::fs::read(&real).unwrap(), b"new");
    assert!(link.symlink_metadata().unwrap().is_symlink());
    let mode = real.metadata().unwrap().permissions().mode();
    assert_ne!(mode & 0o044, 0, "others may read it, as the umask allows: {mode:o}");
    container::write_atomically("/dev/null".as_ref(), b"gone").unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

proptest! {
    #[test]
    fn no_bytes_at_all_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&bytes).is_err());
        let with_magic = [&encoded()[..12], &bytes].concat();
        prop_assert!(decode(&with_magic).is_err());
    }

    /// Payloads with right checksums but wrong content: postcard must fail politely.
    #[test]
    fn payloads_of_another_make_do_not_panic(noise in prop::collection::vec(any::<u8>(), 0..100)) {
        let bytes = container::encode(&header(), &noise).unwrap();
        let _ = decode(&bytes);
        let (_, payload) = container::open(&bytes).unwrap();
        prop_assert!(payload.len() > noise.len());
    }

    #[test]
    fn several_kinds_of_damage_at_once_are_refused(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = encoded();
        let mut bytes = whole.clone();
        for (place, mask) in flips {
            let i = place.index(bytes.len());
            bytes[i] ^= mask;
        }
        prop_assert!(bytes == whole || decode(&bytes).is_err());
        bytes.truncate(cut.index(whole.len()));
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn any_payload_comes_back(
        counts in prop::collection::vec(any::<Option<u64>>(), 0..50),
        weights in prop::collection::vec(-1e300..1e300, 0..50),
        name in ".*",
    ) {
        let payload = Payload { name, counts, weights };
        let bytes = container::encode(&header(), &payload).unwrap();
        prop_assert_eq!(decode(&bytes).unwrap(), payload);
    }
}
