//! Everything that was said of a sentence.

use crate::change::{Attach, Shape, Suggested};
use crate::{Attached, BlockKind, Change, Refusal, WordBlock, WordOrBlock, fragment};
use formats::Problem;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tree::{PartialTree, Text};

/// The longest remark, and the longest annotation as text.
const LONGEST_TEXT: usize = 100_000;
/// The largest number of a block.
const MOST_BLOCKS: u32 = 1_000_000;
/// The longest relation, tag or label.
const LONGEST_NAME: usize = 200;

/// Everything that was said of a sentence, by one annotator.
///
/// It holds what was said, which may contradict itself; what makes no sense at all is refused by [`Analysis::apply`].
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    tokens: Arc<[Text]>,
    pub(crate) heads: BTreeMap<WordOrBlock, Attached>,
    pub(crate) blocks: BTreeMap<u32, WordBlock>,
    pub(crate) relations: BTreeMap<WordOrBlock, Text>,
    pub(crate) tags: BTreeMap<u32, Text>,
    pub(crate) forbidden: BTreeSet<(u32, u32)>,
    pub(crate) anaphora: Vec<(WordOrBlock, WordOrBlock)>,
    /// Words that GFL names without saying anything of them.
    pub(crate) mentioned: BTreeSet<u32>,
    main: BTreeSet<u32>,
    unsure: BTreeSet<u32>,
    comments: BTreeMap<u32, Comment>,
    typed: Option<Typed>,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comment {
    /// What it is on.
    pub on: On,
    /// What it says.
    pub text: String,
}

/// What a remark is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum On {
    /// The sentence.
    #[default]
    Sentence,
    /// A word.
    Word {
        /// Which.
        word: u32,
    },
    /// The arc of a word to its head.
    Arc {
        /// The dependent.
        word: u32,
    },
}

/// An annotation as it was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The text.
    pub text: String,
    /// What is wrong with it; while anything is, heads and blocks are those from before.
    pub problems: Vec<Problem>,
}

impl Analysis {
    /// Nothing is said yet of a sentence with these words.
    pub fn new(tokens: Vec<Text>) -> Self {
        Self {
            tokens: tokens.into(),
            heads: BTreeMap::new(),
            blocks: BTreeMap::new(),
            relations: BTreeMap::new(),
            tags: BTreeMap::new(),
            forbidden: BTreeSet::new(),
            anaphora: Vec::new(),
            mentioned: BTreeSet::new(),
            main: BTreeSet::new(),
            unsure: BTreeSet::new(),
            comments: BTreeMap::new(),
            typed: None,
        }
    }

    /// What a file says of a sentence: heads and blocks, and relations of words.
    pub fn of(tokens: Vec<Text>, said: &PartialTree, relations: &[Option<Text>]) -> Self {
        let mut analysis = Self::new(tokens);
        fragment::take(&mut analysis, said);
        for (word, relation) in (1..).zip(relations) {
            if let Some(relation) = relation {
                analysis.relations.insert(WordOrBlock::Word(word), relation.clone());
            }
        }
        for arc in &said.forbidden {
            if let (tree::Node::Word(head), tree::Node::Word(dependent)) = (arc.head, arc.dependent) {
                analysis.forbidden.insert((dependent as u32, head as u32));
            }
        }
        analysis
    }

    /// The words.
    pub fn tokens(&self) -> &[Text] {
        &self.tokens
    }

    /// What a unit belongs to, if that was said.
    pub fn head(&self, unit: WordOrBlock) -> Option<Attached> {
        self.heads.get(&unit).copied()
    }

    /// All heads that were said.
    pub fn heads(&self) -> impl Iterator<Item = (WordOrBlock, Attached)> {
        self.heads.iter().map(|(&unit, &head)| (unit, head))
    }

    /// The relation of a unit to its head, if that was said.
    pub fn relation(&self, unit: WordOrBlock) -> Option<&Text> {
        self.relations.get(&unit)
    }

    /// The tag of a word, if that was said.
    pub fn tag(&self, word: u32) -> Option<&Text> {
        self.tags.get(&word)
    }

    /// All blocks by their numbers.
    pub fn blocks(&self) -> &BTreeMap<u32, WordBlock> {
        &self.blocks
    }

    /// The smallest block around a block.
    pub fn parent(&self, id: u32) -> Option<u32> {
        let around = self.blocks.keys().copied().filter(|&other| self.is_inside(id, other));
        around.min_by_key(|&other| (self.blocks[&other].words.len(), other))
    }

    /// Pairs of a word and what it does not belong to, 0 for the root.
    pub fn forbidden(&self) -> &BTreeSet<(u32, u32)> {
        &self.forbidden
    }

    /// Whether a word is a main word.
    pub fn is_main(&self, word: u32) -> bool {
        self.main.contains(&word)
    }

    /// Whether she is not sure of a word.
    pub fn is_unsure(&self, word: u32) -> bool {
        self.unsure.contains(&word)
    }

    /// Remarks by their numbers.
    pub fn comments(&self) -> &BTreeMap<u32, Comment> {
        &self.comments
    }

    /// Whether nothing at all was said.
    pub fn is_empty(&self) -> bool {
        *self == Self::new(self.tokens.to_vec())
    }

    /// Heads and blocks as a partial tree.
    pub fn said(&self) -> PartialTree {
        fragment::said(self)
    }

    /// Heads and blocks as text in GFL: as it was typed if that came last.
    pub fn gfl(&self) -> Typed {
        self.typed.clone().unwrap_or_else(|| Typed {
            text: formats::gfl::write_annotation(&self.said(), &self.tokens),
            problems: Vec::new(),
        })
    }

    /// Makes a change, or says why it makes no sense, and then nothing has changed.
    pub fn apply(&mut self, change: &Change) -> Result<(), Refusal> {
        let is_structure = matches!(
            change,
            Change::Head(_)
                | Change::Flip { .. }
                | Change::Bracket { .. }
                | Change::Unbracket { .. }
                | Change::Accept { .. }
        );
        match change {
            Change::Head(Attach { of, to, relation }) => {
                self.attach(*of, to.map(|to| to.0), relation.as_ref())
            }
            Change::Relation { of, is } => self.relate(*of, is.as_ref()),
            Change::Tag { of, is } => self.set_tag(*of, is.as_ref()),
            Change::Flip { of } => self.flip(*of),
            Change::Main { of, is } => self.word(*of).map(|word| put(&mut self.main, word, *is)),
            Change::Unsure { of, is } => self.word(*of).map(|word| put(&mut self.unsure, word, *is)),
            Change::Bracket { id, kind, words, head, label } => {
                self.bracket(*id, *kind, words, *head, label.as_ref())
            }
            Change::Unbracket { id } => self.unbracket(*id),
            Change::Forbid { of, to, is } => self.forbid(*of, *to, *is),
            Change::Comment { n, on, text } => self.comment(*n, *on, text.as_deref()),
            Change::Gfl { text } => self.read(text),
            Change::Accept { heads } => self.accept(heads),
        }?;
        if is_structure {
            self.typed = None;
        }
        Ok(())
    }

    fn attach(
        &mut self,
        of: WordOrBlock,
        to: Option<Attached>,
        relation: Option<&Text>,
    ) -> Result<(), Refusal> {
        self.unit(of)?;
        relation.map_or(Ok(()), check_name)?;
        if let Some(Attached::To(head)) = to {
            self.unit(head)?;
            self.refuse_circle(of, head)?;
        }
        match to {
            Some(to) => self.heads.insert(of, to),
            None => self.heads.remove(&of),
        };
        match (to, relation) {
            (None, _) => self.relations.remove(&of),
            (_, Some(relation)) => self.relations.insert(of, relation.clone()),
            (_, None) => None,
        };
        Ok(())
    }

    /// No block belongs to a part of itself, and nothing to the block that it is in.
    fn refuse_parts(&self, of: WordOrBlock, head: WordOrBlock) -> Result<(), Refusal> {
        match of != head {
            true if self.holds(of, head) => Err(Refusal::PartOfItself),
            true if self.holds(head, of) => Err(Refusal::OwnBlock),
            _ => Ok(()),
        }
    }

    /// Nothing belongs to itself, or to what belongs to it.
    fn refuse_circle(&self, of: WordOrBlock, head: WordOrBlock) -> Result<(), Refusal> {
        self.refuse_parts(of, head)?;
        let (mut at, mut left) = (head, self.heads.len() + 1);
        while left > 0 {
            if at == of {
                return Err(Refusal::Circle(self.name(of), self.name(head)));
            }
            match self.heads.get(&at) {
                Some(Attached::To(above)) => at = *above,
                _ => break,
            }
            left -= 1;
        }
        Ok(())
    }

    fn relate(&mut self, of: WordOrBlock, is: Option<&Text>) -> Result<(), Refusal> {
        self.unit(of)?;
        is.map_or(Ok(()), check_name)?;
        match is {
            Some(relation) => self.relations.insert(of, relation.clone()),
            None => self.relations.remove(&of),
        };
        Ok(())
    }

    fn set_tag(&mut self, of: u32, is: Option<&Text>) -> Result<(), Refusal> {
        let word = self.word(of)?;
        is.map_or(Ok(()), check_name)?;
        match is {
            Some(tag) => self.tags.insert(word, tag.clone()),
            None => self.tags.remove(&word),
        };
        Ok(())
    }

    /// h → d becomes d → h, and d takes the place of h: what h belonged to, d belongs to. The relation was that of d to h; it is open.
    fn flip(&mut self, dependent: WordOrBlock) -> Result<(), Refusal> {
        self.unit(dependent)?;
        let Some(Attached::To(head)) = self.head(dependent) else {
            return Err(Refusal::NothingToFlip(self.name(dependent)));
        };
        let mut flipped = self.clone();
        flipped.heads.remove(&dependent);
        flipped.relations.remove(&dependent);
        if let Some(above) = flipped.heads.remove(&head) {
            flipped.attach(dependent, Some(above), None)?;
        }
        if let Some(relation) = flipped.relations.remove(&head) {
            flipped.relations.insert(dependent, relation);
        }
        flipped.attach(head, Some(dependent.into()), None)?;
        *self = flipped;
        Ok(())
    }

    fn bracket(
        &mut self,
        id: u32,
        kind: Option<Shape>,
        words: &[u32],
        head: Option<WordOrBlock>,
        label: Option<&Text>,
    ) -> Result<(), Refusal> {
        let words: BTreeSet<u32> = words.iter().map(|&word| self.word(word)).collect::<Result<_, _>>()?;
        if words.len() < 2 {
            return Err(Refusal::TooSmall);
        }
        label.map_or(Ok(()), check_name)?;
        if id > MOST_BLOCKS {
            return Err(Refusal::NoNumber(id));
        }
        for (&other, block) in self.blocks.iter().filter(|(other, _)| **other != id) {
            if block.words == words {
                return Err(Refusal::Twice);
            }
            if block.crosses(&words) {
                return Err(Refusal::Crossing(self.name(WordOrBlock::Block { bracket: other })));
            }
        }
        if let Some(head) = head {
            self.unit(head)?;
            let inside = self.words_of(head);
            if !inside.is_subset(&words) || head == (WordOrBlock::Block { bracket: id }) {
                return Err(Refusal::HeadOutside);
            }
        }
        let before = self.blocks.get(&id);
        let kind = match (kind, before.map(|block| &block.kind)) {
            (None, Some(kept @ BlockKind::Coordination { .. }))
                if before.is_some_and(|one| one.words == words) =>
            {
                kept.clone()
            }
            (Some(Shape::Multiword), _) | (None, Some(BlockKind::Multiword)) => BlockKind::Multiword,
            _ => BlockKind::Bracket { head },
        };
        let mut changed = self.clone();
        changed.blocks.insert(id, WordBlock { kind, words, label: label.cloned() });
        changed.refuse_heads_outside()?;
        for (&unit, &head) in &self.heads {
            if let Attached::To(head) = head {
                changed.refuse_parts(unit, head)?;
            }
        }
        *self = changed;
        Ok(())
    }

    /// Whatever heads a block lies in it.
    fn refuse_heads_outside(&self) -> Result<(), Refusal> {
        let is_outside = |block: &WordBlock| match block.kind {
            BlockKind::Bracket { head: Some(head) } => !self.words_of(head).is_subset(&block.words),
            _ => false,
        };
        if self.blocks.values().any(is_outside) { Err(Refusal::HeadOutside) } else { Ok(()) }
    }

    /// What belonged to the block is open again; what the block belonged to, its head belongs to, if there is one.
    fn unbracket(&mut self, id: u32) -> Result<(), Refusal> {
        let mut apart = self.clone();
        apart.take_apart(id)?;
        for (&unit, &head) in &apart.heads {
            if let Attached::To(head) = head {
                let mut others = apart.clone();
                others.heads.remove(&unit);
                others.refuse_circle(unit, head)?;
            }
        }
        *self = apart;
        Ok(())
    }

    fn take_apart(&mut self, id: u32) -> Result<(), Refusal> {
        let block = self.blocks.remove(&id).ok_or(Refusal::NoBlock(id))?;
        let gone = WordOrBlock::Block { bracket: id };
        let head = match block.kind {
            BlockKind::Bracket { head } => head,
            _ => None,
        };
        let above = self.heads.remove(&gone);
        let relation = self.relations.remove(&gone);
        if let Some(head) = head {
            if let Some(above) = above {
                self.heads.entry(head).or_insert(above);
            }
            if let Some(relation) = relation {
                self.relations.entry(head).or_insert(relation);
            }
        }
        let orphans: Vec<WordOrBlock> =
            self.heads.iter().filter(|(_, to)| **to == Attached::To(gone)).map(|(&unit, _)| unit).collect();
        for orphan in orphans {
            match head {
                Some(head) => self.heads.insert(orphan, Attached::To(head)),
                None => self.heads.remove(&orphan),
            };
        }
        self.anaphora.retain(|&(one, other)| one != gone && other != gone);
        for block in self.blocks.values_mut() {
            block.forget(gone);
        }
        Ok(())
    }

    fn forbid(&mut self, of: u32, to: u32, is: bool) -> Result<(), Refusal> {
        let word = self.word(of)?;
        if to > 0 {
            self.word(to)?;
        }
        put(&mut self.forbidden, (word, to), is);
        Ok(())
    }

    fn comment(&mut self, n: u32, on: On, text: Option<&str>) -> Result<(), Refusal> {
        if let On::Word { word } | On::Arc { word } = on {
            self.word(word)?;
        }
        match text.map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) if text.chars().count() > LONGEST_TEXT => return Err(Refusal::TooLong(LONGEST_TEXT)),
            Some(text) => self.comments.insert(n, Comment { on, text: text.to_string() }),
            None => self.comments.remove(&n),
        };
        Ok(())
    }

    fn read(&mut self, text: &str) -> Result<(), Refusal> {
        if text.chars().count() > LONGEST_TEXT {
            return Err(Refusal::TooLong(LONGEST_TEXT));
        }
        let lines = (1..).zip(text.lines());
        let (said, problems) = formats::gfl::parse_annotation(lines, &self.tokens);
        if !problems.iter().any(Problem::is_error) {
            fragment::take(self, &said);
        }
        self.typed = Some(Typed { text: text.to_string(), problems });
        Ok(())
    }

    /// A relation that was said of a word whose head was open stays.
    fn accept(&mut self, heads: &[Suggested]) -> Result<(), Refusal> {
        let mut accepted = self.clone();
        for Suggested { of, to, relation, .. } in heads {
            let of = WordOrBlock::Word(*of);
            let to = if *to == 0 { Attached::Root } else { Attached::To(WordOrBlock::Word(*to)) };
            relation.as_ref().map_or(Ok(()), check_name)?;
            let relation = relation.as_ref().filter(|_| !accepted.relations.contains_key(&of));
            accepted.attach(of, Some(to), relation)?;
        }
        *self = accepted;
        Ok(())
    }

    /// The words of a unit.
    pub fn words_of(&self, unit: WordOrBlock) -> BTreeSet<u32> {
        match unit {
            WordOrBlock::Word(word) => BTreeSet::from([word]),
            WordOrBlock::Block { bracket } => {
                self.blocks.get(&bracket).map_or_else(BTreeSet::new, |block| block.words.clone())
            }
        }
    }

    /// How a unit is called: its words.
    pub fn name(&self, unit: WordOrBlock) -> String {
        let words: Vec<&str> = self
            .words_of(unit)
            .into_iter()
            .filter_map(|word| self.tokens.get(word as usize - 1))
            .map(Text::as_str)
            .collect();
        match words.as_slice() {
            [first, .., last] if words.len() > 4 => format!("{first} … {last}"),
            _ => words.join(" "),
        }
    }

    /// Whether block `id` lies inside of block `other`. Of blocks with the same words the one with the smaller number lies inside.
    pub(crate) fn is_inside(&self, id: u32, other: u32) -> bool {
        let (Some(inner), Some(outer)) = (self.blocks.get(&id), self.blocks.get(&other)) else {
            return false;
        };
        id != other && inner.words.is_subset(&outer.words) && (inner.words != outer.words || id < other)
    }

    /// Whether a unit is, or holds, another.
    fn holds(&self, outer: WordOrBlock, inner: WordOrBlock) -> bool {
        match (outer, inner) {
            (WordOrBlock::Block { bracket }, WordOrBlock::Word(word)) => {
                self.blocks.get(&bracket).is_some_and(|block| block.words.contains(&word))
            }
            (WordOrBlock::Block { bracket: outer }, WordOrBlock::Block { bracket: inner }) => {
                outer == inner || self.is_inside(inner, outer)
            }
            (outer, inner) => outer == inner,
        }
    }

    fn word(&self, word: u32) -> Result<u32, Refusal> {
        let is_word = word > 0 && word as usize <= self.tokens.len();
        if is_word { Ok(word) } else { Err(Refusal::NoWord { word, n_words: self.tokens.len() }) }
    }

    fn unit(&self, unit: WordOrBlock) -> Result<(), Refusal> {
        match unit {
            WordOrBlock::Word(word) => self.word(word).map(|_| ()),
            WordOrBlock::Block { bracket } if self.blocks.contains_key(&bracket) => Ok(()),
            WordOrBlock::Block { bracket } => Err(Refusal::NoBlock(bracket)),
        }
    }
}

impl WordBlock {
    /// Forgets a unit that is gone.
    fn forget(&mut self, gone: WordOrBlock) {
        match &mut self.kind {
            BlockKind::Bracket { head } => *head = head.filter(|head| *head != gone),
            BlockKind::Coordination { conjuncts, coordinators, .. } => {
                conjuncts.retain(|unit| *unit != gone);
                coordinators.retain(|unit| *unit != gone);
            }
            BlockKind::Multiword => {}
        }
    }
}

fn put<T: Ord>(set: &mut BTreeSet<T>, item: T, is: bool) {
    if is {
        set.insert(item);
    } else {
        set.remove(&item);
    }
}

/// Names go into columns and between brackets.
fn check_name(name: &Text) -> Result<(), Refusal> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '|' || c == '(' || c == ')';
    let is_fine =
        !name.is_empty() && *name != "_" && name.chars().count() <= LONGEST_NAME && !name.chars().any(is_bad);
    if is_fine { Ok(()) } else { Err(Refusal::BadName(name.chars().take(40).collect())) }
}
