//! What can be typed after `treelet annotate`.

use super::impute::MethodName;
use super::study::share;
use super::{Answer, AnyInput, Chance};
use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  treelet annotate --demo                                     ten sentences and what to do with them
  treelet annotate village.treelet-project --import story.txt
  treelet annotate village.treelet-project --annotator Ana --annotator Bo --common 0.2 --listen 192.168.1.7
  treelet annotate village.treelet-project --import story.txt --tagger tagger.treelet
  treelet annotate village.treelet-project --model parser.treelet
  treelet annotate village.treelet-project --import from-bo.treelet-project
  treelet annotate village.treelet-project --import-answers questions.tsv --as Ana
  treelet annotate export village.treelet-project -o village.conllu
  treelet annotate agreement village.treelet-project

A project is one file that holds sentences, people and everything they did. The page is served from this machine and asks nothing of
any other; the address that is printed lets in whoever has it. Ctrl-C ends the server; what was shown as saved is on the disk.
More: docs/annotate.md"
)]
pub struct Annotate {
    #[command(subcommand)]
    pub what: Option<AnnotateCommand>,
    /// The project; a new one if there is no such file
    #[arg(value_name = "PROJECT", required_unless_present = "demo")]
    pub project: Option<PathBuf>,
    /// Begin with ten sentences and a lesson for each; without PROJECT in tutorial.treelet-project
    #[arg(long)]
    pub demo: bool,
    /// Bring in a file: sentences as CoNLL-U, CoNLL-X, GFL, FUDG, brackets or text; another project; a table of answers
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub import: Vec<PathBuf>,
    /// Tag words that have no tag with this model of `treelet tag train`
    #[arg(long, value_name = "MODEL", requires = "import")]
    pub tagger: Option<PathBuf>,
    /// Port; 0 for any that is free [default: the project's own]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Serve others, too, at this address of this machine; each annotator has an address of their own
    #[arg(long, value_name = "ADDRESS", help_heading = "Several annotators")]
    pub listen: Option<IpAddr>,
    /// Let in somebody else, by an address of their own
    #[arg(long = "annotator", value_name = "NAME", help_heading = "Several annotators")]
    pub annotators: Vec<String>,
    /// Give each annotator a section of their own, all with sentences of like lengths, and this share of the sentences to all
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "annotators", help_heading = "Several annotators")]
    pub common: Option<f64>,
    /// Let this model suggest, now and whenever the project is opened: of `treelet train dependency` or `constituency`, `impute
    /// --save-model`, `induce dmv`, or of `joint train` with arcs
    #[arg(long, value_name = "MODEL", conflicts_with = "method", help_heading = "Suggestions")]
    pub model: Option<PathBuf>,
    /// Let a model suggest that is learned from the project as it grows [default: convexmst]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Suggestions")]
    pub method: Option<MethodName>,
    /// What your tags are called in universal rules, for models learned from the project: two columns, TAG UNIVERSAL. The project
    /// remembers it
    #[arg(long, value_name = "FILE", help_heading = "Suggestions")]
    pub tag_map: Option<PathBuf>,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub input: AnyInput,
    #[command(flatten)]
    pub coming: Coming,
    #[command(flatten)]
    pub access: Access,
}

/// What else comes into a project.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several annotators")]
pub struct Coming {
    /// Take over a table of questions (.tsv of `annotate export`) whose column `answer` was filled in
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub import_answers: Vec<PathBuf>,
    /// Who answered [default: who opened the project]; who somebody without a name is in a project that is brought in
    #[arg(long = "as", value_name = "NAME")]
    pub who: Option<String>,
}

/// Who is let in.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several annotators")]
pub struct Access {
    /// Give somebody a new address; the one before lets nobody in any more
    #[arg(long, value_name = "NAME")]
    pub new_address: Vec<String>,
    /// Let somebody in no more; their work stays
    #[arg(long, value_name = "NAME")]
    pub remove_access: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum AnnotateCommand {
    /// Write a project out as CoNLL-U, GFL, brackets, FUDG JSON or a page
    Export(ExportProject),
    /// Say how far annotators agree, what they do, and how fast
    Agreement(ProjectAgreement),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet annotate agreement village.treelet-project
  treelet annotate agreement village.treelet-project --json

The same figures as on the page *Agreement*: commitment and agreement of all, of groups by what annotators said of themselves, and of each;
half hours of work; the constructions that are defined in the settings of the project. More: docs/annotate.md")]
pub struct ProjectAgreement {
    /// The project
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    #[command(flatten)]
    pub answer: Answer,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet annotate export village.treelet-project -o village.conllu
  treelet annotate export village.treelet-project -o village.anno
  treelet annotate export village.treelet-project -o village.html
  treelet annotate export village.treelet-project -o ana.conllu --annotator Ana
  treelet annotate export village.treelet-project -o trees.conllu --suggestions --comments misc

What several people were made one of is written once; otherwise each annotator's analysis stands for itself, with their name and the
seconds it took. The name of OUT says the format: .conllu, .anno (GFL), .mrg (brackets), .json (FUDG), .html, .tsv (open questions).")]
pub struct ExportProject {
    /// The project
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// File to write
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Only what this annotator said, of all sentences that are theirs
    #[arg(long, value_name = "NAME")]
    pub annotator: Option<String>,
    /// Where remarks go in CoNLL-U and GFL
    #[arg(long, value_enum, value_name = "WHERE", default_value = "lines")]
    pub comments: RemarkPlace,
    /// Fill in heads that are open, in CoNLL-U, marked as those of a machine (HeadBy, HeadProb)
    #[arg(long)]
    pub suggestions: bool,
}

/// Where remarks are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemarkPlace {
    /// In MISC, those on a sentence in comments
    Misc,
    /// In comments before the sentence
    #[default]
    Lines,
    /// Nowhere
    None,
}
