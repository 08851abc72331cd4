//! Several annotations of a tweet become one: votes beside Dawid & Skene.

use score::Counts;
use score::agreement::committed_arcs;
use study::combine::dawid_skene::{self, Annotated, DawidSkene, Options, dawid_skene};
use study::combine::{Combined, accuracy_weights, union, weighted};

use super::data::{HeadList, TweebankData, Tweet};
use super::page::{PageTable, percent};

/// The tweets as the estimation wants them.
fn annotated(data: &TweebankData) -> Vec<Annotated> {
    let one = |tweet: &Tweet| Annotated {
        tags: tweet.tags.clone(),
        annotations: tweet
            .voices()
            .into_iter()
            .map(|annotation| (annotation.annotator, annotation.heads.clone()))
            .collect(),
    };
    data.tweets.iter().map(one).collect()
}

fn estimate(data: &TweebankData, options: &Options) -> anyhow::Result<(DawidSkene, Vec<HeadList>)> {
    let sentences = annotated(data);
    let model = dawid_skene(&sentences, data.annotators.len(), options)?;
    let heads = model.combined(&sentences).into_iter().map(|combined| combined.heads).collect();
    Ok((model, heads))
}

/// The union of each tweet's annotations.
pub(super) fn unions(data: &TweebankData) -> anyhow::Result<Vec<HeadList>> {
    let one = |tweet: &Tweet| Ok(union(&tweet.head_lists())?.heads);
    data.tweets.iter().map(one).collect()
}

/// The most probable heads of each tweet.
pub(super) fn probable(data: &TweebankData) -> anyhow::Result<Vec<HeadList>> {
    Ok(estimate(data, &Options::default())?.1)
}

/// Section 3.
pub(super) fn section(data: &TweebankData) -> anyhow::Result<String> {
    let several: Vec<usize> = (0..data.tweets.len())
        .filter(|&at| data.tweets[at].voices().len() > 1 && data.tweets[at].gold().is_some())
        .collect();
    let unions: Vec<Combined> =
        data.tweets.iter().map(|tweet| union(&tweet.head_lists())).collect::<Result<_, _>>()?;
    let n_refused: usize = several.iter().map(|&at| unions[at].refused.len()).sum();
    let contested = Contested { data, several: &several, unions: &unions };
    let mut text = format!(
        "{} tweets with a tree have several annotators. {} of their words that are in a tree were given \
         different heads, and {n_refused} heads closed cycles and were kept out. Elsewhere all ways to \
         combine give the same, apart from those that ask for more than one voice. *Any tree* counts a head as right if \
         any of the tweet's trees has it.\n\n",
        several.len(),
        contested.n_words(),
    );
    let mut table = PageTable::new(&[
        "combination",
        "given",
        "right",
        "precision",
        "recall",
        "any tree",
        "contested words right",
        "%",
    ]);
    for (name, heads) in combinations(data)? {
        contested.row(&mut table, name, &heads);
    }
    text += &table.to_string();
    text += &estimated(data)?;
    Ok(text + &own_trees(data))
}

fn combinations(data: &TweebankData) -> anyhow::Result<Vec<(&'static str, Vec<HeadList>)>> {
    let each = |combine: &dyn Fn(&Tweet) -> anyhow::Result<HeadList>| -> anyhow::Result<Vec<HeadList>> {
        data.tweets.iter().map(combine).collect()
    };
    let reversed = |tweet: &Tweet| {
        let mut lists = tweet.head_lists();
        lists.reverse();
        Ok(union(&lists)?.heads)
    };
    let tuning = accuracy_weights(&tuning(data));
    let by_accuracy = |tweet: &Tweet| {
        let weights: Vec<f64> =
            tweet.voices().iter().map(|annotation| tuning[annotation.annotator]).collect();
        Ok(weighted(&tweet.head_lists(), &weights)?.heads)
    };
    let singles = || data.tweets.iter().filter(|tweet| tweet.voices().len() == 1);
    let trees = singles().filter_map(|tweet| Some((tweet.tags.as_slice(), tweet.gold()?.as_slice())));
    let standard = Options { standard: dawid_skene::standard(trees, 1.0), ..Options::default() };
    Ok(vec![
        ("the first annotation alone", each(&|tweet| Ok(tweet.voices()[0].heads.clone()))?),
        ("the last annotation alone", each(&|tweet| Ok(last(tweet)))?),
        ("agreed by all who gave a head", each(&|tweet| Ok(agreed(tweet, 1)))?),
        ("majority: more than half of the annotators", each(&|tweet| Ok(majority(tweet)))?),
        ("agreed by at least two", each(&|tweet| Ok(agreed(tweet, 2)))?),
        ("union, the first in a tie", unions(data)?),
        ("union, the last in a tie", each(&reversed)?),
        ("union weighted by accuracy elsewhere", each(&by_accuracy)?),
        ("Dawid–Skene", probable(data)?),
        ("Dawid–Skene, maximum likelihood", estimate(data, &Options::maximum_likelihood())?.1),
        ("Dawid–Skene, prevalences of other trees", estimate(data, &standard)?.1),
    ])
}

fn last(tweet: &Tweet) -> HeadList {
    tweet.voices().last().map(|annotation| annotation.heads.clone()).unwrap_or_default()
}

/// Heads given by at least so many annotators, all of those who gave one.
fn agreed(tweet: &Tweet, at_least: usize) -> HeadList {
    let lists = tweet.head_lists();
    let word = |word: usize| {
        let given: Vec<usize> = lists.iter().filter_map(|heads| heads[word]).collect();
        let first = *given.first()?;
        (given.len() >= at_least && given.iter().all(|&head| head == first)).then_some(first)
    };
    (0..tweet.forms.len()).map(word).collect()
}

/// Heads given by more than half of those who annotated the tweet.
fn majority(tweet: &Tweet) -> HeadList {
    let lists = tweet.head_lists();
    let word = |word: usize| {
        let votes = |head: usize| lists.iter().filter(|heads| heads[word] == Some(head)).count();
        lists.iter().filter_map(|heads| heads[word]).find(|&head| 2 * votes(head) > lists.len())
    };
    (0..tweet.forms.len()).map(word).collect()
}

/// How right each annotator is on tweets that nobody else annotated.
fn tuning(data: &TweebankData) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); data.annotators.len()];
    for tweet in data.tweets.iter().filter(|tweet| tweet.voices().len() == 1) {
        let annotation = tweet.voices()[0];
        if let Some(gold) = tweet.gold() {
            counts[annotation.annotator] += committed_arcs(&annotation.heads, gold);
        }
    }
    counts
}

/// Tweets with several annotations, and the words on which these differ.
struct Contested<'a> {
    data: &'a TweebankData,
    several: &'a [usize],
    unions: &'a [Combined],
}

impl Contested<'_> {
    /// Contested words that are in a tree: tweet and word, from 0.
    fn words(&self) -> impl Iterator<Item = (usize, usize)> {
        self.several.iter().flat_map(|&at| {
            let gold = self.data.tweets[at].gold();
            let words = self.unions[at].conflicts.iter().map(|conflict| conflict.word - 1);
            words
                .filter(move |&word| gold.is_some_and(|gold| gold[word].is_some()))
                .map(move |word| (at, word))
        })
    }

    fn n_words(&self) -> usize {
        self.words().count()
    }

    fn row(&self, table: &mut PageTable, name: &str, heads: &[HeadList]) {
        let mut counts = Counts::default();
        let mut any = 0;
        for &at in self.several {
            let tweet = &self.data.tweets[at];
            let Some(gold) = tweet.gold() else { continue };
            counts += committed_arcs(&heads[at], gold);
            let given = (0..gold.len()).filter(|&word| gold[word].is_some() && heads[at][word].is_some());
            any += given.filter(|&word| tweet.trees.iter().any(|tree| tree[word] == heads[at][word])).count();
        }
        let right = |&(at, word): &(usize, usize)| {
            let gold = self.data.tweets[at].gold();
            heads[at][word].is_some() && gold.is_some_and(|gold| gold[word] == heads[at][word])
        };
        let n_right = self.words().filter(right).count();
        table.row([
            name.to_owned(),
            counts.system.to_string(),
            counts.matched.to_string(),
            percent(counts.matched, counts.system),
            percent(counts.matched, counts.gold),
            percent(any, counts.system),
            n_right.to_string(),
            percent(n_right, self.n_words()),
        ]);
    }
}

/// What the model believes of its annotators beside what the trees say.
fn estimated(data: &TweebankData) -> anyhow::Result<String> {
    let (model, _) = estimate(data, &Options::default())?;
    let mut truth = vec![Counts::default(); data.annotators.len()];
    for (tweet, annotation) in data.annotations() {
        if let Some(gold) = tweet.gold() {
            truth[annotation.annotator] += committed_arcs(&annotation.heads, gold);
        }
    }
    let pairs: Vec<(f64, f64)> = model
        .annotators
        .iter()
        .zip(&truth)
        .filter(|(_, counts)| counts.system >= 50)
        .filter_map(|(annotator, counts)| Some((annotator.accuracy()?, counts.precision())))
        .collect();
    Ok(format!(
        "Dawid–Skene stopped after {} iterations. Over the {} annotators with 50 heads or more, the accuracy that it \
         believes in and the precision against the trees have a rank correlation of {:.2}.\n\n",
        model.objective.len().saturating_sub(1),
        pairs.len(),
        rank_correlation(&pairs),
    ))
}

/// Spearman's: the correlation of ranks. Ties are not expected and are ranked in order.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |of: fn(&(f64, f64)) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| of(&pairs[a]).total_cmp(&of(&pairs[b])));
        let mut ranks = vec![0.0; pairs.len()];
        order.iter().enumerate().for_each(|(rank, &at)| ranks[at] = rank as f64);
        ranks
    };
    let n = pairs.len() as f64;
    let square: f64 =
        ranks(|pair| pair.0).iter().zip(ranks(|pair| pair.1)).map(|(a, b)| (a - b) * (a - b)).sum();
    1.0 - 6.0 * square / (n * (n * n - 1.0))
}

/// Tweets of which every annotation became a tree: annotations against their own and the other trees, and
/// trees against each other.
fn own_trees(data: &TweebankData) -> String {
    let (mut own, mut other, mut trees) = (Counts::default(), Counts::default(), Counts::default());
    let (mut n_tweets, mut n_pairs, mut n_same) = (0, 0, 0);
    for tweet in data.tweets.iter().filter(|tweet| tweet.has_tree_per_annotation()) {
        n_tweets += 1;
        for (a, (annotation, tree)) in tweet.annotations.iter().zip(&tweet.trees).enumerate() {
            own += committed_arcs(&annotation.heads, tree);
            for (b, second) in tweet.trees.iter().enumerate().filter(|&(b, _)| b != a) {
                other += committed_arcs(&annotation.heads, second);
                if a < b {
                    n_pairs += 1;
                    n_same += usize::from(tree == second);
                    trees += committed_arcs(tree, second);
                }
            }
        }
    }
    let precision =
        |counts: Counts| format!("in {} % of {}", percent(counts.matched, counts.system), counts.system);
    format!(
        "**Trees belong to annotations.** The treebank has its trees in the order of the annotations, and {n_tweets} \
         tweets have as many trees as annotations; their listed tree, which counts elsewhere on this page, is the \
         last one's. There, the heads that an annotator gave are right {} by the tree in the place of that annotation, and \
         {} by the trees of the others. Of {n_pairs} pairs of trees of the same tweet {n_same} are identical; they \
         agree {} words that are in both.\n\n",
        precision(own),
        precision(other),
        precision(trees),
    )
}
