//! One line of annotation as brackets, marks, operators and words.

use super::tokens::Tokens;

/// A piece of a line with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'a> {
    pub(crate) kind: LexemeKind<'a>,
    /// Column of the first character, from 1.
    pub(crate) column: u32,
    /// Number of characters.
    pub(crate) length: u32,
    /// Whether it stands directly after the lexeme before it.
    pub(crate) glued: bool,
}

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeKind<'a> {
    /// A token, a variable, or something unknown.
    Word(&'a str),
    Open(BracketShape),
    Close(BracketShape),
    /// A run of asterisks: `*` the head of a bracket, `**` a root, more are a mistake.
    Stars(u32),
    /// `>`: what stands left depends on what stands right.
    Right,
    /// `<`: what stands right depends on what stands left.
    Left,
    /// `::`
    Define,
    /// `=`
    Link,
}

/// The three kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BracketShape {
    Round,
    Square,
    Curly,
}

/// Lexemes of a line, and the places where an operator touches a word (column, length).
///
/// A word reaches from white space to white space, without the opening brackets before it and the closing
/// brackets and asterisks after it. `//` starts a comment unless it is a token. Where a space was forgotten
/// (`our> eyes`), the operator is split off if, and only if, everything around it is then a known name.
pub(crate) fn lex<'a>(line: &'a str, tokens: &Tokens<'_>) -> (Vec<Lexeme<'a>>, Vec<(u32, u32)>) {
    let mut lexer = Lexer { lexemes: Vec::new(), glued: Vec::new() };
    for (chunk, column) in chunks(line) {
        if chunk.starts_with("//") && tokens.resolve(chunk).is_err() {
            break;
        }
        lexer.chunk(chunk, column, tokens);
    }
    (lexer.lexemes, lexer.glued)
}

/// Whether `name` is read as one word, wherever it stands in an annotation.
pub(crate) fn is_plain(name: &str) -> bool {
    let special = name.starts_with("//") || name.starts_with('%') || name == "---" || is_variable(name);
    let spaced = name.is_empty() || name.contains(char::is_whitespace) || name.contains('\u{feff}');
    !special
        && !spaced
        && matches!(split(name), Split { openers: "", core, closers: "" } if operator(core).is_none())
}

/// Whether `name` can be a variable: a dollar sign, a letter or underscore, no special characters.
pub(crate) fn is_variable(name: &str) -> bool {
    let Some(rest) = name.strip_prefix('$') else { return false };
    let starts = rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts && !rest.contains(['(', ')', '[', ']', '{', '}', '<', '>', '*', '='])
}

/// Parts between white space with the column of their first character.
fn chunks(line: &str) -> impl Iterator<Item = (&str, u32)> {
    let mut column = 1;
    line.split(char::is_whitespace).filter_map(move |chunk| {
        let start = column;
        column += count(chunk) + 1;
        (!chunk.is_empty()).then_some((chunk, start))
    })
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

struct Split<'a> {
    openers: &'a str,
    core: &'a str,
    closers: &'a str,
}

fn split(chunk: &str) -> Split<'_> {
    let inner = chunk.trim_start_matches(['(', '[', '{']);
    let core = inner.trim_end_matches([')', ']', '}', '*']);
    Split { openers: &chunk[..chunk.len() - inner.len()], core, closers: &inner[core.len()..] }
}

fn operator(core: &str) -> Option<LexemeKind<'_>> {
    match core {
        ">" => Some(LexemeKind::Right),
        "<" => Some(LexemeKind::Left),
        "=" => Some(LexemeKind::Link),
        "::" => Some(LexemeKind::Define),
        _ => None,
    }
}

struct Lexer<'a> {
    lexemes: Vec<Lexeme<'a>>,
    glued: Vec<(u32, u32)>,
}

impl<'a> Lexer<'a> {
    fn chunk(&mut self, chunk: &'a str, column: u32, tokens: &Tokens<'_>) {
        let start = self.lexemes.len();
        let Split { openers, core, closers } = split(chunk);
        let core_column = column + count(openers);
        self.brackets(openers, column);
        match forgotten_space(core, tokens) {
            Some(at) => self.glued_operator(core, at, core_column, tokens),
            None => self.word(core, core_column),
        }
        self.brackets(closers, core_column + count(core));
        for lexeme in self.lexemes.iter_mut().skip(start + 1) {
            lexeme.glued = true;
        }
    }

    /// A left part, an operator and a right part without spaces between them.
    fn glued_operator(&mut self, core: &'a str, at: usize, column: u32, tokens: &Tokens<'_>) {
        let (left, rest) = core.split_at(at);
        let (sign, right) = rest.split_at(1);
        self.glued.push((column, count(core)));
        if !left.is_empty() {
            self.chunk(left, column, tokens);
        }
        self.word(sign, column + count(left));
        if !right.is_empty() {
            self.chunk(right, column + count(left) + 1, tokens);
        }
    }

    fn word(&mut self, core: &'a str, column: u32) {
        if !core.is_empty() {
            self.push(operator(core).unwrap_or(LexemeKind::Word(core)), column, count(core));
        }
    }

    fn brackets(&mut self, signs: &str, mut column: u32) {
        for sign in signs.chars() {
            match sign {
                '(' => self.push(LexemeKind::Open(BracketShape::Round), column, 1),
                '[' => self.push(LexemeKind::Open(BracketShape::Square), column, 1),
                '{' => self.push(LexemeKind::Open(BracketShape::Curly), column, 1),
                ')' => self.push(LexemeKind::Close(BracketShape::Round), column, 1),
                ']' => self.push(LexemeKind::Close(BracketShape::Square), column, 1),
                '}' => self.push(LexemeKind::Close(BracketShape::Curly), column, 1),
                _ => self.star(column),
            }
            column += 1;
        }
    }

    fn star(&mut self, column: u32) {
        match self.lexemes.last_mut() {
            Some(Lexeme { kind: LexemeKind::Stars(run), length, column: first, .. })
                if *first + *length == column =>
            {
                *run += 1;
                *length += 1;
            }
            _ => self.push(LexemeKind::Stars(1), column, 1),
        }
    }

    fn push(&mut self, kind: LexemeKind<'a>, column: u32, length: u32) {
        self.lexemes.push(Lexeme { kind, column, length, glued: false });
    }
}

/// Where the operator stands in something like `our>` or `roiling}>` or `>subject`, if the word as a whole
/// is unknown and its parts are known.
fn forgotten_space(core: &str, tokens: &Tokens<'_>) -> Option<usize> {
    let at = core.find(['<', '>'])?;
    if core.len() == 1 || tokens.resolve(core).is_ok() {
        return None;
    }
    let known = |part: &str| {
        let Split { openers, core, closers } = split(part);
        match core {
            "" => !(openers.is_empty() && closers.is_empty()) || part.is_empty(),
            _ => tokens.resolve(core).is_ok() || is_variable(core),
        }
    };
    let (left, right) = (&core[..at], &core[at + 1..]);
    (known(left) && known(right)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::Text;

    fn kinds(line: &str, text: &str) -> String {
        let words: Vec<Text> = text.split_whitespace().map(Text::from).collect();
        let tokens = Tokens::new(&words);
        let (lexemes, _) = lex(line, &tokens);
        let show = |lexeme: &Lexeme<'_>| match lexeme.kind {
            LexemeKind::Word(word) => format!("{word}@{}", lexeme.column),
            LexemeKind::Open(_) => "open".into(),
            LexemeKind::Close(_) => "close".into(),
            LexemeKind::Stars(run) => "*".repeat(run as usize),
            LexemeKind::Right => ">".into(),
            LexemeKind::Left => "<".into(),
            LexemeKind::Define => "::".into(),
            LexemeKind::Link => "=".into(),
        };
        lexemes.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn brackets_and_marks_come_off_words_and_comments_end_the_line() {
        assert_eq!(kinds("(a b*) > [c d]** // why", ""), "open a@2 b@4 * close > open c@11 d@13 close **");
        assert_eq!(kinds("$x** :: {é b} :: and", ""), "$x@1 ** :: open é@10 b@12 close :: and@18");
        assert_eq!(kinds(")~1 ~(-: http://x <3", ""), ")~1@1 ~(-:@5 http://x@10 <3@19");
        assert_eq!(kinds("// a", "// a"), "//@1 a@4");
    }

    #[test]
    fn forgotten_spaces_are_found_only_between_known_names() {
        assert_eq!(kinds("(our> eyes)", "our eyes"), "open our@2 > eyes@7 close");
        assert_eq!(kinds("({a b}> c)", "a b c"), "open open a@3 b@5 close > c@9 close");
        assert_eq!(kinds("a <b", "a b"), "a@1 < b@4");
        assert_eq!(kinds("a <3", "a b"), "a@1 <3@3");
        assert_eq!(kinds("a<b<c", "a b"), "a<b<c@1");
    }
}
