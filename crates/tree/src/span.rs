//! Spans of token positions.

use std::fmt;

/// The tokens `start..end`, counted from 0. Never empty and never backwards.
///
/// ```
/// use tree::Span;
///
/// let (one, other) = (Span::new(0, 3).unwrap(), Span::new(2, 5).unwrap());
/// assert!(one.crosses(other) && one.holds(2) && !one.holds(3));
/// assert_eq!(Span::new(3, 3), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The span `start..end`, or `None` if that is empty or backwards.
    pub fn new(start: usize, end: usize) -> Option<Self> {
        let (start, end) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
        (start < end).then_some(Self { start, end })
    }

    /// The smallest span that holds all `positions`, or `None` if there are none.
    pub fn covering(positions: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut bounds: Option<(usize, usize)> = None;
        for position in positions {
            let (low, high) = bounds.unwrap_or((position, position));
            bounds = Some((low.min(position), high.max(position)));
        }
        bounds.and_then(|(low, high)| Self::new(low, high + 1))
    }

    /// First token.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last token.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Number of tokens, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a span is never empty")]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the token at `position` is inside.
    pub fn holds(self, position: usize) -> bool {
        self.start() <= position && position < self.end()
    }

    /// Whether `other` lies inside or is equal.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a token and neither contains the other.
    pub fn crosses(self, other: Self) -> bool {
        (self.start < other.start && other.start < self.end && self.end < other.end)
            || (other.start < self.start && self.start < other.end && other.end < self.end)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_span() -> impl Strategy<Value = Span> {
        (0usize..12, 1usize..12).prop_map(|(start, length)| Span::new(start, start + length).unwrap())
    }

    #[test]
    fn empty_and_backward_spans_do_not_exist() {
        assert_eq!(Span::new(3, 3), None);
        assert_eq!(Span::new(4, 3), None);
        assert_eq!(Span::covering([]), None);
        assert_eq!(Span::covering([5, 2, 3]), Span::new(2, 6));
    }

    proptest! {
        #[test]
        fn crossing_is_overlap_without_containment(a in any_span(), b in any_span()) {
            let shared = (0..24).filter(|&i| a.holds(i) && b.holds(i)).count();
            let expected = shared > 0 && shared < a.len() && shared < b.len();
            prop_assert_eq!(a.crosses(b), expected);
            prop_assert_eq!(a.crosses(b), b.crosses(a));
            prop_assert_eq!(a.contains(b), shared == b.len());
        }
    }
}
