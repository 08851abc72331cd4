//! From what was typed to how the grammar is trained.

use crate::options::train::{Constituency, GrammarOptions, Number, Preset, Unaries};
use crate::source::short_name;
use constituency::concentrate::HyperPrior;
use constituency::{JumpStart, TrainOptions};

/// The preset, changed by single options.
pub(super) fn resolve(options: &Constituency) -> TrainOptions {
    let mut train = match options.preset {
        Preset::Best => TrainOptions::default(),
        Preset::Paper => TrainOptions::paper(),
    };
    let has_text = !options.data.raw.is_empty() || !options.data.transductive.is_empty();
    if has_text && train.bank.lexicon.n_clusters == Some(0) {
        // Without clusters the text would have nothing to say.
        train.bank.lexicon.n_clusters = None;
    }
    change(&mut train, &options.settings);
    train
}

fn change(train: &mut TrainOptions, settings: &GrammarOptions) {
    let set = |target: &mut u32, given: Option<u32>| *target = given.unwrap_or(*target);
    set(&mut train.annotations, settings.annotations);
    set(&mut train.chains, settings.chains);
    set(&mut train.burn_in, settings.burn_in);
    set(&mut train.samples, settings.samples);
    set(&mut train.thin, settings.thin);
    set(&mut train.stage_sweeps, settings.stage_sweeps);
    train.seed = settings.chance.seed;
    train.bank.lexicon.seed = settings.chance.seed;
    if let Some(unaries) = settings.unaries {
        train.bank.codec.unaries = match unaries {
            Unaries::Rules => grammar::Unaries::Rules,
            Unaries::Collapse => grammar::Unaries::Collapse,
            Unaries::Drop => grammar::Unaries::Drop,
        };
    }
    if let Some(rare) = settings.rare {
        train.bank.lexicon.rare = number(rare);
    }
    if let Some(clusters) = settings.clusters {
        train.bank.lexicon.n_clusters = number(clusters).map(|n| n as usize);
    }
    if settings.sample_concentrations {
        train.hyper = Some(HyperPrior::default());
    }
    train.jump_start = settings.jump_start.map(|(fraction, sweeps)| JumpStart { fraction, sweeps });
}

fn number(number: Number) -> Option<u32> {
    match number {
        Number::Auto => None,
        Number::Of(n) => Some(n),
    }
}

/// The command again, without what does not change the model: names of outputs, threads, resuming.
pub(super) fn command(options: &Constituency, train: &TrainOptions) -> String {
    let mut words = vec!["treelet train constituency".to_string(), short_name(&options.file)];
    let mut add = |name: &str, value: String| words.push(format!("{name} {value}"));
    if options.preset == Preset::Paper {
        add("--preset", "paper".into());
    }
    let data = &options.data;
    for (name, files) in
        [("--partial", &data.partial), ("--raw", &data.raw), ("--transductive", &data.transductive)]
    {
        files.iter().for_each(|file| add(name, short_name(file)));
    }
    for (name, number) in [("--limit", data.limit), ("--max-words", data.max_words)] {
        number.into_iter().for_each(|number| add(name, number.to_string()));
    }
    let lexicon = &train.bank.lexicon;
    let or_auto = |number: Option<String>| number.unwrap_or_else(|| "auto".into());
    add("-k", train.annotations.to_string());
    add("--chains", train.chains.to_string());
    add("--seed", train.seed.to_string());
    add("--burn-in", train.burn_in.to_string());
    add("--samples", train.samples.to_string());
    add("--thin", train.thin.to_string());
    add("--stage-sweeps", train.stage_sweeps.to_string());
    add("--unaries", format!("{:?}", train.bank.codec.unaries).to_lowercase());
    add("--rare", or_auto(lexicon.rare.map(|n| n.to_string())));
    add("--clusters", or_auto(lexicon.n_clusters.map(|n| n.to_string())));
    if let Some(jump) = &train.jump_start {
        add("--jump-start", format!("{}:{}", jump.fraction, jump.sweeps));
    }
    let flags = [
        (data.normalise, "--normalise"),
        (options.settings.sample_concentrations, "--sample-concentrations"),
    ];
    words.extend(flags.iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_string()));
    words.join(" ")
}
