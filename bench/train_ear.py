"""Train the ear of Northline's customers on the corpus, and write its weights.

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
from hearing import Figures, print_figures, print_wrong
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from corpus import PARTS, HeardMessage, generic, messages, read_corpus
from supportagentbench.calibration.faults import ClaimsAHandover, ClaimsWithoutDoing
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.customer.voice import without_names
from supportagentbench.language.ear import ROWS, Ear, EarWeights, Rows, features
from supportagentbench.language.english_agent import LIMIT, EnglishAgent
from supportagentbench.language.listening import Listening
from supportagentbench.language.speech_act import Understood
from supportagentbench.language.spelling import sentences
from supportagentbench.records.case import Case
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

FOLDS = 5
PENALTY, POSITIVE = 3.0, 6.0
"""Of the regression; how much a label counts that is there."""
CUTS = np.arange(-2.0, 1.6, 0.25)
"""Scores from which on a label may be heard; each label has the one with the fewest wrong messages."""
FEWEST = 3
"""A label with fewer sentences is not learned."""
OUT = Path(__file__).parent.parent / "src/supportagentbench/worlds/northline/ear.npz"
LABELLED = Path(__file__).parent.parent / "tests/language/agent_messages.yaml"


class Example(NamedTuple):
    """A message as the regression sees it."""

    name: str
    """Its conversation: all messages of one are in the same fold."""
    features: list[Rows]
    """Of each sentence."""
    labels: list[set[str]]
    """Of each sentence."""


def untrained() -> Ear:
    vocabulary = read_world("northline").vocabulary
    nothing = EarWeights((), np.zeros((ROWS, 0), np.float32), np.zeros(0, np.float32))
    return Ear(nothing, EnglishAgent(vocabulary), vocabulary)


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
    return Example(message.conversation.id, features(read, message.listening), labels)


def matrix(examples: list[Example]) -> tuple[Any, NDArray[np.int64]]:
    """All sentences by features, and the example that each belongs to."""
    seen = [(number, rows) for number, one in enumerate(examples) for rows in one.features]
    columns = np.array([row for _, rows in seen for row in rows])
    places = np.repeat(np.arange(len(seen)), [len(rows) for _, rows in seen])
    counts = np.full(len(columns), 0.5)  # One that is there twice counts 1.
    found = sparse.csr_matrix((counts, (places, columns)), shape=(len(seen), ROWS))
    return found, np.array([number for number, _ in seen])


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


def weighed(
    weights: NDArray[np.float64], bias: NDArray[np.float64], cuts: NDArray[np.float64]
) -> tuple[Any, Any]:
    """Weights as whole numbers, 127 the largest of a label's, and the scores from which on it is heard."""
    scale = 127 / np.abs(weights).max(axis=0).clip(1e-9)
    whole, thresholds = np.rint(weights * scale), np.rint((cuts - bias) * 2 * scale)
    return whole.astype(np.float32), thresholds.astype(np.float32)


def best_cuts(margins: list[NDArray[np.float64]], examples: list[Example], labels: tuple[str, ...]) -> Any:
    """For each label the cut with the fewest messages in which it is heard wrongly or missed."""
    peaks = np.array([found.max(axis=0) for found in margins])
    true = np.array([[any(label in one for one in found.labels) for label in labels] for found in examples])
    wrong = np.array([((peaks > cut) != true).sum(axis=0) for cut in CUTS])
    return CUTS[wrong.argmin(axis=0)]


def labelled_messages(ear: Ear) -> Iterator[Example]:
    """The labelled messages of the tests that are one sentence long, heard by nobody in particular."""
    for number, one in enumerate(yaml.safe_load(LABELLED.read_text())["messages"]):
        read = ear.tables.by_sentence(one["text"])
        if len(read) == 1:
            flags = {name for name in ("refuses", "farewell") if one[name]}
            kinds = ("asks", "offers", "done", "tells")
            labels = {generic(f"{kind}:{what}") for kind in kinds for what in one[kind]}
            yield Example(f"tests/{number}", features(read, Listening()), [labels | flags])


def scripts(ear: Ear) -> Iterator[Example]:
    """What solutions, mistakes and embedded agents say, which tables read right."""
    cases = generate(read_world("northline"))
    said: set[tuple[str, str]] = set()
    for case in cases.cases.values():
        if case.brief.language != "en":
            continue
        for turn in (*case.solution, *case.mistake):
            done = (call.tool for call in turn.calls)
            yield _by_tables(ear, case, turn.says, frozenset(done).intersection(ear.vocabulary.writes))
        for agent in (Oracle, ClaimsAHandover, ClaimsWithoutDoing):
            for spoken in play(cases, case, agent(cases.world, 0)).turns:
                if spoken.party == "agent" and (case.family, spoken.text) not in said:
                    said.add((case.family, spoken.text))
                    done = (call.tool for call in spoken.calls if call.result.wrote)
                    yield _by_tables(ear, case, spoken.text, frozenset(done))


def _by_tables(ear: Ear, case: Case, words: str, carried_out: frozenset[str]) -> Example:
    """A message of an agent of ours, as the customer of its case hears it at first."""
    wishes = case.brief.wishes
    signals = [one for wish in wishes for one in wish.satisfied_by]
    listening = Listening(
        requests=frozenset(wish.request for wish in wishes),
        acts=frozenset(act for wish in wishes for act in wish.agrees_to),
        news=frozenset(one.removeprefix("told:") for one in signals if "told:" in one),
        carried_out=carried_out,
    )
    text = without_names(words, case.brief.goods)
    read, whole = ear.tables.by_sentence(text), ear.tables.understand(text).heard()
    labels = [_by_table(understood, whole) for _, understood, _ in read]
    return Example(f"{case.id}/script", features(read, listening), labels)


def _by_table(one: Understood, whole: SpeechActs) -> set[str]:
    """The labels of one sentence, as far as the whole message agrees."""
    asks = one.asks & set(whole.asks) - (
        {"address"} if one.mentioned else set()
    )  # It is named, not asked for.
    labels = {f"asks:{topic}" for topic in asks}
    labels |= {f"tells:{news}" for news in one.tells & set(whole.tells)}
    labels |= {generic(f"offers:{act}") for act in one.mentioned & set(whole.offers)}
    labels |= {generic(f"done:{act}") for act in one.mentioned & set(whole.done)}
    flags = {"consent": one.leave, "refuses": one.refuses, "farewell": one.farewell}
    return labels | {name for name, is_so in flags.items() if is_so}


def fold_of(name: str) -> int:
    return crc32(name.encode()) % FOLDS


def main() -> None:
    """Figures by folds, then the weights."""
    ear = untrained()
    heard = list(messages([one for part in PARTS[:-1] for one in read_corpus(part)]))
    pairs = [(message, found) for message in heard if (found := example(ear, message))]
    examples, extra = [one for _, one in pairs], [*labelled_messages(ear), *scripts(ear)]
    labels = known_labels(examples)
    folds = []
    for fold in range(FOLDS):
        learned = [one for one in examples if fold_of(one.name) != fold] + extra
        folds.append(fit(matrix(learned)[0], truth_table(learned, labels)))
    margins = [_margins(one, *folds[fold_of(one.name)]) for one in examples]
    cuts = best_cuts(margins, examples, labels)
    figures = Figures()
    ears = [Ear(EarWeights(labels, *weighed(*found, cuts)), ear.tables, ear.vocabulary) for found in folds]
    for message, one in pairs:
        masked = without_names(message.text, message.customer.brief.goods)
        figures.add(message, ears[fold_of(one.name)].heard(masked, message.listening))
    print_figures(figures)
    if "--wrong" in sys.argv:
        print_wrong(figures)
    if "--check" not in sys.argv:
        _write(
            labels, *weighed(*fit(matrix(examples + extra)[0], truth_table(examples + extra, labels)), cuts)
        )


def _margins(one: Example, weights: NDArray[np.float64], bias: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of every sentence of an example."""
    found: NDArray[np.float64] = matrix([one])[0] @ weights + bias
    return found


def _write(labels: tuple[str, ...], weights: Any, thresholds: Any) -> None:
    kinds = {"weights": weights.astype(np.int8), "thresholds": thresholds.astype(np.int32)}
    np.savez_compressed(OUT, labels=np.array(labels), **kinds)
    print(f"{OUT.name}: {OUT.stat().st_size / 1000:.0f} KB, {len(labels)} labels")


if __name__ == "__main__":
    main()
