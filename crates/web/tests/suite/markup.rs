//! Whatever somebody calls things, it is text.

use crate::served::{Served, edit, folder, sentences};
use serde_json::json;

const BAD: &str = "<img src=x onerror=alert(1)>";

#[test]
fn markup_in_names_remarks_and_words_stays_text() {
    let folder = folder();
    let file = sentences(folder.path(), "<script>alert(2)</script> & \"quoted\" '</svg>' sleeps\n");
    let project = folder.path().join(format!("{BAD}.treelet-project"));
    let served = Served::new(
        &project,
        &["--lines", "--import", file.to_str().unwrap(), "--annotator", "</title><b>Bo"],
    );
    let person = served.person(0);
    let introduced = person.send("PUT", "/api/annotator", &json!({"name": BAD, "level": BAD})).expect(200);
    assert_eq!(
        (introduced["annotator"]["name"].clone(), introduced["annotator"]["level"].clone()),
        (json!(BAD), json!(BAD))
    );
    assert_eq!(introduced["name"], BAD);
    let changes = json!([
        {"comment": {"n": 1, "on": {"what": "sentence"}, "text": "<b>remark</b>\n# sent_id = <i>other</i>\n1\tx"}},
        {"bracket": {"id": 1, "kind": "bracket", "words": [1, 2], "head": null, "label": "<i>NP</i>"}},
        {"head": {"of": 3, "to": 2, "relation": "<u>det</u>"}},
        {"tag": {"of": 1, "is": "<s>X</s>"}},
        {"gfl": {"text": "<blink> > nothing"}},
    ]);
    let view = person.post(1, 0, "<tab>", &[edit(1, changes)]).expect(200);
    let forms: String =
        view["words"].as_array().unwrap().iter().map(|word| word["form"].as_str().unwrap()).collect();
    assert!(forms.contains("script") && forms.contains('<'));
    served.person(1).post(1, 0, "bo", &[edit(1, json!([{"head": {"of": 3, "to": 1}}]))]).expect(200);
    let marks = ["<script>alert", "<img", "<b>", "<i>", "<u>", "<s>", "<blink", "</title><b", "'</svg>'"];
    let plain = |text: &str, what: &str| {
        for mark in marks {
            assert!(!text.contains(mark), "{mark} in {what}: {text}");
        }
    };
    plain(view["svg"].as_str().unwrap(), "the picture");
    for plot in person.get("/api/agreement").expect(200)["plots"].as_array().unwrap() {
        plain(plot["svg"].as_str().unwrap(), "a plot");
    }
    for (path, kind) in
        [("/", "text/html; charset=utf-8"), ("/api/export?format=html", "text/html; charset=utf-8")]
    {
        let answer = person.get(path);
        assert_eq!(answer.header("content-type"), Some(kind));
        plain(&answer.text(), path);
    }
    // All other answers are no pages, whatever stands in them.
    for path in [
        "/api/project",
        "/api/sentences",
        "/api/sentences/1",
        "/api/sentences/1/history",
        "/api/adjudicate/1",
    ] {
        assert_eq!(person.get(path).header("content-type"), Some("application/json"), "{path}");
    }
    for format in ["conllu", "anno", "mrg", "questions"] {
        let answer = person.get(&format!("/api/export?format={format}"));
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"), "{format}");
    }
}

#[test]
fn nothing_that_is_typed_begins_a_line_of_a_file() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let name = person.send("PUT", "/api/annotator", &json!({"name": "Ana\n1\tx"}));
    assert_eq!(name.status, 400);
    let remark = "one\n\n# sent_id = other\r\n1\tforged\u{2028}two";
    let changes = json!([
        {"comment": {"n": 1, "on": {"what": "word", "word": 2}, "text": remark}},
        {"comment": {"n": 2, "on": {"what": "arc", "word": 2}, "text": "\t "}},
    ]);
    person.post(1, 0, "a", &[edit(1, changes)]).expect(200);
    assert_eq!(person.view(1)["comments"].as_array().unwrap().len(), 1);
    let written = person.get("/api/export?format=conllu").text();
    assert_eq!(written.lines().filter(|line| line.starts_with("1\t")).count(), 3);
    assert!(written.contains("# remark = 2: one # sent_id = other 1 forged two\n"), "{written}");
    for text in ["a\tb", "a b", "", "_", "a\nb", "(a", "a|b"] {
        for change in [
            json!({"tag": {"of": 1, "is": text}}),
            json!({"relation": {"of": 1, "is": text}}),
            json!({"bracket": {"id": 1, "words": [1, 2], "label": text}}),
        ] {
            let answer = person.post(1, 1, "a", &[edit(9, json!([change]))]);
            assert_eq!(answer.status, 422, "{text:?} {change}");
        }
    }
}

#[test]
fn what_a_file_calls_its_sentences_and_columns_stays_text() {
    let folder = folder();
    let bad = "\"'><script>alert(1)</script>";
    let text = format!(
        "# sent_id = {bad}\n# text = {bad}\n# newdoc id = {bad}\n1\t{bad}\t{bad}\tNOUN\t{bad}\tA={bad}\t2\t{bad}\t_\tB={bad}\n\
         2\tb\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    );
    let file = folder.path().join("a\"b'<script>.conllu");
    std::fs::write(&file, text).unwrap();
    let project = folder.path().join("\"'><script>alert(1)<.treelet-project");
    let served = Served::new(&project, &["--import", file.to_str().unwrap()]);
    let person = served.person(0);
    let view = person.view(1);
    assert_eq!((view["sent_id"].clone(), view["words"][0]["form"].clone()), (json!(bad), json!(bad)));
    let plain = |text: &str| assert!(!text.contains("<script>alert"), "{text}");
    plain(view["svg"].as_str().unwrap());
    let page = person.get("/api/export?format=html");
    plain(&page.text());
    assert!(page.header("content-disposition").unwrap().is_ascii());
    // In files of data it stands as it is, on the line on which it stood.
    let written = person.get("/api/export?format=conllu").text();
    assert_eq!(written.lines().filter(|line| line.contains("sent_id")).count(), 1);
    assert!(written.contains(&format!("# sent_id = {bad}\n")), "{written}");
    for path in ["/api/project", "/api/sentences", "/api/sentences/1", "/api/next", "/api/agreement"] {
        let answer = person.get(path);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}
