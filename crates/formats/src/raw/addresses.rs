//! Web and mail addresses, @names and #tags: what stays whole although it is full of punctuation.
//!
//! Every function returns the length in bytes of what it finds at the beginning of `rest`, which reaches to
//! the next space. Lengths are limited, so that text made to be slow is not.

use super::kinds::{CharacterKind, is_letter_or_digit, is_word_char, kind};

const LONGEST_URL: usize = 2000;
const LONGEST_NAME: usize = 64;
const LONGEST_HOST: usize = 100;

/// `http://…`, `www.…`, and `host.name/…`, without punctuation at the end that belongs to the sentence.
pub(super) fn url(rest: &str) -> Option<usize> {
    let prefix = scheme(rest).or_else(|| www(rest)).or_else(|| host_with_path(rest))?;
    let mut end = prefix;
    for (at, char) in rest.char_indices().skip_while(|&(at, _)| at < prefix) {
        if at > LONGEST_URL || !is_url_char(char) {
            break;
        }
        end = at + char.len_utf8();
    }
    let end = trim_url(&rest[..end]);
    (end > prefix).then_some(end)
}

fn scheme(rest: &str) -> Option<usize> {
    let name = rest.bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
    (name > 1 && rest[name..].starts_with("://")).then_some(name + 3)
}

fn www(rest: &str) -> Option<usize> {
    rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")).then_some(4)
}

/// The length of `host.name/` where the last part of the name is two to six small letters.
fn host_with_path(rest: &str) -> Option<usize> {
    let host = host(rest)?;
    let last = rest[..host].rsplit('.').next()?;
    let is_domain = (2..=6).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_domain && rest[host..].starts_with('/')).then_some(host + 1)
}

/// The length of a name with at least one period inside.
fn host(rest: &str) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let end = rest.bytes().take(LONGEST_HOST).take_while(is_part).count();
    let end = rest[..end].trim_end_matches(['.', '-']).len();
    let name = &rest[..end];
    (name.contains('.') && !name.contains("..") && !name.starts_with(['.', '-'])).then_some(end)
}

fn is_url_char(char: char) -> bool {
    match kind(char) {
        CharacterKind::Letter | CharacterKind::Digit | CharacterKind::Mark => true,
        _ => char.is_ascii_graphic() && !matches!(char, '<' | '>' | '"' | '`' | '{' | '}' | '|'),
    }
}

/// The length without final punctuation; a closing bracket stays if the address has the opening one.
fn trim_url(url: &str) -> usize {
    let mut end = url.len();
    while let Some(last) = url[..end].chars().next_back() {
        let is_surplus = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '[' | '(' => true,
            ')' => count(&url[..end], ')') > count(&url[..end], '('),
            ']' => count(&url[..end], ']') > count(&url[..end], '['),
            _ => false,
        };
        if !is_surplus {
            break;
        }
        end -= last.len_utf8();
    }
    end
}

fn count(text: &str, char: char) -> usize {
    text.matches(char).count()
}

/// `name@host.name`.
pub(super) fn mail(rest: &str) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let name = rest.bytes().take(LONGEST_NAME + 1).take_while(is_part).count();
    let is_name = (1..=LONGEST_NAME).contains(&name) && !rest.starts_with(['.', '%', '+', '-']);
    let after = rest[name..].strip_prefix('@').filter(|_| is_name)?;
    host(after).map(|host| name + 1 + host)
}

/// `@name` and `#tag`; a tag starts with a letter, because #1 is a number.
pub(super) fn name_or_tag(rest: &str, before: Option<char>) -> Option<usize> {
    let sign = rest.chars().next().filter(|&char| matches!(char, '@' | '#' | '＠' | '＃'))?;
    let name = &rest[sign.len_utf8()..];
    let is_start = |char: char| {
        if matches!(sign, '@' | '＠') {
            is_letter_or_digit(char)
        } else {
            kind(char) == CharacterKind::Letter
        }
    };
    let is_free = before.is_none_or(|before| !is_letter_or_digit(before));
    let length = name.find(|char| !is_word_char(char)).unwrap_or(name.len());
    (is_free && length > 0 && name.starts_with(is_start)).then_some(sign.len_utf8() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        let check =
            |rest: &str, expected: &str| assert_eq!(&rest[..url(rest).unwrap_or(0)], expected, "{rest}");
        check("http://a.org/x?y=1&z=%20.", "http://a.org/x?y=1&z=%20");
        check("https://en.wikipedia.org/wiki/Foo_(bar)),", "https://en.wikipedia.org/wiki/Foo_(bar)");
        check("www.example.com!", "www.example.com");
        check("example.com/path/,", "example.com/path/");
        check("and/or", "");
        check("http://", "");
        check("http://...", "");
        check("http://пример.рф/путь»", "http://пример.рф/путь");
    }

    #[test]
    fn mail_addresses_need_a_name_and_a_host_with_a_period() {
        for (rest, expected) in [("a.b@c.org.", 9), ("a@b", 0), ("@b.c", 0), ("x@y.z-", 5), ("a@b..c", 0)] {
            assert_eq!(mail(rest).unwrap_or(0), expected, "{rest}");
        }
    }
}
