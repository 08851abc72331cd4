//! SemEval-2010 task 8: sentences with two marked nominals and how these are related (Hendrickx et al. 2010).
//!
//! A numbered sentence in quotation marks, in which `<e1>…</e1>` and `<e2>…</e2>` mark the nominals, then a line with the relation,
//! `Cause-Effect(e2,e1)` or `Other`, then a line that begins with `Comment:`, then an empty line. The last three may be missing,
//! as where the relation is to be found. All lines are kept as written, even how they end.

use crate::lines::{Lines, column, width};
use crate::{Problem, Read, raw};
use std::io::{self, BufRead, Write};
use std::ops::Range;
use tree::PutInOrder;
use tree::{Place, Sentence, Span, Text};

/// What the marks are called.
pub const NAMES: [&str; 2] = ["e1", "e2"];

/// What a pair without any of the relations has.
pub const NONE: &str = "Other";
/// What stands where nobody said which relation it is.
pub const OPEN: &str = "?";
const COMMENT: &str = "Comment:";

/// A sentence with two marked nominals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NominalPair {
    /// The lines as written, with their carriage returns.
    lines: Vec<Text>,
    /// The empty line after them, with its carriage returns, if there is one.
    end: Option<Text>,
}

/// How the nominals of a sentence are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairAnswer<'a> {
    /// Nobody said.
    Open,
    /// By none of the relations that are looked for.
    None,
    /// By a relation from the first to the second, or from the second to the first.
    Related {
        /// What it is called.
        kind: &'a str,
        /// Whether it is the second that it is from.
        is_backward: bool,
    },
}

/// The text without marks, and where these are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Plain {
    text: String,
    /// Bytes of the text that each nominal has, if its marks are as they should be.
    nominals: [Option<Range<usize>>; 2],
}

impl NominalPair {
    /// The number of the sentence.
    pub fn number(&self) -> &str {
        self.parts().map_or("", |(number, _)| number)
    }

    /// The text with its marks, without the quotation marks around it.
    pub fn marked(&self) -> &str {
        self.parts().map_or("", |(_, range)| &self.lines[0][range])
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.marked().is_empty()
    }

    /// How the nominals are related; what cannot be read says nothing.
    pub fn answer(&self) -> PairAnswer<'_> {
        self.answer_line().and_then(|at| read_answer(bare(&self.lines[at]))).unwrap_or(PairAnswer::Open)
    }

    /// The words, with `SpaceAfter=No` where no space follows. Tokens end where marks are.
    pub fn sentence(&self) -> Sentence {
        let plain = self.plain();
        let ranges = plain.ranges();
        let mut sentence = Sentence::from_forms(ranges.iter().map(|range| &plain.text[range.clone()]));
        let mut starts = ranges.iter().skip(1).map(|range| range.start);
        for (token, range) in sentence.tokens.iter_mut().zip(&ranges) {
            if starts.next() == Some(range.end) {
                token.misc = "SpaceAfter=No".into();
            }
        }
        if !self.is_empty() {
            let text = plain.text.split_whitespace().collect::<Vec<_>>().join(" ");
            sentence.comments =
                vec![format!("# sent_id = {}", self.number()).into(), format!("# text = {text}").into()];
        }
        sentence
    }

    /// The words of the nominals.
    pub fn nominals(&self) -> [Option<Span>; 2] {
        let plain = self.plain();
        let ranges = plain.ranges();
        let words = |nominal: &Range<usize>| {
            let is_inside = |token: &Range<usize>| nominal.start <= token.start && token.end <= nominal.end;
            Span::covering((0..ranges.len()).filter(|&word| is_inside(&ranges[word])))
        };
        plain.nominals.map(|nominal| nominal.as_ref().and_then(words))
    }

    /// A sentence with marked words; white space in forms becomes one space.
    pub fn new(number: &str, sentence: &Sentence, nominals: [Span; 2]) -> Self {
        let mut text = String::new();
        let mut ranges = Vec::new();
        for word in sentence.words() {
            let start = text.len();
            text.push_str(&word.form.split_whitespace().collect::<Vec<_>>().join(" "));
            ranges.push(start..text.len());
            if !word.no_space_after() {
                text.push(' ');
            }
        }
        text.truncate(text.trim_end().len());
        let marked = with_marks(&text, &ranges, nominals);
        let number =
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) { number } else { "0" };
        Self { lines: vec![format!("{number}\t\"{marked}\"").into()], end: Some(Text::default()) }
    }

    /// Marks other words.
    pub(crate) fn mark(&mut self, nominals: [Span; 2]) {
        let Some((_, range)) = self.parts() else { return };
        let plain = self.plain();
        let marked = with_marks(&plain.text, &plain.ranges(), nominals);
        let line = &self.lines[0];
        self.lines[0] = format!("{}{marked}{}", &line[..range.start], &line[range.end..]).into();
    }

    /// Says how the nominals are related.
    pub(crate) fn set_answer(&mut self, answer: PairAnswer<'_>) {
        let written = match answer {
            PairAnswer::Open => OPEN.to_string(),
            PairAnswer::None => NONE.to_string(),
            PairAnswer::Related { kind, is_backward: false } => format!("{kind}(e1,e2)"),
            PairAnswer::Related { kind, is_backward: true } => format!("{kind}(e2,e1)"),
        };
        match self.answer_line() {
            Some(at) => {
                let end = returns(&self.lines[at]).to_string();
                self.lines[at] = (written + &end).into();
            }
            None if answer == PairAnswer::Open || self.lines.is_empty() => {}
            None => {
                let end = returns(&self.lines[0]).to_string();
                self.lines.insert(1, (written + &end).into());
            }
        }
    }

    /// The number, and where in the first line the text is.
    fn parts(&self) -> Option<(&str, Range<usize>)> {
        parts(self.lines.first()?)
    }

    fn answer_line(&self) -> Option<usize> {
        let at = usize::from(self.parts().is_some());
        let line = self.lines.get(at)?;
        (!bare(line).starts_with(COMMENT)).then_some(at)
    }

    fn plain(&self) -> Plain {
        let mut plain = Plain::default();
        let mut bounds = [[None; 2]; 2];
        let mut is_doubled = [false; 2];
        let marked = self.marked();
        let mut from = 0;
        for Mark { at, nominal, is_end, length } in marks(marked) {
            plain.text.push_str(&marked[from..at]);
            from = at + length;
            let bound = &mut bounds[nominal][usize::from(is_end)];
            is_doubled[nominal] |= bound.replace(plain.text.len()).is_some();
        }
        plain.text.push_str(&marked[from..]);
        for nominal in 0..2 {
            if let ([Some(start), Some(end)], false) = (bounds[nominal], is_doubled[nominal]) {
                plain.nominals[nominal] = (start < end).then_some(start..end);
            }
        }
        plain
    }
}

impl Plain {
    /// Tokens of the text, cut where marks are.
    fn ranges(&self) -> Vec<Range<usize>> {
        let cuts = self.nominals.iter().flatten().flat_map(|nominal| [nominal.start, nominal.end]);
        let mut cuts: Vec<usize> = cuts.collect();
        cuts.sort_unstable();
        let mut ranges = Vec::new();
        for token in raw::ranges(&self.text) {
            let mut start = token.start;
            for &cut in cuts.iter().filter(|&&cut| token.start < cut && cut < token.end) {
                if start < cut {
                    ranges.push(start..cut);
                    start = cut;
                }
            }
            ranges.push(start..token.end);
        }
        ranges
    }
}

/// Where a mark is in a text.
struct Mark {
    at: usize,
    nominal: usize,
    is_end: bool,
    length: usize,
}

fn marks(text: &str) -> Vec<Mark> {
    let read = |at: usize| {
        let rest = text[at..].strip_prefix('<')?;
        let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let nominal = NAMES.iter().position(|name| rest.starts_with(name))?;
        rest[NAMES[nominal].len()..].starts_with('>').then_some(Mark {
            at,
            nominal,
            is_end,
            length: 4 + usize::from(is_end),
        })
    };
    text.match_indices('<').filter_map(|(at, _)| read(at)).collect()
}

fn with_marks(text: &str, ranges: &[Range<usize>], nominals: [Span; 2]) -> String {
    let mut marks = Vec::new();
    for (nominal, span) in NAMES.iter().zip(nominals) {
        if let (Some(first), Some(last)) = (ranges.get(span.start()), ranges.get(span.end() - 1)) {
            // What ends at a place stands before what begins there.
            marks.push((last.end, 0, format!("</{nominal}>")));
            marks.push((first.start, 1, format!("<{nominal}>")));
        }
    }
    marks.order_by(Ord::cmp);
    let mut marked = String::new();
    let mut from = 0;
    for (at, _, mark) in marks {
        marked.push_str(&text[from..at]);
        marked.push_str(&mark);
        from = at;
    }
    marked + &text[from..]
}

/// The line without its carriage returns.
fn bare(line: &str) -> &str {
    line.trim_end_matches('\r')
}

fn returns(line: &str) -> &str {
    &line[bare(line).len()..]
}

/// The number of a sentence, and where its text is between the quotation marks.
fn parts(line: &str) -> Option<(&str, Range<usize>)> {
    let line = bare(line).trim_end();
    let end = line.find(|char: char| !char.is_ascii_digit()).filter(|&end| end > 0)?;
    let rest = line[end..].trim_start_matches([' ', '\t']);
    let start = line.len() - rest.len();
    let is_quoted = start > end && rest.len() >= 2 && rest.starts_with('"') && rest.ends_with('"');
    is_quoted.then(|| (&line[..end], start + 1..line.len() - 1))
}

fn read_answer(line: &str) -> Option<PairAnswer<'_>> {
    let line = line.trim();
    match line {
        OPEN => return Some(PairAnswer::Open),
        NONE => return Some(PairAnswer::None),
        _ => {}
    }
    let forward = line.strip_suffix("(e1,e2)").map(|kind| (kind, false));
    let (kind, is_backward) = forward.or_else(|| line.strip_suffix("(e2,e1)").map(|kind| (kind, true)))?;
    fits(kind).then_some(PairAnswer::Related { kind, is_backward })
}

/// Whether a relation can be called so.
pub(crate) fn fits(kind: &str) -> bool {
    let is_plain = !kind.contains(['\n', '\r', '(', ')']) && kind.trim() == kind && !kind.is_empty();
    is_plain && kind != NONE && kind != OPEN && !kind.starts_with(COMMENT)
}

/// Reads pair by pair.
#[derive(Debug)]
pub struct SemevalReader<R> {
    lines: Lines<R>,
    /// A line that was read and belongs to the next pair.
    ahead: Option<(u32, Text)>,
    reported_blank: bool,
}

impl<R: BufRead> SemevalReader<R> {
    /// The pairs of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::keeping_ends(source), ahead: None, reported_blank: false }
    }

    /// The next pair, or `None` at the end.
    pub fn read_pair(&mut self) -> io::Result<Option<Read<NominalPair>>> {
        let mut read = Read { value: NominalPair::default(), line: 0, problems: Vec::new() };
        while let Some((number, line)) = self.next_line(&mut read.problems)? {
            if line.trim_ascii().is_empty() {
                if read.line != 0 {
                    read.value.end = Some(line.trim_start_matches([' ', '\t']).into());
                    return Ok(Some(finish(read)));
                }
                if !std::mem::replace(&mut self.reported_blank, true) {
                    read.problems.push(crate::rows::surplus_blank_line(number));
                }
                continue;
            }
            if read.line != 0 && parts(&line).is_some() {
                self.ahead = Some((number, line));
                return Ok(Some(finish(read)));
            }
            if read.line == 0 {
                read.line = number;
            }
            read.value.lines.push(line);
        }
        let is_something = read.line != 0 || !read.problems.is_empty();
        Ok(is_something.then(|| finish(read)))
    }

    fn next_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<(u32, Text)>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let Some((number, line)) = self.lines.next_line(problems)? else { return Ok(None) };
        let line = line.to_owned();
        Ok(Some((number, (line + &"\r".repeat(self.lines.n_carriage_returns())).into())))
    }
}

impl<R: BufRead> Iterator for SemevalReader<R> {
    type Item = io::Result<Read<NominalPair>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_pair().transpose()
    }
}

/// Writes one pair.
pub fn write(pair: &NominalPair, out: &mut impl Write) -> io::Result<()> {
    for line in pair.lines.iter().chain(&pair.end) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn finish(mut read: Read<NominalPair>) -> Read<NominalPair> {
    if read.line != 0 {
        check(&read.value, read.line, &mut read.problems);
    }
    read
}

fn check(pair: &NominalPair, first: u32, problems: &mut Vec<Problem>) {
    let line_of = |at: usize| first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let Some((_, range)) = pair.parts() else {
        let place = Place::new(first, 1, width(bare(&pair.lines[0])));
        let message = "a number and a sentence in quotation marks are expected here";
        let help = "write 17<tab>\"The <e1>…</e1> of the <e2>…</e2>.\"; the lines are kept as they are";
        return problems.push(Problem::error("no-sentence", place, message, help));
    };
    check_marks(pair, first, range.start, problems);
    let mut is_commented = false;
    for (at, line) in pair.lines.iter().enumerate().skip(1) {
        let line = bare(line);
        let place = Place::new(line_of(at), 1, width(line));
        if !is_commented && line.starts_with(COMMENT) {
            is_commented = true;
        } else if Some(at) != pair.answer_line() {
            let message = "a line that is neither a relation nor a comment";
            let help = "separate sentences by an empty line, begin comments with `Comment:`; it is kept";
            problems.push(Problem::error("surplus-line", place, message, help));
        } else if read_answer(line).is_none() {
            let message = format!("`{line}` is no relation");
            let help = "write Relation(e1,e2), Relation(e2,e1), Other, or ? to leave it open; it is kept";
            problems.push(Problem::error("unreadable-relation", place, message, help));
        }
    }
}

/// Each nominal begins once, ends once after that, and has a word.
fn check_marks(pair: &NominalPair, line: u32, start: usize, problems: &mut Vec<Problem>) {
    let marked = pair.marked();
    let marks = marks(marked);
    let words = pair.nominals();
    for (nominal, name) in NAMES.iter().enumerate() {
        if words[nominal].is_some() {
            continue;
        }
        let at = marks.iter().find(|mark| mark.nominal == nominal).map_or(0, |mark| mark.at);
        let place = Place::new(line, column(&pair.lines[0], start + at), 1);
        let message = format!("no words are marked as {name}");
        let help = format!("write <{name}> before its first and </{name}> after its last word, once each");
        problems.push(Problem::error("unmarked-entity", place, message, help));
    }
    if let [Some(one), Some(other)] = words
        && one.start() < other.end()
        && other.start() < one.end()
    {
        let place = Place::new(line, column(&pair.lines[0], start), width(marked));
        let message = "e1 and e2 share words";
        let help = "mark words that are not the same; both are kept";
        problems.push(Problem::error("entities-cross", place, message, help));
    }
}
