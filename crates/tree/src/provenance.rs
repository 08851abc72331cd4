//! Who said what: a person, or which machine, and how sure it was.
//!
//! What a machine filled in is marked in MISC, column by column, by two keys:
//!
//! ```text
//! HeadBy=convexmst:3      the machine `convexmst` said that the head is 3
//! HeadProb=0.87           and held that for so probable
//! ```
//!
//! and likewise `Deprel`, `Upos`, `Xpos`, `Feats`, `Lemma` and `MSeg`. The mark holds the value, so that a person who
//! overwrites the column need not know of it: a column that differs from its mark is the person's. Whoever agrees
//! with the machine takes the mark away. A column without a mark was said by a person.
//!
//! Where a machine overruled a person, `HeadSaid=4` keeps what the person said. Formats without MISC carry the
//! same items in comments `# treelet_by 7 = HeadBy=convexmst:3|HeadProb=0.87`, one for each word.

use crate::sentence::UNSPECIFIED;
use crate::{Head, Sentence, Text, Token, TokenId, mseg};
use std::borrow::Cow;

/// A column that people and machines fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Lemma.
    Lemma,
    /// Universal part of speech.
    Upos,
    /// Language-specific part of speech.
    Xpos,
    /// Features.
    Feats,
    /// Head of the basic tree.
    Head,
    /// Relation to the head.
    Deprel,
    /// Morphs, which stand in MISC.
    Morphs,
}

/// Who said what a column says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author<'a> {
    /// The column says nothing.
    Nobody,
    /// Somebody wrote it.
    Person,
    /// A machine of this name wrote it, and nobody has changed it since.
    Machine(&'a str),
}

/// What is kept in MISC of one column.
#[derive(Clone, Copy)]
struct Keys {
    by: &'static str,
    probability: &'static str,
}

/// The head that a person said and a machine overruled.
pub const HEAD_SAID: &str = "HeadSaid";

/// The features that a person said and a machine added to.
const FEATS_SAID: &str = "FeatsSaid";

/// The name of machines whose marks, in files of earlier versions, do not tell it.
pub const UNNAMED: &str = "unnamed";

/// The beginning of comments that carry marks where there is no MISC.
const COMMENT: &str = "# treelet_by ";

impl Column {
    /// All columns in the order of CoNLL-U.
    pub const ALL: [Self; 7] =
        [Self::Lemma, Self::Upos, Self::Xpos, Self::Feats, Self::Head, Self::Deprel, Self::Morphs];

    fn keys(self) -> Keys {
        let (by, probability) = match self {
            Self::Lemma => ("LemmaBy", "LemmaProb"),
            Self::Upos => ("UposBy", "UposProb"),
            Self::Xpos => ("XposBy", "XposProb"),
            Self::Feats => ("FeatsBy", "FeatsProb"),
            Self::Head => ("HeadBy", "HeadProb"),
            Self::Deprel => ("DeprelBy", "DeprelProb"),
            Self::Morphs => ("MSegBy", "MSegProb"),
        };
        Keys { by, probability }
    }

    /// The key in MISC that says how sure a machine was.
    pub fn probability_key(self) -> &'static str {
        self.keys().probability
    }

    /// The key in MISC that names the machine.
    pub fn author_key(self) -> &'static str {
        self.keys().by
    }

    /// What the column of a word says; `None` if it says nothing.
    pub fn value(self, token: &Token) -> Option<Cow<'_, str>> {
        let text = match self {
            Self::Lemma => &token.lemma,
            Self::Upos => &token.upos,
            Self::Xpos => &token.xpos,
            Self::Feats => &token.feats,
            Self::Deprel => &token.deprel,
            Self::Head => {
                let is_open = token.head == Head::Open;
                return (!is_open).then(|| Cow::Owned(token.head.to_string()));
            }
            Self::Morphs => return item(&token.misc, mseg::NAME).map(Cow::Borrowed),
        };
        (*text != UNSPECIFIED && !text.is_empty()).then_some(Cow::Borrowed(text))
    }

    /// Makes the column say nothing.
    fn clear(self, token: &mut Token) {
        match self {
            Self::Lemma => token.lemma = UNSPECIFIED,
            Self::Upos => token.upos = UNSPECIFIED,
            Self::Xpos => token.xpos = UNSPECIFIED,
            Self::Feats => token.feats = UNSPECIFIED,
            Self::Deprel => token.deprel = UNSPECIFIED,
            Self::Head => token.head = Head::Open,
            Self::Morphs => drop_items(token, |name| name == mseg::NAME),
        }
    }

    /// Who said what the column of a word says.
    pub fn author(self, token: &Token) -> Author<'_> {
        let Some(value) = self.value(token) else { return Author::Nobody };
        match item(&token.misc, self.keys().by).map(|mark| mark.split_once(':').unwrap_or((mark, ""))) {
            Some((name, marked)) if unpacked(marked) == value => Author::Machine(name),
            Some(_) => Author::Person,
            None if self.has_old_mark(token) => Author::Machine(UNNAMED),
            None => Author::Person,
        }
    }

    /// Earlier versions marked heads by `Imputed=Yes` and did not say who found them.
    fn has_old_mark(self, token: &Token) -> bool {
        self == Self::Head && item(&token.misc, "Imputed") == Some("Yes")
    }

    /// Whether a machine took away what a person had said, and put nothing in its place.
    fn was_emptied(self, token: &Token) -> bool {
        self == Self::Feats && self.value(token).is_none() && item(&token.misc, FEATS_SAID).is_some()
    }

    /// Whether a machine said it.
    pub fn is_by_machine(self, token: &Token) -> bool {
        matches!(self.author(token), Author::Machine(_))
    }

    /// How sure the machine was that said it; `None` if a person did, or if it does not tell.
    pub fn probability(self, token: &Token) -> Option<f64> {
        let probability = item(&token.misc, self.keys().probability)?.parse().ok()?;
        (self.is_by_machine(token) && (0.0..=1.0).contains(&probability)).then_some(probability)
    }

    /// Says that a machine filled in the column as it stands. A column that says nothing has no mark.
    ///
    /// White space, `:` and `|` have no place in a name and become `-`.
    pub fn mark(self, token: &mut Token, machine: &str, probability: Option<f64>) {
        self.unmark(token);
        self.sign(token, machine, probability);
    }

    /// The same, beside what MISC says already of other values of the column.
    pub fn sign(self, token: &mut Token, machine: &str, probability: Option<f64>) {
        let Some(value) = self.value(token) else { return };
        let name: String = machine.chars().map(|c| if is_free(c) && c != ':' { c } else { '-' }).collect();
        let mark = format!("{name}:{}", packed(&value));
        set_item(token, self.keys().by, &mark);
        self.say_probability(token, probability);
    }

    /// Gives a word what the column of another says, with the mark of who said it.
    pub fn copy(self, from: &Token, to: &mut Token) {
        self.unmark(to);
        match self {
            Self::Lemma => to.lemma = from.lemma.clone(),
            Self::Upos => to.upos = from.upos.clone(),
            Self::Xpos => to.xpos = from.xpos.clone(),
            Self::Feats => to.feats = from.feats.clone(),
            Self::Deprel => to.deprel = from.deprel.clone(),
            Self::Head => to.head = from.head.clone(),
            Self::Morphs => match item(&from.misc, mseg::NAME) {
                Some(morphs) => set_item(to, mseg::NAME, morphs),
                None => self.clear(to),
            },
        }
        if let Author::Machine(name) = self.author(from) {
            self.mark(to, name, self.probability(from));
        }
    }

    /// Says how sure a machine was, without saying which.
    pub fn say_probability(self, token: &mut Token, probability: Option<f64>) {
        if let Some(probability) = probability {
            set_item(token, self.keys().probability, &format!("{probability:.2}"));
        }
    }

    /// Says that a person stands for the column as it is.
    pub fn unmark(self, token: &mut Token) {
        let others: &[&str] = match self {
            Self::Head => &["Imputed", "HeadAlt", HEAD_SAID],
            Self::Feats => &[FEATS_SAID],
            _ => &[],
        };
        self.drop_items(token, others);
    }

    /// The same, but other values that MISC lists stay.
    pub fn unmark_keeping_others(self, token: &mut Token) {
        self.drop_items(token, if self == Self::Head { &["Imputed"] } else { &[] });
    }

    fn drop_items(self, token: &mut Token, old: &[&str]) {
        let Keys { by, probability } = self.keys();
        drop_items(token, |name| name == by || name == probability || old.contains(&name));
    }
}

/// Takes the items of some names out of MISC.
fn drop_items(token: &mut Token, is_dropped: impl Fn(&str) -> bool) {
    let is_ours = |item: &str| is_dropped(item.split('=').next().unwrap_or_default());
    if token.misc != UNSPECIFIED && token.misc.split('|').any(is_ours) {
        let kept: Vec<&str> = token.misc.split('|').filter(|item| !is_ours(item)).collect();
        token.misc = if kept.is_empty() { UNSPECIFIED } else { kept.join("|").into() };
    }
}

/// Marks features to which a machine added something, or that it made; what a person had said of them is kept.
pub fn mark_feats(token: &mut Token, before: &Text, machine: &str, probability: Option<f64>) {
    let said = match item(&token.misc, FEATS_SAID) {
        Some(said) => Some(unpacked(said).into_owned()),
        None => {
            let old = Token { feats: before.clone(), ..token.clone() };
            (Column::Feats.author(&old) == Author::Person).then(|| before.to_string())
        }
    };
    Column::Feats.mark(token, machine, probability);
    if let Some(said) = said {
        set_item(token, FEATS_SAID, &packed(&said));
    }
}

/// Takes back what machines said in some columns, so that only what people said is left, and counts it.
///
/// A head by which a machine overruled a person becomes the person's again.
pub fn take_back(sentence: &mut Sentence, columns: &[Column]) -> usize {
    let mut n_taken = 0;
    for token in sentence.words_mut() {
        for &column in columns {
            if column.is_by_machine(token) || column.was_emptied(token) {
                let head = item(&token.misc, HEAD_SAID).filter(|_| column == Column::Head).map(Head::read);
                let feats = item(&token.misc, FEATS_SAID).filter(|_| column == Column::Feats);
                let feats = feats.map(|feats| Text::from(unpacked(feats)));
                column.clear(token);
                column.unmark(token);
                token.head = head.unwrap_or_else(|| token.head.clone());
                token.feats = feats.unwrap_or_else(|| token.feats.clone());
                n_taken += 1;
            } else if item(&token.misc, column.keys().by).is_some() {
                // The person who changed the value stands for it.
                column.unmark(token);
            }
        }
    }
    n_taken
}

/// The marks of the words, moved from MISC to comments: for formats without MISC.
pub fn to_comments(sentence: &mut Sentence) {
    let mut comments = Vec::new();
    for token in sentence.words_mut() {
        let TokenId::Word(id) = token.id else { continue };
        // Morphs stand in MISC themselves, and their mark stays with them.
        let travels = |item: &&str| is_mark(item) && !item.starts_with(mseg::NAME);
        let (marks, others): (Vec<&str>, Vec<&str>) = token.misc.split('|').partition(travels);
        if !marks.is_empty() {
            comments.push(format!("{COMMENT}{id} = {}", marks.join("|")).into());
            token.misc = if others.is_empty() { UNSPECIFIED } else { others.join("|").into() };
        }
    }
    sentence.comments.extend(comments);
}

/// Whether the marks of some word stand in a comment.
pub fn has_comments(sentence: &Sentence) -> bool {
    sentence.comments.iter().any(|comment| comment.starts_with(COMMENT))
}

/// The marks of the words, moved from comments back to MISC.
pub fn from_comments(sentence: &mut Sentence) {
    if !has_comments(sentence) {
        return;
    }
    let (ours, others): (Vec<Text>, Vec<Text>) =
        sentence.comments.drain(..).partition(|comment| comment.starts_with(COMMENT));
    sentence.comments = others;
    for comment in ours {
        let marks = comment.strip_prefix(COMMENT).and_then(|rest| rest.split_once('='));
        let found = marks.and_then(|(id, marks)| Some((id.trim().parse::<u32>().ok()?, marks.trim())));
        let token =
            found.and_then(|(id, _)| sentence.words_mut().find(|token| token.id == TokenId::Word(id)));
        match (token, found) {
            (Some(token), Some((_, marks))) => {
                for (name, value) in marks.split('|').filter_map(|item| item.split_once('=')) {
                    set_item(token, name, value);
                }
            }
            // A comment that is about no word stays what it is.
            _ => sentence.comments.push(comment),
        }
    }
    sentence.words_mut().for_each(follow_tag);
}

/// A format with one column of tags may give a tag back in the other column; its mark goes along.
fn follow_tag(token: &mut Token) {
    for (from, to) in [(Column::Upos, Column::Xpos), (Column::Xpos, Column::Upos)] {
        let Some((name, marked)) = item(&token.misc, from.keys().by).and_then(|mark| mark.split_once(':'))
        else {
            continue;
        };
        let is_there = to.value(token).is_some_and(|tag| tag == unpacked(marked));
        if from.value(token).is_none() && is_there && item(&token.misc, to.keys().by).is_none() {
            let name = name.to_owned();
            let probability = item(&token.misc, from.keys().probability).and_then(|text| text.parse().ok());
            from.unmark(token);
            to.mark(token, &name, probability);
        }
    }
}

/// Whether an item of MISC says who filled in a column, how surely, or what stood there before.
pub fn is_mark(item: &str) -> bool {
    let name = item.split('=').next().unwrap_or_default();
    let of_column = |column: Column| name == column.keys().by || name == column.keys().probability;
    Column::ALL.into_iter().any(of_column) || ["HeadAlt", HEAD_SAID, FEATS_SAID, "Imputed"].contains(&name)
}

fn item<'a>(misc: &'a str, key: &str) -> Option<&'a str> {
    misc.split('|').find_map(|item| item.strip_prefix(key)?.strip_prefix('='))
}

/// Puts an item into MISC, in place of one of that name, or before the first whose name comes later.
fn set_item(token: &mut Token, key: &str, value: &str) {
    let name = |item: &str| item.split('=').next().unwrap_or_default().to_owned();
    let items = token.misc.split('|').filter(|item| *item != UNSPECIFIED && name(item) != key);
    let mut items: Vec<String> = items.map(str::to_owned).collect();
    let at = items.iter().position(|item| name(item).as_str() > key).unwrap_or(items.len());
    items.insert(at, format!("{key}={value}"));
    token.misc = items.join("|").into();
}

/// Whether a character may stand in an item of MISC as it is.
fn is_free(character: char) -> bool {
    !matches!(character, '|' | '%') && !character.is_whitespace() && !character.is_control()
}

/// A value as an item of MISC can hold it: what would end the item is spelled `%7C`.
pub fn packed(value: &str) -> String {
    let mut packed = String::new();
    for character in value.chars() {
        if is_free(character) {
            packed.push(character);
        } else {
            let mut bytes = [0; 4];
            character
                .encode_utf8(&mut bytes)
                .bytes()
                .for_each(|byte| packed.push_str(&format!("%{byte:02X}")));
        }
    }
    packed
}

/// The value that was spelled so.
pub fn unpacked(packed: &str) -> Cow<'_, str> {
    if !packed.contains('%') {
        return Cow::Borrowed(packed);
    }
    let mut bytes = Vec::with_capacity(packed.len());
    let mut rest = packed.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = (byte == b'%').then(|| after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()));
        match hex.flatten().and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(spelled) => {
                bytes.push(spelled);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(head: u32, misc: &str) -> Token {
        Token { head: Head::Of(head), misc: misc.into(), ..Token::word(2, "x") }
    }

    #[test]
    fn a_mark_names_the_machine_until_somebody_changes_the_column() {
        let mut token = word(3, "SpaceAfter=No");
        assert_eq!(Column::Head.author(&token), Author::Person);
        Column::Head.mark(&mut token, "convexmst", Some(0.873));
        assert_eq!(token.misc, "HeadBy=convexmst:3|HeadProb=0.87|SpaceAfter=No");
        assert_eq!(Column::Head.author(&token), Author::Machine("convexmst"));
        assert_eq!(Column::Head.probability(&token), Some(0.87));
        token.head = Head::Of(4);
        assert_eq!((Column::Head.author(&token), Column::Head.probability(&token)), (Author::Person, None));
        token.head = Head::Open;
        assert_eq!(Column::Head.author(&token), Author::Nobody);
    }

    #[test]
    fn what_machines_said_is_taken_back_and_what_people_said_stays() {
        let mut sentence = Sentence::from_forms(["a", "b", "c"]);
        for token in sentence.words_mut() {
            (token.head, token.deprel) = (Head::Of(0), "root".into());
        }
        Column::Head.mark(&mut sentence.tokens[0], "gpc", None);
        Column::Deprel.mark(&mut sentence.tokens[1], "gpc", Some(0.5));
        Column::Head.mark(&mut sentence.tokens[2], "gpc", None);
        sentence.tokens[2].head = Head::Of(1);
        assert_eq!(take_back(&mut sentence, &[Column::Head, Column::Deprel]), 2);
        let columns: Vec<(String, &str)> =
            sentence.words().map(|token| (token.head.to_string(), token.deprel.as_str())).collect();
        assert_eq!(columns, [("_".into(), "root"), ("0".into(), "_"), ("1".into(), "root")]);
        assert!(sentence.words().all(|token| token.misc == UNSPECIFIED), "{sentence:?}");
    }

    #[test]
    fn a_head_that_was_overruled_is_the_persons_again() {
        let mut sentence =
            Sentence { tokens: vec![word(3, "HeadBy=gpc:3|HeadSaid=1")], ..Sentence::default() };
        take_back(&mut sentence, &[Column::Head]);
        assert_eq!((&sentence.tokens[0].head, sentence.tokens[0].misc.as_str()), (&Head::Of(1), "_"));
    }

    #[test]
    fn features_that_a_person_said_outlive_those_that_a_machine_added() {
        let mut token = Token::word(1, "x");
        token.feats = "Number=Sing".into();
        for added in ["Case=Nom|Number=Sing", "Case=Gen|Number=Sing"] {
            let before = std::mem::replace(&mut token.feats, added.into());
            mark_feats(&mut token, &before, "m", Some(0.5));
            assert!(Column::Feats.is_by_machine(&token), "{token:?}");
        }
        let mut sentence = Sentence { tokens: vec![token], ..Sentence::default() };
        take_back(&mut sentence, &[Column::Feats]);
        assert_eq!(
            (sentence.tokens[0].feats.as_str(), sentence.tokens[0].misc.as_str()),
            ("Number=Sing", "_")
        );
    }

    #[test]
    fn marks_of_earlier_versions_are_understood() {
        assert_eq!(Column::Head.author(&word(3, "HeadProb=0.60|Imputed=Yes")), Author::Machine(UNNAMED));
        assert_eq!(Column::Deprel.author(&word(3, "Imputed=Yes")), Author::Nobody);
    }

    #[test]
    fn marks_survive_a_format_without_misc() {
        let mut sentence = Sentence::from_forms(["a", "b"]);
        sentence.tokens[1].feats = "Case=Nom|Number=Sing".into();
        sentence.tokens[1].misc = "Gloss=dog".into();
        Column::Feats.mark(&mut sentence.tokens[1], "tagger@1f", Some(0.7));
        let before = sentence.clone();
        to_comments(&mut sentence);
        assert_eq!(sentence.tokens[1].misc, "Gloss=dog");
        assert_eq!(
            sentence.comments,
            ["# treelet_by 2 = FeatsBy=tagger@1f:Case=Nom%7CNumber=Sing|FeatsProb=0.70"]
        );
        sentence.comments.push("# treelet_by 9 = HeadBy=x:1".into());
        from_comments(&mut sentence);
        assert_eq!(sentence.tokens, before.tokens);
        assert_eq!(sentence.comments, ["# treelet_by 9 = HeadBy=x:1"]);
    }

    #[test]
    fn the_mark_of_a_tag_follows_it_to_the_other_column() {
        let mut sentence = Sentence::from_forms(["a"]);
        sentence.tokens[0].upos = "NOUN".into();
        Column::Upos.mark(&mut sentence.tokens[0], "t", Some(0.5));
        to_comments(&mut sentence);
        let token = &mut sentence.tokens[0];
        token.xpos = std::mem::replace(&mut token.upos, UNSPECIFIED);
        from_comments(&mut sentence);
        assert_eq!(Column::Xpos.author(&sentence.tokens[0]), Author::Machine("t"));
        assert_eq!(sentence.tokens[0].misc, "XposBy=t:NOUN|XposProb=0.50");
    }

    proptest! {
        #[test]
        fn any_value_is_known_again(value in "[^_]{1,8}|.{2,8}", other in ".{0,4}", name in ".{0,6}", misc in "[a-zA-Z=|_]{0,12}") {
            let mut token = Token { deprel: value.as_str().into(), misc: misc.into(), ..Token::word(1, "x") };
            prop_assume!(!token.misc.contains("DeprelBy"));
            prop_assert_eq!(Column::Deprel.author(&token), Author::Person);
            Column::Deprel.mark(&mut token, &name, None);
            prop_assert!(Column::Deprel.is_by_machine(&token), "{:?}", token);
            if other != value && other != "_" && !other.is_empty() {
                token.deprel = other.into();
                prop_assert_eq!(Column::Deprel.author(&token), Author::Person);
            }
        }

        #[test]
        fn marks_go_to_comments_and_back(values in prop::collection::vec(("[a-z|=% ]{1,4}", any::<bool>()), 1..5)) {
            let mut sentence = Sentence::from_forms(values.iter().map(|_| "w"));
            for (token, (value, is_marked)) in sentence.tokens.iter_mut().zip(&values) {
                token.upos = value.as_str().into();
                if *is_marked {
                    Column::Upos.mark(token, "m", Some(0.25));
                }
            }
            let mut other = sentence.clone();
            to_comments(&mut other);
            prop_assert!(other.words().all(|token| token.misc == UNSPECIFIED));
            from_comments(&mut other);
            prop_assert_eq!(other, sentence);
        }
    }
}
