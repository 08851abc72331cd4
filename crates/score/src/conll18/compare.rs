//! Counts what is right, sentence by sentence.

use super::align::Alignment;
use super::corpus::{Corpus, NONE, Range, Word, same_universal_features};
use super::{Metric, MetricTally, Tallies};
use tree::sentence::UNSPECIFIED;

/// The tallies of each gold sentence.
pub(super) fn by_sentence(gold: &Corpus<'_>, system: &Corpus<'_>) -> Vec<Tallies> {
    let comparison = Comparison { gold, system, alignment: Alignment::new(gold, system) };
    let mut sentences = vec![Tallies::default(); gold.sentences.len()];
    comparison.count_spans(&mut sentences);
    comparison.count_words(&mut sentences);
    comparison.count_aligned(&mut sentences);
    sentences.iter_mut().for_each(spread_totals);
    sentences
}

struct Comparison<'a> {
    gold: &'a Corpus<'a>,
    system: &'a Corpus<'a>,
    alignment: Alignment,
}

impl Comparison<'_> {
    fn count_spans(&self, sentences: &mut [Tallies]) {
        let tokens = (Metric::Tokens, &self.gold.tokens, &self.system.tokens);
        for (metric, gold, system) in
            [tokens, (Metric::Sentences, &self.gold.sentences, &self.system.sentences)]
        {
            let index = metric as usize;
            self.by_gold_sentence(gold, |sentence, _| sentences[sentence][index].gold += 1);
            let mut g = 0;
            self.by_gold_sentence(system, |sentence, range| {
                while g < gold.len() && gold[g].start < range.start {
                    g += 1;
                }
                sentences[sentence][index].system += 1;
                sentences[sentence][index].correct += u32::from(gold.get(g) == Some(&range));
            });
        }
    }

    /// Visits `ranges` (sorted), each with the gold sentence in which it begins.
    fn by_gold_sentence(&self, ranges: &[Range], mut visit: impl FnMut(usize, Range)) {
        let mut sentence = 0;
        for &range in ranges {
            while self.gold.sentences[sentence].end <= range.start {
                sentence += 1;
            }
            visit(sentence, range);
        }
    }

    /// Counts words and content words, for the metrics [`Metric::Words`] and [`Metric::Clas`] only.
    fn count_words(&self, sentences: &mut [Tallies]) {
        for word in &self.gold.words {
            let tallies = &mut sentences[word.sentence as usize];
            tallies[Metric::Words as usize].gold += 1;
            tallies[Metric::Clas as usize].gold += u32::from(word.is_content());
        }
        let mut sentence = 0;
        for word in &self.system.words {
            while self.gold.sentences[sentence].end <= word.range.start {
                sentence += 1;
            }
            let tallies = &mut sentences[sentence];
            tallies[Metric::Words as usize].system += 1;
            tallies[Metric::Clas as usize].system += u32::from(word.is_content());
        }
    }

    fn count_aligned(&self, sentences: &mut [Tallies]) {
        for &(g, s) in &self.alignment.pairs {
            let gold = &self.gold.words[g as usize];
            let is_content = gold.is_content();
            let tallies = &mut sentences[gold.sentence as usize];
            tallies[Metric::Words as usize].aligned += 1;
            tallies[Metric::Clas as usize].aligned += u32::from(is_content);
            let right = self.compare(g as usize, s as usize, is_content);
            for metric in &Metric::ALL[Metric::Words as usize..] {
                let counts = is_content || !metric.is_of_content();
                tallies[*metric as usize].correct += u32::from(counts && right.metric(*metric));
            }
        }
    }

    fn compare(&self, g: usize, s: usize, is_content: bool) -> Right {
        let (gold, system) = (&self.gold.words[g], &self.system.words[s]);
        let head = gold.parent == self.gold_word(system.parent);
        let labelled = head && gold.relation() == system.relation();
        let lemma = gold.token.lemma == UNSPECIFIED || gold.token.lemma == system.token.lemma;
        let upos = gold.token.upos == system.token.upos;
        let xpos = gold.token.xpos == system.token.xpos;
        let feats = same_universal_features(&gold.token.feats, &system.token.feats);
        let mlas = is_content && labelled && upos && feats && self.same_function_words(g, s);
        Right { upos, xpos, feats, lemma, head, labelled, mlas }
    }

    /// The gold word aligned with a system word. One that is aligned with none gets a number that no gold
    /// word has; the root stays the root.
    fn gold_word(&self, system: u32) -> u32 {
        const NOT_ALIGNED: u32 = NONE - 1;
        match system {
            NONE => NONE,
            _ => match self.alignment.gold_of[system as usize] {
                NONE => NOT_ALIGNED,
                gold => gold,
            },
        }
    }

    /// Whether the two have the same function words, with the same relations, tags and features.
    fn same_function_words(&self, g: usize, s: usize) -> bool {
        let (gold, system) = (self.gold.functional_children(g), self.system.functional_children(s));
        let same = |(&g, &s): (&u32, &u32)| {
            let (gold, system): (&Word<'_>, &Word<'_>) =
                (&self.gold.words[g as usize], &self.system.words[s as usize]);
            self.gold_word(s) == g
                && gold.relation() == system.relation()
                && gold.token.upos == system.token.upos
                && same_universal_features(&gold.token.feats, &system.token.feats)
        };
        gold.len() == system.len() && gold.iter().zip(system).all(same)
    }
}

/// Gives each metric the numbers of words, or of content words, that stand at one of them.
fn spread_totals(tallies: &mut Tallies) {
    for metric in &Metric::ALL[Metric::Upos as usize..] {
        let source = if metric.is_of_content() { Metric::Clas } else { Metric::Words };
        tallies[*metric as usize] =
            MetricTally { correct: tallies[*metric as usize].correct, ..tallies[source as usize] };
    }
}

/// What is right about an aligned word.
struct Right {
    upos: bool,
    xpos: bool,
    feats: bool,
    lemma: bool,
    head: bool,
    labelled: bool,
    mlas: bool,
}

impl Right {
    fn metric(&self, metric: Metric) -> bool {
        match metric {
            Metric::Tokens | Metric::Sentences | Metric::Words => true,
            Metric::Upos => self.upos,
            Metric::Xpos => self.xpos,
            Metric::Ufeats => self.feats,
            Metric::AllTags => self.upos && self.xpos && self.feats,
            Metric::Lemmas => self.lemma,
            Metric::Uas => self.head,
            Metric::Las | Metric::Clas => self.labelled,
            Metric::Mlas => self.mlas,
            Metric::Blex => self.labelled && self.lemma,
        }
    }
}
