//! The peers' table.

use chain::Workers;

use super::data::{self, Treebank};
use super::measure::{self, Cost, Runs};
use super::udpipe::{Udpipe, UdpipeScore};
use super::{Dependency, peers};

pub(super) fn run(arguments: &Dependency, workers: &Workers) -> anyhow::Result<()> {
    let settings = arguments.settings(&[1, 2])?;
    // UDPipe takes minutes, so it runs only if its outcomes are kept.
    let folder = arguments.udpipe_cache.as_deref();
    let udpipe = folder.map(|folder| Udpipe::new(Some(folder))).transpose()?;
    let treebanks = arguments.treebanks(&["en", "wo", "sme"])?;
    println!(
        "forms and gold universal tags; UAS and LAS over all words; one CPU for parsing, the best of 5 runs"
    );
    for treebank in &treebanks {
        let Treebank { name, train, test } = treebank;
        println!(
            "\n{name}: {} sentences, {} words to learn from; {} words to parse",
            train.len(),
            data::n_words(train),
            data::n_words(test)
        );
        line(["system", "UAS", "LAS", "train CPU s", "tokens/CPU s", "load s", "model MB", "peak MB"]);
        peers_of(name);
        if let Some(udpipe) = &udpipe {
            for outcome in udpipe.outcomes(std::slice::from_ref(treebank))?.into_iter().flatten() {
                run_here(&outcome);
            }
        }
        for (order, options) in &settings {
            let options = &arguments.with_books(options, train)?;
            let (model, runs) = measure::with_seeds(treebank, options, arguments.seeds, workers)?;
            let Some(model) = model else { continue };
            let cost = measure::cost(&model, test, 5)?;
            let system = match options.ensemble {
                0 | 1 => format!("Treelet, order {order}"),
                n => format!("Treelet, order {order}, mean of {n}"),
            };
            show(&system, &runs, &cost);
            compare(name, &runs, &cost);
        }
    }
    Ok(())
}

fn line(cells: [&str; 8]) {
    let [system, uas, las, train, speed, load, size, peak] = cells;
    println!("{system:<32} {uas:>10} {las:>10} {train:>11} {speed:>12} {load:>7} {size:>9} {peak:>8}");
}

fn peers_of(treebank: &str) {
    for peer in &peers::PEERS {
        let Some((uas, las, seconds)) = peer.on(treebank) else { continue };
        let (uas, las) = (format!("{uas:.1}"), format!("{las:.1}"));
        let seconds = format!("{seconds:.0}");
        line([peer.name, &uas, &las, &seconds, peer.speed, "", peer.megabytes, peer.peak]);
    }
}

fn run_here(outcome: &UdpipeScore) {
    line([
        "UDPipe 1.4, on this machine",
        &format!("{:.1}", outcome.score.uas),
        &format!("{:.1}", outcome.score.las),
        &format!("{:.0}", outcome.train_seconds),
        &format!("{:.0}", outcome.tokens_per_second),
        "",
        &format!("{:.1}", outcome.megabytes),
        &format!("{:.0}", outcome.peak_mib * 1.048576),
    ]);
}

fn show(system: &str, runs: &Runs, cost: &Cost) {
    line([
        system,
        &runs.show_uas(),
        &runs.show_las(),
        &format!("{:.1}", runs.train_seconds()),
        &format!("{:.0}", cost.tokens_per_second),
        &format!("{:.2}", cost.load_seconds),
        &format!("{:.1}", cost.megabytes),
        &runs.peak_mib().map_or("–".to_owned(), |peak| format!("{:.0}", peak * 1.048576)),
    ]);
}

/// How far it is from the best peer in each column.
fn compare(treebank: &str, runs: &Runs, cost: &Cost) {
    let Some((uas, las)) = peers::best(treebank) else { return };
    println!(
        "    {:+.1} UAS and {:+.1} LAS against the best peer; {:.1} times TurboParser basic's fastest, {:.1} times UDPipe's speed",
        runs.uas().0 - uas,
        runs.las().0 - las,
        cost.tokens_per_second / peers::TURBO_SPEED,
        cost.tokens_per_second / peers::UDPIPE_SPEED
    );
}
