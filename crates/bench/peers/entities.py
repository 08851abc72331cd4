"""Entities by CRFsuite with the Chain features of Naradowsky (2015, ch. 4), or by spaCy from a blank model.

    python entities.py --peer crfsuite|spacy TRAIN DEV TEST -o OUT [--seed S] [--stop STEPS] [--seconds S]

Everything is chosen on the dev sentences: of CRFsuite the weights of both penalties, how often a feature must occur and
how entities become labels; of spaCy when to stop.
"""

import argparse
import random
import re
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from common import Answer, Counts, Sentence, climb, count, main

# -- Labels


def labels(sentence: Sentence, scheme: str) -> list[str]:
    """Entities as labels of words: B-I, or B-I-E with S for entities of one word."""
    found = ["O"] * len(sentence["forms"])
    for start, end, kind in sentence["entities"]:
        inside = ["I-" + kind] * (end - start)
        inside[0] = "B-" + kind
        if scheme == "bioes":
            inside[-1] = ("S-" if end - start == 1 else "E-") + kind
        found[start:end] = inside
    return found


def entities(found: list[str]) -> list[list]:
    """Labels as entities. Whatever does not continue an entity of its kind begins one."""
    spans: list[list] = []
    is_open = False
    for at, label in enumerate(found):
        kind = label[2:]
        if label != "O":
            if is_open and label[0] in "IE" and spans[-1][2] == kind:
                spans[-1][1] = at + 1
            else:
                spans.append([at, at + 1, kind])
        is_open = label[0] in "BI"
    return spans


def judge(sentences: list[Sentence], found: list[list[list]]) -> Counts:
    """Counts of entities that are right in words and kind."""
    return count((sentence["entities"] for sentence in sentences), found)


# -- CRFsuite

CLASSES = {
    "MONTH": r"(?i)(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?"
    r"|nov(ember)?|dec(ember)?)\.?",
    "DAY": r"(?i)(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\.?",
    "TIME": r"\d{1,2}[:.h]\d{2}(:\d{2})?",
    "ORDINAL": r"(?i)\d+(st|nd|rd|th|[ºªe.])",
    "FRACTION": r"\d+[/⁄]\d+|[¼½¾⅓⅔]",
    "INITIAL": r"[^\W\d_]\.",
    "ROMAN": r"(?=.)M*(C[MD]|D?C{0,3})(X[CL]|L?X{0,3})(I[XV]|V?I{0,3})",
    "PUNC": r"[\W_]+",
}
PATTERNS = {name: re.compile(pattern) for name, pattern in CLASSES.items()}


def of_word(form: str, tag: str | None) -> list[str]:
    """Features of a word by itself."""
    found = ["w=" + form, "l=" + form.lower()]
    if tag is not None:
        found += ["t=" + tag, f"wt={form}/{tag}"]
    if form[:1].isupper():
        found.append("is-capitalized")
    for n in range(2, min(5, len(form)) + 1):
        found += ["s=" + form[:n], "e=" + form[-n:]]
    found += [name for name, pattern in PATTERNS.items() if pattern.fullmatch(form)]
    if form.isupper():
        found.append("CAPS")
    if form.islower():
        found.append("LOWER")
    return found


def of_sentence(sentence: Sentence) -> list[list[str]]:
    """Features of all words: their own, those of both neighbours, and pairs of neighbours."""
    forms, tags = sentence["forms"], sentence["tags"] or [None] * len(sentence["forms"])
    alone = [["<s>"]] + [of_word(*word) for word in zip(forms, tags, strict=True)] + [["</s>"]]
    words = ["<s>", *forms, "</s>"]
    columns = {"w": words, "c": ["C" if word[:1].isupper() else "c" for word in words]}
    if sentence["tags"]:
        columns["t"] = ["<s>", *tags, "</s>"]
    found = []
    for at in range(1, len(words) - 1):
        features = ["bias"]
        for offset in (-1, 0, 1):
            features += [f"{offset}:{feature}" for feature in alone[at + offset]]
        for name, column in columns.items():
            before, here, after = column[at - 1 : at + 2]
            features += [f"{name}-0:{before}|{here}", f"{name}0+:{here}|{after}", f"{name}-+:{before}|{after}"]
        found.append(features)
    return found


class Point(NamedTuple):
    """Settings of CRFsuite: how entities become labels, how often a feature must occur, and the weights of the sum of
    absolute values (c1) and of squares (c2)."""

    scheme: str = "bio"
    minfreq: int = 0
    c1: float = 0.0
    c2: float = 0.01

    def __str__(self) -> str:
        return f"{self.scheme} minfreq={self.minfreq} c1={self.c1} c2={self.c2}"


# With a minfreq of 1 CRFsuite leaves out the pairs of labels that never occur, with 0 it learns that they do not.
GRID = {"c2": [0.001, 0.01, 0.1, 1.0], "c1": [0.0, 0.05, 0.2, 0.6], "minfreq": [0, 2, 3], "scheme": ["bio", "bioes"]}


# With at most so many sentences there is time to climb from every minfreq.
FEW = 500


def crfsuite(train: list[Sentence], dev: list[Sentence], test: list[Sentence], _: argparse.Namespace) -> Answer:
    """A linear chain, trained with L-BFGS. Settings are changed one after the other until none makes it better."""
    import pycrfsuite

    folder = tempfile.TemporaryDirectory()
    known = [of_sentence(sentence) for sentence in train]
    to_judge = [pycrfsuite.ItemSequence(of_sentence(sentence)) for sentence in dev]
    trainers = {}
    for scheme in GRID["scheme"]:
        trainers[scheme] = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        for sentence, features in zip(train, known, strict=True):
            trainers[scheme].append(pycrfsuite.ItemSequence(features), labels(sentence, scheme))
    tried: dict[Point, tuple[float, pycrfsuite.Tagger]] = {}

    def f1(point: Point) -> float:
        if point not in tried:
            parameters = {"feature.minfreq": point.minfreq, "c1": point.c1, "c2": point.c2, "max_iterations": 120}
            trainers[point.scheme].set_params({**parameters, "feature.possible_transitions": True})
            model = str(Path(folder.name) / str(len(tried)))
            trainers[point.scheme].train(model)
            tagger = pycrfsuite.Tagger()
            tagger.open(model)
            tried[point] = judge(dev, [entities(tagger.tag(sentence)) for sentence in to_judge]).f1, tagger
        return tried[point][0]

    def ascend(best: Point) -> None:
        def attempt(point: Point) -> bool:
            nonlocal best
            is_better = f1(point) > f1(best)
            best = point if is_better else best
            return is_better

        before = None
        while before != best:
            before = best
            for name, values in GRID.items():
                here = best
                climb(values, values.index(getattr(here, name)), lambda value: attempt(here._replace(**{name: value})))

    for minfreq in GRID["minfreq"] if len(train) <= FEW else [Point().minfreq]:
        ascend(Point(minfreq=minfreq))
    best = max(tried, key=lambda point: tried[point][0])
    dev_f1, tagger = tried[best]
    found = [entities(tagger.tag(pycrfsuite.ItemSequence(of_sentence(sentence)))) for sentence in test]
    sentences = [{**sentence, "entities": spans} for sentence, spans in zip(test, found, strict=True)]
    return Answer(sentences, str(best), dev_f1)


# -- spaCy

# What `spacy init config --pipeline ner --optimize efficiency` writes: a convolutional network over hashed words.
TOK2VEC = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": 96,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": [5000, 1000, 2500, 2500],
        "include_static_vectors": False,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 96,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    },
}


def network(with_tags: bool) -> dict:
    """The network that finds entities, with tags beside words where there are some."""
    embed = dict(TOK2VEC["embed"])
    if with_tags:
        embed["attrs"], embed["rows"] = [*embed["attrs"], "TAG"], [*embed["rows"], 500]
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": {**TOK2VEC, "embed": embed},
    }


def spacy(train: list[Sentence], dev: list[Sentence], test: list[Sentence], options: argparse.Namespace) -> Answer:
    """A blank model, trained until the dev sentences stop getting better."""
    import spacy as library
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from spacy.training.batchers import minibatch_by_words
    from thinc.api import compounding

    library.util.fix_random_seed(options.seed)
    shuffler = random.Random(options.seed)
    nlp = library.blank(options.language)
    with_tags = all(sentence["tags"] for sentence in train)

    def document(sentence: Sentence) -> Doc:
        # A word of nothing but blanks cannot be part of an entity there.
        words = [form.strip() or "_" for form in sentence["forms"]]
        return Doc(nlp.vocab, words=words, tags=sentence["tags"] if with_tags else None)

    def example(sentence: Sentence) -> Example:
        reference = document(sentence)
        reference.ents = [Span(reference, *entity) for entity in sentence["entities"]]
        return Example(document(sentence), reference)

    def find(sentences: list[Sentence]) -> list[list[list]]:
        found = nlp.pipe([document(sentence) for sentence in sentences], batch_size=128)
        return [[[span.start, span.end, span.label_] for span in done.ents] for done in found]

    examples = [example(sentence) for sentence in train]
    nlp.add_pipe("ner", config={"model": network(with_tags)})
    optimizer = nlp.initialize(lambda: examples)
    sizes = compounding(100.0, 1000.0, 1.001)
    begun = time.process_time()
    best_f1, best_step, best_model, step = -1.0, 0, b"", 0
    while step - best_step < options.stop and time.process_time() - begun < options.seconds:
        shuffler.shuffle(examples)
        for batch in minibatch_by_words(examples, size=sizes, tolerance=0.2, discard_oversize=False):
            nlp.update(batch, sgd=optimizer, drop=0.1)
            step += 1
            if step % options.every == 0:
                with nlp.use_params(optimizer.averages):
                    f1 = judge(dev, find(dev)).f1
                    if f1 > best_f1:
                        best_f1, best_step, best_model = f1, step, nlp.to_bytes()
                if step - best_step >= options.stop or time.process_time() - begun >= options.seconds:
                    break
    nlp.from_bytes(best_model)
    sentences = [{**sentence, "entities": spans} for sentence, spans in zip(test, find(test), strict=True)]
    reason = "patience" if step - best_step >= options.stop else "time"
    return Answer(sentences, f"best step {best_step} of {step}, stopped by {reason}", best_f1)


def more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stop", type=int, default=1600, help="spaCy: steps without a better dev F1 that end it")
    parser.add_argument("--every", type=int, default=100, help="spaCy: steps between two looks at the dev sentences")
    parser.add_argument("--seconds", type=float, default=600, help="spaCy: CPU seconds of training at most")
    parser.add_argument("--language", default="xx", help="spaCy: the language of the blank model")


if __name__ == "__main__":
    main(__doc__.splitlines()[0], {"crfsuite": crfsuite, "spacy": spacy}, more)
