//! Tasks as factor graphs: the tables of Naradowsky (2015).

pub(crate) mod brackets;
pub(crate) mod speed;
pub(crate) mod tagging;

/// Which task.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Joint {
    /// Constituency parsers: brackets without labels, with labels, with rules
    Brackets(brackets::Options),
    /// Taggers with known, found and hidden trees
    Tagging(tagging::Tagging),
}

pub(crate) fn run(task: &Joint) -> anyhow::Result<()> {
    match task {
        Joint::Brackets(options) => brackets::run(options),
        Joint::Tagging(options) => tagging::run(options),
    }
}
