//! Model files, and what to say when they cannot be used.

use crate::options::ThreadCount;
use crate::options::parse::What;
use crate::outcome::{Stopped, Usage};
use anyhow::Context;
use chain::{RunError, Threads, Workers};
use constituency::{Model, Parser};
use formats::output::AtomicFile;
use std::io;
use std::path::Path;

/// More threads than any machine has cores for only wait for one another.
const MOST_THREADS: usize = 1024;

/// Reads a model.
pub(crate) fn read(path: &Path) -> anyhow::Result<Model> {
    Model::read(path).map_err(file_error)
}

/// Reads a model and works out its parameters.
pub(crate) fn parser(path: &Path, workers: &Workers) -> anyhow::Result<Parser> {
    Ok(Parser::new(read(path)?, workers))
}

/// How a model signs what it says: what it is, and the beginning of its file's checksum.
pub(crate) fn signature(kind: &str, path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{kind}@{:08x}", chain::container::crc64(&bytes) >> 32))
}

/// How the model of `treelet parse` signs; `None` if it shall not.
pub(crate) fn signing(kind: &str, what: &What) -> anyhow::Result<Option<String>> {
    (!what.no_marks).then(|| signature(kind, &what.model)).transpose()
}

/// The threads of a command; 0 stands for all cores.
pub(crate) fn workers(ThreadCount { threads }: ThreadCount) -> anyhow::Result<Workers> {
    if threads > MOST_THREADS {
        return Err(
            Usage(format!("--threads {threads}: give at most {MOST_THREADS}, or 0 for all cores")).into()
        );
    }
    Workers::new(Threads::from_count(threads)).map_err(|error| Usage(error.to_string()).into())
}

/// A file that cannot be read or used: exit code 3. Settings that do not fit: exit code 2.
pub(crate) fn file_error(error: chain::Error) -> anyhow::Error {
    match error {
        chain::Error::Io { path, source } => {
            anyhow::Error::from(source).context(format!("cannot read {}", path.display()))
        }
        chain::Error::File { .. } => io::Error::new(io::ErrorKind::InvalidData, error.to_string()).into(),
        _ => Usage(error.to_string()).into(),
    }
}

/// The error of a run.
pub(crate) fn run_error<E: std::error::Error + Send + Sync + 'static>(error: RunError<E>) -> anyhow::Error {
    match error {
        RunError::Setup(error) => file_error(error),
        RunError::Observer { source, .. } => anyhow::Error::from(source).context("cannot save the run"),
        error => error.into(),
    }
}

/// Nothing is kept of what was stopped.
pub(crate) fn stopped(output: &Path) -> anyhow::Error {
    Stopped(format!("stopped; {} was not written", output.display())).into()
}

/// Makes sure that a file can be written before hours are spent on what shall be in it.
pub(crate) fn check_output(path: &Path, what: &str) -> anyhow::Result<()> {
    if path.is_dir() {
        return Err(Usage(format!("{} is a folder; give {what} a name in it", path.display())).into());
    }
    // Nothing is left of a file that is started and not finished.
    AtomicFile::create(path).map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses to write over what is read.
pub(crate) fn refuse_same<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> anyhow::Result<()> {
    let Ok(canonical) = output.canonicalize() else { return Ok(()) };
    let is_file = canonical.is_file();
    if is_file && inputs.into_iter().any(|input| input.canonicalize().is_ok_and(|input| input == canonical)) {
        return Err(Usage(format!(
            "{} is read by this command and would be written over; give the output another name",
            output.display()
        ))
        .into());
    }
    Ok(())
}

/// Makes sure that sentences can be written, and that a summary in JSON does not come among them.
pub(crate) fn check_sentences(to: &Path, json: bool, inputs: &[&Path], what: &str) -> anyhow::Result<()> {
    if json && to == Path::new("-") {
        return Err(Usage("--json prints a summary; give the output a name with -o".into()).into());
    }
    check_outputs(&[(to, what)], inputs)
}

/// Makes sure that outputs can be written, and that none is written over an input or over another.
pub(crate) fn check_outputs(outputs: &[(&Path, &str)], inputs: &[&Path]) -> anyhow::Result<()> {
    let place = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for (at, &(path, what)) in outputs.iter().enumerate() {
        if let Some((_, other)) = outputs[..at].iter().find(|(other, _)| place(other) == place(path)) {
            return Err(Usage(format!("{}: {other} and {what} need two names", path.display())).into());
        }
        if path != Path::new("-") {
            refuse_same(path, inputs.iter().copied())?;
            check_output(path, what)?;
        }
    }
    Ok(())
}
