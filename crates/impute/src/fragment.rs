//! A sentence as an imputer sees it.

use tree::Possible;
use tree::{Conflict, PartialTree, Reading, Sentence, Text};

/// Words, tags, and the trees that the annotation leaves.
///
/// ```
/// use impute::Fragment;
/// use tree::{Head, PartialTree, Reading, Sentence};
///
/// let mut sentence = Sentence::from_forms(["the", "dog", "barks"]);
/// sentence.tokens[0].head = Head::Of(2);
/// let fragment = Fragment::new(&sentence, &PartialTree::from_sentence(&sentence), &Reading::default())?;
/// assert!(fragment.possible.allows_arc(2, 1) && !fragment.possible.allows_arc(3, 1));
/// assert!(Fragment::free(&sentence).possible.allows_arc(3, 1));
/// # Ok::<(), impute::FragmentError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fragment {
    /// The forms.
    pub forms: Vec<Text>,
    /// The tags that models go by, one for each word.
    pub tags: Vec<Text>,
    /// What the annotation leaves.
    pub possible: Possible,
}

/// Why a sentence cannot be completed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// What was said contradicts itself.
    #[error("{0}")]
    Conflict(#[from] Conflict),
    /// The annotation is about another sentence.
    #[error("the annotation has {said} words, but the sentence has {words}; is it for another sentence?")]
    Lengths {
        /// Words of the annotation.
        said: usize,
        /// Words of the sentence.
        words: usize,
    },
}

impl Fragment {
    /// A sentence and what was said of it; tags are the universal ones of the sentence.
    pub fn new(
        sentence: &Sentence,
        said: &PartialTree,
        reading: &Reading,
    ) -> Result<Fragment, FragmentError> {
        if said.n_words != sentence.n_words() {
            return Err(FragmentError::Lengths { said: said.n_words, words: sentence.n_words() });
        }
        Ok(Fragment {
            forms: sentence.words().map(|token| token.form.clone()).collect(),
            tags: sentence.words().map(|token| token.upos.clone()).collect(),
            possible: Possible::new(said, reading)?,
        })
    }

    /// A sentence of which nothing is said.
    pub fn free(sentence: &Sentence) -> Fragment {
        Fragment {
            forms: sentence.words().map(|token| token.form.clone()).collect(),
            tags: sentence.words().map(|token| token.upos.clone()).collect(),
            possible: Possible::everything(sentence.n_words()),
        }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }
}
