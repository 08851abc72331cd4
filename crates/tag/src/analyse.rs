//! Words looked up in a transducer: all analyses of a form.
//!
//! One side of the transducer is read in step with the word, the other is written. A word is cut into symbols from left to right,
//! the longest that the transducer names first, as foma and HFST do. Paths are followed depth first on a stack; between two
//! letters a path enters no state twice with the same flags, so that loops which read nothing end.

use rustc_hash::FxHashMap;
use tree::PutInOrder;
use tree::{Flag, FlagOperation, Symbol, Text, Transducer};

/// Which side of a transducer words stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The first one, as in analysers of HFST.
    Input,
    /// The second one, as in transducers of foma and xfst, whose upper side has the analyses.
    Output,
}

/// One way to analyse a word.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// What the path writes.
    pub text: Text,
    /// The symbols of more than one letter that it writes, such as `+Noun`.
    pub tags: Vec<Text>,
    /// What the path costs.
    pub weight: f32,
}

/// What came of looking up a word.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LookedUp {
    /// The analyses, each text once with its least weight, cheapest first.
    pub analyses: Vec<Analysis>,
    /// Whether a loop that reads nothing was met and left; it would give analyses without end.
    pub looped: bool,
    /// Whether there were too many paths, and some were not followed.
    pub cut: bool,
}

/// A transducer made ready.
#[derive(Debug, Clone)]
pub struct Analyser {
    transducer: Transducer,
    surface: Surface,
    /// The numbers of the symbols that words can be made of.
    letters: FxHashMap<Text, u32>,
    /// The length of the longest of them, in bytes.
    longest: usize,
    /// The number of each feature of a flag.
    features: FxHashMap<Text, usize>,
}

/// Paths that are followed at most, counted by steps.
const STEPS: usize = 100_000;
/// Analyses of a word at most.
const ANALYSES: usize = 100;

impl Analyser {
    /// Looks words up on this side.
    pub fn new(transducer: Transducer, surface: Surface) -> Analyser {
        let (mut letters, mut features) = (FxHashMap::default(), FxHashMap::default());
        for (number, symbol) in (0u32..).zip(transducer.symbols()) {
            match symbol {
                Symbol::Text(text) => drop(letters.insert(text.clone(), number)),
                Symbol::Flag(flag) => {
                    let next = features.len();
                    features.entry(flag.feature.clone()).or_insert(next);
                }
                _ => {}
            }
        }
        let longest = letters.keys().map(|text: &Text| text.len()).max().unwrap_or(0);
        Analyser { transducer, surface, letters, longest, features }
    }

    /// Looks words up on the side that accepts more of them; the second if both accept as many.
    pub fn fitting<'a>(transducer: Transducer, words: impl IntoIterator<Item = &'a str> + Clone) -> Analyser {
        let by_input = Analyser::new(transducer, Surface::Input);
        let by_output = Analyser { surface: Surface::Output, ..by_input.clone() };
        let accepted = |analyser: &Analyser| {
            let words = words.clone().into_iter();
            words.filter(|word| !analyser.look_up(word).analyses.is_empty()).count()
        };
        if accepted(&by_input) > accepted(&by_output) { by_input } else { by_output }
    }

    /// The side that words stand on.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// All analyses of a word.
    pub fn look_up(&self, word: &str) -> LookedUp {
        let letters = self.cut(word);
        let mut search = Search { nodes: vec![PathNode::start(self.features.len())], ..Search::default() };
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if search.nodes.len() > STEPS || search.found.len() >= ANALYSES {
                search.looked_up.cut = true;
                break;
            }
            self.end(node, letters.len(), &mut search);
            let first = stack.len();
            self.follow(node, &letters, &mut search, &mut stack);
            // The first arc is followed first.
            stack[first..].reverse();
        }
        search.finish()
    }

    /// The union of what all analyses of a word say, as features: every tag, and the tags of each analysis together.
    ///
    /// Where a transducer writes letters only, an analysis is cut at `+`, `<`, `>`, `[` and `]`, and what follows the first piece
    /// are its tags.
    pub fn features(&self, word: &str) -> Vec<Text> {
        let mut features = Vec::new();
        for analysis in self.look_up(word).analyses {
            let tags = if analysis.tags.is_empty() { pieces(&analysis.text) } else { analysis.tags };
            features.push(Text::from(format!("all {}", tags.join(" "))));
            features.extend(tags);
        }
        features.sort_unstable();
        features.dedup();
        features
    }

    /// A word as symbols; `Err` holds a letter that the transducer does not name.
    fn cut<'w>(&self, word: &'w str) -> Vec<Result<u32, &'w str>> {
        let (mut letters, mut rest) = (Vec::new(), word);
        while let Some(first) = rest.chars().next() {
            let named = (1..=self.longest.min(rest.len())).rev().find_map(|length| {
                let text = rest.get(..length)?;
                Some((*self.letters.get(text)?, length))
            });
            let length = named.map_or(first.len_utf8(), |(_, length)| length);
            letters.push(named.map(|(number, _)| number).ok_or(&rest[..length]));
            rest = &rest[length..];
        }
        letters
    }

    fn end(&self, at: usize, n_letters: usize, search: &mut Search) {
        let node = &search.nodes[at];
        let Some(weight) = self.transducer.end(node.state).filter(|_| node.position == n_letters) else {
            return;
        };
        let weight = node.weight + weight;
        let analysis = search.written(at, weight);
        search.found.push(analysis);
    }

    /// Puts all ways to go on from a node onto the stack.
    fn follow(&self, at: usize, letters: &[Result<u32, &str>], search: &mut Search, stack: &mut Vec<usize>) {
        let (state, position) = (search.nodes[at].state, search.nodes[at].position);
        for arc in self.transducer.arcs(state) {
            let (read, write) = match self.surface {
                Surface::Input => (arc.input, arc.output),
                Surface::Output => (arc.output, arc.input),
            };
            let symbols = self.transducer.symbols();
            let (n_read, flags) = match (&symbols[read as usize], letters.get(position)) {
                (Symbol::Epsilon, _) => (0, None),
                (Symbol::Flag(flag), _) => match self.pass(flag, &search.nodes[at].flags) {
                    Some(flags) => (0, Some(flags)),
                    None => continue,
                },
                (Symbol::Text(_), Some(Ok(letter))) if *letter == read => (1, None),
                (Symbol::Unknown | Symbol::Identity, Some(Err(_))) => (1, None),
                _ => continue,
            };
            let other = letters.get(position).and_then(|letter| letter.err()).unwrap_or_default();
            let written = match &symbols[write as usize] {
                Symbol::Text(text) => text.clone(),
                Symbol::Unknown | Symbol::Identity => Text::from(other),
                Symbol::Epsilon | Symbol::Flag(_) => Text::default(),
            };
            let node = PathNode {
                parent: at,
                state: arc.target,
                position: position + n_read,
                is_tag: matches!(&symbols[write as usize], Symbol::Text(_)) && written.chars().count() > 1,
                written,
                weight: search.nodes[at].weight + arc.weight,
                flags: flags.unwrap_or_else(|| search.nodes[at].flags.clone()),
            };
            search.enter(node, stack);
        }
    }

    /// The values after a flag; `None` if it bars the way.
    fn pass(&self, flag: &Flag, flags: &[Value]) -> Option<Vec<Value>> {
        let Flag { operation, feature, value } = flag;
        let at = *self.features.get(feature)?;
        let now = &flags[at];
        let with = |value: Value| {
            let mut flags = flags.to_vec();
            flags[at] = value;
            flags
        };
        let given = || value.clone().unwrap_or_default();
        match operation {
            FlagOperation::Set => Some(with(Value::Is(given()))),
            FlagOperation::SetOther => Some(with(Value::IsNot(given()))),
            FlagOperation::Clear => Some(with(Value::Open)),
            FlagOperation::Require => now.is(value.as_ref()).then(|| flags.to_vec()),
            FlagOperation::Forbid => (!now.is(value.as_ref())).then(|| flags.to_vec()),
            FlagOperation::Unify => now.agrees(&given()).then(|| with(Value::Is(given()))),
        }
    }
}

/// What is known of a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Open,
    Is(Text),
    IsNot(Text),
}

impl Value {
    /// Whether it has this value, or any.
    fn is(&self, value: Option<&Text>) -> bool {
        match (self, value) {
            (Value::Open, _) => false,
            (_, None) => true,
            (Value::Is(now), Some(value)) => now == value,
            (Value::IsNot(now), Some(value)) => now != value,
        }
    }

    fn agrees(&self, value: &Text) -> bool {
        *self == Value::Open || self.is(Some(value))
    }
}

/// A place that a path has reached.
#[derive(Debug)]
struct PathNode {
    parent: usize,
    state: u32,
    position: usize,
    written: Text,
    is_tag: bool,
    weight: f32,
    flags: Vec<Value>,
}

impl PathNode {
    fn start(n_features: usize) -> PathNode {
        PathNode {
            parent: usize::MAX,
            state: 0,
            position: 0,
            written: Text::default(),
            is_tag: false,
            weight: 0.0,
            flags: vec![Value::Open; n_features],
        }
    }
}

#[derive(Debug, Default)]
struct Search {
    nodes: Vec<PathNode>,
    found: Vec<Analysis>,
    looked_up: LookedUp,
}

impl Search {
    /// Goes to a node, unless the path has been there since the last letter.
    fn enter(&mut self, node: PathNode, stack: &mut Vec<usize>) {
        let mut before = node.parent;
        while let Some(earlier) = self.nodes.get(before).filter(|earlier| earlier.position == node.position) {
            if earlier.state == node.state && earlier.flags == node.flags {
                self.looked_up.looped = true;
                return;
            }
            before = earlier.parent;
        }
        stack.push(self.nodes.len());
        self.nodes.push(node);
    }

    /// What the path to a node has written.
    fn written(&self, at: usize, weight: f32) -> Analysis {
        let (mut parts, mut at) = (Vec::new(), at);
        while let Some(node) = self.nodes.get(at) {
            parts.push(node);
            at = node.parent;
        }
        parts.reverse();
        let text: String = parts.iter().map(|node| node.written.as_str()).collect();
        let tags = parts.iter().filter(|node| node.is_tag).map(|node| node.written.clone()).collect();
        Analysis { text: text.into(), tags, weight }
    }

    fn finish(mut self) -> LookedUp {
        self.found.order_by(|a, b| a.text.cmp(&b.text).then(a.weight.total_cmp(&b.weight)));
        self.found.dedup_by(|later, earlier| later.text == earlier.text);
        self.found.order_by(|a, b| a.weight.total_cmp(&b.weight).then_with(|| a.text.cmp(&b.text)));
        LookedUp { analyses: self.found, ..self.looked_up }
    }
}

/// What follows the first piece of an analysis that is written in letters.
fn pieces(text: &str) -> Vec<Text> {
    let pieces = text.split(['+', '<', '>', '[', ']']).skip(1);
    pieces.filter(|piece| !piece.is_empty()).map(Text::from).collect()
}
