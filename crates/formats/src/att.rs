//! Finite-state transducers in the text format of AT&T, as foma (`write att`) and HFST (`hfst-fst2txt`) write it.
//!
//! ```text
//! 0 TAB 1 TAB c TAB c [TAB weight]      an arc: from, to, input, output
//! 1 [TAB weight]                        a state that ends a path
//! ```
//!
//! Paths begin in the state that is named first. `@0@`, `@_EPSILON_SYMBOL_@`, `<eps>` and an empty column are nothing;
//! `@_SPACE_@` and `@_TAB_@` are what their names say; `@_UNKNOWN_SYMBOL_@`, `@_IDENTITY_SYMBOL_@` and flag diacritics such as
//! `@P.CASE.DAT@` are what foma and HFST mean by them. Rows that cannot be understood are reported and left out. A line `--` begins
//! another transducer; only the first is read, which is reported.
//!
//! ```
//! let found = formats::att::read("0\t1\tcat\tc\n1\t2\t@0@\ta\n2\t3\t+N\tt\n3\n".as_bytes())?;
//! assert_eq!((found.transducer.n_states(), found.transducer.n_arcs()), (4, 3));
//! assert!(found.problems.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, BufRead, Write};
use tree::PutInOrder;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use tree::{Flag, FlagOperation, Place, Symbol, Text, Transducer, TransducerArc};

use crate::Problem;
use crate::lines::{Lines, column, width};

/// A transducer, and what was wrong.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Read {
    /// The first transducer of the file.
    pub transducer: Transducer,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads a transducer.
pub fn read(source: impl BufRead) -> io::Result<Read> {
    let mut lines = Lines::new(source);
    let (mut reader, mut problems) = (AttReader::default(), Vec::new());
    while let Some((number, line)) = lines.next_line(&mut problems)? {
        if line.starts_with("--") && !line.contains('\t') {
            let place = Place::new(number, 1, width(line));
            problems.push(Problem::warning(
                "another-transducer",
                place,
                "another transducer begins here; only the first one is read",
                "give each transducer a file of its own",
            ));
            break;
        }
        if let Err(problem) = reader.row(number, line) {
            problems.push(*problem);
        }
    }
    Ok(reader.finish(problems))
}

/// Writes a transducer that [`read`] reads again.
pub fn write(transducer: &Transducer, out: &mut impl Write) -> io::Result<()> {
    let names: Vec<Text> = transducer.symbols().iter().map(name).collect();
    for state in 0..transducer.n_states() as u32 {
        for arc in transducer.arcs(state) {
            let (input, output) = (&names[arc.input as usize], &names[arc.output as usize]);
            write!(out, "{state}\t{}\t{input}\t{output}", arc.target)?;
            weigh(arc.weight, out)?;
        }
        if let Some(weight) = transducer.end(state) {
            write!(out, "{state}")?;
            weigh(weight, out)?;
        }
    }
    Ok(())
}

fn weigh(weight: f32, out: &mut impl Write) -> io::Result<()> {
    if weight == 0.0 { writeln!(out) } else { writeln!(out, "\t{weight}") }
}

/// A symbol from the way it is written.
pub fn symbol(text: &str) -> Symbol {
    match text {
        "" | "@0@" | "@_EPSILON_SYMBOL_@" | "<eps>" => Symbol::Epsilon,
        "@_UNKNOWN_SYMBOL_@" => Symbol::Unknown,
        "@_IDENTITY_SYMBOL_@" => Symbol::Identity,
        "@_SPACE_@" => Symbol::Text(" ".into()),
        "@_TAB_@" => Symbol::Text("\t".into()),
        _ => flag(text).map_or_else(|| Symbol::Text(text.into()), Symbol::Flag),
    }
}

/// The way a symbol is written.
fn name(symbol: &Symbol) -> Text {
    match symbol {
        Symbol::Epsilon => "@0@".into(),
        Symbol::Unknown => "@_UNKNOWN_SYMBOL_@".into(),
        Symbol::Identity => "@_IDENTITY_SYMBOL_@".into(),
        Symbol::Text(text) if text == " " => "@_SPACE_@".into(),
        Symbol::Text(text) if text == "\t" => "@_TAB_@".into(),
        Symbol::Text(text) => text.clone(),
        Symbol::Flag(Flag { operation, feature, value }) => {
            let (letter, _) = OPERATIONS.iter().find(|(_, one)| one == operation).unwrap_or(&OPERATIONS[0]);
            match value {
                Some(value) => format!("@{letter}.{feature}.{value}@").into(),
                None => format!("@{letter}.{feature}@").into(),
            }
        }
    }
}

const OPERATIONS: [(&str, FlagOperation); 6] = [
    ("P", FlagOperation::Set),
    ("N", FlagOperation::SetOther),
    ("R", FlagOperation::Require),
    ("D", FlagOperation::Forbid),
    ("C", FlagOperation::Clear),
    ("U", FlagOperation::Unify),
];

/// `@P.FEATURE.VALUE@`; the value may be missing where that means something.
fn flag(text: &str) -> Option<Flag> {
    let inner = text.strip_prefix('@')?.strip_suffix('@')?;
    let (letter, rest) = inner.split_once('.')?;
    let (_, operation) = *OPERATIONS.iter().find(|(one, _)| *one == letter)?;
    let (feature, value) = match rest.split_once('.') {
        Some((feature, value)) => (feature, Some(value)),
        None => (rest, None),
    };
    use FlagOperation::{Set, SetOther, Unify};
    let needs_value = matches!(operation, Set | SetOther | Unify);
    let is_flag = !feature.is_empty() && (value.is_some_and(|value| !value.is_empty()) || !needs_value);
    is_flag.then(|| Flag {
        operation,
        feature: feature.into(),
        value: value.filter(|v| !v.is_empty()).map(Text::from),
    })
}

/// What was read so far.
#[derive(Default)]
struct AttReader {
    /// The names of states, in the order in which they came.
    states: IndexSet<u64>,
    numbers: FxHashMap<Symbol, u32>,
    symbols: Vec<Symbol>,
    arcs: Vec<(u32, TransducerArc)>,
    finals: Vec<(u32, f32)>,
}

impl AttReader {
    fn row(&mut self, number: u32, line: &str) -> Result<(), Box<Problem>> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let columns: Vec<&str> = line.split('\t').collect();
        match columns[..] {
            [state] => self.end(number, line, state, ""),
            [state, weight] => self.end(number, line, state, weight),
            [from, to, input, output] => self.arc(number, line, [from, to, input, output], ""),
            [from, to, input, output, weight] => self.arc(number, line, [from, to, input, output], weight),
            _ => Err(Box::new(Problem::error(
                "column-count",
                Place::new(number, 1, width(line)),
                format!(
                    "{} columns where an arc has 4 or 5 and the end of a path 1 or 2; the row is left out",
                    columns.len()
                ),
                "write from TAB to TAB input TAB output, with tabs between the columns",
            ))),
        }
    }

    fn end(&mut self, number: u32, line: &str, state: &str, weight: &str) -> Result<(), Box<Problem>> {
        let (state, weight) = (state_of(number, line, state)?, weight_of(number, line, weight)?);
        let state = self.state(state);
        self.finals.push((state, weight));
        Ok(())
    }

    fn arc(
        &mut self,
        number: u32,
        line: &str,
        [from, to, input, output]: [&str; 4],
        weight: &str,
    ) -> Result<(), Box<Problem>> {
        let (from, to) = (state_of(number, line, from)?, state_of(number, line, to)?);
        let weight = weight_of(number, line, weight)?;
        let (from, target) = (self.state(from), self.state(to));
        let (input, output) = (self.symbol(input), self.symbol(output));
        self.arcs.push((from, TransducerArc { input, output, target, weight }));
        Ok(())
    }

    fn state(&mut self, name: u64) -> u32 {
        self.states.insert_full(name).0 as u32
    }

    /// States get the order of their names, except that the one named first is 0.
    fn renumber(&mut self) {
        let mut order: Vec<u32> = (0..self.states.len() as u32).collect();
        order.order_by_key(|&at| (at != 0, self.states[at as usize]));
        let mut number = vec![0; order.len()];
        (0..).zip(order).for_each(|(new, old)| number[old as usize] = new);
        for (source, arc) in &mut self.arcs {
            (*source, arc.target) = (number[*source as usize], number[arc.target as usize]);
        }
        self.finals.iter_mut().for_each(|(state, _)| *state = number[*state as usize]);
    }

    fn symbol(&mut self, text: &str) -> u32 {
        let symbol = symbol(text);
        if let Some(&number) = self.numbers.get(&symbol) {
            return number;
        }
        let number = self.symbols.len() as u32;
        self.symbols.push(symbol.clone());
        self.numbers.insert(symbol, number);
        number
    }

    fn finish(mut self, mut problems: Vec<Problem>) -> Read {
        self.renumber();
        if self.states.is_empty() || self.finals.is_empty() {
            let message = match self.states.is_empty() {
                true => "there is no state at all",
                false => "no state ends a path, so that no word is accepted",
            };
            problems.push(Problem::error(
                "empty-transducer",
                Place::new(1, 1, 1),
                message,
                "write the transducer as text (foma: `write att FILE`; HFST: `hfst-fst2txt`)",
            ));
        }
        let (n_states, symbols) = (self.states.len(), self.symbols);
        let transducer = Transducer::new(n_states, symbols, self.arcs, &self.finals).unwrap_or_default();
        Read { transducer, problems }
    }
}

fn state_of(number: u32, line: &str, text: &str) -> Result<u64, Box<Problem>> {
    text.trim().parse().map_err(|_| {
        Box::new(Problem::error(
            "state-number",
            place(number, line, text),
            format!("`{text}` is no number of a state; the row is left out"),
            "number states from 0 on",
        ))
    })
}

fn weight_of(number: u32, line: &str, text: &str) -> Result<f32, Box<Problem>> {
    match text.trim() {
        "" => Ok(0.0),
        "inf" | "Infinity" => Ok(f32::INFINITY),
        weight => weight.parse().ok().filter(|weight: &f32| !weight.is_nan()).ok_or_else(|| {
            Box::new(Problem::error(
                "unreadable-weight",
                place(number, line, text),
                format!("`{text}` is no weight; the row is left out"),
                "write a number, or leave the column out",
            ))
        }),
    }
}

/// Where a column that was cut out of a line stands.
fn place(number: u32, line: &str, text: &str) -> Place {
    let at = (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len());
    Place::new(number, column(line, at), width(text))
}
