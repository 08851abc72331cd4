"""Relations between given entities by logistic regression over pairs, with the features of Naradowsky (2015, ch. 5).

    python relations.py --peer plain|ent|path TRAIN DEV TEST -o OUT [--seed S] [--average micro|macro]

`plain` sees words and tags, `ent` types of entities too, `path` the way through the tree as well. Whether words in the
middle and beside the entities help, how strong the penalty is and how sure a relation must be is chosen on the dev
sentences.
"""

import argparse
from collections.abc import Iterator

import linear
from common import Answer, Sentence, count, distance, main, path_between


def pairs(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """The pairs that are to be classified, the entity that is written first before the other."""
    entities = sentence["entities"]
    everything = ((i, j) for i in range(len(entities)) for j in range(i + 1, len(entities)))
    for i, j in everything if sentence["pairs"] is None else sentence["pairs"]:
        yield (i, j) if tuple(entities[i][:2]) <= tuple(entities[j][:2]) else (j, i)


def head_word(sentence: Sentence, start: int, end: int) -> int:
    """The word of an entity that hangs on a word outside of it."""
    outside = [at for at in range(start, end) if not start < sentence["heads"][at] <= end]
    return outside[-1] if outside else end - 1


def words_and_tags(sentence: Sentence, one: list, other: list) -> list[str]:
    """The Baseline block of the table."""
    forms, tags = sentence["forms"], sentence["tags"]
    first, second = forms[one[0] : one[1]], forms[other[0] : other[1]]
    texts = "-".join(first), "-".join(second)
    found = ["bias", "[e1]" + texts[0], "[e2]" + texts[1], "[e1-e2]" + "|".join(texts)]
    found += ["[e1-w]" + word for word in first] + ["[e2-w]" + word for word in second]
    found += [f"[e1-w-e2-w]{a}|{b}" for a in first for b in second]
    found.append("[dist]" + distance(other[0] - one[1]))
    for name, words in (("e1", first), ("e2", second)):
        found.append(f"[{name}-c]" + "".join("C" if word[:1].isupper() else "c" for word in words))
    if tags:
        tagged = "-".join(tags[one[0] : one[1]]), "-".join(tags[other[0] : other[1]])
        found += ["[e1-pos]" + tagged[0], "[e2-pos]" + tagged[1], "[e1-e2-pos]" + "|".join(tagged)]
    return found


def context(sentence: Sentence, one: list, other: list, types: str) -> list[str]:
    """Words and tags between the two, and beside them; each word between also with the types."""
    forms, tags = ["<s>", *(form.lower() for form in sentence["forms"]), "</s>"], sentence["tags"]
    between = forms[one[1] + 1 : other[0] + 1]
    found = [f"[last-{n}]" + word for n, word in (("e1", forms[one[1]]), ("e2", forms[other[1]]))]
    found += [f"[before-e1]{forms[one[0]]}", f"[after-e2]{forms[other[1] + 1]}"]
    if one[0] > 0:
        found.append(f"[before-e1-2]{forms[one[0] - 1]}|{forms[one[0]]}")
    if other[1] + 2 < len(forms):
        found.append(f"[after-e2-2]{forms[other[1] + 1]}|{forms[other[1] + 2]}")
    if len(between) <= 12:
        found += ["[between]" + word for word in between]
        found += [f"[between-2]{a}|{b}" for a, b in zip(between, between[1:])]
        found += [f"[between-3]{a}|{b}|{c}" for a, b, c in zip(between, between[1:], between[2:])]
        found += [f"[between-prefix]{word[:5]}" for word in between]
        if types:
            found += [f"[between-t]{types}|{word}" for word in between]
    if len(between) <= 5:
        found.append("[all-between]" + "|".join(between))
        if types:
            found.append(f"[all-between-t]{types}|" + "|".join(between))
    if tags and len(between) <= 6:
        found.append("[tags-between]" + "|".join(tags[one[1] : other[0]]))
    return found


def through_tree(sentence: Sentence, one: list, other: list, types: str) -> list[str]:
    """The way from one entity to the other through the tree, and where it turns."""
    heads, forms = sentence["heads"], [form.lower() for form in sentence["forms"]]
    lemmas = sentence["lemmas"] or forms
    deprels, tags = sentence["deprels"] or [""] * len(forms), sentence["tags"]
    source, target = head_word(sentence, *one[:2]), head_word(sentence, *other[:2])
    up, met, down = path_between(heads, source, target)
    labels = "".join("↑" + deprels[word] for word in up) + "".join("↓" + deprels[word] for word in down)
    at_top = lemmas[met] if met >= 0 else "<root>"
    inner = [word for word in [*up[1:], met, *down[:-1]] if word >= 0 and word not in (source, target)]
    above = "|".join(lemmas[heads[word] - 1] if heads[word] else "" for word in (source, target))
    found = [
        "[path]" + labels,
        "[path-t]" + types + labels,
        f"[path-length]{len(up)}|{len(down)}",
        "[top]" + at_top,
        f"[top-t]{types}|{at_top}",
        f"[path-top]{labels}|{at_top}",
        "[path-words]" + "|".join(lemmas[word] for word in inner),
        f"[heads]{lemmas[source]}|{lemmas[target]}",
        f"[head-1]{lemmas[source]}",
        f"[head-2]{lemmas[target]}",
        f"[siblings]{heads[source] == heads[target]}",
        f"[above]{above}",
    ]
    found += ["[path-word]" + lemmas[word] for word in inner]
    found += [f"[path-word-t]{types}|{lemmas[word]}" for word in inner]
    found += [f"[path-label]{deprels[word]}" for word in [*up, *down]]
    if tags:
        found.append("[path-tags]" + "".join("↑" + tags[w] for w in up) + "".join("↓" + tags[w] for w in down))
    return found


def features(sentence: Sentence, pair: tuple[int, int], peer: str, with_context: bool) -> list[str]:
    """All features of a pair that a peer sees."""
    one, other = (sentence["entities"][at] for at in pair)
    found = words_and_tags(sentence, one, other)
    types = ""
    if peer != "plain":
        types = f"{one[2]}-{other[2]}"
        found += ["[e1-t]" + one[2], "[e2-t]" + other[2], "[e1-e2-t]" + types]
        found.append(f"[e1-e2-t-dist]{types}|{distance(other[0] - one[1])}")
    if with_context:
        found += context(sentence, one, other, types)
    if peer == "path":
        found += through_tree(sentence, one, other, types)
    return found


def answer(sentence: Sentence, pair: tuple[int, int]) -> str:
    """The relation of a pair with its direction, or none."""
    for first, second, kind in sentence["relations"]:
        if (first, second) == pair:
            return kind + ">"
        if (second, first) == pair:
            return kind + "<"
    return linear.NONE


def items(sentences: list[Sentence], peer: str) -> dict[str, linear.Items]:
    """Everything that is to be classified, with features of the table alone and with context."""
    answers = [answer(sentence, pair) for sentence in sentences for pair in pairs(sentence)]

    def seen(with_context: bool) -> list[list[str]]:
        return [features(sentence, pair, peer, with_context) for sentence in sentences for pair in pairs(sentence)]

    return {"table": linear.Items(seen(False), answers), "table+context": linear.Items(seen(True), answers)}


def related(sentences: list[Sentence], answers: list[str]) -> list[list[list]]:
    """Answers to all pairs as relations of sentences."""
    rest = iter(answers)
    found = []
    for sentence in sentences:
        relations = []
        for pair in pairs(sentence):
            kind = next(rest)
            if kind != linear.NONE:
                relations.append([*(pair if kind[-1] == ">" else pair[::-1]), kind[:-1]])
        found.append(relations)
    return found


def score(sentences: list[Sentence], found: list[list[list]], average: str) -> float:
    """F1 of relations with direction, over all or averaged over kinds."""
    gold = [sentence["relations"] for sentence in sentences]
    if average == "micro":
        return count(gold, found).f1
    kinds = sorted({relation[2] for relations in gold for relation in relations})
    only = lambda kind, all_of: [[relation for relation in relations if relation[2] == kind] for relations in all_of]
    return sum(count(only(kind, gold), only(kind, found)).f1 for kind in kinds) / max(1, len(kinds))


def run(train: list[Sentence], dev: list[Sentence], test: list[Sentence], options: argparse.Namespace) -> Answer:
    """Chooses on dev sentences, then classifies the pairs of the test sentences."""
    if options.peer == "path" and not all(sentence["heads"] for sentence in [*train, *dev, *test]):
        raise SystemExit("the peer `path` needs the heads of all words")
    judge = lambda answers: score(dev, related(dev, answers), options.average)
    best = linear.choose(items(train, options.peer), items(dev, options.peer), judge, options.seed)
    rows = items(test, options.peer)[best.features].features
    answers = [linear.decide(shares, best.threshold) for shares in best.classifier.probabilities(rows)]
    found = related(test, answers)
    sentences = [{**sentence, "relations": relations} for sentence, relations in zip(test, found, strict=True)]
    return Answer(sentences, str(best), best.f1)


def more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--average", choices=["micro", "macro"], default="micro", help="the dev F1 that chooses")


if __name__ == "__main__":
    main(__doc__.splitlines()[0], {"plain": run, "ent": run, "path": run}, more)
