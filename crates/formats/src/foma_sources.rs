//! Transducers as linguists write them: lexc lexicons, and scripts for foma or xfst.
//!
//! Both are compiled by the crate `foma`. Of scripts these commands are understood; others are reported and passed over:
//!
//! ```text
//! define NAME expression ;      define NAME ;      names an expression, or the network made last
//! regex expression ;            read regex expression ;
//! read lexc FILE                the file is looked for where the script is
//! ```
//!
//! The network made last is the transducer, or the expression named last if there is none.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use foma::define::{add_defined, defined_functions_init, defined_networks_init};
use foma::io::net_print_att;
use foma::lexcread::fsm_lexc_parse_string;
use foma::options::FomaOptions;
use foma::regex::fsm_parse_regex;
use foma::structures::fsm_copy;
use foma::topsort::fsm_topsort;
use foma::types::{DefinedFunctions, DefinedNetworks, Fsm};
use tree::Place;

use crate::Problem;
use crate::att::{self, Read};

#[cfg(not(panic = "unwind"))]
compile_error!("foma reports some mistakes by panics, which are caught: build with `--profile unwinding`");

/// Compiles a lexicon.
pub fn lexc(text: &str) -> Read {
    let options = FomaOptions::default();
    match lexicon(text, &options, &mut defined_networks_init()) {
        Ok(network) => transducer(&options, &network, Vec::new()),
        Err(problem) => Read { problems: vec![*problem], ..Read::default() },
    }
}

/// Compiles a script; `open` gives the text of a file that it names.
pub fn script(text: &str, open: &dyn Fn(&str) -> io::Result<String>) -> Read {
    let mut compiler = Compiler {
        options: FomaOptions::default(),
        networks: defined_networks_init(),
        functions: defined_functions_init(),
        made: None,
        named: None,
        problems: Vec::new(),
    };
    for command in commands(text) {
        if let Err(problem) = compiler.run(&command, open) {
            compiler.problems.push(*problem);
        }
    }
    let Compiler { options, made, named, mut problems, .. } = compiler;
    match made.or(named) {
        Some(network) => transducer(&options, &network, problems),
        None => {
            let message = "nothing in this script makes a transducer";
            let help = "write `regex expression ;`, or `read lexc FILE`";
            problems.push(Problem::error("empty-transducer", Place::new(1, 1, 1), message, help));
            Read { problems, ..Read::default() }
        }
    }
}

fn transducer(options: &FomaOptions, network: &Fsm, mut problems: Vec<Problem>) -> Read {
    let mut text = Vec::new();
    let written = catch_unwind(AssertUnwindSafe(|| net_print_att(options, network, &mut text)));
    if !matches!(written, Ok(Ok(()))) {
        problems.push(broken(1, "the network cannot be written"));
        return Read { problems, ..Read::default() };
    }
    // Reading from memory cannot fail.
    let mut found = att::read(&text[..]).unwrap_or_default();
    problems.append(&mut found.problems);
    Read { problems, ..found }
}

/// The parser is asked first, because it says where an error is and the compiler does not.
fn lexicon(text: &str, options: &FomaOptions, networks: &mut DefinedNetworks) -> Result<Fsm, Box<Problem>> {
    if let Err(error) = nfst_lexc::parse(text) {
        let first = error.diagnostics.first();
        let at = first.map_or(0, |diagnostic| diagnostic.span.range.start);
        let message = first.map_or("this is no lexicon", |diagnostic| diagnostic.message.as_str());
        return Err(Box::new(Problem::error(
            "lexc-syntax",
            place(text, at),
            message,
            "write `LEXICON Name`, then entries `word Continuation ;`",
        )));
    }
    let compiled = catch_unwind(AssertUnwindSafe(|| fsm_lexc_parse_string(options, Some(networks), text)));
    compiled.ok().flatten().ok_or_else(|| Box::new(broken(1, "the lexicon cannot be compiled")))
}

fn broken(line: u32, message: &str) -> Problem {
    Problem::error(
        "foma-expression",
        Place::new(line, 1, 1),
        message,
        "try it in foma itself, which says more, and use `write att FILE`",
    )
}

/// Line and column of a byte.
fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    Place::new(line, column, 1)
}

/// A command of a script, and the line it begins in.
struct Command {
    line: u32,
    text: String,
}

/// Cuts a script into commands. Expressions end with a semicolon, other commands with their line; `!` and `#` begin comments.
fn commands(text: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut now = Command { line: 1, text: String::new() };
    let (mut line, mut in_quotes, mut in_comment, mut escaped) = (1, false, false, false);
    for c in text.chars() {
        line += u32::from(c == '\n');
        if std::mem::take(&mut escaped) {
            now.text.push(c);
            continue;
        }
        let is_word = !in_quotes && !in_comment;
        match c {
            '\n' if !in_quotes && !is_expression(&now.text) => finish(&mut now, line, &mut commands),
            '\n' => now.text.push(' '),
            _ if in_comment => {}
            '%' => {
                escaped = true;
                now.text.push(c);
            }
            '"' => {
                in_quotes = !in_quotes;
                now.text.push(c);
            }
            '!' | '#' if is_word && (c == '!' || now.text.trim().is_empty()) => in_comment = true,
            ';' if is_word => finish(&mut now, line, &mut commands),
            _ => {
                if now.text.is_empty() && c.is_whitespace() {
                    continue;
                }
                if now.text.is_empty() {
                    now.line = line;
                }
                now.text.push(c);
            }
        }
        in_comment &= c != '\n';
    }
    finish(&mut now, line, &mut commands);
    commands
}

fn is_expression(command: &str) -> bool {
    let mut words = command.split_whitespace();
    matches!(
        (words.next(), words.next()),
        (Some("define" | "def" | "regex"), _) | (Some("read"), Some("regex"))
    )
}

fn finish(now: &mut Command, line: u32, commands: &mut Vec<Command>) {
    let done = std::mem::replace(now, Command { line, text: String::new() });
    if !done.text.trim().is_empty() {
        commands.push(done);
    }
}

struct Compiler {
    options: FomaOptions,
    networks: Box<DefinedNetworks>,
    functions: Box<DefinedFunctions>,
    made: Option<Fsm>,
    named: Option<Fsm>,
    problems: Vec<Problem>,
}

impl Compiler {
    fn run(
        &mut self,
        command: &Command,
        open: &dyn Fn(&str) -> io::Result<String>,
    ) -> Result<(), Box<Problem>> {
        let text = command.text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (first, rest.split_once(char::is_whitespace).unwrap_or((rest, ""))) {
            ("regex", _) => self.made = Some(self.expression(command.line, rest)?),
            ("read", ("regex", expression)) => self.made = Some(self.expression(command.line, expression)?),
            ("read", ("lexc", file)) => self.made = Some(self.read_lexc(command.line, file.trim(), open)?),
            ("define" | "def", (name, expression)) if !name.contains('(') => {
                self.define(command.line, name, expression.trim())?;
            }
            _ => self.problems.push(Problem::warning(
                "foma-command",
                Place::new(command.line, 1, text.chars().count() as u32),
                format!("`{first}` is not understood here and passed over"),
                "only define, regex, read regex and read lexc are; otherwise use foma and `write att FILE`",
            )),
        }
        Ok(())
    }

    fn define(&mut self, line: u32, name: &str, expression: &str) -> Result<(), Box<Problem>> {
        let network = match (expression, self.made.take()) {
            ("", Some(made)) => made,
            ("", None) => {
                return Err(Box::new(broken(line, "there is no network yet that could get this name")));
            }
            (_, made) => {
                self.made = made;
                self.expression(line, expression)?
            }
        };
        let mut network = fsm_topsort(network);
        self.named = Some(fsm_copy(&mut network));
        add_defined(&mut self.networks, Some(network), name);
        Ok(())
    }

    fn expression(&mut self, line: u32, expression: &str) -> Result<Fsm, Box<Problem>> {
        let Compiler { options, networks, functions, .. } = self;
        let parse = || fsm_parse_regex(options, expression, Some(networks), Some(functions));
        let compiled = catch_unwind(AssertUnwindSafe(parse)).ok().flatten();
        compiled.ok_or_else(|| Box::new(broken(line, "this expression cannot be compiled")))
    }

    fn read_lexc(
        &mut self,
        line: u32,
        file: &str,
        open: &dyn Fn(&str) -> io::Result<String>,
    ) -> Result<Fsm, Box<Problem>> {
        let text = open(file).map_err(|error| Box::new(broken(line, &format!("{file}: {error}"))))?;
        lexicon(&text, &self.options, &mut self.networks).map_err(|mut problem| {
            problem.message = format!("{file}, {}: {}", problem.place, problem.message);
            problem.place = Place::new(line, 1, 1);
            problem
        })
    }
}
