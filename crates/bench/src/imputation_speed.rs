//! How fast the completers are.

use chain::{Kernel, Sweep, Workers};
use impute::Fragment;
use impute::convex::{self, ConvexOptions};
use impute::gpc::{Gpc, GpcOptions};

use crate::dependencies::{self, Gold};
use crate::{cpu, imputation};

const CORPUS: &str = "data/dependency/ud/English-EWT/train.conllu";

/// Sentences of ten words per second in a sweep of the Gibbs completer, and the time to complete a long sentence again
/// after an arc was added, one thread.
pub(crate) fn run() -> anyhow::Result<()> {
    let workers = Workers::serial();
    let corpus = dependencies::read(CORPUS)?;
    sweeps(&corpus, &workers)?;
    again(&corpus, &workers)
}

/// Stretches of ten words: every window of the corpus's words and tags, of which nothing is said.
fn windows(corpus: &[Gold], n_words: usize, n: usize) -> Vec<Fragment> {
    let words: Vec<_> =
        corpus.iter().flat_map(|gold| gold.forms.iter().cloned().zip(gold.tags.iter().cloned())).collect();
    let window = |words: &[(tree::Text, tree::Text)]| Fragment {
        forms: words.iter().map(|(form, _)| form.clone()).collect(),
        tags: words.iter().map(|(_, tag)| tag.clone()).collect(),
        possible: tree::Possible::everything(n_words),
    };
    words.chunks_exact(n_words).take(n).map(window).collect()
}

fn sweeps(corpus: &[Gold], workers: &Workers) -> anyhow::Result<()> {
    let fragments = windows(corpus, 10, 2000);
    let gpc = Gpc::new(&fragments, GpcOptions { chains: 1, ..GpcOptions::default() }, workers)?;
    let sampler = gpc.sampler();
    let mut state = sampler.start(&Sweep::new(1, 0, 0, workers))?;
    let mut best = f64::INFINITY;
    for number in 1..=10 {
        let (result, seconds) =
            cpu::seconds(|| sampler.sweep(&mut state, &Sweep::new(1, 0, number, workers)));
        result?;
        best = best.min(seconds);
    }
    println!(
        "GPC: a sweep over {} sentences of 10 words takes {:.2} ms of CPU: {:.0} sentences per second and core",
        fragments.len(),
        best * 1e3,
        fragments.len() as f64 / best
    );
    Ok(())
}

fn again(corpus: &[Gold], workers: &Workers) -> anyhow::Result<()> {
    let train = dependencies::first_arcs(corpus, 6000);
    let kept = imputation::kept(train, 0.5, 0);
    let fragments: anyhow::Result<Vec<Fragment>> =
        train.iter().zip(&kept).map(|(gold, kept)| gold.fragment(&gold.tags, kept)).collect();
    let fragments = fragments?;
    let options = GpcOptions { burn_in: 10, samples: 10, ..GpcOptions::default() };
    let gpc = Gpc::train(&fragments, options, &mut (), workers)?;
    let convex = convex::train(&fragments, &ConvexOptions::default(), workers).model;
    // The longest sentences there are, cut or not, so that they have 60 words.
    let mut long = windows(corpus, 60, 20);
    for (at, fragment) in long.iter_mut().enumerate() {
        let mut said = tree::PartialTree::new(60);
        let (head, dependent) = (tree::Node::Word(10 + at), tree::Node::Word(12 + at));
        said.arcs.push(tree::Arc { head, dependent, place: tree::Place::default() });
        fragment.possible = tree::Possible::new(&said, &tree::Reading::default())?;
    }
    let ((), of_gpc) = cpu::seconds(|| long.iter().for_each(|fragment| drop(gpc.complete(fragment))));
    let ((), of_convex) = cpu::seconds(|| long.iter().for_each(|fragment| drop(convex.complete(fragment))));
    println!(
        "completing a sentence of 60 words again after one arc: GPC ({} chains) {:.1} ms, ConvexMST {:.1} ms of CPU",
        gpc.chains.len(),
        of_gpc * 1e3 / long.len() as f64,
        of_convex * 1e3 / long.len() as f64
    );
    Ok(())
}
