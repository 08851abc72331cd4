//! Sentences with names, relations and roles of the reference data, and the trees that our own models give those that have none.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::semantics;
use serde_json::json;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

use super::run::call;
use crate::corpus::reference;
use crate::peers::Annotated;

/// A data set.
pub(super) struct SemanticCorpus {
    pub(super) name: &'static str,
    pub(super) train: Vec<Annotated>,
    pub(super) dev: Vec<Annotated>,
    pub(super) test: Vec<Annotated>,
    /// Whose the brackets are, if there are any.
    pub(super) brackets: Option<&'static str>,
    /// Whose the arcs are, if there are any.
    pub(super) arcs: Option<&'static str>,
}

/// Names.
pub(super) const ENTITIES: [&str; 12] = [
    "gum",
    "turkish",
    "spanish",
    "dutch",
    "bambara",
    "hausa",
    "kinyarwanda",
    "naija",
    "swahili",
    "wolof",
    "yoruba",
    "zulu",
];
/// Relations.
pub(super) const RELATIONS: [&str; 2] = ["conll04", "semeval"];
/// Roles.
pub(super) const ROLES: [&str; 9] =
    ["english", "german", "finnish", "portuguese", "hungarian", "marathi", "tamil", "telugu", "vietnamese"];

const MASAKHA: [(&str, &str); 8] = [
    ("bambara", "bam"),
    ("hausa", "hau"),
    ("kinyarwanda", "kin"),
    ("naija", "pcm"),
    ("swahili", "swa"),
    ("wolof", "wol"),
    ("yoruba", "yor"),
    ("zulu", "zul"),
];

const ROLE_FOLDERS: [(&str, &str); 9] = [
    ("english", "up1_en_ewt_gold"),
    ("german", "up1_de"),
    ("finnish", "up1_fi"),
    ("portuguese", "up1_pt"),
    ("hungarian", "up2_hu_szeged"),
    ("marathi", "up2_mr_ufal"),
    ("tamil", "up2_ta_ttb"),
    ("telugu", "up2_te_mtg"),
    ("vietnamese", "up2_vi_vtb"),
];

/// Reads a data set. `cache` is where models and trees are kept that are the same in every run.
pub(super) fn load(name: &'static str, cache: &Path) -> anyhow::Result<SemanticCorpus> {
    let folder = |path: &str| reference(&format!("data/ner_srl_re/{path}"));
    let three = |folder: &Path, names: [&str; 3], format: Format| -> anyhow::Result<[Vec<Annotated>; 3]> {
        let [train, dev, test] = names.map(|name| read(&folder.join(name), format));
        Ok([train?, dev?, test?])
    };
    let files = |end: &str| ["train", "dev", "test"].map(|name| format!("{name}.{end}"));
    let of = |[train, dev, test]: [Vec<Annotated>; 3], brackets, arcs| SemanticCorpus {
        name,
        train,
        dev,
        test,
        brackets,
        arcs,
    };
    if let Some((_, code)) = MASAKHA.into_iter().find(|(language, _)| *language == name) {
        let folder = folder(&format!("masakhaner2/{code}"))?;
        let [train, dev, test] = files("txt");
        let mut files = three(&folder, [&train, &dev, &test], Format::Bio)?;
        let tagger = cache.join(format!("{name}-tagger.treelet"));
        let tagged = reference(&format!("data/pos/masakhapos/{code}/train.txt"))?;
        made(&tagger, || {
            call("tag train", &json!({"tokens": [tagged], "output": tagger, "seed": 1})).map(drop)
        })?;
        for (part, sentences) in ["train", "dev", "test"].into_iter().zip(&mut files) {
            tag(sentences, &tagger, &cache.join(format!("{name}-{part}")))?;
        }
        return Ok(of(files, None, None));
    }
    if let Some((_, path)) = ROLE_FOLDERS.into_iter().find(|(language, _)| *language == name) {
        let folder = folder(&format!("srl_conll09/{path}"))?;
        let mut train = read(&folder.join("train.conll09"), Format::Conll09)?;
        let dev = match folder.join("dev.conll09") {
            dev if dev.exists() => read(&dev, Format::Conll09)?,
            // The last fifth, where nobody has set sentences apart.
            _ => train.split_off(train.len() - train.len() / 5),
        };
        let test = read(&folder.join("test.conll09"), Format::Conll09)?;
        return Ok(of([train, dev, test], None, Some("given")));
    }
    match name {
        "gum" | "turkish" => {
            let folder = folder(&format!("{name}_joint"))?;
            let [train, dev, test] = files("joint");
            let files = three(&folder, [&train, &dev, &test], Format::Joint)?;
            Ok(of(files, Some("given"), (name == "gum").then_some("given")))
        }
        "spanish" | "dutch" => {
            let (short, treebank) =
                if name == "spanish" { ("esp", "spanish_cess") } else { ("ned", "dutch_alpino") };
            let names = ["train", "testa", "testb"].map(|part| format!("{short}.{part}"));
            let mut files = three(&folder("conll2002")?, [&names[0], &names[1], &names[2]], Format::Bio)?;
            bracket(&mut files, name, &format!("data/constituency/{treebank}/train.mrg"), cache)?;
            Ok(of(files, Some("our parser's"), None))
        }
        "conll04" => {
            let mut files =
                three(&folder("re_conll04")?, ["train.txt", "dev.txt", "test.txt"], Format::Conll04)?;
            english_trees(&mut files, name, cache)?;
            Ok(of(files, Some("our parser's"), Some("our parser's")))
        }
        "semeval" => {
            let folder = folder("re_semeval2010_8")?;
            let mut train = read(&folder.join("TRAIN_FILE.TXT"), Format::Semeval)?;
            let dev = train.split_off(train.len() - 800);
            let mut files = [train, dev, read(&folder.join("TEST_FILE_FULL.TXT"), Format::Semeval)?];
            english_trees(&mut files, name, cache)?;
            Ok(of(files, Some("our parser's"), Some("our parser's")))
        }
        _ => bail!("no such data: {name}"),
    }
}

/// The sentences of a file.
pub(super) fn read(path: &Path, format: Format) -> anyhow::Result<Vec<Annotated>> {
    let text = std::fs::read(path).with_context(|| path.display().to_string())?;
    let mut sentences = Vec::new();
    for item in everything::items(format, text.as_slice()) {
        let item = item?;
        if item.value.is_blank() {
            continue;
        }
        let (sentence, said, _) = semantics::read(format, &item.value, item.line);
        if sentence.n_words() > 0 {
            sentences.push((sentence, said));
        }
    }
    Ok(sentences)
}

/// Writes sentences as CoNLL-U, with everything that is said in MISC.
pub(super) fn write(path: &Path, sentences: &[Annotated]) -> anyhow::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for (sentence, said) in sentences {
        let mut item = Item::Sentence(sentence.clone());
        let left = semantics::write(Format::Conllu, &mut item, said);
        anyhow::ensure!(left.is_empty(), "CoNLL-U has no place for {left:?}");
        everything::write(Format::Conllu, &item, &mut file)?;
    }
    Ok(file.flush()?)
}

/// Makes a file that is not there yet.
fn made(path: &Path, make: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    if path.exists() { Ok(()) } else { make() }
}

/// Words with tags by a tagger.
fn tag(sentences: &mut [Annotated], tagger: &Path, stem: &Path) -> anyhow::Result<()> {
    let tagged = with_words(sentences, stem, |input, output| {
        call("tag run", &json!({"model": tagger, "input": input, "output": output})).map(drop)
    })?;
    for ((sentence, _), (tagged, _)) in sentences.iter_mut().zip(tagged) {
        for (word, tagged) in sentence.words_mut().zip(tagged.words()) {
            word.upos = tagged.upos.clone();
        }
    }
    Ok(())
}

/// The words of sentences through a command that writes CoNLL-U.
fn with_words(
    sentences: &[Annotated],
    stem: &Path,
    make: impl FnOnce(&Path, &Path) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<Annotated>> {
    let input = stem.with_extension("words.conllu");
    let output = stem.with_extension("made.conllu");
    made(&output, || {
        write(&input, &bare(sentences))?;
        make(&input, &output)
    })?;
    let found = read(&output, Format::Conllu)?;
    anyhow::ensure!(found.len() == sentences.len(), "{} is of other sentences; delete it", output.display());
    Ok(found)
}

/// Sentences without what is said of them.
fn bare(sentences: &[Annotated]) -> Vec<Annotated> {
    let of = |(sentence, _): &Annotated| {
        let mut words = Sentence::from_forms(sentence.words().map(|word| word.form.clone()));
        for (new, old) in words.words_mut().zip(sentence.words()) {
            (new.upos, new.xpos) = (old.upos.clone(), old.xpos.clone());
        }
        (words, tree::Semantics::default())
    };
    sentences.iter().map(of).collect()
}

/// English tags, arcs and brackets, by parsers of two other corpora.
fn english_trees(files: &mut [Vec<Annotated>; 3], name: &str, cache: &Path) -> anyhow::Result<()> {
    let parser = cache.join("english-arcs.treelet");
    made(&parser, || {
        let train = reference("data/dependency/ud/English-EWT/train.conllu")?;
        call("train dependency", &json!({"files": [train], "output": parser, "seed": 1})).map(drop)
    })?;
    for (part, sentences) in ["train", "dev", "test"].into_iter().zip(files.iter_mut()) {
        let parsed = with_words(sentences, &cache.join(format!("{name}-{part}-arcs")), |input, output| {
            call("parse", &json!({"model": parser, "input": input, "output": output})).map(drop)
        })?;
        for ((sentence, _), (parsed, _)) in sentences.iter_mut().zip(parsed) {
            for (word, parsed) in sentence.words_mut().zip(parsed.words()) {
                (word.upos, word.head) = (parsed.upos.clone(), parsed.head.clone());
                word.deprel = parsed.deprel.clone();
            }
        }
    }
    let trees = cache.join("english-trees.mrg");
    made(&trees, || {
        let mut text = String::new();
        for (sentence, _) in read(&reference("data/ner_srl_re/gum_joint/train.joint")?, Format::Joint)? {
            text.push_str(sentence.meta("tree").context("a tree")?);
            text.push('\n');
        }
        Ok(std::fs::write(&trees, text)?)
    })?;
    // Its tags are those of the trees.
    bracket_with(files, name, &trees, "english-brackets", cache)
}

/// Brackets by a parser of a treebank.
fn bracket(files: &mut [Vec<Annotated>; 3], name: &str, treebank: &str, cache: &Path) -> anyhow::Result<()> {
    bracket_with(files, name, &reference(treebank)?, &format!("{name}-brackets"), cache)
}

fn bracket_with(
    files: &mut [Vec<Annotated>; 3],
    name: &str,
    treebank: &Path,
    model: &str,
    cache: &Path,
) -> anyhow::Result<()> {
    let parser = cache.join(format!("{model}.treelet"));
    made(&parser, || {
        call("train constituency", &json!({"file": treebank, "output": parser, "seed": 1})).map(drop)
    })?;
    for (part, sentences) in ["train", "dev", "test"].into_iter().zip(files.iter_mut()) {
        let words = cache.join(format!("{name}-{part}.txt"));
        let trees: PathBuf = cache.join(format!("{name}-{part}.mrg"));
        made(&trees, || {
            let mut text = String::new();
            for (sentence, _) in sentences.iter() {
                let forms: Vec<&str> = sentence.words().map(|word| word.form.as_str()).collect();
                text.push_str(&forms.join(" "));
                text.push('\n');
            }
            std::fs::write(&words, text)?;
            call(
                "parse",
                &json!({"model": parser, "input": words, "output": trees, "from": "text", "no_marks": true}),
            )
            .map(drop)
        })?;
        let text = std::fs::read_to_string(&trees)?;
        let trees: Vec<&str> = text.lines().filter(|line| line.starts_with('(')).collect();
        anyhow::ensure!(
            trees.len() == sentences.len(),
            "{} trees of {} sentences",
            trees.len(),
            sentences.len()
        );
        for ((sentence, _), tree) in sentences.iter_mut().zip(trees) {
            sentence.comments.retain(|comment| !comment.starts_with("# tree"));
            sentence.comments.push(Text::from(format!("# tree = {tree}")));
        }
    }
    Ok(())
}

/// Sentences that have no names are the same for every task; those that teach nothing are left in.
pub(super) fn first(corpus: &mut SemanticCorpus, n: Option<usize>) {
    corpus.train.truncate(n.unwrap_or(usize::MAX));
}

/// How often the pieces of a task are pieces of syntax, as Table 4.1 and Fig. 6.2 count it: names that are brackets of the tree
/// and of its binary form; arguments whose head is their predicate, and those two arcs below it.
pub(super) fn alignment(corpus: &SemanticCorpus) -> BTreeMap<&'static str, f64> {
    let mut counts: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    let mut count = |what: &'static str, is: bool| {
        let (n, of) = counts.entry(what).or_default();
        (*n, *of) = (*n + usize::from(is), *of + 1);
    };
    for (sentence, said) in &corpus.train {
        let heads: Vec<Option<u32>> = sentence.partial_heads();
        let head = |word: usize| heads.get(word).copied().flatten().and_then(|head| head.checked_sub(1));
        for predicate in &said.predicates {
            for argument in predicate.arguments.iter().filter(|argument| argument.word != predicate.word) {
                let one = head(argument.word);
                let two = one.and_then(|one| head(one as usize));
                let is = |found: Option<u32>| found == Some(predicate.word as u32);
                count("arguments that are children", is(one));
                count("arguments at most two arcs below", is(one) || is(two));
            }
        }
        if let Some((whole, binary)) = brackets(sentence) {
            for entity in said.entities.iter().filter(|entity| entity.span.len() > 1) {
                let span = (entity.span.start() as u32, entity.span.end() as u32);
                count("names that are constituents", whole.contains(&span));
                count("names that are brackets of the binary tree", binary.contains(&span));
            }
        }
    }
    counts.into_iter().map(|(what, (n, of))| (what, 100.0 * n as f64 / of.max(1) as f64)).collect()
}

type Spans = Vec<(u32, u32)>;

/// The spans of a sentence's tree, and of its binary form.
pub(super) fn brackets(sentence: &Sentence) -> Option<(Spans, Spans)> {
    let text = sentence.meta("tree")?;
    let read = formats::brackets::BracketReader::new(text.as_bytes()).next()?.ok()?;
    let tree = read.value.tree.filter(|tree| tree.n_words() == sentence.n_words())?;
    let whole = tree
        .constituents()
        .into_iter()
        .map(|(_, _, span)| (span.start() as u32, span.end() as u32))
        .collect();
    let binary = joint::brackets::binarise(&tree, None, false);
    Some((whole, binary.brackets.iter().map(|bracket| (bracket.start, bracket.end)).collect()))
}

/// Whether a sentence has a tag anywhere.
pub(super) fn has_tags(sentences: &[Annotated]) -> bool {
    let is_tagged = |(sentence, _): &Annotated| {
        sentence.words().any(|word| word.upos != UNSPECIFIED || word.xpos != UNSPECIFIED)
    };
    sentences.iter().any(is_tagged)
}
