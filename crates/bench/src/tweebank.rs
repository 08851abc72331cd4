//! Partial annotations that people really made: tweets in GFL, and the treebank made of them.

mod agree;
mod annotators;
mod combine;
mod data;
mod impute;
mod page;

use anyhow::Context;
use chain::{Threads, Workers};
use std::path::PathBuf;

use annotators::Measured;
use data::TweebankData;
use page::percent;

/// Real partial annotations: completed, compared with each other, and combined.
#[derive(Debug, clap::Args)]
pub(crate) struct Tweebank {
    /// Where the page goes, besides the screen
    #[arg(long)]
    markdown: Option<PathBuf>,
    /// Tweets that two annotators must have in common to have a line of their own
    #[arg(long, default_value_t = 4)]
    common: usize,
    /// The seed of the sampler
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Leave out imputation, which takes most of the time
    #[arg(long)]
    without_imputation: bool,
}

/// What was found, in words; written about the page that this command makes with its defaults.
const FINDINGS: &str = include_str!("tweebank/findings.md");

pub(crate) fn run(arguments: &Tweebank) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let data = TweebankData::read()?;
    let measured = Measured::new(&data, &workers);
    let mut page = Page::default();
    page.add(HEADER);
    page.add(&annotators::troubles(&data, &measured));
    page.add("## 1. Imputation\n\n");
    page.add(&before_imputation(&data));
    if !arguments.without_imputation {
        page.add(&impute::section(&data, arguments.seed, &workers)?);
    }
    page.add("## 2. Annotators\n\n");
    page.add(TABLE);
    page.add(&annotators::table(&data, &measured));
    page.add("### How much annotations say\n\n");
    page.add(&annotators::distributions(&measured));
    page.add("### Agreement\n\n");
    page.add(&agree::section(&data, arguments.common, &workers));
    page.add("## 3. Combination\n\n");
    page.add(&combine::section(&data)?);
    page.add("## 4. Findings\n\n");
    page.add(FINDINGS);
    if let Some(path) = &arguments.markdown {
        std::fs::write(path, &page.text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Shown as it grows, and kept.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn add(&mut self, text: &str) {
        print!("{text}");
        self.text += text;
    }
}

fn before_imputation(data: &TweebankData) -> String {
    let counts = annotators::said_against_gold(data);
    format!(
        "What people said, each annotation by itself: {} heads are certain for words that are in the tree, {} of them are \
         right: precision {} %, recall {} %.\n\nOne annotation per tweet: as it is where one person annotated the tweet; \
         otherwise the heads that are certain are combined, by union (the first annotator in a tie) or by Dawid & Skene. \
         *Each* has every annotation by itself, several of one tweet if several people annotated it. A head is *given* if the annotation leaves a word no other; the words of a multiword are given the first of \
         them as head. UAS is over the words that are in the treebank's tree, those left out of it do not count, a word \
         that the reading leaves out is wrong. Several words may hang from the root. RB knows nothing, or which words \
         are mentioned; so does ConvexMST UG. The sampler runs once, with four chains.\n\n",
        counts.system,
        counts.matched,
        percent(counts.matched, counts.system),
        percent(counts.matched, counts.gold),
    )
}

const HEADER: &str = "# Real partial annotations: Tweebank

Some 26 people annotated tweets in GFL, as far as they liked; the treebank was then made of their annotations by hand \
(Schneider et al. 2013, Kong et al. 2014). Made by

```sh
cargo run --release -p bench -- tweebank --markdown results/tweebank.md
```

";

const TABLE: &str = "*com* is the commitment over the words that an annotation names (mean, then quartiles), *log₁₀ prom* the median \
number of trees that are left. Arcs to coordinations are counts per token, tokens that were left out included. *Given* are \
certain heads of words that are in a tree, with precision and recall against the treebank. *D–N by noun*: of the arcs \
between a determiner (D) and a noun (N ^ S Z M), how many are headed by the noun.

";
