//! `treelet annotate`: the server runs until somebody ends it.

mod agreement;

use crate::terminal::Terminal;
use std::process::{Command, Stdio};
use treelet::options::annotate::{Annotate, AnnotateCommand};
use treelet::watch::Watch;
use treelet::{Outcome, export_project, open_project};
use web::{Invitation, Limits, Serving};

pub(crate) fn run(options: &Annotate, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match &options.what {
        Some(AnnotateCommand::Export(options)) => {
            let done = export_project(options, terminal)?;
            terminal.note(&format!("{}: written", done.result.output.display()));
            return Ok(done.outcome());
        }
        Some(AnnotateCommand::Agreement(options)) => return agreement::run(options, terminal),
        None => {}
    }
    let opened = open_project(options, &web::token, terminal)?;
    let stop = terminal.stop_flag("ending the server; what was shown as saved is on the disk");
    let serving = Serving {
        desk: opened.desk,
        port: options.port,
        usual: opened.port,
        listen: options.listen,
        limits: Limits::default(),
        stop,
    };
    web::serve(serving, |invitations| welcome(invitations, options, terminal))?;
    Ok(Outcome::Fine)
}

/// The address of whoever started it goes to stdout, alone on its line; those of others are for people to pass on.
fn welcome(invitations: &[Invitation], options: &Annotate, terminal: &Terminal) {
    let Some((first, others)) = invitations.split_first() else { return };
    for Invitation { annotator, url } in others {
        terminal.note(&format!("{}: {url}", annotator.name));
    }
    // Who started it sees it in the browser, even where nobody reads what is printed.
    let _ = terminal.print(&format!("{}\n", first.url));
    if !options.no_open {
        open(&first.url, terminal);
    }
}

/// Opens the browser that people use.
fn open(url: &str, terminal: &Terminal) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    let command =
        command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        terminal.note("open this address in a browser");
    }
}
