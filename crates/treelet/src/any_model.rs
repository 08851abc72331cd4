//! A model file, of whatever kind: its header is read once and says which use cases it serves.

use crate::dependency_parser;
use crate::models;
use crate::outcome::Usage;
use crate::use_cases::{joint, tag};
use chain::container::{self, Header};
use std::path::{Path, PathBuf};

/// A model file whose header has been read.
#[derive(Debug, Clone)]
pub struct AnyModel {
    /// The file.
    pub path: PathBuf,
    /// What it says of itself.
    pub header: Header,
    /// What it is.
    pub kind: ModelKind,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// A grammar with latent annotations, of `train constituency`.
    Constituency,
    /// A parser of `train dependency`.
    Dependency,
    /// What `impute --save-model` keeps.
    Imputer,
    /// A grammar of `induce dmv`.
    Dmv,
    /// A grammar of `induce pcfg`.
    Pcfg,
    /// A model of `induce hmm`.
    Hmm,
    /// A tagger of `tag train`.
    Tagger,
    /// Tags or arcs on a factor graph, of `joint train`.
    Joint,
    /// Brackets on a factor graph, of `joint train`.
    Brackets,
    /// Names, relations or roles on a factor graph, of `joint train`.
    Semantics,
    /// A model of `segment train`.
    Segmenter,
    /// A model of `factors fit`.
    Factors,
    /// A run that can go on, or a file that a newer program wrote.
    Other,
}

impl ModelKind {
    fn of(kind: &str) -> ModelKind {
        match kind {
            constituency::model::KIND => ModelKind::Constituency,
            dependency_parser::KIND => ModelKind::Dependency,
            impute::gpc::KIND | impute::convex::KIND => ModelKind::Imputer,
            induce::dmv::model::KIND => ModelKind::Dmv,
            induce::pcfg::model::KIND => ModelKind::Pcfg,
            induce::hmm::model::KIND => ModelKind::Hmm,
            tag::model::KIND => ModelKind::Tagger,
            joint::model::KIND => ModelKind::Joint,
            ::joint::brackets::KIND => ModelKind::Brackets,
            joint::semantics::KIND => ModelKind::Semantics,
            segment::file::KIND => ModelKind::Segmenter,
            factors::file::KIND => ModelKind::Factors,
            _ => ModelKind::Other,
        }
    }
}

impl AnyModel {
    /// Reads the header of a file.
    ///
    /// ```
    /// use serde_json::json;
    /// use treelet::watch::Unwatched;
    /// use treelet::{AnyModel, ModelKind};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("model");
    /// let options = json!({"files": ["../../data/demo/village.conllu"], "output": file, "passes": 1});
    /// treelet::call("induce dmv", options.as_object().unwrap(), &Unwatched)?;
    /// let model = AnyModel::open(&file)?;
    /// assert_eq!(model.kind, ModelKind::Dmv);
    /// assert_eq!(model.header.notes["method"], "vb");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path) -> anyhow::Result<AnyModel> {
        if path == Path::new("-") {
            return Err(Usage("a model is read from a file, not from standard input".into()).into());
        }
        let header = container::info(path).map_err(models::file_error)?;
        let kind = ModelKind::of(&header.kind);
        Ok(AnyModel { path: path.to_path_buf(), header, kind })
    }
}
