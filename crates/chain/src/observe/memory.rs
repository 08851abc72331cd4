//! What observers keep in a checkpoint.

use std::collections::BTreeMap;
use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Named values, one per observer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    entries: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// Keeps a value. Names must differ, or one observer would overwrite another: that is refused.
    pub fn put<T: Serialize>(&mut self, name: &str, value: &T) -> io::Result<()> {
        let bytes = postcard::to_stdvec(value).map_err(io::Error::other)?;
        match self.entries.insert(name.to_owned(), bytes) {
            None => Ok(()),
            Some(_) => Err(io::Error::other(format!("two observers are named `{name}`; rename one"))),
        }
    }

    /// Gives a value back. A name that is missing is an error: its observer did not see the first sweeps.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> io::Result<T> {
        let bytes = self.entries.get(name).ok_or_else(|| {
            let advice = "resume with the observers the run was started with, or start afresh";
            io::Error::new(io::ErrorKind::NotFound, format!("the checkpoint has no `{name}`; {advice}"))
        })?;
        postcard::from_bytes(bytes).map_err(|e| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("`{name}` in the checkpoint is unreadable: {e}"),
            )
        })
    }
}
