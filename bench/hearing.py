"""How well customers hear: speech acts and the turns that follow from them, on the labelled corpus.

python bench/hearing.py [PART]                     # the scripted customer's ear
python bench/hearing.py [PART] tables              # tables alone
python bench/hearing.py [PART] ask QUESTIONS       # what a customer's model is asked, one JSON a line
python bench/hearing.py [PART] answers ANSWERS     # a model's answers, in the same order

PART is a part of the corpus: work (if none is given), sealed, second, third or fourth.
"""

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from corpus import HeardMessage, messages, part_of, read_corpus
from supportagentbench.customer.model_voice import ModelSpeaker
from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.observation import (
    ModelReading,
    ObservationList,
    as_read,
    heard_in,
    is_shown,
    reading_of,
)
from supportagentbench.customer.sanitize import as_data
from supportagentbench.customer.voice import without_names
from supportagentbench.language.reader import Reader
from supportagentbench.models import Completion, ModelRequest
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world


def acts_in(heard: SpeechActs) -> set[str]:
    """All speech acts but farewells, which no customer acts on."""
    found = {f"asks:{topic}" for topic in heard.asks} | {f"tells:{news}" for news in heard.tells}
    for kind, acts in (("offers", heard.offers), ("done", heard.done)):
        found |= {f"{kind}:{_way(act)}" for act in acts}
    return found | ({"refuses"} if heard.refuses else set()) | ({"consent"} if heard.consent else set())


def decided(plan: NextTurn) -> Any:
    """What a customer does in a turn, whatever words it chooses; no yes is needed for a handover."""
    said = sorted((move.kind, move.says) for move in plan.moves)
    agreed = sorted(set(plan.confirms) - set(TICKET_ACTS))
    return said, agreed, plan.discloses, [one.name for one in plan.shows], plan.leaves


class Figures:
    """Counts over messages."""

    def __init__(self) -> None:
        self.messages = self.exact = self.listened = self.turns = self.right_turns = 0
        self.reports = self.understood = self.wrong_yes = 0
        self.right: Counter[str] = Counter()
        self.extra: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.wrong: list[tuple[HeardMessage, SpeechActs]] = []

    def add(self, message: HeardMessage, heard: SpeechActs) -> None:
        """Count one message, as it was heard and as readers read it."""
        by_plan, truly = message.plan(heard), message.plan(message.truth)
        true, found = acts_in(message.truth), acts_in(heard) - {"done"}
        found = {one for one in found if not one.startswith("done:")} | _done(by_plan)
        true = {one for one in true if not one.startswith("done:")} | _done(truly)
        self.messages += 1
        self.exact += true == found
        self.right.update(true & found)
        self.extra.update(found - true)
        self.missed.update(true - found)
        if not message.is_answered:
            return
        self.turns += 1
        waits = {f"tells:{news}" for news in message.listening.news}
        self.listened += _for(true, waits) == _for(found, waits)
        is_right = decided(by_plan) == decided(truly)
        self.right_turns += is_right
        if not is_right:
            self.wrong.append((message, heard))
        self.wrong_yes += bool(set(by_plan.confirms) - set(truly.confirms))
        wanted = set(message.carried_out) - set(TICKET_ACTS)
        if wanted and any(label.startswith("done:") for span in message.spans for label in span.labels):
            self.reports += 1
            self.understood += wanted <= by_plan.done


def _done(plan: NextTurn) -> set[str]:
    return {f"done:{_way(act)}" for act in plan.done | plan.doubts}


@cache
def _way(act: str) -> str:
    """An act by the first of those that come to the same for a customer: a swap is a swap."""
    return min(read_world("northline").vocabulary.ways(act))


def _for(acts: set[str], waits: set[str]) -> set[str]:
    """What a customer listens for: all but news that it does not wait for."""
    return {act for act in acts if not act.startswith("tells:") or act in waits}


def print_figures(figures: Figures) -> None:
    """The table of docs/customer.md."""

    def share(part: int, whole: int) -> str:
        return f"{part} of {whole} ({part / max(whole, 1):.1%})"

    print(f"messages with a wrong act        {share(figures.messages - figures.exact, figures.messages)}")
    print(f"  that this customer listens for {share(figures.turns - figures.listened, figures.turns)}")
    print(f"wrong turns of the customer      {share(figures.turns - figures.right_turns, figures.turns)}")
    print(f"wrong yes                        {figures.wrong_yes}")
    print(f"first reports understood         {share(figures.understood, figures.reports)}")
    for act in sorted({*figures.right, *figures.missed, *figures.extra}, key=lambda one: -figures.right[one]):
        right, extra, missed = figures.right[act], figures.extra[act], figures.missed[act]
        print(f"  {act:22} right {right:4}  extra {extra:3}  missed {missed:3}")


def print_wrong(figures: Figures) -> None:
    """Every message after which the customer does the wrong thing, with what it should have done."""
    for message, heard in figures.wrong:
        name = f"{message.conversation.id} turn {message.turn} ({message.conversation.manner})"
        print(f"\n## {name}, done now: {', '.join(message.carried_out) or '-'}, {message.listening}")
        print("\n".join(f"   | {line}" for line in message.text.splitlines() if line.strip()))
        true, found = acts_in(message.truth), acts_in(heard)
        print(f"   missed {sorted(true - found)}, extra {sorted(found - true)}")
        print(f"   does {decided(message.plan(heard))}\n   not  {decided(message.plan(message.truth))}")


def questions(part: str, reader: Reader) -> list[str]:
    """What a model is sent with each message that a customer heard."""
    asked = []
    for message in messages(read_corpus(part)):
        speaker = ModelSpeaker(_NoModel(), message.customer.brief, Random(0), reader)
        words = as_read(message.text, message.customer.brief.goods)
        asked.append(as_data({"message": words} | speaker._on_record(message.listening)))
    return asked


class _NoModel:
    name = "nobody"

    async def complete(self, request: ModelRequest) -> Completion:
        raise NotImplementedError


def heard_by_model(message: HeardMessage, answer: str, listed: ObservationList) -> SpeechActs:
    """What a customer takes from a model's answer; nothing, if it cannot be used."""
    words = as_read(message.text, message.customer.brief.goods)
    reading = reading_of(answer, listed)
    if reading is None:
        return SpeechActs()
    shown = tuple(seen for seen in reading.seen if is_shown(seen, words))
    return heard_in(ModelReading(shown))


def main() -> None:
    """Figures of one reader on one part."""
    part, words = part_of(sys.argv), sys.argv[1:]
    reader, figures = generate(read_world("northline")).reader, Figures()
    listed = ObservationList(reader.vocabulary)
    if "ask" in words:
        Path(words[-1]).write_text("\n".join(questions(part, reader)) + "\n")
        print(listed.instructions)
        return
    answers = iter(Path(words[-1]).read_text().splitlines()) if "answers" in words else None
    for message in messages(read_corpus(part)):
        brief = message.customer.brief
        if answers:
            figures.add(message, heard_by_model(message, next(answers), listed))
            continue
        listening = None if "tables" in words else message.listening
        masked = without_names(message.text, brief.goods)
        figures.add(message, reader.heard(masked, brief.language, listening))
    print_figures(figures)


if __name__ == "__main__":
    main()
