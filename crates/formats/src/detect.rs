//! Which format a file is in.

use std::collections::BTreeSet;
use std::path::Path;
use tree::PutTogether;

/// The formats that Treelet reads.
///
/// ```
/// use formats::detect::Format;
/// use std::path::Path;
///
/// assert_eq!(Format::from_path(Path::new("train.conllu.gz")), Some(Format::Conllu));
/// assert_eq!(Format::from_content("(S (NP (NN Dogs)) (VP (VBP bark)))\n"), Some(Format::Brackets));
/// assert_eq!(Format::from_name("gfl").map(Format::name), Some("gfl"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Bracketed trees.
    Brackets,
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// CoNLL-2009.
    Conll09,
    /// Labelled words in columns.
    Bio,
    /// GFL in `.anno` blocks.
    Gfl,
    /// GFL in JSON lines.
    GflJson,
    /// FUDG graphs in JSON.
    FudgJson,
    /// Columns with a tree, entities and roles over the same words.
    Joint,
    /// CoNLL04: entities and their relations.
    Conll04,
    /// SemEval-2010 task 8: two marked nominals and their relation.
    Semeval,
    /// Plain text, one tokenised sentence per line. Read only.
    Text,
    /// Running text, of which tokens and sentences are to be found. Read only.
    Raw,
    /// Text with one sentence per line, of which tokens are to be found. Read only.
    Lines,
}

impl Format {
    /// Text without annotation, which is read and not written, with the names that users type.
    pub const TEXTS: [(Self, &'static str); 3] =
        [(Self::Text, "text"), (Self::Raw, "raw"), (Self::Lines, "lines")];

    /// All formats of annotations with the names that users type.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Brackets, "brackets"),
        (Self::Conllu, "conllu"),
        (Self::Conllx, "conllx"),
        (Self::Conll09, "conll09"),
        (Self::Bio, "bio"),
        (Self::Gfl, "gfl"),
        (Self::GflJson, "gfl-json"),
        (Self::FudgJson, "fudg-json"),
        (Self::Joint, "joint"),
        (Self::Conll04, "conll04"),
        (Self::Semeval, "semeval"),
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        Self::named().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }

    /// The format of the name that users type.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::named().find(|(_, known)| *known == name).map(|(format, _)| *format)
    }

    fn named() -> impl Iterator<Item = &'static (Self, &'static str)> {
        Self::ALL.iter().chain(&Self::TEXTS)
    }

    /// Whether there is nothing but text in it.
    pub fn is_text(self) -> bool {
        Self::TEXTS.iter().any(|(format, _)| *format == self)
    }

    /// What the file's name says, compression endings aside; `None` if several formats use the ending.
    pub fn from_path(path: &Path) -> Option<Self> {
        let mut name = path.file_name()?.to_str()?.to_ascii_lowercase();
        for compression in [".gz", ".zst", ".xz"] {
            name.truncate(name.strip_suffix(compression).map_or(name.len(), str::len));
        }
        match name.rsplit_once('.')?.1 {
            "conllu" => Some(Self::Conllu),
            "conllx" => Some(Self::Conllx),
            "conll09" => Some(Self::Conll09),
            "mrg" | "psd" | "ptb" | "gld" | "tst" => Some(Self::Brackets),
            "anno" | "gfl" => Some(Self::Gfl),
            "bio" | "iob" | "iob2" => Some(Self::Bio),
            "fudg" => Some(Self::FudgJson),
            "joint" => Some(Self::Joint),
            "conll04" => Some(Self::Conll04),
            "semeval" => Some(Self::Semeval),
            _ => None,
        }
    }

    /// What the beginning of a file looks like. `sample` may end anywhere.
    pub fn from_content(sample: &str) -> Option<Self> {
        let sample = sample.trim_start_matches('\u{FEFF}');
        let mut lines =
            sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(crate::bio::BOUNDARY));
        let first = lines.clone().find(|line| !line.starts_with('#'))?;
        let first_tree = lines.clone().find(|line| !line.starts_with(['#', '%']) && !line.starts_with("*x*"));
        if first.trim_start().starts_with('{') {
            return Some(Self::GflJson);
        }
        if looks_marked(first) {
            return Some(Self::Semeval);
        }
        if lines.clone().any(|line| ["% TEXT", "% ANNO"].contains(&line.trim_end())) {
            return Some(Self::Gfl);
        }
        if first_tree.is_some_and(|line| line.trim_start().starts_with('(')) {
            return Some(Self::Brackets);
        }
        let columns: Vec<&str> = first.split('\t').collect();
        if columns.len() == 3 && columns[2].starts_with('{') {
            return Some(Self::FudgJson);
        }
        if looks_listed(&mut lines.clone(), &columns) {
            return Some(Self::Conll04);
        }
        if looks_joint(&columns) {
            return Some(Self::Joint);
        }
        let has_comments = lines.next().is_some_and(|line| line.starts_with('#'));
        match columns.len() {
            14.. if looks_like_2009(&columns) => Some(Self::Conll09),
            11.. if is_head(columns[6]) => Some(Self::Conllx),
            10 if has_comments || looks_universal(sample) => Some(Self::Conllu),
            8 | 10 => Some(Self::Conllx),
            _ if first.split_ascii_whitespace().count() >= 8 && first.starts_with("1 ") => Some(Self::Conllx),
            _ if looks_labelled(sample) || looks_paired(sample) => Some(Self::Bio),
            _ => None,
        }
    }
}

/// HEAD and PHEAD in the ninth and tenth column, FILLPRED in the thirteenth.
fn looks_like_2009(columns: &[&str]) -> bool {
    is_head(columns[8]) && is_head(columns[9]) && ["_", "Y"].contains(&columns[12])
}

/// A number, and a sentence in quotation marks in which something is marked.
fn looks_marked(line: &str) -> bool {
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.len() < line.len() && rest.trim_start().starts_with('"') && rest.contains("<e1>")
}

/// `#doc`, and lists in the last two of five columns.
fn looks_listed<'a>(lines: &mut impl Iterator<Item = &'a str>, columns: &[&str]) -> bool {
    let begins = lines.next().is_some_and(|line| line.split_ascii_whitespace().next() == Some("#doc"));
    begins && columns.len() == 5 && columns[3].starts_with('[') && columns[4].starts_with('[')
}

/// Eight columns with the head in the sixth and a label at the end; or seven with a morphological analysis, and roles or
/// nothing at the end.
fn looks_joint(columns: &[&str]) -> bool {
    let is_label = |label: &str| label != "_" && crate::semantics::is_label(label);
    match columns {
        ["1", _, _, _, _, head, relation, label] => {
            is_head(head) && relation.parse::<u32>().is_err() && is_label(label)
        }
        ["1", _, _, analysis, _, name, roles] => {
            analysis.contains('+')
                && !name.contains(char::is_lowercase)
                && (["NONE", "_"].contains(roles) || roles.contains('$'))
        }
        _ => false,
    }
}

fn is_head(column: &str) -> bool {
    column == "_" || column.trim_start_matches('-').parse::<u32>().is_ok()
}

/// Lines of a few columns, always as many, of which the last is a label: `O`, `B-Loc`, `NOUN`. A line of text may look
/// so by chance (`The goat sleeps .`), so one alone must have tabs, or a label that is nothing else.
fn looks_labelled(sample: &str) -> bool {
    let is_chunk = |text: &str| {
        text.as_bytes().get(1) == Some(&b'-') && text.starts_with(['B', 'I', 'E', 'S', 'L', 'U'])
    };
    let is_label = |text: &str| is_chunk(text) || !text.chars().any(char::is_lowercase);
    // The last line may be cut off.
    let whole = sample.rsplit_once('\n').map_or(sample, |(whole, _)| whole);
    let is_row = |line: &&str| {
        !line.trim().is_empty() && !line.starts_with('#') && !line.starts_with(crate::bio::BOUNDARY)
    };
    let lines: Vec<&str> = whole.lines().filter(is_row).take(100).collect();
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split_ascii_whitespace().collect()).collect();
    let Some(n_columns) = rows.first().map(Vec::len).filter(|n_columns| (2..8).contains(n_columns)) else {
        return false;
    };
    let fits = |row: &Vec<&str>| row.len() == n_columns && row.last().is_some_and(|label| is_label(label));
    let is_sure = |row: &Vec<&str>| row.last().is_some_and(|&label| label == "O" || is_chunk(label));
    let labels: std::collections::BTreeSet<&&str> = rows.iter().filter_map(|row| row.last()).into_set();
    let has_letters = labels.iter().any(|label| label.contains(char::is_alphabetic));
    let is_table = rows.len() > 1 && has_letters || lines.iter().any(|line| line.contains('\t'));
    rows.iter().all(fits) && (is_table || rows.iter().any(is_sure))
}

/// Two columns on every line, few different things in the second of them, and sentences of several lines: words with tags in
/// small letters, but not running text. The last line may be cut off.
fn looks_paired(sample: &str) -> bool {
    let whole = sample.rfind('\n').map_or(sample, |end| &sample[..end]);
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with(crate::bio::BOUNDARY);
    let rows: Vec<Vec<&str>> =
        whole.lines().filter(is_row).map(|line| line.split_ascii_whitespace().collect()).collect();
    let labels: BTreeSet<&str> = rows.iter().filter_map(|row| row.get(1).copied()).into_set();
    rows.len() >= 4 && rows.iter().all(|row| row.len() == 2) && 3 * labels.len() <= 2 * rows.len()
}

/// Ranges, empty nodes, `SpaceAfter` or universal tags are found in CoNLL-U and not in CoNLL-X.
fn looks_universal(sample: &str) -> bool {
    const TAGS: [&str; 10] =
        ["ADP", "AUX", "CCONJ", "DET", "NOUN", "PRON", "PROPN", "PUNCT", "SCONJ", "VERB"];
    // Words count, not tags: a CoNLL-X file may share one or two of these names.
    let rows = sample.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row.len() == 10);
    let universal = |row: &Vec<&str>| {
        row[0].contains(['-', '.']) || row[9].contains("SpaceAfter=") || TAGS.contains(&row[3])
    };
    // Universal Dependencies never call a relation ROOT.
    if rows.clone().any(|row| row[7] == "ROOT") {
        return false;
    }
    let (all, agree) = rows.fold((0, 0), |(all, agree), row| (all + 1, agree + usize::from(universal(&row))));
    all > 0 && agree * 3 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_tell_the_format() {
        let by_name = |name: &str| Format::from_path(Path::new(name)).map(Format::name);
        assert_eq!(by_name("a/b.conllu.gz"), Some("conllu"));
        assert_eq!(by_name("wsj.MRG"), Some("brackets"));
        assert_eq!(by_name("train.conll"), None);
        for name in ["x.mrg", "x.psd", "x.ptb", "x.gld", "x.tst.xz"] {
            assert_eq!(by_name(name), Some("brackets"), "{name}");
        }
        assert_eq!(by_name("train.joint.xz"), Some("joint"));
        assert_eq!((by_name("a.conll04"), by_name("a.semeval")), (Some("conll04"), Some("semeval")));
        let by_content = |text: &str| Format::from_content(text).map(Format::name);
        assert_eq!(by_content("# sent_id = a\n1\ta\ta\tX\tX\t0\troot\tB-x\n"), Some("joint"));
        assert_eq!(by_content("1\ta\ta\tX\tX\t_\t_\t_\n"), Some("conllx"));
        assert_eq!(by_content("1\ta\ta\tX\tX\t_\t0\tO\n"), Some("conllx"));
        assert_eq!(by_content("1\ta\tX\ta+X\ta\tNONE\tARG0$T\n"), Some("joint"));
        assert_eq!(by_content("#doc 1\n0\ta\tO\t['N']\t[0]\n"), Some("conll04"));
        assert_eq!(by_content("1\t\"<e1>a</e1> <e2>b</e2>\"\nOther\n"), Some("semeval"));
        assert_eq!(by_content("\n( (S (NP x)))"), Some("brackets"));
        assert_eq!(by_content("# sent_id = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"), Some("conllu"));
        assert_eq!(by_content("1\ta\t_\tN\tN\t_\t0\tROOT\t_\t_\n"), Some("conllx"));
        assert_eq!(by_content("1\ta\t_\tNOUN\tN\t_\t0\troot\t_\t_\n"), Some("conllu"));
        assert_eq!(by_content("Wolff B-PER\n, O\n"), Some("bio"));
        assert_eq!(by_content("-DOCSTART-\n\nWolff B-PER\n, O\n"), Some("bio"));
        assert_eq!(by_content("the dt\ngoat nn\nsleeps vb\n\nthe dt\ndog nn\nslee"), Some("bio"));
        assert_eq!(by_content("the\tDet\ngoat\tNoun\n\nthe\tDet\ndog\tNoun\n"), Some("bio"));
        assert_eq!(by_content("Dear diary,\nnothing happened\ntoday again\nGood night\n"), None);
        assert_eq!(by_content("% a note\n(S (N a))\n"), Some("brackets"));
        assert_eq!(by_content("1\ta\t_\tNOUN\tN\t_\t0\tROOT\t_\t_\n"), Some("conllx"));
        let nine = "1\ta\ta\ta\tN\tN\t_\t_\t0\t0\tROOT\tROOT\tY\ta.01\n";
        assert_eq!(by_content(nine), Some("conll09"));
        let clusters = "1\tRT\t_\t~\t~\t_\t-3\t_\t_\t_\t1110\t1110\t111011\t1110\n";
        assert_eq!(by_content(clusters), Some("conllx"));
        assert_eq!(by_content("Dear diary,\n"), None);
        for text in ["The goat sleeps .\n", "Here am I\n", "Yes !\nI see .\n", "A B\nsee you\n"] {
            assert_eq!(by_content(text), None, "{text}");
        }
        assert_eq!(by_content("Ana PROPN\nsleeps VERB\n. PUNCT\n\nBe"), Some("bio"));
        assert_eq!(by_content("Ana\tNNP\n"), Some("bio"));
        assert_eq!(by_content("% TEXT\na b\n% ANNO\na > b\n"), Some("gfl"));
        assert_eq!(by_content("{\"sent\": \"a\", \"anno\": \"\"}"), Some("gfl-json"));
        assert_eq!(by_content("x\ta b\t{\"tokens\": []}"), Some("fudg-json"));
        assert_eq!(by_content(""), None);
    }
}
