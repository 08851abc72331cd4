//! Tasks as factor graphs: the tables of Naradowsky (2015).

pub(crate) mod brackets;
mod semantics;
pub(crate) mod speed;
pub(crate) mod tagging;

/// Which task.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Joint {
    /// Constituency parsers: brackets without labels, with labels, with rules
    Brackets(brackets::Options),
    /// Taggers with known, found and hidden trees
    Tagging(tagging::Tagging),
    /// Names and their types: Tables 4.5 and 4.6
    Entities(semantics::Options),
    /// How names are related: Table 5.1
    Relations(semantics::Options),
    /// Who plays which role: Tables 6.1 and 6.2
    Roles(semantics::Options),
}

pub(crate) fn run(task: &Joint) -> anyhow::Result<()> {
    match task {
        Joint::Brackets(options) => brackets::run(options),
        Joint::Tagging(options) => tagging::run(options),
        Joint::Entities(options) => semantics::run("entities", options),
        Joint::Relations(options) => semantics::run("relations", options),
        Joint::Roles(options) => semantics::run("roles", options),
    }
}
