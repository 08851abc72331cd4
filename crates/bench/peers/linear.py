"""What relations and roles have in common: logistic regression over sets of features, chosen on dev sentences."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from common import climb

NONE = ""

# Inverse weights of the penalty, and how probable it must be at most that there is nothing.
PENALTIES = [0.1, 0.3, 1.0, 3.0, 10.0]
THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


class Items(NamedTuple):
    """Features of everything that is to be classified, and the right answers."""

    features: list[list[str]]
    answers: list[str]


class Classifier:
    """A model from sets of features to answers."""

    def __init__(self, items: Items, penalty: float, seed: int, rarest: int = 2) -> None:
        from sklearn.linear_model import LogisticRegression

        # Where there are many items, most features occur once, and those tell little.
        seen = Counter(name for features in items.features for name in set(features))
        self.columns = {name: at for at, name in enumerate(sorted(name for name, n in seen.items() if n >= rarest))}
        self.only = items.answers[0] if len(set(items.answers)) == 1 else None
        if self.only is None:
            self.model = LogisticRegression(C=penalty, solver="lbfgs", max_iter=100, random_state=seed)
            self.model.fit(self.matrix(items.features), items.answers)
            self.names = [str(name) for name in self.model.classes_]

    def matrix(self, rows: Iterable[list[str]]) -> Any:
        """A sparse matrix with a one for every known feature."""
        import numpy
        from scipy.sparse import csr_matrix

        indices: list[int] = []
        ends = [0]
        for row in rows:
            indices += sorted({self.columns[name] for name in row if name in self.columns})
            ends.append(len(indices))
        ones = numpy.ones(len(indices), dtype=numpy.float32)
        return csr_matrix((ones, indices, ends), shape=(len(ends) - 1, max(1, len(self.columns))))

    def probabilities(self, rows: list[list[str]]) -> list[dict[str, float]]:
        """How probable every answer is."""
        if not rows:
            return []
        if self.only is not None:
            return [{self.only: 1.0}] * len(rows)
        return [dict(zip(self.names, row, strict=True)) for row in self.model.predict_proba(self.matrix(rows)).tolist()]


def decide(probabilities: dict[str, float], threshold: float) -> str:
    """The most probable answer, where nothing is the answer only if it is more probable than the threshold."""
    if probabilities.get(NONE, 0.0) > threshold:
        return NONE
    something = {answer: share for answer, share in probabilities.items() if answer != NONE}
    return max(something, key=something.get) if something else NONE


class Choice(NamedTuple):
    """What was best on the dev sentences."""

    f1: float
    features: str
    penalty: float
    threshold: float
    classifier: Classifier

    def __str__(self) -> str:
        return f"{self.features} C={self.penalty} P(none)<={self.threshold}"


def choose(
    train: dict[str, Items], dev: dict[str, Items], judge: Callable[[list[str]], float], seed: int
) -> Choice:
    """The best features, penalty and threshold; `judge` gives the score of answers to all dev items.

    Features are chosen with a penalty in the middle, the penalty from there to either side as long as it gets better.
    """

    tried: list[Choice] = []

    def attempt(features: str, penalty: float) -> bool:
        classifier = Classifier(train[features], penalty, seed)
        found = classifier.probabilities(dev[features].features)
        f1, threshold = max((judge([decide(shares, at_most) for shares in found]), at_most) for at_most in THRESHOLDS)
        tried.append(Choice(f1, features, penalty, threshold, classifier))
        return max(tried, key=lambda choice: choice.f1) is tried[-1]

    middle = PENALTIES.index(1.0)
    for features in train:
        attempt(features, PENALTIES[middle])
    best = max(tried, key=lambda choice: choice.f1)
    tried[:] = [best]
    climb(PENALTIES, middle, lambda penalty: penalty == best.penalty or attempt(best.features, penalty))
    return max(tried, key=lambda choice: choice.f1)
