//! Constituency parsing with PCFGs whose categories have latent annotations.
//!
//! ```
//! use chain::{Start, Stream, Workers};
//! use constituency::{ParseOptions, Parser, TrainOptions, Training};
//! use grammar::anchor::Brackets;
//! # use tree::{Text, Tree};
//! # let treebank = "(S (NP (D the) (N dog)) (VP (V slept)))\n(S (NP (D a) (N cat)) (VP (V saw) (NP (D the) (N dog))))\n";
//! # let trees = formats::brackets::BracketReader::new(treebank.as_bytes()).filter_map(|read| read.unwrap().value.tree);
//! # let trees: Vec<Tree<Text>> = trees.collect();
//!
//! // `trees` are two small trees; a parser for people learns from hundreds, with the default settings.
//! let workers = Workers::serial();
//! let options = TrainOptions { annotations: 2, burn_in: 2, samples: 2, chains: 1, ..TrainOptions::default() };
//! let (training, unusable) = Training::new(&trees, &[], &[], options, &workers)?;
//! assert!(unusable.is_empty());
//! let trained = training.run(Start::Fresh, &mut (), &workers)?;
//! let parser = Parser::new(training.model(trained.chains, Default::default()), &workers);
//!
//! let sentence = Brackets::words(["the", "cat", "slept"].map(Into::into).to_vec());
//! let parsed = &parser.parse_all(&[sentence], &ParseOptions::default(), Stream::new(1), &workers)[0];
//! let (tree, probability) = &parsed.trees[0];
//! assert_eq!(formats::brackets::to_string(tree), "(S (NP (D the) (N cat)) (VP (V slept)))");
//! assert!(*probability > 0.0 && parsed.fallback.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bank;
pub mod concentrate;
pub mod derivation;
pub mod ensemble;
pub mod estimate;
pub mod expected;
mod fallback;
pub mod forests;
pub mod generate;
pub mod gibbs;
pub mod model;
pub mod names;
pub mod options;
pub mod parser;
pub mod prior;
pub mod sampler;
mod streamed;
pub mod train;
pub mod watch;

pub use bank::{Bank, BankOptions};
pub use model::Model;
pub use parser::{Decode, ParseOptions, Parsed, Parser};
pub use train::{JumpStart, TrainOptions, Training};
pub use watch::WatchedRule;
