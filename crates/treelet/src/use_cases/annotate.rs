//! `treelet annotate`: a project is opened for a door that serves it, and written out.

use crate::options::annotate::{Annotate, ExportProject, ProjectAgreement};
use crate::outcome::{Done, Usage};
use crate::project::{Comparison, Desk, ExportFormat, Fault, Project};
use crate::target::Target;
use crate::watch::Watch;
use anyhow::Context;
use chain::Stream;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The tutorial.
const TUTORIAL: &str = include_str!("../../../../data/demo/tutorial.conllu");
/// Where the tutorial lies if nothing else is said.
const TUTORIAL_FILE: &str = "tutorial.treelet-project";

/// A project ready to be served.
#[derive(Debug)]
pub struct OpenProject {
    /// What serves it.
    pub desk: Desk,
    /// The port that stays the same for it, so that a browser knows the page again.
    pub port: u16,
}

/// What was written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedProject {
    /// Where it is.
    pub output: PathBuf,
    /// What it is written as.
    pub format: ExportFormat,
    /// Its size.
    pub bytes: usize,
}

/// Opens a project, or begins one, brings files in and lets annotators in. `token` makes secrets that nobody can guess.
pub fn open_project(
    options: &Annotate,
    token: &dyn Fn() -> anyhow::Result<String>,
    watch: &dyn Watch,
) -> anyhow::Result<OpenProject> {
    let path = match (&options.project, options.demo) {
        (Some(path), _) => path.clone(),
        (None, true) => PathBuf::from(TUTORIAL_FILE),
        (None, false) => return Err(Usage("name the project, or ask for --demo".into()).into()),
    };
    if let Some(missing) = options.import.iter().find(|file| !file.exists()) {
        return Err(Usage(format!("there is no file {}", missing.display())).into());
    }
    // A file that cannot be written is told as for every other command.
    let mut project = Project::open_alone(&path).map_err(|fault| match fault {
        Fault::Other(error) => error,
        fault => fault.into(),
    })?;
    begin(&mut project, options, token)?;
    for file in &options.import {
        let brought = project.bring(file, &options.input, watch)?;
        if brought.sentences == 0 && brought.problems > 0 {
            watch.remark(&format!("error: {} has no sentence that can be used", file.display()));
        }
    }
    for name in &options.annotators {
        if project.annotators()?.iter().all(|one| one.name != *name) {
            project.add_annotator(name, 0, &token()?)?;
        }
    }
    if let Some(common) = options.common {
        project.divide(common, Stream::new(options.chance.seed))?;
    }
    let port = port_of(&project.id()?);
    Ok(OpenProject { desk: Desk::new(project)?, port })
}

/// What a project has before anybody has done anything.
fn begin(
    project: &mut Project,
    options: &Annotate,
    token: &dyn Fn() -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    if !project.annotators()?.is_empty() {
        return Ok(());
    }
    project.name_it(&token()?)?;
    project.add_annotator("", 0, &token()?)?;
    if options.demo {
        project.begin_tutorial(TUTORIAL)?;
    }
    Ok(())
}

/// A port between 49152 and 65535 that is always the same for a project: what a browser keeps belongs to the port, too.
fn port_of(id: &str) -> u16 {
    49_152 + (chain::container::crc64(id.as_bytes()) % 16_384) as u16
}

/// Writes a project out as the name of the file says.
pub fn export_project(options: &ExportProject, watch: &dyn Watch) -> anyhow::Result<Done<ExportedProject>> {
    let format = format_of(&options.output)?;
    let desk = desk_of(&options.project)?;
    if format == ExportFormat::Questions {
        desk.train(0, watch)?;
    }
    let bytes = desk.export(format)?;
    let mut target = Target::create(&options.output)?;
    target.write_all(&bytes).with_context(|| crate::target::cannot_write(&options.output))?;
    target.finish(watch)?;
    let result = ExportedProject { output: options.output.clone(), format, bytes: bytes.len() };
    Ok(Done { result, has_problems: false })
}

/// How far the annotators of a project agree, what they do, and how fast.
pub fn project_agreement(options: &ProjectAgreement, watch: &dyn Watch) -> anyhow::Result<Done<Comparison>> {
    // Whoever has the file sees all that is in it.
    let compared = desk_of(&options.project)?.compare(1)?;
    if compared.pairs.is_empty() {
        watch.note(
            "note: no two annotators have annotated the same sentence; there is nothing to agree on yet",
        );
    }
    Ok(Done { result: compared, has_problems: false })
}

/// A project that somebody else may be serving.
fn desk_of(path: &Path) -> anyhow::Result<Desk> {
    if !path.exists() {
        return Err(Usage(format!("there is no project {}", path.display())).into());
    }
    Ok(Desk::new(Project::open(path)?)?)
}

fn format_of(path: &Path) -> anyhow::Result<ExportFormat> {
    use ExportFormat::{Anno, Conllu, Html, Json, Mrg, Questions};
    let all = [Conllu, Anno, Mrg, Json, Html, Questions];
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let found = all.into_iter().find(|format| format.extension() == ending);
    found.ok_or_else(|| {
        let endings = all.map(|format| format!(".{}", format.extension())).join(", ");
        Usage(format!("{}: the name of a project that is written out ends in {endings}", path.display()))
            .into()
    })
}
