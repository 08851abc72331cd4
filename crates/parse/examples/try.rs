#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use chain::{Start, Stream, Threads, Workers};
use grammar::anchor::Brackets;
use parse::constituency::ensemble::Average;
use parse::constituency::{Decode, ParseOptions, Parser, TrainOptions, Training};
use score::brackets::{Deletion, Options, Scorer};
use std::time::Instant;
use tree::{Text, Tree};

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().map_or(default, |v| v.parse().unwrap())
}
fn load(path: &str) -> Vec<Tree<Text>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut reader = formats::brackets::Reader::new(text.as_bytes());
    let mut trees = Vec::new();
    while let Some(read) = reader.read_tree().unwrap() {
        trees.extend(read.value.tree);
    }
    trees
}
fn main() {
    let bank_name = std::env::args().nth(1).unwrap();
    let size: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let dir = format!("/work/shared/data/constituency/{bank_name}/norm");
    let mut train = load(&format!("{dir}/train.mrg"));
    let dev: Vec<_> =
        load(&format!("{dir}/dev.mrg")).into_iter().filter(|t| t.n_words() <= 60).take(250).collect();
    train.truncate(size);
    let workers = Workers::new(Threads::from_count(env("THREADS", 2.0) as usize)).unwrap();
    let mut o = TrainOptions::default();
    o.bank.lexicon.rare = match env("RARE", 3.0) as u32 {
        0 => None,
        n => Some(n),
    };
    o.bank.lexicon.n_clusters = match env("CLUSTERS", 0.0) {
        n if n < 0.0 => None,
        n => Some(n as usize),
    };
    o.bank.lexicon.belief = env("BELIEF", 0.5);
    o.bank.codec.unaries = match env("UNARIES", 0.0) as u32 {
        0 => grammar::Unaries::Rules,
        1 => grammar::Unaries::Collapse,
        _ => grammar::Unaries::Drop,
    };
    o.bank.codec.binarisation.scheme = match env("SCHEME", 0.0) as u32 {
        0 => tree::transform::Scheme::RightmostHead,
        1 => tree::transform::Scheme::Left,
        _ => tree::transform::Scheme::Right,
    };
    o.bank.codec.binarisation.horizontal = Some(env("H", 0.0) as usize);
    o.annotations = env("K", 8.0) as u32;
    o.chains = env("CHAINS", 4.0) as u32;
    o.occurrences_per_annotation = env("PER", 20.0);
    o.stage_sweeps = env("STAGE", 10.0) as u32;
    o.burn_in = env("BURN", 20.0) as u32;
    o.samples = env("SAMPLES", 20.0) as u32;
    o.seed = env("SEED", 1.0) as u64;
    o.concentrations.rules = env("CR", 5.0);
    o.concentrations.words = env("CW", 5.0);
    o.concentrations.annotations = env("CA", 1.0);
    o.smoothing.rules = env("SR", 5.0);
    o.smoothing.words = env("SW", 5.0);
    o.smoothing.annotations = env("SA", 1.0);
    o.smoothing.shared = env("SS", 1.0);
    if env("HYPER", 0.0) > 0.0 {
        o.hyper = Some(Default::default());
    }
    let t = Instant::now();
    let (training, problems) = Training::new(&train, &[], &[], o, &workers).unwrap();
    let rules = training.bank().inventory.rules();
    println!(
        "bank {:.2}s {} problems; {} cats {} unary {} binary {} known, threshold {} classes {}",
        t.elapsed().as_secs_f64(),
        problems.len(),
        rules.n_categories(),
        rules.unary().len(),
        rules.binary().len(),
        training.bank().lexicon.n_known(),
        training.bank().lexicon.threshold(),
        training.bank().lexicon.n_classes()
    );
    let t = Instant::now();
    let trained = training.run(Start::Fresh, &mut (), &workers).unwrap();
    let secs = t.elapsed().as_secs_f64();
    let s = training.schedule();
    println!(
        "train {secs:.2}s, {:.3}s/sweep, ll {:.0} {:?}",
        secs / s.total() as f64 / s.chains as f64,
        trained.outcome.checkpoint.states[0].ln_likelihood,
        trained.outcome.checkpoint.states[0].concentrations
    );
    let model = training.model(trained.chains, Default::default());
    model.write(std::path::Path::new("/tmp/model.treelet")).unwrap();
    println!("model {} bytes", std::fs::metadata("/tmp/model.treelet").unwrap().len());
    let t = Instant::now();
    let parser = Parser::new(model, &workers);
    println!("parser {:.2}s", t.elapsed().as_secs_f64());
    let decode = match env("DECODE", 0.0) as u32 {
        0 => Decode::MaxRule,
        1 => Decode::Mbr,
        2 => Decode::Viterbi,
        _ => Decode::Mode,
    };
    let options = ParseOptions {
        decode,
        threshold: env("THRESHOLD", 1e-4),
        second_threshold: env("SECOND", 1e-5),
        average: if env("PRODUCT", 1.0) > 0.0 { Average::Product } else { Average::Mixture },
        samples: env("DRAWS", 0.0) as usize,
        ..Default::default()
    };
    let sentences: Vec<Brackets> =
        dev.iter().map(|t| Brackets::words(t.words().cloned().collect())).collect();
    let t = Instant::now();
    let parses = parser.parse_all(&sentences, &options, Stream::new(1), &workers);
    let secs = t.elapsed().as_secs_f64();
    let mut scorer = Scorer::new(Options { deletion: Deletion::GoldTags, ..Options::default() });
    let mut failed = 0;
    for (gold, parse) in dev.iter().zip(&parses) {
        if parse.fallback.is_some() {
            failed += 1;
        }
        scorer.add(std::slice::from_ref(gold), std::slice::from_ref(&parse.trees[0].0));
    }
    let report = scorer.finish();
    println!(
        "{bank_name} {size}: F1 {:.2} P {:.2} R {:.2} tags {:.2} failed {failed}; {:.2}s wall, {:.1} sents/s",
        report.all.f1(),
        report.all.precision(),
        report.all.recall(),
        report.all.tag_accuracy(),
        secs,
        dev.len() as f64 / secs
    );
}
