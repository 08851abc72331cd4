//! Features of forms.

use std::collections::BTreeSet;

use features::{Group, features};
use proptest::prelude::*;

fn all(form: &str, first: bool, groups: &[Group]) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    features(form, first, |group, feature| {
        if groups.contains(&group) {
            found.insert(feature);
        }
    });
    found
}

const NOT_IDENTITY: [Group; 2] = [Group::Affix, Group::Shape];

#[test]
fn hashes_are_the_same_for_ever() {
    // Identities and affixes of a word with a Greek capital and a digit, computed by another program.
    let expected = [
        0x2A97_FD7A_A0DF_F2E2,
        0x00B9_65A1_0B48_B2A2,
        0xA91F_F67F_7559_264D,
        0xB5A9_243E_05CD_DBF0,
        0x6B3F_7476_D937_F0DF,
        0xB75C_8049_3E85_AA35,
    ];
    let mut found = Vec::new();
    features("Ῥό9", true, |group, feature| {
        if group != Group::Shape {
            found.push(feature);
        }
    });
    assert_eq!(found, expected);
}

#[test]
fn numbers_of_one_pattern_are_alike_but_for_identity() {
    assert_eq!(all("1,234.5", false, &NOT_IDENTITY), all("9,870.6", false, &NOT_IDENTITY));
    assert_eq!(all("१२", false, &NOT_IDENTITY), all("९०", false, &NOT_IDENTITY));
    assert_ne!(all("1,234.5", false, &[Group::Identity]), all("9,870.6", false, &[Group::Identity]));
}

#[test]
fn affixes_and_lower_case_identity_do_not_see_case() {
    assert_eq!(all("Walking", false, &[Group::Affix]), all("walking", false, &[Group::Affix]));
    assert!(all("Walking", false, &[Group::Identity]).is_superset(&all(
        "walking",
        false,
        &[Group::Identity]
    )));
}

#[test]
fn the_beginning_of_a_sentence_changes_the_meaning_of_a_capital_only() {
    let both = all("House", false, &NOT_IDENTITY);
    let different = both.symmetric_difference(&all("House", true, &NOT_IDENTITY)).count();
    assert_eq!(different, 2);
}

#[test]
fn scripts_without_case_have_shapes() {
    let shape = |form| all(form, false, &[Group::Shape]);
    assert_eq!(shape("たべる"), shape("のむは"));
    assert_ne!(shape("たべる"), shape("カメラ"));
    assert_ne!(shape("たべる"), shape("日本人"));
    assert_ne!(shape("שלום"), shape("日本人漢"));
}

#[test]
fn combining_accents_do_not_break_a_run_of_letters() {
    // Six characters each, of which two are accents in the first word.
    assert_eq!(all("o\u{301}du\u{300}n", false, &[Group::Shape]), all("abcdex", false, &[Group::Shape]));
}

proptest! {
    #[test]
    fn any_string_has_features_and_always_the_same(form in any::<String>(), first in any::<bool>()) {
        let groups = [Group::Identity, Group::Affix, Group::Shape];
        let found = all(&form, first, &groups);
        prop_assert!(found.len() >= 5 && found.len() <= 30);
        prop_assert_eq!(found, all(&form, first, &groups));
    }
}
