"""Train the ear of Northline's customers on the working part of the corpus, and write its weights.

python bench/train_ear.py            # five-fold figures by conversation, then weights from everything
python bench/train_ear.py --check    # the figures alone

Logistic regression per label on hashed features (numpy and scipy). Beside the corpus it learns the labelled
messages of tests/language and the words of the embedded agents, which tables read right.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import yaml
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from corpus import HeardMessage, generic, messages, read_corpus
from supportagentbench.customer.voice import without_names
from supportagentbench.language.ear import ROWS, Ear, EarWeights, Features
from supportagentbench.language.english_agent import LIMIT
from supportagentbench.language.listening import Listening
from supportagentbench.language.speech_act import Understood
from supportagentbench.language.spelling import sentences
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.world.folder import read_world
from supportagentbench.world.generate import generate

FOLDS = 5
PENALTY, POSITIVE, CUT = 1.0, 6.0, -0.5
"""Of the regression; how much a label counts that is there; the score from which on it is heard."""
FEWEST = 4
"""A label with fewer sentences is not learned."""
OUT = Path(__file__).parent.parent / "src/supportagentbench/worlds/northline/ear.npz"
LABELLED = Path(__file__).parent.parent / "tests/language/agent_messages.yaml"


class Example(NamedTuple):
    """A message as the regression sees it."""

    name: str
    """Its conversation: all messages of one are in the same fold."""
    features: Features
    labels: list[set[str]]
    """Of each sentence."""


def untrained() -> Ear:
    vocabulary = read_world("northline").vocabulary
    nothing = EarWeights((), np.zeros((ROWS, 0), np.float32), np.zeros(0, np.float32))
    return Ear(nothing, vocabulary)


def example(ear: Ear, message: HeardMessage) -> Example | None:
    """A message of the corpus; none if it is not in English."""
    if message.conversation.transcript.language != "en":
        return None
    masked = without_names(message.text, message.customer.brief.goods)
    read, places = ear.tables.by_sentence(masked), sentences(message.text[:LIMIT])
    if len(read) != len(places):
        return None
    labels = [
        {generic(label) for span in message.spans if start <= span.start < end for label in span.labels}
        for _, start, end in places
    ]
    return Example(message.conversation.id, ear.features(read, message.listening), labels)


def matrix(examples: list[Example]) -> tuple[Any, NDArray[np.int64]]:
    """All sentences by features, and the example that each belongs to."""
    rows, places, values, owners, offset = [], [], [], [], 0
    for number, one in enumerate(examples):
        rows.append(one.features.rows)
        places.append(one.features.places + offset)
        values.append(one.features.values)
        owners += [number] * one.features.sentences
        offset += one.features.sentences
    where = np.concatenate(places), np.concatenate(rows)
    found = sparse.csr_matrix((np.concatenate(values).astype(float) / 2, where), shape=(offset, ROWS))
    return found, np.array(owners)


def fit(x: Any, y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and bias of every label."""
    used = np.flatnonzero(np.diff(x.tocsc().indptr))
    x = x[:, used].tocsr()
    turned, sign, weight = x.T.tocsr(), 2 * y - 1, np.where(y > 0, POSITIVE, 1.0)
    size, labels = len(used), y.shape[1]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, bias = flat[: size * labels].reshape(size, labels), flat[size * labels :]
        margin = np.clip(sign * (x @ weights + bias), -30, 30)
        value = (weight * np.log1p(np.exp(-margin))).sum() + (weights**2).sum() / (2 * PENALTY)
        slope = -sign * weight / (1 + np.exp(margin))
        return value, np.concatenate([(turned @ slope + weights / PENALTY).ravel(), slope.sum(0)])

    start = np.zeros((size + 1) * labels)
    flat = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    weights = np.zeros((ROWS, labels))
    weights[used] = flat[: size * labels].reshape(size, labels)
    return weights, flat[size * labels :]


def known_labels(examples: list[Example]) -> tuple[str, ...]:
    every = [label for one in examples for labels in one.labels for label in labels]
    return tuple(sorted({label for label in every if every.count(label) >= FEWEST}))


def truth_table(examples: list[Example], labels: tuple[str, ...]) -> NDArray[np.float64]:
    return np.array([[label in found for label in labels] for one in examples for found in one.labels], float)


def trained(examples: list[Example], labels: tuple[str, ...]) -> EarWeights:
    """Weights as whole numbers: 127 is the largest of a label's."""
    x, _ = matrix(examples)
    weights, bias = fit(x, truth_table(examples, labels))
    scale = 127 / np.abs(weights).max(axis=0).clip(1e-9)
    thresholds = (CUT - bias) * 2 * scale
    return EarWeights(
        labels, np.rint(weights * scale).astype(np.float32), np.rint(thresholds).astype(np.float32)
    )


def labelled_messages(ear: Ear) -> Iterator[Example]:
    """The labelled messages of the tests that are one sentence long, heard by nobody in particular."""
    for number, one in enumerate(yaml.safe_load(LABELLED.read_text())["messages"]):
        read = ear.tables.by_sentence(one["text"])
        if len(read) == 1:
            flags = {name for name in ("refuses", "farewell") if one[name]}
            kinds = ("asks", "offers", "done", "tells")
            labels = {generic(f"{kind}:{what}") for kind in kinds for what in one[kind]}
            yield Example(f"tests/{number}", ear.features(read, Listening()), [labels | flags])


def scripts(ear: Ear) -> Iterator[Example]:
    """What solutions and mistakes say, which tables read right."""
    cases = generate(read_world("northline"))
    for case in cases.cases.values():
        for turn in (*case.solution, *case.mistake) if case.brief.language == "en" else ():
            wishes = case.brief.wishes
            listening = Listening(
                requests=frozenset(wish.request for wish in wishes),
                acts=frozenset(act for wish in wishes for act in wish.agrees_to),
                news=frozenset(
                    one.removeprefix("told:")
                    for wish in wishes
                    for one in wish.satisfied_by
                    if "told:" in one
                ),
                carried_out=frozenset(call.tool for call in turn.calls if call.tool in ear.vocabulary.writes),
            )
            text = without_names(turn.says, case.brief.goods)
            read, whole = ear.tables.by_sentence(text), ear.tables.understand(text).heard()
            yield Example(
                f"{case.id}/script", ear.features(read, listening), [_by_table(u, whole) for _, u in read]
            )


def _by_table(one: Understood, whole: SpeechActs) -> set[str]:
    """The labels of one sentence, as far as the whole message agrees."""
    labels = {f"asks:{topic}" for topic in one.asks & set(whole.asks)}
    labels |= {f"tells:{news}" for news in one.tells & set(whole.tells)}
    labels |= {generic(f"offers:{act}") for act in one.mentioned & set(whole.offers)}
    labels |= {generic(f"done:{act}") for act in one.mentioned & set(whole.done)}
    flags = {"consent": one.leave, "refuses": one.refuses, "farewell": one.farewell}
    return labels | {name for name, is_so in flags.items() if is_so}


def fold_of(name: str) -> int:
    return crc32(name.encode()) % FOLDS


def main() -> None:
    """Figures by folds, then the weights."""
    from hearing import Figures, print_figures, print_wrong

    ear = untrained()
    heard = list(messages([*read_corpus("work"), *read_corpus("second")]))
    pairs = [(one, example(ear, one)) for one in heard]
    examples = [one for _, one in pairs if one]
    extra = [*labelled_messages(ear), *scripts(ear)]
    labels = known_labels(examples)
    figures = Figures()
    for fold in range(FOLDS):
        weights = trained([one for one in examples if fold_of(one.name) != fold] + extra, labels)
        deaf = Ear(weights, ear.vocabulary)
        for message, one in pairs:
            if one and fold_of(one.name) == fold:
                masked = without_names(message.text, message.customer.brief.goods)
                figures.add(message, deaf.heard(masked, message.listening))
    print_figures(figures)
    if "--wrong" in sys.argv:
        print_wrong(figures)
    if "--check" not in sys.argv:
        best = trained(examples + extra, labels)
        np.savez_compressed(
            OUT,
            labels=np.array(best.labels),
            weights=best.weights.astype(np.int8),
            thresholds=best.thresholds.astype(np.int32),
        )
        print(f"{OUT.name}: {OUT.stat().st_size / 1000:.0f} KB, {len(best.labels)} labels")


if __name__ == "__main__":
    main()
