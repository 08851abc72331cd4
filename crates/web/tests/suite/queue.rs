//! Which sentence comes next.

use crate::served::{Served, edit, event, folder, head};
use serde_json::json;

/// A sentence of these tags in CoNLL-U.
fn tagged(tags: &str) -> String {
    let row = |(n, tag): (usize, &str)| format!("{n}\tw{n}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n");
    (1..).zip(tags.split(' ')).map(row).chain(["\n".into()]).collect()
}

/// Words of long sentences are less sure, since there are more of them to belong to; but they tell the same again and again.
#[test]
fn what_helps_most_is_not_the_longest_sentence_but_the_one_with_the_newest_words() {
    let folder = folder();
    let long = tagged(&["DET NOUN ADP"; 12].join(" "));
    let file = folder.path().join("tagged.conllu");
    std::fs::write(&file, long.clone() + &long + &tagged("PRON ADV VERB ADJ SCONJ NUM PROPN PART AUX"))
        .unwrap();
    let project = folder.path().join("p.treelet-project");
    let served = Served::new(&project, &["--import", file.to_str().unwrap()]);
    let person = served.person(0);
    let ids = person.ids();
    while person.get("/api/project").expect(200)["model"].is_null() {
        std::thread::yield_now();
    }
    let next = || person.get("/api/next?order=gain").expect(200);
    assert_eq!(next()["id"], json!(ids[2]), "{}", next());
    // With answers for all its kinds, the second long one is worth less still.
    let heads: Vec<_> = (1..36).map(|word| json!({"head": {"of": word, "to": word + 1}})).collect();
    person.post(ids[0], 0, "w", &[edit(1, json!(heads)), event(2, "submit")]).expect(200);
    assert_eq!(next()["id"], json!(ids[2]), "{}", next());
}

#[test]
fn chance_draws_among_what_is_open_and_disagreement_is_shown_to_those_who_may_see_it() {
    let folder = folder();
    let file = folder.path().join("tagged.conllu");
    std::fs::write(&file, tagged("PRON VERB").repeat(6)).unwrap();
    let project = folder.path().join("p.treelet-project");
    let arguments = ["--import", file.to_str().unwrap(), "--annotator", "Ana", "--annotator", "Bo"];
    let served = Served::new(&project, &arguments);
    let (owner, ana, bo) = (served.person(0), served.person(1), served.person(2));
    let ids = owner.ids();
    let next = |person: &crate::served::Person, order: &str| {
        person.get(&format!("/api/next?order={order}")).expect(200)
    };
    // The same until something is done, never what is done, and not in the order of the file.
    let mut drawn = Vec::new();
    for n in (1..).step_by(2).take(6) {
        let id = next(&ana, "random")["id"].as_i64().unwrap();
        assert_eq!(next(&ana, "random")["id"], json!(id));
        ana.post(id, 0, "a", &[head(n, 1, 2), event(n + 1, "submit")]).expect(200);
        drawn.push(id);
    }
    assert!(drawn.iter().all(|id| ids.contains(id)) && drawn != ids, "{drawn:?}");
    drawn.sort_unstable();
    assert_eq!(drawn, ids);
    assert_eq!(next(&ana, "random")["id"], json!(null));
    // Nobody has disagreed; then somebody does, on the fifth.
    assert_eq!(next(&owner, "disagreement")["id"], json!(ids[0]));
    bo.post(ids[4], 0, "b", &[edit(1, json!([{"head": {"of": 1, "to": 0}}])), event(2, "submit")])
        .expect(200);
    let disputed = next(&owner, "disagreement");
    assert_eq!(disputed["id"], json!(ids[4]), "{disputed}");
    assert!(disputed["why"].as_str().unwrap().contains("1 of its words"), "{disputed}");
    // Those who annotate blindly are not told where others disagree.
    assert_eq!(next(&bo, "disagreement")["id"], json!(ids[0]));
}
