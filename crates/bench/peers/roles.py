"""Arguments and senses of given predicates by logistic regression over pairs of words, after Naradowsky (2015, ch. 6).

    python roles.py --peer plain|path TRAIN DEV TEST -o OUT [--seed S]

`plain` sees words, lemmas, tags and where they stand, `path` also the way through the tree. Every word within 20 words
of a predicate, itself included, is classified on its own. Which features, how strong the penalty is and how sure a role
must be is chosen on the dev sentences; so is whether senses are found by a classifier for each lemma or by majority.
A lemma that was never seen is used in the sense `lemma.01`.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator

import linear
from common import Answer, Sentence, count, distance, main, path_between

REACH = 20

# -- Roles


def pairs(sentence: Sentence) -> Iterator[tuple[dict, int]]:
    """Predicates with every word that may be their argument."""
    for predicate in sentence["predicates"]:
        first, last = predicate["word"] - REACH, predicate["word"] + REACH
        for word in range(max(0, first), min(len(sentence["forms"]), last + 1)):
            yield predicate, word


class Words:
    """Columns of a sentence, with something where it says nothing."""

    def __init__(self, sentence: Sentence) -> None:
        n_words = len(sentence["forms"])
        self.forms = [form.lower() for form in sentence["forms"]]
        self.lemmas = sentence["lemmas"] or self.forms
        self.tags = sentence["tags"] or [""] * n_words
        self.heads = sentence["heads"]
        self.deprels = sentence["deprels"] or [""] * n_words
        self.children: list[list[int]] = [[] for _ in range(n_words)]
        for word, head in enumerate(self.heads or []):
            if head > 0:
                self.children[head - 1].append(word)

    def at(self, column: list[str], word: int) -> str:
        """What a column says of a word that may not be there."""
        return column[word] if 0 <= word < len(column) else "<s>"


def table(words: Words, predicate: int, argument: int) -> list[str]:
    """The ARG block of the table."""
    pw, aw = words.forms[predicate], words.forms[argument]
    pt, at = words.tags[predicate], words.tags[argument]
    where, way = distance(abs(argument - predicate)), direction(predicate, argument)
    return [
        "arg-bias",
        f"pw-aw {pw} {aw}",
        f"pt-at {pt} {at}",
        f"pw-at {pw} {at}",
        f"pt-aw {pt} {aw}",
        f"pt-pw-at-aw {pt} {pw} {at} {aw}",
        f"pt-at-dist {pt} {at} {where}",
        f"pt-at-dir {pt} {at} {way}",
        f"pt-dir-dist {pt} {way} {where}",
        f"at-dir-dist {at} {way} {where}",
    ]


def direction(predicate: int, argument: int) -> str:
    """On which side of the predicate a word stands."""
    return "itself" if argument == predicate else "before" if argument < predicate else "after"


def context(words: Words, predicate: int, argument: int) -> list[str]:
    """Lemmas, endings and neighbours of both, and what stands between them."""
    way = direction(predicate, argument)
    pl, al = words.lemmas[predicate], words.lemmas[argument]
    pt, at = words.tags[predicate], words.tags[argument]
    low, high = sorted((predicate, argument))
    between = words.tags[low + 1 : high]
    found = [
        f"pl {pl} {way}",
        f"al {al}",
        f"aw {words.forms[argument]}",
        f"pl-al {pl} {al}",
        f"pl-at-dir {pl} {at} {way}",
        f"pt-al-dir {pt} {al} {way}",
        f"at-al-dir {at} {al} {way}",
        f"verbs-between {way} {at} {sum(tag.startswith('V') for tag in between)}",
        f"same-tag-between {way} {at} {at in between}",
        f"punct-between {way} {at} {any(tag == 'PUNCT' for tag in between)}",
        f"pw-ending {words.forms[predicate][-3:]} {at} {way}",
    ]
    if len(between) <= 6:
        found.append(f"tags-between {pt} {' '.join(between)} {at} {way}")
        found.append(f"pl-tags-between {pl} {' '.join(between)} {at} {way}")
    for n in (2, 3, 4):
        found.append(f"aw-ending {words.forms[argument][-n:]} {at} {way}")
    for offset in (-2, -1, 1, 2):
        tag, form = words.at(words.tags, argument + offset), words.at(words.forms, argument + offset)
        beside = words.at(words.tags, predicate + offset)
        found += [f"a{offset}t {tag} {at} {way}", f"a{offset}w {form} {at} {way}", f"p{offset}t {beside} {at} {way}"]
    found.append(f"p-1w {words.at(words.forms, predicate - 1)} {at} {way}")
    found.append(f"a-tags {words.at(words.tags, argument - 1)} {at} {words.at(words.tags, argument + 1)} {way}")
    return found


def through_tree(words: Words, predicate: int, argument: int) -> list[str]:
    """The way from a predicate to a word through the tree, and what hangs on both."""
    up, met, down = path_between(words.heads, predicate, argument)
    way, deprels = direction(predicate, argument), words.deprels
    labels = "".join("↑" + deprels[word] for word in up) + "".join("↓" + deprels[word] for word in down)
    length = f"{len(up)}|{len(down)}"
    pl, al, at = words.lemmas[predicate], words.lemmas[argument], words.tags[argument]
    pt = words.tags[predicate]
    tags = "".join("↑" + words.tags[word] for word in up) + "".join("↓" + words.tags[word] for word in down)
    below = words.children[predicate]
    marks = " ".join(
        f"{deprels[child]}:{words.lemmas[child]}"
        for child in words.children[argument]
        if deprels[child] in ("case", "mark")
    )
    frame = " ".join(deprels[child] for child in below if deprels[child] != "punct")
    helpers = " ".join(words.forms[child] for child in below if deprels[child].startswith(("aux", "cop")))
    passive = any("pass" in deprels[child] for child in below)
    return [
        f"path {labels}",
        f"path-dir {labels} {way}",
        f"path-pl {labels} {pl}",
        f"path-pw {labels} {words.forms[predicate]}",
        f"path-al {labels} {al}",
        f"path-at {labels} {at}",
        f"path-pt {labels} {pt}",
        f"path-pl-al {labels} {pl} {al}",
        f"path-tags {labels} {tags} {pt}",
        f"path-passive {labels} {passive}",
        f"path-marks {labels} {marks}",
        f"path-marks-pl {labels} {marks} {pl}",
        f"marks-at {marks} {at}",
        f"path-frame {labels} {frame}",
        f"path-helpers {labels} {helpers}",
        f"path-ending {labels} {words.forms[argument][-3:]}",
        f"path-pending {labels} {words.forms[predicate][-3:]}",
        f"length {length}",
        f"length-dir {length} {way}",
        f"length-at-pt {length} {at} {pt}",
        f"a-label {deprels[argument]}",
        f"a-label-pl {deprels[argument]} {pl}",
        f"p-label {deprels[predicate]} {length}",
        f"p-label-path {deprels[predicate]} {labels}",
        f"top {words.lemmas[met] if met >= 0 else '<root>'} {length}",
    ]


def items(sentences: list[Sentence], peer: str) -> dict[str, linear.Items]:
    """Every pair, with features of the table alone and with context."""
    seen: dict[str, list[list[str]]] = {"table": [], "table+context": []}
    answers = []
    for sentence in sentences:
        words = Words(sentence)
        for predicate, word in pairs(sentence):
            few = table(words, predicate["word"], word)
            if peer == "path":
                few += through_tree(words, predicate["word"], word)
            seen["table"].append(few)
            seen["table+context"].append(few + context(words, predicate["word"], word))
            answers.append(next((role for at, role in predicate["arguments"] if at == word), linear.NONE))
    return {name: linear.Items(rows, answers) for name, rows in seen.items()}


def arguments(sentences: list[Sentence], answers: list[str]) -> list[list[list[list]]]:
    """Answers to all pairs as arguments of predicates."""
    rest = iter(answers)
    found: list[list[list[list]]] = []
    for sentence in sentences:
        by_predicate: dict[int, list[list]] = {predicate["word"]: [] for predicate in sentence["predicates"]}
        for predicate, word in pairs(sentence):
            role = next(rest)
            if role != linear.NONE:
                by_predicate[predicate["word"]].append([word, role])
        found.append(list(by_predicate.values()))
    return found


def propositions(all_arguments: list[list[list[list]]]) -> list[list[tuple]]:
    """Arguments of a sentence as (number of the predicate, word, role)."""
    return [
        [(number, word, role) for number, found in enumerate(sentence) for word, role in found]
        for sentence in all_arguments
    ]


# -- Senses


def key(sentence: Sentence, predicate: dict) -> str:
    """The lemma of a predicate, or its form."""
    return (sentence["lemmas"] or sentence["forms"])[predicate["word"]]


def of_sense(sentence: Sentence, predicate: dict) -> list[str]:
    """The SENSE block of the table."""
    words, at = Words(sentence), predicate["word"]
    found = [f"w {words.forms[at]}", f"l {words.lemmas[at]}", f"t {words.tags[at]}"]
    for offset in range(-5, 6):
        if offset != 0 and 0 <= at + offset < len(words.forms):
            word = words.forms[at + offset]
            found.append(f"near {word}")
            if abs(offset) <= 3:
                found.append(f"{offset} {word}")
    return found


def with_syntax(sentence: Sentence, predicate: dict) -> list[str]:
    """The SENSE block with relations of the predicate and of what hangs on it."""
    words, at = Words(sentence), predicate["word"]
    found = of_sense(sentence, predicate) + [f"label {words.deprels[at]}"]
    for child in words.children[at]:
        found += [f"child {words.deprels[child]}", f"child {words.deprels[child]} {words.lemmas[child]}"]
    return found


class Senses:
    """Senses by lemma: the only one, the most frequent one, or the one that a classifier for the lemma finds."""

    def __init__(self, sentences: list[Sentence], penalty: float | None, features, seed: int) -> None:
        self.features = features
        seen: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for sentence in sentences:
            for predicate in sentence["predicates"]:
                if predicate["sense"] is not None:
                    rows = features(sentence, predicate) if penalty is not None else []
                    seen[key(sentence, predicate)].append((rows, predicate["sense"]))
        most = {lemma: Counter(sense for _, sense in found).most_common(1) for lemma, found in seen.items()}
        self.majority = {lemma: found[0][0] for lemma, found in most.items()}
        self.classifiers = {}
        for lemma, found in seen.items():
            rows, senses = [row for row, _ in found], [sense for _, sense in found]
            if penalty is not None and len(set(senses)) > 1:
                self.classifiers[lemma] = linear.Classifier(linear.Items(rows, senses), penalty, seed, rarest=1)

    def find(self, sentence: Sentence, predicate: dict) -> str:
        """The sense of a predicate."""
        lemma = key(sentence, predicate)
        if lemma in self.classifiers:
            shares = self.classifiers[lemma].probabilities([self.features(sentence, predicate)])[0]
            return max(shares, key=shares.get)
        return self.majority.get(lemma, lemma + ".01")


def choose_senses(train: list[Sentence], dev: list[Sentence], peer: str, seed: int) -> tuple[Senses, str]:
    """The penalty that is best on the dev sentences, or the majority."""
    features = with_syntax if peer == "path" else of_sense
    best: tuple[int, Senses, str] | None = None
    for penalty in (None, 0.1, 1.0, 10.0):
        senses = Senses(train, penalty, features, seed)
        said = [(sentence, predicate) for sentence in dev for predicate in sentence["predicates"]]
        right = sum(senses.find(*of) == of[1]["sense"] for of in said)
        if best is None or right > best[0]:
            best = right, senses, "majority" if penalty is None else f"C={penalty}"
    assert best is not None, "no penalties"
    return best[1], best[2]


# -- Both


def run(train: list[Sentence], dev: list[Sentence], test: list[Sentence], options: argparse.Namespace) -> Answer:
    """Chooses on dev sentences, then finds roles and senses in the test sentences."""
    if options.peer == "path" and not all(sentence["heads"] for sentence in [*train, *dev, *test]):
        raise SystemExit("the peer `path` needs the heads of all words")
    gold = propositions([[predicate["arguments"] for predicate in sentence["predicates"]] for sentence in dev])
    judge = lambda answers: count(gold, propositions(arguments(dev, answers))).f1
    best = linear.choose(items(train, options.peer), items(dev, options.peer), judge, options.seed)
    senses, settings = choose_senses(train, dev, options.peer, options.seed)
    rows = items(test, options.peer)[best.features].features
    answers = [linear.decide(shares, best.threshold) for shares in best.classifier.probabilities(rows)]
    sentences = []
    for sentence, found in zip(test, arguments(test, answers), strict=True):
        predicates = [
            {**predicate, "sense": senses.find(sentence, predicate), "arguments": roles}
            for predicate, roles in zip(sentence["predicates"], found, strict=True)
        ]
        sentences.append({**sentence, "predicates": predicates})
    return Answer(sentences, f"{best}; senses {settings}", best.f1)


if __name__ == "__main__":
    main(__doc__.splitlines()[0], {"plain": run, "path": run})
