//! Trees made of what people really said, against the treebank's.

use anyhow::Context;
use arcs::Roots;
use arcs::rules::RuleTable;
use chain::Workers;
use impute::Fragment;
use impute::baselines::{Branching, branching_completion};
use impute::convex::{self, ConvexOptions};
use impute::gpc::{CompleteOptions, Gpc, GpcOptions};
use score::{Accuracy, Counts};
use tree::{BracketReading, Constraints, GroupKind, Heads, MultiwordHead, PartialTree, Reading};

use super::annotators::READINGS;
use super::data::{Annotation, HeadList, TweebankData, Tweet};
use super::page::{PageTable, percent};
use crate::imputation::ImputationSystem;

const METHODS: [ImputationSystem; 7] = [
    ImputationSystem::Rb,
    ImputationSystem::Rbc,
    ImputationSystem::Gpc,
    ImputationSystem::GpcUg,
    ImputationSystem::Ug,
    ImputationSystem::Gfl,
    ImputationSystem::Both,
];

/// Tags of tweets that the universal rules have other names for. Contractions with a verb head sentences as verbs do.
const NAMES: &str = "N NOUN\n^ NOUN\nZ NOUN\nS NOUN\nM NOUN\nV VERB\nL VERB\nY VERB\nA ADJ\nR ADV\nD DET\nP ADP\nO PRON\n& CONJ\n$ NUM\n";

/// A tweet and what is said of it.
struct SaidTweet<'a> {
    tweet: &'a Tweet,
    said: PartialTree,
    /// Where the annotation, or the first of several, begins in the file.
    line: u32,
}

impl<'a> SaidTweet<'a> {
    fn alone(tweet: &'a Tweet, annotation: &Annotation) -> SaidTweet<'a> {
        SaidTweet { tweet, said: annotation.said.clone(), line: annotation.line }
    }

    /// What one person said, as it is, or the heads that several people's annotations are combined to.
    fn combined(tweet: &'a Tweet, heads: &HeadList) -> SaidTweet<'a> {
        match &tweet.voices()[..] {
            [only] => SaidTweet::alone(tweet, only),
            voices => {
                let said = PartialTree { mentioned: tweet.mentioned(), ..study::said(heads) };
                SaidTweet { tweet, said, line: voices[0].line }
            }
        }
    }
}

/// How annotations are read and combined.
struct Setting<'a> {
    name: String,
    reading: Reading,
    items: &'a [SaidTweet<'a>],
}

/// Section 1.
pub(super) fn section(data: &TweebankData, seed: u64, workers: &Workers) -> anyhow::Result<String> {
    let with_tree = || data.tweets.iter().enumerate().filter(|(_, tweet)| tweet.gold().is_some());
    let combined = |heads: Vec<HeadList>| -> Vec<SaidTweet> {
        with_tree().map(|(at, tweet)| SaidTweet::combined(tweet, &heads[at])).collect()
    };
    let unions = combined(super::combine::unions(data)?);
    let probable = combined(super::combine::probable(data)?);
    let voices =
        |(_, tweet)| Tweet::voices(tweet).into_iter().map(move |voice| SaidTweet::alone(tweet, voice));
    let each: Vec<SaidTweet> = with_tree().flat_map(voices).collect();
    let mut text = multiwords(&each);
    for omit_unmentioned in [false, true] {
        let mut settings = Vec::new();
        for (combination, items) in [("union", &unions), ("Dawid–Skene", &probable), ("each", &each)] {
            for (name, brackets) in READINGS {
                let reading = Reading { brackets, omit_unmentioned, ..Reading::default() };
                settings.push(Setting { name: format!("{combination}, {name}"), reading, items });
            }
        }
        let columns: anyhow::Result<Vec<SettingColumn>> =
            settings.iter().map(|setting| SettingColumn::new(setting, seed, workers)).collect();
        let n_different = each.iter().filter(|item| differ(item, omit_unmentioned)).count();
        text += match omit_unmentioned {
            false => "### Words that were not mentioned take part\n\n",
            true => "### Words that were not mentioned are left out of the tree\n\n",
        };
        text += &show(&columns?, n_different);
    }
    Ok(text)
}

/// The figures of one setting.
struct SettingColumn {
    name: String,
    /// Heads that the annotation leaves no choice about.
    given: Counts,
    /// The same in tweets of one annotator.
    given_alone: Counts,
    /// Annotations that contradict themselves, by line.
    conflicts: Vec<u32>,
    /// Words of trees that were left out.
    n_left_out: usize,
    /// Tweets without a projective tree, which the sampler does not learn from.
    n_unusable: usize,
    rows: Vec<AccuracyRow>,
}

#[derive(Default)]
struct AccuracyRow {
    all: Accuracy,
    given: Accuracy,
    open: Accuracy,
}

impl SettingColumn {
    fn new(setting: &Setting<'_>, seed: u64, workers: &Workers) -> anyhow::Result<SettingColumn> {
        let items = setting.items;
        let mut conflicts = Vec::new();
        let (mut fragments, mut bare) = (Vec::new(), Vec::new());
        for SaidTweet { tweet, said, line } in items {
            let sentence = tweet.sentence();
            let mentioned =
                PartialTree { mentioned: said.mentioned_words(), ..PartialTree::new(said.n_words) };
            let nothing = Fragment::new(&sentence, &mentioned, &setting.reading)?;
            fragments.push(match Fragment::new(&sentence, said, &setting.reading) {
                Ok(fragment) => fragment,
                Err(_) => {
                    conflicts.push(*line);
                    nothing.clone()
                }
            });
            bare.push(nothing);
        }
        let mut column = SettingColumn {
            name: setting.name.clone(),
            given: Counts::default(),
            given_alone: Counts::default(),
            conflicts,
            n_left_out: 0,
            n_unusable: 0,
            rows: Vec::new(),
        };
        column.count_given(items, &fragments);
        for method in METHODS {
            let imputer = Imputer { fragments: &fragments, bare: &bare, seed, workers };
            let (heads, n_unusable) = imputer.run(method)?;
            column.n_unusable = column.n_unusable.max(n_unusable);
            column.rows.push(AccuracyRow::new(items, &fragments, &heads));
        }
        Ok(column)
    }

    fn count_given(&mut self, items: &[SaidTweet<'_>], fragments: &[Fragment]) {
        for (SaidTweet { tweet, .. }, fragment) in items.iter().zip(fragments) {
            for (word, head) in words(tweet) {
                let given = fragment.possible.whole().required_head(word);
                let (system, matched) = (usize::from(given.is_some()), usize::from(given == Some(head)));
                let counts = Counts { gold: 1, system, matched };
                self.given += counts;
                if tweet.voices().len() == 1 {
                    self.given_alone += counts;
                }
                self.n_left_out += usize::from(fragment.possible.left_out(word));
            }
        }
    }
}

impl AccuracyRow {
    fn new(items: &[SaidTweet<'_>], fragments: &[Fragment], heads: &[Heads]) -> AccuracyRow {
        let mut row = AccuracyRow::default();
        for ((SaidTweet { tweet, .. }, fragment), heads) in items.iter().zip(fragments).zip(heads) {
            for (word, head) in words(tweet) {
                // A word that is left out hangs from the root only for want of another place.
                let right = !fragment.possible.left_out(word) && heads.head(word) == head;
                row.all.add(right);
                let given = fragment.possible.whole().required_head(word).is_some();
                if given { row.given.add(right) } else { row.open.add(right) }
            }
        }
        row
    }
}

/// The words that are in the tweet's tree, from 1, with their heads.
fn words(tweet: &Tweet) -> impl Iterator<Item = (usize, usize)> {
    let heads = tweet.gold().into_iter().flatten();
    (1..).zip(heads).filter_map(|(word, head)| Some((word, (*head)?)))
}

/// How far the head of multiwords is a matter of convention: precision with the first word, with the last, and
/// of words outside.
fn multiwords(items: &[SaidTweet<'_>]) -> String {
    let mut counts = [Counts::default(); 3];
    for SaidTweet { tweet, said, .. } in items {
        let inside: Vec<usize> = said
            .groups
            .iter()
            .filter_map(|group| match &group.kind {
                GroupKind::Multiword { words } => Some(words),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        for (at, multiword) in [MultiwordHead::First, MultiwordHead::Last].into_iter().enumerate() {
            let reading = Reading { multiword, brackets: BracketReading::Connected, ..Reading::default() };
            let Ok(read) = Constraints::from_partial(said, &reading) else { continue };
            for (word, head) in words(tweet) {
                let Some(given) = read.required_head(word) else { continue };
                let add = Counts { gold: 1, system: 1, matched: usize::from(given == head) };
                counts[at] += add;
                if at == 0 && !inside.contains(&word) && !inside.contains(&given) {
                    counts[2] += add;
                }
            }
        }
    }
    let [first, last, outside] =
        counts.map(|counts| format!("{} % of {}", percent(counts.matched, counts.system), counts.system));
    format!(
        "The annotations do not say which word of a multiword heads it. Of the heads that are given, {first} are right if it \
         is the first, {last} if it is the last, and {outside} where neither the word nor its head is in a multiword.\n\n"
    )
}

struct Imputer<'a> {
    fragments: &'a [Fragment],
    /// The same tweets with nothing said but which words are mentioned.
    bare: &'a [Fragment],
    seed: u64,
    workers: &'a Workers,
}

impl Imputer<'_> {
    /// The trees, and how many tweets could not be learned from.
    fn run(&self, method: ImputationSystem) -> anyhow::Result<(Vec<Heads>, usize)> {
        let mut rules = RuleTable::default();
        rules.add_names(NAMES).context("names of tags")?;
        let mu = ConvexOptions::default().mu;
        let trees = match method {
            ImputationSystem::Rb => self.bare.iter().map(branching).collect::<anyhow::Result<_>>()?,
            ImputationSystem::Rbc => self
                .workers
                .map(self.fragments, |_, fragment| branching_completion(fragment, Branching::Right)),
            ImputationSystem::Gpc => return self.gpc(None),
            ImputationSystem::GpcUg => return self.gpc(Some(rules)),
            ImputationSystem::Ug => self.convex(self.bare, mu, rules),
            ImputationSystem::Gfl => self.convex(self.fragments, 0.0, rules),
            ImputationSystem::Both => self.convex(self.fragments, mu, rules),
            ImputationSystem::Drop
            | ImputationSystem::FillCrf
            | ImputationSystem::FillGpcCrf
            | ImputationSystem::Crf
            | ImputationSystem::CrfUg => {
                anyhow::bail!("{} is not among the completers of tweets", method.name())
            }
        };
        Ok((trees, 0))
    }

    fn convex(&self, fragments: &[Fragment], mu: f64, rules: RuleTable) -> Vec<Heads> {
        // The temperature concerns probabilities, which are not looked at here.
        let options = ConvexOptions {
            mu,
            rules,
            roots: Roots::Many,
            temperature: Some(0.1),
            ..ConvexOptions::default()
        };
        let model = convex::train(fragments, &options, self.workers).model;
        model.complete_all(fragments, self.workers).into_iter().map(|completed| completed.heads).collect()
    }

    fn gpc(&self, rules: Option<RuleTable>) -> anyhow::Result<(Vec<Heads>, usize)> {
        let options = GpcOptions { rules, seed: self.seed, roots: Roots::Many, ..GpcOptions::default() };
        let gpc = Gpc::new(self.fragments, options, self.workers)?;
        let n_unusable = gpc.unusable().len();
        let model = gpc.run(chain::Start::Fresh, &mut (), self.workers)?.model;
        let completions = model.complete_all(self.fragments, &CompleteOptions::default(), self.workers);
        Ok((completions.into_iter().map(|completion| completion.completed.heads).collect(), n_unusable))
    }
}

/// Every word that is part of the tree depends on the one before it.
fn branching(fragment: &Fragment) -> anyhow::Result<Heads> {
    let mut before = 0;
    let mut heads = vec![0; fragment.len()];
    for word in (1..=fragment.len()).filter(|&word| !fragment.possible.left_out(word)) {
        heads[word - 1] = before;
        before = word as u32;
    }
    Ok(Heads::new(heads)?)
}

/// Whether the two readings of brackets leave different arcs.
fn differ(SaidTweet { tweet, said, .. }: &SaidTweet<'_>, omit_unmentioned: bool) -> bool {
    let read = |brackets| {
        Constraints::from_partial(said, &Reading { brackets, omit_unmentioned, ..Reading::default() })
    };
    let [(_, subtree), (_, connected)] = READINGS;
    match (read(subtree), read(connected)) {
        (Ok(one), Ok(other)) => {
            let n_words = tweet.forms.len();
            let mut arcs = (1..=n_words).flat_map(|word| (0..=n_words).map(move |head| (head, word)));
            arcs.any(|(head, word)| one.allows_arc(head, word) != other.allows_arc(head, word))
        }
        (one, other) => one.is_ok() != other.is_ok(),
    }
}

fn show(columns: &[SettingColumn], n_different: usize) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut given = PageTable::new(&[&["what was given"], &names[..]].concat());
    let mut add = |name: &str, of: &dyn Fn(&SettingColumn) -> String| {
        given.row([name.to_owned()].into_iter().chain(columns.iter().map(of)));
    };
    add("words in the trees", &|column| column.given.gold.to_string());
    add("heads given", &|column| column.given.system.to_string());
    add("right", &|column| column.given.matched.to_string());
    add("precision %", &|column| percent(column.given.matched, column.given.system));
    add("recall %", &|column| percent(column.given.matched, column.given.gold));
    let alone = |column: &SettingColumn| column.given_alone;
    add("precision %, one annotator", &|column| percent(alone(column).matched, alone(column).system));
    add("open words", &|column| (column.given.gold - column.given.system).to_string());
    add("open words, one annotator", &|column| (alone(column).gold - alone(column).system).to_string());
    add("words of trees left out", &|column| column.n_left_out.to_string());
    add("contradicting themselves", &|column| column.conflicts.len().to_string());
    add("without a projective tree", &|column| column.n_unusable.to_string());
    let mut imputed = PageTable::new(&[&["UAS % (given / open words)"], &names[..]].concat());
    for (at, method) in METHODS.into_iter().enumerate() {
        let cell = |column: &SettingColumn| {
            let of = |accuracy: Accuracy| percent(accuracy.correct, accuracy.total);
            let row = &column.rows[at];
            format!("{} ({} / {})", of(row.all), of(row.given), of(row.open))
        };
        imputed.row([method.name().to_owned()].into_iter().chain(columns.iter().map(cell)));
    }
    let mut conflicts: Vec<u32> =
        columns.iter().flat_map(|column| column.conflicts.iter().copied()).collect();
    conflicts.sort_unstable();
    conflicts.dedup();
    let list: Vec<String> = conflicts.iter().map(u32::to_string).collect();
    let conflicts = match &list[..] {
        [] => String::new(),
        _ => format!(
            " Of those that contradict themselves nothing is taken but which words they mention: blocks at lines {}.",
            list.join(", ")
        ),
    };
    format!(
        "{given}{imputed}The two readings of brackets allow different arcs in {n_different} annotations.{conflicts}\n\n"
    )
}
