//! The crate from outside: laws, toys with known answers, and real treebanks.

mod choosing;
mod clustering;
mod codes;
mod forms;
mod tagging;
mod treebank;
mod unseen_words;
