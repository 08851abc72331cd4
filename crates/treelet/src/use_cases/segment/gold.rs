//! Words with their morphs, from any file that has them.

use super::input;
use crate::options::{EncodingName, Messages};
use crate::source::Source;
use crate::watch::Watch;
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::segmentations;
use std::collections::BTreeMap;
use std::path::Path;

/// The analyses of each word.
pub(super) type Analyses = BTreeMap<String, Vec<Vec<String>>>;

/// Reads words; `false` if all could be read.
pub(super) fn read(
    path: &Path,
    encoding: EncodingName,
    messages: &Messages,
    watch: &dyn Watch,
) -> anyhow::Result<(Analyses, bool)> {
    let source = Source::without_format(path, encoding)?;
    let (words, problems) = if Format::from_path(path) == Some(Format::Conllu) {
        of_rows(&source)?
    } else {
        let found = segmentations::read(source.open()?).with_context(|| source.cannot_read())?;
        (found.words.into_iter().map(|word| (word.word, word.analyses)).collect(), found.problems)
    };
    let has_problems = input::report(&source, &problems, messages, watch)?;
    let mut analyses = Analyses::new();
    let mut changed = 0;
    for (mut word, mut found) in words {
        changed += usize::from(input::normalise(&mut word));
        found.iter_mut().flatten().for_each(|morph| _ = input::normalise(morph));
        let known = analyses.entry(word).or_default();
        for morphs in found {
            if !known.contains(&morphs) {
                known.push(morphs);
            }
        }
    }
    input::note_normalised(changed, &source, watch);
    if analyses.is_empty() {
        return Err(anyhow::anyhow!("{}: no word with its morphs", source.name()));
    }
    Ok((analyses, has_problems))
}

type Found = (Vec<(String, Vec<Vec<String>>)>, Vec<formats::Problem>);

/// The words of CoNLL-U whose MISC has MSeg.
fn of_rows(source: &Source) -> anyhow::Result<Found> {
    let (mut words, mut problems) = (Vec::new(), Vec::new());
    for item in everything::items(Format::Conllu, source.open()?) {
        let item = item.with_context(|| source.cannot_read())?;
        problems.extend(item.problems);
        let Item::Sentence(sentence) = item.value else { continue };
        for token in sentence.words() {
            let morphs = token.morphs();
            if !morphs.is_empty() {
                words.push((morphs.concat(), vec![morphs]));
            }
        }
    }
    Ok((words, problems))
}
