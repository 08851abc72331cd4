//! A project that is served for as long as it is measured.

use super::client::Client;
use crate::dependencies::Gold;
use anyhow::Context;
use clap::Parser;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use tempfile::TempDir;
use treelet::OpenProject;
use treelet::options::annotate::Annotate;
use treelet::watch::Unwatched;
use web::{Invitation, Serving};

/// What stands behind `treelet annotate`.
#[derive(Debug, Parser)]
struct Door {
    #[command(flatten)]
    annotate: Annotate,
}

/// A server in a thread, and its project in a folder of its own; both end when this is dropped.
pub(super) struct Served {
    people: Vec<Invitation>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
    folder: TempDir,
}

impl Served {
    /// Begins a project with these sentences, tagged and without trees, and lets in so many more people.
    pub(super) fn new(sentences: &[Gold], n_more: usize) -> anyhow::Result<Served> {
        Served::with(sentences, (0..n_more).map(|n| format!("--annotator=Annotator {n}")))
    }

    /// The same with more arguments of `treelet annotate`.
    pub(super) fn with(sentences: &[Gold], more: impl Iterator<Item = String>) -> anyhow::Result<Served> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("sentences.conllu");
        let mut text = Vec::new();
        for gold in sentences {
            formats::conllu::write(&gold.sentence(&gold.tags), &mut text)?;
        }
        std::fs::write(&file, text)?;
        let mut arguments = vec![project(&folder), "--import".into(), file.display().to_string()];
        arguments.extend(more);
        let opened = open(&arguments)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (desk, usual) = (opened.desk, opened.port);
        let limits = web::Limits::default();
        let serving = Serving { desk, port: Some(0), usual, listen: None, stop: stop.clone(), limits };
        let (sender, receiver) = channel();
        let ready = move |people: &[Invitation]| drop(sender.send(people.to_vec()));
        let thread = Some(std::thread::spawn(move || web::serve(serving, ready)));
        let people = receiver.recv().context("the server did not begin")?;
        Ok(Served { people, stop, thread, folder })
    }

    /// Somebody who was let in; the first opened the project.
    pub(super) fn client(&self, person: usize) -> anyhow::Result<Client> {
        Client::new(&self.people[person].url)
    }

    /// Ends the server and gives the project file, which is there as long as the folder is.
    pub(super) fn end(mut self) -> anyhow::Result<(PathBuf, TempDir)> {
        self.finish()?;
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir()?);
        Ok((PathBuf::from(project(&folder)), folder))
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended,
            Some(Err(_)) => anyhow::bail!("the server broke"),
            None => Ok(()),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Opens a project as `treelet annotate` with these arguments does.
pub(super) fn open(arguments: &[String]) -> anyhow::Result<OpenProject> {
    let arguments = ["annotate"].into_iter().chain(arguments.iter().map(String::as_str));
    treelet::open_project(&Door::try_parse_from(arguments)?.annotate, &web::token, &Unwatched)
}

fn project(folder: &TempDir) -> String {
    folder.path().join("bench.treelet-project").display().to_string()
}
