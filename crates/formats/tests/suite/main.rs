//! Readers and writers: real files, broken files, and what comes back from what was written.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod brackets_recovery;
mod documented;
mod foma_sources;
mod fuzz_corpus;
mod gfl_graphs;
mod gfl_problems;
mod gfl_robust;
mod gfl_roundtrip;
mod kept_through_formats;
mod problems;
mod raw;
mod raw_laws;
mod raw_scores;
mod raw_survive;
mod round_trip;
mod semantics;
mod semantics_laws;
mod survive;
mod tables;
mod tables_arrow;
mod transducers;
mod word_files;
