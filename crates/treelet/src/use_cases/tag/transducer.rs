//! Transducers in the formats that linguists keep them in.

use crate::outcome::Usage;
use crate::source::Source;
use anyhow::Context;
use formats::att::{self, Read};
use std::path::Path;

/// Reads a compiled transducer in AT&T's format, or compiles a lexicon (`.lexc`) or a script (`.foma`, `.xfst`).
pub(super) fn read(path: &Path, source: &Source) -> anyhow::Result<Read> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("lexc") => compile(path, source, true),
        Some("foma" | "xfst") => compile(path, source, false),
        _ => att::read(source.open()?).with_context(|| source.cannot_read()),
    }
}

#[cfg(feature = "foma")]
fn compile(path: &Path, source: &Source, is_lexicon: bool) -> anyhow::Result<Read> {
    use formats::foma_sources::{lexc, script};
    use std::io::Read as _;

    let mut text = String::new();
    source.open()?.read_to_string(&mut text).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Usage(format!("{} is no text", source.name())).into(),
        _ => anyhow::Error::from(error).context(source.cannot_read()),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |name: &str| std::fs::read_to_string(folder.join(name));
    Ok(if is_lexicon { lexc(&text) } else { script(&text, &open) })
}

#[cfg(not(feature = "foma"))]
fn compile(_: &Path, source: &Source, _: bool) -> anyhow::Result<Read> {
    let text = "this program was built without foma; build it with --features foma --profile unwinding, or give what foma's `write att` makes of it";
    Err(Usage(format!("{}: {text}", source.name())).into())
}
