"""Prompt: a conversation as a judge is shown it, nameless, one JSON line per turn, all of it data.

An agent writes what it likes, and its words end up in a judge's prompt. So no angle bracket, ampersand,
line break or invisible character of theirs gets there as itself, and the lines around them cannot be
guessed.
"""

import json
import re
from functools import cached_property
from typing import Any

from supportagentbench.models.family import without_names
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import SPEAKERS, Transcript, Turn

SHORTEST_QUOTE = 12
"""Characters; of a message shorter than that, all of it."""

DAY = "At the desk it is the day"

ENDS = {
    "customer_left": "The conversation ended when the customer left after the last turn.",
    "handed_over": "The conversation ended when the agent handed it to a colleague.",
    "ticket_closed": "The conversation ended when the agent closed the ticket.",
    "turn_limit": "The conversation ended because it had reached its longest length.",
    "broke": "The conversation ended because the agent failed.",
}
"""How a conversation ended, by kind of ending."""

_QUOTES = str.maketrans(dict.fromkeys("‘’ʼ‛", "'") | dict.fromkeys("“”„‟", '"'))
_UNSAFE = re.compile(r"[<>&]|[^ -~]")


class BlindTranscript:
    """One conversation, ready to be shown, and able to tell whether a quote is from it."""

    def __init__(self, transcript: Transcript, header: Run) -> None:
        self.setting = f"{DAY} {transcript.today or header.today}. {ENDS[transcript.ending.kind]}"
        """What a judge gets besides the turns."""
        self._rules = header.rules
        self._agent = header.agent
        self._turns = {at: turn for at, turn in enumerate(transcript.turns) if turn.party in SPEAKERS}
        self._shown: dict[int, dict[str, Any]] = {}
        self._read: dict[int, list[str]] = {}

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Every turn that a judge gets."""
        return tuple(encoded(self._turn(at)) for at in self._turns)

    def _turn(self, at: int) -> dict[str, Any]:
        """A turn as it is shown; an opinion on file is about few of them."""
        if at not in self._shown:
            self._shown[at] = _shown(at, self._turns[at], self._agent)
        return self._shown[at]

    @cached_property
    def rules(self) -> str:
        """All rules of the desk: what an agent says may be based on any of them."""
        return "\n".join(encoded({"id": rule.id, "rule": rule.text}) for rule in self._rules)

    def fenced(self, seed: str) -> str:
        """The lines between two marks that do not occur in them."""
        text = "\n".join(self.lines)
        key = digest(seed)
        while key in text:
            key = digest(key)
        return f"----- record {key} begins -----\n{text}\n----- record {key} ends -----"

    def nameless(self, words: str) -> str:
        """Words of the conversation without names that tell who the agent is."""
        found: str = _nameless(words, self._agent)
        return found

    def has_turn(self, turn: int) -> bool:
        return turn in self._turns

    def is_long_enough(self, turn: int, quote: str) -> bool:
        """Whether a quote could be evidence: a dozen characters, or the whole of a shorter message."""
        words = _plain(quote)
        if len(words) >= SHORTEST_QUOTE:
            return True
        shown = self._turn(turn)
        return words == _plain(shown["text"]) and bool(words or "calls" not in shown)

    def holds(self, turn: int, quote: str) -> bool:
        """Whether these words occur in this turn: said, called, returned or attached."""
        if turn not in self._read:
            self._read[turn] = list(map(_plain, _places(self._turn(turn))))
        words = _plain(quote)
        return any(words in place for place in self._read[turn])


def encoded(content: Any) -> str:
    """One line of JSON in which no content can be taken for markup or a new line."""
    return _UNSAFE.sub(_escaped, json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable() and char not in "<>&":
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _shown(at: int, turn: Turn, agent: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"turn": at, "party": turn.party, "text": turn.text}
    if turn.sender:
        shown["sender"] = str(turn.sender)
    if turn.attachments:
        shown["attachments"] = [
            {"name": file.name, "kind": file.kind, "shows": file.shows} for file in turn.attachments
        ]
    if turn.calls:
        shown["calls"] = [
            {
                "tool": call.tool,
                "arguments": call.arguments,
                "ok": call.result.ok,
                "result": call.result.text,
            }
            for call in turn.calls
        ]
    return {key: _nameless(value, agent) for key, value in shown.items()}


def _nameless(content: Any, agent: str) -> Any:
    if isinstance(content, str):
        distinct = agent and not agent.isalpha()  # `silent` is a word, `acme-desk-2` is a name
        return without_names(content.replace(agent, "[name]") if distinct else content)
    if isinstance(content, dict):
        return {_nameless(key, agent): _nameless(value, agent) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_nameless(one, agent) for one in content]
    return content


def _places(shown: dict[str, Any]) -> list[str]:
    """Where a quote may come from: each text by itself, and the calls as they are printed."""
    calls = shown.get("calls", [])
    files = shown.get("attachments", [])
    given = [call["arguments"] for call in calls]
    return [
        shown["text"],
        encoded(shown["text"]),
        shown.get("sender", ""),
        *(call["result"] for call in calls),
        *(
            value
            for one in given
            if isinstance(one, dict)
            for value in one.values()
            if isinstance(value, str)
        ),
        *(encoded(call) for call in calls),
        *(file["shows"] for file in files),
        *(encoded(file) for file in files),
    ]


def _plain(text: str) -> str:
    """The text with one kind of blank and of quotation mark."""
    return " ".join(text.translate(_QUOTES).split())
