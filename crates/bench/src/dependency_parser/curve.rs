//! Learning curves from a handful of sentences, beside UDPipe.

use chain::Workers;

use super::data::Treebank;
use super::udpipe::Udpipe;
use super::{Dependency, measure};

const SIZES: [usize; 5] = [10, 25, 50, 100, 200];

pub(super) fn run(arguments: &Dependency, workers: &Workers) -> anyhow::Result<()> {
    let whole = arguments.treebanks(&["en", "wo", "sme"])?;
    let treebanks: Vec<Treebank> =
        whole.iter().flat_map(|treebank| SIZES.map(|size| treebank.thinned(size))).collect();
    let outcomes = Udpipe::new(arguments.udpipe_cache.as_deref())?.outcomes(&treebanks)?;
    for (order, options) in arguments.settings(&[2])? {
        println!(
            "\n{:<10} {:>10} {:>10} {:>7}  {:>6} {:>6}  {:>6} {:>6}",
            format!("order {order}"),
            "UAS",
            "LAS",
            "CPU s",
            "UDPipe",
            "LAS",
            "± UAS",
            "± LAS"
        );
        for (treebank, outcome) in treebanks.iter().zip(&outcomes) {
            let (_, runs) = measure::with_seeds(treebank, &options, arguments.seeds, workers)?;
            let beside = outcome.map_or(String::new(), |outcome| {
                let score = outcome.score;
                let differences = (runs.uas().0 - score.uas, runs.las().0 - score.las);
                format!(
                    "{:>6.1} {:>6.1}  {:>+6.1} {:>+6.1}",
                    score.uas, score.las, differences.0, differences.1
                )
            });
            println!(
                "{:<10} {:>10} {:>10} {:>7.2}  {beside}",
                treebank.name,
                runs.show_uas(),
                runs.show_las(),
                runs.train_seconds()
            );
        }
    }
    Ok(())
}
