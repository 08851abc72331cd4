//! `MSeg` in MISC: the morphs of a word with hyphens between them, `MSeg=un-happi-ness`.
//!
//! A hyphen of the word itself is written `\-`, a backslash `\\`; `|` is `\p`, space `\s` and tab `\t`, as elsewhere in MISC.

/// The name of the item.
pub const NAME: &str = "MSeg";

/// The value of the item for some morphs.
///
/// ```
/// assert_eq!(tree::mseg::join(["co", "-", "pilot", "s"]), r"co-\--pilot-s");
/// ```
pub fn join<M: AsRef<str>>(morphs: impl IntoIterator<Item = M>) -> String {
    let mut value = String::new();
    for (at, morph) in morphs.into_iter().enumerate() {
        if at > 0 {
            value.push('-');
        }
        for character in morph.as_ref().chars() {
            match character {
                '-' => value.push_str(r"\-"),
                '\\' => value.push_str(r"\\"),
                '|' => value.push_str(r"\p"),
                ' ' => value.push_str(r"\s"),
                '\t' => value.push_str(r"\t"),
                character => value.push(character),
            }
        }
    }
    value
}

/// The morphs that a value stands for; empty ones are left out.
pub fn split(value: &str) -> Vec<String> {
    let mut morphs = vec![String::new()];
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        let character = match character {
            '-' => {
                morphs.push(String::new());
                continue;
            }
            '\\' => match characters.next() {
                Some('p') => '|',
                Some('s') => ' ',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            character => character,
        };
        if let Some(last) = morphs.last_mut() {
            last.push(character);
        }
    }
    morphs.retain(|morph| !morph.is_empty());
    morphs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn morphs_survive_the_column(morphs in prop::collection::vec(r"[a-cß|\\\- \t=]{1,4}", 1..5)) {
            let value = join(&morphs);
            prop_assert!(!value.contains(['|', '\t', ' ']));
            prop_assert_eq!(split(&value), morphs);
        }
    }

    #[test]
    fn treebanks_are_read_as_they_are() {
        assert_eq!(split("ngarrka-ngku"), ["ngarrka", "ngku"]);
        assert_eq!(split("-ngku-"), ["ngku"]);
        assert_eq!(split(r"a\"), [r"a\"]);
        assert_eq!(split(""), [""; 0]);
    }
}
