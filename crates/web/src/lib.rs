//! The annotation page: a server that only this machine reaches unless asked otherwise, and the page in it.
//!
//! It translates between HTTP and the desk of a project ([`treelet::project::Desk`]) and decides nothing about language or statistics.

mod answer;
mod assets;
mod connections;
mod guard;
mod limits;
mod patient;
mod routes;
mod secret;
mod serve;
mod stream;
mod training;

pub use limits::Limits;
pub use secret::token;
pub use serve::{Invitation, Serving, serve};
