"""What all peers share: sentences as lines of JSON, counts of what was found, a command line.

A sentence is an object:

    {"forms": [...], "lemmas": [...] | null, "tags": [...] | null,
     "heads": [...] | null, "deprels": [...] | null,
     "entities": [[start, end, kind], ...],
     "relations": [[i, j, kind], ...],
     "pairs": [[i, j], ...] | null,
     "predicates": [{"word": w, "sense": s | null, "arguments": [[w, role], ...]}, ...]}

Words count from 0 and ends are exclusive; heads count from 1, and 0 is the root. A relation goes from entity i to
entity j. The pairs are those that are to be classified; without them it is all pairs.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

Sentence = dict[str, Any]


class Counts(NamedTuple):
    """How many things were right, found, and there."""

    right: int
    found: int
    gold: int

    @property
    def precision(self) -> float:
        return 100 * self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return 100 * self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 200 * self.right / (self.found + self.gold) if self.found + self.gold else 0.0


def count(gold: Iterable[Iterable], found: Iterable[Iterable]) -> Counts:
    """Counts over sentences, for each of which the things are given that are in gold and that were found."""
    right = n_found = n_gold = 0
    for wanted, got in zip(gold, found, strict=True):
        wanted, got = set(map(tuple, wanted)), set(map(tuple, got))
        right += len(wanted & got)
        n_found += len(got)
        n_gold += len(wanted)
    return Counts(right, n_found, n_gold)


def read(path: Path) -> list[Sentence]:
    """The sentences of a file; what is not said there is empty."""
    empty = {"lemmas": None, "tags": None, "heads": None, "deprels": None, "pairs": None}
    with open(path, encoding="utf-8") as file:
        said = [json.loads(line) for line in file if line.strip()]
    return [{**empty, "entities": [], "relations": [], "predicates": [], **sentence} for sentence in said]


def write(path: Path, sentences: Iterable[Sentence]) -> None:
    """The sentences as lines."""
    with open(path, "w", encoding="utf-8") as file:
        for sentence in sentences:
            file.write(json.dumps(sentence, ensure_ascii=False) + "\n")


def distance(n_words: int) -> str:
    """A distance, the longer the coarser."""
    sign, size = ("-" if n_words < 0 else ""), abs(n_words)
    for limit in (5, 10, 20):
        if size <= limit:
            return f"{sign}{size if limit == 5 else f'<={limit}'}"
    return f"{sign}>20"


def climb(values: list, start: int, attempt: Callable[[Any], bool]) -> None:
    """Tries values from a start to either side while it gets better: `attempt` says whether a value is the best."""
    attempt(values[start])
    for side in (values[start + 1 :], values[:start][::-1]):
        for value in side:
            if not attempt(value):
                break


def path_between(heads: list[int], one: int, other: int) -> tuple[list[int], int, list[int]]:
    """The words from one up to where both ways to the root meet, that word, and those from there down to the other.

    Words count from 0; the root is -1. The word where they meet is in neither list; it may be one of the two itself.
    """

    def to_root(word: int) -> list[int]:
        way = [word]
        while way[-1] >= 0 and len(way) <= len(heads):
            way.append(heads[way[-1]] - 1)
        return way

    up, down = to_root(one), to_root(other)
    met = next((word for word in up if word in down), -1)
    cut = lambda way: way[: way.index(met)] if met in way else way
    return cut(up), met, cut(down)[::-1]


class Answer(NamedTuple):
    """Test sentences with what a peer found, what was chosen for it, and its F1 on the dev sentences with that."""

    sentences: list[Sentence]
    settings: str
    dev_f1: float


def main(
    description: str,
    peers: dict[str, Callable[[list[Sentence], list[Sentence], list[Sentence], argparse.Namespace], Answer]],
    more: Callable[[argparse.ArgumentParser], None] = lambda parser: None,
) -> None:
    """Runs the peer that the command line names; prints what was chosen and how long it took as one line of JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--peer", choices=sorted(peers), required=True)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    more(parser)
    options = parser.parse_args()
    begun = time.process_time()
    try:
        answer = peers[options.peer](read(options.train), read(options.dev), read(options.test), options)
    except ModuleNotFoundError as error:
        # The status tells whoever started this that it is not the data.
        print(error, file=sys.stderr)
        sys.exit(3)
    write(options.output, answer.sentences)
    seconds = time.process_time() - begun
    line = {"settings": answer.settings, "dev_f1": round(answer.dev_f1, 2), "seconds": round(seconds, 3)}
    print(json.dumps(line))
