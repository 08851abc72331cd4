//! How an annotation is read where its notation leaves a choice.

/// What a partial annotation is taken to mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What a bracket claims.
    pub brackets: BracketReading,
    /// Which token of a multiword heads the others.
    pub multiword: MultiwordHead,
    /// What heads a coordination.
    pub coordination: CoordinationHead,
    /// Whether words that are not mentioned are left out of the tree, as annotators do with punctuation.
    pub omit_unmentioned: bool,
}

/// What a bracket claims of its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BracketReading {
    /// The theses' reading: a constituent. All members but one are headed by members, and no word outside
    /// depends on a word inside, except where the annotator attached it to the bracket's head.
    ///
    /// Words in the gaps of a bracket, between its first and its last word, are free: in a projective tree
    /// they cannot but belong to the constituent.
    #[default]
    Subtree,
    /// GFL's own reading: all members but one are headed by members; all may have further dependents.
    Connected,
}

/// Which token of a multiword heads the others; these take no dependents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MultiwordHead {
    /// The first one in the sentence.
    #[default]
    First,
    /// The last one in the sentence.
    Last,
}

/// What heads a coordination. First, following and so on go by the first word in the sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoordinationHead {
    /// The first coordinator heads conjuncts and further coordinators. Without coordinators, the first
    /// conjunct does.
    #[default]
    Coordinator,
    /// The first conjunct heads the others, and each coordinator depends on the conjunct that follows it, or
    /// on the last one if none does, as in Universal Dependencies.
    Conjunct,
}
