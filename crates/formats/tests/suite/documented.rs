//! Every rule that a reader can report is explained in docs/problems.md, and every rule explained exists.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::BTreeSet;
use std::path::Path;
use testkit::files_below;

#[test]
fn every_rule_is_documented_and_every_documented_rule_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut in_code = BTreeSet::new();
    let mut all_code = String::new();
    for file in files_below(&root.join("src"), ".rs") {
        let source = std::fs::read_to_string(&file).unwrap();
        all_code.push_str(&source);
        // A rule is the first string after one of these calls, and nothing else there looks like one.
        for call in
            ["Problem::error(", "Problem::warning(", "self.error(", "self.warning(", ".error(", "rule: "]
        {
            for (at, _) in source.match_indices(call) {
                let rest = source[at + call.len()..].trim_start();
                if let Some(rule) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                    in_code.insert(rule.to_string());
                }
            }
        }
    }
    let page = std::fs::read_to_string(root.join("../../docs/problems.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let documented: BTreeSet<String> =
        rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(String::from).collect();
    let missing: Vec<_> = in_code.difference(&documented).collect();
    // Some rules belong to commands of the program; some are chosen from several names.
    for file in files_below(&root.join("../treelet/src"), ".rs") {
        all_code.push_str(&std::fs::read_to_string(&file).unwrap());
    }
    let exists = |rule: &&String| all_code.contains(&format!("\"{rule}\""));
    let surplus: Vec<_> = documented.iter().filter(|rule| !exists(rule)).collect();
    assert!(in_code.len() > 40, "{in_code:?}");
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "not documented: {missing:?}; not in the code: {surplus:?}"
    );
}
