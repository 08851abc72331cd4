//! Blocks: one sentence with everything its file says about it.

use super::{bare_forms, parse_annotation, rows, write_annotation};
use crate::Problem;
use std::fmt;
use tree::{Head, Node, PartialTree, Place, Sentence, Text, TokenId, sentence::UNSPECIFIED};

/// A sentence, its annotation, and the lines they were read from.
///
/// `Display` writes the lines, not the values: a block that was read comes out byte for byte. After a
/// change of `said`, [`set_annotation`](Block::set_annotation) renews the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Number of the part between `---` lines, from 0.
    pub number: usize,
    /// The line `---` before the block, as written; `None` before the first part of a file.
    pub separator: Option<String>,
    /// The line of the file where it starts, from 1; 0 if it does not come from a file.
    pub first_line: u32,
    /// Lines before the first section, as written.
    pub preamble: Vec<String>,
    /// Sections in the order of the file.
    pub sections: Vec<Section>,
    /// What `% ID` says.
    pub id: Option<String>,
    /// Words of `% TEXT`, with the indices annotators gave them there.
    pub tokens: Vec<Text>,
    /// Tags of `% POS TEXT`, if there are as many as tokens.
    pub tags: Option<Vec<Text>>,
    /// What `% CONLLU` says: all columns but the heads, if it has the same words.
    pub rows: Option<Sentence>,
    /// What `% ANNO` says.
    pub said: PartialTree,
    /// The line of JSON it was read from, if it was.
    pub json: Option<JsonLine>,
}

/// A line of JSON as written, without its end: a block that was not changed is written back as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonLine {
    /// A record `{"sent": …, "anno": …}`.
    Gfl(String),
    /// Locator, sentence and graph.
    Fudg(String),
}

/// A section: `% NAME`, then lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The line that opens it, as written, with its end.
    pub header: String,
    /// Number of that line in the file; 0 if the section does not come from a file.
    pub line: u32,
    /// The lines below, as written, with their ends.
    pub body: Vec<String>,
}

impl Section {
    /// A section made by a program; every line of `text` gets an end, and a line that would be taken for the
    /// start of another section or block is indented by a space.
    pub fn new(name: &str, text: &str) -> Self {
        let guard = |line: &str| if line.starts_with('%') || line.starts_with("---") { " " } else { "" };
        let body = text.lines().map(|line| format!("{}{line}\n", guard(line))).collect();
        Self { header: format!("% {name}\n"), line: 0, body }
    }

    /// What stands behind the percent sign.
    pub fn name(&self) -> &str {
        self.header.trim_start_matches('\u{feff}').trim_start_matches('%').trim()
    }

    /// The lines below, joined.
    pub fn text(&self) -> String {
        self.body.concat()
    }

    /// Lines without their ends, with their numbers in the file, or from 1 in a section that is in none.
    fn numbered(&self) -> impl Iterator<Item = (u32, &str)> {
        let numbers = self.line.saturating_add(1)..;
        numbers.zip(&self.body).map(|(number, line)| (number, line.trim_end_matches(['\n', '\r'])))
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.header)?;
        self.body.iter().try_for_each(|line| f.write_str(line))
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.separator.iter().chain(&self.preamble).try_for_each(|line| f.write_str(line))?;
        self.sections.iter().try_for_each(|section| section.fmt(f))?;
        // An annotation that was not read from GFL has no lines yet.
        match self.section("ANNO") {
            None if !self.tokens.is_empty() && !self.is_silent() => {
                Section::new("ANNO", &self.annotation()).fmt(f)
            }
            _ => Ok(()),
        }
    }
}

impl Block {
    /// The last section called `name`; where a name is repeated, the last one counts.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().rev().find(|section| section.name() == name)
    }

    /// What a section says: the rest of its header (`% ID 7`), or else its lines without white space around.
    pub fn field(&self, name: &str) -> Option<String> {
        let value_in_header = |section: &Section| {
            let rest = section.name().strip_prefix(name)?;
            rest.starts_with(char::is_whitespace).then(|| rest.trim().to_owned())
        };
        let below = || self.section(name).map(|section| section.text().trim().to_owned());
        below().or_else(|| self.sections.iter().rev().find_map(value_in_header))
    }

    /// The annotation as text: the lines of ANNO, or what was said, spelled.
    pub fn annotation(&self) -> String {
        match self.section("ANNO") {
            Some(section) => section.text(),
            None => write_annotation(&self.said, &self.tokens),
        }
    }

    /// Whether nothing was said.
    fn is_silent(&self) -> bool {
        self.said == PartialTree::new(self.said.n_words)
    }

    /// Reads the values out of the lines: id, tokens, tags and annotation.
    pub fn interpret(&mut self) -> Vec<Problem> {
        let mut problems = self.repeated_sections();
        problems.extend(self.text_outside());
        self.id = self.field("ID").filter(|id| !id.is_empty());
        let text = self.section("TEXT").map(Section::text).unwrap_or_default();
        self.tokens = text.split_whitespace().map(Text::from).collect();
        self.read_tags(&mut problems);
        self.read_rows(&mut problems);
        let Some(annotation) = self.section("ANNO") else {
            self.said = PartialTree::new(self.tokens.len());
            return problems;
        };
        if self.section("TEXT").is_none() && !annotation.text().trim().is_empty() {
            problems.push(Problem::error(
                "missing-text",
                Place::line(annotation.line),
                "there is an annotation but no sentence",
                "add a section % TEXT with the tokens",
            ));
        }
        let (said, found) = parse_annotation(annotation.numbered(), &self.tokens);
        self.said = said;
        problems.extend(found);
        problems
    }

    /// Text before the first section, comments aside: the file may be in another format.
    fn text_outside(&self) -> Option<Problem> {
        let is_text = |line: &&String| {
            let line = line.trim_start_matches('\u{feff}').trim();
            !line.is_empty() && !line.starts_with("//")
        };
        let (index, line) = self.preamble.iter().enumerate().find(|(_, line)| is_text(line))?;
        let place = match self.first_line {
            0 => Place::default(),
            first => {
                Place::line(first + u32::try_from(index).unwrap_or(0) + u32::from(self.separator.is_some()))
            }
        };
        let shown: String = line.trim().chars().take(40).collect();
        let message = format!("`{shown}` stands outside of any section");
        let help =
            "start a section with % TEXT or % ANNO, or a comment with //; is this file in another format?";
        Some(Problem::error("text-outside-section", place, message, help))
    }

    fn repeated_sections(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for name in ["TEXT", "ANNO", "POS TEXT", rows::NAME] {
            let mut places = self.sections.iter().filter(|section| section.name() == name);
            let first = places.next().map_or(0, |section| section.line);
            for again in places {
                problems.push(Problem::error(
                    "duplicate-section",
                    Place::line(again.line),
                    format!("the section {name} of line {first} comes again, and only the last one counts"),
                    "join the two, or separate two sentences by a line ---",
                ));
            }
        }
        problems
    }

    fn read_rows(&mut self, problems: &mut Vec<Problem>) {
        let section = self.section(rows::NAME).filter(|section| !section.text().trim().is_empty());
        let read = section.map(|section| rows::read(section, &bare_forms(&self.tokens))).transpose();
        self.rows = read.unwrap_or_else(|problem| {
            problems.push(problem);
            None
        });
    }

    fn read_tags(&mut self, problems: &mut Vec<Problem>) {
        self.tags = None;
        let Some(section) = self.section("POS TEXT") else { return };
        let text = section.text();
        // A tag may contain a slash, so the form in front of it is looked for first.
        let tag = |(pair, form): (&str, &Text)| {
            let behind_form = pair.strip_prefix(form.as_str()).and_then(|rest| rest.strip_prefix('/'));
            behind_form.or_else(|| pair.rsplit_once('/').map(|(_, tag)| tag)).map(Text::from)
        };
        let forms = bare_forms(&self.tokens);
        let n_pairs = text.split_whitespace().count();
        let tags: Option<Vec<Text>> = match n_pairs == forms.len() {
            true => text.split_whitespace().zip(&forms).map(tag).collect(),
            false => (n_pairs == 0).then(Vec::new),
        };
        match tags {
            Some(tags) if tags.len() == self.tokens.len() => self.tags = Some(tags),
            Some(tags) if tags.is_empty() => {}
            _ => problems.push(Problem::warning(
                "tags-mismatch",
                Place::line(section.line),
                format!("POS TEXT does not give one word/TAG for each of the {} tokens", self.tokens.len()),
                "give word/TAG for each token of TEXT; until then the tags are ignored",
            )),
        }
    }

    /// Says something else: `said` and the lines of the section ANNO are replaced.
    pub fn set_annotation(&mut self, said: PartialTree) {
        let text = write_annotation(&said, &self.tokens);
        self.said = said;
        self.json = None;
        let fresh = Section::new("ANNO", &text);
        match self.sections.iter_mut().rev().find(|section| section.name() == "ANNO") {
            Some(section) => section.body = fresh.body,
            None => self.sections.push(fresh),
        }
    }

    /// The sentence as CoNLL-U has it: bare forms, tags, and the heads that are certain, which are arrows from word to
    /// word and roots. Of two contradicting heads the first is taken.
    ///
    /// Other columns are those of the section CONLLU. Tags of POS TEXT are language-specific ones, unless that
    /// section has only universal ones.
    pub fn sentence(&self) -> Sentence {
        let mut sentence = self.rows.clone().unwrap_or_else(|| self.bare_sentence());
        if let Some(tags) = &self.tags {
            let is_said = |tag: &Text| *tag != UNSPECIFIED;
            let universal = sentence.words().any(|word| is_said(&word.upos))
                && !sentence.words().any(|word| is_said(&word.xpos));
            for (token, tag) in sentence.words_mut().zip(tags).filter(|(_, tag)| is_said(tag)) {
                *(if universal { &mut token.upos } else { &mut token.xpos }) = tag.clone();
            }
        }
        self.add_heads(&mut sentence);
        sentence
    }

    fn bare_sentence(&self) -> Sentence {
        let mut sentence = Sentence::from_forms(bare_forms(&self.tokens));
        if let Some(id) = &self.id {
            sentence.comments.push(format!("# sent_id = {id}").into());
        }
        let forms: Vec<&str> = sentence.words().map(|word| word.form.as_str()).collect();
        if !forms.is_empty() {
            sentence.comments.push(format!("# text = {}", forms.join(" ")).into());
        }
        sentence
    }

    fn add_heads(&self, sentence: &mut Sentence) {
        let arcs = self.said.arcs.iter().filter_map(|arc| match (arc.head, arc.dependent) {
            (Node::Word(head), Node::Word(dependent)) => Some((head, dependent)),
            _ => None,
        });
        let roots = self.said.roots.iter().filter_map(|&(node, _)| match node {
            Node::Word(word) => Some((0, word)),
            Node::Group(_) => None,
        });
        let ids: Vec<TokenId> = sentence.words().map(|word| word.id).collect();
        let mut heads = vec![None; ids.len()];
        for (head, dependent) in arcs.chain(roots) {
            if let Some(slot) = heads.get_mut(dependent - 1) {
                let _ = slot.get_or_insert(head);
            }
        }
        for (token, head) in sentence.words_mut().zip(heads) {
            let id = |head: usize| match ids.get(head.wrapping_sub(1)) {
                Some(TokenId::Word(id)) => *id,
                _ => 0,
            };
            token.head = head.map_or(Head::Open, |head| Head::Of(id(head)));
        }
    }

    /// A block for a sentence and what was said of it; white space within a form becomes `_`.
    ///
    /// Tags are taken from XPOS, or from UPOS where no word has an XPOS. Whatever else the sentence has stands in a
    /// section CONLLU, its heads aside.
    pub fn from_sentence(sentence: &Sentence, said: &PartialTree) -> Self {
        let spaceless = rows::spaceless;
        let forms: Vec<String> = sentence.words().map(|word| spaceless(&word.form)).collect();
        let has_xpos = sentence.words().any(|word| word.xpos != UNSPECIFIED);
        let tag = |word: &tree::Token| if has_xpos { spaceless(&word.xpos) } else { spaceless(&word.upos) };
        let tags: Vec<String> = sentence.words().map(tag).collect();
        let mut block = Self { separator: Some("---\n".to_owned()), number: 1, ..Self::default() };
        if let Some(id) = sentence.id() {
            block.sections.push(Section::new(&format!("ID {id}"), ""));
        }
        if tags.iter().any(|tag| tag != "_") {
            let pairs: Vec<String> =
                forms.iter().zip(&tags).map(|(form, tag)| format!("{form}/{tag}")).collect();
            block.sections.push(Section::new("POS TEXT", &format!("{}\n\n", pairs.join(" "))));
        }
        block.sections.push(Section::new("TEXT", &format!("{}\n\n", forms.join(" "))));
        let more = rows::section(sentence);
        // Only the sections above are read here, and they cannot be wrong.
        let _ = block.interpret();
        block.set_annotation(said.clone());
        if let Some(more) = more {
            block.rows = rows::read(&more, &bare_forms(&block.tokens)).ok();
            block.sections.push(more);
        }
        block
    }
}
