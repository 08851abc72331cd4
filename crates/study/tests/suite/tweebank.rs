//! Real annotators: the tweets that several people annotated in GFL, and the treebank made of them.

use chain::Stream;
use formats::gfl::{Block, GflReader};
use score::Counts;
use score::agreement::{committed_arcs, definite_heads};
use std::collections::BTreeMap;
use study::combine::dawid_skene::{Annotated, Options, dawid_skene};
use study::combine::union;
use study::simulate::{Gold, Observed, OmissionModel, at_density, degrade_all, fit};
use study::statistics::{self, Construction, Record};
use tree::{Heads, Text};

/// Blocks with tags for all words.
fn blocks() -> Option<Vec<Block>> {
    let file = testkit::shared("data/gfl/tweebank/tweebank.anno")?;
    let bytes = std::fs::read(file).unwrap();
    let blocks = GflReader::new(bytes.as_slice()).map(|block| block.unwrap().value);
    Some(
        blocks
            .filter(|block| block.tags.as_ref().is_some_and(|tags| tags.len() == block.said.n_words))
            .collect(),
    )
}

fn tags(block: &Block) -> Vec<Text> {
    block.tags.clone().unwrap()
}

fn record(block: &Block) -> Record {
    let annotator = block.field("ANNOTATOR").unwrap_or_default().into();
    Record { annotator, said: block.said.clone(), tags: tags(block), gold: Vec::new(), seconds: None }
}

#[test]
fn annotators_of_tweets_prefer_nouns_as_heads() {
    let Some(blocks) = blocks() else { return };
    let records: Vec<Record> = blocks.iter().map(record).collect();
    let options = statistics::Options {
        constructions: vec![Construction::new("determiner–noun", &["D"], &["N", "^"])],
        ..statistics::Options::default()
    };
    let reports = statistics::by_annotator(&records, &options);
    assert!(reports.len() >= 26);
    let all = statistics::report(&records.iter().collect::<Vec<_>>(), &options);
    let sentences: usize = reports.values().map(|report| report.densities.n_sentences).sum();
    assert_eq!((sentences, all.densities.n_sentences), (records.len(), records.len()));
    let share = all.constructions[0].1.content_share().unwrap();
    assert!(share > 0.9, "{share}");
    // Nouns are annotated more often than at-mentions and punctuation, which the guidelines leave out.
    let completion = |tag: &str| all.completion[tag].value();
    assert!(completion("N") > 0.6 && completion(",") < 0.2, "{} {}", completion("N"), completion(","));
}

#[test]
fn a_simulator_fitted_to_tweets_leaves_out_the_same_tags() {
    let Some(blocks) = blocks() else { return };
    let heads: Vec<_> = blocks.iter().map(|block| definite_heads(&block.said)).collect();
    let tags: Vec<_> = blocks.iter().map(tags).collect();
    let observed: Vec<Observed> =
        heads.iter().zip(&tags).map(|(heads, tags)| Observed { tags, heads, gold: None }).collect();
    let fitted = fit(&observed, 1.0).unwrap();
    // Chains stand in for gold trees: rates by tag do not look at them.
    let chain = |tags: &Vec<Text>| {
        Gold::new(Heads::new((0..tags.len() as u32).collect()).unwrap(), tags.clone()).unwrap()
    };
    let corpus: Vec<Gold> = tags.iter().map(chain).collect();
    let degraded = degrade_all(&corpus, &fitted.per_tag(), Stream::new(8));
    let again: Vec<Observed> = degraded
        .iter()
        .zip(&tags)
        .map(|(degraded, tags)| Observed { tags, heads: &degraded.heads, gold: None })
        .collect();
    let again = fit(&again, 1.0).unwrap();
    assert_eq!(fitted.by_tag.len(), again.by_tag.len());
    for (tag, tally) in &fitted.by_tag {
        let rate = tally.rate(1.0);
        let spread = (rate * (1.0 - rate) / tally.total as f64).sqrt();
        assert!(
            (again.by_tag[tag].rate(1.0) - rate).abs() < 5.0 * spread + 2.0 / tally.total as f64,
            "{tag}"
        );
    }
    let dense = at_density(&corpus, &fitted.per_tag(), 0.75, Stream::new(8)).unwrap();
    assert!((dense.share() - 0.75).abs() < 0.0005 && matches!(dense.model, OmissionModel::PerTag { .. }));
}

/// Sentences with all their annotations, by forms, and how many annotators there are.
fn annotated(blocks: &[Block]) -> (BTreeMap<String, Annotated>, usize) {
    let mut names: Vec<String> = Vec::new();
    let mut sentences: BTreeMap<String, Annotated> = BTreeMap::new();
    for block in blocks {
        let name = block.field("ANNOTATOR").unwrap_or_default();
        let annotator = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let forms = formats::gfl::bare_forms(&block.tokens).join(" ");
        let empty = Annotated { tags: tags(block), annotations: Vec::new() };
        sentences.entry(forms).or_insert(empty).annotations.push((annotator, definite_heads(&block.said)));
    }
    (sentences, names.len())
}

/// Heads of the treebank by forms; words that are in no tree have none.
fn treebank() -> Option<BTreeMap<String, Vec<Option<usize>>>> {
    let text = std::fs::read_to_string(testkit::shared("data/gfl/tweebank/gold_train.conll")?).unwrap();
    let sentence = |block: &str| {
        let rows: Vec<Vec<&str>> = block.lines().map(|line| line.split('\t').collect()).collect();
        let forms: Vec<&str> = rows.iter().map(|row| row[1]).collect();
        (forms.join(" "), rows.iter().map(|row| row[6].parse().ok()).collect())
    };
    Some(text.split("\n\n").filter(|block| !block.trim().is_empty()).map(sentence).collect())
}

#[test]
fn tweets_with_several_annotators_are_combined() {
    let (Some(blocks), Some(treebank)) = (blocks(), treebank()) else { return };
    let (sentences, n_annotators) = annotated(&blocks);
    let (forms, sentences): (Vec<String>, Vec<Annotated>) = sentences.into_iter().unzip();
    let model = dawid_skene(&sentences, n_annotators, &Options::default()).unwrap();
    assert!(model.converged && model.objective.is_sorted_by(|a, b| *b >= *a - 1e-9 * a.abs()));
    let (mut n_several, mut n_conflicts) = (0, 0);
    let (mut by_model, mut by_majority) = (Counts::default(), Counts::default());
    for ((forms, sentence), combined) in forms.iter().zip(&sentences).zip(model.combined(&sentences)) {
        let annotations: Vec<_> = sentence.annotations.iter().map(|(_, heads)| heads.clone()).collect();
        let majority = union(&annotations).unwrap();
        n_several += usize::from(annotations.len() > 1);
        n_conflicts += majority.conflicts.len();
        assert_eq!(majority.conflicts.len(), combined.conflicts.len());
        if let Some(gold) = treebank.get(forms).filter(|_| annotations.len() > 1) {
            by_model += committed_arcs(&combined.heads, gold);
            by_majority += committed_arcs(&majority.heads, gold);
        }
    }
    assert!(n_several > 140 && n_conflicts > 200, "{n_several} {n_conflicts}");
    // The treebank was made from these annotations by hand.
    assert!(by_model.precision() > 0.8, "{by_model:?}");
    assert!(by_model.matched >= by_majority.matched, "{by_model:?} {by_majority:?}");
}
