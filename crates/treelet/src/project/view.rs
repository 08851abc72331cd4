//! What is shown of a sentence.

use super::model::Learned;
use super::suggest::{BestArc, Suggestions, possible};
use annotation::{Analysis, Attached, BlockKind, Comment, Event, Happening, History, On, WordOrBlock};
use draw::{Beside, SuggestedArc, SvgStyle};
use serde::Serialize;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// A sentence as it stands, and what a machine thinks of the rest.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Its number in the project.
    pub id: i64,
    /// Its place, from 1.
    pub place: i64,
    /// What its file calls it.
    pub sent_id: Option<String>,
    /// How many events have changed it.
    pub version: u64,
    /// Which of two analyses.
    pub slot: i64,
    /// `rtl` where it runs from right to left.
    pub direction: &'static str,
    /// Its words.
    pub words: Vec<WordView>,
    /// Its blocks.
    pub brackets: Vec<BlockView>,
    /// What does not belong to what.
    pub forbidden: Vec<ForbiddenView>,
    /// The stage; the first before any was named.
    pub stage: u8,
    /// The picture.
    pub svg: String,
    /// Heads and blocks as text.
    pub gfl: String,
    /// What is wrong with that text.
    pub gfl_problems: Vec<TextProblem>,
    /// What in the annotation contradicts what.
    pub problems: Vec<String>,
    /// Remarks.
    pub comments: Vec<NumberedComment>,
    /// Whether a step can be taken back.
    pub can_undo: bool,
    /// Whether a step that was taken back can be done again.
    pub can_redo: bool,
    /// Whether it was handed in.
    pub submitted: bool,
    /// Whether it was left out.
    pub skipped: bool,
    /// Whether nothing can be changed here.
    pub read_only: bool,
    /// Each arc in words.
    pub sentence_of_arcs: Vec<String>,
    /// Words whose head is open.
    pub open: usize,
    /// Seconds of work on it.
    pub seconds: f64,
    /// What suggests, if anything is to.
    pub model: Option<ModelView>,
}

/// What is to be known of the model whose suggestions are shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelView {
    /// What it is.
    pub kind: String,
    /// The name of its file, if it was learned before.
    pub file: Option<String>,
    /// Sentences that it was learned from.
    pub trained_on: usize,
    /// Whether the probabilities of heads are calibrated.
    pub calibrated: bool,
    /// Whether those of relations are; `None` if it suggests no relations here.
    pub calibrated_relations: Option<bool>,
}

/// A word.
#[derive(Clone, Debug, Serialize)]
pub struct WordView {
    /// Its number, from 1.
    pub n: u32,
    /// Its form.
    pub form: String,
    /// Its tag, empty if it has none.
    pub tag: String,
    /// Who gave it: `person`, `machine`, `file`.
    pub tag_by: &'static str,
    /// Whether it is a main word.
    pub main: bool,
    /// Whether she is not sure of it.
    pub unsure: bool,
    /// Its head, if that was said.
    pub head: Option<HeadView>,
    /// Its relation, if that was said.
    pub relation: Option<String>,
    /// Who said the head.
    pub by: Option<&'static str>,
    /// What a machine suggests where the head is open.
    pub suggested: Option<SuggestedHead>,
    /// Heads that are possible under what was said.
    pub alternatives: Vec<Alternative>,
}

/// A head: 0 for the root, a word, or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct HeadView(pub WordOrBlock);

/// A head that a machine suggests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestedHead {
    /// The head.
    pub head: u32,
    /// Its relation, if one is suggested.
    pub relation: Option<String>,
    /// How probable the head is.
    pub p: f64,
    /// How probable the relation is if the head is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_p: Option<f64>,
}

/// A head and how probable it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// The head.
    pub head: u32,
    /// How probable it is.
    pub p: f64,
}

/// A block.
#[derive(Clone, Debug, Serialize)]
pub struct BlockView {
    /// Its number.
    pub id: u32,
    /// `bracket`, `multiword`, `coordination`.
    pub kind: &'static str,
    /// Its words.
    pub words: Vec<u32>,
    /// The word or block that heads it.
    pub head: Option<WordOrBlock>,
    /// What it is called.
    pub label: Option<Text>,
    /// The smallest block around it.
    pub parent: Option<u32>,
    /// What it belongs to.
    pub depends_on: Option<HeadView>,
    /// Its relation to that.
    pub relation: Option<Text>,
}

/// A word that does not belong to another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ForbiddenView {
    /// The word.
    pub dependent: u32,
    /// What it does not belong to.
    pub head: u32,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, Serialize)]
pub struct TextProblem {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
    /// How many characters.
    pub length: u32,
    /// What, and what to do.
    pub message: String,
}

/// A remark and its number.
#[derive(Clone, Debug, Serialize)]
pub struct NumberedComment {
    /// The number.
    pub n: u32,
    /// What it is on.
    pub on: On,
    /// What it says.
    pub text: String,
}

/// Something that happened, for looking back.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// How many events had happened with it.
    pub n: usize,
    /// When.
    pub at: i64,
    /// What sort of event.
    pub kind: &'static str,
    /// What it was, in short.
    pub what: String,
    /// By what means.
    pub by: String,
}

/// What a view is made of.
pub(super) struct Shown<'a> {
    pub(super) id: i64,
    pub(super) place: i64,
    pub(super) slot: i64,
    pub(super) sentence: &'a Sentence,
    pub(super) history: &'a History,
    pub(super) suggestions: Option<&'a Suggestions>,
    /// Whether relations are suggested, too.
    pub(super) relations: bool,
    pub(super) model: Option<&'a Learned>,
    pub(super) read_only: bool,
}

impl Shown<'_> {
    pub(super) fn view(&self) -> View {
        let said = self.history.analysis();
        let work = self.history.work();
        let typed = said.gfl();
        let words = self.words();
        let open = words.iter().filter(|word| word.head.is_none()).count();
        let problem = possible(said).err().map(|problem| problem.to_string());
        View {
            id: self.id,
            place: self.place,
            sent_id: self.sentence.id().map(str::to_string),
            version: self.history.version(),
            slot: self.slot,
            direction: self.direction(),
            svg: self.svg(&words),
            words,
            brackets: blocks(said),
            forbidden: said
                .forbidden()
                .iter()
                .map(|&(dependent, head)| ForbiddenView { dependent, head })
                .collect(),
            stage: work.stage.max(1),
            gfl_problems: typed.problems.iter().map(text_problem).collect(),
            gfl: typed.text,
            problems: problem.into_iter().collect(),
            comments: said.comments().iter().map(|(&n, comment)| numbered(n, comment)).collect(),
            can_undo: self.history.can_undo(),
            can_redo: self.history.can_redo(),
            submitted: work.submitted,
            skipped: work.skipped,
            read_only: self.read_only,
            sentence_of_arcs: in_words(said),
            open,
            seconds: work.seconds,
            model: self.model.map(|model| self.model(model)),
        }
    }

    fn model(&self, learned: &Learned) -> ModelView {
        let Learned { kind, file, trained_on, calibrated, relations, .. } = learned;
        ModelView {
            kind: kind.clone(),
            file: file.clone(),
            trained_on: *trained_on,
            calibrated: *calibrated,
            calibrated_relations: relations.filter(|_| self.relations).map(|relations| relations.calibrated),
        }
    }

    fn direction(&self) -> &'static str {
        let forms: Vec<&str> = self.sentence.words().map(|word| word.form.as_str()).collect();
        if draw::is_rtl(&forms) { "rtl" } else { "ltr" }
    }

    fn words(&self) -> Vec<WordView> {
        let said = self.history.analysis();
        let word = |(n, token): (u32, &tree::Token)| {
            let head = said.head(WordOrBlock::Word(n)).map(head_view);
            let alternatives = self.alternatives(n);
            let suggested = if head.is_none() { self.suggested(n) } else { None };
            let (tag, tag_by) = tag(said, n, token);
            WordView {
                n,
                form: token.form.to_string(),
                tag,
                tag_by,
                main: said.is_main(n),
                unsure: said.is_unsure(n),
                by: head.map(|_| "person"),
                head,
                relation: said.relation(WordOrBlock::Word(n)).map(Text::to_string),
                suggested,
                alternatives,
            }
        };
        (1..).zip(self.sentence.words()).map(word).collect()
    }

    fn suggested(&self, word: u32) -> Option<SuggestedHead> {
        let BestArc { head, p, relation } = self.suggestions?.best.get(word as usize - 1)?;
        let relation = relation.as_ref().filter(|_| self.relations);
        Some(SuggestedHead {
            head: *head as u32,
            relation: relation.map(|(name, _)| name.to_string()),
            p: *p,
            relation_p: relation.map(|(_, p)| *p),
        })
    }

    fn alternatives(&self, word: u32) -> Vec<Alternative> {
        let ranked = self.suggestions.and_then(|suggestions| suggestions.ranked.get(word as usize - 1));
        ranked.into_iter().flatten().map(|&(head, p)| Alternative { head: head as u32, p }).collect()
    }

    fn svg(&self, words: &[WordView]) -> String {
        let forms: Vec<&str> = words.iter().map(|word| word.form.as_str()).collect();
        let tags: Vec<&str> =
            words.iter().map(|word| if word.tag.is_empty() { "_" } else { word.tag.as_str() }).collect();
        let relation = |word: &'_ WordView| -> String {
            let suggested = word.suggested.as_ref().and_then(|suggested| suggested.relation.clone());
            word.relation.clone().or(suggested).unwrap_or_else(|| "_".into())
        };
        let relations: Vec<String> = words.iter().map(relation).collect();
        let relations: Vec<&str> = relations.iter().map(String::as_str).collect();
        let faint: Vec<SuggestedArc> = words
            .iter()
            .filter_map(|word| {
                let SuggestedHead { head, p, .. } = word.suggested.as_ref()?;
                Some(SuggestedArc { dependent: word.n as usize, head: *head as usize, probability: *p })
            })
            .collect();
        let style = SvgStyle { css: false, handles: true, ..SvgStyle::default() };
        let said = self.history.analysis();
        let groups: Vec<usize> = said.blocks().keys().map(|&id| id as usize).collect();
        let beside = Beside { tags: &tags, relations: &relations, suggested: &faint, groups: &groups };
        draw::annotated(&said.said(), &forms, &beside).svg(&style)
    }
}

/// The tag of a word, and who gave it.
pub(super) fn tag(said: &Analysis, n: u32, token: &tree::Token) -> (String, &'static str) {
    if let Some(tag) = said.tag(n) {
        return (tag.to_string(), "person");
    }
    let column =
        [(tree::provenance::Column::Upos, &token.upos), (tree::provenance::Column::Xpos, &token.xpos)]
            .into_iter()
            .find(|(_, value)| **value != UNSPECIFIED);
    match column {
        Some((column, value)) if column.is_by_machine(token) => (value.to_string(), "machine"),
        Some((_, value)) => (value.to_string(), "file"),
        None => (String::new(), "file"),
    }
}

fn head_view(head: Attached) -> HeadView {
    HeadView(match head {
        Attached::Root => WordOrBlock::Word(0),
        Attached::To(unit) => unit,
    })
}

fn blocks(said: &Analysis) -> Vec<BlockView> {
    let block = |(&id, block): (&u32, &annotation::WordBlock)| {
        let unit = WordOrBlock::Block { bracket: id };
        let (kind, head) = match &block.kind {
            BlockKind::Bracket { head } => ("bracket", *head),
            BlockKind::Multiword => ("multiword", None),
            BlockKind::Coordination { .. } => ("coordination", None),
        };
        BlockView {
            id,
            kind,
            words: block.words.iter().copied().collect(),
            head,
            label: block.label.clone(),
            parent: said.parent(id),
            depends_on: said.head(unit).map(head_view),
            relation: said.relation(unit).cloned(),
        }
    };
    said.blocks().iter().map(block).collect()
}

fn numbered(n: u32, comment: &Comment) -> NumberedComment {
    NumberedComment { n, on: comment.on, text: comment.text.clone() }
}

fn text_problem(problem: &formats::Problem) -> TextProblem {
    let place = problem.place;
    let message = format!("{}; {}", problem.message, problem.help);
    TextProblem { line: place.line, column: place.column, length: place.length.max(1), message }
}

/// “the” belongs to “dog”: an arrow can be read both ways, a sentence cannot.
fn in_words(said: &Analysis) -> Vec<String> {
    let arc = |(unit, head): (WordOrBlock, Attached)| match head {
        Attached::Root => format!("“{}” is the root", said.name(unit)),
        Attached::To(head) => format!("“{}” belongs to “{}”", said.name(unit), said.name(head)),
    };
    said.heads().map(arc).collect()
}

/// An event for looking back.
pub(super) fn moment(n: usize, event: &Event) -> Moment {
    let (kind, what, by) = match &event.kind {
        Happening::Open => ("open", String::new(), String::new()),
        Happening::Close => ("close", String::new(), String::new()),
        Happening::Pause => ("pause", String::new(), String::new()),
        Happening::Resume => ("resume", String::new(), String::new()),
        Happening::Idle { seconds } => ("idle", format!("{seconds:.0} s"), String::new()),
        Happening::Stage { stage } => ("stage", stage.to_string(), String::new()),
        Happening::Edit { via, changes } => {
            let changes: Vec<String> = changes.iter().map(short).collect();
            ("edit", changes.join(", "), via_name(*via))
        }
        Happening::Undo => ("undo", String::new(), String::new()),
        Happening::Redo => ("redo", String::new(), String::new()),
        Happening::Shown { p } => ("shown", p.len().to_string(), String::new()),
        Happening::Refused { word, head } => ("refused", format!("{word} → {head}"), String::new()),
        Happening::Submit => ("submit", String::new(), String::new()),
        Happening::Skip => ("skip", String::new(), String::new()),
        Happening::Reopen => ("reopen", String::new(), String::new()),
    };
    Moment { n, at: event.at, kind, what, by }
}

fn via_name(via: annotation::Via) -> String {
    serde_json::to_value(via).ok().and_then(|name| name.as_str().map(str::to_string)).unwrap_or_default()
}

/// The name of a change, as it is stored.
fn short(change: &annotation::Change) -> String {
    let value = serde_json::to_value(change).unwrap_or_default();
    value.as_object().and_then(|object| object.keys().next().cloned()).unwrap_or_default()
}
