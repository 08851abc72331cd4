//! Whose work is looked at: everybody's, a group's, an annotator's.

use crate::project::voices::{Voices, called};
use serde::Serialize;
use std::collections::BTreeSet;
use tree::PutTogether;

/// Whose work it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Whom {
    /// What the name is of.
    pub kind: Grouping,
    /// The name: an annotator's, or what annotators said of themselves.
    pub name: String,
}

/// Ways to divide annotators into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// All of them.
    All,
    /// By how well they know the language.
    Level,
    /// By whether they have annotated before.
    Experience,
    /// One of them.
    Annotator,
}

/// Whose work is looked at, and with whose it is compared.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) whom: Whom,
    /// Whose work.
    pub(super) members: BTreeSet<usize>,
    /// An annotator is compared with everybody, a group within itself.
    pub(super) with_everybody: bool,
}

impl Scope {
    /// All, the groups, and each annotator who has said anything.
    pub(super) fn all(voices: &Voices) -> Vec<Self> {
        let said: BTreeSet<usize> =
            voices.sentences.iter().flat_map(|of| of.voices.iter().map(|voice| voice.who)).into_set();
        let whom = |kind, name: &str| Whom { kind, name: name.to_string() };
        let group = |whom, members| Self { whom, members, with_everybody: false };
        let mut scopes = vec![group(whom(Grouping::All, "all"), said.clone())];
        for kind in [Grouping::Level, Grouping::Experience] {
            let of = |who: usize| match kind {
                Grouping::Level => voices.people[who].level.as_str(),
                _ => voices.people[who].experience.as_str(),
            };
            let names: BTreeSet<&str> =
                said.iter().map(|&who| of(who)).filter(|name| !name.is_empty()).into_set();
            for name in names {
                let members = said.iter().copied().filter(|&who| of(who) == name).collect();
                scopes.push(group(whom(kind, name), members));
            }
        }
        scopes.extend(said.iter().map(|&who| Self {
            whom: whom(Grouping::Annotator, &called(&voices.people[who])),
            members: BTreeSet::from([who]),
            with_everybody: true,
        }));
        scopes
    }

    /// Two annotators.
    pub(super) fn pair(one: usize, other: usize) -> Self {
        let whom = Whom { kind: Grouping::All, name: String::new() };
        Self { whom, members: BTreeSet::from([one, other]), with_everybody: false }
    }

    /// Which of two annotators are looked at when they are compared; none if they are not compared here.
    pub(super) fn sides(&self, one: usize, other: usize) -> [bool; 2] {
        let sides = [self.members.contains(&one), self.members.contains(&other)];
        match self.with_everybody || sides == [true; 2] {
            true => sides,
            false => [false; 2],
        }
    }
}
