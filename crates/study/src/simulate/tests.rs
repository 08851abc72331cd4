use super::*;
use proptest::prelude::*;
use score::agreement::committed_arcs;
use score::commitment::{Nodes, support};

fn gold(heads: &[u32], tags: &str) -> Gold {
    let tags = tags.split_whitespace().map(Text::from).collect();
    Gold::new(Heads::new(heads.to_vec()).unwrap(), tags).unwrap()
}

/// recently retired players from Montana organized the event
fn players() -> Gold {
    gold(&[2, 3, 6, 3, 4, 0, 8, 6], "ADV ADJ NOUN ADP PROPN VERB DET NOUN")
}

fn brackets(said: &PartialTree) -> Vec<(Vec<usize>, bool)> {
    let bracket = |(index, group): (usize, &Group)| {
        let has_head = matches!(group.kind, GroupKind::Bracket { head: Some(_), .. });
        (said.words_of(Node::Group(index)), has_head)
    };
    said.groups.iter().enumerate().map(bracket).collect()
}

#[test]
fn a_noun_seeker_clears_links_and_leaves_the_rest() {
    let stream = Stream::new(1);
    let cleared = degrade(&players(), &OmissionModel::noun_seeking(1.0, 1.0), stream);
    assert_eq!(cleared.heads, [None, None, Some(6), None, None, None, None, Some(6)]);
    assert_eq!(brackets(&cleared.said), [(vec![1, 2, 3, 4, 5], true), (vec![7, 8], true)]);
    let complete = degrade(&players(), &OmissionModel::noun_seeking(0.0, 1.0), stream);
    assert_eq!(complete.heads[..5], [Some(2), Some(3), Some(6), Some(3), Some(4)]);
    assert_eq!(complete.heads[5..], [None, Some(8), Some(6)]);
    assert_eq!(complete.said.groups, []);
    let unlinked = degrade(&players(), &OmissionModel::noun_seeking(1.0, 0.0), stream);
    assert_eq!(unlinked.heads, [None; 8]);
    assert_eq!(brackets(&unlinked.said), [(vec![1, 2, 3, 4, 5], false), (vec![7, 8], false)]);
    let only_links_lost = degrade(&players(), &OmissionModel::noun_seeking(0.0, 0.0), stream);
    assert_eq!(only_links_lost.heads, [Some(2), Some(3), None, Some(3), None, None, Some(8), None]);
}

#[test]
fn a_constituent_seeker_clears_the_phrases_of_its_tags() {
    let alpha = Rates::from_iter([("ADP".into(), 1.0), ("ADJ".into(), 1.0)]);
    let model = OmissionModel::ConstituentSeeking { alpha, beta: 1.0 };
    let degraded = degrade(&players(), &model, Stream::new(1));
    assert_eq!(brackets(&degraded.said), [(vec![1, 2], true), (vec![4, 5], true)]);
    assert_eq!(degraded.n_kept(), 6);
    assert_eq!(degraded.said.roots, [(Node::Word(6), Place::default())]);
}

#[test]
fn levels_lose_a_tenth_more_each_and_never_more_than_all() {
    let n_words = 20u32;
    let chain = gold(&(0..n_words).collect::<Vec<_>>(), &"X ".repeat(20));
    let n_sentences = 2000;
    let corpus = vec![chain; n_sentences];
    let mut kept = [0usize; 20];
    for degraded in degrade_all(&corpus, &OmissionModel::level_pruning(-0.1), Stream::new(5)) {
        (0..20).for_each(|index| kept[index] += usize::from(degraded.heads[index].is_some()));
    }
    for (index, &kept) in kept.iter().enumerate() {
        let rate = (0.1 * index as f64 - 0.1).clamp(0.0, 1.0);
        let spread = (rate * (1.0 - rate) * n_sentences as f64).sqrt();
        let expected = (1.0 - rate) * n_sentences as f64;
        assert!((kept as f64 - expected).abs() <= 5.0 * spread + 1e-6, "depth {}: {kept}", index + 1);
    }
}

#[test]
fn a_word_is_kept_if_it_is_linked_and_no_ancestor_is_cleared() {
    // p(kept) = β · Π over ancestors of (1 − α).
    let alpha = Rates::from_iter([("NOUN".into(), 0.3), ("VERB".into(), 0.2), ("ADP".into(), 0.5)]);
    let model = OmissionModel::ConstituentSeeking { alpha, beta: 0.8 };
    let n_sentences = 10_000;
    let corpus = vec![players(); n_sentences];
    let mut kept = [0usize; 8];
    for degraded in degrade_all(&corpus, &model, Stream::new(2)) {
        (0..8).for_each(|index| kept[index] += usize::from(degraded.heads[index].is_some()));
    }
    let shares = [0.56, 0.56, 0.8, 0.56, 0.28, 1.0, 0.56, 0.8].map(|above| above * 0.8);
    for (&kept, share) in kept.iter().zip(shares) {
        let spread = (share * (1.0 - share) * n_sentences as f64).sqrt();
        assert!((kept as f64 - share * n_sentences as f64).abs() < 5.0 * spread, "{kept} for {share}");
    }
}

#[test]
fn a_wanted_density_is_reached() {
    let corpus = vec![players(); 200];
    let alpha = Rates { other: 0.2, ..Rates::from_iter([("NOUN".into(), 0.4)]) };
    let rates = Rates { other: 0.5, ..Rates::from_iter([("DET".into(), 0.1), ("ADP".into(), 0.9)]) };
    let models = [
        OmissionModel::Random { rate: 0.5 },
        OmissionModel::Random { rate: 0.0 },
        OmissionModel::ConstituentSeeking { alpha, beta: 0.9 },
        OmissionModel::level_pruning(0.2),
        OmissionModel::LevelPruning { first: 0.9, step: -0.2 },
        OmissionModel::PerDepth { rates: vec![0.0, 0.5] },
        OmissionModel::PerTag { rates },
    ];
    for model in models {
        for wanted in [0.0, 0.3, 0.5, 0.7, 0.9, 1.0] {
            let found = at_density(&corpus, &model, wanted, Stream::new(4)).unwrap();
            assert!((found.share() - wanted).abs() <= 0.005, "{model:?} {wanted}: {}", found.share());
            let n_kept: usize =
                degrade_all(&corpus, &found.model, Stream::new(4)).iter().map(Degraded::n_kept).sum();
            assert_eq!(n_kept, found.n_kept);
        }
    }
}

#[test]
fn a_noun_seeker_keeps_no_more_than_noun_phrases() {
    let corpus = vec![players(); 100];
    let found = at_density(&corpus, &OmissionModel::noun_seeking(0.3, 0.6), 0.95, Stream::new(4)).unwrap();
    assert_eq!(found.share(), 7.0 / 8.0);
    assert_eq!(found.model, OmissionModel::noun_seeking(0.0, 1.0));
    let half = at_density(&corpus, &OmissionModel::noun_seeking(0.3, 0.6), 0.5, Stream::new(4)).unwrap();
    assert!((half.share() - 0.5).abs() <= 0.005, "{}", half.share());
}

#[test]
fn senseless_rates_densities_and_corpora_are_refused() {
    let corpus = [players()];
    let stream = Stream::new(1);
    assert!(at_density(&corpus, &OmissionModel::Random { rate: 1.5 }, 0.5, stream).is_err());
    assert!(at_density(&corpus, &OmissionModel::Random { rate: 0.5 }, f64::NAN, stream).is_err());
    assert!(at_density(&corpus, &OmissionModel::PerDepth { rates: vec![] }, 0.5, stream).is_err());
    assert!(matches!(
        at_density(&[], &OmissionModel::Random { rate: 0.5 }, 0.5, stream),
        Err(Error::Nothing { .. })
    ));
    let tree = Heads::new(vec![0]).unwrap();
    assert!(matches!(Gold::new(tree, vec![]), Err(Error::Length { found: 0, n_words: 1, .. })));
}

#[test]
fn rates_are_counted_and_smoothed() {
    let gold = players();
    let heads = [None, Some(3), Some(6), Some(3), None, Some(0), None, Some(1)];
    let observed = [Observed { tags: gold.tags(), heads: &heads, gold: Some(gold.heads()) }];
    let fitted = fit(&observed, 1.0).unwrap();
    assert_eq!(fitted.overall, Tally { open: 3, total: 8 });
    assert_eq!(fitted.by_tag["NOUN"], Tally { open: 0, total: 2 });
    assert_eq!(fitted.by_depth, [(0, 1), (0, 2), (1, 3), (2, 2)].map(|(open, total)| Tally { open, total }));
    assert_eq!(fitted.random(), OmissionModel::Random { rate: 0.4 });
    assert_eq!(fitted.per_depth(), Some(OmissionModel::PerDepth { rates: vec![1.0 / 3.0, 0.25, 0.4, 0.75] }));
    let OmissionModel::PerTag { rates } = fitted.per_tag() else { panic!() };
    assert_eq!((rates.of("NOUN"), rates.of("DET"), rates.of("X")), (0.25, 2.0 / 3.0, 0.4));
    assert!(matches!(fit(&[], 1.0), Err(Error::Nothing { .. })));
    assert!(fit(&observed, -1.0).is_err());
}

#[test]
fn a_fitted_annotator_is_found_again() {
    let corpus = vec![players(); 3000];
    let rates = Rates { other: 0.3, ..Rates::from_iter([("DET".into(), 0.05), ("ADP".into(), 0.8)]) };
    let model = OmissionModel::PerTag { rates: rates.clone() };
    let degraded = degrade_all(&corpus, &model, Stream::new(9));
    let observed: Vec<Observed> = corpus
        .iter()
        .zip(&degraded)
        .map(|(gold, degraded)| Observed {
            tags: gold.tags(),
            heads: &degraded.heads,
            gold: Some(gold.heads()),
        })
        .collect();
    let OmissionModel::PerTag { rates: found } = fit(&observed, 1.0).unwrap().per_tag() else { panic!() };
    for tag in ["DET", "ADP", "NOUN", "VERB"] {
        // Five standard errors at most: √(¼ / 3000) · 5.
        assert!((found.of(tag) - rates.of(tag)).abs() < 0.046, "{tag}: {}", found.of(tag));
    }
}

/// Algorithm 4 as printed, with a queue and a tree whose heads are cut on the way.
fn as_printed(plan: &Plan, alpha: &Rates, beta: f64) -> Vec<Option<usize>> {
    let heads = &plan.gold.heads;
    let mut left: Vec<Option<usize>> = (1..=heads.len()).map(|word| Some(heads.head(word))).collect();
    let mut queue: std::collections::VecDeque<usize> = heads.dependents(0).collect();
    while let Some(word) = queue.pop_front() {
        if plan.clear[word] < alpha.of(&plan.gold.tags[word - 1]) {
            for below in (1..=heads.len()).filter(|&below| below != word && heads.dominates(word, below)) {
                left[below - 1] = None;
            }
        }
        let children: Vec<usize> =
            heads.dependents(word).filter(|&child| left[child - 1].is_some()).collect();
        if plan.unlink[word] < 1.0 - beta {
            left[word - 1] = None;
        }
        queue.extend(children);
    }
    left
}

fn any_gold() -> impl Strategy<Value = Gold> {
    (1usize..9).prop_flat_map(|n| {
        let heads = prop::collection::vec(any::<prop::sample::Index>(), n);
        let tags = prop::collection::vec(prop::sample::select(vec!["NOUN", "VERB", "DET"]), n);
        (heads, tags, Just((1..=n).collect::<Vec<usize>>()).prop_shuffle()).prop_map(
            |(picks, tags, order)| {
                // Each word hangs from the root or from a word before it in a random order.
                let mut heads = vec![0u32; order.len()];
                for (place, pick) in picks.iter().enumerate() {
                    let head = pick.index(place + 1);
                    heads[order[place] - 1] = if head == 0 { 0 } else { order[head - 1] as u32 };
                }
                gold(&heads, &tags.join(" "))
            },
        )
    })
}

fn any_model() -> impl Strategy<Value = OmissionModel> {
    let rate = || 0.0f64..=1.0;
    let rates = (rate(), rate(), rate()).prop_map(|(noun, verb, other)| Rates {
        other,
        ..Rates::from_iter([("NOUN".into(), noun), ("VERB".into(), verb)])
    });
    prop_oneof![
        rate().prop_map(|rate| OmissionModel::Random { rate }),
        (rate(), rate()).prop_map(|(alpha, beta)| OmissionModel::noun_seeking(alpha, beta)),
        (rates.clone(), rate()).prop_map(|(alpha, beta)| OmissionModel::ConstituentSeeking { alpha, beta }),
        (-1.0f64..2.0, -0.5f64..0.5).prop_map(|(first, step)| OmissionModel::LevelPruning { first, step }),
        prop::collection::vec(rate(), 1..4).prop_map(|rates| OmissionModel::PerDepth { rates }),
        rates.prop_map(|rates| OmissionModel::PerTag { rates }),
    ]
}

proptest! {
    #[test]
    fn what_is_kept_is_gold_and_the_gold_tree_is_supported(gold in any_gold(), model in any_model(), seed: u64) {
        let degraded = degrade(&gold, &model, Stream::new(seed));
        let golden: Vec<_> = (1..=gold.heads.len()).map(|word| Some(gold.heads.head(word))).collect();
        let counts = committed_arcs(&degraded.heads, &golden);
        prop_assert_eq!((counts.matched, counts.system), (degraded.n_kept(), degraded.n_kept()));
        prop_assert_eq!(degraded.said.arcs.len() + degraded.said.roots.len(), degraded.n_kept());
        let support = support(&degraded.said, &Nodes::All);
        for word in 1..=gold.heads.len() {
            prop_assert!(support.heads[word - 1].contains(&gold.heads.head(word)), "{:?}", degraded);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bits_in_any_order(gold in any_gold(), model in any_model(), seed: u64) {
        let stream = Stream::new(seed);
        let all = degrade_all(&[players(), gold.clone()], &model, stream);
        prop_assert_eq!(&all[1], &degrade(&gold, &model, stream.item(1)));
    }

    #[test]
    fn a_constituent_seeker_does_what_is_printed(gold in any_gold(), noun in 0.0f64..=1.0, other in 0.0f64..=1.0,
            beta in 0.0f64..=1.0, seed: u64) {
        let alpha = Rates { other, ..Rates::from_iter([("NOUN".into(), noun)]) };
        let printed = as_printed(&Plan::new(&gold, Stream::new(seed)), &alpha, beta);
        let model = OmissionModel::ConstituentSeeking { alpha, beta };
        prop_assert_eq!(degrade(&gold, &model, Stream::new(seed)).heads, printed);
    }

    #[test]
    fn a_higher_rate_removes_the_same_and_more(gold in any_gold(), model in any_model(),
            one in -1.0f64..=1.0, other in -1.0f64..=1.0, seed: u64) {
        let stream = Stream::new(seed);
        let at = |x| degrade(&gold, &model.turned(x, gold.heads.depth()), stream).heads;
        let (more, fewer) = (at(one.min(other)), at(one.max(other)));
        prop_assert!(more.iter().zip(&fewer).all(|(more, fewer)| fewer.is_none() || more == fewer));
        prop_assert!(at(1.0).iter().all(Option::is_none));
        if !matches!(model, OmissionModel::NounSeeking { .. }) {
            prop_assert!(at(-1.0).iter().all(Option::is_some));
        }
    }

    #[test]
    fn no_rates_on_the_way_come_closer_to_the_wanted_density(gold in any_gold(), model in any_model(),
            wanted in 0.0f64..=1.0, x in -1.0f64..=1.0, seed: u64) {
        let stream = Stream::new(seed);
        let corpus = [gold];
        let found = at_density(&corpus, &model, wanted, stream).unwrap();
        let other = model.turned(x, corpus[0].heads.depth());
        let n_kept = degrade(&corpus[0], &other, stream.item(0)).n_kept();
        let distance = |n_kept: usize| (n_kept as f64 - wanted * corpus[0].heads.len() as f64).abs();
        prop_assert!(distance(found.n_kept) <= distance(n_kept));
    }
}
