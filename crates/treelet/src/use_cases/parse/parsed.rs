//! What there is to say of sentences that were parsed, whatever the model.

use crate::outcome::{Done, Figures};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What came of parsing a file, or of drawing trees of its sentences.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParsedFile {
    /// Where the trees are, `-` for standard output; `None` if nothing could be read, so that nothing was written.
    pub output: Option<PathBuf>,
    /// Sentences that were written; with a grammar from trees, empty lines among them.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// The model, and what only models of its kind have to say.
    #[serde(flatten)]
    pub by: ParsedBy,
}

/// What parsed, and what it has to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub enum ParsedBy {
    /// A grammar of `train constituency`.
    Constituency(GrammarFigures),
    /// A parser of `train dependency`.
    Dependency(ParserFigures),
    /// What `impute --save-model` keeps.
    Imputer(ImputerFigures),
    /// A grammar of `induce dmv`.
    Dmv(InducedFigures),
    /// A grammar of `induce pcfg`.
    Pcfg(InducedFigures),
    /// A model of `induce hmm`.
    Hmm(InducedFigures),
    /// Arcs on a factor graph, of `joint train`.
    Joint(Figures),
    /// Brackets on a factor graph, of `joint train`.
    Brackets(Figures),
    /// Names, relations or roles on a factor graph, of `joint train`.
    Semantics(Figures),
}

/// What a grammar with latent annotations has to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct GrammarFigures {
    /// Sentences that the grammar has no tree for: theirs is put together from pieces.
    pub makeshift: usize,
    /// Sentences that have a tree only with tags that their words were not seen with.
    pub retagged: usize,
    /// Empty lines.
    pub empty: usize,
    /// Trees that were drawn and written, of `sample`.
    pub drawn: usize,
    /// The file of expected counts of constituents, if there is one.
    pub posteriors: Option<PathBuf>,
}

/// What a parser of dependencies has to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ParserFigures {
    /// Words whose tag is from the parser's own tagger.
    pub tagged: usize,
    /// Words whose tag the input gave.
    pub given_tags: usize,
    /// Those of them whose tag was taken from the other column.
    pub borrowed_tags: usize,
    /// Heads of the input that were not looked at.
    pub ignored_heads: usize,
    /// Heads and relations that a machine had filled in, and that were open again.
    pub taken_back: usize,
    /// Words with enhanced dependencies, which stay as they were.
    pub enhanced: usize,
    /// Sentences that were parsed in pieces.
    pub in_pieces: usize,
    /// Sentences whose annotation contradicts itself.
    pub conflicts: usize,
    /// Sentences that demanded what no tree was found for.
    pub parsed_freely: usize,
}

/// What an imputer has to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ImputerFigures {
    /// Heads of the input that were not looked at.
    pub ignored_heads: usize,
    /// Sentences whose annotation contradicts itself.
    pub conflicts: usize,
    /// Sentences for which no tree has all that was said.
    pub unsatisfied: usize,
    /// Trees that were drawn, of `sample`.
    pub drawn: usize,
}

/// What a model that was learned without trees has to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InducedFigures {
    /// Heads of the input that were not looked at.
    pub ignored_heads: usize,
    /// Words whose tag the grammar has not seen.
    pub unseen_tags: usize,
    /// Words that kept the tag that a person gave.
    pub kept_tags: usize,
    /// Sentences without any analysis.
    pub unanalysed: usize,
}

impl ParsedFile {
    /// What `joint run` has to say of trees. Two of its figures are those of every file.
    pub(crate) fn of_joint(
        done: Done<Figures>,
        output: &Path,
        by: fn(Figures) -> ParsedBy,
    ) -> Done<ParsedFile> {
        let Done { result: Figures(mut figures), has_problems } = done;
        let mut number =
            |name: &str| figures.remove(name).as_ref().and_then(Value::as_u64).unwrap_or(0) as usize;
        let (sentences, words) = (number("sentences"), number("words"));
        let output = Some(output.to_path_buf());
        Done { result: ParsedFile { output, sentences, words, by: by(Figures(figures)) }, has_problems }
    }
}
