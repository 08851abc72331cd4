//! The model beside the formula, and what is held against sentences that were left out.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tree::Possible;

const TAGS: [&str; 3] = ["D", "N", "V"];
const NAMES: [&str; 4] = ["root", "det", "nsubj", "obj"];

fn fragment(tags: &[usize]) -> Fragment {
    let forms = tags.iter().enumerate().map(|(at, tag)| format!("{}{}", TAGS[*tag], at % 2).into());
    let possible = Possible::everything(tags.len());
    Fragment { forms: forms.collect(), tags: tags.iter().map(|&tag| TAGS[tag].into()).collect(), possible }
}

/// Sentences of up to five words with arcs of known relations, which need not make a tree.
fn data() -> impl Strategy<Value = Vec<(Fragment, Vec<LabelledArc>)>> {
    let arc = (1..=5usize, 0..=5usize, 0..4usize);
    let sentence = (prop::collection::vec(0..3usize, 1..=5), prop::collection::vec(arc, 0..6));
    let sentence = sentence.prop_map(|(tags, arcs)| {
        let n = tags.len();
        let arcs = arcs.into_iter().filter(|&(word, head, _)| word <= n && head <= n && word != head);
        let labelled = arcs.map(|(dependent, head, name)| {
            let name = if head == 0 { 0 } else { name.max(1) };
            LabelledArc { dependent, head, relation: NAMES[name].into() }
        });
        (fragment(&tags), labelled.collect())
    });
    prop::collection::vec(sentence, 12..30)
}

/// The contexts as text, and nothing shared with the model but the definition.
fn contexts(fragment: &Fragment, arc: &LabelledArc) -> Vec<String> {
    let own = &fragment.tags[arc.dependent - 1];
    let head = if arc.head == 0 { "ROOT".to_string() } else { fragment.tags[arc.head - 1].to_string() };
    let side = arc.head < arc.dependent;
    let form = fragment.forms[arc.dependent - 1].to_lowercase();
    let levels = ["".to_string(), own.to_string(), format!("{own} {head}"), format!("{own} {head} {side}")];
    levels.into_iter().chain([format!("{own} {head} {side} {form}")]).collect()
}

/// The formula, from a list of all arcs.
fn by_hand(all: &[(Vec<String>, Text)], asked: &[String], hangs: bool) -> BTreeMap<Text, f64> {
    let names: Vec<Text> = NAMES.map(Text::from).to_vec();
    let mut row: BTreeMap<Text, f64> = names.iter().map(|name| (name.clone(), 0.0)).collect();
    for level in 0..asked.len() {
        let there: Vec<&Text> =
            all.iter().filter(|(of, _)| of[level] == asked[level]).map(|(_, r)| r).collect();
        if there.is_empty() {
            continue;
        }
        let alpha = if level == 0 { 0.0 } else { 1.0 };
        for (name, p) in &mut row {
            let n = there.iter().filter(|other| **other == name).count() as f64;
            *p = (n + alpha * *p) / (there.len() as f64 + alpha);
        }
    }
    if row["root"] > 0.0 {
        row.iter_mut().filter(|(name, _)| (*name == "root") != hangs).for_each(|(_, p)| *p = 0.0);
    }
    let total: f64 = row.values().sum();
    row.values_mut().for_each(|p| *p /= total.max(f64::MIN_POSITIVE));
    row
}

proptest! {
    #[test]
    fn rows_are_those_of_the_formula_and_sum_to_one(data in data(), at in 0..30usize) {
        let borrowed: Vec<_> = data.iter().map(|(fragment, arcs)| (fragment, arcs.clone())).collect();
        let all: Vec<(Vec<String>, Text)> = data
            .iter()
            .flat_map(|(fragment, arcs)| arcs.iter().map(|arc| (contexts(fragment, arc), arc.relation.clone())))
            .collect();
        let Some(model) = RelationModel::learn(&borrowed) else {
            prop_assert!(all.len() < FEWEST);
            return Ok(());
        };
        prop_assert_eq!(model.is_calibrated(), all.len() >= FEWEST_TO_CALIBRATE);
        let (fragment, arcs) = &data[at % data.len()];
        for arc in arcs {
            // With all arcs, and without those of the sentence itself.
            let others: Vec<(Vec<String>, Text)> = (data.iter().enumerate())
                .filter(|(other, _)| *other != at % data.len())
                .flat_map(|(_, (f, arcs))| arcs.iter().map(|arc| (contexts(f, arc), arc.relation.clone())))
                .collect();
            let mut own = ContextCounts::default();
            own.add_all(&model.contexts_of(fragment, arcs));
            for (counted, without) in [(&all, None), (&others, Some(&own))] {
                let asked = model.contexts(fragment, arc.dependent, arc.head);
                let expected = by_hand(counted, &contexts(fragment, arc), arc.head == 0);
                match model.row(&asked, without) {
                    None => prop_assert!(expected.values().all(|&p| p == 0.0)),
                    Some(row) => {
                        prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                        for (name, p) in model.names.names().zip(&row) {
                            prop_assert!((expected[name] - p).abs() < 1e-12, "{name}: {p} {expected:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn root_is_the_relation_of_roots_and_of_no_others() {
    let tags = [0, 1, 2];
    let fragment = fragment(&tags);
    let arc = |dependent, head, name: &str| LabelledArc { dependent, head, relation: name.into() };
    let whole = vec![arc(1, 2, "det"), arc(2, 3, "nsubj"), arc(3, 0, "root")];
    let model = RelationModel::learn(&vec![(&fragment, whole.clone()); 10]).expect("enough arcs");
    let name = |model: &RelationModel, dependent, head| {
        model.best(&fragment, dependent, head).map(|(name, _)| name.to_string())
    };
    assert_eq!(name(&model, 2, 0).as_deref(), Some("root"), "never seen of a noun");
    assert_ne!(name(&model, 3, 2).as_deref(), Some("root"), "always seen of verbs");
    // Who has said no roots is not told what roots are called.
    let without: Vec<_> = whole[..2].to_vec();
    let model = RelationModel::learn(&vec![(&fragment, without); 10]).expect("enough arcs");
    assert_eq!(name(&model, 2, 0).as_deref(), Some("nsubj"));
    // Where only roots were said, nothing is known of the rest.
    let model = RelationModel::learn(&vec![(&fragment, whole[2..].to_vec()); 20]).expect("enough arcs");
    assert_eq!((name(&model, 1, 0).as_deref(), name(&model, 1, 2)), (Some("root"), None));
}

#[test]
fn relations_that_come_by_chance_are_not_told_for_sure() {
    // The relation is drawn by lot, and each sentence has a form of its own that only it has: a model that asked
    // sentences about themselves would be sure.
    let arc = |name: &str| vec![LabelledArc { dependent: 1, head: 2, relation: name.into() }];
    let fragments: Vec<Fragment> = (0..120)
        .map(|at| Fragment { forms: vec![format!("w{at}").into(), "x".into()], ..fragment(&[0, 1]) })
        .collect();
    let mut rng = chain::Stream::new(5).rng();
    let data: Vec<_> = fragments.iter().map(|one| (one, arc(["obj", "det"][rng.below(2)]))).collect();
    let model = RelationModel::learn(&data).expect("enough arcs");
    let unseen = Fragment { forms: vec!["new".into(), "x".into()], ..fragment(&[0, 1]) };
    let (_, p) = model.best(&unseen, 1, 2).expect("two relations are known");
    assert!(p < 0.65, "{p}");
}
