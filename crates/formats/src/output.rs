//! Writing files: whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears under its name only when it is complete.
///
/// Everything goes to a temporary file in the same folder; [`finish`](Self::finish) puts it in place in
/// one step. Dropped before that, it leaves an existing file of the name as it was. A link is followed, and
/// a file that is replaced keeps its permissions. What is no regular file (a device, a pipe) is written to
/// as it is. Names that end in `.gz`, `.zst` or `.xz` are compressed.
pub struct AtomicFile {
    writer: Compressor,
    path: PathBuf,
}

type Buffered = BufWriter<Target>;

/// Where the bytes go first.
enum Target {
    Temporary(NamedTempFile),
    Special(File),
}

impl Target {
    fn create(path: &Path) -> io::Result<Self> {
        let existing = std::fs::metadata(path).ok();
        if existing.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir()) {
            return Ok(Self::Special(File::options().write(true).open(path)?));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let message = format!("there is no folder {}", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let mut temporary = tempfile::Builder::new();
        // A temporary file is private; the finished one is to be as readable as any other new file.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            temporary.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = temporary.prefix(".treelet-").tempfile_in(folder).map_err(|error| error.kind())?;
        if let Some(found) = existing.filter(std::fs::Metadata::is_file) {
            file.as_file().set_permissions(found.permissions())?;
        }
        Ok(Self::Temporary(file))
    }

    fn finish(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Temporary(file) => {
                file.as_file().sync_all()?;
                file.persist(path).map_err(|error| error.error)?;
                Ok(())
            }
            Self::Special(mut file) => file.flush(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(file) => file.write(bytes),
            Self::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(file) => file.flush(),
            Self::Special(file) => file.flush(),
        }
    }
}

enum Compressor {
    Plain(Buffered),
    Gzip(flate2::write::GzEncoder<Buffered>),
    Zstandard(zstd::stream::write::Encoder<'static, Buffered>),
    Xz(Box<lzma_rust2::XzWriter<Buffered>>),
}

impl AtomicFile {
    /// Starts a file that will be called `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A link is followed, so that what it points at is replaced and not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let buffered = BufWriter::with_capacity(1 << 16, Target::create(&path)?);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let writer = match extension {
            Some("gz") => {
                Compressor::Gzip(flate2::write::GzEncoder::new(buffered, flate2::Compression::default()))
            }
            Some("zst") => Compressor::Zstandard(zstd::stream::write::Encoder::new(buffered, 0)?),
            Some("xz") => {
                let options = lzma_rust2::XzOptions::with_preset(6);
                Compressor::Xz(Box::new(lzma_rust2::XzWriter::new(buffered, options)?))
            }
            _ => Compressor::Plain(buffered),
        };
        Ok(Self { writer, path })
    }

    /// Puts the complete file in place.
    pub fn finish(self) -> io::Result<()> {
        let buffered = match self.writer {
            Compressor::Plain(writer) => writer,
            Compressor::Gzip(writer) => writer.finish()?,
            Compressor::Zstandard(writer) => writer.finish()?,
            Compressor::Xz(writer) => writer.finish()?,
        };
        let target = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        target.finish(&self.path)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Compressor::Plain(writer) => writer.write(bytes),
            Compressor::Gzip(writer) => writer.write(bytes),
            Compressor::Zstandard(writer) => writer.write(bytes),
            Compressor::Xz(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Compressor::Plain(writer) => writer.flush(),
            Compressor::Gzip(writer) => writer.flush(),
            Compressor::Zstandard(writer) => writer.flush(),
            Compressor::Xz(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Encoding, open};

    #[test]
    fn unfinished_file_leaves_the_old_one_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.conllu");
        std::fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half of the n").unwrap();
        drop(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_kept_and_devices_left_alone() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("secret.mrg"), folder.path().join("link.mrg"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert!(link.is_symlink());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let pipe = folder.path().join("pipe");
        if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || std::fs::read_to_string(pipe).unwrap()
            });
            let mut file = AtomicFile::create(&pipe).unwrap();
            file.write_all(b"through").unwrap();
            file.finish().unwrap();
            assert_eq!(reader.join().unwrap(), "through");
            assert!(!std::fs::metadata(&pipe).unwrap().is_file());
        }
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = AtomicFile::create(Path::new("no/such/folder/out.mrg")).err().unwrap();
        assert_eq!(error.to_string(), "there is no folder no/such/folder");
    }

    #[test]
    fn finished_files_read_back_whatever_their_compression() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["out.mrg", "out.mrg.gz", "out.mrg.zst", "out.mrg.xz"] {
            let path = folder.path().join(name);
            let mut file = AtomicFile::create(&path).unwrap();
            file.write_all(b"(S (NP x))\n").unwrap();
            file.finish().unwrap();
            let mut text = String::new();
            open(&path, Encoding::Unicode).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "(S (NP x))\n", "{name}");
        }
    }
}
