//! `treelet annotate`: a project is opened for a door that serves it, and written out.

use crate::any_model::{AnyModel, ModelKind};
use crate::options::annotate::{Annotate, ExportProject, ProjectAgreement};
use crate::outcome::{Done, Usage};
use crate::project::{
    Annotator, Comparison, Desk, ExportFormat, Exported, Exporting, Fault, ModelChoice, NamedModel, Project,
};
use crate::table::plural;
use crate::target::Target;
use crate::watch::Watch;
use anyhow::Context;
use chain::Stream;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The tutorial.
const TUTORIAL: &str = include_str!("../../../../data/demo/tutorial.conllu");
/// What whoever opened the project can always be called.
const OPENED_IT: &str = "annotator-1";
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
    /// What was said and has no place in that format, and how often.
    pub lost: BTreeMap<&'static str, usize>,
    /// Sentences whose open heads could not be filled in.
    pub unfilled: usize,
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
    let mut files = options.import.iter().chain(&options.coming.import_answers);
    if let Some(missing) = files.find(|file| !file.exists()) {
        return Err(Usage(format!("there is no file {}", missing.display())).into());
    }
    if let Some(tagger) = &options.tagger {
        can_tag(tagger)?;
    }
    let named = NamedModel::read(options.model.as_deref(), options.tag_map.as_deref())?;
    let project = Project::open_alone(&path).map_err(anyhow::Error::from);
    project
        .and_then(|project| fill(project, options, named, token, watch))
        .map_err(|error| told(error, &path))
}

/// Refuses what is no tagger before a project is begun.
fn can_tag(tagger: &Path) -> anyhow::Result<()> {
    let model = AnyModel::open(tagger)?;
    if matches!(model.kind, ModelKind::Tagger | ModelKind::Joint) {
        return Ok(());
    }
    let (path, kind) = (tagger.display(), &model.header.kind);
    Err(Usage(format!("{path} is a {kind}; give a model of `treelet tag train`")).into())
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
    let_in(&project, options, token, watch)?;
    for file in &options.import {
        bring(&mut project, file, options, token, watch)?;
    }
    for file in &options.coming.import_answers {
        answer(&project, file, options, watch)?;
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

/// Lets people in, gives them other addresses, or none.
fn let_in(
    project: &Project,
    options: &Annotate,
    token: &dyn Fn() -> anyhow::Result<String>,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    for name in &options.annotators {
        match project.annotators()?.iter().find(|one| one.name == *name) {
            None => drop(project.add_annotator(name, 0, &token()?)?),
            Some(one) if !one.has_access() => watch.note(&format!(
                "note: {name} is not let in any more; --new-address {name} gives them an address again"
            )),
            Some(_) => {}
        }
    }
    for name in &options.access.new_address {
        project.change_access(&named(project, name)?, Some(token()?))?;
        watch.note(&format!("{name}: the address from before lets nobody in any more"));
    }
    for name in &options.access.remove_access {
        let annotator = named(project, name)?;
        if annotator.id == 1 {
            let advice = format!("{name} opened the project; --new-address gives them another address");
            return Err(Usage(advice).into());
        }
        project.change_access(&annotator, None)?;
        watch.note(&format!("{name}: not let in any more; what they did stays"));
    }
    Ok(())
}

fn named(project: &Project, name: &str) -> anyhow::Result<Annotator> {
    project.named(name).map_err(|fault| match fault {
        Fault::Missing(_) | Fault::Wrong(_) => Usage(fault.to_string()).into(),
        fault => fault.into(),
    })
}

/// Brings in whatever a file holds.
fn bring(
    project: &mut Project,
    file: &Path,
    options: &Annotate,
    token: &dyn Fn() -> anyhow::Result<String>,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    if Project::is_database(file) {
        project.bring_project(file, options.coming.who.as_deref(), token, watch)?;
        return Ok(());
    }
    if options.input.format().is_none() && Project::is_answers(file, options.input.characters.encoding)? {
        return answer(project, file, options, watch);
    }
    let brought = project.bring(file, &options.input, options.tagger.as_deref(), watch)?;
    if brought.sentences == 0 && brought.problems > 0 {
        watch.remark(&format!("error: {} has no sentence that can be used", file.display()));
    }
    Ok(())
}

/// Takes over answers in the name of who gave them.
fn answer(project: &Project, file: &Path, options: &Annotate, watch: &dyn Watch) -> anyhow::Result<()> {
    let who = options.coming.who.as_deref().unwrap_or(OPENED_IT);
    let answered =
        project.bring_answers(file, &named(project, who)?, options.input.characters.encoding, watch)?;
    if answered.wrong > 0 {
        let rows = plural(answered.wrong, "row");
        watch.remark(&format!("warning: {}: {rows} left out, for the reasons above", file.display()));
    }
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
    note_ignored(format, watch);
    let desk = desk_of(&options.project)?;
    let suggests = options.suggestions && format == ExportFormat::Conllu;
    if format == ExportFormat::Questions || suggests {
        desk.note_missing_model(watch)?;
        desk.train(0, watch)?;
    }
    let exporting = Exporting {
        annotator: options.annotator.clone(),
        comments: options.comments,
        suggestions: options.suggestions,
    };
    let Exported { bytes, lost, unfilled } =
        desk.export(format, &exporting).map_err(|fault| match fault {
            Fault::Missing(_) => Usage(fault.to_string()).into(),
            fault => anyhow::Error::from(fault),
        })?;
    let mut target = Target::create(&options.output)?;
    target.write_all(&bytes).with_context(|| crate::target::cannot_write(&options.output))?;
    target.finish(watch)?;
    note_lost(format, &lost, unfilled, watch);
    let result =
        ExportedProject { output: options.output.clone(), format, bytes: bytes.len(), lost, unfilled };
    Ok(Done { result, has_problems: false })
}

fn note_ignored(format: ExportFormat, watch: &dyn Watch) {
    if format != ExportFormat::Conllu {
        watch.without_effect(&["--suggestions"], "it is for CoNLL-U, which says who said what");
    }
    if !matches!(format, ExportFormat::Conllu | ExportFormat::Anno) {
        watch.without_effect(&["--comments"], "this format has no place for remarks");
    }
}

fn note_lost(format: ExportFormat, lost: &BTreeMap<&'static str, usize>, unfilled: usize, watch: &dyn Watch) {
    if !lost.is_empty() {
        let lost: Vec<String> = lost.iter().map(|(what, n)| format!("{what} ({n})")).collect();
        let ending = format.extension();
        watch.note(&format!("note: left out because .{ending} has no place for it: {}", lost.join(", ")));
    }
    if unfilled > 0 {
        let sentences = plural(unfilled, "sentence");
        watch.note(&format!("note: {sentences} left open, because what was said there contradicts itself"));
    }
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
