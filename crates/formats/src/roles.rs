//! The columns of CoNLL-2009 that CoNLL-U has no place for, carried in MISC and back.
//!
//! Predicted columns are written only where they differ from gold (`PLemma`, `PPos`, `PFeat`, `PHead`,
//! `PDeprel`), a predicate as `Pred=go.01`, and its arguments in the row of each argument as
//! `Args=A0,_,AM-TMP`, one item per predicate.

use crate::conll09::Extra;
use crate::convert::take_misc;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

/// Moves the columns of CoNLL-2009 into MISC.
pub(crate) fn to_misc(sentence: &mut Sentence) {
    for token in &mut sentence.tokens {
        let extra = std::mem::take(&mut token.extra);
        let column = |which: Extra| extra.get(which as usize).cloned().unwrap_or(UNSPECIFIED);
        let mut items = Vec::new();
        for (key, predicted, gold) in predicted(token) {
            if column(predicted) != gold {
                items.push(format!("{key}={}", escape(&column(predicted))));
            }
        }
        let fill = column(Extra::FillPred);
        let expected = if column(Extra::Pred) == UNSPECIFIED { UNSPECIFIED } else { "Y".into() };
        if fill != expected {
            items.push(format!("FillPred={}", escape(&fill)));
        }
        if column(Extra::Pred) != UNSPECIFIED {
            items.push(format!("Pred={}", escape(&column(Extra::Pred))));
        }
        let arguments: Vec<String> =
            extra.iter().skip(Extra::FirstArgument as usize).map(|a| escape(a)).collect();
        if !arguments.is_empty() {
            items.push(format!("Args={}", arguments.join(",")));
        }
        token.misc = if items.is_empty() { UNSPECIFIED } else { items.join("|").into() };
    }
}

/// Makes the columns of CoNLL-2009 from MISC; predicted columns repeat gold where nothing else is said.
pub(crate) fn from_misc(sentence: &mut Sentence) {
    for token in &mut sentence.tokens {
        if token.xpos == UNSPECIFIED {
            token.xpos = std::mem::replace(&mut token.upos, UNSPECIFIED);
        }
        let mut extra: Vec<Text> = predicted(token)
            .into_iter()
            .map(|(key, _, gold)| take_misc(token, key).map_or(gold, |value| unescape(&value)))
            .collect();
        let mut take = |key| take_misc(token, key).map(|value| unescape(&value));
        let (fill, predicate) = (take("FillPred"), take("Pred"));
        // A predicate is to be filled in unless something else is said.
        let fill = fill.unwrap_or(if predicate.is_some() { "Y".into() } else { UNSPECIFIED });
        extra.extend([fill, predicate.unwrap_or(UNSPECIFIED)]);
        if let Some(arguments) = take_misc(token, "Args") {
            extra.extend(arguments.split(',').map(unescape));
        }
        token.extra = extra;
    }
    // Where arguments stand, words that are none may say nothing; the format wants a column in every row.
    let n_columns = sentence.tokens.iter().map(|token| token.extra.len()).max().unwrap_or_default();
    let is_bare = |token: &&mut Token| token.extra.len() == Extra::FirstArgument as usize;
    for token in sentence.tokens.iter_mut().filter(is_bare) {
        token.extra.resize(n_columns, UNSPECIFIED);
    }
}

/// Predicted columns with the gold ones they repeat.
fn predicted(token: &Token) -> [(&'static str, Extra, Text); 5] {
    [
        ("PLemma", Extra::PLemma, token.lemma.clone()),
        ("PPos", Extra::PPos, token.xpos.clone()),
        ("PFeat", Extra::PFeat, token.feats.clone()),
        ("PHead", Extra::PHead, token.head.to_string().into()),
        ("PDeprel", Extra::PDeprel, token.deprel.clone()),
    ]
}

/// Characters that separate items are written as the shared tasks' web forms do.
pub(crate) fn escape(value: &str) -> String {
    value.replace('%', "%25").replace('|', "%7C").replace(',', "%2C").replace('=', "%3D")
}

pub(crate) fn unescape(value: &str) -> Text {
    value.replace("%3D", "=").replace("%2C", ",").replace("%7C", "|").replace("%25", "%").into()
}
