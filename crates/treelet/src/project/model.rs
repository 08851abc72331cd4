//! Which model suggests, and what there is to say of it.

use super::Fault;
use super::desk::{Desk, Inner};
use super::suggest::Suggester;
use crate::any_model::AnyModel;
use crate::imputation::scorer::Scorer;
use crate::options::impute::MethodName;
use crate::outcome::Usage;
use crate::watch::Watch;
use anyhow::Context;
use arcs::rules::RuleTable;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where the path of the model file stands.
const FILE: &str = "model file";
/// Where it stands what tags are called in universal rules.
const TAG_MAP: &str = "tag map";

/// Which model suggests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelChoice {
    /// One that the project learns by convex relaxation.
    #[default]
    Convexmst,
    /// One that the project learns by Gibbs sampling.
    Gpc,
    /// One that was learned before, of a file.
    File,
}

/// What was chosen, with all that decides what is learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ChosenModel {
    pub(super) choice: ModelChoice,
    /// The file, if the project knows one.
    pub(super) file: Option<PathBuf>,
    /// What tags are called in universal rules.
    pub(super) tag_map: Option<String>,
}

/// What a model was learned from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// What it is.
    pub kind: String,
    /// The name of its file, if it was learned before.
    pub file: Option<String>,
    /// Sentences in which somebody had said something; of a file, as many as it says.
    pub trained_on: usize,
    /// Whether its probabilities were held against heads that somebody had said.
    pub calibrated: bool,
    /// Where its relations come from; `None` if it suggests none.
    pub relations: Option<LearnedRelations>,
    /// Why the one that was chosen does not suggest.
    pub instead: Option<String>,
    /// What it suggests otherwise than the one before it; `None` if there was none.
    pub changed: Option<Differences>,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// How long that took.
    pub seconds: f64,
}

/// Where relations come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LearnedRelations {
    /// The arcs of the project that they were learned from; `None` if the model brought them along.
    pub n_arcs: Option<usize>,
    /// Whether their probabilities were held against relations that somebody had said.
    pub calibrated: bool,
}

/// How two models differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Open words with another head.
    pub heads: usize,
    /// Sentences that were looked at.
    pub sentences: usize,
}

impl From<MethodName> for ModelChoice {
    fn from(method: MethodName) -> Self {
        match method {
            MethodName::Gpc => Self::Gpc,
            MethodName::Convexmst => Self::Convexmst,
        }
    }
}

impl ChosenModel {
    /// A message without the folder of the model, which is no business of annotators elsewhere.
    pub(super) fn without_folder(&self, message: &str) -> String {
        let Some(file) = &self.file else { return message.into() };
        message.replace(&file.display().to_string(), &file_name(file))
    }

    /// The universal rules, which know the project's tags.
    pub(super) fn rules(&self) -> anyhow::Result<RuleTable> {
        let mut rules = RuleTable::default();
        rules.add_names(self.tag_map.as_deref().unwrap_or_default()).context("the tag map of the project")?;
        Ok(rules)
    }
}

impl Inner {
    pub(super) fn chosen_model(&self) -> Result<ChosenModel, Fault> {
        let file = self.project.meta(FILE)?.map(PathBuf::from);
        Ok(ChosenModel { choice: self.settings.model, file, tag_map: self.project.meta(TAG_MAP)? })
    }
}

/// What was named on the command line, read before anything is begun.
#[derive(Default)]
pub(crate) struct NamedModel {
    /// A model and where it lies, from the root of the file system.
    model: Option<(String, Scorer)>,
    tag_map: Option<String>,
}

impl NamedModel {
    /// Refuses what cannot be read and what cannot suggest.
    pub(crate) fn read(model: Option<&Path>, tag_map: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Self {
            model: model.map(read_model).transpose()?,
            tag_map: tag_map.map(read_tag_map).transpose()?,
        })
    }
}

fn read_model(path: &Path) -> anyhow::Result<(String, Scorer)> {
    let scorer = Scorer::read_any(&AnyModel::open(path)?)?;
    let place = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
    let refuse = |name: std::ffi::OsString| {
        let name = name.display();
        Usage(format!(
            "{name}: a project can remember only names that are Unicode; give the file another one"
        ))
    };
    Ok((place.into_os_string().into_string().map_err(refuse)?, scorer))
}

fn read_tag_map(path: &Path) -> anyhow::Result<String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    RuleTable::default().add_names(&text).map_err(|error| Usage(format!("{name}: {error}")))?;
    Ok(text)
}

impl Desk {
    /// What was chosen suggests from now on, and whenever the project is opened.
    pub(crate) fn choose_model(&self, method: Option<MethodName>, named: NamedModel) -> Result<(), Fault> {
        if let Some(text) = &named.tag_map {
            self.lock().project.set_meta(TAG_MAP, text)?;
        }
        if let Some((place, _)) = &named.model {
            self.lock().project.set_meta(FILE, place)?;
        }
        let asked = match &named.model {
            Some(_) => Some(ModelChoice::File),
            None => method.map(ModelChoice::from),
        };
        if let Some(model) = asked {
            self.set_settings(super::Settings { model, ..self.settings() })?;
        }
        if let Some((place, scorer)) = named.model {
            let chosen = self.lock().chosen_model()?;
            self.begin_with(Suggester::of_file(scorer, Path::new(&place), chosen));
        }
        Ok(())
    }

    /// Says so if the model that the project remembers cannot be had.
    pub fn note_missing_model(&self, watch: &dyn Watch) -> Result<(), Fault> {
        let chosen = self.lock().chosen_model()?;
        if let (ModelChoice::File, Some(file)) = (chosen.choice, chosen.file)
            && let Err(error) = AnyModel::open(&file)
        {
            watch.note(&format!(
                "warning: the model of this project cannot be used, and ConvexMST suggests in its place: {error:#}; \
                 --model names another, --method convexmst does without"
            ));
        }
        Ok(())
    }

    /// The name of the model file that the project knows.
    pub(super) fn model_file(&self) -> Result<Option<String>, Fault> {
        let file = self.lock().chosen_model()?.file;
        Ok(file.as_deref().map(file_name))
    }

    /// Whether another model was chosen than the one that suggests; not any more once everything is to stop.
    pub fn wants_training(&self) -> Result<bool, Fault> {
        let chosen = self.lock().chosen_model()?;
        Ok(!self.is_stopped() && self.suggester().is_none_or(|suggester| *suggester.chosen() != chosen))
    }
}

/// The last part of a path, which is all that others need to see.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
