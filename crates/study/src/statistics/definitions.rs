//! Constructions that somebody defines: which words, which of them heads the other, and how.
//!
//! One definition a line:
//!
//! ```text
//! # the arrow points to the head, as in GFL
//! determiner: DET > NOUN|PROPN
//! preposition: ADP < NOUN|PROPN|PRON, head first
//! subject: NOUN|PROPN|PRON > VERB, relation nsubj|csubj
//! future: "will"|"shall" > VERB
//! object before: * > VERB, relation obj, dependent first
//! ```
//!
//! A side is tags or forms in quotation marks with `|` between them, or `*` for any word. An arc between such words is *as written* if its
//! head is the one the arrow points to, and *turned round* otherwise. `relation` is asked of arcs as written only, since a relation says
//! something else when the arc is turned round; `head first` and `dependent first` say where the two words stand, whichever heads the other.

use tree::{Place, Text};

/// The most definitions, and the most characters of all of them.
const MOST: usize = 200;
const LONGEST: usize = 20_000;

/// A construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it is called.
    pub name: Text,
    /// The dependent, as written.
    pub dependent: WordKind,
    /// The head, as written.
    pub head: WordKind,
    /// Relations of arcs as written; empty for any.
    pub relations: Vec<Text>,
    /// Whether the word that is the head as written stands first; any order if it is not said.
    pub head_first: Option<bool>,
}

/// Words that can take part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordKind {
    /// Any word.
    pub any: bool,
    /// Words with these tags.
    pub tags: Vec<Text>,
    /// Words of these forms.
    pub forms: Vec<Text>,
}

/// What is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// Where, from 1.
    pub place: Place,
    /// What, and what to do.
    pub message: String,
}

/// A sentence as somebody annotated it.
#[derive(Clone, Copy, Debug)]
pub struct AnalysedWords<'a> {
    /// The words.
    pub forms: &'a [Text],
    /// Their tags.
    pub tags: &'a [Text],
    /// Their heads, 0 for the root.
    pub heads: &'a [Option<usize>],
    /// Their relations.
    pub relations: &'a [Option<Text>],
}

/// How two words are analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analysed {
    /// As the definition is written.
    AsWritten,
    /// The other way round.
    TurnedRound,
    /// Neither depends on the other, or with another relation.
    Otherwise,
}

impl WordKind {
    fn holds(&self, form: &Text, tag: &Text) -> bool {
        self.any || self.tags.contains(tag) || self.forms.contains(form)
    }
}

impl Definition {
    /// Whether a word is of the kind of the dependent and another of the kind of the head, in the order that is asked for.
    fn fits(&self, of: &AnalysedWords<'_>, dependent: usize, head: usize) -> bool {
        let kind = |kind: &WordKind, word: usize| match (of.forms.get(word - 1), of.tags.get(word - 1)) {
            (Some(form), Some(tag)) => kind.holds(form, tag),
            _ => false,
        };
        self.head_first.is_none_or(|first| first == (head < dependent))
            && kind(&self.dependent, dependent)
            && kind(&self.head, head)
    }

    /// Whether two words can be the construction, whatever was said of them. Words are counted from 1.
    pub fn is_about(&self, of: &AnalysedWords<'_>, one: usize, other: usize) -> bool {
        self.fits(of, one, other) || self.fits(of, other, one)
    }

    /// How two words that can be the construction are analysed; `None` where too little was said to know.
    pub fn analysed(&self, of: &AnalysedWords<'_>, one: usize, other: usize) -> Option<Analysed> {
        let head = |word: usize| of.heads.get(word - 1).copied().flatten();
        match (head(one), head(other)) {
            (Some(to), _) if to == other => self.arc(of, one, other),
            (_, Some(to)) if to == one => self.arc(of, other, one),
            (Some(_), Some(_)) => Some(Analysed::Otherwise),
            _ => None,
        }
    }

    fn arc(&self, of: &AnalysedWords<'_>, dependent: usize, head: usize) -> Option<Analysed> {
        if self.fits(of, dependent, head) {
            let relation = of.relations.get(dependent - 1).and_then(Option::as_ref);
            return match relation {
                _ if self.relations.is_empty() => Some(Analysed::AsWritten),
                Some(relation) if self.relations.contains(relation) => Some(Analysed::AsWritten),
                Some(_) => Some(Analysed::Otherwise),
                None => None,
            };
        }
        Some(if self.fits(of, head, dependent) { Analysed::TurnedRound } else { Analysed::Otherwise })
    }

    /// Pairs of words of which one depends on the other as the definition says, or the other way round; the smaller number first.
    pub fn found(&self, of: &AnalysedWords<'_>) -> Vec<(usize, usize, Analysed)> {
        let mut found = Vec::new();
        for (word, head) in (1..).zip(of.heads) {
            let Some(head) = head.filter(|head| *head > 0) else { continue };
            match self.arc(of, word, head) {
                Some(Analysed::Otherwise) | None => {}
                Some(analysed) => found.push((word.min(head), word.max(head), analysed)),
            }
        }
        found
    }
}

/// Reads definitions; lines that cannot be read are told and left out.
pub fn read_definitions(text: &str) -> (Vec<Definition>, Vec<Misread>) {
    let (mut definitions, mut misread): (Vec<Definition>, Vec<Misread>) = (Vec::new(), Vec::new());
    if text.chars().count() > LONGEST {
        let message = format!("these are more than {LONGEST} characters; take some away");
        return (definitions, vec![Misread { place: Place::new(1, 1, 1), message }]);
    }
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() || content.trim_start().starts_with('#') {
            continue;
        }
        let mut reader = LineReader { line, text: content, at: 0 };
        let read = reader.definition().and_then(|definition| {
            match definitions.iter().any(|other| other.name == definition.name) {
                true => Err(reader.wrong(0..content.len(), "there is a construction of this name already")),
                false if definitions.len() == MOST => {
                    Err(reader.wrong(0..content.len(), "there are 200 constructions already"))
                }
                false => Ok(definition),
            }
        });
        match read {
            Ok(definition) => definitions.push(definition),
            Err(problem) => misread.push(problem),
        }
    }
    (definitions, misread)
}

/// A line and how much of it was read, in bytes.
struct LineReader<'a> {
    line: u32,
    text: &'a str,
    at: usize,
}

impl<'a> LineReader<'a> {
    fn definition(&mut self) -> Result<Definition, Misread> {
        let Some(colon) = self.text.find(':') else {
            return Err(self.wrong(
                0..self.text.len(),
                "a definition begins with a name and a colon, as in `determiner: DET > NOUN`",
            ));
        };
        let name = self.text[..colon].trim();
        if name.is_empty() || name.chars().count() > 60 {
            return Err(self.wrong(0..colon.max(1), "give it a name of up to 60 characters before the colon"));
        }
        self.at = colon + 1;
        let left = self.kind()?;
        self.skip_spaces();
        let points_right = match self.text[self.at..].chars().next() {
            Some('>') => true,
            Some('<') => false,
            _ => return Err(self.here("an arrow is missing here: `DET > NOUN`; it points to the head")),
        };
        self.at += 1;
        let right = self.kind()?;
        let (dependent, head) = if points_right { (left, right) } else { (right, left) };
        let mut definition =
            Definition { name: name.into(), dependent, head, relations: Vec::new(), head_first: None };
        while self.take(',') {
            self.condition(&mut definition)?;
        }
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err(self.here(
                "this cannot be understood here; conditions begin with a comma: `, relation nsubj`, `, head first`",
            ));
        }
        Ok(definition)
    }

    fn condition(&mut self, definition: &mut Definition) -> Result<(), Misread> {
        let (from, word) = self.word();
        let twice = |reader: &Self| Err(reader.wrong(from..reader.at, "this was said already"));
        match word {
            "relation" if !definition.relations.is_empty() => twice(self),
            "relation" => loop {
                let (at, relation) = self.word();
                if relation.is_empty() {
                    return Err(self.wrong(at..self.at, "a relation is missing here: `relation nsubj|csubj`"));
                }
                definition.relations.push(relation.into());
                if !self.take('|') {
                    return Ok(());
                }
            },
            "head" | "dependent" => {
                let is_head = word == "head";
                if self.word().1 != "first" {
                    return Err(self.wrong(from..self.at, "say `head first` or `dependent first`"));
                }
                if definition.head_first.is_some() {
                    return twice(self);
                }
                definition.head_first = Some(is_head);
                Ok(())
            }
            _ => Err(self.wrong(
                from..self.at,
                "a condition is `relation NAME|NAME`, `head first` or `dependent first`",
            )),
        }
    }

    /// Tags and forms with `|` between them, or `*`.
    fn kind(&mut self) -> Result<WordKind, Misread> {
        let mut kind = WordKind::default();
        loop {
            self.skip_spaces();
            if self.take('*') {
                kind.any = true;
            } else if self.take('"') {
                let from = self.at;
                let Some(length) = self.text[from..].find('"') else {
                    return Err(self.wrong(from - 1..self.text.len(), "the quotation mark is never closed"));
                };
                if length == 0 {
                    return Err(self.wrong(from - 1..from + 1, "there is no word in these quotation marks"));
                }
                kind.forms.push(self.text[from..from + length].into());
                self.at = from + length + 1;
            } else {
                let (from, tag) = self.word();
                if tag.is_empty() {
                    return Err(
                        self.wrong(from..self.at, "a tag, a word in quotation marks or * is missing here")
                    );
                }
                kind.tags.push(tag.into());
            }
            if !self.take('|') {
                return Ok(kind);
            }
        }
    }

    /// The next name, and where it begins; empty where there is none.
    fn word(&mut self) -> (usize, &'a str) {
        self.skip_spaces();
        let (from, rest) = (self.at, &self.text[self.at..]);
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '|' | '<' | '>' | '"' | '*');
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += length;
        (from, &rest[..length])
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let is_there = self.text[self.at..].starts_with(wanted);
        self.at += if is_there { wanted.len_utf8() } else { 0 };
        is_there
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Something is wrong with the next character.
    fn here(&self, message: &str) -> Misread {
        let next = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.wrong(self.at..self.at + next, message)
    }

    /// Something is wrong with these bytes.
    fn wrong(&self, bytes: std::ops::Range<usize>, message: &str) -> Misread {
        let characters = |to: usize| self.text[..to.min(self.text.len())].chars().count() as u32;
        let (from, to) = (characters(bytes.start), characters(bytes.end));
        Misread {
            place: Place::new(self.line, from + 1, to.saturating_sub(from).max(1)),
            message: message.into(),
        }
    }
}
