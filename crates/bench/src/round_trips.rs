//! Every treebank there and back.

use crate::corpus;
use formats::brackets;
use formats::detect::Format;
use formats::everything::copy;
use std::path::Path;
use testkit::files_below;
use tree::transform::unary::{self, Chains};
use tree::transform::{Binarisation, HeadRules, Normalisation, Scheme, binarise, debinarise, normalise};
use tree::{Text, Tree};

pub(crate) fn run() -> anyhow::Result<()> {
    rows(Format::Conllu, "data/dependency", ".conllu")?;
    rows(Format::Conllx, "data/dependency", ".conll")?;
    rows(Format::Conllx, "data/dependency/conll2007", "s.test")?;
    rows(Format::Conllx, "data/dependency/conll2007", "s.train")?;
    rows(Format::Conll09, "data/ner_srl_re/srl_conll09", ".conll09")?;
    rows(Format::Bio, "data/ner_srl_re/masakhaner2", ".txt")?;
    rows(Format::Joint, "data/ner_srl_re", ".joint")?;
    rows(Format::Conll04, "data/ner_srl_re/re_conll04", ".txt")?;
    rows(Format::Semeval, "data/ner_srl_re/re_semeval2010_8", "_FULL.TXT")?;
    rows(Format::Brackets, "data/constituency", ".mrg")?;
    rows(Format::Gfl, "data/gfl", ".anno")?;
    constituency()
}

/// Reads and writes every file; those that come back changed or break the format are listed.
fn rows(format: Format, folder: &str, suffix: &str) -> anyhow::Result<()> {
    let root = corpus::reference(folder)?;
    let files = files_below(&root, suffix);
    let (mut n_items, mut n_identical) = (0, 0);
    let mut notes = Vec::new();
    for path in &files {
        let bytes = std::fs::read(path)?;
        let mut out = Vec::with_capacity(bytes.len());
        let copied = copy(format, &bytes[..], &mut out)?;
        n_items += copied.n_items;
        let name = path.strip_prefix(&root).unwrap_or(path).display();
        if out == bytes {
            n_identical += 1;
        } else {
            notes.push(format!("  {name}: changed"));
        }
        let n_errors = copied.problems.iter().filter(|problem| problem.is_error()).count();
        if let Some(first) = copied.problems.iter().find(|problem| problem.is_error()) {
            notes.push(format!("  {name}: {n_errors} errors, the first: {first}"));
        }
    }
    println!(
        "{}: {} files ({folder}/**{suffix}), {n_items} sentences, {n_identical} byte-identical",
        format.name(),
        files.len()
    );
    notes.iter().for_each(|note| println!("{note}"));
    Ok(())
}

/// raw → normalise → collapse → binarise → debinarise → expand = normalised, with every scheme.
fn constituency() -> anyhow::Result<()> {
    let root = corpus::reference("data/constituency")?;
    let schemes =
        [Scheme::RightmostHead, Scheme::Left, Scheme::Right, Scheme::HeadOutward(HeadRules::english())];
    let (mut n_trees, mut n_same, mut n_empty) = (0, 0, 0);
    for path in files_below(&root, ".mrg") {
        if path.parent().and_then(Path::file_name).is_none_or(|folder| folder != "raw") {
            continue;
        }
        for tree in trees(&path)? {
            n_trees += 1;
            let Some(normalised) = normalise(&tree, &Normalisation::default()) else {
                n_empty += 1;
                continue;
            };
            n_same += usize::from(schemes.iter().all(|scheme| comes_back(&normalised, scheme)));
        }
    }
    println!(
        "constituency there and back: {n_trees} raw trees, {n_empty} of them nothing but traces and marks, {n_same} of the others equal after all {} binarisations",
        schemes.len()
    );
    let (mut n_wsj, mut n_equal) = (0, 0);
    for split in ["train", "dev"] {
        let raw = trees(&root.join(format!("english_wsj/raw/{split}.mrg")))?;
        let reference = trees(&root.join(format!("english_wsj/norm/{split}.mrg")))?;
        n_wsj += reference.len();
        let ours = raw.iter().filter_map(|tree| normalise(tree, &Normalisation::default()));
        n_equal += ours.zip(&reference).filter(|(ours, reference)| ours == *reference).count();
    }
    println!("english_wsj: {n_equal} of {n_wsj} normalised trees equal to norm/");
    Ok(())
}

fn trees(path: &Path) -> anyhow::Result<Vec<Tree<Text>>> {
    let bytes = std::fs::read(path)?;
    let trees = brackets::BracketReader::new(&bytes[..])
        .filter_map(|reading| reading.map(|reading| reading.value.tree).transpose());
    Ok(trees.collect::<Result<_, _>>()?)
}

fn comes_back(normalised: &Tree<Text>, scheme: &Scheme) -> bool {
    let collapsed = unary::collapse(normalised, Chains::default());
    let options = Binarisation { scheme: scheme.clone(), ..Binarisation::default() };
    unary::expand(&debinarise(&binarise(&collapsed, &options))) == *normalised
}
