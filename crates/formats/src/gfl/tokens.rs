//! Names of tokens: how an annotation refers to a word of the sentence, and how to spell such a name.

use super::lexer;
use std::collections::HashMap;
use tree::Text;

/// The tokens of a sentence, to be looked up by name.
///
/// A form that occurs once is its own name. A repeated form needs an index, `the~2`; the spellings `the_2`
/// and `the-2` are understood only if `the` really repeats. A tilde in front protects a form that looks
/// like an operator: `~(-:`. A token that literally equals the name always wins, so files whose TEXT is
/// already indexed work too.
#[derive(Debug)]
pub struct Tokens<'a> {
    tokens: &'a [Text],
    positions: HashMap<&'a str, Vec<usize>>,
}

/// Why a name is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// No token is called so.
    Unknown,
    /// Several tokens are called so.
    Ambiguous {
        /// How many.
        count: usize,
    },
    /// The form exists, but not so often.
    OutOfRange {
        /// The form without its index.
        form: String,
        /// How often it occurs.
        count: usize,
    },
}

impl<'a> Tokens<'a> {
    /// Prepares the look-up.
    pub fn new(tokens: &'a [Text]) -> Self {
        let mut positions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, token) in tokens.iter().enumerate() {
            positions.entry(token.as_str()).or_default().push(index + 1);
        }
        Self { tokens, positions }
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The token of word `word`, from 1, as it stands in the text.
    pub(crate) fn form(&self, word: usize) -> &'a str {
        self.tokens[word - 1].as_str()
    }

    fn places(&self, form: &str) -> &[usize] {
        self.positions.get(form).map_or(&[], Vec::as_slice)
    }

    /// The token (from 1) that `name` means.
    pub fn resolve(&self, name: &str) -> Result<usize, NameError> {
        match self.places(name) {
            [] => {}
            &[position] => return Ok(position),
            several => return Err(NameError::Ambiguous { count: several.len() }),
        }
        let mut failure = NameError::Unknown;
        for separator in ['~', '_', '-'] {
            let Some((form, index)) = split_index(name, separator) else { continue };
            let places = self.places_unescaped(form);
            if places.is_empty() || (separator != '~' && places.len() == 1) {
                continue;
            }
            match index.checked_sub(1).and_then(|rank| places.get(rank)) {
                Some(&position) => return Ok(position),
                None => failure = NameError::OutOfRange { form: form.into(), count: places.len() },
            }
        }
        match name.strip_prefix('~').map_or(&[][..], |form| self.places(form)) {
            [] => Err(failure),
            &[position] => Ok(position),
            several => Err(NameError::Ambiguous { count: several.len() }),
        }
    }

    fn places_unescaped(&self, form: &str) -> &[usize] {
        match self.places(form) {
            [] => form.strip_prefix('~').map_or(&[], |form| self.places(form)),
            places => places,
        }
    }

    /// The shortest name of a token (from 1) that reads back as this token.
    pub fn spell(&self, word: usize) -> String {
        let form = self.tokens[word - 1].as_str();
        let rank = self.places(form).binary_search(&word).unwrap_or(0) + 1;
        let indexed = format!("{form}~{rank}");
        let spellings = [form.to_owned(), indexed.clone(), format!("~{form}"), format!("~{form}~{rank}")];
        let reads_back = |name: &String| lexer::is_plain(name) && self.resolve(name) == Ok(word);
        spellings.into_iter().find(reads_back).unwrap_or(indexed)
    }
}

/// Form and index of a name like `the~2`.
fn split_index(name: &str, separator: char) -> Option<(&str, usize)> {
    let (form, digits) = name.rsplit_once(separator)?;
    let number = !form.is_empty() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if number { Some((form, digits.parse().unwrap_or(usize::MAX))) } else { None }
}

/// The forms without the indices and tildes that annotators put into TEXT.
///
/// `the~1 … the~2`, `a-1 … a-2` and `the … the_1` become plain again; a suffix is taken off only if the
/// bare form really repeats, or if the tilde was needed because the form looks like an operator.
pub fn bare_forms(tokens: &[Text]) -> Vec<Text> {
    let mut families: HashMap<(&str, char), usize> = HashMap::new();
    for token in tokens {
        for separator in ['~', '_', '-', '^'] {
            let form = split_index(token, separator).map_or(token.as_str(), |(form, _)| form);
            *families.entry((form, separator)).or_default() += 1;
        }
    }
    tokens.iter().map(|token| bare_form(token, &families)).collect()
}

fn bare_form(token: &Text, families: &HashMap<(&str, char), usize>) -> Text {
    let mut form = token.as_str();
    for separator in ['~', '_', '-', '^'] {
        let Some((bare, _)) = split_index(token, separator) else { continue };
        let repeats = families.get(&(bare, separator)).is_some_and(|&count| count > 1);
        if repeats || (separator == '~' && !lexer::is_plain(bare)) {
            form = bare;
            break;
        }
    }
    match form.strip_prefix('~') {
        Some(inner) if !inner.is_empty() && !lexer::is_plain(inner) => inner.into(),
        _ => form.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Text> {
        text.split_whitespace().map(Text::from).collect()
    }

    #[test]
    fn repeated_forms_need_an_index_and_single_ones_do_not() {
        let words = texts("the cat the_dog saw the rat");
        let tokens = Tokens::new(&words);
        assert_eq!(tokens.resolve("cat"), Ok(2));
        assert_eq!(tokens.resolve("the"), Err(NameError::Ambiguous { count: 2 }));
        for name in ["the~2", "the_2", "the-2"] {
            assert_eq!(tokens.resolve(name), Ok(5), "{name}");
        }
        assert_eq!(tokens.resolve("the~3"), Err(NameError::OutOfRange { form: "the".into(), count: 2 }));
        assert_eq!(tokens.resolve("cat~1"), Ok(2));
        assert_eq!(tokens.resolve("cat-1"), Err(NameError::Unknown));
        assert_eq!(tokens.resolve("dog"), Err(NameError::Unknown));
    }

    #[test]
    fn every_token_is_spelt_so_that_it_reads_back() {
        let words = texts("the ( ) > * :: $x $250 // % --- (-: :-) =) the ( a~1 ~ ** [x] = x~y");
        let tokens = Tokens::new(&words);
        for word in 1..=words.len() {
            let name = tokens.spell(word);
            assert!(lexer::is_plain(&name), "{name}");
            assert_eq!(tokens.resolve(&name), Ok(word), "{name}");
        }
        assert_eq!(tokens.spell(1), "the~1");
        assert_eq!(tokens.spell(2), "~(~1");
        assert_eq!(tokens.spell(3), ")~1");
        assert_eq!(tokens.spell(8), "$250");
    }

    #[test]
    fn indices_of_the_text_are_taken_off_only_where_forms_repeat() {
        let bare = |text| bare_forms(&texts(text)).join(" ");
        assert_eq!(bare("the~1 cat saw the~2 ~(-: )~1"), "the cat saw the (-: )");
        assert_eq!(bare("the land of the_1 F_16 a-1 B-52 a-2"), "the land of the F_16 a B-52 a");
        assert_eq!(bare("~1 ~ x~1"), "~1 ~ x~1");
    }
}
