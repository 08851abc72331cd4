//! Small random grammars, and the numbers to make them from.

use crate::enumerate::Derived;

/// The SplitMix64 generator: enough randomness for a test, the same on every machine.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }
}

/// A PCFG without unary rules; symbol 0 is the start, and rules need not sum to one.
#[derive(Debug, Clone, Default)]
pub struct Pcfg {
    /// The number of symbols.
    pub n_symbols: usize,
    /// (A, B, C, weight) of each rule A → B C.
    pub binary: Vec<(usize, usize, usize, f64)>,
    /// The weight of each symbol over each word: `lexical[symbol][word]`.
    pub lexical: Vec<Vec<f64>>,
}

impl Pcfg {
    /// A grammar with `n_rules` different rules, in which some symbols cannot be some words.
    ///
    /// The rule 0 → 0 1 and words for symbols 0 and 1 see to it that every sentence has a parse.
    pub fn random(n_symbols: usize, n_rules: usize, n_words: usize, random: &mut SplitMix64) -> Pcfg {
        let mut binary = vec![(0, 0, 1 % n_symbols, random.uniform() + 0.01)];
        while binary.len() < n_rules.min(n_symbols.pow(3)) {
            let [a, b, c] = std::array::from_fn(|_| random.below(n_symbols));
            if !binary.iter().any(|rule| (rule.0, rule.1, rule.2) == (a, b, c)) {
                binary.push((a, b, c, random.uniform() + 0.01));
            }
        }
        binary.sort_by_key(|rule| (rule.0, rule.1, rule.2));
        let mut lexical = vec![vec![0.0; n_words]; n_symbols];
        for (symbol, row) in lexical.iter_mut().enumerate() {
            for weight in row.iter_mut() {
                if symbol < 2 || random.uniform() < 0.4 {
                    *weight = random.uniform() + 0.01;
                }
            }
        }
        Pcfg { n_symbols, binary, lexical }
    }

    /// All parse trees of `words`, straight from the definition of a grammar.
    ///
    /// A step's node is the symbol, its rule the place in `binary` or, for words, `binary.len()` and on; its
    /// tails are start, split (or end) and end of the span.
    pub fn trees(&self, words: &[usize]) -> Vec<Derived> {
        self.trees_of(0, words, 0)
    }

    fn trees_of(&self, symbol: usize, words: &[usize], offset: usize) -> Vec<Derived> {
        if let [word] = words {
            let weight = self.lexical[symbol][*word];
            let rule = self.lexical_rule(symbol, *word);
            let steps = vec![(symbol, rule, vec![offset, offset + 1])];
            return (weight > 0.0).then_some(Derived { weight, steps }).into_iter().collect();
        }
        let mut all = Vec::new();
        for (rule, &(head, left, right, weight)) in self.binary.iter().enumerate() {
            for split in (1..words.len()).filter(|_| head == symbol) {
                for first in self.trees_of(left, &words[..split], offset) {
                    for second in self.trees_of(right, &words[split..], offset + split) {
                        let place = vec![offset, offset + split, offset + words.len()];
                        let mut steps = vec![(symbol, rule as u32, place)];
                        steps.extend(first.steps.iter().chain(&second.steps).cloned());
                        all.push(Derived { weight: weight * first.weight * second.weight, steps });
                    }
                }
            }
        }
        all
    }

    /// The number of the rule symbol → word.
    pub fn lexical_rule(&self, symbol: usize, word: usize) -> u32 {
        (self.binary.len() + symbol * self.lexical[0].len() + word) as u32
    }
}

/// A PCFG whose symbols are split into substates.
#[derive(Debug, Clone, Default)]
pub struct RefinedPcfg {
    /// The number of substates of each symbol.
    pub n_substates: Vec<usize>,
    /// The weight of each substate of the start symbol.
    pub root: Vec<f64>,
    /// (A, B, C) of each rule.
    pub binary: Vec<(usize, usize, usize)>,
    /// `β[x][y][z]` of each rule, z fastest.
    pub tensors: Vec<Vec<f64>>,
    /// The vector of each symbol over each word: `lexical[symbol][word][x]`.
    pub lexical: Vec<Vec<Vec<f64>>>,
}

impl RefinedPcfg {
    /// Splits the symbols of a grammar at random; every fifth entry of a tensor is zero.
    pub fn random(coarse: &Pcfg, n_substates: &[usize], random: &mut SplitMix64) -> RefinedPcfg {
        let mut vector = |weight: f64, len: usize| -> Vec<f64> {
            (0..len).map(|_| if random.uniform() < 0.2 { 0.0 } else { weight * random.uniform() }).collect()
        };
        let tensors = coarse
            .binary
            .iter()
            .map(|&(a, b, c, weight)| vector(weight, n_substates[a] * n_substates[b] * n_substates[c]))
            .collect();
        let lexical = (0..coarse.n_symbols)
            .map(|symbol| {
                coarse.lexical[symbol].iter().map(|&weight| vector(weight, n_substates[symbol])).collect()
            })
            .collect();
        let root = vector(1.0, n_substates[0]).iter().map(|prior| prior + 0.1).collect();
        let binary = coarse.binary.iter().map(|rule| (rule.0, rule.1, rule.2)).collect();
        RefinedPcfg { n_substates: n_substates.to_vec(), root, binary, tensors, lexical }
    }

    /// The number of the first substate of each symbol in the flat grammar.
    pub fn first_substates(&self) -> Vec<usize> {
        let ends = self.n_substates.iter().scan(0, |end, n| {
            *end += n;
            Some(*end)
        });
        ends.zip(&self.n_substates).map(|(end, n)| end - n).collect()
    }

    /// The flat twin: one symbol per substate, one rule per tensor entry that is not zero.
    ///
    /// Symbol numbers are `first_substates()[symbol] + x`; the second value tells (rule, x, y, z) of each flat
    /// rule. There is no start symbol: the caller weighs the substates of symbol 0 by `root`.
    pub fn flatten(&self) -> (Pcfg, Vec<[usize; 4]>) {
        let first = self.first_substates();
        let mut flat = Pcfg { n_symbols: self.n_substates.iter().sum(), ..Pcfg::default() };
        let mut origins = Vec::new();
        for (rule, &(a, b, c)) in self.binary.iter().enumerate() {
            let (n_left, n_right) = (self.n_substates[b], self.n_substates[c]);
            for (at, &weight) in self.tensors[rule].iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let [x, y, z] = [at / (n_left * n_right), at / n_right % n_left, at % n_right];
                flat.binary.push((first[a] + x, first[b] + y, first[c] + z, weight));
                origins.push([rule, x, y, z]);
            }
        }
        for (symbol, &n) in self.n_substates.iter().enumerate() {
            let substates = (0..n).map(|x| self.lexical[symbol].iter().map(|vector| vector[x]).collect());
            flat.lexical.extend(substates);
        }
        (flat, origins)
    }
}

/// A random tree over `n_words` words as brackets, with chains of labels, labels that are tags as well as phrases,
/// words without tags, and up to three children. Labels are A, B and C, tags A, B and T, words a, b and c.
pub fn random_brackets(n_words: usize, random: &mut SplitMix64) -> String {
    let bracket = |label: &str, inside: String| format!("({label} {inside})");
    if n_words <= 1 {
        let word = ["a", "b", "c"][random.below(3)].to_string();
        let mut tree = bracket(["A", "B", "T", "T"][random.below(4)], word);
        while random.uniform() < 0.3 {
            tree = bracket(["A", "B", "C"][random.below(3)], tree);
        }
        return tree;
    }
    let n_children = 2 + random.below(2.min(n_words - 1));
    let mut left = n_words;
    let mut children = Vec::new();
    for child in (0..n_children).rev() {
        let size = if child == 0 { left } else { 1 + random.below(left - child) };
        left -= size;
        let bare = size == 1 && random.uniform() < 0.15;
        let word = ["a", "b", "c"][random.below(3)].to_string();
        children.push(if bare { word } else { random_brackets(size, random) });
    }
    let mut tree = bracket(["A", "B", "C"][random.below(3)], children.join(" "));
    while random.uniform() < 0.25 {
        tree = bracket(["A", "B", "C"][random.below(3)], tree);
    }
    tree
}
