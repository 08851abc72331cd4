//! Codes of words, and bits of vectors.

use chain::container::{Header, decode, encode};
use features::{BisectOptions, Codebook, bisect, plain};
use proptest::prelude::*;

#[test]
fn a_word_is_looked_for_as_written_then_in_lower_case_then_with_digits_alike() {
    let book =
        Codebook::new([("Rome", "1"), ("rome", "2"), ("cat", "3"), ("0000s", "4"), ("Élan", "5")], 1000);
    let codes = ["Rome", "rome", "ROME", "CAT", "1990S", "0000s", "Élan", "ÉLAN", "élan", "dog"]
        .map(|w| book.code(w));
    let expected = ["1", "2", "2", "3", "4", "4", "5"].map(Some).into_iter().chain([None; 3]);
    assert_eq!(codes.to_vec(), expected.collect::<Vec<_>>());
    assert_eq!(plain("Ab9٣"), "ab00");
}

#[test]
fn the_first_code_of_a_word_counts_and_empty_ones_do_not() {
    let book = Codebook::new([("a", "1"), ("a", "2"), ("", "3"), ("b", ""), ("b", "1")], 1000);
    assert_eq!((book.n_words(), book.n_codes()), (2, 1));
    assert_eq!((book.code("a"), book.code("b"), book.code("")), (Some("1"), Some("1"), None));
}

fn same_bytes(book: &Codebook) -> Vec<u8> {
    encode(&Header::default(), book).expect("a book can be written")
}

proptest! {
    #[test]
    fn a_book_is_no_larger_than_it_may_be_and_comes_back_from_its_bytes(
        words in prop::collection::vec(("[a-dé]{0,6}", "[01]{0,5}"), 0..60),
        most in 0..400usize,
    ) {
        let book = Codebook::new(words.clone(), most);
        let bytes = same_bytes(&book);
        let empty = same_bytes(&Codebook::default()).len();
        prop_assert!(bytes.len() <= empty + most, "{} > {empty} + {most}", bytes.len());
        let (_, read): (_, Codebook) = decode(&bytes, "", 0).expect("what was written can be read");
        prop_assert_eq!(&read, &book);
        let all = Codebook::new(words, usize::MAX);
        prop_assert!(book.n_words() <= all.n_words());
    }

    #[test]
    fn cuts_leave_a_quarter_on_either_side(values in prop::collection::vec(-3.0f32..3.0, 3 * 16..3 * 60)) {
        let values = &values[..values.len() / 3 * 3];
        let codes = bisect(values, 3, &BisectOptions::default());
        prop_assert_eq!(codes.len() * 3, values.len());
        for prefix in codes.iter().flat_map(|code| (0..code.len()).map(move |n| &code[..n])) {
            let inside: Vec<&String> = codes.iter().filter(|code| code.starts_with(prefix) && code.len() > prefix.len()).collect();
            let zeros = inside.iter().filter(|code| code.as_bytes()[prefix.len()] == b'0').count();
            let least = (inside.len() / 4).max(1);
            prop_assert!(zeros >= least && inside.len() - zeros >= least, "{zeros} of {} in {prefix:?}", inside.len());
        }
        prop_assert_eq!(bisect(values, 3, &BisectOptions::default()), codes);
    }
}

#[test]
fn two_clouds_are_told_apart_by_the_first_bit() {
    // Both clouds lie around directions a right angle apart; the third axis is noise.
    let cloud = |i: usize| {
        let noise = ((i * 7919) % 101) as f32 / 400.0;
        if i.is_multiple_of(3) { [1.0, noise, 0.2 - noise] } else { [noise, 1.0, noise - 0.1] }
    };
    let values: Vec<f32> = (0..90).flat_map(cloud).collect();
    let codes = bisect(&values, 3, &BisectOptions::default());
    for (i, code) in codes.iter().enumerate() {
        assert_eq!(code[..1] == codes[0][..1], i.is_multiple_of(3), "{i} {codes:?}");
    }
    assert!(codes.iter().all(|code| (2..=10).contains(&code.len())));
}

#[test]
fn points_that_are_the_same_have_the_same_bits() {
    assert_eq!(bisect(&[0.5; 40], 2, &BisectOptions::default()), vec!["0"; 20]);
    assert_eq!(bisect(&[0.0; 40], 2, &BisectOptions::default()), vec!["0"; 20]);
    assert!(bisect(&[], 2, &BisectOptions::default()).is_empty());
    assert!(bisect(&[], 0, &BisectOptions::default()).is_empty());
}
