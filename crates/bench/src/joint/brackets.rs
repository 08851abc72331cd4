//! Brackets without labels, with labels, with rules: Tables 3.3 and 3.4 on other treebanks.

use std::ops::ControlFlow;

use ::joint::brackets::{
    Annotated, Binary, Bracket, Decode, Kind, Label, Model, Parsed, RuleOptions, RuleStep, TrainOptions,
    Training, Word, binarise, debinarise, words_of,
};
use chain::{Threads, Workers};
use score::brackets::{Deletion, Options as ScoreOptions, Parameters, Scorer, Summary};
use tree::{Text, Tree};

use crate::{corpus, cpu};

/// What is trained and parsed.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Treebanks, separated by commas
    #[arg(long, default_value = "english_wsj,indonesian_icon,dutch_alpino", value_delimiter = ',')]
    data: Vec<String>,
    /// The most training trees, the first ones of the file
    #[arg(long, default_value_t = 1500)]
    train: usize,
    /// The longest sentence
    #[arg(long, default_value_t = 40)]
    max_words: usize,
    /// Epochs of brackets; the parser's own default if not given
    #[arg(long)]
    epochs: Option<usize>,
    /// Step width of brackets; the parser's own default if not given
    #[arg(long)]
    rate: Option<f64>,
    /// Epochs of rules
    #[arg(long, default_value_t = RuleOptions::default().epochs)]
    rule_epochs: usize,
    /// Step width of rules
    #[arg(long, default_value_t = RuleOptions::default().rate)]
    rule_rate: f64,
    /// Learn rules by the thesis' perceptron, not by the slope of the likelihood
    #[arg(long)]
    perceptron: bool,
    /// Parts of the trees for learning rules; 1 learns them on trees that the parser has seen
    #[arg(long, default_value_t = RuleOptions::default().folds)]
    folds: usize,
    /// Parse dev files also where there is a test file; settings are chosen with these
    #[arg(long)]
    dev: bool,
    /// Only the parser with labels and its rules
    #[arg(long)]
    labelled: bool,
    /// Threads; CPU seconds are summed over them
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(options.threads))?;
    println!(
        "{:<18} {:<6} {:>30}   {:>30}   {:>20} {:>7} {:>7}",
        "",
        "",
        "binary gold: CB NC P R F1",
        "true gold: CB NC P R F1",
        "labelled: P R F1",
        "train s",
        "sent/s"
    );
    for treebank in &options.data {
        let bank = Bank::read(treebank, options)?;
        println!(
            "{treebank}: {} training trees, {} sentences of {}",
            bank.train.len(),
            bank.test.len(),
            bank.file
        );
        let kinds: &[Kind] = if options.labelled { &[Kind::Lbm] } else { &[Kind::Ccm, Kind::Bm, Kind::Lbm] };
        for &kind in kinds {
            let (model, seconds) = train(&bank, kind, options, &workers)?;
            let name = ["CCM", "BM", "LBM"][kind as usize];
            bank.report(name, &model.without_rules(), kind == Kind::Lbm, seconds[0], &workers);
            if model.n_rules() > 0 {
                bank.report("+Rules", &model, true, seconds[1], &workers);
            }
        }
    }
    Ok(())
}

/// The trees of a treebank.
struct Bank {
    train: Vec<Annotated>,
    test: Vec<Tree<Text>>,
    file: &'static str,
}

impl Bank {
    fn read(treebank: &str, options: &Options) -> anyhow::Result<Bank> {
        let path = |file: &str| format!("data/constituency/{treebank}/norm/{file}.mrg");
        let has_test =
            corpus::reference(&format!("data/constituency/{treebank}/norm"))?.join("test.mrg").exists();
        let file = if has_test && !options.dev { "test" } else { "dev" };
        let short = |tree: &Tree<Text>| tree.n_words() <= options.max_words;
        let train = corpus::trees(&path("train"))?.into_iter().filter(short).take(options.train);
        let train = train.map(Annotated::from).collect();
        Ok(Bank { train, test: corpus::trees(&path(file))?.into_iter().filter(short).collect(), file })
    }

    fn report(&self, name: &str, model: &Model, is_labelled: bool, seconds: f64, workers: &Workers) {
        let sentences: Vec<Vec<Word>> = self.test.iter().map(words_of).collect();
        let (parses, parse_seconds) = cpu::seconds(|| model.parse_all(&sentences, Decode::Sum, workers));
        let figures = |summary: &Summary| {
            format!(
                "{:>5.2} {:>5.1} {:>5.1} {:>5.1} {:>5.1}",
                summary.average_crossing(),
                summary.no_crossing_share(),
                summary.precision(),
                summary.recall(),
                summary.f1()
            )
        };
        let labelled = is_labelled.then(|| self.labelled(&parses)).map_or(String::new(), |summary| {
            format!("{:>6.2} {:>6.2} {:>6.2}", summary.precision(), summary.recall(), summary.f1())
        });
        println!(
            "{:<18} {name:<6} {:>30}   {:>30}   {labelled:>20} {seconds:>7.1} {:>7.0}",
            "",
            figures(&self.unlabelled(&parses, true)),
            figures(&self.unlabelled(&parses, false)),
            self.test.len() as f64 / parse_seconds
        );
    }

    /// All brackets of two words and more, whatever their labels, beside those of gold trees; the binary ones, or those
    /// that are nodes. Nothing is deleted.
    fn unlabelled(&self, parses: &[Parsed], is_binary: bool) -> Summary {
        let parameters = Parameters { labeled: false, ..Parameters::default() };
        let mut scorer = Scorer::new(ScoreOptions { parameters, ..ScoreOptions::default() });
        let top = Text::from("TOP");
        for (gold, parsed) in self.test.iter().zip(parses) {
            let words = words_of(gold);
            let mut binary = binarise(gold, Some(&top), false);
            binary.brackets.retain(|bracket| is_binary || !bracket.label.is_stand_in);
            scorer.add(&[skeleton(&binary, &words)], &[skeleton(&parsed.binary, &words)]);
        }
        scorer.finish().all
    }

    fn labelled(&self, parses: &[Parsed]) -> Summary {
        let mut scorer =
            Scorer::new(ScoreOptions { deletion: Deletion::GoldTags, ..ScoreOptions::default() });
        for (gold, parsed) in self.test.iter().zip(parses) {
            scorer.add(std::slice::from_ref(gold), std::slice::from_ref(&parsed.tree));
        }
        scorer.finish().all
    }
}

/// The brackets of two words and more as a tree of its own.
fn skeleton(binary: &Binary, words: &[Word]) -> Tree<Text> {
    let label = Label { is_stand_in: false, chain: vec!["X".into()] };
    let brackets = binary.brackets.iter();
    let brackets = brackets.map(|b| Bracket { start: b.start, end: b.end, label: label.clone() }).collect();
    let words: Vec<Word> =
        words.iter().map(|word| Word { tag: Some("T".into()), form: word.form.clone() }).collect();
    debinarise(&Binary { brackets, chains: Vec::new() }, &words, None)
}

/// A parser, and CPU seconds of its brackets and of its rules.
fn train(bank: &Bank, kind: Kind, options: &Options, workers: &Workers) -> anyhow::Result<(Model, [f64; 2])> {
    let mut settings = TrainOptions { kind, ..TrainOptions::default() };
    settings.learning.epochs = options.epochs.unwrap_or(settings.learning.epochs);
    settings.learning.rate = options.rate.unwrap_or(settings.learning.rate);
    let rules = RuleOptions {
        step: if options.perceptron { RuleStep::Perceptron } else { RuleStep::Likelihood },
        epochs: options.rule_epochs,
        rate: options.rule_rate,
        folds: options.folds,
        ..RuleOptions::default()
    };
    settings.rules = (kind == Kind::Lbm && rules.epochs > 0).then_some(rules);
    let n_epochs = settings.learning.epochs;
    let (training, preparation) = cpu::seconds(|| Training::new(&bank.train, settings));
    let mut training = training?;
    let (_, brackets) = cpu::seconds(|| (0..n_epochs).for_each(|_| _ = training.epoch(workers)));
    let (model, rules) = cpu::seconds(|| training.run(workers, &mut |_, _| ControlFlow::Continue(())));
    Ok((model, [preparation + brackets, rules]))
}
