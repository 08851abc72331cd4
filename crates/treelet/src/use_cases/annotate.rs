//! `treelet annotate`: a project is opened for a door that serves it, and written out.

use crate::options::annotate::{Annotate, ExportProject};
use crate::outcome::{Done, Usage};
use crate::project::{Desk, ExportFormat, Fault, ModelChoice, NamedModel, Project};
use crate::target::Target;
use crate::watch::Watch;
use anyhow::Context;
use chain::Stream;
use serde::Serialize;
use std::io::{self, Write};
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
    let named = NamedModel::read(options.model.as_deref(), options.tag_map.as_deref())?;
    let project = Project::open_alone(&path).map_err(anyhow::Error::from);
    project
        .and_then(|project| fill(project, options, named, token, watch))
        .map_err(|error| told(error, &path))
}

/// A file that cannot be written is told as for every other command.
fn told(error: anyhow::Error, path: &Path) -> anyhow::Error {
    match error.downcast::<Fault>() {
        Ok(Fault::DiskFull) => {
            let full = io::Error::new(io::ErrorKind::StorageFull, "the disk is full");
            anyhow::Error::new(full).context(crate::target::cannot_write(path))
        }
        Ok(Fault::Other(error)) => error,
        Ok(fault) => fault.into(),
        Err(error) => error,
    }
}

fn fill(
    mut project: Project,
    options: &Annotate,
    named: NamedModel,
    token: &dyn Fn() -> anyhow::Result<String>,
    watch: &dyn Watch,
) -> anyhow::Result<OpenProject> {
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
    let desk = Desk::new(project)?;
    choose_model(&desk, options, named, watch)?;
    Ok(OpenProject { desk, port })
}

/// Which model suggests, as far as that was asked for.
fn choose_model(desk: &Desk, options: &Annotate, named: NamedModel, watch: &dyn Watch) -> anyhow::Result<()> {
    desk.choose_model(options.method, named)?;
    if desk.settings().model == ModelChoice::File {
        watch.without_effect(&["--tag-map"], "the model that suggests was learned before");
    }
    desk.note_missing_model(watch)?;
    Ok(())
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
    if options.demo {
        project.begin_tutorial(TUTORIAL)?;
    }
    project.name_it(&token()?)?;
    // Last, since by it a project is known to have been begun.
    project.add_annotator("", 0, &token()?)?;
    Ok(())
}

/// A port between 49152 and 65535 that is always the same for a project: what a browser keeps belongs to the port, too.
fn port_of(id: &str) -> u16 {
    49_152 + (chain::container::crc64(id.as_bytes()) % 16_384) as u16
}

/// Writes a project out as the name of the file says.
pub fn export_project(options: &ExportProject, watch: &dyn Watch) -> anyhow::Result<Done<ExportedProject>> {
    let format = format_of(&options.output)?;
    if !options.project.exists() {
        return Err(Usage(format!("there is no project {}", options.project.display())).into());
    }
    let desk = Desk::new(Project::open(&options.project)?)?;
    if format == ExportFormat::Questions {
        desk.note_missing_model(watch)?;
        desk.train(0, watch)?;
    }
    let bytes = desk.export(format)?;
    let mut target = Target::create(&options.output)?;
    target.write_all(&bytes).with_context(|| crate::target::cannot_write(&options.output))?;
    target.finish(watch)?;
    let result = ExportedProject { output: options.output.clone(), format, bytes: bytes.len() };
    Ok(Done { result, has_problems: false })
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
