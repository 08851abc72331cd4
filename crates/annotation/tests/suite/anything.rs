//! Anything that somebody could do, with and without sense.

use annotation::{
    Analysis, Attach, Attached, Change, Event, Happening, On, Shape, Suggested, Via, WordOrBlock, WrittenHead,
};
use proptest::prelude::*;
use tree::Text;

/// The words of all sentences here; one of them twice, one that looks like an operator.
pub(crate) const WORDS: [&str; 6] = ["the", "dog", ">", "the", "**", "sleeps"];
/// As they are spelled in GFL.
const SPELLED: [&str; 6] = ["the~1", "dog", "~>", "the~2", "~**", "sleeps"];

pub(crate) fn tokens() -> Vec<Text> {
    WORDS.map(Text::from).to_vec()
}

/// Words, and some numbers that are none.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 1..=6u32, 1 => Just(0), 1 => Just(7), 1 => Just(u32::MAX)]
}

/// Few numbers of blocks, so that they are met again.
fn id() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 1..=4u32, 1 => Just(0), 1 => Just(1_000_000), 1 => Just(u32::MAX)]
}

pub(crate) fn unit() -> impl Strategy<Value = WordOrBlock> {
    prop_oneof![3 => word().prop_map(WordOrBlock::Word), 1 => id().prop_map(|bracket| WordOrBlock::Block { bracket })]
}

fn name() -> impl Strategy<Value = Text> {
    let names = ["nsubj", "det", "NP", "ä:ö", "root", "", "_", "two words", "a|b", "(", "line\nend", "tab\t"];
    prop::sample::select(names.map(Text::from).to_vec())
}

fn some_name() -> impl Strategy<Value = Option<Text>> {
    prop::option::of(name())
}

fn on() -> impl Strategy<Value = On> {
    prop_oneof![
        Just(On::Sentence),
        word().prop_map(|word| On::Word { word }),
        word().prop_map(|word| On::Arc { word })
    ]
}

/// Probabilities that are the same after they were written and read.
fn share() -> impl Strategy<Value = f64> {
    (0..=64u8).prop_map(|share| f64::from(share) / 64.0)
}

/// A line of GFL, or something like it.
fn line() -> impl Strategy<Value = String> {
    let spelled = || prop::sample::select(SPELLED.to_vec());
    let some = || prop::collection::vec(spelled(), 1..4).prop_map(|words| words.join(" "));
    prop_oneof![
        (spelled(), spelled()).prop_map(|(one, other)| format!("{one} > {other}")),
        (some(), spelled(), spelled()).prop_map(|(some, head, to)| format!("({some} {head}*) > {to}")),
        (some(), some()).prop_map(|(some, more)| format!("({some} ({more}))")),
        (some(), spelled()).prop_map(|(some, of)| format!("{of} > [{some}]")),
        (spelled(), spelled(), spelled()).prop_map(|(a, b, c)| format!("$x :: {{{a} {b}}} :: {c}")),
        spelled().prop_map(|word| format!("{word}**")),
        (spelled(), spelled()).prop_map(|(one, other)| format!("{one} = {other}")),
        some(),
        "[()\\[\\]{}<>*~$:= a-z]{0,12}",
    ]
}

pub(crate) fn gfl() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..4).prop_map(|lines| lines.join("\n"))
}

fn attach() -> impl Strategy<Value = Change> {
    let other = unit().prop_map(|unit| Some(unit.into()));
    let to = prop_oneof![1 => Just(None), 1 => Just(Some(Attached::Root)), 6 => other];
    let relation = prop_oneof![2 => Just(None), 1 => some_name()];
    // What is told to belong to word 0 is a root, and is read as that again.
    let target = |to| {
        if to == Attached::To(WordOrBlock::Word(0)) { WrittenHead(Attached::Root) } else { WrittenHead(to) }
    };
    (unit(), to, relation)
        .prop_map(move |(of, to, relation)| Change::Head(Attach { of, to: to.map(target), relation }))
}

fn bracket() -> impl Strategy<Value = Change> {
    let shape =
        prop_oneof![2 => Just(None), 1 => Just(Some(Shape::Bracket)), 1 => Just(Some(Shape::Multiword))];
    let words = prop_oneof![
        6 => (1..=5u32, 1..=3u32).prop_map(|(first, more)| (first..=(first + more).min(6)).collect()),
        3 => prop::collection::vec(word(), 0..5),
    ];
    (id(), shape, words, prop::option::of(unit()), some_name())
        .prop_map(|(id, kind, words, head, label)| Change::Bracket { id, kind, words, head, label })
}

pub(crate) fn accept() -> impl Strategy<Value = Change> {
    let one = (word(), word(), some_name(), share());
    let one = one.prop_map(|(of, to, relation, p)| Suggested { of, to, relation, p });
    prop::collection::vec(one, 0..3).prop_map(|heads| Change::Accept { heads })
}

/// A change that is not made by typing.
pub(crate) fn change_by_hand() -> impl Strategy<Value = Change> {
    prop_oneof![
        8 => attach(),
        5 => bracket(),
        2 => (unit(), some_name()).prop_map(|(of, is)| Change::Relation { of, is }),
        1 => (word(), some_name()).prop_map(|(of, is)| Change::Tag { of, is }),
        3 => unit().prop_map(|of| Change::Flip { of }),
        1 => (word(), any::<bool>()).prop_map(|(of, is)| Change::Main { of, is }),
        1 => (word(), any::<bool>()).prop_map(|(of, is)| Change::Unsure { of, is }),
        2 => id().prop_map(|id| Change::Unbracket { id }),
        1 => (word(), word(), any::<bool>()).prop_map(|(of, to, is)| Change::Forbid { of, to, is }),
        1 => (0..3u32, on(), prop::option::of("[ <&>a]{0,4}")).prop_map(|(n, on, text)| Change::Comment { n, on, text }),
        2 => accept(),
    ]
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    prop_oneof![8 => change_by_hand(), 1 => gfl().prop_map(|text| Change::Gfl { text })]
}

fn via() -> impl Strategy<Value = Via> {
    use Via::{Import, Key, Mouse, Question, Replay, Suggestion, Text, Touch};
    prop::sample::select(vec![Mouse, Touch, Key, Text, Suggestion, Question, Replay, Import])
}

fn kind() -> impl Strategy<Value = Happening> {
    let shown = prop::collection::btree_map("[1-9]", share(), 0..3);
    let edit = (via(), prop::collection::vec(change(), 0..3));
    prop_oneof![
        12 => edit.prop_map(|(via, changes)| Happening::Edit { via, changes }),
        5 => Just(Happening::Undo),
        4 => Just(Happening::Redo),
        1 => (0..7u8).prop_map(|stage| Happening::Stage { stage }),
        1 => prop::sample::select(vec![Happening::Submit, Happening::Skip, Happening::Reopen]),
        1 => prop::sample::select(vec![Happening::Open, Happening::Close, Happening::Pause, Happening::Resume]),
        1 => (-1..200i32).prop_map(|seconds| Happening::Idle { seconds: f64::from(seconds) }),
        1 => shown.prop_map(|p| Happening::Shown { p }),
        1 => (word(), word()).prop_map(|(word, head)| Happening::Refused { word, head }),
    ]
}

/// An event at any time, also before the last.
pub(crate) fn event() -> impl Strategy<Value = Event> {
    let at = prop_oneof![20 => -1_000..200_000i64, 1 => Just(i64::MIN), 1 => Just(i64::MAX)];
    (any::<u64>(), at, kind()).prop_map(|(n, at, kind)| Event { n, at, kind })
}

/// What stands there after all of these changes that make sense.
pub(crate) fn after(changes: &[Change]) -> Analysis {
    let mut analysis = Analysis::new(tokens());
    for change in changes {
        let _ = analysis.apply(change);
    }
    analysis
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(change(), 0..30)
}

pub(crate) fn changes_by_hand() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(change_by_hand(), 0..30)
}
