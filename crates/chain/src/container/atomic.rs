//! Writing a file so that it is never half there.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file in one step: a temporary neighbour is written, flushed to the disk and renamed.
///
/// Whoever opens the path sees the old content or the new, also if the process is killed or the power
/// fails in between; then a hidden file `.name.*.tmp` may be left over and can be deleted. Links are
/// followed. Pipes and devices, which cannot be replaced, are written to directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&path);
    let mut temporary = temporary_beside(&path, &folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&path).map_err(|e| e.error)?;
    sync_folder(&folder)
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn temporary_beside(path: &Path, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let name = path.file_name().unwrap_or(OsStr::new("treelet"));
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    // Temporary files are private by default; ours becomes a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// A rename lives in the folder, so the folder must reach the disk too.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
