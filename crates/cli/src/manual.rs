//! Shell completions and manual pages, made from the same definitions as the arguments.

use crate::arguments::Arguments;
use crate::terminal::Terminal;
use anyhow::Context;
use clap::CommandFactory;
use std::path::Path;
use treelet::Outcome;

pub(crate) fn completions(shell: clap_complete::Shell, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "treelet", &mut script);
    terminal.print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Fine)
}

pub(crate) fn man(folder: Option<&Path>, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            clap_mangen::generate_to(Arguments::command(), folder)
                .with_context(|| format!("cannot write manual pages to {}", folder.display()))?;
            terminal.note(&format!("manual pages written to {}", folder.display()));
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
            terminal.print(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Outcome::Fine)
}
