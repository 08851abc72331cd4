//! `treelet view`: draw trees, and what is said of entities, relations and predicates below them.

mod semantics;

use crate::options;
use crate::outcome::Usage;
use crate::source::Source;
use crate::table::plural;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::{Context, bail};
use draw::{Caption, Figure, SvgStyle, TextStyle};
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::output::AtomicFile;
use std::io::Write;
use std::path::Path;
use tree::Sentence;

/// Longer sentences are not drawn: nobody can read them, and the layout takes time.
const MOST_WORDS: usize = 2000;

/// A terminal shows this many trees before it asks for a choice.
const MOST_IN_TERMINAL: usize = 20;

/// A sentence that is to be drawn where the door draws.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The number of the sentence, from 1.
    pub number: usize,
    /// What stands above it.
    pub caption: Caption,
    /// The picture.
    pub figure: Figure,
}

impl Drawing {
    /// The drawing as lines of text, under its title.
    pub fn text(&self, style: &TextStyle) -> String {
        format!("{}\n\n{}\n", title(self.number, &self.caption), self.figure.text(style))
    }
}

/// Draws the sentences of a file: to a file if one is given, otherwise gives back the pictures.
pub fn view(options: &options::View, watch: &dyn Watch) -> anyhow::Result<Vec<Drawing>> {
    let source = Source::or_text(&options.file, &options.input, watch)?;
    if options.output.is_some() {
        watch.without_effect(&["--ascii", "--width"], "they are for drawings in the terminal");
    }
    match options.output.as_deref().map(|path| (path, kind(path))) {
        None => chosen(&source, options, watch),
        Some((path, PictureKind::Svg)) => svg(&source, options, path, watch),
        Some((path, PictureKind::Html)) => html(&source, options, path, watch),
        Some((path, PictureKind::Unknown)) => {
            Err(Usage(format!("{}: pictures end in .svg, pages in .html", path.display())).into())
        }
    }
}

enum PictureKind {
    Svg,
    Html,
    Unknown,
}

fn kind(path: &Path) -> PictureKind {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => PictureKind::Svg,
        Some("html" | "htm") => PictureKind::Html,
        _ => PictureKind::Unknown,
    }
}

/// The figures of a file, one by one, with their numbers from 1.
fn figures(
    source: &Source,
    watch: &dyn Watch,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<(usize, Caption, Figure)>>> {
    let progress = Progress::new(watch, source.size(), &source.name());
    let items = everything::items(source.format, Watched::new(source.open()?, progress));
    let figures = items.filter_map(|reading| match reading {
        Ok(reading) if reading.line == 0 => None,
        Ok(reading) if n_words(&reading.value) > MOST_WORDS => {
            let (line, n_words) = (reading.line, n_words(&reading.value));
            watch.note(&format!("note: the sentence at line {line} has {n_words} words and is not drawn (more than {MOST_WORDS})"));
            None
        }
        Ok(reading) => figure(source.format, &reading.value).map(Ok),
        Err(error) => Some(Err(anyhow::Error::from(error).context(source.cannot_read()))),
    });
    Ok(figures
        .enumerate()
        .map(|(index, figure)| figure.map(|(caption, figure)| (index + 1, caption, figure))))
}

fn n_words(item: &Item) -> usize {
    match item {
        Item::Sentence(sentence) => sentence.tokens.len(),
        Item::Tree(bracketed) => bracketed.tree.as_ref().map_or(0, |tree| tree.n_words()),
        Item::Annotation(block) => block.tokens.len(),
        Item::Labelled(labelled) => labelled.rows.len(),
        Item::Pair(pair) => pair.sentence().n_words(),
    }
}

/// The picture of an item; nothing for an empty line between trees, or where there is no word.
pub(crate) fn figure(format: Format, item: &Item) -> Option<(Caption, Figure)> {
    if item.is_blank() {
        return None;
    }
    if let Some((sentence, figure)) = semantics::figure(format, item) {
        return Some((Caption::of_sentence(&sentence), figure));
    }
    match item {
        Item::Sentence(sentence) => Some((Caption::of_sentence(sentence), draw::dependency(sentence))),
        Item::Tree(bracketed) => {
            let tree = bracketed.tree.as_ref()?;
            let words: Vec<&str> = tree.words().map(|word| word.as_str()).collect();
            let caption = Caption { id: String::new(), text: words.join(" ") };
            Some((caption, draw::constituency(tree)))
        }
        Item::Annotation(block) => {
            let forms = formats::convert::forms(block);
            let forms: Vec<&str> = forms.iter().map(|form| form.as_str()).collect();
            let caption = Caption { id: block.id.clone().unwrap_or_default(), text: forms.join(" ") };
            let tags: Vec<&str> = block.tags.iter().flatten().map(|tag| tag.as_str()).collect();
            Some((caption, draw::partial_tagged(&block.said, &forms, &tags)))
        }
        Item::Pair(pair) => {
            let sentence = pair.sentence();
            Some((Caption::of_sentence(&sentence), draw::dependency(&sentence)))
        }
        Item::Labelled(labelled) => {
            let mut sentence = Sentence::from_forms(labelled.rows.iter().map(|row| row.word()));
            for (token, row) in sentence.tokens.iter_mut().zip(&labelled.rows) {
                token.upos = row.label().into();
            }
            Some((Caption::of_sentence(&sentence), draw::dependency(&sentence)))
        }
    }
}

/// The figures that a terminal shows.
fn chosen(source: &Source, options: &options::View, watch: &dyn Watch) -> anyhow::Result<Vec<Drawing>> {
    let mut drawings = Vec::new();
    for figure in figures(source, watch)? {
        let (number, caption, figure) = figure?;
        if options.sentence.is_some_and(|wanted| wanted != number) {
            continue;
        }
        if options.sentence.is_none() && drawings.len() == MOST_IN_TERMINAL {
            watch.note(&format!(
                "only the first {MOST_IN_TERMINAL} are drawn; choose one with --sentence N, or write all with -o trees.html"
            ));
            break;
        }
        drawings.push(Drawing { number, caption, figure });
        if options.sentence == Some(number) {
            break;
        }
    }
    drawn(source, options.sentence, drawings.len())?;
    Ok(drawings)
}

/// The line above a drawing; control characters would reach the terminal from here.
pub(crate) fn title(number: usize, caption: &Caption) -> String {
    let id = if caption.id.is_empty() { String::new() } else { format!(" ({})", caption.id) };
    format!("# {number}{id}: {}", caption.text).replace(char::is_control, "\u{FFFD}")
}

fn drawn(source: &Source, wanted: Option<usize>, n_drawn: usize) -> anyhow::Result<()> {
    match (n_drawn, wanted) {
        (0, Some(wanted)) => Err(Usage(format!("{} has no sentence {wanted}", source.name())).into()),
        (0, None) => bail!("{} has nothing to draw: there is no sentence in it", source.name()),
        _ => Ok(()),
    }
}

fn svg(
    source: &Source,
    options: &options::View,
    path: &Path,
    watch: &dyn Watch,
) -> anyhow::Result<Vec<Drawing>> {
    let wanted = options.sentence.unwrap_or(1);
    for figure in figures(source, watch)? {
        let (number, _, figure) = figure?;
        if number == wanted {
            let write = || -> std::io::Result<()> {
                let mut file = AtomicFile::create(path)?;
                file.write_all(figure.svg(&SvgStyle::default()).as_bytes())?;
                file.finish()
            };
            write().with_context(|| format!("cannot write {}", path.display()))?;
            let hint = if options.sentence.is_none() { "; --sentence N draws another" } else { "" };
            watch.note(&format!("{}: sentence {number}{hint}", path.display()));
            return Ok(Vec::new());
        }
    }
    drawn(source, options.sentence, 0).map(|()| Vec::new())
}

fn html(
    source: &Source,
    options: &options::View,
    path: &Path,
    watch: &dyn Watch,
) -> anyhow::Result<Vec<Drawing>> {
    let cannot_write = || format!("cannot write {}", path.display());
    let mut file = AtomicFile::create(path).with_context(cannot_write)?;
    file.write_all(draw::page_head(&source.name()).as_bytes()).with_context(cannot_write)?;
    let style = SvgStyle { css: false, ..SvgStyle::default() };
    let mut n_drawn = 0;
    for figure in figures(source, watch)? {
        let (number, caption, figure) = figure?;
        if options.sentence.is_none_or(|wanted| wanted == number) {
            file.write_all(draw::page_figure(number, &caption, &figure, &style).as_bytes())
                .with_context(cannot_write)?;
            n_drawn += 1;
        }
    }
    file.write_all(draw::page_tail(n_drawn).as_bytes()).with_context(cannot_write)?;
    drawn(source, options.sentence, n_drawn)?;
    file.finish().with_context(cannot_write)?;
    watch.note(&format!("{}: {}", path.display(), plural(n_drawn, "sentence")));
    Ok(Vec::new())
}
