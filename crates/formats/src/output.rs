//! Writing files: whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears under its name only when it is complete.
///
/// Everything goes to a temporary file in the same folder; [`finish`](Self::finish) puts it in place in
/// one step. Dropped before that, it leaves an existing file of the name as it was. Names that end in
/// `.gz`, `.zst` or `.xz` are compressed.
pub struct AtomicFile {
    writer: Compressor,
    path: PathBuf,
}

type Buffered = BufWriter<NamedTempFile>;

enum Compressor {
    Plain(Buffered),
    Gzip(flate2::write::GzEncoder<Buffered>),
    Zstandard(zstd::stream::write::Encoder<'static, Buffered>),
    Xz(Box<lzma_rust2::XzWriter<Buffered>>),
}

impl AtomicFile {
    /// Starts a file that will be called `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut temporary = tempfile::Builder::new();
        // A temporary file is private; the finished one is to be as readable as any other file.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            temporary.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let buffered = BufWriter::with_capacity(1 << 16, temporary.prefix(".treelet-").tempfile_in(folder)?);
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
        Ok(Self { writer, path: path.to_path_buf() })
    }

    /// Puts the complete file in place.
    pub fn finish(self) -> io::Result<()> {
        let buffered = match self.writer {
            Compressor::Plain(writer) => writer,
            Compressor::Gzip(writer) => writer.finish()?,
            Compressor::Zstandard(writer) => writer.finish()?,
            Compressor::Xz(writer) => writer.finish()?,
        };
        let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
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
