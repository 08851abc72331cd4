//! Words: distributions that sum to one, and a reading for every string.

use chain::Workers;
use chain::container::{Header, decode, encode};
use features::RareWords;
use grammar::lexicon::TaggedForm;
use grammar::{Category, Codec, CodecOptions, Lexicon, LexiconOptions};
use proptest::prelude::*;
use std::sync::OnceLock;
use testkit::twin::{tree, treebanks};
use tree::{Text, Tree};

fn learn(trees: &[Tree<Text>], options: &LexiconOptions) -> (Codec, Lexicon) {
    let (codec, coded) = Codec::learn(trees, &CodecOptions::default());
    let words: Vec<Vec<&Text>> = trees.iter().map(|tree| tree.words().collect()).collect();
    let tokens: Vec<Vec<TaggedForm<'_>>> = coded
        .iter()
        .zip(&words)
        .map(|(coded, words)| {
            let tags = &coded.as_ref().unwrap().tags;
            tags.iter().zip(words).map(|((_, tag), form)| TaggedForm { form, tag: *tag }).collect()
        })
        .collect();
    let lexicon = Lexicon::learn(codec.rules(), &tokens, &[], options, &Workers::serial());
    (codec, lexicon)
}

fn all_options() -> Vec<LexiconOptions> {
    let base = LexiconOptions::default();
    vec![
        base.clone(),
        LexiconOptions { rare: Some(1), ..base.clone() },
        LexiconOptions { rare: Some(1), belief: 0.0, ..base.clone() },
        LexiconOptions { belief: 0.0, ..base.clone() },
        LexiconOptions { n_clusters: Some(5), ..base.clone() },
        LexiconOptions { n_clusters: Some(5), rare_words: RareWords::ClusterOnly, ..base.clone() },
        LexiconOptions { n_clusters: Some(5), rare_words: RareWords::ClusterOnly, belief: 0.0, ..base },
    ]
}

/// Other options for each treebank, to save time.
fn some_options(at: usize) -> [LexiconOptions; 2] {
    let all = all_options();
    [0, 3].map(|shift| all[(at + shift) % all.len()].clone())
}

fn toys() -> &'static Vec<(u32, Lexicon)> {
    static TOYS: OnceLock<Vec<(u32, Lexicon)>> = OnceLock::new();
    TOYS.get_or_init(|| {
        let trees = [
            tree("(S (NP (DT The) (NN dog)) (VP (VB saw) (NP (DT the) (NN cat))))"),
            tree("(S (NP (NNP Kim)) (VP (VB saw) (NP (CD 3) (NNS cats))) (. .))"),
        ];
        let toy = |options| {
            let (codec, lexicon) = learn(&trees, options);
            (codec.rules().n_rules() as u32, lexicon)
        };
        all_options().iter().map(toy).collect()
    })
}

#[test]
fn what_a_tag_emits_sums_to_one() {
    for (at, (name, trees)) in treebanks(80).into_iter().enumerate() {
        for options in some_options(at) {
            let (_, lexicon) = learn(&trees, &options);
            let mut sums: std::collections::BTreeMap<Category, f64> = Default::default();
            for (tag, mean) in lexicon.rule_tags().iter().zip(lexicon.coarse()) {
                assert!(*mean >= 0.0);
                *sums.entry(*tag).or_default() += mean;
            }
            assert_eq!(sums.len(), lexicon.tags().len(), "{name}: a tag without words");
            assert!(sums.values().all(|sum| (sum - 1.0).abs() < 1e-9), "{name}: {sums:?}");
        }
    }
}

#[test]
fn every_token_of_training_has_the_rule_of_its_tag() {
    for (at, (name, trees)) in treebanks(50).into_iter().enumerate() {
        for options in some_options(at) {
            let (codec, lexicon) = learn(&trees, &options);
            let tags = lexicon.rule_tags();
            let first = codec.rules().n_rules() as u32;
            for gold in &trees {
                let coded = codec.encode(gold, &CodecOptions::default()).unwrap();
                for (at, ((_, tag), form)) in coded.tags.iter().zip(gold.words()).enumerate() {
                    let rule = lexicon.rule(form, at == 0, *tag);
                    assert_eq!(rule.map(|rule| tags[(rule - first) as usize]), Some(*tag), "{name}: {form}");
                    let wide = lexicon.read_widely(form, at == 0);
                    assert!(wide.tags.iter().any(|reading| Some(reading.0) == rule), "{name}: {form}");
                }
            }
        }
    }
}

#[test]
fn odd_words_have_readings() {
    let odd = [
        "",
        " ",
        "😀",
        "👩‍👩‍👧",
        "日本語",
        "שלום",
        "ΑΒΓ",
        "ß",
        "İ",
        "\u{301}",
        "-",
        "3,14",
        "\u{1}word",
        "ﬀ",
        "Ǆ",
        "𐐀",
    ];
    for lexicon in toys() {
        for form in odd {
            for first in [false, true] {
                assert_reads(lexicon, form, first);
            }
        }
    }
}

fn assert_reads((first_rule, lexicon): &(u32, Lexicon), form: &str, first: bool) {
    for reading in [lexicon.read(form, first), lexicon.read_widely(form, first)] {
        assert!(!reading.tags.is_empty(), "{form:?} has no reading");
        for (rule, tag, factor) in reading.tags {
            assert!(factor.is_finite() && factor > 0.0, "{form:?}: {factor}");
            assert_eq!(lexicon.rule_tags()[(rule - first_rule) as usize], tag);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_string_has_a_reading(form in "\\PC*", first in any::<bool>()) {
        for lexicon in toys() {
            assert_reads(lexicon, &form, first);
        }
    }
}

#[test]
fn a_lexicon_reads_the_same_after_it_was_written() {
    for (at, (_, trees)) in treebanks(40).into_iter().enumerate() {
        for options in some_options(at) {
            let (_, lexicon) = learn(&trees, &options);
            let header = Header { kind: "lexicon".into(), version: 1, notes: Default::default() };
            let bytes = encode(&header, &lexicon).unwrap();
            let (_, back): (Header, Lexicon) = decode(&bytes, "lexicon", 1).unwrap();
            assert_eq!(encode(&header, &back).unwrap(), bytes);
            for form in trees[0].words().map(Text::as_str).chain(["xyzzy", "X-1", "日本"]) {
                for first in [false, true] {
                    assert_eq!(back.read(form, first), lexicon.read(form, first));
                    assert_eq!(back.read_widely(form, first), lexicon.read_widely(form, first));
                }
            }
        }
    }
}

#[test]
fn a_known_word_is_read_with_the_tags_it_was_seen_with() {
    let trees = [tree("(S (NN saw) (VB saw))"), tree("(S (NN dog) (VB saw))")];
    let (codec, lexicon) =
        learn(&trees, &LexiconOptions { rare: Some(1), belief: 0.0, ..Default::default() });
    let names = |form: &str| -> Vec<String> {
        let tags = lexicon.read(form, false).tags;
        tags.iter().map(|(_, tag, _)| codec.rules().label(*tag).to_string()).collect()
    };
    assert_eq!(names("saw"), ["NN", "VB"]);
    assert_eq!(names("dog"), ["NN"]);
    // NN: saw 1, dog 1; VB: saw 2. Next to nothing is kept back for other words.
    let tags = lexicon.rule_tags();
    let mut shares: Vec<(String, f64)> = tags
        .iter()
        .zip(lexicon.coarse())
        .filter(|(_, mean)| **mean > 1e-3)
        .map(|(tag, mean)| (codec.rules().label(*tag).to_string(), (mean * 100.0).round() / 100.0))
        .collect();
    shares.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(shares, [("NN".to_string(), 0.5), ("NN".to_string(), 0.5), ("VB".to_string(), 1.0)]);
}
