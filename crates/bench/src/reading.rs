//! Reading and writing CoNLL-U, beside the Rust crate and the Python package of the same name.

use crate::corpus;
use crate::cpu::best_of;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

const N_BYTES: usize = 10 << 20;

pub(crate) fn run(repeat: usize) -> anyhow::Result<()> {
    // All three read the same text, so it has no line that one of them refuses.
    let text = corpus::words_only(&corpus::conllu(N_BYTES)?);
    let megabytes = text.len() as f64 / f64::from(1 << 20);
    println!("reading + writing {megabytes:.1} MB of CoNLL-U, one thread, CPU seconds, best of {repeat}");
    let ours = best_of(repeat, || treelet(&text));
    let identical = treelet(&text)? == text.as_bytes();
    println!(
        "treelet               {ours:8.3} s  {:8.1} MB/s  byte-identical: {identical}",
        megabytes / ours
    );
    let written = rust_crate(&text)?;
    let crate_seconds = best_of(repeat, || rust_crate(&text));
    println!(
        "Rust crate conllu 0.8 {crate_seconds:8.3} s  {:8.1} MB/s  byte-identical: {}",
        megabytes / crate_seconds,
        written == text.as_bytes()
    );
    println!("  Rust crate / treelet = {:.2}", crate_seconds / ours);
    match python(&text, repeat) {
        Ok(seconds) => {
            println!("Python package conllu {seconds:8.3} s  {:8.1} MB/s", megabytes / seconds);
            println!("  Python / treelet     = {:.1}", seconds / ours);
        }
        Err(error) => println!("Python package conllu: not measured: {error:#}"),
    }
    Ok(())
}

fn treelet(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    for reading in formats::conllu::ConlluReader::new(text.as_bytes()) {
        formats::conllu::write(&reading?.value, &mut out)?;
    }
    Ok(out)
}

fn rust_crate(text: &str) -> anyhow::Result<Vec<u8>> {
    use conllu::io::{ReadSentence, Reader, WriteSentence, Writer};
    let mut writer = Writer::new(Vec::with_capacity(text.len()));
    for sentence in Reader::new(text.as_bytes()).sentences() {
        writer.write_sentence(&sentence?)?;
    }
    Ok(writer.get_ref().clone())
}

const SCRIPT: &str = "\
import sys, time
import conllu
text = open(sys.argv[1], encoding='utf-8').read()
best = float('inf')
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    out = ''.join(sentence.serialize() for sentence in conllu.parse(text))
    best = min(best, time.process_time() - start)
print(best)
";

/// CPU seconds of the Python package, installed into a scratch folder if it is missing.
fn python(text: &str, repeat: usize) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("corpus.conllu");
    std::fs::write(&file, text)?;
    let packages = folder.path().join("packages");
    if !python_command(&packages).args(["-c", "import conllu"]).output()?.status.success() {
        let install = ["-m", "pip", "install", "--quiet", "--target"];
        let output = Command::new("python3").args(install).arg(&packages).arg("conllu").output()?;
        if !output.status.success() {
            bail!("cannot install it: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
    }
    let output =
        python_command(&packages).args(["-c", SCRIPT]).arg(&file).arg(repeat.min(2).to_string()).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8_lossy(&output.stdout).trim().parse().context("it printed no number")
}

fn python_command(packages: &Path) -> Command {
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", packages);
    command
}
