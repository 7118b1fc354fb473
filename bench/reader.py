"""How well the one reader reads: precision and recall per act on every labelled file, beside what was before.

Four readers were merged into one. BEFORE has what the best of them reached on the same labels (precision,
recall), measured with the same counting; the command fails where the reader is worse.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from supportagentbench.customer.draft import faults_in
from supportagentbench.customer.model_voice import INSTRUCTIONS
from supportagentbench.customer.voice import TurnPlan
from supportagentbench.language.customer import answer
from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.world.folder import read_world

TESTS = Path(__file__).parent.parent / "tests"
FLAGS = ("refuses", "farewell", "consent")
KINDS = ("asks", "offers", "done", "tells")

BEFORE: dict[tuple[str, str], tuple[float, float]] = {
    ("agent strictly, dev", "done"): (0.913, 0.412),
    ("agent strictly, held_out", "done"): (1.0, 0.385),
    ("agent, dev", "asks"): (0.99, 1.0),
    ("agent, dev", "done"): (1.0, 0.984),
    ("agent, dev", "farewell"): (1.0, 1.0),
    ("agent, dev", "offers"): (1.0, 0.984),
    ("agent, dev", "refuses"): (1.0, 1.0),
    ("agent, dev", "tells"): (0.985, 1.0),
    ("agent, held_out", "asks"): (0.841, 0.719),
    ("agent, held_out", "done"): (0.9, 0.75),
    ("agent, held_out", "farewell"): (1.0, 1.0),
    ("agent, held_out", "offers"): (0.925, 0.754),
    ("agent, held_out", "refuses"): (0.941, 0.842),
    ("agent, held_out", "tells"): (0.746, 0.769),
    ("answers, dev", "no"): (0.625, 0.625),
    ("answers, dev", "yes"): (0.423, 0.647),
    ("answers, held_out", "no"): (0.286, 0.5),
    ("answers, held_out", "yes"): (0.556, 0.625),
    ("drafts, dev", "fault"): (1.0, 1.0),
    ("drafts, held_out", "fault"): (0.985, 0.985),
    ("other languages, held_out", "asks"): (1.0, 0.25),
    ("other languages, held_out", "consent"): (0.8, 0.667),
    ("other languages, held_out", "done"): (1.0, 0.583),
    ("other languages, held_out", "farewell"): (1.0, 0.833),
    ("other languages, held_out", "offers"): (1.0, 0.333),
    ("other languages, held_out", "refuses"): (1.0, 0.333),
    ("other languages, held_out", "tells"): (0.938, 0.625),
    ("other languages, messages", "asks"): (1.0, 1.0),
    ("other languages, messages", "consent"): (1.0, 1.0),
    ("other languages, messages", "done"): (1.0, 1.0),
    ("other languages, messages", "farewell"): (1.0, 1.0),
    ("other languages, messages", "offers"): (1.0, 1.0),
    ("other languages, messages", "refuses"): (1.0, 1.0),
    ("other languages, messages", "tells"): (1.0, 1.0),
}
"""Precision and recall of the best of the readers before."""


class Count(NamedTuple):
    """Right, too many, missed."""

    right: int = 0
    extra: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.extra) if self.right + self.extra else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


Reading = tuple[str, set[str], set[str]]
"""A file's part, what is labelled, what was read; each item as `kind` or `kind:name`."""


def load(path: str) -> Any:
    return yaml.load((TESTS / path).read_text(encoding="utf-8"), yaml.CSafeLoader)


def observations(heard: Any) -> set[str]:
    named = {f"{kind}:{one}" for kind in KINDS for one in getattr(heard, kind)}
    return named | {flag for flag in FLAGS if getattr(heard, flag)}


def agent_messages(reader: Reader) -> Iterator[Reading]:
    """An agent's English messages, as a customer takes them."""
    for message in load("language/agent_messages.yaml")["messages"]:
        labelled = {f"{kind}:{one}" for kind in KINDS for one in message[kind]}
        labelled |= {flag for flag in ("refuses", "farewell") if message[flag]}
        heard = observations(reader.heard(message["text"])) - {"consent"}
        yield f"agent, {message['split']}", labelled, heard


def agent_claims(reader: Reader) -> Iterator[Reading]:
    """The same messages, strictly: what is claimed as done beyond doubt."""
    for message in load("language/agent_messages.yaml")["messages"]:
        labelled = {f"done:{act}" for act in message["done"] if act != "close_ticket"}
        claimed = {one.what for one in reader.claims(message["text"]) if one.kind == "done"}
        known = {act for act in claimed & set(reader.vocabulary.by_act) if act != "close_ticket"}
        same = {act: {f"done:{way}" for way in reader.vocabulary.ways(act)} & labelled for act in known}
        read = {one for act in known for one in same[act] or {f"done:{act}"}}
        yield f"agent strictly, {message['split']}", labelled, read


def other_languages(reader: Reader) -> Iterator[Reading]:
    for part in ("messages", "held_out"):
        for language, messages in load(f"language/other_languages_{part}.yaml").items():
            for message in messages:
                heard = observations(reader.heard(message["says"], language))
                yield f"other languages, {part}", set(message["hears"]), heard


def drafts(reader: Reader) -> Iterator[Reading]:
    """Drafts of customers' messages: the planted fault, and no alarm where there is none."""
    corpus = load("customer/drafts.yaml")
    for message in corpus["messages"]:
        there = corpus["parts"][message["at"]]
        part = msgspec.convert(there["part"], TurnPlan)
        found = faults_in(message["says"], part, there.get("language", "en"), reader, INSTRUCTIONS)
        fault = message.get("fault")
        labelled = {f"fault:{fault}"} if fault else set()
        read = {f"fault:{one.kind}" for one in found}
        # A planted fault may bring others with it; only a good wording has to raise none.
        yield f"drafts, {message.get('split', 'dev')}", labelled, read & labelled if fault else read


def answers(reader: Reader) -> Iterator[Reading]:
    """Good wordings of a yes or a no, read strictly: the first words settle it."""
    corpus = load("customer/drafts.yaml")
    for message in (one for one in corpus["messages"] if not one.get("fault")):
        there = corpus["parts"][message["at"]]
        moves = {move["kind"] for move in there["part"]["moves"]}
        labelled = {name for name, move in (("yes", "confirm"), ("no", "decline")) if move in moves}
        read = answer(message["says"], there.get("language", "en"))
        yield f"answers, {message.get('split', 'dev')}", labelled, {read} if read else set()


def counted(readings: Iterable[Reading]) -> dict[tuple[str, str], Count]:
    """By part of a file and kind of act."""
    found: dict[tuple[str, str], Count] = defaultdict(Count)
    for part, labelled, read in readings:
        for kind in {one.partition(":")[0] for one in labelled | read}:
            want, got = ({one for one in side if one.partition(":")[0] == kind} for side in (labelled, read))
            old = found[part, kind]
            found[part, kind] = Count(
                old.right + len(want & got), old.extra + len(got - want), old.missed + len(want - got)
            )
    return dict(found)


def main() -> None:
    """Print a line per file and act; exit 1 where the reader is worse than the best before it."""
    reader, worse = reader_of(read_world("northline").vocabulary), 0
    print(f"{'file':32} {'act':10} {'precision':>10} {'before':>7} {'recall':>8} {'before':>7}")
    for measure in (agent_messages, agent_claims, other_languages, drafts, answers):
        for (part, kind), count in sorted(counted(measure(reader)).items()):
            precision, recall = BEFORE.get((part, kind), (0.0, 0.0))
            worse += count.precision < precision - 0.0005 or count.recall < recall - 0.0005
            figures = f"{count.precision:10.3f} {precision:7.3f} {count.recall:8.3f} {recall:7.3f}"
            print(f"{part:32} {kind:10} {figures}")
    sys.exit(worse > 0)


if __name__ == "__main__":
    main()
