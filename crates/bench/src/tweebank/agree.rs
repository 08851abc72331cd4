//! Agreement between people who annotated the same tweets.

use chain::Workers;
use score::agreement::{HeadAgreement, com_prec, gfl_agree, gfl_agree_strict, soft_com_prec};
use score::commitment::{Nodes, measure};
use std::collections::BTreeMap;

use super::data::{Annotation, TweebankData};
use super::page::{PageTable, mean, number};

/// Two annotations of one tweet.
struct AnnotationPair<'a> {
    one: &'a Annotation,
    other: &'a Annotation,
}

/// Their agreement; of measures that depend on the order, both.
struct Agreed {
    com: [f64; 2],
    com_prec: [f64; 2],
    soft: [f64; 2],
    gfl: HeadAgreement,
    strict: HeadAgreement,
    exact: bool,
}

impl AnnotationPair<'_> {
    fn agreed(&self) -> Agreed {
        let (one, other) = (&self.one.said, &self.other.said);
        let heads = [self.one.heads.clone(), self.other.heads.clone()];
        let prec = [com_prec(one, other), com_prec(other, one)];
        let soft = [soft_com_prec(one, other), soft_com_prec(other, one)];
        // An annotation that leaves no tree commits itself to nothing that could be agreed with.
        let com = [one, other].map(|said| measure(said, &Nodes::Mentioned).commitment().unwrap_or(0.0));
        Agreed {
            com,
            com_prec: prec.map(|agreement| agreement.value),
            soft: soft.map(|agreement| agreement.value),
            gfl: gfl_agree(&heads),
            strict: gfl_agree_strict(&heads),
            exact: prec.iter().chain(&soft).all(|agreement| agreement.exact),
        }
    }
}

/// The table of pairs with at least `common` tweets in common, the pairs of each annotator, and all pairs.
pub(super) fn section(data: &TweebankData, common: usize, workers: &Workers) -> String {
    let mut pairs = Vec::new();
    let mut again = 0;
    for tweet in &data.tweets {
        let voices = tweet.voices();
        again += tweet.annotations.len() - voices.len();
        for (at, &other) in voices.iter().enumerate() {
            pairs.extend(voices[..at].iter().map(|&one| AnnotationPair { one, other }));
        }
    }
    let agreed = workers.map(&pairs, |_, pair| pair.agreed());
    let mut by_pair: BTreeMap<(usize, usize), Vec<&Agreed>> = BTreeMap::new();
    let mut by_annotator: BTreeMap<usize, Vec<&Agreed>> = BTreeMap::new();
    for (pair, agreed) in pairs.iter().zip(&agreed) {
        let (one, other) = (pair.one.annotator, pair.other.annotator);
        by_pair.entry((one.min(other), one.max(other))).or_default().push(agreed);
        by_annotator.entry(one).or_default().push(agreed);
        by_annotator.entry(other).or_default().push(agreed);
    }
    let most = by_pair.values().map(Vec::len).max().unwrap_or(0);
    let n_ten = by_pair.values().filter(|agreed| agreed.len() >= 10).count();
    let mut text = format!(
        "{} pairs of annotators have tweets in common, which makes {} comparisons; {n_ten} pairs have 10 tweets or more, \
         and the most is {most}. So the table has the pairs with {common} or more, then every annotator against all \
         others. {again} annotations whose annotator came back to the same tweet later are not compared. Numbers of trees were beyond the limits in {} \
         comparisons, where bounds stand for them. Measures that depend on the order are means of both orders; com, \
         comPrec and softComPrec are means over tweets, gflAgree and the strict form over words (in brackets).\n\n",
        by_pair.len(),
        pairs.len(),
        agreed.iter().filter(|agreed| !agreed.exact).count(),
    );
    let called = data.called();
    let name = |annotator: usize| called[annotator].as_str();
    let mut table =
        PageTable::new(&["annotators", "tweets", "com", "comPrec", "softComPrec", "gflAgree", "strict"]);
    let mut rows: Vec<(&(usize, usize), &Vec<&Agreed>)> = by_pair.iter().collect();
    rows.sort_by_key(|(_, agreed)| std::cmp::Reverse(agreed.len()));
    for ((one, other), agreed) in rows.into_iter().filter(|(_, agreed)| agreed.len() >= common) {
        table.row(row(format!("{} – {}", name(*one), name(*other)), agreed));
    }
    let mut rows: Vec<(&usize, &Vec<&Agreed>)> = by_annotator.iter().collect();
    rows.sort_by_key(|(_, agreed)| std::cmp::Reverse(agreed.len()));
    for (annotator, agreed) in rows {
        table.row(row(format!("{} – all others", name(*annotator)), agreed));
    }
    table.row(row("**all pairs**".to_owned(), &agreed.iter().collect::<Vec<_>>()));
    text += &table.to_string();
    text
}

fn row(name: String, agreed: &[&Agreed]) -> Vec<String> {
    let both = |of: fn(&Agreed) -> [f64; 2]| {
        number(mean(&agreed.iter().flat_map(|agreed| of(agreed)).collect::<Vec<_>>()), 2)
    };
    let heads = |of: fn(&Agreed) -> HeadAgreement| {
        let mut sum = HeadAgreement::default();
        agreed.iter().for_each(|agreed| sum.add(of(agreed)));
        format!("{} ({})", number(sum.value().unwrap_or(f64::NAN), 2), sum.n_tokens)
    };
    vec![
        name,
        agreed.len().to_string(),
        both(|agreed| agreed.com),
        both(|agreed| agreed.com_prec),
        both(|agreed| agreed.soft),
        heads(|agreed| agreed.gfl),
        heads(|agreed| agreed.strict),
    ]
}
