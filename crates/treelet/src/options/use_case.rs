//! All commands that are use cases, as they are typed.
//!
//! They stand here and not in the program, because this crate is compiled for size: options are a good part of the program's code.

use super::{Check, Convert, Score, Stats, View};
use super::{annotate, diagnose, factors, impute, induce, joint, parse, segment, study, tag, train};
use clap::Subcommand;

/// What Treelet can be asked to do.
#[derive(Debug, Subcommand)]
pub enum UseCase {
    /// Validate files and list what is wrong, with line, column and advice
    Check(Check),
    /// Change the format of a file
    Convert(Convert),
    /// Count sentences, words, labels, and how trees look
    Stats(Stats),
    /// Compare system output with gold
    Score(Score),
    /// Draw trees in the terminal, as SVG or as an HTML page
    View(View),
    /// Learn a parser from trees
    #[command(subcommand)]
    Train(train::Train),
    /// Find the trees of sentences
    Parse(parse::Parse),
    /// Draw trees of sentences from the posterior
    Sample(parse::Sample),
    /// Look into model files
    #[command(subcommand)]
    Model(parse::ModelCommand),
    /// Judge whether a sampler has converged, from its trace
    Diagnose(Box<diagnose::Diagnose>),
    /// Complete partial dependency annotations to trees, with probabilities
    Impute(Box<impute::Impute>),
    /// Learn a grammar from text without trees
    #[command(subcommand)]
    Induce(induce::Induce),
    /// Find the factors behind a table of numbers, counts, levels and categories
    #[command(subcommand)]
    Factors(factors::Factors),
    /// Cut words into morphs, learnt from a list of words
    #[command(subcommand)]
    Segment(segment::Segment),
    /// Tag words: learn from a dictionary, tagged sentences and raw text, tag, score
    #[command(subcommand)]
    Tag(tag::Tag),
    /// Tags, brackets and dependencies on factor graphs: syntax known, found with the task, or hidden
    #[command(subcommand)]
    Joint(joint::Joint),
    /// Annotate in a browser: mark what you are sure of, and see at once what follows
    Annotate(Box<annotate::Annotate>),
    /// Share sentences out among annotators, in sections with sentences of like lengths
    Divide(Box<study::Divide>),
    /// Take heads away from whole trees, as an annotator would leave them out
    Simulate(Box<study::Simulate>),
    /// Compare annotators with one another and with gold, and combine what they said
    Agree(Box<study::Agree>),
    /// Say what to annotate next, and why
    Select(Box<study::Select>),
    /// Forecast how much better a parser gets with more hours of annotation
    Plan(Box<study::Plan>),
}
