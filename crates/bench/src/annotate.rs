//! The annotation page's server through its real HTTP interface: what a simulated annotator gains by suggestions and queue, how many keys
//! a tree takes, how soon events are saved, how soon suggestions are there.

mod client;
mod keys;
mod load;
mod person;
mod served;
mod speed;
mod spread;
mod times;
mod useful;

/// What is measured of the annotation page.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum AnnotateCommands {
    /// Hours to a given accuracy, with suggestions and queue and without, for an annotator with the times of real ones
    Useful(useful::Useful),
    /// Keys, clicks and characters for a whole tree, with suggestions and without
    Keys(keys::Keys),
    /// Many annotators on one server: how soon their events are saved, and whether all are in the file
    Load(load::Load),
    /// From a head that was said to the new suggestions and picture, at 40 and at 100 words
    Speed(speed::Speed),
}

pub(crate) fn run(what: &AnnotateCommands) -> anyhow::Result<()> {
    match what {
        AnnotateCommands::Useful(arguments) => useful::run(arguments),
        AnnotateCommands::Keys(arguments) => keys::run(arguments),
        AnnotateCommands::Load(arguments) => load::run(arguments),
        AnnotateCommands::Speed(arguments) => speed::run(arguments),
    }
}
