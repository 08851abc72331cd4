//! Which sentence comes next.

use crate::served::{Served, edit, event, folder};
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
